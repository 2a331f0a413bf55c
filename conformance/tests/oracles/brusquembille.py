"""Brusquembille of 1718 played and settled straight from the census of rules: a witness that knows no rule base.

Cards are two letters, rank then suit. Seat `s + 1` sits at the right of seat `s`. A side is one player, or two
neighbours who play together. Money is told in tokens; a `brus.amb` names an open question of the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

EDITION = "brusquembille@1718"
FICHE = 20
SMALL_CHANGE = 20
HAND = 3
PACKETS = [1, 1, 1]
FULL_PACK = [rank + suit for suit in "SHDC" for rank in "AKQJT987"]
IN_TRICKS = {rank: height for height, rank in enumerate("789JQKTA")}
IN_THE_DRAW = {rank: height for height, rank in enumerate("789TJQKA")}
WORTH_IN_TRICKS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
PRICE_OF_BRUSQUEMBILLE = {"A": 2, "T": 1}
SEVENS_OUT = {"black": {"7S", "7C"}, "red": {"7H", "7D"}}

OFFERS = {
    "draw": ("draw",),
    "deal": ("cut", "deal"),
    "play": ("play",),
    "result": ("next",),
    "over": (),
}


@dataclass(frozen=True)
class Setting:
    """Who plays with whom, and whether for tokens or for points."""

    #: For each side the seats it holds.
    sides: tuple[tuple[int, ...], ...]
    for_points: bool

    @property
    def players(self) -> int:
        """How many seats there are."""
        return sum(len(side) for side in self.sides)

    @property
    def partners(self) -> bool:
        """Whether two play against two (brus.four.02)."""
        return len(self.sides) < self.players

    @property
    def reduced(self) -> bool:
        """Whether two sevens are out: with three and with five players (brus.equip.02, brus.five.01)."""
        return self.players in (3, 5)

    @property
    def pays(self) -> bool:
        """Whether brusquembilles are paid (brus.pay.01, brus.pay.02, brus.pts.01, brus.amb.19)."""
        return not self.for_points and not self.partners and self.players > 2

    @property
    def drawers(self) -> tuple[int, ...]:
        """Who draws for the first deal: all, of partners the rightmost of each side (brus.four.04, brus.amb.18)."""
        return tuple(side[-1] for side in self.sides)

    def side_of(self, seat: int) -> int:
        """The side that a seat belongs to."""
        return next(number for number, side in enumerate(self.sides) if seat in side)


TABLES = {
    "3": ((0,), (1,), (2,)),
    "2": ((0,), (1,)),
    "4": ((0,), (1,), (2,), (3,)),
    "4-partners": ((0, 1), (2, 3)),
    "5": ((0,), (1,), (2,), (3,), (4,)),
}
SETUPS = {
    **{name: Setting(sides, for_points=False) for name, sides in TABLES.items()},
    **{f"{name}-points": Setting(sides, for_points=True) for name, sides in TABLES.items()},
}

READINGS: dict[str, dict[str, list[str]]] = {
    EDITION: {
        "removed_sevens": ["black", "red"],
        "tie_n": ["equal-shares", "carry", "replay"],
        "tour_length": ["one-deal-per-dealer", "one-deal-per-player", "three"],
        "partners_stake": ["each-player", "each-team"],
        "points_end": ["highest-at-coup-end", "counting-order"],
    }
}
NUMBERS = {"tours": (1, 99, 2), "points_target": (1, 9999, 300)}


def matters(reading: str, setting: Setting) -> bool:
    """Whether a reading means anything in a set-up (census 0.6, items 2 and 11)."""
    if reading == "removed_sevens":
        return setting.reduced
    if reading == "points_end":
        return setting.for_points
    if reading == "partners_stake":
        return setting.partners and not setting.for_points
    if reading == "tie_n":
        return len(setting.sides) > 2 and not setting.for_points
    return not setting.for_points


def settle_readings(setting: Setting, wanted: Mapping[str, str | int]) -> tuple[dict[str, str], dict[str, int]]:
    """The complete choice of readings and numbers; ValueError when it is impossible."""
    known = READINGS[EDITION]
    chosen = {key: values[0] for key, values in known.items()}
    numbers = {key: default for key, (_, _, default) in NUMBERS.items()}
    for key, value in wanted.items():
        if key in NUMBERS:
            low, high, _ = NUMBERS[key]
            if type(value) is not int or not low <= value <= high:
                raise ValueError(f"{key} is out of range: {value}")
            numbers[key] = value
        elif key in known and isinstance(value, str) and value in known[key]:
            if value != chosen[key] and not matters(key, setting):
                raise ValueError(f"{key}={value} has no meaning in this set-up")
            chosen[key] = value
        else:
            raise ValueError(f"no such reading: {key}={value}")
    return chosen, numbers


class Match:
    """One match, from the draw for the first deal to the last coup."""

    def __init__(
        self,
        edition: str,
        readings: Mapping[str, str | int],
        *,
        setup: str = "3",
        dealer: int | None = None,
        gains: Sequence[int] | None = None,
        pot: int = 0,
        coups: int = 0,
    ) -> None:
        if edition != EDITION or setup not in SETUPS:
            raise ValueError(f"no such game: {edition}:{setup}")
        self.setting = SETUPS[setup]
        self.pick, self.number = settle_readings(self.setting, readings)
        self.count_of_sides = len(self.setting.sides)
        out = SEVENS_OUT[self.pick["removed_sevens"]] if self.setting.reduced else set()
        self.pack = [card for card in FULL_PACK if card not in out]
        self.place = {card: number for number, card in enumerate(self.pack)}
        self.gains = [0] * self.count_of_sides if gains is None else list(gains)
        self.pot = pot
        self.coups = coups
        self.dealer = dealer
        self.again = False
        self.drawing = list(self.setting.drawers)
        self.drawn: dict[int, str] = {}
        self.champion: int | None = None
        self.check_start()
        self.clear_table()
        self.phase = "draw" if dealer is None else "deal"

    def check_start(self) -> None:
        """A start in front of a deal names possible figures."""
        if self.dealer is not None and self.dealer not in self.setting.drawers:
            raise ValueError(f"seat {self.dealer} never deals")
        if len(self.gains) != self.count_of_sides:
            raise ValueError("one figure for each side")
        if self.setting.for_points:
            if self.pot:
                raise ValueError("no pot when the game is for points")
        elif self.pot < 0 or sum(self.gains) + self.pot != 0:
            raise ValueError("what the sides have gained and the pot sum to zero")
        elif not 0 <= self.coups < self.coups_in_all():
            raise ValueError("the partie is over by then")

    def clear_table(self) -> None:
        """Nothing is left of a coup."""
        self.hands: list[list[str]] = [[] for _ in range(self.setting.players)]
        self.stock: list[str] = []
        self.turnup: str | None = None
        self.trump: str | None = None
        self.cut_depth = 0
        self.leader = 0
        self.table: list[tuple[int, str]] = []
        self.won = [0] * self.count_of_sides
        self.pips = [0] * self.count_of_sides
        self.before = self.holdings()
        self.kind: str | None = None
        self.winners: list[int] = []
        self.worth = 0

    # Money ------------------------------------------------------------------------------------------------------------

    def coups_in_all(self) -> int:
        """How many coups the tours have that were agreed (brus.tour.01, brus.tour.02, brus.amb.06)."""
        a_tour = {
            "one-deal-per-dealer": len(self.setting.drawers),
            "one-deal-per-player": self.setting.players,
            "three": 3,
        }
        return self.number["tours"] * a_tour[self.pick["tour_length"]]

    def cave(self, side: int) -> int:
        """A fiche for each coup and twenty tokens, for every member (brus.cave.01, brus.amb.06)."""
        if self.setting.for_points:
            return 0
        return len(self.setting.sides[side]) * (FICHE * self.coups_in_all() + SMALL_CHANGE)

    def holdings(self) -> list[int]:
        """What each side has before it now: its cave and what it has gained, or its points."""
        return [self.cave(side) + gain for side, gain in enumerate(self.gains)]

    def put_stakes(self) -> None:
        """Everybody puts a fiche into the pot (brus.stake.01, brus.amb.10); a replayed coup is paid for already."""
        if self.setting.for_points or self.again:
            return
        for side, members in enumerate(self.setting.sides):
            stake = FICHE * (len(members) if self.pick["partners_stake"] == "each-player" else 1)
            self.gains[side] -= stake
            self.pot += stake

    def pay_brusquembilles(self, taker: int) -> None:
        """Each ace and ten is settled by itself with all the others (brus.brusq.02, brus.brusq.03, brus.amb.07-09)."""
        for owner, card in self.table:
            price = PRICE_OF_BRUSQUEMBILLE.get(card[0], 0)
            for other in range(self.setting.players):
                if other != owner:
                    self.gains[owner] += price if owner == taker else -price
                    self.gains[other] -= price if owner == taker else -price

    # What a seat may do -----------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> dict[str, object]:
        """The acts open to a seat with their choices."""
        found: dict[str, object] = {}
        for name in OFFERS[self.phase]:
            choices = getattr(self, f"offer_{name}")(seat)
            if choices:
                found[name] = choices
        return found

    def act(self, seat: int, act: Mapping[str, object]) -> bool:
        """Do an act, or say False and change nothing."""
        if len(act) != 1:
            return False
        name, value = next(iter(act.items()))
        offered = self.legal(seat).get(name)
        if offered is None or not self.fits(name, value, offered):
            return False
        getattr(self, f"do_{name}")(seat, value)
        return True

    def fits(self, name: str, value: object, offered: object) -> bool:
        """Whether a value is among the choices offered."""
        if name == "cut":
            return type(value) is int and 1 <= value < len(self.pack)
        if name == "deal":
            return self.is_proper_deal(value)
        return isinstance(offered, list) and any(value is one or (value == one and one is not True) for one in offered)

    def is_proper_deal(self, value: object) -> bool:
        """Whether a deal names the whole pack once, and single cards (brus.deal.02)."""
        if not isinstance(value, Mapping) or set(value) != {"deck", "packets"}:
            return False
        deck, packets = value["deck"], value["packets"]
        if packets != PACKETS or any(type(size) is not int for size in packets) or not isinstance(deck, list):
            return False
        return len(deck) == len(self.pack) and all(isinstance(card, str) for card in deck) and {*deck} == {*self.pack}

    def offer_draw(self, seat: int) -> list[str]:
        """A card nobody has drawn, for those who draw and have not yet (brus.dealer.01, brus.four.04)."""
        if seat not in self.drawing or seat in self.drawn:
            return []
        return [card for card in self.pack if card not in self.drawn.values()]

    def do_draw(self, seat: int, value: str) -> None:
        """The highest card of the order of Piquet deals; equals draw again (brus.dealer.01, brus.amb.03)."""
        self.drawn[seat] = value
        if len(self.drawn) < len(self.drawing):
            return
        top = max(IN_THE_DRAW[card[0]] for card in self.drawn.values())
        self.drawing = [who for who in self.drawing if IN_THE_DRAW[self.drawn[who][0]] == top]
        self.drawn = {}
        if len(self.drawing) == 1:
            self.dealer = self.drawing[0]
            self.phase = "deal"

    def offer_cut(self, seat: int) -> dict[str, int] | None:
        """The dealer's left neighbour cuts, once (brus.deal.01)."""
        if self.dealer is None or self.cut_depth or (seat + 1) % self.setting.players != self.dealer:
            return None
        return {"min": 1, "max": len(self.pack) - 1}

    def do_cut(self, seat: int, value: int) -> None:
        """So many cards go under the rest."""
        self.cut_depth = value

    def offer_deal(self, seat: int) -> dict[str, object] | None:
        """The dealer deals any order of the pack."""
        return {"deck": {"order": list(self.pack)}, "packets": [PACKETS]} if seat == self.dealer else None

    def do_deal(self, seat: int, value: Mapping[str, list[str]]) -> None:
        """Three rounds of single cards from the right, then the turn-up, which goes under the stock.

        Clauses brus.deal.02, brus.stock.01, brus.trump.01, brus.lead.01 and brus.stake.01.
        """
        deck = value["deck"][self.cut_depth :] + value["deck"][: self.cut_depth]
        self.before = self.holdings()
        self.put_stakes()
        self.leader = self.right_of(seat)
        for _ in PACKETS:
            for player in self.from_seat(self.leader):
                self.take(player, deck.pop(0))
        self.turnup = deck.pop(0)
        self.trump = self.turnup[1]
        self.stock = [*deck, self.turnup]
        self.phase = "play"

    def right_of(self, seat: int) -> int:
        """The neighbour on the right (brus.turn.01)."""
        return (seat + 1) % self.setting.players

    def from_seat(self, first: int) -> list[int]:
        """All seats in the order of play, from one on."""
        return [(first + step) % self.setting.players for step in range(self.setting.players)]

    def take(self, seat: int, card: str) -> None:
        """A card comes into a hand."""
        self.hands[seat].append(card)
        self.hands[seat].sort(key=self.place.__getitem__)

    # Tricks -----------------------------------------------------------------------------------------------------------

    def turn(self) -> int:
        """Who has to play."""
        return (self.leader + len(self.table)) % self.setting.players

    def offer_play(self, seat: int) -> list[str]:
        """Any card of the hand: there is no duty of any kind (brus.play.01)."""
        return list(self.hands[seat]) if seat == self.turn() else []

    def do_play(self, seat: int, value: str) -> None:
        """The last player completes the trick."""
        self.hands[seat].remove(value)
        self.table.append((seat, value))
        if len(self.table) == self.setting.players:
            self.end_trick()

    def taker(self) -> int:
        """The highest trump, without any the highest card of the suit led (brus.trick.01, brus.rank.01)."""
        led = self.table[0][1][1]

        def height(item: tuple[int, str]) -> tuple[bool, bool, int]:
            card = item[1]
            return card[1] == self.trump, card[1] == led, IN_TRICKS[card[0]]

        return max(self.table, key=height)[0]

    def end_trick(self) -> None:
        """The taker keeps the cards, is paid or pays, draws first and leads (brus.trick.02, brus.draw.01 to .03)."""
        taker = self.taker()
        if self.setting.pays:
            self.pay_brusquembilles(taker)
        side = self.setting.side_of(taker)
        self.won[side] += 1
        self.pips[side] += sum(WORTH_IN_TRICKS.get(card[0], 0) for _, card in self.table)
        self.table = []
        self.leader = taker
        for player in self.from_seat(taker):
            if self.stock:
                self.take(player, self.stock.pop(0))
        if not any(self.hands):
            self.end_coup()

    def end_coup(self) -> None:
        """Card points are compared and the pot is shared out, or the points are written (brus.count.01, brus.win.01).

        A tie of two shares (brus.win.02, brus.amb.11); of more, see brus.amb.01 and brus.amb.02.
        """
        self.phase = "result"
        most = max(self.pips)
        self.winners = [side for side, points in enumerate(self.pips) if points == most]
        if self.setting.for_points:
            self.kind = "counted"
            self.gains = [gain + points for gain, points in zip(self.gains, self.pips, strict=True)]
            return
        fate = self.pick["tie_n"] if len(self.winners) > 2 else "equal-shares"
        if fate != "equal-shares":
            self.kind = {"carry": "carried", "replay": "replayed"}[fate]
            return
        self.kind = "won" if len(self.winners) == 1 else "shared"
        self.worth = self.pot // len(self.winners)
        for side in self.winners:
            self.gains[side] += self.worth
            self.pot -= self.worth

    # From coup to coup ------------------------------------------------------------------------------------------------

    def offer_next(self, seat: int) -> list[bool]:
        """Anybody may go on."""
        return [True]

    def do_next(self, seat: int, value: bool) -> None:
        """The coup is counted and the deal passes on, unless the coup is played again (brus.tour.02, brus.amb.01)."""
        ended = False
        self.again = self.kind == "replayed"
        if not self.again:
            self.coups += 1
            ended = self.judge()
            self.pass_deal()
        self.clear_table()
        self.phase = "over" if ended else "deal"

    def pass_deal(self) -> None:
        """To the right, with partners to the rightmost of the others (brus.dealer.02, brus.four.05, brus.amb.05)."""
        assert self.dealer is not None
        if self.setting.partners:
            self.dealer = self.setting.sides[1 - self.setting.side_of(self.dealer)][-1]
        else:
            self.dealer = self.right_of(self.dealer)

    def judge(self) -> bool:
        """Whether the partie ends here, and for whom."""
        if self.setting.for_points:
            self.champion = self.winner_by_points()
            return self.champion is not None
        if self.coups < self.coups_in_all():
            return False
        first = [side for side, rank in enumerate(self.ranks()) if rank == 1]
        self.champion = first[0] if len(first) == 1 else None
        return True

    def winner_by_points(self) -> int | None:
        """Who has the points agreed: the highest, or the first to count them (brus.pts.01, brus.amb.14)."""
        assert self.dealer is not None
        target = self.number["points_target"]
        if self.pick["points_end"] == "counting-order":
            order = [self.setting.side_of(seat) for seat in self.from_seat(self.right_of(self.dealer))]
            return next((side for side in order if self.gains[side] >= target), None)
        most = max(self.gains)
        return self.gains.index(most) if most >= target and self.gains.count(most) == 1 else None

    def ranks(self) -> list[int]:
        """The place of each side by what it has gained, equals sharing one (brus.end.02, brus.end.03, brus.amb.20)."""
        return [1 + sum(other > mine for other in self.gains) for mine in self.gains]

    # What is told -----------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase == "over"

    def view(self, seat: int) -> dict[str, object]:
        """What a seat sees: its own cards, its partner's, and everything public (brus.four.03, brus.amb.17)."""
        playing = self.phase == "play"
        shown: dict[str, object] = {
            "phase": self.phase,
            "dealer": self.dealer,
            "turn": self.turn() if playing else None,
            "leader": self.leader if playing else None,
            "trump": self.trump,
            "turnup": None if self.turnup is None else {"card": self.turnup, "exposed": bool(self.stock)},
            "hand": list(self.hands[seat]),
            "hands": [len(hand) for hand in self.hands],
            "trick": [{"seat": who, "card": card} for who, card in self.table],
            "won": list(self.won),
            "stock": len(self.stock),
            "accounts": self.holdings(),
            "pot": self.pot,
            "coups": self.coups,
        }
        if self.setting.partners:
            mates = [mate for mate in self.setting.sides[self.setting.side_of(seat)] if mate != seat]
            shown["partners"] = [{"seat": mate, "hand": list(self.hands[mate])} for mate in mates]
        return shown

    def score(self) -> dict[str, object]:
        """The figures of all sides, the same for every seat."""
        return {
            "before": list(self.before),
            "accounts": self.holdings(),
            "gains": list(self.gains),
            "points": list(self.pips),
            "pot": self.pot,
            "coups": self.coups,
            "result": self.kind,
            "winners": list(self.winners),
            "worth": self.worth,
            "ranking": self.ranks() if self.over and not self.setting.for_points else [],
            "over": self.champion,
        }
