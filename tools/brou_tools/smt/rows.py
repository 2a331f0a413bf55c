"""Proving what is said of tables: which of their rows fire, and which of the exceptions of rows lift them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from brou import Expression, Game, Row, Table
from brou.language.tree import And, Call, Not
from brou_tools.smt.asking import PROVED, REFUTED, UNKNOWN, Asking, ObligationResult, vain
from brou_tools.smt.formula import Truth
from brou_tools.smt.ground import ProofContext, SolvedPosition
from brou_tools.smt.obligations import Obligation
from brou_tools.smt.overlapping import bind_arguments
from brou_tools.smt.translate import exactly_one


def _choose_tables(one: Obligation, ground: ProofContext) -> Iterator[Table]:
    names = [item.text for item in one.texts("tables")]
    for name, table in ground.game.tables.items():
        if name in names or (not names and table.policy == "unique"):
            yield table


def _find_missing(asking: Asking, one: Obligation) -> str:
    """Return a table, a row or an exception of a row that an obligation names and the rules do not have."""
    game = asking.ground(one.position).game
    rows: set[str] = set()
    for table in game.tables.values():
        for row in table.rows:
            name = f"{table.id}/{row.id}"
            rows |= {name, *(f"{name}/{exception.name}" for exception, _ in _list_exceptions(game, row))}
    said = [
        *((item.text, game.tables) for item in one.texts("tables")),
        *((row, rows) for row in one.get_named("dead")),
    ]
    return next((name for name, there in said if name not in there), "")


def prove_unique(asking: Asking, one: Obligation) -> ObligationResult:
    """Return whether no two rows of some tables ever fire at once."""
    return _prove_each_table(asking, one, lambda ground, truths: ground.forms.no(_at_most_one(ground, truths)))


def prove_gap_free(asking: Asking, one: Obligation) -> ObligationResult:
    """Return whether some row of each of some tables always fires."""
    return _prove_each_table(asking, one, lambda ground, truths: ground.forms.no(ground.forms.any(truths)))


def _prove_each_table(
    asking: Asking, one: Obligation, wrong: Callable[[ProofContext, Sequence[Truth]], Truth]
) -> ObligationResult:
    """Return whether the rows of some tables never fire in a wrong way."""
    if missing := _find_missing(asking, one):
        return vain(f"there is no {missing}")
    tables = list(_choose_tables(one, asking.ground(one.position)))
    if not tables:
        return vain("there is no table of which exactly one row fires")
    for table in tables:
        ground = asking.prepare(one, one.position)
        rows = _fire(ground, table)

        def confirm(position: SolvedPosition, table: Table = table) -> bool:
            tests = [row.when for row in table.rows if row.when is not None]
            fired = [bool(position.holds(test)) for test in tests]
            return sum(fired) != 1

        found = asking.refute(one, ground, wrong(ground, [truth for truth, _ in rows]), confirm)
        if found.status != PROVED:
            return replace(found, reason=found.reason or f"the table {table.id}")
    return ObligationResult(PROVED)


def _fire(ground: ProofContext, table: Table) -> list[tuple[Truth, Row]]:
    """Return when each row of a table fires for unknown arguments, within the table's requirements."""
    bind_arguments(ground, table)
    with ground.telling():
        return ground.translator.list_fired(table, ground.values, ground.env)


def prove_dead_rows(asking: Asking, one: Obligation) -> ObligationResult:
    """Return whether the dead rows, and the dead exceptions of rows, are exactly those that the obligation names."""
    if missing := _find_missing(asking, one):
        return vain(f"there is no {missing}")
    dead = set(one.get_named("dead"))
    names = [item.text for item in one.texts("tables")]
    tables = asking.ground(one.position).game.tables.values()
    if not tables:
        return vain("there is no table")
    for table in tables:
        if names and table.id not in names:
            continue
        ground = asking.prepare(one, one.position)
        rows = _fire(ground, table)
        if all(f"{table.id}/{row.id}" in dead for _, row in rows):
            return vain(f"{table.id}: some row has to fire")
        for life in _list_lives(ground, table, rows):
            answer = asking.ask(one, ground, life.truth)
            if answer.status == "unknown":
                return ObligationResult(UNKNOWN, f"{life.name}: {answer.reason}")
            if answer.status == "sat":
                asking.replay(one, ground, answer, life.confirm)
            if (answer.status == "unsat") != (life.name in dead):
                return ObligationResult(REFUTED, life.alive if life.name in dead else life.dead)
    return ObligationResult(PROVED)


@dataclass(frozen=True, slots=True)
class _Life:
    """When a row or an exception comes to something, how the interpreter confirms it, and how either is told."""

    name: str
    truth: Truth
    confirm: Callable[[SolvedPosition], bool]
    alive: str
    dead: str


def _list_lives(ground: ProofContext, table: Table, rows: Sequence[tuple[Truth, Row]]) -> Iterator[_Life]:
    """Yield when each row of a table fires, and when each of its exceptions alone keeps it from firing."""
    for truth, row in rows:
        name = f"{table.id}/{row.id}"
        yield _Life(name, truth, partial(_fires, table, row), f"the row {name} can fire", f"the row {name} never fires")
        for exception, others in _list_exceptions(ground.game, row):
            parts = (*others, exception)
            lifts = ground.forms.all([ground.tell(part) for part in parts])
            what = f"the exception {exception.name} of the row {name}"
            yield _Life(
                f"{name}/{exception.name}",
                lifts,
                partial(_all_hold, parts),
                f"{what} can lift it alone",
                f"{what} never lifts it alone",
            )


def _list_exceptions(game: Game, row: Row) -> Iterator[tuple[Call, tuple[Expression, ...]]]:
    """Yield the exceptions that a row rules out, each with all else that the row asks for."""
    if row.when is None:
        return
    parts = row.when.conditions if isinstance(row.when, And) else (row.when,)
    for part in parts:
        denied = part.condition if isinstance(part, Not) else None
        if isinstance(denied, Call) and denied.name in game.functions and game.functions[denied.name].exception:
            yield denied, tuple(other for other in parts if other is not part)


def _fires(table: Table, row: Row, position: SolvedPosition) -> bool:
    """Say whether a row of a table fires, as the interpreter has it: in a `first` table no row above does."""
    above = table.rows[: table.rows.index(row)] if table.policy == "first" else ()
    fired = [other.when is None or bool(position.holds(other.when)) for other in (*above, row)]
    return fired[-1] and not any(fired[:-1])


def _all_hold(conditions: Sequence[Expression], position: SolvedPosition) -> bool:
    """Say whether conditions all hold in a position, as the interpreter has it."""
    return all(bool(position.holds(condition)) for condition in conditions)


def _at_most_one(ground: ProofContext, truths: Sequence[Truth]) -> Truth:
    return ground.forms.either(exactly_one(ground.forms, truths), ground.forms.no(ground.forms.any(truths)))
