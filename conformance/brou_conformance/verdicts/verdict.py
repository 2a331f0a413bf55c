"""Verdicts: the sum of all cases of one edition, and the clauses that they blame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Annotated

from brou import book
from brou.shapes import shape
from brou_conformance.fitting.search import FailureExplanation
from brou_conformance.judging.case import CaseReport
from brou_conformance.judging.diagnosis import Blame, blame_clauses
from brou_conformance.judging.judge import Status
from brou_conformance.judging.outcome import CaseOutcome
from brou_conformance.metamorphic.pairs import Families
from brou_conformance.verdicts.inference import Inferred
from brou_conformance.verdicts.nearest import Nearer
from brou_conformance.verdicts.tally import Ledger, SkillCount, Tally


class EditionVerdict(StrEnum):
    """The verdicts on a program's play of one edition."""

    FOLLOWS = "follows"
    #: It follows the game, but reads some passage otherwise than the edition and does not say so.
    FOLLOWS_READINGS = "follows-readings"
    #: It breaks a clause, or does not follow one choice of readings.
    DEVIATES = "deviates"
    #: Nothing is known against its play, but it could not be judged throughout.
    ADAPTER = "adapter"
    #: Our own fault: cases that could not be judged.
    SUITE = "suite"


@shape(closed=True)
class PlayedEvidence:
    """What played deals show of a program, which was not asked."""

    games: Annotated[int, "the number of games in the log"]
    deals: Annotated[int, "the number of their deals"]
    acts: Annotated[int, "acts that the deals show"]
    refusals: Annotated[int, "decisions at which the rules refuse some act and nobody tried one; not judged"]
    seen_refusals: Annotated[int, "acts that the log shows to be refused"]
    hidden: Annotated[int, "steps that depend on cards that nobody saw; not judged"]


@dataclass(frozen=True)
class EditionRun:
    """One edition judged."""

    game: str
    edition: str
    engine: Mapping[str, str]
    #: What it was judged under.
    readings: Mapping[str, str]
    #: The readings that the program must follow: those it declares, or all if it follows requests.
    declared: frozenset[str]
    #: Those of them that a table has agreed on, whatever it declares.
    agreed: frozenset[str]
    tally: Tally
    #: Every case as data.
    ledger: Ledger
    discovered: int
    #: Scenarios premised on other readings.
    left_out: int = 0
    #: How many expectations of the others are about readings that it is not judged under, by `reading=value`.
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    #: How many scenarios there are of which only some were asked; 0 if all were.
    whole: int = 0
    notes: tuple[str, ...] = ()
    wrong: str = ""
    #: The readings that it follows undeclared; it was judged under them.
    inferred: Mapping[str, Inferred] = field(default_factory=dict)
    #: Other editions and set-ups that explain more of its answers than those it declares.
    nearer: tuple[Nearer, ...] = ()
    #: Whether it was judged by an edition of one's own.
    is_forked: bool = False
    #: The changes of the rules that explain its failures.
    explanation: FailureExplanation = field(default_factory=FailureExplanation)
    #: What variants of the scenarios came to, if they were asked.
    families: Families = field(default_factory=dict)
    #: What its deals show, where it was judged by these alone.
    played: PlayedEvidence | None = None
    #: What went wrong in this suite apart from single cases, if so.
    trace: str = ""

    @property
    def cases(self) -> Iterable[CaseReport]:
        """Return every case as data, in the order of the corpus; each time they are read anew."""
        return self.ledger

    def describe(self, outcome: CaseOutcome) -> CaseReport:
        """Return a case as data."""
        return self.ledger.fetch(outcome.number)

    @property
    def counts(self) -> dict[str, int]:
        """Return how many cases have each status."""
        return {status.value: self.tally.counts[status] for status in Status}

    @cached_property
    def outcomes(self) -> tuple[CaseOutcome, ...]:
        """Return the cases that do not pass, in the order of the corpus."""
        return tuple(self.tally.ordered)

    @property
    def followed(self) -> dict[str, frozenset[str]]:
        """Return for each reading that answers tell of the values that explain all of them; none if they are mixed."""
        return {
            key: frozenset.intersection(*(values for values, _ in heard.counts))
            for key, heard in self.tally.witnesses.items()
            if heard.counts
        }

    @cached_property
    def contradicted(self) -> frozenset[str]:
        """Return the readings that are declared and not followed, or mixed."""
        return frozenset(key for outcome in self.outcomes for key in outcome.strays)

    @property
    def readings_declared(self) -> dict[str, str]:
        """Return the readings that the program must follow, with their values."""
        return {key: value for key, value in self.readings.items() if key in self.declared}

    @property
    def declared_otherwise(self) -> dict[str, str]:
        """Return the readings that the program declares and the edition does not play, with their values."""
        own = book(self.game, self.tally.data).editions[self.edition].readings
        return {key: value for key, value in self.readings_declared.items() if own.get(key) != value}

    @property
    def skills(self) -> dict[str, SkillCount]:
        """Return the counts of each skill that the scenarios need."""
        return {skill: count for skill, count in self.tally.skills.items() if count != SkillCount()}

    @property
    def asked(self) -> int:
        """Return the number of steps that went to the program."""
        return sum(skill.asked for skill in self.skills.values())

    @cached_property
    def failing(self) -> tuple[CaseOutcome, ...]:
        """Return the cases that speak against the program's play."""
        return tuple(outcome for outcome in self.outcomes if outcome.fails)

    @cached_property
    def surprising(self) -> tuple[str, ...]:
        """Return the scenarios with unexpected results: new failures, and known ones that do not fail."""
        failing, known = {outcome.id for outcome in self.failing}, self.tally.known_failing
        others = (outcome.id for outcome in self.outcomes if (outcome.id in failing) != (outcome.id in known))
        return tuple(dict.fromkeys([*others, *(one for one in self.tally.mended if one not in failing)]))

    @property
    def as_known(self) -> bool:
        """Say whether it deviates exactly as is known."""
        known = bool(self.tally.known_failing) and not self.surprising and not self._is_inconsistent
        return self.verdict is EditionVerdict.DEVIATES and known

    @property
    def _is_inconsistent(self) -> bool:
        """Say whether some scripts that must be answered alike are answered differently."""
        return any(family.differ for family in self.families.values())

    @cached_property
    def blamed(self) -> tuple[Blame, ...]:
        """Return the clauses that best explain the failures, the most suspect first."""
        found = self.explanation
        return blame_clauses(self.failing, self.tally.passing, found.fits, found.unused)

    @property
    def verdict(self) -> EditionVerdict:
        """Return the verdict."""
        counts = self.counts
        if self.wrong:
            return EditionVerdict.ADAPTER
        if self.trace or counts[Status.SUITE] or self.tally.total != self.discovered:
            return EditionVerdict.SUITE
        if self.failing or self._is_inconsistent:
            return EditionVerdict.DEVIATES
        troubled = any(counts[status] for status in (Status.TIMEOUT, Status.CRASH, Status.PROTOCOL, Status.BLOCKED))
        troubled = troubled or any(family.lost for family in self.families.values())
        if troubled or not self.asked:
            return EditionVerdict.ADAPTER
        return EditionVerdict.FOLLOWS_READINGS if self.inferred else EditionVerdict.FOLLOWS


@shape()
class RunChange:
    """The differences from an earlier record, case by case."""

    complete: Annotated[bool, "whether the earlier run ran to its end"] = True
    worse: Annotated[tuple[str, ...], "cases with a worse result"] = ()
    better: Annotated[tuple[str, ...], "cases with a better result"] = ()
    new: Annotated[tuple[str, ...], "cases that the earlier record does not have"] = ()
    gone: Annotated[tuple[str, ...], "cases that only the earlier record has"] = ()
