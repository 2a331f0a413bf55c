"""Partings of readings counted by engines in C, which a loop in C asks: the same counts as in generated Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

from brou import BatchPolicy, BrokenPromise, Choice
from brou.native import NativeEngine, keep_shared, load_shared
from brou_tools.ambiguities.same_code import CodeDifference, EngineCode
from brou_tools.matches.engines import TaughtRules, teach_engine

_ROOM, _SOURCE = "brou_tools.ambiguities", "partings.c"
#: The functions that the loop calls, in the order of its structure.
_ASKED = ("begin", "step", "apply", "meant", "scored", "ends")
#: The tables of two engines that must be alike, so that states and acts of one are those of the other.
_ALIKE = ("cards", "acts", "phases", "state", "sizes")


class _Beside(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in _ASKED),
        ("phases", ctypes.c_char_p),
        ("acts", ctypes.c_char_p),
        ("score", ctypes.c_int64),
    )


@dataclass(frozen=True)
class ReadingEngine:
    """An engine in C that knows the conduct, with the rules that it was made of."""

    taught: TaughtRules
    engine: NativeEngine

    @cached_property
    def code(self) -> EngineCode:
        """Return the code of the engine, which takes half a second to write."""
        return EngineCode.of(self.taught)

    def has_form_of(self, other: ReadingEngine) -> bool:
        """Say whether the states and acts of both have one form, so that the loop can put one where the other is."""
        return all(self.engine.tables[name] == other.engine.tables[name] for name in _ALIKE)


def open_reading(choice: Choice) -> ReadingEngine:
    """Return an engine in C that knows the conduct; raise `NoCompiler` or `TooCostly` where there can be none."""
    taught = teach_engine(choice, apart=True)
    return ReadingEngine(taught, NativeEngine(taught.game, taught.label, taught.wish))


def count_natively(
    base: ReadingEngine, others: Sequence[tuple[str, ReadingEngine]], seed: int, deals: int, longest: int
) -> dict[str, int]:
    """Return by the key of a reading in how many deals some value of it answers otherwise.

    The engines have one form. Raise `BrokenPromise` where the rules of one of them break one.
    """
    keys = list(dict.fromkeys(key for key, _ in others))
    points = [_point(one.engine, base.code.compare(one.code)) for one in (base, *(other for _, other in others))]
    engines = (_Beside * len(points))(*points)
    numbers = (ctypes.c_int32 * max(1, len(others)))(*(keys.index(key) for key, _ in others))
    counts, counted = ((ctypes.c_int64 * max(1, len(keys)))() for _ in range(2))
    size, passed = base.engine.measure()
    policy = base.engine.pass_policy(BatchPolicy(conduct=True))
    fine = _load().brou_count_partings(
        engines, numbers, len(others), ctypes.c_int64(size), ctypes.c_uint64(seed), ctypes.c_int64(deals),
        ctypes.c_int64(longest), policy, ctypes.c_int64(passed), counts, counted,
    )  # fmt: skip
    if not fine:
        raise BrokenPromise(f"{base.engine.game.id}: the rules broke a promise")
    return dict(zip(keys, counts, strict=True))


def _point(engine: NativeEngine, difference: CodeDifference) -> _Beside:
    asked = (engine.find_address(name) for name in _ASKED)
    return _Beside(*asked, bytes(difference.phases), bytes(difference.acts), difference.score)


@lru_cache(maxsize=1)
def _load() -> ctypes.CDLL:
    text = files(_ROOM).joinpath(_SOURCE).read_text(encoding="ascii")
    return load_shared(keep_shared(text, lambda: text))
