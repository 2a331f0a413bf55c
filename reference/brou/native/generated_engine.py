"""Generated Python with the surface of the engine in C, for where there is no compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from brou.chance import Chance, PackChance
from brou.compiler.compiled import Compiled
from brou.compiler.compiled_values import CompiledState
from brou.compiler.drawing import Act
from brou.compiler.lower import lower
from brou.compiler.playing import RandomPlayer, step
from brou.errors import Crash
from brou.interpreter.digest import digest
from brou.interpreter.machine import Refusal, State
from brou.language.codec import Json
from brou.language.syntax import Game
from brou.language.types import Value
from brou.native.batch import BatchPolicy, BatchSums, EngineWish, MatchFigures, Tallying, number_act
from brou.native.c_tables import describe_values


class GeneratedEngine:
    """The engine of one game in Python."""

    way = "python"

    def __init__(self, game: Game, wish: EngineWish | None = None, *, keep: bool = True) -> None:
        self.game = game
        self._wish = wish or EngineWish()
        self._compiled = Compiled(game, keep=keep, asked=self._wish.asked)

    # States -------------------------------------------------------------------

    def begin(self) -> CompiledState:
        """Return the state in which a match begins."""
        return self._compiled.begin()

    def start(self, given: Mapping[str, object]) -> CompiledState:
        """Return the state before a deal, with the variables that the rules allow to be given."""
        return self._compiled.start(given)

    def copy(self, state: CompiledState) -> CompiledState:
        """Return a state that may be changed without changing this one."""
        return state.copy()

    def decode_state(self, state: CompiledState) -> State:
        """Return the state of the interpreter that equals a state."""
        return self._compiled.decode_state(state)

    def encode_state(self, state: State) -> CompiledState:
        """Return the encoded form of a state of the interpreter."""
        return self._compiled.encode_state(state)

    def over(self, state: CompiledState) -> bool:
        """Say whether the match has ended."""
        return self._compiled.over(state)

    # Acting -------------------------------------------------------------------

    def act(self, state: CompiledState, seat: int, act: Mapping[str, object]) -> CompiledState | Refusal:
        """Apply an act; return the state after it, or the same refusal as the interpreter."""
        return self._compiled.act(state, seat, act)

    def open_stream(self, seed: int) -> Chance:
        """Return a stream of random numbers."""
        return Chance(seed)

    def step(self, state: CompiledState, stream: Chance) -> bool:
        """Apply an act drawn uniformly to the state in place; say whether any act was open."""
        return step(self._compiled, state, stream) is not None

    # What is open, and what is shown ------------------------------------------

    def legal(self, state: CompiledState, seat: int) -> dict[str, Json]:
        """Return the acts that a seat may make: act name -> accepted values, or their description."""
        return self._compiled.legal(state, seat)

    def score(self, state: CompiledState) -> dict[str, Json]:
        """Return the accounts and results, which are the same for every seat."""
        return self._compiled.score(state)

    def view(self, state: CompiledState, seat: int) -> dict[str, Json]:
        """Return what a seat sees."""
        return self._compiled.view(state, seat)

    def find_broken_invariants(self, state: CompiledState) -> list[str]:
        """Return the invariants that do not hold."""
        return self._compiled.find_broken_invariants(state)

    def digest(self, state: CompiledState) -> str:
        """Return the fingerprint of a state and of the legal acts of each seat."""
        legal = [self.legal(state, seat) for seat in range(self.game.seats)]
        return digest(self.game, self.decode_state(state), legal)

    # Questions and batches ----------------------------------------------------

    def ask(self, state: CompiledState, question: str, *given: int) -> int:
        """Return the answer of a function that the engine was made with, from encoded values to an encoded value."""
        answer = self._compiled.ask(question)(state, *given)
        if not isinstance(answer, int):
            raise Crash(f"{question} gives {answer!r}, no number")
        return int(answer)

    def play(
        self, state: CompiledState, seed: int, count: int, policy: BatchPolicy | None = None, *, hashed: bool = False
    ) -> BatchSums:
        """Make so many random acts on a state, beginning anew where a match ends; raise `Crash` where one crashes."""
        player, stream, sums = self._choose_player(policy), Chance(seed), Tallying(self._wish.figures)
        for _ in range(count):
            made = player.pick(state, stream)
            if made is None:
                sums.counts["matches"] += 1
                self._restart(state)
                continue
            sums.add_act(self._number(made) if hashed else ())
            self._compiled.play(state, made[1], made[0], made[2])
        return sums.sums()

    def play_matches(
        self, seed: int, count: int, policy: BatchPolicy | None = None, *, hashed: bool = False
    ) -> BatchSums:
        """Play so many matches, each with a seed of its own, the first with this one; those that crash are counted."""
        player, sums = self._choose_player(policy), Tallying(self._wish.figures)
        longest = (policy or BatchPolicy()).longest
        open_chance = PackChance if policy is not None and policy.packs else Chance
        for number in range(count):
            try:
                self._play_match(player, open_chance(seed + number), longest, sums, hashed=hashed)
            except Crash:
                sums.counts["crashed"] += 1
        return sums.sums()

    def _play_match(self, player: RandomPlayer, stream: Chance, longest: int, sums: Tallying, *, hashed: bool) -> None:
        state, deals, figures = self.begin(), 0, MatchFigures(self._compiled, self._wish.figures)
        for _ in range(longest):
            made = player.pick(state, stream)
            if made is None:
                break
            before = state.copy() if made[0] in self._wish.endings else None
            sums.add_act(self._number(made) if hashed else ())
            self._compiled.play(state, made[1], made[0], made[2])
            if before is None:
                continue
            dealt, is_over = self._is_dealt(before), not self._is_dealt(state)
            if is_over or not dealt:
                figures.ask("deal", before, dealt=dealt)
            deals += dealt and is_over
        if self._is_dealt(state):
            figures.ask("deal", state, dealt=True)
            deals += 1
        figures.ask("match", state, dealt=True)
        sums.add_match(figures, deals, over=self.over(state))

    def _choose_player(self, policy: BatchPolicy | None) -> RandomPlayer:
        if policy is None:
            return RandomPlayer(self._compiled, {})
        return RandomPlayer(self._compiled, self._wish.weights if policy.conduct else policy.weights)

    def _restart(self, state: CompiledState) -> None:
        """Put a state back to the beginning of a match."""
        fresh = self.begin()
        for name in vars(type(state))["__slots__"]:
            setattr(state, name, getattr(fresh, name))

    def _is_dealt(self, state: CompiledState) -> bool:
        """Say whether cards lie anywhere."""
        zones = [name for name, variable in self.game.state.items() if variable.zone]
        return any(_has_cards(self._compiled.get(state, name)) for name in zones)

    def _number(self, made: Act) -> list[int]:
        """Return an act as the numbers that are hashed."""
        name, seat, words = made
        values, cards = number_act(words, self._described[name])
        return [self._places[name], seat, *values, *cards]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.game.actions)}

    @cached_property
    def _described(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return the values of each act as the tables of engines have them."""
        acts = lower(self.game).acts
        return {name: describe_values(act, self.game.actions[name]) for name, act in acts.items()}


def _has_cards(value: Value) -> bool:
    """Say whether any card is inside a zone."""
    return any(map(_has_cards, value)) if isinstance(value, (tuple, frozenset)) else isinstance(value, str)
