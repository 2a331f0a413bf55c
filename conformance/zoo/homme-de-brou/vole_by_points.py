"""Homme de Brou. A team that has all 120 points has made the vole."""

from twin import Deal, HommeDeBrou, main

PACK = 120


class Table(HommeDeBrou):
    """Tricks without points are not looked at."""

    def finish(self, deal: Deal, last_team: int) -> None:
        """Three parties for the whole pack, whoever made the last trick."""
        sweeper = next((team for team in (0, 1) if deal.points(team) == PACK), None)
        if sweeper is not None and deal.call is None:
            self.end("vole", sweeper, self.vole_worth)
        else:
            super().finish(deal, last_team)


if __name__ == "__main__":
    main(homme_de_brou=Table)
