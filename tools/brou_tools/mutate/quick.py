"""The choice of `brou verify --quick`: the fewest scenarios of an edition that notice what all of them notice.

Mutants are drawn of each edition's own rules. A scenario notices one if a program that plays it would fail: what
`open` scenarios say, and keys that a program does not tell, count for nothing. Greedy choice gives a first list; the
solver then looks for a shorter one, within a bound that does not hang on the speed of the machine.

A choice fits the mutants that it was made by better than any others. So it notices each of those twice, where two
scenarios do, and is measured by mutants that it was not made by: of these it should notice nine in ten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TypeAlias

from brou import (
    BrouError,
    Chance,
    Choice,
    Crash,
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
from brou.games import Mutant, list_mutants, load_mutant, sample_mutants
from brou.language.effects import Effect, name_effect, walk_effects
from brou_conformance.fitting.slices import Course, VariedGround, find_first
from brou_conformance.judging.judge import Criteria
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.quick import QuickCase, QuickEdition, UnseenMutants
from brou_conformance.scenarios.script import Script, spell
from brou_tools.mutate.fates import is_as_expected, passes

#: The share that a choice should notice of the mutants that all scenarios notice, and that it was not made by.
SHARE = 0.9
#: How many of the chosen scenarios notice each mutant that the choice is made by, if as many scenarios do.
_DEPTH = 2
#: For so many mutants that a choice is made by, one more is kept apart to measure it.
_APART = 3
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
    return sample_mutants(list_mutants(patch_rules(first)), count, seed)


def draw_apart(first: Choice, count: int, seed: int) -> tuple[list[Mutant], list[Mutant]]:
    """Return so many mutants to make a choice by, and a third as many others; of an edition with fewer, fewer of both.

    Chance alone says on which side a mutant comes.
    """
    drawn = Chance(seed).shuffle(draw_edition_mutants(first, count + count // _APART, seed))
    kept = len(drawn) * _APART // (_APART + 1)
    return drawn[:kept], drawn[kept:]


def notice(first: Choice, mutant: Mutant, only: Collection[str] | None = None) -> NoticedMutant:
    """Return which scenarios of an edition notice a mutant; of all, or of some alone.

    The edition is that of the first choice of rules, which is of its first set-up.
    """
    made: dict[Choice, Game | None] = {first: _load_other(first, mutant)}
    machines: dict[Choice, Machine] = {}
    found = []
    for script, course, own in _list_courses(first):
        touched = _find_touched(mutant, own.game, course.touched)
        if not touched or (only is not None and script.scenario.id not in only):
            continue
        choice = script.choice
        if choice not in made:
            made[choice] = _load_other(choice, mutant)
        other = made[choice]
        if other is None:
            continue
        if choice not in machines:
            machines[choice] = Machine(other)
        if not _passes(machines[choice], script, course, touched):
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

_Touches: TypeAlias = Mapping[tuple[str, ...], int]
_EVERYWHERE = -1


@keep_until_changed(maxsize=8)
def _list_courses(usual: Choice) -> tuple[tuple[Script, Course, Machine], ...]:
    """Return the scripts of an edition, each with its course by the rules as they are, and their machine."""
    grounds: dict[Choice, VariedGround] = {}
    found = []
    for script in list_scripts(usual):
        if script.choice not in grounds:
            grounds[script.choice] = VariedGround(script.choice, Criteria(script.readings))
        course = grounds[script.choice].follow(script)
        if course is None:
            raise Crash(f"{script.scenario.id} is not played by its own rules")
        found.append((script, course, grounds[script.choice].rules.machine))
    return tuple(found)


def _find_touched(mutant: Mutant, game: Game, touches: _Touches) -> int:
    """Return the steps at which a mutant can show; the bits of a number are steps."""
    section, name, *inside = mutant.patch.at
    match section:
        case "functions":
            return touches.get((section, name), 0)
        case "tables":
            is_condition = len(inside) > 2 and inside[2] == "when"
            return touches.get((section, name, inside[1]) if is_condition else (section, name), 0)
        case "actions":
            asked = touches.get(("legal",), 0) | touches.get(("view",), 0) | touches.get(("score",), 0)
            return asked | touches.get((section, name), 0) | _find_carried_out(game.actions[name].do, touches)
        case "phases":
            return _find_carried_out(game.phases[name].do, touches)
        case "view" | "score":
            return touches.get((section,), 0)
    return _EVERYWHERE


def _find_carried_out(body: Sequence[Effect], touches: _Touches) -> int:
    """Return the steps at which any effect of a body is carried out; at the first, those of the start, too."""
    return reduce(or_, (touches.get(("effects", name_effect(one)), 0) for one in walk_effects(body)), 0)


def _passes(player: Machine, script: Script, course: Course, touched: int) -> bool:
    """Say whether changed rules answer a script as it is expected.

    They can come out otherwise only at the steps that are touched. Play is taken up at the first of these, and where
    both come to the same state again, at the next.
    """
    last = len(script.steps)
    number = find_first(touched & ((1 << last) - 1), 0, last)
    answers = list(course.told)
    try:
        state = begin(player, script.start) if number == 0 else course.states[number]
        while number < last:
            answers[number], state = take(player, state, script.steps[number].message)
            number += 1
            # From an equal state on, the mutant plays as the rules do until a step that it touches, and those answers
            # are known.
            if state == course.states[number]:
                number = find_first(touched & ((1 << last) - 1), number, last)
                state = course.states[number]
        return is_as_expected(script, answers, whole=False)
    except (BrouError, ArithmeticError, LookupError):
        return False


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


#: By mutant the cases that notice it.
_Noticed: TypeAlias = Mapping[str, frozenset[str]]


def choose_cases(found: Sequence[NoticedMutant], unseen: Sequence[NoticedMutant] = ()) -> QuickEdition:
    """Return the choice that the mutants of an edition lead to, measured by others."""
    others = [one for one in found if one.other]
    noticed = {one.mutant: frozenset(one.cases) for one in others if one.cases}
    fewest, least = _choose_fewer(noticed, [name for name, _ in _rank_greedily(noticed)])
    chosen = {mutant: cases & frozenset(fewest) for mutant, cases in noticed.items()}
    asked = [frozenset(one.cases) for one in unseen if one.cases]
    return QuickEdition(
        mutants=len(others),
        noticed=len(noticed),
        least=least,
        unseen=UnseenMutants(noticed=len(asked), reached=sum(not cases.isdisjoint(fewest) for cases in asked)),
        cases=tuple(QuickCase(id=name, notices=added) for name, added in _rank_greedily(chosen)),
    )


def _count_needed(noticed: _Noticed) -> dict[str, int]:
    """Return how many of the chosen cases have to notice each mutant."""
    return {mutant: min(_DEPTH, len(cases)) for mutant, cases in noticed.items()}


def _rank_greedily(noticed: _Noticed) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield cases that notice all mutants often enough, the greatest gain first, each with the mutants that it adds."""
    needed, left = _count_needed(noticed), dict(noticed)
    while left:
        best = _find_best(left)
        added = tuple(mutant for mutant, cases in left.items() if best in cases)
        yield best, added
        for mutant in added:
            needed[mutant] -= 1
        left = {mutant: cases - {best} for mutant, cases in left.items() if needed[mutant]}


def _find_best(left: _Noticed) -> str:
    """Return the case that notices most mutants; of several the first by name."""
    counts: dict[str, int] = {}
    for cases in left.values():
        for one in cases:
            counts[one] = counts.get(one, 0) + 1
    return min(counts, key=lambda one: (-counts[one], one))


def _choose_fewer(noticed: _Noticed, known: Sequence[str]) -> tuple[Sequence[str], int]:
    """Return the fewest cases that the solver finds, and how many there must be at least."""
    from brou_tools.smt.solve import z3  # noqa: PLC0415 - the solver is loaded only where it is asked

    solver = z3()
    kept = _drop_dominated(noticed)
    groups = {(noticed[mutant] & kept, needed) for mutant, needed in _count_needed(noticed).items()}
    least = 0
    while least < len(known):
        ask = solver.SolverFor("QF_FD")
        ask.set("rlimit", _EFFORT)
        picked = {name: solver.Bool(name) for name in sorted(kept)}
        for cases, needed in sorted(groups, key=lambda group: (sorted(group[0]), group[1])):
            ask.add(solver.PbGe([(picked[name], 1) for name in sorted(cases)], needed))
        ask.add(solver.PbLe([(one, 1) for one in picked.values()], len(known) - 1))
        said = ask.check()
        if said != solver.sat:
            least = len(known) if said == solver.unsat else _find_least(noticed)
            break
        model = ask.model()
        known = [name for name, one in picked.items() if solver.is_true(model[one])]
    return known, least


def _find_least(noticed: _Noticed) -> int:
    """Return a number of cases below which none suffices: what mutants need of which no case notices two."""
    found: list[frozenset[str]] = []
    for cases in sorted(noticed.values(), key=lambda cases: (len(cases), sorted(cases))):
        if all(cases.isdisjoint(other) for other in found):
            found.append(cases)
    return sum(min(_DEPTH, len(cases)) for cases in found)


def _drop_dominated(noticed: _Noticed) -> frozenset[str]:
    """Return the cases that are left if whatever others do the work of is left out, as many as have to notice it."""
    work: dict[str, set[str]] = {}
    for mutant, cases in noticed.items():
        for one in cases:
            work.setdefault(one, set()).add(mutant)
    kept: list[str] = []
    for name in sorted(work, key=lambda one: (-len(work[one]), one)):
        if sum(work[name] <= work[other] for other in kept) < _DEPTH:
            kept.append(name)
    return frozenset(kept)
