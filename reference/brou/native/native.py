"""Engines made of C: as a shared object of this machine, and in WebAssembly."""

from __future__ import annotations

from collections.abc import Sequence

from brou.language.export import identity
from brou.language.syntax import Game
from brou.native.batch import EngineWish
from brou.native.built_engines import find_built
from brou.native.c_header import Label, make_prefix
from brou.native.c_module import write_engine
from brou.native.interface import SharedInterface
from brou.native.loaded_engine import LoadedEngine
from brou.native.shared_object import compile_shared, compile_wasm, keep_shared, keep_wasm, load_shared, own_flags
from brou.native.wasm_interface import WasmInterface


class NativeEngine(LoadedEngine):
    """The engine of one game in C, from the cache unless `keep` is false; raise `NoCompiler` without a compiler."""

    way = "native"

    def __init__(
        self,
        game: Game,
        label: Label | None = None,
        wish: EngineWish | None = None,
        *,
        keep: bool = True,
        flags: Sequence[str] | None = None,
    ) -> None:
        named, wished = label or Label.of(game), wish or EngineWish()

        def write() -> str:
            return write_engine(game, named, wished)[0]

        about = (identity(game), named, wished.key)
        flags = flags or own_flags()
        made = keep_shared(about, write, flags) if keep else compile_shared(write(), flags)
        self._shared = SharedInterface(load_shared(made), make_prefix(game.id))
        super().__init__(game, self._shared)

    def find_address(self, name: str) -> int:
        """Return where a function of the interface lies, for code that calls it without Python."""
        return self._shared.find_address(name)


class WasmEngine(LoadedEngine):
    """The engine of one game in WebAssembly: the one that was built in advance, else one that `ziglang` makes now.

    Raise `NoCompiler` without one of them, or without `wasmtime`. With `keep` false nothing made before is taken.
    """

    way = "wasm"

    def __init__(
        self,
        game: Game,
        label: Label | None = None,
        wish: EngineWish | None = None,
        *,
        keep: bool = True,
        flags: Sequence[str] | None = None,
    ) -> None:
        named, wished, prefix = label or Label.of(game), wish or EngineWish(), make_prefix(game.id)

        def write() -> str:
            return write_engine(game, named, wished)[0]

        made = find_built(game, wished) if keep else None
        if made is None and keep:
            made = keep_wasm((identity(game), named, wished.key), write, prefix, flags)
        super().__init__(game, WasmInterface(made or compile_wasm(write(), prefix, flags), prefix))
