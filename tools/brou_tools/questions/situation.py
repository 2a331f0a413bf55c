"""Situations: a start and some acts under two rules that differ in one reading, and a question that shows it.

Two rules differ where they offer somebody other acts, show another score, or let somebody see something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from brou import (
    BadAct,
    BrouError,
    Choice,
    Compiled,
    CompiledState,
    Game,
    Json,
    Refusal,
    begin,
    keep_until_changed,
    outside,
    parts,
    rules,
    writer,
)
from brou_conformance.metamorphic.renaming import canonical
from brou_conformance.scenarios.script import spell
from brou_tools.questions.parting import DEALER, SeparatingScenario

#: Who does something, and what.
Act: TypeAlias = tuple[int, Mapping[str, Json]]
#: Two rules that differ in one reading, and the states of both.
Rules: TypeAlias = tuple[Choice, Choice]
States: TypeAlias = tuple[CompiledState, CompiledState]


@keep_until_changed(maxsize=64)
def engine(choice: Choice) -> Compiled:
    """Return the engine of a rule base, built once."""
    return Compiled(rules(choice))


@dataclass(frozen=True, slots=True)
class Situation:
    """Where two rules differ: the start as it goes over the wire, the acts that both accept, and the question."""

    rules: Rules
    start: Mapping[str, Json]
    acts: tuple[Act, ...]
    question: Mapping[str, Any]

    @property
    def deals(self) -> int:
        """Return how many deals are begun in it."""
        own = bool(self.start) and bool(parts(engine(self.rules[0]).machine, self.start)[1])
        return own + sum(_deal(engine(self.rules[0]).game) in act for _, act in self.acts)

    @property
    def decisions(self) -> int:
        """Return how many acts lead to the question, deals left out."""
        return len(self.acts) - sum(_deal(self.game) in act for _, act in self.acts)

    @property
    def size(self) -> tuple[int, int, int]:
        """Return the order of situations: the fewest deals, then the fewest decisions, then the smallest numbers."""
        return self.deals, self.decisions, sum_written(self.game, self.start)

    @property
    def game(self) -> Game:
        """Return the first of its rules."""
        return engine(self.rules[0]).game

    def holds(self) -> bool:
        """Say whether both rules accept every act and differ in the end."""
        states = reach_states(self.rules, self.start, self.acts)
        return states is not None and differ(self.rules, states, self.question)

    def answers(self) -> tuple[dict[str, Json], dict[str, Json]]:
        """Return the answers of both rules to the question, as they go over the wire."""
        states = reach_states(self.rules, self.start, self.acts)
        if states is None:
            raise BadAct("a situation that cannot be reached")
        one, two = (
            answer_question(choice, state, self.question) for choice, state in zip(self.rules, states, strict=True)
        )
        return one, two


def sum_written(game: Game, start: Mapping[str, Json]) -> int:
    """Return how much stands written before the deal: the sum of all numbers but the dealer's seat."""
    return sum(map(abs, numbers(game, start)))


def numbers(game: Game, start: Mapping[str, Json]) -> list[int]:
    """Return the numbers that stand written before the deal, the dealer's seat left out."""
    values = [value for key, value in start.items() if key in game.start.given and key != DEALER]
    found = [number for value in values for number in (value if isinstance(value, list) else [value])]
    return [number for number in found if isinstance(number, int)]


def _deal(game: Game) -> str:
    return outside(game.start.deal)


# Reaching ---------------------------------------------------------------------


def begin_states(both: Rules, start: Mapping[str, Json]) -> States | None:
    """Return the states of both rules at a start, None where it is none of theirs."""
    found = []
    for choice in both:
        try:
            found.append(engine(choice).encode_state(begin(engine(choice).machine, start)))
        except BrouError:
            return None
    return found[0], found[1]


def follow_act(both: Rules, states: States, act: Act) -> States | None:
    """Return the states after an act, None unless both rules accept it."""
    found = []
    for choice, state in zip(both, states, strict=True):
        try:
            after = engine(choice).act(state, *act)
        except BadAct:
            return None
        if isinstance(after, Refusal):
            return None
        found.append(after)
    return found[0], found[1]


def reach_states(both: Rules, start: Mapping[str, Json], acts: tuple[Act, ...]) -> States | None:
    """Return the states to which a start and acts lead under both rules, None if they do not."""
    states = begin_states(both, start)
    for act in acts:
        states = None if states is None else follow_act(both, states, act)
    return states


def standing(both: Rules, states: States) -> dict[str, Json] | None:
    """Return the start that the next deal would need; None where the two rules would not give the same."""
    one, two = (_standing(choice, state) for choice, state in zip(both, states, strict=True))
    return one if one == two else None


def _standing(choice: Choice, state: CompiledState) -> dict[str, Json]:
    played = engine(choice)
    game = played.game
    return {
        key: writer(game.state[name].type, game.deck)(played.get(state, name)) for key, name in game.start.given.items()
    }


# Parting ----------------------------------------------------------------------


def answer_question(choice: Choice, state: CompiledState, question: Mapping[str, int]) -> dict[str, Json]:
    """Return the answer of rules to a question in a state."""
    played = engine(choice)
    if "legal" in question:
        return played.legal(state, question["legal"])
    return played.view(state, question["view"]) if "view" in question else played.score(state)


def partings(both: Rules, states: States) -> Iterator[dict[str, int]]:
    """Yield the questions that two rules answer differently: the legal acts, then the score, then the views."""
    seats = range(engine(both[0]).game.seats)
    questions: list[dict[str, int]] = [
        *({"legal": seat} for seat in seats),
        {"score": True},
        *({"view": seat} for seat in seats),
    ]
    yield from (question for question in questions if differ(both, states, question))


def differ(both: Rules, states: States, question: Mapping[str, int]) -> bool:
    """Say whether two rules answer a question otherwise."""
    one, two = (answer_question(choice, state, question) for choice, state in zip(both, states, strict=True))
    return canonical(one) != canonical(two)


def of(found: SeparatingScenario) -> Situation | None:
    """Return the situation in which a scenario separates two values; None if only the winner of a trick differs."""
    both = found.choices
    start = spell(found.scenario, both[0]).start
    states = begin_states(both, start)
    acts: list[Act] = []
    for step in found.scenario.steps(engine(both[0]).game.seats)[: found.number + 1]:
        after = follow_act(both, states, step.deed) if states and step.verb == "act" else None
        if after is not None:
            states = after
            acts.append(step.deed)
    questions = list(partings(both, states)) if states else []
    if found.step.verb == "act":
        asked = {"legal": found.step.deed[0]}
    else:
        asked = {key: value for key, value in found.step.message.items() if isinstance(value, int)}
    question = asked if asked in questions else next(iter(questions), None)
    return None if question is None else Situation(both, start, tuple(acts), question)
