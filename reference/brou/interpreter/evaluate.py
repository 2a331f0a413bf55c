"""What expressions mean: each is turned once into a small function of state and locals.

Values are plain: a card is its code, a set of cards a frozenset, a pile a
tuple, an array a tuple in the order of its index type, an absent value None.
A `Watch` sees which rows were judged, what was read, called and written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, assert_never

from brou.errors import Crash
from brou.interpreter.meter import Meter
from brou.language.builtin import World
from brou.language.builtins import BUILTINS
from brou.language.effects import Effect
from brou.language.operations import (
    ARITHMETIC,
    COMPARE,
    QUANTIFIERS,
    Meaning,
    Value,
    Values,
    bounded,
    picked,
    placed,
    position_of,
)
from brou.language.syntax import Action, Function, Game, Phase, Row, Table
from brou.language.tree import (
    And,
    Arithmetic,
    AttributeOf,
    Best,
    BuiltinCall,
    Call,
    Compare,
    Comprehension,
    DomainUse,
    Expression,
    Extreme,
    If,
    Index,
    ListOf,
    Literal,
    LocalUse,
    Not,
    Or,
    ParamUse,
    Quantified,
    Ranging,
    SetOf,
    VariableUse,
    is_true,
    parts,
)
from brou.language.types import Cards, Type, finite

#: The locals for each member that a quantifier chooses, from the values of a state and the locals around it.
Frames: TypeAlias = Callable[[Values, list[Value]], Iterator[list[Value]]]


class Watch(Protocol):
    """Someone who looks on while rules are applied."""

    def row(self, table: Table, row: Row, *, fired: bool, values: Values, locals_: list[Value]) -> None:
        """Say that a row of a table was judged."""

    def wrote(self, variable: str, effect: Effect) -> None:
        """Say that an effect wrote a variable."""

    def read(self, param: str) -> None:
        """Say that a parameter was read."""

    def called(self, function: str) -> None:
        """Say that a function is about to be applied."""

    def doing(self, effect: Effect, env: Mapping[str, int], values: Values, locals_: Sequence[Value]) -> None:
        """Say that an effect is about to change a state, and with which locals."""


class Evaluator:
    """The meaning of one game's expressions and effects."""

    def __init__(self, game: Game, watch: Watch | None = None) -> None:
        self.game = game
        self.watch = watch
        self.world = World(game.seats, game.teams, game.deck.cards, game.types)
        self.slots = {name: number for number, name in enumerate(game.state)}
        self.called: dict[str, Callable[[Values, list[Value]], Value]] = {}
        self.meter = Meter()

    def expression(self, expression: Expression, env: Mapping[str, int]) -> Meaning:  # noqa: C901, PLR0912 - one form a case
        """Return the meaning of an expression whose locals stand at the given places."""
        match expression:
            case Literal():
                value = expression.value
                return lambda s, e: value
            case LocalUse():
                slot = env[expression.name]
                return lambda s, e: e[slot]
            case VariableUse():
                cell = self.slots[expression.name]
                return lambda s, e: s[cell]
            case ParamUse():
                return self._param(expression)
            case DomainUse():
                members = self._members(expression.name)
                return lambda s, e: members
            case AttributeOf():
                values, card = self.game.attributes[expression.name].values, self.expression(expression.card, env)
                return lambda s, e: values[card(s, e)]
            case BuiltinCall():
                return self._builtin(expression, env)
            case Call():
                return self._call(expression, env)
            case Index():
                return self._element(expression, env)
            case If():
                test, yes, no = (self.expression(part, env) for part in parts(expression))
                return lambda s, e: yes(s, e) if test(s, e) else no(s, e)
            case And():
                return _all([self.expression(one, env) for one in expression.conditions])
            case Or():
                return _any([self.expression(one, env) for one in expression.conditions])
            case Not():
                condition = self.expression(expression.condition, env)
                return lambda s, e: not condition(s, e)
            case Compare():
                return COMPARE[expression.operator](
                    self.expression(expression.left, env), self.expression(expression.right, env)
                )
            case Arithmetic():
                operands = (self.expression(expression.left, env), self.expression(expression.right, env))
                return bounded(expression.type, ARITHMETIC[expression.operator](*operands))
            case SetOf():
                made, make = [self.expression(one, env) for one in expression.members], _set_maker(expression.type)
                return lambda s, e: make([one(s, e) for one in made])
            case ListOf():
                listed = [self.expression(one, env) for one in expression.members]
                return lambda s, e: tuple(one(s, e) for one in listed)
            case Quantified():
                return bounded(expression.type, QUANTIFIERS[expression.quantifier](*self._ranging(expression, env)))
            case Comprehension():
                body, chosen = self._ranging(expression, env)
                gather = _set_maker(expression.type)
                return lambda s, e: gather([body(s, f) for f in chosen(s, e)])
            case Extreme():
                rated, among = self._ranging(expression, env)
                default, pick = self.expression(expression.default, env), min if expression.quantifier == "min" else max
                return lambda s, e: picked(pick, [rated(s, f) for f in among(s, e)], default, s, e)
            case Best():
                return self._best(expression, env)
            case _:
                assert_never(expression)

    def frame(self, names: Sequence[str]) -> dict[str, int]:
        """Return the places of the outermost locals."""
        return {name: number for number, name in enumerate(names)}

    # Expressions --------------------------------------------------------------

    def _param(self, expression: ParamUse) -> Meaning:
        value, name, watch = expression.value, expression.name, self.watch
        if watch is None:
            return lambda s, e: value

        def meaning(s: Values, e: list[Value]) -> Value:
            watch.read(name)
            return value

        return meaning

    def _element(self, expression: Index, env: Mapping[str, int]) -> Meaning:
        array, key = self.expression(expression.array, env), self.expression(expression.key, env)
        offset = position_of(expression.whole.index)
        if offset == 0:
            return lambda s, e: array(s, e)[key(s, e)]
        if isinstance(offset, int):
            return lambda s, e: array(s, e)[key(s, e) - offset]
        return lambda s, e: array(s, e)[offset[key(s, e)]]

    def _builtin(self, expression: BuiltinCall, env: Mapping[str, int]) -> Meaning:
        arguments = [self.expression(one, env) for one in expression.arguments]
        meaning = BUILTINS[expression.name].meaning(self.world)
        if len(arguments) == 1:
            argument = arguments[0]
            return lambda s, e: meaning(argument(s, e))
        return lambda s, e: meaning(*[argument(s, e) for argument in arguments])

    def _members(self, name: str) -> Sequence[Value] | None:
        """Return the values that a domain of a given name has, in order."""
        singular = {"players": "player", "teams": "team", "suits": "suit", "ranks": "rank"}
        return (False, True) if name == "truths" else finite(self.game.types[singular.get(name, name)])

    def _call(self, expression: Call, env: Mapping[str, int]) -> Meaning:
        called = self._callable(expression.name)
        arguments = [self.expression(one, env) for one in expression.arguments]
        if not arguments:
            return lambda s, e: called(s, [])
        if len(arguments) == 1:
            argument = arguments[0]
            return lambda s, e: called(s, [argument(s, e)])
        return lambda s, e: called(s, [argument(s, e) for argument in arguments])

    def _ranging(self, expression: Ranging, env: Mapping[str, int]) -> tuple[Meaning, Frames]:
        """Return what a quantifier's body means, and the frames in which it is asked: one for each member chosen."""
        slot = max(env.values(), default=-1) + 1
        inside = {**env, expression.bound: slot}
        domain = self.expression(expression.domain, env)
        test, always = self.expression(expression.condition, inside), is_true(expression.condition)
        order, meter, place = self.ordered(expression.domain.type), self.meter, expression.place

        def chosen(s: Values, e: list[Value]) -> Iterator[list[Value]]:
            frame = placed(e, slot)
            values = order(domain(s, e))
            meter.left -= len(values)
            if meter.left < 0:
                meter.spend(0, place)
            for value in values:
                frame[slot] = value
                if always or test(s, frame):
                    yield frame

        return self.expression(expression.body, inside), chosen

    def _best(self, expression: Best, env: Mapping[str, int]) -> Meaning:
        slot = max(env.values(), default=-1) + 1
        domain = self.expression(expression.domain, env)
        key = self.expression(expression.key, {**env, expression.bound: slot})
        order, meter, place = self.ordered(expression.domain.type), self.meter, expression.place

        def meaning(s: Values, e: list[Value]) -> Value:
            frame = placed(e, slot)
            best, most = None, None
            values = order(domain(s, e))
            meter.spend(len(values), place)
            for value in values:
                frame[slot] = value
                rated = key(s, frame)
                if most is None or rated > most:
                    best, most = value, rated
            return best

        return meaning

    def ordered(self, type_: Type) -> Callable[[Any], Any]:
        """Return how the values of a type are gone through: sets of cards in the order of the pack."""
        if not isinstance(type_, Cards):
            return lambda values: values
        rank = {card: number for number, card in enumerate(self.game.deck.cards)}
        return lambda values: sorted(values, key=rank.__getitem__)

    # Functions and tables -----------------------------------------------------

    def _callable(self, name: str) -> Meaning:
        if name not in self.called:
            game = self.game
            record: Function | Table = game.functions[name] if name in game.functions else game.tables[name]
            meaning = self._function(record) if isinstance(record, Function) else self._table(record)
            self.called[name] = self._required(record, meaning)
        return self.called[name]

    def _required(self, record: Function | Table, meaning: Meaning) -> Meaning:
        if not record.requires:
            return meaning
        env = self.frame([argument.name for argument in record.arguments])
        promised = self.promised(record, env)

        def checked(s: Values, e: list[Value]) -> Value:
            promised(s, e)
            return meaning(s, e)

        return checked

    def promised(self, record: Function | Table | Action | Phase, env: Mapping[str, int]) -> Meaning:
        """Return a check that what a record requires does hold."""
        tests = [self.expression(condition, env) for condition in record.requires]

        def check(s: Values, e: list[Value]) -> None:
            if not all(test(s, e) for test in tests):
                raise Crash(f"{record.place}: {record.id} was used where what it requires does not hold")

        return check

    def _function(self, function: Function) -> Meaning:
        body = self.expression(function.body, self.frame([argument.name for argument in function.arguments]))
        watch = self.watch
        if watch is None:
            return body

        def meaning(s: Values, e: list[Value]) -> Value:
            watch.called(function.id)
            return body(s, e)

        return meaning

    def _table(self, table: Table) -> Meaning:
        env = self.frame([argument.name for argument in table.arguments])
        rows = [
            (row, None if row.when is None else self.expression(row.when, env), self.expression(row.then, env))
            for row in table.rows
        ]
        if self.watch is not None:
            return self._watched(table, rows)
        if table.policy == "unique":
            return self._unique(table, rows)
        tests = [(test, then) for _, test, then in rows]

        def first(s: Values, e: list[Value]) -> Value:
            for test, then in tests:
                if test is None or test(s, e):
                    return then(s, e)
            raise Crash(f"{table.place}: no row of {table.id} fires")

        return first

    def _unique(self, table: Table, rows: Sequence[tuple[Row, Meaning | None, Meaning]]) -> Meaning:
        def unique(s: Values, e: list[Value]) -> Value:
            fired = [(row, then) for row, test, then in rows if test is not None and test(s, e)]
            if len(fired) != 1:
                found = ", ".join(row.id for row, _ in fired) or "no row"
                raise Crash(f"{table.place}: of {table.id} exactly one row fires, here {found}")
            return fired[0][1](s, e)

        return unique

    def _watched(self, table: Table, rows: Sequence[tuple[Row, Meaning | None, Meaning]]) -> Meaning:
        watch = self.watch
        assert watch is not None  # noqa: S101 - asked for only when there is one
        unique = self._unique(table, rows) if table.policy == "unique" else None

        def watched(s: Values, e: list[Value]) -> Value:
            for row, test, then in rows:
                fired = test is None or bool(test(s, e))
                watch.row(table, row, fired=fired, values=s, locals_=list(e[: len(table.arguments)]))
                if fired and unique is None:
                    return then(s, e)
            if unique is None:
                raise Crash(f"{table.place}: no row of {table.id} fires")
            return unique(s, e)

        return watched


def _all(conditions: Sequence[Meaning]) -> Meaning:
    if len(conditions) == 2:
        one, two = conditions
        return lambda s, e: one(s, e) and two(s, e)
    return lambda s, e: all(one(s, e) for one in conditions)


def _any(conditions: Sequence[Meaning]) -> Meaning:
    if len(conditions) == 2:
        one, two = conditions
        return lambda s, e: one(s, e) or two(s, e)
    return lambda s, e: any(one(s, e) for one in conditions)


def _set_maker(type_: Type) -> Callable[[list[Value]], Value]:
    """Return what makes a set of its members: of cards a set, of others a list with each of them once."""
    return frozenset if isinstance(type_, Cards) else _once


def _once(values: list[Value]) -> tuple[Value, ...]:
    """Return the values of a set that is not of cards, each where it came first."""
    return tuple(dict.fromkeys(values))
