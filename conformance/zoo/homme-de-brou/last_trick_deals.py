"""Homme de Brou. After the first deal, which the lowest card gives, who made the last trick deals the next one."""

from twin import HommeDeBrou, main


class Table(HommeDeBrou):
    """The pack stays with the winner of the last trick."""

    def write_down(self) -> None:
        """Write as usual, then hand the pack over."""
        last = self.last_winner()
        super().write_down()
        if last is not None:
            self.dealer = last


if __name__ == "__main__":
    main(homme_de_brou=Table)
