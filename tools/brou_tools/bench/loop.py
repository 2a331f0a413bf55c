"""The play loop of any version of `brou`, the first on the path: a script of its own, which older versions run as well.

    python loop.py GAME WAY DECISIONS

For every line that it reads it plays so many decisions at random and writes one line: where `brou` lies, how many
cards were played, a sum of all acts, and the processor time. The ways are `alike` (every act counts once), `cards`
(beside cards, nothing has any weight) and `conduct` (sensible beginners).
"""

from __future__ import annotations

import json
import sys
import time
import zlib
from contextlib import suppress
from importlib import import_module
from typing import Any

import brou
from brou import Chance, Compiled, choose

#: Two runs of a seed are the same matches; any seed would do.
_SEED = 1
#: Where the policies of players stand, and where they stood; and what is asked of them.
_POLICIES = ("brou_tools.matches.policy", "brou_tools.matches.conduct")
_NAMES = ("weights", "conduct", "Players")


def main(game: str, way: str, decisions: int) -> None:
    """Play as often as a line is read."""
    choice = choose(game)
    played = brou.rules(choice)
    cards = {
        name
        for name, action in played.actions.items()
        if action.parameters and str(action.parameters[-1].type) == "card"
    }
    if way == "alike":
        engine, pick = Compiled(played), _find("brou.compiler.playing:pick_act", "brou.compiler.playing:picked")

        def draw(state: Any, chance: Chance) -> Any:
            return pick(engine, state, chance)
    else:
        phases = [set(phase.actions) for phase in played.phases.values() if cards & set(phase.actions)]
        weights, policy, people = (_find(*(f"{room}:{name}" for room in _POLICIES)) for name in _NAMES)
        silent = weights(dict.fromkeys(sorted(set().union(*phases) - cards), "0"))
        players = people(choice, policy(choice.game).acts if way == "conduct" else silent)
        engine, draw = players.engine, getattr(players, "pick", None) or players.picked
    count, total = _play_decisions(engine, draw, decisions, cards)
    for _ in sys.stdin:
        begun = time.process_time()
        _play(engine, draw, decisions)
        took = time.process_time() - begun
        print(json.dumps({"brou": brou.__file__, "cards": count, "acts": total, "seconds": took}), flush=True)


def _find(*places: str) -> Any:
    """Return the first thing that this version has of those named `module:name`, the newest name first."""
    for place in places:
        module, _, name = place.partition(":")
        with suppress(ModuleNotFoundError, AttributeError):
            return getattr(import_module(module), name)
    raise ImportError(f"there is none of {', '.join(places)}")


def _play_decisions(engine: Any, draw: Any, decisions: int, cards: set[str]) -> tuple[int, int]:
    """Return how many cards are played, and a sum of all acts: the same for the same matches."""
    chance, state = Chance(_SEED), engine.begin()
    count = total = 0
    for _ in range(decisions):
        made = draw(state, chance)
        total = zlib.crc32(repr(made).encode(), total)
        if made is None:
            state = engine.begin()
            continue
        count += made[0] in cards
        engine.play(state, made[1], made[0], made[2])
    return count, total


def _play(engine: Any, draw: Any, decisions: int) -> None:
    """Play, and nothing else."""
    chance, state = Chance(_SEED), engine.begin()
    for _ in range(decisions):
        made = draw(state, chance)
        if made is None:
            state = engine.begin()
        else:
            engine.play(state, made[1], made[0], made[2])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
