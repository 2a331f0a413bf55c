"""Homme de Brou. During the first trick the card turned up lies on the table: it may be played, but need not be."""

from twin import Deal, HommeDeBrou, main


class Table(HommeDeBrou):
    """The dealer follows suit from the seven cards in his hand."""

    def open_cards(self, deal: Deal, seat: int) -> list[str]:
        """What the seven cards allow, and the card turned up if it fits too."""
        open_cards = super().open_cards(deal, seat)
        if seat != deal.dealer or not self.turnup_exposed(deal):
            return open_cards
        held = [card for card in deal.hands[seat] if card != deal.turnup]
        from_hand = [card for card in held if card[1] == deal.table.suit] or held
        return [*from_hand, *(card for card in open_cards if card == deal.turnup)]


if __name__ == "__main__":
    main(homme_de_brou=Table)
