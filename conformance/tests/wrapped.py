"""Programs behind a wrapper that changes what they say of themselves, or what they answer."""

from __future__ import annotations

import shutil
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from brou import Choice
from brou_conformance.programs.child import Channel, Child, Failure
from brou_conformance.programs.engine import ReferenceEngine
from brou_conformance.programs.in_process import Inside
from brou_conformance.programs.session import Opener
from brou_conformance.protocol import Message

ADAPTERS = Path(__file__).resolve().parents[1] / "adapters"
NODE = shutil.which("node")
#: The abilities of the interpreter as a program that has readings of its own.
ABILITIES = ("deal", "match", "winner", "view", "score", "codes", "offturn")

#: What a wrapper makes of a reply, given the request as it was sent.
Change: TypeAlias = Callable[[Message, Message], Message]
#: What it makes of a request before the program gets it.
Ask: TypeAlias = Callable[[Message], Message]


class Wrapped:
    """A player whose requests and replies pass through functions."""

    def __init__(self, player: Channel, change: Change, ask: Ask | None = None) -> None:
        self._player = player
        self._change = change
        self._ask = ask
        self._asked: deque[Message] = deque()

    def send(self, message: Message) -> None:
        """Pass a request on, and keep it until its answer comes."""
        self._asked.append(message)
        self._player.send(self._ask(message) if self._ask else message)

    def receive(self, seconds: float) -> Message | Failure:
        """Return the changed answer to the oldest request."""
        answer = self._player.receive(seconds)
        return answer if isinstance(answer, Failure) else self._change(self._asked.popleft(), answer)

    def close(self) -> Failure | None:
        """End the player."""
        return self._player.close()


def wrap(opener: Opener, change: Change, ask: Ask | None = None) -> Opener:
    """Return what starts a program behind a wrapper."""

    def opened() -> Channel | Failure:
        player = opener()
        return player if isinstance(player, Failure) else Wrapped(player, change, ask)

    return opened


def greet(opener: Opener, **said: object) -> Opener:
    """Return what starts a program that says other things of itself; what is None it does not say."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] != "hello":
            return reply
        return {key: value for key, value in {**reply, **said}.items() if value is not None}

    return wrap(opener, change)


def interpreter(played: Sequence[Choice]) -> Opener:
    """Return the interpreter as a program that plays these choices and follows no readings of requests."""
    return greet(lambda: Inside(ReferenceEngine(played).answer), can=list(ABILITIES))


def javascript(game: str = "", readings: dict[str, str] | None = None) -> Opener:
    """Return the JavaScript program, one game switched to some readings; node must be installed."""
    options = [word for key, value in (readings or {}).items() for word in ("--reading", f"{game}.{key}={value}")]
    return lambda: Child.start([NODE or "node", str(ADAPTERS / "javascript" / "adapter.mjs"), *options])


def python() -> Opener:
    """Return the Python program for both Brou games, which cannot be switched."""
    return lambda: Child.start([sys.executable, str(ADAPTERS / "python" / "adapter.py")])
