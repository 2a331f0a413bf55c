"""Symbolic values: choices among a few values, sets of cards, piles, lists.

Known values stay plain, as in the lowered form (docs/lowered.md), but a card is its place in the pack, an absent value
None, and an array one row. A choice has a truth for each of its possible values; at most one of them holds, and where
none does, the value is never read.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from brou_tools.smt.formula import Forms, Formula, Number, Truth

#: More values than this are a number, not a choice.
_MOST = 48


class Untranslatable(Exception):
    """Something for which there is no formula."""


@dataclass(frozen=True, eq=False)
class SymbolicChoice:
    """One of a few plain values."""

    options: Mapping[Any, Truth]

    @cached_property
    def key(self) -> Hashable:
        """Return the key that equal choices share."""
        return tuple((value, _number(truth)) for value, truth in self.options.items())


@dataclass(frozen=True, eq=False)
class CardSet:
    """A set of cards: for each card of the pack whether it is in."""

    bits: tuple[Truth, ...]

    @cached_property
    def key(self) -> Hashable:
        """Return the key that equal sets share."""
        return tuple(map(_number, self.bits))


@dataclass(frozen=True, eq=False)
class Stack:
    """Cards in order, the top first; None behind the last one."""

    slots: tuple[Any, ...]

    @cached_property
    def key(self) -> Hashable:
        """Return the key that equal piles share."""
        return ("stack", *map(key_of, self.slots))


@dataclass(frozen=True, eq=False)
class Listing:
    """Values in order, each only where its truth holds."""

    items: tuple[tuple[Truth, Any], ...]

    @cached_property
    def key(self) -> Hashable:
        """Return the key that equal lists share."""
        return tuple((_number(truth), key_of(value)) for truth, value in self.items)


Symbol: TypeAlias = Any
#: How two numbers, or two sets of cards, can compare.
Order: TypeAlias = Literal["<", "<=", ">", ">="]


def _number(truth: Truth) -> Hashable:
    return truth.number if isinstance(truth, Formula) else ("const", type(truth), truth)


def key_of(value: Symbol) -> Hashable:
    """Return the key that equal values share."""
    if isinstance(value, (SymbolicChoice, CardSet, Stack, Listing)):
        return (type(value).__name__, value.key)
    if isinstance(value, Formula):
        return ("formula", value.number)
    if isinstance(value, tuple):
        return tuple(map(key_of, value))
    return ("plain", type(value), value)


class Symbols:
    """The operations on symbolic values."""

    def __init__(self, forms: Forms, cards: Sequence[str]) -> None:
        self.forms = forms
        self.codes = tuple(cards)
        self.cards = range(len(self.codes))

    # Reading --------------------------------------------------------------------------------------------------------

    def options(self, value: Symbol, numbers: Iterable[int] | None = None) -> Mapping[Any, Truth]:
        """Return each plain value that a value may be, with the truth that it is; of a number, of those given.

        A set is that of one card, or of none.
        """
        if isinstance(value, SymbolicChoice):
            return value.options
        if isinstance(value, CardSet):
            found = {card: bit for card, bit in zip(self.cards, value.bits, strict=True) if bit is not False}
            return {**found, None: self.forms.no(self.forms.any(value.bits))}
        if isinstance(value, Formula):
            if not value.is_number:
                return {True: value, False: self.forms.no(value)}
            if numbers is None:
                raise Untranslatable("a number without bounds where few values are needed")
            return {number: self.forms.equal(value, number) for number in numbers}
        return {value: True}

    def number(self, value: Symbol) -> Number:
        """Return a value as a number; an absent one is zero, since a crash is noted wherever it matters."""
        if isinstance(value, (SymbolicChoice, CardSet)):
            options = self.options(value).items()
            return self.forms.linear((number, truth) for number, truth in options if number is not None)
        return 0 if value is None else value

    def set(self, value: Symbol) -> CardSet:
        """Return a set of cards, one card, none, or a pile as a set of cards.

        The condition that a card is there stands at each possible card as well: the solver then finds its consequences
        faster.
        """
        if isinstance(value, CardSet):
            return value
        found: dict[int, list[Truth]] = {}
        for slot in value.slots if isinstance(value, Stack) else [value]:
            options = self.options(slot)
            there = self.forms.no(options.get(None, False))
            for card, truth in options.items():
                if card is not None:
                    found.setdefault(card, []).append(self.forms.both(truth, there))
        return CardSet(tuple(self.forms.any(found.get(card, ())) for card in self.cards))

    def options_of_each(self, values: Iterable[Symbol]) -> dict[Any, list[Truth]]:
        """Return each plain value with the truths that some value is that one."""
        found: dict[Any, list[Truth]] = {}
        for value in values:
            for plain, truth in self.options(value).items():
                found.setdefault(plain, []).append(truth)
        return found

    def stack(self, value: Symbol) -> Stack:
        """Return a pile as it is; anything else is an empty pile, since a crash is noted wherever it matters."""
        return value if isinstance(value, Stack) else Stack(())

    def lying(self, value: Symbol) -> Iterator[tuple[int, Truth]]:
        """Yield each card that may lie in a set, in a pile or alone, as often as it may."""
        for part in value.slots if isinstance(value, Stack) else [value]:
            yield from ((card, truth) for card, truth in self.options(part).items() if card is not None)

    def long(self, slots: Sequence[Symbol], count: int) -> Truth:
        """Return whether a pile has just so many cards."""
        there = True if count == 0 else self.forms.no(self.equal(slots[count - 1], None))
        return self.forms.both(there, True if count == len(slots) else self.equal(slots[count], None))

    def pile_up(self, cards: Symbol, below: Sequence[Symbol]) -> Stack:
        """Return a pile with the cards of a set on its top, in the order of the pack."""
        made = tuple(below)
        for bit, card in reversed(list(zip(self.set(cards).bits, self.cards, strict=True))):
            if bit is not False:
                made = self.either_of(bit, Stack((card, *made)), Stack(made)).slots
        return Stack(made)

    def items(self, value: Symbol) -> Sequence[tuple[Truth, Any]]:
        """Return the members of a value, in the order of a loop, each with the truth that it is one."""
        if isinstance(value, Listing):
            return value.items
        if isinstance(value, CardSet):
            return tuple((bit, card) for bit, card in zip(value.bits, self.cards, strict=True) if bit is not False)
        if isinstance(value, Stack):
            return tuple((self.forms.no(self.equal(slot, None)), slot) for slot in value.slots)
        if isinstance(value, SymbolicChoice):
            lists = [(truth, plain) for plain, truth in value.options.items() if plain is not None]
            return tuple((truth, item) for truth, plain in lists for item in plain)
        return tuple((True, item) for item in value or ())

    # Making ---------------------------------------------------------------------------------------------------------

    def choice(self, options: Mapping[Any, Truth]) -> Symbol:
        """Return one of a few plain values."""
        kept = {value: truth for value, truth in options.items() if truth is not False}
        if len(kept) == 1:
            return next(iter(kept))
        if set(kept) == {True, False} and all(type(value) is bool for value in kept):
            return kept[True]
        if len(kept) > _MOST and all(type(value) is int for value in kept):
            return self.forms.linear((value, truth) for value, truth in kept.items())
        return SymbolicChoice(kept)

    def map(self, make: Callable[..., Any], *values: Symbol) -> Symbol:
        """Return the result of a plain function on values of which none is absent."""
        found: dict[Any, list[Truth]] = {}
        for arguments, truth in self.pairs(values):
            found.setdefault(make(*arguments), []).append(truth)
        return self.choice({value: self.forms.any(truths) for value, truths in found.items()})

    def pairs(self, values: Sequence[Symbol]) -> list[tuple[tuple[Any, ...], Truth]]:
        """Return all combinations of present plain values, each with its truth."""
        found: list[tuple[tuple[Any, ...], Truth]] = [((), True)]
        for value in values:
            options = [(plain, truth) for plain, truth in self.options(value).items() if plain is not None]
            found = [((*one, plain), self.forms.both(held, truth)) for one, held in found for plain, truth in options]
        return [(plain, truth) for plain, truth in found if truth is not False]

    def select(self, cases: Iterable[tuple[Truth, Symbol]]) -> Symbol:
        """Return the value of the case whose truth holds; at most one does."""
        found: list[tuple[Truth, Symbol]] = []
        for truth, value in cases:
            if truth is True:
                return value
            if truth is not False:
                found.append((truth, value))
        if not found:
            return None
        first = found[0][1]
        if all(value is first for _, value in found):
            return first
        values = [value for _, value in found]
        if any(isinstance(value, CardSet) for value in values):
            return self._selected_set(found)
        if any(isinstance(value, Stack) for value in values):
            return self._selected_stack(found)
        if (
            any(isinstance(value, Listing) for value in values)
            or len({len(v) for v in values if isinstance(v, tuple)}) > 1
        ):
            return Listing(
                tuple(
                    (self.forms.both(truth, held), item) for truth, value in found for held, item in self.items(value)
                )
            )
        if isinstance(first, tuple):
            found = [(truth, value) for truth, value in found if value is not None]
            return tuple(self.select((truth, value[place]) for truth, value in found) for place in range(len(first)))
        return self._selected_scalar(found)

    def _selected_set(self, found: Sequence[tuple[Truth, Symbol]]) -> CardSet:
        sets = [(truth, self.set(value).bits) for truth, value in found]
        whole = all(bits == sets[0][1] for _, bits in sets)
        if whole:
            return CardSet(sets[0][1])
        bits = []
        for place in range(len(self.cards)):
            here = [(truth, bits[place]) for truth, bits in sets]
            alike = all(bit is here[0][1] for _, bit in here)
            bits.append(here[0][1] if alike else self.forms.any(self.forms.both(truth, bit) for truth, bit in here))
        return CardSet(tuple(bits))

    def _selected_stack(self, found: Sequence[tuple[Truth, Symbol]]) -> Stack:
        stacks = [(truth, self.stack(value).slots) for truth, value in found]
        length = max(len(slots) for _, slots in stacks)
        padded = [(truth, (*slots, *[None] * (length - len(slots)))) for truth, slots in stacks]
        return Stack(tuple(self.select((truth, slots[place]) for truth, slots in padded) for place in range(length)))

    def _selected_scalar(self, found: Sequence[tuple[Truth, Symbol]]) -> Symbol:
        values = [value for _, value in found]
        if all(isinstance(value, bool) or (isinstance(value, Formula) and not value.is_number) for value in values):
            return self.forms.any(self.forms.both(truth, value) for truth, value in found)
        if any(isinstance(value, Formula) and value.is_number for value in values):
            if any(value is None or (isinstance(value, SymbolicChoice) and None in value.options) for value in values):
                raise Untranslatable("a number of many values that may be absent")
            made = self.number(values[-1])
            for truth, value in reversed(found[:-1]):
                made = self.forms.pick(truth, self.number(value), made)
            return made
        options: dict[Any, list[Truth]] = {}
        for truth, value in found:
            for plain, held in self.options(value).items():
                options.setdefault(plain, []).append(self.forms.both(truth, held))
        return self.choice({plain: self.forms.any(truths) for plain, truths in options.items()})

    def either_of(self, test: Truth, yes: Symbol, no: Symbol) -> Symbol:
        """Return one of two values."""
        if isinstance(test, bool):
            return yes if test else no
        return self.select([(test, yes), (self.forms.no(test), no)])

    def present(self, value: Symbol) -> Symbol:
        """Return a value as one that is there."""
        if isinstance(value, SymbolicChoice) and None in value.options:
            return self.choice({plain: truth for plain, truth in value.options.items() if plain is not None})
        return value

    def may_be_absent(self, value: Symbol) -> bool:
        """Say whether a value may be None."""
        return value is None or (isinstance(value, SymbolicChoice) and None in value.options)

    # Comparing ------------------------------------------------------------------------------------------------------

    def equal(self, one: Symbol, two: Symbol) -> Truth:
        """Return whether two values are the same."""
        if one is two:
            return True
        if isinstance(one, CardSet) or isinstance(two, CardSet):
            return self.forms.all(map(self.forms.same, self.set(one).bits, self.set(two).bits))
        if isinstance(one, Stack) or isinstance(two, Stack):
            return self._equal_stacks(self.stack(one).slots, self.stack(two).slots)
        if isinstance(one, tuple) and isinstance(two, tuple):
            same_length = len(one) == len(two)
            return same_length and self.forms.all(map(self.equal, one, two))
        numbers = [value for value in (one, two) if isinstance(value, Formula) and value.is_number]
        if numbers:
            other = two if numbers[0] is one else one
            return self._equal_numbers(numbers[0], other)
        first, second = self.options(one), self.options(two)
        return self.forms.any(
            self.forms.both(truth, second[value]) for value, truth in first.items() if value in second
        )

    def _equal_numbers(self, one: Formula, two: Symbol) -> Truth:
        if isinstance(two, SymbolicChoice) and None in two.options:
            return self.forms.any(
                self.forms.both(truth, self.forms.equal(one, value))
                for value, truth in two.options.items()
                if value is not None
            )
        return False if two is None else self.forms.equal(one, self.number(two))

    def _equal_stacks(self, one: Sequence[Symbol], two: Sequence[Symbol]) -> Truth:
        length = max(len(one), len(two))
        pads = [(*slots, *[None] * (length - len(slots))) for slots in (one, two)]
        return self.forms.all(map(self.equal, *pads))

    def member(self, one: Symbol, two: Symbol) -> Truth:
        """Return whether a value is among those of a set or a list."""
        forms = self.forms
        if isinstance(two, CardSet):
            options = self.options(one).items()
            return forms.any(forms.both(truth, two.bits[card]) for card, truth in options if card is not None)
        return forms.any(forms.both(truth, self.equal(one, item)) for truth, item in self.items(two))

    def compare_order(self, order: Order, one: Symbol, two: Symbol) -> Truth:
        """Return how two numbers compare by <, <=, > or >=."""
        if order in (">", ">="):
            one, two = two, one
        strictly = order in ("<", ">")
        few = [value for value in (one, two) if not isinstance(value, Formula)]
        if len(few) == 2 and len(self.options(one)) * len(self.options(two)) <= _MOST:
            found = self.pairs([one, two])
            return self.forms.any(truth for (a, b), truth in found if (a < b if strictly else a <= b))
        one, two = self.number(one), self.number(two)
        return self.forms.at_least(two, self.forms.plus(one, 1) if strictly else one)

    def calculate(self, name: str, one: Symbol, two: Symbol) -> Symbol:
        """Return a sum, a difference, a product or a quotient of two numbers."""
        few = not isinstance(one, Formula) and not isinstance(two, Formula)
        if few and len(self.options(one)) * len(self.options(two)) <= _MOST:
            return self.map(PLAIN[name], one, two)
        one, two = self.number(one), self.number(two)
        make = {"+": self.forms.plus, "-": self.forms.minus, "*": self.forms.times, "//": self.forms.quotient}[name]
        return make(one, two)


#: What is computed of two numbers; a quotient by nought is none that anybody asks for.
PLAIN: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b > 0 else 0,
}


@dataclass(slots=True)
class Values:
    """The variables of a state; a variable that was never written gets a symbol when it is first read."""

    made: Callable[[str], Symbol]
    known: dict[str, Symbol] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Symbol:
        if name not in self.known:
            self.known[name] = self.made(name)
        return self.known[name]

    def __setitem__(self, name: str, value: Symbol) -> None:
        self.known[name] = value

    def copy(self) -> Values:
        """Return a state of its own with the same values."""
        return Values(self.made, dict(self.known))
