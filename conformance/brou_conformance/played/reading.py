"""Reads the games of a log: a `brou-record/1`, several of them, or a line of JSON for each, forgivingly."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brou import BrouError, Choice, Fault, Folder, Json, Malformed, Node, NoFile, Place, choose, outside, read
from brou.atomic import read_named
from brou.language import parse_yaml
from brou_conformance.played.notation import GameNotation, check_keys
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.scenarios.script import machine

#: Files with a document a line.
_LINES = (".ndjson", ".jsonl")
_GAME = ("format", "rules", "title", "players", "start", "deals", "games", "id", "program", "version")
_DEAL = ("id", "opening", "deal", "steps", "count", "written", "short")
#: What is the same for all seats, and shown to one alone.
_FOR_ALL, _FOR_ONE = ("score", "winner"), ("legal", "view")


@dataclass(frozen=True, slots=True)
class SeenStep:
    """One thing that a log shows: the message that asks for it, and what the program answered by it."""

    message: Message
    said: Message
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal as a log has it; hands that nobody saw are missing, or shorter than they are."""

    id: str
    opening: tuple[SeenStep, ...]
    #: What is known before it, and of its cards.
    dealt: Mapping[str, Any]
    steps: tuple[SeenStep, ...]
    #: What the sheet says, before the deal is written down and after it.
    count: Mapping[str, Any]
    written: Mapping[str, Any]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """A game as a log has it."""

    id: str
    choice: Choice
    #: Whether its name says by which readings it was played.
    names_readings: bool
    start: Mapping[str, Any]
    deals: tuple[PlayedDeal, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class PlayedLog:
    """The games of a log, and the program that wrote it as far as it says."""

    engine: Mapping[str, str]
    games: tuple[LoggedGame, ...]


def read_log(path: Path, data: Folder = None) -> PlayedLog:
    """Read a log; raise `NoFile` without one, and `Malformed` with every fault that is found."""
    if not path.is_file():
        raise NoFile(path, "a file of played deals (docs/played.md)")
    nodes = list(_read_lines(path)) if path.suffix in _LINES else [read(path)]
    faults: list[Fault] = []
    engine: dict[str, str] = {}
    games: list[LoggedGame] = []
    for node, usual in _list_games(nodes, engine):
        try:
            games.append(_read_game(node, usual, len(games) + 1, data))
        except Malformed as error:
            faults += error.faults
    if faults:
        raise Malformed(faults)
    if not games:
        raise Malformed([Fault(Place(str(path), 1, 1), "no game", "write `rules:` and `deals:` for one game at least")])
    return PlayedLog({"name": path.stem, **engine}, tuple(games))


def _read_lines(path: Path) -> Iterator[Node]:
    """Yield the document of each line, with its line as the place of all that is in it."""
    for number, line in enumerate(read_named(path).splitlines(), 1):
        if line.strip():
            place = Place(str(path), number, 1)
            try:
                json.loads(line)
            except ValueError as error:
                raise Malformed([Fault(place, f"no JSON: {error}", "write one JSON object per line")]) from error
            yield _move(parse_yaml(line, str(path), again=False), number)


def _move(node: Node, line: int) -> Node:
    place = Place(node.place.file, line, node.place.column)
    if isinstance(node.value, tuple):
        return Node(tuple(_move(one, line) for one in node.value), place)
    if isinstance(node.value, dict):
        return Node({key: _move(one, line) for key, one in node.value.items()}, place)
    return Node(node.value, place)


def _list_games(nodes: list[Node], engine: dict[str, str]) -> Iterator[tuple[Node, Mapping[str, Node]]]:
    """Yield the nodes that are games, each with what the nodes above and before it say for all; note the program."""
    usual: dict[str, Node] = {}
    for node in nodes:
        listed = [(one, usual) for one in node.items] if isinstance(node.value, tuple) else [(node, usual)]
        for one, before in listed:
            if not isinstance(one.value, dict):
                raise Malformed([Fault(one.place, "no game", "write a mapping with `rules` and `deals`")])
            fields = one.fields
            for key, name in (("program", "name"), ("version", "version")):
                if key in fields:
                    engine[name] = fields[key].text
            above: dict[str, Node] = {
                **before,
                **{key: fields[key] for key in ("rules", "players", "start") if key in fields},
            }
            if "games" in fields:
                yield from ((game, above) for game in fields["games"].items)
            elif "deals" in fields or "rules" not in fields:
                yield one, before
            else:  # the head of a file with a game a line
                usual = above


def _read_game(node: Node, usual: Mapping[str, Node], number: int, data: Folder) -> LoggedGame:
    if not isinstance(node.value, dict):
        raise Malformed([Fault(node.place, "no game", "write a mapping with `rules` and `deals`")])
    fields = {**usual, **node.fields}
    if faults := list(check_keys(node.fields, _GAME)):
        raise Malformed(faults)
    for key, what in (("rules", "the rules, such as `rules: brouc@2022`"), ("deals", "the deals, in a list")):
        if key not in fields:
            raise Malformed([Fault(node.place, f"a game without `{key}`", f"write {what}")])
    named = fields["rules"]
    try:
        choice = choose(named.text, data)
    except BrouError as error:
        raise Malformed([Fault(named.place, str(error), "")]) from error
    game = machine(choice, data).game
    players = [one.text for one in fields["players"].items] if "players" in fields else []
    notation = GameNotation(game.deck, game.seats, players)
    acts = {outside(action) for action in game.actions}
    start: dict[str, Json] = {**_plain(fields.get("start"))}
    if "dealer" in start:
        start["dealer"] = notation.seat(fields["start"].fields["dealer"])
    name = node.string("id", str(number))
    deals = tuple(
        _DealReader(notation, acts, f"{name}.{one.string('id', str(place))}").read(one)
        for place, one in enumerate(fields["deals"].items, 1)
    )
    if not deals:
        raise Malformed([Fault(fields["deals"].place, "a game without deals", "write one at least")])
    return LoggedGame(name, choice, "[" in named.text, start, deals, node.place)


@dataclass(frozen=True)
class _DealReader:
    """Reads the deals of one game."""

    notation: GameNotation
    acts: set[str]
    name: str

    def read(self, node: Node) -> PlayedDeal:
        if not isinstance(node.value, dict):
            raise Malformed([Fault(node.place, "no deal", "write a mapping with `deal` and `steps`")])
        faults = list(check_keys(node.fields, _DEAL))
        if "short" in node.fields:
            what = "a deal of which only the sheet is known; no act of it can be judged"
            faults.append(Fault(node.fields["short"].place, what, "leave it out, or settle it with `brou score`"))
        if faults:
            raise Malformed(faults)
        return PlayedDeal(
            self.name,
            tuple(self._steps(node.get("opening"))),
            self._read_dealt(node.get("deal")),
            tuple(self._steps(node.get("steps"))),
            _plain(node.get("count")),
            _plain(node.get("written")),
            node.place,
        )

    def _read_dealt(self, node: Node | None) -> dict[str, Json]:
        """Return the accounts before a deal and the known cards of it, in the notation of the game."""
        found: dict[str, Json] = {}
        for key, item in ({} if node is None else node.fields).items():
            if key == "hands":
                if not isinstance(item.value, dict):
                    raise Malformed([Fault(item.place, "no hands", "write a hand for each seat that is known")])
                hands = {self.notation.read_seat(seat, hand.place): hand for seat, hand in item.fields.items()}
                found[key] = {str(seat): [*self.notation.hand(hand)] for seat, hand in sorted(hands.items())}
            elif key == "dealer":
                found[key] = self.notation.seat(item)
            elif key == "turnup":
                found[key] = self.notation.card(item)
            elif key in ("stock", "deck"):
                found[key] = [*self.notation.hand(item)]
            else:
                found[key] = item.plain()
        return found

    def _steps(self, node: Node | None) -> Iterator[SeenStep]:
        for item in () if node is None else node.items:
            yield from self._read_step(item)

    def _read_step(self, node: Node) -> Iterator[SeenStep]:
        if not isinstance(node.value, dict):
            yield from self._read_trick(node)
        elif PLAY in node.fields and "by" not in node.fields:
            listed = node.fields[PLAY]
            for trick in listed.items if isinstance(listed.value, tuple) else (listed,):
                yield from self._read_trick(trick)
        elif said := next((key for key in _FOR_ALL if key in node.fields), ""):
            item = node.fields[said]
            is_seat = said == "winner" and item.value is not None
            yield SeenStep({said: True}, {said: self.notation.seat(item) if is_seat else item.plain()}, node.place)
        elif "by" not in node.fields:
            what = "write who it was, as in `{by: 0, play: KS}`, or a trick in a line"
            raise Malformed([Fault(node.place, "a step without `by`", what)])
        else:
            yield self._read_own(node, self.notation.seat(node.fields["by"]))

    def _read_own(self, node: Node, by: int) -> SeenStep:
        """Return the act of a seat, accepted or refused, or the list or view that the log shows of it."""
        fields, place = node.fields, node.place
        if asked := next((key for key in _FOR_ONE if key in fields), ""):
            return SeenStep({asked: by}, {asked: self.notation.cards.read(fields[asked].plain())}, place)
        if "refused" in fields:
            code = fields["code"].text if "code" in fields else True
            return SeenStep({"by": by, "act": self._read_act(fields["refused"])}, {"no": code}, place)
        act = fields.get("act")
        if act is None:
            named = {key: item for key, item in fields.items() if key in self.acts}
            if len(named) != 1:
                like = ", ".join(sorted(self.acts))
                raise Malformed([Fault(place, "a step without an act", f"acts of this game are {like}")])
            act = Node(named, place)
        return SeenStep({"by": by, "act": self._read_act(act)}, {"ok": True}, place)

    def _read_act(self, node: Node) -> Message:
        if not isinstance(node.value, dict) or len(node.fields) != 1:
            raise Malformed([Fault(node.place, "no act", "write its name and its value, as in `{play: KS}`")])
        ((name, value),) = node.fields.items()
        if name not in self.acts:
            like = ", ".join(sorted(self.acts))
            raise Malformed([Fault(value.place, f"{name!r} is no act of this game", f"acts are {like}")])
        return {name: self.notation.cards.read(value.plain())}

    def _read_trick(self, node: Node) -> Iterator[SeenStep]:
        for seat, card in self.notation.trick(node.text, node.place):
            yield SeenStep({"by": seat, "act": {PLAY: card}}, {"ok": True}, node.place)


def _plain(node: Node | None) -> dict[str, Json]:
    plain = None if node is None else node.plain()
    return plain if isinstance(plain, dict) else {}
