"""Scenarios as tests of pytest: the names of tests, their run, and the text of a failure."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

import pytest
from _pytest._code.code import TerminalRepr

from brou import BrouError, Project, ask_if_meant, nearest
from brou.games import choose_project, find_program
from brou.words import find_user_language
from brou_conformance.judging.case import Case
from brou_conformance.programs.child import Child
from brou_conformance.programs.in_process import opener
from brou_conformance.programs.session import Hello, Session
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.known_failures import known_failing
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.sources import find_texts
from brou_conformance.reports.summary import CaseKind, Summary, ToldCase
from brou_conformance.scenarios.corpus import clauses
from brou_conformance.scenarios.script import Script
from brou_conformance.verdicts.plan import EditionPlan, Selection, plans
from brou_conformance.verdicts.verify import RunObserver, verify

#: What all node ids begin with, where those of others have the name of a file.
NAME = "brou"
#: How pytest shows where a failure comes from.
Style: TypeAlias = Literal["long", "short", "line", "no", "native", "value", "auto"]


class Deviation(Exception):
    """A case that fails, with the text of its report."""


@dataclass(frozen=True)
class RequestedRun:
    """What the options of pytest choose to be judged, as they were typed."""

    #: The project, if it is named, and where it is looked for otherwise.
    data: str | None
    start: Path
    game: str
    edition: str
    known_failing: str | None
    sources: str | None

    @cached_property
    def project(self) -> Project:
        """Return the project whose scenarios are run."""
        return choose_project(self.data, self.start)

    def select(self) -> Selection:
        """Return the selection of cases to judge; raise `BrouError` for a missing file or folder."""
        return Selection(
            self.game,
            self.edition,
            corpus=self.project,
            data=self.project,
            known_failing=known_failing(Path(self.known_failing)) if self.known_failing else frozenset(),
            texts=find_texts(self.sources, os.environ),
        )


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A case with the summary of its edition, as data and by its kind."""

    summary: Summary
    kind: CaseKind
    case: ToldCase


@dataclass(slots=True)
class ScriptKeeper(RunObserver):
    """Keeps the script of each case of the last pass through each edition, by the name of the case."""

    scripts: dict[str, dict[str, Script]] = field(default_factory=dict)
    _edition: str = ""

    def on_plan(self, name: str, total: int) -> None:  # noqa: ARG002 - how many come is of no interest
        """Begin an edition, or begin it anew."""
        self._edition = name
        self.scripts[name] = {}

    def on_case(self, case: Case) -> None:
        """Keep its script."""
        self.scripts[self._edition][case.name] = case.script


@dataclass(slots=True)
class JudgedProgram:
    """A program under test: its session, and the selection of cases to judge."""

    session: Session
    selection: Selection
    plans: list[EditionPlan]
    teller: Teller = field(default_factory=Teller)
    #: Node ids that were asked for, or what they begin with; all are wanted if there is none.
    wanted: tuple[str, ...] = ()

    @classmethod
    def open(
        cls, wanted: RequestedRun, teller: Teller, engine: str | None, name: str | None, program: str | None
    ) -> JudgedProgram:
        """Start a program and plan its scenarios; raise pytest's usage error if that cannot be.

        The program is that of a command, a Python object, or a program of the project.
        """
        try:
            selection = wanted.select()
            words = find_program(wanted.project, program) if program else tuple(shlex.split(engine or ""))
            made = opener(name) if name else lambda: Child.start(words)
            session = Session(made)
            hello = session.hello()
            if not isinstance(hello, Hello):
                raise pytest.UsageError(f"the program cannot be used: {hello.what}\n{hello.stderr}".rstrip())
            found = list(plans(hello, selection, []))
        except (BrouError, ValueError) as error:
            raise pytest.UsageError(str(error)) from error
        wrong = [plan.wrong for plan in found if plan.wrong]
        if wrong:
            session.close()
            raise pytest.UsageError("\n".join(wrong))
        return cls(session, selection, found, teller)

    @property
    def clauses(self) -> list[str]:
        """Return everything that scenarios may cite."""
        return sorted({clause for plan in self.plans for clause in clauses(plan.choice.game, plan.choice.project)})

    @staticmethod
    def part(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
        """Return the arguments of a collection without our node ids, and our node ids."""
        ours = tuple(one for one in arguments if one == NAME or one.startswith(f"{NAME}::"))
        return [one for one in arguments if one not in ours], ours

    def want(self, ids: tuple[str, ...]) -> None:
        """Take the scenarios with these node ids alone; raise pytest's usage error for one that is none."""
        known = [name_node(script) for script in self._plan()] if ids else []
        for id_ in ids:
            if not any(is_below(name, id_) for name in known):
                question = ask_if_meant(nearest(id_, known))
                raise pytest.UsageError("; ".join(filter(None, [f"there is no scenario {id_!r}", question])))
        self.wanted = ids

    def items(self, session: pytest.Session, *, asked: bool) -> Iterator[pytest.Item]:
        """Yield a test for each scenario that is wanted; the program is judged first, unless `asked` is False.

        Readings are found from all answers together, so that no test could be judged by itself.
        """
        top = ScenarioCollector.from_parent(session, name=NAME, nodeid=NAME)
        everything = self._judge() if asked else ((script, None) for script in self._plan())
        for script, found in everything:
            if not self.wanted or any(is_below(name_node(script), id_) for id_ in self.wanted):
                group = top.child(str(script.choice))
                item = ScenarioItem.from_parent(
                    group, name=script.scenario.id, script=script, found=found, teller=self.teller
                )
                group.members[item.name] = item
        yield from top.report()

    def _plan(self) -> Iterator[Script]:
        """Yield every script that applies by the program's declarations."""
        for plan in self.plans:
            for one in plan.subjects():
                yield one.script if isinstance(one, Case) else one

    def _judge(self) -> Iterator[tuple[Script, JudgedCase]]:
        """Yield every script that applies, with its result."""
        kept = ScriptKeeper()
        # Each case is told alone: nothing is said of what explains several.
        for run in verify(self.session, self.selection, kept, explains=False).runs:
            summary = Summary(run)
            scripts = kept.scripts[summary.name]
            for kind, case in summary.cases():
                script = scripts[f"{summary.name}:{case.report.setup} {case.report.id}"]
                yield script, JudgedCase(summary, kind, case)


class ScenarioCollector(pytest.Collector):
    """Collects scenarios: at the top for the program, and below it for each set of rules."""

    def __init__(self, name: str, parent: pytest.Collector, nodeid: str | None = None) -> None:
        super().__init__(name, parent, nodeid=nodeid)
        self.members: dict[str, ScenarioCollector | ScenarioItem] = {}

    def child(self, name: str) -> ScenarioCollector:
        """Return the group of this name below it, a new one if there is none."""
        found = self.members.get(name)
        if not isinstance(found, ScenarioCollector):
            found = self.members[name] = ScenarioCollector.from_parent(self, name=name)
        return found

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Return the nodes below it."""
        return list(self.members.values())

    def report(self) -> Iterator[pytest.Item]:
        """Yield the tests below it, and tell pytest of them."""
        report = self.ihook.pytest_make_collect_report(collector=self)
        self.ihook.pytest_collectreport(report=report)
        for member in report.result:
            if isinstance(member, ScenarioCollector):
                yield from member.report()
            else:
                yield member


def name_node(script: Script) -> str:
    """Return the node id of a scenario."""
    return f"{NAME}::{script.choice}::{script.scenario.id}"


def is_below(node: str, id_: str) -> bool:
    """Say whether a node has this id or stands below the node that has it."""
    return node == id_ or node.startswith(f"{id_}::")


class ScenarioItem(pytest.Item):
    """One scenario as a test: it reports the result of its case."""

    def __init__(
        self, name: str, parent: pytest.Collector, *, script: Script, found: JudgedCase | None, teller: Teller
    ) -> None:
        super().__init__(name, parent)
        self.script, self.found, self.teller = script, found, teller
        scenario = script.scenario
        self.path = script.choice.project.scenarios / scenario.place.file
        for clause in scenario.clauses:
            self.add_marker(clause)

    def setup(self) -> None:
        """Raise `Deviation` where there was no answer that could be judged; pytest counts that as an error."""
        if self._kind is CaseKind.ERROR:
            raise Deviation(self._tell())

    def runtest(self) -> None:
        """Report the result of the case."""
        if self._kind is CaseKind.FAILED:
            raise Deviation(self._tell())
        if self._kind is CaseKind.KNOWN:
            pytest.xfail(self.teller.words.say("known_to_fail"))
        if self._kind is CaseKind.UNJUDGED:
            pytest.skip(self._why())

    @property
    def _kind(self) -> CaseKind | None:
        return None if self.found is None else self.found.kind

    def _tell(self) -> str:
        return "" if self.found is None else "\n".join(self.teller.whole(self.found.summary, self.found.case))

    def _why(self) -> str:
        """Return why some step was not asked."""
        findings = () if self.found is None else self.found.case.report.findings
        words = self.teller.words
        return words.echo(findings[0].said) if findings else words.say("not_in_full")

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: Style | None = None
    ) -> str | TerminalRepr:
        """Return the story of the case, without our own calls."""
        if isinstance(excinfo.value, Deviation):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the scenario is."""
        scenario = self.script.scenario
        return self.path, scenario.place.line - 1, f"{self.script.choice} {scenario.id}"


def choose_teller(lang: str, wanted: RequestedRun) -> Teller:
    """Return a teller in a language of the project; raise pytest's usage error for a language that we do not have."""
    try:
        return Teller(Sentences(find_user_language(lang, {}, wanted.project), wanted.project))
    except BrouError as error:
        raise pytest.UsageError(str(error)) from error
