"""Homme de Brou. After a deal its points are rounded and entered; then one looks who has 301."""

from twin import Deal, HommeDeBrou, main


class Table(HommeDeBrou):
    """Only rounded points win at the end of a deal."""

    def finish(self, deal: Deal, last_team: int) -> None:
        """Forget who was past the goal if rounding takes him back."""
        self.past_goal = [
            team for team in self.past_goal if self.sheet(team) + self.to_tens(self.points(team)) >= self.goal
        ]
        super().finish(deal, last_team)


if __name__ == "__main__":
    main(homme_de_brou=Table)
