"""The dataclasses of the standard library, made without compiling, so that classes cost next to nothing at start-up.

`dataclass`, `field`, `replace`, `fields` and `is_dataclass` do what their namesakes do, for the options that this
package uses; type checkers take them for their namesakes. The standard library's own functions work on these classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["dataclass", "field", "fields", "is_dataclass", "replace", "write_fields"]

#: Where a class keeps its fields; the standard library's own name has its own kind of fields.
_FIELDS = "__fields__"
#: And what writes them, frozen or not; nothing until that is first needed.
_WRITERS = "__writers__"


_Write: TypeAlias = Callable[[Any, object], None]


class _Missing:
    """No default at all."""


class _FieldOptions:
    """The options of one field."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "name")

    def __init__(
        self,
        default: object = _Missing,
        default_factory: Callable[[], object] | None = None,
        *,
        compare: bool = True,
        init: bool = True,
        kw_only: bool = False,
    ) -> None:
        self.name = ""
        self.default, self.default_factory = default, default_factory
        self.compare, self.init, self.kw_only = compare, init, kw_only

    def missing(self, owner: str) -> object:
        """Return the value of a field that is not given."""
        if self.default_factory is not None:
            return self.default_factory()
        if self.default is _Missing:
            raise TypeError(f"{owner}() lacks the argument {self.name!r}")
        return self.default


class _Standard:
    """The fields as the standard library describes them, made when they are first asked for."""

    def __get__(self, one: object, cls: type) -> object:
        import dataclasses  # noqa: PLC0415 - it imports much that is not needed to run

        made: dict[str, Any] = {}
        for name, known in getattr(cls, _FIELDS).items():
            options = {key: getattr(known, key) for key in ("compare", "init", "kw_only")}
            if known.default_factory is not None:
                options["default_factory"] = known.default_factory
            elif known.default is not _Missing:
                options["default"] = known.default
            made[name] = dataclasses.field(**options)
        names = [(name, "object", made[name]) for name in made]
        kept: object = dataclasses.make_dataclass(cls.__name__, names).__dict__["__dataclass_fields__"]
        type.__setattr__(cls, "__dataclass_fields__", kept)
        return kept


def _dataclass(
    cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True, order: bool = False
) -> Any:
    def decorate(cls: type) -> type:
        return _make(cls, frozen=frozen, slots=slots, eq=eq, order=order)

    return decorate if cls is None else decorate(cls)


def _make(cls: type, *, frozen: bool, slots: bool, eq: bool, order: bool) -> type:
    namespace = dict(cls.__dict__)
    own = [name for name, type_ in namespace.get("__annotations__", {}).items() if not type_.startswith("ClassVar")]
    known: dict[str, _FieldOptions] = {}
    for base in reversed(cls.__mro__[1:]):
        known |= base.__dict__.get(_FIELDS, {})
    inherited = frozenset(known)
    for name in own:
        said = namespace.pop(name, _Missing)
        known[name] = said if isinstance(said, _FieldOptions) else _FieldOptions(said)
        known[name].name = name
    methods = _methods(known, frozen=frozen, eq=eq, order=order)
    added = {name: method for name, method in methods.items() if name not in namespace}
    added |= {_FIELDS: known, "__dataclass_fields__": _Standard()}
    added["__match_args__"] = tuple(name for name, one in known.items() if one.init and not one.kw_only)
    if not slots:
        for name in own:
            if name in cls.__dict__:
                delattr(cls, name)
        for name, value in added.items():
            setattr(cls, name, value)
        return _add_init(cls, known)
    for name in ("__dict__", "__weakref__"):
        namespace.pop(name, None)
    namespace |= {**added, "__slots__": tuple(name for name in own if name not in inherited)}
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return _add_init(made, known)


def _methods(known: Mapping[str, _FieldOptions], *, frozen: bool, eq: bool, order: bool) -> dict[str, Any]:
    """Return the methods of a class with some fields, but for the one that fills new objects."""
    names = tuple(known)
    compared = [name for name, one in known.items() if one.compare]
    key = _read(compared)

    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def __reduce__(self: Any) -> tuple[object, ...]:
        return write_fields, (type(self), tuple(getattr(self, name) for name in names))

    methods: dict[str, Any] = {"__repr__": __repr__, "__reduce__": __reduce__}
    if eq:

        def __eq__(self: Any, other: object) -> bool:
            return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

        def __hash__(self: Any) -> int:
            return hash(key(self))

        methods |= {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}
    if order:

        def __lt__(self: Any, other: object) -> bool:
            return bool(key(self) < key(other)) if other.__class__ is self.__class__ else NotImplemented

        methods["__lt__"] = __lt__
    if frozen:
        methods |= {"__setattr__": _refuse_write, "__delattr__": _refuse_removal}
    return methods


def _read(names: list[str]) -> Callable[[Any], Any]:
    """Return what reads some attributes of an object: several at once, one by itself."""
    return attrgetter(*names) if names else lambda _: ()


def _refuse_write(self: object, name: str, _: object) -> None:
    _refuse("assign to", name)


def _refuse_removal(self: object, name: str) -> None:
    _refuse("delete", name)


def _refuse(what: str, name: str) -> None:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415 - it imports much that is not needed to run

    raise FrozenInstanceError(f"cannot {what} field {name!r}")


def _add_init(cls: Any, known: Mapping[str, _FieldOptions]) -> type:
    """Give a class the method that fills new objects, made with the first of them: few classes have any at start-up."""

    def __init__(self: Any, *args: object, **named: object) -> None:
        fill = _make_init(cls, known)
        if cls.__init__ is __init__:
            cls.__init__ = fill
        fill(self, *args, **named)

    if "__init__" not in cls.__dict__:
        cls.__init__ = __init__
    setattr(cls, _WRITERS, ())
    made: type = cls
    return made


def _make_init(cls: Any, known: Mapping[str, _FieldOptions]) -> Callable[..., None]:
    """Return what fills new objects of a class; where many are made, it is replaced by a compiled one."""
    given = [one for one in known.values() if one.init and not one.kw_only]
    write = dict(zip(known, _find_writers(cls), strict=True))
    writers, count, extra = [write[one.name] for one in given], len(given), len(known) > len(given)
    parts = [(one, write[one.name]) for one in (*given, *(one for one in known.values() if one not in given))]
    finished = getattr(cls, "__post_init__", None)
    compiled = bool(known) and all(one.init and one.default_factory is None for one in known.values())
    number = iter(range(_MANY))

    def fill(self: Any, *args: object, **named: object) -> None:
        for put, value in zip(writers, args, strict=False):
            put(self, value)
        if named or len(args) != count or extra:
            if len(args) > count:
                raise TypeError(f"{cls.__name__}() takes {count} arguments, and {len(args)} are given")
            _fill(self, parts[len(args) :], named)
        if finished is not None:
            finished(self)
        elif compiled and next(number, None) is None and cls.__init__ is fill:
            cls.__init__ = _compile(parts, count)

    fill.__name__ = "__init__"
    return fill


#: So many objects of a class are made before it is worth while to compile what fills them.
_MANY = 50


def _fill(one: object, left: list[tuple[_FieldOptions, _Write]], named: dict[str, object]) -> None:
    """Write the fields of a new object that were not given in order."""
    owner, used = type(one).__name__, 0
    for said, put in left:
        if said.init and said.name in named:
            put(one, named[said.name])
            used += 1
        elif said.init or said.default is not _Missing or said.default_factory is not None:
            put(one, said.missing(owner))
    if used != len(named):
        raise TypeError(f"{owner}() has no argument of {', '.join(map(repr, named))}, or has it twice")


def _compile(parts: list[tuple[_FieldOptions, _Write]], count: int) -> Any:
    """Return what fills new objects, compiled, where every field is given or has a default that is always the same."""
    heads = [said.name + ("" if said.default is _Missing else f"=_default_{said.name}") for said, _ in parts]
    heads[count:] = ["*", *heads[count:]] if heads[count:] else []
    lines = [f"    _write_{said.name}(self, {said.name})" for said, _ in parts]
    scope: dict[str, Any] = {f"_default_{said.name}": said.default for said, _ in parts}
    scope |= {f"_write_{said.name}": put for said, put in parts}
    text = "\n".join([f"def __init__(self, {', '.join(heads)}):", *lines])
    exec(text, scope)  # noqa: S102 - names of fields alone
    return scope["__init__"]


def _find_writers(cls: Any) -> tuple[_Write, ...]:
    """Return what writes each field of a class, frozen or not, in their order; found once for each class."""
    owner: Any = next(base for base in cls.__mro__ if _WRITERS in base.__dict__)
    known: tuple[_Write, ...] = owner.__dict__[_WRITERS]
    if not known:
        known = tuple(_write(owner, name) for name in getattr(owner, _FIELDS))
        setattr(owner, _WRITERS, known)
    return known


def _write(cls: Any, name: str) -> _Write:
    slot: Any = getattr(cls, name, None)
    found: _Write | None = getattr(slot, "__set__", None)
    return found or (lambda one, value: object.__setattr__(one, name, value))


def write_fields(cls: Any, values: Iterable[object]) -> object:
    """Return an object of a class with the values of all its fields, in their order: what pickles and copies call."""
    made = cls.__new__(cls)
    for write, value in zip(getattr(cls, _WRITERS) or _find_writers(cls), values, strict=True):
        write(made, value)
    return made


def _replace(one: Any, /, **changes: object) -> Any:
    cls = one.__class__
    return cls(**{name: getattr(one, name) for name, said in getattr(cls, _FIELDS).items() if said.init} | changes)


def _fields(one: Any) -> tuple[_FieldOptions, ...]:
    return tuple(getattr(one, _FIELDS).values())


def _is_dataclass(one: object) -> bool:
    return hasattr(one, _FIELDS)


if TYPE_CHECKING:
    from dataclasses import dataclass, field, fields, is_dataclass, replace
else:
    dataclass, field, fields, is_dataclass, replace = _dataclass, _FieldOptions, _fields, _is_dataclass, _replace
