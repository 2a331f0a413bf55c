"""Engines in WebAssembly that were built in advance, which a wheel carries, by the hash of what they are made of."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from brou.language.export import identity
from brou.language.syntax import Game
from brou.native.batch import EngineWish

#: Where they lie in the package, and what else decides what they are: this and how rules are lowered.
BUILT_FOLDER = "built"
_ROOM = "brou.native"
_MAKERS = ("brou.native", "brou.compiler")
_SUFFIXES = (".py", ".c", ".h")


def find_built(game: Game, wish: EngineWish) -> bytes | None:
    """Return the engine that was built of just these rules, None where there is none."""
    entry = files(_ROOM).joinpath(BUILT_FOLDER, name_built(game, wish))
    return entry.read_bytes() if entry.is_file() else None


def name_built(game: Game, wish: EngineWish) -> str:
    """Return what the file of an engine is called: it changes with the rules, the wish, and the code that makes it."""
    made_of = f"{identity(game)}\0{wish.key}\0{_hash_makers()}"
    return f"{hashlib.sha256(made_of.encode()).hexdigest()[:32]}.wasm"


def find_built_machine(words: int) -> bytes | None:
    """Return the machine for sets of so many words that was built of just this code, None where there is none."""
    entry = files(_ROOM).joinpath(BUILT_FOLDER, name_machine(words))
    return entry.read_bytes() if entry.is_file() else None


def name_machine(words: int) -> str:
    """Return what the file of the machine that runs rules as data is called."""
    return f"machine-{words}-{_hash_makers()[:16]}.wasm"


@lru_cache(maxsize=1)
def _hash_makers() -> str:
    summed = hashlib.sha256()
    for entry in sorted((one for room in _MAKERS for one in files(room).iterdir()), key=_name):
        if entry.name.endswith(_SUFFIXES):
            summed.update(entry.read_bytes())
    return summed.hexdigest()


def _name(entry: Traversable) -> str:
    return entry.name
