"""Tallies: what the cases of one edition come to together, counted as they come; and ledgers, where each is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from brou import Choice
from brou_conformance.judging.case import Case, describe, describe_result
from brou_conformance.judging.diagnosis import Citations
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.judging.outcome import Outcome
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import Scenario


class Ledger:
    """Keeps every case of an edition as data, by its number; this one keeps in memory what does not pass.

    Of a case that passes it keeps that it did: what was asked and answered
    would take most of the time of a run to hold.
    """

    def __init__(self) -> None:
        self._cases: dict[int, Case | tuple[Scenario, Choice]] = {}

    def keep(self, number: int, case: Case) -> None:
        """Keep a case."""
        self._cases[number] = case if case.status is not Status.PASS else (case.scenario, case.script.choice)

    def fetch(self, number: int) -> Message:
        """Return a case that was kept."""
        case = self._cases[number]
        if isinstance(case, Case):
            return {**describe(case), **describe_wire(case)}
        return describe_result(*case, Status.PASS)

    def __iter__(self) -> Iterator[Message]:
        """Yield all cases in the order of their numbers, whoever judged them when."""
        for number in sorted(self._cases):
            yield self.fetch(number)


def describe_wire(case: Case) -> Message:
    """Return what was asked for a case and what came back, as data."""
    replies = [[_describe_result(result) for result in reply] for reply in case.replies]
    return {"requests": list(case.requests), "replies": replies}


def _describe_result(result: Message | Unsent) -> Message:
    return {"unsent": result.status.value, "why": result.why} if isinstance(result, Unsent) else result


@dataclass(slots=True)
class Tally:
    """The cases of one edition counted; it grows with those that do not pass, and with nothing else."""

    #: Scenarios of which it is known that they fail.
    known_failing: frozenset[str] = frozenset()
    counts: Counter[Status] = field(default_factory=Counter)
    outcomes: list[Outcome] = field(default_factory=list)
    passing: Citations = field(default_factory=Citations.none)
    #: For each reading the values that answers which tell its values apart are consistent with.
    witnesses: dict[str, set[frozenset[str]]] = field(default_factory=dict)
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
        for judgement in case.telling:
            if judgement.values:
                self.witnesses.setdefault(judgement.step.reading, set()).add(judgement.values)
        if status is Status.PASS:
            self.passing.add(case.scenario.clauses)
            if case.scenario.id in self.known_failing:
                self.mended.append(case.scenario.id)
            return
        self.outcomes.append(Outcome.of(number, case))
        self.unasked.update({found.said for found in case.judgements if found.status is Status.UNSUPPORTED})

    @property
    def total(self) -> int:
        """Return how many cases were counted."""
        return self.counts.total()

    @property
    def ordered(self) -> list[Outcome]:
        """Return what does not pass in the order of the corpus, whoever judged it when."""
        return sorted(self.outcomes, key=lambda outcome: outcome.number)
