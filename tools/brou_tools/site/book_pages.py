"""The books of a game on the site: to read as pages, and to download for print; the beginning of the players' book."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import NamedTuple

from docutils import nodes
from markupsafe import Markup

from brou import Choice, Project, book, choose
from brou_tools.rulebook import printing
from brou_tools.rulebook.booklet import compose_agreement, compose_booklet
from brou_tools.rulebook.compose import compose
from brou_tools.rulebook.html_writer import page, write_parts
from brou_tools.rulebook.options import Audience
from brou_tools.rulebook.players import has_players_book
from brou_tools.site.site_words import SiteWords
from brou_tools.situation.edition import Matter


class OfferedBook(NamedTuple):
    """A book of an edition: its readers, its name and edition, and its places; no place stands for no file."""

    choice: Choice
    audience: Audience
    name: str
    edition: str
    html: str
    pdf: str


@dataclass(frozen=True)
class BookPages:
    """Writes the books of a game in one language: for players where there are texts for them, for arbiters, a sheet."""

    game: str
    words: SiteWords
    project: Project
    prints: bool

    @cached_property
    def books(self) -> Sequence[OfferedBook]:
        """Return the books of every edition, those for players first."""
        return [
            self._offer(choice, audience)
            for audience in ("players", "table", "arbiters")
            for choice in self._choices
            if audience != "players" or has_players_book(choice)
        ]

    @property
    def _choices(self) -> Sequence[Choice]:
        editions = book(self.game, self.project).editions
        return [choose(f"{self.game}@{edition}", self.project) for edition in editions]

    def _offer(self, choice: Choice, audience: Audience) -> OfferedBook:
        place = f"{self.game}/books/{choice.edition}-{audience}"
        edition = Matter(choice, self.words.lang).edition
        name = self.words.say(f"book_{audience}")
        return OfferedBook(choice, audience, name, edition, f"{place}.html", f"{place}.pdf" if self.prints else "")

    @property
    def page_count(self) -> int:
        """Return how many files there are."""
        return len(self.books) * (2 if self.prints else 1)

    def write_all(self, title: str) -> Iterator[tuple[str, str | bytes]]:
        """Yield every book below the folder of the language, by its place; `title` is the name of the game."""
        above = [("../../index.html", "Brou"), ("../index.html", title)]
        for one in self.books:
            document = self._compose(one)
            yield one.html, page(document, above)
            if one.pdf:
                yield one.pdf, printing.pdf(document)

    def _compose(self, one: OfferedBook) -> nodes.document:
        match one.audience:
            case "players":
                return compose_booklet(one.choice, self.words.lang)
            case "table":
                return compose_agreement(one.choice, self.words.lang)
            case "arbiters":
                return compose(one.choice, self.words.lang, "")

    @property
    def opening(self) -> Markup:
        """Return how the players' book begins: what the game is, and its aim; nothing where there is none."""
        told = next((one for one in self.books if one.audience == "players"), None)
        if told is None:
            return Markup()
        document = self._compose(told)
        first = next(iter(document.findall(nodes.section)))
        told_plainly = [one for one in first.children if isinstance(one, nodes.paragraph) and not one["classes"]]
        # Written by our own writer, which escapes all that it is given.
        return Markup(write_parts(document, told_plainly))  # noqa: S704


def can_print() -> bool:
    """Say whether books can be made for print here, which typst does."""
    return find_spec("typst") is not None
