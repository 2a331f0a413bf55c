"""The first verdict: example programs are judged as they are meant to be, and anything else is noticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from brou_conformance.verdicts.verdict import EditionVerdict
from brou_tools.verify.first_verdict import ExampleProgram, main, surprises
from verdict_picture import PICTURE, draw_verdict, show_verdict

MISREAD = ExampleProgram(Path(), ("x",), EditionVerdict.DEVIATES, "b.over.")


def run(verdict: str, *clauses: str) -> dict[str, Any]:
    """Return the report on one edition."""
    return {"verdict": verdict, "clauses": [{"id": clause} for clause in clauses]}


@pytest.mark.thorough
def test_the_example_programs_are_judged_as_they_are_meant(capsys: pytest.CaptureFixture[str]) -> None:
    """One conforms, one deviates and its clause is named; both exit codes are as they should be.

    `make verify` judges the same; here README is held to show its output.
    """
    assert main() == 0
    told = capsys.readouterr().out
    assert "python: exit 0\n" in told
    assert "python/misread: exit 1\n" in told
    assert "blamed: brouc.over." in told
    assert told in (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8"), "README shows another output"


@pytest.mark.slow
def test_the_picture_is_of_the_verdict_of_today() -> None:
    """On the first page, with a text for those who do not see it; `python tools/tests/verdict_picture.py` draws it."""
    shown = show_verdict()

    assert "deviates from the edition" in shown
    assert draw_verdict(shown) == PICTURE.read_text(encoding="utf-8"), "python tools/tests/verdict_picture.py"
    assert "https:" not in PICTURE.read_text(encoding="utf-8")
    page = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert f"]({PICTURE.relative_to(Path(__file__).parents[2])})" in page


@pytest.mark.parametrize(
    ("code", "runs", "told"),
    [
        (1, [run("follows"), run("deviates", "b.play.01", "b.over.02")], []),
        (0, [run("follows")], ["exit code 0, expected 1", "verdicts follows, expected deviates", "blamed nothing, "]),
        (1, [run("deviates", "b.play.01")], ["blamed b.play.01, expected b.over.*"]),
        (1, [run("deviates", "b.over.01"), run("adapter")], ["verdicts deviates, adapter, expected deviates"]),
        (3, [], ["exit code 3, expected 1", "verdicts none, expected deviates", "blamed nothing, expected b.over.*"]),
    ],
)
def test_another_judgement_is_noticed(code: int, runs: list[dict[str, Any]], told: list[str]) -> None:
    """Exit code, verdicts and blamed clauses must all be the expected ones."""
    found = surprises(MISREAD, code, {"runs": runs})

    assert len(found) == len(told)
    assert all(what.startswith(expected) for what, expected in zip(found, told, strict=True))
