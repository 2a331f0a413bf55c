"""An explanation as people read it: what was found, laid out, with the text of each clause once at the end."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, takewhile
from typing import TypeAlias

from brou.reasons.explanation import (
    Answer,
    Decision,
    Explained,
    Explanation,
    Judgement,
    Otherwise,
    Sight,
    Verdict,
    Visible,
)
from brou.reasons.reason import Coded, Figure, Origin, Term, each_once, written
from brou.words.wording import Words

#: Where lines are broken; how far things are indented under each other; of how many acts alike only the form is told.
_WIDTH, _STEP, _ALIKE = 110, 2, 3
_FIRED, _PASSED = "→", "·"

Readings: TypeAlias = tuple[Otherwise, ...]


def told(found: Explanation, subject: str, words: Words) -> str:
    """Return everything that was found to a question."""
    lines = [*_head(found, subject, words), ""]
    acts = [(one.found, one.readings) for one in found.entries if isinstance(one.found, Judgement)]
    if acts:
        lines += _acts(acts, words)
    sights = [(one.found, one.readings) for one in found.entries if isinstance(one.found, Sight)]
    if sights:
        lines += _sights(sights, words)
    figures = [(one.found, one.readings) for one in found.entries if isinstance(one.found, Figure)]
    if figures:
        lines += _figures(figures, words)
    if not found.unreached and not any(one.readings for one in found.entries):
        lines += [words.frame("no_reading"), ""]
    for item in found.unreached:
        lines += wrapped(words.frame("unreached", reading=f"{item.key}={item.value}", step=item.step), "")
    lines += [""] if found.unreached else []
    lines += clause_lines(chain.from_iterable(map(_cited, found.entries)), words)
    return joined(lines)


def joined(lines: Sequence[str]) -> str:
    """Return lines as a text, of several empty ones in a row the first alone."""
    return "\n".join(line for line, before in zip(lines, ["", *lines], strict=False) if line or before) + "\n"


def _head(found: Explanation, subject: str, words: Words) -> Iterator[str]:
    """Yield what is explained: the rules, with readings that are not the edition's, and the question."""
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
    """Say whether two acts of one name are judged alike, by the same rows and with the same readings open."""
    (mine, open_), (yours, other) = one, two
    return mine.act.keys() == yours.act.keys() and open_ == other and replace(mine, act={}) == replace(yours, act={})


def _act(found: Judgement, readings: Readings, words: Words) -> Iterator[str]:
    yield from wrapped(words.frame("is", what=words.judged(found), value=_verdict(found, words)), "")
    for decision in found.decisions:
        yield ""
        yield from decision_lines(decision, words)
    yield ""
    yield from _changes(found, words)
    yield from _readings(readings, words)


def _verdict(found: Judgement, words: Words) -> str:
    clauses = each_once(found.clauses)
    return words.verdict(allowed=found.allowed, why=words.sentence(found.because)) + cited(clauses[:1])


def cited(clauses: Iterable[str]) -> str:
    """Return clauses as they are cited behind a sentence."""
    listed = ", ".join(clauses)
    return f" [{listed}]" if listed else ""


def decision_lines(decision: Decision, words: Words) -> Iterator[str]:
    """Yield the rows of a table, the one that decides marked."""
    yield f"  {words.frame('rows', table=decision.table)}"
    rows = (*decision.skipped, decision.fired)
    width = max(len(row.row) for row in rows)
    for row in rows:
        head = f"    {_FIRED if row is decision.fired else _PASSED} {row.row:{width}}  "
        yield from wrapped(words.sentence(row.because), head)


def _alike(group: Sequence[tuple[Judgement, Readings]], words: Words) -> Iterator[str]:
    """Yield acts that are judged alike, with the one reason for all of them."""
    first, readings = group[0]
    seat = f"{words.capital(words.seat(first.seat))} "
    acts = [words.judged(found).removeprefix(seat) for found, _ in group]
    name = next(iter(first.act)).replace("-", "_")
    parameters = words.game.actions[name].parameters
    if len(acts) > _ALIKE and not any(str(parameter.type) == "card" for parameter in parameters):
        acts = [f"{words.doing(name)} ({len(acts)})"]
    elif len(acts) > 1:
        same = takewhile(lambda words_: len(set(words_)) == 1, zip(*(act.split(" ") for act in acts), strict=False))
        spoken = sum(1 for _ in same)
        acts = [acts[0], *(" ".join(act.split(" ")[spoken:]) for act in acts[1:])]
    yield from wrapped(words.frame("is", what=words.frame("beside").join(acts), value=_verdict(first, words)), "")
    yield from _changes(first, words)
    yield from _readings(readings, words)


def _changes(found: Judgement, words: Words) -> Iterator[str]:
    if not found.changes:
        return
    yield f"  {words.frame('changes')}"
    for change in found.changes:
        figure = change.figure
        what, old = words.figure(figure.name, figure.of), written(change.before, words.game.deck)
        before = words.frame("nothing") if old is None else str(old)
        said = words.frame("from_to", what=what, old=before, new=words.shown(figure.shown))
        yield from figure_lines(figure, words, 4, said=said)
    yield ""


def _readings(readings: Readings, words: Words) -> Iterator[str]:
    if not readings:
        return
    yield f"  {words.frame('open_readings')}"
    for one in readings:
        head = f"    {one.key}={one.value}: "
        yield from wrapped(f"{_then(one.then, words)}{cited([one.ambiguity])}", head, plain=True)
    yield ""


def _then(then: Answer | None, words: Words) -> str:
    """Return what the answer would be."""
    match then:
        case None:
            return words.frame("hidden")
        case Verdict(code=code):
            return words.verdict(allowed=then.allowed, why=words.sentence(Coded(code)) if code else "")
        case Visible(value):
            return f"{words.frame('shown')} {json.dumps(value, ensure_ascii=False)}"
    return words.shown(then.shown)


# Sight ---------------------------------------------------------------------------


def _sights(entries: Iterable[tuple[Sight, Readings]], words: Words) -> Iterator[str]:
    for found, readings in entries:
        value = words.frame("hidden") if found.display is None else words.display(found.display)
        parts = [words.frame("is", what=words.name("fields", found.name), value=value), words.sentence(found.because)]
        if found.seen:
            parts.insert(1, words.frame(found.level))
        yield from wrapped(words.frame("dash").join(parts) + cited([found.clause]), "")
        yield from _readings(readings, words)
    yield ""


# Figures -------------------------------------------------------------------------


def _figures(entries: Sequence[tuple[Figure, Readings]], words: Words) -> Iterator[str]:
    """Yield each figure with what it is made of, and at the end those of which there is nothing to tell."""
    for figure, readings in entries:
        if readings or _telling(figure):
            yield from figure_lines(figure, words, 0)
            yield from _readings(readings, words)
            yield ""
    silent = [figure for figure, readings in entries if not readings and not _telling(figure)]
    if silent:
        names = words.frame("and").join(words.figure(figure.name, figure.of) for figure in silent)
        yield from wrapped(f"{words.frame('untold')} {names}", "")
        yield ""


def _telling(one: Figure | Term | Origin) -> bool:
    """Say whether anything but nothing has ever been written where a figure comes from."""
    match one:
        case Term():
            return bool(one.value) or any(map(_telling, one.parts)) or any(map(_telling, one.origins))
        case Figure():
            return not one.shown.empty or any(map(_telling, one.terms)) or any(map(_telling, one.origins))
    return not one.shown.empty or any(map(_telling, one.terms))


def figure_lines(figure: Figure, words: Words, indent: int, said: str = "") -> Iterator[str]:
    """Yield a figure with what it is made of and who wrote it."""
    head = said or words.frame("is", what=words.figure(figure.name, figure.of), value=words.shown(figure.shown))
    inner = indent + _STEP
    sole = figure.origins[0] if len(figure.origins) == 1 else None
    if sole is not None and not sole.adds and (_plain(sole) or len(sole.terms) > 1):
        several = sole.terms if len(sole.terms) > 1 else ()
        why = _why(sole, words)
        dash = "" if why.startswith(" [") else words.frame("dash")
        yield from wrapped(f"{head}{_sum(several, words)}{dash}{why}", " " * indent)
        for term in several:
            yield from _term(term, words, inner)
        return
    yield from wrapped(head + _sum(figure.terms, words), " " * indent)
    for term in figure.terms:
        yield from _term(term, words, inner)
    if not figure.terms and not figure.origins and figure.shown.value:
        yield f"{' ' * inner}{words.frame('given')}"
    yield from _origins(figure.origins, words, inner)


def _sum(terms: Sequence[Term], words: Words) -> str:
    """Return the figures of a sum of several parts."""
    return f" = {words.figures([term.value for term in terms])}" if len(terms) > 1 else ""


def _plain(origin: Origin) -> bool:
    """Say whether what was written can be told in one line."""
    return all(not (term.parts or term.origins) for term in origin.terms) and len(origin.terms) < _STEP


def _why(origin: Origin, words: Words, *, common: bool = False) -> str:
    """Return what was written, when and why, and the first clause that it rests on."""
    parts, clauses = [words.when(origin), "" if common else words.sentence(origin.because)], origin.clauses
    if len(origin.terms) == 1:
        (term,) = origin.terms
        parts.insert(0, words.called(term.name))
        clauses = (*term.clauses, *clauses) if term.because is not None else clauses
    return words.frame("dash").join(part for part in parts if part) + cited(clauses[:1])


def _term(term: Term, words: Words, indent: int) -> Iterator[str]:
    because = f"{words.frame('dash')}{words.sentence(term.because)}" if term.because is not None else ""
    head = f"{' ' * indent}{words.number(term.value):>5}  "
    yield from wrapped(f"{words.called(term.name)}{because}{cited(term.clauses[:1])}", head)
    for part in term.parts:
        yield from _term(part, words, indent + _STEP * 2)
    sole = term.origins[0] if len(term.origins) == 1 else None
    if sole is None or sole.shown.value != term.value or sole.because is not None:
        yield from _origins(term.origins, words, indent + _STEP * 2)


def _origins(origins: Sequence[Origin], words: Words, indent: int) -> Iterator[str]:
    listed = [one for one in origins if not one.shown.empty] or origins
    common = len(listed) > 1 and len({one.because for one in listed}) == 1
    for one in listed:
        value = one.shown.value
        sign = "+" if one.adds and isinstance(value, int) and value >= 0 else ""
        whole = f"{sign}{words.shown(one.shown)}{_sum(one.terms, words)}"
        yield from wrapped(_why(one, words, common=common), f"{' ' * indent}{whole:>5}  ")
        if len(one.terms) > 1:
            for term in one.terms:
                yield from _term(term, words, indent + _STEP * 2)
        elif one.terms:
            for part in one.terms[0].parts:
                yield from _term(part, words, indent + _STEP * 2)
            yield from _origins(one.terms[0].origins, words, indent + _STEP * 2)


# Clauses -------------------------------------------------------------------------


def _cited(one: Explained) -> Iterator[str]:
    """Yield what was cited: clauses, open passages, and the clauses of figures that an act changes."""
    match one.found:
        case Judgement(clauses=clauses):
            yield from clauses
        case Sight(clause=clause):
            yield clause
        case Figure(clauses=clauses) if one.readings or _telling(one.found):
            yield from clauses
    yield from (reading.ambiguity for reading in one.readings)
    if isinstance(one.found, Judgement):
        yield from chain.from_iterable(change.figure.clauses for change in one.found.changes)


def clause_lines(clauses: Iterable[str], words: Words) -> Iterator[str]:
    """Yield clauses with their texts, each once."""
    listed = each_once(clauses)
    width = max(map(len, listed), default=0)
    for id_ in listed:
        yield from wrapped(words.clause(id_), f"{id_:{width}}  ")


def wrapped(text: str, head: str, *, plain: bool = False) -> list[str]:
    """Return a text after a head, its lines broken and indented under it."""
    indent = " " * (len(head) if not plain else len(head) - len(head.lstrip()) + _STEP)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=head, subsequent_indent=indent or "  ", break_on_hyphens=False
    ) or [head]
