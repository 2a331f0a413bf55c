"""Comparing the speed of two versions: what is run, where it is found and what is told, and not how fast it is."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest

from brou import Crash, Impossible
from brou_tools.bench import against as bench_against
from brou_tools.bench.against import WAYS, Compared, checkout, compare, extract_commit
from brou_tools.bench.command import compared_row
from brou_tools.bench.patches import Share, mutants_against
from brou_tools.bench.portable import portable_figures
from brou_tools.cli import main

#: All that is asked of a commit.
ROOMS = ("reference", "conformance", "tools", "spec")

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="a commit is read with git")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository of one commit that has a file in each room, and another that is no part of a version."""
    folder = tmp_path / "repository"
    for room in (*ROOMS, "docs"):
        (folder / room).mkdir(parents=True)
        (folder / room / "file").write_text(f"as committed in {room}", encoding="utf-8")
    git = ["git", "-C", str(folder), "-c", "user.name=one", "-c", "user.email=one@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], check=True)
    (folder / "tools" / "file").write_text("changed since", encoding="utf-8")
    return folder


@needs_git
def test_a_commit_is_read_as_it_was(repository: Path) -> None:
    """The rooms of a commit lie in a folder of their own, without later changes, as long as they are needed."""
    with extract_commit("HEAD", repository) as folder:
        assert sorted(path.name for path in folder.iterdir()) == sorted(ROOMS)
        assert (folder / "tools" / "file").read_text(encoding="utf-8") == "as committed in tools"
    assert not folder.exists()
    assert (repository / "tools" / "file").read_text(encoding="utf-8") == "changed since"


@needs_git
def test_a_commit_that_there_is_not_is_told(repository: Path) -> None:
    """A name that is no commit is refused with git's own words."""
    with pytest.raises(Impossible, match=r"^no-such: .*not a valid object name"), extract_commit("no-such", repository):
        pass


# It guards each way of playing of `brou bench --against`, which no figure that is published rests on.
@pytest.mark.thorough
def test_both_versions_play_the_same_matches_in_every_way() -> None:
    """A version beside itself plays the same cards in the same matches, once for each way of playing."""
    here = checkout()
    found = list(compare("homme-d-auvergne", here, here, rounds=2, decisions=60))

    assert [one.way for one in found] == list(WAYS)
    assert all(one.same for one in found)
    assert all(0 < one.least <= one.ratio <= one.greatest for one in found)


@pytest.mark.slow
def test_both_versions_load_and_lower_the_same_mutants() -> None:
    """A version beside itself loads and lowers as many mutants of a game, other ones in each round."""
    here = checkout()
    found = mutants_against("homme-d-auvergne", here, here, rounds=2, count=3)

    assert found.work == "6 mutants"
    assert found.value > 0


@pytest.mark.slow
def test_a_version_that_is_not_run_is_not_taken_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Python finds another `brou` than that of the folder, nothing is compared."""
    monkeypatch.setattr(bench_against, "_ROOMS", ())
    monkeypatch.setenv("PYTHONPATH", "")

    with pytest.raises((Crash, Impossible)):
        list(compare("brouc", tmp_path, tmp_path, rounds=1, decisions=1))


def test_what_cannot_be_played_is_told() -> None:
    """A version that does not know a game ends, and its last words are told."""
    here = checkout()

    with pytest.raises(Impossible, match="no-game"):
        list(compare("no-game", here, here, rounds=1, decisions=1))


def test_a_row_tells_the_ratio_with_its_spread() -> None:
    """The row of a comparison has the median, what it lies between, both rates, and whether matches are the same."""
    row = compared_row("brouc", Compared("cards", 4.5, 4.25, 5.0, 20_000, 90_000, same=False))

    assert (row.value, row.unit, row.target, row.met) == (4.5, "times", 1, True)
    assert row.work == "4.25 to 5.00, 20,000 and now 90,000 cards a second, other matches"


def test_the_command_prints_what_was_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`brou bench --against` compares with the files of the commit: ways of playing, mutants, and a check of all."""
    asked: list[str] = []

    def handed(commit: str, _: Path) -> object:
        asked.append(commit)
        return nullcontext(checkout())

    monkeypatch.setattr("brou_tools.bench.command.extract_commit", handed)
    one = Compared("alike", 2.0, 1.5, 2.5, 10, 20, same=True)
    monkeypatch.setattr("brou_tools.bench.command.compare", lambda *_: iter([one]))
    monkeypatch.setattr("brou_tools.bench.command.mutants_against", lambda *_: Share("mutants", 0.05, 0.1, "many"))
    monkeypatch.setattr("brou_tools.bench.command.check_against", lambda *_: Share("check", 0.5, 0.25, "all"))

    assert main(["bench", "brouc", "--against", "abc", "--json"]) == 0
    found = {entry["game"]: entry["rows"] for entry in json.loads(capsys.readouterr().out)["games"]}
    assert asked == ["abc"]
    assert [(row["what"], row["value"], row["met"]) for row in found["brouc"]] == [
        (WAYS["alike"], 2.0, True),
        ("mutants", 0.05, True),
    ]
    assert [(row["what"], row["met"]) for row in found["all"]] == [("check", False)]


@pytest.mark.slow
def test_what_a_line_of_the_bundle_takes_is_measured() -> None:
    """Its size packed, which is less than plain, and its making beside the answer to its request."""
    size, made = portable_figures("homme-d-auvergne")

    assert (size.unit, made.unit) == ("kB", "times")
    assert 0 < size.value < 10
    assert made.value > 1
