"""Varying: some rules ready to be played with single things changed, and what of a script a change can touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from brou.games.change import Change
from brou.games.changes import find_record
from brou.interpreter.machine import Machine
from brou.interpreter.touched import Touched
from brou.interpreter.varied import Record, Uses, VariedMachine
from brou.language.effects import Effect, name_effect, targets, walk_effects
from brou.language.syntax import Game

#: What was touched, each with the steps at which it was; the bits of a number are steps.
Touches: TypeAlias = Mapping[tuple[str, ...], int]


class Varying:
    """Rules to be varied: `machine` plays them as they are, `watched` notes the records that it touches."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.machine = Machine(game)
        self._uses = Uses(game)
        self._watch = Touched()
        self.watched = Machine(game, self._watch)

    def knows(self, change: Change, origin: Varying) -> bool:
        """Say whether a change of other rules is one of these, that is, whether these rules have its record."""
        return self is origin or find_record(self.game, change.record) == find_record(origin.game, change.record)

    def vary(self, changes: Sequence[Change]) -> Machine:
        """Return a machine for the rules with some changes, no two of them in the same record.

        The changed rules are not checked: what could not be loaded may raise anything when it is played.
        """
        game, reached = self.game, frozenset[Record]()
        for change in changes:
            game, reached = change.apply(game), reached | self._uses.reach(change.record)
        return VariedMachine(self.machine, game, reached)

    def moves(self, change: Change) -> bool:
        """Say whether a change can lead to other states than the rules do, although every act is answered alike."""
        section = change.record[0]
        if section in ("actions", "phases"):
            return section == "phases" or change.at[2] == "do"
        return self._uses.is_moving(change.record)

    @cached_property
    def clauses(self) -> Mapping[tuple[str, ...], str]:
        """Return the clauses of everything that can be touched: functions, rows of tables, numbers and effects."""
        return dict(_list_clauses(self.game))

    @cached_property
    def written(self) -> Mapping[str, frozenset[str]]:
        """Return by the names of effects the clauses that each is about: its own, and those of its variables."""
        found = {}
        for effect, clause in _list_effects(self.game):
            about = {self.game.state[target.variable].clause for target in targets(effect)}
            found[name_effect(effect)] = frozenset(one for one in (*about, effect.clause or clause) if one)
        return found

    # What is touched --------------------------------------------------------------------------

    def watch(self) -> None:
        """Begin to note the records that the watched machine touches; `watch_step` goes before each step."""
        self._watch.steps, self._watch.step = {}, 0

    def watch_step(self, number: int, asked: str, act: str = "") -> None:
        """Announce the next step: its question, and the name of the act if it is one."""
        self._watch.step = number
        self._watch.note(("actions", act.replace("-", "_")) if act else (asked,))

    @property
    def touches(self) -> Touches:
        """Return the records that were touched since `watch`."""
        return self._watch.steps

    def find_touched(self, change: Change, touches: Touches) -> int:
        """Return the steps at which a change can show; the bits of a number are steps."""
        if change.record[0] == "attributes":
            return _join(_find_steps(user, "", touches) for user in self._uses.find_users(change.record))
        return _find_steps(change.record, change.part, touches)


def _list_effects(game: Game) -> Iterator[tuple[Effect, str]]:
    """Yield every effect with the clause of its action or phase."""
    bodies = [(one.do, one.clause) for one in game.actions.values()]
    bodies += [(one.do, one.clause) for one in game.phases.values()]
    for body, clause in bodies:
        yield from ((effect, clause) for effect in walk_effects(body))


def _list_clauses(game: Game) -> Iterator[tuple[tuple[str, ...], str]]:
    for param in game.params.values():
        yield ("params", param.id), param.clause
    for function in game.functions.values():
        yield ("functions", function.id), function.clause
    for table in game.tables.values():
        for row in table.rows:
            yield ("tables", table.id, row.id), row.clause or table.clause
    for effect, clause in _list_effects(game):
        yield ("effects", name_effect(effect)), effect.clause or clause


def _find_steps(record: Record, part: str, touches: Touches) -> int:
    section = record[0]
    if part:
        return touches.get(("effects", part) if section in ("actions", "phases") else (*record, part), 0)
    match section:
        case "view" | "score":
            return touches.get((section,), 0)
        case "actions":
            return touches.get(record, 0) | touches.get(("legal",), 0)
        case "phases":
            return _join(steps for what, steps in touches.items() if what[0] == "effects")
    return touches.get(record, 0)


def _join(steps: Iterable[int]) -> int:
    found = 0
    for one in steps:
        found |= one
    return found
