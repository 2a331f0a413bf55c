"""Provenance: the passage of a source that a rule rests on, kept as place and fingerprint, never as words.

The definitions are in ``docs/anchors.md``. What a source looks like is data: its headings and table lines are known
by their fingerprints, so this module names no source.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from brou.atomic import read_named
from brou.dataclass import dataclass

__all__ = ["Anchor", "Mismatch", "Passage", "Work", "fingerprint", "locate", "normalise", "quote", "segment", "verify"]

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u02bc"
_DOUBLE = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_UNIFIED = str.maketrans(dict.fromkeys(_DASHES, "-") | dict.fromkeys(_SINGLE, "'") | dict.fromkeys(_DOUBLE, '"'))
_BULLETS = ("- ", "* ", "\u2022 ")
#: No more words of a source are ever shown in one place.
MOST_WORDS = 8
_NEWLINE = re.compile(r"\r\n|\r|\n")

Role = Literal["paragraph", "heading", "line"]
Problem = Literal["absent", "changed", "missing", "extra", "misnamed"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A passage as recorded: its place and the fingerprint of its words."""

    id: str
    #: The citation in words, for readers.
    at: str
    sha256: str
    #: ``heading`` opens a section, ``line`` is outside the count; both are known by their fingerprint.
    role: Role = "paragraph"
    normative: bool = True
    #: Why a passage without rules needs no clause.
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """A source with its recorded passages in the order of the text."""

    id: str
    passages: tuple[Anchor, ...] = ()
    #: ``line`` for a text that lost its paragraphs and is cited by the number of the line.
    unit: Literal["paragraph", "line"] = "paragraph"
    #: SHA-256 of the bytes of the copy that was read.
    copy: str = ""

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Work:
        """Build a work from one entry of ``sources.yaml``; facts about the edition are left aside."""
        anchors = tuple(Anchor(**passage) for passage in data.get("passages", ()))
        return cls(data["id"], anchors, data.get("unit", "paragraph"), data.get("copy", ""))


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as found in a text."""

    id: str
    at: str
    text: str
    #: Number of its first line, from 1.
    line: int
    role: Role = "paragraph"

    @property
    def sha256(self) -> str:
        """Return the fingerprint of the words."""
        return fingerprint(self.text)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A disagreement between a recorded work and a text."""

    problem: Problem
    work: str
    at: str
    what: str
    instead: str

    def __str__(self) -> str:
        """Say where, what, and what instead, in one line."""
        return f"{self.work}, {self.at}: {self.what}; {self.instead}"


def normalise(text: str) -> str:
    """Return the text in the one form that is fingerprinted."""
    unseen = dict.fromkeys(ord(char) for char in set(text) if unicodedata.category(char) == "Cf")
    return " ".join(unicodedata.normalize("NFKC", text.translate(unseen)).translate(_UNIFIED).split())


def fingerprint(text: str) -> str:
    """Return the SHA-256 of the normalised text as 64 hexadecimal digits."""
    return sha256(normalise(text).encode()).hexdigest()


def segment(text: str, work: Work) -> list[Passage]:
    """Cut a text into passages; every line that is not blank falls into exactly one."""
    if work.unit == "line":
        lines = enumerate(_NEWLINE.split(text), 1)
        return [Passage(f"l{number}", f"l.{number}", line, number, "line") for number, line in lines if normalise(line)]
    found: list[Passage] = []
    section, citation, count = "", "", 0
    for start, block, mark in _blocks(text, work):
        if mark is not None:
            found.append(Passage(mark.id, mark.at, block, start, mark.role))
            if mark.role == "heading":
                section, citation, count = f"{mark.id}.", f"{mark.at} ", 0
        elif found and found[-1].role == "paragraph" and normalise(block).startswith(_BULLETS):
            before = found.pop()
            found.append(Passage(before.id, before.at, f"{before.text}\n{block}", before.line))
        else:
            count += 1
            found.append(Passage(f"{section}p{count}", f"{citation}p{count}", block, start))
    return found


def locate(work: Work, directory: Path) -> dict[str, Passage]:
    """Return the recorded passages of a work that its text in a directory still has, by id; none without its text."""
    near, _, found = _nearest(work, directory)
    if not work.passages or 2 * near < len(work.passages):
        return {}
    fingerprints = {passage.id: passage.sha256 for passage in work.passages}
    return {passage.id: passage for passage in found if fingerprints.get(passage.id) == passage.sha256}


def quote(passage: Passage, part: str = "") -> str:
    """Return how a passage begins, in at most `MOST_WORDS` words; `part` `b2` is the second bullet in it."""
    text = passage.text
    if part:
        bullets = [line for line in _NEWLINE.split(text) if normalise(line).startswith(_BULLETS)]
        text = bullets[int(part.removeprefix("b")) - 1] if int(part.removeprefix("b")) <= len(bullets) else text
    return " ".join(normalise(text).removeprefix("- ").removeprefix("* ").removeprefix("\u2022 ").split()[:MOST_WORDS])


def verify(work: Work, directory: Path) -> list[Mismatch]:
    """Compare a work with its text among the ``*.txt`` files of a directory; one without passages always agrees."""
    if not work.passages:
        return []
    near, path, found = _nearest(work, directory)
    if path is None or 2 * near < len(work.passages):
        what = f"no text of this work in {directory}"
        other = f"the nearest file, {path.name}, has {near} of its" if path else "put there a *.txt file with its"
        return [Mismatch("absent", work.id, "whole text", what, f"{other} {len(work.passages)} passages")]
    wrong = list(_differences(work, found, path.name))
    return wrong or list(_find_misnamed(work, found))


def _blocks(text: str, work: Work) -> Iterator[tuple[int, str, Anchor | None]]:
    """Yield first line, text and mark of each run of lines; a marked line is a run of its own."""
    marks: dict[str, list[Anchor]] = defaultdict(list)
    for anchor in work.passages:
        if anchor.role != "paragraph":
            marks[anchor.sha256].append(anchor)
    start, run = 0, list[str]()
    for number, line in enumerate(_NEWLINE.split(text), 1):
        # Two headings may read alike: the first such line is the first of them.
        waiting = marks.get(fingerprint(line))
        if run and (waiting or not normalise(line)):
            yield start, "\n".join(run), None
            run = []
        if waiting:
            yield number, line, waiting.pop(0)
        elif normalise(line):
            start = start if run else number
            run.append(line)
    if run:
        yield start, "\n".join(run), None


def _nearest(work: Work, directory: Path) -> tuple[int, Path | None, list[Passage]]:
    """Return the file that is the known copy or else shares most passages, how many, and its passages."""
    recorded = Counter(anchor.sha256 for anchor in work.passages)
    best: tuple[int, Path | None, list[Passage]] = (-1, None, [])
    for path in sorted(directory.glob("*.txt")):
        content = read_named(path)
        found = segment(content.decode(errors="replace"), work)
        if sha256(content).hexdigest() == work.copy:
            return len(work.passages), path, found
        shared = (recorded & Counter(passage.sha256 for passage in found)).total()
        if shared > best[0]:
            best = (shared, path, found)
    return best


def _differences(work: Work, found: list[Passage], name: str) -> Iterator[Mismatch]:
    """Yield the changed, dropped and added passages, aligned so that one insertion is one mismatch."""
    here = [passage.sha256 for passage in found]
    places = {passage.sha256: passage for passage in found}
    matcher = SequenceMatcher(None, [anchor.sha256 for anchor in work.passages], here, autojunk=False)
    for tag, low, high, start, stop in matcher.get_opcodes():
        if tag == "equal":
            continue
        for anchor, passage in zip_longest(work.passages[low:high], found[start:stop]):
            if anchor is None:
                what = f"line {passage.line} of {name} opens a passage that is not recorded"
                instead = f"record it with sha256 {passage.sha256} and say whether it holds a rule"
                yield Mismatch("extra", work.id, f"{passage.at} ({passage.id})", what, instead)
                continue
            moved = places.get(anchor.sha256)
            instead = f"recorded is sha256 {anchor.sha256}"
            if moved is not None:
                instead = f"its words are at {moved.at}, line {moved.line}"
            if passage is None:
                what = f"the passage is missing from {name}"
                yield Mismatch("missing", work.id, f"{anchor.at} ({anchor.id})", what, instead)
            else:
                what = f"line {passage.line} of {name} reads otherwise (sha256 {passage.sha256})"
                yield Mismatch("changed", work.id, f"{anchor.at} ({anchor.id})", what, instead)


def _find_misnamed(work: Work, found: list[Passage]) -> Iterator[Mismatch]:
    """Yield the passages whose recorded place is not the one that the segmentation gives."""
    for anchor, passage in zip(work.passages, found, strict=True):
        if (anchor.id, anchor.at) != (passage.id, passage.at):
            what = f"line {passage.line} is recorded under a wrong place"
            instead = f"its place is {passage.at} ({passage.id})"
            yield Mismatch("misnamed", work.id, f"{anchor.at} ({anchor.id})", what, instead)
