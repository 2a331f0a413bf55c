"""Verifying a program: the scenarios of what it declares, judged under the readings it declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from brou import BrouError, Choice, Unknown, book, catalogue
from brou.errors import Fault, Unusable
from brou.library import with_readings
from brou_conformance.child import Failure
from brou_conformance.corpus import applying, scenarios
from brou_conformance.judge import Terms, Unsent, judge
from brou_conformance.protocol import Message
from brou_conformance.scenario import Scenario
from brou_conformance.script import Script, project, spell
from brou_conformance.session import Hello, Session
from brou_conformance.verdict import Case, Run

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a program's declarations is verified, and with which data."""

    game: str = ""
    edition: str = ""
    #: Only scenarios whose id, title or clauses contain this.
    text: str = ""
    corpus: Path | None = None
    data: Path | None = None

    def picks(self, scenario: Scenario) -> bool:
        """Say whether a scenario is wanted."""
        return any(self.text in words for words in (scenario.id, scenario.title, *scenario.clauses))


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one verification found; all outputs are made from it."""

    engine: Mapping[str, str]
    runs: tuple[Run, ...]
    #: Declared and not judged, and why.
    notes: tuple[str, ...] = ()
    #: Why the program could not be used, if so.
    unusable: Failure | None = None


def verify(session: Session, selection: Selection | None = None, progress: Progress | None = None) -> Report:
    """Judge a program by every scenario of what it declares."""
    wanted = selection or Selection()
    hello = session.hello()
    if isinstance(hello, Failure):
        return Report({}, (), unusable=hello)
    notes: list[str] = []
    played = dict.fromkeys((game, edition) for game, edition, _ in _judged(hello, wanted, notes))
    plans = [_planned(hello, game, edition, wanted) for game, edition in played]
    if wanted.text and not any(plan.discovered for plan in plans):
        raise Unknown("scenario", wanted.text, _some_ids(played, wanted))
    plans = [plan for plan in plans if plan.discovered or not wanted.text]
    total, done = sum(len(plan.scripts) for plan in plans), 0
    runs = []
    for plan in plans:
        cases = []
        for script in plan.scripts:
            cases.append(_judge(session, hello, script, wanted))
            done += 1
            if progress:
                progress(done, total)
        runs.append(plan.run(hello, cases))
    return Report(hello.engine, tuple(runs), tuple(notes), session.unusable)


def _some_ids(played: Iterable[tuple[str, str]], wanted: Selection) -> list[str]:
    ids = [scenario.id for game, _ in played for scenario in scenarios(game, wanted.corpus)]
    return [*ids[:3], f"... ({len(ids)} in all; `brou corpus list` shows them)"]


# What is judged ---------------------------------------------------------------


def _judged(hello: Hello, wanted: Selection, notes: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield game, edition and set-up of what the program declares, we know, and the selection wants."""
    known = catalogue(wanted.data)
    declared = [f"{game}@{edition}:{setup}" for game, edition, setup in hello.plays]
    if wanted.game and wanted.game not in known:
        raise Unknown("game", wanted.game, known)
    chosen = [
        play
        for play in hello.plays
        if wanted.game in ("", play[0]) and wanted.edition in ("", play[1], f"{play[0]}@{play[1]}")
    ]
    if not chosen:
        name = "@".join(part for part in (wanted.game, wanted.edition) if part)
        raise Unknown("declaration of the program", name, declared)
    for game, edition, setup in chosen:
        if game not in known:
            notes.append(f"it plays {game}, which we do not know")
        elif edition not in book(game, wanted.data).editions:
            notes.append(f"it plays {game}@{edition}; known are {', '.join(book(game, wanted.data).editions)}")
        elif setup not in book(game, wanted.data).editions[edition].setups:
            setups = ", ".join(book(game, wanted.data).editions[edition].setups)
            notes.append(f"it plays {game}@{edition}:{setup}; known set-ups are {setups}")
        else:
            yield game, edition, setup


@dataclass(slots=True)
class _Plan:
    """One edition as it will be judged."""

    choice: Choice
    declared: frozenset[str]
    scripts: list[Script] = field(default_factory=list)
    left_out: int = 0
    #: Scenarios that apply, whether or not they could be spelt out.
    discovered: int = 0
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: What is impossible in the program's declaration.
    wrong: str = ""

    def run(self, hello: Hello, cases: Sequence[Case]) -> Run:
        choice = self.choice
        return Run(
            game=choice.game,
            edition=choice.edition,
            engine=hello.engine,
            readings=dict(choice.readings),
            declared=self.declared,
            cases=tuple(cases),
            discovered=self.discovered,
            left_out=self.left_out,
            notes=tuple(self.notes),
            faults=tuple(self.faults),
            wrong=self.wrong,
        )


def _planned(hello: Hello, game: str, edition: str, wanted: Selection) -> _Plan:
    setups = list(book(game, wanted.data).editions[edition].setups)
    plan = _declared(hello, Choice(game, edition, setups[0], ()), wanted)
    if plan.wrong:
        return plan
    found = [scenario for scenario in scenarios(game, wanted.corpus) if wanted.picks(scenario)]
    for setup in setups:
        if (game, edition, setup) not in hello.plays:
            continue
        for scenario in applying(found, edition, setup, first=setup == setups[0]):
            choice = _premised(scenario, Choice(game, edition, setup, plan.choice.readings), hello, wanted)
            if choice is None:
                plan.left_out += 1
                continue
            plan.discovered += 1
            try:
                plan.scripts.append(spell(scenario, choice, wanted.data))
            except Unusable as error:
                plan.faults += error.faults
    return plan


def _declared(hello: Hello, choice: Choice, wanted: Selection) -> _Plan:
    """Return an edition under the readings that the program declares for it, the edition's own for the rest."""
    declared = hello.readings.get(f"{choice.game}@{choice.edition}", {})
    usual = with_readings(choice, {}, wanted.data)
    known = {key: value for key, value in declared.items() if key in dict(usual.readings)}
    ignored = sorted(set(declared) - set(known))
    notes = (
        [f"it declares {', '.join(ignored)}, which {choice.game}@{choice.edition} does not leave open"]
        if ignored
        else []
    )
    try:
        chosen = with_readings(choice, known, wanted.data)
    except BrouError as error:
        return _Plan(usual, frozenset(), notes=notes, wrong=f"its readings cannot be followed: {error}")
    followed = dict(chosen.readings) if "readings" in hello.can else known
    return _Plan(chosen, frozenset(followed), notes=notes)


def _premised(scenario: Scenario, choice: Choice, hello: Hello, wanted: Selection) -> Choice | None:
    """Return the readings to judge a scenario under: the run's, or its premise if the program follows requests."""
    readings = dict(choice.readings)
    if all(readings.get(key) == value for key, value in scenario.premise.items()):
        return choice
    if "readings" not in hello.can:
        return None
    try:
        return with_readings(choice, scenario.premise, wanted.data)
    except BrouError:
        return None


# Judging ----------------------------------------------------------------------


def _judge(session: Session, hello: Hello, script: Script, wanted: Selection) -> Case:
    """Run one scenario and judge it."""
    projection = project(script, hello.can, wanted.data)
    answers: dict[int, Message | Unsent] = dict(projection.unsent)
    if projection.sent:
        request = script.request(projection.sent, readings="readings" in hello.can)
        answers |= dict(zip(projection.sent, session.run(request), strict=True))
    terms = Terms(script.readings, script.scenario.level, codes="codes" in hello.can)
    return Case(script, judge(script.steps, [answers[number] for number in range(len(script.steps))], terms))
