"""From a condition on one card to the set of cards that meet it, with no loop over cards.

`suit(c) == trump` is a mask, `strength(c) > top` another, `and` narrows, a test
that does not ask for the card is a choice between the set and nothing. Only
terms that cannot crash are turned over, so nothing that would have crashed is
passed by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brou.compiler.constants import reaching
from brou.compiler.kinds import CARD, SET, number
from brou.compiler.lowered import Kind, Term
from brou.compiler.term_builder import TermBuilder, there


def lift_condition(
    terms: TermBuilder, condition: Term, card: str, cards: Term, known: Iterable[Term] = ()
) -> Term | None:
    """Return the cards of a set that meet a condition on the local `card`, or None if that needs a loop.

    `known` are tests that hold at this place.
    """
    if not (condition.total and cards.total):
        return None
    found = _Lift(terms, card, known).set(condition, cards)
    return None if found is None else terms.as_set(found)


def filter_cards(terms: TermBuilder, condition: Term, card: str, cards: Term, known: Iterable[Term] = ()) -> Term:
    """Return the cards of a set that meet a condition, without a loop as far as that goes."""
    known = tuple(known)
    whole = lift_condition(terms, condition, card, cards, known)
    if whole is not None:
        return whole
    if condition.op == "and" and condition.total and cards.total:
        first, *rest = condition.parts
        narrowed = lift_condition(terms, first, card, cards, known)
        if narrowed is not None:
            cards, condition = narrowed, terms.both(*rest)
    return terms.make("loop", SET, cards, condition, terms.local(card, CARD), name="sift", bound=card)


def best(terms: TermBuilder, key: Term, card: str, cards: Term) -> Term | None:
    """Return the first card with the greatest key, or None if that needs a loop over the cards."""
    return _Lift(terms, card, ()).best(key, cards) if key.total and cards.total else None


class _Lift:
    """Turns conditions on one local into masks; every method returns None where only a loop would do.

    A term that is defined only for a present value waits until a test has proved the presence, or a card remains.
    """

    def __init__(self, terms: TermBuilder, card: str, known: Iterable[Term]) -> None:
        self.terms = terms
        self.card = card
        self.proved = frozenset[Term]().union(*map(there, known))

    def free(self, term: Term) -> bool:
        """Say whether a term asks for the card."""
        return self.card in term.free

    def set(self, test: Term, cards: Term) -> Term | None:
        """Return the cards of a set for which the test holds."""
        t = self.terms
        # It holds for all cards or for none.
        if not self.free(test):
            return t.choose(test, cards, t.nothing)
        match test.op:
            case "and":
                return self._both(test.parts, cards)
            case "or":
                return self._either(test.parts, cards)
            case "not":
                return self._without(test.parts[0], cards)
            case "some":
                return self._some(test.parts[0], cards)
            case "compare":
                return self._lift_comparison(test.name, test.parts, cards)
            case "contains" if self._of_card(test.parts[1]) and test.parts[0].op == "const":
                return self._lift_membership(test.parts[0], test.parts[1], cards)
            case "choose" if test.kind.form == "truth":
                return self._lift_choice(test, cards)
            case "let" if not self.free(test.parts[0]):
                inner = self.set(test.parts[1], cards)
                return None if inner is None else t.let(test.bound, test.parts[0], inner)
        return None

    def _both(self, parts: Sequence[Term], cards: Term) -> Term | None:
        """Narrow the set by each part, beginning with the tests that do not depend on the card."""
        t, before = self.terms, self.proved
        apart: list[Term] = []
        # Nothing here can crash, so the order of tests matters only for one that is defined behind another. A test that
        # does not ask for the card is moved to the front where no other is passed by, or where all that it needs is
        # proved there.
        for place, part in enumerate(parts):
            if not self.free(part) and (place == len(apart) or part.needs <= self.proved):
                apart.append(part)
                self.proved |= there(part)
        found: Term | None = cards
        asked = [part for part in parts if part not in apart]
        for place, part in enumerate(asked):
            if found is not None:
                found = self._narrow(part, found) if place else self.set(part, found)
            asked[place + 1 :] = [self._substitute_known(other, part) for other in asked[place + 1 :]]
        self.proved = before
        return None if found is None else t.choose(t.both(*apart), found, t.nothing)

    def _substitute_known(self, test: Term, known: Term) -> Term:
        """Return a test behind another one that holds, which may say what suit, rank or number the card has."""
        if known.op != "compare" or known.name != "==":
            return test
        # Behind `suit(c) == trump` the suit of the card is the trump. Put in its place it makes later tests free of the
        # card, and such a test is asked once for the whole set. No trait is absent, so what equals one is present.
        trait, value = known.parts if self.free(known.parts[0]) else known.parts[::-1]
        if self.free(value) or not self._of_card(trait):
            return test

        def walk(term: Term) -> Term:
            if term is trait:
                return self.terms.present(value)
            return self.terms.rebuild(term, list(map(walk, term.parts))) if self.free(term) else term

        return walk(test)

    def _narrow(self, part: Term, cards: Term) -> Term | None:
        """Narrow a set by a test; one that is defined only behind tests of the card waits until a card remains."""
        found = self.set(part, cards)
        if found is None or part.needs <= self.proved:
            return found
        # While a card remains, it has passed the tests before this one, and they prove what it needs. With none left
        # nothing may be asked, and the empty set is right.
        return self.terms.choose(self.terms.some(cards), found, self.terms.nothing)

    def _either(self, parts: Sequence[Term], cards: Term) -> Term | None:
        t = self.terms
        alone: list[Term] = []
        found = t.nothing
        for place, part in enumerate(parts):
            sure = part.needs <= self.proved
            if not self.free(part) and (sure or place == len(alone)):
                alone.append(part)
                continue
            # Only cards for which all parts before have failed are asked further, as in a loop.
            more = self.set(part, cards) if sure or not place else self._narrow(part, t.without(cards, found))
            if more is None:
                return None
            found = t.union(found, more)
        return t.choose(t.either(*alone), cards, found)

    def _without(self, test: Term, cards: Term) -> Term | None:
        """Return the cards for which a test fails."""
        t = self.terms
        if test.op == "some" and test.parts[0].op == "common" and (other := self._beside(test.parts[0])) is not None:
            return t.without(cards, other)
        # A set without one card is empty in two cases: it has no card, and then every card meets the test, or it has a
        # single one, and then only that card does.
        if test.op == "some" and (rest := self._but(test.parts[0])) is not None:
            single = t.compare("==", t.size(rest), t.count(1))
            return t.choose(t.some(rest), t.choose(single, t.common(cards, rest), t.nothing), cards)
        found = self.set(test, cards)
        return None if found is None else t.without(cards, found)

    def _some(self, cards_of: Term, cards: Term) -> Term | None:
        t = self.terms
        if cards_of.op == "common" and (other := self._beside(cards_of)) is not None:
            return t.common(cards, other)
        if cards_of.op == "without" and self._is_card(cards_of.parts[0]) and not self.free(cards_of.parts[1]):
            return t.without(cards, cards_of.parts[1])
        # The contrary of the case in `_without`: of two cards or more one is left whichever is taken away.
        if (rest := self._but(cards_of)) is not None:
            single = t.compare("==", t.size(rest), t.count(1))
            return t.choose(t.some(rest), t.choose(single, t.without(cards, rest), cards), t.nothing)
        return None

    def _is_card(self, term: Term) -> bool:
        return term.op == "local" and term.name == self.card

    def _beside(self, common: Term) -> Term | None:
        """Return what the card has to lie in, of a term `card & set`."""
        one, two = common.parts
        if self._is_card(two):
            one, two = two, one
        return two if self._is_card(one) and not self.free(two) else None

    def _but(self, term: Term) -> Term | None:
        """Return the set of which the card is left out, of a term `set without card` with more left out of it."""
        t = self.terms
        away: list[Term] = []
        while term.op == "without":
            away.append(term.parts[1])
            term = term.parts[0]
        if self.free(term) or sum(map(self._is_card, away)) != 1:
            return None
        for other in reversed(away):
            if not self._is_card(other):
                if self.free(other):
                    return None
                term = t.without(term, other)
        return term

    def _lift_comparison(self, name: str, sides: Sequence[Term], cards: Term) -> Term | None:
        """Return the cards of which a number, suit or rank compares so with something else."""
        t, (one, two) = self.terms, sides
        if self.free(two) and not self.free(one):
            return self._lift_comparison(
                {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(name, name), (two, one), cards
            )
        # A choice that is compared is the choice between two comparisons, each of which may be a mask.
        if one.op == "choose" and self.free(one):
            yes, no = (t.compare(name, part, two) for part in one.parts[1:])
            return self.set(t.choose(one.parts[0], yes, no), cards)
        if one.op == "+" and one.parts[1].op == "const" and two.op == "const":
            return self.set(t.compare(name, one.parts[0], t.subtract(two, one.parts[1])), cards)
        if self.free(two) or not self._of_card(one):
            return None
        if one.kind.form == "index":
            same = t.lookup(SET, f"{one.name}_set", two)
            return t.common(cards, same) if name == "==" else t.without(cards, same)
        # Two sets that stand in a table answer every comparison: the cards of at least that number, and those of more.
        reach, more = self._from(one, two), self._from(one, t.add(two, t.count(1)))
        if reach is None or more is None:
            return None
        found = {
            ">=": lambda: t.common(cards, reach),
            ">": lambda: t.common(cards, more),
            "<": lambda: t.without(cards, reach),
            "<=": lambda: t.without(cards, more),
            "==": lambda: t.without(t.common(cards, reach), more),
            "!=": lambda: t.union(t.without(cards, reach), t.common(cards, more)),
        }
        return found[name]()

    def _lift_membership(self, values: Term, trait: Term, cards: Term) -> Term | None:
        """Return the cards whose number, suit or rank is among some."""
        t, found = self.terms, self.terms.nothing
        for value in values.value if isinstance(values.value, tuple) else ():
            more = self._lift_comparison("==", (trait, t.const(trait.kind, value)), cards)
            if more is None:
                return None
            found = t.union(found, more)
        return found

    def _of_card(self, term: Term) -> bool:
        return term.op == "trait" and self._is_card(term.parts[0])

    def _from(self, trait: Term, least: Term) -> Term | None:
        """Return all cards of the pack whose number is at least so much, or None where only a loop finds them."""
        t = self.terms
        low, high = trait.kind.low, trait.kind.high
        if least.op == "const" and isinstance(least.value, int):
            return t.const(SET, reaching(t.constants[trait.name].values, least.value))
        if f"{trait.name}_from" not in t.constants:
            return None
        # Numbers below those of all cards read the first set, the whole pack; numbers above them the last, which is
        # empty. The table has one set more than there are numbers, so every place is in it.
        least = t.extreme("min", t.extreme("max", least, t.count(low)), t.count(high + 1))
        return t.lookup(SET, f"{trait.name}_from", t.subtract(least, t.count(low)))

    def _lift_choice(self, test: Term, cards: Term) -> Term | None:
        t = self.terms
        one, yes, no = test.parts
        if not self.free(one):
            sides = [self._behind(one, part, cards, holds=part is yes) for part in (yes, no)]
            return None if sides[0] is None or sides[1] is None else t.choose(one, sides[0], sides[1])
        good = self.set(one, cards)
        if good is None:
            return None
        first, second = self._narrow(yes, good), self._narrow(no, t.without(cards, good))
        return None if first is None or second is None else t.union(first, second)

    def _behind(self, test: Term, part: Term, cards: Term, *, holds: bool) -> Term | None:
        """Return the cards that meet a condition, behind a test that does not ask for the card."""
        before, self.proved = self.proved, self.proved | there(test, holds=holds)
        found = self.set(part, cards)
        self.proved = before
        return found

    def best(self, key: Term, cards: Term, *, inside: bool = False) -> Term | None:
        """Return the first card with the greatest key, which may stand inside a test of the card."""
        t = self.terms
        card = Kind("card", optional=True)
        if not self.free(key):
            return t.make("lowest", card, cards)
        if self._of_card(key):
            return t.make("best", card, cards, name=key.name)
        # What is added to the keys of all cards alike leaves their order as it is.
        if key.op in ("+", "-") and not self.free(key.parts[1]):
            return self.best(key.parts[0], cards, inside=inside)
        if key.op == "+" and not self.free(key.parts[0]):
            return self.best(key.parts[1], cards, inside=inside)
        if key.op != "choose":
            return None
        test, yes, no = key.parts
        if not self.free(test):
            found = [self.best(part, cards, inside=inside) for part in (yes, no)]
            return (
                None
                if (test.needs and inside) or found[0] is None or found[1] is None
                else t.choose(test, found[0], found[1])
            )
        # If each key of one side is greater than any of the other, the best card lies among those that meet the test,
        # if there are any. Sides whose ranges meet need a loop; so do equal keys, of which the first card counts.
        if yes.kind.low <= no.kind.high:
            test, yes, no = t.no(test), no, yes
        if yes.kind.low <= no.kind.high:
            return None
        upper = None if test.needs and inside else self.set(test, cards)
        if upper is None:
            return None
        high, low = self.best(yes, upper, inside=True), self.best(no, cards, inside=True)
        return None if high is None or low is None else t.choose(t.some(upper), high, low)


def extreme(terms: TermBuilder, name: str, trait: Term, cards: Term, default: Term) -> Term:
    """Return the least (`min`) or greatest (`max`) number of any card of a set, or the default where there is none."""
    low, high = min(trait.kind.low, default.kind.low), max(trait.kind.high, default.kind.high)
    op = "floor" if name == "min" else "peak"
    return terms.make(op, number(low, high), cards, default, name=trait.name)
