"""The structures that the functions of an engine take, sized by its tables: each passed as an array of one."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from brou.native.batch import COUNTS, FACT_SUMS, SUMS, VARIETY

#: What the functions return; they are numbered as in the header.
FINE, REFUSED, CRASHED, NO_ACT, NOTHING = range(5)
#: What a batch is counted in.
UNITS = ("acts", "matches")

_Whole, _Long = ctypes.c_int32, ctypes.c_int64

#: A structure of the interface, whose fields depend on the engine.
Passed: TypeAlias = Any


class Structures:
    """The structures of one engine."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._tables = tables
        self._act, self._policy, self._sums = self._make_act(), self._make_policy(), self._make_sums()

    def _make_act(self) -> type[ctypes.Structure]:
        sizes = self._tables["sizes"]
        fields = [
            ("act", ctypes.c_int16),
            ("seat", ctypes.c_int16),
            ("value", _Whole * sizes["values"]),
            ("cards", ctypes.c_uint8 * sizes["passed"]),
        ]
        return type("PassedAct", (ctypes.Structure,), {"_fields_": fields})

    def _make_policy(self) -> type[ctypes.Structure]:
        weight = _Whole * len(self._tables["acts"])
        fields = [("conduct", _Whole), ("packs", _Whole), ("weight", weight), ("longest", _Long)]
        return type("PassedPolicy", (ctypes.Structure,), {"_fields_": fields})

    def _make_sums(self) -> type[ctypes.Structure]:
        one = type("PassedSum", (ctypes.Structure,), {"_fields_": [(name, _Long) for name in SUMS]})
        fields = [("hash", ctypes.c_uint64), ("hashed", _Whole), ("unused", _Whole)]
        fields += [(name, _Long) for name in COUNTS[1:]]
        return type("PassedSums", (ctypes.Structure,), {"_fields_": [*fields, *self._list_counted(one)]})

    def _list_counted(self, one: type[ctypes.Structure]) -> list[tuple[str, Any]]:
        """Return the fields of figures, facts and numbers."""
        sizes = self._tables["sizes"]
        fact: Any = type("PassedCount", (ctypes.Structure,), {"_fields_": [(name, _Long) for name in FACT_SUMS]})
        values: list[tuple[str, Any]] = [
            ("many", _Whole),
            ("value", _Whole * VARIETY),
            ("now", _Long * VARIETY),
            ("count", fact * VARIETY),
        ]
        number = type("PassedNumber", (ctypes.Structure,), {"_fields_": values})
        return [
            ("figure", one * sizes["figures"]),
            ("fact", fact * sizes["facts"]),
            ("number", number * sizes["numbers"]),
        ]

    def pass_act(self, act: int, seat: int, values: Sequence[int], cards: Sequence[int]) -> Passed:
        """Return an act as it is passed."""
        passed: Passed = (self._act * 1)(self._act(act, seat))
        passed[0].value[: len(values)] = values
        passed[0].cards[: len(cards)] = cards
        return passed

    def pass_policy(self, weights: Sequence[int], longest: int, *, conduct: bool, packs: bool) -> Passed:
        """Return how random players choose as it is passed."""
        return (self._policy * 1)(self._policy(int(conduct), int(packs), (_Whole * len(weights))(*weights), longest))

    def pass_sums(self, *, hashed: bool) -> Passed:
        """Return sums of nothing."""
        return (self._sums * 1)(self._sums(hashed=int(hashed)))


def read_sums(passed: Passed) -> dict[str, int]:
    """Return the counts of a batch by name, its hash among them."""
    return {name: getattr(passed[0], name) for name in COUNTS}


def read_figure(passed: Passed, place: int) -> tuple[int, ...]:
    """Return the sums of a figure: of value, square, product with its cases, number of cases and the square of that."""
    return tuple(getattr(passed[0].figure[place], name) for name in SUMS)


def read_facts(passed: Passed, count: int) -> tuple[tuple[int, ...], ...]:
    """Return the sums of the first facts."""
    size = len(FACT_SUMS)
    words = (ctypes.c_int64 * (count * size)).from_buffer(passed[0].fact)[:] if count else []
    return tuple(tuple(words[at : at + size]) for at in range(0, len(words), size))


def read_number(passed: Passed, place: int) -> dict[int, tuple[int, ...]] | None:
    """Return the sums of each value of a number; None where it had too many values."""
    number = passed[0].number[place]
    if number.many > VARIETY:
        return None
    counts = [number.count[n] for n in range(number.many)]
    return {number.value[n]: tuple(getattr(one, name) for name in FACT_SUMS) for n, one in enumerate(counts)}
