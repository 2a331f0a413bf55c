"""Homme d'Auvergne played and scored straight from the census of rules: a witness that knows nothing of the rule base.

Cards are two letters, rank then suit. Seat `s + 1` sits at the right of seat `s`; nobody has a partner. The editions of
1718 and 1725 hold what is known of them; where nothing is known, the rule of 1665 is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SUITS = "SHDC"
RANKS = "AKQJT987"
HAND = 5
TURN_UPS = 4
PACKETS = [[3, 2], [2, 3]]
GAME_ORDER = "KQJAT987"
PIQUET_ORDER = "AKQJT987"

OFFERS = {
    "draw": ("draw",),
    "deal": ("cut", "deal"),
    "offer": ("turn", "show"),
    "speak": ("say", "show"),
    "play": ("play", "show"),
    "result": ("show", "next"),
    "over": (),
}

SETUPS: dict[str, list[str]] = {
    "homme-d-auvergne@1665": ["2", "3", "4", "5"],
    "homme-d-auvergne@1718": ["2", "3", "4"],
    "homme-d-auvergne@1725": ["2", "3", "4", "5"],
}

TARGETS = {"homme-d-auvergne@1665": 5, "homme-d-auvergne@1718": 7, "homme-d-auvergne@1725": 7}

READINGS: dict[str, dict[str, list[str]]] = {
    edition: {
        "draw_order": ["game-order", "piquet-order"],
        "show_before_call": ["until-own-call", "until-next-word"],
        "capture_end": ["at-once", "end-of-deal"],
        "simultaneous_target": ["all-win", "higher-score", "playing-order", "play-on"],
        "debt": ["negative-integer", "single"],
    }
    for edition in SETUPS
}


def settle_readings(edition: str, wanted: Mapping[str, str | int]) -> tuple[dict[str, str], int]:
    """The complete choice of readings and the points of a partie; ValueError for what is no choice of the edition."""
    known = READINGS[edition]
    chosen = {key: values[0] for key, values in known.items()}
    target = TARGETS[edition]
    for key, value in wanted.items():
        if key == "target":
            if type(value) is not int or not 1 <= value <= 99:
                raise ValueError(f"target out of range: {value}")
            target = value
        elif key in known and isinstance(value, str) and value in known[key]:
            chosen[key] = value
        else:
            raise ValueError(f"no such reading in {edition}: {key}={value}")
    return chosen, target


def pack_of(edition: str, count: int) -> list[str]:
    """The pack for so many players: two and three leave the sevens out, except in 1725 (auv.equip.01, .02)."""
    sevens = count > 3 or edition.endswith("@1725")
    return [rank + suit for suit in SUITS for rank in RANKS if sevens or rank != "7"]


def winning_seat(takers: Sequence[int]) -> int:
    """The one seat that wins these tricks if it is the man: most of them, among equals the first to have as many.

    That seat is first to reach the greatest number of tricks (auv.win.01 to .04, auv.amb.16, .17, .24).
    """
    most = max(takers.count(seat) for seat in takers)
    had: dict[int, int] = {}
    for seat in takers:
        had[seat] = had.get(seat, 0) + 1
        if had[seat] == most:
            return seat
    raise AssertionError("somebody has the most tricks")


class Match:
    """One partie of Homme d'Auvergne, moved by acts."""

    def __init__(
        self,
        edition: str,
        readings: Mapping[str, str | int],
        *,
        setup: str = "2",
        dealer: int | None = None,
        accounts: Sequence[int] | None = None,
    ) -> None:
        """A given dealer starts in front of a deal, none starts with the draw (auv.dealer.01)."""
        if edition not in SETUPS:
            raise ValueError(f"no such edition: {edition}")
        if setup not in SETUPS[edition]:
            raise ValueError(f"{edition} is not played by {setup}")
        self.pick, self.target = settle_readings(edition, readings)
        self.edition = edition
        self.year = edition.partition("@")[2]
        self.count = int(setup)
        self.seats = list(range(self.count))
        self.pack = pack_of(edition, self.count)
        self.place = {card: number for number, card in enumerate(self.pack)}
        self.accounts = [0] * self.count if accounts is None else list(accounts)
        deepest = self.pick["debt"] == "single" and min(self.accounts, default=0) < -1
        if deepest or len(self.accounts) != self.count or max(self.accounts) >= self.target:
            raise ValueError(f"no accounts to begin with: {self.accounts}")
        if dealer is not None and dealer not in self.seats:
            raise ValueError(f"no such seat: {dealer}")
        self.dealer = dealer
        self.before = list(self.accounts)
        self.champions: list[int] = []
        self.drawing = list(self.seats)
        self.drawn: dict[int, str] = {}
        self.phase = "draw" if dealer is None else "deal"
        self.clear_table()

    def clear_table(self) -> None:
        """Nothing of a finished deal is left."""
        self.hands: list[list[str]] = [[] for _ in self.seats]
        self.stock: list[str] = []
        self.cut_at = 0
        self.turned: list[tuple[int, str]] = []
        self.asked: list[int] = []
        self.late: int | None = None
        self.shown: dict[str, int] = {}
        self.man: int | None = None
        self.leader = 0
        self.table: list[tuple[int, str]] = []
        self.takers: list[int] = []
        self.points = [0] * self.count
        self.kind: str | None = None
        self.gainers: list[int] = []

    @property
    def over(self) -> bool:
        """Whether the partie is won."""
        return self.phase == "over"

    def legal(self, seat: int) -> dict[str, object]:
        """Every act the seat may do now, with its values."""
        if seat not in self.seats:
            return {}
        return {name: offer for name in OFFERS[self.phase] if (offer := self.offer(name, seat))}

    def act(self, seat: int, act: Mapping[str, object]) -> bool:
        """Does the act and tells so, or changes nothing and tells that it is refused."""
        if len(act) != 1 or type(seat) is not int or seat not in self.seats:
            return False
        ((name, value),) = act.items()
        offer = self.offer(name, seat) if name in OFFERS[self.phase] else None
        if not offer:
            return False
        if name == "cut":
            accepted = type(value) is int and 1 <= value < len(self.pack)
        elif name == "deal":
            accepted = self.is_proper_deal(value)
        else:
            accepted = any(type(choice) is type(value) and choice == value for choice in offer)
        if accepted:
            getattr(self, "do_" + name)(seat, value)
        return accepted

    def offer(self, name: str, seat: int) -> dict[str, object] | Sequence[object] | None:
        """The values of one act open to the seat in the present phase, empty when it is closed."""
        match name:
            case "draw":
                waiting = seat in self.drawing and seat not in self.drawn
                return [card for card in self.pack if card not in self.drawn.values()] if waiting else None
            case "cut":
                mine = seat == self.after(self.dealer, -1) and not self.cut_at
                return {"min": 1, "max": len(self.pack) - 1} if mine else None
            case "deal":
                if seat != self.dealer:
                    return None
                return {"deck": {"order": list(self.pack)}, "packets": [list(packets) for packets in PACKETS]}
            case "turn":
                return [True, False] if seat == self.turn() else None
            case "say":
                return ["play", "pass"] if seat == self.turn() else None
            case "play":
                return self.playable(seat) if seat == self.turn() else None
            case "show":
                return self.showable(seat)
            case _:
                return [True]

    def after(self, seat: int | None, steps: int = 1) -> int:
        """The seat so many places to the right."""
        assert seat is not None
        return (seat + steps) % self.count

    def order(self) -> list[int]:
        """All seats from the dealer's right on (auv.deal.02, auv.turn.01)."""
        return [self.after(self.dealer, step) for step in range(1, self.count + 1)]

    def may_turn(self) -> list[int]:
        """Those to whom the next card is offered, in order: in 1725 the dealer alone (auv.turn.01, auv.hist.01)."""
        return [self.after(self.dealer, 0)] if self.year == "1725" else self.order()

    def turn(self) -> int | None:
        """The seat that has to answer an offer, to speak or to play."""
        if self.phase == "offer":
            return self.may_turn()[len(self.asked)]
        if self.phase == "speak":
            return self.order()[len(self.asked)]
        return self.after(self.leader, len(self.table)) if self.phase == "play" else None

    def proposed(self) -> str:
        """The suit of the last card turned, nothing before the first (auv.trump.01)."""
        return self.turned[-1][1][1] if self.turned else ""

    def do_draw(self, seat: int, value: str) -> None:
        """The highest card deals; those who share it draw again (auv.dealer.01, auv.amb.01, .02)."""
        self.drawn[seat] = value
        if len(self.drawn) < len(self.drawing):
            return
        order = GAME_ORDER if self.pick["draw_order"] == "game-order" else PIQUET_ORDER
        best = min(order.index(card[0]) for card in self.drawn.values())
        self.drawing = sorted(holder for holder, card in self.drawn.items() if order.index(card[0]) == best)
        self.drawn = {}
        if len(self.drawing) == 1:
            self.dealer = self.drawing[0]
            self.phase = "deal"

    def is_proper_deal(self, value: object) -> bool:
        """Whether a deal names the whole pack once and one of the two packets (auv.deal.02)."""
        if not isinstance(value, Mapping) or set(value) != {"deck", "packets"}:
            return False
        deck, packets = value["deck"], value["packets"]
        if not isinstance(packets, list) or any(type(size) is not int for size in packets) or packets not in PACKETS:
            return False
        if not isinstance(deck, list) or len(deck) != len(self.pack):
            return False
        return all(isinstance(card, str) for card in deck) and set(deck) == set(self.pack)

    def do_cut(self, seat: int, value: int) -> None:
        """The dealer's left neighbour cuts once (auv.deal.01)."""
        self.cut_at = value

    def do_deal(self, seat: int, value: Mapping[str, Any]) -> None:
        """Five cards each in two packets; the dealer turns nothing (auv.deal.02, auv.turn.01)."""
        cards = value["deck"][self.cut_at :] + value["deck"][: self.cut_at]
        for size in value["packets"]:
            for holder in self.order():
                self.hands[holder] += cards[:size]
                cards = cards[size:]
        for hand in self.hands:
            hand.sort(key=self.place.__getitem__)
        self.stock = cards
        self.phase = "offer"

    def do_turn(self, seat: int, value: bool) -> None:
        """Who wants to turns the next card and scores if it is a King; when nobody wants to, the deal is void.

        (auv.turn.01 to .04, auv.rej.01 to .03, auv.king.01)
        """
        self.late = None
        self.asked.append(seat)
        if value:
            card = self.stock.pop(0)
            self.turned.append((seat, card))
            self.asked = []
            self.phase = "speak"
            if card[0] == "K":
                self.gain_for_kings(seat, 1)
        elif len(self.asked) == len(self.may_turn()):
            self.leave_unplayed()

    def leave_unplayed(self) -> None:
        """The deal is not played, and kings counted in it keep their points (auv.turn.02, auv.king.07)."""
        self.kind = "void"
        self.phase = "result"

    def do_say(self, seat: int, value: str) -> None:
        """The first who plays is the man; after a round of passes the next card is offered, three times at most.

        (auv.bid.01 to .03, auv.rej.01, auv.rej.04, auv.lead.01)
        """
        self.late = seat
        self.asked.append(seat)
        if value == "play":
            self.man = seat
            self.leader = self.after(self.dealer)
            self.phase = "play"
        elif len(self.asked) == self.count:
            self.asked = []
            self.phase = "offer"
            if len(self.turned) == TURN_UPS:
                self.leave_unplayed()

    def showable(self, seat: int) -> list[str]:
        """The King of the suit turned last, if the seat holds it, it is not counted yet and the moment is right.

        (auv.king.03, .04, .06, .09)
        """
        king = "K" + self.proposed()
        if king not in self.hands[seat] or king in self.shown or not self.may_show(seat):
            return []
        return [king]

    def may_show(self, seat: int) -> bool:
        """Whether it is the seat's moment: its own word, or the man's word before the seat had one.

        (auv.king.03, auv.amb.05, .06, .10)
        """
        if self.table or self.takers:
            return False
        if self.pick["show_before_call"] == "until-next-word" and seat == self.late:
            return True
        if self.phase == "speak":
            return seat == self.turn()
        return self.phase == "play" and seat not in self.asked

    def do_show(self, seat: int, value: str) -> None:
        """The King counts a point; from 1718 on every other King of the hand counts with it (auv.king.02, s.4 C)."""
        kings = [value]
        if self.year != "1665":
            kings = [card for card in self.hands[seat] if card[0] == "K"]
        self.shown.update(dict.fromkeys(kings, seat))
        self.gain_for_kings(seat, len(kings))

    def gain_for_kings(self, seat: int, number: int) -> None:
        """Points for kings are marked at once and may win the partie before a card is played (auv.amb.11)."""
        self.mark(seat, number)
        if self.look_for_champions():
            self.end_with("king")

    def mark(self, seat: int, number: int) -> None:
        """Points for kings go into the account, below nothing if need be (auv.score.03, auv.amb.15)."""
        self.accounts[seat] += number
        self.points[seat] += number

    def look_for_champions(self) -> bool:
        """Whether somebody has won the partie now (auv.game.01, auv.amb.13)."""
        there = [seat for seat in self.seats if self.accounts[seat] >= self.target]
        way = self.pick["simultaneous_target"]
        if way == "higher-score" and there:
            most = max(self.accounts)
            there = [seat for seat in there if self.accounts[seat] == most]
        if way in ("higher-score", "play-on") and len(there) > 1:
            there = []
        if way == "playing-order":
            there = [seat for seat in self.order() if seat in there][:1]
        self.champions = there
        return bool(there)

    def end_with(self, kind: str) -> None:
        """The deal is over and waits for the next one."""
        self.kind = kind
        self.phase = "result"

    def playable(self, seat: int) -> list[str]:
        """Suit is followed, else any trump is played; who has neither plays what he likes (auv.play.01 to .05)."""
        hand = self.hands[seat]
        if not self.table:
            return list(hand)
        for suit in (self.table[0][1][1], self.proposed()):
            if held := [card for card in hand if card[1] == suit]:
                return held
        return list(hand)

    def strength(self, card: str) -> int:
        """A card's rank in the trick on the table: trumps above the suit led, all others lose (auv.trick.01)."""
        height = len(GAME_ORDER) - GAME_ORDER.index(card[0])
        if card[1] == self.proposed():
            return height + len(GAME_ORDER)
        return height if card[1] == self.table[0][1][1] else 0

    def do_play(self, seat: int, value: str) -> None:
        """The card leaves the hand; the last one of a trick gives it to the highest, the fifth trick ends the deal."""
        self.hands[seat].remove(value)
        self.table.append((seat, value))
        if len(self.table) < self.count:
            return
        taker = max(self.table, key=lambda entry: self.strength(entry[1]))[0]
        cards = [card for _, card in self.table]
        self.takers.append(taker)
        self.leader = taker
        self.table = []
        self.capture(taker, cards)
        if self.pick["capture_end"] == "at-once" and self.look_for_champions():
            self.end_with("capture")
        elif len(self.takers) == HAND:
            self.judge()

    def capture(self, taker: int, cards: Sequence[str]) -> None:
        """Counted kings of others in the trick give their point to its winner (auv.cap.01, .02, auv.amb.18 to .20)."""
        for card in cards:
            owner = self.shown.get(card, taker)
            if owner != taker:
                self.mark(owner, -1)
                self.mark(taker, 1)

    def judge(self) -> None:
        """The man gains a point or loses one, which the others gain, from 1718 on only one of them.

        (auv.score.01 to .03, auv.win.01 to .04, s.5 C)
        """
        assert self.man is not None
        best = winning_seat(self.takers)
        if best != self.man:
            kind = "lost"
            self.gainers = [seat for seat in self.seats if seat != self.man] if self.year == "1665" else [best]
            lower = self.accounts[self.man] - 1
            self.accounts[self.man] = max(lower, -1) if self.pick["debt"] == "single" else lower
        else:
            won = sorted((self.takers.count(seat) for seat in self.seats), reverse=True)
            kind = "won-more" if won[0] > won[1] else "won-first"
            self.gainers = [self.man]
        for seat in self.gainers:
            self.accounts[seat] += 1
        self.look_for_champions()
        self.end_with(kind)

    def do_next(self, seat: int, value: bool) -> None:
        """The right neighbour deals after every deal, played or not (auv.turn.02, auv.rej.04, auv.dealer.02)."""
        self.dealer = self.after(self.dealer)
        self.before = list(self.accounts)
        self.clear_table()
        self.phase = "over" if self.champions else "deal"

    def view(self, seat: int) -> dict[str, object]:
        """What a seat sees: its own cards and everything public."""
        playing = self.phase == "play"
        return {
            "phase": self.phase,
            "dealer": self.dealer,
            "turn": self.turn(),
            "leader": self.leader if playing else None,
            "man": self.man,
            "trump": None if self.man is None else self.proposed(),
            "turnup": {"card": self.turned[-1][1], "exposed": True} if self.turned else None,
            "turned": [{"seat": who, "card": card} for who, card in self.turned],
            "shown": [{"seat": self.shown["K" + s], "card": "K" + s} for s in SUITS if "K" + s in self.shown],
            "hand": list(self.hands[seat]),
            "trick": [{"seat": who, "card": card} for who, card in self.table],
            "accounts": list(self.accounts),
            "hands": [len(hand) for hand in self.hands],
            "stock": len(self.stock),
            "won": [self.takers.count(who) for who in self.seats],
            "takers": list(self.takers),
        }

    def score(self) -> dict[str, object]:
        """The figures of all seats, the same for each."""
        return {
            "before": list(self.before),
            "accounts": list(self.accounts),
            "points": list(self.points),
            "result": self.kind,
            "winners": list(self.gainers),
            "over": list(self.champions),
        }
