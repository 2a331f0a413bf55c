"""Explanations and settlements as they are written: one statement of each part, from which the schemas are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.shapes import ABSENT, Absent, Limit, shape

_Ids: TypeAlias = tuple[str, ...]


@shape(name="clause", closed=True)
class ClauseReport:
    """A clause or open question, with its text."""

    id: Annotated[str, "its id"]
    text: Annotated[str, "what the clause says, or what the open question asks"]


_Clauses: TypeAlias = Annotated[tuple[ClauseReport, ...], "the clauses that say so"]


@shape(name="exception", closed=True)
class ExceptionReport:
    """An exception to a duty, and why it lifts the duty or does not."""

    clause: Annotated[str, "its clause, by id"]
    applies: Annotated[bool, "whether it lifts the duty, which would bind without it"]
    because: Annotated[str, "why, in words"]
    lifted_by: (
        Annotated[str, "the clause of the exception that lifts this one in turn, as `because` explains"] | Absent
    ) = ABSENT


@shape(name="row", closed=True)
class RowReport:
    """A row of a decision table that was evaluated, and why it decides or does not."""

    table: Annotated[str, "the table"]
    row: Annotated[str, "the row"]
    fired: Annotated[bool, "whether it decides"]
    holds: Annotated[bool, "whether its condition holds"]
    because: Annotated[str, "why, in words"]
    clause: Annotated[str, "its clause, by id"]
    exceptions: Annotated[
        tuple[ExceptionReport, ...],
        "the exceptions to a duty: all if it binds, when none applies; else only those that lift it",
    ]


@shape(name="term", closed=True)
class TermReport:
    """A term of a sum."""

    value: Annotated[int, "what it adds"]
    empty: Annotated[bool, "whether it adds nothing"]
    what: Annotated[str, "its name"]
    because: Annotated[str, "why, in words"]
    clauses: Annotated[_Ids, "the clauses that say so, by id"]
    parts: Annotated[tuple[TermReport, ...], "its own terms, if it is a sum"]
    writes: Annotated[tuple[WriteReport, ...], "how its variables were written"]


@shape(name="write", closed=True)
class WriteReport:
    """A value written to a variable that a figure depends on: at which step, by which effect, and why."""

    variable: Annotated[str, "the variable"]
    step: Annotated[str, "the step at which it was written"]
    when: Annotated[str, "that step in words"]
    effect: Annotated[str, "the effect of the rules that wrote it; empty if the value was given"]
    adds: Annotated[bool, "whether it was added to the old value"]
    value: Annotated[object, "the value, as JSON"]
    shown: Annotated[str, "the value in words"]
    empty: Annotated[bool, "whether the value is empty, such as 0 or none"]
    because: Annotated[str, "why, in words"]
    clauses: Annotated[_Ids, "the clauses that say so, by id"]
    terms: Annotated[tuple[TermReport, ...], "its terms, if it is a sum"]


@shape(name="reading", closed=True)
class OtherReading:
    """Another reading, and the answer under it."""

    key: Annotated[str, "the reading"]
    value: Annotated[str, "its other value"]
    title: Annotated[str, "the short name of the open question; empty if it has none"]
    name: Annotated[str, "the short name of the value, or of what it counts; empty if there is none"]
    id: Annotated[str, "the id of the open question"]
    text: Annotated[str, "what the open question asks"]
    then: Annotated[Mapping[str, object], "the answer under this reading; empty if there is none"]


_Readings: TypeAlias = Annotated[tuple[OtherReading, ...], "other readings that change the answer"]


@shape(name="figure", closed=True)
class FigureReport:
    """A figure of the score."""

    figure: Annotated[str, "its key"]
    of: Annotated[tuple[object, ...], "its owner: the values that index it, such as a seat; empty if it has none"]
    said: Annotated[str, "its name in words"]
    value: Annotated[object, "its value, as JSON"]
    shown: Annotated[str, "its value in words"]
    empty: Annotated[bool, "whether its value is empty, such as 0 or none"]
    terms: Annotated[tuple[TermReport, ...], "its terms, if it is a sum"]
    writes: Annotated[tuple[WriteReport, ...], "how it was written"]
    clauses: _Clauses
    readings: _Readings | Absent = ABSENT


@shape(name="change", closed=True)
class ChangeReport(FigureReport):
    """A figure that an act changes at once."""

    before: Annotated[object, "its value before the act, as JSON"]


@shape(name="act", closed=True)
class ActReport:
    """An act, and why it is allowed or refused."""

    act: Annotated[Mapping[str, object], Limit(min_properties=1, max_properties=1), "the act"]
    by: Annotated[int, "the seat that takes it"]
    said: Annotated[str, "the act in words"]
    allowed: Annotated[bool, "whether it is allowed"]
    code: Annotated[str, "the code of the refusal; empty if it is allowed"]
    because: Annotated[str, "why, in words"]
    clauses: _Clauses
    rows: Annotated[tuple[RowReport, ...], "the rows of decision tables that were evaluated, in their order"]
    changes: Annotated[tuple[ChangeReport, ...], "the figures that it changes at once"]
    readings: _Readings | Absent = ABSENT


@shape(name="sight", closed=True)
class SightReport:
    """A key of the view, and why it is shown or hidden."""

    sight: Annotated[str, "the key"]
    said: Annotated[str, "its name in words"]
    seen: Annotated[bool, "whether the seat sees it"]
    value: Annotated[object, "the value in its view, as JSON"]
    shown: Annotated[str, "that value in words"]
    level: Annotated[
        str, Limit(enum=("must", "may", "hidden")), "whether a program must show it, may show it, or must hide it"
    ]
    because: Annotated[str, "why, in words"]
    clauses: _Clauses
    readings: _Readings | Absent = ABSENT


#: What an explanation is about.
Entry: TypeAlias = ActReport | FigureReport | SightReport


@shape(name="unreached", closed=True)
class UnreachedReport:
    """A reading under which play would not get this far, and the first step with another result."""

    key: Annotated[str, "the reading"]
    value: Annotated[str, "its other value"]
    step: Annotated[str, "the step"]


@shape(closed=True)
class ExplainedQuestion:
    """A question with everything that explains its answer."""

    game: Annotated[str, "the game"]
    edition: Annotated[str, "the edition of the rules"]
    setup: Annotated[str, "the set-up"]
    readings: Annotated[Mapping[str, str], "every reading with its value"]
    question: Annotated[Mapping[str, object], "the question, as it goes over the wire"]
    entries: Annotated[tuple[Entry, ...], "what is explained"]
    unreached: Annotated[tuple[UnreachedReport, ...], "the readings under which play would not get this far"]
    lang: Annotated[str, "the language of the texts"]
    subject: Annotated[str, "the name of what was asked about"]


@shape(closed=True)
class ExplanationReport:
    """What brou explain --json writes."""

    format: Literal["brou-explanation/1"] = "brou-explanation/1"
    games: Annotated[tuple[ExplainedQuestion, ...], "one entry per question; there may be several of one game"]


# Settlements -----------------------------------------------------------------------


@shape(name="linechange", closed=True)
class LineChange:
    """A figure that an entry changes."""

    figure: Annotated[str, "its key"]
    of: Annotated[tuple[object, ...], "its owner: the values that index it, such as a seat; empty if it has none"]
    said: Annotated[str, "its name in words"]
    whose: Annotated[str, "its owner in words"]
    by: Annotated[int | None, "how much is added; null if the value is not a number"]
    value: Annotated[object, "its new value, as JSON"]
    shown: Annotated[str, "its new value in words"]


@shape(name="line", closed=True)
class LineReport:
    """An entry, or an act that changes a figure."""

    step: Annotated[str, "the step of the record"]
    said: Annotated[str, "what happened, in words"]
    each: Annotated[object, "what each player pays or has, if the line concerns all"]
    changes: Annotated[tuple[LineChange, ...], "the figures that it changes"]
    clauses: _Clauses


@shape(name="sheetrow", closed=True)
class SheetRowReport:
    """An addition to the sums of a sheet."""

    what: Annotated[str, "its name"]
    values: Annotated[tuple[int, ...], "a number for each column"]
    parts: Annotated[tuple[TermReport | None, ...], "how each number comes about; null for an owner without that term"]
    clauses: Annotated[_Ids, "the clauses that say so, by id"]


@shape(name="sheet", closed=True)
class SheetReport:
    """A sum as written on the score sheet."""

    figure: Annotated[str, "the key of the variable that is summed"]
    said: Annotated[str, "its name in words"]
    of: Annotated[tuple[tuple[object, ...], ...], "the owner of each column"]
    whose: Annotated[_Ids, "the owners in words"]
    before: Annotated[tuple[int, ...], "the sums before the deal"]
    rows: Annotated[tuple[SheetRowReport, ...], "what the deal adds"]
    struck: Annotated[bool, "whether the old sums are crossed out and new ones begin"]
    after: Annotated[tuple[int, ...], "the sums after the deal"]


@shape(name="deal", closed=True)
class DealReport:
    """A deal as far as it was recorded."""

    id: Annotated[str, "its id in the record"]
    lines: Annotated[tuple[LineReport, ...], "its entries"]
    count: Annotated[Mapping[str, object] | None, "the score at the end of the deal"]
    result: Annotated[tuple[FigureReport, ...], "the resulting figures of the deal"]
    slate: Annotated[tuple[SheetReport, ...], "the sums on the score sheet"]
    written: Annotated[Mapping[str, object] | None, "the score after the deal is written down"]


@shape(closed=True)
class ReadingValue:
    """A reading with its value."""

    key: Annotated[str, "the reading"]
    value: Annotated[str, "its value"]


@shape(name="meant", closed=True)
class SlipReport:
    """A suggested correction."""

    said: Annotated[str, "the correction in words"]
    reading: Annotated[ReadingValue, "the reading to follow instead"] | Absent = ABSENT
    by: Annotated[int, "the seat that would act"] | Absent = ABSENT
    act: Annotated[Mapping[str, object], "the act to write instead"] | Absent = ABSENT
    entry: Annotated[str, "the entry to write instead"] | Absent = ABSENT
    value: Annotated[object, "the value of that entry"] | Absent = ABSENT


@shape(name="fault", closed=True)
class FaultReport:
    """The first step of a record that contradicts the rules."""

    deal: Annotated[str, "the deal"]
    step: Annotated[str, "the step of the record"]
    said: Annotated[str, "what the record says there, in words"]
    code: Annotated[str, "the code of the refusal"]
    because: Annotated[str, "why, in words"]
    clauses: _Clauses
    rows: Annotated[tuple[RowReport, ...], "the rows of decision tables that were evaluated, in their order"]
    entry: Annotated[str, "the entry that contradicts the rules"] | Absent = ABSENT
    figure: Annotated[str, "the figure that differs"] | Absent = ABSENT
    written: Annotated[object, "the value in the record"] | Absent = ABSENT
    found: Annotated[object, "the value by the rules"] | Absent = ABSENT
    meant: Annotated[tuple[SlipReport, ...], "suggested corrections"]


@shape(closed=True)
class SettledGame:
    """A record with its scores, up to its first fault."""

    game: Annotated[str, "the game"]
    edition: Annotated[str, "the edition of the rules"]
    setup: Annotated[str, "the set-up"]
    readings: Annotated[Mapping[str, str], "every reading with its value"]
    title: Annotated[str, "the title of the record"]
    players: Annotated[_Ids, "the names of the players, by seat"]
    deals: Annotated[tuple[DealReport, ...], "the deals"]
    standing: Annotated[Mapping[str, object] | None, "the score at the end"]
    complete: Annotated[bool, "whether every deal was written down"]
    fault: FaultReport | None
    lang: Annotated[str, "the language of the texts"]


@shape(closed=True)
class SettlementReport:
    """What brou score --json writes."""

    format: Literal["brou-settlement/1"] = "brou-settlement/1"
    games: Annotated[tuple[SettledGame, ...], "one entry per record"]
