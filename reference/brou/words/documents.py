"""Explanations and settlements as JSON documents: their reasons as data, with the sentences of one language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from brou.language.codec import Json, outside
from brou.reasons.explanation import (
    Answer,
    Decision,
    Explained,
    Explanation,
    Found,
    Judgement,
    Otherwise,
    Sight,
    Verdict,
    Visible,
)
from brou.reasons.reason import Figure, Origin, Shown, Term, Unlike, each_once, written
from brou.reasons.settlement import Deal, Fault, Line, Moved, Settlement, Sheet, Slip
from brou.shelf.library import Choice
from brou.words.wording import Words

Document: TypeAlias = Mapping[str, object]


def _rules(choice: Choice) -> Document:
    """Return which rules a document is about."""
    head = {"game": choice.game, "edition": choice.edition, "setup": choice.setup}
    return {**head, "readings": dict(choice.readings)}


def explanation(found: Explanation, words: Words) -> Document:
    """Return an explanation as `brou explain --json` writes it."""
    return {
        **_rules(found.choice),
        "question": found.question.plain(),
        "entries": [_explained(one, words) for one in found.entries],
        "unreached": [{"key": one.key, "value": one.value, "step": one.step} for one in found.unreached],
    }


def _explained(one: Explained, words: Words) -> Document:
    return {**_found(one.found, words), "readings": [_otherwise(other, words) for other in one.readings]}


def _found(found: Found, words: Words) -> Document:
    match found:
        case Judgement():
            return judgement(found, words)
        case Figure():
            return _figure(found, words)
        case Sight():
            return _sight(found, words)


def _otherwise(one: Otherwise, words: Words) -> Document:
    head = {"key": one.key, "value": one.value, "id": one.ambiguity, "text": words.clause(one.ambiguity)}
    return {**head, "then": {} if one.then is None else _answer(one.then, words)}


def _answer(then: Answer, words: Words) -> Document:
    match then:
        case Verdict():
            return {"allowed": then.allowed} | ({} if then.code is None else {"code": then.code})
        case Visible():
            return {"seen": True, "value": then.value}
    return {"value": then.value, "shown": words.shown(then.shown)}


def cited(clauses: Iterable[str], words: Words) -> list[Document]:
    """Return clauses with their texts, each once."""
    return [{"id": id_, "text": words.clause(id_)} for id_ in each_once(clauses)]


def judgement(found: Judgement, words: Words) -> Document:
    """Return an act with the reasons for which it is allowed or refused."""
    return {
        "act": dict(found.act),
        "by": found.seat,
        "said": words.judged(found),
        "allowed": found.allowed,
        "code": found.code,
        "because": words.sentence(found.because),
        "clauses": cited(found.clauses, words),
        "rows": _rows(found.decisions, words),
        "changes": [
            {**_figure(one.figure, words), "before": written(one.before, words.game.deck)} for one in found.changes
        ],
    }


def _rows(decisions: Iterable[Decision], words: Words) -> list[Document]:
    return [
        {"table": one.table, "row": row.row, "fired": row is one.fired, "because": words.sentence(row.because)}
        for one in decisions
        for row in (*one.skipped, one.fired)
    ]


def _value(shown: Shown, words: Words) -> Document:
    """Return a value as JSON, in words, and whether it is nothing."""
    return {"value": written(shown, words.game.deck), "shown": words.shown(shown), "empty": shown.empty}


def _of(keys: Iterable[Shown], words: Words) -> list[Json]:
    return [written(key, words.game.deck) for key in keys]


def _figure(found: Figure, words: Words) -> Document:
    return {
        "figure": found.name,
        "of": _of(found.of, words),
        "said": words.figure(found.name, found.of),
        **_value(found.shown, words),
        "terms": [_term(one, words) for one in found.terms],
        "writes": [_origin(one, words) for one in found.origins],
        "clauses": cited(found.clauses, words),
    }


def _term(term: Term, words: Words) -> Document:
    return {
        "value": term.value,
        "empty": not term.value,
        "what": words.called(term.name),
        "because": words.sentence(term.because),
        "clauses": list(term.clauses),
        "parts": [_term(one, words) for one in term.parts],
        "writes": [_origin(one, words) for one in term.origins],
    }


def _origin(one: Origin, words: Words) -> Document:
    return {
        "variable": one.variable,
        "step": one.step,
        "when": words.when(one),
        "effect": one.effect,
        "adds": one.adds,
        **_value(one.shown, words),
        "because": words.sentence(one.because),
        "clauses": list(one.clauses),
        "terms": [_term(term, words) for term in one.terms],
    }


def _sight(found: Sight, words: Words) -> Document:
    return {
        "sight": found.name,
        "said": words.name("fields", found.name),
        "seen": found.seen,
        "value": found.value,
        "shown": "" if found.display is None else words.display(found.display),
        "level": found.level,
        "because": words.sentence(found.because),
        "clauses": cited([found.clause], words),
    }


# Settlements -----------------------------------------------------------------------


def settlement(found: Settlement, words: Words) -> Document:
    """Return a settlement as `brou score --json` writes it."""
    return {
        **_rules(found.choice),
        "title": found.title,
        "players": list(found.players),
        "deals": [_deal(one, words) for one in found.deals],
        "standing": found.standing,
        "complete": found.complete,
        "fault": None if found.fault is None else _fault(found.fault, words),
    }


def _deal(deal: Deal, words: Words) -> Document:
    return {
        "id": deal.id,
        "lines": [_line(one, words) for one in deal.lines],
        "count": deal.count,
        "result": [_figure(one, words) for one in deal.result],
        "slate": [_sheet(one, words) for one in deal.slate],
        "written": deal.written,
    }


def _line(line: Line, words: Words) -> Document:
    return {
        "step": line.step,
        "said": words.happened(line.happened) or line.step,
        "each": line.each,
        "changes": [_moved(one, words) for one in line.changes],
        "clauses": cited(line.clauses, words),
    }


def _moved(one: Moved, words: Words) -> Document:
    value = _value(one.shown, words)
    return {
        "figure": one.figure,
        "of": _of(one.of, words),
        "said": words.figure(one.figure, ()),
        "whose": words.listed(one.of),
        "by": one.by,
        "value": value["value"],
        "shown": value["shown"],
    }


def _sheet(sheet: Sheet, words: Words) -> Document:
    return {
        "figure": sheet.variable,
        "said": words.name("fields", sheet.name),
        "of": [_of(keys, words) for keys in sheet.of],
        "whose": [words.listed(keys) for keys in sheet.of],
        "before": list(sheet.before),
        "rows": [
            {
                "what": words.called(row.name),
                "values": list(row.values),
                "parts": [None if part is None else _term(part, words) for part in row.parts],
                "clauses": list(row.clauses),
            }
            for row in sheet.rows
        ],
        "struck": sheet.struck,
        "after": list(sheet.after),
    }


def _fault(fault: Fault, words: Words) -> Document:
    found: dict[str, object] = {
        "deal": fault.deal,
        "step": fault.step,
        "said": words.recorded(fault),
        "code": fault.code,
        "because": words.sentence(fault.because),
        "clauses": cited(fault.clauses, words),
        "rows": _rows(fault.decisions, words),
    }
    if fault.entry is not None:
        found["entry"] = fault.entry
    if isinstance(fault.because, Unlike):
        unlike = fault.because
        found |= {"figure": unlike.name, "written": unlike.written, "found": unlike.found}
    return {**found, "meant": [_slip(slip, words) for slip in fault.meant]}


def _slip(slip: Slip, words: Words) -> Document:
    said = {"said": words.slip(slip)}
    if slip.reading:
        return {**said, "reading": dict(zip(("key", "value"), slip.reading, strict=True))}
    if slip.act is not None:
        return {**said, "by": slip.act[0], "act": dict(slip.act[1])}
    entry = {**said, "entry": outside(slip.entry)}
    return entry if slip.value is None or slip.missing else {**entry, "value": slip.value}
