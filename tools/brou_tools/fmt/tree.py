"""The text of a file: its values with the comments beside them.

PyYAML tells where values are and passes over comments, which lie between its tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from brou import Node
from brou.language import Scalar

#: Between tokens there is nothing but blanks, ends of lines and comments.
_COMMENT = re.compile(r"#[^\n]*")


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment of a line, and whether a blank line follows it."""

    text: str
    spaced: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Writing:
    """A value as it is written: a scalar, or the entries of a list or a mapping."""

    value: Scalar
    entries: tuple[WrittenEntry, ...]
    #: `scalar`, `list` or `mapping`.
    kind: str
    flow: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class WrittenEntry:
    """A member of a list or a mapping, with the comments above it, behind its first line, and below it."""

    #: Empty for a member of a list.
    key: str
    writing: Writing
    start: int
    column: int
    above: list[Remark] = field(default_factory=list)
    beside: list[Remark] = field(default_factory=list)
    below: list[Remark] = field(default_factory=list)

    @property
    def is_noted(self) -> bool:
        """Say whether there are comments with it or inside it."""
        return bool(self.above or self.beside or self.below) or is_noted(self.writing)


@dataclass(frozen=True, slots=True, eq=False)
class WrittenFile:
    """A whole file: its root, and the comments at its head and at its end."""

    root: Writing
    head: list[Remark] = field(default_factory=list)
    end: list[Remark] = field(default_factory=list)


def is_noted(writing: Writing) -> bool:
    """Say whether there are comments inside a value."""
    return any(one.is_noted for one in writing.entries)


def list_remarks(text: str) -> list[str]:
    """Return the comments of a text, in the order of the alphabet."""
    return sorted(found.group().rstrip() for found in _find_comments(text, list(yaml.scan(text, _LOADER))))


def read_tree(text: str, node: Node) -> WrittenFile:
    """Return a text with all its comments in their places; `node` has its values, read without fault.

    Every line of the text has its end, and that is a line feed.
    """
    tokens = list(yaml.scan(text, _LOADER))
    reader = _Reader(text, tokens)
    composed = yaml.compose(text, _LOADER)
    root = reader.read(composed, node) if composed else Writing(None, (), "scalar", flow=False, start=0, end=0)
    placing = _Placing(text, WrittenFile(root), reader.dashes)
    for found in _find_comments(text, tokens):
        placing.place(found)
    return placing.file


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _find_comments(text: str, tokens: list[yaml.Token]) -> Iterator[re.Match[str]]:
    """Yield the comments between tokens, and those behind the sign of a folded or literal text."""
    at = 0
    for token in tokens:
        start, end = token.start_mark.index, token.end_mark.index
        if end <= start:
            continue
        yield from _COMMENT.finditer(text, at, start)
        if isinstance(token, yaml.ScalarToken) and token.style in {"|", ">"}:
            yield from _COMMENT.finditer(text, start, text.index("\n", start))
        at = end
    yield from _COMMENT.finditer(text, at)


class _Reader:
    """Puts together what PyYAML tells of the places of values and what our own reader tells of the values."""

    def __init__(self, text: str, tokens: list[yaml.Token]) -> None:
        self.text = text
        self.dashes = [one.start_mark.index for one in tokens if isinstance(one, yaml.BlockEntryToken)]

    def read(self, composed: yaml.Node, node: Node) -> Writing:
        """Return a value with all its content."""
        start, end = composed.start_mark.index, composed.end_mark.index
        if not isinstance(composed, yaml.CollectionNode):
            scalar = None if isinstance(node.value, (tuple, dict)) else node.value
            return Writing(scalar, (), "scalar", flow=False, start=start, end=end)
        flow = bool(composed.flow_style)
        if isinstance(composed, yaml.SequenceNode):
            items = tuple(
                self._item(one, below, flow=flow) for one, below in zip(composed.value, node.items, strict=True)
            )
            return Writing(None, items, "list", flow=flow, start=start, end=end)
        pairs = zip(composed.value, node.fields.items(), strict=True)
        fields = tuple(self._field(key, one, below) for (key, one), (_, below) in pairs)
        return Writing(None, fields, "mapping", flow=flow, start=start, end=end)

    def _item(self, composed: yaml.Node, node: Node, *, flow: bool) -> WrittenEntry:
        start = composed.start_mark.index
        if not flow:
            start = self.dashes[bisect_left(self.dashes, start) - 1]
        return WrittenEntry("", self.read(composed, node), start, self._column(start))

    def _field(self, key: yaml.ScalarNode, composed: yaml.Node, node: Node) -> WrittenEntry:
        start = key.start_mark.index
        return WrittenEntry(str(key.value), self.read(composed, node), start, self._column(start))

    def _column(self, index: int) -> int:
        return index - (self.text.rfind("\n", 0, index) + 1)


class _Placing:
    """Gives each comment to its entry."""

    def __init__(self, text: str, file: WrittenFile, dashes: list[int]) -> None:
        self.text, self.file, self.dashes = text, file, set(dashes)
        self.entries: list[WrittenEntry] = []
        #: Of each entry the value that it stands in, and the entry of that value.
        self.around: dict[WrittenEntry, tuple[Writing, WrittenEntry | None]] = {}
        self._collect(file.root, None)
        self.starts = [one.start for one in self.entries]

    def _collect(self, writing: Writing, above: WrittenEntry | None) -> None:
        for one in writing.entries:
            self.entries.append(one)
            self.around[one] = writing, above
            self._collect(one.writing, one)

    def place(self, found: re.Match[str]) -> None:
        """Give a comment to its entry."""
        at = found.start()
        before = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        remark = Remark(found.group().rstrip(), spaced=self._is_spaced(found.end()))
        number = bisect_left(self.starts, at)
        last = self.entries[number - 1] if number else None
        following = self.entries[number] if number < len(self.entries) else None
        if last is None:
            self.file.head.append(remark)
        elif not before.strip():
            self._place_line(remark, at, len(before), last, following)
        elif before.strip(" -") == "" and following is not None:
            following.above.append(remark)
        else:
            owner = self._climb_flow(last, at)
            (self.file.end if owner is None else owner.above if owner.beside else owner.beside).append(remark)

    def _is_spaced(self, end: int) -> bool:
        """Say whether a blank line follows a comment, and something else after it."""
        rest = self.text[end:]
        return rest[: len(rest) - len(rest.lstrip())].count("\n") > 1 and bool(rest.strip())

    def _climb_flow(self, entry: WrittenEntry, at: int) -> WrittenEntry | None:
        """Return the outermost entry in flow style that has ended before a place, or None for the whole file."""
        around, owner = self.around[entry]
        while around.flow and around.end <= at:
            if owner is None:
                return None
            entry = owner
            around, owner = self.around[entry]
        return entry

    def _place_line(
        self, remark: Remark, at: int, column: int, last: WrittenEntry, following: WrittenEntry | None
    ) -> None:
        """Give a comment that has a line of its own to the entry below it, or above it where it is indented deeper."""
        owner = self._climb_flow(last, at)
        around = None if owner is None else self.around[owner][0]
        if owner is not None and not owner.writing.entries and owner.writing.start > at:
            owner.above.append(remark)
        elif owner is not None and owner.writing.flow and owner.writing.start < at < owner.writing.end:
            # The entries of the list or mapping follow, if there are any.
            (owner if not owner.writing.entries or following is None else following).above.append(remark)
        elif around is not None and around.flow:
            inside = following is not None and following.start < around.end
            (following.above if inside and following is not None else last.below).append(remark)
        elif following is not None and (column <= following.column or owner is None):
            following.above.append(remark)
        else:
            self._place_deeper(remark, column, owner, following)

    def _place_deeper(
        self, remark: Remark, column: int, owner: WrittenEntry | None, following: WrittenEntry | None
    ) -> None:
        """Give a comment that is indented deeper than what follows to the entry above it that is no deeper."""
        while owner is not None and owner.column > column:
            owner = self.around[owner][1]
        if following is not None and (owner is None or owner.column <= following.column):
            following.above.append(remark)
        else:
            (self.file.end if owner is None else owner.below).append(remark)
