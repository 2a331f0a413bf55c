"""An explanation as people read it: the findings laid out, with the text of each clause once at the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, takewhile
from typing import TypeAlias

from brou import Words
from brou.reasons import (
    AlternativeReading,
    Answer,
    Coded,
    Explained,
    Explanation,
    Figure,
    FigureTerm,
    Judgement,
    Origin,
    Verdict,
    ViewEntry,
    Visible,
    each_once,
    encode_value,
)
from brou_tools.reasons.lines import (
    cite_clauses,
    clause_lines,
    decision_lines,
    figure_lines,
    find_binding,
    join_lines,
    wrap_text,
)

#: Of more acts alike than this only the form is told.
_ALIKE = 3

Readings: TypeAlias = tuple[AlternativeReading, ...]


def tell_explanation(found: Explanation, subject: str, words: Words, steps: Sequence[str] = ()) -> str:
    """Return the whole explanation as text; of several `steps`, the first line says that the last was taken."""
    lines = [*_last_step(steps, words), *_head(found, subject, words), ""]
    acts = [(one.found, one.readings) for one in found.entries if isinstance(one.found, Judgement)]
    if acts:
        lines += _acts(acts, words)
    sights = [(one.found, one.readings) for one in found.entries if isinstance(one.found, ViewEntry)]
    if sights:
        lines += _sights(sights, words)
    figures = [(one.found, one.readings) for one in found.entries if isinstance(one.found, Figure)]
    if figures:
        lines += _figures(figures, words)
    if not found.unreached and not any(one.readings for one in found.entries):
        lines += [words.frame("no_reading"), ""]
    for item in found.unreached:
        lines += wrap_text(words.frame("unreached", reading=f"{item.key}={item.value}", step=item.step), "")
    lines += [""] if found.unreached else []
    sole = acts[0][0] if len(acts) == 1 else None
    quoted = {row.clause for decision in sole.decisions for row in find_binding(decision)} if sole else set()
    cited = chain.from_iterable(map(_list_cited, found.entries))
    lines += clause_lines((clause for clause in cited if clause not in quoted), words)
    return join_lines(lines)


def _last_step(steps: Sequence[str], words: Words) -> Iterator[str]:
    """Yield a line that lists the named steps of a scenario, unless it has a single one."""
    if len(steps) > 1:
        yield from wrap_text(words.frame("last_step", step=steps[-1], steps=", ".join(steps)), "")


def _head(found: Explanation, subject: str, words: Words) -> Iterator[str]:
    """Yield the subject: the rules, with readings that are not the edition's, and the question."""
    question, choice = found.question, found.choice
    yield f"{choice.game}@{choice.edition}:{choice.setup}  {subject}"
    if question.kind != "act":
        yield words.frame(f"{question.kind}_of", seat=str(question.seat))


# Acts ---------------------------------------------------------------------------


def _acts(entries: Sequence[tuple[Judgement, Readings]], words: Words) -> Iterator[str]:
    """Yield every act with its verdict; of several, those with the same reason together."""
    if len(entries) == 1:
        yield from _act(*entries[0], words)
        return
    groups: list[list[tuple[Judgement, Readings]]] = []
    for entry in sorted(entries, key=lambda entry: not entry[0].allowed):
        group = next((group for group in groups if _judged_alike(group[0], entry)), None)
        if group is None:
            groups.append([entry])
        else:
            group.append(entry)
    for group in groups:
        yield from _alike(group, words)
    yield ""


def _judged_alike(one: tuple[Judgement, Readings], two: tuple[Judgement, Readings]) -> bool:
    """Say whether two acts of one name have the same verdict, reason, clauses and open readings."""
    (mine, open_), (yours, other) = one, two
    same = replace(mine, act={}, decisions=()) == replace(yours, act={}, decisions=())
    return mine.act.keys() == yours.act.keys() and open_ == other and same


def _act(found: Judgement, readings: Readings, words: Words) -> Iterator[str]:
    told = any(decision.forbids for decision in found.decisions)
    short = words.verdict(allowed=found.allowed, why="") + cite_clauses(_list_codes(found))
    verdict = short if told else _verdict(found, words)
    yield from wrap_text(words.frame("is", what=words.judgement(found), value=verdict), "")
    for decision in found.decisions:
        yield ""
        yield from decision_lines(decision, words)
    yield ""
    yield from _changes(found, words)
    yield from _readings(readings, words)


def _verdict(found: Judgement, words: Words) -> str:
    cited = (*each_once(found.clauses)[:1], *_list_codes(found))
    return words.verdict(allowed=found.allowed, why=words.sentence(found.because)) + cite_clauses(cited)


def _list_codes(found: Judgement) -> tuple[str, ...]:
    """Return the code that a program receives for a refusal; nothing for an act that is allowed."""
    return () if found.allowed else (found.code,)


def _alike(group: Sequence[tuple[Judgement, Readings]], words: Words) -> Iterator[str]:
    """Yield acts that are judged alike, with the one reason for all of them."""
    first, readings = group[0]
    seat = f"{words.capital(words.seat(first.seat))} "
    acts = [words.judgement(found).removeprefix(seat) for found, _ in group]
    name = next(iter(first.act)).replace("-", "_")
    parameters = words.game.actions[name].parameters
    if len(acts) > _ALIKE and not any(str(parameter.type) == "card" for parameter in parameters):
        acts = [f"{words.doing(name)} ({len(acts)})"]
    elif len(acts) > 1:
        same = takewhile(lambda words_: len(set(words_)) == 1, zip(*(act.split(" ") for act in acts), strict=False))
        spoken = sum(1 for _ in same)
        acts = [acts[0], *(" ".join(act.split(" ")[spoken:]) for act in acts[1:])]
    yield from wrap_text(words.frame("is", what=words.frame("beside").join(acts), value=_verdict(first, words)), "")
    yield from _changes(first, words)
    yield from _readings(readings, words)


def _changes(found: Judgement, words: Words) -> Iterator[str]:
    if not found.changes:
        return
    yield f"  {words.frame('changes')}"
    for change in found.changes:
        figure = change.figure
        what, old = words.figure(figure.name, figure.of), encode_value(change.before, words.game.deck)
        before = words.frame("nothing") if old is None else str(old)
        said = words.frame("from_to", what=what, old=before, new=words.typed_value(figure.shown))
        yield from figure_lines(figure, words, 4, said=said)
    yield ""


def _readings(readings: Readings, words: Words) -> Iterator[str]:
    if not readings:
        return
    yield f"  {words.frame('open_readings')}"
    for one in readings:
        head = f"    {one.key}={one.value}: "
        yield from wrap_text(f"{_then(one.then, words)}{cite_clauses([one.ambiguity])}", head, plain=True)
    yield ""


def _then(then: Answer | None, words: Words) -> str:
    """Return the answer in that case."""
    match then:
        case None:
            return words.frame("hidden")
        case Verdict(code=code):
            return words.verdict(allowed=then.allowed, why=words.sentence(Coded(code)) if code else "")
        case Visible(value):
            return f"{words.frame('shown')} {json.dumps(value, ensure_ascii=False)}"
    return words.typed_value(then.shown)


# Sight ---------------------------------------------------------------------------


def _sights(entries: Iterable[tuple[ViewEntry, Readings]], words: Words) -> Iterator[str]:
    for found, readings in entries:
        value = words.frame("hidden") if found.display is None else words.display(found.display)
        parts = [words.frame("is", what=words.name("fields", found.name), value=value), words.sentence(found.because)]
        if found.seen:
            parts.insert(1, words.frame(found.level))
        yield from wrap_text(words.frame("dash").join(parts) + cite_clauses([found.clause]), "")
        yield from _readings(readings, words)
    yield ""


# Figures -------------------------------------------------------------------------


def _figures(entries: Sequence[tuple[Figure, Readings]], words: Words) -> Iterator[str]:
    """Yield each figure with its terms, and at the end the figures that have nothing to explain."""
    for figure, readings in entries:
        if readings or _telling(figure):
            yield from figure_lines(figure, words, 0)
            yield from _readings(readings, words)
            yield ""
    silent = [figure for figure, readings in entries if not readings and not _telling(figure)]
    if silent:
        names = words.frame("and").join(words.figure(figure.name, figure.of) for figure in silent)
        yield from wrap_text(f"{words.frame('untold')} {names}", "")
        yield ""


def _telling(one: Figure | FigureTerm | Origin) -> bool:
    """Say whether anything but nothing has ever been written where a figure comes from."""
    match one:
        case FigureTerm():
            return bool(one.value) or any(map(_telling, one.parts)) or any(map(_telling, one.origins))
        case Figure():
            return not one.shown.empty or any(map(_telling, one.terms)) or any(map(_telling, one.origins))
    return not one.shown.empty or any(map(_telling, one.terms))


# Clauses -------------------------------------------------------------------------


def _list_cited(one: Explained) -> Iterator[str]:
    """Yield the clauses of an explanation: its own, open passages, and those of figures that an act changes."""
    match one.found:
        case Judgement(clauses=clauses, decisions=decisions):
            yield from clauses
            for row in chain.from_iterable(map(find_binding, decisions)):
                yield from (clause for clause, _ in row.failing)
                yield from chain.from_iterable((clause, by) for clause, by, _ in row.undone)
        case ViewEntry(clause=clause):
            yield clause
        case Figure(clauses=clauses) if one.readings or _telling(one.found):
            yield from clauses
    yield from (reading.ambiguity for reading in one.readings)
    if isinstance(one.found, Judgement):
        yield from chain.from_iterable(change.figure.clauses for change in one.found.changes)
