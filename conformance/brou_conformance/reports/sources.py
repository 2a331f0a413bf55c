"""Where a rule comes from: the passages that a clause rests on, as people cite them, and how they begin."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from brou import (
    Choice,
    Folder,
    Node,
    NoFile,
    choose_text,
    keep_until_changed,
    prose,
    root,
    rules,
)
from brou.games import has_file, read_file
from brou.games import locate as locate_data
from brou.shapes import ABSENT, Absent, shape
from brou.words import Passage, Work, locate, quote
from brou_conformance.protocol import shorten
from brou_conformance.scenarios.corpus import clauses

_FILE = "sources.yaml"
#: The variable of the environment that names the folder of the source texts.
SOURCES = "BROU_SOURCES"


def find_texts(named: str | None, environment: Mapping[str, str]) -> Path | None:
    """Return the folder of the source texts: the one that is named, else that of the environment, if there is any."""
    name = named or environment.get(SOURCES)
    if name and not Path(name).is_dir():
        raise NoFile(name, "the folder that holds them as *.txt", "no folder of source texts")
    return Path(name) if name else None


@shape()
class SourceReport:
    """A passage that a clause rests on."""

    work: Annotated[str, "the work"]
    passage: Annotated[str, "the passage in it"]
    at: Annotated[str, "section and paragraph, as they are cited"]
    title: Annotated[str, "the title of the work"] | Absent = ABSENT
    words: Annotated[str, "the first words of the passage, at most eight, if its text is available"] | Absent = ABSENT


def cite(game: str, clause: str, data: Folder = None, texts: Path | None = None) -> tuple[SourceReport, ...]:
    """Return the passages that a clause rests on: the work, its title, and the section and paragraph in it.

    The data hold fingerprints of the sources, not their words (docs/anchors.md). The first words of a passage are
    quoted where `texts` is given and has the text with this passage.
    """
    node = read_citable(game, data).get(clause)
    anchors = None if node is None else node.get("anchors")
    works = _works(data)
    found = []
    for anchor in () if anchors is None else anchors.items:
        work, place = anchor.string("source"), anchor.string("at")
        known = works.get(work)
        words = "" if texts is None or known is None else quote_passage(work, place, anchor.string("part"), texts, data)
        found.append(
            SourceReport(
                work=work,
                passage=place,
                at=_places(known).get(place, place) if known else place,
                title=_title(known) if known else ABSENT,
                words=words or ABSENT,
            )
        )
    return tuple(found)


def quote_passage(work: str, place: str, part: str, texts: Path, data: Folder = None) -> str:
    """Return how a passage of a work, or a part of it, begins; nothing where its text is not at hand."""
    passage = _find_passages(work, texts, data).get(place)
    return "" if passage is None else shorten(quote(passage, part))


@keep_until_changed(maxsize=16)
def _find_passages(work: str, texts: Path, data: Folder) -> Mapping[str, Passage]:
    try:
        return locate(Work.parse({key: item.plain() for key, item in _works(data)[work].fields.items()}), texts)
    except OSError:  # a verdict does not depend on texts that cannot be read
        return {}


def tell_clause(choice: Choice, clause: str, lang: str, data: Folder = None) -> str:
    """Return the text of a clause, with its numbers; of an open passage its question."""
    home = data or choice.project
    node = read_citable(choice.game, home).get(clause)
    text = None if node is None else node.get("text") or node.get("question")
    return prose(text, rules(choice, data), lang, home) if text is not None and choose_text(text, lang) else ""


def _title(work: Node) -> str:
    author = work.string("author") if work.get("author") is not None else ""
    return f"{author}, {work.string('title')}" if author else work.string("title")


@keep_until_changed(maxsize=16)
def read_citable(game: str, data: Folder) -> Mapping[str, Node]:
    """Return the clauses and passages that a scenario of a game may cite; cached, as every failing case needs them."""
    return clauses(game, data)


@keep_until_changed(maxsize=4)
def _works(data: Folder) -> dict[str, Node]:
    own = locate_data(data)
    folder = own if has_file(own, _FILE) else root()
    return {work.string("id"): work for work in read_file(folder, _FILE).fields["works"].items}


def _places(work: Node) -> dict[str, str]:
    """Return how each passage of a work is cited."""
    passages = work.get("passages")
    return {item.string("id"): item.string("at") for item in (() if passages is None else passages.items)}
