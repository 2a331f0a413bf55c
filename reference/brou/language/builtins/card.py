"""`card(rank, suit)`: the card with a rank and a suit."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Builtin, Example, Use, World, made_up
from brou.language.making import Core, Meaning, Part
from brou.language.types import Option, Type, finite

_WITHOUT_ONE = made_up(1, [[0]], without=["OR"])
_WITHOUT_RANK = made_up(1, [[0]], without=["OM", "OR"])


class Card(Builtin):
    """The card of a rank and a suit."""

    form = "card(rank, suit)"
    says = "the card, perhaps absent (`card?`) if the pack has a `without`"
    shown = "card(jack, hearts) in table"
    examples = (
        Example(("rank", "suit"), ("W", "M"), "WM"),
        Example(("rank", "suit"), ("O", "R"), "OR", edge="the last card"),
        Example(("rank", "suit"), ("O", "R"), None, edge="a card that is left out", world=_WITHOUT_ONE),
        Example(("rank", "suit"), ("O", "M"), "OM", edge="the card before it", world=_WITHOUT_ONE),
        Example(("rank", "suit"), ("O", "M"), None, edge="a rank that is gone", world=_WITHOUT_RANK),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        if list(types) != [world.types["rank"], world.types["suit"]]:
            return None
        ranks, suits = finite(world.types["rank"]) or (), finite(world.types["suit"]) or ()
        whole = len(world.cards) == len(ranks) * len(suits)
        return world.types["card"] if whole else Option(world.types["card"])

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        known = frozenset(world.cards)

        def meaning(rank: str, suit: str) -> str | None:
            code = rank + suit
            return code if code in known else None

        return meaning

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the card from a table, by rank and suit."""
        rank, suit = parts
        suits = finite(use.world.types["suit"]) or ()
        return make.lookup(use.gives, self.name, make.add(make.multiply(rank, make.number(len(suits))), suit))


BUILTIN = Card()
