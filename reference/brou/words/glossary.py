"""How the house speaks: the words, cards and names of `glossary.yaml` in every language, read once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from brou.dataclass import dataclass, field, replace
from brou.games.folder import ORIGINAL as _ORIGINAL
from brou.games.folder import Folder, find_language, has_file, locate, root
from brou.games.freshness import keep_until_changed, note_state
from brou.games.glossary_file import FILE, read_words
from brou.language.node import Node
from brou.words.languages import add_languages, read_languages
from brou.words.plural import USUAL, choose_form

#: The language of the house, which every other falls back to.
ORIGINAL = _ORIGINAL

#: What language files call the texts of the glossary.
GLOSSARY_PART = "glossary"
_FRAME = "frame"


@dataclass(frozen=True, slots=True)
class Language:
    """The way a language writes numbers, and the characters that it sets otherwise than they are typed."""

    id: str
    name: str
    minus: str
    thousands: str
    grouped_from: int
    marks: Mapping[str, str]
    #: Words that become others where they meet, and what they become: `di il ` and `del `.
    joins: Mapping[str, str] = field(default_factory=dict)
    #: For each form of a noun but the last, the numbers that it follows (`brou.words.plural`).
    plural: tuple[str, ...] = USUAL

    def choose_form(self, number: int) -> int:
        """Return the place of the form of a noun that goes with a whole number."""
        return choose_form(self.plural, number)

    def number(self, number: int) -> str:
        """Return a whole number as the language writes it."""
        digits = str(abs(number))
        grouped = f"{abs(number):,}".replace(",", self.thousands) if len(digits) >= self.grouped_from else digits
        return f"{self.minus if number < 0 else ''}{grouped}"

    def typeset(self, text: str) -> str:
        """Return a text as it is printed: words that meet as one, apostrophes, spaces where no line may break."""
        for apart, together in self.joins.items():
            text = re.sub(rf"(?<!\w){re.escape(apart)}", together.replace("\\", r"\\"), text)
        for typed, printed in self.marks.items():
            text = text.replace(typed, printed)
        return text


@dataclass(frozen=True, slots=True)
class Glossary:
    """The words of one folder of data."""

    node: Node
    languages: Mapping[str, Language]
    #: Returns the phrases of the house that join texts, where the folder has none; a bundle that is whole never asks.
    read_frames: Callable[[], Mapping[str, Node]]

    @property
    def own_languages(self) -> tuple[str, ...]:
        """Return the languages that the glossary itself names, beside those of language files."""
        return tuple(self.node.fields["languages"].fields)

    def language(self, lang: str) -> Language:
        """Return how a language writes; one that is none of the glossary's writes as the first of them."""
        return self.languages.get(lang) or next(iter(self.languages.values()))

    def of_pack(self, suits: Mapping[str, str], ranks: Mapping[str, str]) -> Glossary:
        """Return these words for a pack, whose letters have names of their own: `suits` and `ranks` by letter.

        Where a letter stands for something else in the pack, its name is the glossary's word for that, if there is one,
        or else the name that the pack gives it; it has no sign.
        """
        sections = {
            section: self._name_letters(section, letters) for section, letters in (("suits", suits), ("ranks", ranks))
        }
        if not any(sections.values()):
            return self
        own = {section: {**self.node.fields[section].fields, **named} for section, named in sections.items()}
        members = {section: Node(known, self.node.place) for section, known in own.items()}
        return Glossary(Node({**self.node.fields, **members}, self.node.place), self.languages, self.read_frames)

    def has_sign(self, suit: str) -> bool:
        """Say whether a suit is one whose sign the house has, not another one of the same letter."""
        return self._at("suits", suit, "symbol") is not None

    def has_figure(self, rank: str) -> bool:
        """Say whether a rank is one that the house draws, not another one of the same letter."""
        return self._at("ranks", rank, "index", next(iter(self.own_languages))) is not None

    def _name_letters(self, section: str, letters: Mapping[str, str]) -> dict[str, Node]:
        """Return an entry for each letter that stands for something else in a pack than here.

        Packs name their letters in English; a word here that has no English is what its folder calls the letter.
        """
        known = self.node.fields[section].fields
        names = {letter: entry.fields["name"].fields for letter, entry in known.items()}
        said = {letter: name[ORIGINAL].text if ORIGINAL in name else None for letter, name in names.items()}
        by_name = {name: known[letter] for letter, name in said.items() if name is not None}
        found = {}
        for letter, name in letters.items():
            if letter in said and (letter.isdecimal() or said[letter] in (None, *name.split("_"))):
                continue
            place = self.node.place
            like = by_name.get(name.replace("_", " "))
            named = like.fields["name"] if like else Node({ORIGINAL: Node(name.replace("_", " "), place)}, place)
            found[letter] = Node({"name": named}, place)
        return found

    def index(self, rank: str, lang: str) -> str:
        """Return the corner index of a card of a rank; an unknown rank is its code."""
        known = self._at("ranks", rank, "index")
        return rank if known is None else choose_text(known, lang)

    def rank(self, rank: str, lang: str) -> str:
        """Return the name of a rank."""
        known = self._at("ranks", rank, "name")
        return rank if known is None else choose_text(known, lang)

    def suit(self, suit: str, lang: str) -> str:
        """Return the name of a suit."""
        known = self._at("suits", suit, "name")
        return suit if known is None else choose_text(known, lang)

    def short(self, card: str, lang: str) -> str:
        """Return a card as index and symbol."""
        symbol = self._at("suits", card[1], "symbol")
        return f"{self.index(card[0], lang)}{card[1] if symbol is None else symbol.text}"

    def card(self, card: str, lang: str) -> str:
        """Return a card in words."""
        pattern = choose_text(self.node.fields["card"], lang)
        return pattern.format(rank=self.rank(card[0], lang), suit=self.suit(card[1], lang))

    def code(self, code: str, lang: str) -> str:
        """Return the sentence that tells a refusal, or the code itself if it is not one of the format."""
        known = self._at("codes", code)
        return code if known is None else choose_text(known, lang)

    def frame(self, name: str, lang: str, **parts: str) -> str:
        """Return a phrase that joins texts, its parts filled in; one that this glossary lacks is the house's."""
        known = self._at(_FRAME, name) or self.read_frames().get(name)
        return name if known is None else choose_text(known, lang).format(**parts)

    def word(self, term: str, lang: str) -> str:
        """Return the word of a language for a term of the house."""
        known = self._at("terms", term, "word")
        return term if known is None else choose_text(known, lang)

    def find_name(self, kind: str, name: str, game: str = "") -> Node | None:
        """Return how something is called that the data name, in this game or else in the house."""
        own = self._at("games", game, kind, name)
        return self._at("names", kind, name) if own is None else own

    def find_choice(self, act: str, game: str = "") -> Node | None:
        """Return the words that offer an act, as a button has them; None if a game has its own for the act alone."""
        own = self._at("games", game, "choices", act)
        if own is not None or self._at("games", game, "acts", act) is not None:
            return own
        return self._at("names", "choices", act)

    def name(self, kind: str, name: str, lang: str, game: str = "") -> str:
        """Return the name in a language, or the name of the data if the house has none."""
        known = self.find_name(kind, name, game)
        return name if known is None else choose_text(known, lang)

    def list_avoided(self) -> Iterator[tuple[str, str, str]]:
        """Yield language, word to avoid and word to write instead."""
        for term in self.node.fields["terms"].fields.values():
            avoid = term.get("avoid")
            for lang, words in (avoid.fields if avoid else {}).items():
                yield from ((lang, word.text, choose_text(term.fields["word"], lang)) for word in words.items)

    def _at(self, *path: str) -> Node | None:
        node: Node | None = self.node
        for step in path:
            node = None if node is None else node.get(step)
        return node


def choose_text(text: Node, lang: str) -> str:
    """Return a text in a language, else in English, else in any that it has."""
    found = text.fields.get(choose_language(text, lang))
    return "" if found is None else found.text


def choose_language(text: Node, lang: str) -> str:
    """Return a language if a text has it, else English, else the first that it has."""
    fields = text.fields
    return next((one for one in (lang, ORIGINAL) if one in fields), next(iter(fields), lang))


def glossary(folder: Folder = None) -> Glossary:
    """Return the words of a folder of data, with the languages that it brings.

    A folder without words of its own uses Brou's.
    """
    data = locate(folder)
    return _glossary(data, has_own=has_file(data, FILE))


@keep_until_changed(maxsize=8)
def _glossary(folder: Path, *, has_own: bool) -> Glossary:
    note_state(folder)
    if not has_own and not read_languages(folder) and folder != root() and find_language(folder) == ORIGINAL:
        return glossary()
    own = read_words(folder)
    node = add_languages(GLOSSARY_PART, own, folder)
    written = own.fields["languages"].fields | {
        id_: one.fields["writes"] for id_, one in read_languages(folder).items()
    }
    languages = {id_: _language(id_, item) for id_, item in written.items()}
    original = find_language(folder)
    if original not in languages:
        languages[original] = replace(next(iter(languages.values())), id=original, name=original)
    return Glossary(node, languages, partial(_read_frames, folder))


@keep_until_changed(maxsize=8)
def _read_frames(folder: Path) -> Mapping[str, Node]:
    """Return the phrases of the house that join texts, in the languages of a folder too."""
    return add_languages(GLOSSARY_PART, read_words(root()), folder).fields[_FRAME].fields


def _language(id_: str, node: Node) -> Language:
    marks = {typed: printed.text for typed, printed in node.fields["set"].fields.items()}
    texts = (node.string("name"), node.string("minus"), node.string("thousands"))
    joins = node.get("joins")
    joined = {} if joins is None else {apart: together.text for apart, together in joins.fields.items()}
    plural = node.get("plural")
    rules = USUAL if plural is None else tuple(rule.text for rule in plural.items)
    return Language(id_, *texts, int(node.string("grouped_from")), marks, joined, rules)
