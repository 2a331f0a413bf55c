"""Variants: from a script the pairs that must be answered alike, each of which the rules themselves answer alike.

All of it is decided by the interpreter, and by chance from a fixed seed: the same script has always the same variants.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import ne
from typing import Any

from brou import BadAct, Chance, Choice, Folder, Impossible, Json, Machine, State, begin, complete, outside, parts
from brou.language.types import Orders, Value
from brou_conformance.metamorphic.pairs import Pair, PairFate, Relation, compare_answers
from brou_conformance.metamorphic.renaming import AnswerReader, Renaming, before, dyes, message, turns
from brou_conformance.protocol import Message, words_in
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import PLAY, ScriptStep, Verb
from brou_conformance.scenarios.script import Script, machine

#: How many other deals are asked for one question, tried for it, and shuffled throughout; and moments of a script.
_DEALS, _TRIES, _SHUFFLES, _MOMENTS = 2, 12, 6, 3
#: What is asked of each seat.
_OF_SEATS: tuple[Verb, ...] = ("view", "legal")


@dataclass(frozen=True, slots=True)
class ScriptTrace:
    """The trace of a script under the rules: the state before each step, the answers, and the state after the last."""

    script: Script
    player: Machine
    states: tuple[State, ...]
    answers: tuple[Message, ...]

    @classmethod
    def of(cls, script: Script, player: Machine) -> ScriptTrace:
        """Play a script; raise `Impossible` or `BadAct` where it cannot begin so."""
        states = [begin(player, script.start)]
        answers = []
        for step in script.steps:
            answer, state = take(player, states[-1], step.message)
            states.append(state)
            answers.append(answer)
        return cls(script, player, tuple(states), tuple(answers))

    @property
    def accepted(self) -> tuple[int, ...]:
        """Return the numbers of the acts that count."""
        return tuple(number for number, answer in enumerate(self.answers) if "ok" in answer)

    def turn(self, number: int) -> int | None:
        """Return the seat that is to play before a step."""
        turn = self.player.view(self.states[number], 0).get("turn")
        return turn if type(turn) is int else None


@dataclass(frozen=True, slots=True)
class VariantSource:
    """The source of variants: a script, the rules that judge it, and the abilities of the program."""

    script: Script
    rules: Choice
    can: frozenset[str]
    data: Folder = None

    @property
    def player(self) -> Machine:
        """Return the interpreter of the rules."""
        return machine(self.rules, self.data)

    @property
    def plain(self) -> Renaming:
        """Return the names as they are."""
        return turns(self.rules, self.data)[0]

    def chance(self, kind: Relation) -> Chance:
        """Return a stream of its own for each kind of each script."""
        named = f"{kind} {self.script.scenario.id} {self.script.choice}"
        return Chance(int.from_bytes(hashlib.sha256(named.encode()).digest()[:8]))

    def course(self, script: Script | None = None) -> ScriptTrace:
        """Return a script as the rules have it."""
        return ScriptTrace.of(script or self.script, self.player)

    def pair(self, kind: Relation, base: Script, other: Script) -> Pair:
        """Return a pair whose steps are compared one by one, under the names as they are."""
        matched = tuple((number, number) for number in range(len(base.steps)))
        return Pair(kind, base, other, matched=matched, names=self.plain, plain=self.plain)


def variants(ground: VariantSource) -> Iterator[Pair]:
    """Yield the pairs of a script of every kind that the program can answer."""
    try:
        course = ground.course()
    except (Impossible, BadAct):
        return
    closed = ground.course(_append_questions(ground))
    yield from _vary_hidden(ground, course)
    yield from _vary_names(ground, closed, Relation.SEATS, turns(ground.rules, ground.data)[1:])
    yield from _vary_names(ground, closed, Relation.SUITS, dyes(ground.rules, ground.data)[1:])
    yield from _vary_position(ground, course)
    yield from _vary_refused(ground, course, closed.script)


def holds(pair: Pair, player: Machine, base: ScriptTrace | None = None) -> bool:
    """Say whether the rules answer the two scripts of a pair alike; the course of the first may be known."""
    try:
        one, two = base or ScriptTrace.of(pair.base, player), ScriptTrace.of(pair.other, player)
    except (Impossible, BadAct):
        return False
    # A pair about what is hidden says nothing where the seat can see the difference.
    if pair.seat is not None and not _indistinct(one, two, pair.seat):
        return False
    return (
        compare_answers(pair, one.answers, two.answers, AnswerReader(player.game, whole=True, codes=True))
        is PairFate.ALIKE
    )


def _replace_steps(script: Script, steps: Iterable[ScriptStep]) -> Script:
    return Script(script.scenario, script.choice, tuple(steps), script.start)


def _question(script: Script, verb: Verb, value: Json, number: int) -> ScriptStep:
    return ScriptStep(f"asked{number}", verb, {verb: value}, script.scenario.place)


def _append_questions(ground: VariantSource) -> Script:
    """Return a script with everything asked after its end."""
    seats = range(ground.player.game.seats)
    of_seats = ((verb, seat) for seat in seats for verb in _OF_SEATS)
    asked: list[tuple[Verb, Json]] = [*of_seats, ("winner", True), ("score", True)]
    steps = (_question(ground.script, verb, value, number) for number, (verb, value) in enumerate(asked))
    return _replace_steps(ground.script, (*ground.script.steps, *steps))


# Hidden cards -----------------------------------------------------------------


def _vary_hidden(ground: VariantSource, course: ScriptTrace) -> Iterator[Pair]:
    """Yield for each question about a seat's view or acts other deals that look the same to it."""
    if not ground.can & {"deal", "match"}:
        return
    chance = ground.chance(Relation.HIDDEN)
    asked = dict.fromkeys(_looks(ground, course))
    if asked:
        for count, seat in asked:
            yield from islice(_deals(ground, course, count, seat, chance), _DEALS)
        return
    moments = chance.shuffle(range(len(course.accepted) + 1))[:_MOMENTS]
    found = (
        pair for count in moments for pair in _deals(ground, course, count, _looking(course, count, chance), chance)
    )
    yield from islice(found, _DEALS)


def _looks(ground: VariantSource, course: ScriptTrace) -> Iterator[tuple[int, int]]:
    """Yield each look at a table that the program can answer: how many acts precede it, and the seat that looks."""
    for number, step in enumerate(course.script.steps):
        seat = step.message.get(step.verb)
        if step.verb not in ("view", "legal") or not isinstance(seat, int):
            continue
        if "view" in ground.can or (step.verb == "legal" and ("offturn" in ground.can or seat == course.turn(number))):
            yield sum(one < number for one in course.accepted), seat


def _looking(course: ScriptTrace, count: int, chance: Chance) -> int:
    """Return the seat that is to play after so many acts, or any if there is none."""
    number = course.accepted[count] if count < len(course.accepted) else len(course.script.steps)
    turn = course.turn(number)
    return chance.below(course.player.game.seats) if turn is None else turn


def _deals(ground: VariantSource, whole: ScriptTrace, count: int, seat: int, chance: Chance) -> Iterator[Pair]:
    """Yield pairs of deals that a seat cannot tell apart after so many acts."""
    script = whole.script
    acts = [script.steps[number] for number in whole.accepted[:count]]
    asked = [_question(script, verb, seat, number) for number, verb in enumerate(_OF_SEATS)]
    course = ground.course(_replace_steps(script, (*acts, *asked)))
    for deck, moved in _packs(course, seat, chance):
        other = _dealt(course, deck)
        if other is None:
            continue
        pair = replace(ground.pair(Relation.HIDDEN, course.script, other), seat=seat, moved=moved)
        if holds(pair, course.player, course):
            yield pair


def smaller(ground: VariantSource, pair: Pair) -> Iterator[Pair]:
    """Yield pairs of deals of which the other has two cards only in each other's place."""
    course = ground.course(pair.base)
    seat = 0 if pair.seat is None else pair.seat
    deck, free = _pack(course), _free(course, seat)
    swaps = ((one, two) for place, one in enumerate(free) for two in free[place + 1 :])
    for swap in swaps:
        other = _dealt(course, _swap_cards(deck, *swap))
        if other is not None:
            found = replace(ground.pair(Relation.HIDDEN, pair.base, other), seat=seat, moved=len(swap))
            if holds(found, course.player, course):
                yield found


def _packs(course: ScriptTrace, seat: int, chance: Chance) -> Iterator[tuple[list[str], int]]:
    """Yield packs in which cards that a seat has not seen lie in other places, and how many."""
    deck, free = _pack(course), _free(course, seat)
    for number in range(_TRIES if len(free) > 1 else 0):
        if number < _SHUFFLES:
            cards = dict(zip(free, chance.shuffle([deck[place] for place in free]), strict=True))
            shuffled = [cards.get(place, card) for place, card in enumerate(deck)]
            yield shuffled, sum(map(ne, deck, shuffled))
        else:
            swap = chance.shuffle(free)[:2]
            yield _swap_cards(deck, *swap), len(swap)


def _swap_cards(deck: Sequence[str], one: int, two: int) -> list[str]:
    swapped = list(deck)
    swapped[one], swapped[two] = deck[two], deck[one]
    return swapped


def _order(player: Machine) -> str:
    """Return the parameter of the deal that takes the order of the pack."""
    deal = player.game.actions[player.game.start.deal]
    return next(outside(one.id) for one in deal.parameters if isinstance(one.domain.type, Orders))


def _last_deal(course: ScriptTrace) -> int | None:
    """Return the step that deals last; None if the cards lie at the beginning already."""
    deal = outside(course.player.game.start.deal)
    return max((number for number in course.accepted if deal in _act(course.script.steps[number])), default=None)


def _act(step: ScriptStep) -> Mapping[str, Any]:
    act = step.message.get("act")
    return act if isinstance(act, dict) else {}


def _pack(course: ScriptTrace) -> list[str]:
    """Return the pack of the last deal as given; nothing if nothing is dealt."""
    number, order = _last_deal(course), _order(course.player)
    if number is None:
        return list(course.script.start.get(order, []))
    given = _act(course.script.steps[number])[outside(course.player.game.start.deal)]
    return list(given[order] if isinstance(given, dict) else given)


def _free(course: ScriptTrace, seat: int) -> list[int]:
    """Return the places of the pack whose cards a seat has not seen, and no act has named."""
    number = _last_deal(course)
    begun = 0 if number is None else number + 1
    seen = [course.player.view(state, seat) for state in course.states[begun:]]
    acts = [_act(step) for step in course.script.steps[begun:]]
    # A card that any act names may decide whether that act is allowed, so it stays where it is, seen or not.
    known = set(words_in([*seen, *acts]))
    return [place for place, card in enumerate(_pack(course)) if card not in known]


def _dealt(course: ScriptTrace, deck: Sequence[str]) -> Script | None:
    """Return a script with another pack in its last deal; None if that cannot be dealt."""
    script, player = course.script, course.player
    number, order = _last_deal(course), _order(player)
    if number is not None:
        step = script.steps[number]
        name = outside(player.game.start.deal)
        given = _act(step)[name]
        changed: Json = {**given, order: list(deck)} if isinstance(given, dict) else list(deck)
        dealt = replace(step, message={**step.message, "act": {name: changed}})
        return _replace_steps(script, (*script.steps[:number], dealt, *script.steps[number + 1 :]))
    start = _start(player, script.start, deck)
    return None if start is None else replace(script, start=start)


def _start(player: Machine, start: Mapping[str, Any], deck: Sequence[str]) -> dict[str, Json] | None:
    """Return a start with another pack, hands and all; None if that cannot be dealt."""
    order = _order(player)
    given, deal = parts(player, start)
    parameters = {outside(one.id) for one in player.game.actions[player.game.start.deal].parameters}
    kept = {key: value for key, value in deal.items() if key in parameters}
    try:
        return {**given, **complete(player, player.start(given), {**kept, order: list(deck)})}
    except (Impossible, BadAct):
        return None


def _indistinct(one: ScriptTrace, two: ScriptTrace, seat: int) -> bool:
    """Say whether a seat sees the same all along in two courses, though the cards lie otherwise in the end."""
    # Without any difference left there is nothing that a program could give away.
    if one.states[-1] == two.states[-1]:
        return False
    accepted = one.accepted == two.accepted
    return accepted and all(
        one.player.view(first, seat) == two.player.view(second, seat)
        for first, second in zip(one.states, two.states, strict=True)
    )


# New names --------------------------------------------------------------------


def _vary_names(
    ground: VariantSource, course: ScriptTrace, kind: Relation, found: Sequence[Renaming]
) -> Iterator[Pair]:
    """Yield a script under the first new names that the rules do not tell from the old ones."""
    base, player = course.script, course.player
    for names in ground.chance(kind).shuffle(found)[:_MOMENTS]:
        other = _under(base, player, names)
        if other is None or (other.start, other.steps) == (base.start, base.steps):
            continue
        pair = replace(ground.pair(kind, base, other), names=names)
        if holds(pair, player, course):
            yield pair
            return


def _under(script: Script, player: Machine, names: Renaming) -> Script | None:
    """Return a script under new names; None if its deal has no counterpart."""
    steps = tuple(replace(step, message=message(step.message, player.game, names)) for step in script.steps)
    if not script.start:
        return replace(script, steps=steps)
    order = _order(player)
    start: dict[str, Json] | None = before(script.start, player.game, names)
    if order in script.start and start is not None:
        _, deal = parts(player, script.start)
        deck = [names.words.get(card, card) for card in script.start[order]]
        start = _start(player, {**start, **deal}, deck)
    return None if start is None else replace(script, start=start, steps=steps)


# Positions --------------------------------------------------------------------


def _vary_position(ground: VariantSource, course: ScriptTrace) -> Iterator[Pair]:
    """Yield a script asked once in a row and once as positions, with some more questions for legal cards."""
    if not {"position", "deal"} <= ground.can:
        return
    steps, chance = course.script.steps, ground.chance(Relation.POSITION)
    played = [number for number in course.accepted if PLAY in _act(steps[number])]
    asked = {number: course.turn(number) for number in chance.shuffle(played)[:_MOMENTS]}
    lines: list[ScriptStep] = []
    for number, step in enumerate(steps):
        if asked.get(number) is not None:
            lines.append(_question(course.script, "legal", asked[number], number))
        lines.append(step)
    base = _replace_steps(course.script, lines)
    matched = tuple((number, number) for number, step in enumerate(lines) if step.verb == "legal" or PLAY in _act(step))
    if matched:
        accepted = frozenset(ground.course(base).accepted)
        yield replace(ground.pair(Relation.POSITION, base, base), matched=matched, accepted=accepted)


def tells(pair: Pair, number: int, player: Machine) -> bool:
    """Say whether the view of the seat to play decides which cards it may play, at a step of a pair of positions.

    It does not where the hidden cards could lie otherwise and other cards were legal.
    """
    try:
        course = ScriptTrace.of(pair.base, player)
    except (Impossible, BadAct):
        return False
    state, step = course.states[number], pair.base.steps[number]
    seat = step.message.get("by", step.message.get("legal"))
    if not isinstance(seat, int):
        return True
    seen, legal = player.view(state, seat), player.legal(state, seat).get(PLAY)
    known = set(words_in(seen))
    cards = [card for card in player.game.deck.cards if card not in known]
    swaps = ({one: two, two: one} for place, one in enumerate(cards) for two in cards[place + 1 :])
    others = (State(state.phase, tuple(_exchange_cards(value, swap) for value in state.values)) for swap in swaps)
    return all(player.view(one, seat) != seen or player.legal(one, seat).get(PLAY) == legal for one in others)


def _exchange_cards(value: Value, swap: Mapping[str, str]) -> Value:
    """Return a value of a state with two cards in each other's place."""
    if isinstance(value, str):
        return swap.get(value, value)
    if isinstance(value, frozenset):
        return frozenset(swap.get(card, card) for card in value)
    if isinstance(value, tuple):
        return tuple(_exchange_cards(item, swap) for item in value)
    return value


# Refused acts -----------------------------------------------------------------


def _vary_refused(ground: VariantSource, course: ScriptTrace, base: Script) -> Iterator[Pair]:
    """Yield a script with a card that is not in hand played in between, and one with a card out of turn."""
    chance = ground.chance(Relation.REFUSED)
    for made in (_not_held, _out_of_turn):
        places = chance.shuffle(range(len(course.script.steps) + 1))[:_MOMENTS]
        found = ((place, made(course, place, chance)) for place in places)
        pairs = (_insert_act(ground, course, base, place, act) for place, act in found if act is not None)
        yield from islice((replace(pair, never=made is _not_held) for pair in pairs if pair is not None), 1)


def _not_held(course: ScriptTrace, place: int, chance: Chance) -> tuple[int, str] | None:
    """Return a seat and a card that it does not hold."""
    turn = course.turn(place)
    seat = chance.below(course.player.game.seats) if turn is None else turn
    held = _list_imaginable(course, place, seat)
    return seat, chance.pick([card for card in course.player.game.deck.cards if card not in held])


def _out_of_turn(course: ScriptTrace, place: int, chance: Chance) -> tuple[int, str] | None:
    """Return a seat out of turn and a card of its hand; nothing where it is no one's turn."""
    turn = course.turn(place)
    others = [seat for seat in range(course.player.game.seats) if turn is not None and seat != turn]
    acts = [(seat, card) for seat in others for card in _list_imaginable(course, place, seat)]
    return chance.pick(acts) if acts else None


def _list_imaginable(course: ScriptTrace, place: int, seat: int) -> list[str]:
    """Return the cards that a seat could lay down if it were allowed to."""
    acts = course.player.imaginable(course.states[place], seat)
    return [str(act[PLAY]) for act in acts if PLAY in act]


def _insert_act(
    ground: VariantSource, course: ScriptTrace, base: Script, place: int, tried: tuple[int, str]
) -> Pair | None:
    """Return a script with a card played in between, if the rules refuse it there."""
    seat, card = tried
    act: dict[str, Json] = {"by": seat, "act": {PLAY: card}}
    if "no" not in take(course.player, course.states[place], act)[0]:
        return None
    step = ScriptStep("refused", "act", act, course.script.scenario.place)
    other = _replace_steps(base, (*base.steps[:place], step, *base.steps[place:]))
    matched = tuple((number, number + (number >= place)) for number in range(len(base.steps)))
    accepted = frozenset(course.accepted)
    return replace(ground.pair(Relation.REFUSED, base, other), matched=matched, refused=(place,), accepted=accepted)
