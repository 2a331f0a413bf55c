"""How many words of a machine a set of cards takes."""

#: How many cards a word of a set holds.
WORD = 64


def words(cards: int) -> int:
    """Return how many words hold every card of a pack and the bit behind the last, which says that there is no set."""
    return cards // WORD + 1
