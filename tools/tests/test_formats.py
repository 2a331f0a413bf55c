"""Every document that a command writes names its format, first of all."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from brou_tools.cli import main

ROOT = Path(__file__).parents[2]
CASE = "brouc.over.ruff-must-beat-the-ruff"
PROGRAM = [sys.executable, str(ROOT / "conformance" / "adapters" / "cards-only" / "adapter.py")]
RECORD = str(Path(__file__).parent / "golden" / "brouc-slip.yaml")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["verify", "-k", CASE, "--json", "--", *PROGRAM], "brou-verification/1"),
        (["export", "brouc@2022"], "brou-export/1"),
        (["export", "--core", "brouc"], "brou-core/1"),
        (["corpus", "list", "brouc", "--json"], "brou-corpus/1"),
        (["corpus", "coverage", "brouc", "--json"], "brou-coverage/1"),
        (["corpus", "show", CASE, "--json"], "brou-scenarios/1"),
        (["explain", f"{CASE}#choice", "--json"], "brou-explanation/1"),
        (["score", RECORD, "--json"], "brou-settlement/1"),
        (["simulate", "brusquembille", "-n", "1", "--json"], "brou-simulation/1"),
        (["perft", "brusquembille", "--depth", "1", "--json"], "brou-perft/1"),
        (["ambiguities", "brouc", "--json"], "brou-register/1"),
        (["witness", "brouc.amb.47", "--json"], "brou-witness/1"),
        (["diff", "homme-d-auvergne@1718", "homme-d-auvergne@1725", "--json"], "brou-comparison/1"),
    ],
)
def test_a_document_names_its_format(words: list[str], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is the first key of the document."""
    main(words)
    out, err = capsys.readouterr()

    assert out.startswith("{"), err
    assert next(iter(json.loads(out).items())) == ("format", name)
