"""Tysiąc in plain Python, written from rules.md before the rules in YAML were; it shares nothing with Brou."""

RANKS = "ATKQJ9"
DECK = [rank + suit for suit in "SHDC" for rank in RANKS]
COUNT = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
MELDS = {"H": 100, "D": 80, "C": 60, "S": 40}


def deal_out(deck, dealer):
    """Return the hands that a pack makes, one card at a time, and the musik."""
    hands = [[], [], []]
    for at, card in enumerate(deck[:21]):
        hands[(dealer + 1 + at) % 3].append(card)
    return hands, deck[21:]


def find_limit(hand):
    """Return the most that a player with these cards may bid."""
    return 120 + sum(value for suit, value in MELDS.items() if {"K" + suit, "Q" + suit} <= set(hand))


class Deal:
    """One deal, from the hands on."""

    def __init__(self, dealer, hands, musik, totals=(0, 0, 0), **readings):
        self.dealer, self.totals, self.readings = dealer, list(totals), readings
        self.hands, self.musik = [set(hand) for hand in hands], list(musik)
        self.phase, self.bid, self.declarer = "bid", 100, (dealer + 1) % 3
        self.turn = (dealer + 2) % 3
        self.passed = set()
        self.given = set()
        self.trump = None
        self.melds = [0, 0, 0]
        self.cards = [0, 0, 0]
        self.trick = []
        self.done = 0

    def legal(self, seat):
        if self.phase == "over" or seat != self.turn:
            return {}
        hand = [card for card in DECK if card in self.hands[seat]]
        most = min(400, find_limit(hand))
        if self.phase == "bid":
            return {"bid": list(range(self.bid + 10, most + 1, 10)), "decline": [True]}
        if self.phase == "give":
            others = [one for one in range(3) if one != seat and one not in self.given]
            return {"give": [{"to": one, "card": card} for one in others for card in hand]}
        if self.phase == "contract":
            return {"settle": [self.bid, *range(self.bid + 10, most + 1, 10)]}
        return {"play": self.playable(hand)}

    def height(self, card):
        """Return how high a card is in the trick, 0 if it cannot win."""
        if card[1] == self.trump:
            return 20 - RANKS.index(card[0])
        return 10 - RANKS.index(card[0]) if card[1] == self.trick[0][1][1] else 0

    def playable(self, hand):
        if not self.trick:
            return hand
        led = self.trick[0][1][1]
        best = max(self.height(card) for _, card in self.trick)
        same = [card for card in hand if card[1] == led]
        if same:
            higher = [card for card in same if self.height(card) > best]
            must = self.readings.get("beating", "duty") == "duty"
            return higher if must and higher else same
        trumps = [card for card in hand if card[1] == self.trump]
        if not trumps or self.readings.get("void", "must-trump") == "free":
            return hand
        return [card for card in trumps if self.height(card) > best] or trumps

    def do(self, seat, act, value):
        assert value in self.legal(seat)[act], (seat, act, value)
        if act == "bid":
            self.bid, self.declarer = value, seat
            self.turn = self.find_next(seat)
        elif act == "decline":
            self.passed.add(seat)
            self.turn = self.find_next(seat)
            if len(self.passed) == 2:
                self.phase, self.turn = "give", self.declarer
                self.hands[self.declarer] |= set(self.musik)
        elif act == "give":
            self.hands[seat].discard(value["card"])
            self.hands[value["to"]].add(value["card"])
            self.given.add(value["to"])
            if len(self.given) == 2:
                self.phase = "contract"
        elif act == "settle":
            self.bid, self.phase = value, "play"
        else:
            self.lay(seat, value)

    def find_next(self, seat):
        return next(one % 3 for one in range(seat + 1, seat + 4) if one % 3 not in self.passed)

    def lay(self, seat, card):
        partner = {"K": "Q", "Q": "K"}.get(card[0], "-") + card[1]
        if not self.trick and partner in self.hands[seat]:
            self.trump = card[1]
            self.melds[seat] += MELDS[card[1]]
        self.hands[seat].discard(card)
        self.trick.append((seat, card))
        self.turn = (seat + 1) % 3
        if len(self.trick) == 3:
            winner = max(self.trick, key=lambda one: self.height(one[1]))[0]
            self.cards[winner] += sum(COUNT[one[0]] for _, one in self.trick)
            self.trick, self.turn = [], winner
            self.done += 1
            if self.done == 8:
                self.phase = "over"

    def result(self):
        """What each seat writes."""
        unit = self.readings.get("rounding", 10)
        gains = []
        for seat in range(3):
            own = self.cards[seat] + self.melds[seat]
            if seat == self.declarer:
                gains.append(self.bid if own >= self.bid else -self.bid)
            elif self.totals[seat] >= 800 and self.readings.get("barrel", "closed") == "closed":
                gains.append(0)
            else:
                gains.append((2 * own + unit) // (2 * unit) * unit)
        return gains
