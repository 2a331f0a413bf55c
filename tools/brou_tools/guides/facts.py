"""The facts of a game that the author of an adapter has to know, each with the rule bases that have it like this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from brou import Json
from brou_tools.guides.moments import GuideExample

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Variant(Generic[Item]):
    """Something with the rule bases that have it like this; none are named where all have."""

    item: Item
    where: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """How many seats there are, and which of them play together."""

    seats: int
    teams: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """The ranks and suits with their names, and the cards in their order."""

    ranks: tuple[tuple[str, str], ...]
    suits: tuple[tuple[str, str], ...]
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartKey:
    """A key that `start` may have."""

    key: str
    form: str
    about: str


@dataclass(frozen=True, slots=True)
class Moves:
    """A phase in which somebody decides: the acts that it lists, and to which phases these lead.

    `detours` are the phases to which they lead only under a reading that is not an edition's own, each with the reading
    as `KEY=VALUE`.
    """

    phase: str
    label: str
    acts: tuple[str, ...]
    leads: tuple[str, ...]
    detours: tuple[tuple[str, str], ...]
    final: bool


@dataclass(frozen=True, slots=True)
class Given:
    """A parameter of an act: its wire form, and the values that it ranges over in the words of the rules."""

    name: str
    form: str
    among: str
    described: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """A reason to refuse an act: the code, the clause, and its text."""

    code: str
    clause: str
    text: str


@dataclass(frozen=True, slots=True)
class ActFacts:
    """An act: its parameters, the phases in which it is open and to whom, and the other reasons to refuse it."""

    name: str
    said: str
    form: str
    given: tuple[Given, ...]
    phases: tuple[str, ...]
    by: str
    otherwise: str
    clause: str
    text: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """A key of views or scores: its wire form, when it is absent or null, and the value that it shows."""

    name: str
    label: str
    form: str
    terms: tuple[str, ...]
    meant: str
    level: str
    clause: str


@dataclass(frozen=True, slots=True)
class Seen:
    """A value of a key that a moment of the corpus shows."""

    value: Json
    case: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused act of the corpus: the code, the clause that it rests on, and the request up to it."""

    code: str
    clause: str
    text: str
    example: GuideExample


@dataclass(frozen=True, slots=True)
class ReadingFacts:
    """A reading: its key, the question, each value with the argument for it, and the value of each edition."""

    key: str
    question: str
    id: str
    bounds: tuple[int, int] | None
    values: tuple[tuple[str, str], ...]
    defaults: Mapping[str, str]
