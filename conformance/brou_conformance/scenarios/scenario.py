"""Scenarios: a deal, the acts and questions in it, and the answers that the text demands.

A file holds a list of scenarios of one game. Expectations are patterns of the results that a program answers, so that
judging is one comparison.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, TypeAlias

import msgspec

from brou import Fault, Json, Node, Place, Plain
from brou.shapes import Defined, Limit
from brou_conformance.protocol import Data

Level: TypeAlias = Literal["must", "reading", "open"]
#: What a scenario may show of a clause.
CELLS = ("permits", "refuses", "value", "boundary", "interaction", "shown", "hidden")
Cell: TypeAlias = Annotated[str, Limit(enum=CELLS), Defined("cell")]
#: Where a scenario may come from.
Origin: TypeAlias = Annotated[str, Limit(enum=("source-example", "hand", "smt", "mutant", "fuzz", "bug"))]
Verb: TypeAlias = Literal["act", "legal", "winner", "view", "score"]

#: The act that the short form of a trick stands for.
PLAY = "play"
_QUESTIONS: tuple[Verb, ...] = ("legal", "winner", "view", "score")


_FORM = msgspec.json.Encoder(order="sorted")


def write_form(value: Data) -> bytes:
    """Return a value in its one form as JSON: the same for values that are the same, where a truth is no number."""
    return _FORM.encode(value)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The form of an expected result: its key, its value, and for a view the keys that must be unknown."""

    key: str
    value: Json
    hides: tuple[str, ...] = ()
    #: What a description names, each value in its one form as JSON, so that answers are compared at once.
    forms: Mapping[str, bytes] = field(init=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "forms", {key: write_form(value) for key, value in self.members.items()})

    @property
    def members(self) -> Mapping[str, Json]:
        """Return the entries of a description, key by key; nothing of any other value."""
        return self.value if isinstance(self.value, dict) else {}


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """One line of a script: the message, and the answer expected outright or under each value of a reading."""

    id: str
    verb: Verb
    #: The step as it goes over the wire.
    message: Mapping[str, Plain]
    place: Place = field(compare=False)
    expected: Pattern | None = None
    #: Whether it bears an id of its own, and so is what the scenario is about.
    named: bool = False
    reading: str = ""
    values: Mapping[str, Pattern] = field(default_factory=dict)
    #: Whether it is an act that has to be accepted under every reading, as most steps are.
    accepted: bool = field(init=False, compare=False)
    #: The acts that it is about.
    topics: tuple[str, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        accepted = self.verb == "act" and self.expected is not None and self.expected.key == "ok"
        object.__setattr__(self, "accepted", accepted)
        object.__setattr__(self, "topics", self._find_topics())

    def _find_topics(self) -> tuple[str, ...]:
        if self.verb == "act":
            act = self.message.get("act")
            return tuple(act) if isinstance(act, dict) else ()
        if self.verb != "legal":
            return ()
        return tuple(dict.fromkeys(name for one in self.patterns for name in one.members))

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """Return all that is expected, outright or under some value of a reading."""
        return (*([] if self.expected is None else [self.expected]), *self.values.values())

    @property
    def deed(self) -> tuple[int, dict[str, Plain]]:
        """Return the seat and the act; raise `TypeError` where the step is no act."""
        seat, act = self.message.get("by"), self.message.get("act")
        if isinstance(seat, int) and isinstance(act, dict):
            return seat, act
        raise TypeError(f"{self.id} is no act")

    def choose_pattern(self, readings: Mapping[str, str]) -> Pattern | None:
        """Return the answer expected under these readings; None if they do not say."""
        return self.values.get(readings.get(self.reading, "")) if self.reading else self.expected


@dataclass(frozen=True, slots=True)
class Trick:
    """The short form of a trick: the leader, and the cards in the order of play."""

    leader: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tricks:
    """Some tricks played out one after the other, every card of them accepted."""

    id: str
    tricks: tuple[Trick, ...]
    place: Place = field(compare=False)

    def steps(self, seats: int) -> Iterator[ScriptStep]:
        """Yield one act a card."""
        played = [(trick.leader + n, card) for trick in self.tricks for n, card in enumerate(trick.cards)]
        for number, (seat, card) in enumerate(played, 1):
            message: dict[str, Plain] = {"by": seat % seats, "act": {PLAY: card}}
            yield ScriptStep(f"{self.id}.{number}", "act", message, self.place, Pattern("ok", value=True))


@dataclass(frozen=True, slots=True)
class Scenario:
    """A script with its expectations, the clauses it speaks for, and why the text wants it so."""

    game: str
    id: str
    title: str
    #: What it speaks for, each with the cells of the clause that it fills.
    cells: Mapping[str, tuple[str, ...]]
    level: Level
    origin: str
    because: str
    lines: tuple[ScriptStep | Tricks, ...]
    place: Place = field(compare=False)
    #: Editions and set-ups it holds for; all editions, and the first set-up of each, if none is named.
    editions: tuple[str, ...] = ()
    setups: tuple[str, ...] = ()
    #: Judged only where these readings are followed.
    premise: Mapping[str, str] = field(default_factory=dict)
    deal: Mapping[str, Plain] = field(default_factory=dict)
    before: Mapping[str, Plain] = field(default_factory=dict)
    #: Where it names each of the clauses that it speaks for.
    cited: Mapping[str, Place] = field(default_factory=dict, compare=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return the clauses and open passages that it speaks for."""
        return tuple(self.cells)

    def steps(self, seats: int) -> tuple[ScriptStep, ...]:
        """Return all steps, tricks spelt out for this number of seats."""
        spelt = (line.steps(seats) if isinstance(line, Tricks) else (line,) for line in self.lines)
        return tuple(step for steps in spelt for step in steps)

    @property
    def keys(self) -> Mapping[str, Place]:
        """Return the reading keys that it names, each with a place."""
        named = {line.reading: line.place for line in self.lines if isinstance(line, ScriptStep) and line.reading}
        return {**dict.fromkeys(self.premise, self.place), **named}


def scenario(node: Node, game: str) -> Scenario:
    """Return the scenario that a node of the right shape holds."""
    optional = {key: dict(_plain(node.get(key))) for key in ("deal", "before")}
    cited = node.fields["clauses"].fields
    return Scenario(
        game=game,
        id=node.string("id"),
        title=node.string("title"),
        cells={clause: _texts(item) for clause, item in cited.items()},
        level=_level(node.string("level")),
        origin=node.string("origin"),
        because=node.string("because"),
        lines=tuple(_line(item, f"s{number}") for number, item in enumerate(node.fields["steps"].items, 1)),
        place=node.place,
        editions=_texts(node.get("edition")),
        setups=_texts(node.get("setup")),
        premise={key: item.text for key, item in _fields(node, "readings").items()},
        deal=optional["deal"],
        before=optional["before"],
        cited={clause: node.fields["clauses"].find_key(clause) for clause in cited},
    )


def find_repeated(found: Scenario) -> Iterator[Fault]:
    """Yield the steps whose id a scenario has twice."""
    seen: dict[str, Place] = {}
    for line in found.lines:
        if line.id in seen:
            instead = f"the other is at {seen[line.id]}; steps without an id are s1, s2, ..."
            yield Fault(line.place, f"{found.id} has two steps {line.id!r}", instead)
        seen[line.id] = line.place


def _line(node: Node, default: str) -> ScriptStep | Tricks:
    id_ = node.string("id", default)
    tricks = node.get("play")
    if tricks is not None:
        return Tricks(id_, tuple(_trick(item.text) for item in tricks.items), node.place)
    verb: Verb = next((name for name in _QUESTIONS if node.get(name) is not None), "act")
    keys = ("by", "act") if verb == "act" else (verb,)
    named = node.get("id") is not None
    step = ScriptStep(id_, verb, {key: node.fields[key].plain() for key in keys}, node.place, named=named)
    hides = _texts(node.get("hides"))
    for reading, values in _fields(node, "readings").items():
        patterns = {value: _pattern(verb, item, hides) for value, item in values.fields.items()}
        return replace(step, reading=reading, values=patterns)
    return replace(step, expected=_pattern(verb, node.get("expect"), hides))


def _trick(text: str) -> Trick:
    leader, cards = text.split(":")
    return Trick(int(leader), tuple(cards.split()))


def _pattern(verb: Verb, node: Node | None, hides: tuple[str, ...]) -> Pattern:
    if verb == "act":
        return _permission(node)
    value = {} if node is None else node.plain()
    return Pattern(verb, value, hides)


def _permission(node: Node | None) -> Pattern:
    if node is None or node.value == "ok":
        return Pattern("ok", value=True)
    return Pattern("no", node.string("no") if isinstance(node.value, dict) else True)


def _level(text: str) -> Level:
    return "must" if text == "must" else "open" if text == "open" else "reading"


def _fields(node: Node, key: str) -> Mapping[str, Node]:
    member = node.get(key)
    return {} if member is None else member.fields


def _texts(node: Node | None) -> tuple[str, ...]:
    """Return one name or a list of names as a tuple."""
    if node is None:
        return ()
    return tuple(item.text for item in node.items) if isinstance(node.value, tuple) else (node.text,)


def _plain(node: Node | None) -> dict[str, Plain]:
    plain = None if node is None else node.plain()
    return plain if isinstance(plain, dict) else {}
