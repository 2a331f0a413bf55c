"""Homme de Brou. King, queen and jack in one trick are a grand marriage, and king and queen of it a simple one."""

from twin import Deal, HommeDeBrou, Trick, main


class FullTrick(Trick):
    """A trick in which everything counts that lies there."""

    @property
    def marriages(self) -> list[tuple[str, str]]:
        """Every grand marriage, followed by the simple one in it."""
        found = []
        for suit, kind in super().marriages:
            found += [(suit, "grand"), (suit, "simple")] if kind == "grand" else [(suit, "simple")]
        return found


class FullDeal(Deal):
    """A deal of such tricks."""

    trick_type = FullTrick


class Table(HommeDeBrou):
    """120 and 80 for the three court cards of trumps."""

    deal_type = FullDeal


if __name__ == "__main__":
    main(homme_de_brou=Table)
