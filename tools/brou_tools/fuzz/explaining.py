"""Explaining findings as `brou verify` does: by the readings that a program follows and by changes of the rules.

What the scenarios came to is evidence as well, and so are some matches that a program played as the rules have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from brou import BrouError, Choice, Folder, with_readings
from brou_conformance.fitting.search import FailureExplanation, Root
from brou_conformance.judging.answered import AnsweredScript
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Criteria, judge
from brou_conformance.judging.reasons import find_reason
from brou_conformance.reports.changed_rules import tell_change
from brou_conformance.reports.sentences import Sentences
from brou_conformance.scenarios.script import Script
from brou_conformance.verdicts.explaining import explain
from brou_conformance.verdicts.inference import infer, plays_alike
from brou_conformance.verdicts.plan import EditionPlan
from brou_conformance.verdicts.tally import Tally
from brou_tools.fuzz.campaign import StoredFinding
from brou_tools.fuzz.drawing import MatchSetting, draw_match
from brou_tools.fuzz.lockstep import Finding
from brou_tools.fuzz.scripts import make_script, write_script

#: Of findings that behave alike so many are explained, the smallest, and held against so many matches without one.
_ALIKE, _PASSING = 5, 24


@dataclass(slots=True)
class FuzzPlan(EditionPlan):
    """The plan of an edition with scripts of matches behind its scenarios."""

    more: tuple[Script, ...] = ()

    def subjects(self) -> Iterator[Script | Case]:
        """Yield the scripts of the scenarios, then the others."""
        yield from EditionPlan.subjects(self)
        yield from self.more


@dataclass(frozen=True, slots=True)
class FuzzDifference:
    """What a program does otherwise than the rules, told apart from everything else that it does so."""

    #: All findings in which it shows first, the smallest one in front.
    findings: tuple[StoredFinding, ...]
    #: The change of the rules under which they answer as it does, if one was found.
    root: Root | None = None
    #: The reading under which the rules answer so, as KEY=VALUE, if there is one.
    reading: str = ""

    @property
    def shown(self) -> Finding:
        """Return the smallest finding."""
        return self.findings[0].best


@dataclass(frozen=True, slots=True)
class ExplainedFindings:
    """All differences of an edition, those with the most findings first, and what came of the search for roots."""

    differences: tuple[FuzzDifference, ...] = ()
    explanation: FailureExplanation = field(default_factory=FailureExplanation)


def group_findings(findings: Sequence[StoredFinding]) -> dict[tuple[str, str, str], list[StoredFinding]]:
    """Return findings by their behaviour, the smallest of each in front."""
    groups: dict[tuple[str, str, str], list[StoredFinding]] = {}
    for one in findings:
        groups.setdefault(one.raw.behaviour, []).append(one)
    return {name: sorted(found, key=_rate_size) for name, found in groups.items()}


def _rate_size(one: StoredFinding) -> tuple[int, int]:
    return len(one.best.messages), one.number


@dataclass(frozen=True, slots=True)
class _FindingEvidence:
    """Some findings as cases of a tally, each by its number there."""

    plan: FuzzPlan
    tally: Tally
    numbers: Mapping[int, StoredFinding]
    cases: Mapping[int, Case]


def explain_findings(
    plan: EditionPlan, setting: MatchSetting, tally: Tally, findings: Sequence[StoredFinding], passing: Sequence[int]
) -> ExplainedFindings:
    """Return the differences behind some findings; `tally` counts the scenarios, `passing` are seeds of other matches.

    Findings that one change of the rules explains, or one reading, are one difference; of the others those that behave
    alike are.
    """
    if not findings:
        return ExplainedFindings()
    groups = group_findings(findings)
    chosen = [one for found in groups.values() for one in found[:_ALIKE] if one.best.wanted]
    evidence = _gather(plan, setting, tally, chosen, passing)
    readings = _find_readings(evidence)
    explanation = explain(evidence.plan, evidence.tally)
    explained: dict[int, Root | str] = {}
    for root in explanation.roots:
        explained |= {evidence.numbers[one].number: root for one in root.explains if one in evidence.numbers}
    explained = {**readings, **explained}
    found: dict[object, FuzzDifference] = {}
    for behaviour, alike in groups.items():
        causes = [explained[one.number] for one in alike[:_ALIKE] if one.number in explained]
        for place, one in enumerate(alike):
            # What was not tried is taken for the same as what behaves alike.
            cause = explained.get(one.number, causes[0] if causes and place >= _ALIKE else None)
            name = behaviour if cause is None else cause if isinstance(cause, str) else id(cause)
            known = found.get(name) or _begin_difference(cause)
            found[name] = replace(known, findings=tuple(sorted((*known.findings, one), key=_rate_size)))
    differences = found.values()
    return ExplainedFindings(tuple(sorted(differences, key=lambda one: -len(one.findings))), explanation)


def _begin_difference(cause: Root | str | None) -> FuzzDifference:
    return FuzzDifference((), cause if isinstance(cause, Root) else None, cause if isinstance(cause, str) else "")


def _gather(
    plan: EditionPlan, setting: MatchSetting, tally: Tally, chosen: Sequence[StoredFinding], passing: Sequence[int]
) -> _FindingEvidence:
    """Return findings as cases behind the scenarios, with some matches that came out as the rules have them."""
    scripts = [write_script(draw_match(setting, seed), setting.data) for seed in passing[:_PASSING]]
    fuzz = FuzzPlan(
        plan.choice, plan.hello, plan.wanted, plan.declared, plan.notes, plan.wrong, plan.discovered, plan.left_out,
        plan.elsewhere, plan.whole, plan.found,
    )  # fmt: skip
    first = plan.discovered
    numbers = dict(enumerate(chosen, first))
    cases = {number: _make_case(one.best, setting) for number, one in numbers.items()}
    for number, case in cases.items():
        tally.add(number, case)
    more = (*(case.script for case in cases.values()), *scripts)
    return _FindingEvidence(replace(fuzz, more=more), tally, numbers, cases)


def _make_case(finding: Finding, setting: MatchSetting) -> Case:
    """Return the case of a finding: its acts are accepted, and its question has the answer of the program."""
    choice = next(one for one in setting.choices if one.setup == finding.setup)
    clauses = find_reason(finding.disputed, choice, setting.data).clauses or ("",)
    script = make_script(
        choice, finding.start, finding.messages, f"fuzz-{finding.seed}", data=setting.data, clauses=clauses
    )
    answers = [*({"ok": True} for _ in finding.messages[:-1]), finding.said]
    return Case(script, judge(script.steps, answers, Criteria(script.readings)))


def _find_readings(evidence: _FindingEvidence) -> dict[int, str]:
    """Return the findings, by their matches, that a reading explains which nothing else speaks against."""
    if not evidence.plan.free:
        return {}
    found: dict[int, str] = {}
    for key, one in infer(evidence.plan, evidence.tally).items():
        for number, case in evidence.cases.items():
            with suppress(BrouError):
                choice = with_readings(case.script.choice, {key: one.value}, evidence.plan.wanted.data, fitting=True)
                if plays_alike(AnsweredScript.of(case), choice, evidence.plan.wanted.data):
                    found[evidence.numbers[number].number] = f"{key}={'|'.join(one.values)}"
    return found


def tell_cause(difference: FuzzDifference, choice: Choice, words: Sentences, data: Folder = None) -> str:
    """Return what explains a difference, or what the program does, in words."""
    if difference.reading:
        key, _, values = difference.reading.partition("=")
        return words.tell("fuzz", "reads", key=key, values=values)
    if difference.root is not None:
        return tell_change(choice, difference.root.change, words, data).brief
    shown = difference.shown
    direction, what, _ = shown.behaviour
    if shown.mishap:
        return words.tell("fuzz", "silent", what=words.echo(shown.mishap))
    return words.say(f"it_{direction}", what=what)
