"""Generated rules in a folder: one file, one edition, nothing to choose, and nothing of the old notation beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brou import Malformed, book, choose
from brou.check import check, file_faults


@pytest.fixture
def folder(tmp_path: Path, rules: Callable[..., Any]) -> Path:
    """Return a folder of data that holds the made-up game."""
    place = tmp_path / "games" / "birds"
    place.mkdir(parents=True)
    (place / "rules.yaml").write_text(json.dumps(rules()), encoding="utf-8")
    return tmp_path


def test_one_edition(folder: Path) -> None:
    """There is one edition with one set-up, and no reading."""
    assert choose("birds", folder).full == "birds@1:1[]"
    assert check(folder) == []


def test_shape_is_checked(folder: Path) -> None:
    """A file of the wrong shape is refused before its meaning is looked at."""
    path = folder / "games" / "birds" / "rules.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace('"phases"', '"faces"'), encoding="utf-8")

    with pytest.raises(Malformed, match=r"games/birds/rules\.yaml:1:1: .*phases"):
        book("birds", folder)


@pytest.mark.parametrize("kind", ["clauses", "ambiguities", "editions"])
def test_a_file_of_the_old_notation_is_refused(folder: Path, kind: str) -> None:
    """It is not passed over: what it is and what to write instead is told of it, by itself and with its game."""
    path = folder / "games" / "birds" / f"{kind}.yaml"
    path.write_text(f"format: brou-{kind}/1\ngame: birds\n{kind}: {{}}\n", encoding="utf-8")
    told = f"a file of the old notation (brou-{kind}/1), which is read no more"

    assert [fault.what for fault in (*file_faults(path), *check(folder))] == [told] * 2
