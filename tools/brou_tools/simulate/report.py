"""The document of a simulation: figures with intervals, and the sums that they are made of and can be read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

from brou import Choice, Project, choose, identity, rules
from brou.shapes import ABSENT, Absent, Limit, shape
from brou_tools.matches.counts import CaseSums, Key, Sums, name_figures
from brou_tools.matches.pairs import PairTally, Products
from brou_tools.matches.plan import MatchPlan
from brou_tools.matches.play import MatchTally
from brou_tools.matches.policy import conduct
from brou_tools.simulate.differences import FigureDifference, find_differences
from brou_tools.simulate.figures import TOLD, Statistic, figures

_Count: TypeAlias = Annotated[int, Limit(minimum=0)]


@shape(frozen=False)
class FigureSums:
    """The sums over matches that a figure is made of."""

    per: Annotated[
        str,
        Limit(enum=("told", "deal", "match")),
        "whether it is counted by deal or by match; `told` for a headline figure",
    ]
    part: Annotated[str, "what the figure is taken from; for a headline figure, its id"]
    what: Annotated[str, "its subject; for a headline figure, its value, if it has one"]
    share: Annotated[bool, "true for a share, false for a mean"]
    value: Annotated[int, "the sum of its values over all matches"]
    square: Annotated[int, "the sum of the squares of these values"]
    product: Annotated[int, "the sum of the products of value and number of cases in each match"]
    count: Annotated[
        _Count, "the number of cases in all matches; except for headline figures, the number of deals or matches"
    ]
    squared: Annotated[_Count, "the sum of the squares of the numbers of cases"]


@shape()
class TallySums:
    """Everything that was counted in some matches; the sums of two documents can be added."""

    matches: Annotated[_Count, "how many matches were played"]
    deals: Annotated[_Count, "how many deals they had"]
    deals_squared: Annotated[_Count, "the sum over matches of the square of their number of deals"]
    unfinished: Annotated[_Count, "matches that were stuck or too long"]
    crashed: Annotated[_Count, "matches in which the rules crashed; they do not count as played"]
    figures: Annotated[tuple[FigureSums, ...], "the sums of each figure"]
    many: Annotated[tuple[tuple[str, str], ...], "part and subject of figures with too many values to list"]


@shape()
class PairSums:
    """A second rule base on the same deals: its sums, and sums of products of both."""

    rules: Annotated[str, "the second rule base: game@edition:setup"]
    readings: Annotated[Mapping[str, str], "its readings"]
    hash: Annotated[str, "the hash of its rules"]
    weights: Annotated[Mapping[str, str], "weights of acts that replace those of its conduct"]
    sums: Annotated[TallySums, "the sums of its matches"]
    deals: Annotated[_Count, "the sum over matches of the product of both numbers of deals"]
    products: Annotated[
        tuple[tuple[str, str, str, int, int, int, int], ...],
        "per, part and subject of a figure; sums over matches of the product of both values, of the first value with"
        " the cases of the other, of the cases of the first with the other value, and of both numbers of cases",
    ]
    differences: Annotated[tuple[FigureDifference, ...], "the differences between both, with confidence intervals"]


@shape()
class SimulatedGame:
    """The results of random matches of a rule base."""

    game: Annotated[str, "the game"]
    rules: Annotated[str, "game@edition:setup"]
    readings: Annotated[Mapping[str, str], "readings that differ from the edition's own"]
    hash: Annotated[str, "the hash of the rules"]
    weights: Annotated[Mapping[str, str], "weights of acts that replace those of its conduct"]
    mindless: Annotated[bool, "whether all other acts have the same weight, whatever the conduct says"]
    packs: Annotated[
        bool, "whether the packs depend only on the seed of the match, so that other rules get the same packs"
    ]
    longest: Annotated[int, Limit(minimum=1), "the number of acts after which a match is abandoned"]
    seed: Annotated[int, "the seed of the first match"]
    seeds: Annotated[
        tuple[tuple[int, int], ...], "the seeds of all matches: for each range, its first seed and its length"
    ]
    matches: Annotated[_Count, "how many matches were played"]
    deals: Annotated[_Count, "how many deals they had"]
    unfinished: Annotated[_Count, "matches that were stuck or too long"]
    figures: Annotated[tuple[Statistic, ...], "how often things happened, and how much was scored"]
    sums: Annotated[TallySums, "what the figures are made of"]
    against: Annotated[PairSums, "another rule base that played the same deals"] | Absent = ABSENT


@shape()
class SimulationReport:
    """The results of random matches (brou simulate --json)."""

    format: Literal["brou-simulation/1"] = "brou-simulation/1"
    games: Annotated[tuple[SimulatedGame, ...], "one entry per rule base"]


class SimulationResult:
    """What the matches of a rule base came to, alone or beside another one."""

    def __init__(
        self,
        plan: MatchPlan,
        seeds: Sequence[tuple[int, int]],
        tally: MatchTally | PairTally,
        other: MatchPlan | None,
        lang: str,
    ) -> None:
        self.plan, self.other, self.seeds, self.name = plan, other, tuple(seeds), str(plan.choice)
        self.pair = tally if isinstance(tally, PairTally) else None
        self.tally = tally.ours if isinstance(tally, PairTally) else tally
        self.names = _name(plan.choice, lang)

    def figures(self) -> Iterator[Statistic]:
        """Yield every figure."""
        return figures(self.tally, self.names)

    def differences(self) -> tuple[FigureDifference, ...]:
        """Return what the rule base has more than the other, figure by figure; nothing where it is alone."""
        return () if self.pair is None else tuple(find_differences(self.pair, self.names))

    def report(self) -> SimulatedGame:
        """Return the whole as a report has it."""
        plan, choice = self.plan, self.plan.choice
        return SimulatedGame(
            game=choice.game,
            rules=self.name,
            readings=dict(choice.readings),
            hash=identity(rules(choice)),
            weights=dict(plan.given),
            mindless=plan.mindless,
            packs=plan.packs,
            longest=plan.longest,
            seed=self.seeds[0][0],
            seeds=self.seeds,
            matches=self.tally.matches,
            deals=self.tally.deals,
            unfinished=self.tally.unfinished,
            figures=tuple(self.figures()),
            sums=write_sums(self.tally),
            against=self._report_pair(),
        )

    def _report_pair(self) -> PairSums | Absent:
        if self.pair is None or self.other is None:
            return ABSENT
        choice = self.other.choice
        return PairSums(
            rules=str(choice),
            readings=dict(choice.readings),
            hash=identity(rules(choice)),
            weights=dict(self.other.given),
            sums=write_sums(self.pair.theirs),
            deals=self.pair.deals,
            products=tuple(
                (*key, one.values, one.ours, one.theirs, one.cases) for key, one in self.pair.products.items()
            ),
            differences=self.differences(),
        )


def _name(choice: Choice, lang: str) -> Mapping[Key, tuple[str, str]]:
    return name_figures(rules(choice), conduct(choice.game, choice.project).tellings, lang, choice.project)


# Sums -----------------------------------------------------------------------------------------------------------------


def write_sums(tally: MatchTally) -> TallySums:
    """Return the sums of a tally as documents have them."""
    found = [
        _write_figure(TOLD, key, cases.sums, cases.count, cases.squared) for key, cases in sorted(tally.told.items())
    ]
    for per, kept, count, squared in (
        ("match", tally.per_match, tally.matches, tally.matches),
        ("deal", tally.per_deal, tally.deals, tally.deals_squared),
    ):
        found += [_write_figure(per, key, sums, count, squared) for key, sums in kept.items()]
    return TallySums(
        matches=tally.matches,
        deals=tally.deals,
        deals_squared=tally.deals_squared,
        unfinished=tally.unfinished,
        crashed=tally.crashed,
        figures=tuple(found),
        many=tuple(sorted(tally.many)),
    )


def _write_figure(per: str, key: Key, sums: Sums, count: int, squared: int) -> FigureSums:
    value, square, product = int(sums.value), int(sums.square), int(sums.product)
    return FigureSums(
        per=per, part=key[0], what=key[1], share=sums.share,
        value=value, square=square, product=product, count=count, squared=squared,
    )  # fmt: skip


def read_sums(sums: TallySums) -> MatchTally:
    """Return the tally that a document holds the sums of."""
    tally = MatchTally(sums.matches, sums.deals, sums.deals_squared, sums.unfinished, sums.crashed)
    tally.many = {(part, what) for part, what in sums.many}
    kept = {"match": tally.per_match, "deal": tally.per_deal}
    for one in sums.figures:
        read = Sums(one.value, one.square, one.product, share=one.share)
        if one.per == TOLD:
            tally.told[one.part, one.what] = CaseSums(read, one.count, one.squared)
        else:
            kept[one.per][one.part, one.what] = read
    return tally


def read_pair(game: SimulatedGame) -> MatchTally | PairTally:
    """Return the tally of a game in a document, with that of the rule base beside it if there is one."""
    ours, against = read_sums(game.sums), game.against
    if isinstance(against, Absent):
        return ours
    products = {(per, part, what): Products(*sums) for per, part, what, *sums in against.products}
    return PairTally(ours, read_sums(against.sums), against.deals, products)


def read_plans(game: SimulatedGame, project: Project) -> tuple[MatchPlan, MatchPlan | None]:
    """Return how the matches of a game in a document were played, and those beside them."""
    ours = _read_plan(game, project, game.rules, game.readings, game.weights)
    against = game.against
    if isinstance(against, Absent):
        return ours, None
    return ours, _read_plan(game, project, against.rules, against.readings, against.weights)


def _read_plan(
    game: SimulatedGame, project: Project, name: str, readings: Mapping[str, str], weights: Mapping[str, str]
) -> MatchPlan:
    listed = ",".join(f"{key}={value}" for key, value in readings.items())
    choice = choose(f"{name}[{listed}]" if listed else name, project)
    return MatchPlan(choice, tuple(sorted(weights.items())), game.mindless, game.packs, game.longest)


def join_rows(rows: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...] | None:
    """Return rows of seeds in order, those that follow each other as one; None where a seed is in two of them."""
    found: list[tuple[int, int]] = []
    for first, count in sorted(rows):
        if not found or found[-1][0] + found[-1][1] < first:
            found.append((first, count))
        elif found[-1][0] + found[-1][1] > first:
            return None
        else:
            found[-1] = found[-1][0], found[-1][1] + count
    return tuple(found)
