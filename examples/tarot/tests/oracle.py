"""Tarot in plain Python, written from rules.md before the rules in YAML were; it shares nothing with Brou.

A card is a rank and a suit. Suits: S H D C, A for trumps, E for the excuse (XE). Ranks: R D C V 0 9 ... 1; trumps from
eleven to twenty-one are A B E F G H I J L M N.
"""

PLAIN = "RDCV0987654321"
TRUMPS = "NMLJIHGFEBA0987654321"
DECK = [r + s for s in "SHDC" for r in PLAIN] + [r + "A" for r in TRUMPS] + ["XE"]
BIDS = ["petite", "garde", "garde-sans", "garde-contre"]
TIMES = {"petite": 1, "garde": 2, "garde-sans": 4, "garde-contre": 6}
OUDLERS = ("1A", "NA", "XE")
TARGET = {0: 56, 1: 51, 2: 41, 3: 36}
HANDFULS = {4: {"single": 10, "double": 13, "triple": 15}, 3: {"single": 13, "double": 15, "triple": 18}}
BONUS = {"single": 20, "double": 30, "triple": 40}


def halves(card: str) -> int:
    """What a card is worth, in half points."""
    if card in OUDLERS:
        return 9
    return {"R": 9, "D": 7, "C": 5, "V": 3}.get(card[0], 1) if card[1] in "SHDC" else 1


def deal_out(deck: list[str], seats: int, dealer: int) -> tuple[list[list[str]], list[str]]:
    """Return the hands that a pack makes, three or four cards at a time, and the dog."""
    hands: list[list[str]] = [[] for _ in range(seats)]
    packet, at = {4: 3, 3: 4}[seats], 0
    for _ in range(6):
        for k in range(1, seats + 1):
            hands[(dealer + k) % seats] += deck[at : at + packet]
            at += packet
    return hands, deck[at:]


class Deal:
    """One deal, from the hands on; the pack is listed from its top, hands are what the seats were dealt."""

    def __init__(self, seats: int, dealer: int, hands: list[list[str]], dog: list[str], **readings: str) -> None:
        self.seats, self.dealer, self.readings = seats, dealer, readings
        self.hands = [set(hand) for hand in hands]
        self.dog = list(dog)
        self.phase, self.turn = "bid", (dealer + 1) % seats
        self.bids: list[tuple[int, str]] = []
        self.taker: int | None = None
        self.contract: str | None = None
        self.away: list[str] = []
        self.slam = False
        self.handfuls: dict[int, str] = {}
        self.tricks: list[tuple[int, list[tuple[int, str]]]] = []  # the winner, and what lay
        self.trick: list[tuple[int, str]] = []

    def size(self) -> int:
        return (78 - 6) // self.seats

    def legal(self, seat: int) -> dict[str, list]:
        if self.phase == "over":
            return {}
        if seat != self.turn:
            return {}
        hand = [card for card in DECK if card in self.hands[seat]]
        if self.phase == "bid":
            spoken = [bid for _, bid in self.bids if bid != "pass"]
            least = BIDS.index(spoken[-1]) + 1 if spoken else 0
            return {"bid": ["pass", *BIDS[least:]]}
        if self.phase == "dog":
            free = [c for c in hand if c[1] in "SHDC" and c[0] != "R"]
            return {"put-away": free or [c for c in hand if c[1] == "A" and c not in OUDLERS]}
        if self.phase == "slam":
            return {"slam": [False, True]}
        open_acts: dict[str, list] = {"play": self.playable(seat, hand)}
        trumps = sum(c[1] in "AE" for c in hand)
        kinds = [kind for kind, need in HANDFULS[self.seats].items() if trumps >= need]
        if not self.tricks and seat not in self.handfuls and kinds:
            open_acts["show-handful"] = kinds
        return open_acts

    def playable(self, seat: int, hand: list[str]) -> list[str]:
        lying = [card for _, card in self.trick if card != "XE"]
        if not lying:
            return hand
        trumps = [c for c in hand if c[1] == "A"]
        best = max((rank_of_trump(c) for c in lying if c[1] == "A"), default=0)
        over = [c for c in trumps if rank_of_trump(c) > best] or trumps
        same = [c for c in hand if c[1] == lying[0][1]]
        cards = over if lying[0][1] == "A" else same or over
        cards = cards or [c for c in hand if c != "XE"]
        return [c for c in hand if c in cards or c == "XE"]

    def do(self, seat: int, act: str, value) -> None:
        assert value in self.legal(seat)[act], (seat, act, value)
        if act == "bid":
            self.bids.append((seat, value))
            if value != "pass":
                self.taker, self.contract = seat, value
            self.turn = (seat + 1) % self.seats
            if len(self.bids) == self.seats:
                self.after_bids()
        elif act == "put-away":
            self.hands[seat].discard(value)
            self.away.append(value)
            if len(self.away) == 6:
                self.phase = "slam"
        elif act == "slam":
            self.slam = value
            self.phase = "play"
            self.turn = self.taker if value else (self.dealer + 1) % self.seats
        elif act == "show-handful":
            self.handfuls[seat] = value
        else:
            self.hands[seat].discard(value)
            self.trick.append((seat, value))
            self.turn = (seat + 1) % self.seats
            if len(self.trick) == self.seats:
                self.take()

    def after_bids(self) -> None:
        if self.taker is None:
            self.phase = "over"
            return
        self.turn = self.taker
        if self.contract in ("petite", "garde"):
            self.phase = "dog"
            self.hands[self.taker] |= set(self.dog)
        else:
            self.phase = "slam"

    def take(self) -> None:
        cards = [(seat, card) for seat, card in self.trick if card != "XE"]
        trumps = [(rank_of_trump(card), seat) for seat, card in cards if card[1] == "A"]
        led = cards[0][1][1]
        plain = [(-PLAIN.index(card[0]), seat) for seat, card in cards if card[1] == led and led != "A"]
        winner = max(trumps or plain)[1]
        before = {self.is_taker(w) for w, _ in self.tricks}
        leader = self.trick[0][0]
        is_last = len(self.tricks) == self.size() - 1
        if is_last and self.trick[0][1] == "XE" and before == {self.is_taker(leader)}:
            winner = leader
        self.tricks.append((winner, self.trick))
        self.trick, self.turn = [], winner
        if is_last:
            self.phase = "over"

    def is_taker(self, seat: int) -> bool:
        return seat == self.taker

    def taken(self) -> tuple[int, int]:
        """The taker's half points, and how many oudlers are among the taker's cards."""
        if self.contract in ("petite", "garde"):
            own = sum(halves(c) for c in self.away)
            oudlers = 0
        elif self.contract == "garde-sans":
            own = sum(halves(c) for c in self.dog)
            oudlers = sum(c in OUDLERS for c in self.dog)
        else:
            own = oudlers = 0
        for number, (winner, trick) in enumerate(self.tricks, 1):
            for seat, card in trick:
                if card != "XE":
                    if self.is_taker(winner):
                        own += halves(card)
                        oudlers += card in OUDLERS
                    continue
                keeps = self.is_taker(seat)
                if number == self.size() and not self.excuse_won():
                    how = self.readings.get("last_excuse", "other-side")
                    if how == "other-side":
                        own += 9 * (not keeps)
                        oudlers += not keeps
                        continue
                    if how == "with-the-trick":
                        own += 9 * self.is_taker(winner)
                        oudlers += self.is_taker(winner)
                        continue
                # It stays with its side, who gives a card of half a point to whoever took the trick.
                own += 9 * keeps - keeps + self.is_taker(winner)
                oudlers += keeps
        return own, oudlers

    def excuse_won(self) -> bool:
        """Whether the excuse took the last trick."""
        winner, trick = self.tricks[-1]
        return any(card == "XE" and seat == winner for seat, card in trick)

    def result(self) -> list[int]:
        """What each seat has won or lost."""
        if self.taker is None:
            return [0] * self.seats
        own, oudlers = self.taken()
        over = own - 2 * TARGET[oudlers]
        made = over >= 0
        more = (abs(over) + 1) // 2 if self.readings.get("half_points", "up") == "up" else abs(over) // 2
        each = (25 + more) * TIMES[self.contract] * (1 if made else -1)
        winner, trick = self.tricks[-1]
        if any(card == "1A" for _, card in trick):
            each += 10 * TIMES[self.contract] * (1 if self.is_taker(winner) else -1)
        each += sum(BONUS[kind] for kind in self.handfuls.values()) * (1 if made else -1)
        sides = {self.is_taker(w) for w, _ in self.tricks}
        if sides == {True}:
            each += 400 if self.slam else 200
        else:
            each -= 200 * self.slam
            each -= 200 * (sides == {False})
        return [each * (self.seats - 1) if self.is_taker(s) else -each for s in range(self.seats)]


def rank_of_trump(card: str) -> int:
    return len(TRUMPS) - TRUMPS.index(card[0])
