"""States of which nothing is known but the types of their variables, and what they are once a solver has answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from brou.language.syntax import Game
from brou.language.types import Array, Bool, Cards, Int, Named, Option, Pile, Type, finite
from brou_tools.smt.formula import Forms, Formula, Truth, value_of
from brou_tools.smt.symbols import CardSet, Choice, Listing, Stack, Symbol, Symbols, Untranslatable

#: A number of more values than this is a number for the solver, not a choice.
_FEW = 34


def known(type_: Type, value: Any, symbols: Symbols) -> Symbol:
    """Return a plain value of a type as it is reckoned with."""
    if isinstance(type_, Array):
        return tuple(known(type_.element, item, symbols) for item in value)
    if isinstance(type_, Cards):
        return symbols.set(value)
    return symbols.stack(value) if isinstance(type_, Pile) else value


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
                members = finite(index) or ()
                return tuple(self.of(f"{name}[{member}]", element) for member in members)
            case Cards():
                return CardSet(tuple(self.forms.truth(f"{name}:{card}") for card in self.symbols.cards))
            case Bool():
                return self.forms.truth(name)
            case Pile():
                return self.pile(name)
            case Option(held):
                return self._one(name, [None, *self._members(name, held)])
            case Int(low, high) if high - low >= _FEW:
                return self._number(name, low, high)
        return self._one(name, list(self._members(name, type_)))

    def _members(self, name: str, type_: Type) -> Sequence[Any]:
        if isinstance(type_, Bool):
            return (False, True)
        if isinstance(type_, (Int, Named)) and (members := finite(type_)) is not None:
            return members
        raise Untranslatable(f"{name}: an unknown {type_}")

    def _one(self, name: str, members: Sequence[Any]) -> Symbol:
        if len(members) == 1:
            return members[0]
        truths = [self.forms.truth(f"{name}={member}") for member in members]
        self.facts.append(self.forms.equal(self.forms.linear((1, truth) for truth in truths), 1))
        return Choice(dict(zip(members, truths, strict=True)))

    def _number(self, name: str, low: int, high: int) -> Formula:
        number = self.forms.number(name)
        self.facts += [self.forms.at_least(number, low), self.forms.at_least(high, number)]
        return number

    def order(self, name: str) -> Stack:
        """Return the whole pack in an unknown order."""
        symbols = self.symbols
        slots = [self._one(f"{name}.{place}", symbols.cards) for place in range(len(symbols.cards))]
        for truths in symbols.options_of_each(slots).values():
            self.facts.append(self.forms.equal(self.forms.linear((1, truth) for truth in truths), 1))
        return Stack(tuple(slots))

    def pile(self, name: str, most: int | None = None) -> Stack:
        """Return a pile of cards of which none lies in it twice, of so many at most."""
        cards, symbols = self.symbols.cards, self.symbols
        slots = [self._one(f"{name}.{place}", [None, *cards]) for place in range(len(cards) if most is None else most)]
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
                cards = [self.value(type_, slot) for slot in slots]
                return tuple(card for card in cards if card is not None)
            case Listing(items):
                return tuple(self.value(type_, item) for truth, item in items if self.truth(truth))
            case tuple() if isinstance(type_, Array):
                return tuple(self.value(type_.element, item) for item in value)
        return value


def plainly(game: Game, symbols: Symbols, values: Mapping[str, Any]) -> Callable[[str], Symbol]:
    """Return how a state is read whose values stand fast; what is not named has its first value."""
    given = {name: values.get(name, variable.default) for name, variable in game.state.items()}
    return lambda name: known(game.state[name].type, given[name], symbols)
