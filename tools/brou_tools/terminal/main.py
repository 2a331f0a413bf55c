"""Running a command: every end it can come to, with its exit code and a message instead of a traceback."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import time
import traceback
from contextlib import nullcontext
from typing import Protocol

from brou import BrokenPromise, BrouError, Crash
from brou_tools.terminal.closing import Loudness, open_command, paint, show_end
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.streams import OUTPUT, name_streams, silence_output
from brou_tools.terminal.ticker import show_life

#: Packages that not everybody needs, each with the extra that brings it.
_EXTRAS = {"docutils": "books", "typst": "books", "z3": "prove", "cvc5": "second"}
#: Bold and red.
_RED = "1;31"
#: What to do about an error of the system.
_INSTEAD = {
    errno.ENOENT: "make the folder first, or name another",
    errno.ENOTDIR: "name a folder where a file is named",
    errno.EISDIR: "name a file, no folder",
    errno.EEXIST: "name a folder, no file",
    errno.EACCES: "name one that you may use",
    errno.EPERM: "name one that you may use",
    errno.EROFS: "name one that you may write",
    errno.ELOOP: "name a file, no link that leads back to itself",
    errno.ENAMETOOLONG: "name a shorter one",
    errno.ENOSPC: "make room, or name another place",
    errno.EDQUOT: "make room, or name another place",
    errno.EFBIG: "allow larger files (ulimit -f), or name another place",
    errno.EIO: "see whether the disk is sound, or name another place",
    errno.EPIPE: "name one that is read to its end",
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "end other programs, which have too many files open",
    errno.EAGAIN: "allow more processes (ulimit -u), or end some",
    errno.ENOMEM: "free some memory",
}


class Wishes(Protocol):
    """The options of every command that say how much it shows beside its answer."""

    @property
    def quiet(self) -> bool:
        """Say whether it shows nothing else."""

    @property
    def verbose(self) -> bool:
        """Say whether it shows progress and an end where there is no terminal, too."""

    @property
    def converses(self) -> bool:
        """Say whether it talks with somebody, so that no sign of life may disturb them."""


def run_guarded(command: str, options: Wishes) -> int:
    """Run a command with its options and return its exit code; an exception becomes a message and an exit code."""
    begun = time.monotonic()
    name_streams()
    try:
        with open_command(Loudness.QUIET if options.quiet else Loudness.VERBOSE if options.verbose else Loudness.USUAL):
            with show_life(command) if not options.converses else nullcontext():
                work = importlib.import_module(f"brou_tools.{command}.command")
                code = int(work.run(options))
                sys.stdout.flush()
            show_end(command, code, begun)
            return code
    except Exception as error:  # noqa: BLE001 - whatever it is, people get a message and the exit code for it
        if isinstance(error, OSError) and error.filename == OUTPUT:
            # Nothing more can be said there, not even at the end.
            silence_output()
            if isinstance(error, BrokenPipeError):  # whoever read it has seen enough
                return Exit.FINE
        return _report_error(error)


def _report_error(error: Exception) -> int:
    if os.environ.get("BROU_DEBUG"):
        raise error
    if isinstance(error, BrokenPromise):
        _complain(f"{error}; the rules promise that no game comes to this: mend them, `brou prove` shows the way there")
        return Exit.USAGE
    if isinstance(error, BrouError) and not isinstance(error, Crash):
        _complain(str(error))
        return Exit.USAGE
    if isinstance(error, OSError):
        _complain(_describe_refusal(error))
        return Exit.USAGE
    if isinstance(error, ImportError) and (package := _lacking(error)):
        _complain(f"this needs {package}: pip install 'brou[{_EXTRAS[package]}]'")
        return Exit.USAGE
    _complain(f"a fault of our own: {type(error).__name__}: {error}")
    _complain("please report it; with BROU_DEBUG=1 there is a traceback")
    return Exit.OURS


def _complain(what: str) -> None:
    """Write a message to the standard error."""
    print(f"{paint('brou:', _RED, sys.stderr)} {what}", file=sys.stderr)


def _describe_refusal(error: OSError) -> str:
    """Return the system's refusal: where, why, and the remedy."""
    named = error.filename
    where = "the system" if named is None else str(named) if isinstance(named, int) else os.fsdecode(named)
    instead = _INSTEAD.get(error.errno or 0)
    return f"{where}: {error.strerror or error}" + (f"; {instead}" if instead else "")


def _lacking(error: ImportError) -> str:
    """Return the package of an extra that is not there, or is there and cannot be imported; nothing if it is ours."""
    frames = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    roots = [str(name).partition(".")[0] for name in (error.name or "", *frames)]
    return next((root for root in roots if root in _EXTRAS), "")
