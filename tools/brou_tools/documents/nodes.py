"""Nodes of a rulebook beside those of docutils: rules with notes, boxes, pictures with their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from docutils import nodes

from brou_tools.drawing.svg import Picture


class rule(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes like this
    """One clause: its text with notes; `clause` is its id, `questions` are links to the questions about it."""


class note(nodes.Inline, nodes.TextElement):  # noqa: N801 - likewise
    """A footnote at the place where it is called."""


class cite(nodes.Inline, nodes.TextElement):  # noqa: N801 - likewise
    """The id of a clause or question, `target` if it is elsewhere in the book.

    A `located` one has words that lead to the target; print adds the page, unless the target `after` it is on the same.
    """


class term(nodes.Inline, nodes.TextElement):  # noqa: N801 - likewise
    """A word with a link to its explanation, the entry `target` of the glossary."""


class panel(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """A box: `kind` question, open or example, `label` over its title, `name` its id if it has one."""


class reading(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """The argument for a reading of a question, or against it; `name` is its name in the data."""


class together(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """A block that no page break may split."""


class drawing(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """A picture with its words: `picture`, `width` in millimetres, `caption`."""


class gallery(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """Drawings side by side, `columns` of them in a line."""


class beside(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """Two blocks side by side, one child each: a text, and the lines of the rules that carry it out."""


class tinted(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """A box of a pale colour, without a label."""


class columns(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """Blocks side by side, a container each, `shares` of the width."""


class tickbox(nodes.Inline, nodes.TextElement):  # noqa: N801 - likewise
    """An answer with its box to tick, `on` if the edition answers so."""


class leaf(nodes.General, nodes.Element):  # noqa: N801 - likewise
    """A page of its own: `kind` title, summary, colophon, or one of a booklet: cover, page, table, flow."""


#: In millimetres: the line of a box on the smaller paper, what is between two drawings, what their words need.
LINE, GAP, LEAST = 107.0, 2.5, 19.0

#: Between a run-in heading in italics and what follows: such a heading leans into a common space.
RUN_IN = "\u2002"

OWN = (rule, note, cite, term, panel, reading, together, drawing, gallery, beside, tinted, columns, tickbox, leaf)

#: Every kind of node that a book is made of; titles, items of lists and rows are written with what holds them.
Kind: TypeAlias = (
    nodes.Text
    | nodes.paragraph
    | nodes.strong
    | nodes.emphasis
    | nodes.literal
    | note
    | cite
    | term
    | rule
    | nodes.section
    | panel
    | reading
    | together
    | nodes.bullet_list
    | drawing
    | gallery
    | nodes.table
    | nodes.literal_block
    | beside
    | tinted
    | columns
    | tickbox
    | nodes.rubric
    | leaf
)


def kind_of(node: nodes.Node) -> Kind:
    """Return a node as one of the kinds that books are made of; raise `TypeError` for any other."""
    if isinstance(node, Kind):
        return node
    raise TypeError(f"no book is made of {type(node).__name__}")


def text(words: str) -> nodes.Text:
    """Return words as a node."""
    return nodes.Text(words)


def paragraph(*parts: nodes.Node | str, classes: Sequence[str] = ()) -> nodes.paragraph:
    """Return a paragraph of words and inline nodes."""
    return nodes.paragraph("", "", *map(_node, parts), classes=list(classes))


def strong(words: str) -> nodes.strong:
    """Return words in bold."""
    return nodes.strong(text=words)


def emphasis(words: str) -> nodes.emphasis:
    """Return words in italics."""
    return nodes.emphasis(text=words)


def make_citation(id_: str, *, here: bool = True) -> cite:
    """Return the id of a clause, as a link where the book has it."""
    return cite("", "", text(id_), target=id_ if here else "")


def locate(id_: str, words: str, after: str = "") -> cite:
    """Return a link to an id of the book; print adds its page, unless the id `after` it is on the same page."""
    return cite("", "", text(words), target=id_, located=True, after=after)


def make_drawing(picture: Picture, width: float, caption: str = "") -> drawing:
    """Return a picture of a width in millimetres."""
    return drawing("", picture=picture, width=width, caption=caption)


def make_gallery(drawings: Iterable[nodes.Node], columns: int) -> gallery:
    """Return drawings side by side."""
    return gallery("", *drawings, columns=columns)


def in_lines(drawings: Sequence[nodes.Element]) -> gallery:
    """Return drawings side by side, as many in a line as its width has room for."""
    widest = max(LEAST, *(found["width"] for drawn in drawings for found in drawn.findall(drawing)))
    return make_gallery(drawings, min(len(drawings), max(1, int((LINE + GAP) / (widest + GAP)))))


def set_beside(said: Iterable[nodes.Node], written: Iterable[nodes.Node]) -> beside:
    """Return a text with the lines of its rules beside it."""
    return beside("", nodes.container("", *said), nodes.container("", *written))


def make_code(lines: str, language: str) -> nodes.literal_block:
    """Return lines as in a file, in a language that can be highlighted."""
    return nodes.literal_block(lines, lines, language=language)


def section(id_: str, title: str, *children: nodes.Node) -> nodes.section:
    """Return a section with its heading."""
    return nodes.section("", nodes.title(text=title), *children, ids=[id_])


def make_list(items: Iterable[Sequence[nodes.Node]]) -> nodes.bullet_list:
    """Return a list, each item made of nodes."""
    return nodes.bullet_list("", *(nodes.list_item("", *item) for item in items))


def table(
    head: Sequence[str], rows: Sequence[Sequence[nodes.Node | str]], widths: Sequence[int], *, title: str = ""
) -> nodes.table:
    """Return a table of a heading and rows, a paragraph a cell, with an optional `title`."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in widths), cols=len(widths))
    group += nodes.thead("", _row(head))
    group += nodes.tbody("", *map(_row, rows))
    found = nodes.table("", group)
    if title:
        found.insert(0, nodes.title(text=title))
    return found


def _row(cells: Sequence[nodes.Node | str]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", _cell(cell)) for cell in cells))


def _cell(cell: nodes.Node | str) -> nodes.Node:
    return cell if isinstance(cell, nodes.paragraph) else paragraph(cell)


def _node(part: nodes.Node | str) -> nodes.Node:
    return text(part) if isinstance(part, str) else part
