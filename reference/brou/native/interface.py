"""The interface of an engine: its functions without the prefix of their names, however it is loaded."""

from __future__ import annotations

import ctypes
import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from brou.native.structures import Structures

#: The types of arguments and results: a whole number of 32 or of 64 bits, bits, or something in memory.
WHOLE, LONG, BITS, MEMORY = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p

Function: TypeAlias = Callable[..., int]

#: The functions of every engine that programs call: what each takes, and what it gives if that is no code.
SURFACE: dict[str, tuple[tuple[type, ...], type]] = {
    "size": ((), WHOLE),
    "begin": ((MEMORY,), WHOLE),
    "over": ((MEMORY,), WHOLE),
    "offers": ((MEMORY, BITS, MEMORY, WHOLE), WHOLE),
    "describe": ((MEMORY, WHOLE, WHOLE, MEMORY), WHOLE),
    "apply": ((MEMORY, MEMORY), WHOLE),
    "step": ((MEMORY, MEMORY, MEMORY, MEMORY), WHOLE),
    "play": ((MEMORY, MEMORY, LONG, WHOLE, MEMORY, MEMORY), LONG),
    "ask": ((MEMORY, WHOLE, MEMORY, MEMORY), WHOLE),
    "broken": ((MEMORY,), BITS),
    "meant": ((MEMORY,), BITS),
    "scored": ((MEMORY,), BITS),
    "ends": ((MEMORY, WHOLE), WHOLE),
    "score": ((MEMORY, MEMORY, LONG), LONG),
    "view": ((MEMORY, WHOLE, MEMORY, LONG), LONG),
    "legal": ((MEMORY, WHOLE, MEMORY, LONG), LONG),
    "write": ((MEMORY, MEMORY, LONG), LONG),
    "digest": ((MEMORY, MEMORY), WHOLE),
    "read": ((MEMORY, LONG, WHOLE, MEMORY), WHOLE),
    "start": ((MEMORY, MEMORY, LONG), WHOLE),
}
#: And those that give texts.
TEXTS = ("rules", "hash", "tables")


class Interface(ABC):
    """The functions of one engine: they take arrays of `ctypes`, numbers and None."""

    def __init__(self) -> None:
        self.tables: dict[str, Any] = json.loads(self.find_text("tables"))
        self.structures = Structures(self.tables)
        self.begin, self.apply, self.step = self.find("begin"), self.find("apply"), self.find("step")
        self.ask, self.broken, self.digest = self.find("ask"), self.find("broken"), self.find("digest")
        self.score, self.view, self.legal = self.find("score"), self.find("view"), self.find("legal")
        self.play = self.find("play")

    @abstractmethod
    def find(self, name: str) -> Function:
        """Return a function of the surface."""

    @abstractmethod
    def find_text(self, name: str) -> bytes:
        """Return one of the texts."""


class SharedInterface(Interface):
    """The interface of a shared object."""

    def __init__(self, library: ctypes.CDLL, prefix: str) -> None:
        self._library, self._prefix = library, prefix
        super().__init__()

    def find(self, name: str) -> Function:
        """Return a function of the surface."""
        function = self._library[f"{self._prefix}{name}"]
        function.argtypes, function.restype = SURFACE[name]
        return function

    def find_address(self, name: str) -> int:
        """Return where a function of the surface lies, for code that calls it without Python."""
        return ctypes.cast(self._library[f"{self._prefix}{name}"], ctypes.c_void_p).value or 0

    def find_text(self, name: str) -> bytes:
        """Return one of the texts."""
        function = self._library[f"{self._prefix}{name}"]
        function.restype = ctypes.c_char_p
        text: bytes = function()
        return text
