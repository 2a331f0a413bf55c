"""Play and score `homme-de-brou@1802`: an independent witness for machines that read the rules as data.

Cards are two characters, rank then suit. Seats are 0 to 3, the next seat sits on the right; team 0 is seats 0 and 2.
Names such as `brou.stop.02` are clauses, `brou.amb.28` is an ambiguity, whose reading a match is played under.
"""

from collections.abc import Mapping, Sequence
from typing import Final

EDITION: Final = "homme-de-brou@1802"
READINGS: Final[dict[str, dict[str, list[str]]]] = {
    EDITION: {
        "both_over": ["first-to-reach", "higher-total", "play-on", "leader-side"],
        "loser_account": ["raw", "rounded", "sheet"],
        "loser_account_unclaimed": ["full-deal", "frozen"],
        "wrong_claim_erasure": ["gains-only", "whole-deal"],
        "claim_window": ["any-time", "between-tricks", "own-turn"],
        "announce_window": ["after-own-trick", "any-time", "until-next-trick-complete"],
        "extend_announced": ["once-per-suit", "difference"],
        "announce_simple_with_jack": ["allowed", "forbidden"],
        "turnup_announceable": ["at-once", "next-trick"],
        "pv_threshold_base": ["account-with-marriages", "start-of-deal"],
        "pv_below_threshold": ["refused", "judged-at-end", "lost"],
        "pv_marriages": ["count", "void"],
        "pv_before_first": ["no", "yes"],
        "pv_speaker": ["leader", "any-member"],
        "stop_window": ["until-fifth-begun", "tricks-2-3-4"],
        "stop_requires_all_tricks": ["yes", "no"],
        "stop_wrong": ["illegal", "concession", "void-check"],
        "dealer_rotation": ["right", "redraw-each-partie"],
        "match_end": ["immediately", "end-of-partie"],
    }
}
SUITS: Final = "SHDC"
PACK: Final = tuple(rank + suit for suit in SUITS for rank in "AKQJT987")
CANONICAL: Final = {card: place for place, card in enumerate(PACK)}
DRAW_HEIGHT: Final = {rank: height for height, rank in enumerate("789TJQKA")}
TRICK_HEIGHT: Final = {rank: height for height, rank in enumerate("789JQKTA")}
CARD_POINTS: Final = {card: {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0) for card in PACK}
PACKETS: Final = ([3, 3, 2], [2, 3, 3], [3, 2, 3])
TARGET: Final = 301
DECLARING_LEVEL: Final = 190


def in_tens(points: int) -> int:
    """Round trick points to whole tens, a final five upwards (brou.round.01, brou.round.02)."""
    return (points + 5) // 10 * 10


def parties_for(account: int) -> int:
    """Count parties for 301 against a losing account (brou.worth.01, brou.worth.02, brou.worth.03, brou.amb.43)."""
    if account < 0:
        return 4
    return 2 if account < 150 else 1


def hand_value(kind: str, suit: str, trump: str) -> int:
    """Give the value of an announced marriage: ten a card, twenty in trump (brou.ann.05, brou.ann.06)."""
    return (30 if kind == "grand" else 20) * (2 if suit == trump else 1)


class Deal:
    """Everything that lives from the dealing of the cards until the result is written."""

    def __init__(self, dealer: int, deck: Sequence[str], packets: Sequence[int], before: Sequence[int]) -> None:
        """Deal from the right, turn the last card (brou.deal.03, brou.deal.05, brou.deal.06, brou.trump.01)."""
        self.dealer = dealer
        self.before = list(before)
        self.hands: list[list[str]] = [[], [], [], []]
        taken = 0
        for size in packets:
            for step in (1, 2, 3, 4):
                self.hands[(dealer + step) % 4].extend(deck[taken : taken + size])
                taken += size
        for hand in self.hands:
            hand.sort(key=CANONICAL.__getitem__)
        self.turnup = deck[-1]
        self.trump = self.turnup[1]
        self.leader = (dealer + 1) % 4
        self.trick: list[str] = []
        self.tricks: list[tuple[int, int, list[str]]] = []
        self.won = [0, 0]
        self.keeper: list[int | None] = [None, None]
        self.points = [0, 0]
        self.gains = [0, 0]
        self.losses = [0, 0]
        self.markers: list[tuple[int, str, str, int]] = []
        self.announced: dict[tuple[int, str], str] = {}
        self.committed: int | None = None
        self.commitment = ""
        self.asked: int | None = None
        self.clock = 0
        self.passed: list[tuple[int, int, int] | None] = [None, None]
        self.look_at_accounts()
        self.kind: str | None = None
        self.winner: int | None = None
        self.worth = 0

    @property
    def turn(self) -> int:
        """Name the seat that plays the next card (brou.play.05)."""
        return (self.leader + len(self.trick)) % 4

    @property
    def exposed(self) -> bool:
        """Say whether the turn-up lies open: in trick 1 until it is played (brou.trump.03, brou.trump.04)."""
        return not self.tricks and self.turnup in self.hands[self.dealer]

    def sheet(self, team: int) -> int:
        """Give the account before the deal with the marriages of the deal, as on the sheet (brou.sheet.03)."""
        return self.before[team] + self.gains[team] - self.losses[team]

    def running(self, team: int) -> int:
        """Give the account with the marriages and the raw points of the completed tricks."""
        return self.sheet(team) + self.points[team]

    def look_at_accounts(self) -> None:
        """Keep when each team last came to 301 and how the other side stood then (brou.amb.02, brou.amb.04)."""
        for team in (0, 1):
            if self.running(team) < TARGET:
                self.passed[team] = None
            elif self.passed[team] is None:
                self.passed[team] = (self.clock, self.sheet(1 - team), self.points[1 - team])
        self.clock += 1

    def strongest(self) -> int:
        """Find the winner of the full trick: highest trump, else highest of the suit led (brou.trick.01)."""
        led = self.trick[0][1]
        best, best_height = 0, -1
        for place, card in enumerate(self.trick):
            height = TRICK_HEIGHT[card[0]]
            if card[1] == self.trump:
                height += 100
            elif card[1] != led:
                continue
            if height > best_height:
                best, best_height = place, height
        return (self.leader + best) % 4


class Match:
    """Parties to 301, played until a team has the agreed number of them (brou.match.01, brou.match.02)."""

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
        """Start before a deal by the given dealer, or before the draw for the dealer; this game knows no carry."""
        if edition not in READINGS or any(carry):
            raise ValueError(f"not an edition of this game, or a carry, which it does not know: {edition}")
        known = READINGS[edition]
        self.reading = {key: values[0] for key, values in known.items()}
        self.match_parties = 12
        for key, value in readings.items():
            if key == "match_parties" and type(value) is int and 1 <= value <= 99:
                self.match_parties = value
            elif isinstance(value, str) and value in known.get(key, ()):
                self.reading[key] = value
            else:
                raise ValueError(f"unknown reading {key}={value}")
        if self.reading["pv_marriages"] == "void" and self.reading["pv_threshold_base"] == "account-with-marriages":
            raise ValueError("void marriages need the threshold taken at the start of the deal")
        self.phase = "draw" if dealer is None else "deal"
        self.dealer = dealer
        self.accounts = list(accounts)
        self.parties = list(parties)
        self.drawing = [0, 1, 2, 3]
        self.drawn: dict[int, str] = {}
        self.cut = 0
        self.deal: Deal | None = None
        self.champion: int | None = None

    @property
    def over(self) -> bool:
        """Say whether a team has won the match."""
        return self.phase == "over"

    def legal(self, seat: int) -> dict[str, object]:
        """Map each act that this seat may do now to its choices."""
        choices: dict[str, object] = {}
        deal = self.deal
        if self.phase == "draw":
            if seat in self.drawing and seat not in self.drawn:
                out = set(self.drawn.values())
                choices["draw"] = [card for card in PACK if card not in out]
        elif self.phase == "deal":
            if self.may_cut(seat):
                choices["cut"] = {"min": 1, "max": 31}
            if seat == self.dealer:
                choices["deal"] = {"deck": {"order": list(PACK)}, "packets": [list(packet) for packet in PACKETS]}
        elif self.phase == "result":
            choices["next"] = [True]
        elif deal is None:
            return choices
        elif self.phase == "stop":
            answers = self.answers(deal, seat)
            if answers:
                choices["answer"] = answers
        else:
            if seat == deal.turn:
                choices["play"] = self.playable(deal, seat)
            marriages = self.announceable(deal, seat)
            if marriages:
                choices["announce"] = [{"suit": suit, "kind": kind} for suit, kind in marriages]
            if self.may_claim(deal, seat):
                choices["claim"] = [True]
            if self.may_declare(deal, seat):
                choices["declare"] = ["vole"]
            if self.may_stop(deal, seat):
                choices["stop"] = [True]
        return choices

    def act(self, seat: int, act: Mapping[str, object]) -> bool:
        """Do one act if the rules allow it; otherwise change nothing and give False."""
        if len(act) != 1 or seat not in (0, 1, 2, 3):
            return False
        [(name, value)] = act.items()
        deal = self.deal
        if self.phase == "draw":
            return name == "draw" and self.do_draw(seat, value)
        if self.phase == "deal":
            return self.do_cut(seat, value) if name == "cut" else name == "deal" and self.do_deal(seat, value)
        if deal is None:
            return False
        if self.phase == "result":
            return name == "next" and value is True and self.write_result(deal)
        if self.phase == "stop":
            return name == "answer" and self.do_answer(deal, seat, value)
        if name == "play":
            return self.do_play(deal, seat, value)
        if name == "announce":
            return self.do_announce(deal, seat, value)
        if name == "claim" and value is True:
            return self.do_claim(deal, seat)
        if name == "declare" and value == "vole":
            return self.do_declare(deal, seat)
        return name == "stop" and value is True and self.do_stop(deal, seat)

    def view(self, seat: int) -> dict[str, object]:
        """Show what this seat sees; past tricks only on its turn (brou.look.01, brou.look.02, brou.look.03)."""
        seen: dict[str, object] = {"phase": self.phase, "dealer": self.dealer, "parties": list(self.parties)}
        deal = self.deal
        if deal is None:
            seen.update(turn=None, leader=None, trump=None, turnup=None, hand=[], hands=[0, 0, 0, 0], trick=[])
            seen.update(won=[0, 0], keeper=[None, None], markers=[], announced=[], call=None)
            seen["accounts"] = list(self.accounts)
            return seen
        playing = self.phase == "play"
        seen["turn"] = deal.turn if playing else None
        seen["leader"] = deal.leader if playing else None
        seen["trump"] = deal.trump
        seen["turnup"] = {"card": deal.turnup, "exposed": deal.exposed}
        seen["hand"] = list(deal.hands[seat])
        seen["hands"] = [len(hand) for hand in deal.hands]
        seen["trick"] = by_seat(deal.leader, deal.trick) if playing else []
        seen["won"] = list(deal.won)
        seen["keeper"] = list(deal.keeper)
        if playing and seat == deal.turn:
            if deal.tricks:
                leader, _, cards = deal.tricks[-1]
                seen["last"] = by_seat(leader, cards)
            seen["own"] = [list(cards) for _, winner, cards in deal.tricks if winner % 2 == seat % 2]
        seen["markers"] = [
            {"trick": number, "suit": suit, "kind": kind, "team": team} for number, suit, kind, team in deal.markers
        ]
        seen["announced"] = [
            {"seat": speaker, "suit": suit, "kind": deal.announced[speaker, suit]}
            for speaker in range(4)
            for suit in SUITS
            if (speaker, suit) in deal.announced
        ]
        seen["accounts"] = [deal.sheet(0), deal.sheet(1)]
        seen["call"] = None if deal.committed is None else {"team": deal.committed, "kind": deal.commitment}
        return seen

    def score(self) -> dict[str, object]:
        """Show the accounts, the parties, and the result that waits to be written."""
        written: dict[str, object] = {"parties": list(self.parties), "over": self.champion}
        deal = self.deal
        if deal is None:
            written.update(before=list(self.accounts), accounts=list(self.accounts), points=[0, 0])
            written.update(result=None, winner=None, worth=0)
        else:
            written.update(before=list(deal.before), accounts=[deal.running(0), deal.running(1)])
            written.update(points=list(deal.points), result=deal.kind, winner=deal.winner, worth=deal.worth)
        return written

    def do_draw(self, seat: int, card: object) -> bool:
        """Draw; the lowest deals, a tie is drawn again (brou.dealer.01, brou.dealer.02, brou.amb.34)."""
        if seat not in self.drawing or seat in self.drawn or card not in PACK or card in self.drawn.values():
            return False
        self.drawn[seat] = str(card)
        if len(self.drawn) == len(self.drawing):
            lowest = min(DRAW_HEIGHT[drawn[0]] for drawn in self.drawn.values())
            tied = [one for one in self.drawing if DRAW_HEIGHT[self.drawn[one][0]] == lowest]
            self.drawn = {}
            self.drawing = tied
            if len(tied) == 1:
                self.phase, self.dealer = "deal", tied[0]
        return True

    def may_cut(self, seat: int) -> bool:
        """Let only the dealer's left neighbour cut, and once (brou.deal.02)."""
        return self.dealer is not None and seat == (self.dealer + 3) % 4 and not self.cut

    def do_cut(self, seat: int, depth: object) -> bool:
        """Note how many cards go from the top under the rest."""
        if not self.may_cut(seat) or type(depth) is not int or not 1 <= depth <= 31:
            return False
        self.cut = depth
        return True

    def do_deal(self, seat: int, how: object) -> bool:
        """Give out the cards in one of the three packet patterns and no other (brou.deal.04, brou.amb.35)."""
        if seat != self.dealer or not isinstance(how, Mapping) or set(how) != {"deck", "packets"}:
            return False
        deck, packets = how["deck"], how["packets"]
        if not isinstance(packets, (list, tuple)) or list(packets) not in PACKETS:
            return False
        if not isinstance(deck, (list, tuple)) or len(deck) != 32 or any(card not in deck for card in PACK):
            return False
        self.deal = Deal(seat, [*deck[self.cut :], *deck[: self.cut]], packets, self.accounts)
        self.cut = 0
        self.phase = "play"
        return True

    def playable(self, deal: Deal, seat: int) -> list[str]:
        """Follow suit when able, else play anything (brou.play.01, brou.play.02, brou.play.03, brou.amb.44)."""
        hand = deal.hands[seat]
        if deal.trick:
            led = deal.trick[0][1]
            following = [card for card in hand if card[1] == led]
            if following:
                return following
        return list(hand)

    def do_play(self, deal: Deal, seat: int, card: object) -> bool:
        """Lay a card on the table, in turn (brou.play.05)."""
        if seat != deal.turn or card not in self.playable(deal, seat):
            return False
        deal.hands[seat].remove(str(card))
        deal.trick.append(str(card))
        if len(deal.trick) == 4:
            self.gather(deal)
        return True

    def gather(self, deal: Deal) -> None:
        """Give the full trick to its winner; it may end the deal (brou.trick.02, brou.pile.01, brou.pv.09)."""
        winner = deal.strongest()
        team = winner % 2
        cards = deal.trick
        deal.tricks.append((deal.leader, winner, cards))
        deal.trick = []
        deal.leader = winner
        deal.won[team] += 1
        if deal.keeper[team] is None:
            deal.keeper[team] = winner
        if deal.committed is not None and deal.committed != team:
            self.finish(deal, "partie-et-vole-failed", team, 3 + parties_for(self.bound_account(deal, team)))
            return
        deal.points[team] += sum(CARD_POINTS[card] for card in cards)
        self.take_marriages(deal, team, cards)
        deal.look_at_accounts()
        if len(deal.tricks) == 8:
            self.end_deal(deal, team)

    def take_marriages(self, deal: Deal, team: int, cards: list[str]) -> None:
        """Book each marriage in a trick, doubled, for and against (brou.tab.01, brou.tab.02, brou.amb.17)."""
        for suit in SUITS:
            if "K" + suit in cards and "Q" + suit in cards:
                kind = "grand" if "J" + suit in cards else "simple"
                amount = 2 * hand_value(kind, suit, deal.trump)
                deal.gains[team] += amount
                deal.losses[1 - team] += amount
                deal.markers.append((len(deal.tricks), suit, kind, team))

    def announceable(self, deal: Deal, seat: int) -> list[tuple[str, str]]:
        """List what this seat may announce from its own hand now (brou.ann.01 to 04, brou.amb.10 to 15)."""
        team = seat % 2
        window = self.reading["announce_window"]
        if window == "any-time":
            is_open = deal.won[team] > 0
        else:
            is_open = bool(deal.tricks) and deal.tricks[-1][1] % 2 == team
            if window == "after-own-trick" and deal.trick:
                is_open = False
        if not is_open:
            return []
        hand = deal.hands[seat]
        if self.reading["turnup_announceable"] == "next-trick" and seat == deal.dealer and len(deal.tricks) < 2:
            hand = [card for card in hand if card != deal.turnup]
        found = []
        for suit in SUITS:
            if "K" + suit not in hand or "Q" + suit not in hand:
                continue
            said = deal.announced.get((seat, suit))
            jack = "J" + suit in hand
            if said is None and not (jack and self.reading["announce_simple_with_jack"] == "forbidden"):
                found.append((suit, "simple"))
            if jack and (said is None or (said == "simple" and self.reading["extend_announced"] == "difference")):
                found.append((suit, "grand"))
        return found

    def do_announce(self, deal: Deal, seat: int, marriage: object) -> bool:
        """Book an announced marriage; a simple one made grand pays the rest (brou.ann.05, brou.amb.13)."""
        if not isinstance(marriage, Mapping) or set(marriage) != {"suit", "kind"}:
            return False
        suit, kind = marriage["suit"], marriage["kind"]
        if (suit, kind) not in self.announceable(deal, seat):
            return False
        amount = hand_value(kind, suit, deal.trump)
        said = deal.announced.get((seat, suit))
        if said is not None:
            amount -= hand_value(said, suit, deal.trump)
        deal.announced[seat, suit] = kind
        deal.gains[seat % 2] += amount
        deal.look_at_accounts()
        return True

    def may_claim(self, deal: Deal, seat: int) -> bool:
        """Let anybody claim inside an uncommitted deal (brou.claim.01, brou.claim.08, brou.amb.07, brou.amb.30)."""
        if deal.committed is not None:
            return False
        window = self.reading["claim_window"]
        if window == "between-tricks":
            return not deal.trick
        return window == "any-time" or seat == deal.turn

    def do_claim(self, deal: Deal, seat: int) -> bool:
        """Verify the claimants' own total, end the partie (brou.claim.02, brou.claim.03, brou.amb.06, brou.amb.46)."""
        if not self.may_claim(deal, seat):
            return False
        team = seat % 2
        if deal.running(team) >= TARGET:
            self.finish(deal, "claim-right", team, parties_for(self.loser_account_now(deal, 1 - team)))
        else:
            account = deal.before[team]
            if self.reading["wrong_claim_erasure"] == "gains-only":
                account -= deal.losses[team]
            self.finish(deal, "claim-wrong", 1 - team, parties_for(account))
        return True

    def may_declare(self, deal: Deal, seat: int) -> bool:
        """Let the side with every trick declare before the fifth (brou.pv.02, brou.pv.03, brou.pv.04, brou.pv.06)."""
        count = len(deal.tricks)
        team = deal.leader % 2
        if deal.committed is not None or deal.trick or count > 4 or deal.won[team] != count or seat % 2 != team:
            return False
        if count == 0 and self.reading["pv_before_first"] == "no":
            return False
        if seat != deal.leader and self.reading["pv_speaker"] == "leader":
            return False
        return self.reading["pv_below_threshold"] != "refused" or self.declaring_account(deal, team) >= DECLARING_LEVEL

    def declaring_account(self, deal: Deal, team: int) -> int:
        """Give the account that is compared with 190 (brou.pv.06, brou.amb.21)."""
        return deal.before[team] if self.reading["pv_threshold_base"] == "start-of-deal" else deal.sheet(team)

    def do_declare(self, deal: Deal, seat: int) -> bool:
        """Bind the team to vole and partie; below 190 it may have lost already (brou.pv.05, brou.amb.22)."""
        if not self.may_declare(deal, seat):
            return False
        team = seat % 2
        deal.committed, deal.commitment = team, "declared"
        if self.reading["pv_below_threshold"] == "lost" and self.declaring_account(deal, team) < DECLARING_LEVEL:
            self.finish(deal, "partie-et-vole-failed", 1 - team, 3 + parties_for(self.bound_account(deal, 1 - team)))
        return True

    def may_stop(self, deal: Deal, seat: int) -> bool:
        """Let the opponents of 301 points ask before the fifth trick (brou.stop.01, brou.stop.04, brou.amb.27)."""
        count = len(deal.tricks)
        last = 4 if self.reading["stop_window"] == "until-fifth-begun" else 3
        if deal.committed is not None or deal.trick or not 1 <= count <= last:
            return False
        rich = 1 - seat % 2
        if self.reading["stop_requires_all_tricks"] == "yes" and deal.won[rich] != count:
            return False
        return self.reading["stop_wrong"] != "illegal" or deal.running(rich) >= TARGET

    def do_stop(self, deal: Deal, seat: int) -> bool:
        """Ask for an end; without the 301 this concedes or changes nothing (brou.stop.01, brou.amb.28)."""
        if not self.may_stop(deal, seat):
            return False
        rich = 1 - seat % 2
        if deal.running(rich) >= TARGET:
            deal.asked = rich
            self.phase = "stop"
        elif self.reading["stop_wrong"] == "concession":
            self.finish(deal, "stop", rich, parties_for(self.loser_account_now(deal, 1 - rich)))
        return True

    def answers(self, deal: Deal, seat: int) -> list[bool]:
        """Let the asked team answer; without all the tricks it cannot refuse (brou.amb.27, brou.amb.29)."""
        if deal.asked is None or seat % 2 != deal.asked:
            return []
        return [True, False] if deal.won[deal.asked] == len(deal.tricks) else [True]

    def do_answer(self, deal: Deal, seat: int, answer: object) -> bool:
        """End the partie if accepted; if refused, bind the asked team (brou.stop.02, brou.stop.03)."""
        if not isinstance(answer, bool) or answer not in self.answers(deal, seat):
            return False
        team = seat % 2
        deal.asked = None
        if answer:
            self.finish(deal, "stop", team, parties_for(self.loser_account_now(deal, 1 - team)))
        else:
            deal.committed, deal.commitment = team, "forced"
            self.phase = "play"
        return True

    def end_deal(self, deal: Deal, team: int) -> None:
        """Settle a deal whose last trick this team took (brou.pv.05, brou.pv.07, brou.vole.02, brou.amb.19)."""
        if deal.committed is not None:
            worth = 3 + parties_for(self.bound_account(deal, 1 - team))
            if self.bound_account(deal, team) + deal.points[team] >= TARGET:
                self.finish(deal, "partie-et-vole-made", team, worth)
            else:
                self.finish(deal, "partie-et-vole-failed", 1 - team, worth)
            return
        if deal.won[team] == 8:
            self.finish(deal, "vole", team, 3)
            return
        winner = self.unclaimed_winner(deal)
        if winner is None:
            self.finish(deal, "deal", None, 0)
            return
        account = self.loser_account_now(deal, 1 - winner)
        moment = deal.passed[winner]
        if self.reading["loser_account_unclaimed"] == "frozen" and moment is not None:
            account = self.loser_account(moment[1], moment[2])
        self.finish(deal, "partie", winner, parties_for(account))

    def unclaimed_winner(self, deal: Deal) -> int | None:
        """Find the team that wins by its raw total without a word (brou.game.02, brou.amb.01, brou.amb.02)."""
        first, second = deal.passed
        if first is None or second is None:
            return 0 if first is not None else 1 if second is not None else None
        way = self.reading["both_over"]
        if way == "leader-side":
            return (deal.dealer + 1) % 2
        difference = 0
        if way == "first-to-reach":
            difference = second[0] - first[0]
        elif way == "higher-total":
            difference = deal.running(0) - deal.running(1)
        return None if difference == 0 else 0 if difference > 0 else 1

    def loser_account(self, sheet: int, points: int) -> int:
        """Compose a loser's account from sheet and raw trick points (brou.claim.04, brou.amb.03)."""
        way = self.reading["loser_account"]
        if way == "sheet":
            return sheet
        return sheet + (points if way == "raw" else in_tens(points))

    def loser_account_now(self, deal: Deal, team: int) -> int:
        """Give a loser's account as it stands at this moment (brou.claim.04, brou.stop.02)."""
        return self.loser_account(deal.sheet(team), deal.points[team])

    def bound_account(self, deal: Deal, team: int) -> int:
        """Give an account without trick points for a committed deal (brou.pv.12, brou.amb.23, brou.amb.31)."""
        return deal.before[team] if self.reading["pv_marriages"] == "void" else deal.sheet(team)

    def finish(self, deal: Deal, kind: str, winner: int | None, worth: int) -> None:
        """Fix the result of the deal; cards not played stay unplayed (brou.amb.41)."""
        deal.kind, deal.winner, deal.worth = kind, winner, worth
        self.phase = "result"

    def write_result(self, deal: Deal) -> bool:
        """Award parties, write accounts, pass the deal (brou.vole.04, brou.game.03, brou.amb.33, brou.amb.37)."""
        partie_ended = deal.kind not in ("deal", "vole")
        if deal.winner is not None:
            self.parties[deal.winner] += deal.worth
        if partie_ended:
            self.accounts = [0, 0]
        elif deal.kind == "deal":
            self.accounts = [deal.sheet(team) + in_tens(deal.points[team]) for team in (0, 1)]
        self.deal = None
        self.drawing = [0, 1, 2, 3]
        if partie_ended and self.reading["dealer_rotation"] == "redraw-each-partie":
            self.phase, self.dealer = "draw", None
        else:
            self.phase, self.dealer = "deal", (deal.dealer + 1) % 4
        ahead = self.parties[0] - self.parties[1]
        may_end = partie_ended or self.reading["match_end"] == "immediately"
        if may_end and max(self.parties) >= self.match_parties and ahead != 0:
            self.phase = "over"
            self.champion = 0 if ahead > 0 else 1
        return True


def by_seat(leader: int, cards: Sequence[str]) -> list[dict[str, object]]:
    """Pair the cards of a trick with the seats that played them, in order of play."""
    return [{"seat": (leader + place) % 4, "card": card} for place, card in enumerate(cards)]
