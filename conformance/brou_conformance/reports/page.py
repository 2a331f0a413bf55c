"""Pages of text for people: as wide as their terminal, and in colour where there is one."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

#: The width where there is no terminal, the least that is heeded, and the most, beyond which lines are hard to read.
USUAL, _LEAST, _MOST = 80, 40, 110
_STYLES = {"good": "32", "bad": "31", "aside": "33", "strong": "1"}


@dataclass(frozen=True, slots=True)
class Page:
    """How wide a text may be, and whether it may be in colour."""

    width: int = USUAL
    coloured: bool = False

    @classmethod
    def of(cls, stream: TextIO) -> Page:
        """Return the page that a stream is: `COLUMNS`, `NO_COLOR`, `FORCE_COLOR` and a `TERM` without colour count."""
        columns = shutil.get_terminal_size((USUAL, 1)).columns if stream.isatty() else _read_columns()
        forced, refused = os.environ.get("FORCE_COLOR"), os.environ.get("NO_COLOR")
        able = not refused and bool(forced or (stream.isatty() and os.environ.get("TERM") != "dumb"))
        return cls(max(_LEAST, min(columns, _MOST)), able)

    def wrap(self, text: str, indent: str = "", hanging: str | None = None) -> Iterator[str]:
        """Yield a text in lines; all but the first begin with `hanging`, which is the indent if it is not given."""
        rest = indent if hanging is None else hanging
        yield from textwrap.wrap(
            text,
            self.width,
            initial_indent=indent,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def paint(self, text: str, style: str) -> str:
        """Return a text in a style: `good`, `bad`, `aside` or `strong`."""
        return f"\033[{_STYLES[style]}m{text}\033[0m" if self.coloured and text else text


def _read_columns() -> int:
    """Return the value of `COLUMNS`, if it has one."""
    said = os.environ.get("COLUMNS", "")
    return int(said) if said.isascii() and said.isdecimal() and int(said) else USUAL
