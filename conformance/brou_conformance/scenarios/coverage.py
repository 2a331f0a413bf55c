"""Coverage: the cells of each clause with the scenarios that fill them, and those that are empty.

A clause about who may do what is shown both ways, a clause about numbers by a value and its boundary, a clause about
who sees what by what is shown and what is hidden. A needed cell is filled, or the clause says why it cannot be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brou import book
from brou.language.node import Node
from brou_conformance.scenarios.corpus import clauses, refusing, scenarios
from brou_conformance.scenarios.scenario import Scenario, Step

CELLS = ("permits", "refuses", "value", "boundary", "interaction", "shown", "hidden")

#: What a clause needs, by how it can be tested; all other clauses need nothing.
NEEDED: Mapping[str, tuple[str, ...]] = {
    "play": ("permits", "refuses"),
    "score": ("value", "boundary"),
    "view": ("shown", "hidden"),
}


#: Open passages, and clauses that no program can follow or break: advice, history, manners.
_UNTESTED = ("", "advisory")


@dataclass(frozen=True, slots=True)
class Row:
    """A clause, or an open passage that some scenario cites."""

    clause: str
    #: How it can be tested; nothing for an open passage.
    testable: str
    #: The scenarios that fill a cell, by id and in the order of the corpus.
    cells: Mapping[str, tuple[str, ...]]
    #: Why no scenario can fill a cell, by language.
    lacks: Mapping[str, Mapping[str, str]]

    @property
    def needed(self) -> tuple[str, ...]:
        """Return the cells that must be filled or explained."""
        return NEEDED.get(self.testable, ())

    @property
    def empty(self) -> tuple[str, ...]:
        """Return the needed cells that no scenario fills and no reason explains."""
        return tuple(cell for cell in self.needed if cell not in self.cells and cell not in self.lacks)

    @property
    def uncited(self) -> bool:
        """Say whether the clause can be tested and no scenario cites it, nor is there a reason for any cell."""
        return self.testable not in _UNTESTED and not self.cells and not self.lacks

    @property
    def lacking(self) -> tuple[str, ...]:
        """Return the needed cells that are empty for a reason."""
        return tuple(cell for cell in self.needed if cell not in self.cells and cell in self.lacks)

    @property
    def stale(self) -> tuple[str, ...]:
        """Return the cells with a reason to be empty that are filled, or not needed at all."""
        return tuple(cell for cell in self.lacks if cell in self.cells or cell not in self.needed)


@dataclass(frozen=True, slots=True)
class Question:
    """A reading key that an edition leaves open, with the scenarios that tell its values apart."""

    edition: str
    key: str
    scenarios: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the corpus of one game covers."""

    game: str
    scenarios: int
    refusing: int
    rows: tuple[Row, ...]
    questions: tuple[Question, ...]

    @property
    def untold(self) -> tuple[Question, ...]:
        """Return the open questions of editions that no scenario puts."""
        return tuple(question for question in self.questions if not question.scenarios)

    @property
    def complete(self) -> bool:
        """Say whether each testable clause is cited, each needed cell filled or explained, each open question put."""
        return not any(row.empty or row.uncited for row in self.rows) and not self.untold

    @property
    def totals(self) -> dict[str, int]:
        """Return the numbers of scenarios and of needed cells."""
        needed, lacking, empty = (
            sum(len(cells) for cells in found)
            for found in zip(*((row.needed, row.lacking, row.empty) for row in self.rows), strict=True)
        )
        return {
            "scenarios": self.scenarios,
            "refusing": self.refusing,
            "needed": needed,
            "filled": needed - lacking - empty,
            "lacking": lacking,
            "empty": empty,
        }


def coverage(game: str, folder: Path | None = None, data: Path | None = None) -> Coverage:
    """Return what the corpus of a game covers."""
    found = scenarios(game, folder)
    filled = _filled(found)
    citable = clauses(game, data)
    rows = (_row(id_, node, filled.get(id_, {})) for id_, node in citable.items())
    return Coverage(
        game,
        len(found),
        sum(map(refusing, found)),
        tuple(row for row in rows if row.testable or row.cells),
        tuple(_questions(game, found, data)),
    )


def _filled(found: Iterable[Scenario]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the scenarios by clause and cell."""
    filled: dict[str, dict[str, tuple[str, ...]]] = {}
    for one in found:
        for clause, cells in one.cells.items():
            of_clause = filled.setdefault(clause, {})
            for cell in cells:
                of_clause[cell] = (*of_clause.get(cell, ()), one.id)
    return filled


def _row(clause: str, node: Node, filled: Mapping[str, tuple[str, ...]]) -> Row:
    lacks = node.get("lacks")
    reasons = {} if lacks is None else {cell: _texts(text) for cell, text in lacks.fields.items()}
    return Row(clause, node.string("testable"), {cell: filled[cell] for cell in CELLS if cell in filled}, reasons)


def _texts(node: Node) -> dict[str, str]:
    return {language: text.text for language, text in node.fields.items()}


def _questions(game: str, found: Iterable[Scenario], data: Path | None) -> Iterator[Question]:
    everything = book(game, data)
    for edition in everything.editions.values():
        there = [one for one in found if not one.editions or edition.id in one.editions]
        for key in edition.readings:
            open_number = everything.readings[key].number is not None
            telling = (one.id for one in there if (key in one.premise if open_number else key in _told(one)))
            yield Question(edition.id, key, tuple(telling))


def _told(one: Scenario) -> set[str]:
    """Return the keys whose values a scenario tells apart."""
    return {line.reading for line in one.lines if isinstance(line, Step)}


# Writing it down --------------------------------------------------------------


def document(found: Coverage) -> dict[str, Any]:
    """Return the coverage of a game as JSON."""
    return {
        "game": found.game,
        "totals": found.totals,
        "clauses": [
            {
                "clause": row.clause,
                "testable": row.testable,
                "needed": list(row.needed),
                "cells": {cell: list(ids) for cell, ids in row.cells.items()},
                "empty": list(row.empty),
                "uncited": row.uncited,
                "lacks": {cell: dict(text) for cell, text in row.lacks.items()},
            }
            for row in found.rows
        ],
        "readings": [
            {"edition": question.edition, "key": question.key, "scenarios": list(question.scenarios)}
            for question in found.questions
        ],
    }


def table(found: Coverage) -> str:
    """Return the coverage of a game for people: a line a clause, then what is empty and why, then totals."""
    rows = [("clause", "testable", *CELLS), *map(_line, found.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, "", *_remarks(found), _sum(found), ""])


def _line(row: Row) -> tuple[str, ...]:
    """Return one clause: how many scenarios fill each cell, `?` where one is missing, `-` where there is a reason."""
    marks = {**dict.fromkeys(row.empty, "?"), **dict.fromkeys(row.lacking, "-")}
    marks |= {cell: str(len(ids)) for cell, ids in row.cells.items()}
    return (row.clause, row.testable or "open", *(marks.get(cell, ".") for cell in CELLS))


def _remarks(found: Coverage) -> Iterator[str]:
    for row in found.rows:
        yield from (f"{row.clause} {cell}: {_reason(row.lacks[cell])}" for cell in row.lacking)
        yield from (f"{row.clause} {cell}: there is a reason to be empty, but no need" for cell in row.stale)
        yield from (f"{row.clause} {cell}: no scenario and no reason" for cell in row.empty)
        yield from [f"{row.clause}: no scenario cites it"] * row.uncited
    for question in found.untold:
        yield f"{found.game}@{question.edition}: no scenario tells the values of {question.key} apart"


def _reason(text: Mapping[str, str]) -> str:
    return text.get("en") or next(iter(text.values()))


def _sum(found: Coverage) -> str:
    totals = found.totals
    return (
        f"{found.game}: {totals['scenarios']} scenarios, {totals['refusing']} refuse something; "
        f"{totals['needed']} cells needed, {totals['filled']} filled, "
        f"{totals['lacking']} empty for a reason, {totals['empty']} empty"
    )
