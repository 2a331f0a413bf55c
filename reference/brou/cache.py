"""What was made of files once is kept beside them in the user's cache, named by everything it was made from.

The name of an entry is the hash of the files, of this code and of the version
of Python, so that nothing stale is ever found. An entry begins with the mark
that the user's own key makes on its name and on what it holds. Entries are
unpacked, and code among them is run; therefore one without that mark, damaged,
forged, brought from another machine or standing under a name that is not its
own, is never unpacked but made anew. The key is kept elsewhere; without one,
nothing is cached. `BROU_CACHE` names another folder, or `off`.
"""

from __future__ import annotations

import gc
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from brou import key
from brou.written import make_folder, put, read_named, remove

_T = TypeVar("_T")

#: How many entries are kept; the oldest go first.
_ENTRIES = 96
#: Systems whose caches lie elsewhere than the custom of Linux has it.
_ELSEWHERE = ("darwin", "win32")


def remembered(
    kind: str, files: Iterable[Path], about: object, make: Callable[[], _T], is_kept: Callable[[], bool] = lambda: True
) -> _T:
    """Return what `make` returns, from the cache if it was made before from the same files and the same `about`.

    What was made is kept if `is_kept` says so.
    """
    folder, own = place(), key.own_key()
    if folder is None or own is None:
        return make()
    import pickle  # noqa: PLC0415 - only where there is a cache

    entry = folder / f"{kind}-{_name(kind, files, about)}"
    with suppress(Exception):  # whatever is wrong with an entry, it is made anew
        whole = entry.read_bytes()
        data = whole[key.SIZE :]
        if key.is_marked(own, entry.name, data, whole[: key.SIZE]):
            with _undisturbed():
                found: _T = pickle.loads(data)  # noqa: S301 - this user's own process kept it under this name
            return found
    made = make()
    if not is_kept():
        return made
    with suppress(OSError, pickle.PicklingError):
        data = pickle.dumps(made, pickle.HIGHEST_PROTOCOL)
        _keep(entry, key.mark(own, entry.name, data) + data)
    return made


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let nobody look for garbage: among what is unpacked there is none, and looking takes a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _name(kind: str, files: Iterable[Path], about: object) -> str:
    summed = hashlib.sha256(f"{kind}\0{sys.version}\0{_code(_rooms())}\0{about!r}".encode())
    for file in files:
        data = read_named(file) if file.is_file() else b""
        summed.update(b"\0%b\0%d\0" % (os.fsencode(file), len(data)))
        summed.update(data)
    return summed.hexdigest()[:32]


#: Where the packages that use this one lie in a checkout.
_ROOMS = {"conformance": "brou_conformance", "tools": "brou_tools"}


def _rooms() -> tuple[str, ...]:
    """Return which rooms there are code of in this process; the others have made nothing in it."""
    return tuple(room for room, name in _ROOMS.items() if name in sys.modules)


@lru_cache(maxsize=len(_ROOMS) + 1)
def _code(rooms: tuple[str, ...]) -> str:
    """Return what changes whenever the code of some rooms, or of this one, is another."""
    here = Path(__file__).parent
    names = [(room, _ROOMS[room]) for room in rooms]
    beside = [place for room, name in names for place in (here.parent / name, here.parents[1] / room / name)]
    stats = sorted(stat for folder in (here, *beside) for stat in _stats(folder))
    return hashlib.sha256(repr(stats).encode()).hexdigest()


def _stats(folder: str | Path) -> Iterator[tuple[str, int, int]]:
    """Yield path, size and time of each module below a folder, if it is there."""
    with suppress(FileNotFoundError), os.scandir(folder) as found:
        for entry in found:
            if entry.name.endswith(".py"):
                stat = entry.stat()
                yield entry.path, stat.st_size, stat.st_mtime_ns
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                yield from _stats(entry.path)


@lru_cache(maxsize=1)
def place() -> Path | None:
    """Return the folder of the cache, private to the user, or None if there can be none.

    The key does not lie in it: whoever could fill the folder could then bring a key of their own.
    """
    wanted = os.environ.get("BROU_CACHE", "")
    if wanted == "off":
        return None
    kept = key.place()
    try:
        folder = Path(wanted) if wanted else _usual_place()
        if kept is None or Path(os.path.realpath(kept)).is_relative_to(os.path.realpath(folder)):
            return None
        make_folder(folder, 0o700)
        return folder if key.is_private(folder.stat(), 0o022) else None
    except (OSError, RuntimeError):
        return None


def _usual_place() -> Path:
    """Return where this system keeps what can be made anew.

    On Linux that is told by a variable or known, so that nobody waits for the library that knows all others.
    """
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not named.is_absolute() and sys.platform in _ELSEWHERE:
        with suppress(ImportError):
            from platformdirs import user_cache_path  # noqa: PLC0415 - only where it is needed, and if it is there

            return user_cache_path("brou", appauthor=False)
    return (named if named.is_absolute() else Path.home() / ".cache") / "brou"


def _keep(entry: Path, data: bytes) -> None:
    """Write an entry at once or not at all, and drop the oldest ones."""
    put(entry, data)
    kept = sorted(entry.parent.glob("[a-z]*-*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in kept[_ENTRIES:]:
        remove(old)
