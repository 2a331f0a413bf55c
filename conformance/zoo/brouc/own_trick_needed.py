"""Brouc. Who wants to announce must have made a trick."""

from twin import Brouc, Deal, main


class Table(Brouc):
    """A trick of one's partner does not help."""

    def may_speak(self, deal: Deal, seat: int) -> bool:
        """The player has a trick in front of him."""
        return any(trick.winner == seat for trick in deal.tricks)


if __name__ == "__main__":
    main(brouc=Table)
