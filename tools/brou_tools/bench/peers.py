"""OpenSpiel as a peer: its skat, played out in C++ and decision by decision from Python."""

from __future__ import annotations

import importlib
import random
import time
from importlib.util import find_spec
from typing import Any

#: Rollouts of a turn, matches of a turn, and any seed.
_ROLLOUTS, _MATCHES, _SEED = 3_000, 60, 1
_PEER = "pyspiel"
_GAME = "skat"
#: The words with which skat says that cards are played.
_PLAYING = "Phase: playing"


class OpenSpiel:
    """Skat of OpenSpiel, timed by the processor."""

    def __init__(self) -> None:
        self._library: Any = importlib.import_module(_PEER)
        self._game = self._library.load_game(_GAME)
        self._chance = random.Random(_SEED)  # noqa: S311 - no secret
        self._position = self._find_position()
        self._cards = self._count_moves(self._position.clone())

    def time_rollouts(self) -> float:
        """Return how many cards a second are played at random in C++ from a position where play begins."""
        evaluator = self._library.RandomRolloutEvaluator(_ROLLOUTS, _SEED)
        # A search of one simulation is so many rollouts; the rest of what it is told makes no difference then.
        told = (1.0, 1, 1, False, _SEED, False)
        search = self._library.MCTSBot(self._game, evaluator, *told)
        begun = time.process_time()
        search.step(self._position)
        return _ROLLOUTS * self._cards / (time.process_time() - begun)

    def time_loop(self) -> float:
        """Return how many decisions a second a loop in Python makes, those of chance not counted."""
        begun, made = time.process_time(), 0
        for _ in range(_MATCHES):
            made += self._count_moves(self._game.new_initial_state())
        return made / (time.process_time() - begun)

    def _count_moves(self, state: Any) -> int:
        """Play a match to its end at random; return how many decisions there were."""
        made = 0
        while not state.is_terminal():
            made += not state.is_chance_node()
            self._move(state)
        return made

    def _move(self, state: Any) -> None:
        if state.is_chance_node():
            state.apply_action(self._chance.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(self._chance.choice(state.legal_actions()))

    def _find_position(self) -> Any:
        """Return a position in which the first card is about to be played."""
        state = self._game.new_initial_state()
        while _PLAYING not in str(state):
            if state.is_terminal():
                state = self._game.new_initial_state()
            self._move(state)
        return state


def find_peer() -> OpenSpiel | str:
    """Return the peer, or why there is none."""
    if find_spec(_PEER) is None:
        return "OpenSpiel is not installed: pip install brou[bench]"
    return OpenSpiel()
