"""How random deals are dealt and played."""

from oracle import DECK, find_limit


def shuffle(chance):
    """Return a pack in random order."""
    deck = list(DECK)
    chance.shuffle(deck)
    return deck


def choose(chance, oracle):
    """Return an act of the seat on turn, drawn so that melds come about and auctions end."""
    acts = oracle.legal(oracle.turn)
    if "bid" in acts:
        if acts["bid"] and chance.random() < 0.5:
            return "bid", chance.choice(acts["bid"][:3])
        return "decline", True
    act, values = next(iter(acts.items()))
    if act == "give":
        kept = [one for one in values if one["card"][0] not in "KQ"]
        return act, chance.choice(kept or values)
    if act == "play" and not oracle.trick:
        hand = oracle.hands[oracle.turn]
        pairs = [card for card in values if card[0] in "KQ" and find_limit(hand) > find_limit(hand - {card})]
        if pairs and chance.random() < 0.7:
            return act, chance.choice(pairs)
    return act, chance.choice(values)


def to_wire(act, value):
    """Return a value as the rules have it: bids are counted in tens there."""
    return value // 10 if act in ("bid", "settle") else value
