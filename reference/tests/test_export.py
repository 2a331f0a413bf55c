"""The export: a typed rule base as JSON, and its hash as its name."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from brou import book, catalogue, choose, rules
from brou.games.catalogue import patch_rules
from brou.games.folder import root
from brou.language.export import export_rules, identity
from brou.language.load import load_rules
from brou.language.node import Node
from brou.language.schema import validator
from brou.language.source import parse_yaml

EDITIONS = [
    f"{game}@{edition}:{setup}"
    for game in catalogue()
    for edition, data in book(game).editions.items()
    for setup in data.setups
]
GAMES = list(catalogue())


@pytest.mark.parametrize("name", EDITIONS)
def test_schema(name: str) -> None:
    """The export of every edition and set-up is valid by the published schema."""
    found = validator(root() / "schemas" / "ir.schema.json").iter_errors(export_rules(rules(name)))

    assert [error.message for error in found] == []


@pytest.mark.parametrize("name", EDITIONS)
def test_round_trip(name: str) -> None:
    """The export is JSON and nothing else: written and read again it is the same."""
    made = export_rules(rules(name))

    assert made == json.loads(json.dumps(made))


@pytest.mark.parametrize("name", GAMES)
def test_hash(name: str) -> None:
    """The hash is that of the canonical JSON of everything but format and hash, so that others can verify it."""
    made = json.loads(json.dumps(export_rules(rules(name))))
    body = {key: value for key, value in made.items() if key not in ("format", "hash")}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    assert made["hash"] == sha256(text.encode()).hexdigest()


def test_editions_differ() -> None:
    """No two editions and set-ups have the same hash."""
    assert len({identity(rules(name)) for name in EDITIONS}) == len(EDITIONS)


def test_layout_does_not_matter(rules: Callable[..., Any]) -> None:
    """Comments, line breaks and places do not change the hash."""
    wide, tight = json.dumps(rules(), indent=4), json.dumps(rules())

    assert identity(load_rules(parse_yaml(wide, "a.yaml"))) == identity(
        load_rules(parse_yaml(f"# a bird\n\n{tight}\n", "b.yaml"))
    )


def test_spelling_does_not_matter(tiny: Callable[..., Any]) -> None:
    """Spaces and needless brackets in an expression do not change the hash."""
    one, two = (tiny(functions={"f": {"type": "int", "is": text}}) for text in ("now+three*2", " (now + (three * 2)) "))

    assert identity(one) == identity(two)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_parameter_matters(name: str) -> None:
    """Another value of any number of the rules gives another hash."""
    node = patch_rules(choose(name))
    plain = identity(load_rules(node))
    numbers = {
        key: item for key, item in node.fields["params"].fields.items() if isinstance(item.fields["value"].value, int)
    }
    fixed = {"tricks"}
    same = [key for key in numbers if key not in fixed and identity(load_rules(_with(node, key, 1))) == plain]

    assert same == []


def _with(node: Node, key: str, more: int) -> Node:
    """Return rules with a parameter made greater."""
    params = node.fields["params"].fields
    value = params[key].fields["value"]
    changed = Node({**params[key].fields, "value": Node(int(value.text) + more, value.place)}, params[key].place)
    return Node({**node.fields, "params": Node({**params, key: changed}, node.place)}, node.place)


@pytest.mark.parametrize(
    "sections",
    [
        {"game": "crows"},
        {"seating": {"seats": 4}},
        {"functions": {"f": {"type": "int", "is": "2"}}},
        {"functions": {"f": {"type": "int 0..9", "is": "1"}}},
        {"functions": {"f": {"type": "int", "is": "1", "clause": "b.else"}}},
        {"functions": {"f": {"type": "int", "is": "1", "require": "flag"}}},
        {"functions": {"f": {"type": "int", "is": "1", "args": {"p": "player"}}}},
        {"score": {"it": "2"}},
        {"view": {"it": "2"}},
        {"invariants": {"it": "flag"}},
        {"actions": {"stay": {"by": {"who": "players"}, "legal": "flag", "do": []}}},
        {"phases": {"night": {"final": True}, "perch": {"actions": ["stay"]}}},
    ],
)
def test_everything_matters(tiny: Callable[..., Any], sections: dict[str, Any]) -> None:
    """Whatever a file says changes the hash."""
    base = {
        "functions": {"f": {"type": "int", "is": "1"}},
        "score": {"it": "1"},
        "view": {"it": "1"},
        "invariants": {"it": "True"},
    }

    assert identity(tiny(**base)) != identity(tiny(**{**base, **sections}))


def test_words_do_not_matter(tiny: Callable[..., Any]) -> None:
    """Rules that are only told otherwise have the same hash."""
    told, otherwise = (
        {"f": {"type": "bool", "is": "True", "say": {"en": words}}} for words in ("it is so", "so it is")
    )

    assert identity(tiny(functions=told)) == identity(tiny(functions=otherwise))


def test_expression(tiny: Callable[..., Any]) -> None:
    """An expression is a tree of operations, each with its type."""
    made: Any = export_rules(tiny(functions={"f": {"type": "int", "is": "three + 1"}}))

    assert made["functions"]["f"]["body"] == {
        "op": "arithmetic",
        "type": "int 4..4",
        "name": "+",
        "parts": [
            {"op": "param", "type": "int 3..3", "name": "three"},
            {"op": "literal", "type": "int 1..1", "value": 1},
        ],
    }
