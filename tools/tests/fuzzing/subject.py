"""An honest object for `brou verify --python fuzzing.subject:Honest`: the interpreter behind the protocol."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.protocol import Message
from fuzzing.target import Apart

#: The game that is played, since an object is made without arguments.
GAME = "brusquembille"


@lru_cache(maxsize=8)
def keep_engine(game: str) -> ReferenceEngine:
    """Return the reference engine of a game, made once."""
    return ReferenceEngine(choices([game]))


class Honest:
    """What answers as the rules have it."""

    def hello(self) -> Message:
        """Return the body of the greeting."""
        return _strip(keep_engine(GAME).answer({"op": "hello", "id": 1, "protocol": 1}))

    def run(self, request: Message) -> list[Any]:
        """Return the results of a script; they cost the program, and not whoever asks it.

        How much a request may cost the interpreter is what the target `serve` holds.
        """
        with Apart.counted():
            results: list[Any] = keep_engine(GAME).answer(request)["results"]
        return results


def _strip(reply: Message) -> Message:
    return {key: value for key, value in reply.items() if key not in ("id", "ok")}
