"""Answers to one question about states known in part, each with the cells that it was read from.

Many cases of the unknown differ in cells that a question never reads. Its answer is the same in all of them, and is
worked out once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from brou.dataclass import dataclass, field
from brou.interpreter.machine import State
from brou.interpreter.partial import Cell, Glimpse, Knowledge, Partial, Unsure
from brou.interpreter.view_reader import NOWHERE

Answer = TypeVar("Answer")


@dataclass(slots=True)
class _ReadCell(Generic[Answer]):
    """A cell that was read, and by its glimpse the next one or the result."""

    cell: Cell
    ways: dict[Glimpse, _ReadCell[Answer] | _AskedOnce[Answer] | _RaisedOnce] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _AskedOnce(Generic[Answer]):
    """The answer to a question."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class _RaisedOnce:
    """What a question raises instead of an answer."""

    error: Exception


class SeenAnswers(Generic[Answer]):
    """A question to states of one game that depends on nothing but the state."""

    def __init__(self, ask: Callable[[State], Answer]) -> None:
        self._ask = ask
        #: By phase, the first cell that was read there, or the outcome where none was.
        self._known: dict[str, _ReadCell[Answer] | _AskedOnce[Answer] | _RaisedOnce] = {}

    def ask(self, phase: str, known: Knowledge) -> Answer:
        """Return the answer in a phase; raise `Unsure`, or one of `NOWHERE`, where the question does."""
        found = self._find(phase, known)
        if found is None:
            seen: dict[Cell, Glimpse] = {}
            found = self._work_out(State(phase, Partial(known, seen)))
            self._keep(phase, seen, found)
        if isinstance(found, _RaisedOnce):
            raise found.error.with_traceback(None)
        return found.answer

    def _work_out(self, state: State) -> _AskedOnce[Answer] | _RaisedOnce:
        try:
            return _AskedOnce(self._ask(state))
        except (Unsure, *NOWHERE) as error:
            return _RaisedOnce(error)

    def _find(self, phase: str, known: Knowledge) -> _AskedOnce[Answer] | _RaisedOnce | None:
        at = self._known.get(phase)
        while isinstance(at, _ReadCell):
            at = at.ways.get(known.glimpse(at.cell))
        return at

    def _keep(self, phase: str, seen: dict[Cell, Glimpse], outcome: _AskedOnce[Answer] | _RaisedOnce) -> None:
        """Put a result behind the cells of its question; one that read other cells than those before is not kept."""
        left = dict(seen)
        at = self._known.get(phase)
        if at is None:
            self._known[phase] = _grow(left, outcome)
            return
        while isinstance(at, _ReadCell) and at.cell in left:
            glimpse = left.pop(at.cell)
            if glimpse not in at.ways:
                at.ways[glimpse] = _grow(left, outcome)
                return
            at = at.ways[glimpse]


def _grow(
    seen: dict[Cell, Glimpse], outcome: _AskedOnce[Answer] | _RaisedOnce
) -> _ReadCell[Answer] | _AskedOnce[Answer] | _RaisedOnce:
    """Return the way from the first of some cells to an outcome."""
    at: _ReadCell[Answer] | _AskedOnce[Answer] | _RaisedOnce = outcome
    for cell, glimpse in reversed(seen.items()):
        at = _ReadCell(cell, {glimpse: at})
    return at
