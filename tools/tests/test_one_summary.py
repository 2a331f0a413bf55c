"""One run, seven outputs: text, JSON, JUnit, Markdown, badge, pytest and the record tell the same figures."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from brou_conformance.fitting.search import FailureExplanation
from brou_conformance.protocol import fault
from brou_tools.cli import main

ROOT = Path(__file__).parents[2]
#: It passes, fails, and cannot be asked everything.
PROGRAM = [sys.executable, str(ROOT / "conformance" / "tests" / "frozen" / "table-only" / "adapter.py")]
GAME = ["--game", "brouc"]
#: What picks scenarios that it passes, fails and cannot be asked.
SOME = ["-k", "brouc.over"]


@dataclass(frozen=True)
class Outputs:
    """Everything that was written of one run, and the code that each command ended with."""

    text: str
    document: dict[str, Any]
    junit: ET.Element
    markdown: str
    badge: dict[str, str]
    record: list[dict[str, Any]]
    pytest: str
    code: int
    known: Path

    @property
    def run(self) -> dict[str, Any]:
        """Return the edition as the document has it."""
        found: list[dict[str, Any]] = self.document["runs"]
        return found[0]


def said(arguments: list[str]) -> tuple[int, str]:
    """Return what a command ends with and what it prints."""
    with redirect_stdout(StringIO()) as printed:
        code = main(arguments)
    return code, printed.getvalue()


def take(folder: Path, some: list[str], known: Path | None = None) -> Outputs:
    """Judge the program once with every output, once more from its record for the text, and once under pytest."""
    files = {form: folder / form for form in ("junit", "markdown", "badge", "report")}
    wanted = [word for form, path in files.items() for word in (f"--{form}", str(path))]
    list_ = ["--known-failing", str(known)] if known else []
    write = ["--write-known-failing", str(folder / "known")]
    code, document = said(["verify", *GAME, *some, *list_, *write, *wanted, "--json", "--", *PROGRAM])
    again, text = said(["verify", *GAME, *some, *list_, "--replay", str(files["report"])])
    assert again == code
    plugin = [
        "--brou-engine",
        " ".join(PROGRAM),
        "--brou-game",
        "brouc",
        *(["--brou-known-failing", str(known)] if known else []),
    ]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *some, *plugin]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return Outputs(
        text,
        json.loads(document),
        ET.parse(files["junit"]).getroot(),  # noqa: S314 - our own
        files["markdown"].read_text(encoding="utf-8"),
        json.loads(files["badge"].read_text(encoding="utf-8")),
        [json.loads(line) for line in files["report"].read_text(encoding="ascii").splitlines()],
        done.stdout,
        code,
        folder / "known",
    )


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    """Return what is written of some scenarios; what explains their failures takes longest, and is in no figure."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brou_conformance.verdicts.verify.explain", lambda *_: FailureExplanation())
        return take(tmp_path_factory.mktemp("outputs"), SOME)


def hold_together(outputs: Outputs) -> dict[str, int]:
    """Assert that all outputs have the figures of the document, and return these."""
    figures: dict[str, int] = outputs.run["figures"]
    parts = {key: figures[key] for key in ("passed", "failed", "known", "unjudged", "errors")}

    assert fault("report", outputs.document) is None
    assert sum(parts.values()) == figures["cases"]
    unbroken = re.sub(r"\n {4}(?=\S)", " ", outputs.text)
    (line,) = re.findall(r"^  (\d+) cases: (.*)\.$", unbroken, re.MULTILINE)
    assert int(line[0]) == figures["cases"]
    told = [int(number) for number in re.findall(r"(?:^|, )(\d+) ", line[1])]
    assert told == [number for number in parts.values() if number]
    suite = outputs.junit[0]
    assert {key: int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": figures["cases"],
        "failures": figures["failed"],
        "errors": figures["errors"],
        "skipped": figures["known"] + figures["unjudged"],
    }
    assert len(suite.findall("testcase")) == figures["cases"]
    assert len(suite.findall("testcase/failure")) == figures["failed"]
    (row,) = re.findall(r"^\| brouc@2022 \|[^|]*\| (.*) \|$", outputs.markdown, re.MULTILINE)
    assert [int(cell) for cell in row.split(" | ")] == [
        figures["cases"],
        *(number for number in parts.values() if number),
    ]
    # A run of a part goes on with how many cases there are in all.
    assert re.search(rf" {figures['passed']}/{figures['cases']}(, of |$)", outputs.badge["message"])
    (kept,) = [one for one in outputs.record if one["kind"] == "run"]
    assert kept["figures"] == figures
    counted = {
        name: int(number)
        for number, name in re.findall(
            r"(\d+) (failed|passed|skipped|xfailed|errors?)", outputs.pytest.splitlines()[-1]
        )
    }
    names = {"passed": "passed", "failed": "failed", "known": "xfailed", "unjudged": "skipped"}
    assert {names[key]: parts[key] for key in names if parts[key]} == counted
    return figures


def differ(outputs: Outputs) -> None:
    """Assert that all outputs have the same figures, and that there are some of every kind."""
    figures = hold_together(outputs)

    assert min(figures["passed"], figures["failed"], figures["unjudged"]) > 0
    assert outputs.code == 1
    assert outputs.badge["color"] == "red"


@pytest.mark.slow
def test_all_outputs_have_the_same_figures(outputs: Outputs) -> None:
    """A program that passes, fails and cannot be asked everything counts alike everywhere."""
    differ(outputs)


# Beyond the test above it guards what a whole game has and some scenarios do not: other verbs, premises, and its size.
@pytest.mark.thorough
def test_all_outputs_have_the_same_figures_of_a_whole_game(tmp_path: Path) -> None:
    """So they have of all scenarios of a game."""
    differ(take(tmp_path, []))


# Beyond tests of each output it guards that all of them take a list of known failures alike.
@pytest.mark.thorough
def test_all_outputs_honour_what_is_known_to_fail(tmp_path: Path, outputs: Outputs) -> None:
    """What is known stops no build, and a list that was written is one that is taken."""
    outputs = take(tmp_path, SOME, outputs.known)
    figures = hold_together(outputs)

    assert figures["known"] > 0 == figures["failed"]
    assert outputs.code == 0
    assert outputs.badge["color"] == "yellow"
    assert "❌" not in outputs.markdown
    assert outputs.run["as_known"] is True


@pytest.mark.slow
def test_a_failure_can_be_understood_alone(outputs: Outputs) -> None:
    """Each output has hands, cards played, question, both answers, the clause, its source and the command."""
    failures: list[dict[str, Any]] = outputs.run["failures"]
    step = "brouc.over.partner-must-be-beaten-too#choice"
    (failure,) = [one for one in failures if one["step"] == step]
    needed = [
        *failure["start"],
        *failure["acts"],
        failure["question"],
        failure["said"],
        failure["wanted"],
        "Ulf Martin, Brouc, Spiel p2",
        "brouc.over.06",
        f"brou explain {step}",
    ]
    (case,) = [one for one in outputs.junit[0].findall("testcase") if one.attrib["name"] == failure["id"]]
    element = case.find("failure")
    assert element is not None
    folded = " ".join(f"{outputs.markdown}".split())
    pytest_told = " ".join(outputs.pytest.split())

    assert len(failures) == outputs.run["figures"]["failed"]
    for told in (" ".join(outputs.text.split()), " ".join((element.text or "").split()), folded, pytest_told):
        assert [one for one in needed if str(one) not in told] == []


# It guards the choice of cases for a whole game; the choice itself has tests of its own.
@pytest.mark.thorough
def test_all_clauses_with_failures_are_told_by_a_case_that_breaks_there(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--all`, each clause has a case whose first difference is at what the case is about."""
    misread = [sys.executable, str(ROOT / "conformance" / "adapters" / "python" / "misread" / "adapter.py")]
    assert main(["verify", *GAME, "--json", "--", *misread]) == 1
    some = json.loads(capsys.readouterr().out)["runs"][0]
    assert main(["verify", *GAME, "--all", "--json", "--", *misread]) == 1
    every = json.loads(capsys.readouterr().out)["runs"][0]
    cited = {clause["id"] for failure in every["failures"] for clause in failure["clauses"]}

    assert len(some["clauses"]) <= 3
    assert {clause["id"] for clause in every["clauses"]} == cited
    assert all(clause["shown"]["direct"] for clause in every["clauses"] if clause["shown"]["step"].count("#s") == 0)
