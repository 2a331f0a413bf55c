"""Random play, fixed by the format: the same seed gives the same match with every engine in any language.

At each decision every act that is offered is as likely as any other. They are
numbered by action in the order of the file, then by seat, then by values, the
cards of a set in the order of the pack; one is drawn. An act whose values are
described is one act, and its values are drawn in their order: of an order the
cards in the order of the pack, shuffled; of a subset first how many, then that
many from the front of the set, shuffled; of a range a number; of a list one.
Where acts have weights, an act counts so many times at its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Protocol, TypeAlias, TypeVar, assert_never

from brou.chance import Chance
from brou.compiler.compiled import Bounds, Compiled, Counting
from brou.compiler.compiled_sets import cards_in
from brou.compiler.compiled_values import CompiledState, Word
from brou.compiler.finding import Weighing
from brou.errors import Crash
from brou.language.codec import Json, outside
from brou.language.syntax import Action, Game

#: What an engine keeps as a state.
Kept_contra = TypeVar("Kept_contra", contravariant=True)
Kept = TypeVar("Kept")


class Engine(Protocol[Kept_contra]):
    """Whatever says what is open."""

    game: Game

    def legal(self, state: Kept_contra, seat: int) -> dict[str, Json]:
        """Return the acts that a seat may make."""


def drawn(engine: Engine[Kept], state: Kept, chance: Chance) -> tuple[int, dict[str, Json]] | None:
    """Return a random act and who makes it, or None where nobody may do anything."""
    legal = {seat: engine.legal(state, seat) for seat in range(engine.game.seats)}
    found: list[tuple[int, Action, Json]] = []
    for name, action in engine.game.actions.items():
        described = any(parameter.described for parameter in action.parameters)
        for seat, acts in legal.items():
            if outside(name) not in acts:
                continue
            offered = acts[outside(name)]
            if isinstance(offered, list) and not described:
                found += [(seat, action, value) for value in offered]
            else:
                found.append((seat, action, offered))
    if not found:
        return None
    seat, action, offer = chance.pick(found)
    described = any(parameter.described for parameter in action.parameters)
    return seat, {outside(action.id): filled(action, offer, chance) if described else offer}


def filled(action: Action, offer: Json, chance: Chance) -> Json:
    """Return values for an act that is described."""
    if len(action.parameters) == 1 or not isinstance(offer, dict):
        return _one(offer, chance)
    return {outside(parameter.id): _one(offer[outside(parameter.id)], chance) for parameter in action.parameters}


def _one(offer: Json, chance: Chance) -> Json:
    """Return one of the values that a description stands for."""
    match offer:
        case list():
            return chance.pick(offer)
        case {"order": list(cards)}:
            return chance.shuffled(cards)
        case {"from": list(cards), "min": int(low), "max": int(high)}:
            least, most = max(low, 0), min(high, len(cards))
            size = least + chance.below(most - least + 1)
            return chance.shuffled(cards)[:size]
        case {"min": int(low), "max": int(high)}:
            return low + chance.below(high - low + 1)
    raise Crash(f"{offer!r} describes no values")


#: How often an act counts among those of a decision, by action: asked of a state and a seat.
Weights: TypeAlias = Mapping[str, Callable[[CompiledState, int], int]]

#: An act: its action, who makes it, and its values as generated code keeps them.
Act: TypeAlias = tuple[str, int, tuple[Word, ...]]


def step(engine: Compiled, state: CompiledState, chance: Chance, weights: Weights | None = None) -> Act | None:
    """Make a random act on a state of the compiled engine, in place; return it, or None where nobody may act."""
    chosen = picked(engine, state, chance, weights)
    if chosen is not None:
        name, seat, values = chosen
        engine.play(state, seat, name, values)
    return chosen


def picked(engine: Compiled, state: CompiledState, chance: Chance, weights: Weights | None = None) -> Act | None:
    """Return a random act; each counts as often as it weighs, all alike where none has any weight."""
    count, found = _weighed(engine, state, weights) if weights else (0, [])
    if not count:
        count, found = engine.finder[state.PHASE](state)
    return counted(engine, state, chance, count, found) if count else None


class Player:
    """Makes random acts that count as often as they weigh, all alike where none has any weight.

    The weights are part of the code that finds acts, so that what weighs nothing is only asked where nothing else is
    open. They are numbers, or the names of functions that the engine was to be asked.
    """

    def __init__(self, engine: Compiled, weights: Weighing) -> None:
        self.engine = engine
        self._plain = engine.finder
        self._weighed = engine.weighing(weights) if weights else engine.finder

    def counting(self, state: CompiledState) -> tuple[int, list[Counting]]:
        """Return how often all acts that are open count together, and each that counts."""
        found = self._weighed[state.PHASE](state)
        return found if found[0] else self._plain[state.PHASE](state)

    def picked(self, state: CompiledState, chance: Chance) -> Act | None:
        """Return a random act, or None where nobody may do anything."""
        count, found = self._weighed[state.PHASE](state)
        if not count:
            count, found = self._plain[state.PHASE](state)
        return counted(self.engine, state, chance, count, found) if count else None

    def drawn(self, state: CompiledState, chance: Chance, count: int, found: Iterable[Counting]) -> Act:
        """Return one of the acts that were found to count so often together."""
        return counted(self.engine, state, chance, count, found)


def counted(engine: Compiled, state: CompiledState, chance: Chance, count: int, found: Iterable[Counting]) -> Act:
    """Return one of the acts that count so often together."""
    place = chance.below(count)
    for size, weight, name, seat, values, cards in found:
        if place >= size:
            place -= size
        elif values is None:
            return name, seat, tuple(_value(bounds, chance) for bounds in engine.bounds(state, seat, name))
        elif cards is None:
            return name, seat, values
        else:
            left = cards
            for _ in range(place // weight):
                left &= left - 1
            return name, seat, (*values, left & -left)
    raise Crash(f"fewer acts of {engine.game.id} than were counted")


def _weighed(engine: Compiled, state: CompiledState, weights: Weights) -> tuple[int, list[Counting]]:
    """Return what counts with weights that are asked of each seat."""
    total, found = 0, list[Counting]()
    for name, seat, values, cards in engine.offers(state):
        weight = weights[name](state, seat) if name in weights else 1
        if weight > 0:
            size = weight if cards is None else weight * cards.bit_count()
            total += size
            found.append((size, weight, name, seat, values, cards))
    return total, found


def _value(bounds: Bounds, chance: Chance) -> Word:
    """Return one of the values that bounds stand for."""
    match bounds:
        case ("orders", pack):
            return tuple(chance.shuffled(_pack(pack)))
        case ("subsets", among, low, high):
            cards = cards_in(among)
            least, most = max(low, 0), min(high, len(cards))
            size = least + chance.below(most - least + 1)
            return sum(chance.shuffled(cards)[:size])
        case ("range", low, high):
            return low + chance.below(high - low + 1)
        case ("listed", values):
            return chance.pick(cards_in(values) if isinstance(values, int) else values)
        case _:
            assert_never(bounds)


@lru_cache(maxsize=8)
def _pack(cards: int) -> list[int]:
    """Return the cards of a set that is shuffled again and again."""
    return cards_in(cards)
