"""The reference engine on the wire."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from brou import Unknown, catalogue
from brou_conformance.programs.engine import ReferenceEngine, choices, serve

RUN: dict[str, Any] = {"op": "run", "id": 1, "game": "brouc", "edition": "2022", "setup": "4"}


def results(*steps: dict[str, Any], **fields: Any) -> Any:
    """Return what the engine answers to a script."""
    reply = ReferenceEngine(choices(["brouc"])).answer({**RUN, **fields, "steps": list(steps)})
    assert reply["ok"]
    return reply["results"]


def test_a_bare_game_is_all_its_editions() -> None:
    """What a name leaves open is all of it."""
    assert [str(choice) for choice in choices(["brouc"])] == ["brouc@2022:4", "brouc@club-2026:4"]


def test_readings_belong_to_one_edition() -> None:
    """A name with readings is the edition that they are read in."""
    assert [str(choice) for choice in choices(["brouc[marking=explicit-any]"])] == ["brouc@2022:4"]


def test_no_name_is_everything() -> None:
    """Without names every game is played."""
    assert {choice.game for choice in choices([])} == set(catalogue())


def test_readings_of_a_name_are_declared() -> None:
    """The engine says which readings it was started with."""
    hello = ReferenceEngine(choices(["brouc@2022[marking=explicit-any]"])).answer(
        {"op": "hello", "id": 1, "protocol": 1}
    )

    assert hello["readings"]["brouc@2022"]["marking"] == "explicit-any"
    assert hello["plays"] == [{"game": "brouc", "editions": ["2022"], "setups": ["4"]}]


def test_a_script_without_a_start_begins_with_the_match() -> None:
    """The first thing that happens is the lot."""
    assert results({"view": 0}, {"by": 2, "act": {"lot": 1}}, {"view": 0})[0]["view"]["phase"] == "lot"


def test_every_step_has_its_result() -> None:
    """Acts, refusals with their reason, questions, and what is no act at all."""
    found = results(
        {"by": 0, "act": {"cut": 3}},
        {"by": 2, "act": {"cut": 3}},
        {"legal": 0},
        {"winner": True},
        {"by": 3, "act": {"deal": {}}},
        {"view": 9},
        start={"dealer": 3},
    )

    assert found[:2] == [{"no": "not_your_role"}, {"ok": True}]
    assert found[3] == {"winner": None}
    assert [list(result) for result in found[4:]] == [["err"], ["err"]]


def test_readings_of_a_request_are_followed() -> None:
    """A request may ask for any reading that the edition leaves open."""
    start = {"dealer": 3, "accounts": [310, 0]}
    readings = [{"claim_between_deals": value} for value in ("yes", "no")]

    assert [results({"by": 0, "act": {"claim": True}}, start=start, readings=r)[0] for r in readings] == [
        {"ok": True},
        {"no": "window_closed"},
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "tarock"},
        {"setup": "5"},
        {"readings": {"no_such": "x"}},
        {"start": {"dealer": 3, "hands": {"0": ["AS"]}, "turnup": "AS"}},
    ],
)
def test_what_cannot_be_set_up_is_skipped(fields: dict[str, Any]) -> None:
    """A set-up that cannot be taken never leaves the last one in place."""
    (found,) = results({"legal": 0}, **fields)

    assert list(found) == ["skip"]


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({"id": 1}, "unknown op; known: hello, run, why, ping, bye"),
        ({"op": "run", "id": 1}, 'the message: "game" is a required property'),
        ({"op": "hello", "id": 1, "protocol": 2}, "protocol: 1 was expected"),
    ],
)
def test_a_request_that_is_none_is_told_why(request_: dict[str, Any], error: str) -> None:
    """Schemas are enforced on what comes in."""
    assert ReferenceEngine(choices(["brouc"])).answer(request_) == {"id": 1, "ok": False, "error": error}


def test_serving_ends_with_goodbye() -> None:
    """Lines are answered in turn, bad ones too, and nothing after the farewell."""
    lines = b'{"op": "ping", "id": 1}\nnonsense\n{"op": "bye", "id": 2}\n{"op": "ping", "id": 3}\n'
    sink = io.BytesIO()
    serve(ReferenceEngine(choices(["brouc"])), io.BytesIO(lines), sink)

    assert [json.loads(line)["id"] for line in sink.getvalue().splitlines()] == [1, None, 2]


def test_an_unknown_game_is_told_with_the_known_ones() -> None:
    """A name that names nothing is answered with what there is."""
    with pytest.raises(Unknown, match=f"unknown game 'tarock'; known: {', '.join(catalogue())}"):
        choices(["tarock"])
