"""What differs between two rule bases on the same deals: each figure of both, and the difference with its interval.

Matches of one seed go together, so the error of a difference is that of paired ratios: what the residuals of both have
in common is taken off.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated

from brou.shapes import Limit, shape
from brou_tools.matches.counts import Key, Sums
from brou_tools.matches.pairs import PairTally, Products
from brou_tools.matches.play import IS
from brou_tools.simulate.figures import SIDES, TOLD


@shape()
class FigureDifference:
    """A figure under two rule bases on the same deals, and the difference."""

    part: Annotated[str, "what the figure is taken from"]
    what: Annotated[str, "its subject"]
    per: Annotated[str, Limit(enum=("match", "deal")), "whether it is counted by match or by deal"]
    share: Annotated[bool, "true for shares between 0 and 1, false for means"]
    ours: Annotated[float, "the value under the first rule base"]
    theirs: Annotated[float, "the value under the other"]
    difference: Annotated[float, "the first value minus the other"]
    low: Annotated[
        float, Limit(infinite=True), "the lower bound of the 95 per cent confidence interval of the difference"
    ]
    high: Annotated[float, Limit(infinite=True), "the upper bound of that interval"]

    @property
    def is_clear(self) -> bool:
        """Say whether the interval does not hold nought."""
        return self.low > 0 or self.high < 0


def find_differences(tally: PairTally, names: Mapping[Key, tuple[str, str]]) -> Iterator[FigureDifference]:
    """Yield what both rule bases have: headline figures by name, then those of matches and deals."""
    ours, theirs = tally.ours, tally.theirs
    matches = ours.matches
    for key, (name, per) in names.items():
        one, other = ours.told.get(key), theirs.told.get(key)
        products = tally.products.get(("told", *key))
        if one is None or other is None or products is None or not (one.count and other.count):
            continue
        first, second = (one.sums, one.count, one.squared), (other.sums, other.count, other.squared)
        yield _compare((TOLD, name, per), matches, first, second, products)
    units = {
        "match": (ours.per_match, theirs.per_match, matches, matches, matches, matches, matches),
        "deal": (
            *(ours.per_deal, theirs.per_deal, ours.deals, theirs.deals),
            *(ours.deals_squared, theirs.deals_squared, tally.deals),
        ),
    }
    for per, (own, others, count, other_count, squared, other_squared, cases) in units.items():
        for key in sorted(own.keys() | others.keys()):
            if IS in key[1] or not (count and other_count):
                continue
            share = (own.get(key) or others[key]).share
            kept = tally.products.get((per, *key), Products())
            products = Products(kept.values, kept.ours, kept.theirs, cases)
            first = own.get(key, Sums(share=share)), count, squared
            second = others.get(key, Sums(share=share)), other_count, other_squared
            yield _compare((key[0], key[1], per), matches, first, second, products)


def _compare(
    named: tuple[str, str, str],
    matches: int,
    ours: tuple[Sums, int, int],
    theirs: tuple[Sums, int, int],
    products: Products,
) -> FigureDifference:
    """Return a difference with the interval of paired ratios."""
    (one, count, squared), (other, other_count, other_squared) = ours, theirs
    value, other_value = one.value / count, other.value / other_count
    error = math.inf
    if matches > 1:
        own = (one.square - 2 * value * one.product + value**2 * squared) / count**2
        their = (other.square - 2 * other_value * other.product + other_value**2 * other_squared) / other_count**2
        both = products.values - other_value * products.ours - value * products.theirs
        both = (both + value * other_value * products.cases) / (count * other_count)
        error = math.sqrt(max(own + their - 2 * both, 0.0) * matches / (matches - 1))
    part, what, per = named
    difference = value - other_value
    return FigureDifference(
        part=part,
        what=what,
        per=per,
        share=one.share,
        ours=value,
        theirs=other_value,
        difference=difference,
        low=difference - SIDES * error,
        high=difference + SIDES * error,
    )
