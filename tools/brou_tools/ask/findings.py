"""What the readings of a program, or of people at a table, were found to be: the document of `brou ask --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.shapes import ABSENT, Absent, shape

_Values: TypeAlias = tuple[str, ...]


@shape(closed=True)
class AnsweredQuestion:
    """A question with its answer, and the values that it leaves of each key."""

    question: Annotated[str, "SCENARIO#STEP, or the key of a number that was asked for outright"]
    keys: Annotated[tuple[str, ...], "the readings that it hung on"]
    asked: Annotated[Mapping[str, object], "the step as it goes over the wire"] | Absent = ABSENT
    said: Annotated[str, "the answer"]
    fits: Annotated[bool, "whether some reading that was left gives this answer"]
    decides: Annotated[bool, "whether it excluded a reading"]
    left: Annotated[Mapping[str, _Values], "by key the values that it leaves, of many numbers the least and greatest"]


@shape(closed=True)
class SettledValue:
    """The value of a reading, and the questions that settled it."""

    value: Annotated[str, "the value"]
    by: Annotated[tuple[str, ...], "the questions that settled it; none where it was given, or follows"]


@shape(closed=True)
class OpenValues:
    """The values that are left of a reading."""

    values: Annotated[_Values, "of a number its least and greatest"]
    undecidable: Annotated[bool, "whether no question is left that parts them"]


@shape(closed=True)
class LeastQuestions:
    """How many questions are needed at least."""

    average: Annotated[float, "the least average number of questions, each on readings that hang together"]
    worst: Annotated[int, "the least number with which the most unlucky readings can be found"]
    bits: Annotated[float, "how many bits there were to learn"]
    exact: Annotated[bool, "whether it was solved; else bits are counted where it was not"]


@shape(name="asked", closed=True)
class InterviewFindings:
    """What the readings of a program or of a table were found to be (brou ask --json)."""

    format: Literal["brou-asked/1"] = "brou-asked/1"
    rules: Annotated[str, "the rules that were found, by the name under which other commands take them"]
    complete: Annotated[bool, "whether every useful question was asked"]
    questions: Annotated[tuple[AnsweredQuestion, ...], "a question each, in the order in which they were asked"]
    settled: Annotated[Mapping[str, SettledValue], "by key the readings that are settled"]
    open: Annotated[Mapping[str, OpenValues], "by key the readings that are not"]
    misfits: Annotated[tuple[str, ...], "questions whose answer fits no reading that was left"]
    optimum: Annotated[LeastQuestions, "how many questions are needed at least to find these readings"]
