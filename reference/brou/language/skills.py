"""Skills: to what part of a game each act belongs, by which the answers of a program are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from brou.dataclass import replace
from brou.language.effects import Effect, gotos, targets, walk_effects
from brou.language.syntax import Action, Phase, Start, Variable
from brou.language.types import Array, Option, Type

SKILLS = PLAY, ANNOUNCE, CLAIM, DEAL = ("play", "announce", "claim", "deal")


class Skills:
    """Decides the skills of the acts of one game, where its rules do not say them."""

    def __init__(
        self,
        actions: Mapping[str, Action],
        phases: Mapping[str, Phase],
        state: Mapping[str, Variable],
        start: Start,
    ) -> None:
        self._actions, self._phases, self._start = actions, phases, start
        zones = {name: _innermost(variable.type) for name, variable in state.items() if variable.zone}
        self._held = frozenset(name for name, type_ in zones.items() if not isinstance(type_, Option))
        self._laid = frozenset(zones) - self._held
        order = list(phases)
        before = order[: order.index(start.phase) + 1] if start.phase in phases else []
        self._opening = frozenset(before)
        said = {name: action.skill for name, action in actions.items()}
        self._dealing = frozenset(name for name in actions if (said[name] or self._by_course(name)) == DEAL)
        self._playing = frozenset(name for name in actions if (said[name] or self._by_effects(name)) == PLAY)
        self._rounds = [phase for phase in phases.values() if self._playing & {*phase.actions}]
        self._ends = frozenset(
            name for name, phase in phases.items() if phase.final or self._dealing & {*phase.actions}
        )

    def decide(self) -> dict[str, Action]:
        """Return the actions with their skills; one stays empty if the rules must say it."""
        return {
            name: action if action.skill else replace(action, skill=self._skill(name))
            for name, action in self._actions.items()
        }

    def _skill(self, name: str) -> str:
        if name in self._dealing:
            return DEAL
        if name in self._playing:
            return PLAY if len(self._playing) == 1 else ""
        beside = any(name in phase.actions for phase in self._rounds)
        return "" if beside and self._ends & self._ways(name) else ANNOUNCE

    def _by_course(self, name: str) -> str:
        """Return `deal` for the deal, for acts before it alone, and for acts that lead to the next or the end alone."""
        offering = {phase.id for phase in self._phases.values() if name in phase.actions}
        ways = self._ways(name)
        final = {phase.id for phase in self._phases.values() if phase.final}
        leaving = bool(ways & self._opening) and ways <= self._opening | final
        before = bool(offering) and offering <= self._opening
        return DEAL if self._opening and (name == self._start.deal or leaving or before) else ""

    def _ways(self, name: str) -> frozenset[str]:
        """Return the phases in which somebody decides, or the match ends, that an act can lead to."""
        waiting, seen = gotos(self._actions[name].do), set[str]()
        while waiting:
            phase = waiting.pop()
            if phase not in seen:
                seen.add(phase)
                waiting |= gotos(self._phases[phase].do) if phase in self._phases else set()
        return frozenset(phase for phase in seen if phase in self._phases and not self._phases[phase].do)

    def _by_effects(self, name: str) -> str:
        """Return `play` for an act during a deal that takes one card from others and lays it where one card lies."""
        action = self._actions[name]
        cards = [parameter for parameter in action.parameters if str(parameter.type) == "card"]
        written = {*_find_written(action.do)}
        moves = len(cards) == 1 and written & self._held and written & self._laid
        return PLAY if moves and name not in self._dealing else ""


def _innermost(type_: Type) -> Type:
    """Return the type of the elements of an array, of arrays of arrays too, or the type itself."""
    while isinstance(type_, Array):
        type_ = type_.element
    return type_


def _find_written(body: Iterable[Effect]) -> Iterator[str]:
    """Yield the variables that effects write."""
    for effect in walk_effects(body):
        for target in targets(effect):
            yield target.variable
