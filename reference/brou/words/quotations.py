"""Words of a source that a question quotes: so few that anybody may, and exactly as they are there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from brou.errors import Fault
from brou.language.node import Node
from brou.words.provenance import MOST_WORDS, Work, locate, normalise

_KEY = "quote"
#: A word; an apostrophe separates two.
_WORD = re.compile(r"\w+")


def find_long_quotes(questions: Mapping[str, Node]) -> Iterator[Fault]:
    """Yield the quotations that have more words than may be taken from a source."""
    for id_, node in questions.items():
        many = len(_WORD.findall(node.string(_KEY)))
        if many > MOST_WORDS:
            what = f"{id_} quotes {many} words of its source"
            yield Fault(node.fields[_KEY].place, what, f"quote {MOST_WORDS} at most")


def find_misquotes(
    questions: Mapping[str, Node], clauses: Mapping[str, Node], works: Iterable[Work], texts: Path
) -> Iterator[Fault]:
    """Yield the quotations that are in no passage which the question, or a clause that it is about, names.

    Questions about works whose texts are not in the folder are passed over.
    """
    words = {
        (work.id, passage.id): normalise(passage.text) for work in works for passage in locate(work, texts).values()
    }
    there = {source for source, _ in words}
    for id_, node in questions.items():
        anchors = [
            anchor for clause in node.fields["clauses"].items for anchor in _list_anchors(clauses.get(clause.text))
        ]
        sources = {anchor.string("source") for anchor in anchors}
        if not node.string(_KEY) or not sources <= there:
            continue
        named = {(source, item.text) for source in sources for item in node.fields["passages"].items}
        named |= {(anchor.string("source"), anchor.string("at")) for anchor in anchors}
        if not any(normalise(node.string(_KEY)) in words.get(place, "") for place in named):
            passages = ", ".join(sorted(at for source, at in named if (source, at) in words))
            yield Fault(node.fields[_KEY].place, f"{id_} quotes words that are not in {passages}", "quote exactly")


def _list_anchors(clause: Node | None) -> tuple[Node, ...]:
    """Return where a clause rests in its sources; nowhere for one that is not there."""
    return () if clause is None else tuple(clause.fields["anchors"].items)
