"""One line on a terminal that tells how far a long run has come; where nobody looks, there is none."""

from __future__ import annotations

import sys
import threading
import time

#: Nothing is shown of a run that takes no longer than this, and nothing more often than that, in seconds.
_PATIENCE, _PAUSE = 2.0, 0.1
#: Columns of the bar.
_BAR = 30
_EMPTY_LINE = "\r\033[K"


class ProgressLine:
    """Shows a line on the standard error and clears it; several threads may share it."""

    def __init__(self, patience: float = _PATIENCE) -> None:
        self._next = time.monotonic() + patience
        self._shown = False
        self._lock = threading.Lock()

    def show(self, what: str, done: int, total: int) -> None:
        """Show the work under way, and how much of it is done."""
        with self._lock:
            now = time.monotonic()
            if now >= self._next and sys.stderr.isatty():
                self._next, self._shown = now + _PAUSE, True
                _write(_draw(what, done, total))

    def clear(self) -> None:
        """Clear the line, so that other text can follow."""
        with self._lock:
            if self._shown:
                self._shown = False
                _write("")


def _write(line: str) -> None:
    print(f"{_EMPTY_LINE}{line}", end="", file=sys.stderr, flush=True)


def _draw(what: str, done: int, total: int) -> str:
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
    row.add_row(Text(what), ProgressBar(total, done), Text(f"{done} of {total}"))
    console = Console(file=sys.stderr)
    with console.capture() as caught:
        console.print(row)
    return caught.get().rstrip("\n")
