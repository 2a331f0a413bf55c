"""`most(a, b)`: the greater number."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World
from brou.language.making import Core, Meaning, Part
from brou.language.types import Int, Type


class Most(Builtin):
    """The greater of two numbers."""

    form = "most(a, b)"
    says = "the greater number"
    shown = "most(0, tricks[me] - 1)"
    examples = (
        Example((Int(-9, 9), Int(-9, 9)), (2, 3), 3),
        Example((Int(-9, 9), Int(-9, 9)), (3, -2), 3),
        Example((Int(-9, 9), Int(-9, 9)), (-2, -3), -2, edge="below nought"),
        Example((Int(-9, 9), Int(-9, 9)), (4, 4), 4, edge="the same number"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        match types:
            case [Int() as one, Int() as two]:
                return Int(max(one.low, two.low), max(one.high, two.high))
        return None

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return max

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the term that a call is compiled to."""
        return make.most(*parts)


BUILTIN = Most()
