"""Homme de Brou. King and queen are a marriage on the table if their suit was led; thrown off, they are two cards."""

from twin import Deal, HommeDeBrou, Trick, main


class SuitedTrick(Trick):
    """A trick that knows only the marriage of the suit demanded."""

    @property
    def marriages(self) -> list[tuple[str, str]]:
        """The one of the suit led, if it is there."""
        return [(suit, kind) for suit, kind in super().marriages if suit == self.suit]


class SuitedDeal(Deal):
    """A deal of such tricks."""

    trick_type = SuitedTrick


class Table(HommeDeBrou):
    """At most one marriage a trick."""

    deal_type = SuitedDeal


if __name__ == "__main__":
    main(homme_de_brou=Table)
