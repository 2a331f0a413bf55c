"""Homme de Brou. A vole is three parties, and a deal like any other for the accounts."""

from twin import TEAMS, HommeDeBrou, main


class Table(HommeDeBrou):
    """Tricks and marriages of a vole are entered."""

    def write_down(self) -> None:
        """Three parties first, then the points of the deal."""
        vole = self.outcome is not None and self.outcome.kind == "vole"
        entered = [self.sheet(team) + self.to_tens(self.points(team)) for team in TEAMS]
        super().write_down()
        if vole:
            self.accounts = entered


if __name__ == "__main__":
    main(homme_de_brou=Table)
