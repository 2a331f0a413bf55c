"""Tallies, which count the cases of one edition as they come, and ledgers, which store each case."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from brou import Choice, Folder
from brou.shapes import Limit, shape
from brou_conformance.judging.answered import AnsweredScript
from brou_conformance.judging.case import Case, CaseReport, describe, describe_result
from brou_conformance.judging.diagnosis import Citations
from brou_conformance.judging.judge import Status, StepJudgement, Unsent
from brou_conformance.judging.outcome import CaseOutcome
from brou_conformance.scenarios.corpus import Corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import machine
from brou_conformance.scenarios.skills import SKILLS, StepKind, find_skill, name_kind


class Ledger:
    """Stores every case of an edition as data, by its number; this one holds cases that do not pass in memory.

    Of a passing case it stores that it passed: its requests and replies would take most of the time of a run to hold.
    """

    def __init__(self) -> None:
        self._cases: dict[int, Case | tuple[Scenario, Choice]] = {}

    def keep(self, number: int, case: Case) -> None:
        """Keep a case."""
        self._cases[number] = case if case.status is not Status.PASS else (case.scenario, case.script.choice)

    def fetch(self, number: int) -> CaseReport:
        """Return a stored case."""
        case = self._cases[number]
        return describe(case) if isinstance(case, Case) else describe_result(*case, Status.PASS)

    def __iter__(self) -> Iterator[CaseReport]:
        """Yield all cases in the order of their numbers."""
        for number in sorted(self._cases):
            yield self.fetch(number)


@shape(closed=True, frozen=False)
class SkillCount:
    """Counts the steps that need a skill: asked, answered wrongly, unasked, and behind.

    An unasked step is one that the program cannot or did not take; its own answers made a step behind unreachable.
    """

    asked: Annotated[int, Limit(minimum=0), "steps that were asked"] = 0
    wrong: Annotated[int, Limit(minimum=0), "steps that were asked and answered wrongly"] = 0
    unasked: Annotated[int, Limit(minimum=0), "steps that the program cannot or did not take"] = 0
    behind: Annotated[int, Limit(minimum=0), "steps that could not be reached because of the program's own answers"] = 0

    def add(self, status: Status, count: int = 1) -> None:
        """Count steps of one status."""
        if status in (Status.UNSUPPORTED, Status.SKIP):
            self.unasked += count
        elif status in (Status.BEHIND, Status.BLOCKED):
            self.behind += count
        else:
            self.asked += count
            self.wrong += count * (status not in (Status.PASS, Status.READING))


@dataclass(slots=True)
class _AskedSteps:
    """The steps of a set-up, counted by their kind; skills are looked up when somebody asks for them."""

    #: Rules of the set-up: they say which skill an act needs.
    choice: Choice
    #: Steps of cases that pass.
    passed: Counter[StepKind] = field(default_factory=Counter)
    #: Steps of all other cases, with their status.
    judged: Counter[tuple[Status, StepKind]] = field(default_factory=Counter)


@dataclass(slots=True)
class Witnesses:
    """The evidence on one reading: how often answers fit each set of its values, and where they do."""

    #: By the values that an answer fits, and the acts that it shows only by not taking or offering them.
    counts: Counter[tuple[frozenset[str], frozenset[str]]] = field(default_factory=Counter)
    #: Some cases that pass, each with the values that its answers fit.
    passing: list[tuple[frozenset[str], AnsweredScript]] = field(default_factory=list)
    #: Some steps whose answers fit some values.
    shown: dict[frozenset[str], list[str]] = field(default_factory=dict)
    #: How many answers fit no value.
    baffling: int = 0


#: Judgements of answers that say something of a reading, also where nothing is demanded.
_HEARD = (Status.PASS, Status.FAIL, Status.READING)
#: How many steps are named that show a reading, how many suspects are kept, and how many passing cases for a reading.
_SHOWN, _SUSPECTS, _SUPPORTS = 3, 400, 30


@dataclass(slots=True)
class Tally:
    """The cases of one edition counted; it grows with those that do not pass, and with nothing else."""

    #: Scenarios of which it is known that they fail.
    known_failing: frozenset[str] = frozenset()
    #: The folders of the rules and of the scenarios, where they are not ours.
    data: Folder = None
    corpus: Corpus = None
    #: The folder of the source texts, where they are at hand.
    texts: Path | None = None
    counts: Counter[Status] = field(default_factory=Counter)
    #: What was asked, by the set-up that it was asked in.
    asked: dict[str, _AskedSteps] = field(default_factory=dict)
    outcomes: list[CaseOutcome] = field(default_factory=list)
    passing: Citations = field(default_factory=Citations.none)
    witnesses: dict[str, Witnesses] = field(default_factory=lambda: defaultdict(Witnesses))
    #: The acts that it has taken or offered.
    made: set[str] = field(default_factory=set)
    #: Some of what does not pass, whole.
    suspects: list[AnsweredScript] = field(default_factory=list)
    #: Why steps were not asked, and of how many cases.
    unasked: Counter[str] = field(default_factory=Counter)
    #: Scenarios that are known to fail and pass.
    mended: list[str] = field(default_factory=list)
    #: How many cases were judged by answers of an earlier run.
    kept: int = 0

    def add(self, number: int, case: Case) -> None:
        """Count a case."""
        status = case.status
        self.counts[status] += 1
        self.kept += case.kept
        self._count_steps(case)
        self._hear_witnesses(case)
        if status is Status.PASS:
            self.passing.add(case.scenario.clauses)
            if case.scenario.id in self.known_failing:
                self.mended.append(case.scenario.id)
            return
        self.outcomes.append(CaseOutcome.of(number, case))
        self.unasked.update({found.said for found in case.judgements if found.status is Status.UNSUPPORTED})
        otherwise = status is Status.READING and any(one.step.values for one in case.judgements)
        if (status is Status.FAIL or otherwise) and len(self.suspects) < _SUSPECTS:
            self.suspects.append(AnsweredScript.of(case, number))

    def _count_steps(self, case: Case) -> None:
        choice = case.script.choice
        asked = self.asked.get(choice.setup)
        if asked is None:
            asked = self.asked[choice.setup] = _AskedSteps(choice)
        if case.status is Status.PASS:
            asked.passed.update(map(name_kind, case.script.steps))
        else:
            asked.judged.update((found.status, name_kind(found.step)) for found in case.judgements)

    @property
    def skills(self) -> dict[str, SkillCount]:
        """Return the steps counted by the skill that they need."""
        found = {skill: SkillCount() for skill in SKILLS}
        for asked in self.asked.values():
            game = machine(asked.choice, self.data).game
            for kind, count in asked.passed.items():
                found[find_skill(kind, game)].add(Status.PASS, count)
            for (status, kind), count in asked.judged.items():
                found[find_skill(kind, game)].add(status, count)
        return found

    def _hear_witnesses(self, case: Case) -> None:
        """Note the evidence of a case on readings, and the acts that the program knows."""
        passes = case.status is Status.PASS
        if passes:
            self.made |= case.script.made
        for judgement in case.judgements if not passes else case.telling:
            self._take_note(judgement)
            if judgement.step.values and judgement.status in _HEARD:
                self._hear(case, judgement, passes=passes)

    def _take_note(self, judgement: StepJudgement) -> None:
        answer, step = judgement.answer, judgement.step
        if isinstance(answer, Unsent):
            return
        if "ok" in answer:
            self.made.update(step.topics)
        elif "legal" in answer:
            self.made.update(name for name in step.topics if answer["legal"].get(name))

    def _hear(self, case: Case, judgement: StepJudgement, *, passes: bool) -> None:
        found, step = self.witnesses[judgement.step.reading], judgement.step
        if not judgement.values:
            found.baffling += 1
            return
        about = (judgement.values, _find_lacking(judgement))
        found.counts[about] += 1
        if passes and len(found.passing) < _SUPPORTS and len(judgement.values) < len(step.values):
            found.passing.append((judgement.values, AnsweredScript.of(case)))
        shown = found.shown.setdefault(judgement.values, [])
        if len(shown) < _SHOWN:
            shown.append(f"{case.scenario.id}#{step.id}")

    @property
    def total(self) -> int:
        """Return how many cases were counted."""
        return self.counts.total()

    @property
    def ordered(self) -> list[CaseOutcome]:
        """Return the cases that do not pass in the order of the corpus, in whichever order they were judged."""
        return sorted(self.outcomes, key=lambda outcome: outcome.number)


def _find_lacking(judgement: StepJudgement) -> frozenset[str]:
    """Return the acts that an answer is about, if it takes and offers none of them."""
    answer, topics = judgement.answer, judgement.step.topics
    if isinstance(answer, Unsent) or "ok" in answer:
        return frozenset()
    if "no" in answer or ("legal" in answer and not any(answer["legal"].get(name) for name in topics)):
        return frozenset(topics)
    return frozenset()
