"""A doctree as one HTML page that needs no other file: style and pictures are in it, notes at its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes

from brou.atomic import read_named
from brou_tools.documents import nodes as own
from brou_tools.documents.node_writer import NodeWriter
from brou_tools.drawing.sharing import share_shapes

#: Between the pages that a book lies below.
_BETWEEN = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
_STYLE = Path(__file__).parent / "book.css"
#: Makes a browser take a suit for a letter, not for a little picture.
_AS_TEXT = {ord(suit): f"{suit}\ufe0e" for suit in "♠♥♦♣"}


#: Nothing is fetched and nothing runs; columns and widths are styles of their elements.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def page(document: nodes.document, above: Sequence[tuple[str, str]] = ()) -> str:
    """Return the book as a page; `above` names the pages of a site that it lies below, with their places."""
    head: Mapping[str, Any] = document.attributes
    writer = _HtmlWriter(document)
    body = share_shapes(writer.inside(document))
    style = read_named(_STYLE).decode()
    title = f"{head['title']}. {head['subtitle']}"
    kind = ' class="booklet"' if head.get("form") == "booklet" else ""
    links = _BETWEEN.join(f'<a href="{_quote_attribute(place)}">{_text(name)}</a>' for place, name in above)
    trail = f'<nav class="trail">{links}</nav>\n' if above else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{head["lang"]}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{_text(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n{trail}<main{kind}>\n{body}\n</main>\n{writer.notes()}\n</body>\n</html>\n"
    )


def write_parts(document: nodes.document, parts: Iterable[nodes.Node]) -> str:
    """Return parts of a book as on its page, without notes."""
    writer = _HtmlWriter(document)
    return "".join(writer.write(part) for part in parts)


def _text(words: str) -> str:
    return escape(words.translate(_AS_TEXT), quote=False)


def _quote_attribute(words: str) -> str:
    return escape(words, quote=True)


class _HtmlWriter(NodeWriter):
    def __init__(self, document: nodes.document) -> None:
        self._document = document
        self._head: Mapping[str, Any] = document.attributes
        self._notes: list[str] = []

    def inside(self, node: nodes.Element) -> str:
        """Return all children."""
        return self._join(node.children)

    def _join(self, children: Iterable[nodes.Node]) -> str:
        return "".join(self.write(child) for child in children)

    def notes(self) -> str:
        """Return the notes that were called, each with a way back."""
        items = "".join(
            f'<li id="note-{number}">{words} <a href="#call-{number}" aria-label="{number}">↑</a></li>\n'
            for number, words in enumerate(self._notes, 1)
        )
        return f'<footer class="notes"><hr><ol>\n{items}</ol></footer>' if items else ""

    # Words ----------------------------------------------------------------------

    def write_text(self, node: nodes.Text) -> str:
        return _text(node.astext())

    def write_paragraph(self, node: nodes.paragraph) -> str:
        classes = f' class="{" ".join(node["classes"])}"' if node["classes"] else ""
        return f"<p{classes}>{self.inside(node)}</p>\n"

    def write_strong(self, node: nodes.strong) -> str:
        return f"<strong>{self.inside(node)}</strong>"

    def write_emphasis(self, node: nodes.emphasis) -> str:
        return f"<em>{self.inside(node)}</em>"

    def write_literal(self, node: nodes.literal) -> str:
        return f"<code>{self.inside(node)}</code>"

    def write_note(self, node: own.note) -> str:
        self._notes.append(self.inside(node))
        number = len(self._notes)
        return f'<a class="noteref" id="call-{number}" href="#note-{number}" role="doc-noteref">{number}</a>'

    def write_cite(self, node: own.cite) -> str:
        id_ = _text(node.astext())
        if node.get("located"):
            return f'<a href="#{_quote_attribute(node["target"])}">{id_}</a>'
        inner = f'<a href="#{_quote_attribute(node["target"])}">{id_}</a>' if node["target"] else id_
        return f'<span class="id">{inner}</span>'

    def write_term(self, node: own.term) -> str:
        return f'<a class="term" href="#{_quote_attribute(node["target"])}">{self.inside(node)}</a>'

    # Blocks ---------------------------------------------------------------------

    def write_rule(self, node: own.rule) -> str:
        asked = "".join(f" <br>{self.write(link)}" for link in node["questions"])
        id_ = node["clause"]
        return (
            f'<div class="rule" id="{_quote_attribute(id_)}"><p>{self.inside(node)}</p>'
            f'<span class="id">{_text(id_)}{asked}</span></div>\n'
        )

    def write_section(self, node: nodes.section) -> str:
        title, *rest = node.children
        id_ = _quote_attribute(node["ids"][0])
        return f'<section id="{id_}">\n<h2>{_text(title.astext())}</h2>\n{self._join(rest)}</section>\n'

    def write_panel(self, node: own.panel) -> str:
        tag, kind = ("div", "example") if node["kind"] == "example" else ("aside", node["kind"])
        name = node["name"]
        key = f" <code>{_text(node['key'])}</code>" if node.get("key") else ""
        label = f'<div class="label">{_text(node["label"])}<span class="id">{_text(name)}{key}</span></div>'
        head = f"{label}<h3>{_text(node['title'])}</h3>"
        return f'<{tag} class="{kind}" id="{_quote_attribute(name)}">{head}\n{self.inside(node)}</{tag}>\n'

    def write_reading(self, node: own.reading) -> str:
        return f'<p class="reading">{self.inside(node)} <code class="id">{_text(node["name"])}</code></p>\n'

    def write_together(self, node: own.together) -> str:
        id_ = f' id="{_quote_attribute(node["ids"][0])}"' if node["ids"] else ""
        return f"<div{id_}>{self.inside(node)}</div>\n"

    def write_bullet_list(self, node: nodes.bullet_list) -> str:
        items = (item for item in node.children if isinstance(item, nodes.Element))
        return "<ul>\n" + "".join(f"<li>{self.inside(item)}</li>\n" for item in items) + "</ul>\n"

    def write_drawing(self, node: own.drawing) -> str:
        caption = f"<figcaption>{_text(node['caption'])}</figcaption>" if node["caption"] else ""
        return f"<figure>{node['picture'].svg(node['width']).strip()}{caption}</figure>\n"

    def write_gallery(self, node: own.gallery) -> str:
        style = f"grid-template-columns: repeat({node['columns']}, 1fr)"
        return f'<div class="gallery" style="{style}">{self.inside(node)}</div>\n'

    def write_table(self, node: nodes.table) -> str:
        title = node.children[0]
        caption = f"<caption>{_text(title.astext())}</caption>" if isinstance(title, nodes.title) else ""
        head = "".join(
            self._row(row, ' scope="col"', "th") for part in node.findall(nodes.thead) for row in part.children
        )
        body = "".join(self._row(row, "", "td") for part in node.findall(nodes.tbody) for row in part.children)
        widths = [int(spec["colwidth"]) for spec in node.findall(nodes.colspec)]
        columns = "".join(f'<col style="width: {width / sum(widths):.0%}">' for width in widths)
        return f"<table>{caption}<colgroup>{columns}</colgroup><thead>{head}</thead><tbody>{body}</tbody></table>\n"

    def _row(self, row: nodes.Node, scope: str, tag: str) -> str:
        cells = (entry for entry in row.children if isinstance(entry, nodes.Element))
        return "<tr>" + "".join(f"<{tag}{scope}>{self.inside(entry)}</{tag}>" for entry in cells) + "</tr>"

    def write_literal_block(self, node: nodes.literal_block) -> str:
        return f"<pre><code>{_text(node.astext())}</code></pre>\n"

    def write_beside(self, node: own.beside) -> str:
        said, written = (self._join(side.children) for side in node.children)
        return f'<div class="beside"><div>{said}</div><div class="written">{written}</div></div>\n'

    def write_tinted(self, node: own.tinted) -> str:
        return f'<div class="tinted">{self.inside(node)}</div>\n'

    def write_columns(self, node: own.columns) -> str:
        shares = " ".join(f"{share}fr" for share in node["shares"])
        cells = "".join(f"<div>{self.inside(cell)}</div>" for cell in node.children if isinstance(cell, nodes.Element))
        return f'<div class="columns" style="grid-template-columns: {shares}">{cells}</div>\n'

    def write_tickbox(self, node: own.tickbox) -> str:
        return f'<span class="tick">{"☒" if node["on"] else "☐"}\u00a0{self.inside(node)}</span>'

    def write_rubric(self, node: nodes.rubric) -> str:
        return f"<h3>{_text(node.astext())}</h3>\n"

    def write_leaf(self, node: own.leaf) -> str:
        match node["kind"]:
            case "title":
                title, subtitle, *rest = node.children
                named = f"<h1>{_text(title.astext())}</h1>\n<p>{_text(subtitle.astext())}</p>\n"
                return f'<header class="front">{named}{self._join(rest)}</header>\n'
            case "contents":
                return self._contents()
        return f'<div class="{node["kind"]}">{self.inside(node)}</div>\n'

    def _contents(self) -> str:
        entries = "".join(
            f'<li><a href="#{_quote_attribute(part["ids"][0])}">{_text(part.children[0].astext())}</a></li>\n'
            for part in self._document.findall(nodes.section)
        )
        return f"<nav><h2>{_text(self._head['contents'])}</h2><ol>\n{entries}</ol></nav>\n"
