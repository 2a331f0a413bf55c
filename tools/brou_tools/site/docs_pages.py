"""The documentation beside the pages of games: the pages that Sphinx made, and what the search finds in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from brou import Impossible, NoFile
from brou.atomic import read_named
from brou_tools.site.sphinx_pages import SECTIONS

#: The folder of a site in which they lie, and the index that the search reads.
DOCS, DOCS_INDEX = "docs", "docs-index.js"
#: What Sphinx writes for its own search and for other projects.
_LEFT = ("_sources", "objects.inv", "search.html", "searchindex.js", "searchtools.js", SECTIONS)
#: The pages that the first screen names: the name of their word, and the place.
_NAMED = {
    "tutorial": "tutorial.html",
    "protocol": "protocol.html",
    "language": "language.html",
    "python": "python.html",
    "benchmarks": "playing.html#how-fast",
    "why": "why.html",
    "index": "index.html",
}


class DocsSection(NamedTuple):
    """A section of a page: the title of the page, its own, its place in the folder, and its words."""

    page: str
    title: str
    place: str
    words: str


@dataclass(frozen=True)
class DocsPages:
    """The pages in a folder that Sphinx wrote."""

    folder: Path

    @cached_property
    def sections(self) -> list[DocsSection]:
        """Return the sections; raise `NoFile` where the folder has no list of them, `Impossible` for another file."""
        path = self.folder / SECTIONS
        if not path.is_file():
            raise NoFile(path, "pages of Sphinx with the extension brou_tools.site.sphinx_directives")
        try:
            return [DocsSection(*map(str, one)) for one in json.loads(read_named(path))]
        except (ValueError, TypeError) as error:
            raise Impossible(f"{path} is no list of sections: make the pages again") from error

    @cached_property
    def files(self) -> list[Path]:
        """Return the files that a site takes over, below the folder."""
        found = (one.relative_to(self.folder) for one in sorted(self.folder.rglob("*")) if one.is_file())
        return [one for one in found if not any(part in _LEFT or part.startswith(".") for part in one.parts)]

    @property
    def page_count(self) -> int:
        """Return how many files there are."""
        return len(self.files) + 1

    def list_named(self) -> list[tuple[str, str]]:
        """Return the pages that the first screen names and the folder has: word and place below the site."""
        there = {one.as_posix() for one in self.files}
        return [(word, f"{DOCS}/{place}") for word, place in _NAMED.items() if place.partition("#")[0] in there]

    def write_all(self) -> Iterator[tuple[str, bytes | str]]:
        """Yield every file by its place in the site, and the index of sections as a script."""
        for one in self.files:
            yield f"{DOCS}/{one.as_posix()}", read_named(self.folder / one)
        told = [["page", one.page, "", one.title, f"../{DOCS}/{one.place}", one.words] for one in self.sections]
        yield DOCS_INDEX, f"searchIndex.push(...{json.dumps(told, ensure_ascii=False, separators=(',', ':'))});\n"
