"""`brou verify --smoke` as people use it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from brou_conformance.protocol import fault, schema
from brou_conformance.scenarios.corpus import corpus_root
from brou_tools.cli import main

ADAPTER = corpus_root().parent / "adapters" / "python" / "adapter.py"
SOUND = ["--", sys.executable, str(ADAPTER)]
SMOKE = ["verify", "--smoke", "--game", "brouc"]
#: The same program, which tells seats from 1.
SHIFTED = """import json, sys
sys.path.insert(0, {folder!r})
from adapter import Brouc, HommeDeBrou, Tables, answer
for line in sys.stdin.buffer:
    reply = answer(line, Tables(Brouc, HommeDeBrou))[0]
    for result in reply.get("results", []):
        if result.get("view", {{}}).get("turn") is not None: result["view"]["turn"] += 1
    print(json.dumps(reply), flush=True)
"""


def ended(arguments: list[str]) -> int:
    """Return the exit code of a command, usage errors included."""
    try:
        return main(arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else -1


@pytest.fixture
def shifted(tmp_path: Path) -> list[str]:
    """Return the command of a program whose adapter is not sound."""
    path = tmp_path / "shifted.py"
    path.write_text(SHIFTED.format(folder=str(ADAPTER.parent)), encoding="utf-8")
    return ["--", sys.executable, str(path)]


def test_a_sound_adapter_ends_with_nought(capsys: pytest.CaptureFixture[str]) -> None:
    """What was looked at is told."""
    assert ended([*SMOKE, *SOUND]) == 0
    assert "the adapter is sound" in capsys.readouterr().out


@pytest.mark.slow
def test_an_unsound_adapter_is_a_finding(shifted: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The likely cause is told first."""
    assert ended([*SMOKE, *shifted]) == 1
    assert "1. seats: Seats are told from 1 to n" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_the_document_is_written(shifted: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With `--json` one document comes, which names its format and has the shape of its schema."""
    assert ended([*SMOKE, "--json", *shifted]) == 1
    found = json.loads(capsys.readouterr().out)

    assert (found["format"], found["sound"], found["findings"][0]["check"]) == ("brou-smoke/1", False, "seats")
    assert fault("smoke", found) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "told"),
    [("fr", "l\N{RIGHT SINGLE QUOTATION MARK}adaptateur a un défaut"), ("de", "Der Adapter hat einen Fehler")],
)
def test_faults_are_told_in_a_language(
    shifted: list[str], lang: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the one that is asked for; it ends as in English."""
    assert ended([*SMOKE, "--lang", lang, *shifted]) == 1
    assert told in capsys.readouterr().out


def test_a_program_that_does_not_start_cannot_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    """It ends with 3."""
    assert ended(["verify", "--smoke", "--", "/no/such/program"]) == 3
    assert "The program cannot be started" in capsys.readouterr().out


def test_the_schema_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a program."""
    assert ended(["verify", "--smoke", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema("smoke")


@pytest.mark.parametrize(
    "options", [["-k", "x"], ["--junit", "x"], ["--report", "x"], ["--jobs", "2"], ["--families"], ["--list"]]
)
def test_what_belongs_to_scenarios_is_refused(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The smoke test asks none, and says so."""
    assert ended(["verify", "--smoke", *options, *SOUND]) == 2
    assert f"leave out {options[0]}" in capsys.readouterr().err
