"""Meanings: a hash for every id that others may keep, which changes when the id comes to mean something else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from brou import ORIGINAL, Choice, Folder, Json, Reading, book, catalogue, choose, open_project, prose, rules
from brou.words import citable
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.corpus import Corpus
from brou_conformance.scenarios.scenario import Pattern, Scenario, ScriptStep, Tricks

#: By kind of id the hash of each.
Meanings: TypeAlias = Mapping[str, Mapping[str, str]]

#: How many digits of a hash are kept.
_DIGITS = 16


def index_meanings(data: Folder = None, scenarios: Corpus = None) -> dict[str, dict[str, str]]:
    """Return the hash of every clause, open passage, reading, default of an edition and scenario."""
    games = catalogue(data)
    return {
        "texts": {id_: found for game in games for id_, found in _index_texts(game, data)},
        "readings": {id_: found for game in games for id_, found in _index_readings(game, data)},
        "defaults": {id_: found for game in games for id_, found in _index_defaults(game, data)},
        "scenarios": {
            one.id: _hash(describe_demand(one))
            for game in corpus.games(scenarios)
            for one in corpus.scenarios(game, scenarios)
        },
    }


def _index_texts(game: str, data: Folder) -> Iterator[tuple[str, str]]:
    """Yield the English text of each clause and open passage, with the numbers of the game's first edition."""
    first = rules(choose(game, data), data)
    for id_, node in citable(game, data).items():
        yield id_, _hash(" ".join(prose(node, first, ORIGINAL, data).split()))


def _index_readings(game: str, data: Folder) -> Iterator[tuple[str, str]]:
    """Yield each value of a reading with its passage; of a number its bounds."""
    for key, reading in book(game, data).readings.items():
        yield from ((f"{game}[{key}={value}]", _hash(reading.ambiguity)) for value in _name_values(reading))


def _name_values(reading: Reading) -> Sequence[str]:
    if reading.number is None:
        return tuple(reading.values)
    low, high, _ = reading.number
    return (f"{low}..{high}",)


def _index_defaults(game: str, data: Folder) -> Iterator[tuple[str, str]]:
    """Yield the set-ups of each edition, and its own value of each reading."""
    for name, edition in book(game, data).editions.items():
        chosen = Choice(game, name, "", (), open_project(data))
        yield from ((f"{chosen}{setup}", _hash(setup)) for setup in edition.setups)
        yield from ((f"{game}@{name}[{key}]", _hash(value)) for key, value in edition.readings.items())


# Scenarios ---------------------------------------------------------------------------


def describe_demand(one: Scenario) -> dict[str, Json]:
    """Return everything that a scenario demands of a program; its words and its place do not belong to that."""
    return {
        "level": one.level,
        "editions": list(one.editions),
        "setups": list(one.setups),
        "premise": dict(one.premise),
        "deal": dict(one.deal),
        "before": dict(one.before),
        "lines": [_describe_line(line) for line in one.lines],
    }


def _describe_line(line: ScriptStep | Tricks) -> Json:
    if isinstance(line, Tricks):
        return [[trick.leader, *trick.cards] for trick in line.tricks]
    expected = None if line.expected is None else _describe_pattern(line.expected)
    values = {value: _describe_pattern(pattern) for value, pattern in line.values.items()}
    return [line.id, dict(line.message), expected, line.reading, values]


def _describe_pattern(pattern: Pattern) -> Json:
    return [pattern.key, pattern.value, list(pattern.hides)]


def _hash(meaning: Json) -> str:
    return hashlib.sha256(json.dumps(meaning, sort_keys=True).encode()).hexdigest()[:_DIGITS]
