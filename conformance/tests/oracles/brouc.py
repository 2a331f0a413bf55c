"""Brouc played and scored straight from the census of rules: a witness that knows nothing of the rule base.

Cards are two letters, rank then suit. Seat `s + 1` sits at the right of seat `s`; side 0 holds seats 0 and 2.
Every amount is in points, so a slate that writes 23 is 230 here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SUITS = "SHDC"
RANKS = "AKQJT987"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
PLACE = {card: number for number, card in enumerate(PACK)}
STRENGTH = {card: "789JQKTA".index(card[0]) for card in PACK}
PIPS = {card: {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0) for card in PACK}
PACKETS = [1, 3, 4]
TICKS_OF_CALL = {"cape-dehors": 3, "pas-dedouble": 4}

OFFERS = {
    "lot": ("lot",),
    "deal": ("cut", "deal", "claim"),
    "play": ("play", "announce", "claim", "declare", "mark", "unmark"),
    "count": ("claim", "mark", "unmark", "next"),
    "result": ("next",),
    "over": (),
}

SHARED_READINGS: dict[str, list[str]] = {
    "claim_window": ["any-time", "between-tricks"],
    "claim_counts_open_trick": ["no", "yes"],
    "claim_between_deals": ["yes", "no", "after-first-trick"],
    "claim_after_count": ["until-written", "no"],
    "loser_figure": ["slate", "slate-plus-raw", "slate-plus-rounded"],
    "claim_net_of_table_losses": ["yes", "no"],
    "marking": ["implicit", "explicit-before-lead", "explicit-any"],
    "marriage_exception": ["complete-in-trick", "any-two", "potential"],
    "exception_scope": ["forced-only", "any-trump-play"],
    "announce_window": ["any-time", "own-turn", "after-own-trick"],
    "extend_announced": ["once-per-suit", "difference"],
    "announce_simple_with_jack": ["allowed", "forbidden"],
    "rounding_order": ["cards-then-marriages", "sum-half-away"],
    "cape_carry": ["usable-at-once", "credited-at-end", "void"],
    "cape_carry_on_second_cape": ["pending", "lost", "credited"],
    "carry_in_thresholds": ["no", "yes"],
    "cape_announce_moment": ["any-moment", "own-turn"],
    "cape_announce_invalid": ["refused", "lost"],
    "dehors_after_cape_announcement": ["refused", "allowed"],
    "cape_failure_moment": ["at-once", "end-of-deal"],
    "cape_before_first": ["yes", "no"],
    "match_end": ["immediately", "end-of-partie"],
}

CLUB_DEFAULTS = {
    "claim_counts_open_trick": "yes",
    "exception_scope": "any-trump-play",
    "cape_carry": "void",
    "marking": "explicit-any",
    "cape_announce_moment": "own-turn",
    "cape_announce_invalid": "lost",
}


READINGS: dict[str, dict[str, list[str]]] = {
    "brouc@2022": {key: list(values) for key, values in SHARED_READINGS.items()},
    "brouc@club-2026": {
        **{
            key: sorted(values, key=lambda value: value != CLUB_DEFAULTS.get(key, value))
            for key, values in SHARED_READINGS.items()
        },
        "announced_debit": ["no", "yes"],
        "rounding_counterpart": ["complement", "own"],
    },
}


def settle_readings(edition: str, wanted: Mapping[str, str | int]) -> tuple[dict[str, str], int]:
    """The complete choice of readings and the losing number of ticks; ValueError when they are impossible."""
    if edition not in READINGS:
        raise ValueError(f"no such edition: {edition}")
    known = READINGS[edition]
    chosen = {"announced_debit": "no", "rounding_counterpart": "own"}
    chosen.update({key: values[0] for key, values in known.items()})
    ticks = 5
    for key, value in wanted.items():
        if key == "match_ticks":
            if type(value) is not int or not 1 <= value <= 99:
                raise ValueError(f"match_ticks out of range: {value}")
            ticks = value
        elif key in known and isinstance(value, str) and value in known[key]:
            chosen[key] = value
        else:
            raise ValueError(f"no such reading in {edition}: {key}={value}")
    if chosen["claim_counts_open_trick"] == "yes" and chosen["claim_window"] == "between-tricks":
        raise ValueError("between tricks there is no open trick to count")
    if chosen["cape_carry"] == "void" and (
        chosen["cape_carry_on_second_cape"] != "pending" or chosen["carry_in_thresholds"] == "yes"
    ):
        raise ValueError("readings of a carry-over without a carry-over")
    if chosen["rounding_counterpart"] == "complement" and chosen["rounding_order"] == "sum-half-away":
        raise ValueError("the complement is taken of rounded card points")
    return chosen, ticks


def to_tens(points: int) -> int:
    """Commercial rounding with a half going up (brouc.round.01)."""
    return (points + 5) // 10 * 10


class Match:
    """One match of Brouc, moved by acts."""

    def __init__(
        self,
        edition: str,
        readings: Mapping[str, str | int],
        *,
        dealer: int | None = None,
        accounts: Sequence[int] = (0, 0),
        parties: Sequence[int] = (0, 0),
        carry: Sequence[int] = (0, 0),
    ) -> None:
        """A given dealer starts in front of a deal, none starts with the lot (brouc.dealer.01)."""
        self.pick, self.match_ticks = settle_readings(edition, readings)
        self.dealer = dealer
        self.slate = list(accounts)
        self.coches = list(parties)
        self.carry = list(carry)
        self.champion: int | None = None
        self.phase = "lot" if dealer is None else "deal"
        self.clear_table()

    def clear_table(self) -> None:
        """Nothing of a finished deal is left."""
        self.hands: list[list[str]] = [[], [], [], []]
        self.cut_at: int | None = None
        self.turnup: str | None = None
        self.trump = ""
        self.leader = 0
        self.table: list[tuple[int, str]] = []
        self.takers: list[int] = []
        self.gone: set[str] = set()
        self.won = [0, 0]
        self.pips = [0, 0]
        self.said: dict[tuple[int, str], str] = {}
        self.said_points = [0, 0]
        self.pairs: list[tuple[int, str, str, int]] = []
        self.marked: set[int] = set()
        self.call: tuple[int, str] | None = None
        self.kind: str | None = None
        self.winner: int | None = None
        self.worth = 0
        self.dealt = False

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return self.phase == "over"

    def legal(self, seat: int) -> dict[str, object]:
        """Every act the seat may do now, with its values."""
        if seat not in (0, 1, 2, 3):
            return {}
        return {name: offer for name in OFFERS[self.phase] if (offer := self.offer(name, seat))}

    def act(self, seat: int, act: Mapping[str, object]) -> bool:
        """Does the act and tells so, or changes nothing and tells that it is refused (brouc.amb.43)."""
        if len(act) != 1 or seat not in (0, 1, 2, 3):
            return False
        ((name, value),) = act.items()
        offer = self.offer(name, seat) if name in OFFERS[self.phase] else None
        if not offer:
            return False
        if name == "cut":
            accepted = type(value) is int and 1 <= value <= 31
        elif name == "deal":
            accepted = is_proper_deal(value)
        else:
            accepted = any(type(choice) is type(value) and choice == value for choice in offer)
        if accepted:
            getattr(self, "do_" + name)(seat, value)
        return accepted

    def offer(self, name: str, seat: int) -> dict[str, object] | Sequence[object] | None:
        """The values of one act open to the seat in the present phase, empty when it is closed."""
        match name:
            case "lot":
                return [0, 1, 2, 3]
            case "cut":
                mine = self.dealer is not None and seat == (self.dealer - 1) % 4 and self.cut_at is None
                return {"min": 1, "max": 31} if mine else None
            case "deal":
                return {"deck": {"order": list(PACK)}, "packets": [list(PACKETS)]} if seat == self.dealer else None
            case "play":
                return self.playable(seat) if seat == self.turn() else None
            case "announce":
                return self.announceable(seat)
            case "claim":
                return [True] if self.may_claim(seat) else None
            case "declare":
                return self.declarable(seat)
            case "mark":
                return self.markable(seat)
            case "unmark":
                return sorted(number for number in self.marked if self.takers[number - 1] % 2 == seat % 2)
            case _:
                return [True]

    def do_lot(self, seat: int, value: int) -> None:
        """The lot names the first dealer (brouc.dealer.01)."""
        self.dealer = value
        self.phase = "deal"

    def do_cut(self, seat: int, value: int) -> None:
        """The dealer's left neighbour cuts once (brouc.deal.01)."""
        self.cut_at = value

    def do_deal(self, seat: int, value: Mapping[str, Any]) -> None:
        """Packets of 1, 3 and 4 from the dealer's right on; the dealer's last card is trump (brouc.deal.02, .03)."""
        at = self.cut_at or 0
        deck = value["deck"][at:] + value["deck"][:at]
        start = 0
        for size in PACKETS:
            for step in (1, 2, 3, 4):
                self.hands[(seat + step) % 4] += deck[start : start + size]
                start += size
        for hand in self.hands:
            hand.sort(key=PLACE.__getitem__)
        self.turnup = deck[-1]
        self.trump = deck[-1][1]
        self.leader = (seat + 1) % 4
        self.dealt = True
        self.phase = "play"

    def turn(self) -> int:
        """The seat that has to play a card (brouc.lead.01)."""
        return (self.leader + len(self.table)) % 4

    def playable(self, seat: int) -> list[str]:
        """Suit is followed; a trump has to beat the trumps on the table unless it may not or need not (brouc.over.*).

        Nobody void has to trump (brouc.play.02), and the partner's trump has to be beaten too (brouc.over.06).
        """
        hand = self.hands[seat]
        if not self.table:
            return list(hand)
        led = self.table[0][1][1]
        if led != self.trump and (following := [card for card in hand if card[1] == led]):
            return following
        trumps = [card for card in hand if card[1] == self.trump]
        forced = bool(trumps) and (led == self.trump or len(trumps) == len(hand))
        top = max((STRENGTH[card] for _, card in self.table if card[1] == self.trump), default=-1)
        allowed = {card for card in trumps if STRENGTH[card] > top}
        if forced and not allowed:
            return trumps
        if forced or self.pick["exception_scope"] == "any-trump-play":
            allowed.update(card for card in trumps if self.forms_marriage(card, hand))
        return [card for card in hand if card in allowed or (not forced and card[1] != self.trump)]

    def forms_marriage(self, card: str, hand: list[str]) -> bool:
        """Whether this trump forms or extends the trump marriage in the trick (brouc.over.04, brouc.amb.11)."""
        if card[0] not in "KQJ":
            return False
        shown = {other[0] for _, other in self.table if other[1] == self.trump}
        shown.add(card[0])
        if self.pick["marriage_exception"] == "any-two":
            return len(shown & {"K", "Q", "J"}) >= 2
        missing = {rank + self.trump for rank in "KQ" if rank not in shown}
        if not missing:
            return True
        if self.pick["marriage_exception"] == "complete-in-trick" or len(missing) > 3 - len(self.table):
            return False
        return not (missing & self.gone) and missing.isdisjoint(hand)

    def best_seat(self) -> int:
        """The seat whose card is winning the trick on the table (brouc.trick.01)."""
        best = self.table[0]
        for entry in self.table[1:]:
            card, holder = entry[1], best[1]
            if (STRENGTH[card] > STRENGTH[holder]) if card[1] == holder[1] else card[1] == self.trump:
                best = entry
        return best[0]

    def do_play(self, seat: int, value: str) -> None:
        """The card leaves the hand; the fourth card completes the trick, the eighth trick completes the deal."""
        self.hands[seat].remove(value)
        self.table.append((seat, value))
        if len(self.table) < 4:
            return
        taker = self.best_seat()
        cards = {card for _, card in self.table}
        self.takers.append(taker)
        self.note_marriages(cards)
        self.gone |= cards
        self.won[taker % 2] += 1
        self.pips[taker % 2] += sum(PIPS[card] for card in cards)
        self.table = []
        self.leader = taker
        self.judge_trick()

    def note_marriages(self, cards: set[str]) -> None:
        """Every suit whose King and Queen lie in the trick is a table marriage (brouc.tab.01, brouc.mar.01)."""
        for suit in SUITS:
            if "K" + suit in cards and "Q" + suit in cards:
                kind = "grand" if "J" + suit in cards else "simple"
                self.pairs.append((len(self.takers), suit, kind, self.takers[-1] % 2))

    def judge_trick(self) -> None:
        """A called cape fails with a lost trick and is made with the eighth; otherwise the deal is counted."""
        last = len(self.takers) == 8
        if self.call is not None:
            lost = self.won[1 - self.call[0]] > 0
            if last or (lost and self.pick["cape_failure_moment"] == "at-once"):
                self.end_call(made=not lost)
        elif last:
            self.phase = "count"
            self.kind = "deal"
            if 8 in self.won:
                self.kind, self.winner, self.worth = "cape", self.won.index(8), 2

    def value_of(self, suit: str, kind: str) -> int:
        """Ten points a card, doubled in trump (brouc.mar.02)."""
        return (20 if kind == "simple" else 30) * (2 if suit == self.trump else 1)

    def announceable(self, seat: int) -> list[dict[str, str]]:
        """Marriages wholly in hand, after the party's first trick (brouc.ann.01 to .03, brouc.amb.19 to .21, .49)."""
        if not self.won[seat % 2]:
            return []
        window = self.pick["announce_window"]
        if window == "own-turn" and seat != self.turn():
            return []
        if window == "after-own-trick" and (self.table or self.takers[-1] % 2 != seat % 2):
            return []
        found = []
        hand = self.hands[seat]
        for suit in SUITS:
            if "K" + suit not in hand or "Q" + suit not in hand:
                continue
            before = self.said.get((seat, suit))
            jack = "J" + suit in hand
            if before is None and not (jack and self.pick["announce_simple_with_jack"] == "forbidden"):
                found.append({"suit": suit, "kind": "simple"})
            extends = before == "simple" and self.pick["extend_announced"] == "difference"
            if jack and (before is None or extends):
                found.append({"suit": suit, "kind": "grand"})
        return found

    def do_announce(self, seat: int, value: Mapping[str, str]) -> None:
        """The value counts for the announcing party, an extension with the difference only (brouc.credit.02)."""
        suit, kind = value["suit"], value["kind"]
        before = self.said.get((seat, suit))
        gain = self.value_of(suit, kind) - (self.value_of(suit, before) if before else 0)
        self.said[seat, suit] = kind
        self.said_points[seat % 2] += gain

    def markable(self, seat: int) -> list[int]:
        """Unmarked tricks of the own party with a marriage, while marking is open (brouc.mark.01, brouc.amb.09)."""
        marking = self.pick["marking"]
        if marking == "implicit" or (marking == "explicit-before-lead" and self.table):
            return []
        open_tricks = {pair[0] for pair in self.pairs if pair[3] == seat % 2} - self.marked
        return sorted(n for n in open_tricks if marking == "explicit-any" or n == len(self.takers))

    def do_mark(self, seat: int, value: int) -> None:
        """One mark covers all marriages of a trick."""
        self.marked.add(value)

    def do_unmark(self, seat: int, value: int) -> None:
        """Taking the marker back cancels (brouc.amb.10)."""
        self.marked.remove(value)

    def counting_pairs(self) -> list[tuple[int, str, str, int]]:
        """The table marriages that score: all, or the marked ones (brouc.mark.02)."""
        return [pair for pair in self.pairs if self.pick["marking"] == "implicit" or pair[0] in self.marked]

    def table_points(self, side: int) -> int:
        """The value of the counting table marriages a party has won (brouc.credit.03)."""
        return sum(self.value_of(suit, kind) for _, suit, kind, owner in self.counting_pairs() if owner == side)

    def marriages(self, side: int) -> int:
        """Announced, plus table marriages won, less those lost, less the others' announced under brouc.amb.51."""
        debit = self.said_points[1 - side] if self.pick["announced_debit"] == "yes" else 0
        return self.said_points[side] - debit + self.table_points(side) - self.table_points(1 - side)

    def gain(self, side: int) -> int:
        """What the deal has brought a party so far, unrounded (brouc.count.01)."""
        return self.pips[side] + self.marriages(side)

    def rounded_gain(self, side: int) -> int:
        """What the deal brings a party on the slate (brouc.round.01, brouc.amb.23); a complement needs all tricks."""
        if self.pick["rounding_order"] == "sum-half-away":
            whole = self.gain(side)
            return to_tens(whole) if whole >= 0 else -to_tens(-whole)
        cards = to_tens(self.pips[side])
        if side == 1 and self.pick["rounding_counterpart"] == "complement" and len(self.takers) == 8:
            cards = 120 - to_tens(self.pips[0])
        return cards + self.marriages(side)

    def usable_carry(self, side: int) -> int:
        """The carry-over as far as a claim may use it (brouc.amb.24)."""
        return self.carry[side] if self.pick["cape_carry"] == "usable-at-once" else 0

    def written(self, side: int) -> int:
        """The slate as the figures 19 and 14, and the 15 of the loser, read it (brouc.amb.27)."""
        return self.slate[side] + (self.carry[side] if self.pick["carry_in_thresholds"] == "yes" else 0)

    def may_claim(self, seat: int) -> bool:
        """When a seat may say that its party is out (brouc.claim.02, brouc.amb.01, .02, .03, .33, .36)."""
        side = seat % 2
        between = self.pick["claim_between_deals"]
        if self.phase == "deal":
            return between == "yes"
        if between == "after-first-trick" and not self.won[side]:
            return False
        if self.phase == "count":
            open_count = self.pick["claim_after_count"] == "until-written"
            return open_count and (self.kind != "cape" or self.slate[side] + self.usable_carry(side) > 300)
        if self.table and self.pick["claim_window"] == "between-tricks":
            return False
        if self.call is None:
            return True
        allowed = self.pick["dehors_after_cape_announcement"] == "allowed"
        return allowed and self.call[0] == side and not self.won[1 - side]

    def claimed_total(self, side: int) -> int:
        """The points a claim is checked against, without those of a plain cape (brouc.claim.03, brouc.cape.02)."""
        total = self.slate[side] + self.usable_carry(side)
        if self.kind == "cape":
            return total
        total += self.gain(side)
        if self.pick["claim_net_of_table_losses"] == "no":
            total += self.table_points(1 - side)
        if self.table and self.pick["claim_counts_open_trick"] == "yes" and self.best_seat() % 2 == side:
            total += sum(PIPS[card] for _, card in self.table)
        return total

    def loser_figure(self, side: int) -> int:
        """The figure that decides between one tick and two (brouc.tick.02, brouc.amb.05)."""
        reading = self.pick["loser_figure"]
        if reading == "slate":
            return self.written(side)
        if self.kind == "cape":
            return self.slate[side]
        return self.slate[side] + (self.gain(side) if reading == "slate-plus-raw" else self.rounded_gain(side))

    def do_claim(self, seat: int, value: bool) -> None:
        """Right above 300; right or wrong, the other party's figure fixes the ticks (brouc.claim.04, brouc.amb.06)."""
        side = seat % 2
        ticks = 2 if self.loser_figure(1 - side) < 150 else 1
        right = self.claimed_total(side) > 300
        self.decide("claim-right" if right else "claim-wrong", side if right else 1 - side, ticks)

    def call_holds(self, side: int, kind: str) -> bool:
        """19 or more, no trick lost, and for the double the others at 14 or less (brouc.cd.01, brouc.cdd.01)."""
        if self.won[1 - side] or self.written(side) < 190:
            return False
        return kind == "cape-dehors" or self.written(1 - side) <= 140

    def declarable(self, seat: int) -> list[str]:
        """The called capes open to a seat that still holds two cards (brouc.cd.02, brouc.amb.29, .31, .47)."""
        if self.call is not None or len(self.hands[seat]) < 2:
            return []
        if self.pick["cape_announce_moment"] == "own-turn" and seat != self.turn():
            return []
        if self.pick["cape_before_first"] == "no" and not self.takers:
            return []
        lenient = self.pick["cape_announce_invalid"] == "lost"
        return [kind for kind in TICKS_OF_CALL if lenient or self.call_holds(seat % 2, kind)]

    def do_declare(self, seat: int, value: str) -> None:
        """The call binds the party; without its conditions it is lost on the spot (brouc.amb.31)."""
        self.call = (seat % 2, value)
        if not self.call_holds(seat % 2, value):
            self.end_call(made=False)

    def end_call(self, *, made: bool) -> None:
        """Three or four ticks for the side that loses the call (brouc.cd.03, .04, brouc.cdd.02)."""
        assert self.call is not None
        side, kind = self.call
        self.decide(kind + ("-made" if made else "-failed"), side if made else 1 - side, TICKS_OF_CALL[kind])

    def decide(self, kind: str, winner: int, worth: int) -> None:
        """The partie is decided and waits to be written."""
        self.kind, self.winner, self.worth = kind, winner, worth
        self.table = []
        self.phase = "result"

    def do_next(self, seat: int, value: bool) -> None:
        """Writes what the deal brought, hands the deal to the right and looks for the end of the match.

        The deal stays where it is when a claim ended the partie before the cards were dealt (brouc.dealer.02).
        """
        ends_partie = False
        if self.kind == "deal":
            self.write_points()
        elif self.kind == "cape":
            self.write_cape()
        else:
            self.slate = [0, 0]
            self.carry = [0, 0]
            ends_partie = True
        if self.winner is not None:
            self.coches[1 - self.winner] += self.worth
        if self.dealt and self.dealer is not None:
            self.dealer = (self.dealer + 1) % 4
        self.clear_table()
        if ends_partie or self.pick["match_end"] == "immediately":
            self.champion = self.match_winner()
        self.phase = "deal" if self.champion is None else "over"

    def write_points(self) -> None:
        """Rounded points and a waiting carry-over go on the slate (brouc.slate.03, brouc.cape.03)."""
        gains = [self.rounded_gain(0), self.rounded_gain(1)]
        for side in (0, 1):
            waiting = 0 if self.pick["cape_carry"] == "void" else self.carry[side]
            self.slate[side] += gains[side] + waiting
        self.carry = [0, 0]

    def write_cape(self) -> None:
        """The slate stays, announced marriages are carried over, table marriages go (brouc.cape.02 to .04, amb.25)."""
        if self.pick["cape_carry"] == "void":
            self.carry = [0, 0]
            return
        fate = self.pick["cape_carry_on_second_cape"]
        for side in (0, 1):
            old = self.carry[side]
            if fate == "credited":
                self.slate[side] += old
            self.carry[side] = self.said_points[side] + (old if fate == "pending" else 0)

    def match_winner(self) -> int | None:
        """The party that has fewer ticks once somebody has enough to lose, equal ticks play on (brouc.amb.37, .50)."""
        if max(self.coches) < self.match_ticks or self.coches[0] == self.coches[1]:
            return None
        return 0 if self.coches[0] < self.coches[1] else 1

    def view(self, seat: int) -> dict[str, object]:
        """What a seat sees: its own cards and everything public."""
        playing = self.phase == "play"
        return {
            "phase": self.phase,
            "dealer": self.dealer,
            "turn": self.turn() if playing else None,
            "leader": self.leader if playing else None,
            "trump": self.trump or None,
            "turnup": None if self.turnup is None else {"card": self.turnup, "exposed": False},
            "hand": list(self.hands[seat]),
            "hands": [len(hand) for hand in self.hands],
            "trick": [{"seat": who, "card": card} for who, card in self.table],
            "won": list(self.won),
            "markers": [
                {"trick": number, "suit": suit, "kind": kind, "team": side}
                for number, suit, kind, side in self.counting_pairs()
            ],
            "announced": [
                {"seat": who, "suit": suit, "kind": self.said[who, suit]}
                for who in range(4)
                for suit in SUITS
                if (who, suit) in self.said
            ],
            "accounts": list(self.slate),
            "coches": list(self.coches),
            "carry": list(self.carry),
            "call": None if self.call is None else {"team": self.call[0], "kind": self.call[1]},
        }

    def score(self) -> dict[str, object]:
        """The figures of both parties, the same for every seat."""
        return {
            "before": list(self.slate),
            "accounts": [self.slate[side] + self.usable_carry(side) + self.gain(side) for side in (0, 1)],
            "points": list(self.pips),
            "coches": list(self.coches),
            "carry": list(self.carry),
            "result": self.kind,
            "winner": self.winner,
            "worth": self.worth,
            "over": self.champion,
        }


def is_proper_deal(value: object) -> bool:
    """Whether a deal names the whole pack once and the packets of Brouc (brouc.equip.02, brouc.deal.02)."""
    if not isinstance(value, Mapping) or set(value) != {"deck", "packets"}:
        return False
    deck, packets = value["deck"], value["packets"]
    if packets != PACKETS or any(type(size) is not int for size in packets) or not isinstance(deck, list):
        return False
    return len(deck) == len(PACK) and all(isinstance(card, str) for card in deck) and set(deck) == set(PACK)
