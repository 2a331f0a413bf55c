"""`suit(card)`: the suit printed on a card."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World, fitting
from brou.language.making import Core, Meaning, Part
from brou.language.types import Type


class Suit(Builtin):
    """The suit printed on a card."""

    form = "suit(card)"
    says = "the suit printed on a card"
    shown = "suit(c) == trump"
    examples = (
        Example(("card",), ("EM",), "M"),
        Example(("card",), ("OR",), "R", edge="the last card"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return fitting(world, types, "card", gives="suit")

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return lambda card: card[1]

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the printed suit of the card."""
        return make.trait(use.gives, self.name, parts[0])


BUILTIN = Suit()
