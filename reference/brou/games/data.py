"""The files of a folder of data, with those of the first notation that the chapters of a game stand for."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from brou.errors import Unknown
from brou.games.catalogue import Maker, book
from brou.games.folder import FRAME, has_file, read_file, root
from brou.language.node import Node

#: The files that are written of chapters.
_WRITTEN = re.compile(r"games/([^/]+)/(?:rules|clauses|ambiguities|editions|obligations)\.yaml\Z")
#: The kind of file that needs no sources, and is written apart from the others.
_OBLIGATIONS = "obligations"


def read_data(folder: Path, name: str) -> Node:
    """Read a file of a folder of data, named by its path from there; raise `Malformed` where that is impossible.

    What the chapters of a game stand for is written on demand.
    """
    game = _find_game(folder, name)
    if game is None:
        return read_file(folder, name)
    kind = Path(name).stem
    return _write_obligations(game, folder) if kind == _OBLIGATIONS else _write_documents(game, folder)[kind]


def has_data(folder: Path, name: str) -> bool:
    """Say whether a folder of data has a file, or chapters that stand for it."""
    return has_file(folder, name) or _find_game(folder, name) is not None


def _find_game(folder: Path, name: str) -> str | None:
    """Return the game whose chapters stand for a file, or None if it is a file of its own."""
    match = _WRITTEN.match(name)
    if match is None or has_file(folder, name) or not has_file(folder, f"games/{match[1]}/{FRAME}"):
        return None
    return match[1]


@lru_cache(maxsize=16)
def _write_documents(game: str, folder: Path) -> dict[str, Node]:
    """Return the files of the first notation that chapters stand for, by kind, but for obligations."""
    data, maker = book(game, folder), _find_maker(game, folder)
    own = folder if has_file(folder, "sources.yaml") else root()
    return {"rules": data.rules, **maker.documents(read_file(own, "sources.yaml"))}


@lru_cache(maxsize=16)
def _write_obligations(game: str, folder: Path) -> Node:
    """Return the obligations of a game in chapters as a file of the first notation."""
    return _find_maker(game, folder).write_obligations()


def _find_maker(game: str, folder: Path) -> Maker:
    """Return the maker of the rules of a game in chapters."""
    maker = book(game, folder).maker
    if maker is None:
        raise Unknown("game in chapters", game, ())
    return maker
