"""Running a command: every end it can come to, with its exit code and a message instead of a traceback."""

from __future__ import annotations

import argparse
import errno
import importlib
import io
import os
import sys
import traceback
from contextlib import suppress
from pathlib import Path

from brou import BrouError, Crash
from brou_tools.exits import Exit

#: Packages that not everybody needs, each with the extra that brings it.
_EXTRAS = {"docutils": "rulebook", "typst": "rulebook", "z3": "prove", "cvc5": "second"}
#: What to do about an error of the system.
_INSTEAD = {
    errno.ENOENT: "make the folder first, or name another",
    errno.ENOTDIR: "name a folder where a file is named",
    errno.EISDIR: "name a file, no folder",
    errno.EEXIST: "name a folder, no file",
    errno.EACCES: "name one that you may use",
    errno.EPERM: "name one that you may use",
    errno.EROFS: "name one that you may write",
    errno.ENOSPC: "make room, or name another place",
}
#: What the system says of an output that takes no more.
_WRITING = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EBADF, errno.EDQUOT)


def guarded(options: argparse.Namespace) -> int:
    """Run the module of a command and return its exit code, whatever happens."""
    _streams()
    try:
        command = importlib.import_module(f"brou_tools.commands.{options.command}")
        code = command.run(options)
        sys.stdout.flush()
        return int(code)
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing more can be said there, not even at the end.
        _silenced()
        return Exit.FINE
    except Exception as error:  # noqa: BLE001 - whatever it is, people get a message and the exit code for it
        return _told(error)


def _streams() -> None:
    """Let every stream be there, if only to nowhere, and take every character."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _silenced() -> None:
    """Let what is left for the standard output go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _told(error: Exception) -> int:
    if os.environ.get("BROU_DEBUG"):
        raise error
    if isinstance(error, BrouError) and not isinstance(error, Crash):
        print(f"brou: {error}", file=sys.stderr)
        return Exit.USAGE
    if isinstance(error, OSError):
        print(f"brou: {_refused(error)}", file=sys.stderr)
        return Exit.USAGE
    if isinstance(error, ImportError) and (package := _lacking(error)):
        print(f"brou: this needs {package}: pip install 'brou[{_EXTRAS[package]}]'", file=sys.stderr)
        return Exit.USAGE
    print(f"brou: a fault of our own: {type(error).__name__}: {error}", file=sys.stderr)
    print("brou: please report it; with BROU_DEBUG=1 there is a traceback", file=sys.stderr)
    return Exit.OURS


def _refused(error: OSError) -> str:
    """Return what the system refuses, where, and what to do instead."""
    where = _unwritten(error) if error.filename is None else os.fspath(error.filename)
    instead = _INSTEAD.get(error.errno or 0)
    return f"{where}: {error.strerror or error}" + (f"; {instead}" if instead else "")


def _unwritten(error: OSError) -> str:
    """Return what an error without a place is about."""
    if error.errno not in _WRITING:
        return "the system"
    _silenced()
    return "the output"


def _lacking(error: ImportError) -> str:
    """Return the package of an extra that is not there, or is there and cannot be imported; nothing if it is ours."""
    frames = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    roots = [str(name).partition(".")[0] for name in (error.name or "", *frames)]
    return next((root for root in roots if root in _EXTRAS), "")
