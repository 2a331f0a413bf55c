"""Players that need no process: the interpreter behind the protocol, an oracle behind it, and small worlds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from brou import book, choose, with_readings
from brou_conformance.programs.child import Failure
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.programs.in_process import Inside
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from oracle_loader import answer, open_match

Answer = Callable[[Message], Message | Failure]


class Player(Inside):
    """A player in this process that remembers what it was asked."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer)
        self.asked: list[Message] = []
        self.closed = False

    def send(self, message: Message) -> None:
        """Note the request."""
        self.asked.append(message)
        super().send(message)

    def close(self) -> None:
        """Note that it has ended."""
        self.closed = True


class Witness:
    """An oracle of one edition in all its set-ups, speaking the protocol."""

    def __init__(self, name: str) -> None:
        self.choice = choose(name)
        self.setups = list(book(self.choice.game).editions[self.choice.edition].setups)

    def answer(self, request: Message) -> Message:
        """Return the reply to a request."""
        head = {"id": request["id"], "ok": True}
        if request["op"] == "hello":
            return {**head, **self._hello()}
        return {**head, "results": self._results(request)} if request["op"] == "run" else head

    def _hello(self) -> Message:
        choice = self.choice
        return {
            "protocol": 1,
            "engine": {"name": "oracle"},
            "plays": [{"game": choice.game, "editions": [choice.edition], "setups": self.setups}],
            "can": ["deal", "match", "view", "score", "offturn", "readings"],
        }

    def _results(self, request: Message) -> list[Message]:
        game, edition, setup = (request[key] for key in ("game", "edition", "setup"))
        choice = with_readings(choose(f"{game}@{edition}:{setup}"), request["readings"], fitting=True)
        match = open_match(choice, request.get("start", {}))
        return [answer(match, step) for step in request["steps"]]


@pytest.fixture
def reference() -> Callable[..., Session]:
    """Return a session with the reference engine for some rules."""
    return lambda *names: Session(lambda: Inside(ReferenceEngine(choices(names)).answer))


@pytest.fixture
def witness() -> Callable[[str], Session]:
    """Return a session with the oracle of an edition."""
    return lambda name: Session(lambda: Inside(Witness(name).answer))


@pytest.fixture
def inside() -> Callable[[Answer], Player]:
    """Return a player that answers by a function."""
    return Player


Change = Callable[[Message, Message], Message | Failure]


@pytest.fixture
def changed() -> Callable[..., Session]:
    """Return a session with the reference engine, every reply passed through a function of request and reply."""

    def session(change: Change, *names: str) -> Session:
        engine = ReferenceEngine(choices(names))
        opened: list[Player] = []

        def opener() -> Player:
            opened.append(Player(lambda message: change(message, engine.answer(message))))
            return opened[-1]

        return Session(opener)

    return session


DEAL = """\
  deal:
    dealer: 3
    hands:
      0: [AS, KS, QS, JS, TS, 9S, 8S, 7S]
      1: [AH, KH, QH, JH, TH, 9H, 8H, 7H]
      2: [AD, KD, QD, JD, TD, 9D, 8D, 7D]
      3: [AC, KC, QC, JC, TC, 9C, 8C, 7C]
    turnup: 7C
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[..., Path]:
    """Return what writes a corpus of one file into a new folder; a scenario is given by its steps, as YAML."""
    numbers = count(1)

    def write(*scenarios: str, game: str = "brouc", deal: str = DEAL) -> Path:
        head = (
            "  title: One\n  clauses: {brouc.play.02: [refuses]}\n  level: must\n  origin: hand\n  because: So it is.\n"
        )
        texts = [f"- id: test.n{number}\n{head}{deal}{text}\n" for number, text in enumerate(scenarios, 1)]
        folder = tmp_path / f"corpus-{next(numbers)}"
        (folder / game).mkdir(parents=True)
        (folder / game / "some.yaml").write_text("".join(texts), encoding="utf-8")
        return folder

    return write
