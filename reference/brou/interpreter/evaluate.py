"""The meaning of expressions: each is turned once into a small function of state and locals.

Values are plain: a card is its code, a set of cards a frozenset, a pile a tuple, an array a tuple in the order of its
index type, an absent value None. An `Observer` is notified of the rows that are judged and of all that is read, called
and written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import assert_never

from brou.errors import BrokenPromise
from brou.interpreter.meter import Meter
from brou.language import tree
from brou.language.builtin import World
from brou.language.builtins import BUILTINS
from brou.language.effects import Branch, Cases, Effect
from brou.language.operations import (
    ARITHMETIC,
    COMBINED,
    QUANTIFIERS,
    Frames,
    Meaning,
    MeaningOf,
    among,
    check_bounds,
    compare_order,
    count_members,
    equal,
    extreme,
    gives_cards,
    gives_name,
    gives_number,
    gives_pile,
    gives_row,
    gives_subsets,
    make_frame,
    position_of,
    sum_members,
    unequal,
)
from brou.language.syntax import Action, Function, Game, Phase, Row, Table
from brou.language.types import Array, Cards, Locals, Value, Values, as_row, list_values


class Observer:
    """Someone who looks on while rules are applied; who inherits from it need not care for everything."""

    def note_lookup(self, section: str, name: str) -> None:
        """Note a lookup of a record of the rules: a parameter, a function or a table."""

    def note_row(self, table: str, row: str) -> None:
        """Note that the condition of a row of a table is evaluated."""

    def note_effect(self, effect: Effect, env: Mapping[str, int], values: Values, locals_: Sequence[Value]) -> None:
        """Say that an effect is about to change a state, and with which locals."""

    def note_case(self, effect: Cases, case: Branch) -> None:
        """Say which branch an effect takes, once its condition is known to hold."""

    def note_write(self, effect: Effect, path: Sequence[int]) -> None:
        """Say that an effect wrote its target, or the element of it at a path."""

    @contextmanager
    def try_out(self) -> Iterator[None]:
        """Look on while an act is only tried: the state after the block is dropped, and so are its writes."""
        yield


class Evaluator:
    """The meaning of one game's expressions and effects."""

    def __init__(self, game: Game, watch: Observer | None = None) -> None:
        self.game = game
        self.watch = watch
        self.world = World(game.seats, game.teams, game.deck.cards, game.types)
        self.slots = {name: number for number, name in enumerate(game.state)}
        self.called: dict[str, Meaning] = {}
        self.meter = Meter()
        self._rank = {card: number for number, card in enumerate(game.deck.cards)}.__getitem__

    def expression(self, expression: tree.Expression, env: Mapping[str, int]) -> Meaning:  # noqa: C901, PLR0912 - one form a case
        """Return the meaning of an expression whose locals stand at the given places."""
        match expression:
            case tree.Literal():
                value = expression.value
                return lambda s, e: value
            case tree.LocalUse():
                slot = env[expression.name]
                return lambda s, e: e[slot]
            case tree.VariableUse():
                cell = self.slots[expression.name]
                return lambda s, e: s[cell]
            case tree.ParamUse():
                return self._param(expression)
            case tree.DomainUse():
                members = list_values(expression.type)
                return lambda s, e: members
            case tree.AttributeOf():
                values, card = self.game.attributes[expression.name].values, self.name(expression.card, env)
                return lambda s, e: values[card(s, e)]
            case tree.BuiltinCall():
                return self._builtin(expression, env)
            case tree.Call():
                return self._call(expression, env)
            case tree.Index():
                return self._element(expression, env)
            case tree.If():
                test, yes, no = (self.expression(part, env) for part in tree.parts(expression))
                return lambda s, e: yes(s, e) if test(s, e) else no(s, e)
            case tree.And():
                return _all([self.expression(one, env) for one in expression.conditions])
            case tree.Or():
                return _any([self.expression(one, env) for one in expression.conditions])
            case tree.Not():
                condition = self.expression(expression.condition, env)
                return lambda s, e: not condition(s, e)
            case tree.Compare():
                return self._compare(expression, env)
            case tree.Arithmetic():
                return self._calculate(expression, env)
            case tree.SetOf():
                return self._set(expression, env)
            case tree.ListOf():
                items = [self.expression(one, env) for one in expression.members]
                return lambda s, e: tuple(one(s, e) for one in items)
            case tree.Quantified():
                return self._quantify(expression, env)
            case tree.Comprehension():
                return self._comprehension(expression, env)
            case tree.Extreme():
                inside, chosen = self._ranging(expression, env)
                pick, rated = min if expression.quantifier == "min" else max, self.number(expression.body, inside)
                return extreme(pick, rated, chosen, self.expression(expression.default, env))
            case tree.Best():
                return self._best(expression, env)
            case _:
                assert_never(expression)

    def frame(self, names: Sequence[str]) -> dict[str, int]:
        """Return the places of the outermost locals."""
        return {name: number for number, name in enumerate(names)}

    # Expressions of one type --------------------------------------------------

    def number(self, expression: tree.Expression, env: Mapping[str, int]) -> MeaningOf[int]:
        """Return the meaning of an expression that gives numbers, seats or teams."""
        meaning = self.expression(expression, env)
        if gives_number(meaning, expression.type):
            return meaning
        raise _mistaken(expression, "number")

    def name(self, expression: tree.Expression, env: Mapping[str, int]) -> MeaningOf[str]:
        """Return the meaning of an expression that gives cards, suits, ranks or other names."""
        meaning = self.expression(expression, env)
        if gives_name(meaning, expression.type):
            return meaning
        raise _mistaken(expression, "name")

    def cards(self, expression: tree.Expression, env: Mapping[str, int]) -> MeaningOf[frozenset[str]]:
        """Return the meaning of an expression that gives sets of cards."""
        meaning = self.expression(expression, env)
        if gives_cards(meaning, expression.type):
            return meaning
        raise _mistaken(expression, "set of cards")

    def pile(self, expression: tree.Expression, env: Mapping[str, int]) -> MeaningOf[tuple[str, ...]]:
        """Return the meaning of an expression that gives cards in order."""
        meaning = self.expression(expression, env)
        if gives_pile(meaning, expression.type):
            return meaning
        raise _mistaken(expression, "pile")

    def row(self, expression: tree.Expression, env: Mapping[str, int]) -> MeaningOf[tuple[Value, ...]]:
        """Return the meaning of an expression that gives arrays, lists or piles."""
        meaning = self.expression(expression, env)
        if gives_row(meaning, expression.type):
            return meaning
        raise _mistaken(expression, "array or list")

    def subsets(
        self, expression: tree.Expression, env: Mapping[str, int]
    ) -> MeaningOf[tuple[frozenset[str], int, int]]:
        """Return the meaning of an expression that gives cards, and how few and how many of them may be chosen."""
        meaning = self.expression(expression, env)
        if gives_subsets(meaning, expression.type):
            return meaning
        raise _mistaken(expression, "choice of cards")

    def place(self, key: tree.Expression, whole: Array, env: Mapping[str, int]) -> MeaningOf[int]:
        """Return the meaning of an index as a place in its array."""
        at = position_of(whole.index)
        if not isinstance(at, int):
            name = self.name(key, env)
            return lambda s, e: at[name(s, e)]
        number = self.number(key, env)
        return number if at == 0 else lambda s, e: number(s, e) - at

    def collection(self, expression: tree.Expression, env: Mapping[str, int]) -> MeaningOf[Collection[Value]]:
        """Return the meaning of an expression that gives sets of cards or lists, in no order."""
        return self.cards(expression, env) if isinstance(expression.type, Cards) else self.row(expression, env)

    def members(self, expression: tree.Expression, env: Mapping[str, int]) -> MeaningOf[Sequence[Value]]:
        """Return the meaning of an expression that is gone through: sets of cards in the order of the pack."""
        if not isinstance(expression.type, Cards):
            return self.row(expression, env)
        cards, in_order = self.cards(expression, env), self.in_order
        return lambda s, e: in_order(cards(s, e))

    def in_order(self, cards: Iterable[str]) -> list[str]:
        """Return cards in the order of the pack."""
        return sorted(cards, key=self._rank)

    def items(self, value: Value) -> Sequence[Value]:
        """Return what a set, a list or an array holds: cards in the order of the pack."""
        return self.in_order(value) if isinstance(value, frozenset) else as_row(value)

    # Expressions --------------------------------------------------------------

    def _param(self, expression: tree.ParamUse) -> Meaning:
        param = self.game.params.get(expression.name)
        value = expression.value if param is None else param.value
        return self._observe_record("params", expression.name, lambda s, e: value)

    def _observe_record(self, section: str, name: str, meaning: Meaning) -> Meaning:
        """Return the meaning of a record, which notifies the observer at every lookup."""
        watch = self.watch
        if watch is None:
            return meaning

        def notify_and_evaluate(s: Values, e: Locals) -> Value:
            watch.note_lookup(section, name)
            return meaning(s, e)

        return notify_and_evaluate

    def _compare(self, expression: tree.Compare, env: Mapping[str, int]) -> Meaning:
        left, right = expression.left, expression.right
        match expression.operator:
            case "==":
                return equal(self.expression(left, env), self.expression(right, env))
            case "!=":
                return unequal(self.expression(left, env), self.expression(right, env))
            case "in":
                return among(self.expression(left, env), self.collection(right, env))
            case order if isinstance(left.type, Cards):
                return compare_order(order, self.cards(left, env), self.cards(right, env))
            case order:
                return compare_order(order, self.number(left, env), self.number(right, env))

    def _calculate(self, expression: tree.Arithmetic, env: Mapping[str, int]) -> Meaning:
        left, right, operator = expression.left, expression.right, expression.operator
        if isinstance(expression.type, Cards):
            return COMBINED[operator](self.cards(left, env), self.cards(right, env))
        return check_bounds(expression.type, ARITHMETIC[operator](self.number(left, env), self.number(right, env)))

    def _quantify(self, expression: tree.Quantified, env: Mapping[str, int]) -> Meaning:
        inside, chosen = self._ranging(expression, env)
        match expression.quantifier:
            case "sum":
                return check_bounds(expression.type, sum_members(self.number(expression.body, inside), chosen))
            case "count":
                return check_bounds(expression.type, count_members(self.expression(expression.body, inside), chosen))
            case quantifier:
                return QUANTIFIERS[quantifier](self.expression(expression.body, inside), chosen)

    def _element(self, expression: tree.Index, env: Mapping[str, int]) -> Meaning:
        # As `place` has it, but written out: nothing is evaluated more often.
        array, at = self.row(expression.array, env), position_of(expression.whole.index)
        if not isinstance(at, int):
            name = self.name(expression.key, env)
            return lambda s, e: array(s, e)[at[name(s, e)]]
        number = self.number(expression.key, env)
        if at == 0:
            return lambda s, e: array(s, e)[number(s, e)]
        return lambda s, e: array(s, e)[number(s, e) - at]

    def _set(self, expression: tree.SetOf, env: Mapping[str, int]) -> Meaning:
        if isinstance(expression.type, Cards):
            cards = [self.name(one, env) for one in expression.members]
            return lambda s, e: frozenset([card(s, e) for card in cards])
        items = [self.expression(one, env) for one in expression.members]
        return lambda s, e: _once(item(s, e) for item in items)

    def _comprehension(self, expression: tree.Comprehension, env: Mapping[str, int]) -> Meaning:
        inside, chosen = self._ranging(expression, env)
        if isinstance(expression.type, Cards):
            card = self.name(expression.body, inside)
            return lambda s, e: frozenset([card(s, f) for f in chosen(s, e)])
        item = self.expression(expression.body, inside)
        return lambda s, e: _once(item(s, f) for f in chosen(s, e))

    def _builtin(self, expression: tree.BuiltinCall, env: Mapping[str, int]) -> Meaning:
        arguments = [self.expression(one, env) for one in expression.arguments]
        meaning = BUILTINS[expression.name].meaning(self.world)
        if len(arguments) == 1:
            argument = arguments[0]
            return lambda s, e: meaning(argument(s, e))
        return lambda s, e: meaning(*[argument(s, e) for argument in arguments])

    def _call(self, expression: tree.Call, env: Mapping[str, int]) -> Meaning:
        called = self.find_callable(expression.name)
        arguments = [self.expression(one, env) for one in expression.arguments]
        if not arguments:
            return lambda s, e: called(s, [])
        if len(arguments) == 1:
            argument = arguments[0]
            return lambda s, e: called(s, [argument(s, e)])
        return lambda s, e: called(s, [argument(s, e) for argument in arguments])

    def _ranging(self, expression: tree.Ranging, env: Mapping[str, int]) -> tuple[Mapping[str, int], Frames]:
        """Return where the locals of a quantifier's body stand, and how they are bound: once for each member chosen."""
        slot = max(env.values(), default=-1) + 1
        inside = {**env, expression.bound: slot}
        members = self.members(expression.domain, env)
        test, always = self.expression(expression.condition, inside), tree.is_true(expression.condition)
        meter, place = self.meter, expression.place

        def select(s: Values, e: Locals) -> Iterator[Locals]:
            frame = make_frame(e, slot)
            values = members(s, e)
            meter.left -= len(values)
            if meter.left < 0:
                meter.spend(0, place)
            for value in values:
                frame[slot] = value
                if always or test(s, frame):
                    yield frame

        return inside, select

    def _best(self, expression: tree.Best, env: Mapping[str, int]) -> Meaning:
        slot = max(env.values(), default=-1) + 1
        members, key = (
            self.members(expression.domain, env),
            self.number(expression.key, {**env, expression.bound: slot}),
        )
        meter, place = self.meter, expression.place

        def meaning(s: Values, e: Locals) -> Value:
            frame = make_frame(e, slot)
            best: Value = None
            most: int | None = None
            values = members(s, e)
            meter.spend(len(values), place)
            for value in values:
                frame[slot] = value
                rated = key(s, frame)
                if most is None or rated > most:
                    best, most = value, rated
            return best

        return meaning

    # Functions and tables -----------------------------------------------------

    def find_callable(self, name: str) -> Meaning:
        """Return the meaning of a function or a table, made at the first use."""
        if name not in self.called:
            record = self.game.functions.get(name) or self.game.tables[name]
            if isinstance(record, Function):
                body = self.expression(record.body, self.frame([argument.name for argument in record.arguments]))
                meaning = self._observe_record("functions", name, body)
            else:
                meaning = self._observe_record("tables", name, self._table(record))
            meaning = self._add_requirements(record, meaning)
            is_kept = not record.arguments and self.watch is None  # an observer is notified of every evaluation
            self.called[name] = _keep_for_one_state(meaning) if is_kept else meaning
        return self.called[name]

    def _add_requirements(self, record: Function | Table, meaning: Meaning) -> Meaning:
        if not record.requires:
            return meaning
        env = self.frame([argument.name for argument in record.arguments])
        promised = self.make_check(record, env)

        def check_and_evaluate(s: Values, e: Locals) -> Value:
            promised(s, e)
            return meaning(s, e)

        return check_and_evaluate

    def make_check(self, record: Function | Table | Action | Phase, env: Mapping[str, int]) -> Meaning:
        """Return a check that the requirements of a record hold."""
        tests = [self.expression(condition, env) for condition in record.requires]

        def check(s: Values, e: Locals) -> None:
            if not all(test(s, e) for test in tests):
                raise BrokenPromise(f"{record.place}: {record.id} was used where what it requires does not hold")

        return check

    def _table(self, table: Table) -> Meaning:
        env = self.frame([argument.name for argument in table.arguments])
        rows = [(row, self._observe_row(table, row, env), self.expression(row.then, env)) for row in table.rows]
        if table.policy == "unique":
            return self._unique(table, rows)
        tests = [(test, then) for _, test, then in rows]

        def first(s: Values, e: Locals) -> Value:
            for test, then in tests:
                if test is None or test(s, e):
                    return then(s, e)
            raise BrokenPromise(f"{table.place}: no row of {table.id} fires")

        return first

    def _observe_row(self, table: Table, row: Row, env: Mapping[str, int]) -> Meaning | None:
        """Return the condition of a row, which notifies the observer whenever it is evaluated; None for `else`."""
        test, watch = None if row.when is None else self.expression(row.when, env), self.watch
        if watch is None:
            return test

        def notify_and_test(s: Values, e: Locals) -> Value:
            watch.note_row(table.id, row.id)
            return test is None or test(s, e)

        return notify_and_test

    def _unique(self, table: Table, rows: Sequence[tuple[Row, Meaning | None, Meaning]]) -> Meaning:
        def unique(s: Values, e: Locals) -> Value:
            fired = [(row, then) for row, test, then in rows if test is not None and test(s, e)]
            if len(fired) != 1:
                found = ", ".join(row.id for row, _ in fired) or "no row"
                raise BrokenPromise(f"{table.place}: of {table.id} exactly one row fires, here {found}")
            return fired[0][1](s, e)

        return unique


def _keep_for_one_state(meaning: Meaning) -> Meaning:
    """Return a meaning without locals that computes its value once for each state, and keeps the last one.

    A list of acts takes one judgement for each card of a hand, all in one state and with the same winning card. States,
    whole or known in part, never change; effects write to lists, whose values are computed anew.
    """
    kept: tuple[Values | None, Value] = (None, None)

    def evaluate_once(s: Values, e: Locals) -> Value:
        nonlocal kept
        last, value = kept
        if last is s:
            return value
        value = meaning(s, e)
        if type(s) is not list:
            kept = s, value
        return value

    return evaluate_once


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


def _once(values: Iterable[Value]) -> tuple[Value, ...]:
    """Return the values of a set that is not of cards, each where it came first."""
    return tuple(dict.fromkeys(values))


def _mistaken(expression: tree.Expression, wanted: str) -> TypeError:
    """Return the error for a tree that is not as the loader types it, which is no fault of the rules."""
    return TypeError(f"{expression.place}: {expression.op} gives {expression.type}, where a {wanted} is wanted")
