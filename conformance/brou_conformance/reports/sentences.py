"""The sentences of a verification in the languages of the house: every sentence stands once, in `sentences.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from brou import ORIGINAL, Node, choose_text, glossary, read

FILE = Path(__file__).with_name("sentences.yaml")
_PART = re.compile(r"\\\{([a-z]+)\\\}")


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a report in one language."""

    lang: str = ORIGINAL

    def say(self, name: str, /, **parts: object) -> str:
        """Return a sentence with its parts filled in."""
        return self.word("sentences", name).format(**parts)

    def word(self, kind: str, name: str) -> str:
        """Return a word of a kind by its name, as the language prints it."""
        return self.typeset(choose_text(_catalogue().fields[kind].fields[name], self.lang))

    def has(self, kind: str, name: str) -> bool:
        """Say whether there is such a word."""
        return name in _catalogue().fields[kind].fields

    def count(self, number: int, noun: str) -> str:
        """Return a number with its noun in the form that goes with it."""
        forms = _catalogue().fields["nouns"].fields[noun]
        chosen = forms.fields.get(self.lang) or forms.fields[ORIGINAL]
        one, several = (self.typeset(item.text) for item in chosen.items)
        # French has the singular of nothing as well.
        is_one = number in (0, 1) if self.lang == "fr" else number == 1
        return f"{self.number(number)} {one if is_one else several}"

    def number(self, number: int) -> str:
        """Return a whole number as the language writes it."""
        return glossary().languages[self.lang].number(number)

    def typeset(self, text: str) -> str:
        """Return a text as the language prints it; English stays as typed, so that a search finds it."""
        return text if self.lang == ORIGINAL else glossary().languages[self.lang].typeset(text)

    def echo(self, text: str) -> str:
        """Translate a text that the data hold in English, part by part; unknown parts stay in English."""
        if self.lang == ORIGINAL:
            return text
        return "; ".join(self._echo_part(part) for part in text.split("; "))

    def _echo_part(self, text: str) -> str:
        for pattern, entry in _echoes():
            if found := pattern.fullmatch(text):
                return self.typeset(choose_text(entry, self.lang)).format(**found.groupdict())
        return text


@lru_cache(maxsize=1)
def _catalogue() -> Node:
    return read(FILE, FILE.name)


@lru_cache(maxsize=1)
def _echoes() -> tuple[tuple[re.Pattern[str], Node], ...]:
    """Return for each text that the data hold in English a pattern that finds it, with its other languages."""
    entries = _catalogue().fields["echoes"].items
    return tuple(
        (re.compile(_PART.sub(r"(?P<\1>.+)", re.escape(choose_text(entry, ORIGINAL)))), entry) for entry in entries
    )


def join(parts: Iterable[str], between: str = ", ") -> str:
    """Return some texts in a row, empty ones left out."""
    return between.join(part for part in parts if part)


def known_sentences() -> Mapping[str, Node]:
    """Return every group of the catalogue by its name."""
    return _catalogue().fields
