"""A program with a game object: it deals, takes cards and keeps the tricks of one deal of Brouc, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from valid_cards import ORDER, valid_cards


class IllegalMove(Exception):
    """A card that may not be played now."""


@dataclass
class Table:
    """Four hands, the card on the table, and who takes the tricks; seat 0 to 3, each at the right of the one before."""

    hands: list[list[str]]
    trump: str
    turn: int
    trick: list[str] = field(default_factory=list)
    winner: int | None = None

    def playable(self, seat: int) -> list[str]:
        """Return the cards that a seat may play now."""
        return list(valid_cards(self.hands[seat], self.trick, self.trump)) if seat == self.turn else []

    def play(self, seat: int, card: str) -> None:
        """Play a card, or raise `IllegalMove`."""
        if card not in self.playable(seat):
            raise IllegalMove(card)
        self.hands[seat].remove(card)
        self.trick.append(card)
        self.turn = (seat + 1) % 4
        if len(self.trick) == 4:
            self._take()

    def _take(self) -> None:
        led = self.trick[0][1]
        strength = [(card[1] == self.trump, card[1] == led, ORDER.index(card[0])) for card in self.trick]
        self.winner = self.turn = (self.turn + strength.index(max(strength))) % 4
        self.trick = []
