"""Engines that run rules as data: they need no compiler for each, so that a mutant or an edit plays at once.

The machine itself is made by a compiler, once for each size of sets, and kept.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from brou.compiler.compiled_values import Word, as_code, as_codes, lowering, raising
from brou.compiler.lower import lower_whole
from brou.compiler.set_words import WORD
from brou.dataclass import dataclass
from brou.errors import BadAct, BrokenPromise, Crash
from brou.interpreter.acts import extract_values, single
from brou.interpreter.digest import digest
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.codec import Json, NoSuchValue, outside, read, writer
from brou.language.syntax import Game
from brou.native.batch import number_act
from brou.native.c_tables import describe_values
from brou.native.data_machine import MachineFunctions, open_machine
from brou.native.data_program import CellLayout, DataProgram, encode_data
from brou.native.structures import CRASHED, FINE, NO_ACT, NOTHING, REFUSED, Passed, Structures

#: A state: values of some words each, to be copied and compared.
DataState: TypeAlias = "ctypes.Array[ctypes.c_int64]"
#: A stream of random numbers: one word, which changes.
DataStream: TypeAlias = "ctypes.Array[ctypes.c_uint64]"

#: What a list of what is open has room for, what an act passes, and how many values one has: as the machine has it.
_OFFERS, _PASSED, _VALUES = 2048, 256, 8
_WHOLE = ctypes.c_int32
#: The sums of a run, as the machine counts them.
_SUMS = 4


@dataclass(frozen=True, slots=True)
class DataSums:
    """The sums of a run: the hash of its acts, that of every state with its offers, matches that ended, acts.

    The hash of states is 0 where nothing was watched. `crashed` says whether the rules broke a promise, which ended it.
    """

    acted: int
    passed: int
    matches: int
    acts: int
    crashed: bool


class DataEngine:
    """The engine of one game as data; raise `NoCompiler` where the machine cannot be made, `TooCostly` for its limits.

    Score and views come from the interpreter, as reasons do: the machine plays.
    """

    way = "data"

    def __init__(self, game: Game, *, asked: Sequence[str] = (), run: MachineFunctions | None = None) -> None:
        self.game = game
        self.machine = Machine(game)
        program = lower_whole(game, asked)
        self._data: DataProgram = encode_data(program)
        self._routines = program.routines
        self._run = open_machine(self._data.words) if run is None else run
        self._acts = list(game.actions)
        self._phases = list(program.stages)
        self._described = {name: describe_values(act, game.actions[name]) for name, act in program.acts.items()}
        self._structures = Structures({
            "sizes": {"values": _VALUES, "passed": _PASSED, "figures": 0, "facts": 0, "numbers": 0}, "acts": self._acts,
        })  # fmt: skip
        offer = [
            ("act", _WHOLE), ("seat", _WHOLE), ("many", _WHOLE), ("unused", _WHOLE), ("value", _WHOLE * _VALUES),
            ("cards", ctypes.c_uint64 * self._data.words),
        ]  # fmt: skip
        entry: Any = type("DataOffer", (ctypes.Structure,), {"_fields_": offer})
        self._found = (entry * _OFFERS)()

    # States -------------------------------------------------------------------

    def _make(self) -> DataState:
        made: DataState = (ctypes.c_int64 * (self._data.state * self._data.unit))()
        return made

    def begin(self) -> DataState:
        """Return the state in which a match begins."""
        state = self._make()
        self._check(self._call("begin", state))
        return state

    def start(self, given: Mapping[str, object]) -> DataState:
        """Return the state before a deal, with the variables that the rules allow to be given."""
        return self.encode_state(self.machine.start(given))

    def copy(self, state: DataState) -> DataState:
        """Return a state that may be changed without changing this one."""
        return type(state).from_buffer_copy(state)

    def over(self, state: DataState) -> bool:
        """Say whether the match has ended."""
        return self.game.phases[self._phases[state[0]]].final

    def _call(self, name: str, state: DataState, *given: object) -> int:
        return self._run[name](self._data.code, self._data.room, state, *given)

    def _check(self, code: int) -> int:
        """Return the code of a function; raise where it crashed."""
        if code == CRASHED:
            raise BrokenPromise(f"{self.game.id}: the rules broke a promise")
        return code

    def decode_state(self, state: DataState) -> State:
        """Return the state of the interpreter that equals a state."""
        return State(
            self._phases[state[0]],
            tuple(
                raising(variable.type, self.game.deck)(self._read_cell(state, self._data.cells[name]))
                for name, variable in self.game.state.items()
            ),
        )

    def encode_state(self, state: State) -> DataState:
        """Return the encoded form of a state of the interpreter."""
        made = self._make()
        made[0] = self._phases.index(state.phase)
        for (name, variable), value in zip(self.game.state.items(), state.values, strict=True):
            self._write_cell(made, self._data.cells[name], lowering(variable.type, self.game.deck)(value))
        return made

    def _read_cell(self, state: DataState, cell: CellLayout) -> Word:
        found = [self._read_element(state, cell.place + n * cell.step, cell.element) for n in range(cell.count)]
        return found if cell.form == "array" else found[0]

    def _read_element(self, state: DataState, place: int, form: str) -> Word:
        if form not in ("pile", "list"):
            return self._read_word(state, place, form)
        many = state[place * self._data.unit]
        inner = "card" if form == "pile" else "number"
        return None if many < 0 else tuple(self._read_word(state, place + 1 + n, inner) for n in range(many))

    def _read_word(self, state: DataState, place: int, form: str) -> int:
        at = place * self._data.unit
        if form not in ("card", "set"):
            return state[at]
        return sum((state[at + n] & (1 << WORD) - 1) << WORD * n for n in range(self._data.words))

    def _write_cell(self, state: DataState, cell: CellLayout, word: Word) -> None:
        for n, one in enumerate(as_codes(word) if cell.form == "array" else [word]):
            place = cell.place + n * cell.step
            if cell.element not in ("pile", "list"):
                self._write_word(state, place, cell.element, as_code(one))
                continue
            listed = [] if one is None else as_codes(one)
            state[place * self._data.unit] = -1 if one is None else len(listed)
            for k, each in enumerate(listed):
                self._write_word(state, place + 1 + k, "card" if cell.element == "pile" else "number", as_code(each))

    def _write_word(self, state: DataState, place: int, form: str, word: int) -> None:
        at = place * self._data.unit
        count = self._data.words if form in ("card", "set") else 1
        for n in range(count):
            state[at + n] = ctypes.c_int64(word >> WORD * n & (1 << WORD) - 1).value if count > 1 else word

    # Acting -------------------------------------------------------------------

    def act(self, state: DataState, seat: int, act: Mapping[str, object]) -> DataState | Refusal:
        """Apply an act; return the state after it, or the same refusal as the interpreter."""
        passed, after = self._pass(seat, act), self.copy(state)
        code = NO_ACT if passed is None else self._check(self._call("apply", after, passed))
        if code == FINE:
            return after
        refusal = self.machine.act(self.decode_state(state), seat, act)
        if not isinstance(refusal, Refusal) or code not in (REFUSED, NO_ACT):
            raise Crash(f"{self.game.id}: the engines disagree on {dict(act)!r} by {seat}")
        return refusal

    def _pass(self, seat: int, act: Mapping[str, object]) -> Passed | None:
        """Return an act as it is passed, or None where it has no such action or value."""
        name, value = single(act)
        action = self.game.actions.get(name)
        if action is None or seat not in range(self.game.seats):
            return None
        deck = self.game.deck
        try:
            given = [
                lowering(parameter.type, deck)(read(parameter.type, item, deck))
                for parameter, item in zip(action.parameters, extract_values(action, value), strict=True)
            ]
        except (NoSuchValue, BadAct):
            return None
        return self._structures.pass_act(self._acts.index(name), seat, *number_act(given, self._described[name]))

    def open_stream(self, seed: int) -> DataStream:
        """Return a stream of random numbers."""
        return (ctypes.c_uint64 * 1)(seed)

    def step(self, state: DataState, stream: DataStream) -> bool:
        """Apply an act drawn uniformly to the state in place; say whether any act was open."""
        return self._check(self._call("step", state, stream, None, self._found, _OFFERS)) != NOTHING

    def play(
        self,
        state: DataState,
        seed: int,
        count: int,
        weights: Mapping[str, int] | None = None,
        *,
        watched: bool = False,
    ) -> DataSums:
        """Make `count` random acts on a state, with a new match when one ends; a crash stops it.

        An act counts as often as it weighs, once where it has no weight here.
        """
        passed = None
        if weights is not None:
            passed = (_WHOLE * len(self._acts))(*(weights.get(name, 1) for name in self._acts))
        sums, stream = (ctypes.c_uint64 * _SUMS)(), self.open_stream(seed)
        code = self._call("play", state, stream, count, int(watched), passed, self._found, _OFFERS, sums)
        acted, passed_by, matches, acts = sums
        return DataSums(acted, passed_by, matches, acts, crashed=code != FINE)

    def is_like(self, other: DataEngine) -> bool:
        """Say whether states of two engines lie alike, so that what they come to may be compared by hash."""
        return self._data.cells == other._data.cells and self._phases == other._phases

    # What is open, and what is shown ------------------------------------------

    def legal(self, state: DataState, seat: int) -> dict[str, Json]:
        """Return the acts that a seat may make: act name -> accepted values, or their description."""
        many = self._call("offers", state, self._found, _OFFERS)
        if many < 0:
            self._check(CRASHED)
        listed: dict[str, list[Json]] = {}
        described: dict[str, Json] = {}
        for offer in self._found[:many]:
            name = self._acts[offer.act]
            if offer.seat != seat:
                continue
            if any(parameter.described for parameter in self.game.actions[name].parameters):
                described[name] = self._describe(state, seat, name)
            else:
                listed.setdefault(name, []).extend(self._write(name, offer))
        found: dict[str, Json] = {**described, **listed}
        return {
            outside(name): found[name] for name in self.game.phases[self._phases[state[0]]].actions if name in found
        }

    def _describe(self, state: DataState, seat: int, name: str) -> Json:
        """Return what an act is offered with whose values are described: the interpreter's words."""
        return self.machine.legal(self.decode_state(state), seat)[outside(name)]

    def _write(self, name: str, offer: Passed) -> Sequence[Json]:
        """Return the acts that one entry stands for as they go over the wire."""
        action = self.game.actions[name]
        ups = [(raising(p.type, self.game.deck), writer(p.type, self.game.deck)) for p in action.parameters]
        values = [self._raise_value(name, place, offer) for place in range(len(ups))]
        cards = sum(word << WORD * n for n, word in enumerate(offer.cards)) if offer.many else 0
        ends = [1 << place for place in range(cards.bit_length()) if cards >> place & 1] if cards else [None]
        found: list[Json] = []
        for end in ends:
            words = values if end is None else [*values[:-1], end]
            parts: dict[str, Json] = {
                outside(p.id): write(up(word))
                for p, (up, write), word in zip(action.parameters, ups, words, strict=True)
            }
            found.append((next(iter(parts.values())) if len(parts) == 1 else parts) if parts else True)
        return found

    def _raise_value(self, name: str, place: int, offer: Passed) -> Word:
        value: int = offer.value[place]
        match self._described[name][place]:
            case {"kind": "card"}:
                return 1 << value if value < len(self.game.deck.cards) else 0
            case {"kind": "list", "lists": list(lists)}:
                row = lists[value]
                return tuple(one for one in row if isinstance(one, int)) if isinstance(row, list) else ()
        return value

    def score(self, state: DataState) -> dict[str, Json]:
        """Return the accounts and results, which are the same for every seat."""
        return self.machine.score(self.decode_state(state))

    def view(self, state: DataState, seat: int) -> dict[str, Json]:
        """Return what a seat sees."""
        self.game.check_seat(seat)
        return self.machine.view(self.decode_state(state), seat)

    def find_broken_invariants(self, state: DataState) -> list[str]:
        """Return the invariants that do not hold."""
        return [name for name, term in self._data.invariants.items() if not self._ask(state, term)]

    def _ask(self, state: DataState, term: int) -> int:
        answer = (ctypes.c_int64 * self._data.unit)()
        self._check(self._call("ask", state, term, answer))
        return answer[0]

    def ask(self, state: DataState, question: str, *given: int) -> Word:
        """Return the encoded result of a function of the rules for encoded values; numbers and sets only.

        A card that is passed is its place.
        """
        routine = self._routines[question]
        passed = (ctypes.c_int64 * (self._data.unit * max(1, len(given))))()
        for n, ((_, kind), one) in enumerate(zip(routine.arguments, given, strict=True)):
            word = (1 << one if one >= 0 else 0) if kind.form == "card" else one
            self._write_word(passed, n, kind.form, word)
        answer = (ctypes.c_int64 * self._data.unit)()
        self._check(self._call("call", state, self._data.routines[question], passed, len(given), answer))
        return self._read_word(answer, 0, routine.kind.form)

    def digest(self, state: DataState) -> str:
        """Return the fingerprint of a state and of the legal acts of each seat."""
        legal = [self.legal(state, seat) for seat in range(self.game.seats)]
        return digest(self.game, self.decode_state(state), legal)
