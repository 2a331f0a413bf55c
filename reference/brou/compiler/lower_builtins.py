"""What a built-in function is compiled with: the terms of one program, and the locals in sight of the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NoReturn

from brou.compiler.kinds import CARD, SET, join_kinds
from brou.compiler.kinds import number as within
from brou.compiler.lower_kinds import Env, Kinds
from brou.compiler.lowered import Kind, Term
from brou.compiler.term_builder import TermBuilder
from brou.dataclass import replace
from brou.errors import Unknown, WrongBuiltin
from brou.language.making import Order
from brou.language.types import Type


class Making:
    """Makes the terms of one call; it keeps what `brou.language.making.Core` promises."""

    def __init__(self, name: str, terms: TermBuilder, kinds: Kinds, env: Env) -> None:
        self._name = name
        self._terms = terms
        self._kinds = kinds
        self._env = env

    # Tables and numbers -------------------------------------------------------

    def number(self, value: int) -> Term:
        """Return a number that stands fast."""
        return self._terms.count(value)

    def lookup(self, gives: Type, table: str, place: Term) -> Term:
        """Return what a table of the game has at a place."""
        self._check_table(table, by_card=False)
        return self._terms.lookup(self._kinds.of(gives), table, place)

    def trait(self, gives: Type, table: str, card: Term) -> Term:
        """Return what a table of the game has for a card."""
        self._check_table(table, by_card=True)
        return self._terms.trait(self._kinds.of(gives), table, card)

    def _check_table(self, table: str, *, by_card: bool) -> None:
        """Raise if there is no such table of cards, or of places."""
        known = [name for name, one in self._terms.constants.items() if one.by_card == by_card]
        if table not in known:
            kind = "table of cards (`trait`)" if by_card else "table of places (`lookup`)"
            raise WrongBuiltin(self._name, Unknown(kind, table, known))

    def add(self, one: Term, two: Term) -> Term:
        """Return a sum."""
        return self._terms.add(one, two)

    def subtract(self, one: Term, two: Term) -> Term:
        """Return a difference."""
        return self._terms.subtract(one, two)

    def multiply(self, one: Term, two: Term) -> Term:
        """Return a product."""
        return self._terms.multiply(one, two)

    def least(self, one: Term, two: Term) -> Term:
        """Return the smaller number."""
        return self._terms.extreme("min", one, two)

    def most(self, one: Term, two: Term) -> Term:
        """Return the greater number."""
        return self._terms.extreme("max", one, two)

    def magnitude(self, number: Term) -> Term:
        """Return a number without its sign."""
        low, high = number.kind.low, number.kind.high
        less, more = sorted((abs(low), abs(high)))
        return self._terms.make("abs", within(0 if low <= 0 <= high else less, more), number)

    def span(self, gives: Type, low: Term, high: Term) -> Term:
        """Return the numbers from one to another, both included."""
        match low, high:
            case Term(op="const", value=int(first)), Term(op="const", value=int(last)):
                return self._terms.const(self._kinds.of(gives), tuple(range(first, last + 1)))
        element = within(low.kind.low, max(low.kind.low, high.kind.high))
        most = max(0, high.kind.high - low.kind.low + 1)
        return self._terms.make("range", Kind("list", element=element, most=most), low, high)

    # Truths -------------------------------------------------------------------

    def compare(self, order: Order | Literal["==", "!="], one: Term, two: Term) -> Term:
        """Return how two values compare."""
        return self._terms.compare(order, one, two)

    def no(self, truth: Term) -> Term:
        """Return the contrary."""
        return self._terms.no(truth)

    def both(self, *truths: Term) -> Term:
        """Return whether all hold, from left to right and no further than needed."""
        return self._terms.both(*truths)

    def either(self, *truths: Term) -> Term:
        """Return whether one holds, from left to right and no further than needed."""
        return self._terms.either(*truths)

    def choose(self, test: Term, yes: Term, no: Term) -> Term:
        """Return one of two values; the other one is not evaluated."""
        kind = join_kinds(yes.kind, no.kind)
        yes, no = (self._terms.none(kind) if one.kind.form == "none" else one for one in (yes, no))
        return self._terms.choose(test, yes, no)

    def let(self, value: Term, body: Callable[[Term], Term]) -> Term:
        """Return a body with a value that is evaluated once, before it."""
        outer, name = self._env, self._env.make_name("it")
        self._env = replace(outer, live=outer.live | {name})
        try:
            return self._terms.let(name, value, body(self._terms.local(name, value.kind)))
        finally:
            self._env = outer

    # Sets and piles -----------------------------------------------------------

    def common(self, one: Term, two: Term) -> Term:
        """Return the cards that two sets have in common."""
        return self._terms.common(one, two)

    def union(self, one: Term, two: Term) -> Term:
        """Return the cards of both sets."""
        return self._terms.union(one, two)

    def without(self, one: Term, two: Term) -> Term:
        """Return the cards of one set that are not in the other."""
        return self._terms.without(one, two)

    def some(self, cards: Term) -> Term:
        """Return whether a set has any card."""
        return self._terms.some(cards)

    def size(self, cards: Term) -> Term:
        """Return how many cards a set has."""
        return self._terms.size(cards)

    def length(self, values: Term) -> Term:
        """Return how many cards a pile has, or how many values there are."""
        if values.op == "const" and isinstance(values.value, tuple):
            return self._terms.count(len(values.value))
        return self._terms.length(values)

    def top(self, pile: Term) -> Term:
        """Return the first card of a pile, or none."""
        return self._terms.make("top", replace(CARD, optional=True), pile)

    def bottom(self, pile: Term) -> Term:
        """Return the last card of a pile, or none."""
        return self._terms.make("bottom", replace(CARD, optional=True), pile)

    def cut(self, pile: Term, count: Term) -> Term:
        """Return the pile with its top cards put under the rest."""
        return self._terms.make("cut", pile.kind, pile, count)

    def spread(self, pile: Term) -> Term:
        """Return the cards of a pile as a set."""
        return self._terms.make("spread", SET, pile)

    # Absent values ------------------------------------------------------------

    def absent(self, value: Term) -> Term:
        """Return whether a value that may be None is None."""
        return self._terms.compare("==", value, self._terms.none(value.kind))

    def present(self, value: Term) -> Term:
        """Return a value as one that is there."""
        return self._terms.present(value)

    def is_none(self, value: Term) -> bool:
        """Say whether a value is None for certain."""
        return value.kind.form == "none"

    def is_optional(self, value: Term) -> bool:
        """Say whether a value may be None."""
        return value.kind.optional

    def is_simple(self, value: Term) -> bool:
        """Say whether a value is as cheap as a local, so that it may stand twice."""
        return self._terms.simple(value)

    def is_total(self, value: Term) -> bool:
        """Say whether a value cannot crash, so that it need not be evaluated."""
        return value.total

    def refuse(self, why: str) -> NoReturn:
        """Give up; the types let no rule ask for it."""
        raise TypeError(why)
