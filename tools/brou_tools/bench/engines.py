"""How much faster generated code plays than the interpreter: random matches, compared before they are timed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brou import Chance, Compiled, Crash, Folder, Machine, Refusal, State, rules
from brou.compiler import draw_act
from brou.compiler.playing import step
from brou.interpreter.digest import digest

#: How often both are timed, in turn; the median counts.
_ROUNDS = 5
#: Decisions in the matches that are played.
_DECISIONS = 400
#: What is hoped for: of play, and of score and views.
_TARGET, _SHOWN_TARGET = 8, 3


@dataclass(frozen=True, slots=True)
class Gain:
    """How many times as fast the second of two ways was, and on which work."""

    what: str
    value: float
    target: float
    work: str


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A figure that cannot be had on this machine, and why."""

    what: str
    reason: str


def gains(game: str, folder: Folder = None) -> Iterator[Gain]:
    """Yield the rows of a game: random play, and single questions put to the interpreter and to generated code."""
    rule_base = rules(game, folder)
    machine, compiled = Machine(rule_base), Compiled(rule_base)
    work = f"{_DECISIONS} decisions of random matches, the same states and offers"
    _compare(machine, compiled)
    by_turns = [
        _time_work(lambda: _play_interpreted(machine)) / _time_work(lambda: _play_generated(compiled))
        for _ in range(_ROUNDS)
    ]
    yield Gain("generated code over interpreter, random play", statistics.median(by_turns), _TARGET, work)
    yield _measure_views(machine, compiled)


def _measure_views(machine: Machine, compiled: Compiled) -> Gain:
    """Return the gain for the score and the view of every seat, after each act of a match."""
    chance, state, states = Chance(1), compiled.begin(), []
    for _ in range(_DECISIONS):
        states.append(state.copy())
        if step(compiled, state, chance) is None:
            state = compiled.begin()
    raised = [compiled.decode_state(state) for state in states]
    if _ask_all(machine, raised) != _ask_all(compiled, states):
        raise Crash("the engines show something else: the figures would compare different work; see `make identity`")
    by_turns = [
        _time_work(lambda: _ask_all(machine, raised)) / _time_work(lambda: _ask_all(compiled, states))
        for _ in range(_ROUNDS)
    ]
    work = f"{_DECISIONS} states of random matches, the same answers"
    return Gain("generated code over interpreter, views", statistics.median(by_turns), _SHOWN_TARGET, work)


def _ask_all(engine: Machine | Compiled, states: Sequence[Any]) -> list[Any]:
    """Return the score and the view of each seat, in all states."""
    seats = range(engine.game.seats)
    return [(engine.score(state), [engine.view(state, seat) for seat in seats]) for state in states]


def _play_interpreted(machine: Machine) -> None:
    """Play at random with the interpreter."""
    chance, state = Chance(1), machine.begin()
    for _ in range(_DECISIONS):
        chosen = draw_act(machine, state, chance)
        if chosen is None:
            state = machine.begin()
            continue
        state = _act(machine, state, *chosen)


def _act(machine: Machine, state: State, seat: int, act: Mapping[str, Any]) -> State:
    """Return the state after an act that was offered."""
    after = machine.act(state, seat, act)
    if isinstance(after, Refusal):
        raise Crash(f"what was offered is refused: {after.code}")
    return after


def _play_generated(compiled: Compiled) -> None:
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
        if ours != digest(
            machine.game, compiled.decode_state(theirs), [compiled.legal(theirs, seat) for seat in seats]
        ):
            raise Crash("the engines differ: the figures would compare different work; see `make identity`")
        chosen = draw_act(machine, state, chance)
        made = step(compiled, theirs, other)
        if chosen is None or made is None:
            state, theirs = machine.begin(), compiled.begin()
        else:
            state = _act(machine, state, *chosen)


def _time_work(work: Callable[[], Any]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun
