"""Brouc. A ruff has to be beaten by who can; who cannot is free, and may drop a small trump under it."""

from twin import Brouc, Deal, main


class Table(Brouc):
    """The duty to beat a ruff ends where it cannot be met."""

    def open_cards(self, deal: Deal, seat: int) -> list[str]:
        """Whoever is void and has no trump above those on the table may play any card."""
        hand, trick = deal.hands[seat], deal.table
        if trick.suit is None or any(card[1] == trick.suit for card in hand):
            return super().open_cards(deal, seat)
        lying = [trick.rank(card) for card in trick.cards]
        can_beat = any(card[1] == trick.trump and trick.rank(card) > max(lying) for card in hand)
        return super().open_cards(deal, seat) if can_beat else hand


if __name__ == "__main__":
    main(brouc=Table)
