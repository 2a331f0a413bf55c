"""What a game is made of, read before its rules: seats, pack, parameters, types, attributes, state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from brou.dataclass import dataclass, field, replace
from brou.errors import MOST_FAULTS, Fault, Invalid, Place, TooMany, Unusable
from brou.language.builtin import World
from brou.language.builtins import BUILTINS
from brou.language.copies import find_face, list_copies
from brou.language.node import Node
from brou.language.syntax import Attribute, Deck, Param, Variable
from brou.language.tree import Literal, ParamUse
from brou.language.types import (
    BOOL,
    CARDS,
    NUMBERS,
    PILE,
    UNBOUNDED,
    Array,
    Bool,
    Cards,
    Domain,
    Int,
    Named,
    Option,
    Pile,
    Type,
    Value,
    finite,
    inner,
    lists_of,
)

Record = TypeVar("Record")

_PLAIN: dict[str, Type] = {"bool": BOOL, "cards": CARDS, "pile": PILE, "numbers": NUMBERS}

MOST_SEATS = 20
#: So many cards has a pack, and values a range, at most.
MOST_MEMBERS = 1000
#: So many places have all variables together at most.
MOST_PLACES = 10_000

_INT = re.compile(r"int(?:\s+(\S+)\.\.(\S+))?\Z")
_ARRAY = re.compile(r"([^\[\]]+?)\s*((?:\[[^\[\]]+\])+)\Z")


class Faults:
    """Collects faults, so that one reading of a file reports all of them."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, place: Place, what: str, instead: str = "") -> None:
        """Note one fault."""
        self.note([Fault(place, what, instead)])

    def note(self, faults: Iterable[Fault]) -> None:
        """Note some faults; raise `TooMany` where there are enough of them."""
        self.found.extend(faults)
        if len(self.found) >= MOST_FAULTS:
            raise TooMany(self.found)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Note the faults that a part raises, and go on behind it."""
        try:
            yield
        except TooMany:
            raise
        except Unusable as error:
            self.note(error.faults)

    def each(self, nodes: Mapping[str, Node], build: Callable[[str, Node], Record]) -> dict[str, Record]:
        """Build a record of every member, leaving out those that are wrong."""
        built: dict[str, Record] = {}
        for name, node in nodes.items():
            with self.collecting():
                built[name] = build(name, node)
        return built


@dataclass(slots=True)
class Material:
    """The parts of a game that its rules refer to."""

    world: World
    deck: Deck
    params: dict[str, Param]
    attributes: dict[str, Attribute]
    scopes: tuple[str, ...]
    state: dict[str, Variable] = field(default_factory=dict)
    constants: dict[str, Literal] = field(default_factory=dict)
    domains: dict[str, Type] = field(default_factory=dict)

    def reach(self, attribute: Attribute) -> Int:
        """Return the numbers that an attribute takes over the pack."""
        values = [attribute.values[card] for card in self.deck.cards]
        return Int(min(values), max(values))


def gather(rules: Node, faults: Faults) -> Material:
    """Read all declarations of a game; faults go into `faults`."""
    return _Gatherer(rules, faults).material()


class _Gatherer:
    def __init__(self, rules: Node, faults: Faults) -> None:
        self.rules = rules
        self.faults = faults
        self.params: dict[str, Param] = {}
        self.types: dict[str, Type] = {}
        self.places = 0

    def material(self) -> Material:
        deck = self._deck()
        self.params = self.faults.each(self._section("params"), self._param)
        seats, teams = self._seating()
        self.types.update(
            card=Named("card", deck.cards),
            suit=Named("suit", tuple(deck.suits)),
            rank=Named("rank", tuple(deck.ranks)),
            player=Named("player", tuple(range(seats))),
            team=Named("team", tuple(range(len(teams)))),
        )
        for name, node in self._section("types").items():
            with self.faults.collecting():
                self.types[name] = self._read_type(name, node)
        attributes = self.faults.each(self._section("attributes"), lambda name, node: self._attribute(name, node, deck))
        scopes = tuple(self._section("state"))
        material = Material(World(seats, teams, deck.cards, self.types), deck, self.params, attributes, scopes)
        for scope in scopes:
            for name, node in self._section("state")[scope].fields.items():
                if name in material.state:
                    self.faults.add(node.place, f"a second variable {name!r}", "a name has one meaning in all scopes")
                with self.faults.collecting():
                    material.state[name] = self._variable(name, node, scope)
        self._name_constants(material)
        return material

    def _section(self, name: str) -> dict[str, Node]:
        node = self.rules.get(name)
        return {} if node is None else node.fields

    def _deck(self) -> Deck:
        node = self._section("deck")
        suits = {code: name.text for code, name in node["suits"].fields.items()}
        ranks = {code: name.text for code, name in node["ranks"].fields.items()}
        if len(suits) * len(ranks) > MOST_MEMBERS:
            what = f"a pack of {len(suits) * len(ranks)} cards"
            raise Invalid([Fault(self.rules.fields["deck"].place, what, f"at most {MOST_MEMBERS}")])
        without = node.get("without")
        absent = {card.text for card in without.items} if without else set()
        cards = tuple(rank + suit for suit in suits for rank in ranks)
        for card in without.items if without else ():
            if card.text not in cards:
                self.faults.add(card.place, f"the pack has no card {card.text!r} to leave out")
        if not set(cards) - absent:
            self.faults.add(self.rules.fields["deck"].place, "the pack has no card", "name suits and ranks")
        faces = tuple(card for card in cards if card not in absent)
        said = node.get("copies")
        copies = said.value if said is not None and isinstance(said.value, int) else 1
        if len(faces) * copies > MOST_MEMBERS:
            what = f"a pack of {len(faces) * copies} cards"
            raise Invalid([Fault(self.rules.fields["deck"].place, what, f"at most {MOST_MEMBERS}")])
        return Deck(suits, ranks, tuple(copy for face in faces for copy in list_copies(face, copies)))

    def _param(self, name: str, node: Node) -> Param:
        value = node.fields["value"]
        for one in _leaves(value):
            self._check_reach(one)
        if isinstance(value.value, tuple):
            rows = tuple(_numbers(item) for item in value.items)
            numbers = tuple(row for row in rows if isinstance(row, int))
            lists = tuple(row for row in rows if isinstance(row, tuple))
            return Param(name, lists or numbers, node.string("clause"), node.place)
        number = value.value
        return Param(name, number if isinstance(number, int) else 0, node.string("clause"), node.place)

    def _seating(self) -> tuple[int, tuple[tuple[int, ...], ...]]:
        node = self._section("seating")
        seats = self._number(node["seats"])
        if not 0 < seats <= MOST_SEATS:
            self.faults.add(node["seats"].place, f"a game for {seats} seats", f"there are 1 to {MOST_SEATS} seats")
            seats = 1
        teams = node.get("teams")
        grouped = tuple(tuple(self._number(seat) for seat in team.items) for team in teams.items) if teams else ()
        grouped = grouped or tuple((seat,) for seat in range(seats))
        if sorted(seat for team in grouped for seat in team) != list(range(seats)):
            self.faults.add(node["seats"].place, "the teams do not hold every seat once", f"seats are 0 to {seats - 1}")
        return seats, grouped

    def _number(self, node: Node) -> int:
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            self._check_reach(node)
            return node.value
        param = self.params.get(node.text)
        if param is not None and isinstance(param.value, int):
            return param.value
        self.faults.add(node.place, f"{node.text!r} is neither a number nor the name of a number in params")
        return 0

    def _check_reach(self, node: Node) -> None:
        """Note a number that lies beyond all that is known of numbers."""
        if isinstance(node.value, int) and abs(node.value) >= UNBOUNDED:
            self.faults.add(node.place, f"the number {node.value}", f"numbers of rules are below {UNBOUNDED}")

    def _read_type(self, name: str, node: Node) -> Type:
        fields = node.fields
        if name in self.types or name in (*_PLAIN, "int"):
            self.faults.add(node.place, f"the type {name!r} exists already", "choose another name")
        if "values" in fields:
            return Named(name, tuple(value.text for value in fields["values"].items))
        low, high = self._number(fields["from"]), self._number(fields["to"])
        if low > high:
            self.faults.add(node.place, f"the type {name!r} has no values", "`from` is at most `to`")
        if high - low >= MOST_MEMBERS:
            self.faults.add(node.place, f"the type {name!r} has more than {MOST_MEMBERS} values", "make it smaller")
            high = low
        return Int(low, max(low, high))

    def _attribute(self, name: str, node: Node, deck: Deck) -> Attribute:
        fields = node.fields
        values: dict[str, int] = {}
        for suits, ranks in _by_suits(fields, deck):
            for key, number in ranks.fields.items():
                for rank in dict.fromkeys(key.split()):
                    if rank not in deck.ranks or not set(suits) <= set(deck.suits):
                        self.faults.add(
                            number.place, f"the pack has no {rank} of {' '.join(suits)}", "use the codes of the deck"
                        )
                    values.update({rank + suit: self._number(number) for suit in suits})
        for card in deck.cards:
            face = find_face(card)
            if face not in values:
                self.faults.add(node.place, f"{name} says nothing of {face}", "give every card a number")
                values[face] = 0
            values[card] = values[face]
        return Attribute(name, values, node.string("clause"), node.place)

    def type_of(self, node: Node) -> Type:
        """Read a type as rule files write it: `int 0..8`, `card?`, `cards[player]`, `player?[round]`."""
        return read_type(node, self.types, self._read_bound, self.faults)

    def _read_bound(self, text: str, place: Place) -> int:
        return self._number(Node(int(text) if re.fullmatch(r"-?\d+", text) else text, place))

    def _variable(self, name: str, node: Node, scope: str) -> Variable:
        type_ = self.type_of(node.fields["type"])
        self.places += _places(type_)
        if self.places > MOST_PLACES:
            raise Invalid([Fault(node.place, f"a state of {self.places} places up to here", f"at most {MOST_PLACES}")])
        init = node.get("init")
        default = self._default(type_, init, node.place)
        zone = node.string("zone") == "true"
        if zone and not _holds_cards(type_):
            self.faults.add(
                node.place, f"a zone of type {type_}", "zones are card, cards, pile, options and arrays of them"
            )
        return Variable(name, type_, scope, default, zone, node.string("clause"), node.place)

    def _default(self, type_: Type, init: Node | None, place: Place) -> Value:
        if isinstance(type_, Array):
            return tuple(self._default(type_.element, init, place) for _ in finite(type_.index) or ())
        if init is not None:
            return self._initial(type_, init)
        match type_:
            case Option():
                return None
            case Bool():
                return False
            case Cards():
                return frozenset()
            case Pile():
                return ()
            case Int(low, high):
                return 0 if low <= 0 <= high else low
            case Named() if isinstance(type_.members[0], str) and type_.name not in ("card", "suit", "rank"):
                return type_.members[0]
        self.faults.add(place, f"a variable of type {type_} needs a first value", f"write `init:` or make it {type_}?")
        return None

    def _initial(self, type_: Type, init: Node) -> Value:
        type_ = inner(type_)
        value = init.value
        if isinstance(value, str) and value in self.params:
            value = self._number(init)
        good = (
            (isinstance(type_, Int) and isinstance(value, int) and type_.low <= value <= type_.high)
            or (isinstance(type_, Bool) and isinstance(value, bool))
            or (isinstance(type_, Named) and value in type_.members)
        )
        if not good or isinstance(value, (tuple, dict)):
            self.faults.add(init.place, f"{init.text!r} is no {type_}")
            return None
        return value

    def _name_constants(self, material: Material) -> None:
        """Give every suit, rank, enumerated value and parameter its meaning as a name; a name has one meaning."""
        taken: dict[str, str] = dict.fromkeys(material.state, "a variable")
        for kind, codes in (("suit", material.deck.suits), ("rank", material.deck.ranks)):
            for code, name in codes.items():
                self._constant(material, taken, name, Literal(self.types[kind], code))
        for type_ in self.types.values():
            if isinstance(type_, Named) and type_.name not in ("card", "suit", "rank", "player", "team"):
                for member in type_.members:
                    self._constant(material, taken, str(member), Literal(type_, member))
        whole = frozenset(material.deck.cards)
        self._constant(material, taken, "pack", Literal(CARDS, whole))
        for name in self.params:
            if name in taken:
                self.faults.add(self.params[name].place, f"{name!r} is {taken[name]} already", "rename one of them")
            taken[name] = "a parameter"
        material.domains |= lists_of({**dict.fromkeys(self._section("types"), BOOL), **self.types})

    def _constant(self, material: Material, taken: dict[str, str], name: str, value: Literal) -> None:
        if name in taken or name in BUILTINS:
            place = self.rules.place
            self.faults.add(
                place, f"the name {name!r} means {taken.get(name, 'a built-in')} already", "rename one of them"
            )
        taken[name] = f"a {value.type}"
        material.constants[name] = replace(value, name=name)


def _holds_cards(type_: Type) -> bool:
    while isinstance(type_, Array):
        type_ = type_.element
    return type_ in (CARDS, PILE) or str(inner(type_)) == "card"


def param_expression(param: Param) -> ParamUse:
    """Return what a parameter is in an expression: a number, a list of numbers, or a choice of such lists."""
    if isinstance(param.value, int):
        return ParamUse(Int(param.value, param.value), param.id, param.value)
    flat = all(isinstance(item, int) for item in param.value)
    return ParamUse(NUMBERS if flat else Domain(NUMBERS, len(param.value)), param.id, param.value)


def read_type(node: Node, types: Mapping[str, Type], bound: Callable[[str, Place], int], faults: Faults) -> Type:
    """Read a type as rule files write it; an unknown one is a fault and counts as bool."""
    text = node.text.strip()
    array = _ARRAY.match(text)
    if array:
        element = read_type(Node(array[1], node.place), types, bound, faults)
        for name in reversed(array[2][1:-1].split("][")):
            index = read_type(Node(name, node.place), types, bound, faults)
            if finite(index) is None:
                faults.add(node.place, f"{name!r} cannot index an array", "index by player, team, suit, rank or a type")
            element = Array(index, element)
        if _places(element) > MOST_PLACES:
            faults.add(node.place, f"an array of {_places(element)} places", f"at most {MOST_PLACES}")
            return BOOL
        return element
    if text.endswith("?"):
        return Option(read_type(Node(text[:-1], node.place), types, bound, faults))
    number = _INT.match(text)
    if number:
        low = bound(number[1], node.place) if number[1] else -UNBOUNDED
        high = bound(number[2], node.place) if number[2] else UNBOUNDED
        if low > high:
            faults.add(node.place, f"the type {text!r} has no values", "write the smaller number first")
        return Int(low, high)
    known: dict[str, Type] = {**_PLAIN, **types}
    if text not in known:
        faults.add(node.place, f"unknown type {text!r}", f"types are int, int a..b, {', '.join(sorted(known))}")
    return known.get(text, BOOL)


def _places(type_: Type) -> int:
    """Return how many elements an array has in all."""
    return len(finite(type_.index) or ()) * _places(type_.element) if isinstance(type_, Array) else 1


def _numbers(node: Node) -> int | tuple[int, ...]:
    if isinstance(node.value, tuple):
        return tuple(item.value for item in node.items if isinstance(item.value, int))
    return node.value if isinstance(node.value, int) else 0


def _leaves(node: Node) -> Iterator[Node]:
    """Yield the leaves of nested lists."""
    if not isinstance(node.value, tuple):
        yield node
        return
    for item in node.value:
        yield from _leaves(item)


def _by_suits(fields: Mapping[str, Node], deck: Deck) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Yield suits with their ranks: all suits at once, or groups written `H D: {...}`."""
    if fields["by"].text == "rank":
        yield tuple(deck.suits), fields["values"]
        return
    for suits, ranks in fields["values"].fields.items():
        yield tuple(dict.fromkeys(suits.split())), ranks
