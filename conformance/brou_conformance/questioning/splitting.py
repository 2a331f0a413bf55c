"""Splitting: the classes into which the remaining readings fall by their answers to a step.

As a rule few keys can matter in a course, and the interpreter answers every row of their values. Where they are too
many, a search finds the keys that change something alone, or together with one that does, and checks the result against
some choices drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log2

from brou import Impossible
from brou_conformance.questioning.courses import Interpreter, ScenarioCourse, route
from brou_conformance.questioning.knowledge import Blocks, ReadingSpace, Row, reduce
from brou_conformance.questioning.outcomes import NONE, Outcome
from brou_conformance.scenarios.scenario import ScriptStep

#: So many rows are asked one by one; a question that hangs on more is put off until fewer are left.
_ROWS, _MOST = 24, 96
#: So many values of a number are tried, so that of a hundred values each may have an answer of its own.
_VALUES = 128


@dataclass(frozen=True)
class SplittingQuestion:
    """A step of a course that splits the remaining readings; all of them take the acts before it alike."""

    course: ScenarioCourse
    number: int
    #: The accepted acts that lead to it.
    route: tuple[ScriptStep, ...]
    #: The keys that it hangs on, and the outcome for each row of their values; of a number the first of its block.
    keys: tuple[str, ...]
    outcomes: Mapping[Row, Outcome]
    #: For a number among the keys: by value the first value of its block, all of which are answered alike.
    blocks: Blocks
    #: How many rows of what is left have each outcome, in the order of the values.
    weights: Mapping[Outcome, int]

    @property
    def id(self) -> str:
        """Return the name of its step."""
        return f"{self.course.id}#{self.step.id}"

    @property
    def name(self) -> str:
        """Return a name that no other question has: its step, and the accounts before its scenario."""
        return f"{self.id} {self.course.start_name}"

    @property
    def step(self) -> ScriptStep:
        """Return the step that it asks."""
        return self.course.steps[self.number]

    @cached_property
    def gain(self) -> float:
        """Return how many bits its answer tells on average, all rows left being equally likely."""
        return entropy(self.weights.values())

    def outcome(self, row: Row) -> Outcome | None:
        """Return the outcome for values of its keys; None for a row that was not left when it was made."""
        return self.outcomes.get(reduce(self.keys, row, self.blocks))

    def narrow(self, known: ReadingSpace, heard: Iterable[Outcome]) -> ReadingSpace:
        """Return the space after an answer that agrees with some outcomes; raise `Impossible` if none is left."""
        fitting = frozenset(heard)
        return known.keep(self.keys, lambda row: self.outcome(row) in fitting)


def entropy(weights: Iterable[int]) -> float:
    """Return the bits of a draw from classes of these sizes."""
    sizes = [weight for weight in weights if weight]
    whole = sum(sizes)
    return sum(size / whole * log2(whole / size) for size in sizes)


def split(
    course: ScenarioCourse,
    upto: int,
    known: ReadingSpace,
    interpreter: Interpreter,
    drawn: Sequence[Mapping[str, str]] = (),
) -> SplittingQuestion | None:
    """Return the question at the first step, up to `upto`, that splits the remaining readings.

    None if no step does, or if it hangs on too many keys for now. `drawn` are remaining choices for the check.
    """
    return _Splitting(course, known, interpreter, drawn).question(upto)


class _TooManyBlocks(Exception):
    """A number has more blocks than are looked at."""


class _Splitting:
    def __init__(
        self, course: ScenarioCourse, known: ReadingSpace, interpreter: Interpreter, drawn: Sequence[Mapping[str, str]]
    ) -> None:
        self.course = course
        self.known = known
        self.interpreter = interpreter
        self.drawn = drawn
        self.usual = known.prefer(dict(interpreter.plain.readings))
        self.open = frozenset(known.open)
        self.blocks: dict[str, Mapping[str, str]] = {}

    def question(self, upto: int) -> SplittingQuestion | None:
        """Return the question at the first step with different answers, going back until there is none before it."""
        while True:
            self.blocks = {}
            try:
                told = self._collect_tales(upto)
            except _TooManyBlocks:
                return None
            if told is None or len(set(told[1].values())) == 1:
                return None
            keys, tales = told
            first = _first_difference(list(tales.values()))
            # The step cannot be asked under some choice that is left. It would tell nothing about that one, and neither
            # would those behind it.
            if any(NONE in tale[: first + 1] for tale in tales.values()):
                return None
            if first == upto:
                return self._make_question(upto, keys, {row: tale[upto] for row, tale in tales.items()})
            upto = first

    def _make_question(self, number: int, keys: tuple[str, ...], outcomes: Mapping[Row, Outcome]) -> SplittingQuestion:
        weights: dict[Outcome, int] = {}
        for row, weight in self.known.weigh(keys, self.blocks).items():
            weights[outcomes[row]] = weights.get(outcomes[row], 0) + weight
        tale = self.interpreter.tell(self.course, number, self.usual)
        steps = tuple(route(self.course, number, tale))
        return SplittingQuestion(self.course, number, steps, keys, outcomes, self.blocks, weights)

    # Which keys it hangs on -----------------------------------------------------------

    def _collect_tales(self, upto: int) -> tuple[tuple[str, ...], Mapping[Row, tuple[Outcome, ...]]] | None:
        """Return the keys that the course hangs on up to a step, with the outcomes of each row; None for too many."""
        keys = self._mattering([self.usual], upto)
        while self._count(keys) <= _ROWS:
            ordered = _order_keys(keys, self.known)
            choices = {row: self._with(ordered, row) for row in self.known.weigh(ordered, self.blocks)}
            tales = {row: self._tale(choice, upto) for row, choice in choices.items()}
            more = self._mattering(choices.values(), upto) | keys
            # No row reads a key that is not asked for already, so the rows stand for all choices that are left.
            if more == keys:
                return _fewest(ordered, tales)
            keys = more
        return self._by_trying(keys, upto)

    def _mattering(self, choices: Iterable[Mapping[str, str]], upto: int) -> frozenset[str]:
        found = frozenset[str]()
        for choice in choices:
            found |= self.interpreter.tell(self.course, upto, choice).mattering[-1] & self.open
        for key in found - set(self.blocks):
            if self.interpreter.is_number(key):
                self.blocks[key] = self._blocks(key, upto)
        return frozenset(key for key in found if key not in self.blocks or len(set(self.blocks[key].values())) > 1)

    def _by_trying(
        self, keys: frozenset[str], upto: int
    ) -> tuple[tuple[str, ...], Mapping[Row, tuple[Outcome, ...]]] | None:
        """Return the keys that change something alone or beside another that does, held against random choices."""
        plain = self._tale(self.usual, upto)
        hanging = {key for key in keys if any(self._tale(one, upto) != plain for one in self._others(self.usual, key))}
        while self._count(hanging) <= _MOST:
            ordered = _order_keys(hanging, self.known)
            tales = {row: self._tale(self._with(ordered, row), upto) for row in self.known.weigh(ordered, self.blocks)}
            more = self._beside(ordered, tales, keys, upto) or self._refuting(ordered, tales, keys, upto)
            if more is None:
                return ordered, tales
            hanging.add(more)
        return None

    def _beside(
        self, ordered: tuple[str, ...], tales: Mapping[Row, tuple[Outcome, ...]], keys: Iterable[str], upto: int
    ) -> str | None:
        """Return a key that changes something under one of the rows."""
        for row, tale in tales.items():
            choice = self._with(ordered, row)
            for key in sorted(set(keys) - set(ordered)):
                if any(self._tale(one, upto) != tale for one in self._others(choice, key)):
                    return key
        return None

    def _refuting(
        self, ordered: tuple[str, ...], tales: Mapping[Row, tuple[Outcome, ...]], keys: Iterable[str], upto: int
    ) -> str | None:
        """Return a key that changes something on the way from a row to a choice drawn at random."""
        for drawn in self.drawn:
            row = reduce(ordered, tuple(drawn[key] for key in ordered), self.blocks)
            if row not in tales or self._tale(drawn, upto) == tales[row]:
                continue
            choice = self._with(ordered, row)
            # The two choices differ in answer, and one is turned into the other key by key: the first step at which the
            # answer changes is due to that key.
            for key in sorted(set(keys) - set(ordered)):
                changed = {**choice, key: drawn[key]}
                if self._possible(changed) and self._tale(changed, upto) != tales[row]:
                    return key
                choice = changed
            return next(iter(sorted(set(keys) - set(ordered))), None)
        return None

    # Choices and what is told of them ------------------------------------------------

    def _tale(self, choice: Mapping[str, str], upto: int) -> tuple[Outcome, ...]:
        return self.interpreter.tell(self.course, upto, choice).outcomes

    def _with(self, keys: Iterable[str], row: Row) -> dict[str, str]:
        """Return a choice that is left with these values, and as usual beside them."""
        return self.known.prefer(self.usual, dict(zip(keys, row, strict=True)))

    def _possible(self, choice: Mapping[str, str]) -> bool:
        try:
            self.interpreter.choice(choice)
        except Impossible:
            return False
        return True

    def _others(self, choice: Mapping[str, str], key: str) -> Iterable[dict[str, str]]:
        """Yield a choice with each other value of a key, where that is possible."""
        values = set(self.blocks[key].values()) if key in self.blocks else set(self.known.list_left(key))
        for value in sorted(values - {choice[key]}):
            changed = {**choice, key: value}
            if self._possible(changed):
                yield changed

    def _count(self, keys: Iterable[str]) -> int:
        plain = [key for key in keys if key not in self.blocks]
        count = self.known.count(plain)
        for key in set(keys) - set(plain):
            count *= len(set(self.blocks[key].values()))
        return count

    # Numbers --------------------------------------------------------------------------

    def _blocks(self, key: str, upto: int) -> Mapping[str, str]:
        """Return for each value of a number the first of its block, as far as ends and halves show blocks.

        Between two values that are answered alike nothing is looked for: numbers are bounds, and those part once.
        """
        values = self.known.list_left(key)
        tales: dict[int, tuple[Outcome, ...]] = {}

        def ask_value(place: int) -> tuple[Outcome, ...]:
            if place not in tales:
                if len(tales) == _VALUES:
                    raise _TooManyBlocks
                tales[place] = self._tale({**self.usual, key: values[place]}, upto)
            return tales[place]

        usual = values.index(self.usual[key])
        # Bounds lie at the ends of their range or beside the usual value more often than elsewhere.
        probes = sorted({0, max(usual - 1, 0), usual, min(usual + 1, len(values) - 1), len(values) - 1})
        cuts = [0]
        spans = list(pairwise(probes))[::-1]
        while spans:
            low, high = spans.pop()
            if ask_value(low) == ask_value(high):
                continue
            if high - low == 1:
                cuts.append(high)
                continue
            middle = (low + high) // 2
            spans += [(middle, high), (low, middle)]
        found: dict[str, str] = {}
        for start, end in zip(cuts, [*cuts[1:], len(values)], strict=True):
            found |= dict.fromkeys(values[start:end], values[start])
        return found


def _fewest(
    keys: tuple[str, ...], tales: Mapping[Row, tuple[Outcome, ...]]
) -> tuple[tuple[str, ...], Mapping[Row, tuple[Outcome, ...]]]:
    """Return it without the keys that change nothing under any row."""
    for number in reversed(range(len(keys))):
        fewer: dict[Row, tuple[Outcome, ...]] = {}
        for row, tale in tales.items():
            if fewer.setdefault((*row[:number], *row[number + 1 :]), tale) != tale:
                break
        else:
            keys, tales = (*keys[:number], *keys[number + 1 :]), fewer
    return keys, tales


def _order_keys(keys: Iterable[str], known: ReadingSpace) -> tuple[str, ...]:
    wanted = set(keys)
    return tuple(key for key in known.domains if key in wanted)


def _first_difference(tales: Sequence[Sequence[Outcome]]) -> int:
    return next(number for number, column in enumerate(zip(*tales, strict=True)) if len(set(column)) > 1)
