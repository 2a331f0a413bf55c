"""The files of a new project: those below `template/`, with the name of the game put in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from brou import Impossible
from brou.atomic import read_named

#: What a game may be called; its name is that of a folder, and begins the ids of its clauses.
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
#: No name is longer, in letters.
_LONGEST = 40
_TEMPLATE = Path(__file__).with_name("template")
#: Files of Python end with it, so that no tool takes them for modules of ours.
_PLAIN = ".txt"
#: Folders that begin with a dot, and what they are called there.
_HIDDEN = {"github": ".github"}


def list_skeleton_files(game: str) -> Mapping[str, str]:
    """Return the files of a new project of a game by path; raise `Impossible` for a name that no game may have."""
    if not _NAME.fullmatch(game) or len(game) > _LONGEST:
        raise Impossible(f"a game cannot be called {game[:_LONGEST]!r}; {_propose(game)}")
    found = sorted(path for path in _TEMPLATE.rglob("*") if path.is_file())
    return {_name_file(path, game): _put_name(read_named(path).decode(), game) for path in found}


def _propose(game: str) -> str:
    """Return what to call it instead."""
    near = "-".join(re.findall(r"[a-z0-9]+", game.lower()))[:_LONGEST].strip("-")
    if _NAME.fullmatch(near):
        return f"write {near}"
    return "write small letters, digits and hyphens, a letter first"


def _name_file(path: Path, game: str) -> str:
    first, *others = path.relative_to(_TEMPLATE).parts
    name = Path(_HIDDEN.get(first, first), *others).as_posix()
    return _put_name(name, game).removesuffix(_PLAIN)


def _put_name(text: str, game: str) -> str:
    return text.replace("GAME", game).replace("TITLE", game.replace("-", " ").title())
