"""The score, view and invariants of states of compiled rules, by generated code.

The code is in a module of its own, which is written when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from brou.compiler.compiled_values import CompiledState
from brou.compiler.generated import run_module
from brou.language.codec import Json, outside
from brou.language.syntax import Game


def shown_source(game: Game) -> str:
    """Return the source text of the module for score, view and invariants."""
    from brou.compiler.emit_shows import emit_shows  # noqa: PLC0415 - only where no code is kept
    from brou.compiler.lower import lower_shown  # noqa: PLC0415 - likewise

    return emit_shows(lower_shown(game))


class Showing:
    """Computes score, view and invariants of the states of one game."""

    def __init__(self, game: Game, *, keep: bool = True) -> None:
        module = run_module(game, lambda: shown_source(game), ("shown",), keep=keep)
        self._score: Mapping[str, Callable[[CompiledState, dict[str, Json]], None]] = module["_SCORE"]
        self._view: Mapping[str, Callable[[CompiledState, int, dict[str, Json]], None]] = module["_VIEW"]
        self._invariants: Sequence[tuple[str, Callable[[CompiledState], bool]]] = module["_INVARIANTS"]

    def score(self, state: CompiledState) -> dict[str, Json]:
        """Return the accounts and results, which are the same for every seat."""
        shown: dict[str, Json] = {}
        for put in self._score.values():
            put(state, shown)
        return shown

    def view(self, state: CompiledState, seat: int, only: Collection[str] | None = None) -> dict[str, Json]:
        """Return what a seat sees; with `only` no more than the phase and these keys."""
        shown: dict[str, Json] = {"phase": outside(state.PHASE)}
        for name, put in self._view.items():
            if only is None or name in only:
                put(state, seat, shown)
        return shown

    def find_broken_invariants(self, state: CompiledState) -> list[str]:
        """Return the invariants that do not hold."""
        return [name for name, holds in self._invariants if not holds(state)]
