"""`cards(pile)`: the cards of a pile as a set."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World
from brou.language.making import Core, Meaning, Part
from brou.language.types import CARDS, PILE, Type


class CardsOf(Builtin):
    """The cards of a pile without their order."""

    form = "cards(pile)"
    says = "the cards of a pile as a set"
    shown = "c in cards(stock)"
    examples = (
        Example((PILE,), (("OM", "EM", "WR"),), frozenset({"EM", "OM", "WR"})),
        Example((PILE,), ((),), frozenset(), edge="an empty pile"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return CARDS if list(types) == [PILE] else None

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return frozenset

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the term that a call is compiled to."""
        return make.spread(parts[0])


BUILTIN = CardsOf()
