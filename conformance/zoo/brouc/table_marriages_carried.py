"""Brouc. A cape leaves the slate as it was; the marriages of the deal go over to the next one."""

from twin import TEAMS, Brouc, main


class Table(Brouc):
    """The marriages, not only those that were announced."""

    def write_down(self) -> None:
        """Write as usual, and carry over what the marriages have brought and cost."""
        cape = self.outcome is not None and self.outcome.kind == "cape"
        carry = [self.carry[team] + self.marriages(team) for team in TEAMS]
        super().write_down()
        if cape:
            self.carry = carry


if __name__ == "__main__":
    main(brouc=Table)
