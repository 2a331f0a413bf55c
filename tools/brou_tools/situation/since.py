"""The changes since an older game in brief, the greatest first, as the data of a book list them."""

from __future__ import annotations

from typing import NamedTuple

from brou import Node, choose
from brou_tools.situation.edition import Matter


class BriefChange(NamedTuple):
    """A point that two games settle otherwise: the point, and how the older and the newer game have it."""

    what: str
    there: str
    here: str


class ChangesSince(NamedTuple):
    """The older game, and the points on which the newer one differs from it."""

    other: Matter
    points: tuple[BriefChange, ...]


def list_changes(matter: Matter) -> ChangesSince | None:
    """Return the changes since the game that a book names; None where it names none."""
    since = matter.layout.get("since")
    if since is None:
        return None
    other = Matter(choose(since.string("game"), matter.choice.project), matter.lang)
    points = (
        BriefChange(
            matter.fill_text(item.fields["what"]),
            _fill(other, item.fields["there"]),
            _fill(matter, item.fields["here"]),
        )
        for item in since.fields["rows"].items
    )
    return ChangesSince(other, tuple(one for one in points if one.there != one.here))


def _fill(matter: Matter, said: Node) -> str:
    """Return what a game has on a point: numbers of its rules alone, or words in every language."""
    return matter.fill_text(said) if isinstance(said.value, dict) else matter.fill_template(said.text)
