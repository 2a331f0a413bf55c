"""The last line of a command on the standard error: what it did, and how long that took; and how loud commands are.

On a terminal every command that comes to its end has one, elsewhere only with `--verbose`, and with `--quiet` none.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from typing import TextIO

from brou_tools.terminal.exits import Exit

_MINUTE, _HOUR = 60, 3600
#: Seconds with a decimal below this.
_EXACT = 10
_COLOURS = {Exit.FINE: "32", Exit.FINDING: "33"}
_PLAIN = "\033[0m"


class Loudness(IntEnum):
    """How much a command says beside its answer."""

    QUIET = 0
    #: Progress and a closing line on a terminal.
    USUAL = 1
    #: Both, terminal or not.
    VERBOSE = 2


_loudness: ContextVar[Loudness] = ContextVar("loudness", default=Loudness.USUAL)
_done: ContextVar[str] = ContextVar("done", default="")


def find_loudness() -> Loudness:
    """Return how loud the running command is."""
    return _loudness.get()


def conclude(what: str) -> None:
    """Let the closing line of the running command say `what` it has done."""
    _done.set(what)


@contextmanager
def open_command(loudness: Loudness) -> Iterator[None]:
    """Run one command, so loud, which has done nothing yet."""
    loud, done = _loudness.set(loudness), _done.set("")
    try:
        yield
    finally:
        _loudness.reset(loud)
        _done.reset(done)


def show_end(command: str, code: int, begun: float) -> None:
    """Write the closing line of a command that began at a moment of `time.monotonic`, if there is to be one."""
    if code not in _COLOURS or not is_heard(sys.stderr):
        return
    line = f"brou {command}: {_done.get() or 'done'} in {write_time(time.monotonic() - begun)}"
    print(paint(line, _COLOURS[Exit(code)], sys.stderr), file=sys.stderr)


def is_heard(stream: TextIO) -> bool:
    """Say whether the running command says on a stream what is beside its answer."""
    loudness = find_loudness()
    return loudness is Loudness.VERBOSE or (loudness is Loudness.USUAL and stream.isatty())


def paint(text: str, colour: str, stream: TextIO) -> str:
    """Return a text in a colour of ANSI if the stream shows colours, else as it is."""
    return f"\033[{colour}m{text}{_PLAIN}" if is_coloured(stream) else text


def is_coloured(stream: TextIO) -> bool:
    """Say whether text for a stream is coloured: `NO_COLOR`, then `FORCE_COLOR`, then whether it is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def write_time(seconds: float) -> str:
    """Return a time as people say it, in its two greatest units."""
    if seconds < _EXACT:
        return f"{max(0.0, seconds):.1f} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"


def count(number: int, what: str, many: str = "") -> str:
    """Return a number with its noun: `1 game`, `1,203 scenarios`, `2 entries`."""
    return f"{number:,} {what if number == 1 else many or f'{what}s'}"
