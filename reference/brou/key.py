"""The user's own key: whatever bears its mark was made by this user, and by nobody who only handed a file over.

The key is drawn at random once and kept in the user's state folder, `$XDG_STATE_HOME/brou/key` or
`~/.local/state/brou/key`, readable by the user alone. It is made whole or not at all; of several processes that make
one at once, all take the first.
"""

from __future__ import annotations

import errno
import hmac
import os
import stat
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

#: How many bytes the key has, and the mark that it makes.
SIZE = 32


def mark(key: bytes, name: str, data: bytes) -> bytes:
    """Return the mark of some data under a name: HMAC-SHA256 of both, `SIZE` bytes."""
    return hmac.digest(key, name.encode() + b"\0" + data, "sha256")


def is_marked(key: bytes, name: str, data: bytes, shown: bytes) -> bool:
    """Say whether a mark is that of some data under a name; how long it takes tells nothing of the mark."""
    return hmac.compare_digest(mark(key, name, data), shown)


@lru_cache(maxsize=1)
def place() -> Path | None:
    """Return where the key of this user is, or would be; None where nobody knows the user's home."""
    usual = Path(os.environ.get("XDG_STATE_HOME", ""))
    try:
        return (usual if usual.is_absolute() else Path.home() / ".local" / "state") / "brou" / "key"
    except RuntimeError:
        return None


@lru_cache(maxsize=1)
def own_key() -> bytes | None:
    """Return the user's key, made if there is none; None where no private one can be stored.

    A key that others can read or write, of another owner or of another size, is not used and not replaced.
    """
    path = place()
    if path is None:
        return None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(path.parent.stat(), 0o022):
            return None
        with suppress(FileExistsError):
            _make(path)
        return _read(path)
    except OSError:
        return None


def is_private(found: os.stat_result, rights: int) -> bool:
    """Say whether a file or a folder is the user's own, and others have none of some rights to it."""
    return not found.st_mode & rights and not (hasattr(os, "getuid") and found.st_uid != os.getuid())


def _make(path: Path) -> None:
    """Put a new key in its place; raise `FileExistsError` where there is one, and leave that as it is."""
    if path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    import secrets  # noqa: PLC0415 - only where there is no key yet

    aside = path.with_name(f".{os.getpid()}.{secrets.token_hex(4)}.new")
    try:
        with open(aside, "xb", opener=_privately) as file:
            file.write(secrets.token_bytes(SIZE))
            file.flush()
            os.fsync(file.fileno())
        os.link(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def _privately(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _read(path: Path) -> bytes | None:
    """Return the key in a place, None if it is none or others could know it."""
    with open(path, "rb", opener=_open_no_link) as file:
        found = os.fstat(file.fileno())
        key = file.read(SIZE + 1)
    return key if stat.S_ISREG(found.st_mode) and is_private(found, 0o077) and len(key) == SIZE else None


def _open_no_link(path: str, flags: int) -> int:
    """Open a file, but no link, and no pipe that nobody writes into."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
