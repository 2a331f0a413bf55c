"""Shapes: JSON documents stated as frozen dataclasses, from which encoder, decoder and JSON Schema are made.

A field is a key, and its type is the type of the value: a number, a text, a `Literal`, an `Enum`, a tuple for a list, a
`Mapping`, another shape, a union of them, or `object` for any JSON value. `Annotated` adds bounds (`Limit`), a name
under which the type is defined (`Defined`), and a sentence for readers (a text). A key that may be left out has
`Absent` among its types; None is JSON's null. A name that Python keeps for itself has an underscore at its end.

The standard library is all that this needs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache, partial
from inspect import getdoc
from math import isfinite
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

__all__ = [
    "ABSENT",
    "Absent",
    "Defined",
    "Limit",
    "Schema",
    "ShapeField",
    "ValueMeanings",
    "explain_fields",
    "find_meanings",
    "find_shapes",
    "make_definitions",
    "make_schema",
    "read",
    "shape",
    "write",
    "write_object",
]

#: A value as the standard library's `json` writes it.
Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
#: A JSON Schema.
Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Made = TypeVar("Made")


class Absent(Enum):
    """The value of a field whose key is left out."""

    ABSENT = "absent"

    def __bool__(self) -> Literal[False]:
        return False


ABSENT: Final = Absent.ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Bounds of a value beyond its type, with the names of JSON Schema."""

    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    unique_items: bool | None = None
    min_properties: int | None = None
    max_properties: int | None = None
    enum: tuple[str, ...] | None = None
    #: Whether a number may be infinite, which JSON has no word for: null then.
    infinite: bool | None = None
    #: A key that an object must not have.
    without: str | None = None

    def keywords(self) -> Schema:
        """Return the bounds as keywords of JSON Schema."""
        bounds = {_camel(name): bound for name, bound in asdict(self).items() if bound is not None}
        if bounds.pop("infinite", False):
            bounds["type"] = ["number", "null"]
        if "without" in bounds:
            bounds["not"] = {"required": [bounds.pop("without")]}
        return {key: list(bound) if isinstance(bound, tuple) else bound for key, bound in bounds.items()}


@dataclass(frozen=True, slots=True)
class Defined:
    """The name of a type among the definitions of a schema; preceding annotations are part of the type."""

    name: str


@dataclass(frozen=True, slots=True)
class ValueMeanings:
    """The meaning of each value of a type, for readers alone."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keys:
    """Bounds of the keys of a shape taken together."""

    #: What the shape is called among definitions.
    name: str
    #: Whether there may be no other keys.
    closed: bool
    #: Exactly one of these groups of keys is there.
    one_of: tuple[tuple[str, ...], ...]
    #: At least one of these groups of keys is there.
    any_of: tuple[tuple[str, ...], ...]
    #: Beside the first key stand the others.
    needs: Mapping[str, tuple[str, ...]]

    def keywords(self) -> Schema:
        """Return the bounds as keywords of JSON Schema."""
        found: Schema = {"additionalProperties": False} if self.closed else {}
        if self.one_of:
            found["oneOf"] = [{"required": list(group)} for group in self.one_of]
        if self.any_of:
            found["anyOf"] = [{"required": list(group)} for group in self.any_of]
        if self.needs:
            found["dependentRequired"] = {key: list(others) for key, others in self.needs.items()}
        return found


@dataclass_transform(frozen_default=True, kw_only_default=True)
def shape(  # noqa: PLR0913 - named by keyword, and each a bound of its own
    *,
    name: str = "",
    closed: bool = False,
    frozen: bool = True,
    one_of: Sequence[tuple[str, ...]] = (),
    any_of: Sequence[tuple[str, ...]] = (),
    needs: Mapping[str, tuple[str, ...]] | None = None,
) -> Callable[[type[Made]], type[Made]]:
    """Make a class describe a JSON object: a frozen dataclass whose fields are given by name.

    `name` is what definitions call it, if not as the class. `closed` refuses unknown keys. Of the groups of keys in
    `one_of` exactly one is there, of those in `any_of` at least one. `needs` names the keys that must go with a
    key. A shape that is not `frozen` is filled by counting.
    """

    def state(stated: type[Made]) -> type[Made]:
        called = name or stated.__name__[0].lower() + stated.__name__[1:]
        keys = _Keys(name=called, closed=closed, one_of=tuple(one_of), any_of=tuple(any_of), needs=needs or {})
        made = dataclass(frozen=frozen, slots=True, kw_only=True)(stated)
        type.__setattr__(made, "__keys__", keys)
        return made

    return state


# Encoding ----------------------------------------------------------------------------


def write(value: object) -> Json:
    """Return a shape, or anything made of shapes, as JSON, with keys in the order of the fields."""
    if isinstance(value, Enum):
        return cast("Json", value.value)
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, str):
        return str(value)  # a sentence that knows its parts is a text of its own class
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): write(one) for key, one in value.items()}
    if isinstance(value, (Sequence, AbstractSet)):
        return [write(one) for one in value]
    return write_object(value)


def write_object(value: object) -> dict[str, Json]:
    """Return a shape as a JSON object."""
    stated = cast("Hashable", type(value))
    members = ((key, getattr(value, name)) for key, name in _names(stated))
    return {key: write(member) for key, member in members if member is not ABSENT}


@lru_cache(maxsize=1024)
def _names(stated: Hashable) -> tuple[tuple[str, str], ...]:
    """Return the keys of a shape, each with the name of its field."""
    return tuple((_key(field.name), field.name) for field in fields(cast("type[Any]", stated)))


def _key(name: str) -> str:
    return name.removesuffix("_")


# Decoding ----------------------------------------------------------------------------


#: What makes a value of JSON one of a type.
Reader: TypeAlias = Callable[[Any], Any]


def read(stated: type[Made], data: object) -> Made:
    """Return the shape for a JSON object, which must be valid by the shape's schema. Unknown keys are ignored."""
    members = cast("Mapping[str, object]", data)
    readers = _readers(cast("Hashable", stated))
    return stated(**{name: reader(members[key]) for key, name, reader in readers if key in members})


@lru_cache(maxsize=1024)
def _readers(stated: Hashable) -> tuple[tuple[str, str, Reader], ...]:
    """Return the keys of a shape, each with the name of its field and its reader."""
    types = _types(stated)
    return tuple((key, name, _reader(_present(types[name]))) for key, name in _names(stated))


@lru_cache(maxsize=4096)
def _reader(type_: Hashable) -> Reader:
    """Return what reads values of a type."""
    origin, inner = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return _reader(inner[0])
    if origin in (Union, UnionType):
        return _union_reader(inner)
    if origin in (tuple, Mapping, dict):
        return _members_reader(origin, _reader(inner[-1] if origin is not tuple else inner[0]))
    if is_dataclass(type_):
        return partial(read, cast("type[object]", type_))
    return type_ if isinstance(type_, type) and issubclass(type_, Enum) else _keep


def _members_reader(origin: object, member: Reader) -> Reader:
    """Return what reads a list or an object by its members."""
    if origin is tuple:
        return tuple if member is _keep else lambda data: tuple(map(member, data))
    return _keep if member is _keep else lambda data: {key: member(one) for key, one in data.items()}


def _union_reader(members: Sequence[Any]) -> Reader:
    """Return what reads the first of several types that a value is one of."""
    readers = [(one, _reader(one)) for one in members]
    if all(reader is _keep for _, reader in readers):
        return _keep
    return lambda data: next(reader(data) for one, reader in readers if _suits(one, data))


def _keep(data: Any) -> Any:  # noqa: ANN401 - whatever it is
    return data


def _suits(type_: object, data: object) -> bool:
    """Say whether a value is one of a type, as far as tells the members of a union apart."""
    origin, inner = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return _suits(inner[0], data)
    if origin in (Union, UnionType):
        return any(_suits(one, data) for one in inner)
    if origin is Literal:
        return any(type(one) is type(data) and one == data for one in inner)
    if is_dataclass(type_):
        return isinstance(data, Mapping) and _has_keys(cast("type", type_), data)
    if isinstance(type_, type) and issubclass(type_, Enum):
        return any(one.value == data for one in type_)
    if type_ in (object, Any) or data is None or isinstance(data, bool):
        return type_ in (object, Any, NoneType if data is None else bool)
    return isinstance(data, (list, tuple) if origin is tuple else cast("type", origin or type_))


def _has_keys(stated: type, data: Mapping[str, object]) -> bool:
    """Say whether an object has the keys of a shape, and beside those of fixed value that value."""
    types = _types(stated)
    for key, name in _names(stated):
        if key in data:
            if get_origin(_bare(types[name])) is Literal and not _suits(types[name], data[key]):
                return False
        elif not _is_optional(types[name]):
            return False
    return True


@lru_cache(maxsize=1024)
def _types(stated: Hashable) -> Mapping[str, object]:
    """Return the type of each field of a shape, bounds included."""
    return get_type_hints(stated, include_extras=True)


def _is_optional(type_: object) -> bool:
    return Absent in get_args(type_)


def _bare(type_: object) -> object:
    """Return a type without its bounds."""
    return get_args(type_)[0] if get_origin(type_) is Annotated else type_


# JSON Schema -------------------------------------------------------------------------

_PLAIN: Mapping[Any, str] = {
    NoneType: "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
}


def make_schema(stated: object, *, id_: str = "") -> Schema:
    """Return the JSON Schema of a shape, or of a union of shapes, complete with all definitions."""
    maker = _SchemaMaker()
    if is_dataclass(stated):
        body = maker.describe(cast("type", stated))
    else:
        body = {**_find_keywords(get_args(stated)[1:]), **maker.unite(get_args(_bare(stated)))}
    return _document(id_, body, maker.definitions)


def make_definitions(title: str, types: Iterable[Any], *, id_: str = "") -> Schema:
    """Return a JSON Schema with the definitions of some types and nothing else."""
    maker = _SchemaMaker()
    for type_ in types:
        maker.make(type_)
    return _document(id_, {"title": title}, maker.definitions)


def _document(id_: str, body: Schema, definitions: Schema) -> Schema:
    head = {"$schema": DIALECT, **({"$id": id_} if id_ else {})}
    return {**head, **body, **({"$defs": definitions} if definitions else {})}


class _SchemaMaker:
    """Makes schemas of types; shapes and types with a name of their own are defined once."""

    def __init__(self) -> None:
        self.definitions: Schema = {}

    def make(self, type_: object) -> Schema:
        """Return the schema of a type."""
        origin, inner = get_origin(type_), get_args(type_)
        if origin is Annotated:
            return self._annotate(inner[0], inner[1:])
        if origin in (Union, UnionType):
            return self.unite(inner)
        if origin is Literal:
            return _among(inner)
        if origin is tuple:
            return self._list(inner)
        if origin in (Mapping, dict):
            return self._mapping(*inner)
        if type_ in (object, Any):
            return {}
        if is_dataclass(type_):
            return self._refer(
                cast("Any", type_).__keys__.name, lambda: self.describe(cast("type", type_), "description")
            )
        if isinstance(type_, type) and issubclass(type_, Enum):
            return _among([one.value for one in type_])
        return {"type": _PLAIN[type_]}

    def describe(self, stated: type, called: str = "title") -> Schema:
        """Return the schema of a shape; a keyword of choice holds its docstring."""
        types = _types(stated)
        properties = {key: self.make(_present(types[name])) for key, name in _names(stated)}
        required = [key for key, name in _names(stated) if not _is_optional(types[name])]
        said = (getdoc(stated) or "").splitlines()[0].removesuffix(".")
        found: Schema = {called: said, "type": "object"}
        if required:
            found["required"] = required
        return {**found, **cast("Any", stated).__keys__.keywords(), "properties": properties}

    def unite(self, members: Sequence[Any]) -> Schema:
        """Return the schema of whatever follows one of several."""
        made = [self.make(one) for one in members]
        if all(one.keys() == {"type"} for one in made):
            return {"type": [one["type"] for one in made]}
        return {"anyOf": made}

    def _annotate(self, type_: object, notes: Sequence[object]) -> Schema:
        """Return the schema of a type with its bounds; notes after a name belong to this use of it."""
        places = [place for place, note in enumerate(notes) if isinstance(note, Defined)]
        if not places:
            return {**self.make(type_), **_find_keywords(notes)}
        name = cast("Defined", notes[places[-1]]).name
        own, further = notes[: places[-1]], notes[places[-1] + 1 :]
        return {**self._refer(name, lambda: self._annotate(type_, own)), **_find_keywords(further)}

    def _refer(self, name: str, make: Callable[[], Schema]) -> Schema:
        """Return a reference to a definition, which is made the first time; until it is made it may refer to itself."""
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = make()
        return {"$ref": f"#/$defs/{name}"}

    def _list(self, inner: Sequence[Any]) -> Schema:
        item = self.make(inner[0])
        found: Schema = {"type": "array", **({"items": item} if item else {})}
        return found if inner[-1] is Ellipsis else {**found, "minItems": len(inner), "maxItems": len(inner)}

    def _mapping(self, key: object, member: object) -> Schema:
        keys, members = self.make(key), self.make(member)
        keys.pop("type", None)
        found: Schema = {"type": "object"}
        if keys:
            found["propertyNames"] = keys
        return {**found, **({"additionalProperties": members} if members else {})}


def _find_keywords(notes: Sequence[object]) -> Schema:
    """Return the keywords of bounds and of the sentence for readers."""
    found: Schema = {}
    for note in notes:
        if not isinstance(note, ValueMeanings):
            found |= note.keywords() if isinstance(note, Limit) else {"description": note}
    return found


def _among(values: Sequence[object]) -> Schema:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}


def _present(type_: object) -> object:
    """Return a type without the possibility that the key is left out."""
    if not _is_optional(type_):
        return type_
    others: list[object] = list(get_args(type_))
    others.remove(Absent)
    return Union[tuple(others)]  # noqa: UP007 - how many there are is known only here


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


# Documentation -----------------------------------------------------------------------


class ShapeField(NamedTuple):
    """A key of a shape, for readers."""

    key: str
    #: The type of its value, bounds and meanings included.
    type_: object
    #: Whether the key may be left out.
    optional: bool
    sentence: str


def explain_fields(stated: type) -> Iterator[ShapeField]:
    """Yield the keys of a shape in their order, each with its type and its sentence."""
    types = _types(stated)
    for key, name in _names(stated):
        type_ = _present(types[name])
        texts = [note for note in _notes(type_) if isinstance(note, str)]
        yield ShapeField(key, type_, _is_optional(types[name]), texts[-1] if texts else "")


def find_meanings(type_: object) -> Mapping[str, str]:
    """Return the meanings of the values of a type, or of its members, if they are stated."""
    for note in _notes(type_):
        if isinstance(note, ValueMeanings):
            return dict(note.pairs)
    inner = get_args(_bare(type_)) if get_origin(_bare(type_)) is not Literal else ()
    return next((found for one in inner if (found := find_meanings(one))), {})


def find_shapes(type_: object) -> Iterator[type]:
    """Yield the shapes that a type is made of, without those inside them."""
    bare = _bare(type_)
    if is_dataclass(bare):
        yield cast("type", bare)
    elif get_origin(bare) is not Literal:
        for one in get_args(bare):
            yield from find_shapes(one)


def _notes(type_: object) -> Sequence[object]:
    """Return the bounds, sentences and names that are annotated to a type."""
    return get_args(type_)[1:] if get_origin(type_) is Annotated else ()
