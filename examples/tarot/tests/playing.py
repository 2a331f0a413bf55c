"""How random deals are dealt and played."""

from oracle import DECK, deal_out


def choose(chance, oracle, seat, likes_trumps):
    """Return an act of a seat, drawn so that most deals are played, and some to a slam."""
    acts = oracle.legal(seat)
    if "bid" in acts:
        return "bid", chance.choice(acts["bid"])
    if "show-handful" in acts and chance.random() < 0.7:
        return "show-handful", chance.choice(acts["show-handful"])
    act = next(iter(acts))
    values = acts[act]
    if act == "play" and likes_trumps and len(values) > 1 and chance.random() < 0.9:
        values = [card for card in values if card != "XE"]
    return act, chance.choice(values)


def stack(chance, seats, dealer):
    """Return a pack in which one player may have nearly all trumps, so that slams come about, or a fair one."""
    deck = list(DECK)
    chance.shuffle(deck)
    if chance.random() < 0.4:
        lucky = chance.randrange(seats)
        hands, _ = deal_out(list(range(len(deck))), seats, dealer)
        strong = [card for card in DECK if card[1] in "AE" or card[0] in "RD"]
        for place in hands[lucky]:
            if deck[place] in strong or not strong:
                continue
            card = next((one for one in strong if deck.index(one) not in hands[lucky]), None)
            if card:
                other = deck.index(card)
                deck[place], deck[other] = deck[other], deck[place]
    return deck
