"""A fingerprint of where a match stands and of all that may be done there, the same whatever engine plays it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from brou.interpreter.machine import State
from brou.language.codec import Json, writer
from brou.language.syntax import Game


def plain(game: Game, state: State) -> dict[str, Json]:
    """Return a state as JSON: the phase, and every variable by name as it goes over the wire."""
    values = zip(game.state.items(), state.values, strict=True)
    return {"phase": state.phase, **{name: writer(v.type, game.deck)(value) for (name, v), value in values}}


def digest(game: Game, state: State, legal: Sequence[dict[str, Json]]) -> str:
    """Return the SHA-256 of a state and of what each seat may do in it, as canonical JSON."""
    body = {"state": plain(game, state), "legal": list(legal)}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
