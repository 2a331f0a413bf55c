"""From a doctree to print, through typst: the same bytes whenever it is made."""

from __future__ import annotations

from typing import Any

from docutils import nodes

from brou import Impossible
from brou.atomic import read_named
from brou_tools.rulebook.typst_writer import BOOKLET, TEMPLATE, source


def pdf(document: nodes.document, paper: str = "a5") -> bytes:
    """Return the book as a tagged PDF with its fonts in it, which screen readers can read (PDF/UA-1)."""
    return b"".join(_compile(document, paper))


def pages(document: nodes.document, paper: str = "a5", resolution: float = 96) -> list[bytes]:
    """Return every page as a PNG."""
    return _compile(document, paper, resolution)


def _compile(document: nodes.document, paper: str, resolution: float | None = None) -> list[bytes]:
    """Return the one PDF of a book or, at a resolution, its pages."""
    try:
        import typst  # noqa: PLC0415 - not everybody needs it
    except ImportError as error:
        raise Impossible("a PDF needs typst: pip install 'brou[books]'") from error
    files: Any = {"main": source(document, paper).encode(), "book.typ": read_named(TEMPLATE)}
    files["booklet.typ"] = read_named(BOOKLET)
    if resolution is None:
        return [typst.compile(files, ignore_system_fonts=True, format="pdf", pdf_standards=["ua-1"])]
    made: Any = typst.compile(
        files, ignore_system_fonts=True, format="png", ppi=resolution
    )  # its stub forgets the list
    return [*made] if isinstance(made, list) else [made]
