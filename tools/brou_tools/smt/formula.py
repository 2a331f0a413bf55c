"""Formulas over truths and whole numbers, hash-consed: equal formulas are one object, and constants are folded at once.

A truth is `True`, `False` or a `Formula`; a number is an `int` or a `Formula`. Sums consist of numbers times atoms,
where a truth counts as one if it holds, so that counting stays a question about truths.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from brou import TooCostly

#: So many formulas are made for one game: some minutes of work and a few gigabytes.
_MOST = 5_000_000
#: A sum of fewer atoms is taken apart by a choice, a longer one is kept whole.
_SHORT = 80


Operation: TypeAlias = Literal[
    "var", "not", "and", "same", "least", "none", "number", "sum", "pick", "product", "quotient"
]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Formula:
    """One operation.

    truths: var (name) - not - and - same (two truths) - least (a sum: is it at least nought) - none (is it nought)
    numbers: number (name) - sum (`value` plus `weights` times `parts`) - pick (truth, number, number) -
    product - quotient (rounded down, by a positive divisor)
    """

    op: Operation
    parts: tuple[Any, ...] = ()
    name: str = ""
    value: int = 0
    weights: tuple[int, ...] = ()
    number: int = field(default=0)

    def __repr__(self) -> str:
        """Write its operation and the numbers of its parts, not the parts: formulas that share them would not end."""
        parts = ", ".join(str(part.number if isinstance(part, Formula) else part) for part in self.parts)
        return f"<{self.number}: {self.name or self.op}{f' of {parts}' if parts else ''}>"

    @property
    def is_number(self) -> bool:
        """Say whether it is a number and no truth."""
        return self.op in _NUMBERS


_NUMBERS = frozenset({"number", "sum", "pick", "product", "quotient"})

Truth: TypeAlias = "bool | Formula"
Number: TypeAlias = "int | Formula"


class Forms:
    """Makes formulas, each only once."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], Formula] = {}

    def __len__(self) -> int:
        return len(self._made)

    def copy(self) -> Forms:
        """Return a maker with the same formulas; later ones are its own."""
        made = Forms()
        made._made.update(self._made)
        return made

    def _make(
        self, op: Operation, parts: tuple[Any, ...] = (), name: str = "", value: int = 0, weights: tuple[int, ...] = ()
    ) -> Formula:
        key = (op, tuple(map(_key, parts)), name, value, weights)
        found = self._made.get(key)
        if found is None:
            if len(self._made) >= _MOST:
                raise TooCostly(f"more than {_MOST} formulas for one game; let its rules range over fewer values")
            found = self._made[key] = Formula(op, parts, name, value, weights, len(self._made) + 1)
        return found

    # Truths ---------------------------------------------------------------------------------------------------------

    def truth(self, name: str) -> Formula:
        """Return something that may hold or not."""
        return self._make("var", name=name)

    def no(self, one: Truth) -> Truth:
        """Return the contrary."""
        if isinstance(one, bool):
            return not one
        return one.parts[0] if one.op == "not" else self._make("not", (one,))

    def both(self, *parts: Truth) -> Truth:
        """Return whether all hold."""
        return self.all(parts)

    def either(self, *parts: Truth) -> Truth:
        """Return whether one holds."""
        # There is no `or`: the contrary of an `and` says the same, and one form for both makes equal truths one object.
        return self.no(self.all(self.no(part) for part in parts))

    def any(self, parts: Iterable[Truth]) -> Truth:
        """Return whether any of some holds."""
        return self.no(self.all(self.no(part) for part in parts))

    def all(self, parts: Iterable[Truth]) -> Truth:
        """Return whether all of some hold."""
        kept: dict[int, Formula] = {}
        for part in parts:
            if part is True:
                continue
            if part is False:
                return False
            # The parts of an `and` were flat when it was made, so one level is all there is.
            for one in part.parts if part.op == "and" else (part,):
                kept[one.number] = one
        # A truth beside its contrary. Both are hash-consed, so the numbers tell it.
        for one in kept.values():
            if one.op == "not" and one.parts[0].number in kept:
                return False
        if len(kept) < 2:
            return next(iter(kept.values()), True)
        # Sorted by number, the same parts in any order are one formula.
        return self._make("and", tuple(kept[number] for number in sorted(kept)))

    def implies(self, one: Truth, two: Truth) -> Truth:
        """Return whether the second holds if the first does."""
        return self.either(self.no(one), two)

    def same(self, one: Truth, two: Truth) -> Truth:
        """Return whether both hold or neither."""
        if isinstance(one, bool):
            return two if one else self.no(two)
        if isinstance(two, bool):
            return one if two else self.no(one)
        if one is two:
            return True
        if self.no(one) is two:
            return False
        one, two = (one, two) if one.number < two.number else (two, one)
        return self._make("same", (one, two))

    def choose(self, test: Truth, yes: Truth, no: Truth) -> Truth:
        """Return one of two truths."""
        if isinstance(test, bool):
            return yes if test else no
        if yes is no:
            return yes
        return self.either(self.both(test, yes), self.both(self.no(test), no))

    # Numbers --------------------------------------------------------------------------------------------------------

    def number(self, name: str) -> Formula:
        """Return a number that may be anything."""
        return self._make("number", name=name)

    def linear(self, items: Iterable[tuple[int, Truth | Number]]) -> Number:
        """Return a sum of weighted numbers and truths; a truth counts as one if it holds."""
        start, atoms = 0, dict[int, tuple[int, Formula]]()

        def add(weight: int, atom: Formula) -> int:
            more = 0
            # A truth counts 1 if it holds, so its contrary counts 1 less that: the weight changes sides, and atoms are
            # plain.
            if atom.op == "not":
                weight, atom, more = -weight, atom.parts[0], weight
            known, _ = atoms.get(atom.number, (0, atom))
            atoms[atom.number] = (known + weight, atom)
            return more

        for weight, item in items:
            if isinstance(item, int):
                start += weight * int(item)
            elif item.op == "sum":
                start += weight * item.value
                for inner, atom in zip(item.weights, item.parts, strict=True):
                    start += add(weight * inner, atom)
            else:
                start += add(weight, item)
        # Atoms that came in with both signs are gone. In one order, equal sums are one formula.
        kept = [(weight, atom) for _, (weight, atom) in sorted(atoms.items()) if weight]
        if not kept:
            return start
        if start == 0 and len(kept) == 1 and kept[0][0] == 1 and kept[0][1].is_number:
            return kept[0][1]
        return self._make("sum", tuple(atom for _, atom in kept), "", start, tuple(weight for weight, _ in kept))

    def plus(self, one: Number, two: Number) -> Number:
        """Return a sum."""
        return self.linear([(1, one), (1, two)])

    def minus(self, one: Number, two: Number) -> Number:
        """Return a difference."""
        return self.linear([(1, one), (-1, two)])

    def times(self, one: Number, two: Number) -> Number:
        """Return a product."""
        if isinstance(one, int):
            return self.linear([(one, two)])
        return self.linear([(two, one)]) if isinstance(two, int) else self._make("product", (one, two))

    def quotient(self, one: Number, two: Number) -> Number:
        """Return a quotient, rounded down; the second is above nought."""
        if isinstance(one, int) and isinstance(two, int):
            return one // two
        return one if two == 1 and not isinstance(two, Formula) else self._make("quotient", (one, two))

    def pick(self, test: Truth, yes: Number, no: Number) -> Number:
        """Return one of two numbers."""
        if isinstance(test, bool):
            return yes if test else no
        if yes is no or (isinstance(yes, int) and isinstance(no, int) and yes == no):
            return yes
        if _counts(yes) and _counts(no):
            return self.linear([*self._within(test, yes), *self._within(self.no(test), no)])
        more = self.minus(yes, no)
        if _counts(more):
            return self.linear([(1, no), *self._within(test, more)])
        return self._make("pick", (test, yes, no))

    def _within(self, test: Truth, number: Number) -> list[tuple[int, Truth]]:
        """Return the items of a sum that counts truths, each only where a test holds."""
        if isinstance(number, int):
            return [(number, test)]
        found = [(weight, self.both(test, atom)) for weight, atom in zip(number.weights, number.parts, strict=True)]
        return [(number.value, test), *found]

    def at_least(self, one: Number, two: Number) -> Truth:
        """Return whether the first number is not below the second."""
        difference = self.minus(one, two)
        if isinstance(difference, int):
            return difference >= 0
        low, high = reach(difference)
        if low is not None and low >= 0:
            return True
        if high is not None and high < 0:
            return False
        return self._make("least", (difference,))

    def equal(self, one: Number, two: Number) -> Truth:
        """Return whether two numbers are the same."""
        difference = self.minus(one, two)
        if isinstance(difference, int):
            return difference == 0
        low, high = reach(difference)
        if (low is not None and low > 0) or (high is not None and high < 0):
            return False
        return self._make("none", (difference,))


def _key(part: Truth | Number) -> Hashable:
    return part.number if isinstance(part, Formula) else ("const", part)


def _counts(number: Number) -> bool:
    """Say whether a number is one of the data, or counts a few truths."""
    if isinstance(number, int):
        return True
    return number.op == "sum" and len(number.parts) < _SHORT and not any(atom.is_number for atom in number.parts)


def reach(number: Number) -> tuple[int | None, int | None]:
    """Return the least and the greatest that a sum of truths can be; None where that is not plain."""
    if isinstance(number, int):
        return number, number
    if number.op != "sum" or any(atom.is_number for atom in number.parts):
        return None, None
    low = number.value + sum(weight for weight in number.weights if weight < 0)
    return low, number.value + sum(weight for weight in number.weights if weight > 0)


# Reading ------------------------------------------------------------------------------------------------------------


def sort_formulas(roots: Iterable[Truth | Number], without: Container[int] = ()) -> list[Formula]:
    """Return all formulas within some, parts before wholes; leave out the numbers in `without` and their parts."""
    found: dict[int, Formula] = {}
    waiting: list[tuple[Truth | Number, bool]] = [(root, False) for root in roots]
    while waiting:
        one, ready = waiting.pop()
        if not isinstance(one, Formula) or one.number in found or one.number in without:
            continue
        if ready:
            found[one.number] = one
            continue
        waiting.append((one, True))
        waiting += [(part, False) for part in one.parts if isinstance(part, Formula) and part.number not in found]
    return list(found.values())


def value_of(roots: Iterable[Truth | Number], model: Mapping[str, int]) -> list[int]:
    """Return the values of some formulas; names that a model lacks are false, or nought."""
    roots = list(roots)
    known: dict[int, int] = {}
    for one in sort_formulas(roots):
        known[one.number] = _READ[one.op](one, [_look_up(part, known) for part in one.parts], model)
    return [_look_up(root, known) for root in roots]


def _look_up(part: Truth | Number, known: Mapping[int, int]) -> int:
    return known[part.number] if isinstance(part, Formula) else int(part)


_READ: Mapping[Operation, Callable[[Formula, list[int], Mapping[str, int]], int]] = {
    "var": lambda one, parts, model: int(model.get(one.name, 0)),
    "number": lambda one, parts, model: model.get(one.name, 0),
    "not": lambda one, parts, model: 1 - parts[0],
    "and": lambda one, parts, model: int(all(parts)),
    "same": lambda one, parts, model: int(parts[0] == parts[1]),
    "least": lambda one, parts, model: int(parts[0] >= 0),
    "none": lambda one, parts, model: int(parts[0] == 0),
    "sum": lambda one, parts, model: one.value + sum(w * p for w, p in zip(one.weights, parts, strict=True)),
    "pick": lambda one, parts, model: parts[1] if parts[0] else parts[2],
    "product": lambda one, parts, model: parts[0] * parts[1],
    "quotient": lambda one, parts, model: parts[0] // parts[1],
}
