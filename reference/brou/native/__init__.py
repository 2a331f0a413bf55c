"""Engines in C: the lowered form written as one C file, and such a file compiled, loaded and played from Python.

`__all__` is what others may rely on; a name is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou.lazy_names import import_lazily

if TYPE_CHECKING:
    from brou.native.batch import VARIETY, BatchFacts, BatchFigure
    from brou.native.built_engines import BUILT_FOLDER, name_built, name_machine
    from brou.native.c_facts import is_enumerated, is_fixed, is_printed, is_seated, list_shown
    from brou.native.c_header import Label, make_prefix
    from brou.native.c_module import write_engine
    from brou.native.data_machine import make_wasm_machine
    from brou.native.generated_engine import GeneratedEngine
    from brou.native.loaded_engine import LoadedEngine
    from brou.native.native import NativeEngine, WasmEngine
    from brou.native.open_engine import AnyEngine
    from brou.native.shared_object import compile_shared, compile_wasm, keep_shared, keep_wasm, load_shared, own_flags

#: The module of each name.
_HOMES = {
    "batch": ("VARIETY", "BatchFacts", "BatchFigure"),
    "built_engines": ("BUILT_FOLDER", "name_built", "name_machine"),
    "c_facts": ("is_enumerated", "is_fixed", "is_printed", "is_seated", "list_shown"),
    "c_header": ("Label", "make_prefix"),
    "c_module": ("write_engine",),
    "data_machine": ("make_wasm_machine",),
    "generated_engine": ("GeneratedEngine",),
    "loaded_engine": ("LoadedEngine",),
    "native": ("NativeEngine", "WasmEngine"),
    "open_engine": ("AnyEngine",),
    "shared_object": ("compile_shared", "compile_wasm", "keep_shared", "keep_wasm", "load_shared", "own_flags"),
}

__all__ = [
    "BUILT_FOLDER",
    "VARIETY",
    "AnyEngine",
    "BatchFacts",
    "BatchFigure",
    "GeneratedEngine",
    "Label",
    "LoadedEngine",
    "NativeEngine",
    "WasmEngine",
    "compile_shared",
    "compile_wasm",
    "is_enumerated",
    "is_fixed",
    "is_printed",
    "is_seated",
    "keep_shared",
    "keep_wasm",
    "list_shown",
    "load_shared",
    "make_prefix",
    "make_wasm_machine",
    "name_built",
    "name_machine",
    "own_flags",
    "write_engine",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that may be there
    __getattr__ = import_lazily(__name__, _HOMES)
