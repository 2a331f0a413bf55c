"""Homme de Brou. Everybody may look through the tricks of his team whenever he likes."""

from twin import HommeDeBrou, main, team_of


class Table(HommeDeBrou):
    """The pile in front of a team lies open to it."""

    def view(self, seat: int) -> dict[str, object]:
        """As usual, and one's own tricks on every turn."""
        shown = super().view(seat)
        if self.now is not None:
            shown["own"] = [trick.cards for trick in self.now.tricks if team_of(trick.winner) == team_of(seat)]
        return shown


if __name__ == "__main__":
    main(homme_de_brou=Table)
