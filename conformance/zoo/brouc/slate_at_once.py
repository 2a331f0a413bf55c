"""Brouc. Marriages are written on the slate the moment they are announced or taken."""

from twin import TEAMS, Brouc, main


class Table(Brouc):
    """The slate always shows the marriages of the deal at hand."""

    def shown_accounts(self) -> list[int]:
        """What is written, marriages included."""
        return [self.accounts[team] + self.marriages(team) for team in TEAMS]


if __name__ == "__main__":
    main(brouc=Table)
