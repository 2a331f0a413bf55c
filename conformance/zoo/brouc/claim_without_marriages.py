"""Brouc. Marriages are credited after the deal; until then a party has its slate and the cards in its tricks."""

from twin import Brouc, main


class Table(Brouc):
    """Who says "dehors" adds up cards."""

    def claim(self, team: int, total: int) -> None:
        """Judge the claim by what is there before the marriages are credited."""
        super().claim(team, total - self.marriages(team))


if __name__ == "__main__":
    main(brouc=Table)
