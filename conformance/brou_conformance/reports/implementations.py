"""A table of implementations: verdicts on programs from statements about their records, and known deviations.

A row repeats its statement. People add the place of the program and links to its known deviations. The table refuses a
deviation that the statement does not name, and one of another version of the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from brou import Fault, Malformed, Node, NoFile, read, root, shape_faults
from brou.atomic import read_named
from brou.shapes import ABSENT, Absent, Limit, shape
from brou.shapes import read as read_shape
from brou_conformance.protocol import NoMessage, decode, fault
from brou_conformance.reports.attestation import Attestation, AttestedEdition
from brou_conformance.reports.escaping import code, prose
from brou_conformance.verdicts.verdict import EditionVerdict

_Day: TypeAlias = Annotated[str, Limit(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
#: What becomes a link on a page: an address, or the path of a file.
_Link: TypeAlias = Annotated[str, Limit(pattern=r"^(https://[^\s()<>]+|[A-Za-z0-9_./-]+)$")]
_LENGTH, _DEPTH = 1 << 24, 32


@shape(name="deviation", closed=True)
class KnownDeviation:
    """A known deviation of a program."""

    clause: Annotated[str, "the clause, one of those that the statement blames"]
    link: Annotated[_Link, "where it is described, such as a report to the authors"]
    version: Annotated[str, "the version of the program that has it"]
    date: Annotated[_Day, "the day on which it became known"]


@shape(name="implementation", closed=True)
class Implementation:
    """A program of the table."""

    statement: Annotated[str, "the file that `brou verify --attest` wrote, in the same folder"]
    link: Annotated[_Link, "where the program is found"]
    date: Annotated[_Day, "the day on which it was judged"]
    deviations: Annotated[tuple[KnownDeviation, ...], "its known deviations"] | Absent = ABSENT


@shape(closed=True)
class Implementations:
    """A table of programs that were judged."""

    format: Literal["brou-implementations/1"] = "brou-implementations/1"
    implementations: Annotated[tuple[Implementation, ...], "the programs, in the order of the table"]


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table: its text, and where it leads."""

    text: str
    link: str = ""
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of cells below its heads."""

    heads: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...]


def read_implementations(path: Path) -> tuple[TextTable, TextTable]:
    """Return the verdicts on the programs of a file, and their known deviations; raise as `read_entries` does."""
    both = read_entries(path)
    return _list_verdicts(both), _list_deviations(both)


def read_entries(path: Path) -> Sequence[tuple[Implementation, Attestation]]:
    """Return the programs of a file, each with its statement.

    Raises `Malformed` for a file that is none, or that says of a program what its statement does not; `NoFile` where a
    statement is missing.
    """
    node = read(path)
    if misshapen := list(shape_faults(node, root() / "schemas" / "implementations.schema.json")):
        raise Malformed(misshapen)
    listed = read_shape(Implementations, node.plain()).implementations
    stated = [_read_statement(path.parent / one.statement) for one in listed]
    items = node.fields["implementations"].items
    untrue = [
        found for item, one, said in zip(items, listed, stated, strict=True) for found in _find_untrue(item, one, said)
    ]
    if untrue:
        raise Malformed(untrue)
    return list(zip(listed, stated, strict=True))


def tell_implementations(path: Path) -> str:
    """Return both tables of a file as Markdown, a table without rows left out; raise as `read_implementations` does."""
    told = ("\n".join(_write_table(one)) + "\n" for one in read_implementations(path) if one.rows)
    return "\n".join(told)


def _write_table(table: TextTable) -> Iterator[str]:
    yield f"| {' | '.join(table.heads)} |"
    yield "|" + "---|" * len(table.heads)
    for row in table.rows:
        yield f"| {' | '.join(map(_write_cell, row))} |"


def _write_cell(cell: TableCell) -> str:
    text = code(cell.text) if cell.is_name else prose(cell.text)
    return f"[{text}]({cell.link})" if cell.link else text


def _read_statement(path: Path) -> Attestation:
    if not path.is_file():
        raise NoFile(path, "a statement that `brou verify --attest` wrote")
    try:
        found = decode(read_named(path), length=_LENGTH, depth=_DEPTH)
    except NoMessage as error:
        raise NoFile(path, "a statement that `brou verify --attest` wrote", str(error)) from error
    if problem := fault("attestation", found):
        raise NoFile(path, "a statement that `brou verify --attest` wrote", problem)
    return read_shape(Attestation, found)


def _find_untrue(item: Node, one: Implementation, stated: Attestation) -> Iterator[Fault]:
    """Yield the claims about a program that its statement does not bear out."""
    blamed = {clause for edition in stated.predicate.editions.values() for clause in edition.blamed}
    version = stated.predicate.engine.get("version", "")
    for known in one.deviations or ():
        if known.clause not in blamed:
            there = f"it blames {', '.join(sorted(blamed)) or 'no clause'}"
            yield Fault(item.place, f"{one.statement} does not blame {known.clause}", there)
        if known.version != version:
            there = f"the statement is about version {version or 'unnamed'}"
            yield Fault(item.place, f"{known.clause} is known of version {known.version}", there)
    told = {known.clause for known in one.deviations or ()}
    for clause in sorted(blamed - told):
        yield Fault(item.place, f"{one.statement} blames {clause}", "say where that is described: `deviations`")


def _list_verdicts(both: Sequence[tuple[Implementation, Attestation]]) -> TextTable:
    rows = []
    for one, stated in both:
        known = stated.predicate
        for edition, said in known.editions.items():
            passed = f"{said.cases.passed}/{said.cases.cases}"
            cells = (
                TableCell(edition, is_name=True),
                TableCell(_tell_verdict(said)),
                TableCell(passed),
                TableCell(_tell_judged(one, stated)),
            )
            rows.append((TableCell(_name(one, stated), one.link), TableCell(known.engine.get("version", "")), *cells))
    return TextTable(("program", "version", "edition", "verdict", "cases that pass", "judged"), tuple(rows))


def _list_deviations(both: Sequence[tuple[Implementation, Attestation]]) -> TextTable:
    rows = (
        (
            TableCell(found.clause, is_name=True),
            TableCell(_name(one, stated), one.link),
            TableCell(found.version),
            TableCell(found.date),
            TableCell("there", found.link),
        )
        for one, stated in both
        for found in one.deviations or ()
    )
    return TextTable(("known deviation", "program", "version", "known since", "told of"), tuple(rows))


def _name(one: Implementation, stated: Attestation) -> str:
    return stated.predicate.engine.get("name", "") or one.statement


def _tell_verdict(said: AttestedEdition) -> str:
    readings = ", ".join(f"{key}={said.readings[key]}" for key in said.inferred)
    blamed = ", ".join(said.blamed) if said.verdict is EditionVerdict.DEVIATES else ""
    return ": ".join(filter(None, (said.verdict.value, blamed or readings)))


def _tell_judged(one: Implementation, stated: Attestation) -> str:
    """Return the day of the verdict, the version of the suite, and the part of the scenarios that it asked."""
    known = stated.predicate
    part = f", {known.selection}" if known.selection else ""
    whole = "" if known.complete else ", record not whole"
    return f"{one.date}, suite {known.suite}{part}{whole}"
