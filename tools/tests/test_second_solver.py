"""A second solver answers the same questions, and a run says where it does not know."""

from __future__ import annotations

import json
import re

import pytest

from brou_tools.cli import main
from brou_tools.smt import asking

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

#: A statement that is proved with closed sums; opened they take a second solver minutes.
CLOSED = "brouc.account.claim"
WORDS = ["prove", "brouc", "--only", CLOSED, "--second"]


@pytest.mark.slow
def test_both_solvers_give_the_same_answers(capsys: pytest.CaptureFixture[str]) -> None:
    """The run says so, and that none is open."""
    pytest.importorskip("cvc5", reason="no second solver is installed")

    assert main(WORDS) == 0
    told = capsys.readouterr().out
    assert "a second solver gives the same answer to " in told
    assert "open" not in told


@pytest.mark.slow
def test_questions_that_one_solver_leaves_open_are_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The statement is named, and the document counts its questions."""
    monkeypatch.setattr(asking, "second_opinion", lambda _text: "unknown")

    assert main(WORDS) == 0
    assert re.search(f"to 0 questions and leaves [0-9]+ questions open, of {CLOSED}\n", capsys.readouterr().out)
    assert main([*WORDS, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["games"][0]["obligations"]
    assert one["unsure"] > 0
    assert "agreed" not in one


def test_a_contradiction_is_no_proof(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the second solver finds a position that the first says there is none of, the run ends with 4."""
    monkeypatch.setattr(asking, "second_opinion", lambda _text: "sat")

    assert main(WORDS) == 4
    assert "one solver says unsat, the other sat" in capsys.readouterr().err
