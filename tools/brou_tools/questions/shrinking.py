"""Shrinking a situation while it still holds: fewer deals, fewer acts, smaller numbers, plain names.

A situation says itself whether it holds: both rules still accept every act and still answer differently in the end, or
a program still answers otherwise than the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import gcd
from typing import TypeVar

from brou import HANDS, STOCK, TURNUP, BrouError, Json, complete, hands_of, outside, parts
from brou_conformance.metamorphic.renaming import Renaming, before, canonical, message, renamings
from brou_conformance.protocol import Message, words_in
from brou_tools.questions.situation import (
    Act,
    Situation,
    begin_states,
    engine,
    follow_act,
    numbers,
    partings,
    reach_states,
    standing,
)

One = TypeVar("One", bound=Situation)


def shrunk(one: One) -> One:
    """Return the smallest situation that the steps lead to, one after the other, until none makes it smaller."""
    while True:
        before_ = one
        for step in (earliest, of_the_last_deal, without_idle_acts, with_small_numbers):
            one = step(one)
        if one.size >= before_.size:
            return with_plain_names(with_plain_cards(one))


def earliest(one: One) -> One:
    """Ask as soon as anything differs."""
    states = begin_states(one.rules, one.start)
    for number in range(len(one.acts) + 1):
        if states is None:
            return one
        found = list(partings(one.rules, states))
        if found:
            asked = one.question if one.question in found else found[0]
            return replace(one, acts=one.acts[:number], question=asked)
        if number < len(one.acts):
            states = follow_act(one.rules, states, one.acts[number])
    return one


def of_the_last_deal(one: One) -> One:
    """Begin with a later deal, its accounts as they stand by then."""
    deal = outside(one.game.start.deal)
    for number in reversed([number for number, (_, act) in enumerate(one.acts) if deal in act]):
        states = reach_states(one.rules, one.start, one.acts[:number])
        given = None if states is None else standing(one.rules, states)
        if given is None:
            continue
        value = one.acts[number][1][deal]
        order = next(p.id for p in one.game.actions[one.game.start.deal].parameters)
        start = {**given, **(value if isinstance(value, dict) else {outside(order): value})}
        found = replace(one, start=start, acts=one.acts[number + 1 :])
        if found.holds():
            return found
    return one


def without_idle_acts(one: One) -> One:
    """Leave out every act without which the two differ too."""
    for number in reversed(range(len(one.acts))):
        found = replace(one, acts=(*one.acts[:number], *one.acts[number + 1 :]))
        if found.holds():
            one = found
    return one


def without_stretches(one: One) -> One:
    """Leave out stretches of acts without which it still holds, long ones first, down to one act for each seat."""
    length = len(one.acts) // 2
    while length >= one.game.seats:
        number = 0
        while number < len(one.acts):
            found = replace(one, acts=(*one.acts[:number], *one.acts[number + length :]))
            if found.holds():
                one = found
            else:
                number += length
        length //= 2
    return one


def with_small_numbers(one: One) -> One:
    """Let the numbers before the deal be as small as possible, in steps of a common divisor."""
    unit = gcd(*numbers(one.game, one.start)) or 1
    for key, value in one.start.items():
        if key not in one.game.start.given or key == "dealer":
            continue
        for place in _places(value):
            one = _smaller(one, key, place, unit)
    return one


def _places(value: Json) -> list[int | None]:
    return list(range(len(value))) if isinstance(value, list) else [None]


def _smaller(one: One, key: str, place: int | None, unit: int) -> One:
    """Return the situation with one number as close to zero as bisection brings it while it still holds."""
    whole = one.start[key]
    written = whole if place is None or not isinstance(whole, list) else whole[place]
    number = written if isinstance(written, int) else 0
    low, high = 0, abs(number) // unit
    step = unit if number > 0 else -unit
    best = one
    while low < high:
        middle = (low + high) // 2
        found = replace(one, start={**one.start, key: _put(whole, place, middle * step)})
        if found.holds():
            best, high = found, middle
        else:
            low = middle + 1
    return best


def _put(whole: Json, place: int | None, number: int) -> Json:
    if place is None or not isinstance(whole, list):
        return number
    return [*whole[:place], number, *whole[place + 1 :]]


# Cards ------------------------------------------------------------------------


def with_plain_cards(one: One) -> One:
    """Deal the cards that are not played in the order of the pack, by pairs of hands, while the two still differ."""
    start = spell_start(one)
    if HANDS not in start:
        return one
    one = replace(one, start={key: value for key, value in start.items() if key not in _order(one)})
    played = set(_list_cards(one.acts)) | {one.start.get(TURNUP)}
    seats = list(hands_of(one.start))
    for number, seat in enumerate(seats):
        for other in (*seats[number + 1 :], None):
            one = _sorted_between(one, seat, other, played)
    return one


def spell_start(one: Situation) -> dict[str, Json]:
    """Return its start with hands, turn-up, stock and pack."""
    machine = engine(one.rules[0]).machine
    given, deal = parts(machine, one.start)
    return {**given, **(complete(machine, machine.start(given), deal) if deal else {})}


def _order(one: Situation) -> set[str]:
    """Return under which name a start gives the order of the pack."""
    return {outside(p.id) for p in one.game.actions[one.game.start.deal].parameters if p.described}


def _list_cards(acts: tuple[Act, ...]) -> Iterator[str]:
    for _, act in acts:
        for value in act.values():
            yield from words_in(value)


def _sorted_between(one: One, seat: int, other: int | None, fixed: set[Json]) -> One:
    """Return it with the free cards of two hands, or of a hand and the stock, in pack order if the two differ."""
    hands = hands_of(one.start)
    theirs = [*words_in(one.start.get(STOCK))] if other is None else hands[other]
    free = [card for card in (*hands[seat], *theirs) if card not in fixed]
    free.sort(key=one.game.deck.cards.index)
    mine = iter(free)
    first = [card if card in fixed else next(mine) for card in hands[seat]]
    second = [card if card in fixed else next(mine) for card in theirs]
    dealt = {**hands, seat: first, **({} if other is None else {other: second})}
    start: dict[str, Json] = {**one.start, HANDS: {str(by): [*hand] for by, hand in dealt.items()}}
    found = replace(one, start={**start, STOCK: [*second]} if other is None and STOCK in one.start else start)
    return found if start != one.start and found.holds() else one


# Names ------------------------------------------------------------------------


def with_plain_names(one: One) -> One:
    """Return it under the first names of seats and suits: the last seat deals, the first suits count."""
    if HANDS not in one.start:
        return one
    found = [rename(one, names) for names in renamings(one.rules[0])]
    kept = sorted((each for each in found if each is not None), key=lambda each: _plainness(one, each))
    return next((each for each in kept if each.holds()), one)


def _plainness(one: Situation, found: Situation) -> tuple[int, list[int], str]:
    suits = list(one.game.deck.suits)
    cards = [found.start.get(TURNUP), *_list_cards(found.acts)]
    ranked = [suits.index(card[-1]) for card in cards if isinstance(card, str) and card[-1] in suits]
    dealer = found.start.get("dealer")
    return -dealer if isinstance(dealer, int) else 0, ranked, canonical(found.start[HANDS])


def rename(one: One, names: Renaming) -> One | None:
    """Return it under new names of seats and suits, None where it cannot be dealt so."""
    game = one.game
    start = {key: value for key, value in one.start.items() if key not in game.start.given}
    hands = {str(names.seats[seat]): names.of([*hand], None) for seat, hand in hands_of(one.start).items()}
    start |= {key: names.of(start[key], None) for key in (TURNUP, STOCK) if key in start}
    acts = tuple(_act(message({"by": by, "act": dict(act)}, game, names)) for by, act in one.acts)
    asked = one.question
    question = asked if "score" in asked or "winner" in asked else message(asked, game, names)
    try:
        start = {**start, **before(one.start, game, names), HANDS: dict(sorted(hands.items()))}
    except (BrouError, KeyError):
        return None
    return replace(one, start=start, acts=acts, question=question)


def _act(step: Message) -> Act:
    return step["by"], step["act"]
