"""How far a long run has come, how fast it goes and how long it will take: a line on a terminal that is drawn anew.

Where the standard error is no terminal, a line is written now and then, so that a log shows that the run goes on.
"""

from __future__ import annotations

import sys
import threading
import time

from brou_tools.terminal.closing import Loudness, find_loudness, write_time
from brou_tools.terminal.ticker import end_life_sign

#: Nothing is shown of a run that takes no longer than this, and nothing more often than that, in seconds.
_PATIENCE, _PAUSE = 2.0, 0.1
#: Columns of the bar.
_BAR = 30
_EMPTY_LINE = "\r\033[K"
#: Without a terminal there is a line after so many seconds, and then each time so many times as long.
_LOGGED, _RARER = 30.0, 1.5


class ProgressLine:
    """Shows a line on the standard error and clears it; several threads may share it."""

    def __init__(self, patience: float = _PATIENCE) -> None:
        self._next = time.monotonic() + patience
        self._shown = False
        self._lock = threading.Lock()
        self._begun = time.monotonic()
        self._loudness = find_loudness()
        self._logged = self._begun + (patience if self._loudness is Loudness.VERBOSE else _LOGGED)
        #: How much was done when it was first told: taken from a record, or nobody knows how fast.
        self._before: int | None = None

    def show(self, what: str, done: int, total: int) -> None:
        """Show the work under way, and how much of it is done."""
        if self._loudness is Loudness.QUIET:
            return
        with self._lock:
            now = time.monotonic()
            if self._before is None:
                self._before, self._begun = done, now
            if now >= self._next and sys.stderr.isatty():
                self._next, self._shown = now + _PAUSE, True
                end_life_sign()
                _write(_draw(what, done, total, self._tell_speed(now, done, total)))
            elif now >= self._logged and not sys.stderr.isatty():
                self._logged = now + (now - self._begun) * (_RARER - 1)
                told = ", ".join(filter(None, [f"{what} {done} of {total}", self._tell_speed(now, done, total)]))
                print(told, file=sys.stderr, flush=True)

    def _tell_speed(self, now: float, done: int, total: int) -> str:
        """Return how much is done in a second and how long the rest will take, once something has been done."""
        more, took = done - (self._before or 0), now - self._begun
        if more <= 0 or took <= 0:
            return ""
        rate = more / took
        return f"{_write_rate(rate)}, {write_time((total - done) / rate)} left"

    def clear(self) -> None:
        """Clear the line, so that other text can follow."""
        with self._lock:
            if self._shown:
                self._shown = False
                _write("")


def _write_rate(rate: float) -> str:
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"


def _write(line: str) -> None:
    print(f"{_EMPTY_LINE}{line}", end="", file=sys.stderr, flush=True)


def _draw(what: str, done: int, total: int, speed: str) -> str:
    """Return the line, as wide and as colourful as the terminal allows."""
    # Only whoever waits this long needs them.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress_bar import ProgressBar  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    row = Table.grid(padding=(0, 1))
    row.add_column(no_wrap=True, overflow="ellipsis")
    row.add_column(max_width=_BAR)
    row.add_column(no_wrap=True)
    told = [Text(f"{done} of {total}")]
    if speed:
        row.add_column(no_wrap=True)
        told.append(Text(speed, style="dim"))
    row.add_row(Text(what), ProgressBar(total, done), *told)
    console = Console(file=sys.stderr)
    with console.capture() as caught:
        console.print(row)
    return caught.get().rstrip("\n")
