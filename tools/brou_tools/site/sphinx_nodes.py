"""Nodes of the house as those that Sphinx can write: pictures in place, boxes as containers, ids as links."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docutils import nodes

from brou_tools.documents import nodes as own

#: How many pixels a millimetre of a picture is on a screen.
_PIXELS = 5


def on_page(node: nodes.Node, anchors: Collection[str]) -> nodes.Node:
    """Return a node for a page of the site; ids become links where the page has an anchor for them."""
    if not isinstance(node, nodes.Element):
        return node
    match node:
        case own.drawing():
            return _figure(node)
        case own.cite():
            return _make_link(node.astext(), anchors, linked=bool(node["target"]))
        case own.gallery() | own.beside():
            made: nodes.Element = nodes.container(classes=[type(node).__name__])
        case own.together():
            made = nodes.container(classes=list(node["classes"]))
        case own.panel():
            made = nodes.container(classes=[node["kind"]])
        case nodes.paragraph():
            made = _paragraph(node)
        case _:
            made = node.copy()
            if isinstance(node, nodes.section):
                made["ids"] = [anchor(id_) for id_ in node["ids"]]
            if isinstance(node, nodes.table):
                made["classes"] = [*made["classes"], "colwidths-given"]
    made += [on_page(child, anchors) for child in node.children]
    return made


def anchor(id_: str) -> str:
    """Return the name of an id in the address of a place on a page."""
    return id_.replace(".", "-").replace("_", "-")


def _paragraph(node: nodes.paragraph) -> nodes.paragraph:
    """Return a paragraph; a class `id:...` is the id of an anchor."""
    ids = [anchor(name.removeprefix("id:")) for name in node["classes"] if name.startswith("id:")]
    return nodes.paragraph(classes=[name for name in node["classes"] if not name.startswith("id:")], ids=ids)


def _make_link(id_: str, anchors: Collection[str], *, linked: bool) -> nodes.Element:
    mark = nodes.literal(text=id_, classes=["id"])
    return nodes.reference("", "", mark, internal=True, refid=anchor(id_)) if linked and id_ in anchors else mark


def _figure(node: own.drawing) -> nodes.Element:
    """Return a picture with its alternative text, and its caption below."""
    drawn = node["picture"].svg(node["width"]).strip()
    made = nodes.container(classes=["drawing"])
    made += nodes.raw(
        "", f'<div class="picture" style="width:{node["width"] * _PIXELS:.0f}px">{drawn}</div>', format="html"
    )
    if node["caption"]:
        made += nodes.paragraph(text=node["caption"], classes=["caption"])
    return made


def table(head: Sequence[str], rows: Sequence[Sequence[Sequence[nodes.Node]]], widths: Sequence[int]) -> nodes.table:
    """Return a table of a heading and rows of cells."""
    group = nodes.tgroup(cols=len(widths))
    group += [nodes.colspec(colwidth=width) for width in widths]
    group += nodes.thead("", _row([[nodes.paragraph(text=text)] for text in head]))
    group += nodes.tbody("", *map(_row, rows))
    return nodes.table("", group, classes=["colwidths-given"])


def _row(cells: Sequence[Sequence[nodes.Node]]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))


def make_paragraph(sentence: str) -> nodes.paragraph:
    """Return a paragraph with names in backquotes."""
    parts = [
        nodes.literal(text=part) if number % 2 else nodes.Text(part) for number, part in enumerate(sentence.split("`"))
    ]
    return nodes.paragraph("", "", *parts)
