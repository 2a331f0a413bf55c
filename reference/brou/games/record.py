"""The record of a real game: its rules, its start, and for each deal the plays or the short entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from brou.dataclass import dataclass, field
from brou.errors import Fault, Malformed, Place
from brou.games.folder import root
from brou.language.card_text import CardReader
from brou.language.codec import Json
from brou.language.node import Node
from brou.language.syntax import Game

__all__ = [
    "COUNT",
    "POSITION",
    "RECORD",
    "WRITTEN",
    "Dealt",
    "GameRecord",
    "Position",
    "RecordedAct",
    "identify",
    "parse_record",
    "position",
    "record",
]

RECORD, POSITION = "record", "position"
#: What is compared with the sheet: before the deal is written down, and after it.
COUNT, WRITTEN = "count", "written"
#: The act that the short form of a trick stands for.
_PLAY = "play"


@dataclass(frozen=True, slots=True)
class RecordedAct:
    """An act as it is recorded, with the name of its step."""

    step: str
    seat: int
    act: Mapping[str, Any]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal as it is recorded: in full, in short, or by acts alone."""

    id: str
    opening: tuple[RecordedAct, ...]
    #: Hands or a pack, and how they were dealt; nothing where the acts say it or only the sheet is known.
    deal: Mapping[str, Any]
    #: What was written down, by the name of the entry.
    short: Mapping[str, Any] | None
    entered: Mapping[str, Place]
    steps: tuple[RecordedAct, ...]
    #: What the sheet says, before and after it was written down.
    sheet: Mapping[str, Mapping[str, Any]]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A recorded game."""

    rules: str
    title: str
    players: tuple[str, ...]
    start: Mapping[str, Any]
    deals: tuple[Dealt, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Position:
    """A position in question: rules, a start, the acts since, and the seat or the act to judge."""

    rules: str
    start: Mapping[str, Any]
    steps: tuple[RecordedAct, ...]
    seat: int
    act: Mapping[str, Any] | None


def record(path: Path, game: Game) -> GameRecord:
    """Read a record of a game; raise `Malformed` with every fault of its shape."""
    return parse_record(_read_shaped(path, RECORD), game)


def parse_record(node: Node, game: Game) -> GameRecord:
    """Return the record that a node of the right shape says; raise `Malformed` where two deals have one name."""
    cards = CardReader(game.deck)
    items = map(cards.read_node, node.fields["deals"].items)
    deals = tuple(_deal(item, number, game.seats) for number, item in enumerate(items, 1))
    seen: dict[str, Place] = {}
    for one in deals:
        if one.id in seen:
            raise Malformed([Fault(one.place, f"a second deal {one.id!r}", f"the first is at {seen[one.id]}")])
        seen[one.id] = one.place
    return GameRecord(
        node.string("rules"), node.string("title"), _texts(node.get("players")), _plain(node.get("start")), deals,
        node.place,
    )  # fmt: skip


def position(path: Path, game: Game) -> Position:
    """Read a position of a game."""
    node = _read_shaped(path, POSITION)
    cards = CardReader(game.deck)
    read = {key: cards.read_node(part) for key in ("deal", "steps", "act") if (part := node.get(key)) is not None}
    return Position(
        node.string("rules"),
        {**_plain(read.get("deal")), **_plain(node.get("before"))},
        tuple(_steps(read.get("steps"), game.seats)),
        int(node.fields["seat"].text),
        _plain(read["act"]) if "act" in read else None,
    )


def identify(path: Path) -> tuple[str, str]:
    """Return which kind of file this is, a record or a position, and the rules that it names."""
    from brou.language.source import read  # noqa: PLC0415 - a record may come from elsewhere than a file

    node = read(path)
    fields = node.value if isinstance(node.value, dict) else {}
    kinds = {f"brou-{kind}/1": kind for kind in (RECORD, POSITION)}
    written = node.string("format") if fields else ""
    if written not in kinds:
        instead = f"write `format:` with one of {', '.join(kinds)}"
        raise Malformed([Fault(node.place, f"neither a record nor a position ({written or 'no format'})", instead)])
    return kinds[written], _read_shaped(path, kinds[written]).string("rules")


def _read_shaped(path: Path, kind: str) -> Node:
    from brou.language.schema import shape_faults  # noqa: PLC0415 - a record may come from elsewhere than a file
    from brou.language.source import read  # noqa: PLC0415 - likewise

    node = read(path)
    faults = list(shape_faults(node, root() / "schemas" / f"{kind}.schema.json"))
    if faults:
        raise Malformed(faults)
    return node


def _deal(node: Node, number: int, seats: int) -> Dealt:
    short = node.get("short")
    sheet = {key: _plain(node.get(key)) for key in (COUNT, WRITTEN)}
    return Dealt(
        id=node.string("id", str(number)),
        opening=tuple(_steps(node.get("opening"), seats, "o")),
        deal=_plain(node.get("deal")),
        short=None if short is None else _plain(short),
        entered={} if short is None else {name: item.place for name, item in short.fields.items()},
        steps=tuple(_steps(node.get("steps"), seats)),
        sheet={key: figures for key, figures in sheet.items() if figures},
        place=node.place,
    )


def _steps(node: Node | None, seats: int, letter: str = "s") -> Iterator[RecordedAct]:
    """Yield the acts of a list, tricks spelt out; steps without an id are numbered."""
    for number, item in enumerate(() if node is None else node.items, 1):
        step = item.string("id", f"{letter}{number}")
        tricks = item.get(_PLAY)
        if tricks is None:
            yield RecordedAct(step, int(item.fields["by"].text), _plain(item.fields["act"]), item.place)
            continue
        laid = [_laid(trick.text) for trick in tricks.items]
        played = [(leader + place, card) for leader, cards in laid for place, card in enumerate(cards)]
        for place, (seat, card) in enumerate(played, 1):
            yield RecordedAct(f"{step}.{place}", seat % seats, {_PLAY: card}, item.place)


def _laid(text: str) -> tuple[int, list[str]]:
    leader, cards = text.split(":")
    return int(leader), cards.split()


def _plain(node: Node | None) -> dict[str, Json]:
    plain = None if node is None else node.plain()
    return plain if isinstance(plain, dict) else {}


def _texts(node: Node | None) -> tuple[str, ...]:
    return () if node is None else tuple(item.text for item in node.items)
