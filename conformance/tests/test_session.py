"""Conversations with programs that lie, stumble and fall: each ends in a status, and the next script is asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.programs.child import Child, Failure
from brou_conformance.programs.session import Hello, Limits, Session

HELLO: dict[str, Any] = {
    "protocol": 1,
    "engine": {"name": "hostile"},
    "plays": [{"game": "brouc", "editions": ["2022"], "setups": ["4"]}],
    "can": ["deal"],
}
RUN = {"game": "brouc", "edition": "2022", "setup": "4", "steps": [{"legal": 0}, {"legal": 1}]}
QUICK = Limits(start=5, request=0.3, farewell=0.3, restarts=2)

#: A program that greets and then does something with each script: `request` is at hand, `reply` answers it.
PROGRAM = """
import json, os, sys, time
def reply(**said): print(json.dumps({{"id": request["id"], "ok": True, **said}}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "hello": reply(**{hello})
    elif request["op"] == "bye": reply(); break
    else:
        {does}
"""

Talk = Callable[[str], Session]


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    """Return a session with a program that does something with each script."""

    def session(does: str, limits: Limits = QUICK) -> Session:
        path = tmp_path / "program.py"
        path.write_text(PROGRAM.format(hello=json.loads(json.dumps(HELLO)), does=does), encoding="utf-8")
        return Session(lambda: Child.start([sys.executable, str(path)]), limits)

    return session


def answered(session: Session, times: int = 1) -> list[Any]:
    """Return the answers to the last of some scripts."""
    with session:
        assert isinstance(session.hello(), Hello)
        answers: list[Any] = []
        for _ in range(times):
            answers = session.run(RUN)
    return answers


HONEST = 'reply(results=[{"legal": {}}, {"legal": {}}])'


def test_an_honest_program_is_heard(talk: Talk) -> None:
    """One result a step."""
    assert answered(talk(HONEST)) == [{"legal": {}}, {"legal": {}}]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("does", "status", "why"),
    [
        ("time.sleep(9)", Status.TIMEOUT, "no answer within 0.3 s"),
        ("sys.exit('a bug')", Status.CRASH, "it ended (exit code 1); its last words: a bug"),
        ("os.kill(os.getpid(), 9)", Status.CRASH, "it ended (killed by signal SIGKILL)"),
        ("print('hello', flush=True)", Status.PROTOCOL, "no JSON: "),
        ('print(json.dumps({"id": 99, "ok": True, "results": []}), flush=True)', Status.PROTOCOL, "an answer to 99, "),
        ("reply()", Status.PROTOCOL, '"results" is a required property'),
        ("reply(results=[])", Status.PROTOCOL, "0 results for 2 steps"),
        ("reply(results=7)", Status.PROTOCOL, "results: 7 is not of type"),
        ('reply(ok=False, error="I cannot")', Status.CRASH, "an error: I cannot"),
        ("reply(ok=False)", Status.PROTOCOL, 'its answer is no error: the message: "error" is a required property'),
        ('reply(ok="yes", results=[{"legal": {}}] * 2)', Status.PROTOCOL, "ok: true was expected"),
        ("sys.stdout.write('x' * 9_000_000)", Status.PROTOCOL, "a line of more than "),
        ("[print('{}') for n in iter(int, 1)]", Status.PROTOCOL, "an answer to None"),
    ],
)
def test_a_mishap_is_the_status_of_the_first_step(talk: Talk, does: str, status: Status, why: str) -> None:
    """What goes wrong with a script goes wrong once, and says why."""
    first, second = answered(talk(does))

    assert (first.status, second.status) == (status, Status.BLOCKED)
    assert why in first.why


def test_a_wrong_result_spoils_its_own_step_alone(talk: Talk) -> None:
    """The rest of a reply is still worth judging."""
    found = answered(talk('reply(results=[{"no": "because"}, {"legal": {}}])'))

    assert found[1] == {"legal": {}}
    assert isinstance(found[0], Unsent)
    assert found[0].status is Status.PROTOCOL


def test_a_lost_program_is_started_anew(talk: Talk, tmp_path: Path) -> None:
    """A crash costs one script; the next is asked of a fresh process, with the same greeting."""
    once = f"open({str(tmp_path / 'been')!r}, 'x')"
    does = f"try: {once}\n        except FileExistsError: {HONEST}\n        else: sys.exit(1)"

    assert answered(talk(does), times=2) == [{"legal": {}}, {"legal": {}}]


def test_restarts_are_spent_one_day(talk: Talk) -> None:
    """A program that always falls is given up, and what is left is blocked."""
    session = talk("sys.exit(1)")

    assert [answer.status for answer in answered(session, times=4)] == [Status.BLOCKED, Status.BLOCKED]
    assert session.unusable == Failure("crash", "2 restarts are spent")


def test_another_greeting_after_a_restart_is_the_end(inside: Callable[..., Any]) -> None:
    """A program that changes what it says of itself cannot be judged."""
    names = iter("abc")

    def answer(request: dict[str, Any]) -> Any:
        if request["op"] == "hello":
            return {"id": request["id"], "ok": True, **HELLO, "engine": {"name": next(names)}}
        return Failure("crash", "gone")

    session = Session(lambda: inside(answer))

    assert [found.status for found in answered(session, times=2)] == [Status.BLOCKED, Status.BLOCKED]
    assert session.unusable == Failure("protocol", "started again, it says something else of itself")


@pytest.mark.parametrize(
    ("program", "kind", "what"),
    [
        ("import time; time.sleep(9)", "timeout", "no answer within 0.3 s"),
        ("import sys; sys.exit('no')", "crash", "it ended (exit code 1)"),
        ("print('Welcome!')", "protocol", "no JSON: "),
        ('print(\'{"id": 1, "ok": true}\')', "protocol", 'hello: the message: "protocol" is a required property'),
        (
            'print(\'{"id": 1, "ok": false, "error": "not in the mood"}\')',
            "protocol",
            "hello: it refused: not in the mood",
        ),
    ],
)
def test_a_program_that_does_not_greet_cannot_be_used(program: str, kind: str, what: str) -> None:
    """Without a greeting there is nothing to judge."""
    with Session(lambda: Child.start([sys.executable, "-c", program]), Limits(start=0.3)) as session:
        hello = session.hello()

    assert isinstance(hello, Failure)
    assert hello.kind == kind
    assert what in hello.what
    assert session.unusable == hello


def test_a_program_that_is_silent_is_told_what_to_try() -> None:
    """The reason says what keeps a greeting back, and how to wait longer for it."""
    with Session(lambda: Child.start([sys.executable, "-c", "import time; time.sleep(9)"]), Limits(start=0.3)) as one:
        hello = one.hello()

    assert isinstance(hello, Failure)
    assert "flush" in hello.what and "--start-timeout" in hello.what


def test_a_limit_for_requests_alone_holds_for_the_greeting() -> None:
    """A limit of its own goes before it, and without any both are the usual ones."""
    assert Limits.choose(2.0, None).start == 2.0
    assert Limits.choose(2.0, 9.0).start == 9.0
    assert Limits.choose(None, None) == Limits()


def test_a_program_that_does_not_greet_is_started_once(tmp_path: Path) -> None:
    """Who asks for the greeting again learns the same reason and waits no second time."""
    starts = tmp_path / "starts"
    program = f"open({str(starts)!r}, 'a').write('x')"
    with Session(lambda: Child.start([sys.executable, "-c", program])) as session:
        assert session.hello() == session.hello()

    assert starts.read_text(encoding="utf-8") == "x"


def test_the_farewell_is_said(inside: Callable[..., Any]) -> None:
    """A program is told when it is over, and ended whatever it does."""
    player = inside(lambda request: {"id": request["id"], "ok": True, **HELLO})
    with Session(lambda: player) as session:
        session.hello()

    assert [request["op"] for request in player.asked] == ["hello", "bye"]
    assert player.closed


def test_declared_readings_are_text() -> None:
    """A number of ticks may be declared as a number."""
    hello = Hello.of({**HELLO, "readings": {"brouc@2022": {"match_ticks": 5}}})

    assert hello.readings == {"brouc@2022": {"match_ticks": "5"}}
