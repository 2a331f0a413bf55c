"""Atomic file writes: a file is written whole at once, or line by line over a long run.

New content is made under another name beside the file and takes its place in one step, so that a process that is ended
leaves the old content or the new one. A request to end the process waits until that is done. A killed process leaves
its temporary file unlocked, and the next write into the same folder removes it. Links are followed. Anything but an
ordinary file (a device, a pipe, an output of this process) is never replaced but written to. An error of the system
always bears the name of the requested file.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = [
    "ENDING",
    "Journal",
    "defer_signals",
    "expect",
    "make_folder",
    "put",
    "read_named",
    "remove",
]

#: What the system says of a file that can be written and not replaced.
_FIXED = (errno.EACCES, errno.EBUSY, errno.EPERM)
#: The rights of a new file before the user's mask, and those of a file among all that the system tells of it.
_NEW, _RIGHTS = 0o666, 0o7777
#: How many characters of a name stand in that of its new content; the longest names would have no room for more.
_SHOWN = 40
#: How many bytes a name beside a file is drawn from.
_DRAWN = 8
#: The names of new contents.
_ASIDE = re.compile(r"\..*\.[0-9a-f]{16}\.brou-new", re.DOTALL)
#: The standard output and the standard error of a process.
_OUTPUTS = (1, 2)
#: The signals that ask a process to end; not every system has them all.
ENDING = {getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGTERM") if hasattr(signal, name)}


def put(path: Path, content: str | bytes) -> None:
    """Write a file so that it has either the whole new content or the old one; raise an `OSError` that names it."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    with _name_errors(path):
        _expect(path)
        file, _ = _begin(path, [data])
        with suppress(OSError):  # all has been written through, or goes where nothing is kept
            os.close(file)


def read_named(path: Path, start: int = 0, length: int = -1) -> bytes:
    """Return the bytes of a file from a position on, all or at most `length`; raise an `OSError` that names the file.

    Python's own errors name a file that cannot be opened, but not one that cannot be read.
    """
    with _name_errors(path), path.open("rb") as file:
        if start:
            file.seek(start)
        return file.read(length)


def make_folder(path: Path, rights: int = 0o777) -> None:
    """Make a folder and its parents, unless it exists."""
    with _name_errors(path):
        path.mkdir(rights, parents=True, exist_ok=True)


def remove(path: Path) -> None:
    """Remove a file, if it exists."""
    with _name_errors(path):
        path.unlink(missing_ok=True)


def expect(path: Path) -> None:
    """Raise the error for a file that cannot be written, before any work is done for it."""
    with _name_errors(path):
        _expect(path)


@contextmanager
def defer_signals() -> Iterator[None]:
    """Let signals that ask the process to end wait until afterwards, as far as this thread would receive them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Journal:
    """A file that is written line by line over minutes: whatever ends that, all lines before it are whole.

    The beginning takes the place of the old content at once or not at all.
    Each line is handed to the system as soon as it is appended; where only a
    part of it finds room, that part is taken back. One thread appends at a time.
    """

    def __init__(self, path: Path, beginning: Iterable[bytes] = ()) -> None:
        """Begin the file with some whole lines; raise an `OSError` that names it, and leave it as it was.

        The lines may be read from the old content; they can be gone through more than once.
        """
        self.path = path
        with _name_errors(path):
            _expect(path)
            #: How many bytes of whole lines there are; none are counted where nothing can be taken back.
            self._file, self._size = _begin(path, beginning)

    @property
    def size(self) -> int | None:
        """Return how many bytes of whole lines there are; None for a device or a pipe, which cannot be read back."""
        return self._size

    def read(self, start: int, length: int) -> bytes:
        """Return earlier content from a position on; raise an `OSError` that names the file."""
        with _name_errors(self.path):
            return os.pread(self._file, length, start)

    def append(self, lines: bytes) -> None:
        """Add whole lines, each with its end; raise an `OSError` that names the file if there is no room for all."""
        with _name_errors(self.path):
            try:
                _write(self._file, lines)
            except OSError:
                if self._size is not None:
                    os.ftruncate(self._file, self._size)
                    os.lseek(self._file, self._size, os.SEEK_SET)
                raise
        if self._size is not None:
            self._size += len(lines)

    def close(self) -> None:
        """Flush everything to disk and close the file; a second call does nothing."""
        file, self._file = self._file, -1
        if file < 0:
            return
        with _name_errors(self.path):
            try:
                if self._size is not None:
                    os.fsync(file)
            finally:
                os.close(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# Reasons beforehand ---------------------------------------------------------------------------------------------------


@contextmanager
def _name_errors(path: Path) -> Iterator[None]:
    """Let every error of the system name the requested file."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def _expect(path: Path) -> None:
    folder = Path(os.path.realpath(path)).parent
    kind = _kind(path)
    reasons = {
        errno.EISDIR: stat.S_ISDIR(kind),
        errno.ENOENT: not kind and not folder.exists(),
        errno.ENOTDIR: not kind and folder.exists() and not folder.is_dir(),
        errno.EACCES: not os.access(path if kind else folder, os.W_OK),
    }
    found = next((reason for reason, holds in reasons.items() if holds), None)
    if found is not None:
        raise OSError(found, os.strerror(found), str(path))


def _kind(path: Path) -> int:
    """Return the kind of what a path leads to as the system has it, or 0 if it leads to nothing yet."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


# Writing --------------------------------------------------------------------------------------------------------------


def _begin(path: Path, parts: Iterable[bytes]) -> tuple[int, int | None]:
    """Write a file and leave it open behind the content; return it, and its size if it keeps its content."""
    kind = _kind(path)
    output = _output(path) if kind else None
    if output is not None or (kind and not stat.S_ISREG(kind)):
        file = os.open(path, os.O_WRONLY) if output is None else os.dup(output)
        with _close_after_error(file):
            _write_all(file, parts)
        return file, None
    whole = Path(os.path.realpath(path))
    with defer_signals():
        try:
            return _replace_file(whole, parts)
        except OSError as error:
            if error.errno not in _FIXED or not kind:
                raise
            return _overwrite(whole, parts)


def _output(path: Path) -> int | None:
    """Return the output of this process that a path leads to, if any; such an output must not be replaced."""
    for number in _OUTPUTS:
        with suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(number)):
                return number
    return None


def _replace_file(whole: Path, parts: Iterable[bytes]) -> tuple[int, int]:
    """Replace a file by a new one with its rights, and return that open with its size; or leave no trace."""
    _tidy(whole.parent)
    aside, file = _open_aside(whole)
    try:
        with _close_after_error(file):
            size = _write_all(file, parts)
            with suppress(FileNotFoundError):
                _take_after(file, whole.stat())
            os.fsync(file)
            aside.replace(whole)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise
    return file, size


def _open_aside(whole: Path) -> tuple[Path, int]:
    """Return a new file beside another, open and locked."""
    import secrets  # noqa: PLC0415 - only where a file is written

    while True:
        aside = whole.with_name(f".{whole.name[:_SHOWN]}.{secrets.token_hex(_DRAWN)}.brou-new")
        file = os.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL, _NEW)
        with _close_after_error(file):
            # Another process may have taken it for a leftover before it was locked, and be about to remove it.
            _lock(file, wait=True)
            if os.fstat(file).st_nlink:
                return aside, file
        os.close(file)


def _take_after(file: int, old: os.stat_result) -> None:
    """Give a file the owner of another, as far as the system lets us, and its rights."""
    with suppress(PermissionError):
        os.fchown(file, old.st_uid, old.st_gid)
    os.fchmod(file, old.st_mode & _RIGHTS)


def _overwrite(whole: Path, parts: Iterable[bytes]) -> tuple[int, int]:
    """Write over a file that cannot be replaced, and return it open with its size; after an error the old is put back.

    Nothing is cut off before all is written: what the old content takes up stays its own until then.
    """
    old, data = whole.read_bytes(), b"".join(parts)
    file = os.open(whole, os.O_RDWR)
    with _close_after_error(file):
        try:
            _write(file, data)
            os.ftruncate(file, len(data))
            os.fsync(file)
        except BaseException:
            with suppress(OSError):
                os.lseek(file, 0, os.SEEK_SET)
                _write(file, old)
                os.ftruncate(file, len(old))
            raise
    return file, len(data)


def _write_all(file: int, parts: Iterable[bytes]) -> int:
    """Write some parts one after the other, and return how many bytes they have."""
    size = 0
    for part in parts:
        _write(file, part)
        size += len(part)
    return size


def _write(file: int, data: bytes) -> None:
    """Write all of it; the system may take a part at a time."""
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


@contextmanager
def _close_after_error(file: int) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.close(file)
        raise


# Leftovers ------------------------------------------------------------------------------------------------------------


def _tidy(folder: Path) -> None:
    """Remove the new contents that killed processes have left in a folder: those that nobody has locked."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _ASIDE.fullmatch(entry.name):
                with suppress(OSError):
                    _remove_leftover(folder / entry.name)


def _remove_leftover(path: Path) -> None:
    file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if stat.S_ISREG(os.fstat(file).st_mode) and _lock(file, wait=False):
            path.unlink()
    finally:
        os.close(file)


def _lock(file: int, *, wait: bool) -> bool:
    """Lock a file until it is closed; say whether that could be done, which not every system or disk can."""
    try:
        import fcntl  # noqa: PLC0415 - not every system has it

        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True
