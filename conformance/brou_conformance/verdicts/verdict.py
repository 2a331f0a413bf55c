"""Verdicts: what all the cases of one edition say together, and which clauses they blame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from brou.errors import Fault
from brou_conformance.judging.case import Case
from brou_conformance.judging.diagnosis import Blame, blamed
from brou_conformance.judging.judge import Judgement, Status
from brou_conformance.likeness.pairs import Families


class Verdict(StrEnum):
    """What is said of a program's play of one edition."""

    CONFORMS = "conforms"
    #: It breaks a clause, or does not follow one choice of readings.
    DEVIATES = "deviates"
    #: Nothing is known against its play, but it could not be judged throughout.
    ADAPTER = "adapter"
    #: Our own fault: scenarios that cannot be used, or none at all.
    SUITE = "suite"


@dataclass(frozen=True, slots=True)
class Run:
    """One edition judged."""

    game: str
    edition: str
    engine: Mapping[str, str]
    #: What it was judged under.
    readings: Mapping[str, str]
    #: The readings that the program must follow: those it declares, or all if it follows requests.
    declared: frozenset[str]
    cases: tuple[Case, ...]
    discovered: int
    #: Scenarios premised on other readings.
    left_out: int = 0
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    wrong: str = ""
    #: Scenarios of which it is known that they fail.
    known_failing: frozenset[str] = frozenset()
    #: What variants of the scenarios came to, if they were asked.
    families: Families = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """Return how many cases have each status."""
        counted = Counter(case.status for case in self.cases)
        return {status.value: counted[status] for status in Status}

    @property
    def witnesses(self) -> dict[str, list[frozenset[str]]]:
        """Return for each reading key what every step that tells readings apart is consistent with."""
        found: dict[str, list[frozenset[str]]] = {}
        for case in self.cases:
            for judgement in case.judgements:
                if judgement.values:
                    found.setdefault(judgement.step.reading, []).append(judgement.values)
        return found

    @property
    def followed(self) -> dict[str, frozenset[str]]:
        """Return for each key the values that explain all its answers; an empty set where they are mixed."""
        return {key: frozenset.intersection(*values) for key, values in self.witnesses.items()}

    @property
    def strayed(self) -> frozenset[str]:
        """Return the keys with an answer that is not that of the reading judged under."""
        found = (judgement for case in self.cases for judgement in case.judgements)
        return frozenset(judgement.step.reading for judgement in found if judgement.status is Status.READING) - {""}

    @property
    def contradicted(self) -> frozenset[str]:
        """Return the keys whose readings are declared and not followed, or mixed."""
        return frozenset(key for key in self.strayed if key in self.declared or not self.followed[key])

    @property
    def inferred(self) -> dict[str, frozenset[str]]:
        """Return the other readings that it follows throughout, undeclared."""
        return {key: self.followed[key] for key in sorted(self.strayed - self.contradicted)}

    @property
    def failing(self) -> tuple[Case, ...]:
        """Return the cases that speak against the program's play."""
        against = self.contradicted
        return tuple(
            case for case in self.cases if any(_speaks_against(judgement, against) for judgement in case.judgements)
        )

    @property
    def surprising(self) -> tuple[Case, ...]:
        """Return the cases that are not what is known: new failures, and known ones that do not fail."""
        failing = {case.scenario.id for case in self.failing}
        return tuple(case for case in self.cases if (case.scenario.id in failing) != self._known(case))

    @property
    def as_known(self) -> bool:
        """Say whether it deviates exactly as is known."""
        known = bool(self.known_failing) and not self.surprising and not self._inconsistent
        return self.verdict is Verdict.DEVIATES and known

    @property
    def _inconsistent(self) -> bool:
        """Say whether some scripts that must be answered alike are answered differently."""
        return any(family.differ for family in self.families.values())

    def _known(self, case: Case) -> bool:
        return case.scenario.id in self.known_failing

    @property
    def blamed(self) -> tuple[Blame, ...]:
        """Return the clauses that explain best what fails, the most suspect first."""
        return blamed(self.failing, [case for case in self.cases if case.status is Status.PASS])

    @property
    def verdict(self) -> Verdict:
        """Return the verdict."""
        counts = self.counts
        if self.wrong:
            return Verdict.ADAPTER
        if self.faults or not self.discovered or len(self.cases) != self.discovered:
            return Verdict.SUITE
        if self.failing or self._inconsistent:
            return Verdict.DEVIATES
        troubled = any(counts[status] for status in (Status.TIMEOUT, Status.CRASH, Status.PROTOCOL, Status.BLOCKED))
        troubled = troubled or any(family.lost for family in self.families.values())
        judged = counts[Status.PASS] + counts[Status.READING]
        return Verdict.ADAPTER if troubled or not judged else Verdict.CONFORMS


def _speaks_against(judgement: Judgement, contradicted: frozenset[str]) -> bool:
    strays = judgement.status is Status.READING and judgement.step.reading in contradicted
    return judgement.status is Status.FAIL or strays


@dataclass(frozen=True, slots=True)
class Change:
    """What is other than in an earlier record, case by case."""

    worse: tuple[str, ...] = ()
    better: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    #: Whether the earlier record ran to its end.
    complete: bool = True

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        kinds = {"worse": self.worse, "better": self.better, "new": self.new, "gone": self.gone}
        return {"complete": self.complete, **{kind: list(names) for kind, names in kinds.items()}}
