"""Chance, fixed by the format so that any language can reproduce a match from a seed.

The generator is splitmix64. A number below n is drawn by rejection, so that
all are equally likely; a shuffle is Fisher and Yates's from the last place down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


class Chance:
    """A stream of reproducible random numbers."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def word(self) -> int:
        """Return the next 64 random bits (splitmix64)."""
        self.state = (self.state + _GOLDEN) & _MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1; words at or above the greatest multiple of `bound` are skipped."""
        limit = (1 << 64) - (1 << 64) % bound
        while (word := self.word()) >= limit:
            pass
        return word % bound

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items, all equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order."""
        pile = list(items)
        for top in range(len(pile) - 1, 0, -1):
            other = self.below(top + 1)
            pile[top], pile[other] = pile[other], pile[top]
        return pile
