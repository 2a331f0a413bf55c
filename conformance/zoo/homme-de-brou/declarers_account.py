"""Homme de Brou. Who fails with "partie et vole" has lost the partie, at the price his own account sets."""

from twin import HommeDeBrou, main


class Table(HommeDeBrou):
    """One, two or four parties by the account of the losers."""

    def parties_against(self, team: int) -> int:
        """What the declarers pay beside the vole."""
        return self.parties_for(self.sheet(1 - team))


if __name__ == "__main__":
    main(homme_de_brou=Table)
