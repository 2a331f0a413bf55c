"""Outcomes: a brief record of each case that does not pass, small enough to keep in memory for any corpus."""

from __future__ import annotations

from dataclasses import dataclass

from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """The result of a case that does not pass, in brief."""

    #: Its place in the order of the run, counted from 0.
    number: int
    setup: str
    id: str
    status: Status
    clauses: tuple[str, ...]
    #: The name of the step to look at, its place among the steps, how many there are, and whether it has a name of its
    #: own, which says that the case is about it.
    step: str
    culprit: int
    steps: int
    named: bool
    #: Whether some answer fails outright, and the readings of which some answer is that of another value.
    fails: bool
    strays: frozenset[str]

    @classmethod
    def of(cls, number: int, case: Case) -> CaseOutcome:
        """Return a case in brief."""
        culprit, statuses = case.culprit, [judgement.status for judgement in case.judgements]
        strays = {one.step.reading for one in case.judgements if one.status is Status.FAIL and one.values} - {""}
        return cls(
            number,
            case.script.choice.setup,
            case.scenario.id,
            case.status,
            case.scenario.clauses,
            case.step(culprit),
            culprit,
            len(statuses),
            bool(statuses) and case.judgements[culprit].step.named,
            Status.FAIL in statuses,
            frozenset(strays),
        )

    def order(self) -> tuple[bool, int, int, str]:
        """Return the order in which cases are shown: outright failures first, then by how soon they show."""
        return bool(self.strays), self.culprit, self.steps, self.id
