"""`otherwise(value or None, value)`: a value in place of None."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import MADE_UP, Builtin, Example, Use, World
from brou.language.making import Core, Meaning, Part
from brou.language.types import NOTHING, Int, Option, Orders, Subsets, Type, inner, join

_CARD = Option(MADE_UP.types["card"])


class Otherwise(Builtin):
    """A value in place of None."""

    form = "otherwise(value or None, value)"
    says = "the first unless it is `None`, else the second"
    shown = "otherwise(leader, dealer)"
    examples = (
        Example((_CARD, "card"), ("EM", "OR"), "EM"),
        Example((_CARD, "card"), (None, "OR"), "OR", edge="None"),
        Example((Option(MADE_UP.types["player"]), "player"), (0, 3), 0, edge="the first seat, which is no None"),
        Example((Option(MADE_UP.types["player"]), "player"), (None, 0), 0, edge="None for a seat"),
        Example((Option(Int(-9, 9)), Int(-9, 9)), (0, 7), 0, edge="nought, which is no None"),
        Example((Int(-9, 9), Int(-9, 9)), (3, 7), 3, edge="what cannot be None"),
        Example((NOTHING, "suit"), (None, "R"), "R", edge="what is nothing but None"),
        Example(("card", "card"), ("EM", "OR"), "EM", edge="a card that cannot be None"),
        Example((_CARD, _CARD), (None, "OR"), "OR", edge="what may be None in place of None"),
        Example((_CARD, _CARD), (None, None), None, edge="None in place of None"),
        Example((_CARD, NOTHING), ("EM", None), "EM", edge="nothing but None in place of None"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        if len(types) != 2:
            return None
        both = join(inner(types[0]), types[1])
        return None if isinstance(both, (Orders, Subsets)) else both

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return lambda one, two: two if one is None else one

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return one of the two; the second is evaluated even where it is not taken."""
        one, two = parts
        if make.is_none(one):
            return two
        whole = make.is_total(two)
        if whole and not make.is_optional(one):
            return one
        if whole and make.is_simple(one):
            return self._choose(make, one, two)
        if whole:
            return make.let(one, lambda first: self._choose(make, first, two))
        return make.let(one, lambda first: make.let(two, lambda second: self._choose(make, first, second)))

    def _choose(self, make: Core[Part], one: Part, two: Part) -> Part:
        """Return one of two values, both of which may stand twice."""
        return make.choose(make.absent(one), two, make.present(one))


BUILTIN = Otherwise()
