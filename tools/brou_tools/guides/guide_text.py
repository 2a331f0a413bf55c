"""The guide of a game as plain text, for a terminal or a file."""

from __future__ import annotations

from collections.abc import Sequence

from brou import Choice, Project
from brou_tools.guides.guide import Guide
from brou_tools.guides.guide_page import page
from brou_tools.terminal.doctree import lines

#: A bundle has guides too, and is the same whatever the terminal.
_WIDTH = 110


def write_guide(game: str, project: Project, chosen: Sequence[Choice]) -> str:
    """Return the guide of a game for some of its rule bases as lines of text."""
    guide = Guide(game, project, chosen)
    return "\n".join([guide.title, "", *(line for part in page(guide) for line in lines(part, width=_WIDTH))])
