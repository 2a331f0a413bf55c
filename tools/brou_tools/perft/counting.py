"""Counting the sequences of acts that lead on from a deal: a number by which any implementation can check its offers.

A sequence counts if each of its acts is open where it is made. Acts of a described choice count one for each value,
those that would need the order of a pack not at all; of copies of a card that nobody can tell apart one counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from typing import assert_never

from brou import (
    Chance,
    Choice,
    Compiled,
    CompiledState,
    Game,
    Impossible,
    Json,
    Machine,
    TooCostly,
    begin,
    outside,
    rules,
)
from brou.compiler import Bounds, Word, cards_in, expand_offer
from brou.language import find_face
from brou.language.types import Orders, inner
from brou_tools.matches.play import LONGEST


def dealt(machine: Machine, seed: int) -> dict[str, Json]:
    """Return the start that a seed stands for: the pack shuffled by chance, dealt by the first seat that may deal.

    Where a match of these rules cannot begin before a deal it is empty, and the count begins with the match.
    """
    game = machine.game
    if not game.start.phase:
        return {}
    order = next(p.id for p in game.actions[game.start.deal].parameters if isinstance(p.domain.type, Orders))
    pack = [*map(find_face, Chance(seed).shuffle(game.deck.cards))]
    named = [name for name, variable in game.start.given.items() if _is_per_seat(game, variable)]
    for seat in range(game.seats):
        start: dict[str, Json] = {**dict.fromkeys(named, seat), outside(order): [*pack]}
        with suppress(Impossible):
            begin(machine, start)
            return start
    raise Impossible(f"{game.id}: no seat may deal at the beginning")


def _is_per_seat(game: Game, variable: str) -> bool:
    return inner(game.state[variable].type) == game.types["player"]


#: So many acts are gone through for one rule base; that takes some minutes.
MOST = 100_000_000
#: Sequences are counted up to this length.
DEEPEST = 100


class Counter:
    """Counts the sequences of acts of one rule base."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.engine = Compiled(rules(choice))
        self._left = MOST

    def position(
        self, start: dict[str, Json], seed: int = 0, after: int = 0
    ) -> tuple[CompiledState, list[dict[str, Json]]]:
        """Return the position that a start and so many random acts lead to, those of one seat first, and the acts."""
        if after > LONGEST:
            raise TooCostly(
                f"{self.choice}: {after} acts before the count; no match is followed for more than {LONGEST}"
            )
        state, chance = self.engine.encode_state(begin(self.engine.machine, start)), Chance(seed)
        made: list[dict[str, Json]] = []
        for _ in range(after):
            acts = self._in_turn(state)
            if not acts:
                break
            seat, name, values = chance.pick(acts)
            made.append({"by": seat, "act": self.engine.write_act(name, values)})
            self.engine.play(state, seat, name, values)
        return state, made

    def _in_turn(self, state: CompiledState) -> list[tuple[int, str, tuple[Word, ...]]]:
        """Return the acts that are open to one seat only, so that deals are played out; if there are none, all."""
        acts = list(self.acts(state))
        seats: dict[str, set[int]] = {}
        for seat, name, _ in acts:
            seats.setdefault(name, set()).add(seat)
        return [act for act in acts if len(seats[act[1]]) == 1] or acts

    def count(self, state: CompiledState, depth: int) -> int:
        """Return how many sequences of so many acts there are; raise `TooCostly` where there are too many to count."""
        if not depth:
            return 1
        if depth == 1:
            return sum(1 for _ in self.acts(state))
        return sum(self.count(after, depth - 1) for _, after in self.following(state))

    def divide(self, state: CompiledState, depth: int) -> Iterator[tuple[int, dict[str, Json], int]]:
        """Yield each open act, the seat that makes it, and how many sequences of so many acts begin with it."""
        for (seat, name, values), after in self.following(state):
            yield seat, self.engine.write_act(name, values), self.count(after, depth - 1)

    def following(self, state: CompiledState) -> Iterator[tuple[tuple[int, str, tuple[Word, ...]], CompiledState]]:
        """Yield each act that is open with the position after it."""
        for act in self.acts(state):
            yield act, self.engine.play(state.copy(), *act)

    def acts(self, state: CompiledState) -> Iterator[tuple[int, str, tuple[Word, ...]]]:
        """Yield every act that is open: seat, action, values; of acts that are written alike the first."""
        found = self._list_all(state)
        return found if self.engine.game.deck.copies == 1 else self._drop_alike(found)

    def _drop_alike(
        self, acts: Iterable[tuple[int, str, tuple[Word, ...]]]
    ) -> Iterator[tuple[int, str, tuple[Word, ...]]]:
        seen: set[str] = set()
        for seat, name, values in acts:
            written = json.dumps([seat, self.engine.write_act(name, values)])
            if written not in seen:
                seen.add(written)
                yield seat, name, values

    def _list_all(self, state: CompiledState) -> Iterator[tuple[int, str, tuple[Word, ...]]]:
        for name, seat, values, cards in self.engine.offers(state):
            every = (
                expand_offer(values, cards)
                if values is not None
                else _combine_values(self.engine.bounds(state, seat, name))
            )
            for each in every:
                self._left -= 1
                if self._left < 0:
                    raise TooCostly(f"{self.choice}: more than {MOST} acts to be counted; choose a lesser depth")
                yield seat, name, each


def _combine_values(bounds: Sequence[Bounds]) -> Iterator[tuple[Word, ...]]:
    """Yield the values of several parameters with each other, none of them kept."""
    if not bounds:
        yield ()
        return
    first, *others = bounds
    for value in _values(first):
        for more in _combine_values(others):
            yield value, *more


def _values(bounds: Bounds) -> Iterator[Word]:
    """Yield all values that bounds stand for; of orders none, for nobody counts them."""
    match bounds:
        case ("orders", _):
            return
        case ("subsets", among, low, high):
            cards = cards_in(among)
            for size in range(max(low, 0), min(high, len(cards)) + 1):
                yield from map(sum, combinations(cards, size))
        case ("range", low, high):
            yield from range(low, high + 1)
        case ("listed", values):
            yield from cards_in(values) if isinstance(values, int) else values
        case _:
            assert_never(bounds)
