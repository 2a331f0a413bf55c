"""Weighing suspects: which fault of an adapter explains the answers that are not those of the rules, and no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from brou_conformance.smoke.facts import FactPlace, Facts
from brou_conformance.smoke.lineup import list_suspects
from brou_conformance.smoke.suspects import Claims, ExaminedSetup, Suspect

#: So many faults at once are told apart.
_MOST = 4
#: One answer can be wrong by chance as a fault would have it.
_LEAST = 2


@dataclass(frozen=True, slots=True)
class SuspectExplanation:
    """A suspect with the facts that it explains."""

    suspect: Suspect
    places: tuple[FactPlace, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The facts of a program, those of the rules, and where the two agree."""

    table: ExaminedSetup
    told: Sequence[Facts]
    true: Sequence[Facts]
    same: Mapping[FactPlace, bool]

    @property
    def wrong(self) -> frozenset[FactPlace]:
        """Return the facts that are not those of the rules."""
        return frozenset(place for place, same in self.same.items() if not same)


def explain(evidence: Evidence) -> tuple[list[SuspectExplanation], frozenset[FactPlace]]:
    """Return the faults that explain the wrong facts, the strongest first, and the facts that none explains."""
    wrong = evidence.wrong
    found: list[SuspectExplanation] = []
    if not wrong:
        return found, wrong
    suspects = list(list_suspects(evidence.table))
    while wrong and len(found) < _MOST:
        weighed = [(one, weigh(one, evidence, wrong)) for one in suspects]
        best, (places, consequences) = max(weighed, key=lambda one: len(one[1][0]))
        if not places:
            break
        found.append(
            SuspectExplanation(best, tuple(sorted(places, key=lambda place: (place.probe, place.step, place.name))))
        )
        wrong -= places | consequences
    return found, wrong


def weigh(
    suspect: Suspect, evidence: Evidence, wrong: frozenset[FactPlace]
) -> tuple[frozenset[FactPlace], frozenset[FactPlace]]:
    """Return the wrong facts that a suspect explains, and those that may follow from it; none if something refutes it.

    It is refuted by a right answer where it claims a wrong one, and by a wrong one where it claims another; where it
    speaks of each name by itself, it is refuted for this name alone.
    """
    kinds: dict[str, set[FactPlace]] = {kind: set() for kind in ("explained", "refuted", "left", "unknown")}
    if not any(suspect.touches(place.name) for place in wrong):
        return frozenset(), frozenset()
    for number in _most_telling_first(evidence, wrong):
        claims = suspect.claim(evidence.table.probes[number], evidence.true[number])
        here = [place for place in evidence.same if place.probe == number]
        for place in here:
            if kind := _settle(place, claims, evidence, wrong):
                kinds[kind].add(place)
        refuted = {place.name for place in kinds["refuted"]}
        if not kinds["explained"] or (refuted and not suspect.by_name):
            return frozenset(), frozenset()
    refuted = {place.name for place in kinds["refuted"]}
    refuted |= {place.name for place in kinds["explained"]} & {place.name for place in kinds["left"]}
    if refuted and not suspect.by_name:
        return frozenset(), frozenset()
    kept = frozenset(place for place in kinds["explained"] if place.name not in refuted)
    if len(kept) < min(_LEAST, len(evidence.table.probes)):
        return frozenset(), frozenset()
    return kept, frozenset() if suspect.by_name else frozenset(kinds["unknown"])


def _most_telling_first(evidence: Evidence, wrong: frozenset[FactPlace]) -> list[int]:
    """Return the numbers of the probes, those with most that is wrong first, so that a suspect is soon refuted."""
    counts = [sum(place.probe == number for place in wrong) for number in range(len(evidence.table.probes))]
    return sorted(range(len(counts)), key=lambda number: -counts[number])


def _settle(place: FactPlace, claims: Claims, evidence: Evidence, wrong: frozenset[FactPlace]) -> str:
    """Return the verdict of a fact on a suspect."""
    claim = claims[place.step].get(place.name)
    told = evidence.told[place.probe][place.step][place.name]
    if place in wrong:
        if claim is None:
            return "unknown"
        if claim == told:
            return "explained"
        return "left" if claim == evidence.true[place.probe][place.step][place.name] else "refuted"
    if evidence.same[place] and claim is not None and claim != told:
        return "refuted"
    return ""
