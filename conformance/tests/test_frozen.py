"""Programs of protocol 1 that were frozen are judged as they were, and what either side does not know is ignored."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest
from transcripts import Asked, Transcript, command, identify, judge, session

from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message, fault
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import Report, verify

FROZEN = Path(__file__).parent / "frozen"
PROGRAMS = sorted(path.parent for path in FROZEN.glob("*/transcript.jsonl.xz"))
each = pytest.mark.parametrize("folder", PROGRAMS, ids=lambda folder: folder.name)
#: Programs that are judged by every scenario, which takes some seconds each.
each_judged = pytest.mark.parametrize(
    "folder", [pytest.param(folder, marks=pytest.mark.slow) for folder in PROGRAMS], ids=lambda folder: folder.name
)
#: How many scenarios of a hundred may have been changed before a transcript says too little.
CHANGED = 10


@pytest.fixture(autouse=True)
def _language(request: pytest.FixtureRequest) -> None:
    """Skip what needs a program whose language is missing."""
    folder = request.node.callspec.params.get("folder") if hasattr(request.node, "callspec") else None
    if folder is not None and command(folder) is None:
        pytest.skip("node is not installed")


@lru_cache(maxsize=len(PROGRAMS))
def judged(folder: Path) -> tuple[Report, dict[str, Case], Message]:
    """Return what a program is found to be today; what explains its failures is not compared, and takes long."""
    return judge(folder, explains=False)


def compared(folder: Path) -> list[tuple[Asked, Case]]:
    """Return the cases of a transcript whose scenario asks today what it asked then."""
    now = judged(folder)[1]
    pairs = [(asked, now[asked.case]) for asked in Transcript.read(folder).cases if asked.case in now]
    return [(asked, case) for asked, case in pairs if identify(case.script) == asked.script]


# Programs -------------------------------------------------------------------------------------------------------------


def test_five_programs_are_frozen() -> None:
    """Each has its transcript, and at most one needs more than Python."""
    assert len(PROGRAMS) >= 5
    assert sum((folder / "adapter.py").exists() for folder in PROGRAMS) >= len(PROGRAMS) - 1


@each_judged
def test_the_greeting_is_the_same(folder: Path) -> None:
    """The handshake of today gets the answer of then, and takes it."""
    report, _, greeting = judged(folder)

    assert greeting == Transcript.read(folder).greeting
    assert report.unusable is None


@pytest.mark.slow
@each
def test_old_requests_get_the_old_replies(folder: Path) -> None:
    """Every request of the transcript is still one of the protocol, and so is its reply, which is the same."""
    cases = Transcript.read(folder).cases
    requests = [request for asked in cases for request in asked.requests]
    replies = [reply for asked in cases for reply in asked.replies]
    with session(folder) as opened:
        opened.hello()
        again = list(opened.runs(requests))

    assert [fault("run.request", {"op": "run", "id": 1, **request}) for request in requests] == [None] * len(requests)
    assert [fault("run.reply", {"id": 1, "ok": True, "results": reply}) for reply in replies] == [None] * len(replies)
    assert again == replies


@each_judged
def test_every_step_is_judged_as_before(folder: Path) -> None:
    """What passed passes, what failed fails; what told of a reading may pass under that one. More may be asked."""
    kept = {Status.PASS: {Status.PASS}, Status.FAIL: {Status.FAIL}, Status.READING: {Status.READING, Status.PASS}}
    other = [
        f"{asked.case} {case.step(number)}: {then}, now {found.status}"
        for asked, case in compared(folder)
        for number, (then, found) in enumerate(zip(asked.statuses, case.judgements, strict=True))
        if found.status not in kept.get(then, {found.status})
    ]

    assert other == []


@each_judged
def test_no_other_case_fails(folder: Path) -> None:
    """What was not asked then may be asked now, and accuses nobody who was not accused."""
    accused = [
        asked.case
        for asked, case in compared(folder)
        if case.status is Status.FAIL and Status.FAIL not in asked.statuses
    ]

    assert accused == []


@each_judged
def test_most_scenarios_are_compared(folder: Path) -> None:
    """A transcript whose scenarios have been changed, most of them, would say nothing."""
    total = len(Transcript.read(folder).cases)

    assert len(compared(folder)) * 100 >= total * (100 - CHANGED)


#: What the verdict of then is called now; by whether another reading was inferred.
NAMES = {
    ("conforms", False): EditionVerdict.FOLLOWS,
    ("conforms", True): EditionVerdict.FOLLOWS_READINGS,
    ("deviates", False): EditionVerdict.DEVIATES,
}


@each_judged
def test_the_verdict_is_the_same(folder: Path) -> None:
    """Edition by edition, as are the readings that were found."""
    report, old = judged(folder)[0], Transcript.read(folder)
    now = {f"{run.game}@{run.edition}": run for run in report.runs}

    assert now.keys() == old.verdicts.keys()
    for name, run in now.items():
        assert run.verdict is NAMES[old.verdicts[name], bool(old.inferred[name])], name
        assert {key: sorted(one.values) for key, one in run.inferred.items()} == old.inferred[name]


# It looks for changes of the rules behind the failures of every program, some of which fail hundreds of cases: half a
# minute for what can only be otherwise where changes are told instead of readings.
@pytest.mark.thorough
@each
def test_what_explains_failures_changes_no_verdict(folder: Path) -> None:
    """Whoever is explained as well is found to be the same, with the same readings."""
    bare, (whole, _, _) = judged(folder)[0], judge(folder)

    assert [(run.verdict, dict(run.inferred)) for run in whole.runs] == [
        (run.verdict, dict(run.inferred)) for run in bare.runs
    ]


@pytest.mark.slow
def test_the_frozen_programs_differ_in_what_they_are_found_to_be() -> None:
    """There are such as follow, such as follow another reading, and such as deviate."""
    transcripts = [Transcript.read(folder) for folder in PROGRAMS]
    found = {(old.verdicts[name], bool(old.inferred[name])) for old in transcripts for name in old.verdicts}

    assert found == set(NAMES)


# Unknown keys ---------------------------------------------------------------------------------------------------------


def grown(message: Message) -> Message:
    """Return a request as a later runner may write it, with keys in every object that nobody knows yet."""
    new = {"new_key": {"of": ["a", "later", 1]}}
    steps = [{**step, **new} for step in message["steps"]]
    return {**message, **new, "steps": steps, **({"start": {**message["start"], **new}} if "start" in message else {})}


@pytest.mark.slow
@each
def test_programs_ignore_keys_that_they_do_not_know(folder: Path) -> None:
    """A request with more in it gets the reply that it got without."""
    cases = Transcript.read(folder).cases[::10]
    with session(folder) as opened:
        opened.hello()
        again = list(opened.runs(grown(request) for asked in cases for request in asked.requests))

    assert again == [reply for asked in cases for reply in asked.replies]


def test_our_engine_ignores_keys_that_it_does_not_know() -> None:
    """Operations, starts and steps may hold more than we know of."""
    engine = ReferenceEngine(choices(["brouc@2022"]))
    cases = [asked for asked in Transcript.read(FROZEN / "whole-game").cases if asked.case.startswith("brouc@")][::20]
    requests = [{"op": "run", "id": 1, **request} for asked in cases for request in asked.requests]

    assert requests
    assert [engine.answer({**grown(one), "op": "run"}) for one in requests] == [engine.answer(one) for one in requests]
    assert engine.answer({"op": "hello", "id": 2, "protocol": 1, "new_key": []})["ok"]


def added(request: Message, reply: Message) -> Message:
    """Return a reply as a later program may write it."""
    more = {**reply, "new_key": [{"of": "later"}]}
    if request["op"] == "hello":
        more["engine"] = {**reply["engine"], "new_key": "later"}
        more["plays"] = [{**play, "new_key": "later"} for play in reply["plays"]]
    if request["op"] == "run":
        more["results"] = [{**result, "new_key": 1} for result in reply["results"]]
    return more


def test_the_runner_ignores_keys_that_it_does_not_know(changed: Callable[..., Session]) -> None:
    """Greetings, replies and results may hold more than we know of; the program is judged as without."""
    wanted = Selection(text="brouc.over")
    with changed(added, "brouc@2022:4") as session_, changed(lambda _, reply: reply, "brouc@2022:4") as plain:
        (run,), (other,) = verify(session_, wanted).runs, verify(plain, wanted).runs

    assert run.verdict is other.verdict
    assert run.verdict is not EditionVerdict.DEVIATES
    assert run.counts == other.counts
    assert run.counts["pass"] == run.discovered > 0
