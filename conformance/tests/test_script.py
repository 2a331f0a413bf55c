"""Scripts: what of a scenario goes over the wire, and what a program cannot be asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brou import choose
from brou.errors import Invalid
from brou_conformance.programs.capabilities import project
from brou_conformance.programs.session import Hello
from brou_conformance.protocol import fault
from brou_conformance.scenarios.corpus import scenarios
from brou_conformance.scenarios.script import Script, spell

ALL = frozenset({"deal", "match", "winner", "view", "score", "codes", "offturn"})
Spelt = Callable[..., Script]


def able(can: frozenset[str], acts: frozenset[str] | None = None) -> Hello:
    """Return the greeting of a program that can so much."""
    return Hello({}, (), {}, can, acts)


def asked(script: Script, *, readings: bool = True) -> dict[str, Any]:
    """Return the request for all steps of a script."""
    return script.request([step.message for step in script.steps], script.start, readings=readings)


@pytest.fixture
def spelt(corpus: Callable[..., Path]) -> Spelt:
    """Return the script of one scenario of Brouc, given by its steps."""

    def script(*steps: str, **fields: Any) -> Script:
        lines = "".join(f"\n  - {step}" for step in steps)
        (found,) = scenarios("brouc", corpus(f"  steps:{lines}", **fields))
        return spell(found, choose("brouc@2022"))

    return script


def test_a_deal_is_sent_by_hands_and_by_pack(spelt: Spelt) -> None:
    """A program may take whichever suits it; both are the same deal."""
    start = spelt("{winner: true, expect: null}").start

    assert start["hands"]["0"] == ["AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S"]
    assert (start["deck"][:5], start["deck"][-1], start["packets"]) == (["AS", "AH", "AD", "AC", "KS"], "7C", [1, 3, 4])


def test_a_request_is_a_message_and_tells_no_expectation(spelt: Spelt) -> None:
    """What is expected stays on this side."""
    script = spelt("{by: 0, act: {play: AS}, expect: {no: must_beat}}", "{winner: true, expect: 3}")
    request = {"op": "run", "id": 1, **asked(script)}

    assert fault("run.request", request) is None
    assert request["steps"] == [{"by": 0, "act": {"play": "AS"}}, {"winner": True}]
    assert "must_beat" not in str(request)


def test_readings_are_sent_only_to_those_who_follow_them(spelt: Spelt) -> None:
    """A program that follows its own is not told of others."""
    script = spelt("{winner: true, expect: null}")

    assert "readings" not in asked(script, readings=False)
    assert asked(script)["readings"]["marking"] == "implicit"


def test_a_deal_that_cannot_be_dealt_is_told_with_its_place(spelt: Spelt) -> None:
    """A card that stands twice is the suite's fault, and found before a program is asked."""
    deal = "  deal: {dealer: 3, hands: {0: [AS], 1: [AS], 2: [AD], 3: [AC]}, turnup: AC}\n"

    with pytest.raises(Invalid, match=r"brouc/some.yaml:1:3: test.n1: the hands: AS is dealt twice"):
        spelt("{winner: true, expect: null}", deal=deal)


def test_a_start_that_the_game_does_not_know_is_told(spelt: Spelt) -> None:
    """What stands before a deal is named as the game names it."""
    with pytest.raises(Invalid, match=r"a start gives .*, not 'pot'"):
        spelt("{winner: true, expect: null}", deal="  deal: {dealer: 3}\n  before: {pot: 1}\n")


QUESTIONS = ("{winner: true, expect: null}", "{view: 0, expect: {turn: 0}}", "{score: true, expect: {worth: 0}}")


@pytest.mark.parametrize(("missing", "left"), [("winner", (1, 2)), ("view", (0, 2)), ("score", (0, 1))])
def test_what_a_program_cannot_answer_is_not_asked(spelt: Spelt, missing: str, left: tuple[int, ...]) -> None:
    """The other steps are asked all the same."""
    found = project(spelt(*QUESTIONS), able(ALL - {missing}))

    assert found.sent == left
    assert {unsent.why for unsent in found.unsent.values()} == {f"it does not offer {missing}"}


@pytest.mark.parametrize(
    ("missing", "deal", "step"),
    [
        ("deal", "  deal: {dealer: 3}\n", "{legal: 3, expect: {play: []}}"),
        ("match", "", "{by: 0, act: {lot: 2}}"),
        ("match", "  deal: {dealer: 3}\n", "{by: 3, act: {deal: {deck: [], packets: []}}, expect: no}"),
    ],
)
def test_a_course_that_a_program_cannot_take_is_not_asked(spelt: Spelt, missing: str, deal: str, step: str) -> None:
    """Without its deal, or without going on, a scenario is left aside as a whole."""
    assert project(spelt(step, deal=deal), able(ALL - {missing})).sent == ()
    assert project(spelt(step, deal=deal), able(ALL)).sent == (0,)


def test_seats_off_turn_may_not_be_asked(spelt: Spelt) -> None:
    """Without `offturn` a refusal is left out, and what follows is asked."""
    steps = ("{by: 1, act: {play: AH}, expect: no}", "{legal: 2, expect: {play: []}}", "{by: 0, act: {play: AS}}")

    assert project(spelt(*steps), able(ALL - {"offturn"})).sent == (2,)


def test_an_act_off_turn_that_counts_ends_what_can_be_asked(spelt: Spelt) -> None:
    """After a claim that was not made, the play is another one."""
    steps = ("{by: 0, act: {play: AS}}", "{by: 0, act: {claim: true}}", "{view: 0, expect: {phase: result}}")

    assert project(spelt(*steps), able(ALL - {"offturn"})).sent == (0,)
