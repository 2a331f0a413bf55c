"""Homme de Brou. The lowest card deals; the ten is the second highest, as it always is in this game."""

from typing import ClassVar

from twin import HommeDeBrou, main


class Table(HommeDeBrou):
    """One order of the cards for everything."""

    drawing_order: ClassVar[dict[str, int]] = {rank: height for height, rank in enumerate("789JQKTA")}


if __name__ == "__main__":
    main(homme_de_brou=Table)
