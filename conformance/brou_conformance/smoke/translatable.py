"""Sentences of the smoke test: English as they stand, and in the other languages as `sentences.yaml` has them.

A sentence is a text, so that findings are compared, merged and written down in English; it carries its parts, so that
it can be translated later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from brou import ORIGINAL, Node, choose_text, glossary, read

FILE = Path(__file__).with_name("sentences.yaml")
#: Tells in a language what others keep in English, such as why there is no answer.
Echo: TypeAlias = Callable[[str], str]


def _keep(text: str) -> str:
    return text


class TranslatableText(str):
    """A text in English that can be translated; by itself it reads as English."""

    __slots__ = ()

    def into(self, lang: str, echo: Echo = _keep) -> str:  # noqa: ARG002 - one signature for all
        """Return it in a language."""
        return str(self)


class _Sentence(TranslatableText):
    __slots__ = ("name", "parts")
    name: str
    parts: Mapping[str, object]

    def into(self, lang: str, echo: Echo = _keep) -> str:
        return _fill(self.name, {key: tell(part, lang, echo) for key, part in self.parts.items()}, lang)


class _Count(TranslatableText):
    __slots__ = ("noun", "number")
    number: int
    noun: str

    def into(self, lang: str, echo: Echo = _keep) -> str:  # noqa: ARG002 - one signature for all
        one, several = _catalogue().fields["nouns"].fields[self.noun].fields[lang].items
        # French has the singular of nothing as well.
        is_one = self.number in (0, 1) if lang == "fr" else self.number == 1
        return f"{self.number} {_typeset((one if is_one else several).text, lang)}"


class _JoinedText(TranslatableText):
    __slots__ = ("between", "is_capital", "members")
    members: tuple[str, ...]
    between: str
    is_capital: bool

    def into(self, lang: str, echo: Echo = _keep) -> str:
        told = self.between.join(tell(member, lang, echo) for member in self.members)
        return f"{told[:1].upper()}{told[1:]}" if self.is_capital else told


class _EchoedText(TranslatableText):
    __slots__ = ()

    def into(self, lang: str, echo: Echo = _keep) -> str:  # noqa: ARG002 - whoever echoes knows the language
        return echo(str(self))


def say(name: str, /, **parts: object) -> TranslatableText:
    """Return a sentence with its parts, which may be sentences themselves."""
    found = _Sentence(_fill(name, parts, ORIGINAL))
    found.name, found.parts = name, parts
    return found


def count(number: int, noun: str) -> TranslatableText:
    """Return a number with its noun in the form that goes with it."""
    english = _Count()
    english.number, english.noun = number, noun
    found = _Count(english.into(ORIGINAL))
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


def tell(text: object, lang: str, echo: Echo = _keep) -> str:
    """Return a text in a language; a text that is no sentence of ours stays the same."""
    return text.into(lang, echo) if isinstance(text, TranslatableText) else str(text)


def name_check(name: str, lang: str) -> str:
    """Return the name of a check."""
    return _typeset(choose_text(_catalogue().fields["checks"].fields[name], lang), lang)


def known_sentences() -> Mapping[str, Node]:
    """Return every group of the catalogue by its name."""
    return _catalogue().fields


def _fill(name: str, parts: Mapping[str, object], lang: str) -> str:
    return _typeset(choose_text(_catalogue().fields["sentences"].fields[name], lang), lang).format(**parts)


def _typeset(text: str, lang: str) -> str:
    """Return a text as the language prints it; English stays as typed, so that a search finds it."""
    return text if lang == ORIGINAL else glossary().languages[lang].typeset(text)


@lru_cache(maxsize=1)
def _catalogue() -> Node:
    return read(FILE, FILE.name)
