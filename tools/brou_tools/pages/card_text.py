"""Texts in which cards are drawn: a word that is a card of the pack becomes its picture, everything else is escaped.

A card is an element with its short form as text, which a style sheet covers with the picture. So it takes a few bytes,
is read aloud, can be copied, and stands there as text where no style applies.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from brou import Project, glossary, house
from brou_tools.drawing.cards import Style, face, list_cards, size
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
    project: Project

    @classmethod
    def of(cls, cards: Iterable[str], lang: str, project: Project | None = None) -> CardText:
        """Return what writes texts about some cards."""
        return cls(frozenset(cards), lang, project or house())

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

    def spell(self, text: str) -> str:
        """Return a text with its cards in their short forms."""
        return _WORD.sub(lambda found: self.shorten(found[0]) if found[0] in self.pack else found[0], text)

    def name_classes(self) -> Mapping[str, str]:
        """Return by short form the class that shows a card, for cards that can be drawn."""
        return {self.shorten(card): f"c{card}" for card in sorted(self.pack & _drawable())}

    def draw_card(self, card: str, *, marked: bool = False) -> Markup:
        """Return one card; one that has no picture is its short form in a frame."""
        named = [f"c{card}"] if card in _drawable() else ["card"]
        kind = " ".join([*named, *(["x"] if marked else [])])
        return Markup('<i class="{}">{}</i>').format(kind, self.shorten(card))

    def shorten(self, card: str) -> str:
        """Return a card as index and symbol."""
        return glossary(self.project).short(card, self.lang)


def style_cards(cards: Iterable[str], lang: str, project: Project | None = None) -> str:
    """Return the rules of a style sheet that show the faces of some cards; those that cannot be drawn have none."""
    style = Style(lang, project=project or house())
    return "".join(
        f'.c{card}{{background-image:url("{_encode(card, style)}")}}\n' for card in sorted(set(cards) & _drawable())
    )


def _drawable() -> frozenset[str]:
    return frozenset(list_cards())


def _encode(card: str, style: Style) -> str:
    """Return the face of a card as an address that holds its picture."""
    picture = document("", face(card, style).elements, size()).replace("<title></title>", "").replace("<title/>", "")
    for plain, encoded in _ENCODED:
        picture = picture.replace(plain, encoded)
    return f"data:image/svg+xml,{picture}"
