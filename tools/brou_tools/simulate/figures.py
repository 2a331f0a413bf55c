"""Figures with their intervals, from the counts of a simulation: rows for a table, for JSON, for a drawing.

Deals of one match are not independent of each other, so matches are the sample: a figure is a ratio of two sums over
matches, its error that of such a ratio. A share has Wilson's interval for as many independent deals as would have the
same error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Annotated

from brou.shapes import Limit, shape
from brou_tools.matches.counts import Key, Sums
from brou_tools.matches.play import LONGEST, MatchTally
from brou_tools.terminal.columns import count_columns

#: How many standard errors lie on each side of an interval that holds in nineteen of twenty cases.
SIDES = 1.959964
#: How far figures are indented, and what their names have at least, however narrow a terminal is.
_INDENT, _NARROWEST = 4, 20


@shape()
class Statistic:
    """A figure with its confidence interval."""

    part: Annotated[
        str, Limit(enum=("told", "match", "acts", "acts a deal", "score", "view")), "what the figure is taken from"
    ]
    what: Annotated[str, "its subject"]
    per: Annotated[str, Limit(enum=("match", "deal")), "whether it is counted by match or by deal"]
    share: Annotated[bool, "true for a share between 0 and 1, false for a mean"]
    value: Annotated[float, "the share or the mean"]
    low: Annotated[
        float,
        Limit(infinite=True),
        "the lower bound of the 95 per cent confidence interval; null for a single match",
    ]
    high: Annotated[float, Limit(infinite=True), "the upper bound; null for a single match"]
    seen: Annotated[float, "the sum over all deals or matches"]
    cases: Annotated[int, "how many deals or matches were counted; fewer than all if the figure is about some of them"]


#: The part of what is told first.
TOLD = "told"


def figures(tally: MatchTally, names: Mapping[Key, tuple[str, str]] | None = None) -> Iterator[Statistic]:
    """Yield all figures of a tally: the headline figures by name, then those of matches and deals by part and name."""
    for key, (name, what) in (names or {}).items():
        cases = tally.told.get(key)
        if cases is not None and cases.count:
            yield _Per(what, cases.count, cases.squared, tally.matches).figure(TOLD, name, cases.sums)
    per_match = _Per("match", tally.matches, tally.matches, tally.matches)
    per_deal = _Per("deal", tally.deals, tally.deals_squared, tally.matches)
    told = copy(tally)
    told.settle()
    for per, counted in ((per_match, told.per_match), (per_deal, told.per_deal)):
        for (part, what), sums in counted.items():
            yield per.figure(part, what, sums)


@dataclass(frozen=True, slots=True)
class _Per:
    """The unit of figures: how many there were, the sum of their squares over matches, and how many matches."""

    name: str
    count: int
    squared: int
    matches: int

    def figure(self, part: str, what: str, sums: Sums) -> Statistic:
        """Return the figure of some sums."""
        ratio = sums.value / self.count
        error = self._error(sums, ratio)
        low, high = ratio - SIDES * error, ratio + SIDES * error
        if sums.share:
            low, high = wilson(ratio, error, self.count)
        return Statistic(
            part=part,
            what=what,
            per=self.name,
            share=sums.share,
            value=ratio,
            low=low,
            high=high,
            seen=sums.value,
            cases=self.count,
        )

    def _error(self, sums: Sums, ratio: float) -> float:
        """Return the standard error of a ratio of sums over matches."""
        if self.matches < 2:
            return math.inf
        spread = max(sums.square - 2 * ratio * sums.product + ratio * ratio * self.squared, 0.0)
        return math.sqrt(spread * self.matches / (self.matches - 1)) / self.count


def wilson(share: float, error: float, count: int) -> tuple[float, float]:
    """Return Wilson's interval of a share with a standard error, of so many cases at most."""
    if error == math.inf:
        return 0.0, 1.0
    plain = share * (1 - share)
    cases = min(count, plain / error**2) if error and plain else count
    extra = SIDES**2 / cases
    middle = (share + extra / 2) / (1 + extra)
    half = SIDES * math.sqrt(plain / cases + extra / (4 * cases)) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)


def table(
    name: str,
    tally: MatchTally,
    seed: int,
    names: Mapping[Key, tuple[str, str]] | None = None,
    longest: int = LONGEST,
) -> str:
    """Return the figures as lines for people."""
    lines = [write_head(name, tally, seed, longest)]
    found = list(figures(tally, names))
    told = [f"  {_format_figure(one)}{_among(one, tally)}".rstrip() for one in found]
    room = count_columns() - _INDENT - max(map(len, told), default=0)
    wide = max((len(one.what) for one in found), default=0)
    wide = min(wide, max(room, _NARROWEST))
    for part in dict.fromkeys(one.part for one in found):
        lines += ["", f"  {HEADS[part]}"]
        for one, figure in zip(found, told, strict=True):
            if one.part == part:
                lines += _tell_figure(one.what, figure, wide)
    return "\n".join(lines) + "\n"


def _tell_figure(what: str, figure: str, wide: int) -> list[str]:
    """Return the line of a figure; a name that is too long for its column is written above it."""
    above, name = ([], what) if len(what) <= wide else ([f"{'':{_INDENT}}{what}"], "")
    return [*above, f"{'':{_INDENT}}{name:{wide}}{figure}"]


def write_head(name: str, tally: MatchTally, seed: int, longest: int) -> str:
    """Return the number of matches and deals, and of matches without an end."""
    said = f"{name}: {tally.matches} matches, {tally.deals} deals, seed {seed}"
    if tally.unfinished:
        said += f", {tally.unfinished} unfinished: stuck, or longer than {longest} acts"
    return said + (f", {tally.crashed} left out: the rules broke a promise" if tally.crashed else "")


#: What the parts of a table are called.
HEADS = {
    TOLD: "how often things happen",
    "match": "at the end of a match",
    "acts": "acts: in how many deals",
    "acts a deal": "acts: how many a deal",
    "score": "score at the end of a deal",
    "view": "view at the end of a deal",
}


def _format_figure(one: Statistic) -> str:
    if one.share:
        return f"{one.value:9.2%}   {f'{one.low:.2%} to {one.high:.2%}':21}"
    return f"{one.value:9.3f}   {f'{one.low:.3f} to {one.high:.3f}':21}"


def _among(one: Statistic, tally: MatchTally) -> str:
    """Say of how many cases a figure is, where these are fewer than all deals or matches."""
    whole = tally.matches if one.per == "match" else tally.deals
    return "" if one.cases == whole else f"  of {one.cases}"
