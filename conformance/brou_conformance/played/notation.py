"""How logs write cards, seats and tricks: read into the notation of the game, or refused with the place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brou import Fault, Malformed, Node, Place, ask_if_meant, nearest
from brou.language import CardReader, Deck

#: What stands for a card that nobody saw.
UNSEEN = frozenset({"?", "??", "X", "XX", "*", "**", "-"})


class GameNotation:
    """The cards and seats of one game, as somebody may have written them."""

    def __init__(self, deck: Deck, seats: int, players: Sequence[str]) -> None:
        self.deck, self.seats, self.players = deck, seats, tuple(players)
        self.cards = CardReader(deck)

    def card(self, node: Node) -> str:
        """Return a card: `KS`, `ks`, `SK`, `K♠`, `10♠`."""
        return self._read_card(node.text, node.place)

    def _read_card(self, text: str, place: Place) -> str:
        found = self.cards.find(text)
        if found is None:
            what = (
                f"ranks are {' '.join(self.deck.ranks)}, suits {' '.join(self.deck.suits)}, as in {self.deck.faces[0]}"
            )
            raise Malformed([Fault(place, f"{text!r} is no card of this game", what)])
        return found

    def hand(self, node: Node) -> list[str]:
        """Return the known cards of a hand: a list, or a text with spaces; `?` is one that nobody saw."""
        if isinstance(node.value, tuple):
            words = [(item.text, item.place) for item in node.items]
        else:
            words = [(word, node.place) for word in node.text.split()]
        return [self._read_card(text, place) for text, place in words if text.upper() not in UNSEEN]

    def seat(self, node: Node) -> int:
        """Return a seat: its number, or the name of its player."""
        return self.read_seat(node.text, node.place)

    def read_seat(self, text: str, place: Place) -> int:
        """Return the seat that a text names."""
        if text in self.players:
            return self.players.index(text)
        if text.isdecimal() and int(text) < self.seats:
            return int(text)
        names = f", or {', '.join(self.players)}" if self.players else ""
        raise Malformed([Fault(place, f"{text!r} is no seat of this game", f"seats are 0 to {self.seats - 1}{names}")])

    def trick(self, text: str, place: Place) -> Iterator[tuple[int, str]]:
        """Yield the seats and cards of a trick that is written in a line, `LEADER: CARD CARD CARD`."""
        leader, colon, cards = text.partition(":")
        if not colon or not cards.split():
            what = "a trick is written LEADER: CARD CARD ..., as in `2: KS 9S AS 7S`"
            raise Malformed([Fault(place, f"{text!r} is no trick", what)])
        first = self.read_seat(leader.strip(), place)
        for number, card in enumerate(cards.split()):
            yield (first + number) % self.seats, self._read_card(card, place)


def check_keys(fields: Mapping[str, Node], known: Sequence[str]) -> Iterator[Fault]:
    """Yield keys that look like a slip of the pen; others that are not known are left to whoever wrote them."""
    for key, node in fields.items():
        if key not in known and (like := nearest(key, known)):
            yield Fault(node.place, f"unknown key {key!r}", ask_if_meant(like))
