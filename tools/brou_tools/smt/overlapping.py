"""Rows of `first` tables that compete: pairs that can hold at once with different results.

Where two such rows could change places unnoticed, nothing rests on their order; all others are frozen as data.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from brou import Crash, Row, Table
from brou_tools.smt.asking import PROVED, REFUTED, UNKNOWN, Asking, ObligationResult, vain
from brou_tools.smt.formula import Truth
from brou_tools.smt.ground import ProofContext, SolvedPosition
from brou_tools.smt.obligations import Obligation


def prove_order_matters(asking: Asking, one: Obligation) -> ObligationResult:
    """Return whether the pairs of rows whose order matters are those of the obligation, table by table."""
    if not one.get_named("pairs"):
        return vain("there is no table")
    for name, pairs in one.get_named("pairs").items():
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
                return ObligationResult(REFUTED, reason, found.witness)
    return ObligationResult(PROVED)


def _try_calling(asking: Asking, one: Obligation, table: Table) -> ObligationResult:
    """Return whether a table can be called at all in the position of the obligation."""
    ground = asking.prepare(one, one.position)
    bind_arguments(ground, table)
    return asking.check_not_vacuous(one, ground)


def _find_overlap(asking: Asking, one: Obligation, table: Table, above: str, below: str) -> ObligationResult:
    """Return whether the upper of two rows can fire where the lower one holds too and says something else."""
    rows = {row.id: row for row in table.rows}
    if (above, below) not in _names(table):
        return ObligationResult(REFUTED)
    ground = asking.prepare(one, one.position)
    overlap = overlapping(ground, table, rows[above], rows[below])
    if overlap is False:
        return ObligationResult(REFUTED)
    answer = asking.ask(one, ground, overlap)
    if answer.status == "unknown":
        return ObligationResult(UNKNOWN, f"{table.id}/{above} and {table.id}/{below}: {answer.reason}")
    if answer.status == "unsat":
        return ObligationResult(REFUTED)
    seen = partial(_is_overlap, table, rows[above], rows[below])
    return ObligationResult(PROVED, "", asking.replay(one, ground, answer, seen))


def _names(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the pairs of rows of a table, but not the last resort."""
    yield from combinations((row.id for row in table.rows if row.when is not None), 2)


def bind_arguments(ground: ProofContext, table: Table) -> None:
    """Narrow a context to calls of a table with unknown arguments, within its requirements."""
    for argument in table.arguments:
        if argument.name not in ground.env:
            ground.bind(argument.name, argument.type)
    for condition in table.requires:
        ground.facts.append(ground.translator.holds(condition, ground.values, ground.env))
        ground.assumed.append(condition)


def overlapping(ground: ProofContext, table: Table, above: Row, below: Row) -> Truth:
    """Return whether a row fires where one below holds too with another result.

    A lower row may lean on the upper one not to hold; where its condition is then undefined it does not hold.
    """
    if above.then == below.then:
        return False
    bind_arguments(ground, table)
    t, forms = ground.translator, ground.forms
    truths = {row.id: truth for truth, row in t.list_fired(table, ground.values, ground.env)}
    fires, guard = truths[above.id], (truths[above.id], None)
    assert below.when is not None  # noqa: S101 - the last resort is no such row
    with t.noting() as noted:
        too = t.holds(below.when, ground.values, ground.env, guard)
        here, there = (t.expression(row.then, ground.values, ground.env, guard) for row in (above, below))
    asked = forms.no(forms.any(crash.when for crash in noted))
    return forms.all([fires, asked, too, forms.no(t.symbols.equal(here, there))])


def _is_overlap(table: Table, above: Row, below: Row, position: SolvedPosition) -> bool:
    """Say whether two rows overlap, as the interpreter has it."""
    tests = [row.when for row in (*table.rows[: table.rows.index(above) + 1], below) if row.when is not None]
    try:
        *before, fires, too = (bool(position.holds(test)) for test in tests)
    except Crash:
        return False
    return fires and too and not any(before) and position.holds(above.then) != position.holds(below.then)
