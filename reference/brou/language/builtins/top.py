"""`top(pile)`: the first card of a pile."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World
from brou.language.making import Core, Meaning, Part
from brou.language.types import PILE, Option, Type


class Top(Builtin):
    """The first card of a pile."""

    form = "top(pile)"
    says = "the first card, or `None`"
    shown = "top(stock)"
    examples = (
        Example((PILE,), (("OM", "EM", "WR"),), "OM"),
        Example((PILE,), (("OR",),), "OR", edge="a single card"),
        Example((PILE,), ((),), None, edge="an empty pile"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return Option(world.types["card"]) if list(types) == [PILE] else None

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return lambda pile: pile[0] if pile else None

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the term that a call is compiled to."""
        return make.top(parts[0])


BUILTIN = Top()
