"""Reasons as lines for people: figures with their terms, decisions row by row, clauses with their texts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from brou import Words
from brou.reasons import Decision, Figure, FigureTerm, FixedReason, Origin, Reason, RowReason, each_once
from brou_tools.terminal.columns import count_columns

#: How far things are indented under each other.
_STEP = 2
_FIRED, _PASSED = "→", "·"


def decision_lines(decision: Decision, words: Words) -> Iterator[str]:
    """Yield what a table decides: duties by their clauses, or the rows in their order, the one that decides marked."""
    if decision.forbids:
        yield from _duty_lines(decision, words)
        return
    yield f"  {words.frame('rows', table=decision.table)}"
    width = max(len(row.row) for row in decision.rows)
    for row in decision.rows:
        head = f"    {_FIRED if row is decision.fired else _PASSED} {row.row:{width}}  "
        yield from wrap_text(words.sentence(row.because), head)


def _duty_lines(decision: Decision, words: Words) -> Iterator[str]:
    """Yield each duty that binds with its text, condition and exceptions, each that an exception lifts, the others."""
    for row in find_binding(decision):
        yield from wrap_text(f"{words.clause(row.clause)}{cite_clauses([row.clause])}", " " * _STEP)
        checked = list(words.checklist(row.because))
        width = max(len(mark) for mark, _ in checked)
        for mark, text in checked:
            yield from wrap_text(text, f"    {mark:{width}}  " if width else "    ")
        yield from _answers("no_exceptions", row.failing, words)
        undone = [(words.frame("lifted_by", exception=one, by=by), because) for one, by, because in row.undone]
        yield from _answers("undone", undone, words)
    for row in decision.rows:
        if row.lifting:
            yield from wrap_text(f"{words.clause(row.clause)}{cite_clauses([row.clause])}", " " * _STEP)
            yield from _answers("exceptions", row.lifting, words)
    free = [(row.clause, row.because) for row in decision.rows if not row.holds and not row.lifting]
    yield from _answers("free_of", free, words)


def find_binding(decision: Decision) -> Iterator[RowReason]:
    """Yield the duties that bind."""
    if decision.forbids:
        yield from (row for row in decision.rows if row.holds and row.because is not FixedReason.ELSE)


def _answers(title: str, told: Sequence[tuple[str, Reason]], words: Words) -> Iterator[str]:
    """Yield what each of some clauses is answered, under a title; nothing of none."""
    if told:
        yield f"  {words.frame(title)}"
        width = max(len(clause) for clause, _ in told)
        for clause, because in told:
            yield from wrap_text(words.answers(because), f"    {clause:{width}}  ")


def figure_lines(figure: Figure, words: Words, indent: int, said: str = "") -> Iterator[str]:
    """Yield a figure with its terms and the act that wrote it."""
    head = said or words.frame("is", what=words.figure(figure.name, figure.of), value=words.typed_value(figure.shown))
    inner = indent + _STEP
    sole = figure.origins[0] if len(figure.origins) == 1 else None
    if sole is not None and not sole.adds and (_plain(sole) or len(sole.terms) > 1):
        several = sole.terms if len(sole.terms) > 1 else ()
        why = _why(sole, words)
        dash = "" if why.startswith(" [") else words.frame("dash")
        yield from wrap_text(f"{head}{_sum(several, words)}{dash}{why}", " " * indent)
        for term in several:
            yield from _term(term, words, inner)
        return
    yield from wrap_text(head + _sum(figure.terms, words), " " * indent)
    for term in figure.terms:
        yield from _term(term, words, inner)
    if not figure.terms and not figure.origins and figure.shown.value:
        yield f"{' ' * inner}{words.frame('given')}"
    yield from _origins(figure.origins, words, inner)


def _sum(terms: Sequence[FigureTerm], words: Words) -> str:
    """Return the figures of a sum of several parts."""
    return f" = {words.figures([term.value for term in terms])}" if len(terms) > 1 else ""


def _plain(origin: Origin) -> bool:
    """Say whether a write fits on one line."""
    return all(not (term.parts or term.origins) for term in origin.terms) and len(origin.terms) < _STEP


def _why(origin: Origin, words: Words, *, common: bool = False) -> str:
    """Return the value written, when and why, and the first clause that it rests on."""
    parts, clauses = [words.when(origin), "" if common else words.sentence(origin.because)], origin.clauses
    if len(origin.terms) == 1:
        (term,) = origin.terms
        parts.insert(0, words.number_name(term.name))
        clauses = (*term.clauses, *clauses) if term.because is not None else clauses
    return words.frame("dash").join(part for part in parts if part) + cite_clauses(clauses[:1])


def _term(term: FigureTerm, words: Words, indent: int) -> Iterator[str]:
    because = f"{words.frame('dash')}{words.sentence(term.because)}" if term.because is not None else ""
    head = f"{' ' * indent}{words.number(term.value):>5}  "
    yield from wrap_text(f"{words.number_name(term.name)}{because}{cite_clauses(term.clauses[:1])}", head)
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
        whole = f"{sign}{words.typed_value(one.shown)}{_sum(one.terms, words)}"
        yield from wrap_text(_why(one, words, common=common), f"{' ' * indent}{whole:>5}  ")
        if len(one.terms) > 1:
            for term in one.terms:
                yield from _term(term, words, indent + _STEP * 2)
        elif one.terms:
            for part in one.terms[0].parts:
                yield from _term(part, words, indent + _STEP * 2)
            yield from _origins(one.terms[0].origins, words, indent + _STEP * 2)


def cite_clauses(clauses: Iterable[str]) -> str:
    """Return clauses, or the code of a refusal beside its clause, as they are cited behind a sentence."""
    listed = ", ".join(clauses)
    return f" [{listed}]" if listed else ""


def clause_lines(clauses: Iterable[str], words: Words) -> Iterator[str]:
    """Yield clauses with their texts, each once."""
    listed = each_once(clauses)
    width = max(map(len, listed), default=0)
    for id_ in listed:
        yield from wrap_text(words.clause(id_), f"{id_:{width}}  ")


def join_lines(lines: Sequence[str]) -> str:
    """Return lines as a text, of several empty ones in a row the first alone."""
    return "\n".join(line for line, before in zip(lines, ["", *lines], strict=False) if line or before) + "\n"


def wrap_text(text: str, head: str, *, plain: bool = False) -> list[str]:
    """Return a text after a head, its lines broken and indented under it."""
    indent = " " * (len(head) if not plain else len(head) - len(head.lstrip()) + _STEP)
    return textwrap.wrap(
        text, count_columns(), initial_indent=head, subsequent_indent=indent or "  ", break_on_hyphens=False
    ) or [head]
