"""`orders(cards)`: every order of some cards."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Described, Example, World
from brou.language.making import Meaning
from brou.language.types import CARDS, Orders, Type


class OrdersOf(Described):
    """The ways to lay cards one upon another."""

    form = "orders(cards)"
    says = "every order of the cards; for parameters only"
    shown = "orders(pack)"
    examples = (
        Example((CARDS,), (frozenset({"EM", "WM", "OM"}),), frozenset({"EM", "WM", "OM"})),
        Example((CARDS,), (frozenset(),), frozenset(), edge="no cards"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return Orders() if list(types) == [CARDS] else None

    def meaning(self, world: World) -> Meaning:
        """Return the cards, which describe their orders."""
        return lambda cards: cards


BUILTIN = OrdersOf()
