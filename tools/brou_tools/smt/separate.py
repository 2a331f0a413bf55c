"""The smallest separating position: the fewest cards with which two rules differ, and a proof that none has fewer.

The question is in which position of a kind somebody may choose a card under one of two rules and not under the other.
The kinds are those of the game's obligations; their conditions hold in every position of that kind that is reached, so
no match comes to such a difference with fewer cards in hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from brou import Action, Choice, Expression, Game, Json, Machine, outside, rules
from brou.language.types import Array, Cards
from brou_tools.questions.situation import Situation, reach_states
from brou_tools.smt.asking import Asking, Disbelieved, SolverOptions
from brou_tools.smt.formula import Truth
from brou_tools.smt.ground import ProofContext, SolvedPosition
from brou_tools.smt.obligations import Where, obligations
from brou_tools.smt.prover import join_rules
from brou_tools.smt.solve import LIMIT
from brou_tools.smt.symbols import Symbol


@dataclass(frozen=True, slots=True)
class Separation:
    """A position in which two rules differ about an act, and in no such position are fewer cards in hand."""

    act: str
    cards: int
    #: What is not as at the beginning, and the seat and the card, as JSON.
    position: dict[str, Json]


def prove_least(known: Situation) -> Separation | None:
    """Return the difference with the fewest cards that the solver finds if a situation's rules differ about a card."""
    first, second = known.rules
    answers = known.answers()
    differing = {act for act in {**answers[0], **answers[1]} if answers[0].get(act) != answers[1].get(act)}
    states = reach_states(known.rules, known.start, known.acts)
    if "legal" not in known.question or states is None:
        return None
    positions = {
        one.position.id: one.position for one in obligations(first.game, first.project).obligations if one.position
    }
    for where in positions.values():
        acts = {outside(action.id) for action in _of_cards(rules(first), where)} & differing
        if where.phase == states[0].PHASE and acts:
            return least(first, second, where)
    return None


def least(first: Choice, second: Choice, where: Where, limit: int = LIMIT) -> Separation | None:
    """Return the difference with the fewest cards in positions of a kind; None where there is none, or no answer."""
    game, other = rules(first), rules(second)
    for action in _of_cards(game, where):
        if action.id in other.actions and dict(game.state) == dict(other.state):
            found = _least(first, second, where, action, limit)
            if found is not None:
                return found
    return None


def _of_cards(game: Game, where: Where) -> Iterator[Action]:
    """Yield the acts of a phase that choose one card."""
    card = game.types["card"]
    for name in game.phases[where.phase].actions:
        action = game.actions[name]
        if [parameter.type for parameter in action.parameters] == [card]:
            yield action


def _least(first: Choice, second: Choice, where: Where, action: Action, limit: int) -> Separation | None:
    prover = Asking(first, SolverOptions(limit))
    here = prover.ground(where)
    here.bind("me", here.game.types["player"])
    here.bind(action.parameters[0].id, action.parameters[0].type)
    here.facts.append(here.translator.symbols.member(here.env["me"], _meaning(here, action.by)))
    there = join_rules(here, second, {})
    for name in here.game.state:
        there.values.__getitem__(name)
    parting = here.forms.no(here.forms.same(_may(here, action), _may(there, there.game.actions[action.id])))
    held = here.say(" + ".join(f"len({name}[me])" for name in _hands(here.game)), action.place)
    for cards in range(len(here.game.deck.cards) + 1):
        answer = here.ask(parting, here.translator.symbols.compare_order("<=", held, cards), limit=limit)
        if answer.status == "unknown":
            return None
        if answer.status == "sat":
            positions = [ground.position(answer.model, where.phase) for ground in (here, there)]
            _confirm_difference(positions, action)
            return Separation(action.id, cards, positions[0].plain())
    return None


def _hands(game: Game) -> list[str]:
    """Return the zones in which each player has cards."""
    player = game.types["player"]
    types = {name: variable.type for name, variable in game.state.items() if variable.zone}
    return [
        name
        for name, type_ in types.items()
        if isinstance(type_, Array) and type_.index == player and isinstance(type_.element, Cards)
    ]


def _meaning(ground: ProofContext, expression: Expression) -> Symbol:
    return ground.translator.expression(expression, ground.values, ground.env)


def _may(ground: ProofContext, action: Action) -> Truth:
    """Return whether the seat may choose the card."""
    parameter = action.parameters[0]
    inside = ground.translator.symbols.member(ground.env[parameter.id], _meaning(ground, parameter.domain))
    return ground.forms.both(inside, ground.translator.holds(action.legal, ground.values, ground.env))


def _confirm_difference(positions: Sequence[SolvedPosition], action: Action) -> None:
    """Raise unless the two interpreters, set down in the position, answer otherwise too."""
    answers = []
    for position in positions:
        card = position.locals[action.parameters[0].id]
        legal = Machine(position.ground.game).legal(position.state, position.locals["me"])
        offered: Any = legal.get(outside(action.id), [])
        answers.append(card in offered)
    if answers[0] == answers[1]:
        raise Disbelieved(f"{action.id}: the interpreters see no difference in {positions[0].plain()}")
