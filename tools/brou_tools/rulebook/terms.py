"""The words of the game that a book explains, and a link to each explanation where the word is first used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docutils import nodes

from brou import Node, choose_text
from brou_tools.documents.nodes import term, text
from brou_tools.situation.edition import Matter

_TO = re.compile(r"^to ")
#: The endings that a word of the glossary may have in a sentence.
_ENDINGS = "(?:e?[sn]|e|er|x)?"


@dataclass(frozen=True, slots=True)
class TermEntry:
    """An entry of the glossary: its id in the book, the word in all languages, and its meaning."""

    id: str
    word: Node
    meaning: Node


class TermLinks:
    """The entries that the rules of a book need; sentences are given links in the order in which they are read."""

    def __init__(self, matter: Matter) -> None:
        self.entries = list(_choose_entries(matter))
        self._target = {}
        words = []
        for entry in self.entries:
            if matter.lang in entry.word.fields:
                word = matter.set(_strip(choose_text(entry.word, matter.lang)))
                self._target[word.lower()] = entry.id
                words.append(word)
        # Of words that begin alike the longest is meant: "simple marriage" before "simple".
        longest = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        self._pattern = re.compile(rf"\b({longest}){_ENDINGS}\b", re.IGNORECASE) if words else None
        self._used: set[str] = set()

    def add_links(self, said: str) -> Sequence[nodes.Node]:
        """Return a sentence with a link at each word that no earlier sentence of the book has used."""
        found: list[nodes.Node] = []
        at = 0
        for match in () if self._pattern is None else self._pattern.finditer(said):
            target = self._target[match[1].lower()]
            if target not in self._used:
                self._used.add(target)
                found += [text(said[at : match.start()]), term("", "", text(match[0]), target=target)]
                at = match.end()
        return [part for part in (*found, text(said[at:])) if part.astext()]


def sort_letters(words: str) -> str:
    """Return the sort key of words."""
    return _strip(words).lower().translate(str.maketrans("éèêàâîïôöûüäß", "eeeaaiioouuas"))


def _choose_entries(matter: Matter) -> Iterator[TermEntry]:
    """Yield the entries of a game's own words and of common ones that its rules use."""
    for name, node in matter.words.glossary.node.fields["terms"].fields.items():
        games = node.get("games")
        ours = games is None or any(item.text == matter.choice.game for item in games.items)
        if ours and _is_used(matter, node.fields["word"]):
            yield TermEntry(f"term-{name.replace('_', '-')}", node.fields["word"], node.fields["meaning"])


def _is_used(matter: Matter, word: Node) -> bool:
    """Say whether the rules use a word, in some language at least."""
    for lang, written in word.fields.items():
        known = re.compile(rf"\b{re.escape(_strip(written.text))}{_ENDINGS}\b", re.IGNORECASE)
        texts = (matter.clauses[id_].fields["text"].get(lang) for id_ in matter.printed)
        if any(item is not None and known.search(item.text) for item in texts):
            return True
    return False


def _strip(word: str) -> str:
    """Return a verb without the particle before it."""
    return _TO.sub("", word)
