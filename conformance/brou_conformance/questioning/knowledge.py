"""The readings of a table that are left: combinations of values, kept apart where they are independent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log2, prod
from operator import eq
from random import Random
from typing import TypeAlias

from brou import Choice, Impossible, Reading, book
from brou.games import SETUP, Exclusion

#: A value for each of some keys, in their order.
Row: TypeAlias = tuple[str, ...]
#: By key and value the first of the values that are answered alike.
Blocks: TypeAlias = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Keys that hang together, and the rows of values that are left for them; there is at least one."""

    keys: tuple[str, ...]
    rows: frozenset[Row]

    def values(self, keys: Sequence[str]) -> frozenset[Row]:
        """Return the value combinations left for some of its keys, in the order given."""
        places = [self.keys.index(key) for key in keys]
        return frozenset(tuple(row[place] for place in places) for row in self.rows)


@dataclass(frozen=True, slots=True)
class ReadingSpace:
    """The readings that are left: every combination of a row of each group."""

    groups: tuple[KeyGroup, ...]
    #: The values of each key as they stand in the rules; a number has all of its range.
    domains: Mapping[str, tuple[str, ...]]

    @property
    def open(self) -> tuple[str, ...]:
        """Return the keys with more than one value left, in the order of the edition."""
        return tuple(key for key in self.domains if len(self.list_left(key)) > 1)

    @property
    def bits(self) -> float:
        """Return how much is unknown: the binary logarithm of the number of choices left."""
        return sum(log2(len(group.rows)) for group in self.groups)

    def list_left(self, key: str) -> tuple[str, ...]:
        """Return the values that are left for a key, in the order of the rules."""
        (group,) = self._with((key,))
        found = {value for (value,) in group.values((key,))}
        return tuple(value for value in self.domains[key] if value in found)

    def find_settled(self, key: str) -> str | None:
        """Return the one value that is left for a key; None if there are more."""
        left = self.list_left(key)
        return left[0] if len(left) == 1 else None

    def count(self, keys: Iterable[str]) -> int:
        """Return how many rows are left for some keys."""
        return prod(len(group.values(own)) for group, own in self._shares(tuple(keys)))

    def weigh(self, keys: Sequence[str], blocks: Blocks | None = None) -> dict[Row, int]:
        """Return the rows that are left for some keys, each with the number of rows that it stands for.

        A row stands for itself, or with `blocks` for all rows of which the values fall in the same blocks.
        """
        shares = self._shares(tuple(keys))
        order = [key for _, own in shares for key in own]
        places = [order.index(key) for key in keys]
        counted = [Counter(reduce(own, row, blocks or {}) for row in group.values(own)) for group, own in shares]
        found: dict[Row, int] = {}
        for parts in product(*(sorted(each.items()) for each in counted)):
            row = [value for values, _ in parts for value in values]
            found[tuple(row[place] for place in places)] = prod(weight for _, weight in parts)
        return found

    def keep(self, keys: Sequence[str], holds: Callable[[Row], bool]) -> ReadingSpace:
        """Return the space narrowed to rows of these keys that hold; raise `Impossible` if none is left."""
        touched = self._with(keys)
        whole = tuple(key for group in touched for key in group.keys)
        places = [whole.index(key) for key in keys]
        kept = set[Row]()
        for parts in product(*(group.rows for group in touched)):
            row = tuple(value for part in parts for value in part)
            if holds(tuple(row[place] for place in places)):
                kept.add(row)
        if not kept:
            raise Impossible("no reading is left")
        rest = tuple(group for group in self.groups if group not in touched)
        return ReadingSpace((*rest, *_split(KeyGroup(whole, frozenset(kept)))), self.domains)

    def prefer(self, wanted: Mapping[str, str], fixed: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return a choice that is left with the values that are fixed, and with as many as can be of those wanted."""
        given = fixed or {}
        found: dict[str, str] = {}
        for group in self.groups:
            own = {key: given[key] for key in group.keys if key in given}
            liked = tuple({**wanted, **own}.get(key, "") for key in group.keys)
            if liked not in group.rows:
                rows = sorted(row for row in group.rows if _has(group, row, own))
                # A block of values may be left where its first value is not; that one stands for it all the same.
                liked = max(rows, key=lambda row: sum(map(eq, row, liked)), default=liked)
            found |= dict(zip(group.keys, liked, strict=True))
        return found

    def draw(self, random: Random) -> dict[str, str]:
        """Return a choice that is left, all of them being equally likely."""
        found: dict[str, str] = {}
        for group in self.groups:
            found |= zip(group.keys, random.choice(sorted(group.rows)), strict=True)
        return found

    def _with(self, keys: Collection[str]) -> list[KeyGroup]:
        return [group for group in self.groups if not set(keys).isdisjoint(group.keys)]

    def _shares(self, keys: Sequence[str]) -> list[tuple[KeyGroup, tuple[str, ...]]]:
        return [(group, tuple(key for key in keys if key in group.keys)) for group in self._with(keys)]


def reduce(keys: Sequence[str], row: Row, blocks: Blocks) -> Row:
    """Return a row with each value replaced by the first of its block, where its key has blocks."""
    return tuple(
        blocks[key].get(value, value) if key in blocks else value for key, value in zip(keys, row, strict=True)
    )


def _has(group: KeyGroup, row: Row, values: Mapping[str, str]) -> bool:
    return all(values.get(key, value) == value for key, value in zip(group.keys, row, strict=True))


def begin(plain: Choice, given: Mapping[str, str]) -> ReadingSpace:
    """Return the space before any question: the readings that an edition leaves open in a set-up, less those given.

    A value that a set-up or another value excludes is no choice.
    """
    data = book(plain.game, plain.project)
    keys = tuple(data.editions[plain.edition].readings)
    domains = {key: _domain(data.readings[key]) for key in keys}
    groups = tuple(
        KeyGroup((key,), frozenset((value,) for value in domains[key] if given.get(key, value) == value))
        for key in keys
    )
    known = ReadingSpace(groups, domains)
    for exclusion in data.exclusions:
        within = tuple(key for key in exclusion.together if key in domains)
        if within and set(exclusion.together) <= {*domains, SETUP}:
            known = known.keep(within, _make_filter(exclusion, within, plain.setup))
    return known


def _domain(reading: Reading) -> tuple[str, ...]:
    if reading.number is None:
        return tuple(reading.values)
    low, high, _ = reading.number
    return tuple(map(str, range(low, high + 1)))


def _make_filter(exclusion: Exclusion, keys: Sequence[str], setup: str) -> Callable[[Row], bool]:
    return lambda row: not exclusion.hit(dict(zip(keys, row, strict=True)), setup)


def _split(group: KeyGroup) -> list[KeyGroup]:
    """Return independent groups that together have the same rows as one group."""
    for number, key in enumerate(group.keys):
        rest = (*group.keys[:number], *group.keys[number + 1 :])
        alone, others = group.values((key,)), group.values(rest)
        if rest and len(alone) * len(others) == len(group.rows):
            return [KeyGroup((key,), alone), *_split(KeyGroup(rest, others))]
    return [group]
