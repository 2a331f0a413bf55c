"""Verifying a program: the scenarios of what it declares, judged under the readings it declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from brou import BrouError, Choice, Unknown, book, catalogue
from brou.errors import Fault, Unusable
from brou.shelf.library import with_readings
from brou_conformance.judging.case import Case, key
from brou_conformance.judging.judge import Status, Terms, Unsent, judge
from brou_conformance.likeness.families import Inquest, Leeway
from brou_conformance.likeness.pairs import Families, summed
from brou_conformance.programs.child import Failure
from brou_conformance.programs.project import Projection, heard, project
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.corpus import applying, files, scenarios
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import Script, spell, starts
from brou_conformance.verdicts.verdict import Run


class Watch:
    """Somebody who is told what happens while it happens; this one is not interested."""

    def begun(self, greeting: Message) -> None:
        """Take note of what the program says of itself."""

    def planned(self, name: str, total: int) -> None:
        """Take note that so many cases of one edition come now."""

    def judged(self, case: Case) -> None:
        """Take note of a case."""

    def varied(self) -> None:
        """Take note of a scenario whose variants have been asked."""

    def ended(self, run: Run) -> None:
        """Take note of an edition that is done."""

    def finished(self, report: Report) -> None:
        """Take note that this was all."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a program's declarations is verified, and with which data."""

    game: str = ""
    edition: str = ""
    #: Only scenarios whose id, title or clauses contain this.
    text: str = ""
    corpus: Path | None = None
    data: Path | None = None
    #: Scenarios of which it is known that they fail.
    known_failing: frozenset[str] = frozenset()
    #: Whether variants of the scenarios are asked beside them.
    families: bool = False

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


#: Answers of an earlier run by the key of their case.
Earlier = Mapping[str, Sequence[Message | Unsent]]


def verify(
    session: Session,
    selection: Selection | None = None,
    watch: Watch | None = None,
    *,
    helpers: Sequence[Session] = (),
    earlier: Earlier | None = None,
) -> Report:
    """Judge a program by every scenario of what it declares.

    Helpers are sessions with the same program that take a share of the work.
    """
    told = watch or Watch()
    desk = _Desk(session, helpers, selection or Selection(), earlier or {}, told)
    hello = session.hello()
    if isinstance(hello, Failure):
        report = Report({}, (), unusable=hello)
        told.finished(report)
        return report
    told.begun(session.greeting)
    notes: list[str] = []
    runs = []
    for plan in plans(hello, desk.wanted, notes):
        told.planned(f"{plan.choice.game}@{plan.choice.edition}", len(plan.scripts))
        run = plan.run(hello, desk.cases(hello, plan.scripts))
        runs.append(replace(run, families=desk.families(hello, plan, run)) if desk.wanted.families else run)
        told.ended(runs[-1])
    report = Report(hello.engine, tuple(runs), tuple(notes), session.unusable)
    told.finished(report)
    return report


def plans(hello: Hello, wanted: Selection, notes: list[str]) -> Iterator[Plan]:
    """Yield each edition as it will be judged; what is declared and cannot be is noted."""
    played = dict.fromkeys((game, edition) for game, edition, _ in _judged(hello, wanted, notes))
    if wanted.text and not any(wanted.picks(one) for game, _ in played for one in scenarios(game, wanted.corpus)):
        raise Unknown("scenario", wanted.text, _some_ids(played, wanted))
    for game, edition in played:
        plan = _planned(hello, game, edition, wanted)
        if plan.discovered or not wanted.text:
            yield plan


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
class Plan:
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
    known_failing: frozenset[str] = frozenset()

    def run(self, hello: Hello, cases: Sequence[Case]) -> Run:
        """Return the edition as it was judged."""
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
            known_failing=self.known_failing,
        )


def _planned(hello: Hello, game: str, edition: str, wanted: Selection) -> Plan:
    setups = list(book(game, wanted.data).editions[edition].setups)
    plan = _declared(hello, Choice(game, edition, setups[0], ()), wanted)
    plan.known_failing = wanted.known_failing
    if plan.wrong:
        return plan
    found = [scenario for scenario in scenarios(game, wanted.corpus) if wanted.picks(scenario)]
    for setup in setups:
        if (game, edition, setup) not in hello.plays:
            continue
        usual = with_readings(Choice(game, edition, setup, plan.choice.readings), {}, wanted.data, fitting=True)
        applies = applying(found, edition, setup, first=setup == setups[0])
        known = starts(applies, usual, files(game, wanted.corpus), wanted.data)
        for scenario in applies:
            choice = _premised(scenario, usual, hello, wanted)
            if choice is None:
                plan.left_out += 1
                continue
            plan.discovered += 1
            try:
                plan.scripts.append(spell(scenario, choice, wanted.data, known if choice == usual else None))
            except Unusable as error:
                plan.faults += error.faults
    return plan


def _declared(hello: Hello, choice: Choice, wanted: Selection) -> Plan:
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
        with_readings(choice, known, wanted.data, fitting=True)
    except BrouError as error:
        return Plan(usual, frozenset(), notes=notes, wrong=f"its readings cannot be followed: {error}")
    chosen = {**dict(usual.readings), **known}
    followed = chosen if "readings" in hello.can else known
    return Plan(replace(usual, readings=tuple(chosen.items())), frozenset(followed), notes=notes)


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


@dataclass(frozen=True, slots=True)
class _Desk:
    """Where scripts are asked and judged: the sessions that share the work, and what is known already."""

    session: Session
    helpers: Sequence[Session]
    wanted: Selection
    earlier: Earlier
    watch: Watch

    def families(self, hello: Hello, plan: Plan, run: Run) -> Families:
        """Return what the variants of the scripts of an edition come to, all its cases being judged."""
        leeway = Leeway.of(plan.choice, run.declared, run.followed, self.wanted.data)
        ask = partial(Inquiry.of, data=self.wanted.data)
        sessions = self._sessions(hello, plan.scripts)
        inquests = [Inquest(one, hello, leeway, ask, self.wanted.data, self.watch.varied) for one in sessions]
        if len(inquests) == 1:
            return inquests[0].families(plan.scripts)
        shares = [plan.scripts[number :: len(inquests)] for number in range(len(inquests))]
        with ThreadPoolExecutor(len(inquests)) as pool:
            return summed(pool.map(Inquest.families, inquests, shares))

    def _sessions(self, hello: Hello, scripts: Sequence[Script]) -> list[Session]:
        """Return the sessions that can take a share of some scripts."""
        return [one for one in (self.session, *self.helpers) if one.hello() == hello][: max(1, len(scripts))]

    def cases(self, hello: Hello, scripts: Sequence[Script]) -> list[Case]:
        """Return the cases of some scripts, in their order."""
        sessions = self._sessions(hello, scripts)
        shares = [scripts[number :: len(sessions)] for number in range(len(sessions))]
        if len(sessions) == 1:
            return self._share(hello, self.session, scripts)
        with ThreadPoolExecutor(len(sessions)) as pool:
            done = list(pool.map(lambda work: self._share(hello, *work), zip(sessions, shares, strict=True)))
        return [done[number % len(done)][number // len(done)] for number in range(len(scripts))]

    def _share(self, hello: Hello, session: Session, scripts: Sequence[Script]) -> list[Case]:
        """Return the cases of a share; those that fail are asked once more before they are told."""
        asked = [Inquiry.of(script, hello, self.wanted.data) for script in scripts]
        earlier = [self.earlier.get(one.key) if self.earlier else None for one in asked]
        fresh = [one for one, known in zip(asked, earlier, strict=True) if known is None]
        answers = session.runs(request for one in fresh for request in one.requests)
        cases = []
        for one, known in zip(asked, earlier, strict=True):
            cases.append(one.case(known if known is not None else one.gathered([next(answers) for _ in one.requests])))
            if cases[-1].status is not Status.FAIL:
                self.watch.judged(cases[-1])
        for number, one in enumerate(asked):
            if cases[number].status is Status.FAIL:
                cases[number] = one.confirmed(cases[number], session) if earlier[number] is None else cases[number]
                self.watch.judged(cases[number])
        return cases


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A script with what is asked of the program for it."""

    script: Script
    hello: Hello
    projection: Projection
    requests: tuple[Message, ...]

    @property
    def key(self) -> str:
        """Return what names script and requests by their content."""
        return key(self.script, self.requests)

    @classmethod
    def of(cls, script: Script, hello: Hello, data: Path | None = None) -> Inquiry:
        """Return what a program is asked for a script."""
        projection = project(script, hello, data)
        asked = partial(script.request, readings="readings" in hello.can)
        requests = tuple(asked(query.steps.values(), query.start) for query in projection.queries)
        return cls(script, hello, projection, requests)

    def gathered(self, replies: Sequence[Sequence[Message | Unsent]]) -> list[Message | Unsent]:
        """Return an answer for each step of the script from the replies to all requests."""
        found: dict[int, Message | Unsent] = dict(self.projection.unsent)
        for query, reply in zip(self.projection.queries, replies, strict=True):
            found |= zip(query.steps, reply, strict=True)
        return [heard(step, found[number]) for number, step in enumerate(self.script.steps)]

    def confirmed(self, case: Case, session: Session) -> Case:
        """Ask once more, and return the case without the answers that are other ones now."""
        if session.unusable is not None:
            return case
        first = [judgement.answer for judgement in case.judgements]
        again = self.gathered(list(session.runs(self.requests)))
        changed = Unsent(Status.PROTOCOL, "asked once more, it answers otherwise")
        same = [one if one == other else changed for one, other in zip(first, again, strict=True)]
        return replace(case, reason=self._reason(case, session)) if same == first else self.case(same)

    def _reason(self, case: Case, session: Session) -> str:
        """Return why the program took or refused the act that fails, if it can say so."""
        found = case.judgements[case.culprit]
        if "why" not in self.hello.can or found.step.verb != "act" or self.projection.apart:
            return ""
        sent = [self.script.steps[number] for number in self.projection.sent if number <= case.culprit]
        steps = [step.message for step in sent if step.verb == "act"]
        return session.why(self.script.request(steps, self.script.start, readings="readings" in self.hello.can))

    def case(self, answers: Sequence[Message | Unsent]) -> Case:
        """Judge the script by its answers."""
        can, level = self.hello.can, self.script.scenario.level
        terms = Terms(self.script.readings, level, "codes" in can, self.hello.acts, self.projection.apart)
        return Case(self.script, judge(self.script.steps, answers, terms), self.requests)
