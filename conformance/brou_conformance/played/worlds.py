"""Worlds: the deals that a log leaves possible where it does not show all cards.

A world gives every card a place: known cards theirs, the others by chance. Where a player makes a card known
that lies elsewhere in a world, that card is exchanged with one of his own that nobody has seen, until the whole log
can have been played. So drawn cards come about as well, with no word on how a game draws them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

from brou import (
    HANDS,
    STOCK,
    TURNUP,
    BadAct,
    BrouError,
    Chance,
    Impossible,
    Machine,
    Refusal,
    State,
    begin,
    complete,
    hands_of,
    parts,
)
from brou.interpreter import Spread, list_hands, spread_pack
from brou_conformance.played.reading import PlayedDeal
from brou_conformance.protocol import words_in

SEED = 20260101
#: Worlds by chance alone, and how often one is mended before it is given up.
_DRAWN, _MENDED = 12, 80
#: From how many worlds others are looked for before an act counts as refused in all, and by how many exchanges.
_CLIMBED, _STEPS = 2, 4


@dataclass(frozen=True, slots=True)
class PossibleDeals:
    """The starts that fit a deal as a log has it, and what finds others; nothing does where all cards are known."""

    starts: tuple[Mapping[str, Any], ...]
    filler: _Filler | None = None
    #: Whether an act that all of them refuse is refused whatever cards were unseen: not where some were drawn unseen.
    settles: bool = True

    def reach(self, starts: Sequence[Mapping[str, Any]], number: int) -> Mapping[str, Any] | None:
        """Return a start in which the rules accept all acts up to the one of a number; None if none is found."""
        return None if self.filler is None else self.filler.reach(starts, number)


def list_worlds(machine: Machine, given: Mapping[str, Any], deal: PlayedDeal) -> PossibleDeals:
    """Return the starts that fit a deal: one where all cards are known, else some dozens.

    Among these are, for each seat with unknown cards and each choice of suits, those in which it has as few cards of
    these suits as the log allows, low ones and high ones. Raise `Impossible` for cards that cannot be dealt.
    """
    before, told = parts(machine, {**given, **deal.dealt})
    state = machine.start(before)
    if not told:
        return PossibleDeals((before,))
    order = spread_pack(machine, state, told).order
    found = spread_pack(machine, state, told)
    whole = {seat: len(hand) for seat, hand in hands_of(told).items()} == found.sizes
    if order in told or whole:
        return PossibleDeals(({**before, **complete(machine, state, told)},))
    filler = _Filler(machine, before, found, told, deal)
    starts = tuple(world for world in filler.fill() if world is not None)
    if not starts:
        filler.check()
    hidden = found.seats.count(None) - sum(1 for _ in words_in(told.get(STOCK)))
    return PossibleDeals(starts, filler, settles=hidden <= 0)


class _Filler:
    """Fills a deal with the cards that nobody saw."""

    def __init__(
        self, machine: Machine, before: Mapping[str, Any], found: Spread, told: Mapping[str, Any], deal: PlayedDeal
    ) -> None:
        self.machine, self.before, self.spread, self.told = machine, before, found, told
        self.acts = [(one.message["by"], one.message["act"]) for one in deal.steps if "ok" in one.said]
        self.chance = Chance(SEED)
        self.hands = hands_of(told)
        self.known = {card for hand in self.hands.values() for card in hand} | set(told.get(STOCK, ()))
        self.shown: dict[str, int] = {}
        for seat, act in self.acts:
            for card in words_in(next(iter(act.values()))):
                if card in machine.game.deck.faces:
                    self.shown.setdefault(card, seat)
        #: Cards that may be exchanged: nobody has seen where they lie.
        self.unseen = [card for card in found.cards if card not in self.known and card != told.get(TURNUP)]
        self.blind = [seat for seat, size in found.sizes.items() if len(self.hands.get(seat, ())) < size]

    def check(self) -> None:
        """Raise `Impossible` where the known cards cannot be dealt."""
        self._write(self._deal(self.unseen))

    def reach(self, starts: Sequence[Mapping[str, Any]], number: int) -> Mapping[str, Any] | None:
        """Return a start in which the rules accept the acts up to a number, by exchanging unseen cards one by one."""
        for start in starts[:_CLIMBED]:
            best, far = start, self._go(start)
            for _ in range(_STEPS):
                if far > number:
                    return best
                seat = self.acts[far][0]
                found = [(self._go(other), place, other) for place, other in enumerate(self._exchange(best, seat))]
                farther = max(found, key=lambda one: (one[0], -one[1]), default=None)
                if farther is None or farther[0] <= far:
                    break
                far, _, best = farther
            if far > number:
                return best
        return None

    def _exchange(self, start: Mapping[str, Any], seat: int) -> Iterator[Mapping[str, Any]]:
        """Yield a deal with an unseen card of a seat exchanged for one of another place, for each such pair."""
        hands: dict[int | None, list[str]] = {owner: cards for owner, cards in hands_of(start).items()}  # noqa: C416 - of wider keys
        hands[None] = list(words_in(start.get(STOCK)))
        # A card that somebody shows was his from the beginning: where cards are drawn unseen, nobody looks here.
        free = set(self.unseen) - self.shown.keys()
        for mine in (card for card in hands[seat] if card in free):
            for other in (card for place, cards in hands.items() if place != seat for card in cards if card in free):
                swap = {mine: other, other: mine}
                with suppress(BrouError):
                    yield self._write({place: [swap.get(one, one) for one in cards] for place, cards in hands.items()})

    def _go(self, start: Mapping[str, Any]) -> int:
        """Return how many acts of the log the rules accept, one after the other."""
        state = begin(self.machine, start)
        for number, (seat, act) in enumerate(self.acts):
            after = self.machine.act(state, seat, act)
            if isinstance(after, Refusal):
                return number
            state = after
        return len(self.acts)

    def fill(self) -> Iterator[Mapping[str, Any] | None]:
        """Yield worlds."""
        for _ in range(_DRAWN):
            yield self._mend(self._deal(self.chance.shuffle(self.unseen)))
        suits = self.machine.game.deck.suits
        for seat in self.blind:
            for few in chain.from_iterable(combinations(suits, size) for size in range(len(suits))):
                for ranks in (1, -1):
                    place = self.spread.cards.index
                    rated = sorted(self.unseen, key=lambda card: (card[-1] in few, ranks * place(card)))
                    yield self._mend(self._deal(rated, seat))

    def _deal(self, free: Sequence[str], first: int | None = None) -> dict[int | None, list[str]]:
        """Return the cards of each seat: those that it shows are dealt to it as far as it has room, one seat first."""
        left = list(free)
        turnup = self.told.get(TURNUP)
        owner = None if self.spread.turnup is None else self.spread.seats[self.spread.turnup]
        dealt: dict[int | None, list[str]] = {}
        order = sorted(self.spread.sizes, key=lambda seat: seat != first)
        for seat in order:
            hand = list(self.hands.get(seat, ()))
            if turnup is not None and owner == seat and turnup not in hand:
                hand.append(turnup)
            own = [card for card in left if self.shown.get(card) == seat]
            hand += own[: self.spread.sizes[seat] - len(hand)]
            dealt[seat] = hand
            left = [card for card in left if card not in hand]
        for seat in order:
            size = self.spread.sizes[seat] - len(dealt[seat])
            # What others show is theirs as long as there are other cards.
            best = sorted(left, key=lambda card: self.shown.get(card, seat) != seat)
            dealt[seat] += best[:size]
            left = [card for card in left if card not in dealt[seat]]
        dealt[None] = [card for card in left if card != turnup]
        return dealt

    def _mend(self, dealt: dict[int | None, list[str]]) -> Mapping[str, Any] | None:
        """Return a world once every card that is shown can have been; None if it does not become one."""
        for _ in range(_MENDED):
            try:
                start = self._write(dealt)
                exchange = self._find_exchange(begin(self.machine, start))
            except BrouError:
                return None
            if exchange is None:
                return start
            one, other = exchange
            swap = {one: other, other: one}
            dealt = {seat: [swap.get(card, card) for card in cards] for seat, cards in dealt.items()}
        return None

    def _write(self, dealt: Mapping[int | None, Sequence[str]]) -> Mapping[str, Any]:
        hands = {str(seat): list(cards) for seat, cards in dealt.items() if seat is not None}
        deal = {**self.told, HANDS: hands}
        if self.spread.turnup is not None and TURNUP not in deal:
            owner = self.spread.seats[self.spread.turnup]
            deal[TURNUP] = dealt[owner][0]
        stock = [card for card in dealt[None] if card != deal.get(TURNUP)]
        if stock and STOCK not in self.told:
            deal[STOCK] = stock
        return {**self.before, **complete(self.machine, self.machine.start(self.before), deal)}

    def _find_exchange(self, state: State) -> tuple[str, str] | None:
        """Return a card that is shown and lies elsewhere, and one of the player's own that nobody has seen."""
        free = set(self.unseen)
        for number, (seat, act) in enumerate(self.acts):
            try:
                after = self.machine.act(state, seat, act)
            except BadAct:
                return None
            if isinstance(after, Refusal):
                held = next((set(cards) for owner, cards in list_hands(self.machine, state) if owner == seat), set())
                missing = [card for card in words_in(next(iter(act.values()))) if card in free - held]
                if not missing:
                    return None
                later = {
                    card for by, one in self.acts[number:] for card in words_in(next(iter(one.values()))) if by == seat
                }
                own = sorted(held & free, key=lambda card: (card in later, card in self.shown, card))
                if not own or own[0] in later:
                    raise Impossible(f"{missing[0]} cannot have been played by {seat}")
                return missing[0], own[0]
            state = after
        return None
