"""How random deals are dealt and played."""

from oracle import DECK


def shuffle(chance):
    """Return a pack in random order."""
    deck = list(DECK)
    chance.shuffle(deck)
    return deck


def play_deal(chance, oracle):
    """Play a deal to its end, and yield each act before it is done: who, what, which value."""
    seats = list(range(oracle.seats))
    chance.shuffle(seats)
    while not oracle.is_over():
        seat = seats.pop() if seats else oracle.turn
        ((act, values),) = oracle.legal(seat).items()
        value = chance.choice(values) if act == "play" else chance.randrange(100)
        yield seat, act, value
        oracle.do(seat, act, value)
