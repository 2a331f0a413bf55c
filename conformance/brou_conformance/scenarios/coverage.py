"""Coverage: the cells of each clause with the scenarios that fill them, and the empty ones.

A clause about permission is shown both ways, a clause about numbers by a value and its boundary, a clause about sight
by a shown and a hidden value. A needed cell is filled, or the clause says why it cannot be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from brou import Folder, Node, book
from brou.shapes import Limit, shape
from brou_conformance.messages import Name
from brou_conformance.scenarios.corpus import Corpus, clauses, refusing, scenarios
from brou_conformance.scenarios.scenario import CELLS, Cell, Scenario, ScriptStep

#: What a clause needs, by how it can be tested; all other clauses need nothing.
NEEDED: Mapping[str, tuple[str, ...]] = {
    "play": ("permits", "refuses"),
    "score": ("value", "boundary"),
    "view": ("shown", "hidden"),
}


#: Open questions, and clauses that no program can follow or break: advice, history, manners.
_UNTESTED = ("", "advisory")


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """A clause, or an open question that some scenario cites."""

    clause: str
    #: How it can be tested; empty for an open question.
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
class OpenReading:
    """A reading key that an edition leaves open, with the scenarios that tell its values apart."""

    edition: str
    key: str
    scenarios: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of one game by the corpus."""

    game: str
    scenarios: int
    refusing: int
    rows: tuple[CoverageRow, ...]
    questions: tuple[OpenReading, ...]

    @property
    def untold(self) -> tuple[OpenReading, ...]:
        """Return the open questions of editions that no scenario puts."""
        return tuple(question for question in self.questions if not question.scenarios)

    @property
    def complete(self) -> bool:
        """Say whether each testable clause is cited, each needed cell filled or explained, each open question put."""
        return not any(row.empty or row.uncited for row in self.rows) and not self.untold

    @property
    def totals(self) -> Totals:
        """Return the numbers of scenarios and of needed cells."""
        needed, lacking, empty = (
            sum(len(cells) for cells in found)
            for found in zip(*((row.needed, row.lacking, row.empty) for row in self.rows), strict=True)
        )
        return Totals(
            scenarios=self.scenarios,
            refusing=self.refusing,
            needed=needed,
            filled=needed - lacking - empty,
            lacking=lacking,
            empty=empty,
        )


def coverage(game: str, folder: Corpus = None, data: Folder = None) -> Coverage:
    """Return the coverage of a game by the corpus."""
    found = scenarios(game, folder)
    filled = _collect_cells(found)
    citable = clauses(game, data)
    rows = (_row(id_, node, filled.get(id_, {})) for id_, node in citable.items())
    return Coverage(
        game,
        len(found),
        sum(map(refusing, found)),
        tuple(row for row in rows if row.testable or row.cells),
        tuple(_questions(game, found, data)),
    )


def _collect_cells(found: Iterable[Scenario]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the scenarios by clause and cell."""
    filled: dict[str, dict[str, tuple[str, ...]]] = {}
    for one in found:
        for clause, cells in one.cells.items():
            of_clause = filled.setdefault(clause, {})
            for cell in cells:
                of_clause[cell] = (*of_clause.get(cell, ()), one.id)
    return filled


def _row(clause: str, node: Node, filled: Mapping[str, tuple[str, ...]]) -> CoverageRow:
    lacks = node.get("lacks")
    reasons = {} if lacks is None else {cell: _texts(text) for cell, text in lacks.fields.items()}
    return CoverageRow(
        clause, node.string("testable"), {cell: filled[cell] for cell in CELLS if cell in filled}, reasons
    )


def _texts(node: Node) -> dict[str, str]:
    return {language: text.text for language, text in node.fields.items()}


def _questions(game: str, found: Iterable[Scenario], data: Folder) -> Iterator[OpenReading]:
    everything = book(game, data)
    for edition in everything.editions.values():
        there = [one for one in found if not one.editions or edition.id in one.editions]
        for key in edition.readings:
            open_number = everything.readings[key].number is not None
            telling = (
                one.id for one in there if (key in one.premise if open_number else key in _list_reading_keys(one))
            )
            yield OpenReading(edition.id, key, tuple(telling))


def _list_reading_keys(one: Scenario) -> set[str]:
    """Return the keys whose values a scenario tells apart."""
    return {line.reading for line in one.lines if isinstance(line, ScriptStep)}


# Writing it down --------------------------------------------------------------


@shape(closed=True)
class ClauseCoverage:
    """A clause or open question, with the cells that scenarios fill."""

    clause: Annotated[str, "its id"]
    testable: Annotated[str, "how it can be tested; empty for an open question"]
    needed: Annotated[tuple[Cell, ...], "the cells for which there must be a scenario or a reason"]
    cells: Annotated[
        Mapping[Cell, Annotated[tuple[str, ...], Limit(min_items=1)]], "the scenarios that fill a cell, by id"
    ]
    empty: Annotated[tuple[Cell, ...], "the needed cells with neither a scenario nor a reason"]
    uncited: Annotated[bool, "whether it is testable and has neither a scenario nor a reason"]
    lacks: Annotated[Mapping[Cell, Mapping[str, str]], "why no scenario can fill a cell, by cell and language"]


@shape(closed=True)
class ReadingCoverage:
    """A reading that an edition leaves open."""

    edition: Annotated[str, "the edition"]
    key: Annotated[str, "the reading"]
    scenarios: Annotated[tuple[str, ...], "the scenarios that distinguish its values; an empty list is a gap"]


_Count: TypeAlias = Annotated[int, Limit(minimum=0)]


@shape()
class Totals:
    """The numbers of scenarios and of needed cells."""

    scenarios: Annotated[_Count, "scenarios of the game"]
    refusing: Annotated[_Count, "scenarios that expect a refusal"]
    needed: Annotated[_Count, "cells for which there must be a scenario or a reason"]
    filled: Annotated[_Count, "needed cells with a scenario"]
    lacking: Annotated[_Count, "needed cells without a scenario, but with a reason"]
    empty: Annotated[_Count, "needed cells with neither"]


@shape(closed=True)
class GameCoverage:
    """What the corpus of a game covers."""

    game: Annotated[Name, "the game"]
    totals: Totals
    clauses: Annotated[tuple[ClauseCoverage, ...], "every clause that can be tested or is cited"]
    readings: Annotated[tuple[ReadingCoverage, ...], "every open question of every edition"]


@shape(closed=True)
class CoverageReport:
    """What `brou corpus coverage --json` writes."""

    format: Literal["brou-coverage/1"] = "brou-coverage/1"
    games: Annotated[tuple[GameCoverage, ...], "one entry per game"]


def report_coverage(found: Coverage) -> GameCoverage:
    """Return the coverage of a game as a report has it."""
    return GameCoverage(
        game=found.game,
        totals=found.totals,
        clauses=tuple(
            ClauseCoverage(
                clause=row.clause,
                testable=row.testable,
                needed=row.needed,
                cells=row.cells,
                empty=row.empty,
                uncited=row.uncited,
                lacks=row.lacks,
            )
            for row in found.rows
        ),
        readings=tuple(
            ReadingCoverage(edition=one.edition, key=one.key, scenarios=one.scenarios) for one in found.questions
        ),
    )


def table(found: Coverage) -> str:
    """Return the coverage of a game for people: a line a clause, then the empty cells and why, then totals."""
    rows = [("clause", "testable", *CELLS), *map(_line, found.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, "", *_remarks(found), _sum(found), ""])


def _line(row: CoverageRow) -> tuple[str, ...]:
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
        f"{found.game}: {totals.scenarios} scenarios, {totals.refusing} refuse something; "
        f"{totals.needed} cells needed, {totals.filled} filled, "
        f"{totals.lacking} empty for a reason, {totals.empty} empty"
    )
