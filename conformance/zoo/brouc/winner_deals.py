"""Brouc. The deal goes to the player who made the last trick."""

from twin import Brouc, main


class Table(Brouc):
    """Who has the last trick has the pack in front of him, and deals."""

    def write_down(self) -> None:
        """Write as usual, then hand the pack over."""
        last = self.last_winner()
        super().write_down()
        if last is not None:
            self.dealer = last


if __name__ == "__main__":
    main(brouc=Table)
