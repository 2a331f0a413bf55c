"""Brouc. All 120 points on top of what is written have to make the 300 of a partie, so 180 must be there."""

from twin import Brouc, main

PARTIE = 300
PACK = 120


class Table(Brouc):
    """The cape et dehors from eighteen on."""

    own_slate_for_call = PARTIE - PACK


if __name__ == "__main__":
    main(brouc=Table)
