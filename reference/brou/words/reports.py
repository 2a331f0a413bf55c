"""Explanations and settlements as they are written: one statement of each part, from which the schemas are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.shapes import ABSENT, Absent, Limit, shape

_Ids: TypeAlias = tuple[str, ...]


@shape(name="clause", closed=True)
class ClauseReport:
    """A clause, or an open passage, with its text."""

    id: Annotated[str, "its id"]
    text: Annotated[str, "what the clause says, or what an open passage asks"]


_Clauses: TypeAlias = Annotated[tuple[ClauseReport, ...], "the clauses that say so"]


@shape(name="exception", closed=True)
class ExceptionReport:
    """An exception of a duty, and why it lifts the duty or does not."""

    clause: Annotated[str, "its clause, by id"]
    applies: Annotated[bool, "whether it lifts the duty, which would bind without it"]
    because: Annotated[str, "why, in words"]
    lifted_by: (
        Annotated[str, "the clause of the exception that lifts it in turn, of which `because` tells"] | Absent
    ) = ABSENT


@shape(name="row", closed=True)
class RowReport:
    """A row that was judged, and in words why it decides or is passed over."""

    table: Annotated[str, "the table"]
    row: Annotated[str, "the row"]
    fired: Annotated[bool, "whether it decides"]
    holds: Annotated[bool, "whether its condition holds"]
    because: Annotated[str, "why, in words"]
    clause: Annotated[str, "its clause, by id"]
    exceptions: Annotated[
        tuple[ExceptionReport, ...], "of a duty that binds none applies; of others only those that lift it"
    ]


@shape(name="term", closed=True)
class TermReport:
    """A part of a sum."""

    value: Annotated[int, "what it adds"]
    empty: Annotated[bool, "whether it adds nothing"]
    what: Annotated[str, "its name"]
    because: Annotated[str, "why, in words"]
    clauses: Annotated[_Ids, "the clauses that say so, by id"]
    parts: Annotated[tuple[TermReport, ...], "the terms of the sum"]
    writes: Annotated[tuple[WriteReport, ...], "the acts that wrote its variables"]


@shape(name="write", closed=True)
class WriteReport:
    """A write of a figure: at which step, by which effect, why."""

    variable: Annotated[str, "what was written"]
    step: Annotated[str, "the step at which it was"]
    when: Annotated[str, "the same in words"]
    effect: Annotated[str, "the effect of the rules"]
    adds: Annotated[bool, "whether it adds to what stood there"]
    value: Annotated[object, "what was written, as JSON"]
    shown: Annotated[str, "the same in words"]
    empty: Annotated[bool, "whether that is nothing"]
    because: Annotated[str, "why, in words"]
    clauses: Annotated[_Ids, "the clauses that say so, by id"]
    terms: Annotated[tuple[TermReport, ...], "the terms of the sum"]


@shape(name="reading", closed=True)
class OtherReading:
    """Another reading, and the answer under it."""

    key: Annotated[str, "the reading"]
    value: Annotated[str, "its other value"]
    title: Annotated[str, "what the question is called in short; empty where nothing is said"]
    name: Annotated[str, "what the value, or the number, is called in short; empty where nothing is said"]
    id: Annotated[str, "the open passage"]
    text: Annotated[str, "what that asks"]
    then: Annotated[Mapping[str, object], "what would be so; empty where there would be no answer"]


_Readings: TypeAlias = Annotated[tuple[OtherReading, ...], "the readings under which it would be otherwise"]


@shape(name="figure", closed=True)
class FigureReport:
    """A figure of the score."""

    figure: Annotated[str, "its key"]
    of: Annotated[tuple[object, ...], "whose it is"]
    said: Annotated[str, "its name"]
    value: Annotated[object, "its value, as JSON"]
    shown: Annotated[str, "the same in words"]
    empty: Annotated[bool, "whether that is nothing"]
    terms: Annotated[tuple[TermReport, ...], "the terms of the sum"]
    writes: Annotated[tuple[WriteReport, ...], "who wrote it"]
    clauses: _Clauses
    readings: _Readings | Absent = ABSENT


@shape(name="change", closed=True)
class ChangeReport(FigureReport):
    """A figure that an act changes at once."""

    before: Annotated[object, "what it was before, as JSON"]


@shape(name="act", closed=True)
class ActReport:
    """An act, and why it is allowed or refused."""

    act: Annotated[Mapping[str, object], Limit(min_properties=1, max_properties=1), "the act"]
    by: Annotated[int, "who does it"]
    said: Annotated[str, "the same in words"]
    allowed: Annotated[bool, "whether it is allowed"]
    code: Annotated[str, "the code of the refusal; nothing where it is allowed"]
    because: Annotated[str, "why, in words"]
    clauses: _Clauses
    rows: Annotated[tuple[RowReport, ...], "the rows of tables that were judged, in their order"]
    changes: Annotated[tuple[ChangeReport, ...], "the figures that it changes at once"]
    readings: _Readings | Absent = ABSENT


@shape(name="sight", closed=True)
class SightReport:
    """A key of the view, and why it is shown or hidden."""

    sight: Annotated[str, "the key"]
    said: Annotated[str, "its name"]
    seen: Annotated[bool, "whether the seat sees it"]
    value: Annotated[object, "the value in its view, as JSON"]
    shown: Annotated[str, "the same in words"]
    level: Annotated[str, Limit(enum=("must", "may", "hidden")), "whether it has to be shown"]
    because: Annotated[str, "why, in words"]
    clauses: _Clauses
    readings: _Readings | Absent = ABSENT


#: What an explanation is about.
Entry: TypeAlias = ActReport | FigureReport | SightReport


@shape(name="unreached", closed=True)
class UnreachedReport:
    """A reading under which play would not get this far, and the step with another result."""

    key: Annotated[str, "the reading"]
    value: Annotated[str, "its other value"]
    step: Annotated[str, "the step"]


@shape(closed=True)
class ExplainedQuestion:
    """A question and everything that there is to say to it."""

    game: Annotated[str, "the game"]
    edition: Annotated[str, "the edition of the rules"]
    setup: Annotated[str, "the set-up"]
    readings: Annotated[Mapping[str, str], "every reading with its value"]
    question: Annotated[Mapping[str, object], "the question, as it goes over the wire"]
    entries: Annotated[tuple[Entry, ...], "what is explained"]
    unreached: Annotated[tuple[UnreachedReport, ...], "the readings under which play would not get this far"]
    lang: Annotated[str, "the language of everything in words"]
    subject: Annotated[str, "what was asked for, by its name"]


@shape(closed=True)
class ExplanationReport:
    """What brou explain --json writes."""

    format: Literal["brou-explanation/1"] = "brou-explanation/1"
    games: Annotated[tuple[ExplainedQuestion, ...], "a question each"]


# Settlements -----------------------------------------------------------------------


@shape(name="linechange", closed=True)
class LineChange:
    """A figure that an entry changes."""

    figure: Annotated[str, "its key"]
    of: Annotated[tuple[object, ...], "whose it is"]
    said: Annotated[str, "its name"]
    whose: Annotated[str, "whose it is, in words"]
    by: Annotated[int | None, "what is added; null where that is no number"]
    value: Annotated[object, "its value, as JSON"]
    shown: Annotated[str, "the same in words"]


@shape(name="line", closed=True)
class LineReport:
    """An entry, or an act that changes a figure."""

    step: Annotated[str, "the step of the record"]
    said: Annotated[str, "what happened, in words"]
    each: Annotated[object, "what everybody pays or has, where the line is of all"]
    changes: Annotated[tuple[LineChange, ...], "the figures that it changes"]
    clauses: _Clauses


@shape(name="sheetrow", closed=True)
class SheetRowReport:
    """An addition to the sums of a sheet."""

    what: Annotated[str, "its name"]
    values: Annotated[tuple[int, ...], "a number for each column"]
    parts: Annotated[tuple[TermReport | None, ...], "what each number was made of"]
    clauses: Annotated[_Ids, "the clauses that say so, by id"]


@shape(name="sheet", closed=True)
class SheetReport:
    """A sum as written on the score sheet."""

    figure: Annotated[str, "what is summed up"]
    said: Annotated[str, "its name"]
    of: Annotated[tuple[tuple[object, ...], ...], "whose each column is"]
    whose: Annotated[_Ids, "the same in words"]
    before: Annotated[tuple[int, ...], "the sums before the deal"]
    rows: Annotated[tuple[SheetRowReport, ...], "what the deal adds"]
    struck: Annotated[bool, "whether a new sum begins"]
    after: Annotated[tuple[int, ...], "the sums after it"]


@shape(name="deal", closed=True)
class DealReport:
    """A deal as far as it was recorded."""

    id: Annotated[str, "its id in the record"]
    lines: Annotated[tuple[LineReport, ...], "its entries"]
    count: Annotated[Mapping[str, object] | None, "the score at the end of the deal"]
    result: Annotated[tuple[FigureReport, ...], "the resulting figures of the deal"]
    slate: Annotated[tuple[SheetReport, ...], "the sheet"]
    written: Annotated[Mapping[str, object] | None, "the score once it is written down"]


@shape(closed=True)
class ReadingValue:
    """A reading with its value."""

    key: Annotated[str, "the reading"]
    value: Annotated[str, "its value"]


@shape(name="meant", closed=True)
class SlipReport:
    """A suggested correction."""

    said: Annotated[str, "in words"]
    reading: Annotated[ReadingValue, "another reading"] | Absent = ABSENT
    by: Annotated[int, "who would act"] | Absent = ABSENT
    act: Annotated[Mapping[str, object], "another act"] | Absent = ABSENT
    entry: Annotated[str, "another entry"] | Absent = ABSENT
    value: Annotated[object, "the value of that"] | Absent = ABSENT


@shape(name="fault", closed=True)
class FaultReport:
    """The first thing that cannot be."""

    deal: Annotated[str, "the deal"]
    step: Annotated[str, "the step of the record"]
    said: Annotated[str, "what the record says there, in words"]
    code: Annotated[str, "why it is refused, as a code"]
    because: Annotated[str, "why, in words"]
    clauses: _Clauses
    rows: Annotated[tuple[RowReport, ...], "the rows of tables that were judged, in their order"]
    entry: Annotated[str, "the entry that it is in"] | Absent = ABSENT
    figure: Annotated[str, "the figure that differs"] | Absent = ABSENT
    written: Annotated[object, "what is written of it"] | Absent = ABSENT
    found: Annotated[object, "its value"] | Absent = ABSENT
    meant: Annotated[tuple[SlipReport, ...], "what may have been meant"]


@shape(closed=True)
class SettledGame:
    """A record settled as far as it goes."""

    game: Annotated[str, "the game"]
    edition: Annotated[str, "the edition of the rules"]
    setup: Annotated[str, "the set-up"]
    readings: Annotated[Mapping[str, str], "every reading with its value"]
    title: Annotated[str, "what the record is called"]
    players: Annotated[_Ids, "who played, by seat"]
    deals: Annotated[tuple[DealReport, ...], "the deals"]
    standing: Annotated[Mapping[str, object] | None, "the score at the end"]
    complete: Annotated[bool, "whether every deal was written down"]
    fault: FaultReport | None
    lang: Annotated[str, "the language of everything in words"]


@shape(closed=True)
class SettlementReport:
    """What brou score --json writes."""

    format: Literal["brou-settlement/1"] = "brou-settlement/1"
    games: Annotated[tuple[SettledGame, ...], "a record each"]
