"""What the second witness for Homme d'Auvergne holds, worked out by hand from the census of rules."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from oracle_loader import load

ORACLE = load("homme_d_auvergne")
RESTORED = "homme-d-auvergne@1665"
LATER = "homme-d-auvergne@1718"
LAST = "homme-d-auvergne@1725"
TABLES = [(edition, setup) for edition, setups in ORACLE.SETUPS.items() for setup in setups]
WINDOWS = ["until-own-call", "until-next-word"]
WINDOW_CASES = [("until-own-call", False), ("until-next-word", True)]
PASSED: list[str | bool] = [True, "pass", "pass", "pass", "pass"]
RESULTS = {"won-more", "won-first", "lost", "void", "king", "capture"}

# Seat 0 holds the four kings; nobody else holds a club.
FOUR_KINGS = ("KS KH KD KC QC", "AS QS JS TS 8S", "AH QH JH TH 8H", "AD QD JD TD 8D")
# The king of hearts falls to a trump of seat 1 when seat 0 leads it.
RIVALS = ("KH QH 8S 7D 8D", "AS KS QS 9D TD", "JH AH TH QD JD", "8H 7H AD KD TS")
RIVALS_PLAY = ("KH QS JH 8H", "AS TH TS 8S", "KS AH 7H 7D", "TD QD KD 8D", "AD QH 9D JD")
# Seat 1 makes three tricks as the man before the king of hearts falls, in the fourth or in the last trick.
RIVALS_LATE = ("8S QS QD TS", "AS TH 7H 7D", "KS AH 8H 8D", "TD JD KD KH")
RIVALS_LAST = ("8S QS TH TS", "AS JH 7H 7D", "KS AH 8H 8D", "9D JD KD QH", "AD KH TD QD")
# Two kings fall in the first trick, the second one a discard.
TWO_FALL = ("KH QH 8C 7C 8D", "AS KS QS 9C TC", "KD QD JD AD TD", "AH TH 8H 7H JC")

# Deals by the seats that win their five tricks, trump spades, seat 0 on lead.
A_B_B_A_C = ("KS QH 8H AC JC", "8S 7S AD JD 7C", "AS 7D KC QC TC", "AH 9H KD 8D 8C")
A_B_B_A_C_PLAY = ("KS 7S AS 9H", "8H 8S QC AH", "JD 7D 8D QH", "7C TC 8C JC", "AC AD KC KD")
A_B_A_B_C = ("AS 7S KH 8H KD", "JS TS 8S AH 8C", "TD 9D 7D AC QC", "QH 9H AD QD JD")
A_B_A_B_C_PLAY = ("KH AH 9D 9H", "8H TS 7D QH", "8S AC AD AS", "7S JS TD QD", "8C QC JD KD")
A_B_B_C_C = ("TS KH TD KC 7C", "QS QH JH QD JC", "KS JS AH JD 8D", "KD 9D QC 9C 8C")
A_B_B_C_C_PLAY = ("KH JH AH KD", "TD QD JD 9D", "QS JS 8C TS", "JC KS QC KC", "8D 9C 7C QH")
B_B_A_A_A = ("AH 8H KD AC KC", "JS TS QD TD TC", "8S TH 7H 8D 7D", "KH QH 9D 9C 7C")
B_B_A_A_A_PLAY = ("AH JS TH KH", "TS 8S QH KC", "QD 8D 9D KD", "8H TC 7H 7C", "AC TD 7D 9C")
B_C_D_A_A = ("JH KD TD 9D 9C", "JS 7H KC JC TC", "TS TH 9H JD 7D", "8S QD 8D QC 8C")
B_C_D_A_A_PLAY = ("TD JS 7D QD", "JC TS QC 9C", "TH 8S JH 7H", "8D KD KC JD", "9D TC 9H 8C")
ALL_ONE = ("AD JD 7D KC JC", "AS TS AH AC 9C", "KS 8H TD TC 8C", "QH JH 7H KD QC", "QS KH 9H 9D 7C")
ALL_ONE_PLAY = ("KC AC TC QC 7C", "AD TS TD KD 9D", "AS KS 7H QS JD", "8H JH 9H 7D AH", "QH KH JC 9C 8C")
THREE_SEATS = ("KS QS JH TD TC", "AS 8S QH 8D KC", "TS 8H AD JD AC")
THREE_SEATS_PLAY = ("KS AS TS", "JH QH 8H", "KC AC TC", "8S AD QS", "TD 8D JD")
TWO_SEATS = ("JH 9H AD KD TD", "KS AH TH JD QC")
TWO_SEATS_PLAY = ("KD JD", "TD KS", "QC AD", "TH JH", "9H AH")


def pack_of(count: int, edition: str = RESTORED) -> list[str]:
    """The pack for so many players, in canonical order."""
    ranks = "AKQJT987" if count > 3 or edition == LAST else "AKQJT98"
    return [rank + suit for suit in "SHDC" for rank in ranks]


def open_match(count: int = 4, *, edition: str = RESTORED, dealer: int | None = None, **wanted: Any) -> Any:
    """A match in front of a deal, of the last seat if no dealer is named; other words are accounts and readings."""
    accounts = wanted.pop("accounts", None)
    given = count - 1 if dealer is None else dealer
    return ORACLE.Match(edition, wanted, setup=str(count), dealer=given, accounts=accounts)


def order_of(match: Any) -> list[int]:
    """The seats from the dealer's right on."""
    count = len(match.view(0)["hands"])
    return [(match.view(0)["dealer"] + step) % count for step in range(1, count + 1)]


def give(match: Any, hands: Sequence[str], stock: str = "9S", packets: Sequence[int] = (3, 2)) -> None:
    """Deals these hands by seats; the stock begins with these cards."""
    dealer, deck = match.view(0)["dealer"], []
    first, _ = packets
    for part in (slice(0, first), slice(first, 5)):
        for seat in order_of(match):
            deck += hands[seat].split()[part]
    deck += stock.split()
    deck += [card for card in pack_of(len(hands), match.edition) if card not in deck]
    assert match.act(dealer, {"deal": {"deck": deck, "packets": list(packets)}})


def sweep(owner: int, count: int = 4, edition: str = RESTORED) -> list[str]:
    """Hands in which one seat has the five highest spades, and so every trick with spades trump.

    The king of hearts and three nines stay in the stock.
    """
    rest = [card for card in pack_of(count, edition) if card[1] != "S" and card not in ("KH", "9H", "9D", "9C")]
    hands = [" ".join(rest[5 * place : 5 * place + 5]) for place in range(count - 1)]
    return [*hands[:owner], "KS QS JS AS TS", *hands[owner:]]


def answer(match: Any, *words: str | bool) -> None:
    """The seats whose turn it is answer one after the other: truth values to offers, the rest are words."""
    for word in words:
        act = {"turn": word} if isinstance(word, bool) else {"say": word}
        assert match.act(match.view(0)["turn"], act), word


def show(match: Any, seat: int, king: str) -> None:
    """The seat shows a king."""
    assert match.act(seat, {"show": king})


def play(match: Any, *tricks: str) -> None:
    """Plays the cards one after the other, each by the seat whose turn it is."""
    for trick in tricks:
        for card in trick.split():
            assert match.act(match.view(0)["turn"], {"play": card}), card


def play_out(match: Any) -> None:
    """Plays the first card that is open until the deal has ended."""
    while match.view(0)["phase"] == "play":
        seat = match.view(0)["turn"]
        assert match.act(seat, {"play": match.legal(seat)["play"][0]})


def dealt(hands: Sequence[str], stock: str = "9S", **wanted: Any) -> Any:
    """A match with these hands dealt."""
    match = open_match(len(hands), **wanted)
    give(match, hands, stock)
    return match


def name_man(match: Any, man: int) -> None:
    """The seats before the man pass and he plays."""
    while match.view(0)["turn"] != man:
        answer(match, "pass")
    answer(match, "play")


def with_man(hands: Sequence[str], man: int, **wanted: Any) -> Any:
    """A match in which nine of spades was turned at once and this seat is the man."""
    match = dealt(hands, **wanted)
    answer(match, True)
    name_man(match, man)
    return match


def hearts_then_spades(man: int, *, counted: bool = True, **wanted: Any) -> Any:
    """Rivals after hearts was turned and passed, the king of hearts counted or not, and spades accepted."""
    match = dealt(RIVALS, "9H 9S", **wanted)
    answer(match, True)
    if counted:
        show(match, 0, "KH")
    answer(match, "pass", "pass", "pass", "pass", True)
    name_man(match, man)
    return match


def settled(match: Any) -> tuple[Any, Any, Any]:
    """Result, accounts and winners of the partie."""
    score = match.score()
    return score["result"], score["accounts"], score["over"]


def may_show(match: Any, seat: int, king: str) -> bool:
    """Whether the seat could show this king now, asked both ways."""
    accepted = bool(copy.deepcopy(match).act(seat, {"show": king}))
    assert accepted == (king in match.legal(seat).get("show", []))
    return accepted


def next_deal(match: Any) -> None:
    """The deal is written and the next one may begin."""
    assert match.act(0, {"next": True})


def man_wins(man: int, takers: Sequence[int], seats: int) -> bool:
    """The condition as it is written: more tricks than each other player, or as many of them earlier."""
    mine = [number for number, taker in enumerate(takers) if taker == man]
    if not mine:
        return False
    for other in range(seats):
        theirs = [number for number, taker in enumerate(takers) if taker == other]
        if other != man and (len(theirs) > len(mine) or (len(theirs) == len(mine) and theirs[-1] < mine[-1])):
            return False
    return True


def test_readings_put_the_default_first() -> None:
    """The defaults are those that the census recommends, in every edition."""
    for edition in ORACLE.SETUPS:
        assert {key: values[0] for key, values in ORACLE.READINGS[edition].items()} == {
            "draw_order": "game-order",
            "show_before_call": "until-own-call",
            "capture_end": "at-once",
            "simultaneous_target": "all-win",
            "debt": "negative-integer",
        }


@pytest.mark.parametrize("readings", [{"target": 0}, {"target": 100}, {"target": "5"}, {"debt": "none"}, {"end": "x"}])
def test_unknown_readings_are_refused(readings: dict[str, Any]) -> None:
    """A value that is no reading, and a key that is none, cannot be chosen."""
    with pytest.raises(ValueError, match=r".+"):
        open_match(**readings)


@pytest.mark.parametrize(("edition", "count"), [(RESTORED, 6), (RESTORED, 1), (LATER, 5), (LAST, 6)])
def test_numbers_of_players_that_nobody_plays(edition: str, count: int) -> None:
    """Six would need thirty-four cards, and 1718 stops at four (auv.ex.01, auv.clm.01)."""
    with pytest.raises(ValueError, match="not played"):
        open_match(count, edition=edition)


@pytest.mark.parametrize("accounts", [(5, 0, 0, 0), (0, 0, 0), ()])
def test_impossible_accounts_are_refused(accounts: tuple[int, ...]) -> None:
    """A partie that is won already, or accounts for other seats, are nothing to begin with."""
    with pytest.raises(ValueError, match="accounts"):
        open_match(accounts=accounts)


def test_a_single_debt_has_one_point() -> None:
    """Nobody can begin two points below nothing when there is one debt only (auv.amb.14)."""
    with pytest.raises(ValueError, match="accounts"):
        open_match(accounts=(-2, 0, 0, 0), debt="single")


@pytest.mark.parametrize(("edition", "setup"), TABLES)
def test_the_pack(edition: str, setup: str) -> None:
    """Two and three play without the sevens, four and five with them; 1725 knows one pack (auv.equip.01, .02)."""
    match = open_match(int(setup), edition=edition)
    cards = match.legal(match.view(0)["dealer"])["deal"]["deck"]["order"]
    assert cards == pack_of(int(setup), edition)
    assert len(cards) == (28 if setup in "23" and edition != LAST else 32)


@pytest.mark.parametrize(("edition", "setup"), TABLES)
def test_the_pack_suffices(edition: str, setup: str) -> None:
    """Every number of players leaves at least the four cards that may be turned (auv.clm.02)."""
    match = open_match(int(setup), edition=edition)
    give(match, sweep(0, int(setup), edition))
    assert match.view(0)["stock"] >= 4


@pytest.mark.parametrize(("reading", "dealer"), [("game-order", 1), ("piquet-order", 0)])
def test_the_highest_card_drawn_deals(reading: str, dealer: int) -> None:
    """The king deals in the order of the game, the ace in that of Piquet (auv.dealer.01, auv.amb.01)."""
    match = ORACLE.Match(RESTORED, {"draw_order": reading}, setup="2")
    assert match.act(1, {"draw": "KH"})
    assert not match.act(1, {"draw": "QH"})
    assert not match.act(0, {"draw": "KH"})
    assert match.act(0, {"draw": "AS"})
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("deal", dealer)


def test_a_drawn_tie_is_drawn_again() -> None:
    """Those who share the highest card draw again from the whole pack, the others do not (auv.amb.02)."""
    match = ORACLE.Match(RESTORED, {}, setup="4")
    for seat, card in enumerate(("KS", "KH", "AS", "7S")):
        assert match.act(seat, {"draw": card})
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("draw", None)
    assert not match.act(2, {"draw": "KD"})
    assert match.act(0, {"draw": "7S"})
    assert match.act(1, {"draw": "8S"})
    assert match.view(0)["dealer"] == 1


def test_no_seven_is_drawn_without_sevens() -> None:
    """Three players draw from their own pack (auv.equip.02)."""
    match = ORACLE.Match(RESTORED, {}, setup="3")
    assert not match.act(0, {"draw": "7S"})


@pytest.mark.parametrize(
    ("packets", "first", "last"),
    [
        ([3, 2], ["AS", "KS", "QS", "TH", "9H"], ["KH", "QH", "JH", "QD", "JD"]),
        ([2, 3], ["AS", "KS", "AH", "KH", "QH"], ["8S", "7S", "KD", "QD", "JD"]),
    ],
)
def test_packets(packets: list[int], first: list[str], last: list[str]) -> None:
    """Five cards come as three and two or two and three, to the dealer's right first (auv.deal.02)."""
    match = open_match()
    assert match.act(3, {"deal": {"deck": pack_of(4), "packets": packets}})
    assert (match.view(0)["hand"], match.view(3)["hand"]) == (first, last)
    answer(match, True)
    assert match.view(0)["turnup"] == {"card": "TD", "exposed": True}


@pytest.mark.parametrize("packets", [[5], [1, 4], [4, 1], [2, 2, 1], [True, 4], [3.0, 2.0]])
def test_other_packets_are_refused(packets: list[Any]) -> None:
    """Nothing but three and two or two and three is dealt (auv.deal.02)."""
    assert not open_match().act(3, {"deal": {"deck": pack_of(4), "packets": packets}})


def test_only_the_dealer_deals_a_whole_pack() -> None:
    """The deal is the dealer's, with every card once."""
    match, deck = open_match(3), pack_of(3)
    assert not match.act(0, {"deal": {"deck": deck, "packets": [3, 2]}})
    assert not match.act(2, {"deal": {"deck": pack_of(4), "packets": [3, 2]}})
    assert not match.act(2, {"deal": {"deck": [*deck[1:], deck[1]], "packets": [3, 2]}})
    assert match.act(2, {"deal": {"deck": deck, "packets": [3, 2]}})


def test_the_left_neighbour_cuts_once() -> None:
    """A cut of one makes the first card the last of the stock (auv.deal.01)."""
    match = open_match(2)
    assert not match.act(1, {"cut": 1})
    assert not match.act(0, {"cut": 28})
    assert match.legal(0) == {"cut": {"min": 1, "max": 27}}
    assert match.act(0, {"cut": 1})
    assert not match.act(0, {"cut": 1})
    assert match.act(1, {"deal": {"deck": pack_of(2), "packets": [3, 2]}})
    assert match.view(0)["hand"] == ["KS", "QS", "JS", "AH", "KH"]


def test_nobody_else_cuts() -> None:
    """The right neighbour, those farther off and the dealer do not cut (auv.deal.01)."""
    match = open_match(dealer=1)
    assert [seat for seat in range(4) if match.act(seat, {"cut": 31})] == [0]


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_the_card_is_offered_from_the_dealers_right_on(count: int) -> None:
    """The dealer turns nothing; each player in his order may turn or not (auv.turn.01, auv.amb.25)."""
    match = dealt(sweep(0, count))
    assert match.view(0)["turned"] == []
    for seat in range(count):
        assert [s for s in range(count) if match.legal(s).get("turn")] == [seat]
        assert match.legal(seat)["turn"] == [True, False]
        answer(match, False)
    assert match.score()["result"] == "void"


def test_nobody_turns() -> None:
    """A deal in which nobody turns is not played, and the right neighbour deals (auv.turn.02)."""
    match = dealt(sweep(0))
    answer(match, False, False, False, False)
    assert settled(match) == ("void", [0, 0, 0, 0], [])
    next_deal(match)
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("deal", 0)


@pytest.mark.parametrize(("edition", "setup"), TABLES)
def test_forty_void_deals_in_a_row(edition: str, setup: str) -> None:
    """Nothing ends a partie but points: the deal goes round as often as nobody wants to turn."""
    count = int(setup)
    match = open_match(count, edition=edition)
    for number in range(40):
        assert match.view(0)["dealer"] == (count - 1 + number) % count
        give(match, sweep(0, count, edition))
        while match.view(0)["phase"] == "offer":
            answer(match, False)
        assert settled(match) == ("void", [0] * count, [])
        next_deal(match)
    assert match.view(0)["phase"] == "deal"


@pytest.mark.parametrize("declined", [0, 1, 2, 3])
def test_speaking_begins_at_the_dealers_right_whoever_turned(declined: int) -> None:
    """Who declined to turn speaks all the same and may be the man (auv.turn.03, auv.amb.04)."""
    match = dealt(sweep(0))
    answer(match, *[False] * declined, True)
    assert match.view(0)["turned"] == [{"seat": declined, "card": "9S"}]
    assert match.view(0)["turn"] == 0
    answer(match, "play")
    assert match.view(1)["man"] == 0


def test_turning_obliges_to_nothing() -> None:
    """Who turned may pass (auv.amb.22)."""
    match = dealt(sweep(0))
    answer(match, True, "pass", "play")
    assert match.view(0)["man"] == 1


def test_the_first_who_plays_is_the_man() -> None:
    """The round ends with the first word for it; trump is the suit turned; the dealer's right leads (auv.bid.*)."""
    match = dealt(sweep(0))
    answer(match, True, "pass")
    assert (match.view(0)["trump"], match.view(0)["man"]) == (None, None)
    assert match.legal(1)["say"] == ["play", "pass"]
    assert not match.act(2, {"say": "play"})
    answer(match, "play")
    view = match.view(0)
    assert (view["phase"], view["man"], view["trump"], view["leader"], view["turn"]) == ("play", 1, "S", 0, 0)


def test_a_rejouissance_is_offered_from_the_dealers_right_again() -> None:
    """After a round of passes each may turn in his order, not the one who turned before (auv.rej.01, auv.amb.03)."""
    match = dealt(sweep(0), "9S 9H")
    answer(match, False, True, "pass", "pass", "pass", "pass")
    assert (match.view(0)["phase"], match.view(0)["turn"]) == ("offer", 0)
    answer(match, False, False, True)
    assert match.view(0)["turned"] == [{"seat": 1, "card": "9S"}, {"seat": 2, "card": "9H"}]
    assert (match.view(0)["phase"], match.view(0)["turn"]) == ("speak", 0)


def test_nobody_wants_a_rejouissance() -> None:
    """All decline to turn once more: the deal is void and the right neighbour deals (auv.rej.02)."""
    match = dealt(sweep(0))
    answer(match, True, "pass", "pass", "pass", "pass", False, False, False, False)
    assert match.score()["result"] == "void"
    next_deal(match)
    assert match.view(0)["dealer"] == 0


def test_three_rejouissances_at_most() -> None:
    """The fourth round of passes ends the deal, with no fifth card (auv.rej.03, auv.rej.04)."""
    match = dealt(sweep(0, 5), "9S 9H 9D 9C")
    for _ in range(4):
        assert match.score()["result"] is None
        answer(match, True, "pass", "pass", "pass", "pass", "pass")
    assert (match.score()["result"], len(match.view(0)["turned"])) == ("void", 4)
    assert match.legal(0) == {"next": [True]}


def test_the_third_rejouissance_may_be_played() -> None:
    """The last card turned makes trump (auv.trump.01)."""
    match = dealt(FOUR_KINGS, "9S 9H 9D 9C")
    answer(match, *PASSED * 3, True, "pass", "play")
    assert (match.view(0)["trump"], match.view(0)["man"]) == ("C", 1)


def test_the_same_suit_may_be_turned_again() -> None:
    """Who passed on a suit may play when it is turned once more (auv.ex.02, auv.trump.02)."""
    match = dealt(sweep(0), "9S 8S")
    answer(match, True, "pass", "pass", "pass", "pass", True, "play")
    assert (match.view(0)["man"], match.view(0)["trump"]) == (0, "S")


def test_turned_cards_go_to_nobody() -> None:
    """Hands stay at five cards, and the next card turned is the next of the stock (auv.turn.04)."""
    match = dealt(sweep(0), "KH 9H")
    answer(match, True, "pass", "pass", "pass", "pass", True)
    assert (match.view(0)["hands"], match.view(0)["stock"]) == ([5, 5, 5, 5], 10)
    assert [entry["card"] for entry in match.view(0)["turned"]] == ["KH", "9H"]


def test_turning_a_king_gains_a_point() -> None:
    """The turner gains at once, and nobody else (auv.king.01, auv.amb.07)."""
    match = dealt(sweep(0), "KH")
    answer(match, False, False, True)
    assert match.view(0)["accounts"] == [0, 0, 1, 0]
    assert match.score()["points"] == [0, 0, 1, 0]
    assert not any(may_show(match, seat, "KH") for seat in range(4))


def test_the_suit_of_a_turned_king_turned_again() -> None:
    """A king on the table counts once: nobody gains when his suit is turned again (auv.amb.08, auv.king.06)."""
    match = dealt(sweep(0), "KH 9H")
    answer(match, True, "pass", "pass", "pass", "pass", False, True)
    assert match.view(0)["accounts"] == [1, 0, 0, 0]
    assert not any(may_show(match, seat, "KH") for seat in range(4))


def test_a_turned_king_ends_the_partie() -> None:
    """The fifth point by a king turned is won without play (auv.ex.07, auv.adv.02, auv.amb.11)."""
    match = dealt(sweep(0), "KH", accounts=(4, 4, 0, 0))
    answer(match, False, True)
    assert settled(match) == ("king", [4, 5, 0, 0], [1])
    assert match.score()["winners"] == []
    next_deal(match)
    assert match.over
    assert all(match.legal(seat) == {} for seat in range(4))


def test_the_holder_counts_his_king() -> None:
    """The king of the suit turned brings its holder a point when he shows it (auv.king.02)."""
    match = dealt(sweep(0))
    answer(match, True)
    show(match, 0, "KS")
    assert match.view(2)["accounts"] == [1, 0, 0, 0]
    assert match.view(2)["shown"] == [{"seat": 0, "card": "KS"}]
    assert match.view(2)["turn"] == 0


def test_a_king_is_not_shown_before_ones_word() -> None:
    """Seats that wait for their word may not show yet (auv.king.03)."""
    match = dealt(sweep(2))
    answer(match, True, "pass")
    assert not may_show(match, 2, "KS")
    answer(match, "pass")
    assert may_show(match, 2, "KS")


@pytest.mark.parametrize(("reading", "open_still"), WINDOW_CASES)
def test_a_king_shown_after_ones_own_pass(reading: str, *, open_still: bool) -> None:
    """The two readings part between one's own call and the next word (auv.amb.05)."""
    match = dealt(sweep(1), show_before_call=reading)
    answer(match, True, "pass", "pass")
    assert may_show(match, 1, "KS") is open_still
    answer(match, "pass")
    assert not may_show(match, 1, "KS")


@pytest.mark.parametrize(("reading", "open_still"), WINDOW_CASES)
@pytest.mark.parametrize("turned", [True, False])
def test_the_last_speaker_has_until_the_next_offer_is_answered(reading: str, *, turned: bool, open_still: bool) -> None:
    """Nobody speaks after the last pass of a round, so an answer to the offer closes it (auv.amb.05)."""
    match = dealt(sweep(3), show_before_call=reading)
    answer(match, True, "pass", "pass", "pass", "pass")
    assert may_show(match, 3, "KS") is open_still
    assert not any(may_show(match, seat, "KS") for seat in (0, 1, 2))
    answer(match, turned)
    assert not may_show(match, 3, "KS")


@pytest.mark.parametrize(("accounts", "result"), [((0, 0, 0, 0), "void"), ((0, 0, 0, 4), "king")])
def test_the_last_word_of_a_deal_that_is_passed_out(accounts: tuple[int, ...], result: str) -> None:
    """Until the cards are gathered the last speaker may show, under one reading (auv.amb.05, auv.king.07)."""
    stock = "9H 9D 9C 9S"
    strict = dealt(sweep(3), stock)
    answer(strict, *PASSED * 4)
    assert not may_show(strict, 3, "KS")
    match = dealt(sweep(3), stock, show_before_call="until-next-word", accounts=accounts)
    answer(match, *PASSED * 4)
    assert not may_show(match, 2, "KS")
    show(match, 3, "KS")
    assert (match.view(0)["accounts"][3], match.score()["result"]) == (accounts[3] + 1, result)
    next_deal(match)
    assert match.over is (result == "king")


@pytest.mark.parametrize("reading", WINDOWS)
def test_a_king_behind_the_man(reading: str) -> None:
    """Who never had the word shows after the man's, until the first card (auv.king.03, auv.amb.06)."""
    match = dealt(sweep(3), show_before_call=reading)
    answer(match, True, "pass", "play")
    assert may_show(match, 3, "KS")
    late = copy.deepcopy(match)
    play(late, "AH")
    assert not may_show(late, 3, "KS")
    later = dealt((RIVALS[0], "AS KS QS 9C TD", *RIVALS[2:]), "9D", show_before_call=reading)
    answer(later, True, "pass", "play")
    assert may_show(later, 3, "KD")
    play(later, "KH TD JH 8H")
    assert later.view(0)["trick"] == []
    assert not may_show(later, 3, "KD")
    show(match, 3, "KS")
    assert match.view(0)["accounts"] == [0, 0, 0, 1]


@pytest.mark.parametrize("reading", WINDOWS)
def test_a_king_passed_over_in_silence(reading: str) -> None:
    """Who passed without showing is too late when another plays (auv.king.04, auv.amb.10)."""
    match = dealt(sweep(0), show_before_call=reading)
    answer(match, True, "pass", "play")
    assert not may_show(match, 0, "KS")


@pytest.mark.parametrize(("reading", "open_still"), WINDOW_CASES)
def test_the_mans_own_king(reading: str, *, open_still: bool) -> None:
    """The man shows before he calls, or until the first card, since no word follows his (auv.amb.05)."""
    match = with_man(sweep(1), 1, show_before_call=reading)
    assert may_show(match, 1, "KS") is open_still
    play(match, "AH")
    assert not may_show(match, 1, "KS")


def test_only_the_king_of_the_present_suit() -> None:
    """A king passed over stays in the hand when another suit is turned (auv.king.09)."""
    match = dealt(FOUR_KINGS, "9H 9S")
    answer(match, True, "pass", "pass", "pass", "pass", True)
    assert not may_show(match, 0, "KH")
    assert not may_show(match, 0, "KD")
    assert not match.act(0, {"show": "QC"})
    assert may_show(match, 0, "KS")


def test_a_king_not_shown_counts_when_his_suit_comes_again() -> None:
    """The same suit turned again opens the window again (auv.ex.03, auv.king.04)."""
    match = dealt(sweep(0), "9S 8S")
    answer(match, True, "pass", "pass")
    assert not may_show(match, 0, "KS")
    answer(match, "pass", "pass", True)
    show(match, 0, "KS")
    assert match.view(0)["accounts"] == [1, 0, 0, 0]


def test_a_king_counts_only_once() -> None:
    """A counted king brings nothing when his suit comes again, nor shown twice (auv.king.06, auv.amb.09)."""
    match = dealt(sweep(0), "9S 8S")
    answer(match, True)
    show(match, 0, "KS")
    assert not may_show(match, 0, "KS")
    answer(match, "pass", "pass", "pass", "pass", True)
    assert not may_show(match, 0, "KS")


def test_a_shown_king_ends_the_partie() -> None:
    """At four a king shown wins at once, before it could be lost again (auv.amb.11)."""
    match = hearts_then_spades(1, counted=False, accounts=(0, 4, 0, 0))
    assert match.score()["over"] == []
    match = dealt(RIVALS, "9H", accounts=(4, 0, 0, 0))
    answer(match, True)
    show(match, 0, "KH")
    assert settled(match) == ("king", [5, 0, 0, 0], [0])
    assert match.legal(1) == {"next": [True]}


def test_kings_count_in_a_deal_that_is_not_played() -> None:
    """Their points stay when everybody passes (auv.king.07, auv.amb.21)."""
    match = dealt(sweep(0), "9S KH")
    answer(match, True)
    show(match, 0, "KS")
    answer(match, "pass", "pass", "pass", "pass", False, True)
    answer(match, "pass", "pass", "pass", "pass", False, False, False, False)
    assert settled(match) == ("void", [1, 1, 0, 0], [])
    next_deal(match)
    assert match.score()["before"] == [1, 1, 0, 0]


def test_four_kings_and_the_deal() -> None:
    """Four suits turned bring one hand four points, the deal a fifth (auv.ex.04, auv.king.08, auv.clm.03)."""
    match = dealt(FOUR_KINGS, "9S 9H 9D 9C")
    for king in ("KS", "KH", "KD"):
        answer(match, True)
        show(match, 0, king)
        answer(match, "pass", "pass", "pass", "pass")
    answer(match, True)
    show(match, 0, "KC")
    assert match.view(3)["accounts"] == [4, 0, 0, 0]
    answer(match, "play")
    play(match, "KC TS TH TD", "QC 8S 8H 8D", "KS QS AH AD", "KH JS QH QD", "KD AS JH JD")
    assert settled(match) == ("won-more", [5, 0, 0, 0], [0])
    assert match.score()["points"] == [4, 0, 0, 0]


def spread(table: Sequence[str], hand: str = "") -> list[str]:
    """Hands of four from which these cards can be the first on the table, the next seat holding the hand named.

    Hearts or spades are led; who does not follow holds diamonds and clubs beside his card.
    """
    rest = [card for card in pack_of(4) if card not in (*table, *hand.split(), "9S")]
    safe = [card for card in rest if card[1] in "DC"]
    hands = {place: [card] for place, card in enumerate(table)}
    if hand:
        hands[len(table)] = hand.split()
    for place, card in enumerate(table):
        if card[1] != table[0][1]:
            hands[place] += [safe.pop() for _ in range(4)]
    rest = [card for card in rest if card in safe or card[1] in "SH"]
    for place in range(4):
        held = hands.setdefault(place, [])
        while len(held) < 5:
            held.append(rest.pop(0))
    return [" ".join(hands[place]) for place in range(4)]


@pytest.mark.parametrize(
    ("table", "hand", "open_cards"),
    [
        ("KH", "JH AH TH QD JD", "JH AH TH"),
        ("9H", "8H KS QS 9D TD", "8H"),
        ("7S", "KS 8S KH KD KC", "KS 8S"),
        ("KS", "8S TS AH KD KC", "8S TS"),
        ("KS QS", "JS 7S KH KD KC", "JS 7S"),
        ("KH QS", "JH KS AS KD KC", "JH"),
    ],
)
def test_suit_is_followed(table: str, hand: str, open_cards: str) -> None:
    """Who has the suit led plays it, trump too, and need not beat anything (auv.play.01, auv.play.05)."""
    assert may_play(table, hand) == set(open_cards.split())


@pytest.mark.parametrize(
    ("table", "hand", "open_cards"),
    [
        ("KH", "AS QS 9D TD KC", "AS QS"),
        ("9H QH", "7S 8D 9D TD KC", "7S"),
        ("KH QS", "KS 8S 9D TD KC", "KS 8S"),
        ("KH QS", "8S 7S 9D TD KC", "8S 7S"),
    ],
)
def test_who_cannot_follow_trumps(table: str, hand: str, open_cards: str) -> None:
    """A trump is due, after a ruff too, higher or lower; another card is a revoke (auv.play.02, .03, auv.ex.08)."""
    assert may_play(table, hand) == set(open_cards.split())


@pytest.mark.parametrize(
    ("table", "hand"), [("KH", "KD QD JD KC QC"), ("KH QS", "KD QD JD KC QC"), ("KS", "KH QH KD QD KC")]
)
def test_who_has_neither_suit_nor_trump_plays_what_he_likes(table: str, hand: str) -> None:
    """Any card may be thrown away (auv.play.04)."""
    assert may_play(table, hand) == set(hand.split())


def may_play(table: str, hand: str) -> set[str]:
    """The cards open to the next seat of the first trick, spades being trump; all others are refused."""
    match = with_man(spread(table.split(), hand), 0)
    play(match, table)
    seat = match.view(0)["turn"]
    offered = set(match.legal(seat)["play"])
    for card in pack_of(4):
        assert copy.deepcopy(match).act(seat, {"play": card}) is (card in offered)
    return offered


@pytest.mark.parametrize(
    ("trick", "taker"),
    [
        ("KH QH JH AH", 0),
        ("AH JH TH 9H", 1),
        ("8H 7H TH 9H", 2),
        ("7H TH 9H AH", 3),
        ("KH 7S QH JH", 1),
        ("KH QS TS KS", 3),
        ("KH TS AS JH", 2),
        ("7H KD KC 8H", 3),
        ("7S KH KD KC", 0),
        ("AS QS JS KH", 1),
    ],
)
def test_the_highest_trump_or_else_the_highest_of_the_suit(trick: str, taker: int) -> None:
    """King, queen, jack, ace, ten and down; trump above all, discards below all (auv.rank.01, auv.trick.01)."""
    match = with_man(spread(trick.split()), 0)
    play(match, trick)
    assert match.view(0)["takers"] == [taker]
    assert match.view(0)["turn"] == match.view(0)["leader"] == taker


def test_the_dealers_right_leads_then_the_winner() -> None:
    """The dealer's right leads, whoever the man is, then the winner of each trick (auv.lead.01)."""
    match = with_man(A_B_B_A_C, 1)
    leaders = []
    for trick in A_B_B_A_C_PLAY:
        leaders.append(match.view(0)["leader"])
        play(match, trick)
    assert leaders == [0, 0, 1, 1, 0]


@pytest.mark.parametrize(
    ("hands", "tricks", "man", "result"),
    [
        (B_B_A_A_A, B_B_A_A_A_PLAY, 0, "won-more"),
        (B_B_A_A_A, B_B_A_A_A_PLAY, 1, "lost"),
        (A_B_B_A_C, A_B_B_A_C_PLAY, 0, "lost"),
        (A_B_B_A_C, A_B_B_A_C_PLAY, 1, "won-first"),
        (A_B_B_A_C, A_B_B_A_C_PLAY, 2, "lost"),
        (A_B_B_A_C, A_B_B_A_C_PLAY, 3, "lost"),
        (A_B_A_B_C, A_B_A_B_C_PLAY, 0, "won-first"),
        (A_B_A_B_C, A_B_A_B_C_PLAY, 1, "lost"),
        (A_B_B_C_C, A_B_B_C_C_PLAY, 0, "lost"),
        (A_B_B_C_C, A_B_B_C_C_PLAY, 1, "won-first"),
        (A_B_B_C_C, A_B_B_C_C_PLAY, 2, "lost"),
        (B_C_D_A_A, B_C_D_A_A_PLAY, 0, "won-more"),
        (B_C_D_A_A, B_C_D_A_A_PLAY, 1, "lost"),
        (ALL_ONE, ALL_ONE_PLAY, 0, "won-first"),
        (ALL_ONE, ALL_ONE_PLAY, 1, "lost"),
        (ALL_ONE, ALL_ONE_PLAY, 4, "lost"),
        (THREE_SEATS, THREE_SEATS_PLAY, 0, "lost"),
        (THREE_SEATS, THREE_SEATS_PLAY, 1, "won-first"),
        (TWO_SEATS, TWO_SEATS_PLAY, 0, "lost"),
        (TWO_SEATS, TWO_SEATS_PLAY, 1, "won-more"),
    ],
)
def test_the_man_has_most_or_was_first(hands: tuple[str, ...], tricks: tuple[str, ...], man: int, result: str) -> None:
    """Three tricks, or two or one made before another has as many (auv.win.*, auv.ex.05, V7, auv.amb.16, .17, .24).

    The man who wins gains a point; the man who loses pays one and each of the others gains one (auv.score.01, .02).
    """
    match = with_man(hands, man)
    play(match, *tricks)
    won = result != "lost"
    expected = [(1 if won else -1) if seat == man else (0 if won else 1) for seat in range(len(hands))]
    assert settled(match) == (result, expected, [])
    assert match.score()["winners"] == [seat for seat in range(len(hands)) if (seat == man) == won]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_exactly_one_seat_would_have_won(seats: int) -> None:
    """In every sequence of winners one seat satisfies the man's condition, each equally often (auv.clm.04 to .07)."""
    tally: Counter[int] = Counter()
    for takers in itertools.product(range(seats), repeat=5):
        fulfilled = [seat for seat in range(seats) if man_wins(seat, takers, seats)]
        assert fulfilled == [ORACLE.winning_seat(takers)]
        tally.update(fulfilled)
    assert tally == dict.fromkeys(range(seats), seats**4)


def test_five_tricks_are_played_though_the_deal_is_decided() -> None:
    """The man's third trick ends nothing (auv.amb.18)."""
    match = with_man(sweep(0), 0)
    play(match, "KS AH 7H TD", "QS QH AD 8D", "JS JH KD 7D")
    assert (match.view(0)["phase"], match.score()["result"]) == ("play", None)
    play_out(match)
    assert match.view(0)["won"] == [5, 0, 0, 0]


def test_a_captured_king_changes_sides() -> None:
    """The point of a counted king goes from its owner to the winner of the trick (auv.cap.01)."""
    match = hearts_then_spades(1)
    assert match.view(0)["accounts"] == [1, 0, 0, 0]
    play(match, "KH QS JH")
    assert match.view(0)["accounts"] == [1, 0, 0, 0]
    play(match, "8H")
    assert match.view(0)["accounts"] == [0, 1, 0, 0]
    assert match.score()["points"] == [0, 1, 0, 0]


@pytest.mark.parametrize("man", [0, 1, 2, 3])
def test_a_king_is_captured_from_anybody_by_anybody(man: int) -> None:
    """The man loses his king, takes one, or looks on as opponents take theirs (auv.amb.19, auv.amb.20)."""
    match = hearts_then_spades(man)
    play(match, *RIVALS_PLAY[:1])
    assert match.view(0)["accounts"] == [0, 1, 0, 0]


def test_a_king_not_counted_moves_no_point() -> None:
    """Whoever takes a king that was not counted gains nothing (auv.cap.02)."""
    match = hearts_then_spades(1, counted=False)
    play(match, *RIVALS_PLAY[:1])
    assert match.view(0)["accounts"] == [0, 0, 0, 0]


def test_two_kings_fall_in_one_trick() -> None:
    """A king thrown away is captured like one that is beaten, two at once if need be (auv.cap.01)."""
    match = dealt(TWO_FALL, "9H 9D 9S")
    answer(match, True)
    show(match, 0, "KH")
    answer(match, "pass", "pass", "pass", "pass", True, "pass", "pass")
    show(match, 2, "KD")
    answer(match, "pass", "pass", True, "pass", "play")
    assert match.view(0)["accounts"] == [1, 0, 1, 0]
    assert match.view(0)["shown"] == [{"seat": 0, "card": "KH"}, {"seat": 2, "card": "KD"}]
    play(match, "KH QS KD AH")
    assert match.view(0)["accounts"] == [0, 2, 0, 0]


def test_the_king_of_trumps_stays_where_it_is() -> None:
    """Nothing beats it, and its owner who takes the trick keeps his point (auv.clm.08)."""
    match = with_man(sweep(0), 1)
    assert match.view(0)["accounts"] == [0, 0, 0, 0]
    match = dealt(sweep(0))
    answer(match, True)
    show(match, 0, "KS")
    answer(match, "pass", "play")
    play(match, "KS AH 7H TD")
    assert match.view(0)["accounts"] == [1, 0, 0, 0]


def test_a_king_falls_after_the_mans_third_trick() -> None:
    """A capture counts although the deal is decided (auv.amb.18)."""
    match = hearts_then_spades(1)
    play(match, *RIVALS_LATE[:3])
    assert match.view(0)["won"] == [0, 3, 0, 0]
    play(match, RIVALS_LATE[3])
    assert match.view(0)["accounts"] == [0, 0, 0, 1]


def test_a_capture_ends_the_partie_at_once() -> None:
    """The captor at four has won when the trick is complete, and no more cards are played (auv.amb.12)."""
    match = hearts_then_spades(2, accounts=(0, 4, 0, 0))
    play(match, RIVALS_PLAY[0])
    assert settled(match) == ("capture", [0, 5, 0, 0], [1])
    assert (match.view(1)["hands"], match.view(1)["turn"], match.view(1)["man"]) == ([4, 4, 4, 4], None, 2)
    next_deal(match)
    assert match.over


def test_a_capture_waits_for_the_end_of_the_deal() -> None:
    """Under the other reading the deal is played out and counted first (auv.amb.12)."""
    match = hearts_then_spades(2, accounts=(0, 4, 0, 0), capture_end="end-of-deal")
    play(match, RIVALS_PLAY[0])
    assert settled(match) == (None, [0, 5, 0, 0], [])
    play(match, *RIVALS_PLAY[1:])
    assert settled(match) == ("lost", [1, 6, -1, 1], [1])


@pytest.mark.parametrize(
    ("reading", "end"),
    [("at-once", ("capture", [0, 4, 5, 0], [2])), ("end-of-deal", ("won-more", [0, 5, 5, 0], [1, 2]))],
)
def test_a_capture_in_the_last_trick(reading: str, end: tuple[Any, ...]) -> None:
    """A capture comes before the man's point, or together with it (auv.amb.12)."""
    match = hearts_then_spades(1, accounts=(0, 4, 4, 0), capture_end=reading)
    play(match, *RIVALS_LAST)
    assert settled(match) == end


@pytest.mark.parametrize(
    ("reading", "dealer", "winners"),
    [
        ("all-win", 3, [1, 2]),
        ("higher-score", 3, []),
        ("playing-order", 3, [1]),
        ("playing-order", 1, [2]),
        ("play-on", 3, []),
    ],
)
def test_several_reach_the_target_together(reading: str, dealer: int, winners: list[int]) -> None:
    """Two opponents at four gain a point each when the man loses (auv.amb.13, auv.clm.11)."""
    match = open_match(accounts=(0, 4, 4, 0), dealer=dealer, simultaneous_target=reading)
    give(match, sweep(1))
    answer(match, True)
    name_man(match, 0)
    play_out(match)
    assert settled(match) == ("lost", [-1, 5, 5, 1], winners)


@pytest.mark.parametrize(
    ("reading", "winners"), [("all-win", [1, 3]), ("higher-score", [1]), ("playing-order", [1]), ("play-on", [])]
)
def test_one_passes_the_target_further_than_another(reading: str, winners: list[int]) -> None:
    """Six and five together: the higher wins, unless all do or nobody does (auv.amb.13)."""
    match = hearts_then_spades(2, accounts=(0, 4, 0, 4), capture_end="end-of-deal", simultaneous_target=reading)
    play(match, *RIVALS_PLAY)
    assert settled(match) == ("lost", [1, 6, -1, 5], winners)


@pytest.mark.parametrize(("reading", "winners"), [("higher-score", [2]), ("play-on", [])])
def test_a_king_after_a_tie_at_the_target(reading: str, winners: list[int]) -> None:
    """A later point makes six to five, which only the higher score turns into a victory (auv.amb.13)."""
    match = open_match(accounts=(0, 4, 4, 0), simultaneous_target=reading)
    give(match, sweep(1))
    answer(match, True, "play")
    play_out(match)
    next_deal(match)
    give(match, sweep(2))
    answer(match, True, "pass")
    show(match, 2, "KS")
    assert match.score()["over"] == winners


def test_a_tie_at_the_target_is_broken_by_a_loss() -> None:
    """Who falls below the target leaves the other alone there (auv.amb.13)."""
    match = open_match(accounts=(0, 4, 4, 0), simultaneous_target="play-on")
    give(match, sweep(1))
    answer(match, True, "play")
    play_out(match)
    next_deal(match)
    give(match, sweep(2))
    answer(match, True, "play")
    play_out(match)
    assert settled(match) == ("lost", [0, 4, 6, 2], [2])


@pytest.mark.parametrize(("reading", "path"), [("negative-integer", [-1, -2, -1, 0]), ("single", [-1, -1, 0, 1])])
def test_a_man_who_loses_with_nothing(reading: str, path: list[int]) -> None:
    """He owes the point, once or each time, and pays before he gains (auv.score.03, auv.ex.06, auv.amb.14)."""
    match = open_match(debt=reading, target=9)
    for owner, account in zip((1, 1, 0, 0), path, strict=True):
        give(match, sweep(owner))
        answer(match, True)
        name_man(match, 0)
        play_out(match)
        assert match.view(0)["accounts"][0] == account
        next_deal(match)


@pytest.mark.parametrize("reading", ["negative-integer", "single"])
def test_a_king_pays_a_debt(reading: str) -> None:
    """Any point pays what is owed, not a deal won only (auv.amb.15)."""
    match = dealt(sweep(0), accounts=(-1, 0, 0, 0), debt=reading)
    answer(match, True)
    show(match, 0, "KS")
    assert match.view(0)["accounts"] == [0, 0, 0, 0]


@pytest.mark.parametrize(("reading", "account"), [("negative-integer", -2), ("single", -1)])
def test_a_debtor_loses_his_king_and_the_deal(reading: str, account: int) -> None:
    """A captured king takes its point back, and the deal lost adds to the debt or does not (auv.amb.14)."""
    match = hearts_then_spades(0, accounts=(-1, 0, 0, 0), debt=reading)
    assert match.view(0)["accounts"][0] == 0
    play(match, RIVALS_PLAY[0])
    assert match.view(0)["accounts"][0] == -1
    play(match, *RIVALS_PLAY[1:])
    assert (match.score()["result"], match.view(0)["accounts"][0]) == ("lost", account)


@pytest.mark.parametrize(("edition", "target"), [(RESTORED, 5), (LATER, 7), (LAST, 7)])
def test_the_points_of_a_partie(edition: str, target: int) -> None:
    """Five points in 1665, seven since 1718 (auv.game.01, auv.hist.01)."""
    match = dealt(sweep(0), edition=edition, accounts=(target - 2, 0, 0, target - 1))
    answer(match, True)
    name_man(match, 0)
    play_out(match)
    assert settled(match) == ("won-more", [target - 1, 0, 0, target - 1], [])
    next_deal(match)
    give(match, sweep(0))
    answer(match, True)
    name_man(match, 0)
    play_out(match)
    assert settled(match) == ("won-more", [target, 0, 0, target - 1], [0])
    assert match.score()["winners"] == [0]
    next_deal(match)
    assert (match.over, match.view(0)["phase"]) == (True, "over")


@pytest.mark.parametrize("target", [1, 2, 12])
def test_the_points_of_a_partie_can_be_agreed(target: int) -> None:
    """More or fewer points may be played (auv.game.01)."""
    match = with_man(sweep(0), 0, target=target, accounts=(target - 1, 0, 0, 0))
    play_out(match)
    assert match.score()["over"] == [0]


def test_the_right_neighbour_deals_after_a_played_deal() -> None:
    """The deal goes round to the right (auv.dealer.02, auv.amb.26)."""
    match = with_man(sweep(0), 0)
    play_out(match)
    assert match.view(0)["dealer"] == 3
    next_deal(match)
    assert (match.view(0)["phase"], match.view(0)["dealer"], match.score()["before"]) == ("deal", 0, [1, 0, 0, 0])


def test_nothing_of_a_deal_is_left_after_it() -> None:
    """Between deals the table is empty; in the result it still lies open to view."""
    match = hearts_then_spades(1)
    play(match, *RIVALS_PLAY)
    view = match.view(0)
    assert (view["phase"], view["turn"], view["leader"], view["trump"], view["man"]) == ("result", None, None, "S", 1)
    assert (len(view["turned"]), len(view["shown"]), sum(view["won"])) == (2, 1, 5)
    next_deal(match)
    view, score = match.view(0), match.score()
    assert [view[key] for key in ("turn", "leader", "man", "trump", "turnup")] == [None] * 5
    assert [view[key] for key in ("turned", "shown", "hand", "trick", "takers")] == [[]] * 5
    assert (view["hands"], view["won"], view["stock"]) == ([0] * 4, [0] * 4, 0)
    assert (score["result"], score["winners"], score["points"]) == (None, [], [0] * 4)


@pytest.mark.parametrize("edition", [LATER, LAST])
def test_other_kings_count_with_the_king_of_the_suit(edition: str) -> None:
    """Since 1718 the king of the suit brings one point and every other king of the hand one more (0.6.25)."""
    match = dealt(FOUR_KINGS, "9H 9D", edition=edition)
    answer(match, True)
    assert match.legal(0)["show"] == ["KH"]
    show(match, 0, "KH")
    assert match.view(1)["accounts"] == [4, 0, 0, 0]
    assert [entry["card"] for entry in match.view(1)["shown"]] == ["KS", "KH", "KD", "KC"]
    answer(match, "pass", "pass", "pass", "pass", True)
    assert not may_show(match, 0, "KD")


@pytest.mark.parametrize(("edition", "points"), [(RESTORED, 1), (LATER, 2), (LAST, 2)])
def test_only_kings_of_the_same_hand_count_with_it(edition: str, points: int) -> None:
    """A king counts with the king of the suit beside it, and brings nothing without it (0.6.25)."""
    hands = ("KD QD JD AD TD", "KH KC QH JH AH", "QS JS AS TS 8S", "QC JC AC TC 9C")
    match = dealt(hands, "9H", edition=edition)
    answer(match, True)
    assert not may_show(match, 0, "KD")
    answer(match, "pass")
    show(match, 1, "KH")
    assert match.view(0)["accounts"] == [0, points, 0, 0]


def test_a_king_counted_along_can_be_captured() -> None:
    """Each counted king of 1718 is one point to lose (0.6.25, chosen where nothing is attested)."""
    match = dealt((*TWO_FALL[:1], "AS QS JS 9C TC", "KD KC JD AD TD", "AH TH 8H 7H JC"), "9H 9D 9S", edition=LATER)
    answer(match, True, "pass", "pass", "pass", "pass", True, "pass", "pass")
    show(match, 2, "KD")
    answer(match, "pass", "pass", True, "pass", "play")
    assert match.view(0)["accounts"] == [0, 0, 2, 0]
    play(match, "KH QS KC AH")
    assert match.view(0)["accounts"] == [0, 1, 1, 0]


@pytest.mark.parametrize("edition", [LATER, LAST])
def test_a_king_turned_brings_one_point(edition: str) -> None:
    """The kings in the turner's hand add nothing (0.6.25, chosen where nothing is attested)."""
    hands = ("AH QH JH TH 8H", "AS QS JS TS 8S", "AD QD JD TD 8D", "KS KD KC QC 9H")
    match = dealt(hands, "KH", edition=edition)
    answer(match, *[False] * (3 if edition == LATER else 0), True)
    assert match.view(0)["accounts"] == [0, 0, 0, 1]


@pytest.mark.parametrize(("edition", "gainers"), [(RESTORED, [1, 2, 3]), (LATER, [1]), (LAST, [1])])
def test_who_gains_when_the_man_loses(edition: str, gainers: list[int]) -> None:
    """Each opponent in 1665, one of them since 1718: the one who would have won as the man (0.6.25)."""
    match = with_man(A_B_B_A_C, 0, edition=edition)
    play(match, *A_B_B_A_C_PLAY)
    assert match.score()["winners"] == gainers
    assert match.view(0)["accounts"] == [-1, *(int(seat in gainers) for seat in (1, 2, 3))]


def test_each_turns_in_his_rank_in_1718() -> None:
    """The offer goes round as in 1665 (0.6.23)."""
    match = dealt(sweep(0), edition=LATER)
    answer(match, False, False, True)
    assert match.view(0)["turned"] == [{"seat": 2, "card": "9S"}]


def test_only_the_dealer_turns_in_1725() -> None:
    """Every card is turned by the dealer, up to a third rejouissance, and the others speak first (0.6.24)."""
    match = dealt(sweep(0), "KH 9H 9D 9C", edition=LAST)
    for seat in (0, 1, 2):
        assert match.legal(seat) == {}
    for _ in range(4):
        assert match.view(0)["turn"] == 3
        answer(match, True)
        assert match.view(0)["turn"] == 0
        answer(match, "pass", "pass", "pass", "pass")
    assert match.score()["result"] == "void"
    assert match.view(0)["accounts"] == [0, 0, 0, 1]


def test_the_dealer_of_1725_may_decline() -> None:
    """What he does not turn is not played (0.6.24, chosen where nothing is stated)."""
    match = dealt(sweep(0), edition=LAST)
    answer(match, False)
    assert match.score()["result"] == "void"


def test_the_dealer_of_1725_closes_his_own_word() -> None:
    """He speaks last and answers next, so his answer ends the moment for his king (auv.amb.05)."""
    stock = "9S 8S"
    match = dealt(sweep(3), stock, edition=LAST, show_before_call="until-next-word")
    answer(match, True, "pass", "pass", "pass", "pass")
    assert may_show(match, 3, "KS")
    answer(match, False)
    assert not may_show(match, 3, "KS")


@pytest.mark.parametrize(
    "act",
    [{}, {"turn": 1}, {"turn": "yes"}, {"turn": True, "show": "KS"}, {"say": "play"}, {"next": True}, {"claim": True}],
)
def test_an_act_that_is_none(act: dict[str, object]) -> None:
    """What the phase does not offer, or is not of the form, is refused and changes nothing."""
    match = dealt(sweep(0))
    before = json.dumps([match.view(seat) for seat in range(4)])
    assert not match.act(0, act)
    assert json.dumps([match.view(seat) for seat in range(4)]) == before


def candidates(match: Any, dice: random.Random) -> list[tuple[int, dict[str, Any]]]:
    """Every act that is open now, a deal with a random pack; turning and playing weigh more than declining."""
    found: list[tuple[int, dict[str, Any]]] = []
    for seat in range(match.count):
        for name, choices in match.legal(seat).items():
            if name == "cut":
                found.append((seat, {"cut": dice.randint(choices["min"], choices["max"])}))
            elif name == "deal":
                deck = choices["deck"]["order"]
                deal = {"deck": dice.sample(deck, len(deck)), "packets": dice.choice(choices["packets"])}
                found.append((seat, {"deal": deal}))
            else:
                found += [(seat, {name: value}) for value in choices]
    heavy = [entry for entry in found if entry[1] in ({"turn": True}, {"say": "play"}) or "show" in entry[1]]
    return found + heavy * 2


def check_secrets(match: Any, seat: int) -> None:
    """No seat is told a card of another hand or of the stock, unless it was shown."""
    public = {entry["card"] for entry in match.view(seat)["shown"]}
    told = json.dumps(match.view(seat))
    hidden = [card for other in range(match.count) if other != seat for card in match.view(other)["hand"]]
    for card in [*hidden, *match.stock]:
        assert card in public or f'"{card}"' not in told


def check_cards(match: Any, played: Sequence[str]) -> None:
    """Every card of the pack is in one place (H.6.1)."""
    held = [card for seat in range(match.count) for card in match.view(seat)["hand"]]
    turned = [entry["card"] for entry in match.view(0)["turned"]]
    assert sorted([*held, *played, *turned, *match.stock]) == sorted(match.pack)


def check_points(match: Any) -> None:
    """Points for kings are one for each suit at most, and none without a king turned or shown (H.6.8)."""
    view, points = match.view(0), match.score()["points"]
    suits = {entry["card"][1] for entry in view["turned"]}
    kings = [entry["card"] for entry in [*view["turned"], *view["shown"]] if entry["card"][0] == "K"]
    assert sum(points) == len(kings) == len(set(kings)) <= 4
    if match.edition == RESTORED:
        assert {king[1] for king in kings} <= suits


def check_result(match: Any) -> None:
    """The result follows from the tricks, and accounts from the result (auv.win.*, auv.score.*)."""
    view, score = match.view(0), match.score()
    if score["result"] not in ("won-more", "won-first", "lost"):
        assert score["winners"] == []
        assert score["accounts"] == [b + p for b, p in zip(score["before"], score["points"], strict=True)]
        return
    won = man_wins(view["man"], view["takers"], match.count)
    mine, others = view["won"][view["man"]], [view["won"][s] for s in range(match.count) if s != view["man"]]
    assert score["result"] == ("lost" if not won else "won-more" if mine > max(others) else "won-first")
    for seat in range(match.count):
        change = int(seat in score["winners"]) - int(seat == view["man"] and not won)
        unfloored = score["before"][seat] + score["points"][seat] + change
        assert score["accounts"][seat] == (max(unfloored, -1) if match.pick["debt"] == "single" else unfloored)
    assert sum(view["won"]) == 5


@pytest.mark.parametrize("seed", range(60))
def test_random_play(seed: int) -> None:
    """A partie of random acts under random readings keeps its invariants, and told again it is the same (H.6.10)."""
    dice = random.Random(seed)
    edition, setup = dice.choice(TABLES)
    readings = {key: dice.choice(values) for key, values in ORACLE.READINGS[edition].items()}
    match = ORACLE.Match(edition, readings, setup=setup)
    told: list[tuple[int, dict[str, Any], str]] = []
    played: list[str] = []
    while not match.over and len(told) < 3000:
        seat, act = dice.choice(candidates(match, dice))
        assert match.act(seat, act)
        told.append((seat, act, json.dumps([match.view(seat), match.score()])))
        if "deal" in act:
            played = []
        elif "play" in act:
            played.append(str(act["play"]))
        if match.phase in ("offer", "speak", "play", "result"):
            check_cards(match, played)
            check_points(match)
            check_secrets(match, seat)
        if match.phase == "result":
            assert match.score()["result"] in RESULTS
            check_result(match)
    again = ORACLE.Match(edition, readings, setup=setup)
    for seat, act, seen in told:
        assert again.act(seat, act)
        assert json.dumps([again.view(seat), again.score()]) == seen
    assert match.over
    assert match.score()["over"]


@pytest.mark.parametrize("seed", range(20))
def test_refused_acts_change_nothing(seed: int) -> None:
    """What is not offered is refused, and afterwards everything is as before."""
    dice = random.Random(seed)
    edition, setup = dice.choice(TABLES)
    match = ORACLE.Match(edition, {}, setup=setup)
    names: list[dict[str, Any]] = [{"turn": True}, {"turn": False}, {"say": "play"}, {"say": "pass"}, {"next": True}]
    names += [{verb: card} for verb in ("show", "play", "draw") for card in (*match.pack, "7X")]
    for _ in range(120):
        if match.over:
            break
        for seat in range(match.count):
            open_acts = [{name: value} for name, values in match.legal(seat).items() for value in values]
            before = json.dumps([[match.view(s), match.legal(s)] for s in range(match.count)])
            for act in dice.sample(names, 12):
                assert act in open_acts or not match.act(seat, act)
            assert json.dumps([[match.view(s), match.legal(s)] for s in range(match.count)]) == before
        seat, act = dice.choice(candidates(match, dice))
        assert match.act(seat, act)
