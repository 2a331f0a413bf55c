"""The `why` of the reference engine: why an act is taken or refused, in words, with the clauses."""

from __future__ import annotations

from typing import Any

import pytest

from brou_conformance.messages import ABILITIES
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.protocol import fault

HANDS = {
    "0": ["TS", "7S", "AH", "KH", "9H", "AD", "TD", "7C"],
    "1": ["AS", "KS", "QH", "8D", "9D", "QD", "KC", "9C"],
    "2": ["9S", "QS", "TH", "JH", "8H", "7H", "JD", "AC"],
    "3": ["JS", "8S", "7D", "KD", "QC", "JC", "TC", "8C"],
}
START = {"dealer": 3, "hands": HANDS, "turnup": "JS"}
LED = {"by": 0, "act": {"play": "TS"}}


@pytest.fixture(scope="module")
def engine() -> ReferenceEngine:
    """Return the reference engine for one game."""
    return ReferenceEngine(choices(["brouc"]))


def why(engine: ReferenceEngine, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the reply to a `why` request, which has the shape of its schema."""
    named = {"game": "brouc", "edition": "2022", "setup": "4"}
    reply = engine.answer({"op": "why", "id": 7, **named, "start": START, "steps": list(steps), **more})
    assert reply["id"] == 7
    assert not reply["ok"] or fault("why.reply", reply) is None
    return reply


def test_the_engine_says_that_it_can() -> None:
    """A runner asks only who can."""
    assert "why" in ABILITIES


def test_a_refusal_is_told_with_its_clause(engine: ReferenceEngine) -> None:
    """The words of the row and the text of the clause."""
    reply = why(engine, LED, {"by": 1, "act": {"play": "KS"}})

    assert reply["clauses"] == ["brouc.over.01"]
    said, clause = reply["why"].split("\n")
    assert said == "Seat 1 plays K♠: refused. the card is a trump: yes; the card beats every trump in the trick: no."
    assert clause.startswith("brouc.over.01: Whoever plays a trump")


def test_an_act_that_is_taken_is_told_too(engine: ReferenceEngine) -> None:
    """With what makes it right."""
    reply = why(engine, LED, {"by": 1, "act": {"play": "AS"}})

    said = "Seat 1 plays A♠: allowed. the card is of the suit led; the card beats every trump in the trick."
    assert reply["why"].startswith(said)


def test_the_readings_of_the_request_count(engine: ReferenceEngine) -> None:
    """Under another reading the same act is taken."""
    readings = {"marriage_exception": "potential"}

    assert ": allowed." in why(engine, LED, {"by": 1, "act": {"play": "KS"}}, readings=readings)["why"]


def test_steps_that_are_no_acts_are_passed_over(engine: ReferenceEngine) -> None:
    """They change nothing."""
    reply = why(engine, LED, {"legal": 1}, {"score": True}, {"by": 1, "act": {"play": "KS"}})

    assert reply["clauses"] == ["brouc.over.01"]


@pytest.mark.parametrize(
    ("steps", "more", "told"),
    [
        ([{"legal": 1}], {}, "a why request ends with an act"),
        ([{"by": 1, "act": {"play": "KS"}}], {"edition": "1802"}, "unknown rules"),
        ([{"by": 1, "act": {"play": "KS"}}], {"start": {"dealer": 9}}, "the start's dealer"),
        ([{"by": 12, "act": {"play": "KS"}}], {}, "there is no seat 12"),
    ],
)
def test_what_cannot_be_told(
    engine: ReferenceEngine, steps: list[dict[str, Any]], more: dict[str, Any], told: str
) -> None:
    """It is an error, and the engine goes on."""
    reply = why(engine, *steps, **more)

    assert not reply["ok"]
    assert told in reply["error"]
    assert why(engine, LED, {"by": 1, "act": {"play": "AS"}})["ok"]
