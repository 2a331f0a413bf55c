"""The pytest plugin, run as people run it: in a process of its own, away from our tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ADAPTERS = Path(__file__).resolve().parents[1] / "adapters"
CARDS_ONLY = f"{sys.executable} {ADAPTERS / 'cards-only' / 'adapter.py'}"
MISREAD = f"{sys.executable} {ADAPTERS / 'python' / 'misread' / 'adapter.py'}"


def ran(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Return what pytest says in an empty folder."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_scenario_is_a_test(tmp_path: Path) -> None:
    """A program that conforms passes what it can be asked, and skips the rest with the reason."""
    done = ran(tmp_path, "--brou-game", "brouc", "--brou-engine", CARDS_ONLY, "-v", "-rs")

    assert done.returncode == 0, done.stdout
    assert "::brouc@2022:4::brouc.over.lower-trump-refused PASSED" in done.stdout
    assert "it cannot score" in done.stdout


@pytest.mark.slow
def test_a_clause_is_a_marker(tmp_path: Path) -> None:
    """`-m` picks the scenarios of a clause, and a failure reads like the report."""
    done = ran(tmp_path, "--brou-engine", MISREAD, "-m", "brouc.over.05", "--strict-markers")

    assert done.returncode == 1
    assert "the program: play TS 7C" in done.stdout
    assert "clauses: brouc.over.05" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--brou-game", "brouc"], "need --brou-engine"),
        (["--brou-engine", "nonesuch"], "'nonesuch' cannot be started"),
        (["--brou-engine", CARDS_ONLY, "--brou-game", "tarock"], "unknown game 'tarock'"),
        (["--brou-engine", CARDS_ONLY, "--brou-python", "a:B"], "one is judged at a time"),
        (["--brou-python", "nowhere:Class"], "unknown Python class"),
    ],
)
def test_what_cannot_be_judged_is_a_usage_error(tmp_path: Path, options: list[str], told: str) -> None:
    """Pytest ends before it collects anything."""
    done = ran(tmp_path, *options)

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert told in done.stderr


def test_without_its_options_the_plugin_does_nothing(tmp_path: Path) -> None:
    """It is loaded into every pytest of its environment and must not be felt there."""
    (tmp_path / "test_one.py").write_text(
        "import sys\ndef test_one(): assert not {'jsonschema_rs', 'brou'} & set(sys.modules)", encoding="utf-8"
    )

    assert ran(tmp_path, "-q").returncode == 0
