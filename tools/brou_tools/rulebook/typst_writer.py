"""A doctree as typst source: calls of the functions in `book.typ`, every word a string, so that nothing is markup."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from docutils import nodes

from brou_tools.documents import nodes as own
from brou_tools.documents.node_writer import NodeWriter

TEMPLATE = Path(__file__).parent / "book.typ"
#: How a booklet looks, which is composed page by page.
BOOKLET = Path(__file__).parent / "booklet.typ"

#: So many parts of a chapter stay with its heading at most, boxes and tables excepted, the first and then short ones.
_OPENING, _SHORT = 2, 420

_CLASSES = ("aside", "entry", "answer", "ragged", "place", "asked", "quoted", "lead", "keyword", "under")


def source(document: nodes.document, paper: str, split: Collection[str] = ()) -> str:
    """Return the source of a book, which imports the template as `book.typ`; cases keep together but for the split."""
    head: Mapping[str, Any] = document.attributes
    settings = {key: quote(str(head[key])) for key in ("title", "subtitle", "lang", "running")}
    settings |= {"paper": quote(paper), "day": _day(str(head["date"]))}
    arguments = ", ".join(f"{key}: {value}" for key, value in settings.items())
    writer = _TypstWriter(head, split)
    if head.get("form") == "booklet":
        pages = "\n".join(f"{writer.write(child)}," for child in document.children)
        return f'#import "booklet.typ": *\n#show: booklet.with({arguments})\n#pages({pages})\n'
    return f'#import "book.typ": *\n#show: book.with({arguments})\n#{writer.inside(document)}\n'


def quote(words: str) -> str:
    """Return words as a string of typst."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def _count_opening(parts: Sequence[nodes.Node]) -> int:
    """Return how many parts of a chapter stay with its heading."""
    opening = [*takewhile(lambda part: not isinstance(part, own.panel | nodes.table), parts[:_OPENING])]
    letters = (len(link.astext()) for part in opening if isinstance(part, own.rule) for link in part["questions"])
    long = sum(letters) + sum(len(part.astext()) for part in opening) > _SHORT
    return min(len(opening), 1) if long else len(opening)


def _day(date: str) -> str:
    if not date:
        return "none"
    year, month, day = map(int, date.split("-"))
    return f"datetime(year: {year}, month: {month}, day: {day})"


class _TypstWriter(NodeWriter):
    """Writes each kind of node as one expression."""

    def __init__(self, head: Mapping[str, Any], split: Collection[str]) -> None:
        self._head = head
        self._split = split

    def inside(self, node: nodes.Element) -> str:
        """Return all children joined."""
        return self._join(node.children)

    def _join(self, children: Iterable[nodes.Node]) -> str:
        return "{\n" + "\n".join(self.write(child) for child in children) + "\n}"

    # Words ----------------------------------------------------------------------

    def write_text(self, node: nodes.Text) -> str:
        return quote(node.astext())

    def write_paragraph(self, node: nodes.paragraph) -> str:
        for name in _CLASSES:
            if name in node["classes"]:
                return f"{name}({self.inside(node)})"
        return f"par({self.inside(node)})"

    def write_strong(self, node: nodes.strong) -> str:
        return f"strong({self.inside(node)})"

    def write_emphasis(self, node: nodes.emphasis) -> str:
        return f"emph({self.inside(node)})"

    def write_literal(self, node: nodes.literal) -> str:
        return f"box(raw({quote(node.astext())}))"

    def write_note(self, node: own.note) -> str:
        return f"footnote({self.inside(node)})"

    def write_cite(self, node: own.cite) -> str:
        if node.get("located"):
            parts = (node["target"], node.astext(), node["after"], str(self._head["page"]))
            return f"leads-to({', '.join(map(quote, parts))})"
        to = f", to: {quote(node['target'])}" if node["target"] else ""
        return f"mark({quote(node.astext())}{to})"

    def write_term(self, node: own.term) -> str:
        return f"term({quote(node['target'])}, {quote(node.astext())})"

    # Blocks ---------------------------------------------------------------------

    def write_rule(self, node: own.rule) -> str:
        asked = "".join(f"{self.write(link)}, " for link in node["questions"])
        return f"rule({quote(node['clause'])}, ({asked}), {self.inside(node)})"

    def write_section(self, node: nodes.section) -> str:
        title, *rest = node.children
        many = _count_opening(rest)
        parts = f"{self._join(rest[:many])}, {self._join(rest[many:])}"
        return f"chapter({quote(node['ids'][0])}, {quote(title.astext())}, {parts})"

    def write_panel(self, node: own.panel) -> str:
        parts = ", ".join(quote(node.get(key, "")) for key in ("kind", "label", "name", "key", "title"))
        return f"panel({parts}, {self.inside(node)})"

    def write_reading(self, node: own.reading) -> str:
        return f"reading({quote(node['name'])}, {self.inside(node)})"

    def write_together(self, node: own.together) -> str:
        if node["ids"]:
            id_ = node["ids"][0]
            if "case" in node["classes"]:
                return f"case({quote(id_)}, {'true' if id_ in self._split else 'false'}, {self.inside(node)})"
            return f"named({quote(id_)}, {self.inside(node)})"
        return f"together({self.inside(node)})"

    def write_bullet_list(self, node: nodes.bullet_list) -> str:
        return f"list({', '.join(self.inside(item) for item in node.children if isinstance(item, nodes.Element))})"

    def write_drawing(self, node: own.drawing) -> str:
        picture, width = node["picture"], node["width"]
        svg = quote(picture.svg(width).strip())
        return f"drawing({svg}, {width:.2f}mm, {quote(picture.words)}, {quote(node['caption'])})"

    def write_gallery(self, node: own.gallery) -> str:
        items = "".join(f"{self.write(child)}, " for child in node.children)
        return f"gallery({node['columns']}, ({items}))"

    def write_table(self, node: nodes.table) -> str:
        title = node.children[0].astext() if isinstance(node.children[0], nodes.title) else ""
        group = node.children[-1]
        widths = "".join(f"{spec['colwidth']}, " for spec in group.findall(nodes.colspec))
        head, body = next(group.findall(nodes.thead)), next(group.findall(nodes.tbody))
        rows = "".join(f"({self._cells(row)}), " for row in body.children)
        return f"sheet(({widths}), {quote(title)}, ({self._cells(head.children[0])}), ({rows}))"

    def _cells(self, row: nodes.Node) -> str:
        return "".join(f"{self._join(entry.children[0].children)}, " for entry in row.children)

    def write_literal_block(self, node: nodes.literal_block) -> str:
        return f"written(({''.join(f'{quote(line)}, ' for line in node.astext().splitlines())}))"

    def write_beside(self, node: own.beside) -> str:
        said, written = (self._join(side.children) for side in node.children)
        return f"beside({said}, {written})"

    def write_tinted(self, node: own.tinted) -> str:
        return f"tinted({self._blocks(node)})"

    def write_columns(self, node: own.columns) -> str:
        shares = "".join(f"{share}, " for share in node["shares"])
        cells = "".join(f"{self._blocks(cell)}, " for cell in node.children if isinstance(cell, nodes.Element))
        return f"side-by-side(({shares}), ({cells}))"

    def write_tickbox(self, node: own.tickbox) -> str:
        return f"tickbox({'true' if node['on'] else 'false'}, {self.inside(node)})"

    def write_rubric(self, node: nodes.rubric) -> str:
        return f"subhead({quote(node.astext())})"

    def _spread(self, blocks: Iterable[nodes.Node]) -> str:
        """Return the blocks of a page; items of a list apart, to be spread as well."""
        written = []
        for block in blocks:
            items = block.children if isinstance(block, nodes.bullet_list) else ()
            written += [f"item({self.inside(one)}), " for one in items if isinstance(one, nodes.Element)]
            written += [] if items else [f"{self.write(block)}, "]
        return "".join(written)

    def _blocks(self, node: nodes.Element) -> str:
        return "(" + "".join(f"{self.write(child)}, " for child in node.children) + ")"

    def write_leaf(self, node: own.leaf) -> str:
        match node["kind"]:
            case "title":
                title, subtitle, kind, *rest = node.children
                words = ", ".join(quote(part.astext()) for part in (title, subtitle, kind))
                return f"front({words}, {self._join(rest)})"
            case "contents":
                return f"contents({quote(self._head['contents'])})"
            case "colophon":
                return f"last({self.inside(node)})"
            case "summary":
                part = next(node.findall(nodes.section))
                title, *rest = part.children
                listed = f"two-columns({self._join(rest)})"
                return f"summary(chapter({quote(part['ids'][0])}, {quote(title.astext())}, none, {listed}))"
            case "cover" | "page" | "table" | "flow" as kind:
                title, *rest = next(node.findall(nodes.section)).children
                named = f"title: {quote(title.astext())}, subtitle: {quote(self._head['subtitle'])}"
                return f"(kind: {quote(kind)}, {named}, blocks: ({self._spread(rest)}))"
        return self.inside(node)
