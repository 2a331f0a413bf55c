"""The words of the site, its places, and what every page of it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from brou import Node, choose_text, glossary, read
from brou_conformance.reports.sentences import Sentences
from brou_tools.pages.page_writer import write_linked_page

FILE = Path(__file__).with_name("words.yaml")
#: What languages call themselves.
LANGUAGES = {"en": "English", "fr": "Français", "de": "Deutsch"}


@lru_cache(maxsize=1)
def _catalogue() -> Mapping[str, Node]:
    return read(FILE, FILE.name).fields


@dataclass(frozen=True, slots=True)
class SiteWords:
    """The words of the site in one language."""

    lang: str

    def say(self, entry: str, /, **parts: object) -> str:
        """Return words of the site."""
        return glossary().languages[self.lang].typeset(choose_text(_catalogue()[entry], self.lang).format(**parts))

    def list_words(self, prefix: str) -> dict[str, str]:
        """Return the words of the site whose names begin alike, their parts not filled in."""
        typeset = glossary().languages[self.lang].typeset
        return {
            name: typeset(choose_text(node, self.lang))
            for name, node in _catalogue().items()
            if name.startswith(prefix)
        }

    def word(self, entry: str, /, **parts: object) -> str:
        """Return words of all pages for browsers."""
        return Sentences(self.lang).word("page", entry).format(**parts)

    def number(self, number: int) -> str:
        """Return a whole number as the language writes it."""
        return glossary().languages[self.lang].number(number)


def write_site_page(
    template: str, path: str, words: SiteWords, langs: Sequence[str], trail: Sequence[tuple[str, str]], **values: object
) -> str:
    """Return a page at a place below the folder of its language; `trail` names the pages above it, with their places.

    Every link is relative, so that the site can stand in any folder and be read from files.
    """
    up = "../" * path.count("/")
    link: Callable[[str], str] = lambda place: f"{up}{place}"  # noqa: E731 - a template calls it
    return write_linked_page(
        template,
        f"{up}../",
        lang=words.lang,
        say=words.say,
        word=words.word,
        number=words.number,
        link=link,
        trail=[(link(place), name) for place, name in trail],
        tongues=[(f"{up}../{lang}/{path}", lang, LANGUAGES.get(lang, lang)) for lang in langs],
        **values,
    )
