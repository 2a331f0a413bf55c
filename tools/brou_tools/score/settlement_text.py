"""A settlement as people read it: each deal as its sheet, with the clauses that it rests on, or the fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from brou import Words
from brou.reasons import Deal, Figure, Line, RecordFault, Settlement, Sheet, SheetRow, TypedValue
from brou_tools.reasons.lines import cite_clauses, clause_lines, decision_lines, figure_lines, join_lines, wrap_text

#: How wide the name of a figure and a column of the sheet are.
_NAME, _COLUMN = 40, 12
_INDENT = 2


def tell_settlement(found: Settlement, words: Words) -> str:
    """Return the whole settlement."""
    choice = found.choice
    lines = [f"{choice.game}@{choice.edition}:{choice.setup}  {found.title}".rstrip()]
    for deal in found.deals:
        lines += ["", *_deal(deal, words)]
    if found.fault:
        lines += ["", *_fault(found.fault, words)]
    elif not found.complete:
        lines += ["", words.frame("unfinished")]
    lines += ["", *([words.frame("so_far")] if found.fault and found.standing else [])]
    lines += _standing(found, words)
    lines += ["", *clause_lines(_list_cited(found), words)]
    return join_lines(lines).rstrip() + "\n"


def _deal(deal: Deal, words: Words) -> Iterator[str]:
    yield words.frame("deal_number", deal=deal.id)
    for line in deal.lines:
        yield from _line(line, words)
    for figure in deal.result:
        yield from figure_lines(_without_steps(figure), words, _INDENT)
    for sheet in deal.slate:
        yield ""
        yield from _sheet(sheet, words)


def _without_steps(figure: Figure) -> Figure:
    """Return a figure without the steps that wrote it: all belong to the deal at hand."""
    return replace(figure, origins=tuple(replace(one, happened=None) for one in figure.origins))


def _line(line: Line, words: Words) -> Iterator[str]:
    """Yield an entry or an act with its immediate changes."""
    changes: dict[tuple[tuple[TypedValue, ...], int], str] = {}
    for change in line.changes:
        if change.of and change.by is not None:
            whose = f"{words.list_values(change.of)} {_format_signed(change.by, words)}".strip()
            changes.setdefault((change.of, change.by), whose)
    # A figure that is noted as such needs not be told twice.
    what = f"{words.frame('dash')}{', '.join(changes.values())}" if changes and line.each is None else ""
    said = words.happening(line.happened) or line.step
    yield from wrap_text(f"{said}{what}{cite_clauses(line.clauses[:_INDENT])}", " " * _INDENT)


def _sheet(sheet: Sheet, words: Words) -> Iterator[str]:
    """Yield a sum as on the sheet, a column for each owner."""
    columns = list(map(words.list_values, sheet.of))
    width = max(_COLUMN, *(len(column) + _INDENT for column in columns))

    def row(name: str, values: Iterable[str]) -> str:
        return f"  {name:{_NAME}}{''.join(f'{value:>{width}}' for value in values)}".rstrip()

    yield row(words.name("fields", sheet.name), columns)
    yield row(words.frame("old"), map(words.number, sheet.before))
    for item in sheet.rows:
        added = (_format_signed(value, words) if value else "" for value in item.values)
        yield row(f"{words.number_name(item.name)}{_from(item, words)}", added)
    yield row("", ["-" * (width - _INDENT)] * len(columns))
    yield row(words.frame("begun_anew" if sheet.struck else "new"), map(words.number, sheet.after))


def _from(item: SheetRow, words: Words) -> str:
    """Return the figures that a row was made from, such as card points before they were rounded."""
    found = [part for part in item.parts if part]
    same = all(part.parts and part.parts[0].value == part.value for part in found)
    if same or any(len(part.parts) != 1 for part in found):
        return ""
    return f" ({', '.join(words.number(part.parts[0].value) for part in found)})"


def _format_signed(value: int, words: Words) -> str:
    return f"{'+' if value > 0 else ''}{words.number(value)}"


def _standing(found: Settlement, words: Words) -> Iterator[str]:
    """Yield the score at the end."""
    shown = {show.id for show in words.game.score}
    for name in words.game.start.given:
        figures = (found.standing or {}).get(name)
        if name in shown and isinstance(figures, list):
            values = ", ".join(words.number(value) for value in figures if isinstance(value, int))
            yield words.frame("is", what=words.name("fields", name), value=values)


def _fault(fault: RecordFault, words: Words) -> Iterator[str]:
    """Yield an impossible entry, why it is impossible, and corrections."""
    where = words.frame("impossible", deal=fault.deal or words.frame("nothing"), step=fault.step)
    yield from wrap_text(where, "")
    recorded = words.fault_step(fault)
    said = f"{recorded}{words.frame('dash')}" if recorded else ""
    yield from wrap_text(f"{said}{words.sentence(fault.because)}{cite_clauses(fault.clauses[:1])}", " " * _INDENT)
    for decision in fault.decisions:
        yield from decision_lines(decision, words)
    if fault.meant:
        yield f"  {words.frame('meant')}"
        yield from (f"    {words.slip(slip)}" for slip in fault.meant)


def _list_cited(found: Settlement) -> Iterator[str]:
    """Yield the clauses that were cited."""
    for deal in found.deals:
        yield from chain.from_iterable(line.clauses for line in deal.lines)
        yield from chain.from_iterable(figure.clauses for figure in deal.result)
        yield from chain.from_iterable(row.clauses for sheet in deal.slate for row in sheet.rows)
    if found.fault:
        yield from found.fault.clauses
