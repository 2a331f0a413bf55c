"""Faultless programs under readings drawn at random: none may be accused, and what is said of readings must be true.

Each draw is an edition with some of its set-ups, a value for every reading,
and a program that plays so and declares all, a random half or none of its
readings. An accusation is traced to who is at fault: the program, if the
interpreter under the same readings answers otherwise; the scenario, if the
interpreter under the readings judged under is accused as well, which says that
it lacks a premise; else the runner, which judged under the wrong readings.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from agree import readings_of
from wrapped import NODE, greet, interpreter, javascript, python

from brou import BrouError, Choice, Impossible, book, catalogue, choose
from brou.chance import Chance
from brou.games.catalogue import with_readings
from brou.interpreter.dealing import begin
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Criteria, Status, judge
from brou_conformance.programs.session import Opener, Session
from brou_conformance.scenarios.corpus import applying, scenarios
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.script import Script, machine
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import RunObserver, verify

#: How many readings a program declares.
SHARES = ("all", "half", "none")
PROGRAMS = ("interpreter", "javascript", "python")
#: Readings that the JavaScript program can be switched to in the Brou games; in the others it follows all of them.
SWITCHES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "brouc": {
        "exception_scope": ("forced-only", "any-trump-play"),
        "announce_window": ("any-time", "own-turn", "after-own-trick"),
        "match_ticks": (),
    },
    "homme-de-brou": {
        "announce_window": ("after-own-trick", "any-time", "until-next-trick-complete"),
        "wrong_claim_erasure": ("gains-only", "whole-deal"),
        "match_parties": (),
    },
}
#: The editions that the example programs play.
PLAYED = {
    "javascript": ("brouc@2022", "brusquembille@1718", "hombre@danish", "homme-d-auvergne@1665",
                   "homme-d-auvergne@1718", "homme-d-auvergne@1725", "homme-de-brou@1802"),
    "python": ("brouc@2022", "homme-de-brou@1802"),
}  # fmt: skip


@dataclass(frozen=True)
class Draw:
    """A faultless program: what it plays and how, and which of its readings it declares."""

    number: int
    program: str
    share: str
    #: What it plays, a choice for each set-up.
    played: tuple[Choice, ...]
    #: Its readings, as far as they mean something in the edition.
    readings: Mapping[str, str]
    declared: frozenset[str]

    @property
    def edition(self) -> str:
        """Return game and edition."""
        return f"{self.played[0].game}@{self.played[0].edition}"

    @property
    def own(self) -> Mapping[str, str]:
        """Return the readings of the edition."""
        return book(self.played[0].game).editions[self.played[0].edition].readings

    def opener(self) -> Opener:
        """Return what starts the program."""
        game, edition = self.played[0].game, self.played[0].edition
        match self.program:
            case "interpreter":
                program = interpreter(self.played)
            case "javascript":
                followed = SWITCHES.get(game, self.readings)
                program = javascript(game, {key: self.readings[key] for key in followed})
            case _:
                program = python()
        plays = [{"game": game, "editions": [edition], "setups": [choice.setup for choice in self.played]}]
        declared = {key: self.readings[key] for key in sorted(self.declared)}
        return greet(program, plays=plays, readings={self.edition: declared} if declared else None)

    def __str__(self) -> str:
        setups = ",".join(choice.setup for choice in self.played)
        other = [
            f"{key}={value}{'' if key in self.declared else ' (undeclared)'}"
            for key, value in self.readings.items()
            if value != self.own[key]
        ]
        return f"{self.number}: {self.program} {self.edition}:{setups} [{', '.join(other)}], declares {self.share}"


def draw(seed: int, number: int) -> Draw:
    """Return a draw; programs, games and shares take their turns, so that every ninetieth draw has all the same."""
    chance = Chance((seed << 24) + number)
    program = PROGRAMS[number % 3] if NODE else "interpreter"
    share = SHARES[number // 3 % 3]
    games = [game for game in catalogue() if any(name.startswith(f"{game}@") for name in _played(program))]
    game = games[number // 9 % len(games)]
    name = chance.pick([name for name in _played(program) if name.startswith(f"{game}@")])
    setups = [choice.setup for choice in _with_scenarios(name)]
    if chance.below(2):
        setups = [chance.pick(setups)]
    readings = _readings(program, name, chance)
    played = tuple(with_readings(choose(f"{name}:{setup}"), readings, fitting=True) for setup in setups)
    keys = sorted(readings)
    declared = {"all": keys, "half": chance.shuffle(keys)[: len(keys) // 2], "none": []}[share]
    return Draw(number, program, share, played, readings, frozenset(declared))


def _played(program: str) -> tuple[str, ...]:
    everything = tuple(f"{game}@{edition}" for game in catalogue() for edition in book(game).editions)
    return PLAYED.get(program, everything)


def _with_scenarios(name: str) -> list[Choice]:
    """Return the set-ups of an edition that some scenario holds for."""
    game, edition = name.split("@")
    setups = list(book(game).editions[edition].setups)
    found = scenarios(game)
    return [choose(f"{name}:{setup}") for setup in setups if applying(found, edition, setup, first=setup == setups[0])]


def _readings(program: str, name: str, chance: Chance) -> dict[str, str]:
    """Return readings that a program can follow and the edition allows together."""
    choice = choose(name)
    own = dict(choice.readings)
    followed = own if program == "interpreter" else SWITCHES.get(choice.game, own) if program == "javascript" else {}
    while True:
        drawn = {**own, **{key: value for key, value in readings_of(choice, chance).items() if key in followed}}
        drawn |= {
            key: _number(choice, key, chance) for key, value in drawn.items() if value.isdigit() and value != own[key]
        }
        unknown = [key for key, values in _limits(program, choice.game) if drawn[key] not in values]
        if unknown:
            continue
        try:
            with_readings(choice, drawn, fitting=True)
        except Impossible:
            continue
        return drawn


def _number(choice: Choice, key: str, chance: Chance) -> str:
    """Return a number for a reading: a small one, one beside the edition's own, or any."""
    low, high, _ = book(choice.game).readings[key].number or (0, 0, "")
    own = int(dict(choice.readings)[key])
    near = [number for number in (own - 1, own + 1) if low <= number <= high]
    return str(chance.pick([low + chance.below(6), chance.pick(near), low + chance.below(high - low + 1)]))


def _limits(program: str, game: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    if program == "javascript":
        yield from ((key, values) for key, values in SWITCHES.get(game, {}).items() if values)


# Judged ---------------------------------------------------------------------------------------------------------------


@dataclass
class Found:
    """What was found of one program."""

    draw: str
    kind: tuple[str, str, str]
    verdict: str
    #: Each accusation: who is at fault, the step, what was said and what was wanted.
    accusations: list[tuple[str, str, str, str]] = field(default_factory=list)
    #: Undeclared readings other than the edition's: found, told to be open, and not told of.
    right: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    #: What is said of readings and not so.
    wrong: list[str] = field(default_factory=list)
    #: Why it was not judged.
    trouble: str = ""
    #: How many scenarios were asked, how many were left out since they are for other readings, and the steps asked.
    scenarios: int = 0
    left_out: int = 0
    asked: int = 0

    @property
    def fair(self) -> bool:
        """Say whether the program was judged, not accused, and nothing wrong was said of it."""
        return not (self.trouble or self.wrong) and self.verdict in {
            EditionVerdict.FOLLOWS,
            EditionVerdict.FOLLOWS_READINGS,
        }


class _Memory(RunObserver):
    """Remembers the cases that do not pass in the last pass."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def on_plan(self, name: str, total: int) -> None:  # noqa: ARG002 - as it is told
        """Begin anew."""
        self.cases.clear()

    def on_case(self, case: Case) -> None:
        """Keep a case."""
        if case.status is not Status.PASS:
            self.cases.append(case)


def examine(made: Draw, *, explains: bool = True) -> Found:
    """Verify a program, and compare what is found with what it is; what explains its failures may be left aside."""
    found = Found(str(made), (made.played[0].game, made.program, made.share), "")
    memory = _Memory()
    with Session(made.opener()) as session:
        report = verify(session, Selection(), memory, explains=explains)
    if report.unusable or len(report.runs) != 1:
        found.trouble = str(report.unusable or report.notes)
        return found
    (run,) = report.runs
    found.verdict, found.scenarios, found.left_out = run.verdict.value, run.discovered, run.left_out
    found.asked = run.asked
    if run.verdict in {EditionVerdict.ADAPTER, EditionVerdict.SUITE}:
        found.trouble = run.wrong or run.trace or str({key: count for key, count in run.counts.items() if count})
    found.accusations = [
        one for case in memory.cases if run.verdict is EditionVerdict.DEVIATES for one in _accusations(made, run, case)
    ]
    _compare(made, run, found)
    return found


def _compare(made: Draw, run: EditionRun, found: Found) -> None:
    """Note what is said of each undeclared reading."""
    for key, truth in made.readings.items():
        said = run.inferred.get(key)
        if said is None:
            if truth != made.own[key] and key not in made.declared:
                found.untold.append(key)
        elif _holds(truth, said.values):
            (found.right if said.values == (truth,) else found.open).append(key)
        elif any(_is_told(made, other) for other in said.instead):
            found.open.append(key)
        else:
            found.wrong.append(f"{key}={truth} taken for {'|'.join(said.values)}, instead {said.instead}")


def _holds(truth: str, values: tuple[str, ...]) -> bool:
    """Say whether a value is one of those told, of numbers whether it is within a range."""
    ranges = [value.split("..") for value in values if ".." in value]
    return truth in values or any(int(low) <= int(truth) <= int(high) for low, high in ranges)


def _is_told(made: Draw, other: str) -> bool:
    """Say whether another reading that may explain the same, `key=values`, is what the program reads otherwise."""
    key, _, values = other.partition("=")
    truth = made.readings[key]
    return key not in made.declared and truth != made.own[key] and _holds(truth, tuple(values.split("|")))


def _accusations(made: Draw, run: EditionRun, case: Case) -> Iterator[tuple[str, str, str, str]]:
    """Yield what a case holds against the program, each with who is at fault."""
    numbers = [number for number, one in enumerate(case.judgements) if one.status is Status.FAIL]
    if not numbers or case.scenario.id not in {outcome.id for outcome in run.failing}:
        return
    script = case.script
    truth = next(choice for choice in made.played if choice.setup == script.choice.setup)
    codes = made.program != "javascript"
    as_is, as_judged = (_failing(script, choice, codes=codes) for choice in (truth, script.choice))
    for number in numbers:
        one = case.judgements[number]
        fault = "program" if number not in as_is else "scenario" if number in as_judged else "runner"
        yield fault, case.step(number), one.said, one.wanted


def _failing(script: Script, choice: Choice, *, codes: bool) -> set[int]:
    """Return the steps that do not pass as the interpreter answers them under some rules."""
    try:
        player = machine(choice)
        state = begin(player, script.start)
    except BrouError:
        return set(range(len(script.steps)))
    answers: list[Any] = []
    for step in script.steps:
        answer, state = take(player, state, step.message)
        answers.append(answer)
    terms = Criteria(script.readings, script.scenario.level, codes)
    return {number for number, one in enumerate(judge(script.steps, answers, terms)) if one.status is not Status.PASS}


# The whole ------------------------------------------------------------------------------------------------------------


def summarise(results: Iterable[Found]) -> dict[tuple[str, ...], Counter[str]]:
    """Return counts by game, program and share, and of each of these alone."""
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for one in results:
        game, program, share = one.kind
        for key in ((game,), (program,), (f"declares {share}",), ("all",)):
            tally = counts.setdefault(key, Counter())
            tally["draws"] += 1
            tally["accused"] += one.verdict == EditionVerdict.DEVIATES
            tally["not judged"] += bool(one.trouble)
            for name in ("right", "open", "untold", "wrong"):
                tally[name] += len(getattr(one, name))
            for name in ("scenarios", "left_out", "asked"):
                tally[name] += getattr(one, name)
    return counts


def told(one: Found) -> str:
    """Return in some lines what is unfair about a verdict."""
    lines = [f"{one.draw}: {one.verdict or 'not judged'}"]
    lines += [f"  not judged: {one.trouble.strip().splitlines()[-1]}"] if one.trouble else []
    lines += [f"  wrong: {text}" for text in one.wrong]
    shown = one.accusations[:5]
    lines += [f"  [{fault}] {step}: {said} (wanted: {wanted})" for fault, step, said, wanted in shown]
    lines += [f"  ... and {len(one.accusations) - len(shown)} more"] if len(one.accusations) > len(shown) else []
    return "\n".join(lines)


def table(counts: Mapping[tuple[str, ...], Counter[str]]) -> str:
    """Return counts as a table."""
    columns = ("draws", "accused", "not judged", "right", "open", "untold", "wrong", "scenarios", "left_out", "asked")
    rows = [f"{'':<20}" + "".join(f"{name:>11}" for name in columns)]
    rows += [f"{key[0]:<20}" + "".join(f"{tally[name]:>11}" for name in columns) for key, tally in counts.items()]
    return "\n".join(rows)


def drawn_and_examined(seed: int, number: int) -> Found:
    """Return what is found of a draw."""
    return examine(draw(seed, number))


def main() -> int:
    """Judge as many programs as the command line asks for; 0 if all verdicts are fair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=300, dest="count", help="how many programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="*", help="these draws alone")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--report", help="a file for every finding, a JSON object a line")
    options = parser.parse_args()
    numbers = options.only or range(options.count)
    results: list[Found] = []
    with ProcessPoolExecutor(options.jobs) as pool, _report(options.report) as file:
        for one in pool.map(partial(drawn_and_examined, options.seed), numbers):
            results.append(one)
            file.write(f"{json.dumps(asdict(one))}\n")
            file.flush()
            if not one.fair:
                print(told(one), flush=True)
            if sys.stderr.isatty():
                print(f"\r{len(results)} of {len(numbers)}", end="", file=sys.stderr, flush=True)
    print(table(summarise(results)))
    faults = Counter(fault for one in results for fault, *_ in one.accusations)
    print(f"accusations by who is at fault: {dict(faults)}")
    return 0 if all(one.fair for one in results) else 1


def _report(path: str | None) -> TextIO:
    """Return where findings are written as they come."""
    return Path(path or os.devnull).open("w", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
