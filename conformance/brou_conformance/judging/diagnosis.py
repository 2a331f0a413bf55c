"""Diagnosis: of all clauses that failing cases cite, the few that explain them best.

Each clause is weighed by how much of what fails cites it, and how much of what
cites it fails (Ochiai's coefficient, the usual measure of suspicion where
faults are located by tests). What a case cites first is what it is about, and
counts for more; an answer that another reading would explain counts for less
than one that nothing explains, and a case that breaks on the way to what it is
about counts only where no other fails. The clause of most weight is named, the
cases that it explains are set aside, and what is left is weighed again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status

#: How many clauses are named; what a citation counts that is not a case's first, and a case that a reading explains.
_NAMED = 3
_ASIDE = 0.75
_READ_OTHERWISE = 0.5


@dataclass(frozen=True, slots=True)
class Blame:
    """A clause that failing cases cite, with those cases, the smallest first, and how many cases citing it pass."""

    clause: str
    cases: tuple[Case, ...]
    passing: int


def blamed(failing: Sequence[Case], passing: Sequence[Case]) -> tuple[Blame, ...]:
    """Return the clauses that explain best what fails, at most three, the most suspect first."""
    left = [case for case in failing if case.judgements[case.culprit].step.named] or list(failing)
    found: list[Blame] = []
    while left and len(found) < _NAMED:
        clause = _suspect(left, passing)
        cases = sorted((case for case in failing if clause in case.scenario.clauses), key=size)
        found.append(Blame(clause, tuple(cases), sum(clause in case.scenario.clauses for case in passing)))
        left = [case for case in left if clause not in case.scenario.clauses]
    return tuple(found)


def _suspect(failing: Sequence[Case], passing: Sequence[Case]) -> str:
    """Return the clause of most weight; of several the one that more cases cite, then the first by name."""
    against, in_favour = _citations(failing), _citations(passing)
    weights = {
        clause: (cited / sqrt(len(failing) * (cited + in_favour[clause])), cited) for clause, cited in against.items()
    }
    return min(weights, key=lambda clause: (-weights[clause][0], -weights[clause][1], clause))


def _citations(cases: Iterable[Case]) -> defaultdict[str, float]:
    counted: defaultdict[str, float] = defaultdict(float)
    for case in cases:
        weight = _READ_OTHERWISE if case.status is Status.READING else 1.0
        for number, clause in enumerate(case.scenario.clauses):
            counted[clause] += weight * (_ASIDE if number else 1)
    return counted


def size(case: Case) -> tuple[bool, int, int, str]:
    """Return the order in which cases are shown: outright failures first, then by how soon they show."""
    return case.status is Status.READING, case.culprit, len(case.judgements), case.scenario.id
