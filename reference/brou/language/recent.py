"""A memory of bounded size: what was made lately, and of what."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class Recent(Generic[_Value]):
    """Finds what was made of some objects: of the same ones, not of equal ones. The oldest are forgotten first.

    The objects are held as long as what was made of them, so that no other object can take their place in memory.
    """

    def __init__(self, *, maxsize: int) -> None:
        self._size = maxsize
        self._kept: dict[tuple[Hashable, ...], tuple[tuple[object, ...], _Value]] = {}

    def find(self, label: Hashable, *of: object) -> _Value | None:
        """Return what was made of the objects under a label, or None."""
        key = (label, *map(id, of))
        found = self._kept.pop(key, None)
        if found is None:
            return None
        self._kept[key] = found
        return found[1]

    def keep(self, value: _Value, label: Hashable, *of: object) -> _Value:
        """Remember what was made of the objects under a label, and return it."""
        key = (label, *map(id, of))
        self._kept.pop(key, None)
        self._kept[key] = of, value
        while len(self._kept) > self._size:
            self._kept.pop(next(iter(self._kept)), None)
        return value
