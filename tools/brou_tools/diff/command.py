"""`brou diff`: the differences of two rule bases, each with an example, and the parts that are proved to be alike."""

from __future__ import annotations

import os
import sys

from brou.shapes import ABSENT
from brou.words import find_user_language
from brou_tools.diff.comparison import Comparison, comparison, example
from brou_tools.diff.options import DiffOptions
from brou_tools.diff.report import ComparedExample, ComparedRow, ComparisonReport
from brou_tools.diff.rows import DifferenceExample, DifferenceRow
from brou_tools.diff.wording import Differences
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit


def run(options: DiffOptions) -> int:
    """Compare two rule bases; 1 if a row of two games has neither an example nor a proof nor a reason."""
    if options.schema:
        print_schema("comparison")
        return Exit.FINE
    if len(options.editions) != 2:
        print("brou diff: name two rule bases, or --schema", file=sys.stderr)
        return Exit.USAGE
    found = comparison(options.editions[0], options.editions[1], options.project)
    conclude(f"compared two rule bases: {count(len(found.rows), 'difference')}")
    if options.json:
        print_report(document(found))
    else:
        print(Differences(found, find_user_language(options.lang, os.environ, options.project)).text())
    return Exit.FINDING if list(bare(found)) else Exit.FINE


def bare(found: Comparison) -> list[str]:
    """Return the rows of two games that have neither an example nor a proof nor a reason."""
    if found.within:
        return []
    told = (row for row in found.rows if not (row.proved or row.open or row.alike or row.agree or row.note))
    return [row.id for row in told if example(found, row) is None]


def document(found: Comparison) -> ComparisonReport:
    """Return a comparison as the document that programs read."""
    one, two = (f"{choice}[{','.join('='.join(pair) for pair in choice.readings)}]" for choice in found.choices)
    return ComparisonReport(rules=(one, two), rows=tuple(_document(row, example(found, row)) for row in found.rows))


def _document(row: DifferenceRow, shown: DifferenceExample | None) -> ComparedRow:
    here, there = (said or None for said in row.values)
    return ComparedRow(
        id=row.id,
        topic=dict(row.topic) or None,
        clauses=row.clauses,
        proved=row.proved or ABSENT,
        open=row.open or ABSENT,
        agree=row.agree or ABSENT,
        key=row.key or ABSENT,
        record=row.record or ABSENT,
        alike=row.alike or ABSENT,
        values=(here, there) if row.key else ABSENT,
        note=dict(row.note) or ABSENT,
        example=ABSENT if shown is None else _show(shown),
    )


def _show(shown: DifferenceExample) -> ComparedExample:
    asked = dict(shown.step.message)
    return ComparedExample(scenario=shown.scenario.id, step=shown.step.id, asked=asked, answers=shown.answers)
