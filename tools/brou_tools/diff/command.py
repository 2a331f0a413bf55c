"""`brou diff`: the differences of two rule bases, each with an example, and the parts that are proved to be alike."""

from __future__ import annotations

import os
import sys
from typing import Any

from brou.atomic import read_named
from brou.games.folder import root
from brou.words.text import language
from brou_tools.diff.comparison import Comparison, comparison, example
from brou_tools.diff.options import DiffOptions
from brou_tools.diff.rows import DifferenceExample, DifferenceRow
from brou_tools.diff.wording import Differences
from brou_tools.documents.json_document import print_document
from brou_tools.terminal.exits import Exit


def run(options: DiffOptions) -> int:
    """Compare two rule bases; 1 if a row of two games has neither an example nor a proof nor a reason."""
    if options.schema:
        print(read_named(root() / "schemas" / "comparison.schema.json").decode(), end="")
        return Exit.FINE
    if len(options.editions) != 2:
        print("brou diff: name two rule bases, or --schema", file=sys.stderr)
        return Exit.USAGE
    found = comparison(*options.editions)
    if options.json:
        print_document("comparison", document(found))
    else:
        print(Differences(found, language(options.lang, os.environ)).text())
    return Exit.FINDING if list(bare(found)) else Exit.FINE


def bare(found: Comparison) -> list[str]:
    """Return the rows of two games that have neither an example nor a proof nor a reason."""
    if found.within:
        return []
    told = (row for row in found.rows if not (row.proved or row.open or row.alike or row.agree or row.note))
    return [row.id for row in told if example(found, row) is None]


def document(found: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON."""
    rules = [f"{choice}[{','.join('='.join(pair) for pair in choice.readings)}]" for choice in found.choices]
    return {"rules": rules, "rows": [_document(row, example(found, row)) for row in found.rows]}


def _document(row: DifferenceRow, shown: DifferenceExample | None) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": row.id,
        "topic": dict(row.topic) or None,
        "clauses": [list(side) for side in row.clauses],
    }
    optional = ("proved", "open", "agree", "key", "record")
    document |= {name: said for name in optional if (said := getattr(row, name))}
    if row.alike:
        document["alike"] = list(row.alike)
    if row.key:
        document["values"] = [said or None for said in row.values]
    if row.note:
        document["note"] = dict(row.note)
    if shown:
        document["example"] = {
            "scenario": shown.scenario.id,
            "step": shown.step.id,
            "asked": dict(shown.step.message),
            "answers": list(shown.answers),
        }
    return document
