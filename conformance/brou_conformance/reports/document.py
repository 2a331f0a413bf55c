"""The report as one JSON document, which `VerificationReport` states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Literal

from brou.shapes import ABSENT, Absent, Limit, read, shape, write_object
from brou_conformance.fitting.behaviour import Direction
from brou_conformance.judging.case import CaseReport, StepReport
from brou_conformance.judging.judge import Status
from brou_conformance.messages import Name
from brou_conformance.metamorphic.pairs import FamilyReport
from brou_conformance.metamorphic.pairs import Relation as Likeness
from brou_conformance.protocol import Message
from brou_conformance.reports.changed_rules import tell_change
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.sources import SourceReport, cite, tell_clause
from brou_conformance.reports.summary import (
    Blamed,
    CaseKind,
    Figures,
    Summary,
    ToldBehaviour,
    ToldCase,
    ToldRoot,
    expect_shown,
    summarise,
)
from brou_conformance.scenarios.skills import SKILLS
from brou_conformance.verdicts.nearest import Nearer
from brou_conformance.verdicts.tally import SkillCount
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict, PlayedEvidence, RunChange
from brou_conformance.verdicts.verify import Report

_Count = Annotated[int, Limit(minimum=0)]
_Texts = tuple[str, ...]


@shape()
class ReportedEngine:
    """The program, as its greeting describes it."""

    name: Annotated[str, "its name"]
    version: Annotated[str, "its version"] | Absent = ABSENT
    language: Annotated[str, "the language that it is written in"] | Absent = ABSENT


@shape(closed=True)
class ReportedReadings:
    """The readings that a program follows."""

    declared: Annotated[Mapping[str, str], "the readings that the program declares"]
    inferred: Annotated[
        Mapping[str, _Texts],
        "readings that it does not declare: the values that fit its answers equally well; "
        "of numbers the least and the greatest, as in 3..7",
    ]


@shape()
class LeftOut:
    """Scenarios that do not apply and are not counted."""

    readings: Annotated[_Count, "scenarios whose premise is another reading"] | Absent = ABSENT


@shape(closed=True)
class CaseCounts:
    """Numbers of scenarios, each counted by its worst step; the other numbers add up to discovered."""

    discovered: Annotated[_Count, "scenarios that apply"]
    pass_: Annotated[_Count, "answered as expected"]
    behind: Annotated[_Count, "not reached, because of the program's own answers"]
    blocked: Annotated[_Count, "not asked, since the program was lost before"]
    unsupported: Annotated[_Count, "not asked, since the program does not declare the ability"]
    skip: Annotated[_Count, "not taken by the program"]
    reading: Annotated[_Count, "answered differently where the rules demand nothing"]
    fail: Annotated[_Count, "answered wrongly"]
    protocol: Annotated[_Count, "answered with something that is no message of the protocol"]
    timeout: Annotated[_Count, "not answered in time"]
    crash: Annotated[_Count, "not answered, since the program ended"]
    suite: Annotated[_Count, "not judged, because of a fault in the suite"] | Absent = ABSENT


@shape(closed=True)
class ShownStep:
    """The case that shows best that a clause is broken."""

    step: Annotated[str, "the step to look at"]
    direct: Annotated[bool, "whether that case fails at the step it is about and not earlier"]


@shape()
class BlamedClause:
    """A clause that failing cases cite."""

    id: Annotated[str, "the clause"]
    fail: Annotated[_Count, "how many of its cases fail"]
    pass_: Annotated[_Count, "how many of its cases pass"] | Absent = ABSENT
    cases: Annotated[_Texts, "its failing cases, each by the step to look at"]
    shown: ShownStep | Absent = ABSENT


@shape(closed=True)
class ReportedChange:
    """A change of the rules, as a patch would make it."""

    operator: Annotated[str, "what kind of change it is"]
    at: Annotated[str, "the address of the change in the generated rules"]
    before: Annotated[str, "the old text; empty for an addition"]
    after: Annotated[str, "the new text; empty for a removal"]


@shape(closed=True)
class ReportedRoot:
    """A change of the rules under which they give the program's answers."""

    clause: Annotated[str, "the clause that is changed; empty if the changed line has none"]
    clauses: Annotated[_Texts, "the clauses of all changes that no case distinguishes from it"]
    words: Annotated[_Texts, "what the rules say, and what the program plays"]
    brief: Annotated[str, "the change in brief"]
    change: ReportedChange
    explains: Annotated[_Texts, "the failing cases that it explains and the roots before it do not"]
    alone: Annotated[_Texts, "the failing cases that it explains by itself"]
    contradicts: Annotated[_Count, "how many passing cases it contradicts"]
    smallest: Annotated[str, "the step that shows it soonest, in a case that shows no other root if there is one"]
    said: Annotated[str, "what the program says there"]
    wanted: Annotated[str, "what the rules say there"]
    command: Annotated[str, "the command that explains that step"]
    sources: Annotated[tuple[SourceReport, ...], "the passages that the clause rests on"]


@shape(closed=True)
class ReportedBehaviour:
    """A deviation of the program that no change of the rules explains."""

    does: Annotated[Direction, "how its answer differs"]
    what: Annotated[str, "the act, or the key of a view or score"]
    cases: Annotated[_Texts, "the failing cases in which it is the first deviation"]
    smallest: Annotated[str, "the step of the case that shows it soonest"]


@shape(closed=True)
class ReportedExplanation:
    """The result of the search for roots."""

    whole: Annotated[bool, "whether the rules with all roots give every answer of the program"]
    cut_short: Annotated[bool, "whether the search ended before every change was tried"]
    behaviours: Annotated[tuple[ReportedBehaviour, ...], "what the program does where no root explains it"] = ()
    trace: Annotated[str, "what went wrong in the search, because of a fault in the suite"] | Absent = ABSENT


@shape(closed=True)
class CitedClause:
    """A clause that a failing case cites, with its text."""

    id: Annotated[str, "the clause"]
    text: Annotated[str, "what it says"]
    sources: Annotated[tuple[SourceReport, ...], "the passages that it rests on"]


@shape()
class FailureReport:
    """A case that counts against the program, with all that is needed to understand it."""

    id: Annotated[str, "the scenario"]
    setup: Annotated[str, "the set-up that it was judged for"]
    known: Annotated[bool, "whether it is in the list of known failures"]
    title: Annotated[str, "what the scenario shows"]
    because: Annotated[str, "why the rules demand it"]
    clauses: Annotated[tuple[CitedClause, ...], "the clauses that the scenario cites"]
    step: Annotated[str, "the step to look at"]
    place: Annotated[str, "the line of the scenario's file"]
    start: Annotated[_Texts, "the values set before the deal, and the hands"]
    acts: Annotated[_Texts, "the acts before the step"]
    question: Annotated[str, "what is asked"]
    said: Annotated[str, "what the program says"]
    wanted: Annotated[str, "what the rules say"]
    reason: Annotated[str, "why, in the program's own words"] | Absent = ABSENT
    command: Annotated[str, "the command that explains the step"]


@shape()
class SuiteFault:
    """A fault in the suite."""

    case: Annotated[str, "the case; empty if it is outside the cases"]
    trace: Annotated[str, "what went wrong"]


@shape()
class RunReport:
    """The result of a program on one edition."""

    verdict: Annotated[EditionVerdict, "the verdict"]
    game: Annotated[Name, "the game"]
    edition: Annotated[Name, "the edition"]
    engine: ReportedEngine
    readings: ReportedReadings
    judged_under: Annotated[Mapping[str, str], "all readings that it was judged under"] | Absent = ABSENT
    shown: (
        Annotated[Mapping[str, _Texts], "for each reading that was inferred, some steps or cases that show it"] | Absent
    ) = ABSENT
    instead: (
        Annotated[Mapping[str, _Texts], "for each such reading, others that explain as much, as reading=value"] | Absent
    ) = ABSENT
    mixed: (
        Annotated[_Texts, "readings for which some answers show another value than the one judged under"] | Absent
    ) = ABSENT
    nearer: Annotated[tuple[Nearer, ...], "other editions and set-ups that explain more of its answers"] | Absent = (
        ABSENT
    )
    skills: Annotated[
        Mapping[Annotated[str, Limit(enum=SKILLS)], SkillCount], "the numbers of steps, by the skill that they ask for"
    ]
    notes: Annotated[_Texts, "remarks"] | Absent = ABSENT
    left_out: LeftOut | Absent = ABSENT
    elsewhere: (
        Annotated[Mapping[str, _Count], "expectations for readings that it was not judged under, by reading=value"]
        | Absent
    ) = ABSENT
    part_of: Annotated[_Count, "if only some scenarios were asked, how many there are"] | Absent = ABSENT
    figures: Annotated[Figures, "the numbers of cases by kind, as every output has them"] | Absent = ABSENT
    cases: CaseCounts
    not_asked_again: Annotated[_Count, "cases judged by answers from an earlier run"] | Absent = ABSENT
    clauses: Annotated[tuple[BlamedClause, ...], "clauses that a failing case cites, the most suspect first"]
    roots: Annotated[tuple[ReportedRoot, ...], "changes of the rules that explain failures"] | Absent = ABSENT
    explanation: Annotated[ReportedExplanation, "if something fails: the result of the search for roots"] | Absent = (
        ABSENT
    )
    played: Annotated[PlayedEvidence, "with --games: what the deals show of the program"] | Absent = ABSENT
    suite: Annotated[tuple[SuiteFault, ...], "faults in the suite"] | Absent = ABSENT
    families: (
        Annotated[
            Mapping[Likeness, FamilyReport],
            "with --families: metamorphic tests, by the kind of pairs that must be answered alike",
        ]
        | Absent
    ) = ABSENT
    surprising: (
        Annotated[
            _Texts, "with a list of known failures: scenarios that fail and are not on it, or are on it and do not fail"
        ]
        | Absent
    ) = ABSENT
    as_known: Annotated[bool, "with a list of known failures: whether exactly those fail"] | Absent = ABSENT
    findings: Annotated[tuple[StepReport, ...], "every step that does not pass"] | Absent = ABSENT
    failures: Annotated[tuple[FailureReport, ...], "every case that counts against the program"] | Absent = ABSENT


@shape()
class UnusableProgram:
    """Why the program could not be used to the end."""

    kind: Annotated[str, "`timeout`, `crash` or `protocol`"]
    what: Annotated[str, "what happened, in a sentence"]
    stderr: Annotated[str, "what the program wrote last on its standard error"]


@shape()
class VerificationReport:
    """What `brou verify --json` writes."""

    format: Literal["brou-verification/1"] = "brou-verification/1"
    runs: Annotated[tuple[RunReport, ...], "one entry per edition"]
    notes: Annotated[_Texts, "remarks on the whole run"] | Absent = ABSENT
    unusable: UnusableProgram | Absent = ABSENT
    since: Annotated[RunChange, "with --since: what has changed, case by case"] | Absent = ABSENT


def document(report: Report, *, every: bool = False, since: RunChange | None = None) -> Message:
    """Return the report as JSON, with the changes since an earlier one if it is given."""
    return write_object(report_verification(report, every=every, since=since))


def report_verification(report: Report, *, every: bool = False, since: RunChange | None = None) -> VerificationReport:
    """Return the report as `VerificationReport` states it."""
    lost = report.unusable
    return VerificationReport(
        runs=tuple(_describe_all(summary) for summary in summarise(report.runs, every=every)),
        notes=tuple(report.notes) or ABSENT,
        unusable=ABSENT if lost is None else UnusableProgram(kind=lost.kind, what=lost.what, stderr=lost.stderr),
        since=since or ABSENT,
    )


def _describe_all(summary: Summary) -> RunReport:
    """Return an edition with the findings case by case."""
    findings = tuple(finding for case in summary.run.cases for finding in case.findings)
    failures = tuple(
        _describe_failure(summary, case, known=kind is CaseKind.KNOWN)
        for kind, case in summary.failures()
        if case.report.shown is not ABSENT
    )
    return replace(describe_summary(summary), findings=findings, failures=failures)


def _describe_failure(summary: Summary, case: ToldCase, *, known: bool) -> FailureReport:
    found, shown = case.report, expect_shown(case)
    return FailureReport(
        id=found.id,
        setup=found.setup,
        known=known,
        title=found.title or "",
        because=found.because or "",
        clauses=tuple(_texts(summary, case)),
        step=shown.step,
        place=shown.place,
        start=shown.start,
        acts=shown.acts,
        question=shown.question,
        said=shown.said,
        wanted=shown.wanted,
        reason=shown.reason,
        command=case.command,
    )


def _texts(summary: Summary, case: ToldCase) -> Iterable[CitedClause]:
    choice = summary.choice(case.report.setup)
    for clause in case.report.clauses:
        text = tell_clause(choice, clause, "en", summary.data)
        yield CitedClause(id=clause, text=text, sources=case.sources[clause])


def describe_run(run: EditionRun) -> RunReport:
    """Summarise the verdict on an edition, without its single cases."""
    return describe_summary(Summary(run))


def describe_summary(summary: Summary) -> RunReport:
    """Summarise the verdict on an edition, without its single cases."""
    run, inferred = summary.run, summary.run.inferred
    readings = ReportedReadings(
        declared=run.readings_declared, inferred={key: tuple(one.values) for key, one in inferred.items()}
    )
    known = bool(run.tally.known_failing)
    return RunReport(
        verdict=run.verdict,
        game=run.game,
        edition=run.edition,
        engine=read(ReportedEngine, run.engine),
        readings=readings,
        judged_under=run.readings,
        shown={key: tuple(one.shown) for key, one in inferred.items()},
        instead={key: tuple(one.instead) for key, one in inferred.items() if one.instead},
        mixed=tuple(sorted(run.contradicted)),
        nearer=run.nearer,
        skills=run.skills,
        notes=(*run.notes, *([run.wrong] if run.wrong else [])),
        left_out=LeftOut(readings=run.left_out),
        elsewhere=run.elsewhere or ABSENT,
        part_of=run.whole or ABSENT,
        figures=summary.figures,
        cases=read(CaseCounts, {"discovered": run.discovered, **run.counts}),
        not_asked_again=run.tally.kept,
        clauses=tuple(map(_describe_clause, summary.blamed)),
        roots=tuple(_describe_root(summary, one) for one in summary.roots) if run.failing else ABSENT,
        explanation=_describe_explanation(summary) if run.failing else ABSENT,
        played=run.played or ABSENT,
        suite=tuple(_traces(run)) or ABSENT,
        families={kind: family.report() for kind, family in run.families.items()} if run.families else ABSENT,
        surprising=tuple(sorted(run.surprising)) if known else ABSENT,
        as_known=run.as_known if known else ABSENT,
    )


def _describe_explanation(summary: Summary) -> ReportedExplanation:
    found = summary.run.explanation
    return ReportedExplanation(
        whole=found.is_whole,
        cut_short=found.is_cut_short,
        behaviours=tuple(_describe_behaviour(summary, one) for one in summary.behaviours),
        trace=found.trace or ABSENT,
    )


def _describe_behaviour(summary: Summary, one: ToldBehaviour) -> ReportedBehaviour:
    found = one.behaviour
    steps = _list_steps(summary, found.cases)
    return ReportedBehaviour(does=found.direction, what=found.what, cases=steps, smallest=one.shown.step)


def _list_steps(summary: Summary, numbers: Iterable[int]) -> _Texts:
    wanted = set(numbers)
    return tuple(case.step for case in summary.run.failing if case.number in wanted)


def _describe_root(summary: Summary, one: ToldRoot) -> ReportedRoot:
    root, change, case = one.root, one.root.change, summary.case(one.shown)
    told = tell_change(summary.choice(one.shown.setup), change, Sentences(), summary.data)
    shown = expect_shown(case)
    return ReportedRoot(
        clause=root.clause,
        clauses=root.clauses,
        words=(told.before, told.after),
        brief=told.brief,
        change=ReportedChange(
            operator=change.operator, at="/".join(change.at), before=change.before, after=change.after
        ),
        explains=_list_steps(summary, root.explains),
        alone=_list_steps(summary, root.alone),
        contradicts=root.contradicts,
        smallest=shown.step,
        said=shown.said,
        wanted=shown.wanted,
        command=case.command,
        sources=cite(summary.run.game, root.clause, summary.data, summary.run.tally.texts) if root.clause else (),
    )


def _traces(run: EditionRun) -> Iterable[SuiteFault]:
    """Yield where this suite broke down."""
    for outcome in run.outcomes:
        if outcome.status is Status.SUITE:
            case: CaseReport = run.describe(outcome)
            yield SuiteFault(case=case.id, trace=case.trace or "")
    if run.trace:
        yield SuiteFault(case="", trace=run.trace)


def _describe_clause(blamed: Blamed) -> BlamedClause:
    return BlamedClause(
        id=blamed.clause,
        fail=blamed.failing,
        pass_=blamed.total - blamed.failing,
        cases=blamed.steps,
        shown=ShownStep(step=blamed.shown.step, direct=blamed.direct),
    )
