"""Which open readings would change an answer: each other value of each key is tried, where it can matter at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Generic, TypeAlias, TypeVar

from brou.dataclass import dataclass
from brou.errors import Impossible
from brou.games.catalogue import Book, Choice, book, with_readings
from brou.games.folder import Folder
from brou.games.open_passage import Reading
from brou.language.node import Node
from brou.language.patch import Patch
from brou.language.syntax import Game

#: What is answered under a choice of readings.
Answer = TypeVar("Answer")
#: The records that were asked on the way to an answer: section and name.
Touched: TypeAlias = Collection[tuple[str, str]]

#: Sections of a rules file in which a patch matters only if the record that it changes was asked.
_WATCHED = ("tables", "functions", "params", "actions", "phases")
#: Sections that never decide an answer.
_WORDS = ("phrases",)
#: Sections in which the names of numbers stand outside of expressions.
_STRUCTURE = ("state", "types", "deck", "seating", "attributes")


@dataclass(frozen=True, slots=True)
class VariedReading(Generic[Answer]):
    """Another value of a reading, and the answer under it."""

    key: str
    value: str
    ambiguity: str
    then: Answer


def vary_one_reading(choice: Choice) -> Iterator[tuple[str, Choice]]:
    """Yield the rule bases that differ from an edition's own in one reading, each with it as `KEY=VALUE`.

    Readings that are numbers have only the values that the data names.
    """
    data = book(choice.game, choice.project)
    for key, own in data.editions[choice.edition].readings.items():
        for value in sorted(data.readings[key].values.keys() - {own}):
            try:
                yield f"{key}={value}", with_readings(choice, {key: value})
            except Impossible:
                continue


def find_other_answers(
    choice: Choice, touched: Touched, answer: Answer, ask: Callable[[Choice], Answer], folder: Folder = None
) -> Iterator[VariedReading[Answer]]:
    """Yield each other value of each reading of the edition that changes the answer.

    `ask` answers under a choice. Readings that change nothing used for the answer are left out, and those that the
    rules exclude together with the chosen readings.
    """
    data = book(choice.game, folder or choice.project)
    chosen = dict(choice.readings)
    fixed = _find_fixed(data)
    for key in data.editions[choice.edition].readings:
        reading = data.readings[key]

        def try_value(value: str, reading: Reading = reading) -> Answer:
            patches = (*reading.patch(chosen[reading.key]), *reading.patch(value))
            if not any(_matters(patch, touched, fixed) for patch in patches):
                return answer
            try:
                return ask(with_readings(choice, {reading.key: value}, folder))
            except Impossible:
                return answer

        number = reading.number
        values = _nearest(int(chosen[key]), number[:2], try_value, answer) if number else _rest(reading, chosen[key])
        for value in values:
            then = try_value(value)
            if then != answer:
                yield VariedReading(key, value, reading.ambiguity, then)


def find_mattering_readings(
    choice: Choice, game: Game, touched: Touched, rows: Collection[tuple[str, str]], folder: Folder = None
) -> frozenset[str]:
    """Return the keys of an edition with a value that changes used records or rows of tables of a choice's rules.

    As long as only the other keys are changed, no answer changes. A row that these rules do not have matters wherever
    its table was consulted: it could have decided.
    """
    data = book(choice.game, folder or choice.project)
    fixed = _find_fixed(data)
    known = {(table.id, row.id) for table in game.tables.values() for row in table.rows}

    def matters(patch: Patch) -> bool:
        section, *names = patch.at
        if section == "tables" and names[1:2] == ["rows"] and len(names) > 2 and (names[0], names[2]) in known:
            return (names[0], names[2]) in rows
        return _matters(patch, touched, fixed)

    keys = data.editions[choice.edition].readings
    return frozenset(key for key in keys if any(map(matters, data.readings[key].changes())))


def _rest(reading: Reading, chosen: str) -> Iterator[str]:
    return (value for value in reading.values if value != chosen)


def _nearest(chosen: int, bounds: tuple[int, int], tried: Callable[[str], Answer], answer: Answer) -> Iterator[str]:
    """Yield on each side of a number the nearest one with another answer, if the farthest one has another."""
    for far in bounds:
        near, away = chosen, far
        if near == away or tried(str(away)) == answer:
            continue
        while abs(away - near) > 1:
            middle = (near + away) // 2
            near, away = (middle, away) if tried(str(middle)) == answer else (near, middle)
        yield str(away)


def _matters(patch: Patch, touched: Touched, fixed: frozenset[str]) -> bool:
    """Say whether a patch changes a record that was used, or one that decides without a lookup."""
    section = patch.at[0]
    if section in _WORDS:
        return False
    if section not in _WATCHED:
        return True
    return len(patch.at) > 1 and ((section, patch.at[1]) in touched or (section == "params" and patch.at[1] in fixed))


def _find_fixed(data: Book) -> frozenset[str]:
    """Return the numbers in the structure of the rules: bounds, types, values of cards."""
    params = data.rules.get("params")
    names = set() if params is None else set(params.fields)
    words = {word for name in _STRUCTURE if (node := data.rules.get(name)) for word in _find_words(node)}
    return frozenset(names & words)


def _find_words(node: Node) -> Iterator[str]:
    if isinstance(node.value, dict):
        for member in node.value.values():
            yield from _find_words(member)
    elif isinstance(node.value, tuple):
        for member in node.value:
            yield from _find_words(member)
    else:
        yield from re.findall(r"[a-z_][a-z0-9_]*", node.text)


def differences(base: Mapping[str, Answer], found: Mapping[str, Answer]) -> Iterator[tuple[str, Answer | None]]:
    """Yield the parts of an answer that are another, with what they would be."""
    for name in {**base, **found}:
        if base.get(name) != found.get(name):
            yield name, found.get(name)
