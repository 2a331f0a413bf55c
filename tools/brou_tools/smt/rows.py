"""Proving statements on tables: which rows fire, and which exceptions lift them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from brou import Expression, Game, Row, Table
from brou.games import PRELUDE
from brou.language import Function
from brou.reasons import find_exception, list_parts
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
    rows = {
        f"{table.id}/{name}"
        for table in game.tables.values()
        for name in (*(row.id for row in table.rows), *_list_exceptions(game, table))
    }
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
            # Right for both statements: two rows are too many, and none is too few.
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
        # In a position that cannot be, every row is dead; a table without a living row says that nothing was proved.
        if all(f"{table.id}/{row.id}" in dead for _, row in rows):
            return vain(f"{table.id}: some row has to fire")
        for life in _list_lives(ground, table, rows):
            answer = asking.ask(one, ground, life.truth)
            if answer.status == "unknown":
                return ObligationResult(UNKNOWN, f"{life.name}: {answer.reason}")
            if answer.status == "sat":
                asking.replay(one, ground, answer, life.confirm)
            # Both ways: a row that lives though it is listed makes the list wrong, too.
            if (answer.status == "unsat") != (life.name in dead):
                return ObligationResult(REFUTED, life.alive if life.name in dead else life.dead)
    return ObligationResult(PROVED)


@dataclass(frozen=True, slots=True)
class _Life:
    """A row or exception to be seen at work: the condition, how it is confirmed, and a message for either outcome."""

    name: str
    truth: Truth
    confirm: Callable[[SolvedPosition], bool]
    alive: str
    dead: str


def _list_lives(ground: ProofContext, table: Table, rows: Sequence[tuple[Truth, Row]]) -> Iterator[_Life]:
    """Yield when each row of a table fires, and when each exception alone keeps some row from firing."""
    for truth, row in rows:
        name = f"{table.id}/{row.id}"
        yield _Life(name, truth, partial(_fires, table, row), f"the row {name} can fire", f"the row {name} never fires")
    for exception, cases in _list_exceptions(ground.game, table).items():
        lifts = ground.forms.any([ground.forms.all([ground.tell(part) for part in parts]) for parts in cases])
        name = f"{table.id}/{exception}"
        yield _Life(
            name,
            lifts,
            partial(_hold_in_some, cases),
            f"the exception {name} can lift a duty alone",
            f"the exception {name} never lifts a duty alone",
        )


def _list_exceptions(game: Game, table: Table) -> dict[str, list[tuple[Expression, ...]]]:
    """Return the exceptions that the rows of a table rule out, each with the conditions under which it alone lifts one.

    Exceptions of modules are left out: they are there for any game, and need not come to anything in one.
    """
    found: dict[str, list[tuple[Expression, ...]]] = {}
    for row in table.rows:
        parts = () if row.when is None else list_parts(row.when)
        for part in parts:
            exception = find_exception(part, game.functions)
            if exception is not None and not _is_of_module(game.functions[exception.name]):
                # With all other conditions met, the duty would bind but for this exception: then it alone lifts the
                # duty.
                others = (other for other in parts if other is not part)
                found.setdefault(exception.name, []).append((*others, exception))
    return found


def _is_of_module(record: Function) -> bool:
    return record.place.file.startswith(f"{PRELUDE}/")


def _fires(table: Table, row: Row, position: SolvedPosition) -> bool:
    """Say whether a row of a table fires, as the interpreter has it: in a `first` table no row above does."""
    above = table.rows[: table.rows.index(row)] if table.policy == "first" else ()
    fired = [other.when is None or bool(position.holds(other.when)) for other in (*above, row)]
    return fired[-1] and not any(fired[:-1])


def _hold_in_some(cases: Sequence[Sequence[Expression]], position: SolvedPosition) -> bool:
    """Say whether the conditions of some case all hold in a position, as the interpreter has it."""
    return any(all(bool(position.holds(condition)) for condition in case) for case in cases)


def _at_most_one(ground: ProofContext, truths: Sequence[Truth]) -> Truth:
    return ground.forms.either(exactly_one(ground.forms, truths), ground.forms.no(ground.forms.any(truths)))
