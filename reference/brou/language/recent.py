"""A cache of bounded size, keyed by the identity of objects."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class Recent(Generic[_Value]):
    """A cache of results keyed by the identity of objects, not their equality; the oldest entries are dropped first.

    The objects are held as long as their results, so that no other object can take their place in memory.
    """

    def __init__(self, *, maxsize: int) -> None:
        self._size = maxsize
        self._kept: dict[tuple[Hashable, ...], tuple[tuple[object, ...], _Value]] = {}

    def find(self, label: Hashable, *of: object) -> _Value | None:
        """Return the result kept for the objects under a label, or None."""
        key = (label, *map(id, of))
        found = self._kept.pop(key, None)
        if found is None:
            return None
        self._kept[key] = found
        return found[1]

    def keep(self, value: _Value, label: Hashable, *of: object) -> _Value:
        """Keep a result for the objects under a label, and return it."""
        key = (label, *map(id, of))
        self._kept.pop(key, None)
        self._kept[key] = of, value
        while len(self._kept) > self._size:
            self._kept.pop(next(iter(self._kept)), None)
        return value
