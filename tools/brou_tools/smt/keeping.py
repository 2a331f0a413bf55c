"""Positions of a kind: whether every way into them keeps what is said of them.

A position is inductive when each start in its phase is one, and each act that leads to its phase, made in a position of
the kind named for it, leads to one. What an act is made in is itself a kind to be proved, or anything at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from brou import Crash, Machine
from brou.interpreter.machine import State
from brou.language.effects import gotos
from brou.language.syntax import Action, Game
from brou.language.tree import Expression
from brou.language.types import Value
from brou_tools.smt.asking import PROVED, REFUTED, UNKNOWN, Asking, Finding, acted, vain
from brou_tools.smt.formula import Truth
from brou_tools.smt.ground import Ground, Position
from brou_tools.smt.obligations import Obligation, Where
from brou_tools.smt.running import STAYS, Run, leaves
from brou_tools.smt.solve import Answer
from brou_tools.smt.symbols import Values
from brou_tools.smt.translate import Guard
from brou_tools.smt.unknown import known


@dataclass(slots=True)
class Keeping(Asking):
    """Asks whether acts keep what is said of positions."""

    def _invariant(self, one: Obligation) -> Finding:
        """Return whether every start and every act that leads to a phase leads to a position of a kind."""
        where = one.position
        assert where is not None  # noqa: S101 - the schema has seen to it
        conditions = _conditions(self.ground(None), where)
        if lost := self._lost_at_the_start(where, conditions):
            return Finding(REFUTED, f"the start of a match loses it: {lost}")
        game, left_out = self.ground(None).game, one.named("except")
        ways = [way for way in ways_into(game, where, dict(one.acts)) if way[1].id not in left_out]
        for before, action in ways:
            ground = self.given(one, before)
            if self.ask(one, ground).status != "sat":
                return Finding(UNKNOWN, f"is there a position in which {action.id} is made?")
            found = self._kept(replace(one, position=before), ground, action, where, conditions)
            if found.status != PROVED:
                return found
        if not ways and Machine(game).begin().phase != where.phase:
            return vain("nothing leads to such a position")
        return Finding(PROVED)

    def _lost_at_the_start(self, where: Where, conditions: Sequence[Expression]) -> str:
        """Return what is not so in the state in which a match begins, if it begins in this phase."""
        ground = self.ground(None)
        state = Machine(ground.game).begin()
        return _lost(Position(ground, state, {}, {}), where, conditions) if state.phase == where.phase else ""

    def _kept(
        self, one: Obligation, ground: Ground, action: Action, where: Where, conditions: Sequence[Expression]
    ) -> Finding:
        """Return whether an act keeps what is said of a position, one thing after another."""
        _, run = self.done(ground, action.id)
        forms = ground.forms
        ground.facts += [forms.no(crash.when) for crash in ground.broken if crash.kind == "require"]
        leads = _leads(ground, run, one.position, where)
        for said in _said(ground, run.values, where, conditions):
            lost = forms.both(leads, forms.no(said))
            answer = self.ask(one, ground, lost)
            try:
                if answer.status == "sat":
                    return self.lost_by(one, ground, answer, action, where, conditions)
            except Crash:
                answer = self.ask(one, ground, lost, *ground.unbroken)
                if answer.status == "sat":
                    return self.lost_by(one, ground, answer, action, where, conditions)
            if answer.status != "unsat":
                return Finding(UNKNOWN, f"the act {action.id}: {answer.reason}")
        return Finding(PROVED)

    def lost_by(  # noqa: PLR0913, PLR0917 - all of a question
        self, one: Obligation, ground: Ground, answer: Answer, action: Action, where: Where, said: Sequence[Expression]
    ) -> Finding:
        """Return what an act loses, as the interpreter has it."""
        lost: list[str] = []

        def seen(position: Position) -> bool:
            state = acted(position, action)
            lost.append(_lost(replace(position, state=state), where, said))
            return state.phase == where.phase and bool(lost[-1])

        witness = self.believed(one, ground, answer, seen)
        return Finding(REFUTED, f"the act {action.id} loses it: {lost[-1]}", witness)


def _conditions(ground: Ground, where: Where) -> list[Expression]:
    """Return the conditions of a position, each read where those before it hold."""
    found: list[Expression] = []
    for node in where.where:
        found.append(ground.words.read(node.text, node.place, {}, found))
    return found


def _said(ground: Ground, values: Values, where: Where, conditions: Sequence[Expression]) -> Iterator[Truth]:
    """Yield all that is said of a position, of some state."""
    t = ground.translator
    for name in where.untouched:
        variable = ground.game.state[name]
        yield t.symbols.equal(values[name], known(variable.type, variable.default, t.symbols))
    if where.whole_pack:
        yield ground.forms.all(ground.whole_pack(values))
    known_before: Guard = None
    for condition in conditions:
        with t.noting() as noted:
            truth = t.holds(condition, values, {}, known_before)
        yield ground.forms.all([truth, *(ground.forms.no(crash.when) for crash in noted)])
        known_before = (truth, known_before)


def _lost(position: Position, where: Where, conditions: Sequence[Expression]) -> str:
    """Return what is said of a position and is not so, as the interpreter has it."""
    game, state = position.ground.game, position.state
    machine = Machine(game)
    for name in where.untouched:
        if machine.get(state, name) != game.state[name].default:
            return name
    if where.whole_pack and _scattered(machine, state):
        return "every card lies in one place"
    texts = (node.text for node in where.where)
    return next(
        (text for text, condition in zip(texts, conditions, strict=True) if not _holds(position, condition)), ""
    )


def _holds(position: Position, condition: Expression) -> bool:
    """Say whether a condition holds, and not that it cannot be told."""
    try:
        return bool(position.holds(condition))
    except Crash:
        return False


def _scattered(machine: Machine, state: State) -> bool:
    """Say whether some card of the pack lies nowhere or in two places; before a deal all of them lie nowhere."""
    game = machine.game
    lying = [
        card for name, variable in game.state.items() if variable.zone for card in _lying(machine.get(state, name))
    ]
    return sorted(lying) != sorted(game.deck.cards)


def _lying(value: Value) -> Iterator[str]:
    """Yield the cards that lie in a zone: one, several, or those of an array of zones."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, frozenset)):
        for item in value:
            yield from _lying(item)


def _leads(ground: Ground, run: Run, before: Where | None, where: Where) -> Truth:
    """Return whether a run ends in the phase of a position."""
    here = run.gone.get(STAYS, False) if before is not None and before.phase == where.phase else False
    return ground.forms.either(run.gone.get(where.phase, False), here)


def ways_into(game: Game, where: Where, named: dict[str, Where | None]) -> Iterator[tuple[Where, Action]]:
    """Yield every action that may lead to the phase of a position, with the position that it is made in."""
    for phase in game.phases.values():
        for name in phase.actions:
            action = game.actions[name]
            if where.phase in _reached(game, phase.id, action):
                given = named.get(name)
                here = where if phase.id == where.phase else Where(f"any {phase.id}", phase.id)
                yield given if given is not None and given.phase == phase.id else here, action


def _reached(game: Game, phase: str, action: Action) -> set[str]:
    """Return the phases that an action may end in, the one that it is made in too if it may stay there."""
    found, waiting = set() if leaves(action.do) else {phase}, list(gotos(action.do))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += gotos(game.phases[name].do)
    return found
