"""Faults of this suite: whatever breaks down over one case costs that case, and is told with its trace."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from brou import Crash
from brou_conformance.judging.judge import judge
from brou_conformance.programs.capabilities import project
from brou_conformance.programs.identity import ProgramName
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message, fault
from brou_conformance.reports.badge import badge
from brou_conformance.reports.document import document
from brou_conformance.reports.junit import junit
from brou_conformance.reports.markdown import markdown
from brou_conformance.reports.record import read_record
from brou_conformance.reports.recorder import Recorder
from brou_conformance.reports.text import tell_report
from brou_conformance.scenarios.script import spell
from brou_conformance.verdicts import inquiry, plan, verify
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import Report

Changed = Callable[..., Session]
Corpus = Callable[..., Path]

FINE = "  steps:\n  - {by: 0, act: {play: AS}}\n  - {id: turn, view: 1, expect: {turn: 1}}"
NAME = "brouc@2022"


def same(request: Message, reply: Message) -> Message:
    """Return the reply as it is."""
    assert request["op"]
    return reply


def breaking(function: Callable[..., Any], number: int) -> Callable[..., Any]:
    """Return a function that breaks down the n-th time it is called."""
    calls = 0

    def broken(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == number:
            raise KeyError("a slip of ours")
        return function(*given, **named)

    return broken


Broken = Callable[[pytest.MonkeyPatch, int], None]


def break_judging(patch: pytest.MonkeyPatch, number: int) -> None:
    """Let the judge break down."""
    patch.setattr(inquiry, "judge", breaking(judge, number))


def break_spelling(patch: pytest.MonkeyPatch, number: int) -> None:
    """Let spelling a scenario break down."""
    patch.setattr(plan, "spell", breaking(spell, number))


def break_projecting(patch: pytest.MonkeyPatch, number: int) -> None:
    """Let finding out what can be asked break down."""
    patch.setattr(inquiry, "project", breaking(project, number))


def break_asking(patch: pytest.MonkeyPatch, number: int) -> None:
    """Let the conversation break down over an answer."""
    patch.setattr(Session, "_receive", breaking(Session._receive, number + 1))  # noqa: SLF001 - the first is the greeting


@pytest.fixture(params=[break_judging, break_spelling, break_projecting, break_asking])
def report(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    changed: Changed,
    corpus: Corpus,
    tmp_path: Path,
) -> Iterator[Report]:
    """Yield the report on five cases, over the third of which this suite breaks down."""
    request.param(monkeypatch, 3)
    recorder = Recorder(tmp_path / "record", ProgramName(command=("program",)))
    with changed(same, NAME) as session:
        found = verify.verify(session, Selection(corpus=corpus(*[FINE] * 5)), recorder, keep=recorder.ledger)
    yield found
    recorder.close()


def test_a_fault_of_ours_costs_its_case(report: Report) -> None:
    """All others are judged, and the verdict is that the suite is at fault."""
    (run,) = report.runs

    assert run.verdict is EditionVerdict.SUITE
    assert {status: count for status, count in run.counts.items() if count} == {"pass": 4, "suite": 1}
    assert [case.status for case in run.cases] == ["pass", "pass", "suite", "pass", "pass"]


def test_a_fault_of_ours_is_told_with_its_trace(report: Report) -> None:
    """People read which case and where in our code."""
    told = tell_report(report)

    assert "cannot be judged: the suite is at fault." in told
    assert "  5 cases: 4 pass, 1 could not be judged.\n" in told
    assert "our own fault: test.n3: KeyError: 'a slip of ours'" in told
    assert 'raise KeyError("a slip of ours")' in told


def test_every_output_comes_out_all_the_same(report: Report, tmp_path: Path) -> None:
    """JSON, JUnit, Markdown, badge and record tell of it too."""
    found = document(report)
    suite = ET.fromstring(junit(report))[0]  # noqa: S314 - our own
    lines = [json.loads(line) for line in (tmp_path / "record").read_bytes().splitlines()]

    assert fault("report", found) is None
    assert [one["case"] for one in found["runs"][0]["suite"]] == ["test.n3"]
    lost = suite.findall("testcase")[2]
    assert [child.tag for child in lost] == ["error"]
    assert "a slip of ours" in (lost[0].text or "")
    assert suite.attrib["errors"] == "1"
    assert "⚠️ not judged" in markdown(report)
    assert badge(report)["message"].startswith("not judged 4/5")
    assert {fault("record", line) for line in lines} == {None}
    assert read_record(tmp_path / "record").complete


def test_an_answer_that_fits_no_reading_of_an_open_step_is_told(changed: Changed, corpus: Corpus) -> None:
    """It says nothing of the reading, cannot fail, and breaks nothing."""
    values = "{yes: ok, no: {no: window_closed}, after-first-trick: {no: window_closed}}"
    steps = f"  steps:\n  - {{id: claim, by: 0, act: {{claim: true}}, readings: {{claim_between_deals: {values}}}}}"
    folder = corpus(steps)
    (file,) = (folder / "brouc").iterdir()
    file.write_text(file.read_text(encoding="utf-8").replace("level: must", "level: open"), encoding="utf-8")

    def change(request: Message, reply: Message) -> Message:
        if request["op"] == "hello":
            return {**reply, "readings": {}, "can": [ability for ability in reply["can"] if ability != "readings"]}
        return {**reply, "results": [{"no": "too_low"}]} if request["op"] == "run" else reply

    with changed(change, NAME) as session:
        report = verify.verify(session, Selection(corpus=folder))

    assert report.runs[0].verdict is EditionVerdict.FOLLOWS
    assert report.runs[0].followed == {}
    assert fault("report", document(report)) is None
    assert report.runs[0].counts["reading"] == 1
    assert "Claims: 1 question, none wrong." in tell_report(report)


def test_variants_that_break_down_cost_themselves_alone(
    monkeypatch: pytest.MonkeyPatch, changed: Changed, corpus: Corpus
) -> None:
    """Cases are judged; the edition's verdict is that the suite is at fault."""
    monkeypatch.setattr(verify, "_families", breaking(lambda: None, 1))
    with changed(same, NAME) as session:
        report = verify.verify(session, Selection(corpus=corpus(FINE), families=True))

    assert (report.runs[0].verdict, report.runs[0].counts["pass"]) == (EditionVerdict.SUITE, 1)
    assert "our own fault: KeyError: 'a slip of ours'" in tell_report(report)
    assert fault("report", document(report)) is None
    assert "variants" in junit(report)


def test_a_conversation_that_breaks_down_is_begun_anew(
    monkeypatch: pytest.MonkeyPatch, changed: Changed, corpus: Corpus
) -> None:
    """Our fault is no restart of the program's, and what comes after it is asked of the program started anew."""
    calls = 0
    whole = Session._receive  # noqa: SLF001 - where the conversation breaks down

    def receive(session: Session, number: int, seconds: float) -> Any:
        nonlocal calls
        calls += 1
        if calls % 3 == 0:
            raise Crash("a slip of ours")
        return whole(session, number, seconds)

    monkeypatch.setattr(Session, "_receive", receive)
    with changed(same, NAME) as session:
        (run,) = verify.verify(session, Selection(corpus=corpus(*[FINE] * 26))).runs

    assert (run.counts["suite"], run.counts["pass"], run.counts["blocked"]) == (13, 13, 0)
