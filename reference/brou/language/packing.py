"""Typed rules and data files as a table of plain data in which equal values appear once, and back again.

An entry of a table is a scalar, which stands for itself, or a list: the number of a form, and the entries of its parts.
The parts come before the whole, so that entries can be made in their order. Forms are tuples, sets, mappings and the
classes of the language; a table names for each class the fields that it had when it was written.

A table may come from anywhere. Every field of a value that is made holds a value of its type, and every name is a word,
as in rules files; therefore code that is generated from rules of a table is the code of the generator, and nothing
else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias, TypedDict, TypeVar, get_args

from brou.dataclass import fields, is_dataclass, write_fields
from brou.errors import Place
from brou.language import effects, syntax, tree, types
from brou.language.node import Node

Entry: TypeAlias = None | bool | int | str | Sequence[int]
_Wanted = TypeVar("_Wanted")
#: Says whether a value is of a type.
_Fit: TypeAlias = Callable[[Any], bool]

#: The forms that are no class, and the number of the first class; of a place the file alone is an entry.
_FORMS = ("tuple", "set", "mapping", "place")
_TUPLE, _SET, _MAPPING, _PLACE = range(len(_FORMS))
_FIRST = len(_FORMS)
#: What names, codes and the ids of clauses are made of.
_WORD = re.compile(r"[\w./-]*\Z")
_PLAIN = (type(None), bool, int, str)


def _gather_classes() -> Iterator[tuple[str, type]]:
    for module in (types, tree, effects, syntax):
        for name, one in vars(module).items():
            if isinstance(one, type) and is_dataclass(one) and one.__module__ == module.__name__ and name[0] != "_":
                yield name, one


#: Every class that rules and data files are made of, by name.
_CLASSES: Mapping[str, Any] = {**dict(_gather_classes()), "Node": Node}
#: The classes by their numbers, and the fields of each.
_BY_NUMBER: Mapping[int, Any] = dict(enumerate(_CLASSES.values(), _FIRST))
_FIELDS = {number: tuple(field.name for field in fields(one)) for number, one in _BY_NUMBER.items()}


# To a table -----------------------------------------------------------------------------------------------------------


class Packer:
    """A table that grows: `add` puts a value into it with all that it is made of."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._known: dict[object, int] = {}
        #: The places of objects that were added, which stay alive that long.
        self._objects: dict[int, tuple[object, int]] = {}
        self._numbers = {one: number for number, one in _BY_NUMBER.items()}

    def add(self, value: object) -> int:
        """Return the place of a value in the table; equal values, with all that they are made of, have the same."""
        if isinstance(value, _PLAIN):
            return self._put((type(value), value), value)
        known = self._objects.get(id(value))
        if known is None:
            entry = self._entry(value)
            known = self._objects[id(value)] = value, self._put(entry, entry)
        return known[1]

    def _put(self, key: object, entry: Entry) -> int:
        place = self._known.get(key)
        if place is None:
            place = self._known[key] = len(self.entries)
            self.entries.append(entry)
        return place

    def _entry(self, value: object) -> tuple[int, ...]:
        if isinstance(value, Place):
            return _PLACE, self.add(value.file), value.line, value.column
        if isinstance(value, tuple):
            return _TUPLE, *map(self.add, value)
        if isinstance(value, frozenset):
            return _SET, *map(self.add, sorted(value))
        if isinstance(value, Mapping):
            return _MAPPING, *(self.add(part) for pair in value.items() for part in pair)
        number = self._numbers.get(type(value))
        if number is None:
            raise TypeError(f"{type(value).__name__} is nothing that rules are made of")
        return number, *(self.add(getattr(value, name)) for name in _FIELDS[number])

    def table(self) -> TableDocument:
        """Return the table as JSON has it."""
        return {"classes": _shapes(), "entries": self.entries}


def _shapes() -> list[list[str]]:
    """Return each class with its fields."""
    return [[name, *names] for name, names in zip(_CLASSES, _FIELDS.values(), strict=True)]


class TableDocument(TypedDict):
    """A table as JSON has it: each class with its fields, and the entries."""

    classes: list[list[str]]
    entries: list[Entry]


# From a table ---------------------------------------------------------------------------------------------------------


class PackedTable:
    """A table that was read; its values are made on demand, each once."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        """Take a table as JSON has it; raise `ValueError` where it is none, or one of other classes than ours."""
        if table.get("classes") != _shapes() or not isinstance(table.get("entries"), list):
            raise ValueError("no table of this version")
        self._entries: list[Entry] = table["entries"]
        self._made: dict[int, Any] = {}

    def get(self, place: int, wanted: type[_Wanted]) -> _Wanted:
        """Return the value at a place, an object of a class; raise `ValueError` where it cannot be made or is none."""
        try:
            for entry in sorted(self._missing(place)):
                self._made[entry] = self._make(self._entries[entry])
            found = self._made[place]
        except (AttributeError, LookupError, TypeError) as error:
            raise ValueError("a table that cannot be read") from error
        if not isinstance(found, wanted):
            raise ValueError(f"a table that holds no {wanted.__name__} there")  # noqa: TRY004 - the table is wrong
        return found

    def _missing(self, place: int) -> set[int]:
        """Return the places of the values still to be made for one; each part comes before the whole."""
        entries, made, waiting, found = self._entries, self._made, [place], set[int]()
        while waiting:
            one = waiting.pop()
            if one in made or one in found:
                continue
            found.add(one)
            entry = entries[one]
            if isinstance(entry, list):
                parts = entry[1:2] if entry[0] == _PLACE else entry[1:]
                if parts and (max(parts) >= one or min(parts) < 0):
                    raise ValueError(one)
                waiting += parts
        return found

    def _make(self, entry: Entry) -> object:
        if not isinstance(entry, list):
            if isinstance(entry, _PLAIN):
                return entry
            raise TypeError(entry)
        form, made = entry[0], self._made
        if form >= _FIRST:
            return _make_object(form, [made[part] for part in entry[1:]])
        if form == _PLACE:
            _, at, line, column = entry
            file = made[at]
            if file.__class__ is not str or line.__class__ is not int or column.__class__ is not int:
                raise TypeError(entry)
            return Place(file, line, column)
        parts = [made[part] for part in entry[1:]]
        if form == _MAPPING:
            return dict(zip(parts[::2], parts[1::2], strict=True))
        return frozenset(parts) if form == _SET else tuple(parts)


def _make_object(number: int, values: list[Any]) -> object:
    """Return an object of a class; raise `TypeError` where a field is not what the class says."""
    one, fits = _read_class(number)
    for fit, value in zip(fits, values, strict=True):
        if not fit(value):
            raise TypeError(f"{value!r} in {one.__name__}")
    return write_fields(one, values)


@lru_cache(maxsize=256)
def _read_class(number: int) -> tuple[type, list[_Fit]]:
    """Return the class with a number, and the checks of its fields' values."""
    one = _BY_NUMBER[number]
    hints = {
        name: hint for base in reversed(one.__mro__) for name, hint in vars(base).get("__annotations__", {}).items()
    }
    return one, [_fit(hints[name]) for name in _FIELDS[number]]


# Types of fields ------------------------------------------------------------------------------------------------------

_BRACKETS = re.compile(r"(?:[^\[\]|]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])+")


@lru_cache(maxsize=256)
def _fit(hint: str) -> _Fit:
    """Return what tells values of a type, as the classes write it: a union, a tuple, a mapping or a name."""
    alternatives = [part.strip() for part in _BRACKETS.findall(hint)]
    if len(alternatives) > 1:
        fits = [_fit(part) for part in alternatives]
        return lambda value: any(fit(value) for fit in fits)
    outer, _, inner = hint.removesuffix("]").partition("[")
    if outer == "tuple":
        return _fit_all(_fit(inner.removesuffix(", ...")))
    if outer in ("Mapping", "dict"):
        # Texts stand in mappings alone, by language, and nothing is named by them.
        held = inner.partition(", ")[2]
        return _fit_mapping(_is_text if held == "str" else _fit(held), free=outer == "dict")
    known = _NAMED.get(outer)
    if known is not None:
        return known
    return _fit_class(outer)


def _fit_all(fit: _Fit) -> _Fit:
    return lambda value: value.__class__ is tuple and all(map(fit, value))


def _fit_mapping(fit: _Fit, *, free: bool) -> _Fit:
    key = _is_text if free else _is_word
    return lambda value: value.__class__ is dict and all(map(key, value)) and all(map(fit, value.values()))


def _fit_class(name: str) -> _Fit:
    """Return what tells the objects of a class of the language, or of any class of one of its unions."""
    found = next(getattr(module, name) for module in (types, tree, effects, syntax) if hasattr(module, name))
    if found is types.Type:
        classes = frozenset(one for one in _CLASSES.values() if issubclass(one, types.Type))
    elif isinstance(found, type):
        classes = frozenset([found])
    else:
        members = get_args(found)
        if all(isinstance(one, str) for one in members):
            return frozenset(members).__contains__
        classes = frozenset(members)
    return lambda value: value.__class__ in classes


def _is_word(value: object) -> bool:
    return value.__class__ is str and _match(value) is not None


def _is_text(value: object) -> bool:
    return value.__class__ is str


def _is_value(value: Any) -> bool:
    """Say whether something is a value of the language."""
    if value.__class__ in (tuple, frozenset):
        return all(map(_is_value, value))
    return value is None or value.__class__ in (bool, int) or _is_word(value)


_match: Callable[[Any], object] = _WORD.match
_NAMED: Mapping[str, _Fit] = {
    "str": _is_word,
    "int": lambda value: value.__class__ is int,
    "bool": lambda value: value.__class__ is bool,
    "None": lambda value: value is None,
    "Value": _is_value,
    "Scalar": lambda value: value.__class__ in _PLAIN,
    "Place": lambda value: value.__class__ is Place,
    "Node": lambda value: value.__class__ is Node,
}
