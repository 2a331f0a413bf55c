"""Brouc. A marriage belongs to who was dealt it, and is announced whenever the party has a trick."""

from collections.abc import Sequence

from twin import Brouc, Deal, main


class RememberedDeal(Deal):
    """A deal that knows the hands as they were dealt."""

    def __init__(self, dealer: int, hands: Sequence[Sequence[str]], turnup: str) -> None:
        """Keep a copy of each hand before any card is played."""
        super().__init__(dealer, hands, turnup)
        self.dealt = [set(hand) for hand in hands]

    def holds(self, seat: int, suit: str, kind: str) -> bool:
        """The seat was dealt the marriage."""
        ranks = "KQJ" if kind == "grand" else "KQ"
        return {rank + suit for rank in ranks} <= self.dealt[seat]


class Table(Brouc):
    """A card that has been played can still be announced."""

    deal_type = RememberedDeal


if __name__ == "__main__":
    main(brouc=Table)
