"""Sight: the acts that a seat may make as far as its view shows, and the variables on which the others depend.

A position is a view of a seat, or a part of it; all else is unknown. An answer is **settled** if it is the same in
every state that shows the position. States that no game reaches count as well, so an answer may be left open that the
course of a game would settle, and never the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias, TypeVar

from brou.dataclass import dataclass
from brou.errors import BadAct, Impossible
from brou.interpreter.machine import BoundAction, Machine, Refusal, State
from brou.interpreter.partial import Cell, Knowledge, Unsure
from brou.interpreter.seen_answers import SeenAnswers
from brou.interpreter.view_reader import NOWHERE, ViewReader
from brou.language.codec import Json, outside
from brou.language.reach import of_offer, variables
from brou.language.skills import PLAY
from brou.language.types import Value

#: How often the unknown is split for one answer, which is left open beyond that: of an act that plays a card so often
#: for each card of the pack, since any of them may lie in each of some rounds; of other acts a few times.
_CASES_OF_A_CARD, _FEW_CASES = 10, 10
#: The key of a position that says who sees it, and the one that says the phase.
SEAT, PHASE = "seat", "phase"


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat may do: each settled act with its choices, as `Machine.legal` has them, and the acts left open.

    An act that is not open to the seat is in neither. Each one left open has the variables that it hangs on.
    """

    legal: Mapping[str, Json]
    unsettled: Mapping[str, tuple[str, ...]]

    @property
    def open(self) -> tuple[str, ...]:
        """Return the variables that the acts left open hang on, in alphabetical order; none if all is settled."""
        return tuple(sorted({name for hangs in self.unsettled.values() for name in hangs}))


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """An answer that is not settled, and the variables that it hangs on."""

    hangs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _SightCase:
    """One case of the unknown: a phase, and the knowledge in it."""

    phase: str
    known: Knowledge

    @property
    def values(self) -> dict[Cell, Value]:
        """Return the facts of this case, the phase included."""
        return {(PHASE, ()): self.phase, **self.known.values}


Answer = TypeVar("Answer")
Ask: TypeAlias = Callable[[State], Answer]


def find_sight(machine: Machine, position: Mapping[str, Json], seat: int, only: Collection[str] | None = None) -> Sight:
    """Return the sight of a seat in a position; with `only`, no more than these acts are looked at.

    The position has the keys of the game's view, as many as are known, and `seat`, whose view it is (by default the
    seat in question). Without `phase` it is one in which cards are played, and without a turn the seat that sees it may
    act there. Keys that the view lacks are passed over. Raise `Impossible` if no state shows the position.
    """
    return SeatPosition(machine, position, seat).sight(seat, only)


class SeatPosition:
    """A position of one game, as a seat sees it."""

    def __init__(self, machine: Machine, position: Mapping[str, Json], seat: int) -> None:
        self._machine, self._told = machine, position
        #: The cases read from the position, by act and by whether its nearest keys alone were read; values change none.
        self._read: dict[tuple[str, bool], Sequence[Knowledge]] = {}
        self._viewer = self._seat(position.get(SEAT, seat))
        self._seat(seat)

    def _seat(self, seat: Json) -> int:
        seats = self._machine.game.seats
        if isinstance(seat, bool) or not isinstance(seat, int) or seat not in range(seats):
            raise Impossible(f"there is no seat {seat!r}; seats are 0 to {seats - 1}")
        return seat

    def sight(self, seat: int, only: Collection[str] | None = None) -> Sight:
        """Return what a seat may do, as far as the position tells; with `only` of these acts alone."""
        legal: dict[str, Json] = {}
        unsettled: dict[str, tuple[str, ...]] = {}
        names = dict.fromkeys(name for phase in self._phases for name in self._machine.game.phases[phase].actions)
        for name in (name for name in names if only is None or outside(name) in only):
            answers = self._answers(name, self._offer(name, seat), lambda answer: answer)
            if isinstance(answers, OpenAnswer):
                unsettled[outside(name)] = answers.hangs
            elif answers[0] is not None:
                legal[outside(name)] = answers[0]
        return Sight(legal, unsettled)

    def refusals(self, seat: int, act: Mapping[str, object]) -> tuple[Refusal, ...] | OpenAnswer:
        """Return the first reason of refusal in each case, none if the act is allowed; or the variables it depends on.

        Raise `BadAct` for a malformed act.
        """
        name = str(next(iter(act), "")).replace("-", "_")
        if name not in self._machine.game.actions:
            return self._machine.refusals(State(self._phases[0], ()), seat, act)
        found = self._answers(
            name, lambda state: self._machine.refusal(state, seat, act), lambda refusal: refusal is None
        )
        return found if isinstance(found, OpenAnswer) else tuple(one for one in found if one is not None)

    def settle(
        self, act: Mapping[str, object], ask: Callable[[State], Answer], compared: Callable[[Answer], object]
    ) -> tuple[Answer, ...] | OpenAnswer:
        """Return the answers of all cases to a question about an act, each once; or the variables they depend on.

        `ask` gets states known in part (`brou.interpreter.partial`). Answers that compare alike are
        one answer. Raise `BadAct` for an act of no action, and `Impossible` if no state shows the position.
        """
        name = str(next(iter(act), "")).replace("-", "_")
        if name not in self._machine.game.actions:
            raise BadAct(f"{outside(name)} is no act of this game")
        return self._answers(name, ask, compared)

    def _offer(self, name: str, seat: int) -> Ask[Json]:
        def ask(state: State) -> Json:
            offered = name in self._machine.game.phases[state.phase].actions
            return self._machine.offer(state, seat, name) if offered else None

        return ask

    @cached_property
    def _phases(self) -> tuple[str, ...]:
        """Return the phases that the position may be in."""
        phases = self._machine.game.phases
        said = self._told.get(PHASE)
        if said is not None:
            found = tuple(name for name in phases if outside(name) == said)
            if not found or phases[found[0]].do:
                raise Impossible(f"the position's {PHASE}: there is no phase {said!r} in which anybody decides")
            return found
        playing = {name for name, action in self._machine.game.actions.items() if action.skill == PLAY}
        found = tuple(name for name, phase in phases.items() if playing & {*phase.actions})
        if not found:
            raise Impossible(f"the position has no {PHASE}, and no phase of this game plays a card: name it")
        return found

    @property
    def _most_cases(self) -> int:
        return _CASES_OF_A_CARD * len(self._machine.game.deck.cards)

    def _cases(self, name: str, *, narrow: bool) -> Iterator[_SightCase]:
        """Yield the cases that the position leaves of what an act hangs on; `narrow`, by its nearest keys alone."""
        machine = self._machine
        if (name, narrow) not in self._read:
            wanted = variables(machine.game, of_offer(machine.game.actions[name]))
            self._read[name, narrow] = ViewReader(machine).read(self._told, self._viewer, wanted, narrow=narrow)
        cases = self._read[name, narrow]
        for phase in self._phases:
            actions = [machine.actions[one] for one in machine.game.phases[phase].actions]
            playing = [action for action in actions if action.record.skill == PLAY]
            acting = SeenAnswers(self._acting(playing))
            for known in cases:
                case = _SightCase(phase, known)
                yield from self._in_turn(case, acting) if playing else (case,)

    def _acting(self, playing: Sequence[BoundAction]) -> Ask[bool]:
        """Return the question whether the seat that sees may make some acts."""
        return lambda state: any(self._viewer in action.by(state.values, []) for action in playing)

    def _in_turn(self, case: _SightCase, acting: SeenAnswers[bool]) -> Iterator[_SightCase]:
        """Yield the cases in which the seat that sees may act, where the position does not say whose turn it is."""
        try:
            acting.ask(case.phase, case.known)
        except Unsure:
            yield from (
                one
                for one, answer in self._leaves(acting, case, iter(range(self._most_cases)))
                if answer is True or isinstance(answer, OpenAnswer)
            )
        except NOWHERE:
            return
        else:
            yield case

    def _answers(
        self, name: str, ask: Ask[Answer], compared: Callable[[Answer], object]
    ) -> tuple[Answer, ...] | OpenAnswer:
        """Return the answers of all cases, each once, if they are the same as far as compared; or what they hang on.

        The nearest keys are tried first: what a part of a position settles, the whole of it does, and keys that leave
        many cases may hide those that settle an answer. Acts that play no card mostly hang on what no view tells; for
        them the nearest keys are all that is tried, and few cases.
        """
        plays = self._machine.game.actions[name].skill == PLAY
        most = self._most_cases if plays else _FEW_CASES
        asked = SeenAnswers(ask)
        found = self._compare_cases(self._cases(name, narrow=True), asked, compared, most)
        if isinstance(found, OpenAnswer) and plays:
            return self._compare_cases(self._cases(name, narrow=False), asked, compared, most)
        return found

    def _compare_cases(
        self, cases: Iterable[_SightCase], asked: SeenAnswers[Answer], compared: Callable[[Answer], object], most: int
    ) -> tuple[Answer, ...] | OpenAnswer:
        left = iter(range(most))
        seen: list[tuple[_SightCase, Answer]] = []
        told: list[Answer] = []
        for case in cases:
            for leaf, answer in self._leaves(asked, case, left):
                if isinstance(answer, OpenAnswer):
                    return answer
                if told and compared(answer) != compared(told[0]):
                    return OpenAnswer(
                        _difference(leaf, [one for one, other in seen if compared(other) != compared(answer)])
                    )
                if answer not in told:
                    told.append(answer)
                seen.append((leaf, answer))
        if not seen:
            raise Impossible("no game comes to this position")
        return tuple(told)

    def _leaves(
        self, asked: SeenAnswers[Answer], case: _SightCase, looked: Iterator[int]
    ) -> Iterator[tuple[_SightCase, Answer | OpenAnswer]]:
        """Yield the cases in which a question has an answer, with the answer; it is open where there are too many."""
        waiting = [case]
        while waiting:
            one = waiting.pop()
            try:
                answer = asked.ask(one.phase, one.known)
            except Unsure as unsure:
                cases = None if next(looked, None) is None else one.known.split(unsure.cell)
                if cases is None:
                    yield one, OpenAnswer((unsure.cell[0],))
                else:
                    waiting += [_SightCase(one.phase, known) for known in cases][::-1]
            except NOWHERE:
                continue
            else:
                yield one, answer


def _difference(case: _SightCase, others: Sequence[_SightCase]) -> tuple[str, ...]:
    """Return the variables in which a case differs from the nearest of others; of equals the one asked for last."""
    mine = case.values
    asked = {cell: number for number, cell in enumerate(mine)}
    apart: list[tuple[int, int, set[Cell]]] = []
    for other in others:
        theirs = other.values
        cells = {cell for cell in {*mine} & {*theirs} if mine[cell] != theirs[cell]} or {*mine} ^ {*theirs}
        apart.append((len(cells), -max((asked.get(cell, 0) for cell in cells), default=0), cells))
    return tuple(sorted({name for name, _ in min(apart, key=lambda one: one[:2])[2]}))
