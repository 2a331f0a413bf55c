"""Proofs stand with their clauses: obligations, kinds of positions and exempt claims are read from chapters."""

from __future__ import annotations

import fnmatch
from typing import Any

import pytest

from brou.chapters.checks import check_volume
from brou.chapters.law import Volume
from brou.chapters.proofs import write_obligations
from brou.chapters.reading import read_volume
from brou.errors import Malformed
from brou.language.source import parse_yaml

FRAME = """\
format: brou-game/2
game: coins
prefix: cn
title: Coins
source: nowhere
names: {p: player}
scopes: [match]
course: {play: play.01, over: end.01}
start: {phase: play, deal: take, given: {}}
editions:
  plain:
    title: Plain
    setups: two
    readings: {}
"""
CHAPTER = """\
format: brou-chapter/2
game: coins
chapter: play
title: Play
clauses:
- clause: play.01
  from: []
  text: Two players take coins in turn.
  seats: 2
  pack: {cards: french, ranks: A}
  keeps:
    match: {heap: "int 0..9, first 9", turn: "player, first 0"}
  act: take(p)
  in: play
  by: turn
  do:
  - add: {heap: -1}
  - set: {turn: next(p)}
  - when: heap == 0
    do: [{go: over}]
- clause: end.01
  from: []
  text: The last coin ends it.
  show: {heap: heap}
  score: {heap: heap}
"""
PACKS = "format: brou-packs/2\npacks:\n  french: {suits: {S: spades}, ranks: {A: ace}}\n"
QUESTION = """\
  open:
  - id: amb.01
    ask: Who begins?
    agree: The players.
"""
ONE = "{kind: claim, says: So it is., show: heap >= 0}"


def read_coins(chapter: str, frame: str = FRAME) -> Volume:
    """Return the game of a chapter and a frame."""
    files = {"games/coins/game.yaml": frame, "games/coins/10-play.yaml": chapter, "prelude/packs.yaml": PACKS}
    return read_volume(
        "coins", lambda pattern: fnmatch.filter(files, pattern), lambda path: parse_yaml(files[path], path)
    )


def write(proves: str = "", asked: str = "") -> str:
    """Return the chapter with obligations under its first clause and under a question of its last."""
    first = f"  proves: {{{proves}}}\n" if proves else ""
    last = f"{QUESTION}    proves: {{{asked}}}\n" if asked else ""
    return CHAPTER.replace("- clause: end.01\n", f"{first}- clause: end.01\n") + last


def list_written(proves: str, asked: str = "") -> dict[str, Any]:
    """Return the obligations of the game by id, as plain values."""
    found: Any = write_obligations(read_coins(write(proves, asked))).plain()
    return dict(found["obligations"])


def test_an_obligation_has_the_prefix_of_the_game_and_the_clause_that_it_stands_under() -> None:
    """An obligation is about its own clause first, and it is to be proved where it says nothing else."""
    found = list_written(f"heap.some: {ONE}")

    assert found == {
        "cn.heap.some": {
            "kind": "claim",
            "says": "So it is.",
            "clauses": ["cn.play.01"],
            "expect": "proved",
            "show": "heap >= 0",
        }
    }


def test_further_clauses_and_the_claim_have_the_prefix_too() -> None:
    """What an obligation is about besides comes after its own clause, in the order in which it is named."""
    one = "{kind: claim, says: So it is., about: [end.01, amb.01], claim: clm.01, expect: refuted, show: heap == 0}"
    found = list_written(f"heap.none: {one}")["cn.heap.none"]

    assert found["clauses"] == ["cn.play.01", "cn.end.01", "cn.amb.01"]
    assert (found["claim"], found["expect"]) == ("cn.clm.01", "refuted")


def test_a_question_has_obligations_of_its_own() -> None:
    """One that stands under a question is about the question, and comes after those of clauses before it."""
    found = list_written(f"heap.some: {ONE}", f"amb.first: {ONE}")

    assert {id_: one["clauses"] for id_, one in found.items()} == {
        "cn.heap.some": ["cn.play.01"],
        "cn.amb.first": ["cn.amb.01"],
    }


@pytest.mark.parametrize(
    ("key", "written", "read"),
    [
        ("readings", "default", "default"),
        ("readings", "{first: older}", {"first": "older"}),
        ("unless", "{first: older}", {"first": ["older"]}),
        ("except", "{take: It is assumed.}", {"take": "It is assumed."}),
        ("slow", "true", True),
        ("edition", "plain", ["plain"]),
        ("where", '["heap > 0"]', ["heap > 0"]),
        ("let", "{half: heap // 2}", {"half": "heap // 2"}),
    ],
)
def test_keys_are_kept_as_they_are(key: str, written: str, read: object) -> None:
    """Whatever an obligation says besides is said by the file that its chapters stand for."""
    one = f"{{kind: claim, says: So it is., {key}: {written}, show: heap >= 0}}"

    assert list_written(f"heap.some: {one}")["cn.heap.some"][key] == read


def test_what_is_not_slow_says_nothing_of_it() -> None:
    """A key that is false, or has nothing in it, is none."""
    one = "{kind: claim, says: So it is., slow: false, where: [], show: heap >= 0}"

    assert list_written(f"heap.some: {one}") == list_written(f"heap.some: {ONE}")


def test_positions_and_exempt_claims_stand_in_the_frame() -> None:
    """Names of positions are kept, claims get the prefix of the game."""
    frame = "positions:\n  begun: {phase: play, fixed: {heap: 9}}\nexempt: {clm.02: History.}\n"
    found: Any = write_obligations(read_coins(CHAPTER, FRAME + frame)).plain()

    assert found["positions"] == {"begun": {"phase": "play", "fixed": {"heap": "9"}}}
    assert found["exempt"] == {"cn.clm.02": "History."}


def test_an_obligation_stands_where_its_chapter_has_it() -> None:
    """Its place, and that of each part, is the line of the chapter."""
    node = write_obligations(read_coins(write(f"heap.some: {ONE}")))
    one = node.fields["obligations"].fields["cn.heap.some"]
    line = CHAPTER.splitlines().index("- clause: end.01") + 1

    assert [(part.place.file, part.place.line) for part in (one, one.fields["show"])] == [
        ("games/coins/10-play.yaml", line)
    ] * 2


def test_two_obligations_with_one_name_are_a_fault() -> None:
    """A name stands once in a game, whichever clause or question it stands under."""
    (fault,) = check_volume(read_coins(write(f"heap.some: {ONE}", f"heap.some: {ONE}")))

    assert fault.what == "an obligation heap.some is under play.01 already"


@pytest.mark.parametrize(
    ("one", "what"),
    [
        ("{kind: claims, says: So it is.}", "expected one of cases, claim, conserved,"),
        ("{kind: claim, says: So it is., expect: true}", "expected one of proved, refuted, not 'True'"),
        ("{kind: claim, says: So it is., shows: heap}", "unknown key 'shows'"),
        ("{kind: claim, show: heap >= 0}", "object missing required field `says`"),
        ("{kind: claim, says: So it is., readings: [older]}", "expected a word"),
    ],
)
def test_an_obligation_of_another_shape_is_a_fault_of_the_chapter(one: str, what: str) -> None:
    """A wrong key, or a word that is none of those there are, is told with its place in the chapter."""
    with pytest.raises(Malformed) as raised:
        read_coins(write(f"heap.some: {one}"))
    (fault,) = raised.value.faults

    assert fault.place.file == "games/coins/10-play.yaml"
    assert fault.what.startswith(what)


def test_examples_of_chapters_and_clauses_are_listed() -> None:
    """Examples are named by chapters and by clauses."""
    chapter = CHAPTER.replace("title: Play\n", "title: Play\nexamples: [heap.whole]\n")
    chapter = chapter.replace("  seats: 2\n", "  seats: 2\n  examples: heap.first\n")

    assert list(read_coins(chapter).list_examples()) == ["heap.whole", "heap.first"]
