"""Scenarios as tests of pytest: what a test is called, how it is run, and how its failure reads."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from brou import BrouError
from brou_conformance.judging.case import Case, describe
from brou_conformance.judging.judge import Status
from brou_conformance.programs.child import Child
from brou_conformance.programs.inside import opener
from brou_conformance.programs.session import Hello, Session
from brou_conformance.scenarios.corpus import corpus_root
from brou_conformance.scenarios.script import Script
from brou_conformance.telling.report import told_case
from brou_conformance.verdicts.asking import Desk
from brou_conformance.verdicts.plan import Plan, Selection, plans
from brou_conformance.verdicts.tally import Ledger, Tally
from brou_conformance.verdicts.verify import conclude


class Deviation(Exception):
    """A case that fails, with what is to be said of it."""


@dataclass(slots=True)
class Table:
    """A program at the table: its session, and what of it is judged."""

    session: Session
    hello: Hello
    plans: list[tuple[Plan, list[Script | Case]]]
    #: What each edition has come to so far, as readings are judged together.
    judged: dict[str, Tally] = field(default_factory=dict)

    @classmethod
    def open(cls, engine: str, name: str, game: str, edition: str) -> Table:
        """Start a program and plan its scenarios; raise pytest's usage error if that cannot be."""
        try:
            made = opener(name) if name else lambda: Child.start(shlex.split(engine))
            session = Session(made)
            hello = session.hello()
            if not isinstance(hello, Hello):
                raise pytest.UsageError(f"the program cannot be used: {hello.what}\n{hello.stderr}".rstrip())
            found = list(plans(hello, Selection(game, edition), []))
        except (BrouError, ValueError) as error:
            raise pytest.UsageError(str(error)) from error
        wrong = [plan.wrong for plan in found if plan.wrong]
        if wrong:
            session.close()
            raise pytest.UsageError("\n".join(wrong))
        return cls(session, hello, [(plan, list(plan.subjects())) for plan in found])

    @property
    def clauses(self) -> list[str]:
        """Return the clauses of all scenarios."""
        return sorted({clause for _, scripts in self.plans for one in scripts for clause in one.scenario.clauses})

    def items(self, parent: pytest.Session) -> Iterator[pytest.Item]:
        """Yield a test for each scenario."""
        for plan, scripts in self.plans:
            for one in scripts:
                script = one.script if isinstance(one, Case) else one
                name = f"{script.choice}::{script.scenario.id}"
                yield ScenarioItem.from_parent(parent, name=name, table=self, plan=plan, subject=one)

    def judge(self, plan: Plan, subject: Script | Case) -> tuple[Case, bool]:
        """Return a case, and whether it speaks against the program in the light of those before it."""
        tally = self.judged.setdefault(str(plan.choice), Tally())
        found: list[Case] = []

        def settle(number: int, case: Case) -> None:
            tally.add(tally.total + number, case)
            found.append(case)

        Desk(self.hello, [self.session], {}).ask(iter([subject]), settle)
        run = conclude(plan, tally, Ledger())
        return found[0], any(outcome.number == tally.total - 1 for outcome in run.failing)


class ScenarioItem(pytest.Item):
    """One scenario as a test."""

    def __init__(self, *, table: Table, plan: Plan, subject: Script | Case, **rest: Any) -> None:
        super().__init__(**rest)
        self.table, self.plan, self.subject = table, plan, subject
        self.script = subject.script if isinstance(subject, Case) else subject
        scenario = self.script.scenario
        self.path = Path(corpus_root() / scenario.place.file)
        for clause in scenario.clauses:
            self.add_marker(clause)

    def runtest(self) -> None:
        """Ask the program and judge its answers."""
        case, against = self.table.judge(self.plan, self.subject)
        if case.trace:
            raise Deviation(f"a fault of the suite\n{case.trace}")
        if against:
            raise Deviation(told_case(describe(case)))
        found = case.judgements[case.culprit]
        if case.status in (Status.UNSUPPORTED, Status.SKIP):
            pytest.skip(found.said)
        if case.status not in (Status.PASS, Status.READING):
            raise Deviation(f"{case.status.value}: {found.said}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what happened at the table, without our own calls."""
        if isinstance(excinfo.value, Deviation):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the scenario stands."""
        scenario = self.script.scenario
        return self.path, scenario.place.line - 1, f"{self.script.choice} {scenario.id}"
