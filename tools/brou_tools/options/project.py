"""Which project a command works on."""

from __future__ import annotations

from pathlib import Path

from brou import NoFile, Project, find_project, open_project
from brou.games.folder import PROJECT


def choose_project(named: str | None, start: Path) -> Project:
    """Return the project that is named, else that of the nearest `brou.toml` from `start` upwards, else the house.

    A name stands for a folder with a `brou.toml`, for a folder of games, or for the file of a bundle; raise `NoFile`
    for any other, and `Malformed` for a `brou.toml` that cannot be used.
    """
    if named is None:
        return find_project(start)
    path = Path(named)
    if path.name == PROJECT and path.is_file():
        path = path.parent
    wanted = f"a folder with {PROJECT}, or one with games/GAME below it"
    if not path.exists():
        raise NoFile(named, wanted, "no such folder")
    if path.is_dir() and not (path / PROJECT).is_file() and not (path / "games").is_dir():
        raise NoFile(named, wanted, "no project")
    return open_project(path)
