"""What expressions and effects mean: each is turned once into a small function of state and locals.

Values are plain: a card is its code, a set of cards a frozenset, a pile a
tuple, an array a tuple in the order of its index type, an absent value None.
A `Watch` sees which rows were judged, what was read, called and written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from brou.errors import Crash
from brou.interpreter.meter import Meter
from brou.language.operations import (
    ARITHMETIC,
    COMPARE,
    QUANTIFIERS,
    Meaning,
    Value,
    Values,
    picked,
    placed,
    position_of,
    replaced,
)
from brou.language.primitives import BUILTINS, World
from brou.language.syntax import Action, Case, Effect, Expression, Function, Game, Phase, Row, Table
from brou.language.types import CARDS, Array, Int, Option, Type, finite

Change = Callable[[list[Value], list[Value]], str | None]


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

    def expression(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        """Return the meaning of an expression whose locals stand at the given places."""
        return getattr(self, f"_{expression.op}")(expression, env)  # type: ignore[no-any-return]  # one method an operation

    def frame(self, names: Sequence[str]) -> dict[str, int]:
        """Return the places of the outermost locals."""
        return {name: number for number, name in enumerate(names)}

    # Expressions --------------------------------------------------------------

    def _literal(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        value = expression.value
        return lambda s, e: value

    def _local(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        slot = env[expression.name]
        return lambda s, e: e[slot]

    def _state(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        slot = self.slots[expression.name]
        return lambda s, e: s[slot]

    def _param(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        value, name, watch = expression.value, expression.name, self.watch
        if watch is None:
            return lambda s, e: value

        def meaning(s: Values, e: list[Value]) -> Value:
            watch.read(name)
            return value

        return meaning

    def _index(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        base, key = (self.expression(part, env) for part in expression.parts)
        array = expression.parts[0].type
        assert isinstance(array, Array)  # noqa: S101 - the loader has seen to it
        offset = position_of(array.index)
        if offset == 0:
            return lambda s, e: base(s, e)[key(s, e)]
        if isinstance(offset, int):
            return lambda s, e: base(s, e)[key(s, e) - offset]
        return lambda s, e: base(s, e)[offset[key(s, e)]]

    def _if(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        test, yes, no = (self.expression(part, env) for part in expression.parts)
        return lambda s, e: yes(s, e) if test(s, e) else no(s, e)

    def _and(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        parts = [self.expression(part, env) for part in expression.parts]
        if len(parts) == 2:
            one, two = parts
            return lambda s, e: one(s, e) and two(s, e)
        return lambda s, e: all(part(s, e) for part in parts)

    def _or(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        parts = [self.expression(part, env) for part in expression.parts]
        if len(parts) == 2:
            one, two = parts
            return lambda s, e: one(s, e) or two(s, e)
        return lambda s, e: any(part(s, e) for part in parts)

    def _not(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        part = self.expression(expression.parts[0], env)
        return lambda s, e: not part(s, e)

    def _compare(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        one, two = (self.expression(part, env) for part in expression.parts)
        return COMPARE[expression.name](one, two)

    def _arithmetic(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        one, two = (self.expression(part, env) for part in expression.parts)
        return ARITHMETIC[expression.name](one, two)

    def _set(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        parts = [self.expression(part, env) for part in expression.parts]
        make = frozenset if str(expression.type) == "cards" else _once
        return lambda s, e: make([part(s, e) for part in parts])

    def _list(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        parts = [self.expression(part, env) for part in expression.parts]
        return lambda s, e: tuple(part(s, e) for part in parts)

    def _builtin(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        name = expression.name
        parts = [self.expression(part, env) for part in expression.parts]
        if not parts:
            return self._domain(name)
        if name in self.game.attributes:
            values, card = self.game.attributes[name].values, parts[0]
            return lambda s, e: values[card(s, e)]
        meaning = BUILTINS[name].meaning(self.world)
        if len(parts) == 1:
            part = parts[0]
            return lambda s, e: meaning(part(s, e))
        return lambda s, e: meaning(*[part(s, e) for part in parts])

    def _domain(self, name: str) -> Meaning:
        plural = {"players": "player", "teams": "team", "suits": "suit", "ranks": "rank"}
        members = (False, True) if name == "truths" else finite(self.game.types[plural.get(name, name)])
        return lambda s, e: members

    def _call(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        called = self._callable(expression.name)
        parts = [self.expression(part, env) for part in expression.parts]
        if not parts:
            return lambda s, e: called(s, [])
        if len(parts) == 1:
            part = parts[0]
            return lambda s, e: called(s, [part(s, e)])
        return lambda s, e: called(s, [part(s, e) for part in parts])

    def _each(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        slot = max(env.values(), default=-1) + 1
        inside = {**env, expression.bound: slot}
        domain = self.expression(expression.parts[0], env)
        test = self.expression(expression.parts[1], inside)
        always = expression.parts[1].op == "literal" and expression.parts[1].value is True
        order, meter, place = self.ordered(expression.parts[0].type), self.meter, expression.place

        def chosen(s: Values, e: list[Value]) -> Any:
            frame = placed(e, slot)
            values = order(domain(s, e))
            meter.left -= len(values)
            if meter.left < 0:
                meter.spend(0, place)
            for value in values:
                frame[slot] = value
                if always or test(s, frame):
                    yield frame

        body = self.expression(expression.parts[2], inside)
        if expression.name == "set":
            make = frozenset if str(expression.type) == "cards" else _once
            return lambda s, e: make([body(s, f) for f in chosen(s, e)])
        if expression.name in ("min", "max"):
            default, pick = self.expression(expression.parts[3], env), min if expression.name == "min" else max
            return lambda s, e: picked(pick, [body(s, f) for f in chosen(s, e)], default, s, e)
        return QUANTIFIERS[expression.name](body, chosen)

    def _best(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        slot = max(env.values(), default=-1) + 1
        domain = self.expression(expression.parts[0], env)
        key = self.expression(expression.parts[1], {**env, expression.bound: slot})
        order, meter, place = self.ordered(expression.parts[0].type), self.meter, expression.place

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
        if str(type_) != "cards":
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

    # Effects ------------------------------------------------------------------

    def effects(self, body: Sequence[Effect], env: Mapping[str, int]) -> Change:
        """Return what a list of effects does to the values of a state; it answers the phase to go to, or None."""
        changes: list[Change] = []
        for effect in body:
            changes.append(self._effect(effect, env))
            if effect.op == "let":
                env = {**env, effect.name: max(env.values(), default=-1) + 1}

        def all_of_them(s: list[Value], e: list[Value]) -> str | None:
            for change in changes:
                phase = change(s, e)
                if phase is not None:
                    return phase
            return None

        return all_of_them

    def _effect(self, effect: Effect, env: Mapping[str, int]) -> Change:
        change: Change = getattr(self, f"_do_{effect.op}")(effect, env)
        watch = self.watch
        if watch is None:
            return change

        def watched(s: list[Value], e: list[Value]) -> str | None:
            watch.doing(effect, env, tuple(s), tuple(e))
            return change(s, e)

        return watched

    def _do_goto(self, effect: Effect, env: Mapping[str, int]) -> Change:
        return lambda s, e: effect.name

    def _do_let(self, effect: Effect, env: Mapping[str, int]) -> Change:
        slot = max(env.values(), default=-1) + 1
        value = self._value(effect, env)

        def change(s: list[Value], e: list[Value]) -> None:
            result = value(s, e)
            while len(e) <= slot:
                e.append(None)
            e[slot] = result

        return change

    def _do_set(self, effect: Effect, env: Mapping[str, int]) -> Change:
        write, value = self._writer(effect, effect.target, env), self._value(effect, env)
        return lambda s, e: write(s, e, value(s, e))

    def _do_add(self, effect: Effect, env: Mapping[str, int]) -> Change:
        assert effect.target is not None  # noqa: S101 - the loader has seen to it
        write, value, old = (
            self._writer(effect, effect.target, env), self._value(effect, env), self.expression(effect.target, env),
        )  # fmt: skip
        return lambda s, e: write(s, e, old(s, e) + value(s, e))

    def _do_move(self, effect: Effect, env: Mapping[str, int]) -> Change:
        assert effect.target is not None and effect.source is not None  # noqa: S101 - the loader has seen to it
        source, target = self.expression(effect.source, env), self.expression(effect.target, env)
        take, put = self._writer(effect, effect.source, env), self._writer(effect, effect.target, env)
        value, pile, order = self._value(effect, env), str(effect.target.type) == "pile", self.ordered(CARDS)

        def change(s: list[Value], e: list[Value]) -> None:
            cards = value(s, e)
            if not cards <= source(s, e):
                raise Crash(f"{effect.place}: cards are moved from where they are not")
            take(s, e, source(s, e) - cards)
            put(s, e, self._onto(effect, order(cards), target(s, e)) if pile else target(s, e) | cards)

        return change

    def _do_draw(self, effect: Effect, env: Mapping[str, int]) -> Change:
        assert effect.target is not None and effect.source is not None  # noqa: S101 - the loader has seen to it
        source, target = self.expression(effect.source, env), self.expression(effect.target, env)
        take, put = self._writer(effect, effect.source, env), self._writer(effect, effect.target, env)
        value, pile = self._value(effect, env), str(effect.target.type) == "pile"

        def change(s: list[Value], e: list[Value]) -> None:
            number, stock = value(s, e), source(s, e)
            if not 0 <= number <= len(stock):
                raise Crash(f"{effect.place}: {number} cards are drawn from {len(stock)}")
            take(s, e, stock[number:])
            drawn = stock[:number]
            put(s, e, self._onto(effect, drawn, target(s, e)) if pile else target(s, e) | frozenset(drawn))

        return change

    def _onto(self, effect: Effect, cards: Sequence[str], pile: Sequence[str]) -> tuple[str, ...]:
        """Return a pile with cards put on it; a pile has no more cards than the pack."""
        if len(cards) + len(pile) > len(self.game.deck.cards):
            raise Crash(f"{effect.place}: {len(cards)} cards are put on {len(pile)}, more than the pack has")
        return (*cards, *pile)

    def _do_for(self, effect: Effect, env: Mapping[str, int]) -> Change:
        slot = max(env.values(), default=-1) + 1
        domain, body = self._value(effect, env), self.effects(effect.body, {**env, effect.name: slot})
        assert effect.value is not None  # noqa: S101 - the loader has seen to it
        order, meter = self.ordered(effect.value.type), self.meter

        def change(s: list[Value], e: list[Value]) -> None:
            while len(e) <= slot:
                e.append(None)
            values = order(domain(s, e))
            meter.spend(len(values), effect.place)
            for value in values:
                e[slot] = value
                body(s, e)

        return change

    def _do_cases(self, effect: Effect, env: Mapping[str, int]) -> Change:
        cases = [self._case(case, env) for case in effect.cases]

        def change(s: list[Value], e: list[Value]) -> str | None:
            for test, body in cases:
                if test is None or test(s, e):
                    return body(s, e)
            return None

        return change

    def _case(self, case: Case, env: Mapping[str, int]) -> tuple[Meaning | None, Change]:
        test = None if case.when is None else self.expression(case.when, env)
        return test, self.effects(case.body, env)

    def _do_reset(self, effect: Effect, env: Mapping[str, int]) -> Change:
        game = self.game
        scopes = game.scopes[game.scopes.index(effect.name) :]
        fresh = [(self.slots[name], v.default) for name, v in game.state.items() if v.scope in scopes]

        def change(s: list[Value], e: list[Value]) -> None:
            for slot, default in fresh:
                s[slot] = default

        return change

    def _value(self, effect: Effect, env: Mapping[str, int]) -> Meaning:
        assert effect.value is not None  # noqa: S101 - the loader has seen to it
        return self.expression(effect.value, env)

    def _writer(
        self, effect: Effect, target: Expression | None, env: Mapping[str, int]
    ) -> Callable[[list[Value], list[Value], Value], None]:
        assert target is not None  # noqa: S101 - the loader has seen to it
        keys: list[tuple[Meaning, int | Mapping[str | int, int]]] = []
        base = target
        while base.op == "index":
            array = base.parts[0].type
            assert isinstance(array, Array)  # noqa: S101 - the loader has seen to it
            keys.insert(0, (self.expression(base.parts[1], env), position_of(array.index)))
            base = base.parts[0]
        slot, name, watch = self.slots[base.name], base.name, self.watch
        inner = target.type.inner if isinstance(target.type, Option) else target.type
        bounds = inner if isinstance(inner, Int) else None

        def write(s: list[Value], e: list[Value], value: Value) -> None:
            if bounds is not None and value is not None and not bounds.low <= value <= bounds.high:
                raise Crash(f"{effect.place}: {name} is {bounds} and would become {value}")
            path = [key(s, e) - at if isinstance(at, int) else at[key(s, e)] for key, at in keys]
            s[slot] = replaced(s[slot], path, value) if path else value
            if watch is not None:
                watch.wrote(name, effect)

        return write


def _once(values: list[Value]) -> tuple[Value, ...]:
    """Return the values of a set that is not of cards, each where it came first."""
    return tuple(dict.fromkeys(values))
