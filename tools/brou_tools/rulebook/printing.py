"""From a doctree to print, through typst: the same bytes whenever it is made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import ModuleType
from typing import Any

from docutils import nodes

from brou import Impossible
from brou.atomic import read_named
from brou_tools.rulebook.typst_writer import BOOKLET, TEMPLATE, source

#: Of what stands between the margins of a page, so much may be left empty where a case does not fit.
_EMPTY = 0.31
#: So often the pages are looked at, at most: whoever parts a case moves all that comes after.
_LOOKS = 6


def pdf(document: nodes.document, paper: str = "a5") -> bytes:
    """Return the book as a tagged PDF with its fonts in it, which screen readers can read (PDF/UA-1)."""
    typst = _import_typst()
    files = _compose(typst, document, paper)
    made: bytes = typst.compile(files, ignore_system_fonts=True, format="pdf", pdf_standards=["ua-1"])
    return made


def pages(document: nodes.document, paper: str = "a5", resolution: float = 96) -> list[bytes]:
    """Return every page as a PNG."""
    typst = _import_typst()
    files = _compose(typst, document, paper)
    made: Any = typst.compile(files, ignore_system_fonts=True, format="png", ppi=resolution)
    return [*made] if isinstance(made, list) else [made]


def _import_typst() -> ModuleType:
    try:
        import typst  # noqa: PLC0415 - not everybody needs it
    except ImportError as error:
        raise Impossible("a PDF needs typst: pip install 'brou[books]'") from error
    return typst


def _compose(typst: ModuleType, document: nodes.document, paper: str) -> dict[str, bytes]:
    """Return the sources of a book in which cases stay whole, but for those that would leave a page too empty."""
    files = {"book.typ": read_named(TEMPLATE), "booklet.typ": read_named(BOOKLET)}
    split: set[str] = set()
    for _ in range(_LOOKS):
        files["main"] = source(document, paper, split).encode()
        if document.get("form") == "booklet":
            break
        told = typst.query(files, "<spot>", field="value", ignore_system_fonts=True)
        more = set(_find_torn(json.loads(told))) - split
        if not more:
            break
        split |= more
    return files


def _find_torn(spots: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the cases that begin a page while too much of the one before, above what floats there, is empty."""
    floats: dict[int, float] = {}
    for spot in spots:
        if spot["kind"] == "float":
            floats[spot["page"]] = max(spot["below"], floats.get(spot["page"], 0))
    for before, spot in pairwise(spot for spot in spots if spot["kind"] != "float"):
        page = before["page"]
        if spot["kind"] == "case" and spot["page"] > page and before["below"] - floats.get(page, 0) > _EMPTY:
            yield spot["id"]
