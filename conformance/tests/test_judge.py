"""Judging: one answer against one expectation, and what an answer means for the steps after it."""

from __future__ import annotations

from typing import Any

import pytest

from brou.errors import NOWHERE
from brou_conformance.judging.judge import Criteria, Status, Unsent, judge, judge_step, matches, tell_result, worst
from brou_conformance.scenarios.scenario import Pattern, ScriptStep, Verb

OPEN = Criteria({})


def act(pattern: Pattern, id_: str = "s1") -> ScriptStep:
    """Return a step in which a card is played."""
    return ScriptStep(id_, "act", {"by": 0, "act": {"play": "AS"}}, NOWHERE, pattern)


def asked(verb: Verb, value: Any, hides: tuple[str, ...] = ()) -> ScriptStep:
    """Return a step in which something is asked."""
    return ScriptStep("s1", verb, {verb: 0}, NOWHERE, Pattern(verb, value, hides))


ACCEPTED, REFUSED = Pattern("ok", value=True), Pattern("no", value=True)
MUST_BEAT = Pattern("no", "must_beat")


@pytest.mark.parametrize(
    ("pattern", "answer", "status"),
    [
        (ACCEPTED, {"ok": True}, Status.PASS),
        (ACCEPTED, {"no": True}, Status.FAIL),
        (REFUSED, {"no": "too_low"}, Status.PASS),
        (REFUSED, {"ok": True}, Status.FAIL),
        (MUST_BEAT, {"no": "must_beat"}, Status.PASS),
        (MUST_BEAT, {"no": "too_low"}, Status.FAIL),
        (MUST_BEAT, {"no": True}, Status.PASS),
        (MUST_BEAT, {"ok": True}, Status.FAIL),
        (ACCEPTED, {"skip": "not here"}, Status.SKIP),
        (ACCEPTED, {"err": "index"}, Status.CRASH),
        (ACCEPTED, {"legal": {}}, Status.PROTOCOL),
    ],
)
def test_an_act_is_judged_by_acceptance_and_reason(pattern: Pattern, answer: Any, status: Status) -> None:
    """A refusal must name the expected reason, or none."""
    assert judge_step(0, act(pattern), answer, OPEN).status is status


def test_reasons_are_not_judged_of_a_program_that_names_none() -> None:
    """Without `codes` accept and refuse alone count."""
    assert judge_step(0, act(MUST_BEAT), {"no": "too_low"}, Criteria({}, codes=False)).status is Status.PASS


@pytest.mark.parametrize(
    ("wanted", "said", "same"),
    [
        ({"play": ["AS", "KS"]}, {"play": ["KS", "AS"]}, True),
        ({"play": ["AS"]}, {"play": ["AS"], "claim": [True]}, True),
        ({"play": ["AS"]}, {"play": ["AS", "7S"]}, False),
        ({"announce": []}, {"play": ["AS"]}, True),
        ({"announce": []}, {"announce": []}, True),
        ({"announce": []}, {"announce": [{"suit": "S", "kind": "simple"}]}, False),
        ({"announce": [{"suit": "S", "kind": "grand"}]}, {"announce": [{"kind": "grand", "suit": "S"}]}, True),
        ({"cut": {"min": 1, "max": 3}}, {"cut": [3, 2, 1]}, True),
        ({"cut": {"min": 1, "max": 3}}, {"cut": {"min": 1, "max": 4}}, False),
        ({"deal": {"packets": [[3, 2], [2, 3]]}}, {"deal": {"packets": [[2, 3], [3, 2]]}}, True),
        ({"claim": [True]}, {"claim": [1]}, False),
        ({"cut": {"min": 0, "max": 10**12}}, {"cut": {"min": 0, "max": 10**12}}, True),
    ],
)
def test_choices_are_compared_as_sets(wanted: Any, said: Any, same: bool) -> None:
    """Only the acts named are judged; neither order nor form of their choices matters."""
    assert matches({"legal": said}, Pattern("legal", wanted), Criteria({})) is same


@pytest.mark.parametrize(
    ("wanted", "said", "same"),
    [
        ({"accounts": [1, 2]}, {"accounts": [1, 2], "pot": 3}, True),
        ({"accounts": [1, 2]}, {"accounts": [2, 1]}, False),
        ({"accounts": [1, 0]}, {"accounts": [True, False]}, False),
        ({"turnup": None}, {}, True),
        ({"turnup": None}, {"turnup": "AS"}, False),
        ({"turnup": None}, {"turnup": None}, True),
    ],
)
def test_views_and_scores_are_judged_by_the_keys_named(wanted: Any, said: Any, same: bool) -> None:
    """A key that is told must have exactly its value; one that is not told is unknown, and others are not looked at."""
    assert matches({"view": said}, Pattern("view", wanted), Criteria({})) is same
    assert matches({"score": said}, Pattern("score", wanted), Criteria({})) is same


def test_an_answer_that_tells_nothing_of_what_is_asked_is_no_pass() -> None:
    """All keys that are asked for are absent: the program does not tell them."""
    found = judge_step(0, asked("score", {"accounts": [1, 2]}), {"score": {"pot": 3}}, OPEN)

    assert (found.status, found.said) == (Status.UNSUPPORTED, "it does not tell accounts")


def test_the_code_of_any_duty_that_an_act_breaks_will_do() -> None:
    """A card that is too low and of the wrong suit may be refused for either; not for what it does not break."""
    terms = Criteria({}, duties=lambda number: frozenset({"must_beat", "must_follow"} if number == 0 else ()))

    assert judge_step(0, act(MUST_BEAT), {"no": "must_follow"}, terms).status is Status.PASS
    assert judge_step(0, act(MUST_BEAT), {"no": "too_low"}, terms).status is Status.FAIL
    assert judge_step(0, act(ACCEPTED), {"no": "must_follow"}, terms).status is Status.FAIL


@pytest.mark.parametrize(("said", "same"), [({}, True), ({"own": None}, True), ({"own": []}, False)])
def test_what_is_hidden_must_be_unknown(said: Any, same: bool) -> None:
    """A key that a seat must not see is absent or null."""
    assert matches({"view": said}, Pattern("view", {}, ("own",)), Criteria({})) is same


def test_a_winner_is_a_seat_or_nobody() -> None:
    """Nobody is not seat 0."""
    assert judge_step(0, asked("winner", None), {"winner": 0}, OPEN).status is Status.FAIL


def test_an_answer_of_another_kind_breaks_the_protocol() -> None:
    """A view is no answer to the question what is legal."""
    found = judge_step(0, asked("legal", {"play": []}), {"view": {}}, OPEN)

    assert (found.status, found.said) == (Status.PROTOCOL, "view for an answer to legal")


SPLIT = ScriptStep(
    "s1",
    "act",
    {"by": 0, "act": {"claim": True}},
    NOWHERE,
    reading="claim_window",
    values={"any": ACCEPTED, "none": REFUSED},
)


def test_an_answer_of_another_reading_fails_and_says_which() -> None:
    """It is told which values of the reading the answer is consistent with."""
    found = judge_step(0, SPLIT, {"no": True}, Criteria({"claim_window": "any"}))

    assert (found.status, found.values) == (Status.FAIL, frozenset({"none"}))


def test_an_answer_of_no_reading_fails() -> None:
    """Readings excuse nothing but themselves."""
    step = ScriptStep("s1", "winner", {"winner": True}, NOWHERE, reading="x", values={"a": Pattern("winner", 1)})

    assert judge_step(0, step, {"winner": 2}, Criteria({"x": "a"})).status is Status.FAIL


def test_what_the_text_leaves_open_cannot_fail() -> None:
    """At level open another answer is another reading."""
    assert judge_step(0, act(ACCEPTED), {"no": True}, Criteria({}, level="open")).status is Status.READING


def statuses(steps: list[ScriptStep], answers: list[Any]) -> list[str]:
    """Return the statuses of a script."""
    return [found.status.value for found in judge(steps, answers, OPEN)]


def test_after_another_course_the_rest_is_behind() -> None:
    """What comes after a wrongly refused card says nothing."""
    steps = [act(ACCEPTED), act(ACCEPTED, "s2"), asked("winner", 1)]

    assert statuses(steps, [{"no": True}, {"ok": True}, {"winner": 2}]) == ["fail", "behind", "behind"]


def test_a_wrong_reason_blocks_nothing() -> None:
    """An act refused for another reason leaves the play where it was."""
    assert statuses([act(MUST_BEAT), asked("winner", 1)], [{"no": "too_low"}, {"winner": 1}]) == ["fail", "pass"]


def test_a_wrong_answer_to_a_question_blocks_nothing() -> None:
    """Asking changes nothing."""
    assert statuses([asked("winner", 1), act(ACCEPTED)], [{"winner": 2}, {"ok": True}]) == ["fail", "pass"]


def test_an_act_not_taken_leaves_the_rest_behind() -> None:
    """Nobody knows where a program stands that skipped an act; what the rules refuse may be skipped."""
    assert statuses([act(ACCEPTED), asked("winner", 1)], [{"skip": "no"}, {"winner": 1}]) == ["skip", "behind"]
    assert statuses([act(REFUSED), asked("winner", 1)], [{"skip": "no"}, {"winner": 1}]) == ["skip", "pass"]


def test_an_unsent_refusal_blocks_nothing() -> None:
    """An act that would have been refused anyway may be left out."""
    unsent = Unsent(Status.UNSUPPORTED, "it cannot")

    assert statuses([act(REFUSED), asked("winner", 1)], [unsent, {"winner": 1}]) == ["unsupported", "pass"]


def test_a_case_counts_by_its_worst_step() -> None:
    """From pass to crash, and nothing judged is no pass."""
    assert worst([Status.PASS, Status.FAIL, Status.BLOCKED]) is Status.FAIL
    assert worst([Status.PASS, Status.UNSUPPORTED]) is Status.UNSUPPORTED
    assert worst([]) is Status.BLOCKED


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"ok": True}, "accepted"),
        ({"no": "too_low"}, "refused (too_low)"),
        ({"legal": {"play": ["AS", "7S"], "announce": []}}, "play AS 7S; announce none"),
        ({"winner": None}, "nobody"),
        ({"score": {"accounts": [1, -2]}}, "accounts [1, -2]"),
    ],
)
def test_answers_are_told_in_words(answer: Any, words: str) -> None:
    """What was said can be read without knowing JSON."""
    ((key, value),) = answer.items()

    assert tell_result(key, value) == words


def test_only_what_is_judged_is_told() -> None:
    """A long view is cut to the keys that count, and a missing one is named."""
    found = judge_step(0, asked("view", {"trump": "S", "turn": 1}), {"view": {"hand": ["AS"], "trump": "H"}}, OPEN)

    assert (found.said, found.wanted) == ("trump H; turn not told", "trump S; turn 1")
