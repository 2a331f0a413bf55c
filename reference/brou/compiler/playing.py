"""Random play, fixed by the format: the same seed gives the same match with every engine in any language.

At each decision every act that is offered is as likely as any other. They are
numbered by action in the order of the file, then by seat, then by values, the
cards of a set in the order of the pack; one is drawn. An act whose values are
described is one act, and its values are drawn in their order: of an order the
cards in the order of the pack, shuffled; of a subset first how many, then that
many from the front of the set, shuffled; of a range a number; of a list one.
Where acts have weights, an act counts so many times at its place.
"""

from __future__ import annotations

from functools import cached_property
from typing import Protocol, TypeVar

from brou.chance import Chance
from brou.compiler.compiled import Compiled, Finder
from brou.compiler.compiled_values import CompiledState
from brou.compiler.drawing import Act, Counting
from brou.compiler.finding import Weighing
from brou.interpreter.acts import fill_act
from brou.language.codec import Json, outside
from brou.language.syntax import Action, Game

#: What an engine keeps as a state.
Kept_contra = TypeVar("Kept_contra", contravariant=True)
Kept = TypeVar("Kept")


class Engine(Protocol[Kept_contra]):
    """An engine that lists the acts open in a state."""

    game: Game

    def legal(self, state: Kept_contra, seat: int) -> dict[str, Json]:
        """Return the acts that a seat may make."""


def draw_act(engine: Engine[Kept], state: Kept, chance: Chance) -> tuple[int, dict[str, Json]] | None:
    """Return a random act and who makes it, or None where nobody may do anything."""
    legal = {seat: engine.legal(state, seat) for seat in range(engine.game.seats)}
    found: list[tuple[int, Action, Json]] = []
    for name, action in engine.game.actions.items():
        described = any(parameter.described for parameter in action.parameters)
        for seat, acts in legal.items():
            if outside(name) not in acts:
                continue
            offered = acts[outside(name)]
            if isinstance(offered, list) and not described:
                found += [(seat, action, value) for value in offered]
            else:
                found.append((seat, action, offered))
    if not found:
        return None
    seat, action, offer = chance.pick(found)
    described = any(parameter.described for parameter in action.parameters)
    return seat, {outside(action.id): fill_act(action, offer, chance) if described else offer}


def step(engine: Compiled, state: CompiledState, chance: Chance) -> Act | None:
    """Make a random act on a state of the compiled engine, in place; return it, or None where nobody may act."""
    chosen = pick_act(engine, state, chance)
    if chosen is not None:
        name, seat, values = chosen
        engine.play(state, seat, name, values)
    return chosen


def pick_act(engine: Compiled, state: CompiledState, chance: Chance) -> Act | None:
    """Return a random act, all alike, or None where nobody may act."""
    return engine.drawer[state.PHASE](state, chance)


class RandomPlayer:
    """Picks random acts in proportion to their weights; where none has any weight, all acts are alike.

    The weights are compiled into the code that finds acts, so an act without weight is only looked for where nothing
    else is open. They are numbers, or the names of functions that the engine exports.
    """

    def __init__(self, engine: Compiled, weights: Weighing) -> None:
        self.engine = engine
        self.weights = weights
        self._plain = engine.drawer
        self._weighed = engine.drawing(weights) if weights else engine.drawer

    @cached_property
    def _finder(self) -> Finder:
        return self.engine.weighing(self.weights)

    def counting(self, state: CompiledState) -> tuple[int, list[Counting]]:
        """Return how often all acts that are open count together, and each that counts."""
        found = self._finder[state.PHASE](state)
        return found if found[0] else self.engine.finder[state.PHASE](state)

    def pick(self, state: CompiledState, chance: Chance) -> Act | None:
        """Return a random act, or None where nobody may do anything."""
        return self._weighed[state.PHASE](state, chance) or self._plain[state.PHASE](state, chance)
