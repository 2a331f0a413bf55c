"""Words of a source that a question quotes: few, and exactly those that stand in a passage of the question."""

from __future__ import annotations

from pathlib import Path

import pytest

from brou.language.node import Node
from brou.language.source import parse_yaml
from brou.words.provenance import Work, fingerprint
from brou.words.quotations import find_long_quotes, find_misquotes

TEXT = "Wer kann, der bedient die Farbe.\n\nWer nicht kann, wirft ab.\n"
QUESTION = """
x.amb.01:
  quote: {quote}
  passages: [p1]
  clauses: [x.a.01]
"""
CLAUSE = "{x.a.01: {anchors: [{source: the-text, at: p1}]}}"


def ask(quote: str) -> dict[str, Node]:
    """Return a question with a quotation."""
    return parse_yaml(QUESTION.replace("{quote}", quote), "<test>").fields


def work() -> Work:
    """Return a text of two paragraphs as it is recorded."""
    passages = [
        {"id": f"p{number}", "at": f"p{number}", "sha256": fingerprint(part)}
        for number, part in enumerate(TEXT.strip().split("\n\n"), 1)
    ]
    return Work.parse({"id": "the-text", "passages": passages})


def test_a_quotation_of_more_than_eight_words_is_a_fault() -> None:
    """What may be taken from a text without asking is a line, and no more."""
    (fault,) = find_long_quotes(ask("one two three four five six seven eight nine"))

    assert fault.what == "x.amb.01 quotes 9 words of its source"
    assert list(find_long_quotes(ask("one two three four five six seven eight"))) == []


@pytest.mark.parametrize(
    ("quote", "faults"), [("der bedient die Farbe", 0), ("der bedient die Stiche", 1), ("wirft ab", 1)]
)
def test_a_quotation_stands_in_a_passage_of_its_question(tmp_path: Path, quote: str, faults: int) -> None:
    """Other words, and words of another passage, are faults."""
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    clauses = parse_yaml(CLAUSE, "<test>").fields

    found = list(find_misquotes(ask(quote), clauses, [work()], tmp_path))

    assert len(found) == faults


def test_a_work_without_its_text_is_passed_over(tmp_path: Path) -> None:
    """Whoever has not the texts cannot check quotations."""
    clauses = parse_yaml(CLAUSE, "<test>").fields

    assert list(find_misquotes(ask("whatever"), clauses, [work()], tmp_path)) == []
