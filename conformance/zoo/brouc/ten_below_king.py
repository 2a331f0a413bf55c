"""Brouc, with the cards in the order they have in nearly every other game: the ten below the jack."""

from typing import ClassVar

from twin import Brouc, Deal, Trick, main


class NaturalTrick(Trick):
    """A trick in which ace, king, queen, jack, ten follow each other."""

    strength: ClassVar[dict[str, int]] = {rank: height for height, rank in enumerate("789TJQKA")}


class NaturalDeal(Deal):
    """A deal of such tricks."""

    trick_type = NaturalTrick


class Table(Brouc):
    """Everything else is as usual; the ten is still worth ten."""

    deal_type = NaturalDeal


if __name__ == "__main__":
    main(brouc=Table)
