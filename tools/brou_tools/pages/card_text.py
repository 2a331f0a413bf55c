"""Texts in which cards are drawn: a word that is a card of the pack becomes its picture, everything else is escaped.

A card is an element with its short form as text, which a style sheet covers with the picture. So it takes a few bytes,
is read aloud, can be copied, and is text where no style applies.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from brou.words import Glossary
from brou_tools.drawing.cards import Style, face, size
from brou_tools.drawing.svg import document

#: What may stand round a card in a text.
_WORD = re.compile(r"[^\s,;:.()\[\]]+")
#: What an address may not hold as it is; the percent sign comes first, as the others bring it in.
_ENCODED = (("%", "%25"), ("#", "%23"), ("<", "%3C"), (">", "%3E"), ('"', "'"), ("\n", ""))


@dataclass(frozen=True, slots=True)
class CardText:
    """Writes texts of one pack in one language."""

    pack: frozenset[str]
    lang: str
    #: The words for cards, those of the pack if it has letters of its own.
    words: Glossary

    def find_cards(self, text: str) -> frozenset[str]:
        """Return the cards that a text names."""
        return self.pack.intersection(_WORD.findall(text))

    def draw(self, text: str, marked: Collection[str] = ()) -> Markup:
        """Return a text with its cards drawn, those of `marked` so that they stand out."""
        parts, end = list[Markup](), 0
        for found in _WORD.finditer(text):
            if found[0] in self.pack:
                parts += [escape(text[end : found.start()]), self.draw_card(found[0], marked=found[0] in marked)]
                end = found.end()
        return Markup().join([*parts, escape(text[end:])])

    def mark(self, text: str, marked: Collection[str]) -> Markup:
        """Return a text with its cards in their short forms, those of `marked` drawn so that they stand out."""
        parts, end = list[Markup](), 0
        for found in _WORD.finditer(text):
            if found[0] in self.pack and found[0] in marked:
                parts += [escape(self.spell(text[end : found.start()])), self.draw_card(found[0], marked=True)]
                end = found.end()
        return Markup().join([*parts, escape(self.spell(text[end:]))])

    def spell(self, text: str) -> str:
        """Return a text with its cards in their short forms."""
        return _WORD.sub(lambda found: self.shorten(found[0]) if found[0] in self.pack else found[0], text)

    def name_classes(self) -> Mapping[str, str]:
        """Return by short form the class that shows a card, for cards that can be drawn."""
        return {self.shorten(card): f"c{card}" for card in sorted(filter(is_drawable, self.pack))}

    def draw_card(self, card: str, *, marked: bool = False) -> Markup:
        """Return one card; one that has no picture is its short form in a frame."""
        named = [f"c{card}"] if is_drawable(card) else ["card"]
        kind = " ".join([*named, *(["x"] if marked else [])])
        return Markup('<i class="{}">{}</i>').format(kind, self.shorten(card))

    def shorten(self, card: str) -> str:
        """Return a card as index and symbol."""
        return self.words.short(card, self.lang)

    def style_cards(self) -> str:
        """Return the rules of a style sheet that show the faces of the pack."""
        style = Style(self.lang, words=self.words)
        faces = ((card, _encode(card, style)) for card in sorted(filter(is_drawable, self.pack)))
        return "".join(f'.c{card}{{background-image:url("{picture}")}}\n' for card, picture in faces)


def is_drawable(card: str) -> bool:
    """Say whether a card can be named in a style sheet, as letters and digits can."""
    return card.isascii() and card.isalnum()


def _encode(card: str, style: Style) -> str:
    """Return the face of a card as an address that holds its picture."""
    picture = document("", face(card, style).elements, size()).replace("<title></title>", "").replace("<title/>", "")
    for plain, encoded in _ENCODED:
        picture = picture.replace(plain, encoded)
    return f"data:image/svg+xml,{picture}"
