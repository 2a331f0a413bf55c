"""YAML, read strictly: every node keeps its place, and nothing is guessed.

YAML 1.2 scalars only (`no` is a word, `true` a truth value), no duplicate
keys, no aliases, tags or anchors, and bounds on size, depth and nodes, so that
a hostile file is refused in a moment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from os import SEEK_END
from pathlib import Path
from typing import NoReturn

import yaml

from brou.errors import MOST_FAULTS, Fault, Malformed, Place, TooMany, find_unseen
from brou.language.node import Node, PlacedFields, Scalar

#: Bounds of one file; the largest of ours has 87 000 bytes, 15 levels, 4400 values, 133 of them in one list, and a text
#: of 580 characters. What lies within is read in a fraction of a second.
MAX_BYTES = 300_000
MAX_DEPTH = 40
MAX_NODES = 50_000
MAX_MEMBERS = 1000
MAX_TEXT = 20_000

#: What to do where the YAML reader stops, by a piece of its sentence; its two forms, in C and in Python, differ.
_REMEDIES = {
    "got '?'": "put a word with a question mark in quotes",
    "',' or": "close the bracket, or put a text that holds brackets, braces or a comma in quotes",
    "mapping values are not allowed": "put a text that holds a colon in quotes, or begin a new line",
    "cannot start any token": "put a text that begins with such a character in quotes; indent with spaces, not tabs",
    "unexpected end of stream": "close the quotes",
    "'-' indicator": "indent the entries of a list alike",
    "could not find expected ':'": "write a colon and a blank behind each key, and texts of several lines behind `>-`",
    "expected key": "indent the keys of a mapping alike; nothing may follow closing quotes or brackets",
    "<block end>": "indent keys and entries alike; nothing may follow closing quotes or brackets",
}

#: What is said of a value that lies too deep, and how libyaml puts it, which may stop first.
_DEEPER = (f"nested deeper than {MAX_DEPTH} levels", "flatten it")
_TOO_DEEP = "exceeded maximum nesting depth"
#: Of the directives of YAML only its version means nothing to us.
_DIRECTIVE = re.compile(r"^%(?!YAML\b)\w*", re.MULTILINE)
#: A line up to the colon of the key that it begins with.
_KEY_ALONE = re.compile(r" *(?:- +)?[\w-]+:")
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}\Z")
#: What a number begins with.
_SIGNED = frozenset("+-0123456789")
_TRUTH = {"true": True, "false": False}
_NOTHING = {"", "~", "null"}


def read(path: Path, name: str | None = None, *, again: bool = True) -> Node:
    """Read one file; `name` is how messages call it. Raise `Malformed` where it is no file, or not ours to read.

    `again` says that the same text may be read again: its nodes, some forty times its size, then stay in memory.
    """
    shown = name or str(path)
    start = Place(shown, 1, 1)
    try:
        if path.exists() and not path.is_file():
            raise Malformed([Fault(start, "no plain file", "name a file of text")])
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
            size = file.seek(0, SEEK_END)
    except OSError as error:
        raise Malformed([Fault(start, f"cannot be read: {error.strerror}")]) from error
    return parse_yaml(raw, shown, size, again=again)


def read_below(folder: Path, name: str, *, again: bool = True) -> Node:
    """Read a file below a folder of others, called as messages call it; refuse a link that leads out of the folder.

    The text that such a link leads to is never read, so that no message can show it.
    """
    try:
        inside = (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links that lead in a circle: reading says so
        inside = True
    if not inside:
        fault = Fault(Place(name, 1, 1), "a link that leads out of its folder", "put the file itself there")
        raise Malformed([fault])
    return read(folder / name, name, again=again)


def parse_yaml(raw: bytes | str, name: str, size: int = 0, *, again: bool = True) -> Node:
    """Turn the text of one YAML document into nodes; `size` is how many bytes there are, where more than `raw`."""
    start = Place(name, 1, 1)
    data = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
    size = max(size, len(data))
    if size > MAX_BYTES:
        raise Malformed([Fault(start, f"the file has {size} bytes", f"at most {MAX_BYTES} are read")])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed([Fault(start, f"byte {error.start} is no UTF-8", "save the file as UTF-8")]) from error
    if directive := _DIRECTIVE.search(text):
        place = Place(name, text.count("\n", 0, directive.start()) + 1, 1)
        raise Malformed([Fault(place, f"a directive ({directive[0]})", "leave it out")])
    try:
        return _remember_document(text, name) if again else _read_document(text, name)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(name, mark.line + 1, mark.column + 1) if mark else start
        if error.problem == _TOO_DEEP:
            raise Malformed([Fault(place, *_DEEPER)]) from error
        what = f"no YAML: {error.problem or error.context}"
        instead = next((remedy for piece, remedy in _REMEDIES.items() if piece in what), "")
        lines = text.split("\n")
        before = lines[mark.line][: mark.column + 1] if mark and mark.line < len(lines) else ""
        if "\t" in before:
            instead = "write spaces in place of the tab"
        elif _KEY_ALONE.fullmatch(before):
            instead = "this key stands further in or out than the keys above it; indent the keys of a mapping alike"
        raise Malformed([Fault(place, what, instead)]) from error
    except yaml.YAMLError as error:
        raise Malformed([Fault(start, f"no YAML: {str(error).splitlines()[0]}")]) from error


def _read_document(text: str, name: str) -> Node:
    return _Builder(name).document(text)


#: The same text under the same name gives the same nodes.
_remember_document = lru_cache(maxsize=512)(_read_document)


class _Builder:
    """Builds nodes from the parser's events, and refuses what we do not want to know."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nodes = 0
        self.faults: list[Fault] = []

    def document(self, text: str) -> Node:
        parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        events: Iterator[yaml.Event] = iter(parser.get_event, None)
        node: Node | None = None
        for event in events:
            if isinstance(event, (yaml.StreamStartEvent, yaml.StreamEndEvent, yaml.DocumentEndEvent)):
                continue
            if isinstance(event, yaml.DocumentStartEvent):
                if node is not None:
                    self._refuse(event, "a second document", "keep one document a file")
                node = self._node(next(events), events, 0)
        if self.faults:
            raise Malformed(self.faults)
        return node or Node(None, Place(self.name, 1, 1))

    def _refuse(self, event: yaml.Event, what: str, instead: str) -> NoReturn:
        raise Malformed([*self.faults, Fault(self._place(event), what, instead)])

    def _place(self, event: yaml.Event) -> Place:
        mark = event.start_mark
        return Place(self.name, mark.line + 1, mark.column + 1) if mark else Place(self.name, 1, 1)

    def _node(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self._refuse(event, f"more than {MAX_NODES} values", "split the file")
        if depth > MAX_DEPTH:
            self._refuse(event, *_DEEPER)
        if not isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)):
            if isinstance(event, yaml.AliasEvent):
                self._refuse(event, "an alias (*name)", "write the value out")
            self._refuse(event, "no value", "write a scalar, a list or a mapping")
        if event.anchor:
            self._refuse(event, "an anchor (&name)", "write the value where it is needed")
        if event.tag:
            self._refuse(event, f"a tag ({event.tag})", "leave it out")
        place = self._place(event)
        if isinstance(event, yaml.ScalarEvent):
            return Node(_scalar(event, self._short(event)), place)
        if isinstance(event, yaml.SequenceStartEvent):
            return Node(tuple(self._sequence(events, depth)), place)
        return Node(self._mapping(events, depth), place)

    def _short(self, event: yaml.ScalarEvent) -> str:
        text = str(event.value)
        if len(text) > MAX_TEXT:
            self._refuse(event, f"a text of {len(text)} characters", f"at most {MAX_TEXT} are read")
        if not text.isprintable() and (unseen := find_unseen(text)):
            self._refuse(event, f"the character {unseen}, which nobody sees", "leave it out")
        return text

    def _sequence(self, events: Iterator[yaml.Event], depth: int) -> Iterator[Node]:
        count = 0
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            count += 1
            self._few(event, count)
            yield self._node(event, events, depth + 1)

    def _few(self, event: yaml.Event, count: int) -> None:
        if count > MAX_MEMBERS:
            self._refuse(event, f"more than {MAX_MEMBERS} members of one list or mapping", "split it")

    def _mapping(self, events: Iterator[yaml.Event], depth: int) -> PlacedFields:
        members = PlacedFields()
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                self._refuse(event, "a key that is no plain word", "use a word as key")
            key = self._short(event)
            self._few(event, len(members) + 1)
            value = self._node(next(events), events, depth + 1)
            if key in members:
                if len(self.faults) >= MOST_FAULTS:
                    raise TooMany(self.faults)
                self.faults.append(Fault(self._place(event), f"the key {key!r} appears twice", "keep one of them"))
            members[key] = value
            mark = event.start_mark
            members.starts[key] = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return members


def _scalar(event: yaml.ScalarEvent, text: str) -> Scalar:
    """Resolve a scalar by the YAML 1.2 core schema, floats left as text."""
    if not event.implicit[0]:
        return text
    if text in _NOTHING:
        return None
    if text[0] in _SIGNED and _INTEGER.match(text):
        return int(text)
    return _TRUTH.get(text, text)
