"""`brou check --watch`: the faults that each edit brings, and those that it mends.

Each look is a process of its own, for a process keeps the files of a game that it has read.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from brou import Project
from brou.games import PROJECT
from brou_tools.terminal.exits import Exit

#: Seconds between two looks at the files, and how long they have to be left alone before they are checked.
_PAUSE, _SETTLED = 0.3, 0.15
#: What a fault begins with: a file, a line and a column. Lines below it belong to it.
_FAULT = re.compile(r"(.+?):\d+:\d+: (.*)")
_WATCHED = (".yaml", ".yml", ".toml")
#: What the state of a file is: when it was written, and its size.
_Stamp = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Look:
    """What one run of `brou check` tells."""

    #: Each fault as it is printed, with the lines below it.
    faults: tuple[str, ...]
    #: Why nothing could be checked, if so.
    refusal: str = ""

    @property
    def is_fine(self) -> bool:
        """Say whether nothing is wrong."""
        return not self.faults and not self.refusal


def watch(project: Project, words: Sequence[str]) -> int:
    """Check now and after each edit, until interrupted; `words` are the arguments of `brou check`, without `--watch`.

    Return what `brou check` would end with for the files as they then are.
    """
    found = Look(())
    try:
        stamps = _list_stamps(project)
        found = _look(words)
        _print(_tell(found))
        while True:
            changed, stamps = _await_edit(project, stamps)
            before, found = found, _look(words)
            _print(_compare(changed, before, found))
    except KeyboardInterrupt:
        _print(["watched no longer"])
    return Exit.FINE if found.is_fine else Exit.FINDING


def _print(lines: Sequence[str]) -> None:
    print(*lines, sep="\n", flush=True)


def _look(words: Sequence[str]) -> Look:
    """Check in a process of its own, which an interrupt does not reach."""
    command = [sys.executable, "-P", "-m", "brou_tools.cli", "check", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, start_new_session=True)
    if done.returncode not in (Exit.FINE, Exit.FINDING):
        return Look((), done.stderr.strip())
    return Look(tuple(_split(done.stdout)))


def _split(printed: str) -> Iterator[str]:
    """Yield each fault with the lines below it."""
    fault: list[str] = []
    for line in printed.splitlines():
        if not line.startswith(" ") and fault:
            yield "\n".join(fault)
            fault = []
        fault.append(line)
    if fault:
        yield "\n".join(fault)


def _name(fault: str) -> tuple[str, ...]:
    """Return what makes a fault the same after an edit: its file and its words, wherever it is now."""
    found = _FAULT.match(fault)
    return found.groups() if found else (fault,)


def _tell(found: Look) -> list[str]:
    return [*found.faults, *([found.refusal] if found.refusal else []), _sum_up(found)]


def _sum_up(found: Look) -> str:
    if found.refusal:
        return "nothing can be checked; waiting for edits (Ctrl-C ends)"
    number = len(found.faults)
    told = "nothing is wrong" if not number else "1 fault" if number == 1 else f"{number} faults"
    return f"{told}; waiting for edits (Ctrl-C ends)"


def _compare(changed: Sequence[str], before: Look, now: Look) -> list[str]:
    """Return the faults that an edit brings, in full, those that it mends, in a line each, and how many are left."""
    had, has = Counter(map(_name, before.faults)), Counter(map(_name, now.faults))
    broken, mended = has - had, had - has
    lines = ["", f"{time.strftime('%H:%M:%S')} {', '.join(changed)}"]
    lines += [f"broken: {fault}" for fault in now.faults if _take(broken, _name(fault))]
    lines += [f"mended: {fault.splitlines()[0]}" for fault in before.faults if _take(mended, _name(fault))]
    if now.refusal:
        lines.append(now.refusal)
    return [*lines, _sum_up(now)]


def _take(left: Counter[tuple[str, ...]], name: tuple[str, ...]) -> bool:
    """Take one of a name off a count, if there is any."""
    if not left[name]:
        return False
    left[name] -= 1
    return True


# Files ----------------------------------------------------------------------------------------------------------------


def _list_stamps(project: Project) -> Mapping[Path, _Stamp]:
    """Return the state of every file that a check of the project may rest on."""
    found: dict[Path, _Stamp] = {}
    for folder in dict.fromkeys((project.data, project.scenarios)):
        for kind in ("games", "prelude", "") if folder == project.data else ("",):
            place = folder / kind
            files = place.glob("*") if folder == project.data and not kind else place.rglob("*")
            found.update((path, stamp) for path in files if path.suffix in _WATCHED and (stamp := _stamp(path)))
    own = project.home / PROJECT
    if stamp := _stamp(own):
        found[own] = stamp
    return found


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _await_edit(project: Project, stamps: Mapping[Path, _Stamp]) -> tuple[list[str], Mapping[Path, _Stamp]]:
    """Wait until files have changed and are then left alone; return their names and the state of all."""
    while (now := _list_stamps(project)) == stamps:
        time.sleep(_PAUSE)
    while True:
        time.sleep(_SETTLED)
        settled = _list_stamps(project)
        if settled == now:
            break
        now = settled
    changed = sorted(path for path in {*stamps, *now} if stamps.get(path) != now.get(path))
    home = project.home
    return [path.relative_to(home).as_posix() if path.is_relative_to(home) else str(path) for path in changed], now
