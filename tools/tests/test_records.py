"""The pages that are a session are true: their files are written, their commands run and print what the pages say."""

from __future__ import annotations

import doctest
import os
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from brou_tools.cli import main

DOCS = Path(__file__).parents[2] / "docs"
#: The pages, and how many commands each has at least.
PAGES = {"records": 8, "fuzzing": 3, "played": 2}

pytestmark = pytest.mark.slow


def steps(text: str) -> list[tuple[str, str]]:
    """Return what the page does, in its order: a file with its text, or a command with what it prints."""
    found: list[tuple[str, str]] = []
    for block in text.split("\n```")[1::2]:
        head, _, body = block.partition("\n")
        if body.startswith(":caption: "):
            name, _, content = body.removeprefix(":caption: ").partition("\n\n")
            found.append((f"file {name}", content + "\n"))
        elif head == "console":
            for command in ("\n" + body).split("\n$ ")[1:]:
                line, _, printed = command.partition("\n")
                found.append((line, printed + "\n"))
    return found


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """Return a folder in which `brou` is the command of the checkout."""
    script = tmp_path / "bin" / "brou"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m brou_tools.cli "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    python = tmp_path / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    return tmp_path


def ran(command: str, folder: Path) -> str:
    """Return what a command prints, with its errors; one of `brou` alone runs in this process."""
    call, _, otherwise = command.partition(" || ")
    program, *words = shlex.split(call)
    if program == "brou" and "&&" not in words and otherwise in ("", 'echo "exit code $?"'):
        with redirect_stdout(StringIO()) as told, redirect_stderr(told):
            code = main(words)
        return told.getvalue() + (f"exit code {code}\n" if otherwise and code else "")
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


# The page about fuzzing plays and explains for half a minute. Beyond `test_fuzz.py` it guards what the page shows.
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.thorough if page == "fuzzing" else ()) for page in PAGES]
)
def test_the_page_does_what_it_says(page: str, shell: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File by file and command by command, as a reader would type them."""
    monkeypatch.setenv("PATH", f"{shell / 'bin'}:{os.environ['PATH']}")
    monkeypatch.chdir(shell)
    done = steps((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    assert len([line for line, _ in done if not line.startswith("file ")]) >= PAGES[page]
    for line, text in done:
        if line.startswith("file "):
            (shell / line.removeprefix("file ")).write_text(text, encoding="utf-8")
            continue
        said = ran(line, shell)
        same = doctest.OutputChecker().check_output(text.rstrip() + "\n", said.rstrip() + "\n", doctest.ELLIPSIS)
        assert same, f"$ {line}\n{said}"
