"""The report for machines that are not ours: JUnit for build servers, Markdown for a summary page, a badge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from brou_conformance.judging.judge import Status
from brou_conformance.protocol import Message, shorten
from brou_conformance.telling.inert import code, prose
from brou_conformance.verdicts.verdict import Run, Verdict
from brou_conformance.verdicts.verify import Report

#: Statuses that are no judgement of the program's play.
_UNJUDGED = frozenset({Status.UNSUPPORTED, Status.SKIP, Status.BLOCKED})


def junit(report: Report) -> str:
    """Return the report in the form that build servers read: a suite an edition, a case a scenario."""
    root = ET.Element("testsuites", name="brou verify")
    for run in report.runs:
        _junit_run(root, run)
    if report.unusable is not None:
        suite = ET.SubElement(root, "testsuite", name="program", tests="1", errors="1")
        lost = ET.SubElement(suite, "testcase", classname="program", name="can be used")
        ET.SubElement(lost, "error", message=_clean(report.unusable.what)).text = _clean(report.unusable.stderr)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _junit_run(root: ET.Element, run: Run) -> None:
    """Add the cases of an edition; those that must not be missed though no case tells of them are one more."""
    suite = ET.SubElement(root, "testsuite", name=f"{run.game}@{run.edition}")
    if run.tally.kept:
        properties = ET.SubElement(suite, "properties")
        ET.SubElement(properties, "property", name="not_asked_again", value=str(run.tally.kept))
    failing = {case.number for case in run.failing}
    counts = Counter(
        _junit_case(suite, case, _kind(Status(case["status"]), fails=number in failing))
        for number, case in enumerate(run.cases)
    )
    if run.trace:
        lost = ET.SubElement(suite, "testcase", classname=f"{run.game}@{run.edition}", name="variants")
        ET.SubElement(lost, "error", message="a fault of the suite").text = _clean(run.trace)
        counts["error"] += 1
    numbers = {"failures": counts["failure"], "errors": counts["error"], "skipped": counts["skipped"]}
    suite.attrib |= {"tests": str(counts.total()), **{key: str(number) for key, number in numbers.items()}}


def _kind(status: Status, *, fails: bool) -> str:
    if fails:
        return "failure"
    if status in _UNJUDGED:
        return "skipped"
    return "" if status in (Status.PASS, Status.READING) else "error"


def _junit_case(suite: ET.Element, case: Message, kind: str) -> str:
    """Add a case and return what kind it is of."""
    attributes = {"classname": f"{case['game']}@{case['edition']}:{case['setup']}", "name": _clean(case["id"])}
    element = ET.SubElement(suite, "testcase", attributes)
    if kind:
        shown = case.get("shown")
        trace = case.get("trace", "")
        what = f"{shown['step']}: {shown['said']}; the rules: {shown['wanted']}" if shown else "a fault of the suite"
        words = f"{case['title']}\n{case['because']}\nclauses: {', '.join(case['clauses'])}"
        ET.SubElement(element, kind, message=_clean(what)).text = _clean(f"{words}\n{trace}" if trace else words)
    return kind


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
        yield f"**The program cannot be used:** {prose(report.unusable.what)}"
        yield ""
    if report.runs:
        statuses = [status for status in Status if any(run.counts[status.value] for run in report.runs)]
        yield f"| rules | verdict | {' | '.join(status.value for status in statuses)} |"
        yield f"|---|---|{'---:|' * len(statuses)}"
        for run in report.runs:
            counts = " | ".join(str(run.counts[status.value]) for status in statuses)
            yield f"| {prose(f'{run.game}@{run.edition}')} | {_MARKS[run.verdict]} {run.verdict.value} | {counts} |"
        yield ""
    for run in report.runs:
        yield from _deviations(run)
    for run in report.runs:
        if run.tally.kept:
            yield f"- Not asked again: {run.tally.kept} cases of {prose(f'{run.game}@{run.edition}')}"
    yield from (f"- Not judged: {prose(note)}" for note in report.notes)


_MARKS = {Verdict.CONFORMS: "✅", Verdict.DEVIATES: "❌", Verdict.ADAPTER: "⚠️", Verdict.SUITE: "⚠️"}


def _deviations(run: Run) -> Iterator[str]:
    clauses = run.blamed
    if clauses:
        yield f"### {prose(f'{run.game}@{run.edition}')}"
        yield ""
        yield "| clause | cases | smallest case | the program | the rules |"
        yield "|---|---:|---|---|---|"
        for blame in clauses:
            shown = run.describe(blame.cases[0])["shown"]
            said = [prose(shown["said"]), prose(shown["wanted"])]
            cells = [prose(blame.clause), str(len(blame.cases)), code(shown["step"]), *said]
            yield f"| {' | '.join(cells)} |"
        yield ""


def badge(report: Report) -> dict[str, Any]:
    """Return what a badge says, in the form that badge services read."""
    passed = sum(run.counts[Status.PASS] + run.counts[Status.READING] for run in report.runs)
    total = sum(run.discovered for run in report.runs)
    verdicts = {run.verdict for run in report.runs}
    fine = verdicts == {Verdict.CONFORMS} and report.unusable is None
    said = "conforms" if fine else "deviates" if Verdict.DEVIATES in verdicts else "not judged"
    colour = "brightgreen" if fine else "red" if Verdict.DEVIATES in verdicts else "lightgrey"
    kept = sum(run.tally.kept for run in report.runs)
    message = f"{said} {passed}/{total}" + (f", {kept} not asked again" if kept else "")
    return {"schemaVersion": 1, "label": "brou", "message": message, "color": colour}
