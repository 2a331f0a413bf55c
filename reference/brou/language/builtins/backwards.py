"""`backwards(player)`: all seats against the order of play, this one last."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Example, Tabled, World
from brou.language.making import Meaning
from brou.language.types import Domain, Type


class Backwards(Tabled):
    """The seats in order of play, turned round."""

    form = "backwards(player)"
    says = "all seats against the order of play, this one last"
    shown = "backwards(dealer)"
    of = "player"
    examples = (
        Example(("player",), (1,), (0, 3, 2, 1)),
        Example(("player",), (0,), (3, 2, 1, 0), edge="the first seat"),
        Example(("player",), (3,), (2, 1, 0, 3), edge="the last seat"),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return Domain(world.types["player"], world.seats) if list(types) == [world.types["player"]] else None

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        count = world.seats
        return lambda seat: tuple((seat - step) % count for step in range(1, count + 1))


BUILTIN = Backwards()
