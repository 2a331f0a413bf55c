"""What the second witness for Brouc holds, worked out by hand from the census of rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from oracle_loader import load

ORACLE = load("brouc")
MODERN = "brouc@2022"
CLUB = "brouc@club-2026"
PACK = [rank + suit for suit in "SHDC" for rank in "AKQJT987"]
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}

FOUR_GRAND = (
    "AS AH AD AC TS TH TD 7C",
    "KS KH KD KC 7S 7H 7D TC",
    "QS QH QD QC 8S 8H 8D 8C",
    "JS JH JD JC 9S 9H 9D 9C",
)
FOUR_GRAND_PLAY = (
    "AS KS QS JS",
    "AH KH QH JH",
    "AD KD QD JD",
    "AC KC QC JC",
    "TS 7S 8S 9S",
    "TH 7H 8H 9H",
    "TD 7D 8D 9D",
    "7C TC 8C 9C",
)
FIFTEEN_LESS_SIXTY_PLAY = (
    "AS KS QS JS",
    "TS 7S 8S 9S",
    "AH KH 8H JH",
    "TH 7H QH 9H",
    "AD KD 8D JD",
    "TD 7D QD 9D",
    "AC KC 8C 9C",
    "7C TC QC JC",
)
ALL_POINTS = (
    "AS AH AD AC TS TH TD 7C",
    "KS KH KD KC 7S 7H 7D 8S",
    "QS QH QD QC 8H 8D 8C TC",
    "JS JH JD JC 9S 9H 9D 9C",
)
ALL_POINTS_PLAY = (
    "AS KS QS JS",
    "AH KH QH JH",
    "AD KD QD JD",
    "AC KC QC JC",
    "TS 7S TC 9S",
    "TH 7H 8H 9H",
    "TD 7D 8D 9D",
    "7C 8S 8C 9C",
)
SEVENTY_ONE = (
    "AH AD AC JH KC QC JC 7S",
    "7H 7D 7C 9H KH KS QS JS",
    "TH TD TC QH KD 9D 9C 8S",
    "8H 8D 8C QD JD AS TS 9S",
)
SEVENTY_ONE_PLAY = (
    "AH 7H TH 8H",
    "AD 7D TD 8D",
    "AC 7C TC 8C",
    "JH 9H QH QD",
    "9D JD JC KH",
    "AS 7S JS 8S",
    "TS QC QS 9C",
    "9S KC KS KD",
)
SEVENTY_PLAY = (*SEVENTY_ONE_PLAY[:3], "JH 9H QH JD", "9D QD JC KH", *SEVENTY_ONE_PLAY[5:])
SEVENTY_TWO = (
    "AH AD AC JH KC QC JC 7S",
    "7H 7D 7C 9H KH KS QS JS",
    "TH TD TC QH QD 9D 9C 8S",
    "8H 8D 8C KD JD AS TS 9S",
)
SEVENTY_TWO_PLAY = (*SEVENTY_ONE_PLAY[:3], "JH 9H QH KD", *SEVENTY_ONE_PLAY[4:7], "9S KC KS QD")
SIXTY_FIVE = (
    "AH AD AC 7S 9H 9D 9C 8C",
    "7H 7D 7C 9S KH QD KC JS",
    "TH TD TC AS QH JD QC TS",
    "8H 8D JC 8S KS QS JH KD",
)
SIXTY_FIVE_PLAY = ("AH 7H TH 8H", "AD 7D TD 8D", "AC 7C TC JC", "7S 9S AS")
LOST_HEARTS = (
    "KH TD TC JS TH KD QC 9C",
    "AH 7D 8C 8S JH QD KC TS",
    "QH AD AC AS 9H JD JC KS",
    "7H 8D 7C 7S 8H 9D QS 9S",
)
LOST_HEARTS_PLAY = ("AH QH 7H KH", "7D AD 8D TD", "AC 7C TC 8C", "AS 7S JS 8S")
FIVE_POINTS = (
    "JH KS QS AD 7D 9C 8C 7C",
    "7H AH AS 9S TD JD AC TC",
    "QH 9H TS JS KD 9D QC JC",
    "8H KH TH 8S 7S QD 8D KC",
)
CAPE = (
    "AS AH AD AC TS TH TD TC",
    "8S KH KD KC 7S 7H 7D 7C",
    "KS QS QH QD QC 8H 8D 8C",
    "JS JH JD JC 9S 9H 9D 9C",
)
CAPE_PLAY = (
    "AH 7H 8H 9H",
    "TH KH QH JH",
    "AD 7D 8D 9D",
    "TD KD QD JD",
    "AC 7C 8C 9C",
    "TC KC QC JC",
    "AS 7S QS 9S",
    "TS 8S KS JS",
)
SEVENTY_FIVE = (
    "AH AD AC AS QH QC QD JC",
    "7H 7D 7C 7S 9H TC JH KH",
    "TH TD KC KS 9D JD 9S KD",
    "8H 8D 8C 8S 9C JS TS QS",
)
SEVENTY_FIVE_PLAY = (
    "AH 7H TH 8H",
    "AD 7D TD 8D",
    "AC 7C KC 8C",
    "AS 7S KS 8S",
    "QH 9H 9D 9C",
    "QC TC JD JS",
    "TS QD JH 9S",
    "QS JC KH KD",
)
FIFTY_TWO = (
    "AH AD KH KC QC JC 9D 7S",
    "7H 7D 9H AC TC 7C QH 9C",
    "TH TD JH QD JD 8S 9S 8C",
    "8H 8D KD AS TS KS QS JS",
)
FIFTY_TWO_PLAY = (
    "AH 7H TH 8H",
    "AD 7D TD 8D",
    "KH 9H JH KD",
    "QC AC 8C JS",
    "AS 7S QH 8S",
    "TS JC 7C 9S",
    "KS 9D 9C JD",
    "QS KC TC QD",
)
TWO_IN_ONE_TRICK = (
    "KH AH TH JH AS TS KS AD",
    "QH 9H 8H 7H QS JS TD KD",
    "KC AC TC 9S 8S QD JD 9D",
    "QC JC 9C 8C 7C 7S 8D 7D",
)
QUEEN_GONE = (
    "AS QS JS 7H 7D 7C 8H 8D",
    "7S AH KH QH JH TH 9H AD",
    "8S KD QD JD TD 9D AC KC",
    "TS KS 9S QC JC TC 9C 8C",
)
RUFFED_BY_ACE = (
    "8S JH TH 7H AD 8D 7D TC",
    "AS KS JS KH QH 9H 8H JC",
    "QS TS 9S AH QD 9D AC 7C",
    "7S KD JD TD KC QC 9C 8C",
)
RUFFED_BY_ACE_PLAY = (
    "TC JC AC KC",
    "9S 7S 8S JS",
    "KS QS 9C 8D",
    "8H AH KD JH",
    "QD TD AD 9H",
    "TH QH 9D JD",
    "7D AS",
)
ONLY_LOW_TRUMPS = (
    "KS KH 8H AD QD TD 8D 7D",
    "AS 8S TH 7H KD KC TC 7C",
    "QS TS 9S AH JH 9D QC 8C",
    "JS 7S QH 9H JD AC JC 9C",
)
ONLY_LOW_TRUMPS_PLAY = (
    "8H TH JH 9H",
    "TC 8C AC 8D",
    "JD AD KD 9D",
    "KH 7H AH QH",
    "QC JC QD KC",
    "8S QS 7S KS",
    "7D AS",
)
RUFFED_BY_KING = (
    "AH TH KD TD 9D 7D AC QC",
    "KS 8S 7S 8H AD QD JD 8D",
    "AS QS JS 9H TC 9C 8C 7C",
    "TS 9S KH QH JH 7H KC JC",
)
RUFFED_BY_KING_PLAY = ("KD QD 8C JH", "9D JD TC 7H", "AD JS TS TD", "QH TH 8H 9H", "AC 8D 9C JC", "7D KS")

CLUBS_SIMPLE = {"suit": "C", "kind": "simple"}
CLUBS_GRAND = {"suit": "C", "kind": "grand"}
SPADES_SIMPLE = {"suit": "S", "kind": "simple"}
SPADES_GRAND = {"suit": "S", "kind": "grand"}


def turned(hands: Sequence[str]) -> list[str]:
    """The same hands, each held one seat further to the right."""
    return [hands[-1], *hands[:-1]]


def deck_of(hands: Sequence[str], dealer: int) -> list[str]:
    """The deck that brings these hands in packets of 1, 3 and 4, with spades turned up."""
    held = [hand.split() for hand in hands]
    turnup = [card for card in held[dealer] if card[1] == "S"][-1]
    held[dealer].remove(turnup)
    held[dealer].append(turnup)
    deck = []
    for first, last in ((0, 1), (1, 4), (4, 8)):
        for step in range(1, 5):
            deck += held[(dealer + step) % 4][first:last]
    return deck


def open_match(readings: dict[str, str | int] | None = None, *, edition: str = MODERN, **setting: Any) -> Any:
    """A match in front of a deal of seat 3, unless another dealer is named."""
    return ORACLE.Match(edition, readings or {}, **{"dealer": 3, **setting})


def give(match: Any, hands: Sequence[str]) -> None:
    """Deals the hands."""
    dealer = match.view(0)["dealer"]
    assert match.act(dealer, {"deal": {"deck": deck_of(hands, dealer), "packets": [1, 3, 4]}})


def play(match: Any, *tricks: str) -> None:
    """Plays the cards one after the other, each by the seat whose turn it is."""
    for trick in tricks:
        for card in trick.split():
            assert match.act(match.view(0)["turn"], {"play": card}), card


def dealt(hands: Sequence[str], readings: dict[str, str | int] | None = None, **setting: Any) -> Any:
    """A match with these hands dealt."""
    match = open_match(readings, **setting)
    give(match, hands)
    return match


def first_trick(table: str, holding: str, **readings: str | int) -> set[str]:
    """The cards open to the next player of the first trick, who holds these trumps and plain cards."""
    played = table.split()
    asked = len(played)
    spread: list[list[str]] = [[card] for card in played] + [[] for _ in range(4 - asked)]
    spread[asked] = holding.split()
    rest = [card for card in PACK if card not in played and card not in spread[asked]]
    turnup = [card for card in rest if card[1] == "S"][-1]
    rest.remove(turnup)
    spread[3].append(turnup)
    plain = 8 - len(spread[asked])
    spread[asked] += rest[-plain:]
    del rest[-plain:]
    for hand in spread:
        while len(hand) < 8:
            hand.append(rest.pop())
    match = dealt([" ".join(hand) for hand in spread], readings)
    play(match, table)
    return open_cards(match)


def open_cards(match: Any) -> set[str]:
    """The cards the seat on turn may play."""
    return set(match.legal(match.view(0)["turn"])["play"])


def offered(match: Any, seat: int, name: str) -> list[Any]:
    """The values of one act that the seat may choose."""
    return list(match.legal(seat).get(name, []))


def settled(match: Any, seat: int, act: dict[str, object]) -> tuple[Any, Any, Any]:
    """Result, winner and worth once the seat has done the act."""
    assert match.act(seat, act)
    score = match.score()
    return score["result"], score["winner"], score["worth"]


CLAIM: dict[str, object] = {"claim": True}
NEXT: dict[str, object] = {"next": True}


def test_readings_put_the_default_first() -> None:
    """The club edition differs from the page of 2022 in seven defaults that both know."""
    modern, club = ORACLE.READINGS[MODERN], ORACLE.READINGS[CLUB]
    assert {key: club[key][0] for key in modern if club[key][0] != modern[key][0]} == {
        "claim_counts_open_trick": "yes",
        "exception_scope": "any-trump-play",
        "cape_carry": "void",
        "marking": "explicit-any",
        "cape_announce_moment": "own-turn",
        "cape_announce_invalid": "lost",
    }
    assert (club["rounding_counterpart"][0], club["announced_debit"][0]) == ("complement", "no")


def test_club_readings_are_unknown_to_the_page_of_2022() -> None:
    """The debit of announced marriages belongs to the club edition alone."""
    with pytest.raises(ValueError, match="announced_debit"):
        open_match({"announced_debit": "yes"})


@pytest.mark.parametrize(
    "readings",
    [
        {"claim_counts_open_trick": "yes", "claim_window": "between-tricks"},
        {"cape_carry": "void", "cape_carry_on_second_cape": "lost"},
        {"cape_carry": "void", "carry_in_thresholds": "yes"},
        {"rounding_counterpart": "complement", "rounding_order": "sum-half-away", "claim_counts_open_trick": "no"},
    ],
)
def test_contradictory_readings_are_refused(readings: dict[str, str | int]) -> None:
    """Readings that leave each other without meaning cannot be chosen together."""
    with pytest.raises(ValueError, match=r".+"):
        open_match(readings, edition=CLUB)


def test_lot_names_the_first_dealer() -> None:
    """Any seat may state the outcome of the lot (brouc.dealer.01)."""
    match = ORACLE.Match(MODERN, {})
    assert match.act(2, {"lot": 1})
    assert match.view(0)["dealer"] == 1


def test_packets_of_one_three_four() -> None:
    """The first hand gets the cards 1, 5-7 and 17-20 of the deck, the dealer its last card (brouc.deal.02)."""
    match = open_match()
    assert match.act(3, {"deal": {"deck": PACK, "packets": [1, 3, 4]}})
    view = match.view(0)
    assert view["hand"] == ["AS", "TS", "9S", "8S", "AD", "KD", "QD", "JD"]
    assert view["turnup"] == {"card": "7C", "exposed": False}


def test_cut_moves_the_top_under_the_rest() -> None:
    """The dealer's left neighbour cuts, so the last card of a cut of one is the former first (brouc.deal.01)."""
    match = open_match()
    assert not match.act(0, {"cut": 1})
    assert match.act(2, {"cut": 1})
    assert not match.act(2, {"cut": 1})
    assert match.act(3, {"deal": {"deck": PACK, "packets": [1, 3, 4]}})
    assert match.view(0)["turnup"]["card"] == "AS"


@pytest.mark.parametrize("packets", [[3, 3, 2], [4, 3, 1], [True, 3, 4]])
def test_other_packets_are_refused(packets: list[int]) -> None:
    """Nothing but 1, 3, 4 is dealt (brouc.deal.02)."""
    assert not open_match().act(3, {"deal": {"deck": PACK, "packets": packets}})


def test_refused_act_changes_nothing() -> None:
    """A revoke is refused and the table stays as it was (brouc.amb.43)."""
    match = dealt(SEVENTY_ONE)
    play(match, "AH")
    before = [match.view(seat) for seat in range(4)]
    assert not match.act(1, {"play": "7D"})
    assert [match.view(seat) for seat in range(4)] == before


def test_announcement_names_suit_and_kind() -> None:
    """After its party's first trick the holder may say twenty or thirty in clubs (brouc.ex.01)."""
    match = dealt(SEVENTY_ONE)
    play(match, SEVENTY_ONE_PLAY[0])
    assert offered(match, 0, "announce") == [CLUBS_SIMPLE, CLUBS_GRAND]


def test_forty_is_a_simple_marriage_in_trump() -> None:
    """A trump marriage in hand brings the announcing party forty and takes nothing from the others (brouc.ex.01)."""
    match = dealt(FIVE_POINTS)
    play(match, "JH 7H QH 8H")
    assert match.act(0, {"announce": SPADES_SIMPLE})
    assert match.score()["accounts"] == [45, 0]


def test_75_and_45_are_written_80_and_50() -> None:
    """Two final fives make 130 (brouc.ex.02)."""
    match = dealt(SEVENTY_FIVE)
    play(match, *SEVENTY_FIVE_PLAY)
    assert match.score()["points"] == [75, 45]
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == [80, 50]


def test_claim_with_23_written_and_71_is_right() -> None:
    """230 and 71 are 301 (brouc.ex.03)."""
    match = dealt(SEVENTY_ONE, accounts=(230, 0))
    play(match, *SEVENTY_ONE_PLAY[:4])
    assert settled(match, 2, CLAIM) == ("claim-right", 0, 2)


def test_claim_with_23_written_and_70_is_wrong() -> None:
    """230 and 70 are one short (brouc.ex.03)."""
    match = dealt(SEVENTY_ONE, accounts=(230, 0))
    play(match, *SEVENTY_PLAY[:4])
    assert settled(match, 2, CLAIM) == ("claim-wrong", 1, 2)


def test_71_unclaimed_with_23_writes_30() -> None:
    """Nobody wins without saying so, and rounding loses the point above 300 (brouc.ex.03, brouc.claim.01)."""
    match = dealt(SEVENTY_ONE, accounts=(230, 0))
    play(match, *SEVENTY_ONE_PLAY)
    assert settled(match, 1, NEXT)[0] is None
    assert match.view(0)["accounts"] == [300, 50]


@pytest.mark.parametrize(
    ("hands", "dealer", "trick", "marker"),
    [
        (LOST_HEARTS, 0, LOST_HEARTS_PLAY[0], {"trick": 1, "suit": "H", "kind": "simple", "team": 1}),
        (FOUR_GRAND, 3, FOUR_GRAND_PLAY[0], {"trick": 1, "suit": "S", "kind": "grand", "team": 0}),
    ],
)
def test_marker_tells_simple_from_grand(
    hands: Sequence[str], dealer: int, trick: str, marker: dict[str, object]
) -> None:
    """A simple marriage is remembered by its Queen, an extended one by its Jack (brouc.ex.04)."""
    match = dealt(hands, dealer=dealer)
    play(match, trick)
    assert match.view(1)["markers"] == [marker]


@pytest.mark.parametrize(("slate", "choices"), [(190, ["cape-dehors", "pas-dedouble"]), (180, [])])
def test_cape_call_needs_19(slate: int, choices: list[str]) -> None:
    """180 and 120 are not more than 300 (brouc.ex.05)."""
    assert offered(dealt(CAPE, accounts=(slate, 140)), 0, "declare") == choices


@pytest.mark.parametrize(("call", "ticks"), [("cape-dehors", 3), ("pas-dedouble", 4)])
def test_called_cape_made(call: str, ticks: int) -> None:
    """All tricks made cost the others three or four ticks and end the partie (brouc.ex.06)."""
    match = dealt(CAPE, accounts=(190, 140), dealer=3)
    assert match.act(2, {"declare": call})
    play(match, *CAPE_PLAY)
    score = match.score()
    assert (score["result"], score["winner"], score["worth"]) == (call + "-made", 0, ticks)
    assert match.act(1, NEXT)
    assert match.view(0)["accounts"] == [0, 0]
    assert match.view(0)["coches"] == [0, ticks]


@pytest.mark.parametrize(("call", "ticks"), [("cape-dehors", 3), ("pas-dedouble", 4)])
def test_called_cape_lost(call: str, ticks: int) -> None:
    """One trick lost costs the callers the same ticks (brouc.ex.06)."""
    match = dealt(FOUR_GRAND, accounts=(190, 140))
    assert match.act(0, {"declare": call})
    play(match, *FOUR_GRAND_PLAY)
    score = match.score()
    assert (score["result"], score["winner"], score["worth"]) == (call + "-failed", 1, ticks)
    assert match.act(0, NEXT)
    assert match.view(0)["coches"] == [ticks, 0]
    assert match.view(0)["accounts"] == [0, 0]


def test_uncalled_cape_costs_two_ticks_only() -> None:
    """Without a call the 120 points do not help and the slate stays (brouc.ex.07)."""
    match = dealt(CAPE, accounts=(190, 50))
    play(match, *CAPE_PLAY)
    score = match.score()
    assert (score["result"], score["winner"], score["worth"]) == ("cape", 0, 2)
    assert match.act(3, NEXT)
    assert match.view(0)["coches"] == [0, 2]
    assert match.view(0)["accounts"] == [190, 50]


@pytest.mark.parametrize(("slate", "ticks"), [(150, 1), (140, 2), (-50, 2)])
def test_loser_below_15_marks_two_ticks(slate: int, ticks: int) -> None:
    """15 written costs one tick, 14 two, and minus points still two (brouc.ex.08, brouc.amb.44)."""
    assert settled(open_match(accounts=(310, slate)), 0, CLAIM) == ("claim-right", 0, ticks)


@pytest.mark.parametrize(("slate", "ticks"), [(150, 1), (140, 2)])
def test_wrong_claim_is_paid_by_the_others_slate(slate: int, ticks: int) -> None:
    """The claimants mark what the others would have marked (brouc.ex.09)."""
    match = open_match(accounts=(0, slate))
    assert settled(match, 0, CLAIM) == ("claim-wrong", 1, ticks)
    assert match.act(0, NEXT)
    assert match.view(0)["coches"] == [ticks, 0]
    assert match.view(0)["accounts"] == [0, 0]


@pytest.mark.parametrize(("claimants", "others", "ticks"), [(230, 120, 2), (120, 230, 1)])
def test_wrong_claim_ignores_the_claimants_slate(claimants: int, others: int, ticks: int) -> None:
    """Only the other party's figure counts for a wrong claim (brouc.amb.06)."""
    assert settled(open_match(accounts=(claimants, others)), 0, CLAIM) == ("claim-wrong", 1, ticks)


def test_match_goes_to_five_ticks() -> None:
    """The fifth tick loses the match (brouc.ex.10)."""
    match = open_match(accounts=(310, 150), parties=(0, 4))
    assert match.act(0, CLAIM)
    assert match.act(0, NEXT)
    assert match.over
    assert match.score()["over"] == 0
    assert [match.legal(seat) for seat in range(4)] == [{}, {}, {}, {}]


def test_four_ticks_do_not_end_the_match() -> None:
    """One tick short of five the match goes on (brouc.ex.10)."""
    match = open_match(accounts=(310, 150), parties=(0, 3))
    assert match.act(0, CLAIM)
    assert match.act(0, NEXT)
    assert not match.over
    assert match.view(0)["phase"] == "deal"


def test_more_ticks_than_needed_lose_the_match() -> None:
    """Four ticks and three make seven, which loses like five (brouc.amb.37)."""
    match = dealt(CAPE, accounts=(190, 150), parties=(0, 4))
    assert match.act(0, {"declare": "cape-dehors"})
    play(match, *CAPE_PLAY)
    assert match.act(0, NEXT)
    assert match.score()["over"] == 0
    assert match.view(0)["coches"] == [0, 7]


def test_agreed_number_of_ticks() -> None:
    """A match to six goes on with five ticks (brouc.amb.37)."""
    match = open_match({"match_ticks": 6}, accounts=(310, 150), parties=(0, 4))
    assert match.act(0, CLAIM)
    assert match.act(0, NEXT)
    assert not match.over


@pytest.mark.parametrize("edition", [MODERN, CLUB])
def test_52_with_an_announced_20(edition: str) -> None:
    """Both parties write 7, as the announced twenty is not taken from the others (brouc.ex.11)."""
    match = dealt(FIFTY_TWO, edition=edition)
    play(match, FIFTY_TWO_PLAY[0])
    assert match.act(0, {"announce": CLUBS_SIMPLE})
    play(match, *FIFTY_TWO_PLAY[1:])
    assert match.score()["points"] == [52, 68]
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == [70, 70]


@pytest.mark.parametrize(
    ("tricks", "accounts"),
    [(1, [80, -60]), (2, [130, -90]), (3, [180, -120]), (4, [230, -150]), (7, [260, -150]), (8, [260, -140])],
)
def test_four_grand_marriages_on_the_table(tricks: int, accounts: list[int]) -> None:
    """Each table marriage is added once and subtracted once (annex 2, V1)."""
    match = dealt(FOUR_GRAND)
    play(match, *FOUR_GRAND_PLAY[:tricks])
    assert match.score()["accounts"] == accounts


def test_four_grand_marriages_do_not_win_from_zero() -> None:
    """260 points claimed are wrong (annex 2, V1)."""
    match = dealt(FOUR_GRAND)
    play(match, *FOUR_GRAND_PLAY)
    assert settled(match, 0, CLAIM) == ("claim-wrong", 1, 2)


def test_all_points_without_the_cape() -> None:
    """120 card points and four table marriages make 270 against -150, and no cape (annex 2, V2)."""
    match = dealt(ALL_POINTS)
    play(match, *ALL_POINTS_PLAY)
    score = match.score()
    assert (score["accounts"], score["result"], score["worth"]) == ([270, -150], "deal", 0)


def test_two_marriages_in_one_trick() -> None:
    """Both marriages of one trick count twenty each (annex 2, V3)."""
    match = dealt(TWO_IN_ONE_TRICK)
    play(match, "KH QH KC QC")
    assert match.score()["accounts"] == [54, -40]


def test_one_mark_covers_two_marriages() -> None:
    """A marked trick scores every marriage it holds (annex 2, V3)."""
    match = dealt(TWO_IN_ONE_TRICK, {"marking": "explicit-any"})
    play(match, "KH QH KC QC")
    assert offered(match, 2, "mark") == [1]
    assert match.act(2, {"mark": 1})
    assert match.score()["accounts"] == [54, -40]
    assert len(match.view(0)["markers"]) == 2


@pytest.mark.parametrize(
    ("table", "holding", "expected"),
    [
        ("KS", "AS QS", "AS QS"),
        ("KS", "AS JS", "AS"),
        ("KS", "TS QS", "TS QS"),
        ("TS", "AS KS", "AS"),
        ("QS TS", "AS KS", "AS KS"),
        ("KS QS", "AS JS", "AS JS"),
        ("9S", "AS 7S", "AS"),
        ("TS", "9S 8S", "9S 8S"),
    ],
)
def test_trump_lead(table: str, holding: str, expected: str) -> None:
    """A trump lead is beaten, unless a marriage is completed or nothing beats (annex 2, V4, brouc.over.02)."""
    assert first_trick(table, holding) == set(expected.split())


def test_undertrumping_with_a_discard_is_closed() -> None:
    """Ruffed with the Ace, a ten of trump stays in hand (annex 2, V4, brouc.amb.15)."""
    match = dealt(RUFFED_BY_ACE)
    play(match, *RUFFED_BY_ACE_PLAY)
    assert open_cards(match) == {"7C"}


def test_only_low_trumps_are_all_open() -> None:
    """With nothing but trumps that do not beat, any of them is played (annex 2, V4, brouc.over.03)."""
    match = dealt(ONLY_LOW_TRUMPS)
    play(match, *ONLY_LOW_TRUMPS_PLAY)
    assert open_cards(match) == {"TS", "9S"}


@pytest.mark.parametrize(("scope", "expected"), [("forced-only", "AS 7C"), ("any-trump-play", "AS QS 7C")])
def test_scope_of_the_marriage_exception(scope: str, expected: str) -> None:
    """A free ruff may undertrump for a marriage only under the wide scope (annex 2, V4, brouc.amb.14)."""
    match = dealt(RUFFED_BY_KING, {"exception_scope": scope})
    play(match, *RUFFED_BY_KING_PLAY)
    assert open_cards(match) == set(expected.split())


def test_nobody_void_has_to_ruff() -> None:
    """Void in the suit led and nothing ruffed, every card is open (brouc.amb.16)."""
    match = dealt(SEVENTY_ONE)
    play(match, *SEVENTY_ONE_PLAY[:3], "JH 9H QH")
    assert open_cards(match) == {"AS", "TS", "9S", "QD", "JD"}


def test_partners_trump_has_to_be_beaten() -> None:
    """The partner's winning King does not free the Ace's holder (brouc.amb.18)."""
    assert first_trick("KS 8S", "AS 7S") == {"AS"}


def test_exception_frees_the_forming_card_alone() -> None:
    """On a King led the Queen and the beating Ace are open, a low trump is not (brouc.amb.46)."""
    assert first_trick("KS", "AS QS 7S") == {"AS", "QS"}


@pytest.mark.parametrize(
    ("table", "holding", "complete", "any_two", "potential"),
    [
        ("KS", "AS JS", "AS", "AS JS", "AS JS"),
        ("TS", "AS KS", "AS", "AS", "AS KS"),
        ("TS", "AS KS QS", "AS", "AS", "AS"),
        ("TS", "AS JS", "AS", "AS", "AS JS"),
        ("TS 7S", "AS JS", "AS", "AS", "AS"),
        ("TS JS", "AS KS", "AS", "AS KS", "AS KS"),
    ],
)
def test_what_forms_a_marriage(table: str, holding: str, complete: str, any_two: str, potential: str) -> None:
    """The three readings free different cards beside the beating one (brouc.amb.11)."""
    expected = {"complete-in-trick": complete, "any-two": any_two, "potential": potential}
    got = {reading: first_trick(table, holding, marriage_exception=reading) for reading in expected}
    assert got == {reading: set(cards.split()) for reading, cards in expected.items()}


@pytest.mark.parametrize(("reading", "expected"), [("any-two", "AS JS"), ("potential", "AS")])
def test_queen_gone_closes_the_potential_marriage(reading: str, expected: str) -> None:
    """A Queen in a completed trick can no longer come (brouc.amb.11)."""
    match = dealt(QUEEN_GONE, {"marriage_exception": reading})
    play(match, "QS 7S 8S TS", "KS")
    assert open_cards(match) == set(expected.split())


def test_230_and_72_unclaimed_write_30() -> None:
    """The deal that wins by itself in 1802 only writes 300 here (annex 2, V5)."""
    match = dealt(SEVENTY_TWO, accounts=(230, 0))
    play(match, *SEVENTY_TWO_PLAY)
    assert match.score()["accounts"] == [302, 48]
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == [300, 50]


@pytest.mark.parametrize(("window", "expected"), [("any-time", [True]), ("between-tricks", [])])
def test_claim_inside_a_trick(window: str, expected: list[bool]) -> None:
    """With cards on the table only the wide window lets a party claim (brouc.amb.01)."""
    match = dealt(SEVENTY_ONE, {"claim_window": window}, accounts=(310, 0))
    play(match, "AH")
    assert offered(match, 0, "claim") == expected


def test_claim_between_tricks_is_open_in_both_windows() -> None:
    """An empty table leaves the narrow window open (brouc.amb.01)."""
    match = dealt(SEVENTY_ONE, {"claim_window": "between-tricks"}, accounts=(310, 0))
    play(match, "AH 7H TH 8H")
    assert offered(match, 3, "claim") == [True]


@pytest.mark.parametrize(("reading", "expected"), [("no", "claim-wrong"), ("yes", "claim-right")])
def test_open_trick_in_a_claim(reading: str, expected: str) -> None:
    """230, 65 in tricks and an Ace winning on the table are 295 or 306 (brouc.amb.01)."""
    match = dealt(SIXTY_FIVE, {"claim_counts_open_trick": reading}, accounts=(230, 0))
    play(match, *SIXTY_FIVE_PLAY)
    assert settled(match, 0, CLAIM)[0] == expected


def test_open_trick_of_the_others_does_not_count() -> None:
    """The cards on the table help only the party whose card is winning (brouc.amb.01)."""
    match = dealt(SIXTY_FIVE, {"claim_counts_open_trick": "yes"}, accounts=(0, 300))
    play(match, *SIXTY_FIVE_PLAY)
    assert settled(match, 1, CLAIM)[0] == "claim-wrong"


@pytest.mark.parametrize(("reading", "expected"), [("yes", [True]), ("no", []), ("after-first-trick", [])])
def test_claim_before_the_next_deal(reading: str, expected: list[bool]) -> None:
    """31 written may be claimed before the cards are dealt under one reading only (brouc.amb.02)."""
    assert offered(open_match({"claim_between_deals": reading}, accounts=(310, 0)), 2, "claim") == expected


@pytest.mark.parametrize(("reading", "expected"), [("no", [True]), ("after-first-trick", [])])
def test_claim_before_the_first_trick(reading: str, expected: list[bool]) -> None:
    """With the cards dealt a party without a trick waits under one reading only (brouc.amb.02)."""
    match = dealt(SEVENTY_ONE, {"claim_between_deals": reading}, accounts=(310, 0))
    assert offered(match, 0, "claim") == expected


def test_claim_after_the_own_first_trick() -> None:
    """The trick made opens the claim to its party and not to the others (brouc.amb.02)."""
    match = dealt(SEVENTY_ONE, {"claim_between_deals": "after-first-trick"}, accounts=(310, 310))
    play(match, SEVENTY_ONE_PLAY[0])
    assert [offered(match, seat, "claim") for seat in range(4)] == [[True], [], [True], []]


@pytest.mark.parametrize(("reading", "expected"), [("until-written", [True]), ("no", [])])
def test_claim_between_counting_and_writing(reading: str, expected: list[bool]) -> None:
    """302 counted and not yet written may be claimed under one reading only (brouc.amb.03)."""
    match = dealt(SEVENTY_TWO, {"claim_after_count": reading}, accounts=(230, 0))
    play(match, *SEVENTY_TWO_PLAY)
    assert offered(match, 0, "claim") == expected


def test_first_to_speak_wins() -> None:
    """With both parties above 300 the first claim decides (brouc.amb.04)."""
    match = open_match(accounts=(320, 310))
    assert settled(match, 1, CLAIM) == ("claim-right", 1, 1)
    assert not match.act(0, CLAIM)


@pytest.mark.parametrize(("reading", "ticks"), [("slate", 2), ("slate-plus-raw", 2), ("slate-plus-rounded", 1)])
def test_loser_at_148(reading: str, ticks: int) -> None:
    """14 written and 8 in tricks are 14, 148 or 150 (brouc.amb.05)."""
    match = dealt(SEVENTY_ONE, {"loser_figure": reading}, accounts=(310, 140))
    play(match, *SEVENTY_ONE_PLAY[:5])
    assert settled(match, 0, CLAIM) == ("claim-right", 0, ticks)


@pytest.mark.parametrize(("reading", "ticks"), [("slate", 2), ("slate-plus-raw", 1), ("slate-plus-rounded", 1)])
def test_loser_at_177(reading: str, ticks: int) -> None:
    """14 written and 37 in tricks reach 15 in both readings that look at the deal (brouc.amb.05)."""
    match = dealt(SEVENTY_ONE, {"loser_figure": reading}, accounts=(310, 140))
    play(match, *SEVENTY_ONE_PLAY[:7])
    assert settled(match, 0, CLAIM) == ("claim-right", 0, ticks)


@pytest.mark.parametrize(("reading", "expected"), [("yes", "claim-wrong"), ("no", "claim-right")])
def test_lost_table_marriage_in_a_claim(reading: str, expected: str) -> None:
    """250, 55 in tricks and 20 lost on the table are 285 or 305 (brouc.amb.07)."""
    match = dealt(LOST_HEARTS, {"claim_net_of_table_losses": reading}, accounts=(250, 0), dealer=0)
    play(match, *LOST_HEARTS_PLAY)
    assert settled(match, 0, CLAIM)[0] == expected


def test_announced_marriage_in_a_claim() -> None:
    """260, announced 40 and 5 points win although nothing is credited yet (brouc.amb.08)."""
    match = dealt(FIVE_POINTS, accounts=(260, 0))
    play(match, "JH 7H QH 8H")
    assert match.act(0, {"announce": SPADES_SIMPLE})
    assert settled(match, 2, CLAIM)[0] == "claim-right"


def test_implicit_marking_has_no_act() -> None:
    """Table marriages count of themselves by default (brouc.amb.09)."""
    match = dealt(FOUR_GRAND)
    play(match, FOUR_GRAND_PLAY[0])
    assert "mark" not in match.legal(0)
    assert match.score()["accounts"] == [80, -60]


@pytest.mark.parametrize(("marking", "late"), [("explicit-before-lead", []), ("explicit-any", [1])])
def test_mark_after_the_next_lead(marking: str, late: list[int]) -> None:
    """The next lead closes the narrow marking window (brouc.amb.09)."""
    match = dealt(FOUR_GRAND, {"marking": marking})
    play(match, FOUR_GRAND_PLAY[0])
    assert offered(match, 2, "mark") == [1]
    assert offered(match, 1, "mark") == []
    play(match, "AH")
    assert offered(match, 0, "mark") == late


@pytest.mark.parametrize(("marking", "late"), [("explicit-before-lead", []), ("explicit-any", [1, 2, 3, 4])])
def test_mark_before_the_count_is_written(marking: str, late: list[int]) -> None:
    """After the eighth trick the wide window still lets older tricks be marked (brouc.amb.09)."""
    match = dealt(FOUR_GRAND, {"marking": marking})
    play(match, *FOUR_GRAND_PLAY)
    assert offered(match, 0, "mark") == late


def test_unmarked_marriage_scores_for_nobody() -> None:
    """Without a mark there is neither plus nor minus (brouc.mark.02)."""
    match = dealt(FOUR_GRAND, {"marking": "explicit-any"})
    play(match, *FOUR_GRAND_PLAY)
    assert match.score()["accounts"] == [110, 10]
    assert match.view(0)["markers"] == []
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == [110, 10]


def test_mark_scores_for_both() -> None:
    """A marked trump marriage brings 60 and takes 60 (brouc.mark.01)."""
    match = dealt(FOUR_GRAND, {"marking": "explicit-before-lead"})
    play(match, FOUR_GRAND_PLAY[0])
    assert match.act(0, {"mark": 1})
    assert match.score()["accounts"] == [80, -60]


def test_marker_taken_back_cancels() -> None:
    """The party that marked a trick may undo it long after (brouc.amb.10)."""
    match = dealt(FOUR_GRAND, {"marking": "explicit-before-lead"})
    play(match, FOUR_GRAND_PLAY[0])
    assert match.act(0, {"mark": 1})
    play(match, FOUR_GRAND_PLAY[1])
    assert not match.act(1, {"unmark": 1})
    assert match.act(2, {"unmark": 1})
    assert match.score()["accounts"] == [40, 0]
    assert offered(match, 0, "mark") == [2]


@pytest.mark.parametrize(
    ("window", "third_hand", "winner"),
    [("any-time", True, True), ("own-turn", False, False), ("after-own-trick", False, True)],
)
def test_announcing_before_the_lead_of_the_sixth_trick(window: str, third_hand: bool, winner: bool) -> None:
    """Off turn and after the others' trick the windows differ (brouc.amb.19)."""
    match = dealt(SEVENTY_ONE, {"announce_window": window})
    play(match, *SEVENTY_ONE_PLAY[:5])
    assert (bool(offered(match, 0, "announce")), bool(offered(match, 1, "announce"))) == (third_hand, winner)


@pytest.mark.parametrize(
    ("window", "on_turn", "off_turn"),
    [("any-time", True, True), ("own-turn", True, False), ("after-own-trick", False, False)],
)
def test_announcing_inside_the_sixth_trick(window: str, on_turn: bool, off_turn: bool) -> None:
    """Inside a trick of the others the seat on turn and a later one differ by window (brouc.amb.19)."""
    match = dealt(SEVENTY_ONE, {"announce_window": window})
    play(match, *SEVENTY_ONE_PLAY[:5], "AS")
    assert (bool(offered(match, 0, "announce")), bool(offered(match, 1, "announce"))) == (on_turn, off_turn)


def test_no_announcement_inside_the_first_own_trick() -> None:
    """The party's first trick has to be complete (brouc.amb.20)."""
    match = dealt(SEVENTY_ONE)
    play(match, *SEVENTY_ONE_PLAY[:4], "9D JD JC")
    assert offered(match, 1, "announce") == []
    play(match, "KH")
    assert offered(match, 1, "announce") == [SPADES_SIMPLE, SPADES_GRAND]


def test_announcement_needs_the_cards_in_hand() -> None:
    """With the Jack played only the simple marriage is left (brouc.ann.03)."""
    match = dealt(SEVENTY_ONE)
    play(match, *SEVENTY_ONE_PLAY[:4], "9D JD JC KH")
    assert offered(match, 0, "announce") == [CLUBS_SIMPLE]


@pytest.mark.parametrize(("reading", "choices"), [("once-per-suit", []), ("difference", [CLUBS_GRAND])])
def test_extension_of_an_announced_marriage(reading: str, choices: list[dict[str, str]]) -> None:
    """After twenty in clubs thirty may follow under one reading only (brouc.amb.21)."""
    match = dealt(SEVENTY_ONE, {"extend_announced": reading})
    play(match, SEVENTY_ONE_PLAY[0])
    assert match.act(0, {"announce": CLUBS_SIMPLE})
    assert offered(match, 0, "announce") == choices


def test_extension_adds_the_difference() -> None:
    """Twenty and then thirty bring thirty, and only the higher is shown (brouc.amb.21)."""
    match = dealt(SEVENTY_ONE, {"extend_announced": "difference"})
    play(match, SEVENTY_ONE_PLAY[0])
    assert match.act(0, {"announce": CLUBS_SIMPLE})
    assert match.act(0, {"announce": CLUBS_GRAND})
    assert match.score()["accounts"] == [51, 0]
    assert match.view(3)["announced"] == [{"seat": 0, **CLUBS_GRAND}]


def test_simple_marriage_with_the_jack_in_hand() -> None:
    """The holder of all three has to say the higher under one reading (brouc.amb.49)."""
    match = dealt(SEVENTY_ONE, {"announce_simple_with_jack": "forbidden"})
    play(match, SEVENTY_ONE_PLAY[0])
    assert offered(match, 0, "announce") == [CLUBS_GRAND]


@pytest.mark.parametrize(("order", "slate"), [("cards-then-marriages", -40), ("sum-half-away", -50)])
def test_rounding_of_a_minus_result(order: str, slate: int) -> None:
    """15 points less 60 are -40 with the cards rounded first and -50 as a rounded sum (brouc.amb.23)."""
    match = dealt(FOUR_GRAND, {"rounding_order": order})
    play(match, *FIFTEEN_LESS_SIXTY_PLAY)
    assert match.score()["accounts"] == [165, -45]
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == [170, slate]


@pytest.mark.parametrize(
    ("reading", "expected"),
    [("usable-at-once", "claim-right"), ("credited-at-end", "claim-wrong")],
)
def test_carry_in_a_claim(reading: str, expected: str) -> None:
    """260, 40 carried and 5 points are 305 or 265 (brouc.amb.24)."""
    match = dealt(FIVE_POINTS, {"cape_carry": reading}, accounts=(260, 0), carry=(40, 0))
    play(match, "JH 7H QH 8H")
    assert settled(match, 0, CLAIM)[0] == expected


@pytest.mark.parametrize("reading", ["usable-at-once", "credited-at-end"])
def test_carry_is_written_with_the_next_deal(reading: str) -> None:
    """100, 71 points and 40 carried write 210 and leave no carry (brouc.cape.03)."""
    match = dealt(SEVENTY_ONE, {"cape_carry": reading}, accounts=(100, 0), carry=(40, 0))
    play(match, *SEVENTY_ONE_PLAY)
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == [210, 50]
    assert match.view(0)["carry"] == [0, 0]


@pytest.mark.parametrize(("reading", "carry"), [("usable-at-once", 40), ("credited-at-end", 40), ("void", 0)])
def test_announced_marriage_of_a_cape(reading: str, carry: int) -> None:
    """Forty announced in a cape are carried over unless they are void (brouc.amb.24)."""
    match = dealt(CAPE, {"cape_carry": reading}, accounts=(100, 50))
    play(match, CAPE_PLAY[0])
    assert match.act(2, {"announce": SPADES_SIMPLE})
    play(match, *CAPE_PLAY[1:])
    assert match.act(0, NEXT)
    assert match.view(0)["carry"] == [carry, 0]
    assert match.view(0)["accounts"] == [100, 50]


@pytest.mark.parametrize(
    ("reading", "accounts", "carry"),
    [("pending", [100, 50], [40, 40]), ("lost", [100, 50], [0, 40]), ("credited", [140, 50], [0, 40])],
)
def test_carry_and_a_cape_of_the_others(reading: str, accounts: list[int], carry: list[int]) -> None:
    """A carry of before waits, is lost or is credited when the others make the cape (brouc.amb.25)."""
    match = dealt(turned(CAPE), {"cape_carry_on_second_cape": reading}, accounts=(100, 50), carry=(40, 0), dealer=0)
    play(match, CAPE_PLAY[0])
    assert match.act(3, {"announce": SPADES_SIMPLE})
    play(match, *CAPE_PLAY[1:])
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == accounts
    assert match.view(0)["carry"] == carry


@pytest.mark.parametrize(
    ("reading", "expected"),
    [("usable-at-once", "claim-right"), ("credited-at-end", "claim-wrong")],
)
def test_carry_that_alone_exceeds_300(reading: str, expected: str) -> None:
    """280 written and 40 carried win before the first card only when the carry is usable (brouc.amb.26)."""
    match = open_match({"cape_carry": reading}, accounts=(280, 0), carry=(40, 0))
    assert settled(match, 0, CLAIM)[0] == expected


@pytest.mark.parametrize(("reading", "choices"), [("no", []), ("yes", ["cape-dehors", "pas-dedouble"])])
def test_carry_and_the_19(reading: str, choices: list[str]) -> None:
    """18 written and 20 carried open the call under one reading (brouc.amb.27)."""
    match = dealt(CAPE, {"carry_in_thresholds": reading}, accounts=(180, 0), carry=(20, 0))
    assert offered(match, 0, "declare") == choices


@pytest.mark.parametrize(("reading", "choices"), [("no", ["cape-dehors", "pas-dedouble"]), ("yes", ["cape-dehors"])])
def test_carry_and_the_14(reading: str, choices: list[str]) -> None:
    """14 written and 20 carried protect from the double call under one reading (brouc.amb.27)."""
    match = dealt(CAPE, {"carry_in_thresholds": reading}, accounts=(190, 140), carry=(0, 20))
    assert offered(match, 0, "declare") == choices


@pytest.mark.parametrize(("reading", "ticks"), [("no", 2), ("yes", 1)])
def test_carry_and_the_15(reading: str, ticks: int) -> None:
    """14 written and 20 carried save the loser a tick under one reading (brouc.amb.27)."""
    match = open_match({"carry_in_thresholds": reading}, accounts=(310, 140), carry=(0, 20))
    assert settled(match, 0, CLAIM)[2] == ticks


def test_carry_dies_with_the_partie() -> None:
    """A claim of the others ends the carry too (brouc.amb.28)."""
    match = open_match(accounts=(310, 0), carry=(0, 40))
    assert match.act(0, CLAIM)
    assert match.act(0, NEXT)
    assert match.view(0)["carry"] == [0, 0]


@pytest.mark.parametrize("moment", ["any-moment", "own-turn"])
def test_cape_call_inside_the_seventh_trick(moment: str) -> None:
    """Until its own card to the seventh trick a seat may call, with one card left no more (brouc.amb.29)."""
    match = dealt(CAPE, {"cape_announce_moment": moment}, accounts=(190, 150))
    play(match, *CAPE_PLAY[:6], "AS 7S")
    assert offered(match, 2, "declare") == ["cape-dehors"]
    assert offered(match, 0, "declare") == []


@pytest.mark.parametrize(("moment", "choices"), [("any-moment", ["cape-dehors"]), ("own-turn", [])])
def test_cape_call_off_turn(moment: str, choices: list[str]) -> None:
    """The partner of the seat on turn may call under one reading only (brouc.amb.29)."""
    match = dealt(CAPE, {"cape_announce_moment": moment}, accounts=(190, 150))
    assert offered(match, 2, "declare") == choices


def test_plain_call_against_a_low_slate_costs_three() -> None:
    """20 against 10 without the second formula is three ticks (brouc.amb.30)."""
    match = dealt(CAPE, accounts=(200, 100))
    assert match.act(0, {"declare": "cape-dehors"})
    play(match, *CAPE_PLAY)
    assert match.score()["worth"] == 3


@pytest.mark.parametrize(("accounts", "call", "ticks"), [((180, 0), "cape-dehors", 3), ((190, 150), "pas-dedouble", 4)])
def test_call_without_its_figures(accounts: tuple[int, int], call: str, ticks: int) -> None:
    """A call below 19, or against 15 or more, is refused or lost at once (brouc.amb.31)."""
    assert not dealt(CAPE, accounts=accounts).act(0, {"declare": call})
    match = dealt(CAPE, {"cape_announce_invalid": "lost"}, accounts=accounts)
    assert settled(match, 0, {"declare": call}) == (call + "-failed", 1, ticks)


def test_call_after_a_lost_trick() -> None:
    """With a trick lost the cape can no longer be made, so the call is refused or lost (brouc.amb.31, .32)."""
    for reading in ("refused", "lost"):
        match = dealt(
            SEVENTY_ONE,
            {"cape_announce_invalid": reading, "cape_failure_moment": "end-of-deal"},
            accounts=(190, 0),
        )
        play(match, *SEVENTY_ONE_PLAY[:5])
        assert match.act(0, {"declare": "cape-dehors"}) == (reading == "lost")
        assert match.view(0)["phase"] == ("result" if reading == "lost" else "play")


def test_second_call_is_refused() -> None:
    """One call closes the others in every reading (brouc.amb.48)."""
    match = dealt(CAPE, {"cape_announce_invalid": "lost"}, accounts=(190, 190))
    assert match.act(0, {"declare": "cape-dehors"})
    assert [offered(match, seat, "declare") for seat in range(4)] == [[], [], [], []]


@pytest.mark.parametrize(("reading", "expected"), [("refused", [[], []]), ("allowed", [[True], []])])
def test_dehors_after_a_call(reading: str, expected: list[list[bool]]) -> None:
    """250 and 60 after a call may be claimed by the callers under one reading, by the others never (brouc.amb.33)."""
    match = dealt(CAPE, {"dehors_after_cape_announcement": reading}, accounts=(250, 0))
    assert match.act(0, {"declare": "cape-dehors"})
    play(match, *CAPE_PLAY[:4])
    assert [offered(match, seat, "claim") for seat in (2, 1)] == expected


def test_dehors_after_a_call_ends_the_partie() -> None:
    """The claim of the callers replaces their call (brouc.amb.33)."""
    match = dealt(CAPE, {"dehors_after_cape_announcement": "allowed"}, accounts=(250, 0))
    assert match.act(0, {"declare": "cape-dehors"})
    play(match, *CAPE_PLAY[:4])
    assert settled(match, 2, CLAIM) == ("claim-right", 0, 2)


@pytest.mark.parametrize(("moment", "phase"), [("at-once", "result"), ("end-of-deal", "play")])
def test_moment_of_a_failed_call(moment: str, phase: str) -> None:
    """The first lost trick ends the deal at once or it is played out (brouc.amb.34)."""
    match = dealt(SEVENTY_ONE, {"cape_failure_moment": moment}, accounts=(190, 0))
    assert match.act(0, {"declare": "pas-dedouble"})
    play(match, *SEVENTY_ONE_PLAY[:5])
    assert match.view(0)["phase"] == phase


def test_failed_call_played_out_is_still_lost() -> None:
    """After the first lost trick nothing can turn the outcome, a claim neither (brouc.amb.34)."""
    readings: dict[str, str | int] = {
        "cape_failure_moment": "end-of-deal",
        "dehors_after_cape_announcement": "allowed",
    }
    match = dealt(SEVENTY_ONE, readings, accounts=(250, 0))
    assert match.act(0, {"declare": "pas-dedouble"})
    play(match, *SEVENTY_ONE_PLAY[:5])
    assert offered(match, 0, "claim") == []
    play(match, *SEVENTY_ONE_PLAY[5:])
    score = match.score()
    assert (score["result"], score["winner"], score["worth"]) == ("pas-dedouble-failed", 1, 4)


def test_dehors_while_holding_all_tricks() -> None:
    """250 and 60 without a call win the partie instead of the cape (brouc.amb.35)."""
    match = dealt(CAPE, accounts=(250, 150))
    play(match, *CAPE_PLAY[:4])
    assert settled(match, 0, CLAIM) == ("claim-right", 0, 1)


@pytest.mark.parametrize(("slate", "expected"), [(250, []), (300, []), (310, [True])])
def test_claim_after_an_uncalled_cape(slate: int, expected: list[bool]) -> None:
    """The points of a cape do not help a claim, a slate above 300 keeps its right (brouc.amb.36)."""
    match = dealt(CAPE, accounts=(slate, 0))
    play(match, *CAPE_PLAY)
    assert offered(match, 0, "claim") == expected


def test_deal_passes_to_the_right_after_every_deal() -> None:
    """Seat 0 deals after seat 3, also after a cape (brouc.amb.39)."""
    match = dealt(CAPE)
    play(match, *CAPE_PLAY)
    assert match.act(1, NEXT)
    assert match.view(0)["dealer"] == 0


def test_claim_before_the_cards_keeps_the_dealer() -> None:
    """A partie that ends before the cards are dealt leaves the deal where it is (brouc.dealer.02)."""
    match = open_match(accounts=(310, 0))
    assert match.act(0, CLAIM)
    assert match.act(0, NEXT)
    assert match.view(0)["dealer"] == 3


def test_claim_inside_the_deal_passes_it_on() -> None:
    """A deal that a claim ends counts as dealt (brouc.dealer.02)."""
    match = dealt(CAPE, accounts=(310, 0))
    assert match.act(0, CLAIM)
    assert match.act(0, NEXT)
    assert match.view(0)["dealer"] == 0


def test_table_marriages_of_a_called_cape_are_ignored() -> None:
    """The result of a called cape is ticks alone (brouc.amb.41)."""
    match = dealt(CAPE, accounts=(190, 150))
    assert match.act(0, {"declare": "cape-dehors"})
    play(match, *CAPE_PLAY)
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == [0, 0]
    assert match.view(0)["carry"] == [0, 0]


@pytest.mark.parametrize(("reading", "choices"), [("yes", ["cape-dehors"]), ("no", [])])
def test_call_before_the_first_trick(reading: str, choices: list[str]) -> None:
    """Before the first trick is complete the cape may be called under one reading only (brouc.amb.47)."""
    match = dealt(CAPE, {"cape_before_first": reading}, accounts=(190, 150))
    assert offered(match, 0, "declare") == choices
    play(match, CAPE_PLAY[0])
    assert offered(match, 0, "declare") == ["cape-dehors"]


@pytest.mark.parametrize(("reading", "phase", "winner"), [("immediately", "over", 0), ("end-of-partie", "deal", None)])
def test_match_end_by_a_plain_cape(reading: str, phase: str, winner: int | None) -> None:
    """The fifth tick inside a partie ends the match or waits for the partie (brouc.amb.50)."""
    match = dealt(CAPE, {"match_end": reading}, parties=(0, 4))
    play(match, *CAPE_PLAY)
    assert match.act(0, NEXT)
    assert (match.view(0)["phase"], match.score()["over"]) == (phase, winner)


@pytest.mark.parametrize(("reading", "slates"), [("no", [70, 70]), ("yes", [70, 50])])
def test_debit_of_an_announced_marriage(reading: str, slates: list[int]) -> None:
    """Under the club's note the others lose the announced twenty (brouc.amb.51)."""
    match = dealt(FIFTY_TWO, {"announced_debit": reading}, edition=CLUB)
    play(match, FIFTY_TWO_PLAY[0])
    assert match.act(0, {"announce": CLUBS_SIMPLE})
    play(match, *FIFTY_TWO_PLAY[1:])
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == slates


@pytest.mark.parametrize(("reading", "slates"), [("own", [80, 50]), ("complement", [80, 40])])
def test_counterpart_of_the_rounded_points(reading: str, slates: list[int]) -> None:
    """75 against 45 is 80 to 50, or 80 to what is left of 120 (brouc.amb.52)."""
    match = dealt(SEVENTY_FIVE, {"rounding_counterpart": reading}, edition=CLUB)
    play(match, *SEVENTY_FIVE_PLAY)
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == slates


def test_finished_deal_leaves_nothing_behind() -> None:
    """Between deals cards, markers, announcements and points are gone."""
    match = dealt(FOUR_GRAND)
    play(match, *FOUR_GRAND_PLAY)
    assert len(match.view(0)["markers"]) == 4
    assert match.act(0, NEXT)
    view, score = match.view(0), match.score()
    assert (view["markers"], view["trump"], view["turnup"], view["won"]) == ([], None, None, [0, 0])
    assert (score["result"], score["points"], score["accounts"]) == (None, [0, 0], [260, -140])


def random_readings(dice: random.Random, edition: str) -> dict[str, str | int]:
    """Some choice of readings that can be made together."""
    while True:
        chosen = {key: dice.choice(values) for key, values in ORACLE.READINGS[edition].items()}
        try:
            ORACLE.Match(edition, chosen)
        except ValueError:
            continue
        return chosen


def candidates(match: Any, dice: random.Random) -> Iterator[tuple[int, dict[str, object], float]]:
    """Every act of every seat with the weight random play gives it."""
    weights = {"claim": 0.004, "declare": 0.01, "announce": 0.4, "mark": 0.5, "unmark": 0.1}
    for seat in range(4):
        for name, offer in match.legal(seat).items():
            values = offer
            if name == "cut":
                values = [dice.randint(offer["min"], offer["max"])]
            elif name == "deal":
                values = [{"deck": dice.sample(PACK, 32), "packets": offer["packets"][0]}]
            ahead = name == "claim" and match.score()["accounts"][seat % 2] > 300
            weight = 0.5 if ahead else weights.get(name, 1.0)
            for value in values:
                yield seat, {name: value}, weight / len(values)


def check_table(match: Any, played: list[str]) -> None:
    """Cards are conserved, some card is always open and none outside following suit (H.6.1, H.6.5)."""
    views = [match.view(seat) for seat in range(4)]
    assert sorted(played + [card for view in views for card in view["hand"]]) == sorted(PACK)
    turn = views[0]["turn"]
    hand, trick = views[turn]["hand"], views[turn]["trick"]
    following = {card for card in hand if trick and card[1] == trick[0]["card"][1]}
    cards = set(match.legal(turn)["play"])
    assert cards
    assert cards <= (following or set(hand))
    assert following or not trick or all(card in cards for card in hand if card[1] != views[0]["trump"])


def check_between(match: Any) -> None:
    """Slates are multiples of ten between deals (H.6.4)."""
    assert all(amount % 10 == 0 for amount in match.view(0)["accounts"] + match.view(0)["carry"])


@pytest.mark.parametrize("seed", range(200))
def test_random_play(seed: int) -> None:
    """A match of random acts under random readings keeps its invariants and ends or reaches 400 deals."""
    dice = random.Random(seed)
    edition = dice.choice([MODERN, CLUB])
    match = ORACLE.Match(edition, random_readings(dice, edition))
    deals = 0
    played: list[str] = []
    while not match.over and deals < 400:
        choices = list(candidates(match, dice))
        seat, act, _ = dice.choices(choices, [weight for _, _, weight in choices])[0]
        assert match.act(seat, act)
        view, score = match.view(seat), match.score()
        if "deal" in act:
            deals, played = deals + 1, []
        elif "play" in act:
            played.append(str(act["play"]))
        if view["phase"] == "play":
            check_table(match, played)
        elif view["phase"] == "deal":
            check_between(match)
        if view["phase"] == "count":
            assert sum(score["points"]) == 120 == sum(POINTS[card[0]] for card in played)
    assert deals == 400 or match.score()["over"] in (0, 1)
