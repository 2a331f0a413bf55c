"""Expressions and tables as formulas: the meaning of the rule language where a state is not known.

Where the interpreter would crash a truth is noted that tells when. A function is translated once for the same
arguments and the same values of the variables that it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from brou.language.primitives import BUILTINS, World
from brou.language.syntax import Action, Expression, Function, Game, Phase, Table
from brou.language.types import Array, Cards, Int, finite
from brou_tools.smt.formula import Forms, Formula, Truth
from brou_tools.smt.symbols import CardSet, Choice, Listing, Stack, Symbol, Symbols, Untranslatable, Values, key_of

Env = Mapping[str, Symbol]
#: The conditions around an expression, the innermost first.
Guard = "tuple[Truth, Guard] | None"


@dataclass(frozen=True, slots=True)
class Crash:
    """When a promise of the rules would be broken: a row missing or doubled, a `require`, a bound, cards not there."""

    when: Truth
    what: str
    kind: str


class Translator:
    """Translates the expressions of one game."""

    def __init__(self, game: Game, forms: Forms) -> None:
        self.game = game
        self.forms = forms
        self.symbols = Symbols(forms, game.deck.cards)
        self.world = World(game.seats, game.teams, game.deck.cards, game.types)
        self.crashes: list[Crash] = []
        self._memo: dict[Any, tuple[Symbol, tuple[Crash, ...], Any]] = {}
        self._reads: dict[str, tuple[str, ...]] = {}
        self._domains: dict[str, tuple[Any, ...]] = {}

    def copy(self) -> Translator:
        """Return a translator that knows what this one has translated, and makes what is new for itself."""
        made = Translator(self.game, self.forms.copy())
        made._memo.update(self._memo)
        return made

    def expression(self, e: Expression, s: Values, env: Env, guard: Any = None) -> Symbol:
        """Return what an expression means in a state, with these locals."""
        return getattr(self, f"_{e.op}")(e, s, env, guard)

    def holds(self, e: Expression, s: Values, env: Env, guard: Any = None) -> Truth:
        """Return whether a condition holds."""
        return self.expression(e, s, env, guard)  # type: ignore[no-any-return]  # a condition is a truth

    def crash(self, when: Truth, guard: Any, what: str, kind: str) -> None:
        """Note when something would break a promise."""
        conditions = [when]
        while guard is not None:
            conditions.append(guard[0])
            guard = guard[1]
        whole = self.forms.all(conditions)
        if whole is not False:
            self.crashes.append(Crash(whole, what, kind))

    @contextmanager
    def noting(self) -> Iterator[list[Crash]]:
        """Collect the crashes of what is translated inside, and of nothing else."""
        outer, self.crashes = self.crashes, []
        try:
            yield self.crashes
        finally:
            self.crashes = outer

    # Plain values ---------------------------------------------------------------------------------------------------

    def _literal(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        return e.value

    def _param(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        return e.value

    def _local(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        return env[e.name]

    def _state(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        return s[e.name]

    def _index(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        base, key = (self.expression(part, s, env, guard) for part in e.parts)
        array = e.parts[0].type
        assert isinstance(array, Array)  # noqa: S101 - the loader has seen to it
        return self.symbols.select((truth, base[place]) for place, truth in self.places(array, key))

    def places(self, array: Array, key: Symbol) -> Iterator[tuple[int, Truth]]:
        """Yield each place of an array at which a key may stand, with the truth that it does."""
        members = finite(array.index) or ()
        options = self.symbols.options(key, members)  # type: ignore[arg-type]  # indexes that are numbers
        for place, member in enumerate(members):
            if member in options:
                yield place, options[member]

    # Conditions -----------------------------------------------------------------------------------------------------

    def _if(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        test = self.holds(e.parts[0], s, env, guard)
        if isinstance(test, bool):
            return self.expression(e.parts[1 if test else 2], s, env, guard)
        yes = self.expression(e.parts[1], s, env, (test, guard))
        no = self.expression(e.parts[2], s, env, (self.forms.no(test), guard))
        return self.symbols.either_of(test, yes, no)

    def _and(self, e: Expression, s: Values, env: Env, guard: Any) -> Truth:
        held: list[Truth] = []
        for part in e.parts:
            held.append(self.holds(part, s, env, guard))
            if held[-1] is False:
                return False
            guard = (held[-1], guard)
        return self.forms.all(held)

    def _or(self, e: Expression, s: Values, env: Env, guard: Any) -> Truth:
        held: list[Truth] = []
        for part in e.parts:
            held.append(self.holds(part, s, env, guard))
            if held[-1] is True:
                return True
            guard = (self.forms.no(held[-1]), guard)
        return self.forms.any(held)

    def _not(self, e: Expression, s: Values, env: Env, guard: Any) -> Truth:
        return self.forms.no(self.holds(e.parts[0], s, env, guard))

    def _compare(self, e: Expression, s: Values, env: Env, guard: Any) -> Truth:
        one, two = (self.expression(part, s, env, guard) for part in e.parts)
        if e.name == "in":
            return self.member(one, two)
        if e.name in ("==", "!="):
            same = self.symbols.equal(one, two)
            return same if e.name == "==" else self.forms.no(same)
        if isinstance(e.parts[0].type, Cards):
            return self._part_of(e.name, one, two)
        return self.symbols.ordered(e.name, one, two)

    def member(self, one: Symbol, two: Symbol) -> Truth:
        """Return whether a value is among those of a set or a list."""
        forms, symbols = self.forms, self.symbols
        if isinstance(two, (CardSet, frozenset)):
            bits = symbols.set(two).bits
            options = symbols.options(one).items()
            return forms.any(
                forms.both(truth, bits[symbols.place[card]]) for card, truth in options if card is not None
            )
        return forms.any(forms.both(truth, symbols.equal(one, item)) for truth, item in symbols.items(two))

    def _part_of(self, name: str, one: Symbol, two: Symbol) -> Truth:
        if name in (">", ">="):
            name, one, two = {">": "<", ">=": "<="}[name], two, one
        pairs = list(zip(self.symbols.set(one).bits, self.symbols.set(two).bits, strict=True))
        inside = self.forms.all(self.forms.implies(a, b) for a, b in pairs)
        if name == "<=":
            return inside
        return self.forms.both(inside, self.forms.any(self.forms.both(b, self.forms.no(a)) for a, b in pairs))

    def _arithmetic(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        one, two = (self.expression(part, s, env, guard) for part in e.parts)
        if not isinstance(e.type, Cards):
            return self.symbols.calculated(e.name, one, two)
        pairs = zip(self.symbols.set(one).bits, self.symbols.set(two).bits, strict=True)
        forms = self.forms
        match e.name:
            case "&":
                return CardSet(tuple(forms.both(a, b) for a, b in pairs))
            case "|":
                return CardSet(tuple(forms.either(a, b) for a, b in pairs))
        return CardSet(tuple(forms.both(a, forms.no(b)) for a, b in pairs))

    # Sets and lists -------------------------------------------------------------------------------------------------

    def _set(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        parts = [self.expression(part, s, env, guard) for part in e.parts]
        return self._gathered(e, [(True, part) for part in parts])

    def _gathered(self, e: Expression, items: Sequence[tuple[Truth, Symbol]]) -> Symbol:
        """Return a set: of cards, or of other values, each where it came first."""
        forms, symbols = self.forms, self.symbols
        if isinstance(e.type, Cards):
            found: dict[Any, list[Truth]] = {}
            for truth, value in items:
                for card, held in symbols.options(value).items():
                    found.setdefault(card, []).append(forms.both(truth, held))
            return CardSet(tuple(forms.any(found.get(card, ())) for card in symbols.cards))
        kept: list[tuple[Truth, Symbol]] = []
        for truth, value in items:
            before = forms.any(forms.both(held, symbols.equal(value, other)) for held, other in kept)
            kept.append((forms.both(truth, forms.no(before)), value))
        return Listing(tuple((truth, value) for truth, value in kept if truth is not False))

    def _list(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        return Listing(tuple((True, self.expression(part, s, env, guard)) for part in e.parts))

    def chosen(self, e: Expression, s: Values, env: Env, guard: Any) -> Iterator[tuple[Truth, dict[str, Symbol], Any]]:
        """Yield for each value that a quantifier may run over its truth, the locals there, and what is known there."""
        for truth, value in self.symbols.items(self.expression(e.parts[0], s, env, guard)):
            inside = {**env, e.bound: value}
            test = self.holds(e.parts[1], s, inside, (truth, guard))
            whole = self.forms.both(truth, test)
            if whole is not False:
                yield whole, inside, (whole, guard)

    def _each(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        forms = self.forms
        if e.name in ("any", "all"):
            found = []
            for truth, inside, known in self.chosen(e, s, env, guard):
                body = self.holds(e.parts[2], s, inside, known)
                found.append(forms.both(truth, body if e.name == "any" else forms.no(body)))
            some = forms.any(found)
            return some if e.name == "any" else forms.no(some)
        items = [
            (truth, self.expression(e.parts[2], s, inside, known))
            for truth, inside, known in self.chosen(e, s, env, guard)
        ]
        match e.name:
            case "set":
                return self._gathered(e, items)
            case "count":
                return forms.linear((1, forms.both(truth, body)) for truth, body in items)
            case "sum":
                return forms.linear((1, forms.pick(truth, self.symbols.number(body), 0)) for truth, body in items)
            case "first":
                return self._first(items)
        default = self.expression(e.parts[3], s, env, guard)
        return self._extreme(e.name, items, default)

    def _first(self, items: Sequence[tuple[Truth, Symbol]]) -> Symbol:
        cases: list[tuple[Truth, Symbol]] = []
        before: list[Truth] = []
        for truth, value in items:
            cases.append((self.forms.all([truth, *before]), value))
            before.append(self.forms.no(truth))
        return self.symbols.select([*cases, (self.forms.all(before), None)])

    def _extreme(self, name: str, items: Sequence[tuple[Truth, Symbol]], default: Symbol) -> Symbol:
        """Return the least or the greatest number of some."""
        forms, symbols = self.forms, self.symbols
        if not any(isinstance(value, Formula) for _, value in items):
            found: dict[int, list[Truth]] = {}
            for truth, value in items:
                for plain, held in symbols.options(value).items():
                    found.setdefault(plain, []).append(forms.both(truth, held))
            cases: list[tuple[Truth, Symbol]] = []
            beyond: list[Truth] = []
            for plain in sorted(found, reverse=name == "max"):
                here = forms.any(found[plain])
                cases.append((forms.all([here, *beyond]), plain))
                beyond.append(forms.no(here))
            return symbols.select([*cases, (forms.all(beyond), default)])
        made: Symbol = default
        some: Truth = False
        for truth, value in items:
            better = symbols.ordered(">" if name == "max" else "<", value, made)
            made = symbols.either_of(forms.both(truth, forms.either(forms.no(some), better)), value, made)
            some = forms.either(some, truth)
        return made

    def _best(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        forms, symbols = self.forms, self.symbols
        items = list(symbols.items(self.expression(e.parts[0], s, env, guard)))
        reach = e.parts[1].type
        numbers = range(reach.low, reach.high + 1) if isinstance(reach, Int) and reach.high - reach.low < _FEW else None
        rated = [
            symbols.options(self.expression(e.parts[1], s, {**env, e.bound: value}, (truth, guard)), numbers)
            for truth, value in items
        ]
        held = [
            {number: forms.both(truth, here) for number, here in options.items()}
            for (truth, _), options in zip(items, rated, strict=True)
        ]
        highest = sorted({number for options in held for number in options}, reverse=True)
        winners: list[list[Truth]] = [[] for _ in items]
        beyond: Truth = True
        for number in highest:
            here = [options.get(number, False) for options in held]
            none_before: Truth = beyond
            for place, truth in enumerate(here):
                if truth is not False:
                    winners[place].append(forms.both(none_before, truth))
                    none_before = forms.both(none_before, forms.no(truth))
            beyond = none_before
        cases = [(forms.any(truths), value) for truths, (_, value) in zip(winners, items, strict=True)]
        return symbols.select([*cases, (beyond, None)])

    # Built-ins ------------------------------------------------------------------------------------------------------

    def _builtin(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        parts = [self.expression(part, s, env, guard) for part in e.parts]
        if not parts:
            return self._domain(e.name)
        symbols, name = self.symbols, e.name
        if name in self.game.attributes:
            return symbols.map(self.game.attributes[name].values.__getitem__, parts[0])
        if name in ("suit", "rank", "card", "next", "previous", "team", "other"):
            return symbols.map(BUILTINS[name].meaning(self.world), *parts)
        return getattr(self, f"_call_{name}")(e, parts)

    def _domain(self, name: str) -> tuple[Any, ...]:
        if name not in self._domains:
            plural = {"players": "player", "teams": "team", "suits": "suit", "ranks": "rank"}
            members = (False, True) if name == "truths" else finite(self.game.types[plural.get(name, name)])
            self._domains[name] = members or ()
        return self._domains[name]

    def _call_seats(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        count = self.world.seats
        return tuple(self.symbols.map(lambda p, step=step: (p + step) % count, parts[0]) for step in range(count))

    def _call_members(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        cases = [(truth, self.world.teams[team]) for team, truth in self.symbols.options(parts[0]).items()]
        if len({len(seats) for _, seats in cases}) == 1:
            return self.symbols.select(cases)
        return Listing(tuple((truth, seat) for truth, seats in cases for seat in seats))

    def _call_len(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        return self.forms.linear((1, truth) for truth, _ in self._present(parts[0]))

    def _call_empty(self, e: Expression, parts: Sequence[Symbol]) -> Truth:
        return self.forms.all(self.forms.no(truth) for truth, _ in self._present(parts[0]))

    def _present(self, value: Symbol) -> Sequence[tuple[Truth, Any]]:
        if isinstance(value, Stack):
            return [(self.forms.no(self.symbols.equal(slot, None)), slot) for slot in value.slots]
        return self.symbols.items(value)

    def _call_top(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        slots = self.symbols.stack(parts[0]).slots
        return slots[0] if slots else None

    def _call_bottom(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        slots = self.symbols.stack(parts[0]).slots
        cases: list[tuple[Truth, Symbol]] = []
        behind: Truth = True
        for slot in reversed(slots):
            here = self.forms.no(self.symbols.equal(slot, None))
            cases.append((self.forms.both(behind, here), slot))
            behind = self.forms.both(behind, self.forms.no(here))
        return self.symbols.select([*cases, (behind, None)])

    def _call_cut(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        slots = self.symbols.stack(parts[0]).slots
        if any(slot is None or (isinstance(slot, Choice) and None in slot.options) for slot in slots):
            raise Untranslatable("cutting a pile of unknown length")
        cases = self.symbols.options(parts[1], range(1, len(slots))).items()
        turned = [(truth, Stack(slots[n:] + slots[:n])) for n, truth in cases if 0 < n < len(slots)]
        whole = self.forms.no(self.forms.any(truth for truth, _ in turned))
        return self.symbols.select([*turned, (whole, Stack(slots))])

    def _call_cards(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        return self.symbols.set(parts[0] if isinstance(parts[0], Stack) else frozenset(parts[0]))

    def _call_otherwise(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        return self.symbols.either_of(self.symbols.equal(parts[0], None), parts[1], self.present(parts[0]))

    def present(self, value: Symbol) -> Symbol:
        """Return a value as one that is there."""
        if isinstance(value, Choice) and None in value.options:
            return self.symbols.choice({plain: truth for plain, truth in value.options.items() if plain is not None})
        return value

    def _call_least(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        return self._picked(min, "<=", parts)

    def _call_most(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        return self._picked(max, ">=", parts)

    def _picked(self, pick: Callable[..., int], order: str, parts: Sequence[Symbol]) -> Symbol:
        if not any(isinstance(part, Formula) for part in parts):
            return self.symbols.map(pick, *parts)
        return self.symbols.either_of(self.symbols.ordered(order, *parts), *parts)

    def _call_abs(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        minus = self.symbols.calculated("-", 0, parts[0])
        return self.symbols.either_of(self.symbols.ordered(">=", parts[0], 0), parts[0], minus)

    def _call_range(self, e: Expression, parts: Sequence[Symbol]) -> Symbol:
        low, high = (part.type for part in e.parts)
        assert isinstance(low, Int) and isinstance(high, Int)  # noqa: S101 - the loader has seen to it
        numbers = range(low.low, high.high + 1)
        symbols = self.symbols
        inside = [
            (self.forms.both(symbols.ordered("<=", parts[0], n), symbols.ordered("<=", n, parts[1])), n)
            for n in numbers
        ]
        return Listing(tuple((truth, n) for truth, n in inside if truth is not False))

    # Functions and tables -------------------------------------------------------------------------------------------

    def _call(self, e: Expression, s: Values, env: Env, guard: Any) -> Symbol:
        return self.call(e.name, [self.expression(part, s, env, guard) for part in e.parts], s, guard)

    def call(self, name: str, arguments: Sequence[Symbol], s: Values, guard: Any = None) -> Symbol:
        """Return what a function or table gives."""
        read = tuple(s[variable] for variable in self.reads(name))
        key = (name, tuple(map(key_of, arguments)), tuple(map(id, read)))
        if key not in self._memo:
            with self.noting() as noted:
                value = self._called(self.record(name), arguments, s)
            self._memo[key] = (value, tuple(noted), (read, arguments))
        value, crashes, _ = self._memo[key]
        for crash in crashes:
            self.crash(crash.when, guard, crash.what, crash.kind)
        return value

    def record(self, name: str) -> Function | Table:
        """Return a function or table by name."""
        return self.game.functions[name] if name in self.game.functions else self.game.tables[name]

    def _called(self, record: Function | Table, arguments: Sequence[Symbol], s: Values) -> Symbol:
        env = {argument.name: value for argument, value in zip(record.arguments, arguments, strict=True)}
        guard = self.promised(record, s, env, None)
        if isinstance(record, Function):
            return self.expression(record.body, s, env, guard)
        fired = self.fired(record, s, env, guard)
        cases = []
        for truth, row in fired:
            cases.append((truth, self.expression(row.then, s, env, (truth, guard)) if truth is not False else None))
        if record.policy == "unique":
            self.crash(
                self.forms.no(exactly_one(self.forms, [truth for truth, _ in fired])), guard, record.id, "unique"
            )
        return self.symbols.select(cases)

    def fired(self, table: Table, s: Values, env: Env, guard: Any = None) -> list[tuple[Truth, Any]]:
        """Return each row of a table with the truth that it fires: in a `first` table the rows above do not."""
        found: list[tuple[Truth, Any]] = []
        before: list[Truth] = []
        for row in table.rows:
            known = guard
            if table.policy == "first":
                for truth in before:
                    known = (truth, known)
            test = True if row.when is None else self.holds(row.when, s, env, known)
            found.append((self.forms.all([test, *before]) if table.policy == "first" else test, row))
            before.append(self.forms.no(test))
        return found

    def promised(self, record: Function | Table | Action | Phase, s: Values, env: Env, guard: Any) -> Any:
        """Note when what a record requires does not hold, and return what is known behind that."""
        for condition in record.requires:
            test = self.holds(condition, s, env, guard)
            self.crash(self.forms.no(test), guard, record.id, "require")
            guard = (test, guard)
        return guard

    def reads(self, name: str) -> tuple[str, ...]:
        """Return the variables that a function or table reads, and those that it calls."""
        if name not in self._reads:
            found: set[str] = set()
            for e in _within(self.record(name)):
                found |= self._read_by(e)
            self._reads[name] = tuple(sorted(found))
        return self._reads[name]

    def _read_by(self, e: Expression) -> set[str]:
        found = {e.name} if e.op == "state" else set()
        if e.op == "call":
            found |= set(self.reads(e.name))
        return found.union(*(self._read_by(part) for part in e.parts))


#: More numbers than this are not gone through one by one.
_FEW = 200


def _within(record: Function | Table) -> Iterable[Expression]:
    yield from record.requires
    if isinstance(record, Function):
        yield record.body
        return
    for row in record.rows:
        if row.when is not None:
            yield row.when
        yield row.then


def exactly_one(forms: Forms, truths: Sequence[Truth]) -> Truth:
    """Return whether exactly one of some truths holds."""
    return forms.equal(forms.linear((1, truth) for truth in truths), 1)
