"""`seats(player)`: all seats in order of play, from this one on."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Example, Tabled, World
from brou.language.making import Meaning
from brou.language.types import Domain, Type


class Seats(Tabled):
    """The seats in order of play."""

    form = "seats(player)"
    says = "all seats in order of play, from this one on"
    shown = "seats(next(dealer))"
    of = "player"
    examples = (
        Example(("player",), (1,), (1, 2, 3, 0)),
        Example(("player",), (0,), (0, 1, 2, 3), edge="the first seat"),
        Example(("player",), (3,), (3, 0, 1, 2), edge="the last seat"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return Domain(world.types["player"], world.seats) if list(types) == [world.types["player"]] else None

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        count = world.seats
        return lambda seat: tuple((seat + step) % count for step in range(count))


BUILTIN = Seats()
