"""A mapping that makes its values at their first lookup: of many rule bases that are tried, each plays few acts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

Made = TypeVar("Made")


class OnDemand(Mapping[str, Made]):
    """Values by name, in the order of the names; the first lookup of a name makes its value."""

    def __init__(self, names: Collection[str], make: Callable[[str], Made]) -> None:
        self._names = dict.fromkeys(names)
        self._make = make
        self._made: dict[str, Made] = {}

    def __getitem__(self, name: str) -> Made:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        return self._made[name]

    def is_made(self, name: str) -> bool:
        """Say whether some lookup has made the value of a name."""
        return name in self._made

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
