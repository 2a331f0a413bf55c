"""The report as one JSON document; `schemas/report.schema.json` describes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from brou_conformance.judging.judge import Status
from brou_conformance.protocol import Message
from brou_conformance.telling.sources import tell_clause
from brou_conformance.telling.summary import Blamed, Kind, Summary, summarise
from brou_conformance.verdicts.verdict import Run
from brou_conformance.verdicts.verify import Report

FORMAT = "brou-verification/1"


def document(report: Report, *, every: bool = False) -> Message:
    """Return the report as JSON."""
    summaries = summarise(report.runs, every=every)
    found: Message = {"format": FORMAT, "runs": [_describe_all(summary) for summary in summaries]}
    if report.notes:
        found["notes"] = list(report.notes)
    if report.unusable is not None:
        lost = report.unusable
        found["unusable"] = {"kind": lost.kind, "what": lost.what, "stderr": lost.stderr}
    return found


def _describe_all(summary: Summary) -> Message:
    """Return an edition with what was found case by case."""
    run = summary.run
    findings = [finding for case in run.cases for finding in case["findings"]]
    failures = [
        {
            "id": case["id"],
            "setup": case["setup"],
            "known": kind is Kind.KNOWN,
            "title": case["title"],
            "because": case["because"],
            "clauses": _texts(summary, case),
            **case["shown"],
            "command": case["command"],
        }
        for kind, case in summary.failures()
        if "shown" in case
    ]
    return {**describe_summary(summary), "findings": findings, "failures": failures}


def _texts(summary: Summary, case: Message) -> list[Message]:
    choice = summary.choice(case["setup"])
    return [
        {"id": clause, "text": tell_clause(choice, clause, "en", summary.data), "sources": case["sources"][clause]}
        for clause in case["clauses"]
    ]


def describe_run(run: Run) -> Message:
    """Return what an edition came to as JSON, but for what was found case by case."""
    return describe_summary(Summary(run))


def describe_summary(summary: Summary) -> Message:
    """Return what an edition came to as JSON, but for what was found case by case."""
    run = summary.run
    found: Message = {
        "verdict": run.verdict.value,
        "game": run.game,
        "edition": run.edition,
        "engine": dict(run.engine),
        "readings": {
            "declared": run.readings_declared,
            "inferred": {key: list(one.values) for key, one in run.inferred.items()},
        },
        "judged_under": dict(run.readings),
        "shown": {key: list(one.shown) for key, one in run.inferred.items()},
        "instead": {key: list(one.instead) for key, one in run.inferred.items() if one.instead},
        "mixed": sorted(run.contradicted),
        "nearer": [asdict(one) for one in run.nearer],
        "skills": {skill: asdict(count) for skill, count in run.skills.items()},
        "notes": [*run.notes, *([run.wrong] if run.wrong else [])],
        "left_out": {"readings": run.left_out},
        "figures": summary.figures.document(),
        "cases": {"discovered": run.discovered, **run.counts},
        "not_asked_again": run.tally.kept,
        "clauses": [_describe_clause(blamed) for blamed in summary.blamed],
    }
    if traces := list(_traces(run)):
        found["suite"] = traces
    if run.families:
        found["families"] = {kind.value: family.document() for kind, family in run.families.items()}
    if run.tally.known_failing:
        found["surprising"] = sorted(run.surprising)
        found["as_known"] = run.as_known
    return found


def _traces(run: Run) -> Iterable[Message]:
    """Yield where this suite broke down."""
    for outcome in run.outcomes:
        if outcome.status is Status.SUITE:
            case = run.describe(outcome)
            yield {"case": case["id"], "trace": case["trace"]}
    if run.trace:
        yield {"case": "", "trace": run.trace}


def _describe_clause(blamed: Blamed) -> Message:
    passing = blamed.total - blamed.failing
    shown = {"step": blamed.shown.step, "direct": blamed.direct}
    return {"id": blamed.clause, "fail": blamed.failing, "pass": passing, "cases": list(blamed.steps), "shown": shown}
