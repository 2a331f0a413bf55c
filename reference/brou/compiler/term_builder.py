"""Builds terms of the lowered form by hash-consing: equal terms are one object, and constants are folded at once.

No rewriting here changes the value of a term or whether it crashes: a part that may crash is never dropped, doubled or
evaluated where it was not before.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from brou.compiler.kinds import NUMBER, SET, TRUTH, absent, exact, join_kinds, number
from brou.compiler.lowered import Constant, Kind, Term, Value
from brou.dataclass import replace
from brou.language.types import UNBOUNDED

#: What each comparison and each calculation says of two numbers; what is divided by is above nought.
COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
CALCULATE: Mapping[str, Callable[[Any, Any], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
}  # fmt: skip
#: The contrary of each comparison.
FLIPPED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class TermBuilder:
    """Makes terms for one program."""

    def __init__(self, cards: int, constants: Mapping[str, Constant], known: dict[object, Term] | None = None) -> None:
        self.cards = cards
        self.constants = constants
        self.full = (1 << cards) - 1
        #: Terms by all that they are, those of other programs too, and what was made of terms.
        self.known: dict[object, Term] = {} if known is None else known
        self.true, self.false = self.const(TRUTH, value=True), self.const(TRUTH, value=False)
        self.nothing = self.const(SET, 0)
        self.pack = self.const(SET, self.full)

    # Making -------------------------------------------------------------------

    def make(  # noqa: PLR0913 - whatever terms differ in
        self,
        op: str,
        kind: Kind,
        *parts: Term,
        name: str = "",
        bound: str = "",
        value: Value = None,
        total: bool = True,
        needs: frozenset[Term] = frozenset(),
        all_needs: bool = False,
    ) -> Term:
        """Return the term of an operation, as it is; `total` and `needs` speak of the operation itself.

        With `all_needs` there are no other needs, whatever its parts have.
        """
        needs = needs if all_needs else needs | _find_needs(op, parts)
        if bound:
            needs = frozenset(term for term in needs if bound not in term.free)
        total = total and all(part.total for part in parts)
        key = (op, kind, parts, name, bound, type(value), value, needs, total)
        found = self.known.get(key)
        if found is None:
            free = frozenset().union(*(part.free for part in parts)) - {bound}
            free = free | {name} if op == "local" else free
            cost = (op not in ("const", "local", "list")) + sum(part.cost for part in parts)
            found = self.known[key] = Term(op, kind, parts, name, bound, value, free, total, needs, cost)
        return found

    def rebuild(self, term: Term, parts: Sequence[Term]) -> Term:
        """Return the same operation on other parts that mean the same."""
        return self.make(
            term.op, term.kind, *parts, name=term.name, bound=term.bound, value=term.value,
            total=term.total, needs=term.needs,
        )  # fmt: skip

    def const(self, kind: Kind, value: Value) -> Term:
        """Return a value that stands fast."""
        return self.make("const", exact(kind, value), value=value)

    def count(self, value: int) -> Term:
        """Return a number that stands fast."""
        return self.const(NUMBER, value)

    def none(self, kind: Kind) -> Term:
        """Return the absent value of a kind."""
        return self.make("const", replace(kind, optional=True), value=absent(kind, self.cards))

    def local(self, name: str, kind: Kind) -> Term:
        """Return a local: an argument, a bound name."""
        return self.make("local", kind, name=name)

    def let(self, name: str, value: Term, body: Term) -> Term:
        """Return the body with a local that stands for a value."""
        if name not in body.free and value.total:
            return body
        return self.make("let", body.kind, value, body, bound=name)

    def maybe(self, term: Term) -> Term:
        """Return the term as one that may be absent."""
        return self._optional(term, optional=True)

    def present(self, term: Term) -> Term:
        """Return the term as one that is there, where that has been proved."""
        return self._optional(term, optional=False)

    def _optional(self, term: Term, *, optional: bool) -> Term:
        if term.kind.optional == optional or term.op == "const":
            return term
        found = self.known.get(term)
        if found is None:
            found = self.known[term] = self.make(
                term.op, replace(term.kind, optional=optional), *term.parts,
                name=term.name, bound=term.bound, value=term.value, total=term.total,
                needs=frozenset() if optional else frozenset([term]),
            )  # fmt: skip
        return found

    def as_set(self, term: Term) -> Term:
        """View an optional card as a set: the singleton, or the empty set, which is present."""
        if term.kind.form != "card":
            return term
        if term.op == "const":
            return self.const(SET, term.value)
        return self.make(
            term.op, SET, *term.parts,
            name=term.name, bound=term.bound, value=term.value, total=term.total, needs=term.needs,
        )  # fmt: skip

    def lookup(self, kind: Kind, name: str, place: Term) -> Term:
        """Return what a table of the game has at a place."""
        values = self.constants[name].values
        if place.op == "const" and isinstance(place.value, int) and 0 <= place.value < len(values):
            return self.const(kind, values[place.value])
        return self.make("lookup", kind, place, name=name)

    def trait(self, kind: Kind, name: str, card: Term) -> Term:
        """Return the number of a card."""
        if card.op == "const" and isinstance(card.value, int) and card.value:
            return self.const(kind, self.constants[name].values[card.value.bit_length() - 1])
        return self.make("trait", kind, card, name=name)

    def fit(self, term: Term, wanted: Kind) -> Term:
        """Give the absent values of a term the kind `wanted`, in the branches of a choice too."""
        if term.kind.form == "none":
            if term.op == "choose":
                return self.choose(term.parts[0], *(self.fit(part, wanted) for part in term.parts[1:]))
            return self.none(wanted)
        return term

    def simple(self, term: Term) -> bool:
        """Say whether a term is as cheap as a local, so that it may be written twice."""
        return term.op in ("const", "local", "state") or (term.op == "element" and term.cost <= 2)

    # Truths -------------------------------------------------------------------

    def both(self, *parts: Term) -> Term:
        """Return whether all parts hold, from left to right and no further than needed."""
        kept: list[Term] = []
        for part in self._flat("and", parts):
            if part is self.true or part in kept:
                continue
            if part is self.false and all(one.total for one in kept):
                return self.false
            kept.append(part)
            if part is self.false:
                break
        if any(self.no(part) in kept[:place] for place, part in enumerate(kept)) and all(p.total for p in kept):
            return self.false
        return self._join("and", kept, self.true)

    def either(self, *parts: Term) -> Term:
        """Return whether some part holds, from left to right and no further than needed."""
        kept: list[Term] = []
        for part in self._flat("or", parts):
            if part is self.false or part in kept:
                continue
            # A part that may crash is evaluated first and must stay, even if the outcome no longer depends on it.
            if part is self.true and all(one.total for one in kept):
                return self.true
            kept.append(part)
            if part is self.true:
                break
        return self._join("or", kept, self.false)

    def _flat(self, op: str, parts: Iterable[Term]) -> Iterable[Term]:
        for part in parts:
            if part.op == op:
                yield from part.parts
            else:
                yield part

    def _join(self, op: str, parts: Sequence[Term], empty: Term) -> Term:
        if len(parts) < 2:
            return parts[0] if parts else empty
        return self.make(op, TRUTH, *parts)

    def no(self, part: Term) -> Term:
        """Return the contrary."""
        if part.op == "const":
            return self.false if part.value else self.true
        if part.op == "not":
            return part.parts[0]
        if part.op == "compare":
            return self.make("compare", TRUTH, *part.parts, name=FLIPPED[part.name])
        return self.make("not", TRUTH, part)

    def choose(self, test: Term, yes: Term, no: Term) -> Term:
        """Return one of two terms; only the chosen one is evaluated."""
        if test.op == "const":
            return yes if test.value else no
        # Both sides are one object where they are equal, since terms are hash-consed. A test that may crash has to
        # stay.
        if yes is no and test.total:
            return yes
        if test.op == "not":
            return self.choose(test.parts[0], no, yes)
        kind = join_kinds(yes.kind, no.kind)
        if kind.form == "truth" and not kind.optional:
            if yes.op == "const":
                return self.either(test, no) if yes.value else self.both(self.no(test), no)
            if no.op == "const":
                return self.either(self.no(test), yes) if no.value else self.both(test, yes)
        if kind.form in ("card", "set") and no.op == "const" and no.value == 0:
            return self._choose_set(test, yes, no, kind)
        return self.make("choose", kind, test, yes, no)

    def _choose_set(self, test: Term, yes: Term, no: Term, kind: Kind) -> Term:
        """Return a set where a test holds, the empty one else; that the set is not empty need not be tested."""
        # Where the test fails because the set is empty, the set itself is what the other side gives.
        itself = self.make("some", TRUTH, self.maybe(yes))
        if test is itself:
            return self.maybe(yes)
        if test.op == "and" and test.parts[-1] is itself:
            return self.choose(self.both(*test.parts[:-1]), self.maybe(yes), no)
        return self.make("choose", kind, test, yes, no)

    # Comparisons --------------------------------------------------------------

    def compare(self, name: str, one: Term, two: Term) -> Term:
        """Return how two numbers, indexes, truths, cards, sets or piles compare."""
        if one.op == "const" and two.op != "const":
            name, one, two = _MIRRORED[name], two, one
        known = self._fold_comparison(name, one, two)
        if known is not None:
            return self.true if known else self.false
        # One form for both, so that a test and its contrary share a term.
        if name == "!=" and one.kind.form != "number":
            return self.no(self.compare("==", one, two))
        if name == "==":
            if two.kind.form == "truth" and two.op == "const" and not one.kind.optional:
                return one if two.value is True else self.no(one)
            if one.kind.form == "card":
                return self._same_card(one, two)
            if one.kind.form == "set" and two is self.nothing and not one.kind.optional:
                return self.no(self.some(one))
            if one.op == "choose" and two.op == "const" and any(part.op == "const" for part in one.parts[1:]):
                yes, no = (self.compare(name, part, two) for part in one.parts[1:])
                return self.choose(one.parts[0], yes, no)
        return self.make("compare", TRUTH, one, two, name=name)

    def _same_card(self, one: Term, two: Term) -> Term:
        """Return whether two cards are one: where one of them is there, whether they have it in common."""
        if two.op == "const" and not two.value:
            return self.no(self.some(one))
        if not one.kind.optional or not two.kind.optional:
            return self.some(self.common(one, two))
        return self.make("compare", TRUTH, one, two, name="==")

    def _fold_comparison(self, name: str, one: Term, two: Term) -> bool | None:
        """Return how a comparison comes out if that is known beforehand."""
        if not (one.total and two.total):
            return None
        if one is two:
            return name in ("==", "<=", ">=")
        if one.op == two.op == "const":
            return bool(COMPARE[name](one.value, two.value))
        scalar = one.kind.form in ("index", "truth", "number", "card")
        if scalar and two.op == "const" and not one.kind.optional and two.value == absent(two.kind, self.cards):
            return name == "!="
        return self._by_bounds(name, one, two)

    def _by_bounds(self, name: str, one: Term, two: Term) -> bool | None:
        """Return how a comparison comes out if the bounds of both sides tell."""
        numbers = one.kind.form in ("number", "index") and not (one.kind.optional or two.kind.optional)
        # The ranges of both sides do not meet, or only in one number: the comparison is known without values. An absent
        # value has a code outside the range, so nothing is concluded about a kind that has one.
        if numbers and one.kind.high < two.kind.low:
            return name in ("<", "<=", "!=")
        if numbers and one.kind.low > two.kind.high:
            return name in (">", ">=", "!=")
        if numbers and one.kind.high <= two.kind.low and name in ("<=", ">"):
            return name == "<="
        if numbers and one.kind.low >= two.kind.high and name in (">=", "<"):
            return name == ">="
        return None

    # Numbers ------------------------------------------------------------------

    def add(self, one: Term, two: Term) -> Term:
        """Return a sum."""
        kind = number(one.kind.low + two.kind.low, one.kind.high + two.kind.high)
        return self._calculate("+", kind, one, two, 0)

    def subtract(self, one: Term, two: Term) -> Term:
        """Return a difference."""
        kind = number(one.kind.low - two.kind.high, one.kind.high - two.kind.low)
        return self._calculate("-", kind, one, two, 0)

    def multiply(self, one: Term, two: Term) -> Term:
        """Return a product."""
        # A product is least and greatest in a corner of the two ranges, whichever signs they have.
        corners = [a * b for a in (one.kind.low, one.kind.high) for b in (two.kind.low, two.kind.high)]
        return self._calculate("*", number(min(corners), max(corners)), one, two, 1)

    def divide(self, one: Term, two: Term) -> Term:
        """Return a quotient, rounded down."""
        corners = [a // b for a in (one.kind.low, one.kind.high) for b in (two.kind.low, two.kind.high)]
        return self._calculate("//", number(min(corners), max(corners)), one, two, 1)

    def check_bounds(self, term: Term) -> Term:
        """Return a number that is a crash beyond what numbers may be, as it is where its kind excludes that."""
        low, high = max(term.kind.low, -UNBOUNDED), min(term.kind.high, UNBOUNDED)
        if (low, high) == (term.kind.low, term.kind.high):
            return term
        return self.make("bounded", number(low, high), term, total=False)

    def _calculate(self, op: str, kind: Kind, one: Term, two: Term, neutral: int) -> Term:
        if one.op == two.op == "const":
            return self.count(CALCULATE[op](one.value, two.value))
        if op in ("+", "-") and two.op == "const" and one.op in ("+", "-") and one.parts[1].op == "const":
            return self._shift_sum(kind, one, _apply_sign(op, two))
        if two.op == "const" and two.value == neutral:
            return one
        if one.op == "const" and one.value == neutral and op in ("+", "*"):
            return two
        return self.make(op, kind, one, two)

    def _shift_sum(self, kind: Kind, one: Term, more: int) -> Term:
        """Return a sum with a number to which more is added."""
        base, offset = one.parts[0], _apply_sign(one.op, one.parts[1]) + more
        if not offset:
            return base
        return self.make("+" if offset > 0 else "-", kind, base, self.count(abs(offset)))

    def extreme(self, name: str, one: Term, two: Term) -> Term:
        """Return the less (`min`) or the greater (`max`) of two numbers."""
        pick = min if name == "min" else max
        less, more = (one, two) if name == "min" else (two, one)
        if one.total and two.total:
            if less.kind.high <= more.kind.low:
                return one
            if more.kind.high <= less.kind.low:
                return two
        low, high = pick(one.kind.low, two.kind.low), pick(one.kind.high, two.kind.high)
        return self.make(name, number(low, high), one, two)

    # Sets ---------------------------------------------------------------------

    def common(self, one: Term, two: Term) -> Term:
        """Return the cards that two sets have in common."""
        if self._known_away(one, two, self.nothing) or self._known_away(two, one, self.nothing):
            return self.nothing
        if one is self.pack or one is two:
            return two
        if two is self.pack:
            return one
        if one.op == two.op == "const":
            return self.const(SET, _mask(one) & _mask(two))
        kind = Kind("card", optional=True) if "card" in (one.kind.form, two.kind.form) else SET
        return self.make("common", kind, one, two)

    def union(self, one: Term, two: Term) -> Term:
        """Return the cards of both sets."""
        if one is two or two is self.nothing:
            return one
        if one is self.nothing:
            return two
        if one.op == two.op == "const":
            return self.const(SET, _mask(one) | _mask(two))
        if one.op == two.op == "choose" and one.parts[0] is two.parts[0] and one.parts[2] is two.parts[2]:
            return self.choose(one.parts[0], self.union(one.parts[1], two.parts[1]), one.parts[2])
        return self.make("union", SET, one, two)

    def without(self, one: Term, two: Term) -> Term:
        """Return the cards of one set that are not in the other."""
        if two is self.nothing:
            return one
        if self._known_away(one, two, self.nothing) or (two is self.pack and one.total) or (one is two and one.total):
            return self.nothing
        if one.op == two.op == "const":
            return self.const(SET, _mask(one) & ~_mask(two))
        if two.op == "choose" and two.parts[2] is self.nothing:
            return self.choose(two.parts[0], self.without(one, two.parts[1]), one)
        # One set without all that is not in another is what both have in common.
        if two.op == "without" and two.parts[0] is one:
            return self.common(one, two.parts[1])
        if two.op == "union":
            return self.without(self.without(one, two.parts[0]), two.parts[1])
        kind = Kind("card", optional=True) if one.kind.form == "card" else SET
        return self.make("without", kind, one, two)

    def _known_away(self, one: Term, two: Term, nothing: Term) -> bool:
        return one is nothing and two.total

    def some(self, cards: Term) -> Term:
        """Return whether a set has any card, or a card is there."""
        if cards.op == "const":
            return self.true if cards.value else self.false
        if cards.kind.form == "card" and not cards.kind.optional and cards.total:
            return self.true
        if cards.op == "choose" and any(part.op == "const" for part in cards.parts[1:]):
            return self.choose(cards.parts[0], self.some(cards.parts[1]), self.some(cards.parts[2]))
        return self.make("some", TRUTH, cards)

    def spread(self, pile: Term) -> Term:
        """Return the set of a pile."""
        if pile.op == "take" and pile.parts[1].op == "const" and pile.parts[1].value == 1:
            return self.as_set(self.make("top", Kind("card", optional=True), pile.parts[0]))
        return self.make("spread", SET, pile)

    def length(self, values: Term) -> Term:
        """Return how many values a list, or cards a pile, has."""
        return self.make("length", number(0, values.kind.most), values)

    def size(self, cards: Term) -> Term:
        """Return how many cards a set has."""
        if cards.op == "const":
            return self.count(_mask(cards).bit_count())
        return self.make("size", number(0, self.cards), cards)


def _mask(term: Term) -> int:
    """Return a set or a number that stands fast."""
    value: Any = term.value
    return int(value)


def _find_needs(op: str, parts: Sequence[Term]) -> frozenset[Term]:
    """Return the terms that must be present for an operation on parts, except those that its own tests prove."""
    found: frozenset[Term] = frozenset()
    # A later part is asked only where the earlier ones hold, or all fail: what they prove then, it need not bring
    # along.
    if op in ("and", "or"):
        proved: frozenset[Term] = frozenset()
        for part in parts:
            found |= part.needs - proved
            proved |= there(part, holds=op == "and")
        return found
    if op == "choose":
        test, yes, no = parts
        return test.needs | (yes.needs - there(test)) | (no.needs - there(test, holds=False))
    if op == "loop":
        domain, test, body, *default = parts
        return frozenset().union(domain.needs, test.needs, body.needs - there(test), *(one.needs for one in default))
    if op == "unique":
        thens = (then.needs - there(when) for when, then in zip(parts[::2], parts[1::2], strict=True))
        return frozenset().union(*(when.needs for when in parts[::2]), *thens)
    return frozenset().union(*(part.needs for part in parts))


def there(test: Term, *, holds: bool = True) -> frozenset[Term]:
    """Return the terms that are there if a test holds, or if it fails."""
    match test.op:
        case "not":
            return there(test.parts[0], holds=not holds)
        case "and" | "or":
            # If an `and` holds, or an `or` fails, every part has this outcome and its proofs add up. Otherwise some
            # part has it, and it is unknown which: only what all parts would prove is certain.
            sides = [there(part, holds=holds) for part in test.parts]
            return frozenset().union(*sides) if (test.op == "and") == holds else frozenset.intersection(*sides)
        case "some" if holds:
            cards = test.parts[0]
            return frozenset(cards.parts if cards.op == "common" else [cards])
        case "compare" if test.name in ("==", "!="):
            one, two = test.parts
            same = (test.name == "==") == holds
            if two.op == "const" and two.kind.optional:
                return frozenset() if same else frozenset([one])
            if same and one.kind.optional != two.kind.optional:
                return frozenset([one, two])
    return frozenset()


def _apply_sign(op: str, term: Term) -> int:
    return _mask(term) if op == "+" else -_mask(term)
