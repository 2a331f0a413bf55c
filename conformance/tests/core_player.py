"""The smallest engine there is: it plays what `brou export --core` writes, and knows nothing else.

It was written from docs/lowered.md, and its random play from docs/playing.md,
as one would be in any other language. It is no fast one: every value is held
against the kind of the term that gave it, so that a bound that does not hold is
found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

NO_NUMBER, NO_INDEX = -(1 << 31), -1
WORD, MOST = 64, 10**9
MASK = (1 << WORD) - 1

#: The locals in sight, by name.
Locals = Mapping[str, Any]
#: An act that is open: its name, the seat, its values if they are listed; the last may be any card of the set.
Offer = tuple[str, int, "tuple[Any, ...] | None", "int | None"]
#: A record of the file.
Record = dict[str, Any]


class Broken(Exception):
    """The rules broke a promise: the act has no effect."""


class Wrong(Exception):
    """The file broke a promise: a value is not of the kind that its term says."""


@dataclass
class State:
    """A phase, and every variable by name; arrays are rows."""

    phase: str
    cells: dict[str, Any]

    def copy(self) -> State:
        """Return the same state, to be changed."""
        return replace(self, cells={name: _copied(value) for name, value in self.cells.items()})


def _copied(value: Any) -> Any:
    """Return a value, a row as one of its own."""
    return value[:] if isinstance(value, list) else value


class Chance:
    """The random numbers of the format: splitmix64."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        """Return a number below a bound."""
        while (word := self._word()) >= (1 << WORD) - (1 << WORD) % bound:
            pass
        return word % bound

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """Return items in a random order."""
        made = list(items)
        for place in range(len(made) - 1, 0, -1):
            other = self.below(place + 1)
            made[place], made[other] = made[other], made[place]
        return made

    def _word(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        word = self.state
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            word = (word ^ (word >> shift)) * factor & MASK
        return word ^ (word >> 31)


def cards_in(cards: int) -> Iterator[int]:
    """Yield the cards of a set, each the set that holds it alone, in the order of the pack."""
    while cards:
        yield cards & -cards
        cards &= cards - 1


def spread(pile: Sequence[int]) -> int:
    """Return the cards of a pile as a set."""
    found = 0
    for card in pile:
        found |= card
    return found


class Engine:
    """Plays one file."""

    def __init__(self, text: str) -> None:
        document: Record = json.loads(text)
        self.seats: int = document["seats"]
        self.cards: list[str] = document["cards"]
        self.scopes: list[str] = document["scopes"]
        self.kinds: list[Record] = document["kinds"]
        self.terms: list[Record] = document["terms"]
        self.begins: str = document["begin"]
        self.members: dict[str, list[str]] = document["members"]
        self.questions: Record = document.get("questions", {})
        self.cells, self.constants, self.routines, self.acts, self.stages = (
            {record["name"]: record for record in document[key]}
            for key in ("cells", "constants", "routines", "acts", "stages")
        )
        self.tables = {
            name: [self._read(record["kind"], value) for value in record["values"]]
            for name, record in self.constants.items()
        }
        for term in self.terms:
            if term["op"] == "const":
                term["value"] = self._read(term["kind"], term["value"])
        self.first = {name: self._read(record["kind"], record["first"]) for name, record in self.cells.items()}

    # Values -------------------------------------------------------------------

    def _read(self, kind: int, value: Any) -> Any:
        """Return a value of the file as it is kept here."""
        record = self.kinds[kind]
        match record["form"], value:
            case "set" | "card", list():
                return _joined(value)
            case "pile", list():
                return tuple(map(_joined, value))
            case "list", list():
                return tuple(self._read(record["element"], one) for one in value)
            case "array", list():
                return [self._read(record["element"], one) for one in value]
        return value

    def nothing(self, kind: Record) -> Any:
        """Return what stands for nothing."""
        plain = {"number": NO_NUMBER, "index": NO_INDEX, "truth": NO_INDEX, "card": 0, "set": 1 << len(self.cards)}
        return plain.get(kind["form"])

    def holds(self, kind: Record, value: Any) -> bool:
        """Say whether a value is one of a kind."""
        if kind["optional"] and type(value) is not bool and value == self.nothing(kind):
            return True
        match kind["form"]:
            case "number" | "index":
                return type(value) is int and kind["low"] <= value <= kind["high"]
            case "truth":
                return type(value) is bool
            case "card":
                return isinstance(value, int) and value.bit_count() == 1 and value >> len(self.cards) == 0
            case "set":
                return isinstance(value, int) and value >> len(self.cards) == 0
            case "pile":
                card = {"form": "card", "optional": False}
                return len(value) <= kind["most"] and all(self.holds(card, one) for one in value)
            case "list":
                element = self.kinds[kind["element"]]
                return len(value) <= kind["most"] and all(self.holds(element, one) for one in value)
            case "array":
                element = self.kinds[kind["element"]]
                return len(value) == self._length(kind) and all(self.holds(element, one) for one in value)
        return value is None

    def _length(self, kind: Record) -> int:
        count = 1
        for side in kind["shape"]:
            count *= side
        return count

    # Terms --------------------------------------------------------------------

    def value(self, place: int, state: State, here: Locals) -> Any:
        """Return what a term gives, which is of its kind."""
        term = self.terms[place]
        found = self._value(term, state, here)
        if not self.holds(self.kinds[term["kind"]], found):
            raise Wrong(f"term {place}, {term}, gives {found}, which is no {self.kinds[term['kind']]}")
        return found

    def _value(self, term: Record, state: State, here: Locals) -> Any:  # noqa: C901, PLR0912 - one operation a case
        name, parts = term.get("name", ""), term.get("parts", [])

        def part(number: int) -> Any:
            return self.value(parts[number], state, here)

        match term["op"]:
            case "const":
                return term["value"]
            case "local":
                return here[name]
            case "state":
                return state.cells[name]
            case "call":
                return self.call(name, state, [part(number) for number in range(len(parts))])
            case "let":
                return self.value(parts[1], state, {**here, term["bound"]: part(0)})
            case "demand":
                if not part(0):
                    raise Broken(name)
                return part(1)
            case "and":
                return all(part(number) for number in range(len(parts)))
            case "or":
                return any(part(number) for number in range(len(parts)))
            case "not":
                return not part(0)
            case "choose":
                return part(1) if part(0) else part(2)
            case "unique":
                fired = [number for number in range(0, len(parts), 2) if part(number)]
                if len(fired) != 1:
                    raise Broken(name)
                return part(fired[0] + 1)
            case "bounded":
                number = part(0)
                if abs(number) > MOST:
                    raise Broken("a number beyond all bounds")
                return number
            case "loop":
                return self._loop(term, state, here)
            case "part":
                row, start = part(0), part(1)
                return row[start : start + self._length(self.kinds[term["kind"]])]
            case "element":
                row, index = part(0), part(1)
                return row[_within(index, len(row))]
            case "lookup":
                index, table = part(0), self.tables[name]
                return table[-1] if index == NO_INDEX and term["absent"] else table[_within(index, len(table))]
            case "compare":
                return COMPARED[name](part(0), part(1))
            case "trait" | "total" | "peak" | "floor" | "best" as op:
                return _carried(op, self.tables[name], *(part(number) for number in range(len(parts))))
            case "list":
                listed = tuple(part(number) for number in range(len(parts)))
                return tuple(dict.fromkeys(listed)) if name == "once" else listed
        return OPERATIONS[term["op"]](*(part(number) for number in range(len(parts))))

    def _loop(self, term: Record, state: State, here: Locals) -> Any:  # noqa: C901 - one quantifier a case
        """Return what comes of a loop."""
        domain, test, body, *default = term["parts"]
        values = self._members(domain, state, here)
        inside = ({**here, term["bound"]: value} for value in values)
        chosen = ((found, self.value(body, state, found)) for found in inside if self.value(test, state, found))
        bodies = (value for _, value in chosen)
        match term["name"]:
            case "any":
                return any(bodies)
            case "all":
                return all(bodies)
            case "sum":
                return sum(bodies)
            case "count":
                return sum(1 for value in bodies if value)
            case "first":
                return next(bodies, self.nothing(self.kinds[term["kind"]]))
            case "min" | "max" as name:
                listed = list(bodies)
                return (min if name == "min" else max)(listed) if listed else self.value(default[0], state, here)
            case "gather":
                return tuple(dict.fromkeys(bodies))
            case "union":
                return spread(list(bodies))
            case "sift":
                return spread([found[term["bound"]] for found, _ in chosen])
        best, most = self.nothing(self.kinds[term["kind"]]), None
        for found, rated in chosen:
            if most is None or rated > most:
                best, most = found[term["bound"]], rated
        return best

    def _members(self, domain: int, state: State, here: Locals) -> list[Any]:
        """Return what a domain is gone through by: a list in its order, a set in that of the pack."""
        values = self.value(domain, state, here)
        return list(cards_in(values)) if self._form(domain) in ("set", "card") else list(values)

    def _form(self, place: int) -> str:
        form: str = self.kinds[self.terms[place]["kind"]]["form"]
        return form

    # Steps --------------------------------------------------------------------

    def _run(self, steps: Sequence[Record], state: State, here: dict[str, Any]) -> str | None:
        """Carry out steps on a state; return the phase that they lead to, if they do."""
        for step in steps:
            phase = self._do(step, state, here)
            if phase is not None:
                return phase
        return None

    def _do(self, step: Record, state: State, here: dict[str, Any]) -> str | None:  # noqa: C901, PLR0912 - a step a case
        match step["op"]:
            case "goto":
                phase: str = step["name"]
                return phase
            case "reset":
                scopes = self.scopes[self.scopes.index(step["name"]) :]
                state.cells |= {
                    name: _copied(value) for name, value in self.first.items() if self.cells[name]["scope"] in scopes
                }
            case "cases":
                for case in step["cases"]:
                    if case["when"] is None or self.value(case["when"], state, here):
                        return self._run(case["do"], state, dict(here))
            case "let":
                if step["name"] in here:
                    raise Wrong(f"{step['name']} hides another local")
                here[step["name"]] = self.value(step["value"], state, here)
            case "demand":
                if not self.value(step["value"], state, here):
                    raise Broken(step["name"])
            case "loop":
                for value in self._members(step["value"], state, here):
                    phase_inside = self._run(step["body"], state, {**here, step["name"]: value})
                    if phase_inside is not None:
                        return phase_inside
            case "put":
                self._put(step, state, here)
        return None

    def _put(self, step: Record, state: State, here: Locals) -> None:
        name = step["variable"]
        value = self.value(step["value"], state, here)
        many = self._form(step["value"]) == "array" and value is not None
        kind = self.kinds[self.cells[name]["kind"]]
        if step["index"] is not None:
            row, index = state.cells[name], self.value(step["index"], state, here)
            if many:
                row[index : index + len(value)] = value
            else:
                row[_within(index, len(row))] = value
        else:
            state.cells[name] = list(value) if many else value
        if not self.holds(kind, state.cells[name]):
            raise Wrong(f"{name} becomes {state.cells[name]}, which is no {kind}")

    # What is shown ------------------------------------------------------------

    def score(self, state: State) -> Record:
        """Return the score of a state as JSON."""
        return self._object(self.questions["score"], state, {})

    def view(self, state: State, seat: int) -> Record:
        """Return what a seat sees of a state as JSON."""
        phase = {"phase": state.phase.replace("_", "-")}
        return {**phase, **self._object(self.questions["view"], state, {"me": seat})}

    def find_broken_invariants(self, state: State) -> list[str]:
        """Return the invariants that do not hold."""
        return [one["name"] for one in self.questions["invariants"] if not self.value(one["holds"], state, {})]

    def _object(self, keys: Sequence[Record], state: State, here: Locals) -> Record:
        found = {key["name"]: self._shown(key["shown"], state, here) for key in keys}
        return {name: shown[0] for name, shown in found.items() if shown}

    def _shown(self, shown: Record, state: State, here: Locals) -> list[Any]:
        """Return what is shown, alone in a list; nothing is in it where it is left out."""
        match shown["form"]:
            case "value":
                return [
                    self._told(self.kinds[shown["kind"]], shown["members"], self.value(shown["value"], state, here))
                ]
            case "record":
                return [self._object(shown["keys"], state, here)]
            case "optional" if not self.value(shown["condition"], state, here):
                return [None]
            case "withheld" if not self.value(shown["condition"], state, here):
                return []
            case "list":
                inside = [{**here, shown["local"]: one} for one in self._members(shown["domain"], state, here)]
                chosen = (one for one in inside if self.value(shown["condition"], state, one))
                listed = [item for one in chosen for item in self._shown(shown["inner"], state, one)]
                return [[item for inner in listed for item in inner] if shown["flat"] else listed]
        return self._shown(shown["inner"], state, here)

    def _told(self, kind: Record, members: str, value: Any) -> Any:
        """Return a value as JSON."""
        if kind["form"] == "none" or (kind["optional"] and type(value) is not bool and value == self.nothing(kind)):
            return None
        match kind["form"]:
            case "index":
                return self.members[members][value].replace("_", "-") if members else value
            case "card":
                return self.cards[value.bit_length() - 1]
            case "set":
                return [self.cards[card.bit_length() - 1] for card in cards_in(value)]
            case "pile":
                return [self.cards[card.bit_length() - 1] for card in value]
            case "list":
                return [self._told(self.kinds[kind["element"]], members, one) for one in value]
            case "array":
                told = [self._told(self.kinds[kind["element"]], members, one) for one in value]
                for side in reversed(kind["shape"][1:]):
                    told = [told[place : place + side] for place in range(0, len(told), side)]
                return told
        return value

    # Playing ------------------------------------------------------------------

    def begin(self) -> State:
        """Return the state in which a match begins."""
        return self._settled(self.fresh())

    def fresh(self) -> State:
        """Return the state before anything has happened."""
        return State(self.begins, {name: _copied(value) for name, value in self.first.items()})

    def call(self, routine: str, state: State, given: Sequence[Any]) -> Any:
        """Return what a routine gives for some arguments."""
        record = self.routines[routine]
        here = {argument["name"]: value for argument, value in zip(record["arguments"], given, strict=True)}
        return self.value(record["body"], state, here)

    def _settled(self, state: State) -> State:
        """Run automatic phases until somebody must decide, or the match is over."""
        while self.stages[state.phase]["do"]:
            phase = self._run(self.stages[state.phase]["do"], state, {})
            if phase is None:
                raise Wrong(f"the phase {state.phase} leads nowhere")
            state.phase = phase
        return state

    def apply(self, state: State, act: str, seat: int, values: Sequence[Any]) -> State:
        """Return the state after an act."""
        after, record = state.copy(), self.acts[act]
        given = {item["name"]: value for item, value in zip(record["choosing"], values, strict=True)}
        phase = self._run(record["do"], after, {"me": seat, **given})
        if phase is not None:
            after.phase = phase
            self._settled(after)
        return after

    def may(self, state: State, act: str, seat: int, values: Sequence[Any]) -> bool:
        """Say whether a listed act is open, by its own conditions."""
        record = self.acts[act]
        here: dict[str, Any] = {"me": seat}
        if act not in self.stages[state.phase]["acts"] or not self.value(record["by"], state, here):
            return False
        for item, value in zip(record["choosing"], values, strict=True):
            if value not in self._members(item["domain"], state, here):
                return False
            here[item["name"]] = value
        return bool(self.value(record["legal"], state, here))

    def offers(self, state: State) -> list[Offer]:
        """Return all that is open to anybody: by act, by seat, by values."""
        found: list[Offer] = []
        for act in self.stages[state.phase]["acts"]:
            self._levels(self.acts[act], 0, state, {}, found)
        return found

    def _levels(self, act: Record, depth: int, state: State, here: dict[str, Any], found: list[Offer]) -> None:
        """Go through the loops of what is offered, from one on."""
        if depth == len(act["offers"]):
            values = None if act["described"] else tuple(here[item["name"]] for item in act["choosing"])
            found.append((act["name"], here["me"], values, None))
            return
        level = act["offers"][depth]
        whole = depth == len(act["offers"]) - 1 and not level["guards"] and depth > 1
        if whole and self._form(level["domain"]) == "set":
            cards = self.value(level["domain"], state, here)
            if cards:
                given = tuple(here[item["name"]] for item in act["choosing"][:-1])
                found.append((act["name"], here["me"], given, cards))
            return
        for inside in self._places(level, state, here):
            if all(self.value(guard, state, inside) for guard in level["guards"]):
                self._levels(act, depth + 1, state, inside, found)

    def _places(self, level: Record, state: State, here: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the locals for each value of a level."""
        if level["domain"] is None:
            return [here]
        if self._form(level["domain"]) == "index":
            seat = self.value(level["domain"], state, here)
            return [] if seat == NO_INDEX else [{**here, level["local"]: seat}]
        return [{**here, level["local"]: value} for value in self._members(level["domain"], state, here)]

    def step(self, state: State, chance: Chance) -> tuple[State, tuple[str, int, tuple[Any, ...]]] | None:
        """Make a random act; return the state after it and the act, or None where nobody may do anything."""
        offers = self.offers(state)
        count = sum(1 if cards is None else cards.bit_count() for *_, cards in offers)
        if not count:
            return None
        place = chance.below(count)
        for act, seat, values, cards in offers:
            size = 1 if cards is None else cards.bit_count()
            if place < size:
                made = self._values(act, seat, state, chance) if values is None else values
                if cards is not None:
                    made = (*made, next(islice(cards_in(cards), place, None)))
                if values is not None and not self.may(state, act, seat, made):
                    raise Wrong(f"{act} {made} of {seat} is offered and not open")
                return self.apply(state, act, seat, made), (act, seat, made)
            place -= size
        raise AssertionError

    def _values(self, act: str, seat: int, state: State, chance: Chance) -> tuple[Any, ...]:
        """Return random values of an act that is described."""
        here = {"me": seat}
        made: list[Any] = []
        for item in self.acts[act]["choosing"]:
            bounds = [self.value(bound, state, here) for bound in item["bounds"]]
            members = [] if item["domain"] is None else self._members(item["domain"], state, here)
            match item["form"]:
                case "orders":
                    made.append(tuple(chance.shuffled(members)))
                case "subsets":
                    low, high = max(bounds[0], 0), min(bounds[1], len(members))
                    size = low + chance.below(high - low + 1)
                    made.append(spread(chance.shuffled(members)[:size]))
                case "range":
                    made.append(bounds[0] + chance.below(bounds[1] - bounds[0] + 1))
                case _:
                    made.append(members[chance.below(len(members))])
        return tuple(made)


def _joined(words: Sequence[str]) -> int:
    """Return the set of cards that is written word by word."""
    return sum(int(word, 16) << WORD * place for place, word in enumerate(words))


def _within(index: int, length: int) -> int:
    """Return a place that is one, which Python would not be strict about."""
    if not 0 <= index < length:
        raise Wrong(f"place {index} of {length}")
    return index


def _carried(op: str, numbers: Sequence[int], cards: int, default: int = 0) -> int:
    """Return what comes of the numbers that cards carry."""
    carried = [(numbers[card.bit_length() - 1], card) for card in cards_in(cards)]
    match op:
        case "trait":
            return carried[0][0]
        case "total":
            return sum(number for number, _ in carried)
        case "peak":
            return max((number for number, _ in carried), default=default)
        case "floor":
            return min((number for number, _ in carried), default=default)
    return max(carried, key=lambda found: found[0])[1] if carried else 0


COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": lambda one, two: one == two,
    "!=": lambda one, two: one != two,
    "<": lambda one, two: one < two,
    "<=": lambda one, two: one <= two,
    ">": lambda one, two: one > two,
    ">=": lambda one, two: one >= two,
}

OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "contains": lambda values, one: one in values,
    "+": lambda one, two: one + two,
    "-": lambda one, two: one - two,
    "*": lambda one, two: one * two,
    "//": lambda one, two: one // two,
    "min": min,
    "max": max,
    "abs": abs,
    "union": lambda one, two: one | two,
    "common": lambda one, two: one & two,
    "without": lambda one, two: one & ~two,
    "some": bool,
    "size": lambda cards: cards.bit_count(),
    "lowest": lambda cards: cards & -cards,
    "place": lambda card: card.bit_length() - 1,
    "length": len,
    "range": lambda low, high: tuple(range(low, high + 1)),
    "top": lambda pile: pile[0] if pile else 0,
    "bottom": lambda pile: pile[-1] if pile else 0,
    "cut": lambda pile, count: pile[count:] + pile[:count] if 0 < count < len(pile) else pile,
    "spread": spread,
    "stack": lambda cards: tuple(cards_in(cards)),
    "take": lambda pile, count: pile[:count],
    "drop": lambda pile, count: pile[count:],
    "onto": lambda one, two: one + two,
}
