"""Inductive invariants: whether every way into a kind of position keeps its conditions.

A position is inductive when each start in its phase is one, and each act that leads to its phase, made in a position of
the kind named for it, leads to one. The position before an act is itself a kind to be proved, or anything at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from brou import Action, Crash, Expression, Game, Machine, State
from brou.language.effects import gotos
from brou.language.types import Value
from brou_tools.smt.asking import PROVED, REFUTED, UNKNOWN, Asking, ObligationResult, make_act, play_act, vain
from brou_tools.smt.formula import Truth
from brou_tools.smt.ground import ProofContext, SolvedPosition
from brou_tools.smt.obligations import Obligation, Where
from brou_tools.smt.running import STAYS, SymbolicRun, leaves
from brou_tools.smt.symbols import Values
from brou_tools.smt.translate import Guard
from brou_tools.smt.unknown import make_symbol


@dataclass(frozen=True, slots=True)
class _PositionKind:
    """A kind of positions, and its conditions as expressions."""

    where: Where
    conditions: Sequence[Expression]


def prove_invariant(asking: Asking, one: Obligation) -> ObligationResult:
    """Return whether every start and every act that leads to a phase leads to a position of a kind."""
    where = one.position
    assert where is not None  # noqa: S101 - the schema has seen to it
    kind = _PositionKind(where, _read_conditions(asking.ground(None), where))
    # Induction over the acts of a match: it begins in a position that meets the conditions or in another phase, and
    # each act that leads here keeps them. So they hold whenever the phase is reached, whatever was played before.
    if lost := _find_lost_at_the_start(asking, kind):
        return ObligationResult(REFUTED, f"the start of a match loses it: {lost}")
    game, left_out = asking.ground(None).game, one.get_named("except")
    ways = [way for way in ways_into(game, where, dict(one.acts)) if way[1].id not in left_out]
    for before, action in ways:
        ground = asking.prepare(one, before)
        # An act that can be made nowhere would keep any condition; the step would be proved of nothing.
        if asking.ask(one, ground).status != "sat":
            return ObligationResult(UNKNOWN, f"is there a position in which {action.id} is made?")
        found = _keep(asking, replace(one, position=before), ground, action, kind)
        if found.status != PROVED:
            return found
    if not ways and Machine(game).begin().phase != where.phase:
        return vain("nothing leads to such a position")
    return ObligationResult(PROVED)


def _find_lost_at_the_start(asking: Asking, kind: _PositionKind) -> str:
    """Return the condition that fails in the state in which a match begins, if it begins in this phase."""
    ground = asking.ground(None)
    state = Machine(ground.game).begin()
    return _find_lost(SolvedPosition(ground, state, {}, {}), kind) if state.phase == kind.where.phase else ""


def _keep(
    asking: Asking, one: Obligation, ground: ProofContext, action: Action, kind: _PositionKind
) -> ObligationResult:
    """Return whether an act keeps the conditions of a position, one after another."""
    _, run = make_act(ground, action.id)
    forms = ground.forms
    ground.facts += [forms.no(crash.when) for crash in ground.broken if crash.kind == "require"]
    leads = _leads(ground, run, one.position, kind.where)
    lost: list[str] = []

    def confirm(position: SolvedPosition) -> bool:
        state = play_act(position, action)
        lost.append(_find_lost(replace(position, state=state), kind))
        return state.phase == kind.where.phase and bool(lost[-1])

    for said in _list_conditions(ground, run.values, kind):
        answer, witness = asking.witness(one, ground, confirm, forms.both(leads, forms.no(said)))
        if answer.status == "sat":
            return ObligationResult(REFUTED, f"the act {action.id} loses it: {lost[-1]}", witness)
        if answer.status != "unsat":
            return ObligationResult(UNKNOWN, f"the act {action.id}: {answer.reason}")
    return ObligationResult(PROVED)


def _read_conditions(ground: ProofContext, where: Where) -> list[Expression]:
    """Return the conditions of a position, each read where those before it hold."""
    found: list[Expression] = []
    # A condition may be defined only where those before it hold, and is read with these known.
    for node in where.where:
        found.append(ground.words.read(node.text, node.place, {}, found))
    return found


def _list_conditions(ground: ProofContext, values: Values, kind: _PositionKind) -> Iterator[Truth]:
    """Yield the conditions of a position, for some state."""
    t, where = ground.translator, kind.where
    for name in where.untouched:
        variable = ground.game.state[name]
        yield t.symbols.equal(values[name], make_symbol(variable.type, variable.default, t.symbols))
    if where.whole_pack:
        yield ground.forms.all(ground.whole_pack(values))
    known_before: Guard = None
    for condition in kind.conditions:
        with t.noting() as noted:
            truth = t.holds(condition, values, {}, known_before)
        # A condition that crashes does not hold, as `_holds` has it.
        yield ground.forms.all([truth, *(ground.forms.no(crash.when) for crash in noted)])
        known_before = (truth, known_before)


def _find_lost(position: SolvedPosition, kind: _PositionKind) -> str:
    """Return the condition of a position that fails, as the interpreter has it; nothing if all hold."""
    game, state, where = position.ground.game, position.state, kind.where
    machine = Machine(game)
    for name in where.untouched:
        if machine.get(state, name) != game.state[name].default:
            return name
    if where.whole_pack and _is_scattered(machine, state):
        return "every card lies in one place"
    texts = (node.text for node in where.where)
    return next(
        (text for text, condition in zip(texts, kind.conditions, strict=True) if not _holds(position, condition)), ""
    )


def _holds(position: SolvedPosition, condition: Expression) -> bool:
    """Say whether a condition is defined and holds."""
    try:
        return bool(position.holds(condition))
    except Crash:
        return False


def _is_scattered(machine: Machine, state: State) -> bool:
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


def _leads(ground: ProofContext, run: SymbolicRun, before: Where | None, where: Where) -> Truth:
    """Return whether a run ends in the phase of a position."""
    here = run.gone.get(STAYS, False) if before is not None and before.phase == where.phase else False
    return ground.forms.either(run.gone.get(where.phase, False), here)


def ways_into(game: Game, where: Where, named: dict[str, Where | None]) -> Iterator[tuple[Where, Action]]:
    """Yield every action that may lead to the phase of a position, with the position that it is made in."""
    for phase in game.phases.values():
        for name in phase.actions:
            action = game.actions[name]
            if where.phase in _find_reached(game, phase.id, action):
                given = named.get(name)
                here = where if phase.id == where.phase else Where(f"any {phase.id}", phase.id)
                yield given if given is not None and given.phase == phase.id else here, action


def _find_reached(game: Game, phase: str, action: Action) -> set[str]:
    """Return the phases that an action may end in, the one that it is made in too if it may stay there."""
    found, waiting = set() if leaves(action.do) else {phase}, list(gotos(action.do))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += gotos(game.phases[name].do)
    return found
