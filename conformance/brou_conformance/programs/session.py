"""A conversation with a program: the handshake, scripts in flight, and a new start after a mishap.

The session keeps as many scripts in flight as the program takes. Answers come in the order of the requests. After a
mishap any script in flight may be the culprit: the session asks each once more, alone, until one fails again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from types import TracebackType
from typing import Self, TypeAlias

from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.messages import VERSION
from brou_conformance.programs.child import Channel, Failure
from brou_conformance.protocol import Message, fault, is_valid, shorten
from brou_conformance.scenarios.scenario import Verb

Opener: TypeAlias = Callable[[], "Channel | Failure"]

#: What to try with a program that does not greet.
_SILENT = "let it flush each line that it writes, or give it longer with --start-timeout"


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a program may take, and how often it is started anew."""

    start: float = 30.0
    request: float = 5.0
    farewell: float = 1.0
    restarts: int = 10
    #: How many scripts are under way at once, if the program takes so many.
    window: int = 32

    @classmethod
    def choose(cls, request: float | None, start: float | None) -> Self:
        """Return limits; one that is given for a request alone holds for the greeting too."""
        return cls(start=start or request or cls().start, request=request or cls().request)


@dataclass(frozen=True, slots=True)
class Hello:
    """The greeting of a program."""

    engine: dict[str, str]
    #: Game, edition and set-up of everything it plays.
    plays: tuple[tuple[str, str, str], ...]
    #: Declared readings by `game@edition`.
    readings: dict[str, dict[str, str]]
    can: frozenset[str]
    #: The acts that it knows; None if it knows those of the rules.
    acts: frozenset[str] | None = None
    #: The keys of views and of scores that it tells, likewise.
    views: frozenset[str] | None = None
    scores: frozenset[str] | None = None
    max_in_flight: int = 1

    @property
    def knows_all(self) -> bool:
        """Say whether it knows all acts and tells all keys of the rules, as far as it says."""
        return self.acts is None and self.views is None and self.scores is None

    def knows(self, verb: Verb) -> frozenset[str] | None:
        """Return the acts or keys that a step of this kind may be about; None if it is all of them."""
        return {"act": self.acts, "legal": self.acts, "view": self.views, "score": self.scores}.get(verb)

    @classmethod
    def of(cls, message: Message) -> Hello:
        """Return the greeting in a valid reply."""
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
        acts, views, scores = (
            frozenset(message[key]) if key in message else None for key in ("acts", "views", "scores")
        )
        can, most = frozenset(message["can"]), message.get("max_in_flight", 1)
        return cls(known, tuple(played), declared, can, acts, views, scores, most)


@dataclass(slots=True)
class Session:
    """Talks to a program and starts it anew when it is lost, with the same handshake."""

    opener: Opener
    limits: Limits = field(default_factory=Limits)
    #: Why the program can no longer be used, if so.
    unusable: Failure | None = None
    #: What of the program could not be ended, if so; it is not started again then.
    left: Failure | None = None
    #: What the program said in its greeting, as it stood on the wire.
    greeting: Message = field(default_factory=dict)
    _player: Channel | None = None
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
        """Return the greeting of the program, or the reason why it cannot be used."""
        if self._said is None:
            answer = self.unusable or self._handshake()
            if isinstance(answer, Failure):
                self.unusable = answer
                return answer
            self._said = answer
        return self._said

    def run(self, request: Message) -> list[Message | Unsent]:
        """Return an answer for each step of a script; `request` lacks only its operation and id."""
        return next(self.runs([request]))

    def runs(self, requests: Iterable[Message]) -> Iterator[list[Message | Unsent]]:
        """Yield the answers to scripts, in their order."""
        waiting = iter(requests)
        flying: deque[_Flight] = deque()
        while True:
            lost = self._revive() if self._player is None else None
            for request in islice(waiting, self._window - len(flying)):
                flying.append(_Flight(request, 0 if lost else self._send("run", request)))
            if not flying:
                return
            if lost is not None:
                yield [Unsent(Status.BLOCKED, lost.what)] * flying.popleft().steps
                continue
            answer = self._receive(flying[0].number, self.limits.request)
            if isinstance(answer, Failure):
                yield from self._retry_alone(answer, flying)
                waiting, flying = chain([flight.request for flight in flying], waiting), deque()
            else:
                yield _interpret_reply(answer, flying.popleft().steps)

    def _retry_alone(self, failure: Failure, flying: deque[_Flight]) -> list[list[Message | Unsent]]:
        """Ask the scripts in flight again, one by one, until the culprit shows; those after it stay in flight."""
        self.drop()
        answers: list[list[Message | Unsent]] = []
        for flight in list(flying):
            answer = self._exchange("run", flight.request, self.limits.request) if self._again() else failure
            flying.popleft()
            if isinstance(answer, Failure):
                self.drop()
                return [*answers, _spread_failure(answer, flight.steps)]
            answers.append(_interpret_reply(answer, flight.steps))
        return [_spread_failure(failure, len(answers[0]), "; asked again alone, it answers"), *answers[1:]]

    @property
    def _window(self) -> int:
        return min(self.limits.window, self._said.max_in_flight if self._said else 1)

    def why(self, request: Message) -> str:
        """Return the program's reason for taking or refusing the last act of a script; nothing if it gives none."""
        if self._revive() is not None:
            return ""
        answer = self._exchange("why", request, self.limits.request)
        if isinstance(answer, Failure):
            self.drop()
            return ""
        return "" if fault("why.reply", answer) else shorten(answer["why"])

    def close(self) -> None:
        """Say goodbye and end the program."""
        if self._player is not None:
            self._exchange("bye", {}, self.limits.farewell)
        self.drop()

    def _exchange(self, operation: str, message: Message, seconds: float) -> Message | Failure:
        """Send a request and return its answer, nothing else being under way."""
        return self._receive(self._send(operation, message), seconds)

    def _send(self, operation: str, message: Message) -> int:
        """Send a request under a new number, and return that."""
        self._number += 1
        if self._player is not None:
            self._player.send({"op": operation, "id": self._number, **message})
        return self._number

    def _receive(self, number: int, seconds: float) -> Message | Failure:
        """Return the next answer, which must bear this number."""
        if self._player is None:
            return Failure("crash", "it is not running")
        answer = self._player.receive(seconds)
        if isinstance(answer, Failure) or answer.get("id") == number:
            return answer
        if answer.get("ok") is False and answer.get("id") is None:
            return {**answer, "id": number}
        return Failure("protocol", f"an answer to {shorten(repr(answer.get('id')))}, asked was {number}")

    def _handshake(self) -> Hello | Failure:
        opened = self.opener()
        if isinstance(opened, Failure):
            return opened
        self._player = opened
        answer = self._exchange("hello", {"protocol": VERSION}, self.limits.start)
        if not isinstance(answer, Failure):
            problem = fault("hello.reply", answer)
            if answer.get("ok") is False:
                problem = f"it refused: {shorten(str(answer.get('error')))}"
            answer = Failure("protocol", f"hello: {problem}") if problem else answer
        if isinstance(answer, Failure):
            self.drop()
            silent = answer.kind == "timeout"
            return replace(answer, what=f"{answer.what}; {_SILENT}") if silent else answer
        self.greeting = {key: value for key, value in answer.items() if key not in ("id", "ok")}
        return Hello.of(answer)

    def _again(self) -> bool:
        """Start the program for one more try, which is not counted; say whether it runs."""
        if self._player is None and self.left is None:
            self._settle(self._handshake())
        return self._player is not None

    def _revive(self) -> Failure | None:
        """Start the program anew if it is lost; say why it cannot be."""
        while self._player is None and self.unusable is None:
            if self._restarts == self.limits.restarts:
                self.unusable = Failure("crash", f"{self._restarts} restarts are spent")
                break
            self._restarts += 1
            self._settle(self._handshake())
        return self.unusable

    def _settle(self, again: Hello | Failure) -> None:
        """Give up a program that says something else of itself than before."""
        if isinstance(again, Hello) and again != self._said:
            self.unusable = Failure("protocol", "started again, it says something else of itself")
            self.drop()

    def renew(self) -> None:
        """End the program through no fault of its own: that it is started anew is not counted against it."""
        self.drop()
        self._restarts -= 1

    def drop(self) -> None:
        """End the program at once, if it runs; it is started anew for the next request."""
        if self._player is not None:
            self.left = self._player.close() or self.left
            self.unusable = self.left or self.unusable
        self._player = None


@dataclass(slots=True)
class _Flight:
    """A script under way, and the number of its request."""

    request: Message
    number: int

    @property
    def steps(self) -> int:
        return len(self.request["steps"])


def _interpret_reply(answer: Message, steps: int) -> list[Message | Unsent]:
    """Return the results that an answer holds, or the failure that it reports instead."""
    if answer.get("ok") is False:
        problem = fault("error.reply", answer)
        said = f"its answer is no error: {problem}" if problem else f"an error: {shorten(answer['error'])}"
        return _spread_failure(Failure("protocol" if problem else "crash", said), steps)
    return _results(answer, steps)


def _spread_failure(failure: Failure, steps: int, remark: str = "") -> list[Message | Unsent]:
    """Return the failure for the first step and `blocked` for the others: nobody knows which it was."""
    tail = failure.stderr.strip().splitlines()[-1:]
    why = f"{failure.what}; its last words: {shorten(tail[0])}" if tail else failure.what
    blocked = [Unsent(Status.BLOCKED, "no answer to the script")] * (steps - 1)
    return [Unsent(Status(failure.kind), why + remark), *blocked]


def _results(answer: Message, steps: int) -> list[Message | Unsent]:
    """Return the results of an answer; a description of the fault replaces each that breaks the protocol."""
    results = answer.get("results")
    if isinstance(results, list) and len(results) == steps and is_valid("run.reply", answer):
        return list(results)
    problem = fault("run.reply", answer)
    if not isinstance(results, list) or len(results) != steps:
        count = f"{len(results)} results for {steps} steps" if isinstance(results, list) else f"{problem}"
        return _spread_failure(Failure("protocol", count), steps)
    faults = [fault("result", result) for result in results]
    if not any(faults):
        return _spread_failure(Failure("protocol", f"{problem}"), steps)
    return [
        Unsent(Status.PROTOCOL, f"result {found}") if found else result
        for found, result in zip(faults, results, strict=True)
    ]
