"""Mutation testing: rules that are wrong in one thing are put to the scenarios and to the obligations.

A mutant that no longer loads is invalid, and one that loads as the same rules is the same; every other should be
noticed. The interpreter runs the scenarios on it, and a solver checks the obligations.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial

from brou import (
    BrouError,
    Choice,
    Game,
    Impossible,
    Invalid,
    Machine,
    Project,
    Unusable,
    begin,
    book,
    choose,
    identity,
    keep_until_changed,
    patch_rules,
    rules,
    with_readings,
)
from brou.games import MUTANT_OPERATORS, Mutant, list_mutants, load_mutant, sample_mutants
from brou_conformance.judging.judge import Criteria, Status, judge
from brou_conformance.protocol import Message
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.course import find_duties, take
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import Script, machine, spell
from brou_tools.questions.compatible import fit_readings
from brou_tools.questions.mutation_scores import FateCounts, MutationScores
from brou_tools.terminal.cluster import open_sharing

#: What a mutant may turn out to be before anything is asked of it.
INVALID, SAME, OTHER = "invalid", "same", "other"


@dataclass(frozen=True, slots=True)
class MutantFate:
    """The fate of a mutant: the first scenario and the first obligation that notice it, if any does."""

    mutant: str
    operator: str
    clause: str
    kind: str
    scenario: str = ""
    obligation: str = ""

    @property
    def section(self) -> str:
        """Return the section of the rules that it damages."""
        return self.mutant.partition(":")[2].partition("/")[0]

    @property
    def alive(self) -> bool:
        """Say whether nothing notices it although it is another rule base."""
        return self.kind == OTHER and not self.scenario and not self.obligation


def draw_mutants(game: str, project: Project, count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of the first rules of a game, every operator in its turn."""
    return sample_mutants(list_mutants(patch_rules(choose(game, project))), count, seed)


def fates(
    game: str, project: Project, found: Iterable[Mutant], jobs: int = 1, scheduler: str | None = None
) -> Generator[MutantFate]:
    """Yield the fate of each mutant as soon as it is known; with one job, and no cluster, in their order."""
    with closing(open_sharing(jobs, scheduler)(partial(fate, game, project), found)) as done:
        yield from (one for _, one in done)


def fate(game: str, project: Project, mutant: Mutant) -> MutantFate:
    """Return the fate of one mutant."""
    told = partial(MutantFate, mutant.id, mutant.operator, mutant.clause)
    plain = choose(game, project)
    try:
        made = load_mutant(plain, mutant)
    except Unusable:
        return told(INVALID)
    if identity(made) == identity(rules(plain)):
        return told(SAME)
    other = MutatedRules(mutant)
    return told(OTHER, noticed_by_scenario(game, project, mutant, other), noticed_by_obligation(game, project, other))


class MutatedRules:
    """The rules of several choices with one mutant in them, each made once."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self._made: dict[Choice, Game | None] = {}

    def __call__(self, choice: Choice) -> Game | None:
        """Return the rules of a choice with the mutant, or None where it does not load or changes nothing."""
        if choice not in self._made:
            made = None
            with suppress(BrouError):
                made = load_mutant(choice, self.mutant)
            self._made[choice] = None if made is None or identity(made) == identity(rules(choice)) else made
        return self._made[choice]


# Scenarios ------------------------------------------------------------------------------------------------------------


def noticed_by_scenario(game: str, project: Project, mutant: Mutant, other: Callable[[Choice], Game | None]) -> str:
    """Return the first scenario that fails on the mutant, those that cite its clause first; nothing if all pass."""
    machines: dict[Choice, Machine] = {}
    for script in sorted(_scripts(game, project), key=lambda script: mutant.clause not in script.scenario.clauses):
        made = other(script.choice)
        if made is None:
            continue
        if script.choice not in machines:
            machines[script.choice] = Machine(made)
        if not passes(machines[script.choice], script):
            return script.scenario.id
    return ""


@keep_until_changed(maxsize=8)
def _scripts(game: str, project: Project) -> tuple[Script, ...]:
    """Return every scenario as a script for the first rules that it holds for, under each reading it speaks of."""
    found = []
    for one in corpus.scenarios(game, project):
        for choice in _spoken_of(one, project):
            with suppress(Invalid):
                found.append(spell(one, choice))
    return tuple(found)


def _spoken_of(one: Scenario, project: Project) -> Iterator[Choice]:
    """Yield the first rules that a scenario holds for, then those with other values of the readings that it names."""
    first = _first(one, project)
    if first is None:
        return
    yield first
    own = dict(first.readings)
    for key in one.keys:
        if key in own and key not in one.premise:
            for value in book(one.game, project).readings[key].values:
                with suppress(Impossible):
                    yield from () if value == own[key] else (with_readings(first, {key: value}),)


def _first(one: Scenario, project: Project) -> Choice | None:
    editions = book(one.game, project).editions
    for edition in one.editions or editions:
        for setup in one.setups or tuple(editions[edition].setups)[:1]:
            found = fit_readings(choose(f"{one.game}@{edition}:{setup}", project), [one.premise])
            if found is not None:
                return found[0]
    return None


def passes(player: Machine, script: Script, *, whole: bool = True) -> bool:
    """Say whether rules answer a script as it is expected; `whole` demands every key that it names."""
    answers = []
    try:
        state = begin(player, script.start)
        for step in script.steps:
            answer, state = take(player, state, step.message)
            answers.append(answer)
        return is_as_expected(script, answers, whole=whole)
    except (BrouError, ArithmeticError, LookupError):
        return False


def is_as_expected(script: Script, answers: Sequence[Message], *, whole: bool) -> bool:
    """Say whether all answers are as a script expects, judged as a program's are.

    A refusal may name any of the duties that the act breaks by the rules of the script, undamaged.
    """
    sound = machine(script.choice, script.choice.project)
    terms = Criteria(script.readings, whole=whole, duties=lambda number: find_duties(script, sound, number))
    return all(judgement.status is Status.PASS for judgement in judge(script.steps, answers, terms))


# Obligations ----------------------------------------------------------------------------------------------------------


def noticed_by_obligation(game: str, project: Project, other: Callable[[Choice], Game | None]) -> str:
    """Return the first obligation that does not come out as it should, or cannot even be stated any more."""
    from brou_tools.smt.biting import bites  # noqa: PLC0415 - the solver is loaded only where it is asked

    return bites(game, project, other)


# Sums -----------------------------------------------------------------------------------------------------------------


def count_fates(found: Iterable[MutantFate], by: Callable[[MutantFate], str]) -> dict[str, FateCounts]:
    """Return how many mutants there are of each kind, and how many each sort of evidence notices."""
    sums: dict[str, FateCounts] = {}
    for one in found:
        tally = sums.setdefault(by(one), FateCounts())
        tally.drawn += 1
        tally.invalid += one.kind == INVALID
        tally.same += one.kind == SAME
        tally.scenarios += bool(one.scenario)
        tally.obligations += bool(one.obligation)
        tally.alive += one.alive
    return sums


def score_fates(game: str, seed: int, found: Sequence[MutantFate]) -> MutationScores:
    """Return the scores that the fates of the mutants of a game come to."""
    by_operator = count_fates(found, lambda fate: fate.operator)
    return MutationScores(
        game=game,
        seed=seed,
        all=count_fates(found, lambda _: "").get("", FateCounts()),
        operators={name: by_operator[name] for name in MUTANT_OPERATORS if name in by_operator},
        sections=count_fates(found, lambda fate: fate.section),
        alive=tuple(fate.mutant for fate in found if fate.alive),
    )
