"""JSON Schemas of the files of the second notation, made from the classes that they are decoded into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from brou.chapters.notation import (
    ActorsEntry,
    ActorsForm,
    CaseEntry,
    CaseForm,
    ChapterForm,
    DomainEntry,
    DomainForm,
    GameForm,
    NumberEntry,
    PictureForm,
    RanksEntry,
    ReadingsEntry,
    Shape,
    ShownEntry,
    Snippet,
    Token,
    Tokens,
    WordsForm,
)
from brou.chapters.prelude_notation import ModuleForm, PacksForm
from brou.chapters.sheet_notation import SheetForm

#: The kinds of file, by the name of their schema.
FORMS: Mapping[str, type[Shape]] = {
    "game": GameForm,
    "chapter": ChapterForm,
    "sheet": SheetForm,
    "prelude": ModuleForm,
    "packs": PacksForm,
    "words": WordsForm,
}

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_PREFIX = "#/$defs/"
_WORD = {"$ref": f"{_PREFIX}Word"}
_WORDS = {"$ref": f"{_PREFIX}Words"}
#: What classes do not say: a word may look like a number or a truth value, and one word stand for a list.
_DEFINED: Mapping[str, Mapping[str, Any]] = {
    "Word": {"type": ["string", "integer", "boolean"]},
    "Words": {"anyOf": [_WORD, {"type": "array", "items": _WORD}]},
    "NumberEntry": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": f"{_PREFIX}NumberEntry"}}]},
    "ShownEntry": {
        "anyOf": [
            _WORD,
            {"$ref": f"{_PREFIX}PictureForm"},
            {
                "type": "object",
                "not": {"required": ["show"]},
                "additionalProperties": {"$ref": f"{_PREFIX}ShownEntry"},
            },
        ]
    },
}
#: What stands where msgspec knows no type.
_CUSTOM: Mapping[type, Mapping[str, Any]] = {
    Token: _WORD,
    Snippet: _WORD,
    Tokens: _WORDS,
    DomainEntry: {"anyOf": [_WORD, {"$ref": f"{_PREFIX}DomainForm"}]},
    ActorsEntry: {"anyOf": [_WORD, {"$ref": f"{_PREFIX}ActorsForm"}]},
    CaseEntry: {"anyOf": [_WORD, {"$ref": f"{_PREFIX}CaseForm"}]},
    NumberEntry: {"$ref": f"{_PREFIX}NumberEntry"},
    RanksEntry: {"anyOf": [_WORD, {"type": "object", "additionalProperties": _WORD}]},
    ReadingsEntry: {"anyOf": [_WORD, {"type": "object", "additionalProperties": _WORD}]},
    ShownEntry: {"$ref": f"{_PREFIX}ShownEntry"},
}


def make_schema(form: type[Shape]) -> dict[str, Any]:
    """Return the JSON Schema of a kind of file."""
    (head, *_), defined = msgspec.json.schema_components(
        [form, DomainForm, ActorsForm, CaseForm, PictureForm], schema_hook=lambda type_: dict(_CUSTOM[type_])
    )
    whole = {name: _without_defaults(one) for name, one in defined.items()} | dict(_DEFINED)
    wanted = _find_reached(head, whole)
    return {"$schema": _DRAFT, **head, "$defs": {name: one for name, one in whole.items() if name in wanted}}


def _find_reached(schema: object, whole: Mapping[str, object]) -> set[str]:
    """Return the names of the definitions that a schema leads to."""
    found: set[str] = set()
    waiting = _find_names(schema)
    while waiting:
        found |= waiting
        waiting = {name for one in waiting for name in _find_names(whole[one])} - found
    return found


def _find_names(schema: object) -> set[str]:
    if isinstance(schema, Mapping):
        own = {str(schema["$ref"]).removeprefix(_PREFIX)} if "$ref" in schema else set()
        return own.union(*map(_find_names, schema.values()))
    return set().union(*map(_find_names, schema)) if isinstance(schema, list) else set()


def _without_defaults(value: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """Return a schema that says nothing of values that stand for absent ones: absence has no form in a file."""
    if isinstance(value, dict):
        members = {key: _without_defaults(member) for key, member in value.items() if key != "default"}
        options = members.get("anyOf")
        if isinstance(options, list) and {"type": "null"} in options:
            rest = [one for one in options if one != {"type": "null"}]
            del members["anyOf"]
            return {**members, **rest[0]} if len(rest) == 1 else {**members, "anyOf": rest}
        return members
    return [_without_defaults(member) for member in value] if isinstance(value, list) else value
