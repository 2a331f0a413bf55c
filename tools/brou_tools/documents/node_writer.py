"""Writers of books, node by node."""

from __future__ import annotations

from typing import get_args

from docutils import nodes

from brou_tools.documents.nodes import Kind, kind_of


class NodeWriter:
    """Writes each node with its children; a subclass has a method `write_KIND` for every kind of node."""

    def __init_subclass__(cls) -> None:
        lacking = [name for name in map(_method, get_args(Kind)) if not hasattr(cls, name)]
        if lacking:
            raise TypeError(f"{cls.__qualname__} cannot write every book: it lacks {', '.join(lacking)}")

    def write(self, node: nodes.Node) -> str:
        """Return a node as text; raise `TypeError` for one that no book is made of."""
        written: str = getattr(self, _method(type(kind_of(node))))(node)
        return written


def _method(kind: type[nodes.Node]) -> str:
    return f"write_{kind.__name__.lower()}"
