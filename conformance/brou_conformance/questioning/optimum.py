"""The optimum: the fewest questions that can find readings at all, and the fewest among the questions at hand.

Two bounds are given. No way of asking needs fewer questions on average than there are bits to learn, divided by the
bits that the most telling answer can hold. Where each question turns on the readings of one group, the least average is
exact: the best of all orders of asking is found for each group, and groups are independent, so that their averages add
up.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import TypeAlias

from brou_conformance.questioning.knowledge import KeyGroup, ReadingSpace, Row
from brou_conformance.scenarios.scenario import Pattern, Scenario, ScriptStep

#: For each row of a group what is answered on the way to a question, and to it.
Answers: TypeAlias = Mapping[Row, tuple[Hashable, Hashable]]
#: A group with more rows than this is bounded by its bits and not solved.
_ROWS = 16


@dataclass(frozen=True, slots=True)
class Optimum:
    """The least number of questions that can find the readings."""

    #: The least average, all readings being equally likely, each question turning on one group.
    average: float
    #: What the most unlucky readings need under a way of asking that is best for them.
    worst: int
    #: How many bits there are to learn.
    bits: float
    #: Whether each group was solved; else the bits of those that were not are counted instead.
    exact: bool


def best(
    known: ReadingSpace, scenarios: Iterable[Scenario], found: Collection[str], numbers: Mapping[str, bool]
) -> Optimum:
    """Return the optimum for the keys in `found`.

    `numbers` has the keys whose values are numbers: True for those that one question can ask outright, False for those
    found by halves.
    """
    answered = list(_list_answers(scenarios))
    average, worst, bits, exact = 0.0, 0, 0.0, True
    for group in known.groups:
        keys = tuple(key for key in group.keys if key in found)
        rows = group.values(keys)
        if len(rows) < 2:
            continue
        bits += log2(len(rows))
        if len(keys) == 1 and keys[0] in numbers:
            least, most = (1.0, 1) if numbers[keys[0]] else by_halves(len(rows))
        elif len(rows) <= _ROWS:
            least, most = least_questions(KeyGroup(keys, rows), list(_of_group(KeyGroup(keys, rows), answered)))
        else:
            least, most, exact = log2(len(rows)), int(log2(len(rows))), False
        average, worst = average + least, worst + most
    return Optimum(average, worst, bits, exact)


def by_halves(size: int) -> tuple[float, int]:
    """Return how many questions with two answers find one of so many, on average and at worst."""
    whole = size.bit_length() - 1
    rest = size - (1 << whole)
    return whole + 2 * rest / size, whole + bool(rest)


def least_questions(group: KeyGroup, questions: Sequence[Answers]) -> tuple[float, int]:
    """Return the least average and the least worst number of questions until no question splits the rows."""

    @cache
    def solve(rows: frozenset[Row]) -> tuple[float, int]:
        options = [found for answers in questions if len(found := _split_rows(rows, answers)) > 1]
        if not options:
            return 0.0, 0
        solved = [[(len(part), *solve(part)) for part in found] for found in options]
        return (
            min(1 + sum(size * average for size, average, _ in parts) / len(rows) for parts in solved),
            min(1 + max(worst for _, _, worst in parts) for parts in solved),
        )

    return solve(group.rows)


def _split_rows(rows: frozenset[Row], answers: Answers) -> tuple[frozenset[Row], ...]:
    """Return the classes into which a question divides rows; none where its way is not open under all of them."""
    classes: dict[Hashable, set[Row]] = {}
    for row in rows:
        classes.setdefault(answers[row][1], set()).add(row)
    return tuple(map(frozenset, classes.values())) if len({answers[row][0] for row in rows}) == 1 else ()


def _list_answers(scenarios: Iterable[Scenario]) -> Iterable[tuple[str, Mapping[str, tuple[Hashable, Hashable]]]]:
    """Yield for every step that hangs on a reading its key, and for each value the answers expected up to it."""
    for scenario in scenarios:
        ways: dict[str, dict[str, tuple[Hashable, ...]]] = {}
        for line in scenario.lines:
            if not isinstance(line, ScriptStep) or not line.reading:
                continue
            way = ways.setdefault(line.reading, {})
            yield (
                line.reading,
                {value: (way.get(value, ()), _reduce_pattern(one)) for value, one in line.values.items()},
            )
            if line.verb == "act":
                way |= {value: (*way.get(value, ()), _reduce_pattern(one)) for value, one in line.values.items()}


def _reduce_pattern(pattern: Pattern) -> Hashable:
    """Return the part of an expectation that is compared: a refusal is the same whichever duty it names."""
    return (pattern.key,) if pattern.key in ("ok", "no") else repr((pattern.key, pattern.value, pattern.hides))


def _of_group(
    group: KeyGroup, answered: Iterable[tuple[str, Mapping[str, tuple[Hashable, Hashable]]]]
) -> Iterable[Answers]:
    """Yield the questions that turn on a key of a group."""
    for key, expected in answered:
        if key in group.keys:
            place = group.keys.index(key)
            yield {row: expected.get(row[place], ((), None)) for row in group.rows}
