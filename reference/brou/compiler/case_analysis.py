"""That exactly one of some conditions holds, shown by going through all cases of what they ask.

Conditions are taken apart into questions that have few answers: which of its
members an index is, on which side of some numbers a number lies, how two
numbers compare, whether anything else is true. If exactly one condition holds
for every combination of answers, it does in every state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import TypeAlias

from brou.compiler.kinds import absent
from brou.compiler.lowered import Term
from brou.compiler.term_builder import COMPARE, TermBuilder

#: More combinations of answers than this are not tried.
_CASES = 5000

Answers: TypeAlias = dict[object, int]
Test: TypeAlias = Callable[[Answers], bool]


def has_exactly_one(terms: TermBuilder, conditions: Sequence[Term], known: Iterable[Term]) -> bool:
    """Say whether exactly one condition holds wherever the known tests hold; if that cannot be shown, say no."""
    if not all(condition.total for condition in conditions):
        return False
    cases = _CaseSplitter(terms)
    tests = [cases.test(condition) for condition in conditions]
    asked = set(cases.answers())
    given = [cases.test(one) for one in known if one.total and _about(cases, one) <= asked]
    answers = {question: values for question, values in cases.answers().items() if question in asked}
    count = 1
    for values in answers.values():
        count *= len(values)
    if count > _CASES:
        return False
    for combination in product(*answers.values()):
        found = dict(zip(answers, combination, strict=True))
        if all(test(found) for test in given) and sum(test(found) for test in tests) != 1:
            return False
    return True


def _about(cases: _CaseSplitter, term: Term) -> set[object]:
    """Return the questions that a condition asks."""
    other = _CaseSplitter(cases.terms)
    other.test(term)
    return set(other.answers())


def _card_in(term: Term) -> tuple[Term, int] | None:
    """Return the card and the set of a term `card & set` whose set stands fast."""
    if term.op != "common":
        return None
    card, cards = sorted(term.parts, key=lambda part: part.op == "const")
    fast = card.kind.form == "card" and not card.kind.optional and isinstance(cards.value, int)
    return (card, cards.value) if fast and cards.op == "const" and isinstance(cards.value, int) else None


def _one_of(term: Term) -> tuple[Term, tuple[int, ...]] | None:
    """Return the number or place and the list of a term that asks whether the list, which stands fast, has it."""
    values, one = term.parts
    if values.op != "const" or not isinstance(values.value, tuple) or one.kind.form not in ("number", "index"):
        return None
    return one, tuple(value for value in values.value if isinstance(value, int))


class _CaseSplitter:
    """Takes conditions apart into questions."""

    def __init__(self, terms: TermBuilder) -> None:
        self.terms = terms
        self._marks: dict[Term, set[int]] = {}
        self._other: dict[object, tuple[int, ...]] = {}

    def answers(self) -> dict[object, tuple[int, ...]]:
        """Return the questions asked so far with all answers to them."""
        return {**{term: self._values(term, marks) for term, marks in self._marks.items()}, **self._other}

    def _values(self, term: Term, marks: set[int]) -> tuple[int, ...]:
        kind = term.kind
        if kind.form == "number":
            near = {mark + step for mark in marks for step in (-1, 0, 1)}
            values = sorted(value for value in near if kind.low <= value <= kind.high)
        elif kind.form == "card":
            values = [1 << place for place in range(self.terms.cards)]
        else:
            values = list(range(kind.low, kind.high + 1))
        nothing = absent(kind, self.terms.cards)
        return (*values, nothing) if kind.optional and isinstance(nothing, int) else tuple(values)

    def test(self, term: Term) -> Test:
        """Return a condition as a test of answers."""
        match term.op:
            case "const":
                return lambda _: bool(term.value)
            case "and":
                parts = [self.test(part) for part in term.parts]
                return lambda answers: all(part(answers) for part in parts)
            case "or":
                parts = [self.test(part) for part in term.parts]
                return lambda answers: any(part(answers) for part in parts)
            case "not":
                denied = self.test(term.parts[0])
                return lambda answers: not denied(answers)
            case "choose":
                test, yes, no = (self.test(part) for part in term.parts)
                return lambda answers: yes(answers) if test(answers) else no(answers)
            case "compare":
                return self._split_comparison(term, *term.parts)
            case "contains" if (asked := _one_of(term)) is not None:
                one, values = asked
                self._marks.setdefault(one, set()).update(values)
                return lambda answers: answers[one] in values
            case "some" if (found := _card_in(term.parts[0])) is not None:
                card, cards = found
                self._marks.setdefault(card, set())
                return lambda answers: bool(answers[card] & cards)
        self._other[term] = (False, True)
        return lambda answers: bool(answers[term])

    def _split_comparison(self, term: Term, one: Term, two: Term) -> Test:
        order = COMPARE[term.name]
        form = one.kind.form
        if two.op == "const" and isinstance(two.value, int) and form in ("number", "index"):
            mark = two.value
            self._marks.setdefault(one, set()).add(mark)
            return lambda answers: order(answers[one], mark)
        turned = id(one) > id(two)
        pair = ("pair", two, one) if turned else ("pair", one, two)
        if form == "number" and not (one.kind.optional or two.kind.optional):
            self._other[pair] = (-1, 0, 1)
            return lambda answers: order(-answers[pair] if turned else answers[pair], 0)
        if term.name in ("==", "!="):
            self._other[pair] = (False, True)
            return lambda answers: bool(answers[pair]) == (term.name == "==")
        self._other[term] = (False, True)
        return lambda answers: bool(answers[term])
