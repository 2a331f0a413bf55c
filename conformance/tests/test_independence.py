"""Witnesses and example programs stand alone: they know nothing of the code that they are to check."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOM = Path(__file__).parents[1]
ORACLES = sorted((ROOM / "tests" / "oracles").glob("*.py"))
PROGRAMS = sorted(path for folder in ("adapters", "zoo") for path in (ROOM / folder).glob("**/*.py"))
#: Modules of the standard library that can fetch what no import names.
BACK_DOORS = {"importlib", "pkgutil", "runpy", "zipimport"}
BACK_DOOR_CALLS = {"__import__", "compile", "eval", "exec"}


def imported(source: str) -> Iterator[str]:
    """Yield the top-level name of every import, with a dot before a relative one, and every call that may import."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(module, _, level):
                yield "." * level + (module or "").partition(".")[0]
            case ast.Call(ast.Name(name)) if name in BACK_DOOR_CALLS:
                yield f"{name}()"


def foreign(source: str, own: set[str]) -> set[str]:
    """Return what a file imports beyond the standard library and its own neighbours."""
    return set(imported(source)) - (set(sys.stdlib_module_names) - BACK_DOORS) - own


@pytest.mark.slow
@pytest.mark.parametrize("path", ORACLES, ids=lambda path: path.stem)
def test_a_witness_imports_the_standard_library_alone(path: Path) -> None:
    """An oracle shares no code with the interpreter, nor with another oracle."""
    assert foreign(path.read_text(encoding="utf-8"), set()) == set()


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(ROOM)))
def test_a_program_imports_only_programs(path: Path) -> None:
    """An example program is made of the standard library and of other example programs."""
    programs = {module.stem for module in PROGRAMS} | {"runpy"}

    assert foreign(path.read_text(encoding="utf-8"), programs) == set()


def test_there_is_something_to_judge() -> None:
    """The tests above judge at least one witness and one program."""
    assert ORACLES
    assert PROGRAMS


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import json, brou", {"brou"}),
        ("from brou.interpreter.machine import Machine", {"brou"}),
        ("def late():\n    import brou_tools.cli", {"brou_tools"}),
        ("from . import neighbour", {"."}),
        ("from .neighbour import thing", {".neighbour"}),
        ("import importlib", {"importlib"}),
        ("__import__('brou')", {"__import__()"}),
        ("from json import loads\nimport random", set()),
    ],
)
def test_what_counts_as_foreign(source: str, found: set[str]) -> None:
    """Every way to reach other code is seen; the standard library is nobody's."""
    assert foreign(source, set()) == found
