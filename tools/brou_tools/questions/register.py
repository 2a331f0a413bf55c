"""The register of open questions, each with readings, witnesses, and how often it matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from brou import (
    Malformed,
    Node,
    Project,
    book,
    keep_until_changed,
    root,
    shape_faults,
)
from brou.games import read_file, read_section
from brou.shapes import Limit, shape


@dataclass(frozen=True, slots=True)
class Witness:
    """Two values of a reading, and the scenario that separates them, or why none does."""

    ambiguity: str
    pair: tuple[str, str]
    scenario: str
    harmless: str
    #: How many deals and decisions lead to where they differ, and how many shorter plays did not distinguish them.
    deals: int = 0
    decisions: int = 0
    tried: int = 0
    #: With fewer cards in hand the two never differ, as a solver has proved; nought where it was not asked.
    cards: int = 0


_Pair: TypeAlias = tuple[str, str]
#: How an open question is treated: fixed, varied by editions, left open, or a slip of the text.
Treatment: TypeAlias = Annotated[str, Limit(enum=("FIX", "VAR", "OPEN", "LINT"))]


@shape(closed=True)
class Rate:
    """In how many random deals the values of a reading differ, with the share and its confidence interval."""

    edition: Annotated[str, "the edition that was played"]
    deals: Annotated[int, "how many deals were played"]
    parted: Annotated[int, "in how many of them the values differed"]
    share: Annotated[float, "the deals in which they differed as a share of all"]
    interval: Annotated[tuple[float, float], "the 95 per cent confidence interval of the share"]


@shape(closed=True)
class Argued:
    """A value of a reading with the argument for it."""

    value: Annotated[str, "the value"]
    name: Annotated[Mapping[str, str] | None, "its short name, by language; null if there is none"]
    argument: Annotated[Mapping[str, str] | None, "what speaks for it, by language; null if nothing is given"]
    confidence: Annotated[str | None, "how strong that argument is; null if nothing is given"]


@shape(closed=True)
class SeparatedValues:
    """Two values and the scenario that distinguishes them."""

    pair: Annotated[_Pair, "the values"]
    scenario: Annotated[str, "the scenario"]


@shape(closed=True)
class Unparted:
    """Two values, and why nothing distinguishes them."""

    pair: Annotated[_Pair, "the values"]
    because: Annotated[str, "why, and up to which bound this was searched"]


@shape(closed=True)
class RegisterEntry:
    """An open question of the register."""

    id: Annotated[str, "its id"]
    game: Annotated[str, "the game"]
    treatment: Annotated[
        Treatment, "`FIX`: settled; `VAR`: varied by editions; `OPEN`: left open; `LINT`: a slip of the text"
    ]
    key: Annotated[str | None, "the key of its reading; null if it has none"]
    title: Annotated[Mapping[str, str] | None, "its short name, by language; null if there is none"]
    question: Annotated[Mapping[str, str] | None, "what it asks, by language"]
    passages: Annotated[tuple[str, ...], "the passages of the sources that it is about"]
    clauses: Annotated[tuple[str, ...], "the clauses that it touches"]
    readings: Annotated[tuple[Argued, ...], "the values that the reading may have"]
    number: Annotated[Mapping[str, str] | None, "what the values count, by language; null if they are not numbers"]
    default: Annotated[Mapping[str, str], "edition -> value"]
    witness: Annotated[tuple[SeparatedValues, ...], "the pairs of values that a scenario distinguishes"]
    harmless: Annotated[tuple[Unparted, ...], "the pairs of values that nothing distinguishes"]
    exempt: Annotated[str | None, "why it needs no witness"]
    frequency: Annotated[tuple[Rate, ...] | None, "how often the values differ; null if this was not counted"]


@shape(name="register", closed=True)
class RegisterReport:
    """The register of open questions (brou ambiguities --json)."""

    format: Literal["brou-register/1"] = "brou-register/1"
    passages: Annotated[tuple[RegisterEntry, ...], "the open questions, in the order of the files"]


@dataclass(frozen=True, slots=True)
class Frequency:
    """In how many random deals the values of a reading differ, and in how many they were compared."""

    edition: str
    parted: int
    deals: int
    low: float
    high: float

    @property
    def rate(self) -> Rate:
        """Return it with its share, as reports have it."""
        share = round(self.parted / self.deals, _DIGITS)
        bounds = (self.low, self.high)
        return Rate(edition=self.edition, deals=self.deals, parted=self.parted, share=share, interval=bounds)


def entries(game: str, project: Project) -> list[RegisterEntry]:
    """Return the register of a game, in the order of the file."""
    return [_entry(game, project, id_, node) for id_, node in questions(game, project).items()]


def questions(game: str, project: Project) -> Mapping[str, Node]:
    """Return the open passages of a game."""
    return read_section(game, "ambiguities", project.data).fields


def _entry(game: str, project: Project, id_: str, node: Node) -> RegisterEntry:
    found = [witness for witness in witnesses(game, project) if witness.ambiguity == id_]
    key = node.string("key")
    rate = frequencies(game, project).get(key)
    return RegisterEntry(
        id=id_,
        game=game,
        treatment=node.string("treatment"),
        key=key or None,
        title=_text(node, "title"),
        question=_text(node, "question"),
        passages=tuple(item.text for item in _items(node, "passages")),
        clauses=tuple(item.text for item in _items(node, "clauses")),
        readings=tuple(
            Argued(
                value=value,
                name=_text(item, "name"),
                argument=_text(item, "argument"),
                confidence=item.string("confidence") or None,
            )
            for value, item in _fields(node, "readings").items()
        ),
        number=None if (number := node.get("number")) is None else _text(number, "name"),
        default=_defaults(game, project, key),
        witness=tuple(SeparatedValues(pair=one.pair, scenario=one.scenario) for one in found if one.scenario),
        harmless=tuple(Unparted(pair=one.pair, because=one.harmless) for one in found if one.harmless),
        exempt=exempt(game, project).get(id_),
        frequency=None if rate is None else tuple(one.rate for one in rate),
    )


def _defaults(game: str, project: Project, key: str) -> dict[str, str]:
    """Return the reading of each edition."""
    editions = book(game, project).editions
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


def path_of(game: str, project: Project, name: str) -> Path:
    """Return the file of the witnesses, or of the frequencies, of a game."""
    return project.data / "games" / game / f"{name}.yaml"


def read_shaped(game: str, project: Project, name: str) -> Node | None:
    """Return a file beside the rules of a game, None if there is none; raise `Malformed` where it is wrong."""
    path = path_of(game, project, name)
    if not path.exists():
        return None
    node = read_file(project.data, f"games/{game}/{name}.yaml")
    faults = list(shape_faults(node, root() / "schemas" / f"{name}.schema.json"))
    if faults:
        raise Malformed(faults)
    return node


@keep_until_changed(maxsize=16)
def witnesses(game: str, project: Project) -> tuple[Witness, ...]:
    """Return a witness for each two values of each reading."""
    node = read_shaped(game, project, "witnesses")
    return () if node is None else tuple(_witnesses(node))


def _witnesses(node: Node) -> Iterator[Witness]:
    for ambiguity, pairs in node.fields["witnesses"].fields.items():
        for item in pairs.items:
            one, two = (value.text for value in item.fields["pair"].items)
            counted = (int(item.string(key, "0")) for key in ("deals", "decisions", "tried", "cards"))
            yield Witness(ambiguity, (one, two), item.string("scenario"), item.string("harmless"), *counted)


@keep_until_changed(maxsize=16)
def exempt(game: str, project: Project) -> Mapping[str, str]:
    """Return the open passages that need no witness, each with the reason; kept by hand."""
    node = read_shaped(game, project, "witnesses")
    return {} if node is None else {id_: item.text for id_, item in _fields(node, "exempt").items()}


@keep_until_changed(maxsize=16)
def frequencies(game: str, project: Project) -> Mapping[str, tuple[Frequency, ...]]:
    """Return by key how often the values of a reading differ."""
    node = read_shaped(game, project, "frequencies")
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
_DIGITS = 9


def interval(hits: int, whole: int) -> tuple[float, float]:
    """Return within which bounds a share lies in nineteen of twenty such counts (Wilson)."""
    share, square = hits / whole, _DEVIATIONS**2 / whole
    middle = (share + square / 2) / (1 + square)
    spread = _DEVIATIONS * ((share * (1 - share) / whole + square / whole / 4) ** 0.5) / (1 + square)
    return round(max(0.0, middle - spread), _DIGITS), round(min(1.0, middle + spread), _DIGITS)
