"""One act of all that are open, as the format has it: what generated code that draws takes for granted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias, assert_never

from brou.chance import Chance
from brou.compiler.compiled_sets import cards_in
from brou.compiler.compiled_values import CompiledState, Word
from brou.errors import Crash

#: An act that counts among those of a decision: how often with all its cards, how often with each, then as an offer.
Counting: TypeAlias = tuple[int, int, str, int, "tuple[Word, ...] | None", "int | None"]

#: An act: its action, who makes it, and its values as generated code keeps them.
Act: TypeAlias = tuple[str, int, tuple[Word, ...]]

#: What a value of a described act is chosen from: the cards that are ordered, those that some are taken of with how few
#: and how many, the least and the greatest number, or the values as a set of cards or one by one.
Bounds: TypeAlias = (
    tuple[Literal["orders"], int]
    | tuple[Literal["subsets"], int, int, int]
    | tuple[Literal["range"], int, int]
    | tuple[Literal["listed"], "int | Sequence[Word]"]
)

#: What the values of described acts are chosen from, by action: asked of a state and a seat.
BoundsOf: TypeAlias = Mapping[str, Callable[[CompiledState, int], tuple[Bounds, ...]]]


def choose_counted(
    chance: Chance, count: int, found: Iterable[Counting], state: CompiledState, bounds_of: BoundsOf
) -> Act | None:
    """Return one of the acts that count so often together, or None where there is none."""
    if not count:
        return None
    place = chance.below(count)
    for size, weight, name, seat, values, cards in found:
        if place >= size:
            place -= size
        elif values is None:
            return name, seat, fill_bounds(bounds_of[name](state, seat), chance)
        elif cards is None:
            return name, seat, values
        else:
            left = cards
            for _ in range(place // weight):
                left &= left - 1
            return name, seat, (*values, left & -left)
    raise Crash("the act that was drawn lies beyond all acts that were counted")


def fill_bounds(bounds: Iterable[Bounds], chance: Chance) -> tuple[Word, ...]:
    """Return values for an act that is described."""
    return tuple(_value(each, chance) for each in bounds)


def _value(bounds: Bounds, chance: Chance) -> Word:
    """Return one of the values that bounds stand for."""
    match bounds:
        case ("orders", pack):
            return tuple(chance.order(_pack(pack)))
        case ("subsets", among, low, high):
            cards = cards_in(among)
            least, most = max(low, 0), min(high, len(cards))
            size = least + chance.below(most - least + 1)
            return sum(chance.shuffle(cards)[:size])
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
