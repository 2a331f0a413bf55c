"""Two rule bases played on the same deals: a match of each for a seed, and what says how far they go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, field
from typing import Any, Self, TypeAlias, TypedDict

from brou_tools.matches.plan import MatchPlan, open_player
from brou_tools.matches.play import IS, MatchTally, MatchTallyDocument

#: What a figure was taken from and its key there: told, deal or match.
PairKey: TypeAlias = tuple[str, str, str]
#: From so many keys on a tally is settled before more matches are merged, so that it stays small.
_CROWDED = 2_000


@dataclass(slots=True)
class Products:
    """Sums over matches of products: of both values, of each with the cases of the other, of both numbers of cases.

    The last is that of a headline figure alone; all other figures of deals, or of matches, have the same cases.
    """

    values: int = 0
    ours: int = 0
    theirs: int = 0
    cases: int = 0

    def add(self, ours: tuple[float, int], theirs: tuple[float, int], *, own: bool) -> None:
        """Add one match of each: a value and its number of cases, which may be the figure's own."""
        (a, n), (b, m) = ours, theirs
        self.values += int(a * b)
        self.ours += int(a * m)
        self.theirs += int(n * b)
        self.cases += n * m * own

    def merge(self, other: Products) -> None:
        """Add other matches."""
        self.values += other.values
        self.ours += other.ours
        self.theirs += other.theirs
        self.cases += other.cases


class PairTallyDocument(TypedDict):
    """The tallies of two as records of runs keep them; a product is a list of its keys and its sums."""

    ours: MatchTallyDocument
    theirs: MatchTallyDocument
    deals: int
    products: list[list[Any]]


@dataclass
class PairTally:
    """The tallies of two rule bases whose matches have the same seeds, and the products of their figures.

    A figure that is absent here has products of nothing, but for the numbers of cases: those are `deals` and the
    number of matches.
    """

    ours: MatchTally = field(default_factory=MatchTally)
    theirs: MatchTally = field(default_factory=MatchTally)
    deals: int = 0
    products: dict[PairKey, Products] = field(default_factory=dict)

    def add(self, ours: MatchTally, theirs: MatchTally) -> None:
        """Add one match of each; a pair of which one has crashed does not count."""
        if ours.crashed or theirs.crashed:
            self.ours.crashed += ours.crashed
            self.theirs.crashed += theirs.crashed and not ours.crashed
            return
        self.deals += ours.deals * theirs.deals
        values, others = dict(_values(ours)), dict(_values(theirs))
        for key in values.keys() | others.keys():
            nothing = _nothing(key)
            one = values.get(key, (0, nothing(ours)))
            other = others.get(key, (0, nothing(theirs)))
            self.products.setdefault(key, Products()).add(one, other, own=key[0] == "told")
        for mine, added in ((self.ours, ours), (self.theirs, theirs)):
            mine.merge(added)
            if len(mine.per_deal) > _CROWDED:
                mine.settle()

    @property
    def played(self) -> int:
        """Return how many pairs were played, those of which one crashed among them."""
        return self.ours.matches + self.ours.crashed + self.theirs.crashed

    @property
    def dealt(self) -> int:
        """Return how many deals the first rule base had."""
        return self.ours.deals

    def merge(self, other: Self) -> None:
        """Add the counts of other matches."""
        self.ours.merge(other.ours)
        self.theirs.merge(other.theirs)
        self.deals += other.deals
        for key, products in other.products.items():
            self.products.setdefault(key, Products()).merge(products)

    def settle(self) -> None:
        """Bring both tallies into the form that does not depend on who played."""
        self.ours.settle()
        self.theirs.settle()
        self.products = {
            key: one for key, one in sorted(self.products.items()) if key[0] == "told" or any(astuple(one)[:3])
        }

    def document(self) -> PairTallyDocument:
        """Return it as JSON, from which `of` makes the same."""
        products = [[*key, *astuple(one)] for key, one in self.products.items()]
        ours, theirs = self.ours.document(), self.theirs.document()
        return {"ours": ours, "theirs": theirs, "deals": self.deals, "products": products}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> PairTally:
        """Return the tallies in a document."""
        products = {(per, part, what): Products(*sums) for per, part, what, *sums in document["products"]}
        ours, theirs = (MatchTally.of(document[name]) for name in ("ours", "theirs"))
        return cls(ours, theirs, document["deals"], products)


def _nothing(key: PairKey) -> Any:  # noqa: ANN401 - a function of a tally
    """Return what gives the number of cases of a figure that a match has not."""
    return {"deal": lambda tally: tally.deals, "match": lambda tally: tally.matches, "told": lambda _: 0}[key[0]]


def _values(tally: MatchTally) -> Iterator[tuple[PairKey, tuple[float, int]]]:
    """Yield the figures of a single match, each with its value and the number of its cases."""
    for (id_, member), cases in tally.told.items():
        yield ("told", id_, member), (cases.sums.value, cases.count)
    for per, counted, number in (("deal", tally.per_deal, tally.deals), ("match", tally.per_match, tally.matches)):
        for (part, what), sums in counted.items():
            if IS not in what:
                yield (per, part, what), (sums.value, number)


def play_pairs(ours: MatchPlan, theirs: MatchPlan, seeds: range, *, native: bool = True) -> PairTally:
    """Return the tallies of the matches of two rule bases with these seeds."""
    one, other = (open_player(plan, native=native) for plan in (ours, theirs))
    tally = PairTally()
    for seed in seeds:
        single = range(seed, seed + 1)
        tally.add(one.play(single), other.play(single))
    tally.settle()
    return tally
