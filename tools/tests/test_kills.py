"""Whatever kills a long run in whatever moment: what was kept stays, nothing is done twice, and nobody is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

GAME = "brusquembille"
BROU = (sys.executable, "-P", "-m", "brou_tools.cli")
#: Marks the processes of a test, in their environment.
MARK = "BROU_KILLED"
#: How long a process may take to see that its parent is gone, at most; and how often it is looked.
LOOKS, PAUSE = 3000, 0.01

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs to see all processes")


@dataclass(frozen=True)
class Run:
    """A long run: its arguments with `{record}` or `{out}`, and what counts how far it has come."""

    name: str
    arguments: tuple[str, ...]
    #: So many kills are all of them, and so many a share of them.
    kills: int = 15
    share: int = 1


VERIFY = Run(
    "verify",
    (
        *("verify", "--game", GAME, "--jobs", "2", "--json", "--report", "{record}", "--resume"),
        *("--", *BROU, "serve", GAME),
    ),
)
SIMULATE = Run(
    "simulate",
    ("simulate", f"{GAME}:3", "-n", "64", "--jobs", "2", "--json", "--report", "{record}", "--resume"),
    kills=20,
)
MUTATE = Run("mutate", ("mutate", GAME, "-n", "6", "--jobs", "2", "--json", "--report", "{record}", "--resume"))
RULEBOOK = Run("rulebook", ("rulebook", GAME, "--lang", "all", "--format", "html", "-o", "{out}"), share=2)


@dataclass
class Place:
    """Where a run is begun, killed and begun again."""

    run: Run
    folder: Path

    @property
    def record(self) -> Path:
        """Return the file of the record."""
        return self.folder / "record"

    @property
    def out(self) -> Path:
        """Return the folder of the outputs."""
        return self.folder / "out"

    def begin(self) -> subprocess.Popen[str]:
        """Begin the run, or go on with it."""
        arguments = [one.format(record=self.record, out=self.out) for one in self.run.arguments]
        environment = {**os.environ, MARK: str(self.folder)}
        pipe = subprocess.PIPE
        return subprocess.Popen([*BROU, *arguments], stdout=pipe, stderr=pipe, text=True, env=environment)

    def finish(self) -> str:
        """Go on to the end, and return what is printed."""
        with self.begin() as process:
            said, error = process.communicate()
        assert process.returncode in (0, 1), error
        return said

    def killed(self, come: Callable[[], int], chance: Random) -> bool:
        """Begin and kill the run once it has come a little further; say whether it was still running."""
        goal = come() + chance.randrange(4)
        process = self.begin()
        while come() < goal and process.poll() is None:
            time.sleep(PAUSE)
        time.sleep(chance.random() / 4)
        process.kill()
        process.wait()
        self.wait_for_all()
        process.communicate()
        return process.returncode == -signal.SIGKILL

    def wait_for_all(self) -> None:
        """Wait until nobody is left of a run; fail if somebody goes on."""
        for _ in range(LOOKS):
            if not list(self.living()):
                return
            time.sleep(PAUSE)
        assert list(self.living()) == []

    def living(self) -> Iterator[str]:
        """Yield the command lines of the processes that bear the mark of this place."""
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if f"{MARK}={self.folder}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                    yield (folder / "cmdline").read_text(encoding="utf-8", errors="replace")

    def lines(self) -> list[dict[str, Any]]:
        """Return the lines of the record, which all are whole."""
        data = self.record.read_bytes() if self.record.exists() else b""
        assert data.endswith(b"\n") or not data
        return [json.loads(line) for line in data.splitlines()]

    def count_lines(self, kind: str) -> int:
        """Return how many lines of a kind a record has while it is written; the last one may not be whole yet."""
        data = self.record.read_bytes() if self.record.exists() else b""
        return sum(json.loads(line)["kind"] == kind for line in data.split(b"\n")[:-1])


def parts(place: Place, kind: str) -> dict[str, Any]:
    """Return the lines of the record that say what was done, by name; none may stand there twice."""
    lines = [line for line in place.lines() if line["kind"] == kind]
    named = {line["part"] if kind == "part" else f"{line['setup']} {line['id']}": line for line in lines}
    assert len(named) == len(lines)
    return named


def survive(run: Run, kind: str, kills: int, folder: Path) -> tuple[str, str]:
    """Kill a run so many times, and see that nothing is lost or doubled; return what it prints, and unbroken prints."""
    whole = Place(run, folder / "whole")
    whole.folder.mkdir()
    unbroken = whole.finish()
    chance, number, printed = Random(run.name), 0, ""
    while number < kills:
        place = Place(run, folder / f"broken-{number}")
        place.folder.mkdir()
        kept: dict[str, Any] = {}
        while number < kills:
            number += 1
            going = place.killed(lambda place=place: place.count_lines(kind), chance)  # type: ignore[misc]
            now = parts(place, kind)
            assert {name: now.get(name) for name in kept} == kept
            kept = now
            if not going or len(kept) == len(parts(whole, kind)):
                break
        printed = place.finish()
        done = parts(place, kind)
        assert {name: done.get(name) for name in kept} == kept
        assert done == parts(whole, kind)
        assert sorted(path.name for path in place.folder.iterdir()) == ["record"]
    return printed, unbroken


SHARES = [VERIFY.share, pytest.param(VERIFY.kills, marks=pytest.mark.thorough)]


@pytest.mark.slow
@pytest.mark.parametrize("kills", SHARES)
def test_a_verification_that_is_killed_goes_on(tmp_path: Path, kills: int) -> None:
    """Every case that was recorded stays, none is recorded twice, and the record ends as that of an unbroken run."""
    printed, unbroken = survive(VERIFY, "case", kills, tmp_path)

    after, whole = (json.loads(text)["runs"] for text in (printed, unbroken))
    assert [run.pop("not_asked_again") > 0 for run in after] == [run.pop("not_asked_again") == 0 for run in whole]
    assert after == whole


@pytest.mark.slow
@pytest.mark.parametrize("kills", [SIMULATE.share, pytest.param(SIMULATE.kills, marks=pytest.mark.thorough)])
def test_a_simulation_that_is_killed_goes_on(tmp_path: Path, kills: int) -> None:
    """Every part that was recorded stays, none is played again, and the document is that of an unbroken run."""
    printed, unbroken = survive(SIMULATE, "part", kills, tmp_path)

    assert printed == unbroken


@pytest.mark.thorough
def test_a_count_of_mutants_that_is_killed_goes_on(tmp_path: Path) -> None:
    """Every mutant that was recorded stays, none is asked again, and the document is that of an unbroken run."""
    printed, unbroken = survive(MUTATE, "part", MUTATE.kills, tmp_path)

    assert printed == unbroken


@pytest.mark.slow
@pytest.mark.parametrize("kills", [RULEBOOK.share, pytest.param(RULEBOOK.kills, marks=pytest.mark.thorough)])
def test_books_that_are_not_finished_leave_the_old_ones(tmp_path: Path, kills: int) -> None:
    """Each book is the old one or the new one, whole, and what is left beside them is gone after the next run."""
    place, chance = Place(RULEBOOK, tmp_path), Random(RULEBOOK.name)
    place.finish()
    books = {path.name: path.read_bytes() for path in place.out.iterdir()}
    assert len(books) > 1
    for _ in range(kills):
        for name in books:
            (place.out / name).write_bytes(b"old")
        place.killed(lambda: sum((place.out / name).read_bytes() != b"old" for name in books), chance)
        assert all((place.out / name).read_bytes() in (b"old", book) for name, book in books.items())
    place.finish()

    assert {path.name: path.read_bytes() for path in place.out.iterdir()} == books
