"""`brou check --reviewed`: who has read texts again says so, and until then what rests on them is suspect."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from brou.games.folder import root
from brou_conformance.scenarios import corpus
from brou_tools.cli import main

#: The smallest game: each check reads all of its files.
GAME = "brusquembille"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a copy of our own data with one game."""
    for name in ("glossary.yaml", "sources.yaml"):
        shutil.copy(root() / name, tmp_path / name)
    shutil.copytree(root() / "games" / GAME, tmp_path / "games" / GAME)
    return tmp_path


@pytest.mark.slow
def test_a_review_is_written_down(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What has changed is a finding until it is said to have been read again, and then it is told what that was."""
    file = data / "games" / GAME / "reviewed.yaml"
    text = file.read_text(encoding="utf-8")
    clause, print_ = re.findall(r'^  (\S+): \{en: "([0-9a-f]+)"', text, re.MULTILINE)[0]
    file.write_text(text.replace(print_, print_[::-1], 1), encoding="utf-8")
    changed = f"the text of {clause} has changed since it was reviewed"

    assert main(["check", str(data)]) == 1
    assert changed in capsys.readouterr().out
    assert main(["check", "--reviewed", str(data)]) == 0
    assert capsys.readouterr().out == f"games/{GAME}/reviewed.yaml: 1 new: {clause}\n"
    assert main(["check", str(data)]) == 0
    assert main(["check", "--reviewed", str(data)]) == 0
    assert f"games/{GAME}/reviewed.yaml: nothing new\n" in capsys.readouterr().out


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("break_rules", "count"),
    [(False, "1 fault: a translation or a review that lags behind the rules"), (True, "2 faults, 1 of them ")],
)
def test_faults_of_the_rules_come_before_texts_that_lag_behind(
    data: Path, capsys: pytest.CaptureFixture[str], *, break_rules: bool, count: str
) -> None:
    """A review that is missing is listed last, and the count tells it from what is wrong with the rules."""
    file = data / "games" / GAME / "reviewed.yaml"
    text = file.read_text(encoding="utf-8")
    print_ = re.findall(r'^  \S+: \{en: "([0-9a-f]+)"', text, re.MULTILINE)[0]
    file.write_text(text.replace(print_, print_[::-1], 1), encoding="utf-8")
    if break_rules:
        (data / "games" / GAME / "stray.yaml").write_text("stray: true\n", encoding="utf-8")

    assert main(["check", str(data)]) == 1
    told = capsys.readouterr()
    faults = [line for line in told.out.splitlines() if not line.startswith(" ")]
    assert "has changed since it was reviewed" in faults[-1]
    assert [("stray" in line) for line in faults] == [True, False][not break_rules :]
    assert told.err.startswith(count)


def test_what_is_no_folder_of_data_has_nothing_to_review(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder of something else, or a single file, is bad input."""
    assert main(["check", "--reviewed", str(tmp_path)]) == 2
    assert main(["check", "--reviewed", __file__]) == 2
    assert "no folder of data; name one with the texts that are reviewed" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_scenarios_of_a_changed_clause_are_suspect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A scenario that speaks for a clause whose text has changed is named with its place, others are not."""
    # What a replaced function finds is kept for nobody: the next check would tell it of the true data.
    monkeypatch.setattr("brou.cache.place", lambda: None)
    found = corpus.scenarios(GAME)
    clause = found[0].clauses[0]
    monkeypatch.setattr(
        "brou_tools.check.scenario_faults.list_rewritten", lambda game, _: {clause} if game == GAME else set()
    )

    shutil.copytree(corpus.corpus_root() / GAME, tmp_path / GAME)

    assert main(["check", str(tmp_path)]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    what = f"speaks for {clause}, whose text has changed since it was reviewed"
    assert len(told) == sum(clause in one.clauses for one in found)
    assert all(what in line for line in told)
    assert any(line.startswith(f"{found[0].place}: {found[0].id} ") for line in told)
