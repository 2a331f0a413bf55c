"""`brou fmt`: writes chapter files in the one form, or tells the changes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import chain
from pathlib import Path

from brou import Fault, Malformed
from brou.atomic import expect, put
from brou_tools.fmt.files import FormattedFile, format_file, list_chapter_files
from brou_tools.fmt.options import FmtOptions
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit


def run(options: FmtOptions) -> int:
    """Write the named files in their one form; if one of them is at fault, write none."""
    found = list(_format_all([Path(one) for one in options.paths] or [options.project.data]))
    conclude(f"read {count(len(found), 'file')}")
    changed = [one for one in found if one.is_changed]
    if options.diff:
        print("".join(_compare(changed)), end="")
        print(_count_up(changed, len(found), would=True), file=sys.stderr)
    elif options.check_only:
        for one in changed:
            print(f"Would reformat: {one.path}")
        print(_count_up(changed, len(found), would=True))
    else:
        _write(changed)
        print(_count_up(changed, len(found), would=False))
        return Exit.FINE
    return Exit.FINDING if changed else Exit.FINE


def _format_all(named: Sequence[Path]) -> Iterator[FormattedFile]:
    """Yield each file once; raise the faults of all files together."""
    faults: list[Fault] = []
    for path in dict.fromkeys(chain.from_iterable(map(list_chapter_files, named))):
        try:
            yield format_file(path)
        except Malformed as error:
            faults += error.faults
    if faults:
        raise Malformed(faults)


def _write(changed: Sequence[FormattedFile]) -> None:
    for one in changed:
        expect(one.path)
    for one in changed:
        put(one.path, one.new)


def _compare(changed: Sequence[FormattedFile]) -> Iterator[str]:
    for one in changed:
        old = one.old.decode().splitlines(keepends=True)
        for line in unified_diff(old, one.new.splitlines(keepends=True), str(one.path), str(one.path)):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _count_up(changed: Sequence[FormattedFile], whole: int, *, would: bool) -> str:
    """Return how many files there are of either kind, as `ruff format` tells it."""
    done, left = ("would be reformatted", "already formatted") if would else ("reformatted", "left unchanged")
    parts = ((len(changed), done), (whole - len(changed), left))
    return ", ".join(f"{count} file{'' if count == 1 else 's'} {what}" for count, what in parts if count) or "no files"
