"""Records that earlier versions wrote are read, or refused with what to do instead."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from brou_conformance.judging.judge import Status
from brou_conformance.reports.record import read_record
from brou_tools.cli import main

RECORDS = Path(__file__).parent / "frozen" / "records"
PROGRAM = [sys.executable, str(RECORDS.parent / "cards-only" / "adapter.py")]
SOME = ["verify", "-k", "brouc.over.05"]


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("report-1", {Status.FAIL, Status.READING}),
        ("report-2-deviates", {Status.FAIL, Status.READING}),
        ("report-2-conforms", {Status.PASS}),
        ("report-3-deviates", {Status.FAIL}),
        ("report-3-conforms", {Status.PASS}),
    ],
)
def test_an_old_record_is_read(name: str, statuses: set[Status]) -> None:
    """Every line of it is one of a record, and it is whole."""
    found = read_record(RECORDS / f"{name}.ndjson")

    assert found.complete
    assert not found.damaged
    assert {known.status for known in found.cases.values()} == statuses


# Of the two that deviate what explains it is looked for, four seconds each; they guard the exit code, as the next test
# does for a record of the third format.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code"),
    [
        pytest.param("report-2-deviates", 1, marks=pytest.mark.thorough),
        ("report-2-conforms", 0),
        pytest.param("report-3-deviates", 1, marks=pytest.mark.thorough),
        ("report-3-conforms", 0),
    ],
)
def test_an_old_record_is_judged_without_its_program(name: str, code: int) -> None:
    """What was asked and answered then is enough."""
    assert main([*SOME, "--replay", str(RECORDS / f"{name}.ndjson")]) == code


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["deviates", "conforms"])
def test_a_record_of_an_earlier_version_comes_to_its_verdict(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The version that wrote it and this one say the same of it, clause by clause; that rules have changed is told."""
    record = RECORDS / f"report-3-{kind}.ndjson"
    (then,) = (line for line in map(json.loads, record.read_text().splitlines()) if line["kind"] == "run")
    assert main([*SOME, "--replay", str(record), "--json"]) == (0 if kind == "conforms" else 1)
    told = capsys.readouterr()
    (now,) = json.loads(told.out)["runs"]

    assert then["verdict"] == now["verdict"] == ("follows" if kind == "conforms" else "deviates")
    assert [one["id"] for one in then["clauses"]] == [one["id"] for one in now["clauses"]]
    assert now["cases"]["blocked"] == 0
    assert "the scenarios or rules of brouc have changed since it was made" in told.err


def test_a_record_without_requests_is_refused_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    """It is not told as a program that could not be judged."""
    assert main([*SOME, "--replay", str(RECORDS / "report-1.ndjson")]) == 2
    assert "run the program again with --report FILE, or compare with it: --since" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["report-1", "report-2-deviates"])
def test_what_has_changed_since_an_old_record_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The statuses of then are compared with those of now."""
    earlier, now = RECORDS / f"{name}.ndjson", RECORDS / "report-2-conforms.ndjson"

    assert main([*SOME, "--replay", str(now), "--since", str(earlier)]) == 0
    assert "Since the earlier report: 6 better." in capsys.readouterr().out


def test_a_run_does_not_go_on_with_a_record_of_an_earlier_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It does not say which program it is of; the record is left as it was."""
    record = tmp_path / "record.ndjson"
    shutil.copyfile(RECORDS / "report-1.ndjson", record)
    before = record.read_bytes()

    assert main([*SOME, "--report", str(record), "--resume", "--", *PROGRAM]) == 2
    assert "leave out --resume" in capsys.readouterr().err
    assert record.read_bytes() == before
