"""The summary of an edition: counted once, and the only thing that outputs are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Annotated

from brou import Choice, Crash, Folder, book, open_project
from brou.shapes import ABSENT, Limit, shape
from brou_conformance.fitting.behaviour import Behaviour
from brou_conformance.fitting.search import Root
from brou_conformance.judging.case import CaseReport, ShownReport
from brou_conformance.judging.judge import Status
from brou_conformance.judging.outcome import CaseOutcome
from brou_conformance.reports.sources import SourceReport, cite
from brou_conformance.scenarios.corpus import Corpus
from brou_conformance.smoke.hint import fails_from_the_start
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict


class CaseKind(StrEnum):
    """The kinds of cases in every output; each case is of one kind."""

    PASSED = "passed"
    FAILED = "failed"
    #: It fails, and is in the list of known failures.
    KNOWN = "known"
    #: Some of it was not asked, and nothing speaks against the program.
    UNJUDGED = "unjudged"
    #: There was no answer, or none of the protocol's form, or the suite broke down.
    ERROR = "errors"


#: What is told of a program that follows the edition but for readings that it declares.
DECLARED = "follows-declared"
#: And of one that follows it with readings that a table has agreed on.
AGREED = "follows-agreed"
#: What is told of a program that was not asked.
PLAYED = "follows-played"

_UNJUDGED = frozenset({Status.BEHIND, Status.UNSUPPORTED, Status.SKIP, Status.BLOCKED})
_PASSED = frozenset({Status.PASS, Status.READING})


def find_kind(status: Status, *, fails: bool, known: bool) -> CaseKind:
    """Return the kind of a case, by its worst step and whether it speaks against the program."""
    if fails:
        return CaseKind.KNOWN if known else CaseKind.FAILED
    if status in _UNJUDGED:
        return CaseKind.UNJUDGED
    return CaseKind.PASSED if status in _PASSED else CaseKind.ERROR


@shape(closed=True)
class Figures:
    """Numbers of cases of an edition, by kind."""

    cases: Annotated[int, Limit(minimum=0), "all cases"] = 0
    passed: Annotated[int, Limit(minimum=0), "cases that pass"] = 0
    failed: Annotated[int, Limit(minimum=0), "cases that fail and are not known failures"] = 0
    known: Annotated[int, Limit(minimum=0), "cases that fail and are in the list of known failures"] = 0
    unjudged: Annotated[int, Limit(minimum=0), "cases that were not asked completely, and do not fail"] = 0
    errors: Annotated[int, Limit(minimum=0), "cases without a valid answer, or that the suite could not judge"] = 0


@dataclass(frozen=True, slots=True)
class ToldCase:
    """A case as data, with where its clauses come from and the command that explains it; of a pass with neither."""

    report: CaseReport
    sources: Mapping[str, tuple[SourceReport, ...]] = field(default_factory=dict)
    command: str = ""


def expect_shown(case: ToldCase) -> ShownReport:
    """Return the step to look at of a case that fails, which has one."""
    if case.report.shown is ABSENT:
        raise Crash(f"{case.report.id} fails in no step")
    return case.report.shown


@dataclass(frozen=True, slots=True)
class Blamed:
    """A clause with failures: how many of its cases fail, and the one that shows it best."""

    clause: str
    failing: int
    total: int
    shown: CaseOutcome
    #: Whether the case breaks on what it is about, and nowhere earlier.
    direct: bool
    #: Its failing cases by the step to look at.
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToldRoot:
    """A change of the rules that explains failures, with the failing case that shows it soonest.

    That is one in which no other root shows, if there is any, else one that it explains by itself.
    """

    root: Root
    shown: CaseOutcome


@dataclass(frozen=True, slots=True)
class ToldBehaviour:
    """What a program does where no change of the rules explains it, with the failing case that shows it soonest."""

    behaviour: Behaviour
    shown: CaseOutcome


@dataclass(frozen=True)
class Summary:
    """The result of an edition; outputs take every figure and every case from here."""

    run: EditionRun
    #: Whether all clauses with failures are told, not only those that explain most.
    every: bool = False

    @property
    def data(self) -> Folder:
        """Return the folder of the rules, if it is not ours."""
        return self.run.tally.data

    @property
    def corpus(self) -> Corpus:
        """Return the folder of the scenarios, if it is not ours."""
        return self.run.tally.corpus

    @property
    def name(self) -> str:
        """Return the edition."""
        return f"{self.run.game}@{self.run.edition}"

    @property
    def program(self) -> str:
        """Return the name of the program, with its version."""
        return " ".join(self.run.engine[key] for key in ("name", "version") if key in self.run.engine)

    @cached_property
    def kinds(self) -> Mapping[int, CaseKind]:
        """Return the kind of each case that does not pass, by its number."""
        failing, known = {one.number for one in self.run.failing}, self.run.tally.known_failing
        return {
            one.number: find_kind(one.status, fails=one.number in failing, known=one.id in known)
            for one in self.run.outcomes
        }

    def kind(self, number: int) -> CaseKind:
        """Return the kind of a case."""
        return self.kinds.get(number, CaseKind.PASSED)

    @cached_property
    def figures(self) -> Figures:
        """Return how many cases there are of each kind."""
        counts = Counter(self.kinds.values())
        counts[CaseKind.PASSED] += self.run.tally.total - len(self.kinds)
        return Figures(cases=self.run.tally.total, **{kind.value: counts[kind] for kind in CaseKind})

    @property
    def told_verdict(self) -> str:
        """Return the verdict by its name in reports; one by other readings than the edition's has a name of its own."""
        verdict = self.run.verdict
        if verdict is not EditionVerdict.FOLLOWS:
            return verdict.value
        if self.run.played is not None:
            return PLAYED
        if not self.run.declared_otherwise:
            return verdict.value
        return AGREED if self.run.agreed & self.run.declared_otherwise.keys() else DECLARED

    @property
    def is_fine(self) -> bool:
        """Say whether nothing has to be looked at: it follows, or deviates as is known."""
        return self.run.as_known or (
            self.run.verdict in (EditionVerdict.FOLLOWS, EditionVerdict.FOLLOWS_READINGS) and not self.run.surprising
        )

    @property
    def suspects_adapter(self) -> bool:
        """Say whether the adapter should be examined before any rule; known failures are no reason."""
        return not self.run.as_known and fails_from_the_start(self.run)

    @cached_property
    def blamed(self) -> tuple[Blamed, ...]:
        """Return the clauses that best explain the failures, or all with failures, the most suspect first."""
        best = [blame.clause for blame in self.run.blamed]
        cited = Counter(clause for case in self.run.failing for clause in case.clauses)
        others = sorted(cited.keys() - set(best), key=lambda clause: (-cited[clause], clause)) if self.every else []
        return tuple(self._blame(clause) for clause in [*best, *others])

    def _blame(self, clause: str) -> Blamed:
        cases = sorted((case for case in self.run.failing if clause in case.clauses), key=CaseOutcome.order)
        shown = min(cases, key=lambda case: (not case.named, case.clauses.index(clause), *case.order()))
        passing = self.run.tally.passing.counts.get(clause, 0)
        return Blamed(clause, len(cases), len(cases) + passing, shown, shown.named, tuple(one.step for one in cases))

    @cached_property
    def roots(self) -> tuple[ToldRoot, ...]:
        """Return the changes of the rules that explain failures, each with the case that shows it best."""
        return tuple(self._show_root(root) for root in self.run.explanation.roots)

    def _show_root(self, root: Root) -> ToldRoot:
        return ToldRoot(root, self._find_smallest(root.untouched or root.alone or root.explains))

    @cached_property
    def behaviours(self) -> tuple[ToldBehaviour, ...]:
        """Return what the program does where no change explains it, each with the case that shows it soonest."""
        found = self.run.explanation.behaviours
        return tuple(ToldBehaviour(one, self._find_smallest(one.cases)) for one in found)

    def _find_smallest(self, numbers: Sequence[int]) -> CaseOutcome:
        wanted = set(numbers)
        return min((case for case in self.run.failing if case.number in wanted), key=CaseOutcome.order)

    @cached_property
    def explained(self) -> frozenset[int]:
        """Return the failing cases that roots explain."""
        return frozenset(number for one in self.run.explanation.roots for number in one.explains)

    @cached_property
    def suspects(self) -> tuple[Blamed, ...]:
        """Return the blamed clauses with a failing case that no root explains, or all of them."""
        left = {clause for case in self.run.failing if case.number not in self.explained for clause in case.clauses}
        return tuple(one for one in self.blamed if self.every or one.clause in left)

    @property
    def otherwise_read(self) -> tuple[tuple[str, str], ...]:
        """Return the readings that the edition was judged under and does not have itself."""
        own = book(self.run.game, self.data).editions[self.run.edition].readings
        return tuple((key, value) for key, value in self.run.readings.items() if own.get(key) != value)

    def rest(self) -> dict[str, list[CaseOutcome]]:
        """Return the failing cases that the report does not show, by topic."""
        told = {blame.clause for blame in self.suspects}
        topics: dict[str, list[CaseOutcome]] = {}
        for case in self.run.failing:
            if told.isdisjoint(case.clauses) and (self.every or case.number not in self.explained):
                topics.setdefault(case.clauses[0].rpartition(".")[0], []).append(case)
        return dict(sorted(topics.items()))

    # Cases ------------------------------------------------------------------

    def case(self, outcome: CaseOutcome) -> ToldCase:
        """Return a case that does not pass with all that is needed to understand it alone."""
        return self.complete(self.run.describe(outcome))

    def complete(self, case: CaseReport) -> ToldCase:
        """Return a case as data with where its clauses come from and the command that explains it."""
        if case.shown is ABSENT:
            return ToldCase(case)
        sources = {clause: cite(self.run.game, clause, self.data, self.run.tally.texts) for clause in case.clauses}
        command = "" if self.run.played else self._command(case.setup, case.shown.step)
        return ToldCase(case, sources, command)

    def choice(self, setup: str) -> Choice:
        """Return the rules that the cases of a set-up were judged by."""
        readings = tuple(sorted(self.run.readings.items()))
        return Choice(self.run.game, self.run.edition, setup, readings, open_project(self.data))

    def _command(self, setup: str, step: str) -> str:
        """Return the command that explains the step to look at, by the rules that it was judged by."""
        known = book(self.run.game, self.data).editions
        own = known[self.run.edition]
        usual = (next(iter(known)), next(iter(own.setups)))
        others = [f"{key}={value}" for key, value in self.otherwise_read]
        command = f"brou explain {step}"
        if (self.run.edition, setup) == usual and not others:
            return command
        named = f"{self.name}:{setup}" + (f"[{','.join(others)}]" if others else "")
        return f"{command} --rules '{named}'"

    def cases(self) -> Iterator[tuple[CaseKind, ToldCase]]:
        """Yield every case in the order of the corpus, with its kind."""
        for number, case in enumerate(self.run.cases):
            kind = self.kind(number)
            yield kind, ToldCase(case) if kind is CaseKind.PASSED else self.complete(case)

    def failures(self) -> Iterator[tuple[CaseKind, ToldCase]]:
        """Yield the cases that speak against the program, with all that is needed to understand each alone."""
        for outcome in self.run.failing:
            yield self.kinds[outcome.number], self.case(outcome)


def summarise(runs: Sequence[EditionRun], *, every: bool = False) -> tuple[Summary, ...]:
    """Return the summary of each edition."""
    return tuple(Summary(run, every) for run in runs)
