"""What was made of files once is kept beside them in the user's cache, named by everything it was made from.

The name of an entry is the hash of the files, of this code and of the version
of Python, so that nothing stale is ever found. An entry begins with the hash of
its name and of what it holds: one that is damaged, or stands under a name that
is not its own, is never unpacked but made anew. That is no lock against who may
write into the folder, which is why it is the user's alone. `BROU_CACHE` names
another folder, or `off`.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from brou.written import make_folder, put, remove

_T = TypeVar("_T")

#: How many entries are kept; the oldest go first.
_ENTRIES = 96
#: How many bytes of an entry are the hash of the rest.
_SEAL = hashlib.sha256().digest_size


def remembered(kind: str, files: Iterable[Path], about: object, make: Callable[[], _T]) -> _T:
    """Return what `make` returns, from the cache if it was made before from the same files and the same `about`."""
    folder = place()
    if folder is None:
        return make()
    entry = folder / f"{kind}-{_name(kind, files, about)}"
    with suppress(Exception):  # whatever is wrong with an entry, it is made anew
        whole = entry.read_bytes()
        data = whole[_SEAL:]
        if whole[:_SEAL] == _seal(entry.name, data):
            found: _T = pickle.loads(data)  # noqa: S301 - what was kept under this name, in a folder that is the user's own
            return found
    made = make()
    with suppress(OSError, pickle.PicklingError):
        data = pickle.dumps(made, pickle.HIGHEST_PROTOCOL)
        _keep(entry, _seal(entry.name, data) + data)
    return made


def _seal(name: str, data: bytes) -> bytes:
    """Return the hash of an entry with its name."""
    return hashlib.sha256(name.encode() + b"\0" + data).digest()


def _name(kind: str, files: Iterable[Path], about: object) -> str:
    summed = hashlib.sha256(f"{kind}\0{sys.version}\0{_code()}\0{about!r}".encode())
    for file in files:
        data = file.read_bytes() if file.is_file() else b""
        summed.update(b"\0%b\0%d\0" % (os.fsencode(file), len(data)))
        summed.update(data)
    return summed.hexdigest()[:32]


@lru_cache(maxsize=1)
def _code() -> str:
    """Return what changes whenever this code is another: place, size and time of each of its modules."""
    here = Path(__file__).parent
    beside = [here, here.parent / "brou_conformance", here.parents[1] / "conformance" / "brou_conformance"]
    stats = [(str(file), file.stat()) for folder in beside for file in sorted(folder.rglob("*.py"))]
    return hashlib.sha256(repr([(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]).encode()).hexdigest()


@lru_cache(maxsize=1)
def place() -> Path | None:
    """Return the folder of the cache, private to the user, or None if there can be none."""
    wanted = os.environ.get("BROU_CACHE", "")
    if wanted == "off":
        return None
    usual = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        folder = Path(wanted) if wanted else (usual if usual.is_absolute() else Path.home() / ".cache") / "brou"
        make_folder(folder, 0o700)
        stat = folder.stat()
    except (OSError, RuntimeError):
        return None
    others = bool(stat.st_mode & 0o022) or (hasattr(os, "getuid") and stat.st_uid != os.getuid())
    return None if others else folder


def _keep(entry: Path, data: bytes) -> None:
    """Write an entry at once or not at all, and drop the oldest ones."""
    put(entry, data)
    kept = sorted(entry.parent.glob("[a-z]*-*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in kept[_ENTRIES:]:
        remove(old)
