"""Asking for the smoke test: a session like any other that keeps its traffic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from brou import Choice
from brou_conformance.judging.judge import Unsent
from brou_conformance.programs.child import Channel, Failure
from brou_conformance.programs.session import Hello, Limits, Opener, Session
from brou_conformance.protocol import Message
from brou_conformance.smoke.probes import Probe

Answers: TypeAlias = Sequence["Message | Unsent"]


@dataclass(slots=True)
class Wire:
    """The last request that went to a program, and the reply."""

    sent: Message = field(default_factory=dict)
    came: Message | Failure | None = None


class _Overheard:
    """A player whose last request and answer are noted."""

    def __init__(self, player: Channel, wire: Wire) -> None:
        self._player, self._wire = player, wire

    def send(self, message: Message) -> None:
        """Note the request and pass it on."""
        self._wire.sent, self._wire.came = message, None
        self._player.send(message)

    def receive(self, seconds: float) -> Message | Failure:
        """Pass on the answer and note it."""
        self._wire.came = self._player.receive(seconds)
        return self._wire.came

    def close(self) -> Failure | None:
        """End the player."""
        return self._player.close()


#: A program may break at each way in which it is asked, and must be started anew for the next.
RESTARTS = 60


def overhear(opener: Opener, limits: Limits) -> tuple[Session, Wire]:
    """Return a session with a program, and the wire that is overheard."""
    wire = Wire()

    def open_overheard() -> Channel | Failure:
        player = opener()
        return player if isinstance(player, Failure) else _Overheard(player, wire)

    return Session(open_overheard, Limits(limits.start, limits.request, limits.farewell, RESTARTS, limits.window)), wire


@dataclass(slots=True)
class ProbeAsker:
    """Asks probes for one set-up, one request at a time."""

    session: Session
    wire: Wire
    hello: Hello
    choice: Choice

    def request(self, start: Mapping[str, Any], steps: Iterable[Mapping[str, Any]]) -> Message:
        """Return a script in the form of the protocol, without operation and id."""
        choice = self.choice
        message: Message = {"game": choice.game, "edition": choice.edition, "setup": choice.setup}
        if "readings" in self.hello.can:
            message["readings"] = dict(choice.readings)
        if start:
            message["start"] = start
        return {**message, "steps": list(steps)}

    def requests(self, probe: Probe) -> list[Message]:
        """Return a probe as requests: one script, or a position for each step that asks a seat on turn."""
        if {"deal", "match"} & self.hello.can:
            return [self.request(probe.start, probe.steps)]
        known = [(position, step) for position, step in zip(probe.positions, probe.steps, strict=True) if position]
        return [self.request({"position": position}, [step]) for position, step in known]

    def ask(self, probe: Probe) -> list[Message | Unsent | None]:
        """Return an answer to each step of a probe; None for one that is not asked."""
        answers = [answer for request in self.requests(probe) for answer in self.session.run(request)]
        if {"deal", "match"} & self.hello.can:
            return list(answers)
        waiting = iter(answers)
        return [next(waiting) if position else None for position in probe.positions]

    def ask_anew(self, probe: Probe) -> list[Message | Unsent | None]:
        """Return the answers of a program that is started for this probe alone."""
        self.session.renew()
        return self.ask(probe)
