"""`range(low, high)`: the numbers from one to another."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World
from brou.language.making import Core, Meaning, Part
from brou.language.types import UNBOUNDED, Domain, Int, Type

#: How many numbers a range may run over.
MOST_VALUES = 10_000


class Range(Builtin):
    """The numbers between two others."""

    form = "range(low, high)"
    says = "the numbers from low to high, both included"
    shown = "range(1, hand_size)"
    examples = (
        Example((Int(-9, 9), Int(-9, 9)), (2, 5), (2, 3, 4, 5)),
        Example((Int(-9, 9), Int(-9, 9)), (-1, 1), (-1, 0, 1)),
        Example((Int(-9, 9), Int(-9, 9)), (3, 3), (3,), edge="a single number"),
        Example((Int(-9, 9), Int(-9, 9)), (4, 2), (), edge="no number"),
        Example((Int(-9, 9), Int(-9, 9)), (-9, 9), tuple(range(-9, 10)), edge="all numbers that there can be"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        match types:
            case [Int() as low, Int() as high] if low.low > -UNBOUNDED and high.high < UNBOUNDED:
                size = max(0, high.high - low.low + 1)
                return Domain(Int(low.low, max(low.low, high.high)), size) if size <= MOST_VALUES else None
        return None

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return lambda low, high: tuple(range(low, high + 1))

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the term that a call is compiled to."""
        return make.span(use.gives, *parts)


BUILTIN = Range()
