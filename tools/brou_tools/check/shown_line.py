"""The line of a file that a fault is about, with a mark below the place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from brou import (
    Fault,
    escape,
    keep_until_changed,
)
from brou.atomic import read_named

#: What may be shown; the texts of sources are never quoted.
_SHOWN = (".yaml", ".yml", ".toml")
#: So many columns of a long line are shown, and so many of them before the mark.
_WIDEST, _BEFORE = 100, 40
#: How many bytes of a file are looked at.
_LONGEST = 1 << 20
#: What a message quotes.
_QUOTED = re.compile(r"'([^']+)'|`([^`]+)`")
_WORD = re.compile(r"[\w.-]+|\S")


def show_line(fault: Fault, folders: Sequence[Path]) -> list[str]:
    """Return the line that a fault is about and a line that marks the place in it; nothing where it has none.

    Files are looked for below the folders, and only there: a link that leads out of them is not followed.
    """
    lines = next((found for folder in folders if (found := _read_lines(fault.place.file, folder))), ())
    if not 0 < fault.place.line <= len(lines):
        return []
    number, column, length = _find_mark(fault, lines)
    line = lines[number - 1].rstrip()
    if not line.strip():
        return []
    cut = max(0, column - 1 - _BEFORE) if len(line) > _WIDEST else 0
    end = min(column - 1 + length, cut + _WIDEST)
    before, marked = escape(line[cut : column - 1]), escape(line[column - 1 : end])
    shown = f"{before}{marked}{escape(line[end : cut + _WIDEST])}"
    head = f"{number:>6} | "
    return [f"{head}{shown}", f"{' ' * (len(head) - 2)}| {' ' * len(before)}{'^' * max(len(marked), 1)}"]


def _find_mark(fault: Fault, lines: Sequence[str]) -> tuple[int, int, int]:
    """Return the line, the column and the length of what a fault is about.

    That is what its message quotes, if it is there from the place of the fault on, in the entry that begins there.
    """
    number, column = fault.place.line, fault.place.column
    first = lines[number - 1]
    quoted = [re.escape(one or two) for one, two in _QUOTED.findall(fault.what)]
    # A hyphen is part of a name, or it is the minus sign that a name was broken at.
    patterns = [rf"(?<![\w-]){one}(?![\w-])" for one in quoted] + [rf"(?<!\w){one}(?!\w)" for one in quoted]
    for exact in map(re.compile, patterns):
        if found := exact.search(first, column - 1):
            return number, found.start() + 1, len(found[0])
        for below in range(number, len(lines)):
            line = lines[below]
            if line.strip() and len(line) - len(line.lstrip()) < column - 1:
                break
            if found := exact.search(line):
                return below + 1, found.start() + 1, len(found[0])
    word = _WORD.match(first, column - 1)
    return number, column, len(word[0]) if word else 1


@keep_until_changed(maxsize=16)
def _read_lines(name: str, folder: Path) -> tuple[str, ...]:
    path = folder / name
    try:
        if path.suffix not in _SHOWN or not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
            return ()
        return tuple(read_named(path, 0, _LONGEST).decode().split("\n"))
    except (OSError, RuntimeError, ValueError):  # a link may lead in a circle
        return ()
