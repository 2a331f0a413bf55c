"""Brouc. Results are rounded to tens with the function that the language has for it."""

from twin import Brouc, main


class Table(Brouc):
    """Nothing to write by hand here."""

    def to_tens(self, points: int) -> int:
        """The points, rounded to tens."""
        return round(points, -1)


if __name__ == "__main__":
    main(brouc=Table)
