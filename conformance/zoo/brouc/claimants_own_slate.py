"""Brouc. A wrong "dehors" loses the partie, and what a lost partie costs depends on what its loser writes."""

from twin import Brouc, main


class Table(Brouc):
    """The claimants have lost, so it is their slate that is looked at."""

    def claim(self, team: int, total: int) -> None:
        """Right or wrong, the ticks are those of the losing party."""
        right = total >= self.goal
        loser = 1 - team if right else team
        self.end("claim-right" if right else "claim-wrong", 1 - loser, self.ticks_for(self.accounts[loser]))


if __name__ == "__main__":
    main(brouc=Table)
