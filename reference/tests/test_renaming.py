"""The renaming test: a game with every name replaced plays the same, so the code knows no game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from brou import Machine, State, book, catalogue, choose
from brou.chance import Chance
from brou.games.catalogue import patch_rules
from brou.language.builtins import BUILTINS
from brou.language.expression import unescape
from brou.language.load import load_rules
from brou.language.node import Node

Played = Callable[..., Iterator[tuple[State, int, dict[str, Any], State]]]

EDITIONS = [
    f"{game}@{edition}:{setup}"
    for game in catalogue()
    for edition, data in book(game).editions.items()
    for setup in data.setups
]

#: What the language itself says: in types, in expressions, and there before a bracket.
TYPES = {"player", "team", "suit", "rank", "card", "cards", "pile", "int", "bool", "numbers"}
WORDS = {
    "me", "pack", "players", "teams", "suits", "ranks", "truths", "default", "key", "True", "False", "None", "and",
    "or", "not", "in", "if", "else", "for", "lambda",
}  # fmt: skip
CALLED = {*BUILTINS, "any", "all", "sum", "count", "first", "min", "max"}
#: Which words of a file are expressions or types, by the key they stand under.
SPOKEN = {
    "is",
    "when",
    "then",
    "who",
    "in",
    "legal",
    "require",
    "set",
    "to",
    "add",
    "by",
    "be",
    "move",
    "from",
    "draw",
    "if",
    "else",
    "show",
    "seen",
}
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Renamer:
    """Gives every name of a rules file another, the same one each time."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance(seed)
        self.names: dict[str, str] = {}

    def word(self, name: str) -> str:
        """Return the new name of a name, in letters that spell nothing."""
        if name not in self.names:
            self.names[name] = "".join(self.chance.pick("bcdfghjkmpqrtvwxz") for _ in range(9))
        return self.names[name]

    def spoken(self, text: str) -> str:
        """Return an expression with its names replaced."""
        return WORD.sub(lambda match: match[0] if self.kept(match) else self.word(unescape(match[0])), text)

    def kept(self, match: re.Match[str]) -> bool:
        """Say whether a word of an expression belongs to the language; a name may look like a built-in function."""
        called = match.string[match.end() :].startswith("(")
        return match[0] in WORDS or (called and match[0] in CALLED)

    def type(self, text: str) -> str:
        """Return a type with its names replaced."""
        return WORD.sub(lambda match: match[0] if match[0] in TYPES else self.word(match[0]), text)

    def told(self, text: str) -> str:
        """Return a text with the names in braces replaced."""
        return re.sub(r"\{(\w+)\}", lambda match: f"{{{self.word(match[1])}}}", text)

    def outside(self, value: Any) -> Any:
        """Return observations or acts with their names replaced; cards, suits and ranks are capitals or digits."""
        if isinstance(value, dict):
            return {self.outside(key): self.outside(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.outside(item) for item in value]
        own = isinstance(value, str) and value.replace("-", "_") in self.names
        return self.names[value.replace("-", "_")] if own else value


def renamed(rules: Node, to: Renamer) -> Node:
    """Return a rules file in which every name is another."""
    sections = {name: node for name, node in rules.fields.items() if name != "title"}
    made = {name: _SECTIONS.get(name, _records)(node, to) for name, node in sections.items()}
    return Node(made, rules.place)


def _text(text: str, like: Node) -> Node:
    return Node(text, like.place)


def _name(node: Node, to: Renamer) -> Node:
    return _text(to.word(node.text), node)


def _names(node: Node, to: Renamer) -> Node:
    return Node(tuple(_name(item, to) for item in node.items), node.place)


def _codes(node: Node, to: Renamer) -> Node:
    """Rename the names of suits or ranks; their codes stay, as the cards do."""
    return Node({code: _name(name, to) for code, name in node.fields.items()}, node.place)


def _deck(node: Node, to: Renamer) -> Node:
    return Node(
        {key: _codes(item, to) if key in ("suits", "ranks") else item for key, item in node.fields.items()}, node.place
    )


def _records(node: Node, to: Renamer) -> Node:
    """Rename the records of a section and everything inside them."""
    return Node({to.word(name): _inside(item, to) for name, item in node.fields.items()}, node.place)


def _attributes(node: Node, to: Renamer) -> Node:
    return Node(
        {
            to.word(name): Node({**item.fields, "clause": _name(item.fields["clause"], to)}, item.place)
            for name, item in node.fields.items()
        },
        node.place,
    )


def _scopes(node: Node, to: Renamer) -> Node:
    return Node({to.word(scope): _records(item, to) for scope, item in node.fields.items()}, node.place)


def _start(node: Node, to: Renamer) -> Node:
    given = {to.word(key): _name(item, to) for key, item in node.fields["given"].fields.items()}
    return Node(
        {
            "phase": _name(node.fields["phase"], to),
            "deal": _name(node.fields["deal"], to),
            "given": Node(given, node.place),
        },
        node.place,
    )


def _shows(node: Node, to: Renamer) -> Node:
    return Node({to.word(key): _show(item, to) for key, item in node.fields.items()}, node.place)


def _show(node: Node, to: Renamer) -> Node:
    if isinstance(node.value, dict) and "show" not in node.value:
        return _shows(node, to)
    if not isinstance(node.value, dict):
        return _expression(node, to)
    return Node(
        {key: _show(item, to) if key == "show" else _member(key, item, to) for key, item in node.fields.items()},
        node.place,
    )


def _expression(node: Node, to: Renamer) -> Node:
    return node if not isinstance(node.value, str) else _text(to.spoken(node.text), node)


def _inside(node: Node, to: Renamer) -> Node:
    """Rename what stands inside a record, by the key it stands under."""
    if not isinstance(node.value, dict):
        return _expression(node, to)
    return Node({key: _member(key, item, to) for key, item in node.fields.items()}, node.place)


def _member(key: str, node: Node, to: Renamer) -> Node:
    if key in ("id", "clause", "let", "for", "each", "goto", "reset", "blames", "act"):
        return _name(node, to)
    if key in ("values", "actions"):
        return _names(node, to)
    if key == "args":
        return Node({to.word(name): _text(to.type(item.text), item) for name, item in node.fields.items()}, node.place)
    if key in ("params", "with"):
        return _records(node, to)
    if key in ("say", "deny"):
        return Node({lang: _text(to.told(text.text), text) for lang, text in node.fields.items()}, node.place)
    if isinstance(node.value, tuple) and key != "value":
        return Node(tuple(_inside(item, to) for item in node.items), node.place)
    if isinstance(node.value, dict):
        return _inside(node, to)
    if key == "type":
        return _text(to.type(node.text), node)
    if key in ("init", "from", "to") or (key in SPOKEN and isinstance(node.value, str)):
        return _expression(node, to)
    return node


_SECTIONS: dict[str, Callable[[Node, Renamer], Node]] = {
    "format": lambda node, _: node,
    "chapters": lambda node, _: node,
    "seating": lambda node, _: node,
    "game": _name,
    "deck": _deck,
    "attributes": _attributes,
    "state": _scopes,
    "view": _shows,
    "score": _shows,
    "start": _start,
}


def observed(machine: Machine, state: State) -> list[Any]:
    """Return all that can be observed of a state."""
    seats = range(machine.game.seats)
    return [
        machine.score(state),
        machine.over(state),
        *(answer(state, seat) for seat in seats for answer in (machine.view, machine.legal)),
    ]


def told(to: Renamer, outcome: Any) -> Any:
    """Return the clause and row of a refusal under their new names, and of a state nothing."""
    if isinstance(outcome, State):
        return None
    row = "/".join(to.names.get(part, part) for part in outcome.row.split("/"))
    return outcome.code, to.names.get(outcome.clause, outcome.clause), row


@pytest.mark.sampled(10)
@pytest.mark.slow
@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("seed", [1, 2])
def test_renamed_game_plays_the_same(played: Played, name: str, seed: int) -> None:
    """Observations, acts and refusals of a renamed game are those of the game, renamed."""
    rules, to = patch_rules(choose(name)), Renamer(seed)
    machine, other = Machine(load_rules(rules)), Machine(load_rules(renamed(rules, to)))
    state = other.begin()
    for before, seat, act, after in played(machine, seed, 150):
        other_seat = (seat + 1) % machine.game.seats
        for tried in ((seat, act), (other_seat, act), (seat, {"play": "AS"}), (seat, {"claim": True})):
            outcome = other.act(state, tried[0], to.outside(tried[1]))
            assert told(to, machine.act(before, *tried)) == (
                None if isinstance(outcome, State) else (outcome.code, outcome.clause, outcome.row)
            )
        following = other.act(state, seat, to.outside(act))
        assert isinstance(following, State)
        state = following
        assert [to.outside(item) for item in observed(machine, after)] == observed(other, state)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", EDITIONS)
def test_everything_is_renamed(name: str) -> None:
    """No name of the game is left in the renamed one, so the test above tests what it says."""
    rules, to = patch_rules(choose(name)), Renamer(1)
    game = load_rules(renamed(rules, to))
    left = {
        *game.state,
        *game.functions,
        *game.tables,
        *game.actions,
        *game.phases,
        *game.params,
        *game.scopes,
        game.id,
    }

    assert left <= set(to.names.values())
    assert len(set(to.names.values())) == len(to.names)
