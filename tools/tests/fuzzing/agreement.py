"""What the outputs of one verification have in common: all come out, are well-formed, and tell the same."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from brou_conformance.protocol import fault
from brou_conformance.reports.record import read_record
from brou_conformance.reports.sentences import Sentences
from fuzzing.target import Broken, Ended

#: Statuses of a case that do not speak against a program by themselves.
_FINE = {"pass", "reading"}

#: Verdicts that end with exit code 0, the less plain one first.
_GOOD = ("follows-readings", "follows")
#: As what else people are told a verdict: who follows an edition may declare other readings than its own.
_TOLD_AS = {"follows": ("follows-declared", "follows-agreed")}


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files that a verification is to write."""

    folder: Path

    @property
    def report(self) -> Path:
        """Return where the record stands."""
        return self.folder / "report.ndjson"

    @property
    def junit(self) -> Path:
        """Return where the JUnit report stands."""
        return self.folder / "junit.xml"

    @property
    def markdown(self) -> Path:
        """Return where the summary stands."""
        return self.folder / "summary.md"

    @property
    def badge(self) -> Path:
        """Return where the badge stands."""
        return self.folder / "badge.json"

    @property
    def options(self) -> list[str]:
        """Return the options of the command that ask for all of them."""
        named = {"report": self.report, "junit": self.junit, "markdown": self.markdown, "badge": self.badge}
        return [word for name, path in named.items() for word in (f"--{name}", str(path))]


def hold_outputs(outputs: Outputs, ended: Ended, *, document: bool) -> str:
    """Raise `Broken` where an output is missing, malformed, or tells otherwise than the record; return the verdict.

    `document` says that the standard output is to hold the JSON document, and no words for people.
    """
    _hold("a fault of our own" not in ended.err, _name_fault(ended.err), ended.err[-3000:])
    cases, runs = _hold_record(outputs.report)
    wrong = {name for name, status in cases.items() if status != "pass"}
    bad = {name for name in wrong if cases[name] not in _FINE}
    failing = _hold_junit(outputs.junit)
    _hold(bad <= failing <= wrong, "JUnit and the record differ on which cases fail", _some(failing ^ bad))
    _hold_markdown(outputs.markdown, runs)
    _hold_badge(outputs.badge, runs)
    if document:
        _hold_document(ended.out, runs, wrong)
    else:
        _hold_words(ended, runs)
    return _hold_code(ended, runs)


def _name_fault(text: str) -> str:
    """Return in a line what a fault of our own is that was told."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    places = [line for line in lines if line.startswith("File ") and "/brou" in line and "site-packages" not in line]
    return f"a fault of our own: {lines[-1][:100] if lines else ''} {places[-1].rpartition('/')[2] if places else ''}"


def _hold(holds: object, promise: str, *told: object) -> None:
    if not holds:
        raise Broken(promise, *told)


def _some(names: Any) -> str:
    return ", ".join(sorted(map(str, names))[:3])


def _hold_record(path: Path) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """Return the status of every case and what every edition came to."""
    _hold(path.exists(), "no record")
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for line in lines:
        _hold(not fault("record", line), "a line of the record is not of its schema", fault("record", line))
    _hold(read_record(path).complete, "the record is not whole")
    counting = _choose_counting(lines)
    cases = {_name(line): line["status"] for line in counting}
    _hold(len(cases) == len(counting), "a case stands twice in the record")
    for line in lines:
        if line["kind"] == "case":
            if line["status"] == "suite":
                raise Broken(_name_fault(str(line.get("trace"))), line.get("trace"))
            worst = {found["status"] for found in line["findings"]}
            _hold(line["status"] in (worst or {"pass"}), "the status of a case is none of its findings", line)
    runs = {f"{line['game']}@{line['edition']}": line for line in lines if line["kind"] == "run"}
    for name, run in runs.items():
        counted = Counter(status for case, status in cases.items() if case.startswith(f"{name}:"))
        said = {key: count for key, count in run["cases"].items() if key != "discovered" and count}
        _hold(said == dict(counted), "the record counts its cases wrong", name, said, dict(counted))
    return cases, runs


def _choose_counting(lines: Sequence[Any]) -> list[Any]:
    """Return the cases that count: those of an edition end where it is judged again under other readings."""
    counting: list[Any] = []
    for line in lines:
        if line["kind"] == "case":
            counting.append(line)
        elif line["kind"] == "again":
            again = line["game"], line["edition"]
            counting = [one for one in counting if (one["game"], one["edition"]) != again]
    return counting


def _name(line: Any) -> str:
    return f"{line['game']}@{line['edition']}:{line['setup']} {line['id']}"


def _hold_junit(path: Path) -> set[str]:
    """Return the names of the cases that do not pass."""
    _hold(path.exists(), "no JUnit")
    try:
        root = ET.fromstring(path.read_text(encoding="utf-8"))  # noqa: S314 - what we have written ourselves
    except ET.ParseError as error:
        raise Broken("JUnit is no XML", error) from error
    found: set[str] = set()
    for suite in root.iter("testsuite"):
        cases = list(suite.iter("testcase"))
        _hold(suite.get("tests") == str(len(cases)), "JUnit counts its cases wrong")
        kinds = Counter(child.tag for case in cases for child in case)
        for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            _hold(suite.get(attribute, "0") == str(kinds[kind]), f"JUnit counts its {attribute} wrong")
        if not str(suite.get("name")).endswith(" variants"):
            found |= {f"{case.get('classname')} {case.get('name')}" for case in cases if len(case)}
    return {name for name in found if name != "program can be used"}


def _hold_markdown(path: Path, runs: dict[str, dict[str, Any]]) -> None:
    _hold(path.exists(), "no Markdown")
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    for name, run in runs.items():
        found = [row for row in rows if _plain(row).startswith(f"| {name} |")]
        words = [Sentences().word("badges", verdict) for verdict in (run["verdict"], *_TOLD_AS.get(run["verdict"], ()))]
        told = len(found) == 1 and any(word in _plain(found[0]) for word in words)
        _hold(told, "Markdown does not tell what an edition came to", name)
    heads = [row for row in rows if row.startswith("| rules |")]
    if runs:
        _hold(len(heads) == 1, "Markdown has no table")
        width = heads[0].count("|")
        table = [row for row in rows if any(_plain(row).startswith(f"| {name} |") for name in runs)]
        _hold(all(row.count("|") == width for row in table), "the table in Markdown is not straight")


def _plain(row: str) -> str:
    return re.sub(r"\\(.)", r"\1", row)


def _hold_badge(path: Path, runs: dict[str, dict[str, Any]]) -> None:
    _hold(path.exists(), "no badge")
    badge = json.loads(path.read_text(encoding="utf-8"))
    passed = sum(run["cases"]["pass"] + run["cases"]["reading"] for run in runs.values())
    total = sum(run["cases"]["discovered"] for run in runs.values())
    _hold(
        badge["message"].endswith(f" {passed}/{total}"),
        "the badge counts its cases wrong",
        badge["message"],
        f"{passed}/{total}",
    )


def _hold_document(text: str, runs: dict[str, dict[str, Any]], wrong: set[str]) -> None:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise Broken("--json is no JSON", error) from error
    _hold(not fault("report", document), "--json is not of its schema", fault("report", document))
    told = {f"{run['game']}@{run['edition']}": run for run in document["runs"]}
    _hold(set(told) == set(runs), "--json and the record tell of other editions")
    for name, run in told.items():
        same = {key: value for key, value in runs[name].items() if key != "kind"}
        told_apart = {key: value for key, value in run.items() if key not in ("findings", "failures")}
        _hold(told_apart == same, "--json and the record differ on an edition", name, told_apart, same)
    ids = {found["step"].partition("#")[0] for run in told.values() for found in run.get("findings", ())}
    _hold(ids == {name.partition(" ")[2] for name in wrong}, "--json tells of other cases than the record")


def _hold_words(ended: Ended, runs: dict[str, dict[str, Any]]) -> None:
    for name in runs:
        _hold(f"{name}: " in ended.out, "nothing is said of an edition", name)


def _hold_code(ended: Ended, runs: dict[str, dict[str, Any]]) -> str:
    """Hold the exit code to the verdicts; return the gravest one."""
    verdicts = {run["verdict"] for run in runs.values()}
    if not runs:
        _hold(ended.code == 3, f"exit code {ended.code} although nothing could be judged")
        return "unusable"
    unasked = any(run["verdict"] == "suite" and not run["cases"]["discovered"] for run in runs.values())
    _hold(ended.code != 4 or unasked, "exit code 4 although there are scenarios for everything that it plays")
    if ended.code == 0:
        _hold(verdicts <= set(_GOOD), f"exit code 0 and {_some(verdicts)}")
    if ended.code == 1:
        _hold(verdicts - set(_GOOD), "exit code 1 and every edition is followed")
    return next(word for word in ("suite", "deviates", "adapter", *_GOOD) if word in verdicts)
