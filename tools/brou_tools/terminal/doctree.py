"""A doctree as lines for a terminal: pictures by their words, ids in brackets, tables as lines under each other."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from docutils import nodes

from brou_tools.documents import nodes as own

_WIDTH = 110


def lines(node: nodes.Node, indent: str = "") -> Iterator[str]:
    """Yield the lines of a node, everything below a heading indented under it."""
    inner = f"{indent}  "
    match node:
        case nodes.section():
            title, *rest = node.children
            yield from _wrap_words(title.astext(), indent)
            for child in rest:
                yield from lines(child, inner if title.astext() else indent)
            yield ""
        case nodes.paragraph() | nodes.rubric():
            yield from _wrap_words(inline(node), indent)
        case own.drawing():
            said = node.get("short", node["picture"].words)
            yield from _wrap_words(said, indent) if said else ()
        case nodes.table() | nodes.literal_block():
            yield from _laid_out(node, inner)
        case nodes.bullet_list():
            for item in node.children:
                yield from _wrap_words(inline(item), indent, "- ")
        case nodes.Element():
            for child in node.children:
                yield from lines(child, indent)


def inline(node: nodes.Node) -> str:
    """Return a node as a line, ids in brackets."""
    if isinstance(node, own.cite):
        return f"[{node.astext()}]"
    return "".join(map(inline, node.children)) if isinstance(node, nodes.Element) else node.astext()


def _laid_out(node: nodes.table | nodes.literal_block, indent: str) -> Iterator[str]:
    """Yield the lines of a table, or those that stand as they are."""
    if isinstance(node, nodes.table):
        yield from _rows(node, indent)
    else:
        yield from (f"{indent}{line}" for line in node.astext().splitlines())


def _rows(table: nodes.table, indent: str) -> Iterator[str]:
    """Yield a line for each row: its first cell, then the others."""
    cells = [[inline(entry) for entry in row.children] for body in table.findall(nodes.tbody) for row in body.children]
    width = max((len(first) for first, *_ in cells if len(first) <= _WIDTH // 2), default=0)
    for first, *rest in cells:
        if len(first) > width:
            yield from _wrap_words(first, indent)
        yield from _wrap_words("  ".join(rest), indent, f"{first if len(first) <= width else '':{width}}  ")


def _wrap_words(words: str, indent: str, head: str = "") -> list[str]:
    under = indent + " " * len(head)
    return textwrap.wrap(
        words, _WIDTH, initial_indent=indent + head, subsequent_indent=under, break_on_hyphens=False
    ) or [""]
