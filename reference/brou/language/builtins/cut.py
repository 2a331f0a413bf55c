"""`cut(pile, count)`: a pile that was cut."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World
from brou.language.making import Core, Meaning, Part
from brou.language.types import PILE, Int, Type


class Cut(Builtin):
    """A pile that was cut."""

    form = "cut(pile, count)"
    says = "the pile with its top `count` cards moved below the rest"
    shown = "cut(stock, 3)"
    examples = (
        Example((PILE, Int(-9, 9)), (("EM", "WM", "OM"), 1), ("WM", "OM", "EM")),
        Example((PILE, Int(-9, 9)), (("EM", "WM", "OM"), 2), ("OM", "EM", "WM")),
        Example((PILE, Int(-9, 9)), (("EM", "WM", "OM"), 0), ("EM", "WM", "OM"), edge="no card"),
        Example((PILE, Int(-9, 9)), (("EM", "WM", "OM"), 3), ("EM", "WM", "OM"), edge="the whole pile"),
        Example((PILE, Int(-9, 9)), (("EM", "WM", "OM"), 7), ("EM", "WM", "OM"), edge="more than the pile has"),
        Example((PILE, Int(-9, 9)), (("EM", "WM"), -1), ("EM", "WM"), edge="less than no card"),
        Example((PILE, Int(-9, 9)), ((), 2), (), edge="an empty pile"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return PILE if len(types) == 2 and types[0] == PILE and isinstance(types[1], Int) else None

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return lambda pile, count: pile[count:] + pile[:count] if 0 < count < len(pile) else pile

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the term that a call is compiled to."""
        return make.cut(*parts)


BUILTIN = Cut()
