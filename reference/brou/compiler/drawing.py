"""One act of all that are open, as the format has it: what generated code that draws takes for granted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from brou.chance import Chance
from brou.compiler.compiled_sets import cards_in
from brou.errors import Crash

#: An act that counts among those of a decision: how often with all its cards, how often with each, then as an offer.
Counting: TypeAlias = tuple[int, int, str, int, "tuple[Any, ...] | None", "int | None"]

#: An act: its action, who makes it, and its values as generated code keeps them.
Act: TypeAlias = tuple[str, int, tuple[Any, ...]]

#: What each value of a described act is chosen from, by action: asked of a state and a seat.
Bounds: TypeAlias = "Mapping[str, Callable[[Any, int], tuple[tuple[Any, ...], ...]]]"


def chosen(chance: Chance, count: int, found: Iterable[Counting], state: Any, bounds: Bounds) -> Act | None:
    """Return one of the acts that count so often together, or None where there is none."""
    if not count:
        return None
    place = chance.below(count)
    for size, weight, name, seat, values, cards in found:
        if place >= size:
            place -= size
        elif values is None:
            return name, seat, filled(bounds[name](state, seat), chance)
        elif cards is None:
            return name, seat, values
        else:
            left = cards
            for _ in range(place // weight):
                left &= left - 1
            return name, seat, (*values, left & -left)
    raise Crash("fewer acts than were counted")


def filled(bounds: Iterable[tuple[Any, ...]], chance: Chance) -> tuple[Any, ...]:
    """Return values for an act that is described."""
    return tuple(_value(form, rest, chance) for form, *rest in bounds)


def _value(form: str, rest: list[Any], chance: Chance) -> Any:
    """Return one of the values that bounds stand for."""
    if form == "orders":
        return tuple(chance.shuffled(_pack(rest[0])))
    if form == "subsets":
        cards = cards_in(rest[0])
        low, high = max(rest[1], 0), min(rest[2], len(cards))
        size = low + chance.below(high - low + 1)
        return sum(chance.shuffled(cards)[:size])
    if form == "range":
        return rest[0] + chance.below(rest[1] - rest[0] + 1)
    return chance.pick(cards_in(rest[0]) if isinstance(rest[0], int) else rest[0])


@lru_cache(maxsize=8)
def _pack(cards: int) -> list[int]:
    """Return the cards of a set that is shuffled again and again."""
    return cards_in(cards)
