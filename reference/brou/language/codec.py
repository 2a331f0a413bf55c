"""Between values and JSON: what a type's values look like on the wire, read and written in one place.

Names are written with hyphens outside and with underscores inside the data.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias, TypeGuard

from brou.errors import BadAct, Crash
from brou.language import types
from brou.language.copies import find_face, is_copy, pick_copies
from brou.language.syntax import Deck

Json: TypeAlias = "None | bool | int | str | list[Json] | dict[str, Json]"


class NoSuchValue(BadAct):
    """A value that the type does not have; `card` says whether a card was expected."""

    def __init__(self, type_: types.Type, value: object) -> None:
        self.type = type_
        super().__init__(f"{value!r} is no {type_}"[:200])


def outside(name: str) -> str:
    """Return a name as it is written in JSON."""
    return name.replace("_", "-")


def writer(type_: types.Type, deck: Deck) -> Callable[[types.Value], Json]:
    """Return the function that writes values of a type."""
    match type_:
        case types.Option(inner):
            write = writer(inner, deck)
            return write if write is _plain else lambda value: None if value is None else write(value)
        case types.Array(_, element) | types.Domain(element, _):
            each = writer(element, deck)
            return _flat if each is _plain else lambda value: [each(item) for item in types.as_row(value)]
        case types.Pile() if deck.copies > 1:
            return lambda value: [find_face(types.as_name(card)) for card in types.as_row(value)]
        case types.Cards():
            rank = {card: number for number, card in enumerate(deck.cards)}
            return lambda value: [*map(find_face, sorted(types.as_cards(value), key=rank.__getitem__))]
        case types.Pile() | types.Numbers():
            return _flat
        case types.Named(name="card") if deck.copies > 1:
            return lambda value: find_face(types.as_name(value))
        case types.Named() if type_.name not in ("card", "suit", "rank", "player", "team"):
            return lambda value: outside(types.as_name(value))
    return _plain


def _is_flat(value: types.Value) -> TypeGuard[tuple[str | int | None, ...]]:
    """Say whether a value is a pile or another row, where rules have one of which nothing is written otherwise."""
    return isinstance(value, tuple)


def _flat(value: types.Value) -> Json:
    """Return values in order that are written as they are."""
    if _is_flat(value):
        return [*value]
    raise Crash(f"{value!r} is no array, list or pile")


def _plain(value: types.Value) -> Json:
    """Return a number, a truth or a name as it is written, which is unchanged."""
    if value is None or isinstance(value, (int, str)):
        return value
    raise Crash(f"{value!r} is no number, truth or name")


def read(type_: types.Type, value: object, deck: Deck) -> types.Value:  # noqa: C901 - one type a case
    """Return the value that JSON means, or raise `NoSuchValue`; of copies of a card the first ones."""
    match type_:
        case types.Named(name="card") if isinstance(value, str) and is_copy(value):
            raise NoSuchValue(type_, value)
        case types.Bool() if isinstance(value, bool):
            return value
        case types.Int(low, high) if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        case types.Named() if isinstance(value, str) and value.replace("-", "_") in type_.members and "_" not in value:
            return value.replace("-", "_")
        case types.Named() if isinstance(value, int) and not isinstance(value, bool) and value in type_.members:
            return value
        case types.Option(inner):
            return None if value is None else read(inner, value, deck)
        case types.Numbers() if isinstance(value, list) and all(type(item) is int for item in value):
            return tuple(value)
        case types.Pile() if isinstance(value, list):
            return _cards(type_, value, deck)
        case types.Cards() if isinstance(value, list):
            return frozenset(_cards(type_, value, deck))
        case types.Array(index, element) if isinstance(value, list) and len(value) == len(types.finite(index) or ()):
            return tuple(read(element, item, deck) for item in value)
    raise NoSuchValue(type_, value)


def read_each(type_: types.Type, value: object, deck: Deck, seen: Collection[str]) -> Iterator[types.Value]:
    """Yield every value that JSON may mean which shows faces alone; raise `NoSuchValue` where there is none.

    Each card is a copy that was seen elsewhere, or else the first one that was not, as those are alike.
    """
    match type_:
        case types.Named(name="card") if isinstance(value, str):
            yield from (card for (card,) in _pick_each(type_, [value], deck, seen))
        case types.Option(inner) if value is not None:
            yield from read_each(inner, value, deck, seen)
        case types.Pile() if isinstance(value, list):
            yield from _pick_each(type_, value, deck, seen)
        case types.Cards() if isinstance(value, list):
            yield from dict.fromkeys(map(frozenset, _pick_each(type_, value, deck, seen)))
        case types.Array(_, element) if isinstance(value, list):
            read(type_, value, deck)
            yield from _read_row(element, value, deck, seen)
        case _:
            yield read(type_, value, deck)


def _read_row(
    element: types.Type, values: Sequence[object], deck: Deck, seen: Collection[str]
) -> Iterator[tuple[types.Value, ...]]:
    if not values:
        yield ()
        return
    for first in read_each(element, values[0], deck, seen):
        for others in _read_row(element, values[1:], deck, {*seen, *types.cards_of(first)}):
            yield first, *others


def _pick_each(
    type_: types.Type, faces: Sequence[object], deck: Deck, seen: Collection[str]
) -> Iterator[tuple[str, ...]]:
    """Yield every choice of different cards for some faces."""
    if not faces:
        yield ()
        return
    *others, last = faces
    copies = [card for card in deck.cards if find_face(card) == last and find_face(card) in deck.faces]
    if not copies:
        raise NoSuchValue(type_, last)
    for before in _pick_each(type_, others, deck, seen):
        free = [card for card in copies if card not in before]
        fresh = [card for card in free if card not in seen]
        yield from ((*before, card) for card in free if card in seen or card in fresh[:1])


def _cards(type_: types.Type, value: Sequence[object], deck: Deck) -> tuple[str, ...]:
    faces = [item for item in value if isinstance(item, str)]
    cards = pick_copies(faces, deck.cards)
    if cards is None or len(cards) != len(value):
        raise NoSuchValue(type_, value)
    return cards
