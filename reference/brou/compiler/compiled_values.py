"""Between the values of the interpreter and those of compiled rules: codes and frozensets, places and masks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from brou.compiler.lowered import NO_INDEX, NO_NUMBER
from brou.language.syntax import Deck
from brou.language.types import Array, Bool, Cards, Domain, Int, Named, Option, Pile, Type, finite

Change = Callable[[Any], Any]


def raising(type_: Type, deck: Deck) -> Change:
    """Return how compiled values of a type become those of the interpreter."""
    codes = {1 << place: code for place, code in enumerate(deck.cards)}
    match type_:
        case Option(inner):
            change, nothing = raising(inner, deck), _nothing(inner, deck)
            return lambda value: None if value == nothing else change(value)
        case Array(index, element):
            change, side, width = raising(element, deck), len(finite(index) or ()), _width(element)
            if width == 1 and not isinstance(element, Array):
                return lambda value: tuple(map(change, value))
            return lambda value: tuple(change(value[width * n : width * (n + 1)]) for n in range(side))
        case Domain(element):
            change = raising(element, deck)
            return lambda value: tuple(map(change, value))
        case Named(name="card"):
            return codes.__getitem__
        case Named(members=members):
            return members.__getitem__
        case Cards():
            return lambda value: frozenset(code for bit, code in codes.items() if value & bit)
        case Pile():
            return lambda value: tuple(codes[card] for card in value)
        case Bool():
            return bool
    return lambda value: value


def lowering(type_: Type, deck: Deck) -> Change:
    """Return how values of the interpreter become compiled ones."""
    masks = {code: 1 << place for place, code in enumerate(deck.cards)}
    match type_:
        case Option(inner):
            change, nothing = lowering(inner, deck), _nothing(inner, deck)
            return lambda value: nothing if value is None else change(value)
        case Array(_, element):
            change = lowering(element, deck)
            if isinstance(element, Array):
                return lambda value: [one for item in value for one in change(item)]
            return lambda value: list(map(change, value))
        case Domain(element):
            change = lowering(element, deck)
            return lambda value: tuple(map(change, value))
        case Named(name="card"):
            return masks.__getitem__
        case Named(members=members):
            return members.index
        case Cards():
            return lambda value: _sum(masks[code] for code in value)
        case Pile():
            return lambda value: tuple(masks[code] for code in value)
    return lambda value: value


def _sum(masks: Iterable[int]) -> int:
    return sum(masks)


def _nothing(type_: Type, deck: Deck) -> Any:
    """Return what stands for an absent value of a type."""
    match type_:
        case Option(inner):
            return _nothing(inner, deck)
        case Named(name="card"):
            return 0
        case Named() | Bool():
            return NO_INDEX
        case Int():
            return NO_NUMBER
        case Cards():
            return 1 << len(deck.cards)
    return None


def _width(type_: Type) -> int:
    """Return how many places an element of an array takes."""
    return len(finite(type_.index) or ()) * _width(type_.element) if isinstance(type_, Array) else 1
