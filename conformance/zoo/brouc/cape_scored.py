"""Brouc. A cape costs the others two ticks; the deal is written down like any other."""

from twin import TEAMS, Brouc, main


class Table(Brouc):
    """Points and marriages of a cape go on the slate."""

    def write_down(self) -> None:
        """Ticks first, then the points."""
        cape = self.outcome is not None and self.outcome.kind == "cape"
        gains = [self.to_tens(self.points(team)) + self.marriages(team) for team in TEAMS]
        super().write_down()
        if cape:
            self.accounts = [self.accounts[team] + gains[team] for team in TEAMS]
            self.carry = [0, 0]


if __name__ == "__main__":
    main(brouc=Table)
