"""Sentences of the smoke test: English as they are, and in the other languages as `sentences.yaml` has them.

A sentence is a text, so that findings are compared, merged and written down in English; it carries its parts, so that
it can be translated later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from brou import ORIGINAL, Node, Project, choose_text, glossary, house
from brou.words import read_sentences

FILE = Path(__file__).with_name("sentences.yaml")
#: What language files call these texts.
PART = "smoke"


class Speaker(Protocol):
    """Tells sentences in a language, as the report of a verification does."""

    @property
    def project(self) -> Project:
        """Return the project, which may bring languages of its own."""

    def read(self, text: Node) -> str:
        """Return a text as the language prints it."""

    def inflect(self, number: int, forms: Node) -> str:
        """Return the form of a noun that goes with a number."""

    def echo(self, text: str) -> str:
        """Return a text that others keep in English, such as why there is no answer."""


class EnglishSpeaker:
    """Tells sentences in the language of findings, as they are typed."""

    project: Project = house()

    def read(self, text: Node) -> str:
        """Return the English text."""
        return choose_text(text, ORIGINAL)

    def inflect(self, number: int, forms: Node) -> str:
        """Return the English form of a noun that goes with a number."""
        language = glossary().languages[ORIGINAL]
        return forms.fields[ORIGINAL].items[language.choose_form(number)].text

    def echo(self, text: str) -> str:
        """Return the same text."""
        return text


_ENGLISH = EnglishSpeaker()


class TranslatableText(str):
    """A text in English that can be translated; by itself it reads as English."""

    __slots__ = ()

    def into(self, words: Speaker) -> str:  # noqa: ARG002 - one signature for all
        """Return it in a language."""
        return str(self)


class _Sentence(TranslatableText):
    __slots__ = ("name", "parts")
    name: str
    parts: Mapping[str, object]

    def into(self, words: Speaker) -> str:
        return _fill(self.name, {key: tell(part, words) for key, part in self.parts.items()}, words)


class _Count(TranslatableText):
    __slots__ = ("noun", "number")
    number: int
    noun: str

    def into(self, words: Speaker) -> str:
        return f"{self.number} {words.inflect(self.number, _catalogue(words).fields['nouns'].fields[self.noun])}"


class _JoinedText(TranslatableText):
    __slots__ = ("between", "is_capital", "members")
    members: tuple[str, ...]
    between: str
    is_capital: bool

    def into(self, words: Speaker) -> str:
        told = self.between.join(tell(member, words) for member in self.members)
        return f"{told[:1].upper()}{told[1:]}" if self.is_capital else told


class _EchoedText(TranslatableText):
    __slots__ = ()

    def into(self, words: Speaker) -> str:
        return words.echo(str(self))


def say(name: str, /, **parts: object) -> TranslatableText:
    """Return a sentence with its parts, which may be sentences themselves."""
    found = _Sentence(_fill(name, parts, _ENGLISH))
    found.name, found.parts = name, parts
    return found


def count(number: int, noun: str) -> TranslatableText:
    """Return a number with its noun in the form that goes with it."""
    english = _Count()
    english.number, english.noun = number, noun
    found = _Count(english.into(_ENGLISH))
    found.number, found.noun = number, noun
    return found


def join(between: str, members: Iterable[str], *, is_capital: bool = False) -> TranslatableText:
    """Return texts in a row, which begins with a capital letter if that is wanted."""
    kept = tuple(members)
    english = between.join(kept)
    found = _JoinedText(f"{english[:1].upper()}{english[1:]}" if is_capital else english)
    found.members, found.between, found.is_capital = kept, between, is_capital
    return found


def hear(text: str) -> TranslatableText:
    """Return a text that others keep in English."""
    return _EchoedText(text)


def tell(text: object, words: Speaker) -> str:
    """Return a text in a language; a text that is no sentence of ours stays the same."""
    return text.into(words) if isinstance(text, TranslatableText) else str(text)


def name_check(name: str, words: Speaker) -> str:
    """Return the name of a check."""
    return words.read(_catalogue(words).fields["checks"].fields[name])


def known_sentences() -> Mapping[str, Node]:
    """Return every group of the catalogue by its name."""
    return _catalogue(_ENGLISH).fields


def _fill(name: str, parts: Mapping[str, object], words: Speaker) -> str:
    return words.read(_catalogue(words).fields["sentences"].fields[name]).format(**parts)


def _catalogue(words: Speaker) -> Node:
    return read_sentences(FILE, PART, words.project)
