"""States known in part: the known facts about each variable, and a stand-in for values that notes the cells read.

A **cell** is a variable, or one element of an array: the name and the places of the indexes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn, TypeAlias, cast, overload

from brou.dataclass import dataclass, field, replace
from brou.errors import Crash
from brou.language.syntax import Game
from brou.language.types import (
    Array,
    Cards,
    Int,
    Option,
    Type,
    Value,
    as_number,
    as_row,
    cards_of,
    finite,
    inner,
    list_values,
)

Cell: TypeAlias = tuple[str, tuple[int, ...]]

#: What reading a cell shows: `value`, `size` or nothing, and the value or number.
Glimpse: TypeAlias = tuple[str, Value]

#: A cell with more values than these is not gone through value by value.
MOST_VALUES = 200


class Unsure(Exception):
    """An answer needs a cell that is not known."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        super().__init__(cell)


@dataclass(frozen=True)
class Knowledge:
    """The known facts about a state: values of cells, possible values of others, and numbers of cards in others.

    It is immutable; every new fact makes a new object.
    """

    game: Game
    values: Mapping[Cell, Value] = field(default_factory=dict)
    among: Mapping[Cell, tuple[Value, ...]] = field(default_factory=dict)
    sizes: Mapping[Cell, int] = field(default_factory=dict)

    def glimpse(self, cell: Cell) -> Glimpse:
        """Return what reading a cell shows: how it is known, and its value or the number of its cards."""
        if cell in self.values:
            return "value", self.values[cell]
        if cell in self.sizes:
            return "size", self.sizes[cell]
        left = self.among.get(cell, ())
        return ("value", left[0]) if len(left) == 1 else ("", None)

    def type_of(self, cell: Cell) -> Type:
        """Return the type of the values of a cell."""
        type_: Type = self.game.state[cell[0]].type
        for _ in cell[1]:
            if not isinstance(type_, Array):
                raise Crash(f"{cell[0]} has no element at {cell[1]}")
            type_ = type_.element
        return type_

    def members(self, cell: Cell) -> tuple[Value, ...] | None:
        """Return the values that a cell may have, or None if they are too many to go through."""
        found = self.among.get(cell) or _members(self.type_of(cell))
        if found is None or not self.game.state[cell[0]].zone:
            return found
        lying = self._lying(cell)
        return tuple(value for value in found if value not in lying)

    def _lying(self, aside: Cell) -> frozenset[str]:
        """Return the cards that lie in known cells; a card lies in one place."""
        return frozenset(
            card
            for cell, value in self.values.items()
            if cell != aside and self.game.state[cell[0]].zone
            for card in cards_of(value)
        )

    def bind(self, cell: Cell, value: Value) -> Knowledge | None:
        """Return the knowledge once a cell has a value; None if it cannot have it."""
        type_ = self.type_of(cell)
        if isinstance(type_, Array):
            return self._bind_all(cell, as_row(value))
        if cell in self.values:
            return self if self.values[cell] == value else None
        if not _has(type_, value) or (cell in self.among and value not in self.among[cell]):
            return None
        if cell in self.sizes and self.sizes[cell] != _size(value):
            return None
        if self.game.state[cell[0]].zone and not self._lying(cell).isdisjoint(cards_of(value)):
            return None
        return replace(self, values={**self.values, cell: value})

    def _bind_all(self, cell: Cell, values: Sequence[Value]) -> Knowledge | None:
        known: Knowledge | None = self
        for place, value in enumerate(values):
            known = known and known.bind((cell[0], (*cell[1], place)), value)
        return known

    def exclude(self, cell: Cell, value: Value) -> Knowledge | None:
        """Return the knowledge once a cell has another value than this; None if it has this one."""
        if cell in self.values:
            return None if self.values[cell] == value else self
        members = self.among.get(cell) or _members(self.type_of(cell))
        if members is None:
            return self
        left = tuple(member for member in members if member != value)
        if len(left) == 1:
            return self.bind(cell, left[0])
        return replace(self, among={**self.among, cell: left}) if left else None

    def count(self, cell: Cell, size: int) -> Knowledge | None:
        """Return the knowledge once so many cards lie in a cell; None if another number does."""
        if cell in self.values:
            return self if _size(self.values[cell]) == size else None
        if cell in self.sizes:
            return self if self.sizes[cell] == size else None
        if size == 0:
            return self.bind(cell, frozenset() if isinstance(self.type_of(cell), Cards) else ())
        return replace(self, sizes={**self.sizes, cell: size})

    def split(self, cell: Cell) -> Iterator[Knowledge] | None:
        """Yield the knowledge under each value of a cell; None if they are too many."""
        members = self.members(cell)
        if members is None:
            return None
        found = (self.bind(cell, member) for member in members)
        return (known for known in found if known is not None)


class _LazyRow(Sequence[Value]):
    """Values in order, each looked up when it is first read: one question reads a few of them very often."""

    def __init__(self) -> None:
        self._read: dict[object, Value] = {}

    @overload
    def __getitem__(self, place: int) -> Value: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Value, ...]: ...

    def __getitem__(self, place: int | slice) -> Value:
        try:
            return self._read[place]
        except (KeyError, TypeError):
            # A slice cannot be a key in every Python.
            return self._look(place)

    def _look(self, place: int | slice) -> Value:
        if isinstance(place, slice):
            return tuple(self[number] for number in range(*place.indices(len(self))))
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        found = self._read[place] = self._at(place % len(self))
        return found

    @abstractmethod
    def _at(self, place: int) -> Value:
        """Return the value at a place that there is."""


class Partial(_LazyRow):
    """The values of a partly known state; reading an unknown one raises `Unsure`.

    `seen` gets every cell that is read, with its glimpse.
    """

    def __init__(self, known: Knowledge, seen: dict[Cell, Glimpse] | None = None) -> None:
        super().__init__()
        self._known, self._seen = known, {} if seen is None else seen
        self._names = tuple(known.game.state)

    def __len__(self) -> int:
        return len(self._names)

    def _at(self, place: int) -> Value:
        return _value(self._known, (self._names[place], ()), self._seen)


class _Elements(_LazyRow):
    """An array some of whose elements are known."""

    def __init__(self, known: Knowledge, cell: Cell, size: int, seen: dict[Cell, Glimpse]) -> None:
        super().__init__()
        self._known, self._cell, self._size, self._seen = known, cell, size, seen

    def __len__(self) -> int:
        return self._size

    def _at(self, place: int) -> Value:
        return _value(self._known, (self._cell[0], (*self._cell[1], place)), self._seen)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


class _CountedCards:
    """Cards of which only the number is known."""

    def __init__(self, cell: Cell, size: int) -> None:
        self._cell, self._size = cell, size

    def __len__(self) -> int:
        return self._size

    def _ask(self, *_: object) -> NoReturn:
        raise Unsure(self._cell)

    __iter__ = __contains__ = __getitem__ = __hash__ = _ask
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _ask
    __and__ = __rand__ = __or__ = __ror__ = __sub__ = __rsub__ = __add__ = __radd__ = _ask


def _value(known: Knowledge, cell: Cell, seen: dict[Cell, Glimpse]) -> Value:
    """Return the value of a cell, or a stand-in that can be read like it as far as it is known."""
    if cell not in known.values and isinstance(type_ := known.type_of(cell), Array):
        return cast("Value", _Elements(known, cell, len(finite(type_.index) or ()), seen))
    seen[cell] = kind, value = known.glimpse(cell)
    if kind == "size":
        return cast("Value", _CountedCards(cell, as_number(value)))
    if kind:
        return value
    raise Unsure(cell)


def _members(type_: Type) -> tuple[Value, ...] | None:
    """Return the values of a type, or None if they are too many to go through."""
    found = list_values(inner(type_))
    if not 0 < len(found) <= MOST_VALUES:
        return None
    return (None, *found) if isinstance(type_, Option) else found


def _has(type_: Type, value: Value) -> bool:
    """Say whether a value of a type like this one is one of this."""
    if isinstance(type_, Option):
        return value is None or _has(type_.inner, value)
    return value is not None and (not isinstance(type_, Int) or type_.low <= as_number(value) <= type_.high)


def _size(value: Value) -> int:
    """Return how many cards lie in a cell."""
    return sum(1 for _ in cards_of(value))
