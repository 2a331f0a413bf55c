"""`brou verify --families` as people use it: what is printed, what is written, and how it ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from brou_conformance.protocol import fault
from brou_conformance.scenarios.corpus import corpus_root
from brou_tools.cli import main

ADAPTER = corpus_root().parent / "adapters" / "python" / "adapter.py"
SOME = ["verify", "--families", "--game", "brouc", "-k", "brouc.over.lower-trump-refused"]
#: The reference, which whispers to each seat what its neighbour was dealt last.
WHISPERING = """\
from brou_conformance.programs.engine import ReferenceEngine, choices

class Player:
    def __init__(self):
        self.engine = ReferenceEngine(choices(["brouc@2022"]))

    def hello(self):
        said = self.engine.answer({"op": "hello", "id": 0, "protocol": 1})
        return {key: value for key, value in said.items() if key not in ("id", "ok")}

    def run(self, request):
        results = self.engine.answer({"op": "run", "id": 0, **request})["results"]
        hands = request["start"].get("hands", {})
        for step, result in zip(request["steps"], results):
            if "view" in result and hands:
                result["view"]["whisper"] = hands[str((step["view"] + 1) % 4)][-1]
        return results
"""


@pytest.fixture
def whispering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the options that name a program that leaks."""
    (tmp_path / "whispering.py").write_text(WHISPERING, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return ["--python", "whispering:Player"]


def test_a_consistent_program_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    """What was asked beside the scenarios is told in a line."""
    assert main([*SOME, "--", sys.executable, str(ADAPTER)]) == 0
    told = capsys.readouterr().out

    assert "1 case: 1 passes." in told
    assert "Asked in pairs: deals that a seat cannot tell apart: 2, scripts at a turned\n" in told


@pytest.mark.slow
def test_a_leak_is_a_finding(whispering: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A program against which no scenario speaks ends with 1 if it tells a seat what it cannot know."""
    assert main(["verify", *SOME[2:], *whispering]) == 0
    capsys.readouterr()

    assert main([*SOME, *whispering]) == 1
    told = capsys.readouterr().out
    assert "deviates from the edition.\n" in told
    assert "what does seat 1 see?\n        in the one deal: whisper " in told


@pytest.mark.slow
def test_json_and_record_hold_every_kind(whispering: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With numbers for each kind and both requests of the smallest pair that differs."""
    assert main([*SOME, "--json", "--report", "record", *whispering]) == 1
    report = json.loads(capsys.readouterr().out)
    (run,) = report["runs"]
    lines = [json.loads(line) for line in Path("record").read_text(encoding="ascii").splitlines()]

    assert fault("report", report) is None
    assert {fault("record", line) for line in lines} == {None}
    assert list(run["families"]) == [line["family"] for line in lines if line["kind"] == "family"]
    assert run["families"]["hidden"]["differ"] > 0
    example = run["families"]["hidden"]["examples"][0]
    assert example["base"]["steps"] == example["variant"]["steps"]
    assert example["base"]["start"]["hands"] != example["variant"]["start"]["hands"]
