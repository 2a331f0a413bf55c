"""Validation: documents held against JSON Schemas, by jsonschema-rs or, where it has no wheel, by jsonschema.

Both libraries tell the same faults at the same places; their sentences differ in quotation marks. A schema holds all
that it refers to. The libraries are imported when the first schema is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["SchemaMismatch", "Validator", "compile_schema"]

#: The keyword of a schema that wants the entries of a list to differ.
_UNIQUE = "uniqueItems"
#: The keyword that wants keys to be there.
_REQUIRED = "required"
#: The keyword that says how texts look.
_PATTERN = "pattern"


@dataclass(frozen=True, slots=True)
class SchemaMismatch:
    """A place of a document that does not follow the schema."""

    #: The keys and numbers that lead to the place.
    path: tuple[str | int, ...]
    message: str
    #: The keys that are there and must not be.
    unknown: tuple[str, ...] = ()
    #: Of a place with unknown keys, the keys that the schema names there.
    known: tuple[str, ...] = ()
    #: Where a text does not follow a pattern, that text and what the schema says of it in words; nothing elsewhere.
    text: str = ""
    form: str = ""
    #: The key that is not there and must be.
    missing: str = ""
    #: Where one of several schemas has to be followed, how each is missed; nothing for one that is followed.
    branches: tuple[tuple[SchemaMismatch, ...], ...] = ()
    #: Whether the place is a list with equal entries where the schema wants them to differ.
    is_doubled: bool = False


class Validator(Protocol):
    """A compiled schema."""

    def is_valid(self, document: object) -> bool:
        """Say whether a document follows the schema."""

    def find_error(self, document: object) -> SchemaMismatch | None:
        """Return the first place at which a document does not follow the schema; no others are looked for."""

    def iter_errors(self, document: object) -> Iterator[SchemaMismatch]:
        """Yield every place at which a document does not follow the schema."""


def compile_schema(schema: Mapping[str, Any]) -> Validator:
    """Return a schema as something that checks documents."""
    try:
        import jsonschema_rs  # noqa: F401, PLC0415 - heavy, and not everywhere
    except ImportError:
        return PythonValidator(schema)
    return RustValidator(schema)


class RustValidator:
    """A schema compiled by jsonschema-rs."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        import jsonschema_rs  # noqa: PLC0415 - heavy, and not everywhere

        self._schema = schema
        self._compiled = jsonschema_rs.validator_for(dict(schema), offline=True)

    def is_valid(self, document: object) -> bool:
        """Say whether a document follows the schema."""
        return self._compiled.is_valid(document)

    def find_error(self, document: object) -> SchemaMismatch | None:
        """Return the first place at which a document does not follow the schema; no others are looked for."""
        import jsonschema_rs  # noqa: PLC0415 - heavy, and not everywhere

        # The library makes all errors before it gives the first, and a hostile document may have millions.
        try:
            self._compiled.validate(document)
        except jsonschema_rs.ValidationError as error:
            return self._convert(error)
        return None

    def iter_errors(self, document: object) -> Iterator[SchemaMismatch]:
        """Yield every place at which a document does not follow the schema."""
        return map(self._convert, self._compiled.iter_errors(document))

    def _convert(self, error: Any) -> SchemaMismatch:  # noqa: ANN401 - as the library makes it
        branches = getattr(error.kind, "context", None) or ()
        unknown = getattr(error.kind, "unexpected", None) or ()
        inner = tuple(tuple(map(self._convert, branch)) for branch in branches)
        known = self._list_known(error.schema_path) if unknown else ()
        doubled = error.schema_path[-1] == _UNIQUE
        missing = str(getattr(error.kind, "property", "")) if error.schema_path[-1] == _REQUIRED else ""
        patterned = error.schema_path[-1] == _PATTERN
        return SchemaMismatch(
            path=tuple(error.instance_path),
            message=error.message,
            unknown=tuple(unknown),
            known=known,
            text=str(error.instance) if patterned else "",
            form=str(self._find_beside(error.schema_path).get("description", "")) if patterned else "",
            missing=missing,
            branches=inner,
            is_doubled=doubled,
        )

    def _list_known(self, path: Sequence[str | int]) -> tuple[str, ...]:
        """Return the properties beside the keyword at a path of the schema."""
        return tuple(self._find_beside(path).get("properties", ()))

    def _find_beside(self, path: Sequence[str | int]) -> Mapping[str, Any]:
        """Return the part of the schema that has the keyword at a path; the path follows references."""
        there: Any = self._schema
        for step in path[:-1]:
            there = there[step]
        return dict(there)


class PythonValidator:
    """A schema compiled by jsonschema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        import jsonschema  # noqa: PLC0415 - heavy, and not everywhere

        extend: Callable[..., Any] = jsonschema.validators.extend
        strict = extend(jsonschema.Draft202012Validator, {"pattern": _match_pattern})
        self._compiled = strict(schema)

    def is_valid(self, document: object) -> bool:
        """Say whether a document follows the schema."""
        return bool(self._compiled.is_valid(document))

    def find_error(self, document: object) -> SchemaMismatch | None:
        """Return the first place at which a document does not follow the schema; no others are looked for."""
        return next(self.iter_errors(document), None)

    def iter_errors(self, document: object) -> Iterator[SchemaMismatch]:
        """Yield every place at which a document does not follow the schema."""
        return map(self._convert, self._compiled.iter_errors(document))

    def _convert(self, error: Any) -> SchemaMismatch:  # noqa: ANN401 - as the library makes it
        unknown, known = list[str](), tuple[str, ...]()
        if error.validator == "additionalProperties" and error.validator_value is False:
            known = tuple(error.schema.get("properties", ()))
            unknown = [key for key in error.instance if key not in known]
        branches = self._branches(error) if error.validator in ("anyOf", "oneOf") else ()
        doubled = error.validator == _UNIQUE
        missing = ""
        if error.validator == _REQUIRED:
            # It tells one missing key at a time, and only in its sentence.
            missing = next((key for key in error.validator_value if error.message.startswith(repr(key))), "")
        patterned = error.validator == _PATTERN
        return SchemaMismatch(
            path=tuple(error.absolute_path),
            message=error.message,
            unknown=tuple(unknown),
            known=known,
            text=str(error.instance) if patterned else "",
            form=str(error.schema.get("description", "")) if patterned else "",
            missing=missing,
            branches=tuple(branches),
            is_doubled=doubled,
        )

    def _branches(self, error: Any) -> Iterable[tuple[SchemaMismatch, ...]]:  # noqa: ANN401 - as the library makes it
        """Return the mismatches with each of several schemas; of schemas that must all match, none."""
        found: list[list[SchemaMismatch]] = [[] for _ in error.validator_value]
        for inner in error.context:
            found[inner.schema_path[0]].append(self._convert(inner))
        return map(tuple, found)


def _match_pattern(_: object, pattern: str, text: object, __: object) -> Iterator[Exception]:
    """Yield an error for a text that does not match; `$` is its end alone, while Python also lets a line end follow."""
    from jsonschema import ValidationError  # noqa: PLC0415 - heavy, and not everywhere

    if isinstance(text, str) and not re.search(pattern.replace("$", r"\Z"), text):
        yield ValidationError(f"{text!r} does not match {pattern!r}")
