"""Rows of `first` tables that stand in each other's way: which of them can hold at once and say something else.

Where two such rows could change places unnoticed, nothing rests on their order; all others are frozen as data.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from brou import Crash
from brou.language.syntax import Row, Table
from brou_tools.smt.asking import PROVED, REFUTED, UNKNOWN, Asking, Finding, vain
from brou_tools.smt.formula import Truth
from brou_tools.smt.ground import Ground, Position
from brou_tools.smt.obligations import Obligation


def prove_order_matters(asking: Asking, one: Obligation) -> Finding:
    """Return whether the pairs of rows whose order matters are those that are said, table by table."""
    if not one.named("pairs"):
        return vain("there is no table")
    for name, pairs in one.named("pairs").items():
        said = [(pair.items[0].text, pair.items[1].text) for pair in pairs.items]
        table = asking.ground(one.position).game.tables.get(name)
        if table is None:
            return vain(f"there is no table {name}")
        some = _try_calling(asking, one, table)
        if some.status != PROVED:
            return some
        for above, below in dict.fromkeys((*said, *_names(table))):
            found = _find_overlap(asking, one, table, above, below)
            if found.status == UNKNOWN:
                return found
            if (found.status == PROVED) != ((above, below) in said):
                matters = "matters" if found.status == PROVED else "does not matter"
                reason = f"the order of {name}/{above} and {name}/{below} {matters}"
                return Finding(REFUTED, reason, found.witness)
    return Finding(PROVED)


def _try_calling(asking: Asking, one: Obligation, table: Table) -> Finding:
    """Return whether a table can be asked at all where it is said to be."""
    ground = asking.given(one, one.position)
    called(ground, table)
    return asking.spoken_of_something(one, ground)


def _find_overlap(asking: Asking, one: Obligation, table: Table, above: str, below: str) -> Finding:
    """Return whether the upper of two rows can fire where the lower one holds too and says something else."""
    rows = {row.id: row for row in table.rows}
    if (above, below) not in _names(table):
        return Finding(REFUTED)
    ground = asking.given(one, one.position)
    overlap = overlapping(ground, table, rows[above], rows[below])
    if overlap is False:
        return Finding(REFUTED)
    answer = asking.ask(one, ground, overlap)
    if answer.status == "unknown":
        return Finding(UNKNOWN, f"{table.id}/{above} and {table.id}/{below}: {answer.reason}")
    if answer.status == "unsat":
        return Finding(REFUTED)
    seen = partial(_seen, table, rows[above], rows[below])
    return Finding(PROVED, "", asking.believed(one, ground, answer, seen))


def _names(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the pairs of rows of a table, but not the last resort."""
    yield from combinations((row.id for row in table.rows if row.when is not None), 2)


def called(ground: Ground, table: Table) -> None:
    """Narrow a ground to where a table is asked with unknown arguments, within what it requires."""
    for argument in table.arguments:
        if argument.name not in ground.env:
            ground.bind(argument.name, argument.type)
    for condition in table.requires:
        ground.facts.append(ground.translator.holds(condition, ground.values, ground.env))
        ground.assumed.append(condition)


def overlapping(ground: Ground, table: Table, above: Row, below: Row) -> Truth:
    """Return whether a row fires where one below holds too and says something else.

    A lower row may lean on the upper one not to hold; where it then cannot be asked it does not hold.
    """
    if above.then == below.then:
        return False
    called(ground, table)
    t, forms = ground.translator, ground.forms
    truths = {row.id: truth for truth, row in t.fired(table, ground.values, ground.env)}
    fires, guard = truths[above.id], (truths[above.id], None)
    assert below.when is not None  # noqa: S101 - the last resort is no such row
    with t.noting() as noted:
        too = t.holds(below.when, ground.values, ground.env, guard)
        here, there = (t.expression(row.then, ground.values, ground.env, guard) for row in (above, below))
    asked = forms.no(forms.any(crash.when for crash in noted))
    return forms.all([fires, asked, too, forms.no(t.symbols.equal(here, there))])


def _seen(table: Table, above: Row, below: Row, position: Position) -> bool:
    """Say whether two rows overlap, as the interpreter has it."""
    tests = [row.when for row in (*table.rows[: table.rows.index(above) + 1], below) if row.when is not None]
    try:
        *before, fires, too = (bool(position.holds(test)) for test in tests)
    except Crash:
        return False
    return fires and too and not any(before) and position.holds(above.then) != position.holds(below.then)
