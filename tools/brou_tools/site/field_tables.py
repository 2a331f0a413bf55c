"""Tables of fields: the keys of a document with types and sentences, as the shapes that state it have them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from inspect import getdoc
from types import NoneType
from typing import Annotated, Any, Literal, cast, get_args, get_origin

from docutils import nodes

from brou.shapes import Limit, ShapeField, explain_fields, find_meanings, find_shapes
from brou_tools.site.sphinx_nodes import make_paragraph, table

_PLAIN: Mapping[object, str] = {
    NoneType: "null",
    bool: "true or false",
    int: "integer",
    float: "number",
    str: "text",
    object: "any JSON",
    Any: "any JSON",
}


def list_shapes(stated: object) -> list[type]:
    """Return the shapes of a document, each once, and before those inside it."""
    found = list(dict.fromkeys(find_shapes(stated)))
    for one in found:
        inner = dict.fromkeys(shape for field in explain_fields(one) for shape in find_shapes(field.type_))
        found += [shape for shape in inner if shape not in found]
    return found


def tell_title(stated: type) -> str:
    """Return the sentence of a shape, without its full stop."""
    return (getdoc(stated) or "").splitlines()[0].removesuffix(".")


def tell_type(type_: object) -> str:
    """Return a type in words: a shape by its name, fixed values as JSON has them."""
    origin, inner = get_origin(type_), get_args(type_)
    if origin is Annotated:
        listed = next((note.enum for note in inner[1:] if isinstance(note, Limit) and note.enum), ())
        return _tell_values(listed) if listed else tell_type(inner[0])
    if origin is Literal:
        return _tell_values(inner)
    if origin is tuple:
        return f"list of {'' if inner[-1] is Ellipsis else f'{len(inner)} '}{tell_type(inner[0])}"
    if origin in (Mapping, dict):
        return f"object of {tell_type(inner[1])}"
    if inner:
        return " or ".join(dict.fromkeys(map(tell_type, inner)))
    if isinstance(type_, type) and issubclass(type_, Enum):
        return _tell_values([one.value for one in type_])
    return _PLAIN.get(type_) or str(cast("Any", type_).__keys__.name)


def _tell_values(values: Sequence[object]) -> str:
    return " or ".join(json.dumps(one, ensure_ascii=False) for one in values)


def tabulate_fields(stated: type) -> Iterator[nodes.Node]:
    """Yield the table of the fields of a shape, and one for each field whose values have meanings."""
    fields = list(explain_fields(stated))
    yield table(["key", "type", "holds"], [_tell_field(one) for one in fields], [3, 4, 8])
    for one in fields:
        meanings = find_meanings(one.type_)
        if meanings:
            rows = [[_cell(f"`{value}`"), _cell(meaning)] for value, meaning in meanings.items()]
            yield table([one.key, "means"], rows, [3, 12])


def _tell_field(one: ShapeField) -> list[list[nodes.Node]]:
    may = " (may be left out)" if one.optional else ""
    sentence = one.sentence or "; ".join(map(tell_title, find_shapes(one.type_)))
    return [_cell(f"`{one.key}`"), _cell(f"{tell_type(one.type_)}{may}"), _cell(sentence)]


def _cell(sentence: str) -> list[nodes.Node]:
    return [make_paragraph(sentence)]


def section_document(name: str, stated: object) -> nodes.section:
    """Return a section about a document: its tables, one a shape."""
    found = nodes.section(ids=[nodes.make_id(name)], names=[name])
    found += nodes.title("", "", nodes.literal(text=_find_format(stated) or name))
    found.extend(describe_shapes(stated))
    return found


def _find_format(stated: object) -> str:
    """Return the value of `format` that a document begins with, nothing where it has none."""
    formats = (one.type_ for shape in find_shapes(stated) for one in explain_fields(shape) if one.key == "format")
    return next((str(get_args(type_)[0]) for type_ in formats if get_origin(type_) is Literal), "")


def describe_shapes(stated: object) -> Iterator[nodes.Node]:
    """Yield for each shape of a document its title, its name where others refer to it, and the table of its fields."""
    whole = list(find_shapes(stated))
    for one in list_shapes(stated):
        name = [] if one in whole else [nodes.strong(text=cast("Any", one).__keys__.name), nodes.Text(": ")]
        yield nodes.paragraph("", "", *name, nodes.Text(f"{tell_title(one)}."))
        yield from tabulate_fields(one)
