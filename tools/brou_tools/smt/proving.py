"""A run of proofs: the obligations with the rules to prove them under, and the results in order."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from brou import (
    Choice,
    Impossible,
    Project,
    Unknown,
    catalogue,
    choose,
    keep_until_changed,
    rules,
    with_readings,
)
from brou.language import BUILTINS
from brou.shapes import ABSENT
from brou_tools.smt.asking import PROVED, Asking, Disbelieved, ObligationResult, SolverOptions, name_choice
from brou_tools.smt.known_proofs import KnownProofs, is_plain, name_proof
from brou_tools.smt.linting import find_weakness
from brou_tools.smt.obligations import Obligation, choices, obligations
from brou_tools.smt.prover import prove_obligation
from brou_tools.smt.report import ProvedGame, ProvedObligation
from brou_tools.smt.slices import differing, slice_of
from brou_tools.smt.solve import LIMIT
from brou_tools.terminal.workers import work

#: Steps for one question about a slow obligation.
SLOW_LIMIT = 1_000_000_000
#: Processes that share the work.
_WORKERS = 2
#: How many tasks of the same rules read them once; fewer read them more often, more keep a core waiting.
_TOGETHER = 40


@dataclass(frozen=True, slots=True)
class Task:
    """One obligation under one choice of rules, and how many other readings change nothing of it."""

    game: str
    id: str
    choice: Choice
    equal: int
    slow: bool
    #: Under the first rules it is also asked whether the statement says anything.
    first: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a task."""

    task: Task
    one: Obligation
    finding: ObligationResult
    seconds: float
    #: The most steps that one question took.
    steps: int
    #: An earlier run proved it, and nothing has changed that it rests on.
    known: bool = False
    #: On how many questions a second solver agrees, and of how many it does not know; nought where it was not asked.
    agreed: int = 0
    unsure: int = 0

    @property
    def good(self) -> bool:
        """Say whether it came out as it should."""
        return self.finding.status == self.one.expect

    @property
    def report(self) -> ProvedObligation:
        """Return it as the report has it."""
        found = self.finding
        return ProvedObligation(
            id=self.one.id,
            kind=self.one.kind,
            edition=name_choice(self.task.choice),
            clauses=tuple(self.one.clauses),
            status=found.status,
            expect=self.one.expect,
            seconds=round(self.seconds, 2),
            steps=self.steps,
            witness=found.witness or self.one.node.string("witness") or None,
            equal=self.task.equal,
            reason=found.reason or ABSENT,
            known=self.known or ABSENT,
            agreed=self.agreed or ABSENT,
            unsure=self.unsure or ABSENT,
        )


@dataclass(slots=True)
class Proofs:
    """All that came of the obligations of a game."""

    game: str
    project: Project
    results: list[Result] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)

    @property
    def failed(self) -> list[Result]:
        """Return the results other than the expected ones."""
        return [result for result in self.results if not result.good]

    @property
    def report(self) -> ProvedGame:
        """Return them as the report has them."""
        failed = sorted({result.one.id for result in self.failed})
        every = {result.one.id for result in self.results}
        # That a statement is refuted may be as expected, but a position is kept by what is proved alone.
        held = every - {result.one.id for result in self.results if result.finding.status != PROVED}
        return ProvedGame(
            game=self.game,
            proved=len(every) - len(failed),
            failed=tuple(failed),
            slow=tuple(self.slow),
            positions=obligations(self.game, self.project).standing(held, every),
            obligations=tuple(result.report for result in self.results),
        )


def tasks(game: str, project: Project, only: Sequence[str] = (), *, slow: bool = False) -> Iterator[Task]:
    """Yield the tasks: each obligation under all rules that it is about and that change a record it rests on."""
    for one in obligations(game, project).obligations:
        if (one.slow and not slow) or (only and one.id not in only):
            continue
        yield from _tasks(game, project, one)


def _tasks(game: str, project: Project, one: Obligation) -> Iterator[Task]:
    plan = _ObligationPlan(one)
    for choice, varied in choices(game, project, one):
        plan.add(choice, varied)
    if not plan.asked:
        raise Unknown("rules of the obligation", one.id, ())
    if one.readings == "each":
        plan.add_pairs()
    for number, choice in enumerate(plan.asked):
        yield Task(game, one.id, choice, plan.equal[choice], one.slow, first=not number)


@dataclass(slots=True)
class _ObligationPlan:
    """The rules under which one obligation runs, and how many others each of them stands for."""

    one: Obligation
    asked: dict[Choice, Mapping[str, str]] = field(default_factory=dict)
    equal: Counter[Choice] = field(default_factory=Counter)
    _touching: dict[str, list[tuple[Choice, Mapping[str, str]]]] = field(default_factory=dict)
    _others: dict[str, list[tuple[Choice, Mapping[str, str]]]] = field(default_factory=dict)
    _rests: dict[Choice, frozenset[str]] = field(default_factory=dict)

    def add(self, choice: Choice, varied: Mapping[str, str]) -> None:
        """Add rules for the obligation, if they differ from those so far in a record that it rests on."""
        twin = self._twin(choice, varied)
        if twin is None:
            self.asked[choice] = varied
        else:
            self.equal[twin] += 1
        if varied:
            touches = twin is None or self.asked[twin]
            (self._touching if touches else self._others).setdefault(str(choice), []).append((choice, varied))

    def add_pairs(self) -> None:
        """Have it asked with two readings changed: both touch it, or one does where the other is changed already."""
        for name, found in self._touching.items():
            pairs = [(one, two) for (_, one), (_, two) in combinations(found, 2)]
            pairs += [
                (one, two)
                for first, one in found
                for second, two in self._others.get(name, ())
                if self._is_touched(_find_changed(choose(name, first.project), second), first)
            ]
            for choice, varied in _combine_pairs(choose(name, found[0][0].project), pairs):
                if self._twin(choice, varied) is None:
                    self.asked[choice] = varied

    def _twin(self, choice: Choice, varied: Mapping[str, str]) -> Choice | None:
        """Return rules of the plan that do not differ in any record that the obligation rests on."""
        for other, same in self.asked.items():
            if not same or same == varied:
                changed = _find_changed(other, choice)
                if not self._is_touched(changed, other) and not self._is_touched(changed, choice):
                    return other
        return None

    def _is_touched(self, changed: frozenset[str] | None, choice: Choice) -> bool:
        """Say whether changes touch a record that the obligation rests on, under either value of a compared reading."""
        if choice not in self._rests:
            each = [choice]
            if self.one.kind == "separates":
                key = self.one.node.string("key")
                each = [with_readings(choice, {key: value.text}) for value in self.one.texts("values")]
            self._rests[choice] = frozenset().union(*(slice_of(rules(known), self.one) for known in each))
        return changed is None or bool(changed & self._rests[choice])


@keep_until_changed(maxsize=4096)
def _find_changed(one: Choice, two: Choice) -> frozenset[str] | None:
    return differing(rules(one), rules(two))


def _combine_pairs(
    plain: Choice, pairs: Iterable[tuple[Mapping[str, str], Mapping[str, str]]]
) -> Iterator[tuple[Choice, Mapping[str, str]]]:
    """Yield the rules with two readings changed, where they can go together."""
    for one, two in pairs:
        if not set(one) & set(two):
            try:
                yield with_readings(plain, {**one, **two}), {**one, **two}
            except Impossible:
                continue


def prove(  # noqa: PLR0913 - what a command line can ask for
    games: Iterable[str], project: Project, only: Sequence[str] = (), *, slow: bool = False, export: Path | None = None,
    second: bool = False, afresh: bool = True, told: Callable[[int, int, Result], None] | None = None,
) -> list[Proofs]:  # fmt: skip
    """Prove the obligations of some games; `told` is called after each with how many are done of how many.

    Without `afresh`, proofs of earlier runs stand where nothing has changed that they rest on, and plain proofs are
    kept for later runs. A run that writes questions down, or puts them to two solvers, puts all of them.
    """
    planned = {game: list(tasks(game, project, only, slow=slow)) for game in games}
    every = [task for found in planned.values() for task in found]
    proofs = {game: Proofs(game, project, slow=_slow(game, project)) for game in planned}
    done: dict[Task, Result] = {}
    keeping = _Keeping(planned) if not (afresh or export or second) else None
    for result in keeping.find(every) if keeping else ():
        done[result.task] = result
    try:
        for result in _prove_all([task for task in every if task not in done], export, second=second):
            done[result.task] = result
            if told is not None:
                told(len(done), len(every), result)
    finally:  # whoever interrupts a long run keeps what it proved
        if keeping:
            keeping.keep(done.values())
    for task in every:
        proofs[task.game].results.append(done[task])
    return list(proofs.values())


class _Keeping:
    """The proofs of earlier runs for the tasks of this one."""

    def __init__(self, games: Iterable[str]) -> None:
        self._known = {game: KnownProofs(game) for game in games}
        self._names: dict[Task, str] = {}

    def find(self, every: Iterable[Task]) -> Iterator[Result]:
        """Yield the results of the tasks that were proved before."""
        for task in every:
            one = _obligation(task)
            name = self._names[task] = name_proof(rules(task.choice), one, _limit(task))
            steps = self._known[task.game].steps(name)
            if steps is not None:
                yield Result(task, one, ObligationResult(PROVED), 0, steps, known=True)

    def keep(self, results: Iterable[Result]) -> None:
        """Keep the new proofs."""
        found: dict[str, dict[str, int]] = {game: {} for game in self._known}
        for result in results:
            if not result.known and is_plain(result.one, result.finding):
                found[result.task.game][self._names[result.task]] = result.steps
        for game, known in self._known.items():
            known.add(found[game])


def _slow(game: str, project: Project) -> list[str]:
    return [one.id for one in obligations(game, project).obligations if one.slow]


def _prove_all(every: Sequence[Task], export: Path | None, *, second: bool) -> Iterator[Result]:
    chunks = _chunks(every)
    if len(chunks) < 2 or (os.cpu_count() or 1) < 2:
        for chunk in chunks:
            yield from _chunk(chunk, export, second=second)
        return
    with closing(work(_WORKERS, partial(_prove_chunk, export=export, second=second), chunks)) as done:
        for _, listed in done:
            for task, finding, seconds, steps, agreed, unsure in listed:
                yield Result(task, _obligation(task), finding, seconds, steps, agreed=agreed, unsure=unsure)


def _chunks(every: Sequence[Task]) -> list[list[Task]]:
    """Return the tasks in groups of the same rules, which are read once, none so large that all wait for it."""
    found: dict[Any, list[Task]] = {}
    for task in every:
        found.setdefault(task.choice, []).append(task)
    parts = [group[at : at + _TOGETHER] for group in found.values() for at in range(0, len(group), _TOGETHER)]
    return sorted(parts, key=len, reverse=True)


def _prove_chunk(
    chunk: Sequence[Task], *, export: Path | None, second: bool
) -> list[tuple[Task, ObligationResult, float, int, int, int]]:
    return [
        (one.task, one.finding, one.seconds, one.steps, one.agreed, one.unsure)
        for one in _chunk(chunk, export, second=second)
    ]


def _chunk(chunk: Sequence[Task], export: Path | None, *, second: bool) -> Iterator[Result]:
    prover = Asking(chunk[0].choice, SolverOptions(LIMIT, export, second))
    for task in chunk:
        prover.options.limit = _limit(task)
        began = time.monotonic()
        one = _obligation(task)
        try:
            found = prove_obligation(prover, one)
        except Disbelieved as error:
            called = ", ".join(sorted(slice_of(rules(task.choice), one) & BUILTINS.keys())) or "none"
            raise Disbelieved(f"{error}; does each built-in do what it is compiled to? called are {called}") from error
        steps, agreed, unsure = prover.steps, prover.agreed, prover.unsure
        if task.first and found.status == PROVED:
            found = find_weakness(task.game, task.choice.project, one) or found
        yield Result(task, one, found, time.monotonic() - began, steps, agreed=agreed, unsure=unsure)


def _limit(task: Task) -> int:
    return SLOW_LIMIT if task.slow else LIMIT


def _obligation(task: Task) -> Obligation:
    return next(one for one in obligations(task.game, task.choice.project).obligations if one.id == task.id)


def games_with_obligations(project: Project) -> list[str]:
    """Return the games of which something is to be proved."""
    return [game for game in catalogue(project) if obligations(game, project).obligations]
