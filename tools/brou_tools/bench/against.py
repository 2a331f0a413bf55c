"""How many times as many cards a second this version plays as that of a commit: both in turn, each in its process."""

from __future__ import annotations

import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NotRequired, TypedDict

from brou import Crash, Impossible, root
from brou_tools.bench import loop as bench_loop

#: How often both play, in turn; the median counts.
ROUNDS = 7
#: Decisions of a round.
DECISIONS = 6_000
#: The ways of playing, as `bench.loop` calls them, and what they are.
WAYS = {
    "alike": "random play, every act alike",
    "cards": "random play, cards alone",
    "conduct": "random play, sensible beginners",
}
#: The rooms that a version is made of.
_ROOMS = ("reference", "conformance", "tools")


@dataclass(frozen=True, slots=True)
class Compared:
    """Cards a second by way: the median of the ratios of all rounds, the least and the greatest, and both rates."""

    way: str
    ratio: float
    least: float
    greatest: float
    before: float
    now: float
    #: Whether both played the same matches.
    same: bool


def checkout() -> Path:
    """Return the folder that this version lies in; raise `Impossible` where it is no checkout."""
    found = root().parent
    if not all((found / room).is_dir() for room in _ROOMS):
        raise Impossible("versions are compared from a checkout of the repository, and this is none")
    return found


@contextmanager
def extract_commit(commit: str, repository: Path) -> Iterator[Path]:
    """Hand over the files of a commit in a folder that is there as long as it is needed."""
    command = ["git", "-C", str(repository), "archive", "--format=tar", commit, "--", *_ROOMS, "spec"]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        raise Impossible("versions are compared with the help of git, which is not there") from None
    if done.returncode:
        raise Impossible(f"{commit}: {done.stderr.decode(errors='replace').strip()}")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as files:
            # Python before 3.11.4 has no such filter.
            files.extraction_filter = getattr(tarfile, "data_filter", None)
            files.extractall(folder)  # noqa: S202 - the repository that it is asked of
        yield Path(folder)


def compare(
    game: str, before: Path, now: Path, *, rounds: int = ROUNDS, decisions: int = DECISIONS
) -> Iterator[Compared]:
    """Yield how two versions, each in a folder, compare in each way of playing a game."""
    for way in WAYS:
        with ExitStack() as stack:
            words = (bench_loop.__file__, game, way, str(decisions))
            sides = [(stack.enter_context(looping(folder, *words)), folder) for folder in (before, now)]
            pairs = [[_round(ask(*side)) for side in sides] for _ in range(rounds)]
        yield _summarise(way, pairs)


@dataclass(frozen=True, slots=True)
class _Round:
    """The work of one version in a round."""

    cards: int
    acts: int
    seconds: float

    @property
    def rate(self) -> float:
        """Return how many cards were played a second."""
        return self.cards / self.seconds


def _summarise(way: str, pairs: Sequence[Sequence[_Round]]) -> Compared:
    ratios = [now.rate / before.rate for before, now in pairs]
    before, now = (statistics.median(one.rate for one in side) for side in zip(*pairs, strict=True))
    same = all(one.acts == other.acts for one, other in pairs)
    return Compared(way, statistics.median(ratios), min(ratios), max(ratios), before, now, same)


def surroundings(folder: Path) -> dict[str, str]:
    """Return the environment in which Python finds the version in a folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(folder / room) for room in _ROOMS)}


@contextmanager
def looping(folder: Path, *script: str) -> Iterator[subprocess.Popen[str]]:
    """Hand over a process in which a version runs a script with its arguments; it works once for each line it gets."""
    command = [sys.executable, "-P", *script]
    with subprocess.Popen(
        command,
        env=surroundings(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            yield child
        finally:
            child.kill()


class LoopReport(TypedDict):
    """What a version says of one round of work; a later version may say more."""

    brou: str
    cards: int
    acts: int
    seconds: float
    #: Which mutants could be lowered, where that was the work.
    lowered: NotRequired[list[bool]]


def ask(loop: subprocess.Popen[str], folder: Path) -> LoopReport:
    """Return the report of a version on one round of work."""
    if loop.stdin is None or loop.stdout is None or loop.stderr is None:
        raise Crash("a child without pipes")
    with suppress(BrokenPipeError):
        loop.stdin.write("\n")
        loop.stdin.flush()
    said = loop.stdout.readline()
    if not said:
        raise Impossible(f"that version cannot do so: {(loop.stderr.read().splitlines() or ['it ended'])[-1]}")
    found: LoopReport = json.loads(said)
    if not Path(found["brou"]).is_relative_to(folder):
        raise Crash(f"{found['brou']} was to be found in {folder}")
    return found


def _round(said: LoopReport) -> _Round:
    return _Round(said["cards"], said["acts"], said["seconds"])
