"""A cache of results computed from files, in the user's cache folder.

An entry is named by the hash of the files, of this code and of the version of Python, so nothing stale is ever found.
It begins with an authentication code that the user's own key makes of its name and content: entries are unpickled, and
code among them runs, so one that is damaged, forged, copied from another machine or renamed is never unpickled but
computed anew. The key lies elsewhere; without one, nothing is cached. `BROU_CACHE` names another folder, or `off`.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, cast

from brou import key
from brou.atomic import make_folder, put, read_named, remove
from brou.dataclass import dataclass
from brou.garbage import pause_collection

__all__ = ["load_or_make", "recall", "store"]

_T = TypeVar("_T")

#: How many entries are kept; those that nobody used for longest go first. All rule bases and their scenarios make some
#: hundred, of 70 kilobytes on average.
_ENTRIES = 2048
#: Systems whose caches lie elsewhere than the custom of Linux has it.
_ELSEWHERE = ("darwin", "win32")


def load_or_make(
    kind: str, files: Iterable[Path], about: object, make: Callable[[], _T], is_kept: Callable[[], bool] = lambda: True
) -> _T:
    """Return the result of `make`, from the cache if it was made before from the same files and the same `about`.

    A new result is stored if `is_kept` says so.
    """
    entry = _CacheEntry.find(kind, files, about)
    if entry is None:
        return make()
    with suppress(Exception):  # whatever is wrong with an entry, it is made anew
        return cast("_T", entry.load())  # this code stored it under this name
    made = make()
    if is_kept():
        entry.store(made)
    return made


def recall(kind: str, about: object) -> object | None:
    """Return the value that this very code stored last under a kind and a name, or None where it stored none."""
    entry = _CacheEntry.find(kind, (), about)
    if entry is not None:
        with suppress(Exception):  # whatever is wrong with an entry, nothing is stored
            return entry.load()
    return None


def store(kind: str, about: object, value: object) -> None:
    """Store a value in place of the last one under that kind and name; without a cache do nothing."""
    entry = _CacheEntry.find(kind, (), about)
    if entry is not None:
        entry.store(value)


@dataclass(frozen=True)
class _CacheEntry:
    """The file of one result, and the key that its mark is made with."""

    path: Path
    own: bytes

    @classmethod
    def find(cls, kind: str, files: Iterable[Path], about: object) -> _CacheEntry | None:
        """Return where a result belongs, or None where nothing can be cached."""
        folder, own = place(), key.own_key()
        return None if folder is None or own is None else cls(folder / f"{kind}-{_name(kind, files, about)}", own)

    def load(self) -> object:
        """Return the result; an entry that is missing, damaged or foreign raises something, and is not unpickled."""
        try:
            from _pickle import loads  # noqa: PLC0415 - the part in C, without what is needed to write
        except ImportError:  # an interpreter that has no such part
            from pickle import loads  # noqa: PLC0415

        whole = self.path.read_bytes()
        data = whole[key.SIZE :]
        if not key.is_marked(self.own, self.path.name, data, whole[: key.SIZE]):
            raise ValueError(self.path.name)
        with suppress(OSError):  # who cannot note the use still has the entry
            os.utime(self.path)
        with pause_collection():
            found: object = loads(data)  # noqa: S301 - this user's own process kept it under this name
        return found

    def store(self, made: object) -> None:
        """Write the result, if it can be written."""
        import pickle  # noqa: PLC0415 - only where there is a cache

        with suppress(OSError, pickle.PicklingError):
            data = pickle.dumps(made, pickle.HIGHEST_PROTOCOL)
            _keep(self.path, key.mark(self.own, self.path.name, data) + data)


def _name(kind: str, files: Iterable[Path], about: object) -> str:
    summed = hashlib.sha256(f"{kind}\0{sys.version}\0{_code(_rooms())}\0{about!r}\0{sum_files(files)}".encode())
    return summed.hexdigest()[:32]


def sum_files(files: Iterable[Path]) -> str:
    """Return the hash of the names and contents of some files; one that is not there counts as empty.

    Whoever asks for several results of the same files hashes them once, and makes the hash part of what they are about.
    """
    summed = hashlib.sha256()
    for file in files:
        data = read_named(file) if file.is_file() else b""
        summed.update(b"\0%b\0%d\0" % (os.fsencode(file), len(data)))
        summed.update(data)
    return summed.hexdigest()


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
    """Return the system folder for caches.

    On Linux a variable names it, or it is known, so that nobody waits for the library that knows all others.
    """
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not named.is_absolute() and sys.platform in _ELSEWHERE:
        with suppress(ImportError):
            from platformdirs import user_cache_path  # noqa: PLC0415 - only where it is needed, and if it is there

            return user_cache_path("brou", appauthor=False)
    return (named if named.is_absolute() else Path.home() / ".cache") / "brou"


def _keep(entry: Path, data: bytes) -> None:
    """Write an entry at once or not at all, and drop those that were not used for longest."""
    put(entry, data)
    kept = list(entry.parent.glob("[a-z]*-*"))
    if len(kept) > _ENTRIES:
        kept.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for old in kept[_ENTRIES:]:
            remove(old)
