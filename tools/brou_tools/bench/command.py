"""`brou bench`: figures that are ratios or differences within one run, with the work compared before it is timed."""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from brou import Choice, Crash, Folder, Impossible, Project, catalogue, choose, open_project
from brou.atomic import make_folder, put
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status
from brou_conformance.programs.child import Child
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message, encode
from brou_conformance.scenarios.script import Script
from brou_conformance.verdicts.desk import Desk
from brou_conformance.verdicts.inquiry import Inquiry
from brou_conformance.verdicts.plan import Selection, plans
from brou_conformance.verdicts.tally import Ledger, Tally
from brou_tools.bench.against import WAYS, Compared, checkout, compare, extract_commit
from brou_tools.bench.browser import browser_figures
from brou_tools.bench.engines import SkippedRow, gains
from brou_tools.bench.growth import SIZES, list_sizes, measure_growth
from brou_tools.bench.growth_page import write_files
from brou_tools.bench.kernel import compare_kernel
from brou_tools.bench.merging import measure_merging
from brou_tools.bench.native import native_gains
from brou_tools.bench.options import BenchOptions
from brou_tools.bench.patches import BROU, Share, check_against, mutants_against, shares
from brou_tools.bench.portable import portable_figures
from brou_tools.bench.start import starts
from brou_tools.documents.json_document import print_document
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit

#: How often each of two things is timed, in turn; the median counts.
_ROUNDS = 7
_WINDOW = 32
_MICRO = 1e6
#: How many seconds a step takes a slow program, and how many of its steps are asked.
_STEP = 0.002
_SLOW_STEPS = 1500


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One figure: the quantity measured, on how much work, and the target."""

    game: str
    what: str
    value: float | None
    unit: str
    target: float | None
    work: str
    #: Whether more is better.
    more: bool = False
    #: Why there is no figure, where there is none.
    skipped: str = ""

    @property
    def met(self) -> bool | None:
        """Say whether the hope came true; None where nothing was measured."""
        if self.value is None or self.target is None:
            return None
        return self.value >= self.target if self.more else self.value <= self.target


def run(options: BenchOptions) -> int:
    """Measure and print, or make the page of growth."""
    if options.growth is not None:
        return _measure_growth(options, Path(options.growth))
    found = list(_rows(options.games or catalogue(options.project), options.project, options.against))
    conclude(f"measured {count(len(found), 'figure')}")
    if options.json:
        games = sorted({row.game for row in found})
        entry = {game: [{**asdict(row), "met": row.met} for row in found if row.game == game] for game in games}
        print_document("bench", {"games": [{"game": game, "rows": entry[game]} for game in games]})
    else:
        for row in found:
            if row.value is None:
                print(f"{row.game:20}{row.what:44}   skipped: {row.skipped}")
                continue
            mark = "" if row.met else "  (missed)"
            print(f"{row.game:20}{row.what:44}{row.value:10.2f} {row.unit:<10} target {row.target:g}{mark}  {row.work}")
    return Exit.FINE


def _measure_growth(options: BenchOptions, folder: Path) -> int:
    """Measure how time and memory grow with the work, and write page, pictures and figures into a folder."""
    game = choose(options.games[0] if options.games else next(iter(catalogue()))).game
    curves = {name: list(measure_growth(game, name, list_sizes(name, options.largest))) for name in SIZES}
    make_folder(folder)
    for name, text in write_files(game, curves).items():
        put(folder / name, text)
    print(f"wrote {folder / 'index.md'}")
    return Exit.FINE


def _rows(games: Iterable[str], project: Project, against: str | None) -> Iterator[BenchRow]:
    """Yield the figures of games, or how they compare with those of a commit."""
    if against is None:
        for game in games:
            yield from rows(game, project)
        return
    if not project.is_house:
        raise Impossible("--against compares versions of Brou by its own games: leave out --data")
    now = checkout()
    with extract_commit(against, now) as before:
        for game in games:
            for one in compare(game, before, now):
                yield compared_row(game, one)
            yield _share_row(game, mutants_against(game, before, now))
        yield _share_row("all", check_against(before, now))


def compared_row(game: str, one: Compared) -> BenchRow:
    """Return how the cards a second of two versions compare; this one should be no slower."""
    spread = f"{one.least:.2f} to {one.greatest:.2f}, {one.before:,.0f} and now {one.now:,.0f} cards a second"
    matches = "the same matches" if one.same else "other matches"
    return BenchRow(game, WAYS[one.way], one.ratio, "times", 1, f"{spread}, {matches}", more=True)


def rows(game: str, folder: Folder = None) -> Iterator[BenchRow]:
    """Yield the figures of a game."""
    for gain in chain(gains(game, folder), native_gains(game, folder), compare_kernel(game, folder)):
        if isinstance(gain, SkippedRow):
            yield BenchRow(game, gain.what, None, "times", None, "", skipped=gain.reason)
            continue
        yield BenchRow(game, gain.what, gain.value, "times", gain.target, gain.work, more=True)
    for share in chain(starts(game, folder), shares(game, folder)):
        yield _share_row(game, share)
    yield replace(_share_row(game, measure_merging(game, folder)), unit="s")
    for one in chain(portable_figures(game, folder), browser_figures(game, folder)):
        if isinstance(one, SkippedRow):
            yield BenchRow(game, one.what, None, "ms", None, "", skipped=one.reason)
            continue
        yield BenchRow(game, one.what, one.value, one.unit, one.target, one.work)
    yield from runner_rows(game, folder)


def _share_row(game: str, share: Share) -> BenchRow:
    return BenchRow(game, share.what, share.value, "times", share.target, share.work)


def runner_rows(game: str, folder: Folder = None) -> Iterator[BenchRow]:
    """Yield the cost of the runner, beside a bare exchange and beside reading and writing the same lines."""
    played = choices([game], folder)
    requests = scripts(game, folder)
    replies = [ReferenceEngine(played).answer({"op": "run", "id": 1, **request}) for request in requests]
    steps = sum(len(request["steps"]) for request in requests)
    work = f"{len(requests)} scripts, {steps} steps"
    with tempfile.TemporaryDirectory() as room:
        path = Path(room) / "parrot"
        path.write_bytes(b"\n".join([_greeting(played), *map(_format_reply, requests, replies)]))
        command = [sys.executable, "-m", "brou_tools.bench.parrot", str(path)]
        whole = _select(game, folder)
        raw, judged, quick, coded = [], [], [], []
        for _ in range(_ROUNDS):
            raw.append(time_echo(command, requests))
            judged.append(time_judging([command], whole, requests).computing)
            quick.append(time_quick(command, game, folder))
            coded.append(time_coding(requests, replies))
        alone, shared = (
            time_judging([[*command, str(_STEP)]] * jobs, whole, requests, _SLOW_STEPS).waiting for jobs in (1, 2)
        )
    own = [(one - other) for one, other in zip(judged, raw, strict=True)]
    ratio = statistics.median(one / other for one, other in zip(own, coded, strict=True))
    yield BenchRow(game, "runner's own cost over a JSON round trip", ratio, "times", 1.6, work)
    yield BenchRow(
        game, "runner's own cost over a raw echo", statistics.median(own) / steps * _MICRO, "us/step", 20, work
    )
    yield BenchRow(
        game, "whole corpus, a program that answers at once", statistics.median(judged), "s", 5, "planning apart"
    )
    yield BenchRow(
        game, "quick run, a program that answers at once", statistics.median(quick), "s", 10, "all of it, on the clock"
    )
    slow = f"a program that takes {_STEP * 1000:g} ms a step, {_SLOW_STEPS} steps or more"
    yield BenchRow(game, "two jobs over one", alone / shared, "times", 1.8, slow, more=True)


def _format_reply(request: Message, reply: Message) -> bytes:
    """Return a parrot's reply to a request, as in its file."""
    asked = encode({"op": "run", "id": 1, **request}).partition(b',"game"')
    return b"\t".join([b'"game"' + asked[2].strip(), encode(reply["results"]).strip(), b"%d" % len(request["steps"])])


def _greeting(played: Sequence[Choice]) -> bytes:
    """Return the reference engine's greeting without its braces, as a program that takes all in its own readings."""
    hello = ReferenceEngine(played).answer({"op": "hello", "id": 1, "protocol": 1})
    body = {key: value for key, value in hello.items() if key not in ("id", "ok")}
    body["can"] = [ability for ability in body["can"] if ability != "why"]
    return encode({**body, "max_in_flight": _WINDOW}).strip()[1:-1]


def scripts(game: str, folder: Folder = None) -> list[Message]:
    """Return the requests of all scenarios of a game, as they go to the reference engine."""
    hello = Hello.of(ReferenceEngine(choices([game], folder)).answer({"op": "hello", "id": 1, "protocol": 1}))
    found = [Inquiry.of(script, hello) for plan in plans(hello, _select(game, folder), []) for script in plan.scripts()]
    return [request for inquiry in found for request in inquiry.requests]


def _select(game: str, folder: Folder) -> Selection:
    project = open_project(folder)
    return Selection(game, corpus=project, data=project)


def time_echo(command: Sequence[str], requests: Sequence[Message]) -> float:
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


def time_coding(requests: Sequence[Message], replies: Sequence[Message]) -> float:
    """Return the processor time of writing every request and reading every reply with the standard library."""
    asked = [{"op": "run", "id": number, **request} for number, request in enumerate(requests)]
    lines = [json.dumps(reply) for reply in replies]
    begun = time.process_time()
    for message in asked:
        json.dumps(message)
    for line in lines:
        json.loads(line)
    return time.process_time() - begun


@dataclass(frozen=True, slots=True)
class Took:
    """The time from the first script to the last judgement: of this processor, and on the clock."""

    computing: float
    waiting: float


def time_judging(
    commands: Sequence[Sequence[str]], wanted: Selection, requests: Sequence[Message], most: int | None = None
) -> Took:
    """Return how long the scripts take from question to judgement; all of them must pass.

    Each command is a copy of the program. `most` cuts the scripts off once they have so many steps.
    """
    with ExitStack() as stack:
        sessions = [stack.enter_context(Session(partial(Child.start, command))) for command in commands]
        hellos = [session.hello() for session in sessions]
        hello = hellos[0]
        if not isinstance(hello, Hello):
            raise Crash(hello.what)
        spelt = [script for plan in plans(hello, wanted, []) for script in plan.scripts()]
        chosen = list(_cut(spelt, most))
        gc.freeze()
        tally, ledger = Tally(), Ledger()

        def settle(number: int, case: Case) -> None:
            tally.add(number, case)
            ledger.keep(number, case)

        computing, waiting = time.process_time(), time.perf_counter()
        Desk(hello, sessions, {}).ask(iter(chosen), settle, len(chosen))
        took = Took(time.process_time() - computing, time.perf_counter() - waiting)
    passed = tally.counts[Status.PASS]
    expected = len(chosen) if most is not None else len(requests)
    if passed != expected:
        raise Crash(f"{passed} of {expected} cases pass: the figures would compare different work")
    return took


def time_quick(command: Sequence[str], game: str, folder: Folder = None) -> float:
    """Return how long a quick run takes on the clock, from the start of `brou` to its end; the program must pass."""
    project = open_project(folder)
    data = () if project.is_house else ("--data", str(project.home))
    run = [sys.executable, "-P", *BROU, "verify", "--quick", "--game", game, *data, "--", *command]
    begun = time.perf_counter()
    done = subprocess.run(run, capture_output=True, check=False)
    took = time.perf_counter() - begun
    if done.returncode:
        raise Crash(f"a quick run ended with {done.returncode}: {done.stdout.decode(errors='replace')}")
    return took


def _cut(scripts_: Sequence[Script], most: int | None) -> Iterator[Script]:
    """Yield scripts up to so many steps."""
    steps = 0
    for script in scripts_:
        if most is not None and steps >= most:
            return
        steps += len(script.steps)
        yield script
