"""Provenance: normal form, fingerprints, segmentation, and the comparison of recorded passages with a text."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from brou.words.provenance import Anchor, Work, fingerprint, normalise, segment, verify

ROOT = Path(__file__).parents[2]
#: Where the texts are, if they are at hand.
TEXTS = os.environ.get("BROU_SOURCES", "")
WORKS: list[dict[str, Any]] = yaml.safe_load((ROOT / "spec" / "sources.yaml").read_text(encoding="utf-8"))["works"]
VECTORS = re.findall(r'^\{"text".*\}$', (ROOT / "docs" / "anchors.md").read_text(encoding="utf-8"), re.MULTILINE)

TOY = """A toy game

Two play with six marbles.

Moves
Each rolls one marble:
  \u2022 towards the wall,

  \u2022 or away from it.

red blue
3 1

Whoever hits the wall
scores.
Notes
Nobody plays it.
Notes

Still nobody.
"""
MARKS = (
    Anchor("intro", "Intro", fingerprint("A toy game"), "heading"),
    Anchor("moves", "Moves", fingerprint("Moves"), "heading"),
    Anchor("moves.t1", "Moves table 1", fingerprint("red blue"), "line"),
    Anchor("moves.t2", "Moves table 2", fingerprint("3 1"), "line"),
    Anchor("notes", "Notes", fingerprint("Notes"), "heading"),
    Anchor("more", "More notes", fingerprint("Notes"), "heading"),
)


def recorded(text: str) -> Work:
    """Record every passage of a text that is laid out like the toy game."""
    found = segment(text, Work("toy", MARKS))
    return Work("toy", tuple(Anchor(passage.id, passage.at, passage.sha256, passage.role) for passage in found))


def findings(directory: Path, text: str) -> list[tuple[str, str]]:
    """Compare the recorded toy game with another text and return problems and places."""
    (directory / "toy.txt").write_text(text, encoding="utf-8")
    return [(mismatch.problem, mismatch.at) for mismatch in verify(recorded(TOY), directory)]


@pytest.mark.parametrize("vector", VECTORS)
def test_published_vectors(vector: str) -> None:
    """The vectors of the documentation have the normal form and the fingerprint printed there."""
    expected = json.loads(vector)

    assert expected["normal"] == normalise(expected["text"])
    assert expected["sha256"] == fingerprint(expected["text"])


def test_three_vectors_are_published() -> None:
    """The documentation holds three test vectors, so that the test above tests something."""
    assert len(VECTORS) == 3


@given(st.text())
def test_normal_form_is_final(text: str) -> None:
    """Normalising twice is normalising once."""
    assert normalise(text) == normalise(normalise(text))


@given(st.lists(st.text(alphabet="aé\u00a0\u2019-"), max_size=5), st.sampled_from(["\n", "\r\n", "\r"]))
def test_wrapping_does_not_matter(words: list[str], newline: str) -> None:
    """A passage has the same fingerprint however its lines are broken."""
    assert fingerprint(" ".join(words)) == fingerprint(newline.join(words))


def test_case_matters() -> None:
    """A change of letter case is a change."""
    assert fingerprint("Trumpf") != fingerprint("trumpf")


def test_segmentation() -> None:
    """Headings open sections, bullets join the paragraph before them, marked lines stand outside the count."""
    places = [(passage.id, passage.at, passage.line) for passage in segment(TOY, Work("toy", MARKS))]

    assert places == [
        ("intro", "Intro", 1),
        ("intro.p1", "Intro p1", 3),
        ("moves", "Moves", 5),
        ("moves.p1", "Moves p1", 6),
        ("moves.t1", "Moves table 1", 11),
        ("moves.t2", "Moves table 2", 12),
        ("moves.p2", "Moves p2", 14),
        ("notes", "Notes", 16),
        ("notes.p1", "Notes p1", 17),
        ("more", "More notes", 18),
        ("more.p1", "More notes p1", 20),
    ]


def test_bullets_are_part_of_the_passage() -> None:
    """The words of a paragraph with bullets are all of them."""
    by_id = {passage.id: passage for passage in segment(TOY, Work("toy", MARKS))}

    assert normalise(by_id["moves.p1"].text).endswith(": \u2022 towards the wall, \u2022 or away from it.")


@given(st.text(alphabet="ab-\u2022 \n\r"))
def test_every_word_is_in_one_passage(text: str) -> None:
    """Segmentation loses nothing and doubles nothing."""
    found = segment(text, Work("any", (Anchor("a", "A", fingerprint("a"), "heading"),)))

    assert normalise(text) == normalise(" ".join(passage.text for passage in found))


def test_segmentation_by_line() -> None:
    """A text without paragraphs is cited by line, blank lines counted and not listed."""
    found = segment("one\n\ntwo", Work("lines", unit="line"))

    assert [("l1", "l.1"), ("l3", "l.3")] == [(passage.id, passage.at) for passage in found]


def test_same_text_agrees(tmp_path: Path) -> None:
    """A text with other spaces, quotation marks and line ends agrees."""
    assert findings(tmp_path, TOY.replace(" ", "\u00a0").replace("\n", "\r\n")) == []


def test_changed_passage(tmp_path: Path) -> None:
    """A passage that reads otherwise is named, and nothing else is."""
    assert findings(tmp_path, TOY.replace("six", "seven")) == [("changed", "Intro p1 (intro.p1)")]


def test_changed_heading(tmp_path: Path) -> None:
    """A heading that reads otherwise is one mismatch, not one for each passage below it."""
    assert findings(tmp_path, TOY.replace("\nMoves\n", "\nRolling\n\n")) == [("changed", "Moves (moves)")]


def test_missing_passage(tmp_path: Path) -> None:
    """A passage that is gone is named."""
    assert findings(tmp_path, TOY.replace("Whoever hits the wall\nscores.\n", "")) == [
        ("missing", "Moves p2 (moves.p2)")
    ]


def test_extra_passage(tmp_path: Path) -> None:
    """A passage too many is named, and the passages after it are not."""
    text = TOY.replace("Whoever", "Marbles that touch stop.\n\nWhoever")

    assert findings(tmp_path, text) == [("extra", "Moves p2 (moves.p2)")]


def test_moved_passage_is_found_again(tmp_path: Path) -> None:
    """The message on a passage that was moved says where its words stand now."""
    (tmp_path / "toy.txt").write_text(TOY.replace("Nobody plays it.\n", "") + "\nNobody plays it.\n", encoding="utf-8")
    messages = [str(mismatch) for mismatch in verify(recorded(TOY), tmp_path)]

    assert messages[0] == (
        "toy, Notes p1 (notes.p1): the passage is missing from toy.txt; its words are at More notes p2, line 21"
    )


def test_wrong_place_is_reported(tmp_path: Path) -> None:
    """A passage recorded under a place that the segmentation does not give is named."""
    (tmp_path / "toy.txt").write_text(TOY, encoding="utf-8")
    work = recorded(TOY)
    first, second, *rest = work.passages
    wrong = replace(work, passages=(first, replace(second, at="Intro p2"), *rest))

    assert [str(mismatch) for mismatch in verify(wrong, tmp_path)] == [
        "toy, Intro p2 (intro.p1): line 3 is recorded under a wrong place; its place is Intro p1 (intro.p1)"
    ]


def test_absent_text(tmp_path: Path) -> None:
    """Without a file that shares half of the passages the whole text is absent, and the nearest file is named."""
    (tmp_path / "other.txt").write_text("Notes\n", encoding="utf-8")

    assert [str(mismatch) for mismatch in verify(recorded(TOY), tmp_path)] == [
        f"toy, whole text: no text of this work in {tmp_path}; the nearest file, other.txt, has 1 of its 11 passages"
    ]


def test_empty_directory(tmp_path: Path) -> None:
    """An empty directory is no crash but an absent text."""
    assert ["absent"] == [mismatch.problem for mismatch in verify(recorded(TOY), tmp_path)]


def test_known_copy_wins(tmp_path: Path) -> None:
    """The file with the recorded bytes is taken, even if another one agrees better with the passages."""
    (tmp_path / "a.txt").write_text(TOY, encoding="utf-8")
    (tmp_path / "b.txt").write_text("Something else\n", encoding="utf-8")
    work = replace(recorded(TOY), copy=sha256(b"Something else\n").hexdigest())

    assert {"b.txt"} == {
        word for mismatch in verify(work, tmp_path) for word in mismatch.what.split() if ".txt" in word
    }


def test_pending_work_agrees(tmp_path: Path) -> None:
    """A work whose passages are not recorded yet cannot disagree."""
    assert verify(Work.parse({"id": "later", "pending": "not yet", "passages": []}), tmp_path) == []


@pytest.mark.parametrize("data", WORKS, ids=lambda data: data["id"])
def test_works_are_complete(data: dict[str, Any]) -> None:
    """A work is outside, pending with a reason, or has passages, each normative or with a reason why not."""
    work = Work.parse(data)
    ids = [anchor.id for anchor in work.passages]

    assert data.get("outside") or data.get("pending") or ids
    assert len(ids) == len(set(ids))
    assert [] == [anchor.id for anchor in work.passages if anchor.normative == bool(anchor.reason)]


@pytest.mark.parametrize("data", [data for data in WORKS if data.get("passages")], ids=lambda data: data["id"])
def test_recorded_passages_agree_with_the_texts(data: dict[str, Any]) -> None:
    """Every recorded passage stands in the text at the recorded place, where the texts are at hand."""
    if not TEXTS:
        pytest.skip("the texts are not at hand; BROU_SOURCES=DIR names the directory of the *.txt files")
    assert Path(TEXTS).is_dir(), f"BROU_SOURCES names no directory: {TEXTS}"

    assert [] == [str(mismatch) for mismatch in verify(Work.parse(data), Path(TEXTS))]
