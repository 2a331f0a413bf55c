"""Decision tables in words: each row with the condition that it stands for, at no moment of any game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from brou import Expression, Row, Table
from brou.language.tree import And, Call, Literal, Not, is_true
from brou.language.types import Bool
from brou.reasons import Unsaid, join_reasons
from brou_tools.situation.edition import Matter


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of a table as it is printed: if, then, and the clause that says so."""

    when: str
    then: str
    clause: str


def lines(table: Table, matter: Matter) -> tuple[PrintedRow, ...]:
    """Return the rows of a table in words, and behind them the exceptions; none if the data has no words for one."""
    try:
        rows = [PrintedRow(_when(row, table, matter), _then(row, table, matter), row.clause) for row in table.rows]
        return (*rows, *_exceptions(table, matter))
    except Unsaid:
        return ()


def _when(row: Row, table: Table, matter: Matter) -> str:
    if row.when is None:
        return matter.say("otherwise" if len(table.rows) > 1 else "always")
    if is_true(row.when):
        return matter.say("always")
    return _condition(row.when, matter)


def _condition(condition: Expression, matter: Matter) -> str:
    """Return a condition in words; one phrase says that no exception applies, without the conditions of each."""
    parts = condition.conditions if isinstance(condition, And) else (condition,)
    own = [part for part in parts if _find_exception(part, matter) is None]
    told = [matter.words.sentence(join_reasons(map(matter.reasoner.statement, own)))] if own else []
    if len(own) < len(parts):
        told.append(matter.say("unless"))
    return matter.set(matter.words.frame("and").join(told))


def _exceptions(table: Table, matter: Matter) -> Iterator[PrintedRow]:
    """Yield the exceptions that rows of a table name, and those of these, each with the clauses that it lifts."""
    waiting = [(row.clause, row.when) for row in table.rows if row.when is not None]
    of: dict[str, list[str]] = {}
    while waiting:
        clause, condition = waiting.pop(0)
        parts = condition.conditions if isinstance(condition, And) else (condition,)
        for name in filter(None, (_find_exception(part, matter) for part in parts)):
            if name not in of:
                waiting.append((matter.game.functions[name].clause, matter.game.functions[name].body))
            of.setdefault(name, []).append(clause)
    for name, clauses in of.items():
        exception = matter.game.functions[name]
        told = matter.say("exception", rules=", ".join(dict.fromkeys(clauses)))
        yield PrintedRow(_condition(exception.body, matter), told, exception.clause)


def _find_exception(part: Expression, matter: Matter) -> str | None:
    """Return the exception that a part of a condition rules out, or None."""
    denied = part.condition if isinstance(part, Not) else None
    return denied.name if isinstance(denied, Call) and denied.name in matter.exceptions else None


def _then(row: Row, table: Table, matter: Matter) -> str:
    if isinstance(table.type, Bool) and isinstance(row.then, Literal):
        return matter.say("allowed" if is_true(row.then) else "refused")
    if isinstance(table.type, Bool):
        return matter.words.sentence(matter.reasoner.statement(row.then))
    return matter.words.number_name(matter.reasoner.outcome(row.then))
