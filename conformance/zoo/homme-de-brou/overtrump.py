"""Homme de Brou. On a trump lead a higher trump has to be played by whoever has one."""

from twin import Deal, HommeDeBrou, main


class Table(HommeDeBrou):
    """Trumps are forced, plain suits are not."""

    def open_cards(self, deal: Deal, seat: int) -> list[str]:
        """Follow suit, in trumps above what lies there."""
        open_cards, trick = super().open_cards(deal, seat), deal.table
        if trick.suit != deal.trump:
            return open_cards
        highest = max(trick.rank(card) for card in trick.cards)
        higher = [card for card in open_cards if card[1] == deal.trump and trick.rank(card) > highest]
        return higher or open_cards


if __name__ == "__main__":
    main(homme_de_brou=Table)
