"""`subsets(cards, low, high)`: every subset of so many cards."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Described, Example, World
from brou.language.making import Meaning
from brou.language.types import CARDS, Int, Subsets, Type


class SubsetsOf(Described):
    """The ways to take some of the cards."""

    form = "subsets(cards, low, high)"
    says = "every subset of `low` to `high` cards; for parameters only"
    shown = "subsets(hand[me], 0, len(stock))"
    examples = (
        Example(
            (CARDS, Int(0, 6), Int(0, 6)), (frozenset({"EM", "WM", "OM"}), 1, 2), (frozenset({"EM", "WM", "OM"}), 1, 2)
        ),
        Example((CARDS, Int(0, 6), Int(0, 6)), (frozenset(), 0, 0), (frozenset(), 0, 0), edge="no cards"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        match types:
            case [one, Int(), Int()] if one == CARDS:
                return Subsets()
        return None

    def meaning(self, world: World) -> Meaning:
        """Return the cards and the bounds, which describe their subsets."""
        return lambda cards, low, high: (cards, low, high)


BUILTIN = SubsetsOf()
