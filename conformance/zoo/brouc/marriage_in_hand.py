"""Brouc. Who holds king and queen of trumps may play from that marriage instead of beating a trump."""

from twin import Brouc, Trick, main


class Table(Brouc):
    """The marriage that frees from beating is the one in the hand."""

    def weds(self, card: str, trick: Trick) -> bool:
        """King, queen or jack of trumps, played by somebody with king and queen."""
        if self.now is None:
            return False
        hand = self.now.hands[trick.turn]
        king, queen, jack = ("K" + trick.trump, "Q" + trick.trump, "J" + trick.trump)
        return card in {king, queen, jack} and king in hand and queen in hand


if __name__ == "__main__":
    main(brouc=Table)
