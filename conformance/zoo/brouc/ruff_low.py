"""Brouc. Who cannot follow may trump or throw whatever he likes; trumps are beaten only where trumps were led."""

from twin import Brouc, Deal, main


class Table(Brouc):
    """Trumping in is free."""

    def open_cards(self, deal: Deal, seat: int) -> list[str]:
        """Follow suit, else play anything; a trump lead has to be beaten."""
        hand, trick = deal.hands[seat], deal.table
        following = [card for card in hand if card[1] == trick.suit]
        if not following:
            return hand
        return super().open_cards(deal, seat)


if __name__ == "__main__":
    main(brouc=Table)
