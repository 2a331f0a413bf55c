"""Lowers expressions: values, operators, calls, built-ins; quantifiers are lowered by a module of theirs.

The lowered form keeps the order and the laziness of the language: a term that may crash is evaluated where the
interpreter evaluates it, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import assert_never

from brou.compiler.case_analysis import has_exactly_one
from brou.compiler.kinds import CARD, TRUTH, join_kinds, number
from brou.compiler.lower_builtins import Making
from brou.compiler.lower_kinds import Env, Kinds, element_kind, filters, inside, places
from brou.compiler.lower_quantifiers import Quantifiers
from brou.compiler.lowered import Kind, Routine, Term, Value
from brou.compiler.memo import LoweringReuse
from brou.compiler.term_builder import TermBuilder
from brou.dataclass import replace
from brou.errors import WrongBuiltin
from brou.language import tree
from brou.language.builtin import Use, World
from brou.language.builtins import BUILTINS
from brou.language.syntax import Action, Function, Game, Phase, Table
from brou.language.types import Array, Cards, Domain, Int, Named, Nothing, Option, Type, as_number, list_values
from brou.language.types import Value as Datum

#: What is lowered at once.
_PLAIN = (tree.Literal, tree.LocalUse, tree.VariableUse, tree.ParamUse, tree.DomainUse)
#: A function is written out where it is called if it is at most so many operations.
_INLINED = 14


class Expressions:
    """Lowers all expressions of one game; `routine` answers for functions and tables."""

    def __init__(
        self, game: Game, kinds: Kinds, terms: TermBuilder, reuse: LoweringReuse, routine: Callable[[str], Routine]
    ) -> None:
        self.game = game
        self.kinds = kinds
        self.terms = terms
        self.reuse = reuse
        self.routine = routine
        self._quantifiers = Quantifiers(kinds, terms, self.term)
        self.world = World(game.seats, game.teams, game.deck.cards, game.types)

    def term(self, expression: tree.Expression, env: Env, wanted: Kind | None = None) -> Term:
        """Return the term of an expression; `wanted` says which kind an absent value is of."""
        if isinstance(expression, _PLAIN):
            made = self._lower(expression, env)
        else:
            seen = frozenset(env.values.items()), env.live, env.opened, env.known, env.trusted
            made = self.reuse.once(expression, lambda: self._lower(expression, env), "term", *seen)
        if expression.type == Cards():
            made = self.terms.as_set(made)
        return made if wanted is None else self.terms.fit(made, wanted)

    def _lower(self, expression: tree.Expression, env: Env) -> Term:  # noqa: C901, PLR0912 - one form a case
        t = self.terms
        match expression:
            case tree.Literal(value=None):
                return t.none(Kind("none"))
            case tree.Literal():
                return t.const(self.kinds.of(expression.type), self.literal(expression.type, expression.value))
            case tree.LocalUse():
                return self._assume_present(env.values[expression.name], expression.type, env)
            case tree.VariableUse():
                kind = self.kinds.of(self.game.state[expression.name].type)
                return self._assume_present(t.make("state", kind, name=expression.name), expression.type, env)
            case tree.ParamUse():
                return t.const(self.kinds.of(expression.type), expression.value)
            case tree.DomainUse():
                return t.const(self.kinds.of(expression.type), self._members(expression.type))
            case tree.AttributeOf():
                return t.trait(self.kinds.of(expression.type), expression.name, self.term(expression.card, env))
            case tree.BuiltinCall():
                return self._builtin(expression, env)
            case tree.Call():
                return self._call(expression, env)
            case tree.Index():
                return self._index(expression, env)
            case tree.If():
                return self._if(expression, env)
            case tree.And():
                return self._and(expression.conditions, env)
            case tree.Or():
                return self._or(expression.conditions, env)
            case tree.Not():
                return t.no(self.term(expression.condition, env))
            case tree.Compare():
                return self._compare(expression, env)
            case tree.Arithmetic():
                return self._arithmetic(expression, env)
            case tree.SetOf() if expression.type == Cards():
                return reduce(t.union, (self.term(one, env) for one in expression.members), t.nothing)
            case tree.SetOf():
                return self._lower_list(expression, env, once=True)
            case tree.ListOf():
                return self._lower_list(expression, env, once=False)
            case tree.Quantified() | tree.Extreme() | tree.Comprehension():
                return self._quantifiers.lower_ranging(expression, env)
            case tree.Best():
                return self._quantifiers.lower_best(expression, env)
            case _:
                assert_never(expression)

    def literal(self, type_: Type, value: Datum) -> Value:
        """Return the encoded form of a value of the data."""
        match type_, value:
            case _, None:
                return self.terms.none(self.kinds.of(type_)).value
            case Option(inner), _:
                return self.literal(inner, value)
            case Array(_, element), tuple():
                return tuple(kept for item in value for kept in self._flatten(element, item))
            case Named(name="card"), _:
                return 1 << self.game.deck.cards.index(str(value))
            case Named(members=members), _:
                return members.index(value)
            case Cards(), frozenset():
                return sum(1 << self.game.deck.cards.index(card) for card in value)
            case _, tuple():
                return tuple(map(as_number, value))
        return as_number(value)

    def _flatten(self, type_: Type, value: Datum) -> tuple[Value, ...]:
        """Return the encoded element of an array: one value, or the values of a nested array in a row."""
        kept = self.literal(type_, value)
        return kept if isinstance(type_, Array) and isinstance(kept, tuple) else (kept,)

    # Variables ----------------------------------------------------------------

    def _assume_present(self, term: Term, type_: Type, env: Env) -> Term:
        """Return the term as present where the type says that it is."""
        return self.terms.present(term) if env.trusted and not isinstance(type_, (Option, Nothing)) else term

    def _index(self, expression: tree.Index, env: Env) -> Term:
        base, key = self.term(expression.array, env), self.term(expression.key, env)
        return self._assume_present(self.element(base, self._place(expression.whole, key)), expression.type, env)

    def _place(self, array: Array, key: Term) -> Term:
        """Return the place along the first side of an array that a key names."""
        t = self.terms
        if key.kind.form == "card":
            return t.make("place", number(0, t.cards - 1), key)
        return t.subtract(key, t.count(array.index.low)) if isinstance(array.index, Int) else key

    def element(self, base: Term, place: Term) -> Term:
        """Return an element of an array, or the part of it that a first key leaves."""
        t = self.terms
        shape = base.kind.shape
        place = t.multiply(place, t.count(places(shape[1:])))
        if base.op == "part":
            base, start = base.parts
            place = t.add(start, place)
        if len(shape) > 1:
            kind = replace(base.kind, shape=shape[1:], optional=False)
            return t.make("part", kind, base, place)
        return t.make("element", element_kind(base), base, place)

    # Operations ---------------------------------------------------------------

    def _if(self, expression: tree.If, env: Env) -> Term:
        t = self.terms
        test = self.term(expression.test, env)
        yes = self.term(expression.then, env.knowing(test))
        no = self.term(expression.other, env.knowing(t.no(test)))
        kind = join_kinds(yes.kind, no.kind)
        return t.choose(test, self.terms.fit(yes, kind), self.terms.fit(no, kind))

    def _and(self, conditions: Iterable[tree.Expression], env: Env) -> Term:
        tests: list[Term] = []
        for condition in conditions:
            tests.append(self.term(condition, env.knowing(*tests)))
        return self.terms.both(*tests)

    def _or(self, conditions: Iterable[tree.Expression], env: Env) -> Term:
        tests: list[Term] = []
        for condition in conditions:
            tests.append(self.term(condition, env.knowing(*map(self.terms.no, tests))))
        return self.terms.either(*tests)

    def _compare(self, expression: tree.Compare, env: Env) -> Term:
        t, name = self.terms, expression.operator
        one = self.term(expression.left, env)
        if name == "in":
            return self.contains(one, expression.right, env)
        two = self.term(expression.right, env)
        kind = join_kinds(one.kind, two.kind)
        one, two = self.terms.fit(one, kind), self.terms.fit(two, kind)
        if kind.form != "set" or name in ("==", "!="):
            return t.compare(name, one, two)
        less, more = (one, two) if name in ("<", "<=") else (two, one)
        inside = t.no(t.some(t.without(less, more)))
        return inside if name in ("<=", ">=") else t.both(inside, t.compare("!=", one, two))

    def contains(self, one: Term, values: tree.Expression, env: Env) -> Term:
        """Return whether a value is among others."""
        t = self.terms
        one = self.terms.fit(one, CARD if values.type == Cards() else self.kinds.of(values.type).element or one.kind)
        if values.type == Cards():
            return t.some(t.common(one, self.term(values, env)))
        if filters(values) and one.op == "local" and inside(one.kind, self.kinds.of(values.domain.type).element):
            test = self.term(values.condition, env.binding(values.bound, one))
            if test.total:
                return t.both(self.contains(one, values.domain, env), test)
        listed = self.term(values, env)
        if listed.op == "list" and (t.simple(one) or len(listed.parts) == 1):
            return t.either(*(t.compare("==", one, self.terms.fit(part, one.kind)) for part in listed.parts))
        members = listed.value if listed.op == "const" and isinstance(listed.value, tuple) else ()
        if one.kind.form == "index" and set(members) == set(range(one.kind.low, one.kind.high + 1)):
            return t.compare("!=", one, t.none(one.kind))
        return t.make("contains", TRUTH, listed, one)

    def _arithmetic(self, expression: tree.Arithmetic, env: Env) -> Term:
        t = self.terms
        one, two = self.term(expression.left, env), self.term(expression.right, env)
        if expression.type == Cards():
            return {"&": t.common, "|": t.union, "-": t.without}[expression.operator](one, two)
        made = {"+": t.add, "-": t.subtract, "*": t.multiply, "//": t.divide}[expression.operator](one, two)
        return t.check_bounds(made)

    def _lower_list(self, expression: tree.SetOf | tree.ListOf, env: Env, *, once: bool) -> Term:
        kind = self.kinds.of(expression.type)
        parts = [self.term(member, env, kind.element) for member in expression.members]
        if all(part.op == "const" for part in parts):
            values = [part.value for part in parts]
            return self.terms.const(kind, tuple(dict.fromkeys(values) if once else values))
        kind = replace(kind, element=reduce(join_kinds, (part.kind for part in parts)))
        return self.terms.make("list", kind, *parts, name="once" if once and len(parts) > 1 else "")

    # Calls --------------------------------------------------------------------

    def _call(self, expression: tree.Call, env: Env) -> Term:
        t, name = self.terms, expression.name
        record = self.record(name)
        kinds = [self.kinds.of(argument.type) for argument in record.arguments]
        given = [self.term(one, env, kind) for one, kind in zip(expression.arguments, kinds, strict=True)]
        routine = self.routine(name)
        opened = any(one.free & env.opened for one in given)
        bare = all(one.total for one in given) and self._inlines(routine, given, opened=opened)
        if record.requires and not all(map(t.simple, given)):
            return self._bind_arguments(record, routine, given, expression.type, env)
        inside = replace(env, values={a.name: one for a, one in zip(record.arguments, given, strict=True)})
        tests = self.find_demands(record, inside)
        inside = inside.knowing(*tests)
        called = self.body(record, inside) if bare else self._specialise(record, given, inside)
        if called is None:
            called = t.make("call", routine.kind, *given, name=name, total=routine.total)
        return self._assume_present(self._demand(record, tests, called), expression.type, env)

    def _specialise(self, record: Function | Table, given: Sequence[Term], inside: Env) -> Term | None:
        """Return the body of a function specialised to constant arguments, if it is short."""
        if isinstance(record, Table) or not any(one.op == "const" for one in given):
            return None
        if not all(one.total and (self.terms.simple(one) or one.op == "call") for one in given):
            return None
        body = self.body(record, inside)
        return body if body.cost <= _INLINED else None

    def _bind_arguments(
        self, record: Function | Table, routine: Routine, given: Sequence[Term], type_: Type, env: Env
    ) -> Term:
        """Return a call whose arguments are computed first, since the checks of its requirements use them too."""
        t, names = self.terms, []
        inside = replace(env, values={})
        for argument, one in zip(record.arguments, given, strict=True):
            own, inside = inside.bind(self.terms, argument.name, one.kind)
            names.append(own)
        locals_ = [t.local(own, one.kind) for own, one in zip(names, given, strict=True)]
        called = t.make("call", routine.kind, *locals_, name=record.id, total=routine.total)
        found = self._assume_present(self._demand(record, self.find_demands(record, inside), called), type_, env)
        for own, one in zip(reversed(names), reversed(given), strict=True):
            found = t.let(own, one, found)
        return found

    def find_demands(self, record: Function | Table | Action | Phase, env: Env) -> list[Term]:
        """Return the requirements of a record that are not known to hold where it is used."""
        tests: list[Term] = []
        for condition in record.requires:
            test = self.term(condition, env.knowing(*tests))
            parts = test.parts if test.op == "and" else (test,)
            tests += [part for part in parts if part is not self.terms.true and part not in env.known]
        return tests

    def _demand(self, record: Function | Table, tests: Sequence[Term], term: Term) -> Term:
        """Return a term that crashes where a requirement of the record does not hold."""
        if not tests:
            return term
        return self.terms.make("demand", term.kind, self.terms.both(*tests), term, name=record.id, total=False)

    def record(self, name: str) -> Function | Table:
        """Return a function or table by name."""
        return self.game.functions[name] if name in self.game.functions else self.game.tables[name]

    def _inlines(self, routine: Routine, given: Sequence[Term], *, opened: bool) -> bool:
        if opened:
            return True
        often = [_uses(routine.body, name) > 1 for name, _ in routine.arguments]
        doubled = any(many and not self.terms.simple(one) for many, one in zip(often, given, strict=True))
        return routine.body.cost <= _INLINED and not doubled

    def body(self, record: Function | Table, env: Env) -> Term:
        """Return what a function or table gives, whose arguments the locals are."""
        kind = self.kinds.of(record.type)
        if isinstance(record, Function):
            return self.term(record.body, env, kind)
        return self._only(record, env, kind) if record.policy == "unique" else self._first(record, env, kind)

    def _first(self, table: Table, env: Env, kind: Kind) -> Term:
        """Return what the first row that fires gives."""
        t = self.terms
        rows: list[tuple[Term, Term]] = []
        for row in table.rows:
            when = t.true if row.when is None else self.term(row.when, env)
            rows.append((when, self.term(row.then, env.knowing(when), kind)))
            env = env.knowing(t.no(when))
        found = rows[-1][1]
        for when, then in reversed(rows[:-1]):
            found = t.choose(when, then, found)
        return found

    def _only(self, table: Table, env: Env, kind: Kind) -> Term:
        """Return what the only row that fires gives; one that must fire is not asked again."""
        t = self.terms
        whens = [self.term(row.when, env) for row in table.rows if row.when is not None]
        thens = [self.term(row.then, env.knowing(when), kind) for row, when in zip(table.rows, whens, strict=True)]
        if not has_exactly_one(t, whens, env.known):
            parts = [part for pair in zip(whens, thens, strict=True) for part in pair]
            return t.make("unique", kind, *parts, name=table.id, total=False)
        found = thens[-1]
        for when, then in zip(whens[-2::-1], thens[-2::-1], strict=True):
            found = t.choose(when, then, found)
        return found

    # Built-ins ----------------------------------------------------------------

    def _builtin(self, expression: tree.BuiltinCall, env: Env) -> Term:
        use = Use(self.world, tuple(one.type for one in expression.arguments), expression.type)
        parts = [self.term(argument, env) for argument in expression.arguments]
        make = Making(expression.name, self.terms, self.kinds, env)
        try:
            return BUILTINS[expression.name].core(make, use, parts)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise WrongBuiltin(expression.name, f"{type(error).__name__}: {error}") from error

    def _members(self, domain: Type) -> tuple[Value, ...]:
        """Return the encoded values of a list of the language."""
        members = list_values(domain)
        named = isinstance(domain, Domain) and isinstance(domain.element, Named)
        return tuple(range(len(members))) if named else tuple(map(as_number, members))


def _uses(term: Term, name: str) -> int:
    """Return how often a local stands in a term."""
    if name not in term.free:
        return 0
    return 1 if term.op == "local" else sum(_uses(part, name) for part in term.parts)
