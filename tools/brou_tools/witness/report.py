"""The situations that distinguish each two readings: the document of `brou witness --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.shapes import ABSENT, Absent, Limit, shape

_Count: TypeAlias = Annotated[int, Limit(minimum=0)]
_Two: TypeAlias = Annotated[Mapping[str, object], Limit(min_properties=2, max_properties=2)]


@shape(closed=True, one_of=[("scenario", "step", "asked", "answers"), ("harmless",)])
class ShownWitness:
    """Two values of a reading and the situation that distinguishes them, or why nothing does."""

    ambiguity: Annotated[str, "the id of the open question"]
    pair: Annotated[tuple[str, str], "the two values"]
    harmless: Annotated[str, "why nothing distinguishes them, and up to which bound this was searched"] | Absent = (
        ABSENT
    )
    scenario: Annotated[Mapping[str, object], "the scenario that distinguishes them, as in its file"] | Absent = ABSENT
    step: Annotated[str, "the step that distinguishes them"] | Absent = ABSENT
    asked: Annotated[Mapping[str, object], "that step as it goes over the wire"] | Absent = ABSENT
    answers: Annotated[_Two, "value -> the answer under it"] | Absent = ABSENT
    deals: Annotated[_Count, "how many deals are begun up to that step"] | Absent = ABSENT
    decisions: Annotated[_Count, "how many acts lead there, not counting deals"] | Absent = ABSENT
    tried: (
        Annotated[_Count, "how many random plays with fewer decisions were tried, none of which distinguishes them"]
        | Absent
    ) = ABSENT
    cards: Annotated[int, Limit(minimum=1), "a proved bound: with fewer cards in hand they never differ"] | Absent = (
        ABSENT
    )


@shape(name="witness", closed=True)
class WitnessReport:
    """The smallest situations that distinguish each two readings (brou witness --json)."""

    format: Literal["brou-witness/1"] = "brou-witness/1"
    witnesses: Annotated[tuple[ShownWitness, ...], "one entry per pair of values"]
