"""Homme de Brou. A marriage on the table is one that two partners play together."""

from twin import Deal, HommeDeBrou, Trick, main, team_of


class PartnersTrick(Trick):
    """A trick in which king and queen must come from one team."""

    @property
    def marriages(self) -> list[tuple[str, str]]:
        """The marriages whose king and queen partners have played."""
        return [
            (suit, kind)
            for suit, kind in super().marriages
            if team_of(self.player_of("K" + suit)) == team_of(self.player_of("Q" + suit))
        ]


class PartnersDeal(Deal):
    """A deal of such tricks."""

    trick_type = PartnersTrick


class Table(HommeDeBrou):
    """Opponents marry nobody."""

    deal_type = PartnersDeal


if __name__ == "__main__":
    main(homme_de_brou=Table)
