"""A conversation with a program: the handshake, one script after the other, and a new start after a mishap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, TypeAlias

from brou import Crash
from brou_conformance.child import Failure, Player
from brou_conformance.judge import Status, Unsent
from brou_conformance.protocol import VERSION, Message, fault, shorten

Opener: TypeAlias = Callable[[], "Player | Failure"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a program may take, and how often it is started anew."""

    start: float = 30.0
    request: float = 5.0
    farewell: float = 1.0
    restarts: int = 10


@dataclass(frozen=True, slots=True)
class Hello:
    """What a program said of itself."""

    engine: dict[str, str]
    #: Game, edition and set-up of everything it plays.
    plays: tuple[tuple[str, str, str], ...]
    #: Declared readings by `game@edition`.
    readings: dict[str, dict[str, str]]
    can: frozenset[str]

    @classmethod
    def of(cls, message: Message) -> Hello:
        """Return what a reply of the right form says."""
        played = {
            (item["game"], edition, setup): None
            for item in message["plays"]
            for edition in item["editions"]
            for setup in item["setups"]
        }
        declared = {
            name: {key: str(value) for key, value in readings.items()}
            for name, readings in message.get("readings", {}).items()
        }
        known = {key: message["engine"][key] for key in ("name", "version", "language") if key in message["engine"]}
        return cls(known, tuple(played), declared, frozenset(message["can"]))


@dataclass(slots=True)
class Session:
    """Talks to a program in lock-step and starts it anew when it is lost, with the same handshake."""

    opener: Opener
    limits: Limits = field(default_factory=Limits)
    #: Why the program can no longer be used, if so.
    unusable: Failure | None = None
    _player: Player | None = None
    _said: Hello | None = None
    _restarts: int = 0
    _number: int = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def hello(self) -> Hello | Failure:
        """Return what the program says of itself, or why it cannot be used."""
        if self._said is None:
            answer = self._handshake()
            if isinstance(answer, Failure):
                self.unusable = answer
                return answer
            self._said = answer
        return self._said

    def run(self, request: Message) -> list[Message | Unsent]:
        """Return an answer for each step of a script; `request` lacks only its operation and id."""
        steps = len(request["steps"])
        lost = self._revived()
        if lost is not None:
            return [Unsent(Status.BLOCKED, lost.what)] * steps
        answer = self._exchange({"op": "run", **request}, self.limits.request)
        if isinstance(answer, Failure):
            self._drop()
            return _failed(answer, steps)
        if answer.get("ok") is False:
            problem = fault("error.reply", answer)
            said = f"its answer is no error: {problem}" if problem else f"an error: {shorten(answer['error'])}"
            return _failed(Failure("protocol" if problem else "crash", said), steps)
        return _results(answer, steps)

    def close(self) -> None:
        """Say goodbye and end the program."""
        if self._player is not None:
            self._exchange({"op": "bye"}, self.limits.farewell)
        self._drop()

    def _exchange(self, message: Message, seconds: float) -> Message | Failure:
        """Send a request under a new number and return the answer that bears it."""
        if self._player is None:
            return Failure("crash", "it is not running")
        self._number += 1
        request = {"op": message["op"], "id": self._number, **message}
        problem = fault(f"{message['op']}.request", request)
        if problem:
            raise Crash(f"a request of our own breaks the protocol: {problem}")
        answer = self._player.ask(request, seconds)
        if isinstance(answer, Failure) or answer.get("id") == self._number:
            return answer
        if answer.get("ok") is False and answer.get("id") is None:
            return {**answer, "id": self._number}
        return Failure("protocol", f"an answer to {shorten(repr(answer.get('id')))}, asked was {self._number}")

    def _handshake(self) -> Hello | Failure:
        opened = self.opener()
        if isinstance(opened, Failure):
            return opened
        self._player = opened
        answer = self._exchange({"op": "hello", "protocol": VERSION}, self.limits.start)
        if not isinstance(answer, Failure):
            problem = fault("hello.reply", answer)
            if answer.get("ok") is False:
                problem = f"it refused: {shorten(str(answer.get('error')))}"
            answer = Failure("protocol", f"hello: {problem}") if problem else answer
        if isinstance(answer, Failure):
            self._drop()
            return answer
        return Hello.of(answer)

    def _revived(self) -> Failure | None:
        """Start the program anew if it is lost; say why it cannot be."""
        while self._player is None and self.unusable is None:
            if self._restarts == self.limits.restarts:
                self.unusable = Failure("crash", f"{self._restarts} restarts are spent")
                break
            self._restarts += 1
            again = self._handshake()
            if isinstance(again, Hello) and again != self._said:
                self.unusable = Failure("protocol", "started anew, it says something else of itself")
                self._drop()
        return self.unusable

    def _drop(self) -> None:
        if self._player is not None:
            self._player.close()
        self._player = None


def _failed(failure: Failure, steps: int) -> list[Message | Unsent]:
    """Return the failure for the first step and `blocked` for the others: nobody knows which it was."""
    tail = failure.stderr.strip().splitlines()[-1:]
    why = f"{failure.what}; its last words: {shorten(tail[0])}" if tail else failure.what
    return [Unsent(Status(failure.kind), why), *[Unsent(Status.BLOCKED, "no answer to the script")] * (steps - 1)]


def _results(answer: Message, steps: int) -> list[Message | Unsent]:
    """Return the results, those that break the protocol replaced by what is wrong with them."""
    problem = fault("run.reply", answer)
    results = answer.get("results")
    if not problem and isinstance(results, list) and len(results) == steps:
        return list(results)
    if not isinstance(results, list) or len(results) != steps:
        count = f"{len(results)} results for {steps} steps" if isinstance(results, list) else f"{problem}"
        return _failed(Failure("protocol", count), steps)
    faults = [fault("result", result) for result in results]
    if not any(faults):
        return _failed(Failure("protocol", f"{problem}"), steps)
    return [
        Unsent(Status.PROTOCOL, f"result {found}") if found else result
        for found, result in zip(faults, results, strict=True)
    ]
