"""The words of the site, its places, and what every page of it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from brou import Project, glossary, house
from brou.words import read_sentences
from brou_conformance.reports.sentences import Sentences
from brou_tools.pages.page_writer import write_linked_page
from brou_tools.situation import SITE_PART, SITE_WORDS


@dataclass(frozen=True, slots=True)
class SiteWords:
    """The words of the site in one language."""

    lang: str
    #: What may bring languages of its own.
    project: Project = field(default_factory=house)

    def say(self, entry: str, /, **parts: object) -> str:
        """Return words of the site."""
        return self._sentences.read(read_sentences(SITE_WORDS, SITE_PART, self.project).fields[entry]).format(**parts)

    def list_words(self, *prefixes: str) -> dict[str, str]:
        """Return the words of the site whose names begin with one of some texts, their parts not filled in."""
        entries = read_sentences(SITE_WORDS, SITE_PART, self.project).fields
        return {name: self._sentences.read(entry) for name, entry in entries.items() if name.startswith(prefixes)}

    def word(self, entry: str, /, **parts: object) -> str:
        """Return words of all pages for browsers."""
        return self._sentences.tell("page", entry, **parts)

    def number(self, number: int) -> str:
        """Return a whole number as the language writes it."""
        return self._sentences.number(number)

    def name_language(self, lang: str) -> str:
        """Return what a language calls itself, as it begins a line."""
        name = glossary(self.project).languages[lang].name
        return f"{name[:1].upper()}{name[1:]}"

    @property
    def _sentences(self) -> Sentences:
        return Sentences(self.lang, self.project)


def write_site_page(
    template: str, path: str, words: SiteWords, langs: Sequence[str], trail: Sequence[tuple[str, str]], **values: object
) -> str:
    """Return a page at a place below the folder of its language; `trail` names the pages above it, with their places.

    Every link is relative, so that the site can be in any folder and be read from files.
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
        search=link("search.html"),
        trail=[(link(place), name) for place, name in trail],
        tongues=[(f"{up}../{lang}/{path}", lang, words.name_language(lang)) for lang in langs],
        **values,
    )
