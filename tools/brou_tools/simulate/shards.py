"""The matches of a run in shards: which seeds are one part, when there are enough, and how shards become a whole.

A seed is a match, so the shards of a run depend on nothing but its first seed and its limits: whoever plays them, in
whatever order and however often the run is broken off, the same shards are merged to the same sums.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from brou_tools.documents.part_record import Parts
from brou_tools.terminal.progress import ProgressLine

#: A shard has this part of the matches before it: at first, until it has so many; later, but no more than so many.
_FIRST, _SMALL = 16, 10
_PART, _MOST = 100, 100_000
#: No interval is trusted before so many matches.
_TRUSTED = 100


class SummedMatches(Protocol):
    """The sums of some matches."""

    @property
    def played(self) -> int:
        """Return how many matches there were."""

    @property
    def dealt(self) -> int:
        """Return how many deals there were."""

    def merge(self, other: Self) -> None:
        """Add other matches."""

    def settle(self) -> None:
        """Bring the sums into the form that does not depend on who played."""

    def document(self) -> Mapping[str, Any]:
        """Return the sums as JSON."""


Summed = TypeVar("Summed", bound=SummedMatches)
#: Who shares out work on parts: it yields each part with its result as soon as that is there.
Sharing: TypeAlias = "Callable[[Callable[[range], Summed], Iterator[range]], Generator[tuple[range, Summed]]]"


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """The most matches of a run, and a number of deals or a width of intervals that ends it before."""

    matches: int
    deals: int | None = None
    within: float | None = None


@dataclass(frozen=True, slots=True)
class TallyWay(Generic[Summed]):
    """How the matches of some seeds are tallied, how a tally is read back, and how far its widest interval reaches."""

    play: Callable[[range], Summed]
    of: Callable[[Mapping[str, Any]], Summed]
    reach: Callable[[Summed], float]


def list_shards(first: int, most: int) -> Iterator[range]:
    """Yield the seeds of each shard of so many matches."""
    done = 0
    while done < most:
        small, great = max(1, min(done // _FIRST, _SMALL)), min(done // _PART, _MOST)
        size = min(max(small, great), most - done)
        yield range(first + done, first + done + size)
        done += size


class ShardRun(Generic[Summed]):
    """A run of one rule base, or of two beside each other."""

    def __init__(self, number: int, name: str, way: TallyWay[Summed], parts: Parts, share: Sharing[Summed]) -> None:
        self._number = number
        self._name = name
        self._way = way
        self._parts = parts
        self._share = share
        self._progress = ProgressLine()

    def play(self, first: int, limits: PlayLimits, nothing: Summed) -> Summed:
        """Play shards until a limit is met, those alone that the record does not hold; return the sums of all."""
        whole = nothing
        with closing(self._in_order(list_shards(first, limits.matches))) as shards:
            for seeds, tally in shards:
                if limits.deals is not None and whole.dealt + tally.dealt >= limits.deals:
                    whole.merge(self._cut(seeds, limits.deals - whole.dealt))
                    break
                whole.merge(tally)
                if self._is_narrow(whole, limits):
                    break
                self._tell(whole, limits)
        self._progress.clear()
        whole.settle()
        return whole

    def _is_narrow(self, whole: Summed, limits: PlayLimits) -> bool:
        if limits.within is None or whole.played < _TRUSTED:
            return False
        return self._way.reach(whole) <= limits.within

    def _tell(self, whole: Summed, limits: PlayLimits) -> None:
        if limits.deals is not None:
            self._progress.show(f"{self._name}: deals", whole.dealt, limits.deals)
        elif limits.within is not None:
            reach = self._way.reach(whole) if whole.played > 1 else 1.0
            what = f"{self._name}: matches, intervals within {reach:.2g} of {limits.within:g}"
            # An interval narrows with the root of the number of matches.
            self._progress.show(
                what, whole.played, min(limits.matches, int(whole.played * (reach / limits.within) ** 2))
            )
        else:
            self._progress.show(f"{self._name}: matches", whole.played, limits.matches)

    def _in_order(self, shards: Iterator[range]) -> Generator[tuple[range, Summed]]:
        """Yield the shards in their order, each with its tally, from the record or played by whoever is free."""
        known, listed = self._parts.known, iter(shards)
        order: list[range] = []
        ready: dict[range, Summed] = {}

        def list_wanted() -> Iterator[range]:
            for seeds in listed:
                order.append(seeds)
                kept = known.get(self._call(seeds))
                if kept is None:
                    yield seeds
                else:
                    ready[seeds] = self._way.of(kept)

        def pop_ready() -> Iterator[tuple[range, Summed]]:
            while order and order[0] in ready:
                seeds = order.pop(0)
                yield seeds, ready.pop(seeds)

        with closing(self._share(self._way.play, list_wanted())) as played:
            for seeds, tally in played:
                self._parts.keep(self._call(seeds), tally.document())
                ready[seeds] = tally
                yield from pop_ready()
        yield from pop_ready()

    def _cut(self, seeds: range, deals: int) -> Summed:
        """Return the tally of the fewest matches of a shard that have so many deals."""
        low, high = 1, len(seeds)
        while low < high:
            middle = (low + high) // 2
            if self._way.play(seeds[:middle]).dealt >= deals:
                high = middle
            else:
                low = middle + 1
        return self._way.play(seeds[:low])

    def _call(self, seeds: range) -> str:
        """Return the name of a shard in a record."""
        return f"{self._number} {seeds.start} {seeds.stop}"
