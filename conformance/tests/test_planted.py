"""The table of planted faults: what is read, what is counted, and that a patch is put to the suite."""

from __future__ import annotations

import shutil
from pathlib import Path

import planted
import pytest
from planted import TellingResult, apply_patch, judge, read_table, summarise

from brou import BrouError

ENTRY = (
    "- program: adapters/python/adapter.py\n  patch: one.diff\n  game: brouc\n  faults: [[brouc.cd.01, brouc.cd.02]]\n"
)


def result(*roots: str) -> TellingResult:
    """Return what is told of a program with two faults."""
    faults = (("g.one.01", "g.one.02"), ("g.two.01",))
    return TellingResult(faults, caught=True, told=(), roots=roots, whole=True, name="p")


def test_what_is_told_is_counted() -> None:
    """A fault is told by any of its clauses; a root that is right for none is false."""
    good = result("g.one.02", "g.two.01")
    bad = result("g.six.01", "g.two.01")

    assert (good.is_right_first, good.found, good.false) == (True, 2, ())
    assert (bad.is_right_first, bad.found, bad.false) == (False, 1, ("g.six.01",))
    assert summarise([good, bad]) == (
        "2 programs with 4 faults: 2 caught, 1 right first, 3 faults told, 1 programs with all told, "
        "2 explained as a whole, 1 of these with a false root"
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("  game: brouc\n", "without 'game'"), ("one.diff", "no patch"), ("adapter.py", "no program")],
)
def test_an_entry_that_cannot_be_used_is_told(tmp_path: Path, wrong: str, said: str) -> None:
    """What is missing or not there is named with its place."""
    (tmp_path / "one.diff").write_text("", encoding="utf-8")
    (tmp_path / "table.yaml").write_text(ENTRY.replace(wrong, "" if wrong.startswith(" ") else "x"), encoding="utf-8")

    with pytest.raises(BrouError, match=said):
        read_table(tmp_path / "table.yaml")


def test_the_page_is_made_of_what_was_told() -> None:
    """Every program that was judged stands on the page, with what was missed."""
    found = list(planted.read_results(planted.ROOM / "tests" / "planted.jsonl").values())
    page = (planted.ROOM.parent / "docs" / "planted.md").read_text(encoding="utf-8")

    assert page == planted.write_page(found)
    assert all(f"| {one.name} |" in page for one in found)


def test_results_are_those_of_the_table() -> None:
    """Each is of a program that the table still has, with the patch and the clauses that were judged."""
    table = read_table(planted.ROOM / "tests" / "planted_faults" / "table.yaml")

    assert planted.read_results(planted.ROOM / "tests" / "planted.jsonl").keys() <= {one.digest for one in table}


@pytest.mark.slow
def test_patches_of_the_table_still_fit(tmp_path: Path) -> None:
    """A change of an example program must not make a planted fault one that cannot be planted."""
    shutil.copytree(planted.ROOM / "adapters", tmp_path / "adapters")

    for one in read_table(planted.ROOM / "tests" / "planted_faults" / "table.yaml"):
        apply_patch(one, tmp_path, only_try=True)


def test_a_patch_that_does_not_fit_is_told(tmp_path: Path) -> None:
    """With its file, and nothing is planted."""
    (tmp_path / "adapters").mkdir()
    (one, *_) = read_table(planted.ROOM / "tests" / "planted_faults" / "table.yaml")

    with pytest.raises(BrouError, match="cannot be applied"):
        apply_patch(one, tmp_path, only_try=True)


# A program is judged by all scenarios and explained; it guards that faults are planted in a copy.
@pytest.mark.thorough
def test_a_planted_fault_is_put_to_the_suite(tmp_path: Path) -> None:
    """The patch is made in a copy: the program at its place stays what it is."""
    program = planted.ROOM / "adapters" / "python" / "brou_table.py"
    before = program.read_text(encoding="utf-8")
    line = next(number for number, text in enumerate(before.splitlines(), 1) if "own_slate_for_call = 190" in text)
    old = before.splitlines()[line - 1]
    patch = (
        "--- a/adapters/python/brou_table.py\n+++ b/adapters/python/brou_table.py\n"
        f"@@ -{line} +{line} @@\n-{old}\n+{old.replace('190', '180')}\n"
    )
    (tmp_path / "one.diff").write_text(patch, encoding="utf-8")
    (tmp_path / "table.yaml").write_text(ENTRY, encoding="utf-8")
    found = judge(read_table(tmp_path / "table.yaml")[0])

    assert (found.caught, found.is_right_first, found.found, found.false) == (True, True, 1, ())
    assert program.read_text(encoding="utf-8") == before
