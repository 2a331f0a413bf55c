"""`brou bench`: figures that are ratios or differences within one run, with the work compared before it is timed."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from brou import Choice, Crash, catalogue
from brou_conformance.programs.child import Child
from brou_conformance.programs.engine import Engine, choices
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message, encode
from brou_conformance.verdicts.asking import Inquiry
from brou_conformance.verdicts.plan import Selection, plans
from brou_conformance.verdicts.verdict import Run, Verdict
from brou_conformance.verdicts.verify import verify
from brou_tools.bench_engines import gains
from brou_tools.exits import Exit
from brou_tools.watching import Settling

#: How often each of two things is timed, in turn; the median counts.
_ROUNDS = 7
_WINDOW = 32
_MICRO = 1e6


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what was measured, on how much work, and what was hoped for."""

    game: str
    what: str
    value: float
    unit: str
    target: float
    work: str
    #: Whether more is better.
    more: bool = False

    @property
    def met(self) -> bool:
        """Say whether the hope came true."""
        return self.value >= self.target if self.more else self.value <= self.target


def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    found = [row for game in options.games or catalogue() for row in rows(game)]
    if options.json:
        games = sorted({row.game for row in found})
        entry = {game: [{**asdict(row), "met": row.met} for row in found if row.game == game] for game in games}
        print(json.dumps({"games": [{"game": game, "rows": entry[game]} for game in games]}))
    else:
        for row in found:
            mark = "" if row.met else "  (missed)"
            print(f"{row.game:20}{row.what:44}{row.value:10.2f} {row.unit:<10} target {row.target:g}{mark}  {row.work}")
    return Exit.FINE


def rows(game: str) -> Iterator[Row]:
    """Yield what is measured of a game."""
    for gain in gains(game):
        yield Row(game, gain.what, gain.value, "times", gain.target, gain.work, more=True)
    played = choices([game])
    requests = scripts(game)
    results = [Engine(played).answer({"op": "run", "id": 1, **request})["results"] for request in requests]
    steps = sum(len(request["steps"]) for request in requests)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "parrot"
        path.write_bytes(b"\n".join([_greeting(played), *(json.dumps(result).encode() for result in results)]))
        command = [sys.executable, "-m", "brou_tools.parrot", str(path)]
        raw, judged = [], []
        for _ in range(_ROUNDS):
            raw.append(echoed(command, requests))
            judged.append(verified(command, game, len(requests)))
    cost = (statistics.median(judged) - statistics.median(raw)) / steps * _MICRO
    yield Row(game, "runner's own cost over a raw echo", cost, "us/step", 20, f"{len(requests)} scripts, {steps} steps")
    yield Row(game, "whole corpus, a program that answers at once", statistics.median(judged), "s", 5, "planning apart")


def _greeting(played: Sequence[Choice]) -> bytes:
    """Return the reference engine's greeting without its braces, as a program that takes all in its own readings."""
    hello = Engine(played).answer({"op": "hello", "id": 1, "protocol": 1})
    body = {key: value for key, value in hello.items() if key not in ("id", "ok")}
    body["can"] = [ability for ability in body["can"] if ability != "why"]
    return encode({**body, "max_in_flight": _WINDOW}).strip()[1:-1]


def scripts(game: str) -> list[Message]:
    """Return the requests of all scenarios of a game, as they go to the reference engine."""
    hello = Hello.of(Engine(choices([game])).answer({"op": "hello", "id": 1, "protocol": 1}))
    found = [Inquiry.of(script, hello) for plan in plans(hello, Selection(game), []) for script in plan.scripts()]
    return [request for inquiry in found for request in inquiry.requests]


def echoed(command: Sequence[str], requests: Sequence[Message]) -> float:
    """Return the processor time of the bare exchange: lines out and in, as many under way as the runner has."""
    lines = [encode({"op": "run", "id": number, **request}) for number, request in enumerate(requests)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        if child.stdin is None or child.stdout is None:
            raise Crash("a child without pipes")
        child.stdin.write(b'{"op":"hello","id":0}\n')
        child.stdin.flush()
        child.stdout.readline()
        begun = time.process_time()
        for number in range(len(lines) + _WINDOW):
            if number < len(lines):
                os.write(child.stdin.fileno(), lines[number])
            if number >= _WINDOW:
                child.stdout.readline()
        took = time.process_time() - begun
        child.stdin.close()
    return took


class _Stopwatch(Settling):
    """Counts the time of this processor between the plan and the verdict of each edition; waiting costs nothing."""

    def __init__(self) -> None:
        self.took = 0.0
        self._begun = 0.0

    def planned(self, name: str, total: int) -> None:
        """Start."""
        super().planned(name, total)
        self._begun = time.process_time()

    def ended(self, run: Run) -> None:  # noqa: ARG002 - only the moment counts
        """Stop."""
        self.took += time.process_time() - self._begun


def verified(command: Sequence[str], game: str, scripts_asked: int) -> float:
    """Return the processor time from the first script to the last judgement; all of them must pass."""
    with Session(lambda: Child.start(command)) as session:
        hello = session.hello()
        if not isinstance(hello, Hello):
            raise Crash(hello.what)
        watch = _Stopwatch()
        report = verify(session, Selection(game), watch)
    passed = sum(run.counts["pass"] for run in report.runs)
    if {run.verdict for run in report.runs} != {Verdict.CONFORMS} or passed != scripts_asked:
        raise Crash(f"{passed} of {scripts_asked} cases pass: the figures would compare different work")
    return watch.took
