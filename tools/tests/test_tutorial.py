"""The tutorials are true: their files are written, their commands run, and they print what the pages say."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

import pytest
import yaml

from installed import make_environment, run_command

DOCS = Path(__file__).parents[2] / "docs"
PAGE, FIRST_GAME = DOCS / "tutorial.md", DOCS / "first-game.md"
ACTIONS = DOCS / "examples" / "github-actions.yml"
#: What first judges a whole game.
FIRST_VERDICT = "brou verify -- python adapter.py"
FENCE = re.compile(r"^```(\S+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r":caption: (\S+)\n\n(.*)", re.DOTALL)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an environment in `venv`, into which `pip install brou` can install our wheel."""
    folder = tmp_path_factory.mktemp("tutorial")
    make_environment(folder)
    return folder


def ran(command: str, folder: Path, wheel: Path) -> str:
    """Return what a command prints in the shell of somebody who follows the page."""
    done = run_command(command, folder, wheel)
    return done.stdout if done.stdout or not done.stderr else done.stderr


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Yield what the page does, in its order: a file with its text, or a command with what it prints."""
    for kind, body in FENCE.findall(text):
        caption = CAPTION.match(body)
        if caption:
            yield f"file {caption[1]}", caption[2]
        if kind == "console":
            for command in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, _, printed = command.partition("\n")
                yield line, printed


def same(wanted: str, said: str) -> bool:
    """Say whether a command printed what the page shows, dots standing for anything."""
    return doctest.OutputChecker().check_output(wanted.rstrip() + "\n", said.rstrip() + "\n", doctest.ELLIPSIS)


def follow(done: Iterable[tuple[str, str]], shell: Path, wheel: Path) -> None:
    """Take steps of a page, and see that each prints what the page shows."""
    for line, text in done:
        if line.startswith("file "):
            file = shell / line.removeprefix("file ")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        else:
            said = ran(line, shell, wheel)
            assert same(text, said), f"$ {line}\n{said}"


def test_the_tutorial_begins_as_it_says(shell: Path, wheel: Path) -> None:
    """Installed, a first program is written and asked whether it speaks the protocol."""
    done = list(takewhile(lambda step: step[0] != FIRST_VERDICT, steps(PAGE.read_text(encoding="utf-8"))))

    assert [line for line, _ in done if not line.startswith("file ")][-1].startswith("brou verify --smoke")
    follow(done, shell, wheel)


# Beyond its beginning it guards the texts of the tutorial that begin with the first verdict, each of whose commands
# judges and explains all of a game. What the commands do has tests of its own.
@pytest.mark.parametrize(
    "page", [pytest.param(PAGE, marks=pytest.mark.thorough), FIRST_GAME], ids=lambda page: page.stem
)
def test_a_tutorial_does_what_it_says(page: Path, shell: Path, wheel: Path) -> None:
    """Step by step, as a reader would type it."""
    done = list(steps(page.read_text(encoding="utf-8")))
    assert len([line for line, _ in done if not line.startswith("file ")]) >= 9
    follow(done, shell, wheel)


@pytest.mark.thorough
def test_the_job_for_github_runs(shell: Path, wheel: Path) -> None:
    """Its own commands, after the tutorial's program has been written."""
    for line, text in steps(PAGE.read_text(encoding="utf-8")):
        if line.startswith("file "):
            (shell / line.removeprefix("file ")).write_text(text, encoding="utf-8")
    job = yaml.safe_load(ACTIONS.read_text(encoding="utf-8"))["jobs"]["brou"]
    summary = shell / "summary.md"
    for command in [step["run"] for step in job["steps"] if "run" in step]:
        ran(f"GITHUB_STEP_SUMMARY={summary}; {command}", shell, wheel)

    assert "✅ follows the edition" in summary.read_text(encoding="utf-8")
    assert "<testsuites" in (shell / "brou.xml").read_text(encoding="utf-8")
