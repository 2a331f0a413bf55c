"""Verifying a program: the scenarios of what it declares, judged under the readings it declares."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from brou_conformance.judging.case import Case
from brou_conformance.likeness.families import Inquest, Leeway
from brou_conformance.likeness.pairs import Families, summed
from brou_conformance.programs.child import Failure
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from brou_conformance.verdicts.asking import Desk, Earlier
from brou_conformance.verdicts.inference import Inferred, infer
from brou_conformance.verdicts.inquiry import Inquiry
from brou_conformance.verdicts.nearest import find_nearer
from brou_conformance.verdicts.plan import Plan, Selection, plans
from brou_conformance.verdicts.tally import Ledger, Tally
from brou_conformance.verdicts.verdict import Run


class Watch:
    """Somebody who is told what happens while it happens; this one is not interested."""

    def begun(self, greeting: Message) -> None:
        """Take note of what the program says of itself."""

    def planned(self, name: str, total: int) -> None:
        """Take note that so many cases of one edition come now."""

    def judged(self, case: Case) -> None:
        """Take note of a case."""

    def varied(self) -> None:
        """Take note of a scenario whose variants have been asked."""

    def ended(self, run: Run) -> None:
        """Take note of an edition that is done."""

    def finished(self, report: Report) -> None:
        """Take note that this was all."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one verification found; all outputs are made from it."""

    engine: Mapping[str, str]
    runs: tuple[Run, ...]
    #: Declared and not judged, and why.
    notes: tuple[str, ...] = ()
    #: Why the program could not be used, if so.
    unusable: Failure | None = None


def verify(  # noqa: PLR0913 - who works, what is judged, who is told, and what is known already
    session: Session,
    selection: Selection | None = None,
    watch: Watch | None = None,
    *,
    helpers: Sequence[Session] = (),
    earlier: Earlier | None = None,
    keep: Callable[[], Ledger] = Ledger,
) -> Report:
    """Judge a program by every scenario of what it declares.

    Helpers are sessions with the same program that take a share of the work.
    Of each case the ledger keeps what there is to know; memory grows with the
    cases that do not pass, and with what the ledger holds in it.
    """
    told, wanted = watch or Watch(), selection or Selection()
    hello = session.hello()
    if isinstance(hello, Failure):
        report = Report({}, (), unusable=hello)
        told.finished(report)
        return report
    told.begun(session.greeting)
    notes: list[str] = []
    runs = []
    for plan in plans(hello, wanted, notes):
        told.planned(plan.name, plan.discovered)
        sessions = [one for one in (session, *helpers) if one.hello() == hello][: max(1, plan.discovered)]
        run = judge_edition(plan, Desk(hello, sessions, earlier or {}, wanted.data, wanted.whole), told, keep)
        runs.append(_vary(plan, run, sessions, told) if wanted.families else run)
        told.ended(runs[-1])
    report = Report(hello.engine, tuple(runs), tuple(notes), session.unusable)
    told.finished(report)
    return report


#: How often readings are looked for; each time the program is judged anew under what was found.
_PASSES = 4


def judge_edition(plan: Plan, desk: Desk, watch: Watch, keep: Callable[[], Ledger] = Ledger) -> Run:
    """Judge a program by the scripts of an edition, under the readings that it turns out to follow.

    What it does not declare is inferred from all its answers before any of them is held against it.
    """
    inferred: dict[str, Inferred] = {}
    tally, ledger = _ask_scripts(plan, desk, watch, keep)
    for _ in range(_PASSES):
        found = _infer(plan, tally)
        if not found:
            break
        inferred |= found
        plan = plan.under({key: one.value for key, one in found.items()})
        watch.planned(plan.name, plan.discovered)
        tally, ledger = _ask_scripts(plan, desk, watch, keep)
    inferred = {key: one for key, one in inferred.items() if plan.found.get(key) == one.value}
    run = conclude(plan, tally, ledger, inferred)
    return replace(run, nearer=tuple(find_nearer(plan, tally))) if run.failing else run


def _infer(plan: Plan, tally: Tally) -> dict[str, Inferred]:
    return infer(plan, tally) if plan.free else {}


def _ask_scripts(plan: Plan, desk: Desk, watch: Watch, keep: Callable[[], Ledger]) -> tuple[Tally, Ledger]:
    """Ask all scripts of a plan and count what comes of them."""
    wanted = plan.wanted
    tally, ledger = Tally(wanted.known_failing, wanted.data, wanted.corpus, wanted.texts), keep()

    def settle(number: int, case: Case) -> None:
        tally.add(number, case)
        ledger.keep(number, case)
        watch.judged(case)

    desk.ask(plan.subjects(), settle, plan.discovered)
    return tally, ledger


def conclude(plan: Plan, tally: Tally, ledger: Ledger, inferred: Mapping[str, Inferred] | None = None) -> Run:
    """Return what an edition came to, its cases being counted."""
    choice = plan.choice
    return Run(
        game=choice.game,
        edition=choice.edition,
        engine=plan.hello.engine,
        readings=dict(choice.readings),
        declared=plan.declared,
        tally=tally,
        ledger=ledger,
        discovered=plan.discovered,
        left_out=plan.left_out,
        notes=tuple(plan.notes),
        wrong=plan.wrong,
        inferred=inferred or {},
    )


def _vary(plan: Plan, run: Run, sessions: Sequence[Session], watch: Watch) -> Run:
    """Return an edition with what the variants of its scripts come to, all its cases being judged."""
    try:
        return replace(run, families=_families(plan, run, sessions, watch))
    except Exception:  # noqa: BLE001 - whatever it is costs the variants alone, and is told with the edition
        return replace(run, trace=traceback.format_exc())


def _families(plan: Plan, run: Run, sessions: Sequence[Session], watch: Watch) -> Families:
    """Return what the variants of the scripts of an edition come to, all its cases being judged."""
    data = plan.wanted.data
    leeway = Leeway.of(plan.choice, run.declared, run.followed, data)
    ask = partial(Inquiry.of, data=data)
    inquests = [Inquest(one, plan.hello, leeway, ask, data, watch.varied) for one in sessions]
    scripts = list(plan.scripts())
    if len(inquests) == 1:
        return inquests[0].families(scripts)
    shares = [scripts[number :: len(inquests)] for number in range(len(inquests))]
    with ThreadPoolExecutor(len(inquests)) as pool:
        return summed(pool.map(Inquest.families, inquests, shares))
