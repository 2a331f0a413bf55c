"""The interface of an engine in WebAssembly, run by `wasmtime`: what a function takes is copied in, and out again."""

from __future__ import annotations

import ctypes
from importlib.util import find_spec
from typing import TYPE_CHECKING

from brou.native.interface import BITS, SURFACE, Function, Interface
from brou.native.shared_object import NoCompiler

if TYPE_CHECKING:
    import wasmtime

#: A page of memory, and where what is passed begins and ends: at words.
_PAGE, _WORD = 1 << 16, 8


def has_wasmtime() -> bool:
    """Say whether there is something that runs WebAssembly."""
    return find_spec("wasmtime") is not None


class WasmFunctions:
    """The functions of a module in WebAssembly, which take arrays; raise `NoCompiler` where nothing runs it."""

    def __init__(self, made: bytes, prefix: str) -> None:
        if not has_wasmtime():
            raise NoCompiler("nothing here runs WebAssembly; install brou[fast]")
        import wasmtime  # noqa: PLC0415 - an extra, and heavy

        self._prefix = prefix
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        module = wasmtime.Module(engine, made)
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory, base = self._exports["memory"], self._exports["__heap_base"]
        if not isinstance(memory, wasmtime.Memory) or not isinstance(base, wasmtime.Global):
            raise NoCompiler("this is no engine in WebAssembly")
        self._memory, self._base = memory, int(base.value(self._store))

    def wrap(self, name: str, *, unsigned: bool = False) -> Function:
        """Return a function that copies its arrays into the memory of the module, and out again."""
        function = self._function(name)

        def call(*given: object) -> int:
            passed, copied, at = [], [], self._base
            for one in given:
                if one is None or isinstance(one, int):
                    passed.append(one or 0)
                elif isinstance(one, ctypes.Array):
                    copied.append((one, at))
                    passed.append(at)
                    at += -(-ctypes.sizeof(one) // _WORD) * _WORD
                else:
                    raise TypeError(f"{one!r} cannot be passed to {name}")
            self._make_room(at)
            for array, place in copied:
                ctypes.memmove(self._address(place), array, ctypes.sizeof(array))
            answer = int(function(self._store, *passed))
            for array, place in copied:
                ctypes.memmove(array, self._address(place), ctypes.sizeof(array))
            return ctypes.c_uint64(answer).value if unsigned else answer

        return call

    def _function(self, name: str) -> wasmtime.Func:
        import wasmtime  # noqa: PLC0415 - an extra, and heavy

        function = self._exports[f"{self._prefix}{name}"]
        if not isinstance(function, wasmtime.Func):
            raise NoCompiler("this is no engine in WebAssembly")
        return function

    def _address(self, place: int) -> int:
        """Return where a place of the engine's memory lies; it moves when that grows."""
        return ctypes.addressof(self._memory.data_ptr(self._store).contents) + place

    def _make_room(self, end: int) -> None:
        missing = end - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, -(-missing // _PAGE))

    def copy_text(self, name: str) -> bytes:
        """Return the text that a function without arguments gives."""
        return ctypes.string_at(self._address(int(self._function(name)(self._store))))


class WasmInterface(Interface):
    """The interface of an engine in WebAssembly; raise `NoCompiler` where nothing runs it."""

    def __init__(self, made: bytes, prefix: str) -> None:
        self._functions = WasmFunctions(made, prefix)
        super().__init__()

    def find(self, name: str) -> Function:
        """Return a function of the surface."""
        return self._functions.wrap(name, unsigned=SURFACE[name][1] is BITS)

    def find_text(self, name: str) -> bytes:
        """Return one of the texts."""
        return self._functions.copy_text(name)
