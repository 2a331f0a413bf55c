"""`members(team)`: the seats of a team."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.builtin import Example, Tabled, World, made_up
from brou.language.making import Meaning
from brou.language.types import Domain, Type


class Members(Tabled):
    """The seats of a team."""

    form = "members(team)"
    says = "the seats of a team"
    shown = "members(team(me))"
    of = "team"
    examples = (
        Example(("team",), (0,), (0, 2)),
        Example(("team",), (1,), (1, 3), edge="the last team"),
        Example(
            ("team",), (0,), (0,), edge="teams that are not alike, the smaller one", world=made_up(3, [[0], [1, 2]])
        ),
        Example(
            ("team",), (1,), (1, 2), edge="teams that are not alike, the greater one", world=made_up(3, [[0], [1, 2]])
        ),
    )

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""
        size = max(map(len, world.teams))
        return Domain(world.types["player"], size) if list(types) == [world.types["team"]] else None

    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""
        return world.teams.__getitem__


BUILTIN = Members()
