"""Verifying a program: the scenarios of the games that it declares, judged under the readings that it declares."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from brou_conformance.fitting.search import FailureExplanation
from brou_conformance.judging.case import Case
from brou_conformance.metamorphic.families import Leeway, MetamorphicTester
from brou_conformance.metamorphic.pairs import Families, sum_families
from brou_conformance.programs.child import Failure
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.script import machine
from brou_conformance.verdicts.desk import Desk, Earlier
from brou_conformance.verdicts.explaining import explain
from brou_conformance.verdicts.inference import Inferred, infer
from brou_conformance.verdicts.inquiry import Inquiry
from brou_conformance.verdicts.nearest import find_nearer
from brou_conformance.verdicts.plan import EditionPlan, Selection, plans
from brou_conformance.verdicts.tally import Ledger, Tally
from brou_conformance.verdicts.verdict import EditionRun


class RunObserver:
    """Observes a run; the methods of this one do nothing."""

    def on_begin(self, greeting: Message) -> None:
        """Note the greeting of the program."""

    def on_plan(self, name: str, total: int) -> None:
        """Note that so many cases of one edition follow."""

    def on_case(self, case: Case) -> None:
        """Note a judged case."""

    def on_variants(self) -> None:
        """Note that the variants of a scenario are done."""

    def on_edition_end(self, run: EditionRun) -> None:
        """Note that an edition is done."""

    def on_finish(self, report: Report) -> None:
        """Note that the run is done."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one verification found; all outputs are made from it."""

    engine: Mapping[str, str]
    runs: tuple[EditionRun, ...]
    #: Declared and not judged, and why.
    notes: tuple[str, ...] = ()
    #: Why the program could not be used, if so.
    unusable: Failure | None = None


def verify(  # noqa: PLR0913 - who works, what is judged, who is told, and what is known already
    session: Session,
    selection: Selection | None = None,
    watch: RunObserver | None = None,
    *,
    helpers: Sequence[Session] = (),
    earlier: Earlier | None = None,
    keep: Callable[[], Ledger] = Ledger,
    explains: bool = True,
) -> Report:
    """Judge a program by every scenario of the games that it declares.

    Helpers are sessions with the same program that take a share of the work. The ledger stores all data of each case;
    memory grows with the cases that do not pass, and with the cases that the ledger holds in it. Unless it `explains`,
    it looks for no changes of the rules behind the failures, which takes longer than to judge.
    """
    told, wanted = watch or RunObserver(), selection or Selection()
    hello = session.hello()
    if isinstance(hello, Failure):
        report = Report({}, (), unusable=hello)
        told.on_finish(report)
        return report
    told.on_begin(session.greeting)
    notes: list[str] = []
    runs = []
    for plan in plans(hello, wanted, notes):
        # Rules that cannot be loaded judge nothing; their faults are told before anything is asked.
        machine(plan.choice, wanted.data)
        told.on_plan(plan.name, plan.discovered)
        sessions = [one for one in (session, *helpers) if one.hello() == hello][: max(1, plan.discovered)]
        desk = Desk(hello, sessions, earlier or {}, wanted.data, wanted.whole)
        run = judge_edition(plan, desk, told, keep, explains=explains)
        runs.append(_vary(plan, run, sessions, told) if wanted.families else run)
        told.on_edition_end(runs[-1])
    report = Report(hello.engine, tuple(runs), tuple(notes), session.unusable)
    told.on_finish(report)
    return report


#: How often readings are looked for; each time the program is judged anew under what was found.
_PASSES = 4


def judge_edition(
    plan: EditionPlan, desk: Desk, watch: RunObserver, keep: Callable[[], Ledger] = Ledger, *, explains: bool = True
) -> EditionRun:
    """Judge a program by the scripts of an edition, under the readings that it turns out to follow.

    Undeclared readings are inferred from all its answers before any of them counts against it.
    """
    inferred: dict[str, Inferred] = {}
    tally, ledger = _ask_scripts(plan, desk, watch, keep)
    declared, by_declared = plan, tally
    for _ in range(_PASSES):
        found = _infer(plan, tally)
        if not found:
            break
        inferred |= found
        plan = plan.under({key: one.value for key, one in found.items()})
        watch.on_plan(plan.name, plan.discovered)
        tally, ledger = _ask_scripts(plan, desk, watch, keep)
    inferred = {key: one for key, one in inferred.items() if plan.found.get(key) == one.value}
    run = conclude(plan, tally, ledger, inferred)
    if not run.failing or not explains:
        return run
    explanation = explain(plan, tally)
    if inferred:
        plain = explain(declared, by_declared)
        if has_simpler_changes(plain, explanation, len(inferred)):
            watch.on_plan(declared.name, declared.discovered)
            plan, explanation = declared, plain
            tally, ledger = _ask_scripts(plan, desk, watch, keep)
            run = conclude(plan, tally, ledger)
    return replace(run, nearer=tuple(find_nearer(plan, tally)), explanation=explanation)


def has_simpler_changes(plain: FailureExplanation, other: FailureExplanation, readings: int) -> bool:
    """Say whether changes alone explain as much as others do beside some readings, and are fewer than both together.

    A program that does not hold to a duty at all seems to follow every reading that makes it milder.
    """
    if len(plain.unexplained) > len(other.unexplained) or plain.is_whole < other.is_whole:
        return False
    return 0 < len(plain.roots) < len(other.roots) + readings


def _infer(plan: EditionPlan, tally: Tally) -> dict[str, Inferred]:
    return infer(plan, tally) if plan.free else {}


def _ask_scripts(plan: EditionPlan, desk: Desk, watch: RunObserver, keep: Callable[[], Ledger]) -> tuple[Tally, Ledger]:
    """Ask all scripts of a plan and count the results."""
    wanted = plan.wanted
    tally, ledger = Tally(wanted.known_failing, wanted.data, wanted.corpus, wanted.texts), keep()

    def settle(number: int, case: Case) -> None:
        tally.add(number, case)
        ledger.keep(number, case)
        watch.on_case(case)

    desk.ask(plan.subjects(), settle, plan.discovered)
    return tally, ledger


def conclude(
    plan: EditionPlan, tally: Tally, ledger: Ledger, inferred: Mapping[str, Inferred] | None = None
) -> EditionRun:
    """Return the result of an edition from the counts of its cases."""
    choice = plan.choice
    return EditionRun(
        game=choice.game,
        edition=choice.edition,
        engine=plan.hello.engine,
        readings=dict(choice.readings),
        declared=plan.declared,
        agreed=frozenset(key for key, _ in plan.wanted.agreed) & plan.declared,
        tally=tally,
        ledger=ledger,
        discovered=plan.discovered,
        left_out=plan.left_out,
        elsewhere=dict(plan.elsewhere.most_common()),
        whole=plan.whole,
        notes=tuple(plan.notes),
        wrong=plan.wrong,
        inferred=inferred or {},
        is_forked=plan.wanted.find_fork(plan.name) is not None,
    )


def _vary(plan: EditionPlan, run: EditionRun, sessions: Sequence[Session], watch: RunObserver) -> EditionRun:
    """Return an edition with the results of the variants of its scripts, once all its cases are judged."""
    try:
        return replace(run, families=_families(plan, run, sessions, watch))
    except Exception:  # noqa: BLE001 - whatever it is costs the variants alone, and is told with the edition
        return replace(run, trace=traceback.format_exc())


def _families(plan: EditionPlan, run: EditionRun, sessions: Sequence[Session], watch: RunObserver) -> Families:
    """Return the results of the variants of the scripts of an edition, once all its cases are judged."""
    data = plan.wanted.data
    leeway = Leeway.of(plan.choice, run.declared, run.followed, data)
    ask = partial(Inquiry.of, data=data)
    inquests = [MetamorphicTester(one, plan.hello, leeway, ask, data, watch.on_variants) for one in sessions]
    scripts = list(plan.scripts())
    if len(inquests) == 1:
        return inquests[0].families(scripts)
    shares = [scripts[number :: len(inquests)] for number in range(len(inquests))]
    with ThreadPoolExecutor(len(inquests)) as pool:
        return sum_families(pool.map(MetamorphicTester.families, inquests, shares))
