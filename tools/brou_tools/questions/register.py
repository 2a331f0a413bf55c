"""The register of open passages: each question with readings, witnesses, and how often it matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

from brou import book
from brou.errors import Malformed
from brou.games.folder import root
from brou.language.node import Node
from brou.language.schema import shape_faults
from brou.language.source import read


@dataclass(frozen=True, slots=True)
class Witness:
    """Two values of a reading, and the scenario that separates them, or why none does."""

    ambiguity: str
    pair: tuple[str, str]
    scenario: str
    harmless: str
    #: How many deals and decisions lead to where they part, and how many shorter plays did not part them.
    deals: int = 0
    decisions: int = 0
    tried: int = 0
    #: With fewer cards in hand the two never part, as a solver has proved; nought where it was not asked.
    cards: int = 0


class Rate(TypedDict):
    """A frequency as JSON, with the share and its bounds."""

    edition: str
    deals: int
    parted: int
    share: float
    interval: list[float]


class Argued(TypedDict):
    """A value of a reading with the argument for it, by language."""

    value: str
    argument: dict[str, str] | None
    confidence: str | None


class SeparatedValues(TypedDict):
    """Two values and the scenario that tells them apart."""

    pair: list[str]
    scenario: str


class Unparted(TypedDict):
    """Two values and why nothing tells them apart."""

    pair: list[str]
    because: str


class RegisterEntry(TypedDict):
    """An open passage of the register as JSON, in the shape of its schema."""

    id: str
    game: str
    treatment: str
    key: str | None
    question: dict[str, str] | None
    passages: list[str]
    clauses: list[str]
    readings: list[Argued]
    default: dict[str, str]
    witness: list[SeparatedValues]
    harmless: list[Unparted]
    exempt: str | None
    frequency: list[Rate] | None


@dataclass(frozen=True, slots=True)
class Frequency:
    """In how many random deals the values of a reading part, and in how many they were compared."""

    edition: str
    parted: int
    deals: int
    low: float
    high: float

    def document(self) -> Rate:
        """Return it as JSON."""
        return {
            "edition": self.edition,
            "deals": self.deals,
            "parted": self.parted,
            "share": round(self.parted / self.deals, 6),
            "interval": [self.low, self.high],
        }


def entries(game: str) -> list[RegisterEntry]:
    """Return the register of a game as JSON, in the order of the file."""
    return [_entry(game, id_, node) for id_, node in questions(game).items()]


def questions(game: str) -> Mapping[str, Node]:
    """Return the open passages of a game."""
    path = root() / "games" / game / "ambiguities.yaml"
    return read(path, f"games/{game}/ambiguities.yaml").fields["ambiguities"].fields if path.exists() else {}


def _entry(game: str, id_: str, node: Node) -> RegisterEntry:
    found = [witness for witness in witnesses(game) if witness.ambiguity == id_]
    rate = frequencies(game).get(node.string("key"))
    return {
        "id": id_,
        "game": game,
        "treatment": node.string("treatment"),
        "key": node.string("key") or None,
        "question": _text(node, "question"),
        "passages": [item.text for item in _items(node, "passages")],
        "clauses": [item.text for item in _items(node, "clauses")],
        "readings": [
            {"value": value, "argument": _text(reading, "argument"), "confidence": reading.string("confidence") or None}
            for value, reading in _fields(node, "readings").items()
        ],
        "default": _defaults(game, node.string("key")),
        "witness": [{"pair": list(one.pair), "scenario": one.scenario} for one in found if one.scenario],
        "harmless": [{"pair": list(one.pair), "because": one.harmless} for one in found if one.harmless],
        "exempt": exempt(game).get(id_),
        "frequency": None if rate is None else [one.document() for one in rate],
    }


def _defaults(game: str, key: str) -> dict[str, str]:
    """Return the reading of each edition."""
    editions = book(game).editions
    return {name: edition.readings[key] for name, edition in editions.items() if key in edition.readings}


def _text(node: Node, key: str) -> dict[str, str] | None:
    member = node.get(key)
    return None if member is None else {lang: item.text for lang, item in member.fields.items()}


def _items(node: Node, key: str) -> tuple[Node, ...]:
    member = node.get(key)
    return () if member is None else member.items


def _fields(node: Node, key: str) -> Mapping[str, Node]:
    member = node.get(key)
    return {} if member is None else member.fields


# What is kept beside -------------------------------------------------------------------------------------------------


def path_of(game: str, name: str) -> Path:
    """Return where the witnesses, or the frequencies, of a game stand."""
    return root() / "games" / game / f"{name}.yaml"


def read_shaped(game: str, name: str) -> Node | None:
    """Return a file beside the rules of a game, None if there is none; raise `Malformed` where it is wrong."""
    path = path_of(game, name)
    if not path.exists():
        return None
    node = read(path, f"games/{game}/{name}.yaml")
    faults = list(shape_faults(node, root() / "schemas" / f"{name}.schema.json"))
    if faults:
        raise Malformed(faults)
    return node


@lru_cache(maxsize=16)
def witnesses(game: str) -> tuple[Witness, ...]:
    """Return a witness for each two values of each reading."""
    node = read_shaped(game, "witnesses")
    return () if node is None else tuple(_witnesses(node))


def _witnesses(node: Node) -> Iterator[Witness]:
    for ambiguity, pairs in node.fields["witnesses"].fields.items():
        for item in pairs.items:
            one, two = (value.text for value in item.fields["pair"].items)
            counted = (int(item.string(key, "0")) for key in ("deals", "decisions", "tried", "cards"))
            yield Witness(ambiguity, (one, two), item.string("scenario"), item.string("harmless"), *counted)


@lru_cache(maxsize=16)
def exempt(game: str) -> Mapping[str, str]:
    """Return the open passages that need no witness, each with the reason; kept by hand."""
    node = read_shaped(game, "witnesses")
    return {} if node is None else {id_: item.text for id_, item in _fields(node, "exempt").items()}


@lru_cache(maxsize=16)
def frequencies(game: str) -> Mapping[str, tuple[Frequency, ...]]:
    """Return by key how often the values of a reading part."""
    node = read_shaped(game, "frequencies")
    if node is None:
        return {}
    return {
        key: tuple(_frequency(edition, item) for edition, item in found.fields.items())
        for key, found in node.fields["frequencies"].fields.items()
    }


def _frequency(edition: str, node: Node) -> Frequency:
    parted, deals = (int(node.fields[name].text) for name in ("parted", "deals"))
    low, high = interval(parted, deals)
    return Frequency(edition, parted, deals, low, high)


#: Of a normal distribution, how many deviations hold nineteen of twenty.
_DEVIATIONS = 1.96
_DIGITS = 6


def interval(hits: int, whole: int) -> tuple[float, float]:
    """Return within which bounds a share lies in nineteen of twenty such counts (Wilson)."""
    share, square = hits / whole, _DEVIATIONS**2 / whole
    middle = (share + square / 2) / (1 + square)
    spread = _DEVIATIONS * ((share * (1 - share) / whole + square / whole / 4) ** 0.5) / (1 + square)
    return round(max(0.0, middle - spread), _DIGITS), round(min(1.0, middle + spread), _DIGITS)
