"""The readings that a program, or people at a table, were found to follow: the document of `brou ask --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.shapes import ABSENT, Absent, shape

_Values: TypeAlias = tuple[str, ...]


@shape(closed=True)
class AnsweredQuestion:
    """A question with its answer, and the values that remain possible for each reading."""

    question: Annotated[str, "SCENARIO#STEP, or the key of a reading whose number was asked for directly"]
    keys: Annotated[tuple[str, ...], "the keys of the readings on which the answer depends"]
    asked: Annotated[Mapping[str, object], "the step as it goes over the wire"] | Absent = ABSENT
    said: Annotated[str, "the answer"]
    fits: Annotated[bool, "whether one of the values that remained gives this answer"]
    decides: Annotated[bool, "whether it excluded a value"]
    left: Annotated[Mapping[str, _Values], "the values that remain, by key; of many numbers the least and the greatest"]


@shape(closed=True)
class SettledValue:
    """The value of a reading, and the questions that settled it."""

    value: Annotated[str, "the value"]
    by: Annotated[tuple[str, ...], "the questions that settled it; empty if it was given or follows from others"]


@shape(closed=True)
class OpenValues:
    """The values that remain possible for a reading."""

    values: Annotated[_Values, "the values; of a number the least and the greatest"]
    undecidable: Annotated[bool, "whether no question is left that distinguishes them"]


@shape(closed=True)
class LeastQuestions:
    """The fewest questions with which readings can be found."""

    average: Annotated[
        float,
        "the least average number, if all readings are equally likely and each question is about one group of them",
    ]
    worst: Annotated[int, "the least number in the worst case"]
    bits: Annotated[float, "how many bits of information the readings hold"]
    exact: Annotated[
        bool, "whether both numbers are exact; else they count bits where there were too many readings to solve"
    ]


@shape(name="asked", closed=True)
class InterviewFindings:
    """The readings that a program or a table was found to follow (brou ask --json)."""

    format: Literal["brou-asked/1"] = "brou-asked/1"
    rules: Annotated[str, "the name of the rules that were found, as other commands take it"]
    complete: Annotated[bool, "whether every useful question was asked"]
    questions: Annotated[tuple[AnsweredQuestion, ...], "the questions, in the order in which they were asked"]
    settled: Annotated[Mapping[str, SettledValue], "the readings that are settled, by key"]
    open: Annotated[Mapping[str, OpenValues], "the readings that are still open, by key"]
    misfits: Annotated[tuple[str, ...], "the questions whose answers fit none of the values that remained"]
    optimum: Annotated[LeastQuestions, "the fewest questions with which these readings can be found"]
