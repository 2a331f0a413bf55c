"""Files that are whole or not there: what is written is put in place at once, and a reason why not is known before."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

#: What the system says of a file that can be written and not replaced.
_FIXED = (errno.EACCES, errno.EBUSY, errno.EPERM)


def put(path: Path, content: str | bytes) -> None:
    """Write a file, so that it holds all of the content or what it held before; links and devices are followed."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    expect(path)
    whole = Path(os.path.realpath(path))
    try:
        if not whole.exists() or whole.is_file():
            _whole(whole, data)
        else:
            whole.write_bytes(data)
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def _whole(whole: Path, data: bytes) -> None:
    """Replace a file, or write into it where it is there and cannot be replaced."""
    try:
        _replace(whole, data)
    except OSError as error:
        if error.errno not in _FIXED or not whole.exists():
            raise
        whole.write_bytes(data)


def _replace(whole: Path, data: bytes) -> None:
    """Put a file in the place of another, with its rights, or leave no trace."""
    aside = whole.with_name(f".{os.getpid()}.{id(data)}.new")
    try:
        aside.write_bytes(data)
        if whole.exists():
            shutil.copymode(whole, aside)
        aside.replace(whole)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise


def expect(path: Path) -> None:
    """Raise the error of a file that cannot be written, before anything is done for it."""
    folder = Path(os.path.realpath(path)).parent
    reasons = {
        errno.EISDIR: path.is_dir(),
        errno.ENOENT: not folder.exists(),
        errno.ENOTDIR: folder.exists() and not folder.is_dir(),
        errno.EACCES: not os.access(path if path.exists() else folder, os.W_OK),
    }
    found = next((reason for reason, holds in reasons.items() if holds), None)
    if found is not None:
        raise OSError(found, os.strerror(found), str(path))
