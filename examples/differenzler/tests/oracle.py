"""Differenzler in plain Python, written from rules.md before the rules in YAML were; it shares nothing with Brou.

Suits: R roses, G bells, E acorns, S shields. Ranks: A K O U B 9 8 7 6.
"""

RANKS = "AKOUB9876"
DECK = [rank + suit for suit in "RGES" for rank in RANKS]
TRUMP_ORDER = "U9AKOB876"
COUNT = {"A": 11, "K": 4, "O": 3, "U": 2, "B": 10}


def deal_out(deck, seats, dealer):
    """Return the hands that a pack makes, three cards at a time."""
    hands = [[] for _ in range(seats)]
    for at in range(0, 36, 3):
        hands[(dealer + 1 + at // 3) % seats] += deck[at : at + 3]
    return hands


class Deal:
    """One deal, from the hands on; the dealer shows the last card of the pack."""

    def __init__(self, seats, dealer, hands, shown, **readings):
        self.seats, self.dealer, self.readings = seats, dealer, readings
        self.hands, self.trump = [set(hand) for hand in hands], shown[1]
        self.announced = [None] * seats
        self.made = [0] * seats
        self.turn = (dealer + 1) % seats
        self.trick, self.done = [], 0

    def is_over(self):
        return self.done == 36 // self.seats

    def count(self, card):
        if card[1] == self.trump and card[0] in "U9":
            return {"U": 20, "9": 14}[card[0]]
        return COUNT.get(card[0], 0)

    def legal(self, seat):
        if self.is_over():
            return {}
        if None in self.announced:
            return {"announce": range(158)} if self.announced[seat] is None else {}
        return {"play": self.playable(seat)} if seat == self.turn else {}

    def playable(self, seat):
        hand = [card for card in DECK if card in self.hands[seat]]
        if not self.trick:
            return hand
        led = self.trick[0][1][1]
        if led == self.trump:
            bound = [card for card in hand if card[1] == led and card[0] != "U"]
            return [card for card in hand if card[1] == led] if bound else hand
        follows = any(card[1] == led for card in hand)
        lying = [TRUMP_ORDER.index(card[0]) for _, card in self.trick if card[1] == self.trump]
        only_trumps = all(card[1] == self.trump for card in hand)
        strict = self.readings.get("undertrump", "forbidden") == "forbidden"

        def is_allowed(card):
            if card[1] == self.trump:
                below = lying and TRUMP_ORDER.index(card[0]) > min(lying)
                return only_trumps or not (strict and below)
            return card[1] == led or not follows

        return [card for card in hand if is_allowed(card)]

    def do(self, seat, act, value):
        assert value in self.legal(seat)[act], (seat, act, value)
        if act == "announce":
            self.announced[seat] = value
            return
        self.hands[seat].discard(value)
        self.trick.append((seat, value))
        self.turn = (seat + 1) % self.seats
        if len(self.trick) == self.seats:
            led = self.trick[0][1][1]

            def height(one):
                card = one[1]
                if card[1] == self.trump:
                    return 100 - TRUMP_ORDER.index(card[0])
                return 50 - RANKS.index(card[0]) if card[1] == led else 0

            winner = max(self.trick, key=height)[0]
            self.done += 1
            self.made[winner] += sum(self.count(card) for _, card in self.trick) + 5 * self.is_over()
            self.trick, self.turn = [], winner

    def result(self):
        """What each seat writes."""
        return [abs(said - made) for said, made in zip(self.announced, self.made)]
