"""Quantifiers in the lowered form: as masks where they range over cards, in straight lines where that is short.

Like all expressions they keep the order and the laziness of the language:
what may crash is evaluated where the interpreter evaluates it, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

from brou.compiler.lift import best, extreme, lifted, sifted
from brou.compiler.lower_kinds import Env, element_kind, filters, kind_of
from brou.compiler.lower_operations import Operations
from brou.compiler.lowered import Kind, Term
from brou.compiler.terms import CARD
from brou.language.syntax import Expression
from brou.language.types import Cards

#: A quantifier over fixed values is written out where that takes at most so many operations.
_UNROLLED = 100


class Expressions(Operations):
    """Lowers all expressions of one game."""

    def _each(self, expression: Expression, env: Env) -> Term:
        domain = self._fused(expression.parts[0], env)
        rest = expression.parts[1:]
        if domain.values.kind.form == "set":
            return self._over_cards(expression, domain, rest, env)
        members = self._spelt(domain.values)
        if members is not None:
            written = self._written_out(expression, members, domain, rest, env)
            if written is not None:
                return written
        return self._loop(expression, domain, rest, env)

    def _fused(self, values: Expression, env: Env) -> _Domain:
        """Return a domain, a filter over it taken apart where that changes nothing."""
        if filters(values) and values.type != Cards():
            inner = self._fused(values.parts[0], env)
            _, inside = self.bind(values.bound, element_kind(inner.values), env)
            if self.term(values.parts[1], inside).total and inner.values.kind.form == "list":
                return _Domain(inner.values, (*inner.filters, values))
        return _Domain(self.term(values, env), ())

    def _tested(self, domain: _Domain, member: Term, condition: Expression, env: Env) -> Term:
        """Return whether a member passes all filters of a domain and a condition."""
        tests: list[Term] = []
        for one in domain.filters:
            tests.append(self.term(one.parts[1], env.binding(one.bound, member).knowing(*tests)))
        return self.terms.both(*tests, self.term(condition, env.knowing(*tests)))

    def _spelt(self, values: Term) -> list[Term] | None:
        """Return the members of a list that is known one by one."""
        if values.op == "list" and not values.name:
            return list(values.parts)
        element = values.kind.element
        if values.op == "const" and isinstance(values.value, tuple) and element is not None:
            return [self.terms.const(element, value) for value in values.value]
        return None

    def _written_out(
        self, expression: Expression, members: Sequence[Term], domain: _Domain, rest: Sequence[Expression], env: Env
    ) -> Term | None:
        """Return a quantifier as one term a member, unless that is long."""
        name = expression.name
        if (name == "set" and expression.type != Cards()) or not all(map(self.terms.simple, members)):
            return None
        pairs: list[tuple[Term, Term]] = []
        for member in members:
            inside = env.binding(expression.bound, member)
            test = self._tested(domain, member, rest[0], inside)
            pairs.append((test, self.term(rest[1], inside.knowing(test))))
            if sum(test.cost + body.cost for test, body in pairs) > _UNROLLED:
                return None
        return self._straight(expression, pairs, rest, env)

    def _straight(
        self, expression: Expression, pairs: Sequence[tuple[Term, Term]], rest: Sequence[Expression], env: Env
    ) -> Term | None:
        """Return a quantifier over pairs of a test and a value, from left to right."""
        t = self.terms
        match expression.name:
            case "any":
                return t.either(*(t.both(test, body) for test, body in pairs))
            case "all":
                return t.both(*(t.choose(test, body, t.true) for test, body in pairs))
            case "count":
                return self._summed([(t.both(test, body), t.count(1)) for test, body in pairs])
            case "sum":
                return self._summed(pairs)
            case "set":
                return reduce(t.union, (t.choose(test, body, t.nothing) for test, body in pairs), t.nothing)
            case "first":
                return self._first_of(pairs, kind_of(expression.type))
        if not pairs:
            return self.term(rest[2], env)
        if any(test is not t.true for test, _ in pairs):
            return None
        return reduce(partial(t.extreme, expression.name), (body for _, body in pairs))

    def _summed(self, pairs: Sequence[tuple[Term, Term]]) -> Term:
        t = self.terms
        return reduce(t.add, (t.choose(test, body, t.count(0)) for test, body in pairs), t.count(0))

    def _first_of(self, pairs: Sequence[tuple[Term, Term]], kind: Kind) -> Term:
        t = self.terms
        found = t.none(kind)
        for test, body in reversed(pairs):
            found = t.choose(test, t.maybe(self.fitted(body, kind)), found)
        return found

    def _loop(self, expression: Expression, domain: _Domain, rest: Sequence[Expression], env: Env) -> Term:
        t = self.terms
        own, inside = self.bind(expression.bound, element_kind(domain.values), env)
        kind = kind_of(expression.type)
        test = self._tested(domain, inside.values[expression.bound], rest[0], inside)
        inside = inside.knowing(test)
        body = self.term(rest[1], inside, replace(kind, optional=True) if expression.name == "first" else kind.element)
        default = [self.term(part, env) for part in rest[2:]]
        name = expression.name
        if name == "set":
            name = "union" if kind.form == "set" else "gather"
        return t.make("loop", kind, domain.values, test, body, *default, name=name, bound=own)

    def _over_cards(self, expression: Expression, domain: _Domain, rest: Sequence[Expression], env: Env) -> Term:
        """Return a quantifier over cards as an operation on sets where that can be, else as a loop."""
        own, inside = self.bind(expression.bound, CARD, env)
        inside = replace(inside, opened=inside.opened | {own})
        test = self.term(rest[0], inside)
        body = self.term(rest[1], inside.knowing(test))
        asked = _Asked(own, domain.values, test, body, env.known)
        default = [self.term(part, env) for part in rest[2:]]
        found = self._as_set(expression, asked, default) if asked.total else None
        return self._loop(expression, domain, rest, env) if found is None else found

    def _as_set(self, expression: Expression, asked: _Asked, default: Sequence[Term]) -> Term | None:
        """Return a quantifier over cards as an operation on a set, or None if that needs a loop."""
        t, name = self.terms, expression.name
        card = t.local(asked.own, CARD)
        if name in ("any", "all", "count"):
            wanted = t.no(asked.body) if name == "all" else asked.body
            found = lifted(t, t.both(asked.test, wanted), asked.own, asked.cards, asked.known)
            return None if found is None else self._judged(name, found)
        if asked.body is card:
            found = sifted(t, asked.test, asked.own, asked.cards, asked.known)
            return found if name == "set" else t.make("lowest", Kind("card", optional=True), found)
        if asked.body.op == "trait" and asked.body.parts[0] is card and name != "first":
            found = sifted(t, asked.test, asked.own, asked.cards, asked.known)
            if name == "sum":
                return t.make("total", kind_of(expression.type), found, name=asked.body.name)
            return extreme(t, name, asked.body, found, default[0]) if default else None
        if name != "sum" or asked.own in asked.body.free or asked.body.needs:
            return None
        found = lifted(t, asked.test, asked.own, asked.cards, asked.known)
        product = None if found is None else t.multiply(t.size(found), asked.body)
        return product if product is not None and product.total else None

    def _judged(self, name: str, found: Term) -> Term:
        t = self.terms
        if name == "count":
            return t.size(found)
        return t.no(t.some(found)) if name == "all" else t.some(found)

    def _best(self, expression: Expression, env: Env) -> Term:
        t = self.terms
        values, key = expression.parts
        domain = self.term(values, env)
        own, inside = self.bind(expression.bound, element_kind(domain), env)
        if domain.kind.form == "set":
            rated = self.term(key, replace(inside, opened=inside.opened | {own}))
            found = best(t, rated, own, domain)
            if found is not None:
                return found
        kind = kind_of(expression.type)
        return t.make("loop", kind, domain, t.true, self.term(key, inside), name="best", bound=own)


@dataclass(frozen=True, slots=True)
class _Domain:
    """A domain with filters taken off it, the innermost first."""

    values: Term
    filters: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
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
