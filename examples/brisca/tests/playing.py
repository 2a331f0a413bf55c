"""Cómo se baraja y se juega al azar."""

from oracle import DECK


def shuffle(chance):
    """Devuelve la baraja en un orden cualquiera."""
    deck = list(DECK)
    chance.shuffle(deck)
    return deck


def play_deal(chance, oracle):
    """Juega una mano hasta el final, y da cada carta con su jugador antes de jugarla."""
    while not oracle.is_over():
        seat, card = oracle.turn, chance.choice(oracle.legal())
        yield seat, card
        oracle.play(card)
