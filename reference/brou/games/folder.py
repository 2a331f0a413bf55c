"""Where the data lies, and the files there.

Everything is found below one root: the folder `spec/` of a checkout, what a
wheel carries, any folder of the same shape that a caller names, or the file of
a bundle (`brou.games.bundle`), which holds what such a folder says.
"""

from __future__ import annotations

from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from brou.errors import Fault, Malformed, Place
from brou.games.bundle import open_bundle
from brou.language.node import Node

#: The folder below our data in which games stand in the second notation, until they take the place of the others.
CHAPTERS = "chapters"
#: The file that holds the chapters of a game in the second notation together.
FRAME = "game.yaml"


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

    return read(folder / name, name) if folder == root() else read_below(folder, name)


def has_file(folder: Path, name: str) -> bool:
    """Say whether a folder of data has a file."""
    bundle = open_bundle(folder)
    return name in bundle.files if bundle is not None else (folder / name).exists()
