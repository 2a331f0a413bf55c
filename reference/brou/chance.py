"""Chance, fixed by the format so that any language can reproduce a match from a seed.

The generator is splitmix64. A number below n is drawn by rejection, so that
all are equally likely; a shuffle is Fisher and Yates's from the last place down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count, islice
from operator import mod
from struct import Struct
from typing import TypeVar

Item = TypeVar("Item")

_GOLDEN = 0x9E3779B97F4A7C15
#: What makes another seed of a seed, for the orders of packs.
_PACKS = 0x5851F42D4C957F2D
_WORDS = 1 << 64
_MASK = _WORDS - 1

#: So many words are mixed at once, side by side in one long integer, each in a lane of 128 bits: a product of two
#: words fits into a lane, so one long multiplication does for all of them.
_LANES = 32
_ONE_EACH = sum(1 << 128 * lane for lane in range(_LANES))
_LOW_HALVES = _MASK * _ONE_EACH
_STEPS = sum(((lane + 1) * _GOLDEN & _MASK) << 128 * lane for lane in range(_LANES))
#: The low half of each lane.
_SPLIT = Struct("<" + "Q8x" * _LANES)


def _mix_block(state: int) -> tuple[int, ...]:
    """Return the words that follow a state, a block of them."""
    mixed = ((state & _MASK) * _ONE_EACH + _STEPS) & _LOW_HALVES
    mixed = ((mixed ^ (mixed >> 30 & _LOW_HALVES)) * 0xBF58476D1CE4E5B9) & _LOW_HALVES
    mixed = ((mixed ^ (mixed >> 27 & _LOW_HALVES)) * 0x94D049BB133111EB) & _LOW_HALVES
    return _SPLIT.unpack((mixed ^ (mixed >> 31 & _LOW_HALVES)).to_bytes(_SPLIT.size, "little"))


class Chance:
    """A stream of reproducible random numbers."""

    def __init__(self, seed: int) -> None:
        blocks = map(_mix_block, count(seed & _MASK, _GOLDEN * _LANES))
        self._words = chain.from_iterable(blocks)
        self._draw = self._words.__next__

    def word(self) -> int:
        """Return the next 64 random bits (splitmix64)."""
        return self._draw()

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1; words at or above the greatest multiple of `bound` are skipped."""
        word = self._draw()
        # That multiple lies above 2^64 - bound, so hardly any word has to be compared with it.
        if word > _WORDS - bound:
            word = self._fair(word, bound, self._words)
        return word % bound

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items, all equally likely."""
        return items[self.below(len(items))]

    def order(self, items: Sequence[Item]) -> list[Item]:
        """Return the cards of a pack in random order."""
        return self.shuffle(items)

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order."""
        pile = list(items)
        places = range(len(pile), 1, -1)
        words = list(islice(self._words, len(places)))
        if words and max(words) > _WORDS - len(pile):
            words = self._fair_words(words, places)
        for top, other in zip(range(len(pile) - 1, 0, -1), map(mod, words, places), strict=True):
            pile[top], pile[other] = pile[other], pile[top]
        return pile

    def _fair_words(self, words: list[int], bounds: Sequence[int]) -> list[int]:
        """Return a word for each bound, of those that were drawn and then of those that follow."""
        drawn = chain(words, self._words)
        return [self._fair(next(drawn), bound, drawn) for bound in bounds]

    def _fair(self, word: int, bound: int, words: Iterator[int]) -> int:
        """Return a word, or the first of those that follow, that is below the greatest multiple of a bound."""
        limit = _WORDS - _WORDS % bound
        return word if word < limit else next(one for one in words if one < limit)


class PackChance(Chance):
    """A stream in which the orders of packs come from the seed alone, so that other rules play the same deals."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._packs = Chance(seed ^ _PACKS)

    def order(self, items: Sequence[Item]) -> list[Item]:
        """Return the cards of a pack in random order, which a stream of its own decides."""
        return Chance(self._packs.word()).shuffle(items)
