"""Two rule bases compared: the document of `brou diff --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from brou.shapes import ABSENT, Absent, shape


@shape(closed=True)
class ComparedExample:
    """A step that both rule bases answer differently."""

    scenario: Annotated[str, "the scenario"]
    step: Annotated[str, "its step"]
    asked: Annotated[Mapping[str, object], "the step as it goes over the wire"]
    answers: Annotated[tuple[object, object], "the parts of both answers that differ"]


@shape(closed=True)
class ComparedRow:
    """A point on which two rule bases differ or agree."""

    id: Annotated[str, "the id of the row"]
    topic: Annotated[Mapping[str, str] | None, "its subject, by language; null for a record of the rules"]
    clauses: Annotated[tuple[tuple[str, ...], tuple[str, ...]], "the clauses of each side"]
    proved: Annotated[str, "the obligation that proves that both agree, or how they are related"] | Absent = ABSENT
    open: Annotated[str, "the reading that one side leaves open here"] | Absent = ABSENT
    agree: Annotated[str, "a scenario to which both give the same answer"] | Absent = ABSENT
    key: Annotated[str, "within a game: the reading that differs"] | Absent = ABSENT
    record: Annotated[str, "within a game: the record of the rules that differs"] | Absent = ABSENT
    alike: Annotated[tuple[str, ...], "parameters with the same value in both"] | Absent = ABSENT
    values: (
        Annotated[
            tuple[str | None, str | None], "with `key`: its value on each side; null if an edition does not have it"
        ]
        | Absent
    ) = ABSENT
    note: Annotated[Mapping[str, str], "a remark, by language"] | Absent = ABSENT
    example: Annotated[ComparedExample, "the smallest scenario that both answer differently"] | Absent = ABSENT


@shape(name="comparison", closed=True)
class ComparisonReport:
    """Two rule bases compared (brou diff --json)."""

    format: Literal["brou-comparison/1"] = "brou-comparison/1"
    rules: Annotated[tuple[str, str], "the full names of both"]
    rows: Annotated[tuple[ComparedRow, ...], "one row per point of comparison"]
