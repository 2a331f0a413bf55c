"""Homme de Brou. A claim, right or wrong, is worth what the account of the other team says."""

from twin import HommeDeBrou, main


class Table(HommeDeBrou):
    """The claimants are always measured by their opponents."""

    def claim(self, team: int) -> None:
        """One, two or four parties, won or lost."""
        worth = self.parties_for(self.running(1 - team))
        if self.running(team) >= self.goal:
            self.end("claim-right", team, worth)
        else:
            self.end("claim-wrong", 1 - team, worth)


if __name__ == "__main__":
    main(homme_de_brou=Table)
