"""The fastest engine that a machine has for a rule base."""

from __future__ import annotations

from typing import TypeAlias

from brou.language.syntax import Game
from brou.native.batch import EngineWish
from brou.native.c_header import Label
from brou.native.generated_engine import GeneratedEngine
from brou.native.native import NativeEngine
from brou.native.shared_object import NoCompiler

#: Both have the same surface; `way` says which it is.
AnyEngine: TypeAlias = NativeEngine | GeneratedEngine


def open_engine(game: Game, label: Label | None = None, wish: EngineWish | None = None) -> AnyEngine:
    """Return the engine in C where there is a compiler, else generated Python."""
    try:
        return NativeEngine(game, label, wish)
    except NoCompiler:
        return GeneratedEngine(game, wish)
