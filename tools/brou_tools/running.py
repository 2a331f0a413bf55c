"""Running a command: every end it can come to, with its exit code and a message instead of a traceback."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys

from brou import BrouError, Crash
from brou_tools.exits import Exit

_INTERRUPTED = 130


def guarded(options: argparse.Namespace) -> int:
    """Run the module of a command and return its exit code, whatever happens."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        command = importlib.import_module(f"brou_tools.commands.{options.command}")
        code = command.run(options)
        sys.stdout.flush()
        return int(code)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing more can be said there, not even at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.FINE
    except Exception as error:  # noqa: BLE001 - whatever it is, people get a message and the exit code for it
        return _told(error)


def _told(error: Exception) -> int:
    if os.environ.get("BROU_DEBUG"):
        raise error
    ours = isinstance(error, Crash) or not isinstance(error, BrouError)
    if not ours:
        print(f"brou: {error}", file=sys.stderr)
        return Exit.USAGE
    print(f"brou: a fault of our own: {type(error).__name__}: {error}", file=sys.stderr)
    print("brou: please report it; with BROU_DEBUG=1 there is a traceback", file=sys.stderr)
    return Exit.OURS
