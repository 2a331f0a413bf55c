"""`abs(a)`: the absolute value of a number."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World
from brou.language.making import Core, Meaning, Part
from brou.language.types import Int, Type


class Abs(Builtin):
    """How far a number is from nought."""

    form = "abs(a)"
    says = "the absolute value of a number"
    shown = "abs(tricks[me] - tricks[next(me)])"
    examples = (
        Example((Int(-9, 9),), (-7,), 7),
        Example((Int(-9, 9),), (7,), 7),
        Example((Int(-9, 9),), (0,), 0, edge="nought"),
        Example((Int(-9, -1),), (-1,), 1, edge="numbers below nought alone"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        match types:
            case [Int(low=low, high=high)]:
                return Int(0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))
        return None

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return abs

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the term that a call is compiled to."""
        return make.magnitude(parts[0])


BUILTIN = Abs()
