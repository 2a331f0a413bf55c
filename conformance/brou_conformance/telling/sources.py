"""Where a rule comes from: the place of the passages that a clause rests on, as people cite it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from brou import Choice, rules
from brou.language.source import Node
from brou.shelf.library import read_data, root
from brou.words.glossary import worded
from brou.words.text import prose
from brou_conformance.protocol import Message
from brou_conformance.scenarios.corpus import clauses

_FILE = "sources.yaml"


def cite(game: str, clause: str, data: Path | None = None) -> list[Message]:
    """Return the passages that a clause rests on: the work, its title, and the section and paragraph in it.

    The words of a source are not kept, only their fingerprints (docs/anchors.md).
    """
    node = clauses(game, data).get(clause)
    anchors = None if node is None else node.get("anchors")
    works = _works(data)
    found = []
    for anchor in () if anchors is None else anchors.items:
        work, place = anchor.string("source"), anchor.string("at")
        known = works.get(work)
        said = {"work": work, "passage": place, "at": _places(known).get(place, place) if known else place}
        found.append({**said, "title": _title(known)} if known else said)
    return found


def tell_sources(cited: list[Message]) -> str:
    """Return some passages in words, those of one work together."""
    works: dict[str, list[str]] = {}
    for one in cited:
        works.setdefault(str(one.get("title", one["work"])), []).append(one["at"])
    return "; ".join(f"{title}, {', '.join(places)}" for title, places in works.items())


def tell_clause(choice: Choice, clause: str, lang: str, data: Path | None = None) -> str:
    """Return what a clause says, with its numbers; of an open passage its question."""
    node = clauses(choice.game, data).get(clause)
    text = None if node is None else node.get("text") or node.get("question")
    return "" if text is None or not worded(text, lang) else prose(text, rules(choice, data), lang, data)


def _title(work: Node) -> str:
    author = work.string("author") if work.get("author") is not None else ""
    return f"{author}, {work.string('title')}" if author else work.string("title")


@lru_cache(maxsize=4)
def _works(data: Path | None) -> dict[str, Node]:
    folder = data if data is not None and (data / _FILE).exists() else root()
    return {work.string("id"): work for work in read_data(folder, _FILE).fields["works"].items}


def _places(work: Node) -> dict[str, str]:
    """Return how each passage of a work is cited."""
    passages = work.get("passages")
    return {item.string("id"): item.string("at") for item in (() if passages is None else passages.items)}
