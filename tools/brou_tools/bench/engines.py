"""How much faster generated code plays than the interpreter: random matches, compared before they are timed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from brou import Crash, Machine, rules
from brou.chance import Chance
from brou.compiler.compiled import Compiled
from brou.compiler.playing import drawn, step
from brou.interpreter.digest import digest

#: How often both are timed, in turn; the median counts.
_ROUNDS = 5
#: Decisions in the matches that are played.
_DECISIONS = 400
#: What is hoped for: of play, and of score and views.
_TARGET, _SHOWN_TARGET = 8, 3


@dataclass(frozen=True, slots=True)
class Gain:
    """How many times as fast the second of two ways was, and on what work."""

    what: str
    value: float
    target: float
    work: str


def gains(game: str) -> Iterator[Gain]:
    """Yield the rows of a game: random play, and single questions as the interpreter is asked them."""
    rule_base = rules(game)
    machine, compiled = Machine(rule_base), Compiled(rule_base)
    work = f"{_DECISIONS} decisions of random matches, the same states and offers"
    _compare(machine, compiled)
    by_turns = [_timed(lambda: _interpreted(machine)) / _timed(lambda: _generated(compiled)) for _ in range(_ROUNDS)]
    yield Gain("generated code over interpreter, random play", statistics.median(by_turns), _TARGET, work)
    yield _shown(machine, compiled)


def _shown(machine: Machine, compiled: Compiled) -> Gain:
    """Return what is gained where the score and the view of every seat are asked, after each act of a match."""
    chance, state, states = Chance(1), compiled.begin(), []
    for _ in range(_DECISIONS):
        states.append(state.copy())
        if step(compiled, state, chance) is None:
            state = compiled.begin()
    raised = [compiled.raised(state) for state in states]
    if _told(machine, raised) != _told(compiled, states):
        raise Crash("the engines show something else: the figures would compare different work; see `make identity`")
    by_turns = [
        _timed(lambda: _told(machine, raised)) / _timed(lambda: _told(compiled, states)) for _ in range(_ROUNDS)
    ]
    work = f"{_DECISIONS} states of random matches, the same answers"
    return Gain("generated code over interpreter, views", statistics.median(by_turns), _SHOWN_TARGET, work)


def _told(engine: Machine | Compiled, states: Sequence[Any]) -> list[Any]:
    """Return the score and what each seat sees, of all states."""
    seats = range(engine.game.seats)
    return [(engine.score(state), [engine.view(state, seat) for seat in seats]) for state in states]


def _interpreted(machine: Machine) -> None:
    """Play at random with the interpreter."""
    chance, state = Chance(1), machine.begin()
    for _ in range(_DECISIONS):
        chosen = drawn(machine, state, chance)
        if chosen is None:
            state = machine.begin()
            continue
        state = machine.act(state, *chosen)  # type: ignore[assignment]  # what is offered is accepted


def _generated(compiled: Compiled) -> None:
    """Play the same matches with generated code."""
    chance, state = Chance(1), compiled.begin()
    for _ in range(_DECISIONS):
        if step(compiled, state, chance) is None:
            state = compiled.begin()


def _compare(machine: Machine, compiled: Compiled) -> None:
    """Raise unless both come to the same states with the same offers, all the way."""
    chance, other = Chance(1), Chance(1)
    state, theirs = machine.begin(), compiled.begin()
    seats = range(machine.game.seats)
    for _ in range(_DECISIONS):
        ours = digest(machine.game, state, [machine.legal(state, seat) for seat in seats])
        if ours != digest(machine.game, compiled.raised(theirs), [compiled.legal(theirs, seat) for seat in seats]):
            raise Crash("the engines part: the figures would compare different work; see `make identity`")
        chosen = drawn(machine, state, chance)
        made = step(compiled, theirs, other)
        if chosen is None or made is None:
            state, theirs = machine.begin(), compiled.begin()
        else:
            state = machine.act(state, *chosen)  # type: ignore[assignment]  # what is offered is accepted


def _timed(work: Callable[[], Any]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun
