"""Brouc. Nobody has to beat a trump of his own partner, as long as that trump is winning the trick."""

from twin import Brouc, Deal, main, team_of


class Table(Brouc):
    """As at Belote, the partner who is master is left alone."""

    def open_cards(self, deal: Deal, seat: int) -> list[str]:
        """Follow suit; beat trumps, unless the highest is the partner's."""
        hand, trick = deal.hands[seat], deal.table
        ruffed = any(card[1] == trick.trump for card in trick.cards)
        if ruffed and team_of(trick.winner) == team_of(seat):
            return [card for card in hand if card[1] == trick.suit] or hand
        return super().open_cards(deal, seat)


if __name__ == "__main__":
    main(brouc=Table)
