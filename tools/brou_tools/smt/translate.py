"""Expressions and tables as formulas: the meaning of the rule language where a state is not known.

Where the interpreter would crash a truth is noted that tells when. A function is translated once for the same
arguments and the same values of the variables that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias, assert_never

from brou.language.builtin import Use, World
from brou.language.builtins import BUILTINS
from brou.language.reach import of_callable
from brou.language.syntax import Action, Function, Game, Phase, Row, Table
from brou.language.tree import (
    And,
    Arithmetic,
    AttributeOf,
    Best,
    Bound,
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
    walk,
)
from brou.language.types import Array, Cards, Int, Type, finite, listed
from brou_tools.smt.builtins import Making
from brou_tools.smt.formula import Forms, Formula, Truth
from brou_tools.smt.symbols import CardSet, Listing, Order, Symbol, Symbols, Values, key_of

Env: TypeAlias = Mapping[str, Symbol]
#: The conditions around an expression, the innermost first.
Guard: TypeAlias = "tuple[Truth, Guard] | None"


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
        self.making = Making(self.symbols)
        self.crashes: list[Crash] = []
        self._memo: dict[Any, tuple[Symbol, tuple[Crash, ...], Any]] = {}
        self._reads: dict[str, tuple[str, ...]] = {}

    def copy(self) -> Translator:
        """Return a translator that knows what this one has translated, and makes what is new for itself."""
        made = Translator(self.game, self.forms.copy())
        made._memo.update(self._memo)
        return made

    def expression(self, e: Expression, s: Values, env: Env, guard: Guard = None) -> Symbol:  # noqa: PLR0912 - a case a form
        """Return what an expression means in a state, with these locals."""
        match e:
            case Literal() | ParamUse():
                return e.value
            case LocalUse():
                return env[e.name]
            case VariableUse():
                return s[e.name]
            case DomainUse():
                return listed(e.type)
            case AttributeOf():
                card = self.expression(e.card, s, env, guard)
                return self.symbols.map(self.game.attributes[e.name].values.__getitem__, card)
            case BuiltinCall():
                return self._builtin(e, self._expressions(e.arguments, s, env, guard))
            case Call():
                return self.call(e.name, self._expressions(e.arguments, s, env, guard), s, guard)
            case Index():
                base, key = self._expressions((e.array, e.key), s, env, guard)
                return self.symbols.select((truth, base[place]) for place, truth in self.places(e.whole, key))
            case If():
                return self._if(e, s, env, guard)
            case And():
                return self._and(e, s, env, guard)
            case Or():
                return self._or(e, s, env, guard)
            case Not():
                return self.forms.no(self.holds(e.condition, s, env, guard))
            case Compare():
                return self._compare(e, *self._expressions((e.left, e.right), s, env, guard))
            case Arithmetic():
                return self._arithmetic(e, *self._expressions((e.left, e.right), s, env, guard))
            case SetOf():
                return self._gathered(e.type, [(True, one) for one in self._expressions(e.members, s, env, guard)])
            case ListOf():
                return Listing(tuple((True, one) for one in self._expressions(e.members, s, env, guard)))
            case Quantified():
                return self._quantified(e, s, env, guard)
            case Extreme():
                items = list(self._bodies(e, s, env, guard))
                return self._extreme(e.quantifier, items, self.expression(e.default, s, env, guard))
            case Comprehension():
                return self._gathered(e.type, list(self._bodies(e, s, env, guard)))
            case Best():
                return self._best(e, s, env, guard)
            case _:
                assert_never(e)

    def _builtin(self, e: BuiltinCall, parts: Sequence[Symbol]) -> Symbol:
        use = Use(self.world, tuple(argument.type for argument in e.arguments), e.type)
        return BUILTINS[e.name].formula(self.making, use, parts)

    def holds(self, e: Expression, s: Values, env: Env, guard: Guard = None) -> Truth:
        """Return whether a condition holds."""
        truth: Truth = self.expression(e, s, env, guard)
        return truth

    def _expressions(self, parts: Sequence[Expression], s: Values, env: Env, guard: Guard) -> list[Symbol]:
        """Return what some expressions mean, asked one after another."""
        return [self.expression(part, s, env, guard) for part in parts]

    def crash(self, when: Truth, guard: Guard, what: str, kind: str) -> None:
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

    # Elements -------------------------------------------------------------------------------------------------------

    def places(self, array: Array, key: Symbol) -> Iterator[tuple[int, Truth]]:
        """Yield each place of an array at which a key may stand, with the truth that it does."""
        members = finite(array.index) or ()
        options = self.symbols.options(key, [member for member in members if isinstance(member, int)])
        for place, member in enumerate(members):
            if member in options:
                yield place, options[member]

    # Conditions -----------------------------------------------------------------------------------------------------

    def _if(self, e: If, s: Values, env: Env, guard: Guard) -> Symbol:
        test = self.holds(e.test, s, env, guard)
        if isinstance(test, bool):
            return self.expression(e.then if test else e.other, s, env, guard)
        yes = self.expression(e.then, s, env, (test, guard))
        no = self.expression(e.other, s, env, (self.forms.no(test), guard))
        return self.symbols.either_of(test, yes, no)

    def _and(self, e: And, s: Values, env: Env, guard: Guard) -> Truth:
        held: list[Truth] = []
        for condition in e.conditions:
            held.append(self.holds(condition, s, env, guard))
            if held[-1] is False:
                return False
            guard = (held[-1], guard)
        return self.forms.all(held)

    def _or(self, e: Or, s: Values, env: Env, guard: Guard) -> Truth:
        held: list[Truth] = []
        for condition in e.conditions:
            held.append(self.holds(condition, s, env, guard))
            if held[-1] is True:
                return True
            guard = (self.forms.no(held[-1]), guard)
        return self.forms.any(held)

    def _compare(self, e: Compare, one: Symbol, two: Symbol) -> Truth:
        match e.operator:
            case "in":
                return self.member(one, two)
            case "==":
                return self.symbols.equal(one, two)
            case "!=":
                return self.forms.no(self.symbols.equal(one, two))
            case "<" | "<=" | ">" | ">=" as order:
                of_cards = isinstance(e.left.type, Cards)
                return self._part_of(order, one, two) if of_cards else self.symbols.ordered(order, one, two)
            case _:
                assert_never(e.operator)

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

    def _part_of(self, order: Order, one: Symbol, two: Symbol) -> Truth:
        if order in (">", ">="):
            one, two = two, one
        pairs = list(zip(self.symbols.set(one).bits, self.symbols.set(two).bits, strict=True))
        inside = self.forms.all(self.forms.implies(a, b) for a, b in pairs)
        if order in ("<=", ">="):
            return inside
        return self.forms.both(inside, self.forms.any(self.forms.both(b, self.forms.no(a)) for a, b in pairs))

    def _arithmetic(self, e: Arithmetic, one: Symbol, two: Symbol) -> Symbol:
        if not isinstance(e.type, Cards):
            return self.symbols.calculated(e.operator, one, two)
        pairs = zip(self.symbols.set(one).bits, self.symbols.set(two).bits, strict=True)
        forms = self.forms
        match e.operator:
            case "&":
                return CardSet(tuple(forms.both(a, b) for a, b in pairs))
            case "|":
                return CardSet(tuple(forms.either(a, b) for a, b in pairs))
        return CardSet(tuple(forms.both(a, forms.no(b)) for a, b in pairs))

    # Sets and lists -------------------------------------------------------------------------------------------------

    def _gathered(self, type_: Type, items: Sequence[tuple[Truth, Symbol]]) -> Symbol:
        """Return a set: of cards, or of other values, each where it came first."""
        forms, symbols = self.forms, self.symbols
        if isinstance(type_, Cards):
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

    def chosen(self, e: Ranging, s: Values, env: Env, guard: Guard) -> Iterator[tuple[Truth, dict[str, Symbol], Guard]]:
        """Yield for each value that a quantifier may run over its truth, the locals there, and what is known there."""
        for truth, value in self.symbols.items(self.expression(e.domain, s, env, guard)):
            inside = {**env, e.bound: value}
            test = self.holds(e.condition, s, inside, (truth, guard))
            whole = self.forms.both(truth, test)
            if whole is not False:
                yield whole, inside, (whole, guard)

    def _bodies(self, e: Ranging, s: Values, env: Env, guard: Guard) -> Iterator[tuple[Truth, Symbol]]:
        """Yield for each value that a quantifier may run over the truth that it does, and what the body is there."""
        for truth, inside, known in self.chosen(e, s, env, guard):
            yield truth, self.expression(e.body, s, inside, known)

    def _quantified(self, e: Quantified, s: Values, env: Env, guard: Guard) -> Symbol:
        forms, bodies = self.forms, self._bodies(e, s, env, guard)
        number = self.symbols.number
        match e.quantifier:
            case "any":
                return forms.any([forms.both(truth, body) for truth, body in bodies])
            case "all":
                return forms.no(forms.any([forms.both(truth, forms.no(body)) for truth, body in bodies]))
            case "count":
                return forms.linear((1, forms.both(truth, body)) for truth, body in list(bodies))
            case "sum":
                return forms.linear((1, forms.pick(truth, number(body), 0)) for truth, body in list(bodies))
            case "first":
                return self._first(list(bodies))
            case _:
                assert_never(e.quantifier)

    def _first(self, items: Sequence[tuple[Truth, Symbol]]) -> Symbol:
        cases: list[tuple[Truth, Symbol]] = []
        before: list[Truth] = []
        for truth, value in items:
            cases.append((self.forms.all([truth, *before]), value))
            before.append(self.forms.no(truth))
        return self.symbols.select([*cases, (self.forms.all(before), None)])

    def _extreme(self, bound: Bound, items: Sequence[tuple[Truth, Symbol]], default: Symbol) -> Symbol:
        """Return the least or the greatest number of some."""
        forms, symbols = self.forms, self.symbols
        if not any(isinstance(value, Formula) for _, value in items):
            found: dict[int, list[Truth]] = {}
            for truth, value in items:
                for plain, held in symbols.options(value).items():
                    found.setdefault(plain, []).append(forms.both(truth, held))
            cases: list[tuple[Truth, Symbol]] = []
            beyond: list[Truth] = []
            for plain in sorted(found, reverse=bound == "max"):
                here = forms.any(found[plain])
                cases.append((forms.all([here, *beyond]), plain))
                beyond.append(forms.no(here))
            return symbols.select([*cases, (forms.all(beyond), default)])
        made: Symbol = default
        some: Truth = False
        for truth, value in items:
            better = symbols.ordered(">" if bound == "max" else "<", value, made)
            made = symbols.either_of(forms.both(truth, forms.either(forms.no(some), better)), value, made)
            some = forms.either(some, truth)
        return made

    def _best(self, e: Best, s: Values, env: Env, guard: Guard) -> Symbol:
        forms, symbols = self.forms, self.symbols
        items = list(symbols.items(self.expression(e.domain, s, env, guard)))
        reach = e.key.type
        numbers = range(reach.low, reach.high + 1) if isinstance(reach, Int) and reach.high - reach.low < _FEW else None
        rated = [
            symbols.options(self.expression(e.key, s, {**env, e.bound: value}, (truth, guard)), numbers)
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

    # Functions and tables -------------------------------------------------------------------------------------------

    def call(self, name: str, arguments: Sequence[Symbol], s: Values, guard: Guard = None) -> Symbol:
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

    def fired(self, table: Table, s: Values, env: Env, guard: Guard = None) -> list[tuple[Truth, Row]]:
        """Return each row of a table with the truth that it fires: in a `first` table the rows above do not."""
        found: list[tuple[Truth, Row]] = []
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

    def promised(self, record: Function | Table | Action | Phase, s: Values, env: Env, guard: Guard) -> Guard:
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
            for e in chain.from_iterable(map(walk, of_callable(self.record(name)))):
                if isinstance(e, VariableUse):
                    found.add(e.name)
                elif isinstance(e, Call):
                    found |= set(self.reads(e.name))
            self._reads[name] = tuple(sorted(found))
        return self._reads[name]


#: More numbers than this are not gone through one by one.
_FEW = 200


def exactly_one(forms: Forms, truths: Sequence[Truth]) -> Truth:
    """Return whether exactly one of some truths holds."""
    return forms.equal(forms.linear((1, truth) for truth in truths), 1)
