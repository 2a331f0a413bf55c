"""`len(cards, pile or values)`: how many there are."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World, size_of
from brou.language.making import Core, Meaning, Part
from brou.language.types import CARDS, NUMBERS, PILE, Cards, Domain, Int, Type


class Len(Builtin):
    """How many there are."""

    form = "len(cards, pile or values)"
    says = "how many cards or values"
    shown = "len(stock)"
    examples = (
        Example((CARDS,), (frozenset({"EM", "OR"}),), 2),
        Example((PILE,), (("OM", "EM", "WR"),), 3),
        Example((Domain(Int(1, 3), 3),), ((1, 2, 3),), 3),
        Example((NUMBERS,), ((1, 2, 2),), 3),
        Example((CARDS,), (frozenset(),), 0, edge="no cards"),
        Example((PILE,), ((),), 0, edge="an empty pile"),
        Example((Domain(Int(1, 3), 3),), ((),), 0, edge="no values"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        size = size_of(world, types)
        return None if size is None else Int(0, size)

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return len

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return how many bits a set has, or how long anything else is."""
        return make.size(parts[0]) if isinstance(use.takes[0], Cards) else make.length(parts[0])


BUILTIN = Len()
