"""La brisca para dos en Python llano, escrita a partir de rules.md antes que las reglas en YAML; no usa nada de Brou.

Palos: O oros, C copas, E espadas, B bastos. Cartas: A as, 3 tres, R rey, C caballo, S sota, y números.
"""

RANKS = "A3RCS76542"
DECK = [rank + suit for suit in "OCEB" for rank in RANKS]
POINTS = {"A": 11, "3": 10, "R": 4, "C": 3, "S": 2}


class Deal:
    """Una mano, desde la baraja ya cortada."""

    def __init__(self, deck, dealer, final="libre"):
        self.dealer, self.final = dealer, final
        other = 1 - dealer
        self.hands = [[], []]
        for at, card in enumerate(deck[:6]):
            self.hands[other if at % 2 == 0 else dealer].append(card)
        self.turnup = deck[6]
        self.stock = [*deck[7:], deck[6]]
        self.trump = deck[6][1]
        self.turn, self.trick, self.made, self.done = other, [], [0, 0], 0

    def is_over(self):
        return self.done == 20

    def legal(self):
        """Devuelve las cartas que puede jugar quien tiene el turno."""
        hand = self.hands[self.turn]
        if self.trick and not self.stock and self.final == "asistir":
            led = self.trick[0][1][1]
            return [card for card in hand if card[1] == led] or list(hand)
        return list(hand)

    def play(self, card):
        assert card in self.legal()
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.turn = 1 - self.turn
        if len(self.trick) < 2:
            return
        (first, one), (second, two) = self.trick
        is_higher = two[1] == one[1] and RANKS.index(two[0]) < RANKS.index(one[0])
        is_trumped = two[1] == self.trump != one[1]
        winner = second if is_higher or is_trumped else first
        self.made[winner] += sum(POINTS.get(card[0], 0) for card in (one, two))
        self.trick, self.turn, self.done = [], winner, self.done + 1
        for seat in (winner, 1 - winner):
            if self.stock:
                self.hands[seat].append(self.stock.pop(0))

    def result(self):
        """Devuelve los juegos que gana cada uno."""
        return [int(points > 60) for points in self.made]
