"""`empty(cards, pile or values)`: whether there are none."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World, size_of
from brou.language.making import Core, Meaning, Part
from brou.language.types import BOOL, CARDS, NUMBERS, PILE, Cards, Domain, Int, Type


class Empty(Builtin):
    """Whether there are none."""

    form = "empty(cards, pile or values)"
    says = "whether there are none"
    shown = "empty(hand[me])"
    examples = (
        Example((CARDS,), (frozenset({"EM"}),), gives=False),
        Example((PILE,), (("OM", "EM"),), gives=False),
        Example((Domain(Int(1, 3), 3),), ((2,),), gives=False),
        Example((NUMBERS,), ((0,),), gives=False),
        Example((CARDS,), (frozenset(),), gives=True, edge="no cards"),
        Example((PILE,), ((),), gives=True, edge="an empty pile"),
        Example((Domain(Int(1, 3), 3),), ((),), gives=True, edge="no values"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return None if size_of(world, types) is None else BOOL

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return lambda held: not held

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return that a set has no bit, or that anything else is of no length."""
        if isinstance(use.takes[0], Cards):
            return make.no(make.some(parts[0]))
        return make.compare("==", make.length(parts[0]), make.number(0))


BUILTIN = Empty()
