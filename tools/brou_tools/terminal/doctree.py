"""A doctree as lines for a terminal: pictures by their words, ids in brackets, tables as lines under each other."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from docutils import nodes

from brou_tools.documents import nodes as own
from brou_tools.terminal.columns import count_columns


def lines(node: nodes.Node, indent: str = "", width: int = 0) -> Iterator[str]:
    """Yield the lines of a node, indented below a heading; as wide as the terminal where no width is given."""
    yield from _Layout(width or count_columns()).lines(node, indent)


def inline(node: nodes.Node) -> str:
    """Return a node as a line, ids in brackets."""
    if isinstance(node, own.cite):
        return f"[{node.astext()}]"
    return "".join(map(inline, node.children)) if isinstance(node, nodes.Element) else node.astext()


@dataclass(frozen=True, slots=True)
class _Layout:
    width: int

    def lines(self, node: nodes.Node, indent: str) -> Iterator[str]:
        """Yield the lines of a node."""
        inner = f"{indent}  "
        match node:
            case nodes.section():
                title, *rest = node.children
                yield from self._wrap(title.astext(), indent)
                for child in rest:
                    yield from self.lines(child, inner if title.astext() else indent)
                yield ""
            case nodes.paragraph() | nodes.rubric():
                yield from self._wrap(inline(node), indent)
            case own.drawing():
                said = node.get("short", node["picture"].words)
                yield from self._wrap(said, indent) if said else ()
            case nodes.table() | nodes.literal_block():
                yield from self._lay_out(node, inner)
            case nodes.bullet_list():
                for item in node.children:
                    yield from self._wrap(inline(item), indent, "- ")
            case nodes.Element():
                for child in node.children:
                    yield from self.lines(child, indent)

    def _lay_out(self, node: nodes.table | nodes.literal_block, indent: str) -> Iterator[str]:
        """Yield the lines of a table, or those that stay as they are."""
        if isinstance(node, nodes.table):
            yield from self._rows(node, indent)
        else:
            yield from (f"{indent}{line}" for line in node.astext().splitlines())

    def _rows(self, table: nodes.table, indent: str) -> Iterator[str]:
        """Yield a line for each row: its first cell, then the others."""
        rows = [row for body in table.findall(nodes.tbody) for row in body.children]
        cells = [[inline(entry) for entry in row.children] for row in rows]
        column = max((len(first) for first, *_ in cells if len(first) <= self.width // 2), default=0)
        for first, *rest in cells:
            if len(first) > column:
                yield from self._wrap(first, indent)
            yield from self._wrap("  ".join(rest), indent, f"{first if len(first) <= column else '':{column}}  ")

    def _wrap(self, words: str, indent: str, head: str = "") -> list[str]:
        under = indent + " " * len(head)
        return textwrap.wrap(
            words, self.width, initial_indent=indent + head, subsequent_indent=under, break_on_hyphens=False
        ) or [""]
