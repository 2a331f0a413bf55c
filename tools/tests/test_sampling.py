"""Samples of tests with many costly cases: which cases run in `make test`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = """\
import pytest


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", [*range(7), pytest.param(7, marks=pytest.mark.thorough)])
def test_sampled(case):
    pass


@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", range(2))
def test_few(case):
    pass


@pytest.mark.parametrize("case", range(4))
def test_whole(case):
    pass
"""


def collect(folder: Path, *words: str) -> list[str]:
    """Return the names of the cases that pytest takes in a folder with our way of sampling."""
    (folder / "conftest.py").write_text((ROOT / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "pytest.ini").write_text(f"[pytest]\npythonpath = {ROOT / 'tools' / 'tests'}\n", encoding="utf-8")
    (folder / "test_cases.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-P", "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    return [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.slow
def test_one_case_in_so_many_is_drawn(tmp_path: Path) -> None:
    """At least one of each test, and every case of a test that is not sampled."""
    drawn = collect(tmp_path, "-m", "not thorough")

    assert len([one for one in drawn if one.startswith("test_sampled")]) in (2, 3)
    assert len([one for one in drawn if one.startswith("test_few")]) == 1
    assert len([one for one in drawn if one.startswith("test_whole")]) == 4


@pytest.mark.slow
def test_all_other_cases_are_thorough(tmp_path: Path) -> None:
    """Together both ways run every case once."""
    drawn, rest = collect(tmp_path, "-m", "not thorough"), collect(tmp_path, "-m", "thorough")

    assert sorted(drawn + rest) == sorted(collect(tmp_path))
    assert not set(drawn) & set(rest)


@pytest.mark.slow
def test_a_case_that_is_named_runs(tmp_path: Path) -> None:
    """Whoever names a case means it, drawn or not."""
    for case in range(2):
        name = f"test_few[{case}]"
        assert collect(tmp_path, f"test_cases.py::{name}", "-m", "not thorough") == [name]
