"""Directives for the pages of `docs/`: what is generated from the data is spliced in as nodes, never as text.

`{brou-coverage}` tells for every game which cells of its clauses the corpus fills.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import Directive

from brou import book, rules
from brou.source import Node
from brou.text import prose
from brou_conformance import corpus
from brou_conformance.coverage import CELLS, Coverage, Row, coverage

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class CoveragePage(Directive):
    """A section for each game that has scenarios: totals, a table of clauses and cells, what is empty and why."""

    def run(self) -> Sequence[nodes.Node]:
        """Return the sections."""
        return [_section(coverage(game)) for game in corpus.games()]


def _section(found: Coverage) -> nodes.section:
    title = book(found.game).rules.fields["title"].string("en")
    section = nodes.section(ids=[f"coverage-{found.game}"])
    section += nodes.title(text=title)
    totals = found.totals
    told = (
        f"{totals['scenarios']} scenarios, {totals['refusing']} of which refuse something. {totals['needed']} cells "
        f"are needed: {totals['filled']} are filled, {totals['lacking']} are empty for a reason"
    )
    section += nodes.paragraph(text=f"{told}, {totals['empty']} are empty." if totals["empty"] else f"{told}.")
    texts = corpus.clauses(found.game)
    rows = [_cells(row, texts[row.clause], found.game) for row in found.rows]
    section += table(["clause", *CELLS], rows, [4, *[1] * len(CELLS)])
    reasons = list(_reasons(found))
    if reasons:
        section += nodes.rubric(text="Empty, and why")
        section += nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph(text=text)) for text in reasons))
    return section


def _cells(row: Row, clause: Node, game: str) -> list[Sequence[nodes.Node]]:
    """Return a row of the table: the clause with its text, and the number of scenarios in each cell."""
    node = clause.get("text") or clause.get("question")
    said = nodes.paragraph("", "", nodes.literal(text=row.clause))
    text = nodes.paragraph(text=prose(node, rules(game)) if node is not None else "")
    return [[said, text], *([_count(row, cell)] for cell in CELLS)]


def _count(row: Row, cell: str) -> nodes.paragraph:
    """Return how many scenarios fill a cell, with their names for those who point at the number."""
    ids = row.cells.get(cell, ())
    if ids:
        return nodes.paragraph("", "", nodes.abbreviation(str(len(ids)), str(len(ids)), explanation=", ".join(ids)))
    return nodes.paragraph(text="empty" if cell in row.empty else "for a reason" if cell in row.lacking else "")


def _reasons(found: Coverage) -> Iterator[str]:
    for row in found.rows:
        yield from (f"{row.clause}, {cell}: {row.lacks[cell]['en']}" for cell in row.lacking)
        yield from (f"{row.clause}, {cell}: no scenario yet" for cell in row.empty)
    yield from (f"{question.edition}, {question.key}: no scenario tells its values apart" for question in found.untold)


def table(head: Sequence[str], rows: Sequence[Sequence[Sequence[nodes.Node]]], widths: Sequence[int]) -> nodes.table:
    """Return a table of a heading and rows of cells."""
    group = nodes.tgroup(cols=len(widths))
    group += [nodes.colspec(colwidth=width) for width in widths]
    group += nodes.thead("", _row([[nodes.paragraph(text=text)] for text in head]))
    group += nodes.tbody("", *map(_row, rows))
    return nodes.table("", group, classes=["colwidths-given"])


def _row(cells: Sequence[Sequence[nodes.Node]]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directives known to Sphinx."""
    app.add_directive("brou-coverage", CoveragePage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
