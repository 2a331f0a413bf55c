"""States of engines in C: so many bytes, in which every variable has its place."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

from brou.compiler.compiled_values import Lowering, Raising, Word, as_code, as_codes, lowering, raising
from brou.compiler.set_words import WORD, words
from brou.dataclass import dataclass
from brou.errors import Crash
from brou.interpreter.machine import State
from brou.language.syntax import Game

#: A state: so many bytes, to be copied, compared and stored.
NativeState: TypeAlias = "ctypes.Array[ctypes.c_char]"

_NUMBERS = {"int32_t": ctypes.c_int32, "int16_t": ctypes.c_int16}


@dataclass(frozen=True, slots=True)
class _CellCodec:
    """Where a variable lies, its C type, and how its values are raised and lowered; an array has `count` elements."""

    offset: int
    size: int
    c_type: str
    count: int
    up: Raising
    down: Lowering


class StateCodec:
    """Between the bytes of a state and the interpreter's values; `described` is the part of the tables on states."""

    def __init__(self, game: Game, described: Mapping[str, Any]) -> None:
        self._type = ctypes.c_char * described["size"]
        self._cards = words(len(game.deck.cards))
        cells = {cell["name"]: cell for cell in described["cells"]}
        self._variables = [
            _CellCodec(
                cells[name]["offset"], cells[name]["size"], cells[name]["type"], prod(cells[name]["shape"] or [0]),
                raising(variable.type, game.deck), lowering(variable.type, game.deck),
            )
            for name, variable in game.state.items()
        ]  # fmt: skip

    def make(self) -> NativeState:
        """Return room for a state."""
        made: NativeState = self._type()
        return made

    def phase(self, state: NativeState) -> int:
        """Return the place of the phase."""
        return int(ctypes.c_int32.from_buffer(state).value)

    def decode(self, state: NativeState, phases: Sequence[str]) -> State:
        """Return the state of the interpreter that equals a state."""
        return State(phases[self.phase(state)], tuple(one.up(self._get(state, one)) for one in self._variables))

    def encode(self, state: State, phases: Sequence[str]) -> NativeState:
        """Return the bytes of a state of the interpreter."""
        made = self.make()
        ctypes.c_int32.from_buffer(made).value = phases.index(state.phase)
        for one, value in zip(self._variables, state.values, strict=True):
            word = one.down(value)
            rows = as_codes(word) if one.count else [word]
            data = b"".join(self._write(one.c_type, row, one.size // len(rows)) for row in rows)
            ctypes.memmove(ctypes.addressof(made) + one.offset, data, len(data))
        return made

    def _get(self, state: NativeState, one: _CellCodec) -> Word:
        data = state.raw[one.offset : one.offset + one.size]
        size = one.size // (one.count or 1)
        rows = [self._read(one.c_type, data[at : at + size]) for at in range(0, len(data), size)]
        return rows if one.count else rows[0]

    def _read(self, c_type: str, data: bytes) -> Word:
        if c_type in _NUMBERS:
            return int(_NUMBERS[c_type].from_buffer_copy(data).value)
        if c_type == "brou_set":
            found = (ctypes.c_uint64 * self._cards).from_buffer_copy(data)
            return sum(int(word) << WORD * place for place, word in enumerate(found))
        if c_type == "brou_pile":
            count = ctypes.c_int16.from_buffer_copy(data).value
            start = ctypes.sizeof(ctypes.c_int16)
            return None if count < 0 else tuple(1 << place for place in data[start : start + count])
        if c_type == "brou_list":
            words_ = ctypes.c_int32 * (len(data) // ctypes.sizeof(ctypes.c_int32))
            count, *listed = map(int, words_.from_buffer_copy(data))
            return None if count < 0 else tuple(listed[:count])
        raise Crash(f"a variable of the type {c_type}")

    def _write(self, c_type: str, word: Word, size: int) -> bytes:
        if c_type in _NUMBERS:
            return bytes(_NUMBERS[c_type](as_code(word)))
        if c_type == "brou_set":
            bits = as_code(word)
            return bytes(
                (ctypes.c_uint64 * self._cards)(*(bits >> WORD * n & (1 << WORD) - 1 for n in range(self._cards)))
            )
        if word is None:
            return bytes(ctypes.c_int16(-1) if c_type == "brou_pile" else ctypes.c_int32(-1)).ljust(size, b"\0")
        if c_type == "brou_pile":
            cards = [as_code(card) for card in as_codes(word)]
            places = bytes(card.bit_length() - 1 for card in cards)
            return (bytes(ctypes.c_int16(len(places))) + places).ljust(size, b"\0")
        listed = [as_code(one) for one in as_codes(word)]
        return bytes((ctypes.c_int32 * (size // ctypes.sizeof(ctypes.c_int32)))(len(listed), *listed))
