"""Asking the prover from outside: obligations of small games go in, and the document of `brou prove` comes out.

Only this module knows how the prover is called, and which of its words mean what.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from brou.compiler.lower import LATELY
from brou.games import folder as data_folder
from brou_tools.cli import main
from brou_tools.smt import proving
from brou_tools.terminal.exits import Exit

GAMES = Path(__file__).parent / "games"
#: What the prover says where a statement is about nothing.
_NOTHING = ("nothing is as it supposes", "nothing leads to such", "there is no ", "is there a position in which ")
#: Steps for one question: many times what any of them takes but those that are to be too hard.
FEW = 200_000


@dataclass(frozen=True, slots=True)
class Told:
    """What the prover says of some obligations: the status of each under each rules, and how positions stand."""

    status: str
    document: Mapping[str, Any]

    @property
    def witnesses(self) -> list[tuple[str, str, Mapping[str, Any]]]:
        """Return the id, the status and the position of every answer that shows one."""
        found = self.document.get("obligations", [])
        return [(one["id"], one["status"], one["witness"]) for one in found if isinstance(one["witness"], dict)]


def ask(what: str) -> Told:
    """Return what comes of an obligation, or of a kind of positions where what is asked is `position NAME of GAME`.

    The status is `proved` where it is so under all rules that it is about, else the first other one; `vacuous` is an
    `unknown` about nothing, `fault` a prover that ends with our own fault. A run that ends well with a status that is
    not expected is `unnoticed`.
    """
    name, _, game = what.removeprefix("position ").partition(" of ")
    whole = ["prove", game] if game else ["prove", what.partition(".")[0], "--only", what]
    said, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        ended = main([*whole, "--afresh", "--json"])
    if ended == Exit.OURS:
        return Told("fault", {})
    assert ended in (Exit.FINE, Exit.FINDING), complained.getvalue()
    (found,) = json.loads(said.getvalue())["games"]
    if game:
        return Told(found["positions"][name], found)
    statuses = [_status(one) for one in found["obligations"]]
    if ended == Exit.FINE and any(one["status"] != one["expect"] for one in found["obligations"]):
        return Told("unnoticed", found)
    return Told(next((status for status in statuses if status != "proved"), "proved"), found)


def _status(one: Mapping[str, Any]) -> str:
    nothing = one["status"] == "unknown" and one.get("reason", "").startswith(_NOTHING)
    return "vacuous" if nothing else str(one["status"])


@contextmanager
def housed(folder: Path, games: Path | None = None) -> Iterator[None]:
    """Let the small games, or those of another folder, be the data of the house, and all be asked in this process."""
    data = folder / "_data"
    data.mkdir()
    (data / "schemas").symlink_to(data_folder.root() / "schemas", target_is_directory=True)
    (data / "games").symlink_to(games or GAMES, target_is_directory=True)
    (data / "prelude").symlink_to((games or GAMES).parent / "prelude", target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data_folder, "__file__", str(folder / "games" / "folder.py"))
        # On one processor nothing is given to other processes, which would know no wrong prover.
        patch.setattr(os, "cpu_count", lambda: 1)
        patch.setattr(proving, "LIMIT", FEW)
        patch.chdir(folder)
        data_folder.root.cache_clear()
        data_folder.house.cache_clear()
        assert data_folder.root() == data
        try:
            yield
        finally:
            data_folder.root.cache_clear()
            data_folder.house.cache_clear()


def forget() -> None:
    """Let the prover forget what it remembers from question to question: another prover has said it."""
    LATELY.forget()
    for name, module in list(sys.modules.items()):
        if name.startswith("brou_tools.smt"):
            for one in vars(module).values():
                if callable(getattr(one, "cache_clear", None)):
                    one.cache_clear()
