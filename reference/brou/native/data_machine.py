"""The machine that runs the lowered form as data, made once for each size of sets: by a compiler, or in WebAssembly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TypeAlias

from brou.compiler.set_words import WORD
from brou.native.built_engines import find_built_machine
from brou.native.c_text import read_source
from brou.native.interface import LONG, MEMORY, WHOLE, Function
from brou.native.shared_object import NoCompiler, compile_shared, compile_wasm, keep_shared, load_shared, own_flags
from brou.native.wasm_interface import WasmFunctions

#: The functions of the machine by name.
MachineFunctions: TypeAlias = "Mapping[str, Function]"

PREFIX = "brou_machine_"
#: What each function takes; all return a code, or a number of entries.
_SURFACE: Mapping[str, tuple[type, ...]] = {
    "begin": (MEMORY, MEMORY, MEMORY),
    "offers": (MEMORY, MEMORY, MEMORY, MEMORY, WHOLE),
    "apply": (MEMORY, MEMORY, MEMORY, MEMORY),
    "step": (MEMORY, MEMORY, MEMORY, MEMORY, MEMORY, MEMORY, WHOLE),
    "play": (MEMORY, MEMORY, MEMORY, MEMORY, LONG, WHOLE, MEMORY, MEMORY, WHOLE, MEMORY),
    "ask": (MEMORY, MEMORY, MEMORY, WHOLE, MEMORY),
    "call": (MEMORY, MEMORY, MEMORY, WHOLE, MEMORY, WHOLE, MEMORY),
}


@lru_cache(maxsize=4)
def open_machine(words: int) -> MachineFunctions:
    """Return the machine for sets of so many words: in C where there is a compiler, else as it was built in advance.

    Raise `NoCompiler` where there is neither.
    """
    text = write_machine(words)
    with suppress(NoCompiler):
        return _load(keep_shared(text, lambda: text, own_flags()))
    built = find_built_machine(words)
    if built is None:
        raise NoCompiler("the machine is made by a C compiler; install one, name it in CC, or install brou[build]")
    return load_wasm_machine(built)


def compile_machine(words: int, flags: Sequence[str]) -> MachineFunctions:
    """Return the machine, made now and not kept."""
    return _load(compile_shared(write_machine(words), flags))


def _load(made: bytes) -> MachineFunctions:
    library, found = load_shared(made), dict[str, Function]()
    for name, given in _SURFACE.items():
        function = library[f"{PREFIX}{name}"]
        function.argtypes, function.restype = given, WHOLE
        found[name] = function
    return found


def make_wasm_machine(words: int) -> bytes:
    """Return the machine in WebAssembly; raise `NoCompiler` without `ziglang`."""
    return compile_wasm(write_machine(words), PREFIX, names=tuple(_SURFACE))


def load_wasm_machine(made: bytes) -> MachineFunctions:
    """Return the functions of the machine in WebAssembly; raise `NoCompiler` where nothing runs it."""
    module = WasmFunctions(made, PREFIX)
    return {name: module.wrap(name) for name in _SURFACE}


def write_machine(words: int) -> str:
    """Return the C text of the machine for sets of so many words."""
    set_ = "uint64_t" if words == 1 else "struct { uint64_t word[BROU_WORDS]; }"
    head = [
        "#include <stddef.h>", "#include <stdint.h>", read_source("memory.h"), f"#define BROU_WORDS {words}",
        f"#define BROU_CARDS {WORD * words}", "#define BROU_PILE 256", "#define BROU_PASSED 256",
        "#define BROU_NO_NUMBER (-2147483647 - 1)", f"typedef {set_} brou_set;",
        "typedef struct { int16_t n; uint8_t at[BROU_PILE]; } brou_pile;",
        "typedef struct { int32_t n; int32_t at[1]; } brou_list;",
        "typedef struct { int32_t n; brou_set at[1]; } brou_sets;",
    ]  # fmt: skip
    return "\n".join([*head, read_source("runtime.h"), read_source("machine.c")])
