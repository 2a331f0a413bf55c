"""Tables of fields: every document has them, each key with its type and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_origin

import pytest

from brou.shapes import ABSENT, Absent, Limit, ValueMeanings, explain_fields, find_meanings, find_shapes, shape
from brou_conformance.messages import ABILITIES, MESSAGES, Capability
from brou_tools.site.field_tables import describe_shapes, list_shapes, section_document, tell_type
from brou_tools.site.published_schemas import DOCUMENTS


@shape()
class Petal:
    """A part of a flower."""

    colour: Annotated[Literal["red", "blue"], "how it looks"]
    width: Annotated[int | None, "in millimetres; `null` where nobody measured it"] | Absent = ABSENT


@shape()
class Flower:
    """What grows on a meadow."""

    kind: Annotated[str, Limit(enum=("rose", "daisy")), ValueMeanings((("rose", "has thorns"),)), "what it is"]
    petals: Annotated[tuple[Petal, ...], "its petals"]


@pytest.mark.parametrize(
    ("type_", "words"),
    [
        (tuple[Petal, ...], "list of petal"),
        (tuple[int, int], "list of 2 integer"),
        (Mapping[str, float | None], "object of number or null"),
        (Literal["a", 1], '"a" or 1'),
        (object, "any JSON"),
        (bool, "true or false"),
    ],
)
def test_a_type_is_told_in_words(type_: object, words: str) -> None:
    """Fixed values stand as JSON has them, a shape by its name."""
    assert tell_type(type_) == words


def test_each_shape_has_a_title_and_a_table() -> None:
    """What is inside a shape comes behind it, with its name; values with meanings have a table of their own."""
    text = "\n".join(node.astext() for node in describe_shapes(Flower))
    words = text.split("\n\n")

    assert words[0].startswith("What grows on a meadow.")
    assert "petal: A part of a flower." in text
    assert words[words.index("width") + 1 :][:2] == [
        "integer or null (may be left out)",
        "in millimetres; null where nobody measured it",
    ]
    assert words[words.index("rose") + 1].startswith("has thorns")


@pytest.mark.parametrize(("name", "stated"), [*MESSAGES.items(), *DOCUMENTS.items()])
def test_every_key_has_a_sentence(name: str, stated: Any) -> None:
    """Fixed values speak for themselves, and a shape has a title."""
    silent = [
        (one.__name__, field.key)
        for one in list_shapes(stated)
        for field in explain_fields(one)
        if not (field.sentence or get_origin(field.type_) is Literal or list(find_shapes(field.type_)))
    ]

    assert silent == [], name


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_section_is_called_by_the_format(name: str) -> None:
    """The heading is the format that the document names, else the name of its schema, by which it can be linked."""
    section = section_document(name, DOCUMENTS[name])

    assert section["names"] == [name]
    assert section[0].astext().startswith("brou-") or section[0].astext() == name


def test_every_ability_has_a_meaning() -> None:
    """An author reads of each what a program with it does."""
    assert tuple(find_meanings(tuple[Capability, ...])) == ABILITIES
