"""`brou new` writes a project that runs: every command works on it, and its job on GitHub is green."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from brou_tools.cli import main

#: What commands say of a new project called duet: with what each ends, and a word of it.
LINES = [
    ("check", 0, ""),
    ("fmt --check", 0, "2 files already formatted"),
    ("verify --program mine", 0, "duet@house: duet follows the edition."),
    ("verify --program mine --smoke", 0, "the adapter is sound"),
    ("simulate duet:3 -n 3", 0, "duet@house:3: 3 matches"),
    ("rulebook duet --format html -o book", 0, "duet-house-en.html"),
    ("prove", 0, "1 of 1 obligations hold"),
    ("show duet.play.02", 0, "duet.follow.suit"),
    ("diff duet duet[void=must-trump]", 0, "void"),
]


@pytest.fixture(name="project")
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a new project, in which one stands."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "duet"]) == 0
    capsys.readouterr()
    monkeypatch.chdir(tmp_path / "duet")
    return tmp_path / "duet"


def list_files(folder: Path) -> dict[str, str]:
    """Return the files below a folder with what they hold."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(("line", "code", "said"), LINES, ids=[line for line, _, _ in LINES])
def test_every_command_works_on_a_new_project(
    line: str, code: int, said: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it stands, before anything is edited."""
    assert project.is_dir()
    ended = main(line.split())
    told = capsys.readouterr()

    assert ended == code, told.err
    assert said in told.out + told.err


def test_its_deals_end_when_they_are_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Random matches count each deal once: its act of dealing, and its five tricks of three cards."""
    assert project.is_dir()
    assert main(["simulate", "duet:3", "-n", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (game,) = told["games"]
    per_deal = {one["what"]: one["value"] for one in game["figures"] if one["part"] == "acts a deal"}

    assert {name: per_deal[name] for name in ("deal", "play", "next")} == {"deal": 1, "play": 15, "next": 1}


def test_what_to_edit_first_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files that are there, and commands that there are."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "my-game"]) == 0
    told = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]

    assert [name for name in told if "/" in name and not (tmp_path / "my-game" / name).is_file()] == []
    assert told[0] == "games/my-game/10-rules.yaml"
    assert "brou" in told


@pytest.mark.slow
def test_a_new_project_can_be_put_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside what lies in a folder already, as long as no file is in the way."""
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")

    assert main(["new", "duet", "--data", str(tmp_path)]) == 0
    assert main(["check", "--data", str(tmp_path)]) == 0
    assert "duet" in capsys.readouterr().out
    assert list_files(tmp_path)["README.md"] == "mine"


def test_nothing_is_overwritten(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where one file is there already none is written, and the file is named."""
    for path in project.rglob("*"):
        if path.is_file() and path.name != "game.yaml":
            path.unlink()
    before = list_files(project)

    assert main(["new", "duet", "--data", str(project)]) == 2
    assert f"{project}/games/duet/game.yaml is there already, and nothing was written" in capsys.readouterr().err
    assert list_files(project) == before


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("My Game", "write my-game"),
        ("../up", "write up"),
        ("a_b", "write a-b"),
        ("", "write small letters, digits and hyphens, a letter first"),
        ("42", "write small letters, digits and hyphens, a letter first"),
    ],
)
def test_a_name_that_no_game_may_have_is_told(
    name: str, instead: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With one that it may have, and nothing is written."""
    monkeypatch.chdir(tmp_path)

    assert main(["new", name]) == 2
    assert instead in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_its_scenarios_notice_a_program_that_need_not_follow(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The example is a test of something: a program that plays any card deviates, and the clause is named."""
    adapter = project / "adapters" / "adapter.py"
    text = adapter.read_text(encoding="utf-8")
    adapter.write_text(text.replace("return [card for card in hand if card[1] == led] or hand", "return hand"), "utf-8")

    assert main(["verify", "--program", "mine"]) == 1
    assert "duet.play.02" in capsys.readouterr().out


def test_a_program_is_not_judged_by_rules_that_cannot_be_loaded(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The fault of the rules is told as `brou check` tells it, and is none of ours."""
    rules_ = project / "games" / "duet" / "10-rules.yaml"
    text = rules_.read_text(encoding="utf-8")
    condition = "when: suit(c) != led and can_follow(p)"
    assert condition in text
    rules_.write_text(text.replace(condition, "when: suit(c) != led and suit(led) == trump"), encoding="utf-8")

    assert main(["verify", "--program", "mine"]) == 2
    told = capsys.readouterr().err
    assert "10-rules.yaml" in told
    assert "test it first" in told
    assert "Traceback" not in told


#: What comes after the refused card of the first scenario: play goes on from the position before that card.
GOES_ON = """\
  - {by: 2, act: {play: AC}}
  - {legal: 0, expect: {play: [AS, KS, QS, JS, TS]}}
  - {by: 0, act: {play: TS}}
  - {legal: 2, expect: {play: [TC, KH, JD, TD]}}
"""


@pytest.mark.slow
def test_a_scenario_that_goes_on_after_a_refused_card_is_explained(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that is asked positions did not play that card, so a change that allows it does not play it either."""
    scenarios, adapter = project / "scenarios" / "duet" / "first.yaml", project / "adapters" / "adapter.py"
    text = scenarios.read_text(encoding="utf-8")
    assert text.count("  - {by: 2, act: {play: AC}}\n") == 1
    scenarios.write_text(text.replace("  - {by: 2, act: {play: AC}}\n", GOES_ON), encoding="utf-8")
    code = adapter.read_text(encoding="utf-8")
    adapter.write_text(code.replace("return [card for card in hand if card[1] == led] or hand", "return hand"), "utf-8")

    assert main(["check"]) == 0
    assert main(["verify", "--program", "mine"]) == 1
    assert "does not bind (duet.play.02)" in " ".join(capsys.readouterr().out.split())


# It guards the commands of the job; tests above and `test_examples.py` guard what they do.
@pytest.mark.thorough
def test_its_job_on_github_is_green(project: Path, tmp_path: Path) -> None:
    """Every command of it but the installation, one after the other: check, prove, its tests and scenarios, verify."""
    job = yaml.safe_load((project / ".github" / "workflows" / "rules.yml").read_text(encoding="utf-8"))
    commands = [step["run"] for step in job["jobs"]["brou"]["steps"] if "run" in step]
    summary = tmp_path / "summary.md"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(summary)}

    assert commands.pop(0).startswith("pip install")
    for command in commands:
        done = subprocess.run(
            ["/bin/sh", "-ec", command], cwd=project, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        if command.startswith("pytest"):
            assert "6 passed, 1 skipped" in done.stdout
    assert "duet@house" in summary.read_text(encoding="utf-8")
