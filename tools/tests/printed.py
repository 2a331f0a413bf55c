"""Books in print: made once in a process, and looked at by several tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any

import pypdf
from docutils import nodes

from brou import choose
from brou_tools.documents.nodes import note, panel, rule
from brou_tools.rulebook import printing
from brou_tools.rulebook.compose import compose

#: What the names of the fonts of a book begin with.
FONTS = ("LibertinusSerif", "DejaVuSansMono")


def document(name: str, lang: str) -> nodes.document:
    """Return a book as a doctree."""
    return composed(choose(name), lang)


composed = lru_cache(maxsize=4)(compose)


@lru_cache(maxsize=4)
def printed(name: str, lang: str) -> pypdf.PdfReader:
    """Return a book in print."""
    return pypdf.PdfReader(BytesIO(printing.pdf(document(name, lang))))


@dataclass(frozen=True)
class Letters:
    """What stands in a printed book."""

    #: Without spaces and hyphens, which the end of a line may add.
    text: str
    #: The pages on which a letter has no shape: glyph 0 of a font with codes of two bytes.
    undefined: list[int]
    #: The text of each page, as it is read.
    pages: list[str]


@lru_cache(maxsize=4)
def letters(name: str, lang: str) -> Letters:
    """Read a printed book, which takes longer than making it."""
    texts, undefined = [], set[int]()
    for number, page in enumerate(printed(name, lang).pages, 1):

        def look(operator: bytes, operands: Any, *_: object, number: int = number) -> None:
            if operator in (b"Tj", b"TJ") and 0 in glyphs(operands):
                undefined.add(number)

        texts.append(page.extract_text(visitor_operand_before=look))
    return Letters(bare("".join(texts)), sorted(undefined), texts)


def glyphs(operands: Any) -> Iterator[int]:
    """Yield the glyphs that an operation shows."""
    for item in operands[0] if isinstance(operands[0], list) else operands:
        data = getattr(item, "original_bytes", item if isinstance(item, bytes) else b"")
        yield from (int.from_bytes(data[at : at + 2]) for at in range(0, len(data) - 1, 2))


def bare(text: str) -> str:
    """Return text without what the end of a line may change."""
    return re.sub(r"[\s\u00ad\u2010\u202f\u00a0-]+", "", text)


def lacking(name: str, lang: str) -> list[str]:
    """Return every rule, question and note of an edition that its printed book lacks."""
    text, doctree = letters(name, lang).text, document(name, lang)
    ids = [found["clause"] for found in doctree.findall(rule)] + [found["name"] for found in doctree.findall(panel)]
    notes = [found.astext() for found in doctree.findall(note)]
    rules = [next(iter(found.children)).astext() for found in doctree.findall(rule)]
    return [item for item in (*ids, *notes, *rules) if bare(item) not in text]


def fonts(name: str, lang: str) -> set[str]:
    """Return the names of the fonts that a book uses, all of which it contains."""
    found: dict[str, Any] = {}
    for part in printed(name, lang).pages:
        resources: Any = part["/Resources"]
        for font in resources.get("/Font", {}).values():
            found[str(font.get_object()["/BaseFont"])] = font.get_object()
    for font in found.values():
        inner = font["/DescendantFonts"][0].get_object()["/FontDescriptor"]
        assert {"/FontFile2", "/FontFile3"} & set(inner)
    return {font.partition("+")[2] for font in found}


def starts(name: str, lang: str) -> dict[str, int]:
    """Return on which page each chapter begins, from 0 on."""
    reader = printed(name, lang)
    titles = [part["ids"][0] for part in document(name, lang).findall(nodes.section)]
    marks = [mark for mark in reader.outline if isinstance(mark, dict)]
    return {id_: reader.get_destination_page_number(mark) or 0 for id_, mark in zip(titles, marks, strict=True)}
