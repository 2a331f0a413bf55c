"""Homme de Brou. The sheet is brought up to date after every deal, marriages and tricks together."""

from twin import HommeDeBrou, main


class Table(HommeDeBrou):
    """While a deal is played the sheet does not change."""

    def shown_accounts(self) -> list[int]:
        """What was written before the deal."""
        return list(self.accounts)


if __name__ == "__main__":
    main(homme_de_brou=Table)
