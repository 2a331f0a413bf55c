"""Batches of random play: what an engine is made to sum up, how players choose, and the sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from brou.compiler.compiled import Compiled
from brou.compiler.compiled_values import CompiledState, Word
from brou.compiler.finding import Weighing
from brou.dataclass import dataclass, field
from brou.errors import Crash

#: The counts of a batch and the sums of a figure, in the order of the header.
COUNTS = ("hash", "acts", "matches", "deals", "deals_squared", "unfinished", "crashed")
SUMS = ("value", "square", "product", "count", "squared")
#: The sums of a fact; and up to how many values of a number are counted one by one.
FACT_SUMS = ("value", "square", "product")
VARIETY = 12
#: The hash of acts is FNV's, word by word.
_PRIME = 0x100000001B3
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class BatchFigure:
    """A figure that batches sum up: a routine with its arguments; counted where the routine `among` holds, if any.

    Deals end with a question for it, or matches where `per` is match.
    """

    key: str
    routine: str
    among: str
    given: tuple[int, ...]
    per: str


@dataclass(frozen=True, slots=True)
class BatchFacts:
    """That batches count what the rules enumerate: acts, score and view at the end of a deal, score of a match.

    `lasting` are the entries of the score that belong to a match.
    """

    lasting: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that batches count: its part and name, whether it was so or how much, per deal or match."""

    part: str
    what: str
    share: bool
    per: str


@dataclass(frozen=True, slots=True)
class EngineWish:
    """The features of an engine besides the rules: questions, weights for random players, figures of batches.

    `asked` are functions of the rules. `endings` are the acts that end a deal if cards lie anywhere; with `facts` what
    the rules enumerate is counted then.
    """

    asked: tuple[str, ...] = ()
    weights: Weighing = field(default_factory=dict)
    figures: tuple[BatchFigure, ...] = ()
    endings: frozenset[str] = frozenset()
    facts: BatchFacts | None = None

    @property
    def key(self) -> str:
        """Return what tells one wish from another, in every process alike."""
        facts = None if self.facts is None else sorted(self.facts.lasting)
        return repr((self.asked, sorted(self.weights.items()), self.figures, sorted(self.endings), facts))


@dataclass(frozen=True, slots=True)
class BatchPolicy:
    """How random players choose: in proportion to the weight of each act, 1 where none is given.

    With `conduct` they choose by the weights that were compiled in. A match is left after `longest` acts. With `packs`
    the orders of packs come from the seed of a match alone, so that other rules play the same deals.
    """

    weights: Mapping[str, int] = field(default_factory=dict)
    conduct: bool = False
    longest: int = 20_000
    packs: bool = False


@dataclass(frozen=True, slots=True)
class BatchSums:
    """The sums of a batch: counts by name, and for each figure by its key those of the header.

    The hash is that of all acts, 0 where none was wanted; all else may be added to the sums of other batches. Facts
    have their sums of value, square and product with the number of deals, those of numbers by value; None stands for
    a number with too many values. They are counted in C alone.
    """

    counts: Mapping[str, int]
    figures: Mapping[str, tuple[int, ...]]
    facts: tuple[tuple[int, ...], ...] = ()
    numbers: tuple[Mapping[int, tuple[int, ...]] | None, ...] = ()


def number_act(words: Sequence[Word], described: Sequence[Mapping[str, Any]]) -> tuple[list[int], list[int]]:
    """Return the values of an act as the interface passes them, and the cards of its orders and subsets.

    `described` are its values in the tables. A list that there is not has the number -1.
    """
    cards: list[int] = []
    return [_number_value(word, one, cards) for word, one in zip(words, described, strict=True)], cards


def _number_value(word: Word, described: Mapping[str, Any], cards: list[int]) -> int:
    """Return a value as an act has it, its cards added to those of the act."""
    match described["form"], described["kind"], word:
        case "orders", _, tuple():
            cards += [int(card).bit_length() - 1 for card in word if isinstance(card, int)]
            return len(word)
        case "subsets", _, int():
            places = [place for place in range(word.bit_length()) if word >> place & 1]
            cards += places
            return len(places)
        case _, "card", int():
            return word.bit_length() - 1
        case _, "list", tuple():
            return described["lists"].index([*word]) if [*word] in described["lists"] else -1
        case _, _, int():
            return int(word)
    raise Crash(f"{word!r} is no value of an act")


def hash_act(hash_: int, numbers: Sequence[int]) -> int:
    """Return the hash of all acts so far and one more: its number, its seat, its values and its cards."""
    for number in numbers:
        hash_ = (hash_ ^ number & _MASK) * _PRIME & _MASK
    return hash_


# In Python -------------------------------------------------------------------


class MatchFigures:
    """The values of all figures in one match, and of how many cases each is."""

    def __init__(self, engine: Compiled, figures: Sequence[BatchFigure]) -> None:
        self._engine = engine
        self._figures = figures
        self.values = [0] * len(figures)
        self.cases = [0] * len(figures)

    def ask(self, per: str, state: CompiledState, *, dealt: bool) -> None:
        """Add a deal or a match; where no cards lie, only figures of some cases alone count."""
        for place, figure in enumerate(self._figures):
            if figure.per != per or not (dealt or figure.among):
                continue
            if figure.among and not self._engine.ask_number(figure.among)(state, *figure.given):
                continue
            self.values[place] += int(self._engine.ask_number(figure.routine)(state, *figure.given))
            self.cases[place] += 1


class Tallying:
    """The sums of a batch while it is played."""

    def __init__(self, figures: Sequence[BatchFigure]) -> None:
        self._keys = [figure.key for figure in figures]
        self.counts = dict.fromkeys(COUNTS, 0)
        self._sums = [[0] * len(SUMS) for _ in figures]

    def add_act(self, numbers: Sequence[int]) -> None:
        """Add an act, to the hash too if its numbers are given."""
        self.counts["acts"] += 1
        self.counts["hash"] = hash_act(self.counts["hash"], numbers)

    def add_match(self, figures: MatchFigures, deals: int, *, over: bool) -> None:
        """Add a match that was played."""
        added = {"matches": 1, "deals": deals, "deals_squared": deals * deals, "unfinished": int(not over)}
        for name, count in added.items():
            self.counts[name] += count
        for sums, value, cases in zip(self._sums, figures.values, figures.cases, strict=True):
            for place, more in enumerate((value, value * value, value * cases, cases, cases * cases)):
                sums[place] += more

    def sums(self) -> BatchSums:
        """Return the sums."""
        return BatchSums(self.counts, {key: tuple(sums) for key, sums in zip(self._keys, self._sums, strict=True)})
