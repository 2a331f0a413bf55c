"""`brou diff`: in what two rule bases differ, each difference with an example, and what is proved to be alike."""

from __future__ import annotations

import argparse
import json
from typing import Any

from brou_tools.comparing import Comparison, Example, Row, comparison, example
from brou_tools.exits import Exit


def run(options: argparse.Namespace) -> int:
    """Compare two rule bases; 1 if a row has neither an example nor a proof."""
    found = comparison(*options.editions)
    examples = {row.id: example(found, row) for row in found.rows}
    bare = [row.id for row in found.rows if not (examples[row.id] or row.proved or row.open)]
    if options.json:
        rows = [_document(row, examples[row.id]) for row in found.rows]
        print(json.dumps({"rules": [str(choice) for choice in found.choices], "rows": rows}, ensure_ascii=False))
    else:
        print(_text(found, examples))
    return Exit.FINDING if bare else Exit.FINE


def _document(row: Row, shown: Example | None) -> dict[str, Any]:
    document: dict[str, Any] = {"id": row.id, "topic": row.topic, "clauses": [list(side) for side in row.clauses]}
    if row.proved:
        document["proved"] = row.proved
    if row.open:
        document["open"] = row.open
    if shown:
        document["example"] = {
            "scenario": shown.scenario.id,
            "step": shown.step.id,
            "asked": dict(shown.step.message),
            "answers": list(shown.answers),
        }
    return document


def _text(found: Comparison, examples: dict[str, Example | None]) -> str:
    names = [str(choice) for choice in found.choices]
    width = max(map(len, names))
    lines = [f"{names[0]} against {names[1]}", ""]
    for row in found.rows:
        lines.append(f"{row.topic}  ({', '.join([*row.clauses[0], *row.clauses[1]])})")
        if row.proved:
            lines.append(f"  proved: {row.proved}")
        if row.open:
            lines.append(f"  left open by {names[0]}: {row.open}")
        shown = examples[row.id]
        if shown is not None:
            hands = shown.scenario.deal.get("hands")
            lines.append(f"  {shown.scenario.id}#{shown.step.id}: {json.dumps(dict(shown.step.message))}")
            if isinstance(hands, dict):
                dealt = [(seat, cards) for seat, cards in hands.items() if isinstance(cards, list)]
                lines += [f"    {seat}: {' '.join(map(str, cards))}" for seat, cards in dealt if cards]
            for name, answer in zip(names, shown.answers, strict=True):
                lines.append(f"    {name:{width}}  {json.dumps(answer, ensure_ascii=False)}")
        lines.append("")
    return "\n".join(lines).rstrip()
