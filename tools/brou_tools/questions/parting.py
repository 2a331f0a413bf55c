"""Separating scenarios: the smallest of the corpus that two readings answer differently, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from brou import BrouError, Choice, Json, Project, Reading, begin, book, choose, outside
from brou_conformance.metamorphic.renaming import canonical
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import Scenario, ScriptStep
from brou_conformance.scenarios.script import machine, spell
from brou_tools.questions.compatible import fit_readings

#: What a start gives even where no cards are dealt.
DEALER = "dealer"


@dataclass(frozen=True, slots=True)
class SeparatingScenario:
    """A scenario that distinguishes two values of a reading: its step, the answers, whether the text expects both."""

    scenario: Scenario
    step: ScriptStep
    number: int
    answers: tuple[Mapping[str, Json], Mapping[str, Json]]
    expected: bool
    choices: tuple[Choice, Choice]
    #: What both answer to the steps before.
    tale: Sequence[Mapping[str, Json]]

    @property
    def deals(self) -> int:
        """Return how many deals are begun up to the step that distinguishes them."""
        return bool(set(self.scenario.deal) - {DEALER}) + sum(self._dealing(step) for step in self._before)

    @property
    def decisions(self) -> int:
        """Return how many accepted acts lead to the step that distinguishes them, deals left out."""
        return sum("ok" in answer for answer in self.tale) - sum(map(self._dealing, self._before))

    @property
    def size(self) -> tuple[Any, ...]:
        """Return the order of such scenarios: expected ones first, then by deals, decisions, steps and name."""
        return not self.expected, self.deals, self.decisions, self.number, self.scenario.id

    @property
    def _before(self) -> Sequence[ScriptStep]:
        return self.scenario.steps(machine(self.choices[0]).game.seats)[: self.number]

    def _dealing(self, step: ScriptStep) -> bool:
        act = step.message.get("act")
        return isinstance(act, dict) and outside(machine(self.choices[0]).game.start.deal) in act


def pairs(game: str, project: Project) -> Iterator[tuple[Reading, tuple[str, str]]]:
    """Yield every two values of every reading; of a number there are too many."""
    for reading in book(game, project).readings.values():
        for pair in combinations(reading.values, 2):
            yield reading, pair


def smallest(game: str, project: Project, reading: Reading, pair: tuple[str, str]) -> SeparatingScenario | None:
    """Return the smallest scenario that distinguishes two values, or None."""
    naming = [one for one in corpus.scenarios(game, project) if reading.key in one.keys]
    rest = [one for one in corpus.scenarios(game, project) if one not in naming]
    for found in (naming, rest):
        partings = [parting for one in found if (parting := find_parting(one, project, reading.key, pair))]
        if partings:
            return min(partings, key=lambda parting: parting.size)
    return None


def find_parting(one: Scenario, project: Project, key: str, pair: tuple[str, str]) -> SeparatingScenario | None:
    """Return the first step of a scenario that two values answer otherwise, the rest being as the scenario has it."""
    choices = find_choices(one, project, key, pair)
    if choices is None:
        return None
    tales = [answer_steps(one, choice) for choice in choices]
    if tales[0] is None or tales[1] is None:
        return None
    steps = one.steps(machine(choices[0]).game.seats)
    for number, step in enumerate(steps):
        here, there = tales[0][number], tales[1][number]
        if canonical(here) != canonical(there):
            expected = _is_expected(step, key, pair)
            return SeparatingScenario(
                one, step, number, (here, there), expected, (choices[0], choices[1]), tales[0][:number]
            )
    return None


def _is_expected(step: ScriptStep, key: str, pair: tuple[str, str]) -> bool:
    patterns = [step.values.get(value) for value in pair]
    return step.reading == key and None not in patterns and patterns[0] != patterns[1]


def find_choices(one: Scenario, project: Project, key: str, values: Sequence[str]) -> tuple[Choice, ...] | None:
    """Return the first rules that a scenario holds for in which a reading can be chosen, with each of some values."""
    editions = book(one.game, project).editions
    for edition in one.editions or editions:
        if key not in editions[edition].readings:
            continue
        for setup in one.setups or tuple(editions[edition].setups):
            plain = choose(f"{one.game}@{edition}:{setup}", project)
            found = fit_readings(plain, [{**one.premise, key: value} for value in values])
            if found is not None:
                return found
    return None


def bare(game: str, project: Project, key: str, pair: tuple[str, str]) -> Iterator[tuple[Choice, Choice]]:
    """Yield in each set-up in which a reading can be chosen the rules of two of its values."""
    for edition in book(game, project).editions.values():
        for setup in edition.setups if key in edition.readings else ():
            found = fit_readings(choose(f"{game}@{edition.id}:{setup}", project), [{key: value} for value in pair])
            if found is not None:
                yield found[0], found[1]


_TALES: dict[tuple[str, Choice], Sequence[Mapping[str, Json]] | None] = {}


def answer_steps(one: Scenario, choice: Choice) -> Sequence[Mapping[str, Json]] | None:
    """Return the interpreter's answers to the steps of a scenario; None if it cannot be begun so."""
    key = (one.id, choice)
    if key not in _TALES:
        _TALES[key] = _play_scenario(one, choice)
    return _TALES[key]


def _play_scenario(one: Scenario, choice: Choice) -> Sequence[Mapping[str, Json]] | None:
    player = machine(choice)
    try:
        script = spell(one, choice)
        state = begin(player, script.start)
    except BrouError:
        return None
    results = []
    for step in script.steps:
        result, state = take(player, state, step.message)
        results.append(result)
    return results
