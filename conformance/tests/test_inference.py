"""Readings that a program does not declare are found in all its answers together, before anybody is accused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import Report, verify

Changed = Callable[..., Session]
Corpus = Callable[..., Path]

NAME = "brouc@2022"
BEFORE = "  deal: {dealer: 3}\n"
CLAIM = "{yes: ok, no: {no: window_closed}, after-first-trick: {no: window_closed}}"
READS = f"  steps:\n  - {{id: claim, by: 0, act: {{claim: true}}, readings: {{claim_between_deals: {CLAIM}}}}}"
FINE = "  steps:\n  - {by: 0, act: {play: AS}}\n  - {id: turn, view: 1, expect: {turn: 1}}"
#: Kept back from a program, so that it follows its own readings and tells of none.
SILENT = ("readings", "why")


def keep_still(request: Message, reply: Message) -> Message:
    """Return the reply of a program that tells of no readings and follows none that are asked for."""
    if request["op"] != "hello":
        return reply
    return {**reply, "readings": {}, "can": [ability for ability in reply["can"] if ability not in SILENT]}


def declare(**readings: str) -> Callable[[Message, Message], Message]:
    """Return a program that declares some readings."""

    def change(request: Message, reply: Message) -> Message:
        told = {"readings": {NAME: readings}} if request["op"] == "hello" else {}
        return {**keep_still(request, reply), **told}

    return change


def judge(session: Session, corpus: Path, **selection: Any) -> EditionRun:
    """Return what a program came to in the first edition that it plays; its failures are not explained."""
    with session:
        report: Report = verify(session, Selection(corpus=corpus, **selection), explains=False)
    return report.runs[0]


def test_a_reading_found_is_the_premise_of_what_is_judged(changed: Changed, corpus: Corpus) -> None:
    """Scenarios premised on the reading found are asked, those of the edition's own are not, and nothing fails."""
    own = "  readings: {claim_between_deals: yes}\n  steps:\n  - {id: own, by: 0, act: {claim: true}}"
    found = "  readings: {claim_between_deals: no}\n  steps:\n  - {id: found, by: 0, act: {claim: true}, expect: 'no'}"
    run = judge(changed(keep_still, f"{NAME}[claim_between_deals=no]"), corpus(READS, own, found, deal=BEFORE))

    assert (run.verdict, run.counts["pass"], run.left_out) == (EditionVerdict.FOLLOWS_READINGS, 2, 1)


def test_the_steps_that_show_a_reading_are_named(changed: Changed, corpus: Corpus) -> None:
    """Whoever is told that a program follows another reading can look at the answers."""
    run = judge(changed(keep_still, f"{NAME}[claim_between_deals=no]"), corpus(READS, deal=BEFORE))

    assert run.inferred["claim_between_deals"].shown == ("test.n1#claim",)


def test_a_declared_reading_is_not_looked_for(changed: Changed, corpus: Corpus) -> None:
    """Who declares a reading is judged under it, and nothing is inferred."""
    run = judge(
        changed(declare(claim_between_deals="no"), f"{NAME}[claim_between_deals=no]"), corpus(READS, deal=BEFORE)
    )

    assert (run.verdict, dict(run.inferred), run.readings_declared) == (
        EditionVerdict.FOLLOWS,
        {},
        {"claim_between_deals": "no"},
    )


@pytest.mark.slow
def test_a_program_that_does_not_know_an_act_follows_no_reading_of_it(changed: Changed) -> None:
    """To refuse every claim is a fault, since the program never takes one."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return keep_still(request, reply)
        steps = zip(request["steps"], reply["results"], strict=True)
        return {**reply, "results": [{"no": True} if "claim" in step.get("act", {}) else said for step, said in steps]}

    with changed(change, NAME) as session:
        run = verify(session, Selection(text="brouc.claim."), explains=False).runs[0]

    assert (run.verdict, dict(run.inferred)) == (EditionVerdict.DEVIATES, {})


@pytest.mark.slow
def test_an_answer_that_fits_no_value_is_a_fault(changed: Changed, corpus: Corpus) -> None:
    """It counts for no reading, and the program deviates."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return keep_still(request, reply)
        return {**reply, "results": [{"no": "too_low"} for _ in reply["results"]]}

    run = judge(changed(change, NAME), corpus(READS, deal=BEFORE))

    assert (run.verdict, dict(run.inferred)) == (EditionVerdict.DEVIATES, {})


@pytest.mark.slow
def test_what_the_rules_themselves_answer_otherwise_is_inferred_from_nothing(changed: Changed, corpus: Corpus) -> None:
    """Where program and rules agree against a scenario, another reading explains nothing."""
    wrong = "  steps:\n  - {id: turn, view: 1, expect: {turn: 2}}"
    run = judge(changed(keep_still, NAME), corpus(FINE, wrong))

    assert (run.verdict, dict(run.inferred)) == (EditionVerdict.DEVIATES, {})


@pytest.mark.slow
def test_numbers_are_found_as_a_range(changed: Changed) -> None:
    """A match to three points is told from one to the edition's number, and the true number is in the range told."""
    wanted = Selection(text="auv.1718.")
    with changed(keep_still, "homme-d-auvergne@1718:4[target=3]") as session:
        run = verify(session, wanted).runs[0]

    (value,) = run.inferred["target"].values
    low, _, high = value.partition("..")
    assert int(low) <= int("3") <= int(high or low)
    assert run.verdict is EditionVerdict.FOLLOWS_READINGS
