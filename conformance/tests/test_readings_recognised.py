"""A program that reads one passage otherwise, and does not say so, is recognised by its answers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from brou_conformance.programs.child import Child, Failure
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import verify

NODE = shutil.which("node")
ADAPTER = Path(__file__).resolve().parents[1] / "adapters" / "javascript" / "adapter.mjs"
#: Readings that the JavaScript program can be switched to.
SWITCHES = [
    ("brouc", "exception_scope", "any-trump-play"),
    ("brouc", "announce_window", "own-turn"),
    ("brouc", "announce_window", "after-own-trick"),
    ("homme-de-brou", "announce_window", "any-time"),
    ("homme-de-brou", "announce_window", "until-next-trick-complete"),
    ("homme-de-brou", "wrong_claim_erasure", "whole-deal"),
]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(NODE is None, reason="node is not installed")]


class Silent:
    """A program behind a veil: its greeting tells of no readings."""

    def __init__(self, child: Child) -> None:
        self._child = child

    def send(self, message: Message) -> None:
        """Pass it on."""
        self._child.send(message)

    def receive(self, seconds: float) -> Message | Failure:
        """Pass it on, without readings."""
        answer = self._child.receive(seconds)
        return answer if isinstance(answer, Failure) else {key: answer[key] for key in answer if key != "readings"}

    def close(self) -> None:
        """Pass it on."""
        self._child.close()


def runs(game: str, *options: str, silent: bool) -> Iterator[EditionRun]:
    """Yield what is found of the JavaScript program."""

    def opened() -> Child | Silent | Failure:
        child = Child.start([NODE or "node", str(ADAPTER), *options])
        return Silent(child) if silent and isinstance(child, Child) else child

    with Session(opened) as session:
        yield from verify(session, Selection(game)).runs


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("game", "key", "value"), SWITCHES)
def test_a_switched_reading_is_recognised(game: str, key: str, value: str) -> None:
    """The program conforms, and is told which reading it follows, that one and no other."""
    (run,) = runs(game, "--reading", f"{game}.{key}={value}", silent=True)

    assert run.verdict is EditionVerdict.FOLLOWS_READINGS
    assert {name: one.values for name, one in run.inferred.items()} == {key: (value,)}


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("game", "key", "value"), SWITCHES)
def test_a_declared_reading_is_followed(game: str, key: str, value: str) -> None:
    """Judged under what it declares, the program conforms without a remark."""
    (run,) = runs(game, "--reading", f"{game}.{key}={value}", silent=False)

    assert (run.verdict, run.readings[key], dict(run.inferred)) == (EditionVerdict.FOLLOWS, value, {})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", sorted({game for game, _, _ in SWITCHES}))
def test_without_a_switch_nothing_is_inferred(game: str) -> None:
    """The readings of the edition need no remark."""
    (run,) = runs(game, silent=True)

    assert (run.verdict, dict(run.inferred)) == (EditionVerdict.FOLLOWS, {})
