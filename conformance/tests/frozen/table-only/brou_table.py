"""Two games for four at one table: Homme de Brou (Lyon, 1802) and Brouc (L'Etivaz, 2022).

A table judges every act before it carries it out: the judgement is either a refusal or the thing to be done.
A refused act therefore leaves no trace, and what is legal is whatever would be accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

SUITS = "SHDC"
PACK = tuple(rank + suit for suit in SUITS for rank in "AKQJT987")
SEATS = (0, 1, 2, 3)
TEAMS = (0, 1)
STRENGTH = {rank: strength for strength, rank in enumerate("789JQKTA")}
DRAWING_ORDER = {rank: height for height, rank in enumerate("789TJQKA")}
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
KINDS = {"simple": "KQ", "grand": "KQJ"}

Refusal = str
Deed = Callable[[], None]
Verdict = Refusal | Deed
Judge = Callable[[int, object], Verdict]


def team_of(seat: int) -> int:
    """The team of a seat: partners sit opposite each other."""
    return seat % 2


def right_of(seat: int) -> int:
    """The neighbour to whom play and deal pass."""
    return (seat + 1) % 4


def left_of(seat: int) -> int:
    """The neighbour who cuts."""
    return (seat - 1) % 4


def in_order(cards: Sequence[str]) -> list[str]:
    """The cards by suit, the ace of each suit first."""
    return sorted(cards, key=PACK.index)


class StartError(ValueError):
    """The position given at the start is none that a deal can have."""


@dataclass
class Trick:
    """Up to four cards; it knows who must play and, once it is full, who has won it."""

    leader: int
    trump: str
    cards: list[str] = field(default_factory=list)
    booked: bool = True
    strength: ClassVar[Mapping[str, int]] = STRENGTH

    @property
    def full(self) -> bool:
        """All four have played."""
        return len(self.cards) == len(SEATS)

    @property
    def turn(self) -> int:
        """The seat that plays next."""
        return (self.leader + len(self.cards)) % 4

    @property
    def suit(self) -> str | None:
        """The suit demanded, if a card has been led."""
        return self.cards[0][1] if self.cards else None

    @property
    def plays(self) -> list[dict[str, object]]:
        """Who played what, in order."""
        return [{"seat": (self.leader + place) % 4, "card": card} for place, card in enumerate(self.cards)]

    @property
    def winner(self) -> int:
        """The seat of the highest trump, else of the highest card of the suit demanded."""
        return self.player_of(max(self.cards, key=self.rank))

    def player_of(self, card: str) -> int:
        """The seat that played the card."""
        return (self.leader + self.cards.index(card)) % 4

    def rank(self, card: str) -> tuple[bool, bool, int]:
        """How high a card stands in this trick."""
        return card[1] == self.trump, card[1] == self.suit, self.strength[card[0]]

    @property
    def points(self) -> int:
        """The card points lying in it."""
        return sum(CARD_POINTS[card[0]] for card in self.cards)

    @property
    def marriages(self) -> list[tuple[str, str]]:
        """Suit and kind of each marriage lying in it, the grand one in place of the simple one."""
        found = []
        for suit in SUITS:
            if {"K" + suit, "Q" + suit} <= set(self.cards):
                found.append((suit, "grand" if "J" + suit in self.cards else "simple"))
        return found


@dataclass(frozen=True)
class Announcement:
    """A marriage shown from the hand by word."""

    seat: int
    suit: str
    kind: str


@dataclass(frozen=True)
class Call:
    """What a team has bound itself to."""

    team: int
    kind: str


@dataclass(frozen=True)
class Outcome:
    """How a deal ended, which team is better off and by how much."""

    kind: str
    winner: int | None = None
    worth: int = 0


class Deal:
    """Thirty-two cards dealt out, and all that has been done with them."""

    trick_type: ClassVar[type[Trick]] = Trick

    def __init__(self, dealer: int, hands: Sequence[Sequence[str]], turnup: str) -> None:
        """The hands must hold the pack, eight cards each, and the dealer the card turned up."""
        if [len(hand) for hand in hands] != [8, 8, 8, 8] or {card for hand in hands for card in hand} != set(PACK):
            raise StartError("the four hands are not the pack")
        if turnup not in hands[dealer]:
            raise StartError("the card turned up is not the dealer's")
        self.dealer = dealer
        self.hands = [in_order(hand) for hand in hands]
        self.turnup = turnup
        self.trump = turnup[1]
        self.tricks: list[Trick] = []
        self.table = self.trick_type(right_of(dealer), self.trump)
        self.announcements: list[Announcement] = []
        self.call: Call | None = None

    @classmethod
    def from_deck(cls, dealer: int, deck: Sequence[str], packets: Sequence[int]) -> Self:
        """Deal a deck in packets, the dealer served last; his last card is turned up."""
        if len(deck) != len(PACK) or sum(packets) != 8:
            raise StartError("the deck or the packets do not serve eight cards each")
        hands: list[list[str]] = [[], [], [], []]
        top = 0
        for packet in packets:
            for step in (1, 2, 3, 4):
                hands[(dealer + step) % 4] += deck[top : top + packet]
                top += packet
        return cls(dealer, hands, deck[-1])

    @property
    def between_tricks(self) -> bool:
        """Nothing lies on the table."""
        return not self.table.cards

    @property
    def last_winner(self) -> int | None:
        """Who won the last full trick."""
        return self.tricks[-1].winner if self.tricks else None

    def won(self, team: int) -> int:
        """How many tricks the team has."""
        return sum(team_of(trick.winner) == team for trick in self.tricks)

    def swept_by(self, team: int) -> bool:
        """Every trick so far is the team's."""
        return self.won(team) == len(self.tricks)

    def points(self, team: int) -> int:
        """The card points in the tricks booked to the team."""
        return sum(trick.points for trick in self.tricks if trick.booked and team_of(trick.winner) == team)

    def hand_value(self, suit: str, kind: str) -> int:
        """What a marriage is worth in the hand: ten a card, twice that in trump."""
        return len(KINDS[kind]) * (20 if suit == self.trump else 10)

    def announced(self, team: int) -> int:
        """What the team has announced from its hands."""
        return sum(
            self.hand_value(spoken.suit, spoken.kind) for spoken in self.announcements if team_of(spoken.seat) == team
        )

    def taken(self, team: int) -> int:
        """The table marriages in the tricks booked to the team, at the value they have in a hand."""
        return sum(
            self.hand_value(suit, kind)
            for trick in self.tricks
            if trick.booked and team_of(trick.winner) == team
            for suit, kind in trick.marriages
        )

    def keeper(self, team: int) -> int | None:
        """Who won the team's first trick."""
        return next((trick.winner for trick in self.tricks if team_of(trick.winner) == team), None)

    def markers(self) -> list[dict[str, object]]:
        """The table marriages that have been booked."""
        return [
            {"trick": number, "suit": suit, "kind": kind, "team": team_of(trick.winner)}
            for number, trick in enumerate(self.tricks, start=1)
            if trick.booked
            for suit, kind in trick.marriages
        ]

    def holds(self, seat: int, suit: str, kind: str) -> bool:
        """The seat has all the cards of a marriage in its hand."""
        return all(rank + suit in self.hands[seat] for rank in KINDS[kind])

    def has_announced(self, seat: int, suit: str) -> bool:
        """The seat has spoken for this suit."""
        return any(spoken.seat == seat and spoken.suit == suit for spoken in self.announcements)

    def lay(self, card: str) -> Trick | None:
        """Play a card of the seat whose turn it is; the trick, if that fills it."""
        self.hands[self.table.turn].remove(card)
        self.table.cards.append(card)
        if not self.table.full:
            return None
        filled = self.table
        self.tricks.append(filled)
        self.table = self.trick_type(filled.winner, self.trump)
        return filled


class Table:
    """What both games share: cutting, dealing, playing, announcing, and the record of a match."""

    deal_type: ClassVar[type[Deal]] = Deal
    goal = 301
    opening: str
    packets: tuple[tuple[int, ...], ...]
    table_factor: int
    target: int
    tally_name: str

    def __init__(
        self, dealer: int | None = None, accounts: Sequence[int] = (0, 0), tally: Sequence[int] = (0, 0)
    ) -> None:
        """A match before its first deal; without a dealer, before one has been found."""
        self.dealer = dealer
        self.accounts = list(accounts)
        self.tally = list(tally)
        self.phase = self.opening if dealer is None else "deal"
        self.cut_depth: int | None = None
        self.now: Deal | None = None
        self.outcome: Outcome | None = None
        self.winner: int | None = None
        self.judges: dict[str, tuple[Judge, Sequence[object]]] = {
            "play": (self.judge_play, PACK),
            "announce": (self.judge_announce, [{"suit": suit, "kind": kind} for suit in SUITS for kind in KINDS]),
            "claim": (self.judge_claim, [True]),
            "next": (self.judge_next, [True]),
        }

    def act(self, seat: int, act: Mapping[str, object]) -> Refusal | None:
        """Carry out the act of a seat, or say why not; a refused act changes nothing."""
        if len(act) != 1:
            return "not_available"
        [(name, value)] = act.items()
        verdict = self.judge(seat, name, value)
        if isinstance(verdict, Refusal):
            return verdict
        verdict()
        return None

    def judge(self, seat: int, name: str, value: object) -> Verdict:
        """The deed that the act amounts to, or the reason against it."""
        if name == "cut":
            return self.judge_cut(seat, value)
        if name == "deal":
            return self.judge_deal(seat, value)
        if name not in self.judges:
            return "not_available"
        return self.judges[name][0](seat, value)

    def legal(self, seat: int) -> dict[str, object]:
        """Every act the seat could do now, with its choices; cutting and dealing are described."""
        if self.phase == "over":
            return {}
        offered: dict[str, object] = {}
        if callable(self.judge_cut(seat, 1)):
            offered["cut"] = {"min": 1, "max": len(PACK) - 1}
        if callable(self.judge_deal(seat, {"deck": list(PACK), "packets": list(self.packets[0])})):
            offered["deal"] = {"deck": {"order": list(PACK)}, "packets": [list(packet) for packet in self.packets]}
        for name, (judge, conceivable) in self.judges.items():
            choices = [value for value in conceivable if callable(judge(seat, value))]
            if choices:
                offered[name] = choices
        return offered

    def judge_cut(self, seat: int, depth: object) -> Verdict:
        """Once before the deal the dealer's left neighbour may cut, leaving cards on both sides."""
        if self.phase != "deal" or self.dealer is None:
            return "window_closed"
        if seat != left_of(self.dealer):
            return "not_your_role"
        if self.cut_depth is not None:
            return "already_done"
        if type(depth) is not int or not 1 <= depth < len(PACK):
            return "bad_amount"

        def cut() -> None:
            self.cut_depth = depth

        return cut

    def judge_deal(self, seat: int, value: object) -> Verdict:
        """The dealer deals the whole pack in packets that the game allows."""
        if self.phase != "deal":
            return "window_closed"
        if seat != self.dealer:
            return "not_your_role"
        if not isinstance(value, Mapping):
            return "bad_amount"
        deck, packets = value.get("deck"), value.get("packets")
        if not isinstance(deck, list) or not all(isinstance(card, str) for card in deck) or set(deck) != set(PACK):
            return "no_such_card"
        if len(deck) != len(PACK):
            return "bad_amount"
        if not isinstance(packets, list) or tuple(packets) not in self.packets:
            return "bad_amount"
        depth = self.cut_depth or 0
        return lambda: self.begin(self.deal_type.from_deck(seat, deck[depth:] + deck[:depth], packets))

    def begin(self, deal: Deal) -> None:
        """Play starts with this deal."""
        self.now = deal
        self.phase = "play"

    def judge_play(self, seat: int, card: object) -> Verdict:
        """Whose turn it is plays one of the cards open to him."""
        if self.phase != "play" or self.now is None:
            return "window_closed"
        if seat != self.now.table.turn:
            return "not_your_turn"
        if not isinstance(card, str) or card not in PACK:
            return "no_such_card"
        if card not in self.now.hands[seat]:
            return "not_in_hand"
        if card not in self.open_cards(self.now, seat):
            led = self.now.table.suit
            held = any(other[1] == led for other in self.now.hands[seat])
            return "must_follow" if held and card[1] != led else "must_beat"
        return lambda: self.play(card)

    def open_cards(self, deal: Deal, seat: int) -> list[str]:
        """The cards the seat may add to the trick."""
        raise NotImplementedError

    def play(self, card: str) -> None:
        """A card falls."""
        raise NotImplementedError

    def judge_announce(self, seat: int, value: object) -> Verdict:
        """In the game's window a player announces a marriage he holds, each suit once."""
        if self.phase != "play" or self.now is None:
            return "window_closed"
        if not isinstance(value, Mapping):
            return "bad_amount"
        suit, kind = value.get("suit"), value.get("kind")
        if not isinstance(suit, str) or not isinstance(kind, str) or suit not in tuple(SUITS) or kind not in KINDS:
            return "bad_amount"
        if not self.may_speak(self.now, seat):
            return "window_closed"
        if self.now.has_announced(seat, suit):
            return "already_done"
        if not self.now.holds(seat, suit, kind):
            return "not_in_hand"
        return lambda: self.announce(Announcement(seat, suit, kind))

    def may_speak(self, deal: Deal, seat: int) -> bool:
        """The window for announcements is open to the seat."""
        raise NotImplementedError

    def announce(self, spoken: Announcement) -> None:
        """A marriage is announced."""
        if self.now is not None:
            self.now.announcements.append(spoken)

    def judge_claim(self, seat: int, value: object) -> Verdict:
        """A player says that his team has won the partie."""
        raise NotImplementedError

    def judge_next(self, seat: int, value: object) -> Verdict:
        """Anybody has a finished deal written down."""
        if self.outcome is None:
            return "window_closed"
        if value is not True:
            return "not_available"
        return self.write_down

    def write_down(self) -> None:
        """The finished deal enters the record and the table is cleared."""
        raise NotImplementedError

    def clear(self, reached: Sequence[bool], *, passes: bool) -> None:
        """Pass the deal, put the cards away and go on, unless a team has reached the length of the match."""
        if passes and self.dealer is not None:
            self.dealer = right_of(self.dealer)
        self.now = None
        self.outcome = None
        self.cut_depth = None
        self.phase = "deal"
        for team in TEAMS:
            if reached[team]:
                self.winner = team
                self.phase = "over"

    def end(self, kind: str, winner: int | None = None, worth: int = 0) -> None:
        """The deal is decided and waits to be written down."""
        self.outcome = Outcome(kind, winner, worth)
        self.phase = "result"

    def marriages(self, team: int) -> int:
        """What the marriages of this deal have done to the team, losses included."""
        if self.now is None:
            return 0
        return self.now.announced(team) + self.table_factor * (self.now.taken(team) - self.now.taken(1 - team))

    def points(self, team: int) -> int:
        """The card points the team has booked in this deal."""
        return self.now.points(team) if self.now is not None else 0

    def to_tens(self, points: int) -> int:
        """The nearest ten, a five going up."""
        return (points + 5) // 10 * 10

    def running(self, team: int) -> int:
        """What the team has at this moment, nothing rounded."""
        return self.accounts[team] + self.marriages(team) + self.points(team)

    def last_winner(self) -> int | None:
        """Who won the last full trick of the deal on the table."""
        return self.now.last_winner if self.now is not None else None

    def shown_accounts(self) -> list[int]:
        """What stands written for all to see."""
        raise NotImplementedError

    def turnup_exposed(self, deal: Deal) -> bool:
        """The card turned up still lies open."""
        raise NotImplementedError

    def view(self, seat: int) -> dict[str, object]:
        """What the seat may see."""
        deal, playing = self.now, self.phase == "play"
        shown: dict[str, object] = {
            "phase": self.phase,
            "dealer": self.dealer,
            "turn": deal.table.turn if deal is not None and playing else None,
            "leader": deal.table.leader if deal is not None and playing else None,
            "trump": None,
            "turnup": None,
            "hand": [],
            "hands": [0, 0, 0, 0],
            "trick": [],
            "won": [0, 0],
            "markers": [],
            "announced": [],
            "accounts": self.shown_accounts(),
            self.tally_name: list(self.tally),
            "call": None,
        }
        if deal is not None:
            spoken = sorted(deal.announcements, key=lambda one: (one.seat, SUITS.index(one.suit)))
            shown |= {
                "trump": deal.trump,
                "turnup": {"card": deal.turnup, "exposed": self.turnup_exposed(deal)},
                "hand": list(deal.hands[seat]),
                "hands": [len(hand) for hand in deal.hands],
                "trick": deal.table.plays if playing else [],
                "won": [deal.won(team) for team in TEAMS],
                "markers": deal.markers(),
                "announced": [{"seat": one.seat, "suit": one.suit, "kind": one.kind} for one in spoken],
                "call": {"team": deal.call.team, "kind": deal.call.kind} if deal.call is not None else None,
            }
        return shown

    def score(self) -> dict[str, object]:
        """The state of the reckoning, the same for everybody."""
        outcome = self.outcome
        return {
            "before": list(self.accounts),
            "accounts": [self.running(team) for team in TEAMS],
            "points": [self.points(team) for team in TEAMS],
            self.tally_name: list(self.tally),
            "result": outcome.kind if outcome is not None else None,
            "winner": outcome.winner if outcome is not None else None,
            "worth": outcome.worth if outcome is not None else 0,
            "over": self.winner,
        }


class HommeDeBrou(Table):
    """Homme de Brou: 301 won at the end of a deal or by a claim, parties counted for the winners."""

    opening = "draw"
    packets = ((3, 3, 2), (2, 3, 3), (3, 2, 3))
    table_factor = 2
    target = 12
    tally_name = "parties"
    vole_worth = 3
    vole_threshold = 190
    drawing_order: ClassVar[Mapping[str, int]] = DRAWING_ORDER
    last_trick_to_declare_after = 4

    def __init__(
        self, dealer: int | None = None, accounts: Sequence[int] = (0, 0), tally: Sequence[int] = (0, 0)
    ) -> None:
        """As for every table; at first everybody draws for the deal."""
        super().__init__(dealer, accounts, tally)
        self.contenders = list(SEATS)
        self.drawn: dict[int, str] = {}
        self.past_goal: list[int] = []
        self.judges |= {
            "draw": (self.judge_draw, PACK),
            "declare": (self.judge_declare, ["vole"]),
            "stop": (self.judge_stop, [True]),
            "answer": (self.judge_answer, [True, False]),
        }

    def judge_draw(self, seat: int, card: object) -> Verdict:
        """Who still contends for the deal draws one card nobody has drawn."""
        if self.phase != "draw":
            return "window_closed"
        if seat not in self.contenders:
            return "not_your_role"
        if seat in self.drawn:
            return "already_done"
        if not isinstance(card, str) or card not in PACK:
            return "no_such_card"
        if card in self.drawn.values():
            return "not_available"
        return lambda: self.draw(seat, card)

    def draw(self, seat: int, card: str) -> None:
        """The lowest card of all makes the dealer; those tied for it draw again from the whole pack."""
        self.drawn[seat] = card
        if len(self.drawn) < len(self.contenders):
            return
        heights = {one: self.drawing_order[drawn[0]] for one, drawn in self.drawn.items()}
        self.contenders = [one for one in self.contenders if heights[one] == min(heights.values())]
        self.drawn = {}
        if len(self.contenders) == 1:
            self.dealer = self.contenders[0]
            self.phase = "deal"

    def begin(self, deal: Deal) -> None:
        """Play starts, and so does the watch over who is past the goal."""
        super().begin(deal)
        self.past_goal = []
        self.watch()

    def watch(self) -> None:
        """Keep the order in which the teams came past the goal; who falls back loses his place."""
        self.past_goal = [team for team in self.past_goal if self.running(team) >= self.goal]
        for team in TEAMS:
            if team not in self.past_goal and self.running(team) >= self.goal:
                self.past_goal.append(team)

    def parties_for(self, losers_account: int) -> int:
        """How many parties 301 is worth against a team with this account."""
        if losers_account < 0:
            return 4
        return 2 if losers_account < 150 else 1

    def sheet(self, team: int) -> int:
        """The account as it stands on paper: marriages entered, tricks not yet."""
        return self.accounts[team] + self.marriages(team)

    def open_cards(self, deal: Deal, seat: int) -> list[str]:
        """Follow suit; without it, anything."""
        hand = deal.hands[seat]
        return [card for card in hand if card[1] == deal.table.suit] or hand

    def play(self, card: str) -> None:
        """A card falls; a full trick is booked, and may break a vole or end the deal."""
        if self.now is None:
            return
        deal = self.now
        trick = deal.lay(card)
        if trick is None:
            return
        team = team_of(trick.winner)
        if deal.call is not None and deal.call.team != team:
            trick.booked = False
            self.end("partie-et-vole-failed", team, self.vole_worth + self.parties_against(team))
            return
        self.watch()
        if len(deal.tricks) == 8:
            self.finish(deal, team)

    def parties_against(self, team: int) -> int:
        """What the other team would have marked for its 301, had it made the vole it declared."""
        return self.parties_for(self.sheet(team))

    def finish(self, deal: Deal, last_team: int) -> None:
        """Eight tricks are made: a vole, a partie or just a deal."""
        if deal.swept_by(last_team):
            if deal.call is not None:
                worth = self.vole_worth + self.parties_for(self.sheet(1 - last_team))
                self.end("partie-et-vole-made", last_team, worth)
            else:
                self.end("vole", last_team, self.vole_worth)
        elif self.past_goal:
            winner = self.past_goal[0]
            self.end("partie", winner, self.parties_for(self.running(1 - winner)))
        else:
            self.end("deal")

    def may_speak(self, deal: Deal, seat: int) -> bool:
        """After a trick of one's own team, before the next lead."""
        winner = deal.last_winner
        return deal.between_tricks and winner is not None and team_of(winner) == team_of(seat)

    def announce(self, spoken: Announcement) -> None:
        """An announced marriage is entered at once."""
        super().announce(spoken)
        self.watch()

    def judge_claim(self, seat: int, value: object) -> Verdict:
        """At any moment of play, unless a vole has been declared, anybody may claim 301 for his team."""
        if self.phase != "play" or self.now is None:
            return "window_closed"
        if self.now.call is not None or value is not True:
            return "not_available"
        return lambda: self.claim(team_of(seat))

    def claim(self, team: int) -> None:
        """Right, it wins against the others' account of this moment; wrong, it loses with the gains struck out."""
        if self.running(team) >= self.goal:
            self.end("claim-right", team, self.parties_for(self.running(1 - team)))
        else:
            self.end("claim-wrong", 1 - team, self.parties_for(self.kept_by_claimants(team)))

    def kept_by_claimants(self, team: int) -> int:
        """The account after a wrong claim: what the deal has cost stays off, what it has brought is struck out."""
        lost = self.now.taken(1 - team) if self.now is not None else 0
        return self.accounts[team] - self.table_factor * lost

    def vole_window(self, deal: Deal) -> bool:
        """Between tricks, the first made and the fifth not begun."""
        return deal.between_tricks and 1 <= len(deal.tricks) <= self.last_trick_to_declare_after

    def judge_declare(self, seat: int, value: object) -> Verdict:
        """Who is on lead, his team having every trick and 190 written, may declare partie and vole."""
        if self.phase != "play" or self.now is None:
            return "window_closed"
        if value != "vole":
            return "not_available"
        deal = self.now
        if deal.call is not None:
            return "already_done"
        if not self.vole_window(deal):
            return "window_closed"
        if seat != deal.table.leader:
            return "not_your_role"
        team = team_of(seat)
        if not deal.swept_by(team) or self.sheet(team) < self.vole_threshold:
            return "condition_not_met"
        return lambda: self.commit(team, "declared")

    def commit(self, team: int, kind: str) -> None:
        """The team must now make every trick."""
        if self.now is not None:
            self.now.call = Call(team, kind)
        self.phase = "play"

    def judge_stop(self, seat: int, value: object) -> Verdict:
        """A team may ask to stop when the others have every trick and 301 already."""
        if self.phase != "play" or self.now is None:
            return "window_closed"
        if value is not True:
            return "not_available"
        deal, others = self.now, 1 - team_of(seat)
        if deal.call is not None:
            return "already_done"
        if not self.vole_window(deal):
            return "window_closed"
        if not deal.swept_by(others) or self.running(others) < self.goal:
            return "condition_not_met"
        return self.ask_to_stop

    def ask_to_stop(self) -> None:
        """Nothing goes on before the leading team has answered."""
        self.phase = "stop"

    def judge_answer(self, seat: int, value: object) -> Verdict:
        """Either member of the leading team accepts the stop or, refusing it, engages the vole."""
        if self.phase != "stop" or self.now is None:
            return "window_closed"
        asked = team_of(self.now.table.leader)
        if team_of(seat) != asked:
            return "not_your_role"
        if value is True:
            return lambda: self.end("stop", asked, self.parties_for(self.running(1 - asked)))
        if value is False:
            return lambda: self.commit(asked, "forced")
        return "not_available"

    def write_down(self) -> None:
        """Parties to the winners; a partie won clears both accounts, a vole leaves them as they were."""
        if self.outcome is None:
            return
        if self.outcome.winner is not None:
            self.tally[self.outcome.winner] += self.outcome.worth
        if self.outcome.kind == "deal":
            self.accounts = [self.sheet(team) + self.to_tens(self.points(team)) for team in TEAMS]
        elif self.outcome.kind != "vole":
            self.accounts = [0, 0]
        self.clear([parties >= self.target for parties in self.tally], passes=True)

    def shown_accounts(self) -> list[int]:
        """The sheet, marriages entered as they come."""
        return [self.sheet(team) for team in TEAMS]

    def turnup_exposed(self, deal: Deal) -> bool:
        """During the first trick, until it is played."""
        return not deal.tricks and deal.turnup in deal.hands[deal.dealer]

    def view(self, seat: int) -> dict[str, object]:
        """As at every table; on one's turn also the last trick and those of one's own team."""
        shown = super().view(seat)
        deal = self.now
        shown["keeper"] = [deal.keeper(team) if deal is not None else None for team in TEAMS]
        if deal is not None and shown["turn"] == seat:
            shown["own"] = [list(trick.cards) for trick in deal.tricks if team_of(trick.winner) == team_of(seat)]
            if deal.tricks:
                shown["last"] = deal.tricks[-1].plays
        return shown


class Brouc(Table):
    """Brouc: only who says so wins the partie, and the losers mark ticks."""

    opening = "lot"
    packets = ((1, 3, 4),)
    table_factor = 1
    target = 5
    tally_name = "coches"
    cape_worth = 2
    call_worth: ClassVar[dict[str, int]] = {"cape-dehors": 3, "pas-dedouble": 4}
    own_slate_for_call = 190
    other_slate_for_double = 140

    def __init__(
        self,
        dealer: int | None = None,
        accounts: Sequence[int] = (0, 0),
        tally: Sequence[int] = (0, 0),
        carry: Sequence[int] = (0, 0),
    ) -> None:
        """As for every table; the carry holds marriages announced in a cape made before."""
        super().__init__(dealer, accounts, tally)
        self.carry = list(carry)
        self.judges |= {
            "lot": (self.judge_lot, SEATS),
            "declare": (self.judge_declare, list(self.call_worth)),
        }

    def judge_lot(self, seat: int, value: object) -> Verdict:
        """Anybody names the seat that the lot has made first dealer."""
        if self.phase != "lot":
            return "window_closed"
        if type(value) is not int or value not in SEATS:
            return "bad_amount"

        def fall() -> None:
            self.dealer = value
            self.phase = "deal"

        return fall

    def open_cards(self, deal: Deal, seat: int) -> list[str]:
        """Follow suit, else trump or discard; whoever plays a trump beats the trumps already there.

        A hand that must play trump and cannot beat is free among its trumps, and while it must, a king, queen
        or jack that makes a marriage of trump in the trick need not beat.
        """
        hand, trick, trump = deal.hands[seat], deal.table, deal.trump
        following = [card for card in hand if card[1] == trick.suit]
        if trick.suit is None or (following and trick.suit != trump):
            return following or hand
        trumps = [card for card in hand if card[1] == trump]
        plain = [] if following else [card for card in hand if card[1] != trump]
        lying = [trick.strength[card[0]] for card in trick.cards if card[1] == trump]
        beating = [card for card in trumps if trick.strength[card[0]] > max(lying, default=-1)]
        if plain:
            return plain + beating
        if not beating:
            return trumps
        return [card for card in trumps if card in beating or self.weds(card, trick)]

    def weds(self, card: str, trick: Trick) -> bool:
        """King, queen or jack of trump, with which king and queen of trump both lie in the trick."""
        pair = {"K" + trick.trump, "Q" + trick.trump}
        return card in pair | {"J" + trick.trump} and pair <= {*trick.cards, card}

    def play(self, card: str) -> None:
        """A card falls; a full trick may break a called cape or complete the deal."""
        if self.now is None:
            return
        deal = self.now
        trick = deal.lay(card)
        if trick is None:
            return
        team, call = team_of(trick.winner), deal.call
        if call is not None:
            if call.team != team:
                self.end(call.kind + "-failed", team, self.call_worth[call.kind])
            elif len(deal.tricks) == 8:
                self.end(call.kind + "-made", team, self.call_worth[call.kind])
        elif len(deal.tricks) == 8:
            cape = deal.swept_by(team)
            self.outcome = Outcome("cape", team, self.cape_worth) if cape else Outcome("deal")
            self.phase = "count"

    def may_speak(self, deal: Deal, seat: int) -> bool:
        """At any time once one's own party has a trick."""
        return deal.won(team_of(seat)) > 0

    def running(self, team: int) -> int:
        """A carry counts from the first card on."""
        return super().running(team) + self.carry[team]

    def judge_claim(self, seat: int, value: object) -> Verdict:
        """Anybody may say "dehors" until the deal is written down, but not once a cape has been called.

        After a cape made without a call the points of the deal are nothing to claim with.
        """
        if self.phase not in ("deal", "play", "count"):
            return "window_closed"
        if value is not True or (self.now is not None and self.now.call is not None):
            return "not_available"
        team = team_of(seat)
        total = self.running(team)
        if self.outcome is not None and self.outcome.kind == "cape":
            total = self.accounts[team] + self.carry[team]
            if total < self.goal:
                return "condition_not_met"
        return lambda: self.claim(team, total)

    def claim(self, team: int, total: int) -> None:
        """Right or wrong, the ticks are those that the other party's slate would cost it."""
        ticks = self.ticks_for(self.accounts[1 - team])
        if total >= self.goal:
            self.end("claim-right", team, ticks)
        else:
            self.end("claim-wrong", 1 - team, ticks)

    def ticks_for(self, slate: int) -> int:
        """How many ticks a party that writes this marks for a lost partie."""
        return 2 if slate < 150 else 1

    def judge_declare(self, seat: int, value: object) -> Verdict:
        """A player with two cards left calls the cape for a party that has lost no trick and writes 19 or more."""
        if self.phase != "play" or self.now is None:
            return "window_closed"
        if not isinstance(value, str) or value not in self.call_worth:
            return "not_available"
        deal, team = self.now, team_of(seat)
        if deal.call is not None:
            return "already_done"
        if len(deal.hands[seat]) < 2:
            return "window_closed"
        if not deal.swept_by(team) or self.accounts[team] < self.own_slate_for_call:
            return "condition_not_met"
        if value == "pas-dedouble" and self.accounts[1 - team] > self.other_slate_for_double:
            return "condition_not_met"

        def call() -> None:
            deal.call = Call(team, value)

        return call

    def write_down(self) -> None:
        """Ticks to the losers, tens to the slate; a cape writes nothing but keeps what was announced in it."""
        if self.outcome is None:
            return
        deal, kind = self.now, self.outcome.kind
        if self.outcome.winner is not None:
            self.tally[1 - self.outcome.winner] += self.outcome.worth
        if kind == "deal":
            for team in TEAMS:
                self.accounts[team] += self.carry[team] + self.to_tens(self.points(team)) + self.marriages(team)
            self.carry = [0, 0]
        elif kind == "cape" and deal is not None:
            self.carry = [self.carry[team] + deal.announced(team) for team in TEAMS]
        else:
            self.accounts = [0, 0]
            self.carry = [0, 0]
        self.clear([self.tally[1 - team] >= self.target for team in TEAMS], passes=deal is not None)

    def shown_accounts(self) -> list[int]:
        """The slate, which changes only between deals."""
        return list(self.accounts)

    def turnup_exposed(self, deal: Deal) -> bool:
        """The dealer takes it up at once."""
        return False

    def view(self, seat: int) -> dict[str, object]:
        """As at every table, and the carry."""
        return super().view(seat) | {"carry": list(self.carry)}

    def score(self) -> dict[str, object]:
        """As at every table, and the carry."""
        return super().score() | {"carry": list(self.carry)}
