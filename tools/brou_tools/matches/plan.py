"""How matches are played and tallied: everything that the tally of some seeds depends on, and the engine that plays."""

from __future__ import annotations

from dataclasses import dataclass

from brou import (
    BatchPolicy,
    Choice,
    NoCompiler,
    Node,
    TooCostly,
    keep_until_changed,
    outside,
    rules,
)
from brou.native import NativeEngine
from brou_tools.matches.counts import CaseSums, Sums
from brou_tools.matches.engines import list_keys, teach_engine
from brou_tools.matches.play import IS, LONGEST, MatchTally, Simulation
from brou_tools.matches.policy import conduct, merge_weights

#: For no more matches than this no engine in C is made: that takes as long as generated Python takes to play them.
FEW = 12


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A rule base, weights in place of those of its conduct, and how long a match may be.

    With `packs` the packs of a match come from its seed alone, so that other rules play the same deals.
    """

    choice: Choice
    given: tuple[tuple[str, str], ...] = ()
    mindless: bool = False
    packs: bool = False
    longest: int = LONGEST

    @property
    def acts(self) -> dict[str, Node]:
        """Return the weights of acts."""
        return merge_weights(self.choice.game, dict(self.given), self.choice.project, mindless=self.mindless)


class NativePlayer:
    """Plays and tallies in C; raise `NoCompiler` where there is none, `TooCostly` for rules that C cannot hold."""

    def __init__(self, plan: MatchPlan) -> None:
        self.tellings = conduct(plan.choice.game, plan.choice.project).tellings
        taught = teach_engine(plan.choice, acts=plan.acts, apart=True)
        self.engine = NativeEngine(taught.game, taught.label, taught.wish)
        self._keys = list_keys(taught.game, self.tellings)
        self._unseen = {outside(name) for name in taught.game.actions.keys() - rules(plan.choice).actions.keys()}
        self._policy = BatchPolicy(conduct=True, longest=plan.longest, packs=plan.packs)

    def play(self, seeds: range) -> MatchTally:
        """Return the tally of the matches with these seeds, one after the other."""
        sums = self.engine.play_matches(seeds.start, len(seeds), self._policy)
        counts = sums.counts
        tally = MatchTally(
            counts["matches"], counts["deals"], counts["deals_squared"], counts["unfinished"], counts["crashed"]
        )
        for (key, telling), (value, square, product, count, squared) in zip(
            self._keys, sums.figures.values(), strict=True
        ):
            tally.told[key] = CaseSums(Sums(value, square, product, share=telling.share), count, squared)
        if tally.matches:
            deals = Sums(tally.deals, tally.deals_squared, tally.deals, share=False)
            tally.per_match["match", "deals played"] = deals
        tables = self.engine.tables
        for fact, words in zip(tables["facts"], sums.facts, strict=True):
            if words[1] and not (fact["part"] in ("acts", "acts a deal") and fact["what"] in self._unseen):
                kept = tally.per_match if fact["per"] == "match" else tally.per_deal
                kept[fact["part"], fact["what"]] = _read_fact(words, share=fact["share"])
        for fact, values in zip(tables["numbers"], sums.numbers, strict=True):
            key = fact["part"], fact["what"]
            if values is None:
                tally.many.add(key)
                continue
            kept = tally.per_match if fact["per"] == "match" else tally.per_deal
            for value, words in values.items():
                if words[1]:
                    kept[fact["part"], f"{fact['what']}{IS}{value}"] = _read_fact(words, share=True)
        return tally


class PythonPlayer:
    """Plays and tallies in generated Python: the same tally."""

    def __init__(self, plan: MatchPlan) -> None:
        self._simulation = Simulation(plan.choice, plan.acts, packs=plan.packs, longest=plan.longest)

    def play(self, seeds: range) -> MatchTally:
        """Return the tally of the matches with these seeds, one after the other."""
        tally = MatchTally()
        for seed in seeds:
            self._simulation.match(seed, tally)
        return tally


@keep_until_changed(maxsize=8)
def open_player(plan: MatchPlan, *, native: bool) -> NativePlayer | PythonPlayer:
    """Return who plays: the engine in C where that is wanted and can be made, else generated Python."""
    if native:
        try:
            return NativePlayer(plan)
        except (NoCompiler, TooCostly):
            pass
    return PythonPlayer(plan)


def play_seeds(plan: MatchPlan, seeds: range, *, native: bool = True) -> MatchTally:
    """Return the tally of the matches with these seeds; it is the same whoever plays them."""
    tally = open_player(plan, native=native).play(seeds)
    tally.settle()
    return tally


def _read_fact(words: tuple[int, ...], *, share: bool) -> Sums:
    """Return the sums of a fact of a batch."""
    value, square, product = words
    return Sums(value, square, product, share)
