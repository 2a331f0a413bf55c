"""The table of implementations says what statements say, and by hand nothing that they do not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from brou import Malformed, NoFile
from brou_conformance.reports.implementations import tell_implementations
from brou_tools.cli import main

HOUSE = Path(__file__).resolve().parents[1] / "implementations"
LISTED = HOUSE / "implementations.yaml"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a copy of our own list, with its statements."""
    shutil.copytree(HOUSE, tmp_path / "own")
    return tmp_path / "own" / LISTED.name


def change(path: Path, old: str, new: str) -> Path:
    """Return a file with something else in it."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def test_our_own_table_has_a_row_for_each_edition(capsys: pytest.CaptureFixture[str]) -> None:
    """Name, version, edition, verdict, figures, day; below it each known deviation with link, version and day."""
    assert main(["implementations", str(LISTED)]) == 0
    told = capsys.readouterr().out

    assert "](conformance/adapters/javascript/README.md) | 1.0 | `hombre@danish` | follows | 260/260 | " in told
    assert "| deviates: brouc.over.05, brouc.over.01, brouc.over.06 | 271/283 | 2026-11-23, suite 0.1.0 |" in told
    misread = "[brou-table](conformance/adapters/python/misread/adapter.py)"
    assert f"| `brouc.over.05` | {misread} | 1.0 | 2026-11-21 | [there](" in told


def test_a_table_goes_to_a_file(tmp_path: Path) -> None:
    """The same that is printed."""
    assert main(["implementations", str(LISTED), "-o", str(tmp_path / "table.md")]) == 0
    assert (tmp_path / "table.md").read_text(encoding="utf-8") == tell_implementations(LISTED)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("clause: brouc.over.01", "clause: brouc.over.02", "does not blame brouc.over.02"),
        ('version: "1.0"', 'version: "0.9"', "is known of version 0.9"),
        ('"2026-11-21"', '"yesterday"', "yesterday"),
        ("link: conformance", 'link: "javascript:alert(1)" #', "javascript:alert"),
    ],
)
def test_what_no_statement_says_is_refused(copied: Path, old: str, new: str, told: str) -> None:
    """A deviation that is none, one of another version, a day that is none, and a link that would act."""
    with pytest.raises(Malformed, match=told):
        tell_implementations(change(copied, old, new))


def test_a_blamed_clause_has_to_be_told_of(copied: Path) -> None:
    """A table cannot be silent about a deviation."""
    text = copied.read_text(encoding="utf-8")
    copied.write_text(text[: text.rindex("  - clause:")], encoding="utf-8")

    with pytest.raises(Malformed, match=r"blames brouc\.over\.06"):
        tell_implementations(copied)


def test_a_missing_statement_is_named(copied: Path) -> None:
    """And one that is no statement of ours."""
    (copied.parent / "python.json").write_text("{}", encoding="utf-8")
    with pytest.raises(NoFile, match=r"python\.json"):
        tell_implementations(copied)
    (copied.parent / "python.json").unlink()
    with pytest.raises(NoFile, match=r"python\.json"):
        tell_implementations(copied)
