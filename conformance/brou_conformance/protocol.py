"""The wire: one JSON object a line, each of a kind that a schema fixes, checked whichever way it goes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import jsonschema_rs

Message: TypeAlias = dict[str, Any]

VERSION = 1
SCHEMAS = Path(__file__).parent / "schemas"
#: How deep a message may be nested.
MAX_DEPTH = 32
_SHOWN = 200


class NoMessage(ValueError):
    """A line that is no JSON object; the text says why."""


_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False)


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as it goes over the wire."""
    return _ENCODER.encode(message).encode("ascii") + b"\n"


def decode(line: bytes) -> Message:
    """Return the object that a line holds, or raise `NoMessage`."""
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise NoMessage(f"no JSON: {error}; the line begins {shorten(line.decode('utf-8', 'replace'))}") from error
    if not isinstance(message, dict):
        raise NoMessage(f"no object but {shorten(line.decode())}")
    if _deeper(message, MAX_DEPTH):
        raise NoMessage(f"nested deeper than {MAX_DEPTH} levels")
    return message


def _deeper(message: Message, levels: int) -> bool:
    """Say whether something stands below so many levels."""
    level: list[Any] = [message]
    while level and levels:
        inside = (value.values() if isinstance(value, dict) else value for value in level)
        level = [item for values in inside for item in values if isinstance(item, (dict, list))]
        levels -= 1
    return bool(level)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def fault(kind: str, message: object) -> str | None:
    """Return where and how a message differs from the schema of its kind, or None."""
    try:
        _validator(kind).validate(message)
    except jsonschema_rs.ValidationError as error:
        where = shorten("/".join(map(str, error.instance_path))) or "the message"
        return f"{where}: {shorten(_sentence(error))}"
    return None


def _sentence(error: jsonschema_rs.ValidationError) -> str:
    """Return what is wrong; where one of several shapes is needed, what each of them lacks."""
    branches = getattr(error.kind, "context", None)
    if not branches:
        return error.message
    failed = [branch[0].message for branch in branches if branch]
    if len(failed) < len(branches):
        return "several things at once, where only one may stand"
    return "; or ".join(failed)


def schema(kind: str) -> dict[str, Any]:
    """Return the schema of a kind of message."""
    return _schemas()[kind]


def kinds() -> tuple[str, ...]:
    """Return the names of all schemas."""
    return tuple(_schemas())


@lru_cache(maxsize=1)
def _schemas() -> dict[str, dict[str, Any]]:
    files = sorted(SCHEMAS.glob("*.schema.json"))
    return {file.name.removesuffix(".schema.json"): json.loads(file.read_bytes()) for file in files}


@lru_cache(maxsize=1)
def _registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(document["$id"], document) for document in _schemas().values()])


@lru_cache(maxsize=32)
def _validator(kind: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(schema(kind), registry=_registry(), offline=True)


def shorten(text: str, limit: int = _SHOWN) -> str:
    """Return a text fit to be shown on one line: printable, and not too long."""
    clean = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text[: 4 * limit]
    )
    return clean if len(clean) <= limit else f"{clean[:limit]} ..."
