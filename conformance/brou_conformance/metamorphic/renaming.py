"""New names: scripts and answers under other names for the seats of a table or the suits of a pack.

The types of the rules decide the meaning of a name: a number in an answer is a seat where the field's expression gives
a player, and a list has a place for each team where it is shown for each team.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import permutations
from typing import Any

from brou import (
    Choice,
    Expression,
    Folder,
    Game,
    Json,
    Show,
    keep_until_changed,
    outside,
)
from brou.language.tree import BuiltinCall, Literal, walk
from brou.language.types import Array, Cards, Domain, Named, Option, Pile, Type, finite
from brou_conformance.protocol import Data, Message
from brou_conformance.scenarios.script import machine

#: The built-in that gives the seats in the order of play, which turns with the table.
_IN_TURN = "seats"


@dataclass(frozen=True, slots=True)
class Renaming:
    """New names of seats and teams, by number, and of suits and cards."""

    seats: tuple[int, ...]
    teams: tuple[int, ...]
    words: Mapping[str, str]

    @property
    def suits(self) -> dict[str, str]:
        """Return the new names of the suits alone."""
        return {word: name for word, name in self.words.items() if len(word) == 1}

    def of(self, value: Json, type_: Type | None) -> Json:
        """Return a value of a type under its new names; of an unknown type only cards and suits are renamed."""
        match type_:
            case Option(inside):
                return None if value is None else self.of(value, inside)
            case Array(index, element) if isinstance(value, list):
                members = finite(index) or ()
                return self.place_items([self.of(item, element) for item in value], members, index)
            case Domain(element) if isinstance(value, list):
                return [self.of(item, element) for item in value]
            case Named("player"):
                return _rename_number(self.seats, value)
            case Named("team"):
                return _rename_number(self.teams, value)
            case Named("suit" | "card") | Cards() | Pile() | None:
                return self._rename_words(value)
        return value

    def place_items(self, items: list[Json], members: Sequence[str | int], index: Type) -> list[Json]:
        """Return a list with an entry for each member of a type in the order of the members' new names."""
        if len(items) != len(members):
            return items
        moved = {self.of(member, index): item for member, item in zip(members, items, strict=True)}
        return [moved[member] for member in members]

    def _rename_words(self, value: Json) -> Json:
        if isinstance(value, list):
            return [self._rename_words(item) for item in value]
        return self.words.get(value, value) if isinstance(value, str) else value


def _rename_number(names: tuple[int, ...], value: Json) -> Json:
    return names[value] if type(value) is int and 0 <= value < len(names) else value


# Which there are --------------------------------------------------------------


@keep_until_changed(maxsize=64)
def turns(choice: Choice, data: Folder = None) -> tuple[Renaming, ...]:
    """Return the turns of the table that carry teams to teams and move no seat that the rules name, no turn first."""
    game = machine(choice, data).game
    words = {word: word for word in (*game.deck.suits, *game.deck.cards)}
    named = _list_named_values(game)
    found = (Renaming(seats, teams, words) for seats, teams in _list_rotations(game))
    return tuple(names for names in found if _preserves_values(names, named))


@keep_until_changed(maxsize=64)
def dyes(choice: Choice, data: Folder = None) -> tuple[Renaming, ...]:
    """Return the exchanges of suits that leave the pack, its numbers and the rules as they are, none at all first."""
    game = machine(choice, data).game
    seats, teams = next(_list_rotations(game))
    named = _list_named_values(game)
    found = (Renaming(seats, teams, words) for words in _dyed(game))
    return tuple(names for names in found if _preserves_values(names, named))


def renamings(choice: Choice, data: Folder = None) -> Iterator[Renaming]:
    """Yield all new names that leave the game unchanged."""
    for turn in turns(choice, data):
        yield from (Renaming(turn.seats, turn.teams, dye.words) for dye in dyes(choice, data))


def _list_rotations(game: Game) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the turns of the table that carry teams to teams: where each seat goes, and each team."""
    teams = [frozenset(team) for team in game.teams]
    for by in range(game.seats):
        seats = tuple((seat + by) % game.seats for seat in range(game.seats))
        moved = [frozenset(seats[seat] for seat in team) for team in teams]
        if set(moved) == set(teams):
            yield seats, tuple(teams.index(team) for team in moved)


def _dyed(game: Game) -> Iterator[Mapping[str, str]]:
    """Yield the exchanges of suits under which the pack and the numbers on its cards stay the same."""
    for order in permutations(game.deck.suits):
        suits = dict(zip(game.deck.suits, order, strict=True))
        cards = {card: card[:-1] + suits[card[-1]] for card in game.deck.faces}
        numbers = [attribute.values for attribute in game.attributes.values()]
        if set(cards.values()) == set(cards) and all(
            n.get(one) == n.get(two) for n in numbers for one, two in cards.items()
        ):
            yield {**suits, **cards}


def _list_named_values(game: Game) -> list[tuple[object, Type]]:
    """Return every value that the rules name outright, with its type."""
    rules = (game.functions, game.tables, game.actions, game.phases, game.view, game.score, game.invariants)
    literals = [(one.value, one.type) for part in rules for one in _expressions(part) if isinstance(one, Literal)]
    return [*literals, *((variable.default, variable.type) for variable in game.state.values())]


def _preserves_values(names: Renaming, named: Sequence[tuple[object, Type]]) -> bool:
    return all(names.of(value, type_) == value for value, type_ in named if isinstance(value, (str, int)))


def _expressions(part: object) -> Iterator[Expression]:
    """Yield every node of every expression in a part of the rules."""
    inside: Sequence[object]
    if isinstance(part, Expression):
        yield from walk(part)
        return
    if isinstance(part, Mapping):
        inside = list(part.values())
    elif is_dataclass(part):
        inside = [getattr(part, field.name) for field in fields(part)]
    else:
        inside = part if isinstance(part, tuple) else ()
    for one in inside:
        yield from _expressions(one)


# Scripts ----------------------------------------------------------------------


def message(step: Mapping[str, Json], game: Game, names: Renaming) -> Message:
    """Return a step under its new names; a number in an act is a seat where the rules say so."""
    renamed = {key: _rename_number(names.seats, value) for key, value in step.items()}
    act = step.get("act")
    if isinstance(act, dict):
        renamed["act"] = {name: _argument(value, _types(name, game), names) for name, value in act.items()}
    return renamed


def before(start: Mapping[str, Json], game: Game, names: Renaming) -> Message:
    """Return the accounts that a start writes before the deal, under new names."""
    given = {key: game.state[name].type for key, name in game.start.given.items()}
    return {key: names.of(value, given[key]) for key, value in start.items() if key in given}


def _types(act: str, game: Game) -> dict[str, Type]:
    """Return the types of the parameters of an act, as far as there is such an act."""
    actions = {outside(name): action for name, action in game.actions.items()}
    return {outside(item.id): item.type for item in actions[act].parameters} if act in actions else {}


def _argument(value: Json, types: Mapping[str, Type], names: Renaming) -> Json:
    if isinstance(value, dict):
        return {key: names.of(item, types.get(key)) for key, item in value.items()}
    return names.of(value, next(iter(types.values()), None))


# Answers ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnswerReader:
    """Reads answers so that two of them can be compared: under new names, and without an order that means nothing.

    Acts and fields of a program's own stay unchanged, or are left out unless `whole`.
    """

    game: Game
    whole: bool
    #: Whether the codes of refusals are compared.
    codes: bool = False

    def read(self, answer: Mapping[str, Any], names: Renaming) -> Message:
        """Return an answer by name: fields of a view or score, open acts, or a single value."""
        if "legal" in answer:
            choices = {act: self._choices(act, value, names) for act, value in answer["legal"].items() if value}
            known = {outside(name) for name in self.game.actions}
            return {act: value for act, value in choices.items() if self.whole or act in known}
        if "view" in answer:
            return self._record(self.game.view, answer["view"], names)
        if "score" in answer:
            return self._record(self.game.score, answer["score"], names)
        if "winner" in answer:
            return {"winner": _rename_number(names.seats, answer["winner"])}
        return {"no": answer["no"] if self.codes else True} if "no" in answer else {"ok": True}

    def _choices(self, act: str, value: Json, names: Renaming) -> Json:
        """Return the choices of an act: a list of them, a description, or one of each for every parameter."""
        types = _types(act, self.game)
        if isinstance(value, list):
            return _sort_items([_argument(item, types, names) for item in value])
        if not isinstance(value, dict):
            return value
        if set(value) <= set(types):
            return {key: self._choices_of(item, types[key], names) for key, item in value.items()}
        return self._choices_of(value, None, names)

    def _choices_of(self, value: Json, type_: Type | None, names: Renaming) -> Json:
        if isinstance(value, dict):
            return {key: self._choices_of(item, None, names) for key, item in value.items()}
        return _sort_items([names.of(item, type_) for item in value]) if isinstance(value, list) else value

    def _record(self, shows: Sequence[Show], said: Mapping[str, Json], names: Renaming) -> Message:
        """Return the fields of a record, without those that have no value."""
        known = {show.id: show for show in shows}
        found = {key: self._read_shown(known[key], value, names) for key, value in said.items() if key in known}
        if self.whole:
            found |= {key: _sort_words(value) for key, value in said.items() if key not in known}
        return {key: value for key, value in found.items() if value is not None}

    def _read_shown(self, show: Show, value: Json, names: Renaming) -> Json:
        if show.value is not None:
            return _sort_sets(names.of(value, show.value.type), show.value.type)
        if show.inner is None:
            return self._record(show.fields, value, names) if isinstance(value, dict) else value
        if show.domain is None:
            return None if value is None else self._read_shown(show.inner, value, names)
        return self._read_list(show, show.inner, value, names) if isinstance(value, list) else value

    def _read_list(self, show: Show, inner: Show, value: list[Json], names: Renaming) -> list[Json]:
        """Return a list that is shown for each value of a domain."""
        domain = _element(show.domain.type) if show.domain is not None else None
        items = [
            self._item(inner, item, names) if show.flat else self._read_shown(inner, item, names) for item in value
        ]
        if not _loose(show):
            return items
        members = finite(domain) if domain is not None else None
        whole = not show.flat and show.when is None and inner.seen is None
        if whole and domain is not None and members is not None and len(members) == len(items):
            return names.place_items(items, members, domain)
        return _sort_items(items)

    def _item(self, inner: Show, item: Json, names: Renaming) -> Json:
        """Return an element of lists that were run together."""
        if inner.inner is not None and inner.domain is not None:
            return self._read_shown(inner.inner, item, names)
        type_ = None if inner.value is None else _element(inner.value.type)
        return names.of(item, type_)


def _loose(show: Show) -> bool:
    """Say whether new names may change the order of a list: its domain is renamed, and not gone through in turn."""
    if show.domain is None:
        return False
    if show.flat and show.inner is not None and _loose(show.inner):
        return True
    element = _element(show.domain.type)
    moved = isinstance(element, Named) and element.name in ("player", "team", "suit", "card")
    in_turn = any(isinstance(one, BuiltinCall) and one.name == _IN_TURN for one in walk(show.domain))
    return (moved or isinstance(show.domain.type, Cards)) and not in_turn


def _element(type_: Type) -> Type | None:
    match type_:
        case Domain(element) | Array(_, element):
            return element
    return None


def _sort_sets(value: Json, type_: Type) -> Json:
    """Return a value with its sets in one order."""
    match type_:
        case Option(inside):
            return None if value is None else _sort_sets(value, inside)
        case Array(_, element) if isinstance(value, list):
            return [_sort_sets(item, element) for item in value]
        case Cards() | Domain(Named("player" | "team" | "suit" | "card")) if isinstance(value, list):
            return _sort_items(value)
    return value


def _sort_words(value: Json) -> Json:
    """Return a value of an unknown type with its lists of words in one order."""
    if isinstance(value, dict):
        return {key: _sort_words(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    words = [item for item in value if isinstance(item, str)]
    return [*sorted(words)] if len(words) == len(value) else [_sort_words(item) for item in value]


def canonical(value: Data) -> str:
    """Return JSON that is the same for the same value."""
    return json.dumps(value, sort_keys=True)


def _sort_items(items: list[Json]) -> list[Json]:
    return sorted(items, key=canonical)
