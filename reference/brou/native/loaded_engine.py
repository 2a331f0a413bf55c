"""An engine made of C, played from Python: it has the surface of `Compiled`, with random acts and batches beside it."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from brou.compiler.compiled_values import lowering
from brou.errors import BadAct, BrokenPromise, Crash
from brou.interpreter.acts import extract_values, single
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.codec import Json, NoSuchValue, read
from brou.language.syntax import Game
from brou.native.batch import BatchPolicy, BatchSums, number_act
from brou.native.interface import Function, Interface
from brou.native.native_state import NativeState, StateCodec
from brou.native.structures import (
    CRASHED,
    NO_ACT,
    NOTHING,
    REFUSED,
    UNITS,
    Passed,
    read_facts,
    read_figure,
    read_number,
    read_sums,
)

#: The bytes of a fingerprint, and the room for a document; one that is longer is asked for again.
_DIGEST = 32
_ROOM = 1 << 14

#: A stream of random numbers: one word, which changes.
NativeStream: TypeAlias = "ctypes.Array[ctypes.c_uint64]"


class LoadedEngine:
    """The engine of one game behind the functions of its interface."""

    def __init__(self, game: Game, interface: Interface) -> None:
        self.game = game
        self._engine = interface
        self.tables: Mapping[str, Any] = interface.tables
        self.machine = Machine(game)
        self._codec = StateCodec(game, self.tables["state"])
        self._names = [one["name"].replace("-", "_") for one in self.tables["acts"]]
        self._phases = list(game.phases)

    # States -------------------------------------------------------------------

    def begin(self) -> NativeState:
        """Return the state in which a match begins."""
        state = self._codec.make()
        self._check(self._engine.begin(state))
        return state

    def start(self, given: Mapping[str, object]) -> NativeState:
        """Return the state before a deal, with the variables that the rules allow to be given."""
        return self.encode_state(self.machine.start(given))

    def copy(self, state: NativeState) -> NativeState:
        """Return a state that may be changed without changing this one."""
        return type(state).from_buffer_copy(state)

    def decode_state(self, state: NativeState) -> State:
        """Return the state of the interpreter that equals a state."""
        return self._codec.decode(state, self._phases)

    def encode_state(self, state: State) -> NativeState:
        """Return the encoded form of a state of the interpreter."""
        return self._codec.encode(state, self._phases)

    def over(self, state: NativeState) -> bool:
        """Say whether the match has ended."""
        return self.game.phases[self._phases[self._codec.phase(state)]].final

    def _check(self, code: int) -> int:
        """Return the code of a function; raise where it crashed."""
        self._check_length(-1 if code == CRASHED else code)
        return code

    # Acting -------------------------------------------------------------------

    def act(self, state: NativeState, seat: int, act: Mapping[str, object]) -> NativeState | Refusal:
        """Apply an act; return the state after it, or the same refusal as the interpreter."""
        passed = self._pass(seat, act)
        after = self.copy(state)
        code = NO_ACT if passed is None else self._check(self._engine.apply(after, passed))
        if code not in (REFUSED, NO_ACT):
            return after
        refusal = self.machine.act(self.decode_state(state), seat, act)
        if not isinstance(refusal, Refusal):
            raise Crash(f"{self.game.id}: the engines disagree on {dict(act)!r} by {seat}")
        return refusal

    def _pass(self, seat: int, act: Mapping[str, object]) -> Passed | None:
        """Return an act as it is passed, or None where it has no such action or value."""
        name, value = single(act)
        action = self.game.actions.get(name)
        if action is None or seat not in range(self.game.seats):
            return None
        deck, place = self.game.deck, self._names.index(name)
        given = extract_values(action, value)
        try:
            words = [
                lowering(parameter.type, deck)(read(parameter.type, item, deck))
                for parameter, item in zip(action.parameters, given, strict=True)
            ]
        except NoSuchValue:
            return None
        return self._engine.structures.pass_act(place, seat, *number_act(words, self.tables["acts"][place]["values"]))

    def open_stream(self, seed: int) -> NativeStream:
        """Return a stream of random numbers."""
        return (ctypes.c_uint64 * 1)(seed)

    def step(self, state: NativeState, stream: NativeStream) -> bool:
        """Apply an act drawn uniformly to the state in place; say whether any act was open."""
        return self._check(self._engine.step(state, stream, None, None)) != NOTHING

    # What is open, and what is shown ------------------------------------------

    def legal(self, state: NativeState, seat: int) -> dict[str, Json]:
        """Return the acts that a seat may make: act name -> accepted values, or their description."""
        return self._read_document(self._engine.legal, state, seat)

    def score(self, state: NativeState) -> dict[str, Json]:
        """Return the accounts and results, which are the same for every seat."""
        return self._read_document(self._engine.score, state)

    def view(self, state: NativeState, seat: int) -> dict[str, Json]:
        """Return what a seat sees."""
        self.game.check_seat(seat)
        return self._read_document(self._engine.view, state, seat)

    def _read_document(self, write: Function, *given: object) -> dict[str, Json]:
        """Return the JSON that a function writes."""
        room = ctypes.create_string_buffer(_ROOM)
        length = self._check_length(write(*given, room, len(room)))
        if length > len(room):
            room = ctypes.create_string_buffer(length)
            write(*given, room, length)
        found: dict[str, Json] = json.loads(room.raw[:length])
        return found

    def _check_length(self, length: int) -> int:
        """Return the length of a document, or the number of acts of a batch; raise where there is none."""
        if length < 0:
            raise BrokenPromise(f"{self.game.id}: the rules broke a promise")
        return length

    def find_broken_invariants(self, state: NativeState) -> list[str]:
        """Return the invariants that do not hold."""
        broken = self._engine.broken(state)
        names: Sequence[str] = self.tables["invariants"]
        if broken >> len(names):
            self._check(CRASHED)
        return [name for place, name in enumerate(names) if broken >> place & 1]

    def digest(self, state: NativeState) -> str:
        """Return the fingerprint of a state and of the legal acts of each seat."""
        out = ctypes.create_string_buffer(_DIGEST)
        self._check(self._engine.digest(state, out))
        return out.raw.hex()

    # Questions and batches ----------------------------------------------------

    def ask(self, state: NativeState, question: str, *given: int) -> int:
        """Return the answer of a function that the engine was made with, from encoded values to an encoded value.

        A card is its place in the pack. Raise `BadAct` for a value that there cannot be.
        """
        place = [one["name"] for one in self.tables["questions"]].index(question)
        passed, answer = (ctypes.c_int32 * max(1, len(given)))(*given), (ctypes.c_int64 * 1)()
        if self._check(self._engine.ask(state, place, passed, answer)) == NO_ACT:
            raise BadAct(f"{question} takes other values than {given}")
        return answer[0]

    def play(
        self, state: NativeState, seed: int, count: int, policy: BatchPolicy | None = None, *, hashed: bool = False
    ) -> BatchSums:
        """Make so many random acts on a state, beginning anew where a match ends; raise `Crash` where one crashes."""
        return self._play("acts", state, seed, count, policy, hashed)

    def play_matches(
        self, seed: int, count: int, policy: BatchPolicy | None = None, *, hashed: bool = False
    ) -> BatchSums:
        """Play so many matches, each with a seed of its own, the first with this one; those that crash are counted."""
        return self._play("matches", self._codec.make(), seed, count, policy, hashed)

    def pass_policy(self, policy: BatchPolicy) -> Passed:
        """Return how random players choose as it is passed."""
        weights = [policy.weights.get(name, 1) for name in self._names]
        return self._engine.structures.pass_policy(weights, policy.longest, conduct=policy.conduct, packs=policy.packs)

    def measure(self) -> tuple[int, int]:
        """Return how many bytes a state takes, and an act as it is passed."""
        return ctypes.sizeof(self._codec.make()), ctypes.sizeof(self._engine.structures.pass_act(0, 0, (), ()))

    def _play(  # noqa: PLR0913, PLR0917 - what two functions above take
        self,
        unit: str,
        state: NativeState,
        seed: int,
        count: int,
        policy: BatchPolicy | None,
        hashed: bool,  # noqa: FBT001 - likewise
    ) -> BatchSums:
        sums, stream = self._engine.structures.pass_sums(hashed=hashed), self.open_stream(seed)
        by = None if policy is None else self.pass_policy(policy)
        made = self._engine.play(state, stream, count, UNITS.index(unit), by, sums)
        self._check_length(made)
        keys: Sequence[str] = self.tables["figures"]
        return BatchSums(
            read_sums(sums),
            {key: read_figure(sums, place) for place, key in enumerate(keys)},
            read_facts(sums, len(self.tables["facts"])),
            tuple(read_number(sums, place) for place in range(len(self.tables["numbers"]))),
        )
