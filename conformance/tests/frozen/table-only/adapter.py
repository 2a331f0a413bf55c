"""A partie of Brouc at one table: it asks nobody out of turn, names no reasons, and says nothing of its readings."""

import table_adapter
from brou_table import Brouc, Deal, team_of


class Table(Brouc):
    """The partner who is master is left alone, as at Belote."""

    def open_cards(self, deal: Deal, seat: int) -> list[str]:
        """Follow suit; beat trumps, unless the highest is the partner's."""
        hand, trick = deal.hands[seat], deal.table
        ruffed = any(card[1] == trick.trump for card in trick.cards)
        if ruffed and team_of(trick.winner) == team_of(seat):
            return [card for card in hand if card[1] == trick.suit] or hand
        return super().open_cards(deal, seat)


table_adapter.HELLO = {
    "protocol": 1,
    "engine": {"name": "table-only"},
    "plays": [{"game": "brouc", "editions": ["2022"], "setups": ["4"]}],
    "can": ["deal", "match", "score", "winner"],
    "acts": ["lot", "cut", "deal", "play", "claim", "next"],
}

if __name__ == "__main__":
    table_adapter.main(brouc=Table)
