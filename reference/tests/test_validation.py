"""Validation: both libraries tell the same of the same documents."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import pytest

from brou.validation import PythonValidator, RustValidator, SchemaMismatch, Validator, compile_schema

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]+$"},
        "size": {"anyOf": [{"type": "integer", "minimum": 0}, {"enum": ["small"]}]},
        "one": {"oneOf": [{"type": "integer"}, {"minimum": 3}]},
        "either": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/range"}]},
        "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
        "marks": {"type": "array", "uniqueItems": True},
    },
    "$defs": {
        "item": {"type": "object", "required": ["id"]},
        "range": {"type": "object", "additionalProperties": False, "properties": {"low": {}, "high": {}}},
    },
}
each = pytest.mark.parametrize("made", [RustValidator, PythonValidator])


def found(check: Validator, document: object) -> list[tuple[Any, ...]]:
    """Return the places, unknown keys and branches of all faults."""
    return [outline(one) for one in check.iter_errors(document)]


def outline(one: SchemaMismatch) -> tuple[Any, ...]:
    """Return a fault without its sentence."""
    return one.path, one.unknown, [[outline(inner) for inner in branch] for branch in one.branches]


@each
@pytest.mark.parametrize("document", [{"name": "a"}, {"name": "b", "size": "small", "items": [{"id": 1}], "one": 2}])
def test_good_documents_pass(made: type[RustValidator | PythonValidator], document: object) -> None:
    """Nothing is said of what follows the schema."""
    assert made(SCHEMA).is_valid(document)
    assert found(made(SCHEMA), document) == []


@each
@pytest.mark.parametrize("document", [{"name": "a", "x": 1}, {"name": "a", "either": {"x": 1}}])
def test_beside_unknown_keys_stand_the_known_ones(
    made: type[RustValidator | PythonValidator], document: dict[str, object]
) -> None:
    """They are those of the schema of that place, behind references and in alternatives too."""
    (one,) = made(SCHEMA).iter_errors(document)
    told = [mismatch.known for branch in one.branches for mismatch in branch] or [one.known]

    assert told == ([(), ("low", "high")] if "either" in document else [tuple(SCHEMA["properties"])])


@each
@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({}, [((), (), [])]),
        ({"name": "a", "x": 1, "y": 2}, [((), ("x", "y"), [])]),
        ({"name": "a\n"}, [(("name",), (), [])]),
        ({"name": "a", "items": [{"id": 1}, {}]}, [(("items", 1), (), [])]),
        ({"name": "a", "size": -1}, [(("size",), (), [[(("size",), (), [])], [(("size",), (), [])]])]),
        ({"name": "a", "one": 4}, [(("one",), (), [[], []])]),
    ],
)
def test_faults_have_their_places(
    made: type[RustValidator | PythonValidator], document: object, told: list[object]
) -> None:
    """Where a document is wrong, which keys are unknown, and how each of several schemas is missed."""
    assert not made(SCHEMA).is_valid(document)
    assert found(made(SCHEMA), document) == told
    first = made(SCHEMA).find_error(document)
    assert first is not None
    assert first.path == outline(next(made(SCHEMA).iter_errors(document)))[0]


@each
def test_equal_entries_of_a_list_are_told_as_such(made: type[RustValidator | PythonValidator]) -> None:
    """What a list must not hold twice is another fault than a value of the wrong kind."""
    doubled = {one.path: one.is_doubled for one in made(SCHEMA).iter_errors({"name": "A", "marks": ["a", "a"]})}

    assert doubled == {("name",): False, ("marks",): True}


def test_jsonschema_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where jsonschema-rs cannot be imported the other library checks."""
    assert isinstance(compile_schema(SCHEMA), RustValidator)
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)

    assert isinstance(compile_schema(SCHEMA), PythonValidator)
