"""What a page asks: questions and answers as JSON texts, about what one player sees and about whole deals."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from brou import Json, choose
from brou.answers.explain_sight import explain_sight
from brou.games.bundling import write_bundle
from brou.interpreter.sight import OpenAnswer
from brou.page import ask
from brou.reasons.explanation import Explanation, Question

RULES = "brouc@2022"
#: Clubs are trumps, hearts are led and ruffed with the king; the hand has no heart, and the queen beside a lower trump.
POSITION: dict[str, Json] = {
    "seat": 2,
    "phase": "play",
    "trump": "C",
    "leader": 0,
    "hand": ["AS", "9S", "TD", "QC", "7C"],
    "trick": [{"seat": 0, "card": "KH"}, {"seat": 1, "card": "KC"}],
}


def put(folder: Path | None = None, **question: Any) -> Any:
    """Return the answer to a question about seat 2 of Brouc in English."""
    asked = {"rules": RULES, "lang": "en", "seat": 2, "position": POSITION, **question}
    return json.loads(ask(json.dumps(asked), folder))


def test_each_card_of_a_hand_is_told_apart() -> None:
    """A free ruff below the trump that lies is refused (brouc.over.05); discards are open."""
    assert put(ask="legal") == {
        "cards": {"AS": "yes", "9S": "yes", "TD": "yes", "QC": "no", "7C": "no"},
        "hangs": [],
    }


def test_a_refused_card_has_its_clause_and_the_reading_that_allows_it() -> None:
    """The queen beside the king that lies is open where the marriage serves a free ruff, too (brouc.amb.14)."""
    (entry,) = put(ask="why", act={"play": "QC"})["games"][0]["entries"]

    assert not entry["allowed"]
    assert entry["clauses"][0]["id"] == "brouc.over.05"
    assert [(one["id"], one["then"]["allowed"]) for one in entry["readings"]] == [("brouc.amb.14", True)]


@pytest.mark.parametrize(
    ("trick", "hand", "card", "grounds"),
    [
        # Clubs are led: diamonds have to wait for a club, the seven is too low.
        (["JC"], ["TD", "AC", "7C"], "AC", ["brouc.play.01", "brouc.over.01"]),
        # A heart is led: the hand has none, and nothing in it is refused.
        (["KH"], ["AS", "9S", "TD"], "TD", ["brouc.play.01"]),
        # The hand has no heart, and may not ruff lower: another suit is discarded.
        (["KH", "KC"], ["AS", "QC", "7C"], "AS", ["brouc.play.01", "brouc.over.05"]),
        # Whoever leads is bound by nothing.
        ([], ["AS", "QC", "7C"], "QC", []),
        # Clubs are led: the queen that makes a marriage of the king need not beat it, though the ace could.
        (["KC"], ["AC", "QC", "9S"], "QC", ["brouc.over.04", "brouc.over.01"]),
    ],
)
def test_a_card_that_may_be_played_has_the_clauses_by_which_it_may(
    trick: list[str], hand: list[str], card: str, grounds: list[str]
) -> None:
    """Those of duties that keep other cards of the hand back, or would keep this one back from another hand."""
    laid = [{"seat": 2 - len(trick) + at, "card": one} for at, one in enumerate(trick)]
    position = {**POSITION, "leader": 2 - len(trick), "hand": hand, "trick": laid}
    answer = put(ask="why", position=position, act={"play": card})

    assert answer["games"][0]["entries"][0]["allowed"]
    assert [one["id"] for one in answer["grounds"]] == grounds


def test_where_nobody_has_a_duty_the_clause_that_says_so_is_named() -> None:
    """Any card may be played at Brusquembille."""
    position = {"seat": 0, "trump": "H", "leader": 0, "hand": ["AS", "QD", "JD"], "trick": []}
    answer = put(ask="why", rules="brusquembille@1718:3", seat=0, position=position, act={"play": "QD"})

    assert [one["id"] for one in answer["grounds"]] == ["brus.play.01"]


def test_a_card_that_is_refused_has_no_clauses_by_which_it_may() -> None:
    """Its own clauses say all."""
    assert "grounds" not in put(ask="why", act={"play": "QC"})


def test_readings_are_left_out_where_nobody_asks_for_them() -> None:
    """The answer is then the same in all else."""
    whole = put(ask="why", act={"play": "QC"})
    brief = put(ask="why", act={"play": "QC"}, readings=False)

    whole["games"][0]["entries"][0]["readings"] = []
    assert brief == whole


def test_what_hangs_on_unseen_cards_is_said() -> None:
    """Without the trump nobody can tell whether a card beats those that lie."""
    position = {key: value for key, value in POSITION.items() if key != "trump"}
    told = put(ask="legal", position=position)

    assert told["hangs"] == ["trump"]
    assert told["cards"]["QC"] == "open"
    assert put(ask="why", position=position, act={"play": "QC"}) == {"hangs": ["trump"]}


def test_reasons_are_those_of_every_state_that_shows_the_position() -> None:
    """The reasons for a refusal rest on the hand and the trick alone, whatever else was played."""
    found = explain_sight(choose(RULES), POSITION, Question("act", 2, {"play": "QC"}), varied=False)

    assert isinstance(found, Explanation)
    assert len(found.entries) == 1
    assert found.entries[0].readings == ()


def test_an_open_answer_names_what_it_hangs_on() -> None:
    """It is no explanation."""
    position = {key: value for key, value in POSITION.items() if key != "trump"}
    found = explain_sight(choose(RULES), position, Question("act", 2, {"play": "7C"}))

    assert found == OpenAnswer(("trump",))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("[]", "a question is a JSON object"),
        ("{", "a question is a JSON object"),
        ('{"ask": "lgeal"}', "unknown kind of question 'lgeal'"),
        ('{"ask": "legal"}', "the question's rules is a text"),
        ('{"ask": "legal", "rules": "bruc", "seat": 0, "lang": "en"}', "unknown game 'bruc'"),
        ('{"ask": "legal", "rules": "brouc", "seat": 4, "lang": "en"}', "there is no seat 4"),
        ('{"ask": "legal", "rules": "brouc", "seat": true, "lang": "en"}', "the question's seat is a whole number"),
        ('{"ask": "score", "rules": "brouc", "lang": "en", "record": {"deals": 3}}', "a list is needed"),
        ('{"ask": "score", "rules": "brouc", "lang": "en", "record": {}}', "no record"),
        ('{"ask": "explain", "rules": "brouc", "lang": "en", "question": {}}', "is written as {kind, seat}"),
        ('{"ask": "explain", "rules": "brouc", "lang": "en", "moves": [1], "question": {"kind": "view", "seat": 0}}',
         "a move is written as"),
    ],
)  # fmt: skip
def test_a_question_without_an_answer_is_told_what_is_wrong(question: str, told: str) -> None:
    """The answer is an error, and never a crash."""
    assert told in json.loads(ask(question))["error"]


def test_a_deal_is_played_to_its_end() -> None:
    """Whoever asks plays the first card that is open, and everybody else at random; each has played every card."""
    found = put(ask="play", seat=0, seed=5)
    while not found["over"]:
        card = next(one["act"] for one in found["acts"] if "play" in one["act"])
        moves = [*found["moves"], {"step": f"m{len(found['moves']) + 1}", "by": 0, "act": card}]
        found = put(ask="play", seat=0, seed=len(moves), start=found["start"], moves=moves)

    played = [move for move in found["moves"] if "play" in move["act"]]
    assert len({move["act"]["play"] for move in played}) == 32
    assert [sum(move["by"] == seat for move in played) for seat in range(4)] == [8, 8, 8, 8]


def test_a_deal_is_played_against_players_by_rule_of_thumb() -> None:
    """Every act comes with its words, and the same deal is played otherwise than at random."""
    found = put(ask="play", seat=0, seed=5, players="thumb")

    assert found["start"] == put(ask="play", seat=0, seed=5)["start"]
    assert all(move["said"].startswith(f"Seat {move['by']} ") for move in found["moves"])
    assert "unknown kind of players 'clever'" in put(ask="play", seat=0, seed=5, players="clever")["error"]


def speak_on(seed: int) -> Any:
    """Return what somebody may do who makes the first act of a list until cards are played or chosen."""
    asked: dict[str, Any] = {"ask": "play", "rules": "hombre@danish:3", "seat": 0, "seed": seed, "players": "thumb"}
    found = put(**asked)
    while found["acts"] and "play" not in found["acts"][0]["act"] and not found["over"]:
        move = {"step": f"m{len(found['moves']) + 1}", "by": 0, "act": found["acts"][0]["act"]}
        found = put(**asked, start=found["start"], moves=[*found["moves"], move])
    return found


def test_an_act_of_too_many_values_is_described() -> None:
    """Somebody exchanges cards before the first trick, and is told from which cards and how many."""
    described = next(one for seed in range(40) for one in speak_on(seed)["described"])

    assert described["name"] == "discard"
    assert described["said"] == "Put away"
    assert described["text"]
    assert len(described["values"]["from"]) == 9


def test_an_evening_is_settled() -> None:
    """The figures are those of the example in docs/records.md."""
    deal = {"trump": "S", "announced": [{"team": 0, "suit": "H", "kind": "simple"}], "points": [75, 45]}
    told = put(ask="score", record={"start": {"dealer": 3, "accounts": [80, 60]}, "deals": [{"short": deal}]})

    assert told["games"][0]["standing"]["accounts"] == [180, 110]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle of one edition."""
    path = tmp_path_factory.mktemp("page") / "brouc"
    write_bundle(path, [RULES])
    return path


def test_a_page_needs_the_standard_library_alone(bundle: Path) -> None:
    """From a bundle the answers are those of the desk, with no other package at hand."""
    asked: dict[str, Any] = {"ask": "why", "rules": RULES, "lang": "fr", "seat": 2, "position": POSITION}
    asked |= {"act": {"play": "7C"}, "readings": False}
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\nfrom brou.page import ask\nprint(ask(sys.argv[2], Path(sys.argv[3])))"
    )
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(Path(__file__).parents[1]), json.dumps(asked), str(bundle)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(ended.stdout) == json.loads(ask(json.dumps(asked)))
