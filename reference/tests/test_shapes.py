"""Shapes: what their schemas say, what is written and what is read back."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest

from brou.shapes import (
    ABSENT,
    Absent,
    Defined,
    Limit,
    explain_fields,
    make_definitions,
    make_schema,
    read,
    shape,
    write,
    write_object,
)
from brou.validation import compile_schema


class Colour(StrEnum):
    """A choice of words."""

    RED = "red"
    BLUE = "blue"


Small = Annotated[int, Limit(minimum=0, maximum=9), "a digit", Defined("small")]


@shape(closed=True)
class Leaf:
    """The end of a branch."""

    kind: Literal["leaf"] = "leaf"
    colour: Annotated[Colour, "how it looks"]
    note: Annotated[str | None, "a remark; null if it was rubbed out"] | Absent = ABSENT


@shape(closed=True)
class Fork:
    """A place where a branch parts."""

    kind: Literal["fork"] = "fork"
    pass_: Annotated[Small, "a number under a word that Python keeps"]
    parts: Annotated[tuple[Leaf | Fork, ...], Limit(min_items=1), "what grows there"]
    sizes: Annotated[Mapping[Annotated[str, Limit(pattern="^[a-z]+$")], float], "by name"] | Absent = ABSENT


TREE = Fork(pass_=3, parts=(Leaf(colour=Colour.RED, note=None), Fork(pass_=0, parts=(Leaf(colour=Colour.BLUE),))))
JSON: dict[str, Any] = {
    "kind": "fork",
    "pass": 3,
    "parts": [
        {"kind": "leaf", "colour": "red", "note": None},
        {"kind": "fork", "pass": 0, "parts": [{"kind": "leaf", "colour": "blue"}]},
    ],
}


def test_a_shape_is_written_in_the_order_of_its_fields() -> None:
    """What is absent is left out, null is null, and a key may be a word that Python keeps for itself."""
    assert write(TREE) == JSON
    assert list(JSON) == list(write_object(TREE))


def test_what_is_written_is_read_back() -> None:
    """Of several shapes the one is read whose fixed values stand there."""
    assert read(Fork, JSON) == TREE


@pytest.mark.parametrize(
    "wrong",
    [
        {**JSON, "pass": 10},
        {**JSON, "pass": True},
        {**JSON, "parts": []},
        {**JSON, "more": 1},
        {**JSON, "sizes": {"A": 1}},
        {**JSON, "kind": "leaf"},
        {**JSON, "parts": [{"kind": "leaf", "colour": "green"}]},
        {key: value for key, value in JSON.items() if key != "pass"},
    ],
)
def test_the_schema_refuses_what_the_shape_excludes(wrong: object) -> None:
    """Bounds, fixed values, unknown keys, patterns of keys and missing keys."""
    check = compile_schema(make_schema(Fork))

    assert check.is_valid(JSON)
    assert not check.is_valid(wrong)


def test_sentences_are_descriptions() -> None:
    """The sentence for readers stands in the schema, and can be asked for."""
    made = make_schema(Leaf)

    assert made["title"] == "The end of a branch"
    assert made["properties"]["colour"] == {"enum": ["red", "blue"], "description": "how it looks"}
    assert {one.key: one.sentence for one in explain_fields(Fork)}["parts"] == "what grows there"


def test_a_type_with_a_name_is_defined_once() -> None:
    """Its own sentence belongs to the definition, that of a field to the reference."""
    made = make_schema(Fork)

    assert made["$defs"]["small"] == {"type": "integer", "minimum": 0, "maximum": 9, "description": "a digit"}
    assert made["properties"]["pass"]["$ref"] == "#/$defs/small"
    assert make_definitions("Numbers", [Small])["$defs"] == {"small": made["$defs"]["small"]}


@shape(one_of=[("one",), ("two",)], needs={"two": ("three",)})
class Either:
    """One thing, or two others."""

    one: int | Absent = ABSENT
    two: int | Absent = ABSENT
    three: int | Absent = ABSENT


@pytest.mark.parametrize(
    ("document", "valid"),
    [
        ({"one": 1}, True),
        ({"two": 2, "three": 3}, True),
        ({"two": 2}, False),
        ({"one": 1, "two": 2}, False),
        ({}, False),
    ],
)
def test_keys_are_bound_together(document: object, valid: bool) -> None:
    """Exactly one group of keys is there, and beside a key those that it needs."""
    assert compile_schema(make_schema(Either)).is_valid(document) is valid


def test_an_infinite_number_is_null() -> None:
    """JSON has no word for it."""
    assert write([1.5, float("inf"), -float("inf")]) == [1.5, None, None]
