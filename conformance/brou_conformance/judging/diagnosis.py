"""Diagnosis: of all clauses that failing cases cite, the few that explain them best.

Each clause is weighed by the share of the failing cases that cite it, and the share of its cases that fail (Ochiai's
coefficient, the usual measure of suspicion where tests locate faults). The clause that a case cites first is its
subject, and counts for more; an answer that another reading would explain counts for less than one that nothing
explains, and a case that breaks before its subject counts only where no other fails. The clause of most weight is
named, the cases that it explains are set aside, and the rest is weighed again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

from brou_conformance.judging.outcome import CaseOutcome

#: How many clauses are named; what a citation counts that is not a case's first, and a case that a reading explains.
_NAMED = 3
_ASIDE = 0.75
_READ_OTHERWISE = 0.5
#: What a citation counts of a clause of which nothing was used up to the first wrong answer.
_UNUSED = 0.5
#: A change that fits worse has no voice.
_FITTING = 0.5
#: So many failures give the fit of a change half a vote. Citations name a fault well that breaks few cases, and badly
#: one that breaks most; how well changes fit does not hang on that.
_HALF = 30


#: By the number of a case the clauses that it cites and of which nothing was used up to its first wrong answer.
Unused: TypeAlias = Mapping[int, Collection[str]]


@dataclass(frozen=True, slots=True)
class Blame:
    """A clause that failing cases cite, with those cases, the smallest first, and how many cases citing it pass."""

    clause: str
    cases: tuple[CaseOutcome, ...]
    passing: int


@dataclass(slots=True)
class Citations:
    """How many cases cite each clause, and the total weight of their citations."""

    counts: dict[str, int]
    weights: dict[str, float]

    @classmethod
    def none(cls) -> Citations:
        """Return the citations of no case at all."""
        return cls(defaultdict(int), defaultdict(float))

    def add(self, clauses: Iterable[str], weight: float = 1.0, unused: Collection[str] = ()) -> None:
        """Count the citations of one case; a case weighs between 0 and 1."""
        for number, clause in enumerate(clauses):
            self.counts[clause] += 1
            self.weights[clause] += weight * (_ASIDE if number else 1) * (_UNUSED if clause in unused else 1)


def blame_clauses(
    failing: Sequence[CaseOutcome],
    passing: Citations,
    fits: Mapping[str, float] | None = None,
    unused: Unused | None = None,
) -> tuple[Blame, ...]:
    """Return the clauses that best explain the failures, at most three, the most suspect first.

    `fits` says of clauses how well the best change of each explains all failures, between 0 and 1; it has a voice in
    which clause is the first. `unused` has for cases the clauses of which nothing was used up to the first wrong
    answer.
    """
    left = [case for case in failing if case.named] or list(failing)
    found: list[Blame] = []
    while left and len(found) < _NAMED:
        suspicion = weigh_clauses(left, passing.weights, unused)
        clause = _find_suspect(suspicion, len(left), (fits or {}) if not found else {})
        cases = sorted((case for case in failing if clause in case.clauses), key=CaseOutcome.order)
        found.append(Blame(clause, tuple(cases), passing.counts.get(clause, 0)))
        left = [case for case in left if clause not in case.clauses]
    return tuple(found)


def weigh_clauses(
    failing: Sequence[CaseOutcome], in_favour: Mapping[str, float], unused: Unused | None = None
) -> dict[str, tuple[float, float]]:
    """Return how suspect each clause is that failing cases cite, between 0 and 1, and how much cites it."""
    against = Citations.none()
    for case in failing:
        against.add(case.clauses, _READ_OTHERWISE if case.strays else 1.0, (unused or {}).get(case.number, ()))
    return {
        clause: (cited / sqrt(len(failing) * (cited + in_favour.get(clause, 0.0))), cited)
        for clause, cited in against.weights.items()
    }


def _find_suspect(suspicion: Mapping[str, tuple[float, float]], failing: int, fits: Mapping[str, float]) -> str:
    """Return the clause of most weight; of several the one that more cases cite, then the first by name."""
    voice = failing / (failing + _HALF)

    def rank(clause: str) -> tuple[float, float, str]:
        weight, cited = suspicion[clause]
        fit = fits.get(clause, 0.0)
        return -weight - voice * fit * (fit >= _FITTING), -cited, clause

    return min(suspicion, key=rank)
