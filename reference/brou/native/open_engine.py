"""The fastest engine that a machine has for a rule base."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeAlias

from brou.errors import TooCostly, Unknown
from brou.language.syntax import Game
from brou.native.batch import EngineWish
from brou.native.built_engines import find_built
from brou.native.c_header import Label
from brou.native.generated_engine import GeneratedEngine
from brou.native.native import NativeEngine, WasmEngine
from brou.native.shared_object import NoCompiler

#: All have the same surface; `way` says which it is.
AnyEngine: TypeAlias = NativeEngine | WasmEngine | GeneratedEngine
#: The ways to run an engine: compiled for this machine, WebAssembly in `wasmtime`, generated Python.
WAYS = ("native", "wasm", "python")


def open_engine(
    game: Game, label: Label | None = None, wish: EngineWish | None = None, way: str | None = None
) -> AnyEngine:
    """Return an engine in C if there is a compiler, else prebuilt WebAssembly, else Python.

    With `way`, one of `WAYS`, return that one, or raise `NoCompiler` if it is not available.
    """
    match way:
        case None:
            return _open_fastest(game, label, wish)
        case "native":
            return NativeEngine(game, label, wish)
        case "wasm":
            return WasmEngine(game, label, wish)
        case "python":
            return GeneratedEngine(game, wish)
    raise Unknown("way", way, WAYS)


def _open_fastest(game: Game, label: Label | None, wish: EngineWish | None) -> AnyEngine:
    with suppress(NoCompiler, TooCostly):
        return NativeEngine(game, label, wish)
    if find_built(game, wish or EngineWish()) is not None:
        with suppress(NoCompiler):
            return WasmEngine(game, label, wish)
    return GeneratedEngine(game, wish)
