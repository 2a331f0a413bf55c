"""Behind an act that a program takes or refuses wrongly the rest of a script is asked all the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import verify

Changed = Callable[..., Session]
Corpus = Callable[..., Path]

NAME = "brouc@2022"
TURN = "  - {id: %s, view: %d, expect: {turn: %d}}\n"
#: Seat 0 tries a card that it does not hold, then the right one; then two questions.
ILLEGAL = "  steps:\n  - {id: no, by: 0, act: {play: AH}, expect: 'no'}\n  - {by: 0, act: {play: AS}}\n" + TURN % (
    "turn",
    1,
    1,
)
#: Seat 0 makes an announcement, which play does not hang on.
WORD = "  steps:\n  - {id: word, by: 0, act: {play: AS}}\n" + TURN % ("first", 1, 1) + TURN % ("second", 2, 1)


def keep_still(reply: Message) -> Message:
    """Return a greeting that tells of no readings."""
    return {**reply, "readings": {}, "can": [one for one in reply["can"] if one not in ("readings", "why", "position")]}


def judge(session: Session, corpus: Path) -> EditionRun:
    """Return what a program came to."""
    with session:
        return verify(session, Selection(corpus=corpus), explains=False).runs[0]


def refuse(card: str) -> Callable[[Message, Message], Message]:
    """Return a program that refuses one card, whoever plays it, and then goes on as if it had not been tried."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] == "hello":
            return keep_still(reply)
        if request["op"] != "run":
            return reply
        steps = zip(request["steps"], reply["results"], strict=True)
        return {
            **reply,
            "results": [{"no": True} if step.get("act") == {"play": card} else said for step, said in steps],
        }

    return change


def take(card: str) -> Callable[[Message, Message], Message]:
    """Return a program that takes one card, whoever plays it, and tells nonsense from then on."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] == "hello":
            return keep_still(reply)
        if request["op"] != "run":
            return reply
        results, lost = [], False
        for step, said in zip(request["steps"], reply["results"], strict=True):
            lost = lost or step.get("act") == {"play": card}
            results.append({"ok": True} if lost and "act" in step else {"view": {"turn": 3}} if lost else said)
        return {**reply, "results": results}

    return change


@pytest.mark.slow
def test_an_illegal_card_that_is_taken_hides_nothing(changed: Changed, corpus: Corpus) -> None:
    """The script is asked again without the card, and what comes behind it passes."""
    run = judge(changed(take("AH"), NAME), corpus(ILLEGAL))

    assert (run.verdict, run.skills["play"].wrong, run.skills["view"]) == (
        EditionVerdict.DEVIATES,
        1,
        type(run.skills["view"])(asked=1),
    )


@pytest.mark.slow
def test_what_nothing_leads_to_is_counted_behind(changed: Changed, corpus: Corpus) -> None:
    """A question that hangs on the refused card is neither passed nor failed."""
    steps = (
        "  steps:\n  - {id: card, by: 0, act: {play: AS}}\n  - {id: t, view: 1, expect: {trick: [{seat: 0, card: AS}]}}"
    )
    run = judge(changed(refuse("AS"), NAME), corpus(steps))

    assert (run.skills["play"].wrong, run.skills["view"].behind, run.skills["view"].asked) == (1, 1, 0)


@pytest.mark.slow
def test_another_card_leads_round_one_that_is_refused(changed: Changed, corpus: Corpus) -> None:
    """Whose turn it is behind the card does not hang on which card it was."""
    run = judge(changed(refuse("AS"), NAME), corpus(WORD))

    assert (run.skills["play"].wrong, run.skills["view"].behind, run.skills["view"].asked) == (1, 0, 2)


@pytest.mark.slow
def test_what_was_asked_round_an_act_stands_in_the_case(changed: Changed, corpus: Corpus) -> None:
    """Requests and replies are kept, so that the case can be judged again without the program."""
    run = judge(changed(refuse("AS"), NAME), corpus(WORD))
    (case,) = run.cases

    assert [extra.steps for extra in case.extras or ()] == [(None, 1, 2)]
    assert all(extra.request["steps"][0]["act"] != {"play": "AS"} for extra in case.extras or ())


@pytest.mark.slow
def test_the_same_position_is_asked_twice_however_often_it_stands_in_the_script(
    changed: Changed, corpus: Corpus
) -> None:
    """Three steps of one position make one question, put twice to hear whether the answer stays."""
    asked: list[Message] = []

    def change(request: Message, reply: Message) -> Message:
        if request["op"] == "hello":
            return {**reply, "readings": {}, "can": [one for one in reply["can"] if one not in ("readings", "why")]}
        steps = request.get("steps", [])
        if "position" in request.get("start", {}):
            asked.append(request)
            return reply
        results: list[Any] = [{"no": True} if "act" in step else {"legal": {}} for step in steps]
        return {**reply, "results": results} if steps else reply

    legal = "".join(f"  - {{id: {name}, legal: 1, expect: {{play: [AC]}}}}\n" for name in ("one", "two", "three"))
    run = judge(changed(change, NAME), corpus(f"  steps:\n  - {{id: word, by: 0, act: {{play: AS}}}}\n{legal}"))
    (case,) = run.cases

    assert [extra.steps for extra in case.extras or ()] == [(1,), (2,), (3,)]
    assert len(asked) == 2


def test_an_act_that_a_program_does_not_know_costs_its_own_step(changed: Changed, corpus: Corpus) -> None:
    """What does not hang on it is asked all the same."""

    def change(request: Message, reply: Message) -> Message:
        return {**keep_still(reply), "acts": ["play"]} if request["op"] == "hello" else reply

    claim = (
        "  before: {accounts: [290, 0]}\n  steps:\n  - {by: 0, act: {play: AS}}\n"
        + TURN % ("turn", 1, 1)
        + "  - {id: claim, by: 1, act: {claim: true}, expect: 'no'}\n"
        + TURN % ("after", 1, 1)
    )
    run = judge(changed(change, NAME), corpus(claim))

    assert (run.verdict, run.skills["claim"].unasked, run.skills["view"].asked) == (EditionVerdict.FOLLOWS, 1, 2)
