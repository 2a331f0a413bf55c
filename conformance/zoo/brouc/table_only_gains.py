"""Brouc. A marriage on the table is credited to the party that takes the trick; nobody pays for it."""

from twin import Brouc, main


class Table(Brouc):
    """Marriages only ever bring points."""

    def marriages(self, team: int) -> int:
        """Those announced and those that lie in the party's tricks."""
        if self.now is None:
            return 0
        return self.now.announced(team) + self.now.taken(team)


if __name__ == "__main__":
    main(brouc=Table)
