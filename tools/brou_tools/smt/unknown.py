"""Unknown states, constrained by the types of their variables alone, and their values in a solver's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from brou.language.types import Array, Bool, Cards, Domain, Int, Named, Option, Pile, Type, finite
from brou_tools.smt.formula import Forms, Formula, Truth, value_of
from brou_tools.smt.symbols import CardSet, Listing, Stack, Symbol, SymbolicChoice, Symbols, Untranslatable

#: A number of more values than this is a number for the solver, not a choice.
_FEW = 34


def make_symbol(type_: Type, value: Any, symbols: Symbols) -> Symbol:
    """Return a value of the interpreter as a symbol."""
    match type_, value:
        case _, None:
            return None
        case Option(held), _:
            return make_symbol(held, value, symbols)
        case Array(_, element), _:
            items = [make_symbol(element, item, symbols) for item in value]
            return tuple(part for item in items for part in item) if isinstance(element, Array) else tuple(items)
        case Domain(element), _:
            return tuple(make_symbol(element, item, symbols) for item in value)
        case Cards(), _:
            return CardSet(tuple(card in value for card in symbols.codes))
        case Pile(), _:
            return Stack(tuple(map(symbols.codes.index, value)))
        case Named(members=members), _:
            return members.index(value)
    return value


def read_symbol(type_: Type, value: Any, symbols: Symbols) -> Any:
    """Return a symbol without unknowns as a value of the interpreter."""
    match type_, value:
        case _, None:
            return None
        case Option(held), _:
            return read_symbol(held, value, symbols)
        case Array(index, element), _:
            size = len(value) // len(finite(index) or ())
            parts = [value[place : place + size] for place in range(0, len(value), size)]
            return tuple(
                read_symbol(element, part if isinstance(element, Array) else part[0], symbols) for part in parts
            )
        case Domain(element), _:
            return tuple(read_symbol(element, item, symbols) for item in value)
        case Cards(), _:
            return frozenset(symbols.codes[card] for card in value)
        case Pile(), _:
            return tuple(symbols.codes[card] for card in value)
        case Named(members=members), _:
            return (
                members[next(iter(value)) if isinstance(value, frozenset) else value] if value != frozenset() else None
            )
        case Bool(), _:
            return bool(value)
    return value


@dataclass(slots=True)
class Unknowns:
    """Makes unknown values, and notes the conditions of their types."""

    symbols: Symbols
    facts: list[Truth] = field(default_factory=list)

    @property
    def forms(self) -> Forms:
        """Return where formulas are made."""
        return self.symbols.forms

    def of(self, name: str, type_: Type) -> Symbol:
        """Return an unknown value of a type."""
        match type_:
            case Array(index, element):
                parts = [self.of(f"{name}[{member}]", element) for member in finite(index) or ()]
                return tuple(one for part in parts for one in part) if isinstance(element, Array) else tuple(parts)
            case Cards():
                return CardSet(tuple(self.forms.truth(f"{name}:{card}") for card in self.symbols.codes))
            case Bool():
                return self.forms.truth(name)
            case Pile():
                return self.pile(name)
            case Option(held):
                return self._one(name, {None: None, **self._members(name, held)})
            case Int(low, high) if high - low >= _FEW:
                return self._number(name, low, high)
        return self._one(name, self._members(name, type_))

    def _members(self, name: str, type_: Type) -> Mapping[Any, Any]:
        """Return the possible values of an unknown, each with its name."""
        if isinstance(type_, Bool):
            return {False: False, True: True}
        if isinstance(type_, (Int, Named)) and (members := finite(type_)) is not None:
            return {make_symbol(type_, member, self.symbols): member for member in members}
        raise Untranslatable(f"{name}: an unknown {type_}")

    def _one(self, name: str, members: Mapping[Any, Any]) -> Symbol:
        if len(members) == 1:
            return next(iter(members))
        truths = [self.forms.truth(f"{name}={called}") for called in members.values()]
        # One truth a value, of which exactly one holds.
        self.facts.append(self.forms.equal(self.forms.linear((1, truth) for truth in truths), 1))
        return SymbolicChoice(dict(zip(members, truths, strict=True)))

    def _number(self, name: str, low: int, high: int) -> Formula:
        number = self.forms.number(name)
        self.facts += [self.forms.at_least(number, low), self.forms.at_least(high, number)]
        return number

    def order(self, name: str) -> Stack:
        """Return the whole pack in an unknown order."""
        symbols = self.symbols
        slots = [self._one(f"{name}.{place}", dict(enumerate(symbols.codes))) for place in symbols.cards]
        # There are as many places as cards, and no place has two: with each card in exactly one place this is an order
        # of all.
        for truths in symbols.options_of_each(slots).values():
            self.facts.append(self.forms.equal(self.forms.linear((1, truth) for truth in truths), 1))
        return Stack(tuple(slots))

    def pile(self, name: str, most: int | None = None) -> Stack:
        """Return a pile of cards of which none lies in it twice, of so many at most."""
        symbols, cards = self.symbols, dict(enumerate(self.symbols.codes))
        long = len(cards) if most is None else most
        slots = [self._one(f"{name}.{place}", {None: None, **cards}) for place in range(long)]
        # An empty place has none but empty ones behind it. Without this one pile would be many, told apart by their
        # gaps.
        for one, two in pairwise(slots):
            self.facts.append(self.forms.implies(symbols.equal(one, None), symbols.equal(two, None)))
        for card, truths in symbols.options_of_each(slots).items():
            if card is not None:
                self.facts.append(self.forms.at_least(1, self.forms.linear((1, truth) for truth in truths)))
        return Stack(tuple(slots))


class Model:
    """A solver's model: the plain value of every unknown."""

    def __init__(self, symbols: Symbols, assigned: Mapping[str, int]) -> None:
        self.symbols = symbols
        self.assigned = assigned

    def truth(self, truth: Truth) -> bool:
        """Return whether something holds."""
        return bool(value_of([truth], self.assigned)[0])

    def value(self, type_: Type, value: Symbol) -> Any:
        """Return the plain value, as the interpreter has it."""
        return read_symbol(type_, self.plain(value), self.symbols)

    def plain(self, value: Symbol) -> Any:
        """Return the plain value, as it is reckoned with; a set as that of its cards."""
        match value:
            case Formula():
                number = value_of([value], self.assigned)[0]
                return number if value.is_number else bool(number)
            case SymbolicChoice(options):
                held = value_of(options.values(), self.assigned)
                return next((plain for plain, truth in zip(options, held, strict=True) if truth), None)
            case CardSet(bits):
                held = value_of(bits, self.assigned)
                return frozenset(card for card, bit in zip(self.symbols.cards, held, strict=True) if bit)
            case Stack(slots):
                return tuple(card for card in map(self.plain, slots) if card is not None)
            case Listing(items):
                return tuple(self.plain(item) for truth, item in items if self.truth(truth))
            case tuple():
                return tuple(map(self.plain, value))
        return value
