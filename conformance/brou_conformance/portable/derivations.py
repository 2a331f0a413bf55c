"""Derivations of the answers to a script: at each step what the rules say, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from brou import Folder, Machine, RouteAct, State, begin, outside, rules
from brou.answers import Explainer, History, carry_out
from brou.reasons import (
    Acted,
    DerivedAct,
    DerivedFigure,
    DerivedSight,
    FixedReason,
    Found,
    Happened,
    Reasoner,
    SimpleTree,
    derive,
)
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.scenarios.script import Script

Derivations: TypeAlias = tuple[DerivedAct | DerivedFigure | DerivedSight, ...]


class ScriptDeriver:
    """Goes through a script as the rules have it, and derives the answers to its steps."""

    def __init__(self, script: Script, folder: Folder = None) -> None:
        self._script = script
        game = rules(script.choice, folder)
        self._history = History(game)
        self._machine = Machine(game, self._history)
        self._reasoner = Reasoner(self._machine.evaluator)
        self._happened: dict[str, Happened] = {}

    @property
    def touched(self) -> Collection[tuple[str, str]]:
        """Return the records of the rules that had a part in the answers so far."""
        return self._history.touched

    def derive(self, wanted: Collection[int] | None = None) -> Iterator[Derivations]:
        """Yield the derivation of each step; of those that are not wanted an empty one."""
        self._history.begin("")
        state = begin(self._machine, self._script.start)
        for number, step in enumerate(self._script.steps):
            needless = wanted is not None and number not in wanted
            yield () if needless else tuple(self._derive(step, state))
            if step.verb == "act":
                state = self._carry_out(step, state)

    def _carry_out(self, step: ScriptStep, state: State) -> State:
        seat, act = step.deed
        self._history.begin(step.id)
        state, _ = carry_out(self._machine, self._history, state, RouteAct(step.id, seat, act))
        self._happened[step.id] = Acted(seat, act)
        return state

    def _derive(self, step: ScriptStep, state: State) -> Iterator[DerivedAct | DerivedFigure | DerivedSight]:
        """Yield the derivations of a step; a figure that nothing has written rests on the clause that shows it."""
        game = self._machine.game
        found = [derive(one, game.deck) for one in self._explain(step, state)]
        shown = {show.id: show.clause for show in game.score}
        for one in found:
            if isinstance(one, DerivedFigure) and not one.clauses and _head(one.figure) in shown:
                yield replace(one, clauses=(shown[_head(one.figure)],))
            else:
                yield one
        if step.verb == "score":
            told = {_head(one.figure) for one in found if isinstance(one, DerivedFigure)}
            score = self._machine.score(state)
            for name in sorted(_list_names(step) & score.keys() - told):
                yield DerivedFigure(figure=name, of=(), value=score[name], clauses=(shown[name],))
        if step.verb == "view" and "phase" in _list_names(step):
            yield self._derive_phase(state)

    def _derive_phase(self, state: State) -> DerivedSight:
        """Return the derivation of the phase, which every view has beside the keys of the rules."""
        phase = self._machine.game.phases[state.phase]
        because = SimpleTree(simply=FixedReason.ALWAYS_SEEN)
        return DerivedSight(sight="phase", seen=True, value=outside(phase.id), because=because, clauses=(phase.clause,))

    def _explain(self, step: ScriptStep, state: State) -> Iterable[Found]:
        """Return the explanations of whatever a step expects; of a view or score the keys that it names."""
        history = self._history
        explainer = Explainer(self._machine, self._reasoner, history, state, history.writes, self._happened)
        if step.verb == "act":
            return [explainer.judge_act(*step.deed)]
        if step.verb == "winner":
            return explainer.taker()
        names = _list_names(step)
        if step.verb == "score":
            return [explainer.figure(place) for place in explainer.places(state) if _head(place.name) in names]
        seat = step.message[step.verb]
        if not isinstance(seat, int):
            raise TypeError(f"{step.id} asks of no seat")
        if step.verb == "view":
            hidden = sorted(name for pattern in step.patterns for name in pattern.hides)
            return [entry for entry in explainer.view(seat, hidden) if entry.name in names]
        return [found for name in sorted(names) for found in explainer.judge_choices(seat, name)]


def _list_names(step: ScriptStep) -> set[str]:
    """Return the acts or keys about which a step expects something."""
    return {name for pattern in step.patterns for name in (*pattern.members, *pattern.hides)}


def _head(name: str) -> str:
    return name.partition("/")[0]
