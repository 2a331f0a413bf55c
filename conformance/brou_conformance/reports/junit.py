"""The report for build servers: JUnit XML, a suite an edition, a test case a scenario."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from brou.shapes import ABSENT
from brou_conformance.protocol import shorten
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.summary import CaseKind, Summary, ToldCase, summarise
from brou_conformance.verdicts.verify import Report

#: What build servers call a case of a kind; one that passes has no name. What is known to fail does not stop a build.
_ELEMENTS = {
    CaseKind.FAILED: "failure",
    CaseKind.KNOWN: "skipped",
    CaseKind.UNJUDGED: "skipped",
    CaseKind.ERROR: "error",
}
_LONG = 2000


def junit(report: Report, teller: Teller | None = None) -> str:
    """Return the report in the form that build servers read."""
    root = ET.Element("testsuites", name="brou verify")
    for summary in summarise(report.runs):
        _add_edition(root, summary, teller or Teller())
        _add_variants(root, summary, (teller or Teller()).words)
    if report.unusable is not None:
        suite = ET.SubElement(root, "testsuite", name="program", tests="1", errors="1")
        lost = ET.SubElement(suite, "testcase", classname="program", name="can be used")
        ET.SubElement(lost, "error", message=_clean(report.unusable.what)).text = _clean(report.unusable.stderr)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_edition(root: ET.Element, summary: Summary, teller: Teller) -> None:
    """Add the cases of an edition."""
    figures = summary.figures
    numbers = {"tests": figures.cases, "failures": figures.failed, "errors": figures.errors}
    numbers["skipped"] = figures.known + figures.unjudged
    attributes = {"name": summary.name, **{key: str(number) for key, number in numbers.items()}}
    suite = ET.SubElement(root, "testsuite", attributes)
    properties = ET.SubElement(suite, "properties")
    values = {"verdict": summary.run.verdict.value, "known": figures.known, "not_asked_again": summary.run.tally.kept}
    for name, value in values.items():
        ET.SubElement(properties, "property", name=name, value=str(value))
    for kind, case in summary.cases():
        _add_case(suite, summary, kind, case, teller)


def _add_case(suite: ET.Element, summary: Summary, kind: CaseKind, case: ToldCase, teller: Teller) -> None:
    found = case.report
    attributes = {"classname": f"{found.game}@{found.edition}:{found.setup}", "name": _clean(found.id)}
    element = ET.SubElement(suite, "testcase", attributes)
    if kind is CaseKind.PASSED:
        return
    shown, words = found.shown, teller.words
    what = words.echo("a fault of the suite")
    if shown is not ABSENT:
        said, wanted = words.echo(shown.said), words.echo(shown.wanted)
        what = f"{shown.step}: {said}; {words.say('rules')} {wanted}"
    told = "\n".join(teller.whole(summary, case))
    trace = "" if ABSENT in (found.trace, shown) else f"\n{found.trace}"
    ET.SubElement(element, _ELEMENTS[kind], message=_clean(what)).text = _clean(told + trace)


def _add_variants(root: ET.Element, summary: Summary, words: Sentences) -> None:
    """Add a suite for the variants of an edition, if there were any or they broke down."""
    run = summary.run
    if not run.families and not run.trace:
        return
    suite = ET.SubElement(root, "testsuite", name=f"{summary.name} variants")
    counts = {"tests": len(run.families) + bool(run.trace), "failures": 0, "errors": int(bool(run.trace))}
    for kind, family in run.families.items():
        element = ET.SubElement(suite, "testcase", classname=f"{summary.name} variants", name=kind.value)
        if family.differ:
            counts["failures"] += 1
            parts = {"number": words.number(family.differ), "pairs": words.count(family.pairs, "of_pair")}
            told = words.say("pairs_differ", kind=words.word("pairs", kind.value), **parts)
            ET.SubElement(element, "failure", message=told)
    if run.trace:
        lost = ET.SubElement(suite, "testcase", classname=f"{summary.name} variants", name="all")
        ET.SubElement(lost, "error", message=words.echo("a fault of the suite")).text = _clean(run.trace)
    suite.attrib |= {key: str(number) for key, number in counts.items()}


def _clean(text: str) -> str:
    """Return a text without characters that XML does not know."""
    return "\n".join(shorten(line, _LONG) for line in text.splitlines())
