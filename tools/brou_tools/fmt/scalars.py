"""How a text is written: plain, in quotes, or folded into lines."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import yaml
from yaml.emitter import Emitter
from yaml.resolver import Resolver

from brou.language import Scalar

#: What YAML 1.2 takes for a number and YAML 1.1 may not.
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+")
_TEXT = "tag:yaml.org,2002:str"
#: What does not stand in a file as it is: nobody sees it, or it ends a line.
_UNSEEN = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
#: Where a line may be folded: a blank that has none beside it.
_FOLD = re.compile(r"(?<=[^ ]) (?=[^ ])")
#: Where an expression is folded, what binds less first: behind a comma, or before a word or a sign that joins parts.
_JOINTS = (
    re.compile(r"(?<=,) (?=[^ ])|(?<=[^ ]) (?=(?:for|if|else) )"),
    re.compile(r"(?<=[^ ]) (?=or )"),
    re.compile(r"(?<=[^ ]) (?=and )"),
    re.compile(r"(?<=[^ ]) (?=(?:==|!=|<|<=|>|>=) )"),
    re.compile(r"(?<=[^ ]) (?=(?:\+|-) )"),
)


def write_scalar(value: Scalar, *, flow: bool) -> str:
    """Return a value in one line, in quotes if any reader of YAML would otherwise find something else."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return write_text(value, flow=flow) if isinstance(value, str) else str(value)


def write_text(text: str, *, flow: bool) -> str:
    """Return a text in one line, in quotes where YAML needs them."""
    return text if _is_plain(text, flow=flow) else quote(text)


@lru_cache(maxsize=4096)
def _is_plain(text: str, *, flow: bool) -> bool:
    """Say whether a text without quotes is that text to every reader of YAML."""
    if not text or _NUMBER.fullmatch(text) or _UNSEEN.search(text):
        return False
    found = Emitter(io.StringIO(), allow_unicode=True).analyze_scalar(text)
    if not (found.allow_flow_plain if flow else found.allow_block_plain) or found.multiline:
        return False
    resolver: Any = Resolver()
    return bool(resolver.resolve(yaml.ScalarNode, text, (True, False)) == _TEXT)


def quote(text: str) -> str:
    """Return a text in quotes: double ones, or single ones where it has double ones inside and nothing to escape."""
    escaped = json.dumps(text, ensure_ascii=False)
    if "\\" in escaped and "'" not in text and text.isprintable():
        return f"'{text}'"
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", escaped)


def fold(text: str, width: int, *, is_expression: bool = False) -> list[str] | None:
    """Return the lines of a folded text, none longer than `width` if words allow it; None if it cannot be folded.

    An expression is folded between its parts, and within a part only where that does not fit into a line.
    """
    if not text or text != text.strip() or not text.replace("\n", "").isprintable():
        return None
    paragraphs = text.split("\n")
    if any(one != one.strip() for one in paragraphs):
        return None
    wrap = _wrap_expression if is_expression else _wrap
    lines: list[str] = []
    for number, paragraph in enumerate(paragraphs):
        # One end of a line between two texts is a blank, and each further one an end of a line.
        lines += [""] if number else []
        lines += wrap(paragraph, width) if paragraph else []
    return lines


def _wrap(text: str, width: int) -> Iterator[str]:
    line, *words = _FOLD.split(text)
    for word in words:
        if len(line) + 1 + len(word) <= width:
            line += f" {word}"
        else:
            yield line
            line = word
    yield line


def _wrap_expression(text: str, width: int) -> Iterator[str]:
    while len(text) > width and (cut := _find_cut(text, width)) is not None:
        yield text[:cut]
        text = text[cut + 1 :]
    yield text


def _find_cut(text: str, width: int) -> int | None:
    """Return the blank at which the first line of an expression ends, which is longer than `width`; None without one.

    Of the joints behind the first third of the line it is that with the fewest brackets round it, then that which binds
    least, then the last.
    """
    joints = {one.start(): rank for rank, joint in enumerate(_JOINTS) for one in joint.finditer(text)}
    late = [place for place in joints if width // 3 <= place <= width]
    if late:
        return min(late, key=lambda place: (_count_open(text[:place]), joints[place], -place))
    blanks = [one.start() for one in _FOLD.finditer(text)]
    return max((blank for blank in blanks if blank <= width), default=min(blanks, default=None))


def _count_open(text: str) -> int:
    return sum(1 if letter in "([{" else -1 for letter in text if letter in "()[]{}")
