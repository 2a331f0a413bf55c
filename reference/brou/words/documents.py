"""Explanations and settlements as reports: their reasons as data, with the sentences of one language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from brou.games.catalogue import book
from brou.language.codec import Json, outside
from brou.reasons.explanation import (
    AlternativeReading,
    Answer,
    Decision,
    Explained,
    Explanation,
    FigureChange,
    Found,
    Judgement,
    RowReason,
    Verdict,
    ViewEntry,
    Visible,
)
from brou.reasons.reason import Figure, FigureTerm, Origin, TypedValue, Unlike, each_once, encode_value
from brou.reasons.settlement import Deal, Line, Moved, RecordFault, Settlement, Sheet, Slip
from brou.shapes import ABSENT
from brou.words.reports import (
    ActReport,
    ChangeReport,
    ClauseReport,
    DealReport,
    Entry,
    ExceptionReport,
    ExplainedQuestion,
    FaultReport,
    FigureReport,
    LineChange,
    LineReport,
    OtherReading,
    ReadingValue,
    RowReport,
    SettledGame,
    SheetReport,
    SheetRowReport,
    SightReport,
    SlipReport,
    TermReport,
    UnreachedReport,
    WriteReport,
)
from brou.words.wording import Words


def document_explanation(found: Explanation, words: Words, subject: str = "") -> ExplainedQuestion:
    """Return an explanation as `brou explain --json` writes it; `subject` names the thing in question."""
    return ExplainedQuestion(
        game=found.choice.game,
        edition=found.choice.edition,
        setup=found.choice.setup,
        readings=dict(found.choice.readings),
        question=found.question.plain(),
        entries=tuple(_encode_explained(one, words) for one in found.entries),
        unreached=tuple(UnreachedReport(key=one.key, value=one.value, step=one.step) for one in found.unreached),
        lang=words.lang,
        subject=subject,
    )


def _encode_explained(one: Explained, words: Words) -> Entry:
    return replace(_encode_found(one.found, words), readings=tuple(_otherwise(other, words) for other in one.readings))


def _encode_found(found: Found, words: Words) -> Entry:
    match found:
        case Judgement():
            return judgement(found, words)
        case Figure():
            return _figure(found, words)
        case ViewEntry():
            return _sight(found, words)


def _otherwise(one: AlternativeReading, words: Words) -> OtherReading:
    text = words.clause(one.ambiguity)
    then = {} if one.then is None else _answer(one.then, words)
    reading = book(words.game.id, words.folder).readings[one.key]
    return OtherReading(
        key=one.key,
        value=one.value,
        title=words.text(reading.title),
        name=words.text(reading.find_name(one.value)),
        id=one.ambiguity,
        text=text,
        then=then,
    )


def _answer(then: Answer, words: Words) -> Mapping[str, object]:
    match then:
        case Verdict():
            return {"allowed": then.allowed} | ({} if then.code is None else {"code": then.code})
        case Visible():
            return {"seen": True, "value": then.value}
    return {"value": then.value, "shown": words.typed_value(then.shown)}


def cite(clauses: Iterable[str], words: Words) -> tuple[ClauseReport, ...]:
    """Return clauses with their texts, each once."""
    return tuple(ClauseReport(id=id_, text=words.clause(id_)) for id_ in each_once(clauses))


def judgement(found: Judgement, words: Words) -> ActReport:
    """Return an act with the reasons for which it is allowed or refused."""
    return ActReport(
        act=found.act,
        by=found.seat,
        said=words.judgement(found),
        allowed=found.allowed,
        code=found.code,
        because=words.sentence(found.because),
        clauses=cite(found.clauses, words),
        rows=_rows(found.decisions, words),
        changes=tuple(_change(one, words) for one in found.changes),
    )


def _change(one: FigureChange, words: Words) -> ChangeReport:
    figure = _figure(one.figure, words)
    return ChangeReport(
        figure=figure.figure,
        of=figure.of,
        said=figure.said,
        value=figure.value,
        shown=figure.shown,
        empty=figure.empty,
        terms=figure.terms,
        writes=figure.writes,
        clauses=figure.clauses,
        before=encode_value(one.before, words.game.deck),
    )


def _rows(decisions: Iterable[Decision], words: Words) -> tuple[RowReport, ...]:
    return tuple(
        RowReport(
            table=one.table,
            row=row.row,
            fired=row is one.fired,
            holds=row.holds,
            because=words.sentence(row.because),
            clause=row.clause,
            exceptions=tuple(_exceptions(row, words)),
        )
        for one in decisions
        for row in one.rows
    )


def _exceptions(row: RowReason, words: Words) -> Iterator[ExceptionReport]:
    for applies, told in ((False, row.failing), (True, row.lifting)):
        for clause, because in told:
            yield ExceptionReport(clause=clause, applies=applies, because=words.sentence(because))
    for clause, by, because in row.undone:
        yield ExceptionReport(clause=clause, applies=False, because=words.sentence(because), lifted_by=by)


def _of(keys: Iterable[TypedValue], words: Words) -> tuple[Json, ...]:
    return tuple(encode_value(key, words.game.deck) for key in keys)


def _figure(found: Figure, words: Words) -> FigureReport:
    return FigureReport(
        figure=found.name,
        of=_of(found.of, words),
        said=words.figure(found.name, found.of),
        value=encode_value(found.shown, words.game.deck),
        shown=words.typed_value(found.shown),
        empty=found.shown.empty,
        terms=_terms(found.terms, words),
        writes=_origins(found.origins, words),
        clauses=cite(found.clauses, words),
    )


def _terms(terms: Iterable[FigureTerm], words: Words) -> tuple[TermReport, ...]:
    return tuple(_term(one, words) for one in terms)


def _term(term: FigureTerm, words: Words) -> TermReport:
    return TermReport(
        value=term.value,
        empty=not term.value,
        what=words.number_name(term.name),
        because=words.sentence(term.because),
        clauses=tuple(term.clauses),
        parts=_terms(term.parts, words),
        writes=_origins(term.origins, words),
    )


def _origins(origins: Iterable[Origin], words: Words) -> tuple[WriteReport, ...]:
    return tuple(_origin(one, words) for one in origins)


def _origin(one: Origin, words: Words) -> WriteReport:
    return WriteReport(
        variable=one.variable,
        step=one.step,
        when=words.when(one),
        effect=one.effect,
        adds=one.adds,
        value=encode_value(one.shown, words.game.deck),
        shown=words.typed_value(one.shown),
        empty=one.shown.empty,
        because=words.sentence(one.because),
        clauses=tuple(one.clauses),
        terms=_terms(one.terms, words),
    )


def _sight(found: ViewEntry, words: Words) -> SightReport:
    return SightReport(
        sight=found.name,
        said=words.name("fields", found.name),
        seen=found.seen,
        value=found.value,
        shown="" if found.display is None else words.display(found.display),
        level=found.level,
        because=words.sentence(found.because),
        clauses=cite([found.clause], words),
    )


# Settlements -----------------------------------------------------------------------


def document_settlement(found: Settlement, words: Words) -> SettledGame:
    """Return a settlement as `brou score --json` writes it."""
    return SettledGame(
        game=found.choice.game,
        edition=found.choice.edition,
        setup=found.choice.setup,
        readings=dict(found.choice.readings),
        title=found.title,
        players=tuple(found.players),
        deals=tuple(_deal(one, words) for one in found.deals),
        standing=found.standing,
        complete=found.complete,
        fault=None if found.fault is None else _fault(found.fault, words),
        lang=words.lang,
    )


def _deal(deal: Deal, words: Words) -> DealReport:
    return DealReport(
        id=deal.id,
        lines=tuple(_line(one, words) for one in deal.lines),
        count=deal.count,
        result=tuple(_figure(one, words) for one in deal.result),
        slate=tuple(_sheet(one, words) for one in deal.slate),
        written=deal.written,
    )


def _line(line: Line, words: Words) -> LineReport:
    return LineReport(
        step=line.step,
        said=words.happening(line.happened) or line.step,
        each=line.each,
        changes=tuple(_encode_moved(one, words) for one in line.changes),
        clauses=cite(line.clauses, words),
    )


def _encode_moved(one: Moved, words: Words) -> LineChange:
    return LineChange(
        figure=one.figure,
        of=_of(one.of, words),
        said=words.figure(one.figure, ()),
        whose=words.list_values(one.of),
        by=one.by,
        value=encode_value(one.shown, words.game.deck),
        shown=words.typed_value(one.shown),
    )


def _sheet(sheet: Sheet, words: Words) -> SheetReport:
    rows = tuple(
        SheetRowReport(
            what=words.number_name(row.name),
            values=tuple(row.values),
            parts=tuple(None if part is None else _term(part, words) for part in row.parts),
            clauses=tuple(row.clauses),
        )
        for row in sheet.rows
    )
    return SheetReport(
        figure=sheet.variable,
        said=words.name("fields", sheet.name),
        of=tuple(_of(keys, words) for keys in sheet.of),
        whose=tuple(words.list_values(keys) for keys in sheet.of),
        before=tuple(sheet.before),
        rows=rows,
        struck=sheet.struck,
        after=tuple(sheet.after),
    )


def _fault(fault: RecordFault, words: Words) -> FaultReport:
    unlike = fault.because if isinstance(fault.because, Unlike) else None
    return FaultReport(
        deal=fault.deal,
        step=fault.step,
        said=words.fault_step(fault),
        code=fault.code,
        because=words.sentence(fault.because),
        clauses=cite(fault.clauses, words),
        rows=_rows(fault.decisions, words),
        entry=ABSENT if fault.entry is None else fault.entry,
        figure=ABSENT if unlike is None else unlike.name,
        written=ABSENT if unlike is None else unlike.written,
        found=ABSENT if unlike is None else unlike.found,
        meant=tuple(_slip(slip, words) for slip in fault.meant),
    )


def _slip(slip: Slip, words: Words) -> SlipReport:
    said = words.slip(slip)
    if slip.reading:
        key, value = slip.reading
        return SlipReport(said=said, reading=ReadingValue(key=key, value=value))
    if slip.act is not None:
        by, act = slip.act
        return SlipReport(said=said, by=by, act=act)
    value_ = ABSENT if slip.value is None or slip.missing else slip.value
    return SlipReport(said=said, entry=outside(slip.entry), value=value_)
