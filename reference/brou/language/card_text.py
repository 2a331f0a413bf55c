"""Cards as people write them: `KS`, `ks`, `SK`, `K♠` or `10♠`, read into the notation of a game."""

from __future__ import annotations

import re

from brou.language.node import Node, Plain
from brou.language.syntax import Deck

#: Suits as symbols, by their letters in packs of French cards.
_SYMBOLS = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC")
#: A ten is written with two digits by many, and with a letter in our files.
_TEN = str.maketrans({"1": None, "0": "t"})
#: A leader and the cards from there on.
_TRICK = re.compile(r"\d{1,2}:( \S+)+")


class CardReader:
    """Reads the cards of one pack."""

    def __init__(self, deck: Deck) -> None:
        self._faces = frozenset(deck.faces)
        self._has_letters = all(len(rank) == 1 for rank in deck.ranks)
        self._longest = max(map(len, deck.faces))

    def find(self, text: str) -> str | None:
        """Return the card that a text means; None if it means none."""
        if text in self._faces:
            return text
        plain = text.strip().translate(_SYMBOLS).upper()
        if self._has_letters and len(plain) > self._longest:
            plain = plain.translate(_TEN).upper()
        return next((one for one in (plain, plain[::-1]) if one in self._faces), None)

    def read(self, value: Plain) -> Plain:
        """Return a value with its cards in the notation of the game; any other value stays as it is."""
        match value:
            case str():
                return self.find(value) or value
            case list():
                return [self.read(one) for one in value]
            case dict():
                return {key: self.read(one) for key, one in value.items()}
        return value

    def read_node(self, node: Node) -> Node:
        """Return a part of a file with its cards in the notation of the game, those of tricks in a line as well."""
        match node.value:
            case str() as text if _TRICK.fullmatch(text):
                leader, *cards = text.split()
                return Node(" ".join([leader, *(self.find(card) or card for card in cards)]), node.place)
            case str() as text:
                return Node(self.find(text) or text, node.place)
            case tuple() as items:
                return Node(tuple(map(self.read_node, items)), node.place)
            case dict() as fields:
                return Node({key: self.read_node(one) for key, one in fields.items()}, node.place)
        return node
