"""Between the values of the interpreter and those of compiled rules: codes and frozensets, places and masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from brou.compiler.lowered import NO_INDEX, NO_NUMBER
from brou.errors import Crash
from brou.language import types
from brou.language.syntax import Deck

#: What compiled rules keep: a number, a truth, a place or a mask, several of them in order, or that there is no pile.
Word: TypeAlias = "None | int | Sequence[Word]"
Raising: TypeAlias = Callable[[Word], types.Value]
Lowering: TypeAlias = Callable[[types.Value], Word]


class CompiledState(Protocol):
    """A state of compiled rules: the phase, and each variable in a slot of its own."""

    PHASE: str

    def copy(self) -> CompiledState:
        """Return a state that may be changed without changing this one."""


def as_code(word: Word) -> int:
    """Return a word as the number, the place or the mask that it is."""
    if isinstance(word, int):
        return word
    raise Crash(f"{word!r} is no number, place or mask")


def as_codes(word: Word) -> Sequence[Word]:
    """Return a word as the several words that it is."""
    if word is None or isinstance(word, int):
        raise Crash(f"{word!r} is no array, list or pile")
    return word


def raising(type_: types.Type, deck: Deck) -> Raising:  # noqa: C901 - one type a case
    """Return how compiled values of a type become those of the interpreter."""
    codes = {1 << place: code for place, code in enumerate(deck.cards)}
    match type_:
        case types.Option(inner):
            change, nothing = raising(inner, deck), _nothing(inner, deck)
            return lambda word: None if word == nothing else change(word)
        case types.Array(index, element):
            change, side, width = raising(element, deck), len(types.finite(index) or ()), _width(element)
            if width == 1 and not isinstance(element, types.Array):
                return lambda word: tuple(map(change, as_codes(word)))
            return lambda word: tuple(change(as_codes(word)[width * n : width * (n + 1)]) for n in range(side))
        case types.Domain(element):
            change = raising(element, deck)
            return lambda word: tuple(map(change, as_codes(word)))
        case types.Named(name="card"):
            return lambda word: codes[as_code(word)]
        case types.Named(members=members):
            return lambda word: members[as_code(word)]
        case types.Cards():
            return lambda word: _decode_set(codes, as_code(word))
        case types.Pile():
            return lambda word: tuple(codes[as_code(card)] for card in as_codes(word))
        case types.Numbers():
            return lambda word: tuple(map(as_code, as_codes(word)))
        case types.Bool():
            return bool
        case types.Nothing():
            return lambda _: None
    return as_code


def _decode_set(codes: dict[int, str], cards: int) -> frozenset[str]:
    return frozenset(code for bit, code in codes.items() if cards & bit)


def lowering(type_: types.Type, deck: Deck) -> Lowering:  # noqa: C901 - one type a case
    """Return how values of the interpreter become compiled ones."""
    masks = {code: 1 << place for place, code in enumerate(deck.cards)}
    match type_:
        case types.Option(inner):
            change, nothing = lowering(inner, deck), _nothing(inner, deck)
            return lambda value: nothing if value is None else change(value)
        case types.Array(_, element):
            change = lowering(element, deck)
            if isinstance(element, types.Array):
                return lambda value: [one for item in types.as_row(value) for one in as_codes(change(item))]
            return lambda value: list(map(change, types.as_row(value)))
        case types.Domain(element):
            change = lowering(element, deck)
            return lambda value: tuple(map(change, types.as_row(value)))
        case types.Named(name="card"):
            return lambda value: masks[types.as_name(value)]
        case types.Named(members=members):
            places: dict[types.Value, int] = {member: place for place, member in enumerate(members)}
            return places.__getitem__
        case types.Cards():
            return lambda value: sum(masks[card] for card in types.as_cards(value))
        case types.Pile():
            return lambda value: tuple(masks[types.as_name(card)] for card in types.as_row(value))
        case types.Numbers():
            return lambda value: tuple(map(types.as_number, types.as_row(value)))
        case types.Nothing():
            return lambda _: None
    return types.as_number


def _nothing(type_: types.Type, deck: Deck) -> Word:
    """Return the code of an absent value of a type."""
    match type_:
        case types.Option(inner):
            return _nothing(inner, deck)
        case types.Named(name="card"):
            return 0
        case types.Named() | types.Bool():
            return NO_INDEX
        case types.Int():
            return NO_NUMBER
        case types.Cards():
            return 1 << len(deck.cards)
    return None


def _width(type_: types.Type) -> int:
    """Return how many places an element of an array takes."""
    return len(types.finite(type_.index) or ()) * _width(type_.element) if isinstance(type_, types.Array) else 1
