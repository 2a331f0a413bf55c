"""The sentences of a verification in the languages of the house: each is written once, in `sentences.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from brou import (
    ORIGINAL,
    Node,
    Project,
    choose_text,
    glossary,
    house,
    keep_until_changed,
)
from brou.words import read_sentences

FILE = Path(__file__).with_name("sentences.yaml")
#: What language files call these texts.
PART = "reports"
_PART = re.compile(r"\\\{([a-z]+)\\\}")


@dataclass(frozen=True)
class Sentences:
    """The sentences of a report in one language."""

    lang: str = ORIGINAL
    #: What may bring languages of its own.
    project: Project = field(default_factory=house)

    @cached_property
    def _catalogue(self) -> Node:
        return read_sentences(FILE, PART, self.project)

    def say(self, name: str, /, **parts: object) -> str:
        """Return a sentence of a report with its parts filled in."""
        return self.tell("sentences", name, **parts)

    def tell(self, kind: str, name: str, /, **parts: object) -> str:
        """Return a text of a kind by its name, with its parts filled in."""
        return self.word(kind, name).format(**parts)

    def word(self, kind: str, name: str) -> str:
        """Return a word of a kind by its name, as the language prints it."""
        return self.read(self._catalogue.fields[kind].fields[name])

    def has(self, kind: str, name: str) -> bool:
        """Say whether there is such a word."""
        return name in self._catalogue.fields[kind].fields

    def count(self, number: int, noun: str) -> str:
        """Return a number with its noun in the form that goes with it."""
        return f"{self.number(number)} {self.name_number(number, noun)}"

    def name_number(self, number: int, noun: str) -> str:
        """Return a noun in the form that goes with a number."""
        return self.inflect(number, self._catalogue.fields["nouns"].fields[noun])

    def name_one(self, noun: str) -> str:
        """Return a noun in the form for one."""
        return self.name_number(1, noun)

    def inflect(self, number: int, forms: Node) -> str:
        """Return the form of a noun, of those that it has by language, that goes with a number."""
        spoken = self.lang if forms.get(self.lang) is not None else ORIGINAL
        language = glossary(self.project).language(spoken)
        text = forms.fields[spoken].items[language.choose_form(number)].text
        return text if spoken == ORIGINAL else language.typeset(text)

    def read(self, text: Node) -> str:
        """Return a text as the language prints it; one that it lacks in English."""
        own = text.get(self.lang)
        return choose_text(text, ORIGINAL) if own is None else self.typeset(own.text)

    def number(self, number: int) -> str:
        """Return a whole number as the language writes it."""
        return glossary(self.project).language(self.lang).number(number)

    def typeset(self, text: str) -> str:
        """Return a text as the language prints it; English stays as typed, so that a search finds it."""
        return text if self.lang == ORIGINAL else glossary(self.project).language(self.lang).typeset(text)

    def echo(self, text: str) -> str:
        """Translate a text that the data hold in English, part by part; unknown parts stay in English."""
        if self.lang == ORIGINAL:
            return text
        return "; ".join(self._echo_part(part) for part in text.split("; "))

    def _echo_part(self, text: str) -> str:
        for pattern, entry in _list_echoes(self.project):
            if found := pattern.fullmatch(text):
                return self.read(entry).format(**found.groupdict())
        return text


@keep_until_changed(maxsize=8)
def _list_echoes(project: Project) -> tuple[tuple[re.Pattern[str], Node], ...]:
    """Return for each text that the data hold in English a pattern that finds it, with its other languages."""
    entries = read_sentences(FILE, PART, project).fields["echoes"].items
    return tuple(
        (re.compile(_PART.sub(r"(?P<\1>.+)", re.escape(choose_text(entry, ORIGINAL)))), entry) for entry in entries
    )


def join(parts: Iterable[str], between: str = ", ") -> str:
    """Return some texts in a row, empty ones left out."""
    return between.join(part for part in parts if part)


def known_sentences() -> Mapping[str, Node]:
    """Return every group of the catalogue by its name."""
    return read_sentences(FILE, PART).fields
