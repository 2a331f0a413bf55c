"""`previous(player)`: the seat on the left."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Example, Tabled, World, fitting
from brou.language.making import Meaning
from brou.language.types import Type


class Previous(Tabled):
    """The seat that plays before another."""

    form = "previous(player)"
    says = "the seat on the left"
    shown = "previous(me)"
    of = "player"
    examples = (
        Example(("player",), (3,), 2),
        Example(("player",), (0,), 3, edge="the first seat"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return fitting(world, types, "player", gives="player")

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return lambda seat: (seat - 1) % world.seats


BUILTIN = Previous()
