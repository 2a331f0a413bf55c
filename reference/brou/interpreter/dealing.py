"""Computes the pack that deals wanted hands, for any game, by carrying out the deal of its rules.

The deal of the rules file runs once with the pack in canonical order. The place where a card then lies shows where its
place of the pack is dealt; these places are filled with the hands, and the rest with the stock, or as far as that is
not given with the remaining cards in canonical order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext

from brou.dataclass import dataclass
from brou.errors import Impossible
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.codec import Json, outside
from brou.language.copies import find_face
from brou.language.types import Array, Orders, as_row, cards_of

#: What a deal may be given by, beside the parameters of the game's own act.
HANDS, TURNUP, STOCK = "hands", "turnup", "stock"


@dataclass(frozen=True, slots=True)
class Spread:
    """Where a deal puts the pack: who deals, how, and what becomes of each place, the first card dealt first."""

    seat: int
    parameters: Mapping[str, Json]
    #: The parameter that takes the order of the pack.
    order: str
    #: The canonical order of the pack; copies of a card are written alike.
    cards: tuple[str, ...]
    #: For each place the seat whose hand it goes to, or None.
    seats: tuple[int | None, ...]
    #: The place of the card that is turned up, or None.
    turnup: int | None

    def deck(
        self, hands: Mapping[int, Sequence[str]], turnup: str | None, stock: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Return the pack that deals these hands; raise `Impossible` with the reason if there is none."""
        self._check(hands, turnup)
        waiting: dict[int | None, list[str]] = {seat: [*hand] for seat, hand in hands.items()}
        left = Counter(self.cards)
        for card in (card for hand in hands.values() for card in hand):
            left[card] -= 1
        if turnup is not None:
            owner = None if self.turnup is None else self.seats[self.turnup]
            if owner is None:
                left[turnup] -= 1
            else:
                waiting[owner].remove(turnup)
        if Counter(stock) - left:
            raise Impossible(f"the {STOCK}: each of its cards lies there once, and in no hand")
        rest = left - Counter(stock)
        waiting[None] = [*stock, *(card for card in dict.fromkeys(self.cards) for _ in range(rest[card]))]
        return tuple(
            turnup if place == self.turnup and turnup is not None else waiting[seat].pop(0)
            for place, seat in enumerate(self.seats)
        )

    def hands(self, deck: Sequence[str]) -> dict[int, list[str]]:
        """Return what a pack deals to each seat, in canonical order."""
        rank = {card: number for number, card in enumerate(self.cards)}
        dealt = {seat: [c for c, s in zip(deck, self.seats, strict=True) if s == seat] for seat in self.sizes}
        return {seat: sorted(cards, key=rank.__getitem__) for seat, cards in dealt.items()}

    def stock(self, deck: Sequence[str]) -> list[str]:
        """Return what a pack deals to nobody, in its order, the turn-up left out."""
        return [card for place, card in enumerate(deck) if self.seats[place] is None and place != self.turnup]

    @property
    def sizes(self) -> dict[int, int]:
        """Return how many cards each seat is dealt."""
        seats = sorted({seat for seat in self.seats if seat is not None})
        return {seat: self.seats.count(seat) for seat in seats}

    def _check(self, hands: Mapping[int, Sequence[str]], turnup: str | None) -> None:
        held = [card for hand in hands.values() for card in hand]
        for card in [*held, *([turnup] if turnup else [])]:
            if card not in self.cards:
                raise Impossible(f"the hands: there is no card {card!r} in this pack; {_describe_pack(self.cards)}")
        for card in held:
            if held.count(card) > (most := self.cards.count(card)):
                raise Impossible(f"the hands: {card} is dealt {'twice' if most == 1 else f'more than {most} times'}")
        for seat, size in self.sizes.items():
            if len(hands.get(seat, ())) != size:
                raise Impossible(f"the hands: seat {seat} has {len(hands.get(seat, ()))} cards; {size} are dealt to it")
        for seat in sorted(set(hands) - set(self.sizes)):
            raise Impossible(f"the hands: nothing is dealt to seat {seat}; there are {', '.join(map(str, self.sizes))}")
        self._check_turnup(hands, turnup)

    def _check_turnup(self, hands: Mapping[int, Sequence[str]], turnup: str | None) -> None:
        if self.turnup is None:
            if turnup is not None:
                raise Impossible(f"the turn-up {turnup}: this deal turns no card up")
            return
        if turnup is None:
            raise Impossible("the turn-up is missing: this deal turns a card up, so name it")
        owner = self.seats[self.turnup]
        held = [card for hand in hands.values() for card in hand]
        there = held.count(turnup) < self.cards.count(turnup) if owner is None else turnup in hands.get(owner, ())
        if not there:
            place = "nobody" if owner is None else f"seat {owner}"
            raise Impossible(f"the turn-up {turnup} is not where this deal turns it up: it goes to {place}")


def _describe_pack(cards: Sequence[str]) -> str:
    """Return the letters of a pack, as messages list them."""
    ranks, suits = dict.fromkeys(card[0] for card in cards), dict.fromkeys(card[1] for card in cards)
    return f"ranks are {' '.join(ranks)}, suits {' '.join(suits)}"


def spread_pack(machine: Machine, state: State, parameters: Mapping[str, Json] | None = None) -> Spread:
    """Return where the deal open in a state puts the cards; parameters not given are the first that are offered."""
    given = parameters or {}
    action = machine.game.actions[machine.game.start.deal]
    name = outside(action.id)
    order = next((p.id for p in action.parameters if isinstance(p.domain.type, Orders)), None)
    dealing = range(machine.game.seats) if action.id in machine.game.phases[state.phase].actions else ()
    offers = ((seat, machine.offer(state, seat, action.id)) for seat in dealing)
    seat, offered = next(((seat, offer) for seat, offer in offers if offer is not None), (0, None))
    if offered is None or order is None:
        raise Impossible(f"nobody may deal in the phase {outside(state.phase)}: name the dealer")
    others = offered if isinstance(offered, dict) and len(action.parameters) > 1 else {}
    chosen = {key: _first(values) for key, values in others.items() if key != order}
    chosen.update({key: value for key, value in given.items() if key in chosen})
    deck = machine.game.deck
    faces = tuple(map(find_face, deck.cards))
    watch = machine.evaluator.watch
    with nullcontext() if watch is None else watch.try_out():
        after = _act_or_fail(machine, state, seat, _act(name, order, faces, chosen))
        turned = _find_places(faces, _find_turnup(machine, after, seat))
        if len(turned) > 1:
            # No two places have had the same face both times.
            pack = deck.faces * deck.copies
            again = _act_or_fail(machine, state, seat, _act(name, order, pack, chosen))
            turned &= _find_places(pack, _find_turnup(machine, again, seat))
    owner = {c: s for s, held in list_hands(machine, after) for c in held}
    return Spread(seat, chosen, order, faces, tuple(owner.get(c) for c in deck.cards), next(iter(turned), None))


def _find_turnup(machine: Machine, state: State, seat: int) -> Json:
    """Return the card that is turned up, None if there is none."""
    shown = machine.view(state, seat, (TURNUP,)).get(TURNUP)
    return shown.get("card") if isinstance(shown, dict) else shown


def _find_places(pack: Sequence[str], card: Json) -> set[int]:
    return {place for place, face in enumerate(pack) if face == card}


def parts(machine: Machine, start: Mapping[str, Json]) -> tuple[dict[str, Json], dict[str, Json]]:
    """Split a start into the values set before the deal and the deal itself."""
    action = machine.game.actions[machine.game.start.deal]
    own = {HANDS, TURNUP, STOCK, *(outside(parameter.id) for parameter in action.parameters)}
    return {k: v for k, v in start.items() if k not in own}, {k: v for k, v in start.items() if k in own}


def hands_of(start: Mapping[str, Json]) -> dict[int, list[str]]:
    """Return the hands in a start, or none if it begins before the deal."""
    return _parse_hands(start[HANDS]) if HANDS in start else {}


def drop_unknown(machine: Machine, start: Mapping[str, Json]) -> dict[str, Json]:
    """Return what of a start these rules know, the rest left out: a start may be written by somebody who knows more."""
    given, deal = parts(machine, start)
    return {**{key: value for key, value in given.items() if key in machine.game.start.given}, **deal}


def complete(machine: Machine, state: State, deal: Mapping[str, Json]) -> dict[str, Json]:
    """Return a deal given by hands or by its act with everything that follows: hands, turn-up, pack and parameters."""
    return _complete(spread_pack(machine, state, deal), deal)


def _complete(found: Spread, deal: Mapping[str, Json]) -> dict[str, Json]:
    wanted = deal.get(HANDS)
    written = deal.get(found.order)
    if wanted is None and not isinstance(written, list):
        raise Impossible(f"a deal is given by its {HANDS} or by its {found.order}")
    if isinstance(written, list):
        deck = tuple(map(str, written))
    else:
        deck = found.deck(_parse_hands(wanted), _card(deal.get(TURNUP)), _parse_cards(deal.get(STOCK, [])))
    if sorted(deck) != sorted(found.cards):
        raise Impossible(
            f"the {found.order} is no order of the pack: it has {len(set(deck) & set(found.cards))} of its cards"
        )
    hands = found.hands(deck)
    if wanted is not None and {s: sorted(h) for s, h in _parse_hands(wanted).items()} != {
        s: sorted(h) for s, h in hands.items()
    }:
        raise Impossible(f"the {HANDS} and the {found.order} are two different deals")
    whole: dict[str, Json] = {HANDS: {str(seat): list(hand) for seat, hand in hands.items()}}
    if found.turnup is not None:
        whole[TURNUP] = deck[found.turnup]
    if stock := found.stock(deck):
        whole[STOCK] = [*stock]
    return {**whole, found.order: list(deck), **found.parameters}


def dealt(machine: Machine, state: State, deal: Mapping[str, Json]) -> State:
    """Return the state after a deal given by hands or by its act, or raise `Impossible`."""
    found = spread_pack(machine, state, deal)
    whole = _complete(found, deal)
    name = outside(machine.game.start.deal)
    deck = _parse_cards(whole[found.order])
    after = _act_or_fail(machine, state, found.seat, _act(name, found.order, deck, found.parameters))
    hands = {str(seat): sorted(map(find_face, held)) for seat, held in list_hands(machine, after)}
    wanted = whole[HANDS]
    if isinstance(wanted, dict) and any(hands[seat] != sorted(_parse_cards(hand)) for seat, hand in wanted.items()):
        raise Impossible("these hands cannot be dealt: in this game the cards decide how they are dealt")
    return after


def begin(machine: Machine, start: Mapping[str, Json]) -> State:
    """Return the state of a start: the beginning of a match, the moment before a deal, or the one after it."""
    if not start:
        return machine.begin()
    given, deal = parts(machine, start)
    state = machine.start(given)
    return dealt(machine, state, deal) if deal else state


def _act(name: str, order: str, deck: Sequence[str], parameters: Mapping[str, Json]) -> dict[str, Json]:
    value: Json = {order: list(deck), **parameters} if parameters else list(deck)
    return {name: value}


def _act_or_fail(machine: Machine, state: State, seat: int, act: Mapping[str, Json]) -> State:
    after = machine.act(state, seat, act)
    if isinstance(after, Refusal):
        raise Impossible(f"the deal is refused: {after.code} ({after.clause})")
    return after


def list_hands(machine: Machine, state: State) -> Iterator[tuple[int, list[str]]]:
    """Yield each seat with the cards that lie in zones of its own."""
    player = machine.game.types["player"]
    zones = [
        machine.get(state, name)
        for name, variable in machine.game.state.items()
        if variable.zone and isinstance(variable.type, Array) and variable.type.index == player
    ]
    for seat in range(machine.game.seats):
        yield seat, [card for zone in zones for card in cards_of(as_row(zone)[seat])]


def _first(values: Json) -> Json:
    if not isinstance(values, list) or not values:
        raise Impossible("the deal has a parameter that cannot be chosen for it: give it")
    return values[0]


def _parse_hands(hands: Json) -> dict[int, list[str]]:
    if not isinstance(hands, dict) or any(not seat.isdigit() for seat in hands):
        raise Impossible("the hands are written as {seat: [cards]}")
    return {int(seat): _parse_cards(cards) for seat, cards in hands.items()}


def _parse_cards(value: Json) -> list[str]:
    if not isinstance(value, list):
        raise Impossible("the cards of a hand and of the stock are written as a list")
    return [str(card) for card in value]


def _card(value: Json) -> str | None:
    return None if value is None else str(value)
