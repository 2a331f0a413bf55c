"""The protocol: the one gate that every line passes, either way, and the shape of each kind of message.

The gate is strict, so that nobody behind it has to be: a line is one JSON object of bounded length and depth, in UTF-8,
its numbers are integers of at most 64 bits, no key appears twice in an object, and every character is one (half of a
surrogate pair is none). Any other line is refused whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeAlias

import msgspec

from brou.atomic import read_named
from brou.shapes import Schema
from brou.validation import SchemaMismatch, Validator, compile_schema

Message: TypeAlias = dict[str, Any]
#: What is only read as JSON, and may be kept in lists and mappings of any make.
Data: TypeAlias = "None | bool | int | str | Sequence[Data] | Mapping[str, Data]"

SCHEMAS = Path(__file__).parent / "schemas"
#: How many bytes a line may have without its end, and how deep a message may be nested.
MAX_LINE = 4 << 20
MAX_DEPTH = 32
#: The greatest size of an integer: what most languages hold without further thought.
MAX_INTEGER = (1 << 63) - 1
_SHOWN = 200


class NoMessage(ValueError):
    """A line that does not pass the gate; the text says why."""


# The gate ----------------------------------------------------------------------------


_ASCII = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False)
_ENCODER = msgspec.json.Encoder()


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as one line of ASCII, its end included.

    Raises `TypeError` or `ValueError` for values that JSON does not have. The line passes `decode` if it holds no
    fraction and no half of a surrogate pair, within the bounds of length and depth; rules have none of these.
    """
    try:
        line = _ENCODER.encode(message)
    except (UnicodeEncodeError, TypeError, ValueError, RecursionError):
        line = b"\xff"  # the other encoder says what is wrong, or how it is written
    return (line if line.isascii() else _ASCII.encode(message).encode("ascii")) + b"\n"


def decode(line: bytes, *, length: int = MAX_LINE, depth: int = MAX_DEPTH) -> Message:
    """Return the object that a line holds, or raise `NoMessage`."""
    if len(line) > length and len(line.rstrip(b"\r\n")) > length:
        raise NoMessage(too_long(length))
    try:
        message = _DECODER.decode(line)
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise NoMessage(_reason(line, error)) from error
    if not isinstance(message, dict):
        raise NoMessage(f"no object but {shorten(line.decode())}")
    if not _is_plain(line, message):
        _look_closely(line, message, depth)
    return message


def read_messages(source: BinaryIO) -> Iterator[Message | NoMessage]:
    """Yield the message of each line, or why it is none; of a line that is too long nothing is read as another."""
    while line := source.readline(MAX_LINE + 2):
        if len(line) > MAX_LINE + 1 and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = source.readline(MAX_LINE)
            yield NoMessage(too_long())
            continue
        try:
            yield decode(line)
        except NoMessage as error:
            yield error


def too_long(length: int = MAX_LINE) -> str:
    """Return the message for a line that is longer than the limit."""
    return f"a line of more than {length} bytes"


def _refuse_fraction(text: str) -> NoReturn:
    raise NoMessage(f"{shorten(text, 40)} is no integer")


_DECODER = msgspec.json.Decoder(float_hook=_refuse_fraction)


def _reason(line: bytes, error: Exception) -> str:
    """Return why a line is no JSON; the reader of the standard library says it best, where it agrees."""
    try:
        json.loads(line.decode("utf-8"), parse_float=_refuse_fraction, parse_constant=_refuse_fraction)
        said = "half of a surrogate pair is alone" if b"\\u" in line else str(error)
    except (ValueError, RecursionError) as found:
        said = str(found)
    return f"no JSON: {said}; the line begins {shorten(line.decode('utf-8', 'replace'))}"


_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
#: Every digit as a nought, so that many in a row are found at once.
_DIGITS = bytes(ord("0") if chr(code).isdecimal() and code < 128 else code for code in range(256))
_MANY_DIGITS = b"0" * len(str(MAX_INTEGER))
#: Most messages are no deeper.
_SHALLOW = 8


def _is_plain(line: bytes, message: Message) -> bool:
    """Say whether the bytes alone show that nothing is wrong with a message that could be read.

    Without a backslash every quotation mark begins or ends a string. If the
    message written anew has as many of them, no string was lost in reading it,
    so no key appears twice. A number beyond 64 bits has nineteen digits. Taking
    out brackets that close at once, again and again, takes out a level a time.
    """
    if b"\\" in line or _MANY_DIGITS in line.translate(_DIGITS):
        return False
    if line.count(b'"') != _ENCODER.encode(message).count(b'"'):
        return False
    brackets = line.translate(None, _BRACKETS)
    levels = 0
    while brackets and levels < _SHALLOW:
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
        levels += 1
    return not brackets


def _look_closely(line: bytes, message: Message, depth: int) -> None:
    """Raise `NoMessage` for faults that the JSON reader lets pass: depth, doubled keys, large integers."""
    if _is_deeper(message, depth):
        raise NoMessage(f"nested deeper than {depth} levels")
    json.loads(line, object_pairs_hook=_refuse_doubled, parse_int=_refuse_large)


def _refuse_doubled(pairs: list[tuple[str, Any]]) -> None:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        doubled = next(key for key in keys if keys.count(key) > 1)
        raise NoMessage(f"the key {shorten(repr(doubled))} appears twice in an object")


def _refuse_large(text: str) -> None:
    if len(text) > len(str(-MAX_INTEGER)) or abs(int(text)) > MAX_INTEGER:
        raise NoMessage(f"{shorten(text, 40)} has more than 64 bits")


def _is_deeper(message: Message, levels: int) -> bool:
    """Say whether something is nested below this number of levels."""
    level: list[Any] = [message]
    while level and levels:
        inside = (value.values() if isinstance(value, dict) else value for value in level)
        level = [item for values in inside for item in values if isinstance(item, (dict, list))]
        levels -= 1
    return bool(level)


def words_in(value: Data) -> Iterator[str]:
    """Yield every text inside a value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from words_in(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from words_in(item)


# Shapes ------------------------------------------------------------------------------


def is_valid(kind: str, message: object) -> bool:
    """Say whether a message follows the schema of its kind."""
    return _validator(kind).is_valid(message)


def fault(kind: str, message: object) -> str | None:
    """Return where and how a message differs from the schema of its kind, or None."""
    error = _validator(kind).find_error(message)
    if error is None:
        return None
    where = shorten("/".join(map(str, error.path))) or "the message"
    return f"{where}: {shorten(_describe_mismatch(error))}"


def _describe_mismatch(error: SchemaMismatch) -> str:
    """Return the fault in words; where one of several shapes is needed, the fault of each shape."""
    failed = [branch[0].message for branch in error.branches if branch]
    if len(failed) < len(error.branches):
        return "several things at once, where only one is allowed"
    return "; or ".join(failed) or error.message


def schema(kind: str) -> Schema:
    """Return the schema of a kind of message."""
    return _schemas()[kind]


def kinds() -> tuple[str, ...]:
    """Return the names of all schemas."""
    return tuple(_schemas())


@lru_cache(maxsize=1)
def _schemas() -> dict[str, Schema]:
    files = sorted(SCHEMAS.glob("*.schema.json"))
    return {file.name.removesuffix(".schema.json"): json.loads(read_named(file)) for file in files}


@lru_cache(maxsize=32)
def _validator(kind: str) -> Validator:
    return compile_schema(schema(kind))


#: Spaces where no line may break, as French has them before some marks; Python does not take them for printable.
_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


def shorten(text: str, limit: int = _SHOWN) -> str:
    """Return a text fit to be shown on one line: printable, and not too long."""
    clean = "".join(
        character if character.isprintable() or character in _SPACES else "\N{REPLACEMENT CHARACTER}"
        for character in text[: 4 * limit]
    )
    return clean if len(clean) <= limit else f"{clean[:limit]} ..."
