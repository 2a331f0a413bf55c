"""Danish L'Hombre played and scored straight from the census of rules: a witness that knows nothing of the rule base.

Cards are two letters, rank then suit. Seat `s + 1` sits at the right of seat `s`, and everything goes that way round
(omb.amb.01). With four at the table one sits out each deal; "right" then means the next seat that plays (omb.four.05).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

SUITS = "SHDC"
RANKS = "AKQJ765432"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
PLACE = {card: number for number, card in enumerate(PACK)}
ESPADILLE, BASTE = "AS", "AC"
PACKETS = [3, 3, 3]
HAND = TRICKS = 9

#: Plain cards from the top; in a nolo the black aces come last of their suits (omb.rank.01, .02, .10).
RED_PLAIN = "KQJA234567"
BLACK_PLAIN = "KQJ765432A"

#: Height in the auction; tourné and nolo, sans prendre à pique and pur nolo are equals (omb.con.13, .14, .19 to .21).
HEIGHT = {
    "demande": 0,
    "demande-a-pique": 1,
    "tourne": 2,
    "nolo-en-demande": 2,
    "grand-tourne": 3,
    "sans-prendre": 4,
    "sans-prendre-a-pique": 5,
    "pur-nolo": 5,
    "nolo-ouvert": 6,
}
NOLOS = ("nolo-en-demande", "pur-nolo", "nolo-ouvert")
TURNING = ("tourne", "grand-tourne")
#: Where the winner of the auction still chooses (omb.con.02, .15).
CHOICES = {
    "demande": ["demande", "demande-a-pique", "tourne", "nolo-en-demande"],
    "sans-prendre": ["sans-prendre", "sans-prendre-a-pique"],
}
#: The hombre's own discards, fewest to most (omb.con.03, .08, .09).
OWN_DISCARDS = {
    "demande": (1, HAND),
    "demande-a-pique": (1, HAND),
    "tourne": (2, HAND),
    "nolo-en-demande": (1, HAND),
    "grand-tourne": (2, HAND),
}
GIVES_UP = ("demande", "demande-a-pique", "tourne", "grand-tourne")
#: C and D of the Danish union: the source has lost its own table (omb.clm.14, an outside source).
UNION_TABLE = {
    "demande": (1, 2),
    "demande-a-pique": (1, 2),
    "tourne": (2, 3),
    "nolo-en-demande": (2, 3),
    "grand-tourne": (3, 4),
    "sans-prendre": (3, 4),
    "sans-prendre-a-pique": (4, 5),
    "pur-nolo": (4, 5),
    "nolo-ouvert": (6, 7),
}
SEATS = {"3": 3, "4": 4}
DEALS = {"3": 30, "4": 40}
#: Who sits where: ranks drawn, by distance to the right of the king (omb.seat.01); the ace is for a fourth player.
PLACES = {"3": {"K": 0, "Q": 1, "J": 2}, "4": {"K": 0, "Q": 1, "A": 2, "J": 3}}

OFFERS = {
    "draw": ("draw",),
    "deal": ("cut", "deal"),
    "bid": ("bid",),
    "choose": ("choose",),
    "declare": ("declare",),
    "show": ("show",),
    "turn": ("turn",),
    "discard": ("discard", "surrender"),
    "play": ("play", "rest", "surrender"),
    "result": ("next",),
    "over": (),
}

READINGS: dict[str, dict[str, list[str]]] = {
    "hombre@danish": {
        "contract_points": ["union-table", "symbolic-only"],
        "demande_spades": ["allowed", "becomes-demande-a-pique", "forbidden"],
        "score_contract": ["as-chosen", "as-bid"],
        "late_fifth_trick": ["no-engagement", "engages"],
        "grand_tourne_bid_without_aces": ["illegal", "allowed-as-bid"],
        "open_nolo_exposure": ["before-first-lead", "after-first-card", "after-first-trick"],
    }
}


def settle_readings(edition: str, wanted: Mapping[str, str | int]) -> dict[str, str]:
    """The complete choice of readings; ValueError for one that the edition does not have."""
    if edition not in READINGS:
        raise ValueError(f"no such edition: {edition}")
    chosen = {key: values[0] for key, values in READINGS[edition].items()}
    for key, value in wanted.items():
        if key not in chosen or not isinstance(value, str) or value not in READINGS[edition][key]:
            raise ValueError(f"no such reading in {edition}: {key}={value}")
        chosen[key] = value
    return chosen


def trumps_from_the_top(suit: str) -> list[str]:
    """Espadille, manille, baste, in red the ponte, then the rest of the suit (omb.rank.03 to .09)."""
    if suit in "HD":
        return [ESPADILLE, "7" + suit, BASTE, *(rank + suit for rank in "AKQJ23456")]
    return [ESPADILLE, "2" + suit, BASTE, *(rank + suit for rank in "KQJ76543")]


def plain_from_the_top(suit: str) -> list[str]:
    """The order of a suit that is not trump, black aces last (omb.rank.01, .02, .10)."""
    return [rank + suit for rank in (RED_PLAIN if suit in "HD" else BLACK_PLAIN)]


class Match:
    """One match of L'Hombre, moved by acts."""

    def __init__(
        self,
        edition: str,
        readings: Mapping[str, str | int],
        *,
        setup: str = "3",
        dealer: int | None = None,
        accounts: Sequence[int] | None = None,
        deals: int = 0,
    ) -> None:
        """A given dealer starts in front of a deal, none starts with the draw for seats (omb.seat.01)."""
        self.pick = settle_readings(edition, readings)
        if setup not in SEATS:
            raise ValueError(f"no such set-up: {setup}")
        self.setup = setup
        self.people = SEATS[setup]
        self.dealer = dealer
        self.accounts = list(accounts) if accounts is not None else [0] * self.people
        self.deals = deals
        self.drawn: list[str | None] = [None] * self.people
        self.phase = "draw" if dealer is None else "deal"
        self.clear_table()

    def clear_table(self) -> None:
        """Nothing of a finished deal is left."""
        self.cut_at: int | None = None
        self.hands: list[list[str]] = [[] for _ in range(self.people)]
        self.stock: list[str] = []
        self.order: list[int] = []
        self.calls: list[tuple[int, str]] = []
        self.quitters: set[int] = set()
        self.standing: tuple[int, str] | None = None
        self.man: int | None = None
        self.bid: str | None = None
        self.contract: str | None = None
        self.trump: str | None = None
        self.shown: list[str] = []
        self.turned: str | None = None
        self.waiting: list[int] = []
        self.discards: list[int | None] = [None] * self.people
        self.leader = 0
        self.table: list[tuple[int, str]] = []
        self.finished: list[tuple[int, list[str]]] = []
        self.man_has_played = False
        self.engaged = False
        self.result: str | None = None
        self.vole: str | None = None

    # ------------------------------------------------------------------ acts

    @property
    def over(self) -> bool:
        """Whether the last deal of the match is written."""
        return self.phase == "over"

    def legal(self, seat: int) -> dict[str, object]:
        """Every act the seat may do now, with its values."""
        if not self.is_seat(seat):
            return {}
        return {name: offer for name in OFFERS[self.phase] if (offer := self.offer(name, seat))}

    def act(self, seat: int, act: Mapping[str, object]) -> bool:
        """Does the act and tells so, or changes nothing and tells that it is refused."""
        if len(act) != 1 or not self.is_seat(seat):
            return False
        ((name, value),) = act.items()
        offer = self.offer(name, seat) if name in OFFERS[self.phase] else None
        if not offer or not self.accepts(name, offer, value):
            return False
        getattr(self, "do_" + name)(seat, value)
        return True

    def is_seat(self, seat: object) -> bool:
        """Whether somebody sits there."""
        return type(seat) is int and 0 <= seat < self.people

    def accepts(self, name: str, offer: Mapping[str, Any] | Sequence[object], value: object) -> bool:
        """Whether a value is one of those on offer."""
        if name == "deal":
            return is_proper_deal(value)
        if isinstance(offer, Mapping):
            low, high = offer["min"], offer["max"]
            if name == "cut":
                return type(value) is int and low <= value <= high
            return is_part(value, offer["from"]) and low <= len(value) <= high
        return any(type(choice) is type(value) and choice == value for choice in offer)

    def offer(self, name: str, seat: int) -> dict[str, Any] | Sequence[object] | None:
        """The values of one act open to the seat in the present phase, empty when it is closed."""
        match name:
            case "draw":
                return self.drawable(seat)
            case "cut":
                left = self.dealer is not None and seat == (self.dealer - 1) % self.people
                return {"min": 1, "max": len(PACK) - 1} if left and self.cut_at is None else None
            case "deal":
                return {"deck": {"order": list(PACK)}, "packets": [list(PACKETS)]} if seat == self.dealer else None
            case "surrender":
                return [True] if self.may_surrender(seat) else None
            case "rest":
                return [True] if self.may_rest(seat) else None
            case "next":
                return [True]
            case _:
                return self.offer_in_turn(name, seat) if seat == self.turn() else None

    def offer_in_turn(self, name: str, seat: int) -> dict[str, Any] | Sequence[object]:
        """The values of an act of the seat that has to move."""
        match name:
            case "bid":
                return [*self.biddable(seat), "pass"]
            case "choose":
                return CHOICES[self.bid or ""]
            case "declare":
                return self.nameable()
            case "show":
                return [ace for ace in (ESPADILLE, BASTE) if ace not in self.shown]
            case "discard":
                low, high = self.discard_limits(seat)
                return {"from": list(self.hands[seat]), "min": low, "max": high}
            case "play":
                return self.playable(seat)
            case _:
                return [True]

    def turn(self) -> int | None:
        """The seat that has to move, as far as it is one seat's turn."""
        match self.phase:
            case "bid":
                return self.speaker()
            case "choose" | "declare" | "show" | "turn":
                return self.man
            case "discard":
                return self.waiting[0]
            case "play":
                return self.order[(self.order.index(self.leader) + len(self.table)) % 3]
            case _:
                return None

    # ----------------------------------------------------------- seats, deal

    def drawable(self, seat: int) -> list[str]:
        """King, queen and jack are drawn; the seats are those the draw gives (omb.seat.01)."""
        if self.drawn[seat] is not None:
            return []
        places = PLACES[self.setup]
        fitting = set(places)
        for other, card in enumerate(self.drawn):
            if card is not None:
                steps = (seat - other + places[card[0]]) % self.people
                fitting = {rank for rank in fitting if places[rank] == steps}
        return [card for card in PACK if card[0] in fitting]

    def do_draw(self, seat: int, value: str) -> None:
        """The king's seat deals first (omb.dealer.01)."""
        self.drawn[seat] = value
        if None not in self.drawn:
            self.dealer = next(who for who, card in enumerate(self.drawn) if card is not None and card[0] == "K")
            self.drawn = [None] * self.people
            self.phase = "deal"

    def out(self) -> int | None:
        """With four, the seat opposite the dealer (omb.four.01)."""
        return (self.dealer + 2) % 4 if self.people == 4 and self.dealer is not None else None

    def do_cut(self, seat: int, value: int) -> None:
        """The dealer's left neighbour cuts once (omb.deal.01)."""
        self.cut_at = value

    def do_deal(self, seat: int, value: Mapping[str, Any]) -> None:
        """Nine cards each, three at a time, from the dealer's right on; the rest is the stock (omb.deal.02)."""
        at = self.cut_at or 0
        deck = value["deck"][at:] + value["deck"][:at]
        round_the_table = [(seat + step) % self.people for step in range(1, self.people + 1)]
        self.order = [who for who in round_the_table if who != self.out()]
        for size in PACKETS:
            for who in self.order:
                self.take(who, deck[:size])
                deck = deck[size:]
        self.stock = deck
        self.phase = "bid"

    def take(self, seat: int, cards: Sequence[str]) -> None:
        """The cards come into the hand, which is kept in canonical order."""
        self.hands[seat] = sorted([*self.hands[seat], *cards], key=PLACE.__getitem__)

    # --------------------------------------------------------------- auction

    def contenders(self) -> list[int]:
        """Those who have not passed, in order of speaking (omb.bid.02, .03)."""
        return [seat for seat in self.order if seat not in self.quitters]

    def speaker(self) -> int:
        """Two settle it before the third joins; who holds the highest call waits (omb.bid.04)."""
        elder, *rest = self.contenders()
        return rest[0] if self.standing is not None and self.standing[0] == elder else elder

    def biddable(self, seat: int) -> list[str]:
        """The elder of two may equal, the younger has to go higher (omb.bid.07, .08); jumps are free (omb.amb.22)."""
        least = 0
        if self.standing is not None:
            elder = self.contenders()[0]
            least = HEIGHT[self.standing[1]] + (0 if seat == elder else 1)
        return [
            contract
            for contract, height in HEIGHT.items()
            if height >= least and (contract != "grand-tourne" or self.may_bid_grand(seat))
        ]

    def holds_both_aces(self, seat: int) -> bool:
        """Espadille and baste in one hand."""
        return {ESPADILLE, BASTE} <= set(self.hands[seat])

    def may_bid_grand(self, seat: int) -> bool:
        """Grand tourné needs both black aces already when it is called, or only when played (omb.amb.18)."""
        return self.pick["grand_tourne_bid_without_aces"] == "allowed-as-bid" or self.holds_both_aces(seat)

    def do_bid(self, seat: int, value: str) -> None:
        """One bidder left is the hombre; without a bid nobody plays (omb.bid.05, .06)."""
        self.calls.append((seat, value))
        if value == "pass":
            self.quitters.add(seat)
        else:
            self.standing = (seat, value)
        left = self.contenders()
        if not left:
            self.finish("passed-out")
        elif self.standing is not None and left == [self.standing[0]]:
            self.man, self.bid = self.standing
            if self.bid in CHOICES:
                self.phase = "choose"
            else:
                self.enter(self.bid)

    # -------------------------------------------------------------- contract

    def do_choose(self, seat: int, value: str) -> None:
        """Demande and sans prendre leave a choice (omb.con.02, .15, omb.amb.07)."""
        self.enter(value)

    def enter(self, contract: str) -> None:
        """What a contract begins with (omb.con.03 to .18)."""
        self.contract = contract
        if contract in CHOICES:
            self.phase = "declare"
        elif contract.endswith("-a-pique"):
            self.trump = "S"
            self.begin_discards()
        elif contract == "tourne":
            self.phase = "turn"
        elif contract == "grand-tourne":
            if self.man is not None and self.holds_both_aces(self.man):
                self.phase = "show"
            else:
                self.finish("remise")
        elif contract == "nolo-en-demande":
            self.begin_discards()
        else:
            self.begin_play()

    def nameable(self) -> list[str]:
        """Never spades under sans prendre, under demande as omb.amb.04 is read (omb.con.03, .15)."""
        spades = self.contract == "demande" and self.pick["demande_spades"] != "forbidden"
        return [suit for suit in SUITS if suit != "S" or spades]

    def do_declare(self, seat: int, value: str) -> None:
        """The hombre names trump; spades may turn demande into demande à pique (omb.amb.04)."""
        self.trump = value
        if value == "S" and self.pick["demande_spades"] == "becomes-demande-a-pique":
            self.contract = "demande-a-pique"
        self.begin_discards()

    def do_show(self, seat: int, value: str) -> None:
        """Both aces lie open before the stock is turned (omb.con.11)."""
        self.shown.append(value)
        if len(self.shown) == 2:
            self.phase = "turn"

    def do_turn(self, seat: int, value: bool) -> None:
        """The suit of the top card is trump, of a black ace too (omb.con.07, omb.amb.17)."""
        self.turned = self.stock[0]
        self.trump = self.turned[1]
        self.begin_discards()

    # -------------------------------------------------------------- discards

    def tiers(self) -> list[int]:
        """The two others, from the hombre's right on (omb.con.04)."""
        assert self.man is not None
        at = self.order.index(self.man)
        return [self.order[(at + 1) % 3], self.order[(at + 2) % 3]]

    def begin_discards(self) -> None:
        """First the hombre if his contract discards, then the others unless it is a nolo (omb.con.04, .09, .15)."""
        assert self.man is not None
        own = [self.man] if self.contract in OWN_DISCARDS else []
        self.waiting = own if self.contract in NOLOS else own + self.tiers()
        self.phase = "discard"

    def discard_limits(self, seat: int) -> tuple[int, int]:
        """The fewest and the most cards the seat may throw away (omb.con.03, .04, .08, omb.amb.14, .16)."""
        if seat == self.man:
            return OWN_DISCARDS[self.contract or ""]
        return 0, min(HAND, len(self.stock))

    def do_discard(self, seat: int, value: Sequence[str]) -> None:
        """As many from the top as were thrown away; an empty stock leaves the last player out (omb.con.04, .05)."""
        self.hands[seat] = [card for card in self.hands[seat] if card not in value]
        self.take(seat, self.stock[: len(value)])
        self.stock = self.stock[len(value) :]
        self.discards[seat] = len(value)
        self.waiting = self.waiting[1:]
        if not self.waiting or not self.stock:
            self.begin_play()

    def may_surrender(self, seat: int) -> bool:
        """After the hombre's draw, before his first card, in trump contracts with discard (omb.con.12, .22)."""
        drawn = seat == self.man and self.discards[seat] is not None
        return drawn and self.contract in GIVES_UP and not self.man_has_played

    def do_surrender(self, seat: int, value: bool) -> None:
        """Giving up loses remise and ends the deal (omb.con.12)."""
        self.finish("surrendered")

    # ------------------------------------------------------------------ play

    def begin_play(self) -> None:
        """The first in hand leads, whoever is hombre (omb.amb.21)."""
        self.waiting = []
        self.leader = self.order[0]
        self.phase = "play"

    def is_trump(self, card: str) -> bool:
        """Whether a card is a trump; black aces are whenever there are trumps (omb.rank.03, omb.amb.27)."""
        return self.trump is not None and card in trumps_from_the_top(self.trump)

    def playable(self, seat: int) -> list[str]:
        """Suit is followed; nobody has to trump or to play higher (omb.play.01 to .03, omb.amb.26)."""
        hand = self.hands[seat]
        if not self.table:
            return list(hand)
        led = self.table[0][1]
        if self.is_trump(led):
            return self.answers_to_trump(led, hand)
        return [card for card in hand if card[1] == led[1] and not self.is_trump(card)] or list(hand)

    def answers_to_trump(self, led: str, hand: list[str]) -> list[str]:
        """A matador stays in hand unless a stronger one was led, and only if no other trump is held (omb.mat.*)."""
        matadors = trumps_from_the_top(self.trump or "")[:3]
        trumps = [card for card in hand if self.is_trump(card)]
        ordinary = any(card not in matadors for card in trumps)
        forced = led in matadors and any(card in matadors[matadors.index(led) :] for card in trumps)
        return trumps if ordinary or forced else list(hand)

    def do_play(self, seat: int, value: str) -> None:
        """The card leaves the hand; a card led after the fifth trick may engage; the third completes the trick."""
        if seat == self.man:
            self.engaged = self.engaged or self.engages_now(seat)
            self.man_has_played = True
        self.hands[seat].remove(value)
        self.table.append((seat, value))
        if len(self.table) == 3:
            taker = self.best_seat()
            self.finished.append((taker, [card for _, card in self.table]))
            self.table = []
            self.leader = taker
            self.judge_trick()

    def best_seat(self) -> int:
        """The strongest trump, or else the strongest card of the suit led, takes the trick (omb.trick.01)."""
        ranking = [] if self.trump is None else trumps_from_the_top(self.trump)
        ranking = ranking + [card for card in plain_from_the_top(self.table[0][1][1]) if card not in ranking]
        lying = {card: seat for seat, card in self.table}
        return next(lying[card] for card in ranking if card in lying)

    def tricks_of(self, seat: int) -> int:
        """How many tricks a seat has made; the two others do not add theirs (omb.role.02)."""
        return sum(taker == seat for taker, _ in self.finished)

    def may_rest(self, seat: int) -> bool:
        """Between his fifth trick and his next card the hombre may stop (omb.vole.01, omb.amb.09)."""
        if seat != self.man or self.contract in NOLOS or self.table:
            return False
        return self.leader == seat and self.tricks_of(seat) == 5

    def engages_now(self, seat: int) -> bool:
        """Leading on after five tricks engages, if they were the first five or as read (omb.vole.02, omb.amb.08)."""
        straight = len(self.finished) == 5
        return self.may_rest(seat) and (straight or self.pick["late_fifth_trick"] == "engages")

    def do_rest(self, seat: int, value: bool) -> None:
        """He has won and leaves it at that (omb.vole.01)."""
        self.finish("won")

    def judge_trick(self) -> None:
        """A nolo is lost with its second trick, anything else is judged after the ninth (omb.con.10, omb.res.*)."""
        assert self.man is not None
        mine = self.tricks_of(self.man)
        last = len(self.finished) == TRICKS
        if self.contract in NOLOS:
            if last or mine == 2:
                self.finish(["won", "remise", "codille"][mine])
        elif last:
            best = max(self.tricks_of(seat) for seat in self.tiers())
            self.finish("won" if mine > best else "remise" if mine == best else "codille")

    # ---------------------------------------------------------------- result

    def finish(self, kind: str) -> None:
        """The deal is decided and waits to be written."""
        self.result = kind
        if self.engaged and self.man is not None:
            self.vole = "made" if self.tricks_of(self.man) == TRICKS else "missed"
        self.waiting = []
        self.phase = "result"

    def scored_contract(self) -> str | None:
        """The contract whose figures count (omb.amb.05, .06)."""
        if self.result is None or self.man is None:
            return None
        return self.bid if self.pick["score_contract"] == "as-bid" else self.contract

    def symbol(self) -> dict[str, int] | None:
        """The result in columns C and D and single points (omb.res.01 to .03, omb.vole.03, omb.con.12)."""
        if self.result is None or self.man is None:
            return None
        return {
            "c": {"won": 1, "codille": 0}.get(self.result, -1),
            "d": -1 if self.result == "codille" else 0,
            "extra": {"made": 1, "missed": -1}.get(self.vole or "", 0),
        }

    def worth(self) -> int:
        """What the deal brings the hombre in the union's figures (omb.amb.02)."""
        symbol, contract = self.symbol(), self.scored_contract()
        if symbol is None or contract is None or self.pick["contract_points"] == "symbolic-only":
            return 0
        won_or_remise, codille = UNION_TABLE[contract]
        return symbol["c"] * won_or_remise + symbol["d"] * codille + symbol["extra"]

    def changes(self) -> list[int]:
        """Only the hombre's account moves (omb.score.01)."""
        return [self.worth() if seat == self.man else 0 for seat in range(self.people)]

    def do_next(self, seat: int, value: bool) -> None:
        """Writes the deal, which counts even if nobody played; its first in hand deals the next (omb.bid.06)."""
        self.accounts = [account + change for account, change in zip(self.accounts, self.changes(), strict=True)]
        self.deals += 1
        self.dealer = self.order[0]
        self.clear_table()
        self.phase = "over" if self.deals >= DEALS[self.setup] else "deal"

    # ------------------------------------------------------------ what shows

    def open_hand(self) -> list[str] | None:
        """The hombre's hand in nolo ouvert, from the moment at which it is laid down (omb.con.18, omb.amb.19)."""
        if self.contract != "nolo-ouvert" or self.man is None:
            return None
        reached = {
            "before-first-lead": True,
            "after-first-card": bool(self.table or self.finished),
            "after-first-trick": bool(self.finished),
        }
        return list(self.hands[self.man]) if reached[self.pick["open_nolo_exposure"]] else None

    def view(self, seat: int) -> dict[str, object]:
        """What a seat sees: its own cards and everything public, never a discard or a card of the stock."""
        playing = self.phase == "play"
        view: dict[str, object] = {
            "phase": self.phase,
            "dealer": self.dealer,
            "out": self.out(),
            "deals": self.deals,
            "drawn": list(self.drawn),
            "turn": self.turn(),
            "leader": self.leader if playing else None,
            "calls": [{"seat": who, "bid": call} for who, call in self.calls],
            "man": self.man,
            "bid": self.bid,
            "contract": self.contract,
            "trump": self.trump,
            "turnup": self.turnup(),
            "hand": list(self.hands[seat]),
            "hands": [len(hand) for hand in self.hands],
            "stock": len(self.stock),
            "discards": list(self.discards),
            "shown": sorted(self.shown, key=PLACE.__getitem__),
            "open": self.open_hand(),
            "trick": [{"seat": who, "card": card} for who, card in self.table if playing],
            "won": [self.tricks_of(who) for who in range(self.people)],
            "vole": self.engaged,
            "accounts": list(self.accounts),
        }
        if playing and seat == self.turn() and self.finished:
            view["tricks"] = [{"seat": taker, "cards": list(cards)} for taker, cards in self.finished]
        return view

    def turnup(self) -> dict[str, object] | None:
        """The turned card, exposed until the hombre takes it up (omb.con.07, .08)."""
        if self.turned is None:
            return None
        return {"card": self.turned, "exposed": self.stock[:1] == [self.turned]}

    def score(self) -> dict[str, object]:
        """The figures of the deal and of the match, the same for every seat."""
        changes = self.changes()
        return {
            "before": list(self.accounts),
            "accounts": [account + change for account, change in zip(self.accounts, changes, strict=True)],
            "points": changes,
            "man": self.man,
            "contract": self.scored_contract(),
            "result": self.result,
            "vole": self.vole,
            "worth": self.worth(),
            "symbol": self.symbol(),
            "deals": self.deals,
            "over": self.over,
        }


def is_part(value: object, among: Sequence[str]) -> TypeGuard[list[str]]:
    """Whether a value lists some of these cards, none twice."""
    if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
        return False
    return len(set(value)) == len(value) and set(value) <= set(among)


def is_proper_deal(value: object) -> bool:
    """Whether a deal names the whole pack once and three packets of three (omb.equip.01, omb.deal.02)."""
    if not isinstance(value, Mapping) or set(value) != {"deck", "packets"}:
        return False
    deck, packets = value["deck"], value["packets"]
    if packets != PACKETS or any(type(size) is not int for size in packets):
        return False
    return is_part(deck, PACK) and len(deck) == len(PACK)
