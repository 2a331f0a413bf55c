"""Where the data lies, and the files there.

Everything is found below one root: the folder `spec/` of a checkout, what a
wheel carries, any folder of the same shape that a caller names, or the file of
a bundle (`brou.games.bundle`), which holds what such a folder says.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from brou.errors import Fault, Malformed, Place
from brou.games.bundle import open_bundle
from brou.language.node import Node

#: The folder of what games in chapters share; a folder of data without one has ours.
PRELUDE = "prelude"
#: The file that holds the chapters of a game together.
FRAME = "game.yaml"
#: What the files of a game in chapters are called.
CHAPTERS = (FRAME, "sheet.yaml", "words.*.yaml", "[0-9][0-9]-*.yaml")


#: A folder of data or a file of a bundle, as a caller names it; nothing is our own.
Folder: TypeAlias = "str | PathLike[str] | None"


def locate(folder: Folder) -> Path:
    """Return the path of a folder of data or of a bundle, that of our own data if none is named."""
    return root() if folder is None else Path(folder)


@lru_cache(maxsize=1)
def root() -> Path:
    """Return the folder of the data: what a wheel carries, or the checkout's own `spec/`."""
    packed = Path(__file__).parents[1] / "_data"
    return packed if packed.is_dir() else packed.parents[2] / "spec"


def read_file(folder: Path, name: str) -> Node:
    """Read a file of a folder of data, named by its path from there; raise `Malformed` where that is impossible.

    In a folder that is not our own no link may lead out of it; in ours some installers make links of all files.
    """
    bundle = open_bundle(folder)
    if bundle is not None:
        found = bundle.file(name)
        if found is None:
            raise Malformed([Fault(Place(name, 1, 1), "the bundle has no such file")])
        return found
    from brou.language.source import read, read_below  # noqa: PLC0415 - YAML is not needed where a bundle is

    home = _find_home(folder, name)
    return read(home / name, name) if home == root() else read_below(home, name)


def has_file(folder: Path, name: str) -> bool:
    """Say whether a folder of data has a file."""
    bundle = open_bundle(folder)
    return name in bundle.files if bundle is not None else (folder / name).exists()


def list_files(folder: Path, pattern: str) -> list[str]:
    """Return the files of a folder of data whose paths from there fit a pattern, in alphabetical order."""
    bundle = open_bundle(folder)
    if bundle is not None:
        return sorted(path for path in bundle.files if fnmatchcase(path, pattern))
    home = _find_home(folder, pattern)
    return sorted(path.relative_to(home).as_posix() for path in home.glob(pattern))


def _find_home(folder: Path, name: str) -> Path:
    """Return the folder of data in which a file lies: ours for the prelude, where a folder has none of its own."""
    shared = name.startswith(f"{PRELUDE}/") and not (folder / PRELUDE).is_dir()
    return root() if shared else folder
