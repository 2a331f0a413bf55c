"""States of which nothing is known but the types of their variables, and what they are once a solver has answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from brou.language.types import Array, Bool, Cards, Domain, Int, Named, Option, Pile, Type, finite
from brou_tools.smt.formula import Forms, Formula, Truth, value_of
from brou_tools.smt.symbols import CardSet, Choice, Listing, Stack, Symbol, Symbols, Untranslatable

#: A number of more values than this is a number for the solver, not a choice.
_FEW = 34


def known(type_: Type, value: Any, symbols: Symbols) -> Symbol:
    """Return a value of the interpreter as it is reckoned with."""
    match type_, value:
        case _, None:
            return None
        case Option(held), _:
            return known(held, value, symbols)
        case Array(_, element), _:
            items = [known(element, item, symbols) for item in value]
            return tuple(part for item in items for part in item) if isinstance(element, Array) else tuple(items)
        case Domain(element), _:
            return tuple(known(element, item, symbols) for item in value)
        case Cards(), _:
            return CardSet(tuple(card in value for card in symbols.codes))
        case Pile(), _:
            return Stack(tuple(map(symbols.codes.index, value)))
        case Named(members=members), _:
            return members.index(value)
    return value


def meant(type_: Type, value: Any, symbols: Symbols) -> Any:
    """Return what is reckoned with, once nothing of it is unknown, as the interpreter has it."""
    match type_, value:
        case _, None:
            return None
        case Option(held), _:
            return meant(held, value, symbols)
        case Array(index, element), _:
            size = len(value) // len(finite(index) or ())
            parts = [value[place : place + size] for place in range(0, len(value), size)]
            return tuple(meant(element, part if isinstance(element, Array) else part[0], symbols) for part in parts)
        case Domain(element), _:
            return tuple(meant(element, item, symbols) for item in value)
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
    """Makes unknown values, and notes what holds of them by their types."""

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
        """Return the values that something may be, each with what it is called."""
        if isinstance(type_, Bool):
            return {False: False, True: True}
        if isinstance(type_, (Int, Named)) and (members := finite(type_)) is not None:
            return {known(type_, member, self.symbols): member for member in members}
        raise Untranslatable(f"{name}: an unknown {type_}")

    def _one(self, name: str, members: Mapping[Any, Any]) -> Symbol:
        if len(members) == 1:
            return next(iter(members))
        truths = [self.forms.truth(f"{name}={called}") for called in members.values()]
        self.facts.append(self.forms.equal(self.forms.linear((1, truth) for truth in truths), 1))
        return Choice(dict(zip(members, truths, strict=True)))

    def _number(self, name: str, low: int, high: int) -> Formula:
        number = self.forms.number(name)
        self.facts += [self.forms.at_least(number, low), self.forms.at_least(high, number)]
        return number

    def order(self, name: str) -> Stack:
        """Return the whole pack in an unknown order."""
        symbols = self.symbols
        slots = [self._one(f"{name}.{place}", dict(enumerate(symbols.codes))) for place in symbols.cards]
        for truths in symbols.options_of_each(slots).values():
            self.facts.append(self.forms.equal(self.forms.linear((1, truth) for truth in truths), 1))
        return Stack(tuple(slots))

    def pile(self, name: str, most: int | None = None) -> Stack:
        """Return a pile of cards of which none lies in it twice, of so many at most."""
        symbols, cards = self.symbols, dict(enumerate(self.symbols.codes))
        long = len(cards) if most is None else most
        slots = [self._one(f"{name}.{place}", {None: None, **cards}) for place in range(long)]
        for one, two in pairwise(slots):
            self.facts.append(self.forms.implies(symbols.equal(one, None), symbols.equal(two, None)))
        for card, truths in symbols.options_of_each(slots).items():
            if card is not None:
                self.facts.append(self.forms.at_least(1, self.forms.linear((1, truth) for truth in truths)))
        return Stack(tuple(slots))


class Model:
    """What a solver has found: the plain value of everything that was unknown."""

    def __init__(self, symbols: Symbols, assigned: Mapping[str, int]) -> None:
        self.symbols = symbols
        self.assigned = assigned

    def truth(self, truth: Truth) -> bool:
        """Return whether something holds."""
        return bool(value_of([truth], self.assigned)[0])

    def value(self, type_: Type, value: Symbol) -> Any:
        """Return the plain value, as the interpreter has it."""
        return meant(type_, self.plain(value), self.symbols)

    def plain(self, value: Symbol) -> Any:
        """Return the plain value, as it is reckoned with; a set as that of its cards."""
        match value:
            case Formula():
                number = value_of([value], self.assigned)[0]
                return number if value.is_number else bool(number)
            case Choice(options):
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
