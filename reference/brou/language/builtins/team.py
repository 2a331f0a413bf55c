"""`team(player)`: the team of a seat."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Example, Tabled, World, fitting, made_up
from brou.language.making import Meaning
from brou.language.types import Type


class Team(Tabled):
    """The team of a seat."""

    form = "team(player)"
    says = "the team of a seat"
    shown = "team(me) == team(dealer)"
    of = "player"
    examples = (
        Example(("player",), (0,), 0),
        Example(("player",), (1,), 1),
        Example(("player",), (3,), 1, edge="the last seat"),
        Example(("player",), (2,), 2, edge="every seat for itself", world=made_up(3, [[0], [1], [2]])),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return fitting(world, types, "player", gives="team")

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return world.team_of


BUILTIN = Team()
