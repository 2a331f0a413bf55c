"""A sign of life on a terminal, for work that tells no progress of its own: the command, and for how long it has run.

An alarm of the system writes it and no thread, since processes that share work are forked, and threads do not go well
with that. The first text that is written, or the first line of progress, ends it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from brou_tools.terminal.closing import Loudness, find_loudness, write_time

#: After so many seconds the sign of life is written, and then after each second anew.
_PATIENCE, _PAUSE = 2.0, 1.0
_EMPTY_LINE = "\r\033[K"


class Ticker:
    """Writes for how long a command has run, until somebody stops it."""

    def __init__(self, command: str) -> None:
        self._command, self._begun = command, time.monotonic()
        self._on = self._shown = False
        self._process = os.getpid()

    def start(self) -> None:
        """Begin to wait, where there is a terminal and a system with alarms."""
        if find_loudness() is Loudness.QUIET or not sys.stderr.isatty() or not hasattr(signal, "setitimer"):
            return
        if threading.current_thread() is threading.main_thread():
            self._on = True
            self._before = signal.signal(signal.SIGALRM, self._tick)
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE, _PAUSE)

    def stop(self) -> None:
        """Write no more, and leave the line empty; other processes that were forked from this one leave it alone."""
        if self._on and self._process == os.getpid():
            self._on = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
            if self._shown:
                _write(_EMPTY_LINE)

    def _tick(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the system's signature
        if self._on:
            self._shown = True
            _write(f"{_EMPTY_LINE}brou {self._command}: working for {write_time(time.monotonic() - self._begun)}")


def _write(text: str) -> None:
    """Write past the buffer, which whatever the alarm interrupts may be filling."""
    with suppress(OSError, ValueError):
        os.write(sys.stderr.fileno(), text.encode())


_running: list[Ticker] = []


@contextmanager
def show_life(command: str) -> Iterator[None]:
    """Show that a command is alive for as long as it shows nothing itself."""
    ticker = Ticker(command)
    _running.append(ticker)
    ticker.start()
    try:
        yield
    finally:
        ticker.stop()
        _running.remove(ticker)


def end_life_sign() -> None:
    """Stop the sign of life: something else is about to be written."""
    for ticker in _running:
        ticker.stop()
