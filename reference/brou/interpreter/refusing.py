"""Refusals: why an act is refused, and what forbids inside a condition that fails."""

from __future__ import annotations

from collections.abc import Iterator

from brou.dataclass import dataclass
from brou.errors import BrokenPromise, Crash, Place
from brou.interpreter.evaluate import Evaluator
from brou.language.syntax import Action, Row, Table
from brou.language.tree import And, Call, Expression, is_true, uses_local
from brou.language.types import Locals, Values

#: What evaluation raises where a value is not of those that the rules promise.
UNASKABLE = (Crash, LookupError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an act is refused: a code of the format, the clause, the row that decided and its place."""

    code: str
    clause: str
    row: str
    place: Place


def find_culprits(
    evaluator: Evaluator, action: Action, legal: Expression, s: Values, values: Locals
) -> Iterator[Refusal]:
    """Yield what forbids inside a condition of an action that failed: parts of conjunctions, rows of tables.

    `values` are the locals of the act: the seat, then the parameters. The first is what decides.
    """
    game, parameters = evaluator.game, [parameter.id for parameter in action.parameters]
    env = evaluator.frame(["me", *parameters])
    if isinstance(legal, And):
        for part in legal.conditions:
            if not evaluator.expression(part, env)(s, values):
                yield from find_culprits(evaluator, action, part, s, values)
        return
    table = game.tables.get(legal.name) if isinstance(legal, Call) else None
    if table is None or not isinstance(legal, Call):
        clause = game.functions[legal.name].clause if isinstance(legal, Call) else action.clause
        yield Refusal(action.code or game.codes.get(clause, "condition_not_met"), clause, "", action.place)
        return
    arguments = [evaluator.expression(part, env)(s, values) for part in legal.arguments]
    asked = zip(table.arguments, legal.arguments, strict=True)
    chosen = frozenset(argument.name for argument, part in asked if uses_local(part, *parameters))
    for row in _forbidding(evaluator, table, s, arguments, chosen):
        code = row.code or game.codes.get(row.clause, "condition_not_met")
        yield Refusal(code, row.clause, f"{table.id}/{row.id}", row.place)


def _forbidding(
    evaluator: Evaluator, table: Table, s: Values, arguments: Locals, chosen: frozenset[str]
) -> Iterator[Row]:
    """Yield the rows that forbid an act, each as if no other row forbade; `chosen` are the freely chosen arguments.

    A row that allows ends the search. So does a row that, behind a row that allows some choices, forbids every choice:
    it is the rest of its situation, and the rows behind it are about others ("players able to follow suit follow;
    others trump"). `else` forbids only where no row before it does.
    """
    env = evaluator.frame([argument.name for argument in table.arguments])
    found = allowing = False
    for row in table.rows:
        if row.when is None or evaluator.expression(row.when, env)(s, arguments):
            if (row.when is None and found) or evaluator.expression(row.then, env)(s, arguments):
                return
            found = True
            yield row
            if row.when is None or (allowing and not uses_local(row.when, *chosen)):
                return
        allowing = allowing or (is_true(row.then) and uses_local(row.when, *chosen))
    if not found:
        raise BrokenPromise(f"{table.place}: no row of {table.id} fires")
