"""Readings that a process keeps of the files of a project, and drops as soon as one of these files has changed.

The process keeps rules by name, and a name says nothing about the state of the files. `choose` therefore calls
`forget_changed` first, which drops the readings of every project. Brou's own files are read once a process: to look at
each of a hundred files at each name would cost more than the rules.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar, cast

from brou.games.folder import find_project_file, root

_Asked = ParamSpec("_Asked")
_Found = TypeVar("_Found")
_Kept = TypeVar("_Kept")

#: A file by its path with what tells whether it changed.
_Stamp = frozenset[tuple[str, int, int, int]]

_forget: list[Callable[[], None]] = []
_seen: dict[tuple[Path, str], _Stamp] = {}
#: So many folders and games are looked at again; when there are more, all begin anew.
_MOST = 256


class Forgetting(Protocol[_Asked, _Kept]):
    """A function that keeps its results."""

    #: The function itself, which keeps nothing.
    __wrapped__: Callable[_Asked, _Kept]

    def __call__(self, *args: _Asked.args, **kwargs: _Asked.kwargs) -> _Kept:
        """Return the result, kept or new."""

    def cache_clear(self) -> None:
        """Forget all results."""


def keep_until_changed(maxsize: int) -> Callable[[Callable[_Asked, _Found]], Forgetting[_Asked, _Found]]:
    """Return a decorator that keeps the latest results of a function until a file of a project has changed."""

    def decorate(function: Callable[_Asked, _Found]) -> Forgetting[_Asked, _Found]:
        kept = lru_cache(maxsize=maxsize)(function)
        forget_with(kept.cache_clear)
        return cast("Forgetting[_Asked, _Found]", kept)

    return decorate


def forget_with(forget: Callable[[], None]) -> None:
    """Call a function whenever the process drops its readings."""
    _forget.append(forget)


def forget_changed(folder: Path, game: str = "") -> bool:
    """Drop all readings if a file of a folder of data has changed since its state was noted; say whether it has.

    Looked at are the files that all games share, and those of one game. The file of a bundle, which is opened anew when
    it changes, and Brou's own files are not.
    """
    known = _seen.get((folder, game))
    if known is None or known == frozenset(_stamp(folder, game)):
        return False
    forget_everything()
    return True


def note_state(folder: Path, game: str = "") -> None:
    """Note in which state the files of a folder of data, and of one game, are read now."""
    if folder == root() or (folder, game) in _seen:
        return
    if len(_seen) >= _MOST:
        forget_everything()
    _seen[folder, game] = frozenset(_stamp(folder, game))


def forget_everything() -> None:
    """Drop all readings of files."""
    _seen.clear()
    for forget in _forget:
        forget()


def _stamp(folder: Path, game: str) -> Iterator[tuple[str, int, int, int]]:
    """Yield each file with what changes when it is written."""
    names = ("", "prelude", "languages", *((f"games/{game}",) if game else ()))
    for name in names:
        try:
            with os.scandir(folder / name) as found:
                files = [entry for entry in found if entry.name.endswith(".yaml")]
        except OSError:
            continue
        for entry in files:
            try:
                state = entry.stat()
            except OSError:
                continue
            yield entry.path, state.st_mtime_ns, state.st_size, state.st_ino
    file = find_project_file(folder)
    if file is not None:
        state = file.stat()
        yield str(file), state.st_mtime_ns, state.st_size, state.st_ino
