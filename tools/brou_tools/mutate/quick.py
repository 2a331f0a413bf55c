"""The choice of `brou verify --quick`: which scenarios of an edition notice nine in ten of what all of them notice.

Mutants are drawn of each edition's own rules. A scenario notices one if a program that plays it would fail: what
`open` scenarios say, and keys that a program does not tell, count for nothing. Greedy choice gives a first list; the
solver then looks for a shorter one, within a bound that does not hang on the speed of the machine.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from brou import (
    Choice,
    Game,
    Invalid,
    Machine,
    Unusable,
    begin,
    book,
    choose,
    identity,
    keep_until_changed,
    patch_rules,
    rules,
)
from brou.answers.history import History
from brou.games.mutants import Mutant, load_mutant, mutants, sample
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.quick import QuickCase, QuickEdition
from brou_conformance.scenarios.script import Script, spell
from brou_tools.mutate.fates import passes

#: The share that a choice has to notice of the mutants that all scenarios of the edition notice.
SHARE = 0.9
#: How much the solver may do for each question, in its own units: some seconds.
_EFFORT = 20_000_000


@dataclass(frozen=True, slots=True)
class NoticedMutant:
    """A mutant with the scenarios that notice it; none of a mutant that is no other rule base."""

    mutant: str
    other: bool
    cases: tuple[str, ...] = ()


def draw_edition_mutants(first: Choice, count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of the rules of an edition in its first set-up, every operator in its turn."""
    return sample(mutants(patch_rules(first)), count, seed)


def notice(first: Choice, mutant: Mutant, only: Collection[str] | None = None) -> NoticedMutant:
    """Return which scenarios of an edition notice a mutant; of all, or of some alone.

    The edition is that of the first choice of rules, which is of its first set-up.
    """
    made: dict[Choice, Game | None] = {first: _load_other(first, mutant)}
    machines: dict[Choice, Machine] = {}
    found = []
    for script, touched in _list_courses(first):
        if not _can_show(mutant, touched) or (only is not None and script.scenario.id not in only):
            continue
        choice = script.choice
        if choice not in made:
            made[choice] = _load_other(choice, mutant)
        other = made[choice]
        if other is None:
            continue
        if choice not in machines:
            machines[choice] = Machine(other)
        if not passes(machines[choice], script, whole=False):
            found.append(script.scenario.id)
    is_other = made[first] is not None
    return NoticedMutant(mutant.id, is_other, tuple(dict.fromkeys(found)) if is_other else ())


def try_choice(first: Choice, chosen: Collection[str], mutant: Mutant) -> tuple[bool, bool]:
    """Say whether chosen scenarios of an edition notice a mutant, and whether any of its scenarios does."""
    if notice(first, mutant, chosen).cases:
        return True, True
    return False, bool(notice(first, mutant).cases)


def _load_other(choice: Choice, mutant: Mutant) -> Game | None:
    """Return the rules of a choice with a mutant in them, None where they do not load or are no other rules."""
    try:
        made = load_mutant(choice, mutant)
    except Unusable:
        return None
    return None if identity(made) == identity(rules(choice)) else made


# Courses --------------------------------------------------------------------------------------------------------------

#: The sections of the rules whose records are noted when they are used; a change of any other shows everywhere.
_NOTED = ("functions", "tables", "actions", "phases", "view", "score")


def _can_show(mutant: Mutant, touched: Collection[tuple[str, str]]) -> bool:
    """Say whether a mutant can change a course: the record that it damages has a part in it."""
    section, name, *_ = mutant.patch.at
    record = (section, "" if section in ("view", "score") else name)
    return section not in _NOTED or record in touched


@keep_until_changed(maxsize=8)
def _list_courses(usual: Choice) -> tuple[tuple[Script, frozenset[tuple[str, str]]], ...]:
    """Return the scripts of an edition, each with the records of the rules that have a part in its course."""
    return tuple((script, _watch(script)) for script in list_scripts(usual))


def _watch(script: Script) -> frozenset[tuple[str, str]]:
    """Return the records that the rules use in playing a script, views and scores as one."""
    game = rules(script.choice)
    history = History(game)
    player = Machine(game, history)
    state = begin(player, script.start)
    asked: set[tuple[str, str]] = set()
    for step in script.steps:
        if step.verb == "act":
            asked.add(("actions", next(iter(step.deed[1]), "").replace("-", "_")))
        else:
            asked |= {("actions", name) for name in game.actions}
            asked.add((step.verb, ""))
        _, state = take(player, state, step.message)
    return frozenset(asked | history.touched)


@keep_until_changed(maxsize=8)
def list_scripts(usual: Choice) -> tuple[Script, ...]:
    """Return the scenarios of an edition that demand something of who follows its own readings, as scripts.

    One that the rules themselves do not answer as a program is judged would notice everything, and is left out.
    """
    project, name = usual.project, f"{usual.game}@{usual.edition}"
    setups = list(book(usual.game, project).editions[usual.edition].setups)
    every = corpus.scenarios(usual.game, project)
    found = []
    for setup in setups:
        choice = choose(f"{name}:{setup}", project)
        own, player = dict(choice.readings), Machine(rules(choice))
        for one in corpus.applying(every, usual.edition, setup, first=setup == setups[0]):
            if one.level != "open" and all(own.get(key) == value for key, value in one.premise.items()):
                with suppress(Invalid):
                    script = spell(one, choice, project)
                    if passes(player, script, whole=False):
                        found.append(script)
    return tuple(found)


# The choice -----------------------------------------------------------------------------------------------------------


def choose_cases(found: Sequence[NoticedMutant]) -> QuickEdition:
    """Return the choice that the mutants of an edition lead to."""
    others = [one for one in found if one.other]
    noticed = {one.mutant: frozenset(one.cases) for one in others if one.cases}
    target = math.ceil(SHARE * len(noticed))
    chosen = _choose_greedily(noticed, target)
    fewest, least = _choose_fewer(noticed, target, chosen)
    return QuickEdition(mutants=len(others), noticed=len(noticed), least=least, cases=tuple(_order(noticed, fewest)))


def _choose_greedily(noticed: Mapping[str, frozenset[str]], target: int) -> list[str]:
    """Return cases that notice as many mutants as are aimed at, each the one that adds most."""
    left, chosen = dict(noticed), []
    while len(noticed) - len(left) < target:
        best = _find_best(left)
        chosen.append(best)
        left = {mutant: cases for mutant, cases in left.items() if best not in cases}
    return chosen


def _find_best(left: Mapping[str, frozenset[str]]) -> str:
    """Return the case that notices most mutants; of several the first by name."""
    counts: dict[str, int] = {}
    for cases in left.values():
        for one in cases:
            counts[one] = counts.get(one, 0) + 1
    return min(counts, key=lambda one: (-counts[one], one))


def _choose_fewer(
    noticed: Mapping[str, frozenset[str]], target: int, known: Sequence[str]
) -> tuple[Sequence[str], int]:
    """Return the fewest cases that the solver finds, and how many there must be at least."""
    from brou_tools.smt.solve import z3  # noqa: PLC0415 - the solver is loaded only where it is asked

    solver = z3()
    groups: dict[frozenset[str], int] = {}
    kept = _drop_dominated(noticed)
    for cases in noticed.values():
        one = cases & kept
        groups[one] = groups.get(one, 0) + 1
    least = 0
    while least < len(known):
        ask = solver.SolverFor("QF_FD")
        ask.set("rlimit", _EFFORT)
        picked = {name: solver.Bool(name) for name in sorted(kept)}
        counted = []
        for number, cases in enumerate(sorted(groups, key=sorted)):
            seen = solver.Bool(f"#{number}")
            ask.add(solver.Implies(seen, solver.Or([picked[name] for name in sorted(cases)])))
            counted.append((seen, groups[cases]))
        ask.add(solver.PbGe(counted, target))
        ask.add(solver.PbLe([(one, 1) for one in picked.values()], len(known) - 1))
        said = ask.check()
        if said != solver.sat:
            least = len(known) if said == solver.unsat else _find_least(noticed, target)
            break
        model = ask.model()
        known = [name for name, one in picked.items() if solver.is_true(model[one])]
    return known, least


def _find_least(noticed: Mapping[str, frozenset[str]], target: int) -> int:
    """Return a number of cases below which none suffices: even if no two noticed the same mutant."""
    counts: dict[str, int] = {}
    for cases in noticed.values():
        for one in cases:
            counts[one] = counts.get(one, 0) + 1
    summed = 0
    for number, count in enumerate(sorted(counts.values(), reverse=True), 1):
        summed += count
        if summed >= target:
            return number
    return 0


def _drop_dominated(noticed: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the cases that no other does the work of: what notices no more than another is left out."""
    work: dict[str, set[str]] = {}
    for mutant, cases in noticed.items():
        for one in cases:
            work.setdefault(one, set()).add(mutant)
    kept: list[str] = []
    for name in sorted(work, key=lambda one: (-len(work[one]), one)):
        if not any(work[name] <= work[other] for other in kept):
            kept.append(name)
    return frozenset(kept)


def _order(noticed: Mapping[str, frozenset[str]], chosen: Collection[str]) -> Iterator[QuickCase]:
    """Yield the chosen cases, each time the one that notices most of the remaining mutants."""
    left = {mutant: cases & frozenset(chosen) for mutant, cases in noticed.items()}
    left = {mutant: cases for mutant, cases in left.items() if cases}
    while left:
        best = _find_best(left)
        yield QuickCase(id=best, notices=tuple(mutant for mutant, cases in left.items() if best in cases))
        left = {mutant: cases for mutant, cases in left.items() if best not in cases}
