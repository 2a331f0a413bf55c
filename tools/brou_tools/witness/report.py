"""The situations that part each two readings: the document of `brou witness --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.shapes import ABSENT, Absent, Limit, shape

_Count: TypeAlias = Annotated[int, Limit(minimum=0)]
_Two: TypeAlias = Annotated[Mapping[str, object], Limit(min_properties=2, max_properties=2)]


@shape(closed=True, one_of=[("scenario", "step", "asked", "answers"), ("harmless",)])
class ShownWitness:
    """Two values of a reading and the situation that parts them, or why nothing does."""

    ambiguity: Annotated[str, "the open passage"]
    pair: Annotated[tuple[str, str], "the two values"]
    harmless: Annotated[str, "why nothing parts them, and up to which bound that was looked for"] | Absent = ABSENT
    scenario: Annotated[Mapping[str, object], "the scenario that parts them, as its file has it"] | Absent = ABSENT
    step: Annotated[str, "the step that parts the two"] | Absent = ABSENT
    asked: Annotated[Mapping[str, object], "that step as it goes over the wire"] | Absent = ABSENT
    answers: Annotated[_Two, "value -> what is answered under it"] | Absent = ABSENT
    deals: Annotated[_Count, "deals begun where the two part"] | Absent = ABSENT
    decisions: Annotated[_Count, "acts, deals apart, that lead there"] | Absent = ABSENT
    tried: Annotated[_Count, "random plays with fewer decisions, none of which distinguishes them"] | Absent = ABSENT
    cards: Annotated[int, Limit(minimum=1), "with fewer cards in hand they never part: proved by a solver"] | Absent = (
        ABSENT
    )


@shape(name="witness", closed=True)
class WitnessReport:
    """What parts each two readings (brou witness --json)."""

    format: Literal["brou-witness/1"] = "brou-witness/1"
    witnesses: Annotated[tuple[ShownWitness, ...], "two values each"]
