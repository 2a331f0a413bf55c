"""Lowers quantifiers: to masks where they range over cards, unrolled where that is short.

Like all expressions they keep the order and the laziness of the language: a term that may crash is evaluated where the
interpreter evaluates it, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from typing import Protocol, assert_never

from brou.compiler.kinds import CARD, join_kinds, number
from brou.compiler.lower_kinds import Env, Kinds, element_kind, filters
from brou.compiler.lowered import Kind, Term
from brou.compiler.masks import best, extreme, filter_cards, lift_condition
from brou.compiler.term_builder import TermBuilder
from brou.dataclass import dataclass, replace
from brou.language.tree import Best, Comprehension, Expression, Extreme, Quantified, Ranging
from brou.language.types import Cards

#: A quantifier over fixed values is written out where that takes at most so many operations.
_UNROLLED = 100


class _Lower(Protocol):
    """Returns the term of an expression; `wanted` says which kind an absent value is of."""

    def __call__(self, expression: Expression, env: Env, wanted: Kind | None = None) -> Term: ...


class Quantifiers:
    """Lowers the quantifiers of one game; `term` lowers the expressions inside them."""

    def __init__(self, kinds: Kinds, terms: TermBuilder, term: _Lower) -> None:
        self.kinds = kinds
        self.terms = terms
        self.term = term

    def lower_ranging(self, expression: Ranging, env: Env) -> Term:
        """Lower an expression that ranges over the members of a domain."""
        domain = self._fuse_filters(expression.domain, env)
        if domain.values.kind.form == "set":
            return self._over_cards(expression, domain, env)
        members = self._enumerate(domain.values)
        if members is not None:
            written = self._written_out(expression, members, domain, env)
            if written is not None:
                return written
        return self._loop(expression, domain, env)

    def _fuse_filters(self, values: Expression, env: Env) -> _FusedDomain:
        """Return a domain, a filter over it taken apart where that changes nothing."""
        if filters(values) and values.type != Cards():
            inner = self._fuse_filters(values.domain, env)
            _, inside = env.bind(self.terms, values.bound, element_kind(inner.values))
            # The filter is evaluated for all members before the first is used. Asked member by member instead, a test
            # that crashes would do so after something else was evaluated, so only tests that cannot are taken along.
            if self.term(values.condition, inside).total and inner.values.kind.form == "list":
                return _FusedDomain(inner.values, (*inner.filters, values))
        return _FusedDomain(self.term(values, env), ())

    def _test_member(self, domain: _FusedDomain, member: Term, condition: Expression, env: Env) -> Term:
        """Return whether a member passes all filters of a domain and a condition."""
        tests: list[Term] = []
        for one in domain.filters:
            tests.append(self.term(one.condition, env.binding(one.bound, member).knowing(*tests)))
        return self.terms.both(*tests, self.term(condition, env.knowing(*tests)))

    def _enumerate(self, values: Term) -> list[Term] | None:
        """Return the members of a list that is known one by one."""
        if values.op == "list" and not values.name:
            return list(values.parts)
        element = values.kind.element
        if values.op == "const" and isinstance(values.value, tuple) and element is not None:
            return [self.terms.const(element, value) for value in values.value]
        return None

    def _written_out(self, expression: Ranging, members: Sequence[Term], domain: _FusedDomain, env: Env) -> Term | None:
        """Return a quantifier as one term a member, unless that is long."""
        listed = isinstance(expression, Comprehension) and expression.type != Cards()
        if listed or not all(map(self.terms.simple, members)):
            return None
        pairs: list[tuple[Term, Term]] = []
        for member in members:
            inside = env.binding(expression.bound, member)
            test = self._test_member(domain, member, expression.condition, inside)
            pairs.append((test, self.term(expression.body, inside.knowing(test))))
            # Asked after each member: a long domain is given up before all of it is lowered.
            if sum(test.cost + body.cost for test, body in pairs) > _UNROLLED:
                return None
        return self._straight(expression, pairs, env)

    def _straight(self, expression: Ranging, pairs: Sequence[tuple[Term, Term]], env: Env) -> Term | None:
        """Return a quantifier over pairs of a test and a value, from left to right."""
        t = self.terms
        match expression:
            case Quantified():
                return self._unroll_quantifier(expression, pairs)
            case Comprehension():
                return reduce(t.union, (t.choose(test, body, t.nothing) for test, body in pairs), t.nothing)
            case Extreme() if not pairs:
                return self.term(expression.default, env)
            case Extreme():
                # If every member is taken, there is a value and the default is not asked for. Otherwise it may be, but
                # only then, which a loop knows.
                bodies = [body for test, body in pairs if test is t.true]
                return reduce(partial(t.extreme, expression.quantifier), bodies) if len(bodies) == len(pairs) else None
            case _:
                assert_never(expression)

    def _unroll_quantifier(self, expression: Quantified, pairs: Sequence[tuple[Term, Term]]) -> Term:
        """Fold pairs of a test and a value by the quantifier, from left to right."""
        t = self.terms
        match expression.quantifier:
            case "any":
                return t.either(*(t.both(test, body) for test, body in pairs))
            case "all":
                return t.both(*(t.choose(test, body, t.true) for test, body in pairs))
            case "count":
                return self._sum([(t.both(test, body), t.count(1)) for test, body in pairs])
            case "sum":
                return t.check_bounds(self._sum(pairs))
            case "first":
                return self._first_of(pairs, self.kinds.of(expression.type))
            case _:
                assert_never(expression.quantifier)

    def _sum(self, pairs: Sequence[tuple[Term, Term]]) -> Term:
        t = self.terms
        return reduce(t.add, (t.choose(test, body, t.count(0)) for test, body in pairs), t.count(0))

    def _first_of(self, pairs: Sequence[tuple[Term, Term]], kind: Kind) -> Term:
        t = self.terms
        found = t.none(kind)
        # Each choice is put around those made before, so the first pair must come last to be asked first.
        for test, body in reversed(pairs):
            found = t.choose(test, t.maybe(self.terms.fit(body, kind)), found)
        return found

    def _loop(self, expression: Ranging, domain: _FusedDomain, env: Env) -> Term:
        """Return a quantifier as a loop over its domain."""
        t, kind = self.terms, self.kinds.of(expression.type)
        own, inside = env.bind(self.terms, expression.bound, element_kind(domain.values))
        test = self._test_member(domain, inside.values[expression.bound], expression.condition, inside)
        inside = inside.knowing(test)
        match expression:
            case Quantified() | Extreme():
                name: str = expression.quantifier
            case Comprehension():
                name = "union" if kind.form == "set" else "gather"
            case _:
                assert_never(expression)
        body = self.term(expression.body, inside, replace(kind, optional=True) if name == "first" else kind.element)
        default = [self.term(expression.default, env)] if isinstance(expression, Extreme) else []
        kind = self._find_loop_kind(name, kind, [body, *default], self._most(domain.values))
        return t.check_bounds(t.make("loop", kind, domain.values, test, body, *default, name=name, bound=own))

    def _find_loop_kind(self, name: str, kind: Kind, bodies: Sequence[Term], most: int) -> Kind:
        """Return the kind of the result of a loop with at most `most` rounds; `kind` is the kind of its type."""
        body = reduce(join_kinds, (one.kind for one in bodies))
        match name:
            case "sum":
                # No round gives nought, and each round adds a number between the bounds of the body.
                return number(min(0, most * body.low), max(0, most * body.high))
            case "count":
                return number(0, most)
            case "min" | "max":
                return body
            case "gather":
                return replace(kind, element=body, most=most)
        return kind

    def _most(self, values: Term) -> int:
        """Return how many values there are to range over at most."""
        return self.terms.cards if values.kind.form == "set" else values.kind.most

    def _over_cards(self, expression: Ranging, domain: _FusedDomain, env: Env) -> Term:
        """Return a quantifier over cards as an operation on sets where that can be, else as a loop."""
        own, inside = env.bind(self.terms, expression.bound, CARD)
        inside = replace(inside, opened=inside.opened | {own})
        test = self.term(expression.condition, inside)
        body = self.term(expression.body, inside.knowing(test))
        asked = _CardQuantifier(own, domain.values, test, body, env.known)
        found = self._as_set(expression, asked, env) if asked.total else None
        return self._loop(expression, domain, env) if found is None else found

    def _as_set(self, expression: Ranging, asked: _CardQuantifier, env: Env) -> Term | None:
        """Return a quantifier over cards as an operation on a set, or None if that needs a loop."""
        t, card = self.terms, self.terms.local(asked.own, CARD)
        match expression:
            case Quantified():
                return self._quantified_set(expression, asked, card)
            case Comprehension():
                return self._filter(asked) if asked.body is card else None
            case Extreme():
                if not _is_trait(asked.body, card):
                    return None
                default = self.term(expression.default, env)
                return extreme(t, expression.quantifier, asked.body, self._filter(asked), default)
            case _:
                assert_never(expression)

    def _quantified_set(self, expression: Quantified, asked: _CardQuantifier, card: Term) -> Term | None:
        """Return a quantifier over a set of cards as masks, or None if that needs a loop."""
        t = self.terms
        match expression.quantifier:
            case "any":
                found = self._lift(asked, t.both(asked.test, asked.body))
                return None if found is None else t.some(found)
            case "all":
                # All of them do if no card is left that does not.
                found = self._lift(asked, t.both(asked.test, t.no(asked.body)))
                return None if found is None else t.no(t.some(found))
            case "count":
                found = self._lift(asked, t.both(asked.test, asked.body))
                return None if found is None else t.size(found)
            case "first":
                found = self._filter(asked) if asked.body is card else None
                return None if found is None else t.make("lowest", Kind("card", optional=True), found)
            case "sum" if _is_trait(asked.body, card):
                kind = self._find_loop_kind("sum", asked.body.kind, [asked.body], t.cards)
                return t.check_bounds(t.make("total", kind, self._filter(asked), name=asked.body.name))
            case "sum":
                return self._multiply(asked)
            case _:
                assert_never(expression.quantifier)

    def _lift(self, asked: _CardQuantifier, condition: Term) -> Term | None:
        """Return the cards of a quantifier that meet a condition, or None if that needs a loop."""
        return lift_condition(self.terms, condition, asked.own, asked.cards, asked.known)

    def _filter(self, asked: _CardQuantifier) -> Term:
        """Return the cards of a quantifier that meet its own condition."""
        return filter_cards(self.terms, asked.test, asked.own, asked.cards, asked.known)

    def _multiply(self, asked: _CardQuantifier) -> Term | None:
        """Return the sum of one number over the cards that meet a condition, or None if that needs a loop."""
        t = self.terms
        # The number stands outside the test now, and is evaluated where no card meets it: it must be defined there.
        if asked.own in asked.body.free or asked.body.needs:
            return None
        found = self._lift(asked, asked.test)
        return None if found is None else t.check_bounds(t.multiply(t.size(found), asked.body))

    def lower_best(self, expression: Best, env: Env) -> Term:
        """Return the first member of a domain with the greatest key."""
        t, key = self.terms, expression.key
        domain = self.term(expression.domain, env)
        own, inside = env.bind(self.terms, expression.bound, element_kind(domain))
        if domain.kind.form == "set":
            rated = self.term(key, replace(inside, opened=inside.opened | {own}))
            found = best(t, rated, own, domain)
            if found is not None:
                return found
        kind = self.kinds.of(expression.type)
        return t.make("loop", kind, domain, t.true, self.term(key, inside), name="best", bound=own)


@dataclass(frozen=True, slots=True)
class _FusedDomain:
    """A domain with filters taken off it, the innermost first."""

    values: Term
    filters: tuple[Comprehension, ...]


@dataclass(frozen=True, slots=True)
class _CardQuantifier:
    """A quantifier over cards while it is turned into sets: its local, its set, its condition, its body."""

    own: str
    cards: Term
    test: Term
    body: Term
    known: frozenset[Term]

    @property
    def total(self) -> bool:
        """Say whether nothing in it can crash."""
        return self.cards.total and self.test.total and self.body.total


def _is_trait(term: Term, card: Term) -> bool:
    """Say whether a term is a number that a card carries."""
    return term.op == "trait" and term.parts[0] is card
