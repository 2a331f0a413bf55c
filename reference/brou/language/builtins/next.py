"""`next(player)`: the seat on the right."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Example, Tabled, World, fitting
from brou.language.making import Meaning
from brou.language.types import Type


class Next(Tabled):
    """The seat that plays after another."""

    form = "next(player)"
    says = "the seat on the right"
    shown = "next(dealer)"
    of = "player"
    examples = (
        Example(("player",), (0,), 1),
        Example(("player",), (3,), 0, edge="the last seat"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return fitting(world, types, "player", gives="player")

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return lambda seat: (seat + 1) % world.seats


BUILTIN = Next()
