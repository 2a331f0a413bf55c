"""`other(team)`: the other team; of more than two, the next one."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Example, Tabled, World, fitting, made_up
from brou.language.making import Meaning
from brou.language.types import Type


class OtherTeam(Tabled):
    """The team against another."""

    form = "other(team)"
    says = "the other team; of more than two, the next one"
    shown = "other(team(me))"
    of = "team"
    examples = (
        Example(("team",), (0,), 1),
        Example(("team",), (1,), 0, edge="the last team"),
        Example(("team",), (1,), 2, edge="more than two teams", world=made_up(3, [[0], [1], [2]])),
        Example(("team",), (2,), 0, edge="the last of more than two teams", world=made_up(3, [[0], [1], [2]])),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        return fitting(world, types, "team", gives="team")

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return lambda team: (team + 1) % len(world.teams)


BUILTIN = OtherTeam()
