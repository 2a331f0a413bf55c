"""The pytest plugin, run as people run it: in a process of its own, away from our tests."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

ADAPTERS = Path(__file__).resolve().parents[1] / "adapters"
CARDS_ONLY = f"{sys.executable} {ADAPTERS / 'cards-only' / 'adapter.py'}"
MISREAD = f"{sys.executable} {ADAPTERS / 'python' / 'misread' / 'adapter.py'}"


def ran(folder: Path, *options: str, workers: int = 0) -> subprocess.CompletedProcess[str]:
    """Return what pytest says in a folder."""
    xdist = ["-n", str(workers)] if workers else ["-p", "no:xdist"]
    # What others have installed takes its time in each of many processes, and has no part in what ours does.
    others = ["-p", "no:hypothesispytest", "-p", "no:unraisableexception"]
    command = [sys.executable, "-m", "pytest", *xdist, *others, *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


#: A program that fails some scenarios of a clause, and what picks these.
FAILING = ("--brou-engine", MISREAD, "--brou-game", "brouc")
CLAUSE = ("-m", "brouc.over.05")


def listed(told: str) -> list[str]:
    """Return the node ids that pytest lists."""
    return [line for line in told.splitlines() if line.startswith("brou::")]


def failed(told: str) -> set[str]:
    """Return the node ids of the tests that pytest says have failed."""
    return {line.split()[1] for line in told.splitlines() if line.startswith("FAILED ")}


@pytest.mark.slow
def test_a_scenario_is_a_test(tmp_path: Path) -> None:
    """A program that conforms passes what it can be asked, and skips the rest with the reason."""
    done = ran(tmp_path, "--brou-game", "brouc", "--brou-engine", CARDS_ONLY, "-v", "-rs")

    assert done.returncode == 0, done.stdout
    assert "brou::brouc@2022:4::brouc.over.lower-trump-refused " in done.stdout
    assert "it does not offer score" in done.stdout


@pytest.mark.slow
def test_a_clause_is_a_marker(tmp_path: Path) -> None:
    """`-m` picks the scenarios of a clause, and a failure reads like the report."""
    done = ran(tmp_path, "--brou-engine", MISREAD, "-m", "brouc.over.05", "--strict-markers")

    assert done.returncode == 1
    assert "the program: play TS 7C" in done.stdout
    assert "the rules:" in done.stdout
    assert "\n  brouc.over.05\n" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ["--brou-game", "brouc"],
            "--brou-game needs a program to judge: --brou-engine, --brou-python, --brou-program",
        ),
        (["--brou-data", "."], "--brou-data needs a program to judge"),
        (["--brou-program", "mine"], "'mine'"),
        (["--brou-program", "mine", "--brou-data", "nowhere"], "no such folder; name a folder with brou.toml"),
        (["--brou-engine", "nonesuch"], "'nonesuch' cannot be started"),
        (["--brou-engine", CARDS_ONLY, "--brou-game", "tarock"], "unknown game 'tarock'"),
        (["--brou-engine", CARDS_ONLY, "--brou-python", "a:B"], "one is judged at a time"),
        (["--brou-engine", CARDS_ONLY, "--brou-program", "mine"], "one is judged at a time"),
        (["--brou-python", "nowhere:Class"], "unknown Python class"),
        (["--brou-engine", CARDS_ONLY, "--brou-lang", "es"], "unknown language 'es'; known: en, fr, de"),
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


@pytest.mark.slow
def test_failures_are_told_in_a_language(tmp_path: Path) -> None:
    """In the one asked for."""
    done = ran(tmp_path, *FAILING, *CLAUSE, "--brou-lang", "de")

    assert "die Regeln:" in done.stdout
    assert "the rules:" not in done.stdout


def counted(told: str) -> list[str]:
    """Return how many tests failed and passed, as the last line has it."""
    return re.findall(r"\d+ (?:failed|passed)", told.splitlines()[-1])


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[str]]:
    """Return what lists the node ids of a program with some options, each but once, in an empty folder."""
    folder = tmp_path_factory.mktemp("collected")
    return cache(lambda *options: listed(ran(folder, *FAILING, *options, "--collect-only", "-q").stdout))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a folder in which some scenarios were run without workers, and what was told."""
    folder = tmp_path_factory.mktemp("alone")
    return folder, ran(folder, *FAILING, "-k", "brouc.over").stdout


# Node ids -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_node_ids_that_are_listed_pick_their_tests(tmp_path: Path, collected: Callable[..., list[str]]) -> None:
    """What pytest lists can be given back to it, one id or several, and nothing else is run."""
    ids = collected(*CLAUSE)
    (tmp_path / "test_other.py").write_text("def test_other(): raise ValueError", encoding="utf-8")

    assert len(ids) > 2
    assert listed(ran(tmp_path, *FAILING, *ids[:2], "--collect-only", "-q").stdout) == ids[:2]
    assert "collected 1 item\n" in ran(tmp_path, *FAILING, ids[0]).stdout


# Pytest is started three times, which takes five seconds; it guards that a part of an id stands for all below it.
@pytest.mark.thorough
def test_the_beginning_of_node_ids_picks_all_that_have_it(tmp_path: Path, collected: Callable[..., list[str]]) -> None:
    """An edition and set-up stands for its scenarios; other tests of the folder can be named beside it."""
    (tmp_path / "test_other.py").write_text("def test_other(): pass", encoding="utf-8")
    whole = collected("brou::brouc@2022:4")
    both = ran(tmp_path, *FAILING, whole[0], "test_other.py", "--collect-only", "-q").stdout

    assert whole == collected()
    assert listed(both) == whole[:1]
    assert "test_other.py::test_other" in both


# With workers each of them starts pytest, the program and its rules, which takes a quarter of a minute; it guards that
# the error of a worker is told as one of usage.
@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.thorough)])
def test_a_node_id_that_is_none_is_a_usage_error(tmp_path: Path, workers: int) -> None:
    """The message asks for a similar one, whoever does the work."""
    done = ran(tmp_path, *FAILING, "brou::brouc@2022:4::brouc.over.lower-trump-refuse", workers=workers)

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "did you mean 'brou::brouc@2022:4::brouc.over.lower-trump-refused'?" in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_what_failed_last_is_run_again_alone(tmp_path: Path, alone: tuple[Path, str], workers: int) -> None:
    """With `--lf`, with and without workers."""
    folder, told = alone
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    first = failed(told)
    again = ran(tmp_path, *FAILING, "--lf", workers=workers).stdout

    assert first
    assert failed(again) == first
    assert f"{len(first)} failed" in again
    assert "passed" not in again


@pytest.mark.slow
def test_workers_share_the_scenarios(tmp_path: Path, alone: tuple[Path, str]) -> None:
    """With xdist the same tests fail, picked by `-k`, and each is run once."""
    _, told = alone
    shared = ran(tmp_path, *FAILING, "-k", "brouc.over", workers=2).stdout

    assert failed(shared) == failed(told) != set()
    assert counted(told) == counted(shared)


# Each worker judges the program anew, which takes five seconds; it guards that workers are given our node ids.
@pytest.mark.thorough
def test_workers_run_the_tests_whose_ids_are_given(tmp_path: Path, alone: tuple[Path, str]) -> None:
    """So do those that are picked by their ids."""
    ids = sorted(failed(alone[1]))
    given = ran(tmp_path, *FAILING, *ids, workers=2).stdout

    assert failed(given) == set(ids)
    assert f"{len(ids)} failed in" in given


@pytest.mark.slow
def test_k_picks_by_scenario_and_by_clause(collected: Callable[..., list[str]]) -> None:
    """A name of a scenario or the id of a clause picks what has it."""
    assert collected("-k", "brouc.over.05") == collected(*CLAUSE) != []
    assert collected("-k", "lower-trump-refused") == ["brou::brouc@2022:4::brouc.over.lower-trump-refused"]
