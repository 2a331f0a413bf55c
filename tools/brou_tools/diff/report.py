"""Two rule bases compared: the document of `brou diff --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from brou.shapes import ABSENT, Absent, shape


@shape(closed=True)
class ComparedExample:
    """A step that both rule bases answer, each in its way."""

    scenario: Annotated[str, "the scenario"]
    step: Annotated[str, "its step"]
    asked: Annotated[Mapping[str, object], "the step as it goes over the wire"]
    answers: Annotated[tuple[object, object], "what differs of the answers"]


@shape(closed=True)
class ComparedRow:
    """One thing that two rule bases settle each in its way, or alike."""

    id: Annotated[str, "the row"]
    topic: Annotated[Mapping[str, str] | None, "its subject, by language; null for a record of the rules"]
    clauses: Annotated[tuple[tuple[str, ...], tuple[str, ...]], "what each side says"]
    proved: Annotated[str, "the obligation that proves both alike, or how they go together"] | Absent = ABSENT
    open: Annotated[str, "the reading by which one side leaves it open"] | Absent = ABSENT
    agree: Annotated[str, "a scenario that both answer alike"] | Absent = ABSENT
    key: Annotated[str, "within a game: the reading that differs"] | Absent = ABSENT
    record: Annotated[str, "within a game: the record of the rules that differs"] | Absent = ABSENT
    alike: Annotated[tuple[str, ...], "parameters with the same value in both"] | Absent = ABSENT
    values: (
        Annotated[tuple[str | None, str | None], "with `key`: its two values; null if an edition does not have it"]
        | Absent
    ) = ABSENT
    note: Annotated[Mapping[str, str], "a remark, by language"] | Absent = ABSENT
    example: Annotated[ComparedExample, "the smallest scenario that both answer differently"] | Absent = ABSENT


@shape(name="comparison", closed=True)
class ComparisonReport:
    """Two rule bases compared (brou diff --json)."""

    format: Literal["brou-comparison/1"] = "brou-comparison/1"
    rules: Annotated[tuple[str, str], "their full names"]
    rows: Annotated[tuple[ComparedRow, ...], "a difference each"]
