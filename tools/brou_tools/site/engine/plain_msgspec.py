"""The part of msgspec that chapters need, in plain Python: Pyodide's package has no msgspec, which is compiled.

It replaces `msgspec` in the library of a page, where chapters come from a bundle: they were checked when it was made.
So the data has the right form, and nothing of this looks for faults. A test holds the rules that it makes to those that
msgspec makes.
"""

from __future__ import annotations

import json as standard_json
import sys
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from types import ModuleType, NoneType, UnionType
from typing import Any, ClassVar, NamedTuple, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

#: Builds a value of a type that is none of those known here.
Hook: TypeAlias = Callable[[type, object], object]
_MISSING = object()


class ValidationError(ValueError):
    """Data of another form."""


class FieldInfo(NamedTuple):
    """A field of a class: its name, its key in data, and its default."""

    name: str
    encode_name: str
    default: object
    default_factory: Callable[[], object] | None

    def make_default(self) -> object:
        """Return the value of a field that is not given."""
        if self.default_factory is not None:
            return self.default_factory()
        if self.default is _MISSING:
            raise ValidationError(f"missing required field `{self.encode_name}`")
        return self.default


class Meta:
    """What a value has to be beyond its type; here nothing asks for it."""

    def __init__(self, **bounds: int) -> None: ...


class _Stated(NamedTuple):
    name: str | None
    default: object
    default_factory: Callable[[], object] | None


def field(
    *, default: Any = _MISSING, default_factory: Callable[[], object] | None = None, name: str | None = None
) -> Any:
    """State a field that has another key in data, or a default."""
    return _Stated(name, default, default_factory)


class Struct:
    """A class whose fields are its annotations; instances are equal by them."""

    __struct_fields__: ClassVar[tuple[str, ...]] = ()
    stated_fields: ClassVar[Mapping[str, FieldInfo]] = {}

    def __init_subclass__(cls, **options: bool) -> None:
        """Find the fields; what options ask for holds of every class here."""
        found = dict(cls.stated_fields)
        for name, told in cls.__annotations__.items():
            if "ClassVar" in str(told):
                continue
            value = cls.__dict__.get(name, _MISSING)
            stated = value if isinstance(value, _Stated) else _Stated(None, value, None)
            found[name] = FieldInfo(name, stated.name or name, stated.default, stated.default_factory)
            if name in cls.__dict__:
                delattr(cls, name)
        cls.stated_fields, cls.__struct_fields__ = found, tuple(found)

    def __init__(self, **given: object) -> None:
        for name, stated in self.stated_fields.items():
            object.__setattr__(self, name, given[name] if name in given else stated.make_default())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and type(other) is type(self) and other._values() == self._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        told = (f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__)
        return f"{type(self).__name__}({', '.join(told)})"


def convert(raw: object, form: Any, *, strict: bool, dec_hook: Hook) -> Any:
    """Return data as a value of a type; texts stand for numbers and truth values too."""
    if raw is None:
        return None
    origin, parts = get_origin(form), get_args(form)
    if origin in (Union, UnionType):
        return convert(raw, _choose(raw, parts), strict=strict, dec_hook=dec_hook)
    if origin is tuple and isinstance(raw, list):
        return tuple(convert(one, parts[0], strict=strict, dec_hook=dec_hook) for one in raw)
    if origin is not None and isinstance(raw, dict) and len(parts) == 2:
        return {key: convert(one, parts[1], strict=strict, dec_hook=dec_hook) for key, one in raw.items()}
    if isinstance(form, type) and issubclass(form, Struct) and isinstance(raw, dict):
        types = _find_types(cast("Hashable", form))
        given = ((stated, raw[stated.encode_name]) for stated in fields(form) if stated.encode_name in raw)
        return form(
            **{one.name: convert(value, types[one.name], strict=strict, dec_hook=dec_hook) for one, value in given}
        )
    if form is int:
        return int(str(raw))
    if form is bool:
        return str(raw).lower() == "true"
    if form is str:
        return str(raw)
    return dec_hook(form, raw)


def _choose(raw: object, parts: tuple[Any, ...]) -> Any:
    """Return the member of a union that data of this kind is for."""
    left = [part for part in parts if part is not NoneType]
    mappings = [part for part in left if get_origin(part) is not None and get_origin(part) is not tuple]
    return mappings[0] if isinstance(raw, dict) and mappings else left[0]


@lru_cache(maxsize=256)
def _find_types(form: Hashable) -> Mapping[str, Any]:
    return get_type_hints(form)


def fields(form: type[Struct]) -> tuple[FieldInfo, ...]:
    """Return the fields of a class."""
    return tuple(form.stated_fields.values())


def replace(one: Struct, **changes: object) -> Any:
    """Return an instance with other values of some fields."""
    return type(one)(**{name: getattr(one, name) for name in one.__struct_fields__} | changes)


class JsonEncoder:
    """Writes JSON."""

    def encode(self, value: object) -> bytes:
        """Return a value as JSON."""
        return standard_json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _make_module(name: str, members: Mapping[str, object]) -> ModuleType:
    made = ModuleType(f"msgspec.{name}")
    for member, value in members.items():
        setattr(made, member, value)
    return made


structs = _make_module("structs", {"fields": fields, "replace": replace, "FieldInfo": FieldInfo})
json = _make_module("json", {"Encoder": JsonEncoder})

if __name__ == "msgspec":
    sys.modules |= {"msgspec.structs": structs, "msgspec.json": json}
