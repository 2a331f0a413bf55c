"""Varied machines: rules of which one record is other than it was, played without making the rest of them anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

from brou.interpreter.change import Change, Changer
from brou.interpreter.evaluate import Evaluator
from brou.interpreter.machine import Machine
from brou.language import tree
from brou.language.effects import Cases, Effect, operand, targets, walk_effects
from brou.language.operations import Meaning
from brou.language.syntax import Game, Show
from brou.on_demand import OnDemand

#: A record of the rules: its section and its name.
Record: TypeAlias = tuple[str, str]


class Uses:
    """Which records of some rules use which, so that it is known what a change of one of them can reach."""

    def __init__(self, game: Game) -> None:
        self._users: dict[Record, set[Record]] = {}
        for record, expressions in _list_records(game):
            for expression in expressions:
                for used in _find_used(expression, game):
                    self._users.setdefault(used, set()).add(record)
        self._moving = self._find_moving(game)
        self._reached: dict[Record, frozenset[Record]] = {}

    def _find_moving(self, game: Game) -> frozenset[Record]:
        """Return the records that effects use, themselves or by way of others."""
        used: dict[Record, set[Record]] = {}
        for record, users in self._users.items():
            for user in users:
                used.setdefault(user, set()).add(record)
        bodies = [*(one.do for one in game.actions.values()), *(one.do for one in game.phases.values())]
        operands = (expression for body in bodies for expression in _list_operands(body))
        found = {record for expression in operands for record in _find_used(expression, game)}
        waiting = list(found)
        while waiting:
            for record in used.get(waiting.pop(), ()):
                if record not in found:
                    found.add(record)
                    waiting.append(record)
        return frozenset(found)

    def is_moving(self, record: Record) -> bool:
        """Say whether effects use a record, so that it has a part in what state play comes to."""
        return record in self._moving

    def find_users(self, record: Record) -> frozenset[Record]:
        """Return the records that use a record themselves."""
        return frozenset(self._users.get(record, ()))

    def reach(self, record: Record) -> frozenset[Record]:
        """Return a record with all that use it, themselves or by way of others."""
        if record not in self._reached:
            found, waiting = {record}, [record]
            while waiting:
                for user in self._users.get(waiting.pop(), ()):
                    if user not in found:
                        found.add(user)
                        waiting.append(user)
            self._reached[record] = frozenset(found)
        return self._reached[record]


class VariedMachine(Machine):
    """Plays rules that differ from those of another machine in what some records reach; all else is taken from it."""

    def __init__(self, base: Machine, game: Game, reached: Collection[Record]) -> None:
        super().__init__(game)
        self._base, self._reached_records = base, reached
        self.evaluator = _VariedEvaluator(base.evaluator, game, reached)
        self.changer = Changer(self.evaluator)
        shown, told = {show.id: show for show in game.view}, {show.id: show for show in game.score}
        self.views = OnDemand(
            shown,
            lambda key: (
                self._make_renderer(shown[key], self.evaluator.frame(["me"]))
                if ("view", key) in reached
                else base.views[key]
            ),
        )
        self.scores = OnDemand(
            told, lambda key: self._make_renderer(told[key], {}) if ("score", key) in reached else base.scores[key]
        )
        self.actions = OnDemand(
            game.actions,
            lambda name: self._bind_action(name) if ("actions", name) in reached else base.actions[name],
        )

    def _bind_phase(self, name: str) -> tuple[Meaning, Change]:
        return super()._bind_phase(name) if ("phases", name) in self._reached_records else self._base.automatic[name]


class _VariedEvaluator(Evaluator):
    """The meaning of varied rules: functions and tables that the change does not reach have that of the others."""

    def __init__(self, base: Evaluator, game: Game, reached: Collection[Record]) -> None:
        super().__init__(game)
        self._base, self._reached = base, reached

    def find_callable(self, name: str) -> Meaning:
        section = "functions" if name in self.game.functions else "tables"
        return super().find_callable(name) if (section, name) in self._reached else self._base.find_callable(name)


def _list_records(game: Game) -> Iterator[tuple[Record, Iterable[tree.Expression]]]:
    """Yield every record with its expressions."""
    for function in game.functions.values():
        yield ("functions", function.id), (function.body, *function.requires)
    for table in game.tables.values():
        cells = (cell for row in table.rows for cell in (row.when, row.then) if cell is not None)
        yield ("tables", table.id), (*cells, *table.requires)
    for action in game.actions.values():
        domains = (parameter.domain for parameter in action.parameters)
        own = (action.by, *domains, action.legal, *action.requires)
        yield ("actions", action.id), (*own, *_list_operands(action.do))
    for phase in game.phases.values():
        yield ("phases", phase.id), (*phase.requires, *_list_operands(phase.do))
    for section, shows in (("view", game.view), ("score", game.score)):
        for show in shows:
            yield (section, show.id), tuple(_list_shown(show))


def _list_operands(body: Iterable[Effect]) -> Iterator[tree.Expression]:
    """Yield the expressions of effects."""
    for effect in walk_effects(body):
        value = operand(effect)
        if value is not None:
            yield value
        for target in targets(effect):
            yield target.expression
        if isinstance(effect, Cases):
            yield from (case.when for case in effect.cases if case.when is not None)


def _list_shown(show: Show) -> Iterator[tree.Expression]:
    yield from (part for part in (show.value, show.domain, show.when, show.seen) if part is not None)
    for inner in (*show.fields, *((show.inner,) if show.inner else ())):
        yield from _list_shown(inner)


def _find_used(expression: tree.Expression, game: Game) -> Iterator[Record]:
    for one in tree.walk(expression):
        match one:
            case tree.Call():
                yield "functions" if one.name in game.functions else "tables", one.name
            case tree.AttributeOf():
                yield "attributes", one.name
            case tree.ParamUse():
                yield "params", one.name
            case _:
                continue
