"""The cookbook is true: its files are written into a new project, its commands run, and they print what it says."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from brou_tools.cli import main
from brou_tools.new.skeleton import list_skeleton_files

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```(\S+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r":caption: (\S+)\n\n(.*)", re.DOTALL)
#: Each page with the game that its project begins with.
PAGES = {"languages": "slagen", "families": "slagen", "python": "slagen", "cookbook": "slagen"}


def list_steps(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield what a page does in its order: files and commands, each with its text or with what is printed."""
    for kind, body in FENCE.findall(text):
        if caption := CAPTION.match(body):
            yield "file", caption[1], caption[2]
        elif kind == "console":
            for command in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, _, printed = command.partition("\n")
                yield "command", line, printed
        elif kind == "python":
            yield "program", "", body


def list_recipes() -> list[tuple[str, str, str]]:
    """Return the parts of the pages that begin anew: each page, or each heading of it that has a recipe."""
    found = []
    for page, game in PAGES.items():
        text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
        parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE) if page in ("cookbook", "python") else ["", page, text]
        found += [
            (game, title, body) for title, body in zip(parts[1::2], parts[2::2], strict=True) if FENCE.search(body)
        ]
    return found


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(("game", "title", "body"), list_recipes(), ids=lambda value: value if len(value) < 40 else "")
def test_a_recipe_does_what_it_says(
    game: str, title: str, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the project that `brou new` writes, step by step."""
    for name, text in list_skeleton_files(game).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C")
    done = 0
    for kind, named, text in list_steps(body):
        said = io.StringIO()
        if kind == "file":
            (tmp_path / named).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / named).write_text(text, encoding="utf-8")
            continue
        done += 1
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
            if kind == "program":
                exec(compile(text, title, "exec"), {"__name__": "__main__"})  # noqa: S102 - a program of our own page
                continue
            main(shlex.split(named)[1:])
        told = re.sub(r"[ \t]+$", "", said.getvalue(), flags=re.MULTILINE).rstrip() + "\n"
        assert doctest.OutputChecker().check_output(text.rstrip() + "\n", told, doctest.ELLIPSIS), f"$ {named}\n{told}"
    assert done
