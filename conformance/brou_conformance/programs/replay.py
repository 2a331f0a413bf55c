"""A program that is not there any more: its record speaks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.programs.child import Failure
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message, fault

_SILENT = Unsent(Status.BLOCKED, "the record has no answer to it")


@dataclass(slots=True)
class Replay(Session):
    """A session with a record's greeting; requests without a recorded reply stay unanswered."""

    #: Game, edition and set-up of the cases that the record holds; nothing else is asked.
    recorded: frozenset[tuple[str, str, str]] = frozenset()

    @classmethod
    def of(cls, greeting: Message, recorded: Iterable[tuple[str, str, str]]) -> Replay:
        """Return a session with the greeting of a record; it plays the rules that have recorded cases."""
        nobody = Failure("crash", "a record is not started")
        return cls(lambda: nobody, greeting=greeting, recorded=frozenset(recorded))

    def hello(self) -> Hello | Failure:
        """Return the recorded greeting, or the reason why it is none."""
        problem = fault("hello.reply", {"id": 1, "ok": True, **self.greeting})
        if problem:
            return Failure("protocol", f"the record's greeting: {problem}")
        hello = Hello.of(self.greeting)
        plays = tuple(play for play in hello.plays if play in self.recorded)
        return replace(hello, plays=plays) if plays else Failure("protocol", "the record holds no case")

    def runs(self, requests: Iterable[Message]) -> Iterator[list[Message | Unsent]]:
        """Yield that there is no answer, script by script."""
        for request in requests:
            yield [_SILENT] * len(request["steps"])

    def why(self, request: Message) -> str:  # noqa: ARG002 - as in any session
        """Return nothing: a record gives no reasons."""
        return ""
