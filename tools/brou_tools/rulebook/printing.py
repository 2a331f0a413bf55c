"""From a doctree to print, through typst: the same bytes whenever it is made."""

from __future__ import annotations

from typing import Any

from docutils import nodes

from brou import Impossible
from brou.written import read_named
from brou_tools.rulebook.typst_writer import TEMPLATE, source


def pdf(document: nodes.document, paper: str = "a5") -> bytes:
    """Return the book as a tagged PDF with its fonts in it, which screen readers can read (PDF/UA-1)."""
    return bytes(_compile(document, paper, format="pdf", pdf_standards=["ua-1"]))


def pages(document: nodes.document, paper: str = "a5", resolution: float = 96) -> list[bytes]:
    """Return every page as a PNG."""
    made = _compile(document, paper, format="png", ppi=resolution)
    return list(made) if isinstance(made, list) else [made]


def _compile(document: nodes.document, paper: str, **more: Any) -> Any:
    try:
        import typst  # noqa: PLC0415 - not everybody needs it
    except ImportError as error:
        raise Impossible("a PDF needs typst: pip install 'brou[rulebook]'") from error
    files: Any = {"main": source(document, paper).encode(), "book.typ": read_named(TEMPLATE)}
    return typst.compile(files, ignore_system_fonts=True, **more)
