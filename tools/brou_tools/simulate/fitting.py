"""Conduct fitted to recorded games: the weights under which its choices are likeliest, with their intervals.

Whoever decides draws among all that is offered, in proportion to weights. An act of each weight that the conduct gives
is a kind of its own, with a factor on that weight; the likelihood of the factors is concave in their logarithms, so
Newton's method finds its one top. Of kinds that were offered beside each other one has the factor 1: only ratios show.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from brou import Node
from brou_tools.matches.observed import ObservedChoice, ObservedGames, Weighed

#: An act with more weights than this has one factor for all of them.
_MOST = 6
#: The quantile of a normal distribution for intervals that hold in nineteen cases of twenty, and half its square.
_WIDE = 1.959964
_DROP = _WIDE**2 / 2
#: So many steps at the most, none longer than this, until no logarithm changes by more than that.
_STEPS, _LONGEST, _STILL = 100, 2.0, 1e-9
#: A factor beyond this is not told apart from one without bound.
_BOUND = 1e6
#: The least weight is written with so many parts, and no weight has more than that.
_FINE, _GREAT = 100, 1_000_000

#: A kind of act: its name and weight, or its name alone where all its weights have one factor.
Kind = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """How often a kind of act counts: its factor with the interval, and in how many decisions it was offered and made.

    A kind that the others are compared with has the factor 1 and no interval.
    """

    kind: Kind
    factor: float
    low: float
    high: float
    offered: int
    chosen: int

    @property
    def is_reference(self) -> bool:
        """Say whether the others are compared with this one."""
        return self.low == self.high


def fit_weights(evidence: ObservedGames) -> list[FittedWeight]:
    """Return the likeliest factors of all kinds of acts that were offered beside others, by name and weight."""
    values: dict[str, set[int]] = defaultdict(set)
    for decision in evidence.decisions:
        for (name, weight), _ in decision.offered:
            values[name].add(weight)
    crowded = {name for name, found in values.items() if len(found) > _MOST}
    rows = [
        row
        for row in (_AlikeChoices.of(one, many, crowded) for one, many in evidence.decisions.items())
        if row.has_rivals
    ]
    found = [one for group in _split(rows) for one in _LikeliestFactors(group).list_weights()]
    return sorted(found, key=lambda one: (one.kind[0], one.kind[1] or 0))


@dataclass(frozen=True, slots=True)
class _AlikeChoices:
    """Decisions alike: how much each kind weighs under the conduct, which was chosen, and how often."""

    offered: Mapping[Kind, int]
    chosen: Kind
    many: int

    @classmethod
    def of(cls, decision: ObservedChoice, many: int, crowded: set[str]) -> _AlikeChoices:
        def name(weighed: Weighed) -> Kind:
            return (weighed[0], None) if weighed[0] in crowded else weighed

        offered: Counter[Kind] = Counter()
        for weighed, size in decision.offered:
            offered[name(weighed)] += size
        return cls(dict(offered), name(decision.chosen), many)

    @property
    def has_rivals(self) -> bool:
        """Say whether there was something else to choose."""
        return len(self.offered) > 1


def _split(rows: Sequence[_AlikeChoices]) -> Iterator[list[_AlikeChoices]]:
    """Yield the decisions in groups of which no two have a kind in common."""
    left = list(rows)
    while left:
        kinds = set(left[0].offered)
        while grown := {kind for row in left if kinds & row.offered.keys() for kind in row.offered} - kinds:
            kinds |= grown
        yield [row for row in left if kinds & row.offered.keys()]
        left = [row for row in left if not kinds & row.offered.keys()]


class _LikeliestFactors:
    """The likeliest factors of one group of kinds."""

    def __init__(self, rows: Sequence[_AlikeChoices]) -> None:
        self._rows = rows
        self._offered: Counter[Kind] = Counter()
        self._chosen: Counter[Kind] = Counter()
        for row in rows:
            self._chosen[row.chosen] += row.many
            for kind in row.offered:
                self._offered[kind] += row.many
        # A card that may be played counts once, and people read the other weights beside that.
        self._first = max(sorted(self._chosen, key=repr), key=lambda kind: (kind[1] == 1, self._chosen[kind]))
        self._free = sorted((kind for kind in self._chosen if kind != self._first), key=repr)
        self._logs = dict.fromkeys([self._first, *self._free], 0.0)

    def list_weights(self) -> Iterator[FittedWeight]:
        """Yield the kinds with their factors."""
        errors = self._climb()
        for kind, offered in self._offered.items():
            low, factor, high = self._bound_factor(kind, errors)
            yield FittedWeight(kind, factor, low, high, offered, self._chosen[kind])

    def _bound_factor(self, kind: Kind, errors: Mapping[Kind, float]) -> tuple[float, float, float]:
        if kind == self._first:
            return 1, 1, 1
        if kind not in self._logs:
            return 0, 0, self._bound_unchosen(kind)
        log, error = self._logs[kind], errors[kind]
        high = math.exp(log + _WIDE * error) if log + _WIDE * error < math.log(_BOUND) else math.inf
        return math.exp(log - _WIDE * error), math.exp(log), high

    def _share_out(self, row: _AlikeChoices) -> dict[Kind, float]:
        """Return how likely each kind is in a decision, of those that were ever chosen."""
        parts = {kind: size * math.exp(self._logs[kind]) for kind, size in row.offered.items() if kind in self._logs}
        whole = sum(parts.values())
        return {kind: part / whole for kind, part in parts.items()}

    def _climb(self) -> dict[Kind, float]:
        """Find the top of the likelihood; return the standard error of each logarithm there."""
        places = {kind: place for place, kind in enumerate(self._free)}
        for _ in range(_STEPS):
            inverse = _invert(self._measure_curve(places))
            slope = self._measure_slope()
            steps = [sum(one * slope[kind] for one, kind in zip(row, self._free, strict=True)) for row in inverse]
            for kind, step in zip(self._free, steps, strict=True):
                bounded = max(-_LONGEST, min(_LONGEST, step))
                self._logs[kind] = max(-math.log(_BOUND), min(math.log(_BOUND), self._logs[kind] + bounded))
            if max(map(abs, steps), default=0.0) < _STILL:
                break
        inverse = _invert(self._measure_curve(places))
        return {kind: math.sqrt(max(inverse[place][place], 0.0)) for kind, place in places.items()}

    def _measure_slope(self) -> dict[Kind, float]:
        found = {kind: float(self._chosen[kind]) for kind in self._free}
        for row in self._rows:
            for kind, share in self._share_out(row).items():
                if kind != self._first:
                    found[kind] -= row.many * share
        return found

    def _measure_curve(self, places: Mapping[Kind, int]) -> list[list[float]]:
        """Return how strongly the likelihood bends: the information on the logarithms."""
        found = [[0.0] * len(places) for _ in places]
        for row in self._rows:
            shares = [(places[kind], share) for kind, share in self._share_out(row).items() if kind in places]
            for one, share in shares:
                found[one][one] += row.many * share
                for other, beside in shares:
                    found[one][other] -= row.many * share * beside
        return found

    def _bound_unchosen(self, kind: Kind) -> float:
        """Return the factor at which it would be unlikely that a kind was never chosen."""

        def measure_drop(factor: float) -> float:
            return sum(row.many * math.log1p(factor * ratio) for row, ratio in ratios)

        ratios = [(row, row.offered[kind] / self._sum_rest(row)) for row in self._rows if kind in row.offered]
        low, high = 0.0, 1.0
        while measure_drop(high) < _DROP and high < _BOUND:
            high *= 2
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if measure_drop(middle) < _DROP else (low, middle)
        return high

    def _sum_rest(self, row: _AlikeChoices) -> float:
        return sum(size * math.exp(self._logs[one]) for one, size in row.offered.items() if one in self._logs)


def _invert(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a symmetric matrix; a row that says nothing has an error without bound."""
    size = len(matrix)
    rows = [[*row, *(float(one == other) for other in range(size))] for one, row in enumerate(matrix)]
    for place in range(size):
        rows[place][place] += 1e-12
        pivot = max(range(place, size), key=lambda row: abs(rows[row][place]))
        rows[place], rows[pivot] = rows[pivot], rows[place]
        head = rows[place][place]
        rows[place] = [value / head for value in rows[place]]
        for other in range(size):
            if other != place and rows[other][place]:
                much = rows[other][place]
                rows[other] = [value - much * own for value, own in zip(rows[other], rows[place], strict=True)]
    return [row[size:] for row in rows]


# As a file ------------------------------------------------------------------------------------------------------------


def write_conduct(
    game: str, known: Mapping[str, Node], acts: Iterable[str], evidence: ObservedGames, fitted: Sequence[FittedWeight]
) -> str:
    """Return a conduct (`brou-conduct/1`) with the fitted weights; acts that nothing was seen of keep theirs.

    `known` are the weights that were fitted to, `acts` all acts of the game. All weights are multiplied by one number,
    so that they are whole.
    """
    scale = _choose_scale(fitted)
    many = sum(evidence.decisions.values())
    lines = [
        f"# How somebody played, fitted to {many:,} decisions in {evidence.deals:,} deals of {evidence.games:,} games:",
        f"# how often an act counts beside all else that is offered, times {scale}.",
        *(f"# {count:,} times {name} was done though it had no weight." for name, count in evidence.unexpected.items()),
        *(
            [f"# {evidence.unknown:,} deals were left out: not all of their cards are known."]
            if evidence.unknown
            else []
        ),
        f"format: brou-conduct/1\ngame: {game}\nacts:",
    ]
    by_name: dict[str, list[FittedWeight]] = defaultdict(list)
    for one in fitted:
        by_name[one.kind[0]].append(one)
    for name in acts:
        lines += [f"  # {_tell(one)}" for one in by_name[name]]
        said = known[name].text.strip() if name in known else "1"
        lines.append(f'  {name}: "{_write_weight(said, by_name[name], scale)}"')
    return "\n".join(lines) + "\n"


def _choose_scale(fitted: Sequence[FittedWeight]) -> int:
    weights = [one.factor * (one.kind[1] or 1) for one in fitted if one.factor]
    least, most = min(weights, default=1.0), max(weights, default=1.0)
    return max(1, min(math.ceil(_FINE / least), int(_GREAT / most)))


def _tell(one: FittedWeight) -> str:
    name, weight = one.kind
    what = name if weight is None else f"{name}, {weight} before"
    seen = f"chosen {one.chosen:,} of {one.offered:,} times"
    if one.is_reference:
        return f"{what}: {seen}; the others are compared with it"
    low, factor, high = (value * (weight or 1) for value in (one.low, one.factor, one.high))
    bounds = f"at least {low:.3g}" if math.isinf(high) else f"{low:.3g} to {high:.3g}"
    if _stays(one):
        return f"{what}: {seen}; kept as it was, offered too seldom to tell ({bounds})"
    return f"{what}: {seen}; {factor:.3g} ({bounds}){' times as much as before' if weight is None else ''}"


def _stays(one: FittedWeight) -> bool:
    """Say whether what nobody chose was offered too seldom to say that its weight is less than before."""
    return not one.factor and one.high >= 1


def _write_weight(said: str, found: Sequence[FittedWeight], scale: int) -> str:
    """Return the weight of an act as before, with the fitted values in place of those it had."""
    kept = str(scale * int(said)) if said.isdigit() else f"{scale} * ({said})"
    for one in found:
        weight, factor = one.kind[1], 1.0 if _stays(one) else one.factor
        if weight is None:
            return f"{max(round(scale * factor), int(factor > 0))} * ({said})"
        new = max(round(scale * factor * weight), int(factor > 0))
        kept = str(new) if said == str(weight) else f"{new} if ({said}) == {weight} else ({kept})"
    return kept
