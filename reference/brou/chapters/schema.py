"""JSON Schemas of the files of games in chapters, made from the classes that they are decoded into."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from inspect import getdoc
from pathlib import Path
from typing import Any

import msgspec

from brou.chapters.meanings import explain_keys
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
    RuleKeys,
    Shape,
    ShownEntry,
    WordsForm,
    list_keys,
)
from brou.chapters.prelude_notation import ModuleForm, PacksForm
from brou.chapters.rules import RULE_KINDS
from brou.chapters.sheet_notation import SheetForm
from brou.chapters.tokens import Keyword, Snippet, Token, Tokens
from brou.shapes import Schema

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
#: What a word of a file may be: it may look like a number or a truth value.
_SCALAR = ("string", "integer", "boolean")
_EXPRESSION = {"$ref": f"{_PREFIX}Expression"}
_PICTURE = {"$ref": f"{_PREFIX}PictureForm"}
_SHOWN = {"$ref": f"{_PREFIX}ShownEntry"}
_WORD = {"$ref": f"{_PREFIX}Word"}
#: What stands where msgspec knows no type, by the name of its definition. `errorMessage` is what editors say.
_DEFINED: Mapping[str, Mapping[str, Any]] = {
    "Word": {"type": [*_SCALAR], "errorMessage": "Expected a word or a text."},
    "Words": {
        "type": [*_SCALAR, "array"],
        "items": _WORD,
        "errorMessage": "Expected a word, or a list of words: [one, other].",
    },
    "Expression": {
        "description": "An expression of the rule language.",
        "type": [*_SCALAR],
        "errorMessage": "Expected an expression, in quotes if it begins with [ or {.",
    },
    "NumberEntry": {
        "description": "A number, a list of numbers, or a list of such lists.",
        "type": ["integer", "array"],
        "items": {"$ref": f"{_PREFIX}NumberEntry"},
        "errorMessage": "Expected a number, or a list of numbers.",
    },
    "RanksEntry": {
        "description": "A word or number, or one for each of some ranks or suits.",
        "type": [*_SCALAR, "object"],
        "additionalProperties": _WORD,
    },
    "ReadingsEntry": {
        "description": "A selection of readings: `each`, `default`, or the values of some keys.",
        "type": [*_SCALAR, "object"],
        "additionalProperties": _WORD,
    },
    "ShownEntry": {
        "description": "A value to be shown: an expression, a record, or with `show` a picture.",
        "type": [*_SCALAR, "object"],
        "if": {"type": "object", "required": ["show"]},
        "then": {**_PICTURE, "type": "object"},
        "else": {
            "properties": {"show": {**_SHOWN, "description": explain_keys(PictureForm)["show"]}},
            "additionalProperties": _SHOWN,
        },
    },
}
#: Records in whose place an expression may stand alone.
_SHORT: Mapping[type, type[Shape]] = {ActorsEntry: ActorsForm, CaseEntry: CaseForm, DomainEntry: DomainForm}
_CUSTOM: Mapping[type, Mapping[str, Any]] = {
    Token: _WORD,
    Tokens: {"$ref": f"{_PREFIX}Words"},
    Snippet: _EXPRESSION,
    NumberEntry: {"$ref": f"{_PREFIX}NumberEntry"},
    RanksEntry: {"$ref": f"{_PREFIX}RanksEntry"},
    ReadingsEntry: {"$ref": f"{_PREFIX}ReadingsEntry"},
    ShownEntry: _SHOWN,
    **{entry: {"$ref": f"{_PREFIX}{entry.__name__}"} for entry in _SHORT},
}


def find_schema(data: Path, kind: str) -> Path:
    """Return where a folder of data has the schema of a kind of file, if it has one."""
    return data / "schemas" / "chapters" / f"{kind}.schema.json"


def make_schema(form: type[Shape]) -> Schema:
    """Return the JSON Schema of a kind of file.

    One schema covers values of several types, for an editor cannot choose among alternatives.
    """
    _, defined = msgspec.json.schema_components([form, *_SHORT.values(), PictureForm], schema_hook=_define_custom)
    made = {one.__name__: _finish(one, defined[one.__name__]) for one in _list_forms(Shape) if one.__name__ in defined}
    short = {entry.__name__: {**made[one.__name__], "type": [*_SCALAR, "object"]} for entry, one in _SHORT.items()}
    whole = {**made, **short, **_DEFINED}
    head = whole[form.__name__]
    name = next(name for name, one in FORMS.items() if one is form)
    head["properties"]["format"] = {"const": f"brou-{name}/2", "description": explain_keys(form)["format"]}
    wanted = _find_reached(head, whole) - {form.__name__}
    return {"$schema": _DRAFT, **head, "$defs": {key: one for key, one in whole.items() if key in wanted}}


def _list_forms(form: type[Shape]) -> Iterator[type[Shape]]:
    """Yield the classes below a class."""
    for one in form.__subclasses__():
        yield one
        yield from _list_forms(one)


def _define_custom(type_: type) -> Schema:
    """Return the schema of a type that msgspec does not know."""
    return {"enum": [*type_.options]} if issubclass(type_, Keyword) else dict(_CUSTOM[type_])


def _finish(form: type[Shape], schema: Mapping[str, Any]) -> Schema:
    """Return the schema of a class with words for people, its keys in the order in which they are written."""
    plain, said = _simplify(schema), explain_keys(form)
    keys = {key: {**plain["properties"][key], "description": said[key]} for key in list_keys(form)}
    title = " ".join(re.findall("[A-Z][a-z]+", form.__name__.removesuffix("Form"))).lower()
    made = {**plain, "title": title, "description": getdoc(form), "properties": keys}
    if form in RuleKeys.__subclasses__():
        made["dependentRequired"] = {kind: sorted(must) for kind, (_, must) in RULE_KINDS.items() if must}
    return made


def _simplify(value: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """Return a schema as editors can use it: no `default`, no null, and all options of an `anyOf` as one."""
    if isinstance(value, list):
        return [_simplify(member) for member in value]
    if not isinstance(value, dict):
        return value
    members = {key: _simplify(member) for key, member in value.items() if key != "default"}
    options = [one for one in members.pop("anyOf", ()) if one != {"type": "null"}]
    types = [one["type"] for one in options if "type" in one]
    for one in options:
        members |= one
    return {**members, "type": types} if len(types) > 1 else members


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
