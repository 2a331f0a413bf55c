"""Decision tables in words: each row with the condition that it stands for, at no moment of any game."""

from __future__ import annotations

from dataclasses import dataclass

from brou import Row, Table
from brou.language.tree import is_true
from brou.language.types import Bool
from brou.reasons.reasoner import Unsaid
from brou_tools.situation.edition import Matter


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of a table as it is printed: if, then, and the clause that says so."""

    when: str
    then: str
    clause: str


def lines(table: Table, matter: Matter) -> tuple[PrintedRow, ...]:
    """Return the rows of a table in words, none if the data has no words for one of them."""
    try:
        return tuple(PrintedRow(_when(row, table, matter), _then(row, table, matter), row.clause) for row in table.rows)
    except Unsaid:
        return ()


def _when(row: Row, table: Table, matter: Matter) -> str:
    if row.when is None:
        return matter.say("otherwise" if len(table.rows) > 1 else "always")
    return matter.set(matter.words.sentence(matter.reasoner.statement(row.when)))


def _then(row: Row, table: Table, matter: Matter) -> str:
    if isinstance(table.type, Bool):
        return matter.say("allowed" if is_true(row.then) else "refused")
    return matter.words.number_name(matter.reasoner.outcome(row.then))
