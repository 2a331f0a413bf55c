"""The report for machines that are not ours: JUnit for build servers, Markdown for a summary page, a badge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status
from brou_conformance.protocol import shorten
from brou_conformance.verdicts.verdict import Run, Verdict
from brou_conformance.verdicts.verify import Report

#: Statuses that are no judgement of the program's play.
_UNJUDGED = frozenset({Status.UNSUPPORTED, Status.SKIP, Status.BLOCKED})


def junit(report: Report) -> str:
    """Return the report in the form that build servers read: a suite an edition, a case a scenario."""
    root = ET.Element("testsuites", name="brou verify")
    for run in report.runs:
        failing = {case.name for case in run.failing}
        counts = Counter(_kind(case, failing) for case in run.cases)
        said = {"name": f"{run.game}@{run.edition}", "tests": str(len(run.cases))}
        numbers = {"failures": counts["failure"], "errors": counts["error"], "skipped": counts["skipped"]}
        suite = ET.SubElement(root, "testsuite", said | {key: str(number) for key, number in numbers.items()})
        for case in run.cases:
            _junit_case(suite, run, case, _kind(case, failing))
    if report.unusable is not None:
        suite = ET.SubElement(root, "testsuite", name="program", tests="1", errors="1")
        lost = ET.SubElement(suite, "testcase", classname="program", name="can be used")
        ET.SubElement(lost, "error", message=report.unusable.what).text = _clean(report.unusable.stderr)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _kind(case: Case, failing: set[str]) -> str:
    if case.name in failing:
        return "failure"
    if case.status in _UNJUDGED:
        return "skipped"
    return "" if case.status in (Status.PASS, Status.READING) else "error"


def _junit_case(suite: ET.Element, run: Run, case: Case, kind: str) -> None:
    attributes = {"classname": f"{run.game}@{run.edition}:{case.script.choice.setup}", "name": case.scenario.id}
    element = ET.SubElement(suite, "testcase", attributes)
    if kind:
        found = case.judgements[case.culprit]
        what = f"{case.step(case.culprit)}: {found.said}; the rules: {found.wanted}"
        ET.SubElement(element, kind, message=_clean(what)).text = _clean(
            f"{case.scenario.title}\n{case.scenario.because}\nclauses: {', '.join(case.scenario.clauses)}"
        )


def _clean(text: str) -> str:
    """Return a text without characters that XML does not know."""
    return "\n".join(shorten(line, 2000) for line in text.splitlines())


def markdown(report: Report) -> str:
    """Return the report as a page for a build's summary."""
    return "\n".join(_markdown(report)) + "\n"


def _markdown(report: Report) -> Iterator[str]:
    yield "## Brou: rules of play"
    yield ""
    if report.unusable is not None:
        yield f"**The program cannot be used:** {_escaped(report.unusable.what)}"
        yield ""
    if report.runs:
        statuses = [status for status in Status if any(run.counts[status.value] for run in report.runs)]
        yield f"| rules | verdict | {' | '.join(status.value for status in statuses)} |"
        yield f"|---|---|{'---:|' * len(statuses)}"
        for run in report.runs:
            counts = " | ".join(str(run.counts[status.value]) for status in statuses)
            yield f"| {run.game}@{run.edition} | {_MARKS[run.verdict]} {run.verdict.value} | {counts} |"
        yield ""
    for run in report.runs:
        yield from _deviations(run)
    yield from (f"- Not judged: {_escaped(note)}" for note in report.notes)


_MARKS = {Verdict.CONFORMS: "✅", Verdict.DEVIATES: "❌", Verdict.ADAPTER: "⚠️", Verdict.SUITE: "⚠️"}


def _deviations(run: Run) -> Iterator[str]:
    clauses = run.blamed
    if clauses:
        yield f"### {run.game}@{run.edition}"
        yield ""
        yield "| clause | cases | smallest case | the program | the rules |"
        yield "|---|---:|---|---|---|"
        for blame in clauses:
            case = blame.cases[0]
            found = case.judgements[case.culprit]
            cells = [blame.clause, str(len(blame.cases)), f"`{case.step(case.culprit)}`", found.said, found.wanted]
            yield f"| {' | '.join(map(_escaped, cells))} |"
        yield ""


def _escaped(text: str) -> str:
    return shorten(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def badge(report: Report) -> dict[str, Any]:
    """Return what a badge says, in the form that badge services read."""
    passed = sum(run.counts[Status.PASS] + run.counts[Status.READING] for run in report.runs)
    total = sum(run.discovered for run in report.runs)
    verdicts = {run.verdict for run in report.runs}
    fine = verdicts == {Verdict.CONFORMS} and report.unusable is None
    said = "conforms" if fine else "deviates" if Verdict.DEVIATES in verdicts else "not judged"
    colour = "brightgreen" if fine else "red" if Verdict.DEVIATES in verdicts else "lightgrey"
    return {"schemaVersion": 1, "label": "brou", "message": f"{said} {passed}/{total}", "color": colour}
