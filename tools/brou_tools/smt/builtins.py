"""What a built-in function makes its formula with: values that are not known, and the truths about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from brou_tools.smt.formula import Forms, Formula, Truth
from brou_tools.smt.symbols import CardSet, Choice, Listing, Order, Stack, Symbol, Symbols, Untranslatable


class Making:
    """Makes the formulas of one game; it keeps what `brou.language.making.Formulas` promises."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols

    @property
    def _forms(self) -> Forms:
        return self._symbols.forms

    # Values -----------------------------------------------------------------------------------------------------------

    def plain(self, value: Any) -> Symbol:
        """Return a value that is known: it stands for itself."""
        return value

    def map(self, meaning: Callable[..., Any], *values: Symbol) -> Symbol:
        """Return what a plain function gives for values each of which is one of a few."""
        return self._symbols.map(meaning, *values)

    def is_few(self, *values: Symbol) -> bool:
        """Say whether each of some values is one of a few, and no number with bounds alone."""
        return not any(isinstance(value, Formula) for value in values)

    def options(self, value: Symbol, numbers: Iterable[int] | None = None) -> Mapping[Any, Truth]:
        """Return each plain value that a value may be, with the truth that it is; of a number, of those given."""
        return self._symbols.options(value, numbers)

    def select(self, cases: Iterable[tuple[Truth, Symbol]]) -> Symbol:
        """Return the value of the case whose truth holds; at most one does."""
        return self._symbols.select(cases)

    def either_of(self, test: Truth, yes: Symbol, no: Symbol) -> Symbol:
        """Return one of two values."""
        return self._symbols.either_of(test, yes, no)

    def absent(self, value: Symbol) -> Truth:
        """Return whether a value is None."""
        return self._symbols.equal(value, None)

    def present(self, value: Symbol) -> Symbol:
        """Return a value as one that is there."""
        return self._symbols.present(value)

    def is_optional(self, value: Symbol) -> bool:
        """Say whether a value may be None."""
        return value is None or (isinstance(value, Choice) and None in value.options)

    # Sets, piles and lists --------------------------------------------------------------------------------------------

    def row(self, values: Iterable[Symbol]) -> Symbol:
        """Return values in order that are all there."""
        return tuple(values)

    def listing(self, items: Iterable[tuple[Truth, Symbol]]) -> Symbol:
        """Return values in order, each only where its truth holds."""
        return Listing(tuple((truth, value) for truth, value in items if truth is not False))

    def held(self, values: Symbol) -> Sequence[tuple[Truth, Symbol]]:
        """Return what a set, a pile or a list may hold, in order, each with the truth that it does."""
        if isinstance(values, Stack):
            return [(self._forms.no(self._symbols.equal(slot, None)), slot) for slot in values.slots]
        return self._symbols.items(values)

    def set(self, value: Symbol) -> Symbol:
        """Return a pile or a list of cards as a set."""
        return self._symbols.set(value if isinstance(value, Stack) else frozenset(value))

    def among(self, cards: Symbol) -> Mapping[str, Truth]:
        """Return each card of the pack with the truth that it is in a set."""
        return dict(zip(self._symbols.cards, self._symbols.set(cards).bits, strict=True))

    def cards(self, items: Mapping[str, Truth]) -> Symbol:
        """Return the set of the cards whose truth holds."""
        return CardSet(tuple(items.get(card, False) for card in self._symbols.cards))

    def slots(self, pile: Symbol) -> Sequence[Symbol]:
        """Return the cards of a pile from the top; behind the last one they are None."""
        return self._symbols.stack(pile).slots

    def pile(self, slots: Iterable[Symbol]) -> Symbol:
        """Return a pile of cards from the top."""
        return Stack(tuple(slots))

    # Truths and numbers -----------------------------------------------------------------------------------------------

    def both(self, *truths: Truth) -> Truth:
        """Return whether all hold."""
        return self._forms.both(*truths)

    def all(self, truths: Iterable[Truth]) -> Truth:
        """Return whether all of some hold."""
        return self._forms.all(truths)

    def any(self, truths: Iterable[Truth]) -> Truth:
        """Return whether any of some holds."""
        return self._forms.any(truths)

    def no(self, truth: Truth) -> Truth:
        """Return the contrary."""
        return self._forms.no(truth)

    def count(self, truths: Iterable[Truth]) -> Symbol:
        """Return how many of some hold."""
        return self._forms.linear((1, truth) for truth in truths)

    def ordered(self, order: Order, one: Symbol, two: Symbol) -> Truth:
        """Return how two numbers compare."""
        return self._symbols.ordered(order, one, two)

    def calculated(self, operator: str, one: Symbol, two: Symbol) -> Symbol:
        """Return a sum, a difference, a product or a quotient."""
        return self._symbols.calculated(operator, one, two)

    def refuse(self, why: str) -> NoReturn:
        """Give up: there is no formula."""
        raise Untranslatable(why)
