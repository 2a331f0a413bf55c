"""What the second witness for Danish L'Hombre holds, worked out by hand from the census of rules."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any

import pytest

from oracle_loader import load

ORACLE = load("hombre")
EDITION = "hombre@danish"
PACK = [rank + suit for suit in "SHDC" for rank in "AKQJ765432"]
RED_TRUMPS = "AS 7H AC AH KH QH JH 2H 3H 4H 5H 6H"
BLACK_TRUMPS = "AS 2S AC KS QS JS 7S 6S 5S 4S 3S"
ASCENDING = [
    "demande",
    "demande-a-pique",
    "tourne",
    "nolo-en-demande",
    "grand-tourne",
    "sans-prendre",
    "sans-prendre-a-pique",
    "pur-nolo",
    "nolo-ouvert",
]
EQUALS = [{"tourne", "nolo-en-demande"}, {"sans-prendre-a-pique", "pur-nolo"}]
POINTS = dict(zip(ASCENDING, [(1, 2), (1, 2), (2, 3), (2, 3), (3, 4), (3, 4), (4, 5), (4, 5), (6, 7)], strict=True))
DEFAULTS = {key: values[0] for key, values in ORACLE.READINGS[EDITION].items()}

NEXT: dict[str, object] = {"next": True}
REST: dict[str, object] = {"rest": True}
SURRENDER: dict[str, object] = {"surrender": True}
TURN: dict[str, object] = {"turn": True}

# Deals are written trick by trick: the cards of seats 0, 1 and 2, whoever leads. Seat 2 deals, so seat 0 begins.
FOUR_THREE_TWO = (
    "KH 7H 6H",
    "QH 5H 4H",
    "JH 3H 2H",
    "AH 2C 3C",
    "7D KD 6D",
    "4D QD 5D",
    "2D JD 3D",
    "5C 4C KC",
    "6C 7C QC",
)
FOUR_FOUR_ONE = (*FOUR_THREE_TWO[:7], "5C AD QC", "6C 7C KC")
FOUR_FIVE_NONE = (*FOUR_THREE_TWO[:7], "5C AD KC", "6C 7C 4C")
THREE_EACH = (
    *FOUR_THREE_TWO[:3],
    *FOUR_THREE_TWO[4:7],
    "5C 4C KC",
    "6C 7C QC",
    "AH 2C JC",
)
FIVE_FOUR_NONE = (
    "7D KD 6D",
    "4D QD 5D",
    "2D JD 3D",
    "5C AD QC",
    "KH 7H 6H",
    "QH 5H 4H",
    "JH 3H 2H",
    "AH 2C 3C",
    "KC 7C 4C",
)
ALL_NINE = (
    "AS 6S 5S",
    "2S 4S 3S",
    "AC 2C 3C",
    "KS 4C 5C",
    "QS 6C 7C",
    "JS 2D 3D",
    "7S 4D 5D",
    "KH 7H 6H",
    "QH 5H 4H",
)
EIGHT = (*ALL_NINE[:8], "2H 5H QH")
LATE_FIFTH = (
    "3H KH 2H",
    "7S 2C 3C",
    "AS 6S 5S",
    "2S 4S 3S",
    "AC 4C 5C",
    "KS 6C 7C",
    "QS 2D 3D",
    "JS 4D 5D",
    "AH 5H 6H",
)
NO_TRICK = (
    "7H KH QH",
    "AS KS QS",
    "AC KC QC",
    "7D KD QD",
    "6H JH AH",
    "2S JS 7S",
    "2C JC 7C",
    "6D JD AD",
    "5D 3D 2D",
)
ONE_TRICK = (*NO_TRICK[:8], "2D 5D 3D")
TWO_TRICKS = (
    "KH 7H 6H",
    "KS QS JS",
    "AS 7S 6S",
    "AC KC QC",
    "7D KD QD",
    "2S 5S 4S",
    "2C JC 7C",
    "6D JD AD",
    "5D 3D 2D",
)
#: A deal of no particular shape: spades with seat 0, hearts and both black aces with seat 1.
PLAIN = ("KS QS JS 7S 6S 5S KD QD JD", "AS AC KH QH JH AH 4H 3H 2H", "7H 6H 5H KC QC JC 7C 6C 5C")


def columns(rows: Sequence[str]) -> list[str]:
    """The hands behind a deal that is written trick by trick."""
    return [" ".join(cards) for cards in zip(*(row.split() for row in rows), strict=True)]


def deck_of(hands: Sequence[str], order: Sequence[int], stock: str = "") -> list[str]:
    """The pack that brings these hands by threes to the seats in this order, then these cards as stock."""
    held = [hand.split() for hand in hands]
    deck = [card for at in (0, 3, 6) for seat in order for card in held[seat][at : at + 3]]
    deck += stock.split()
    return deck + [card for card in PACK if card not in deck]


def open_match(readings: dict[str, str] | None = None, **setting: Any) -> Any:
    """A match in front of a deal of seat 2, so that seats 0, 1, 2 are the source's A, B, C."""
    return ORACLE.Match(EDITION, readings or {}, **{"dealer": 2, **setting})


def dealt(hands: Sequence[str], readings: dict[str, str] | None = None, *, stock: str = "", **setting: Any) -> Any:
    """A match of three with these hands dealt."""
    match = open_match(readings, **setting)
    dealer = match.view(0)["dealer"]
    deck = deck_of(hands, [(dealer + step) % 3 for step in (1, 2, 3)], stock)
    assert match.act(dealer, {"deal": {"deck": deck, "packets": [3, 3, 3]}})
    return match


def turn(match: Any) -> Any:
    """The seat that has to move."""
    return match.view(0)["turn"]


def do(match: Any, *acts: dict[str, object]) -> None:
    """Does the acts one after the other, each by the seat whose turn it is."""
    for act in acts:
        assert match.act(turn(match), act), act


def bids(match: Any, calls: str) -> None:
    """Lets the seats speak in turn."""
    for call in calls.split():
        do(match, {"bid": call})


def contracted(match: Any, contract: str, suit: str | None = None) -> None:
    """Makes seat 0, first in hand, the hombre in a contract; nobody discards more than he has to."""
    bids(match, f"{contract} pass pass")
    if match.view(0)["phase"] == "choose":
        do(match, {"choose": contract})
    if match.view(0)["phase"] == "declare":
        do(match, {"declare": suit})


def stand(match: Any) -> None:
    """Lets everybody who may still discard keep his cards."""
    while match.view(0)["phase"] == "discard":
        do(match, {"discard": []})


def play(match: Any, rows: Sequence[str]) -> None:
    """Plays tricks written by seat, whoever leads."""
    for row in rows:
        cards = row.split()
        for _ in cards:
            do(match, {"play": cards[turn(match)]})


def played(
    rows: Sequence[str],
    readings: dict[str, str] | None = None,
    contract: str = "sans-prendre-a-pique",
    tricks: int = 9,
    **setting: Any,
) -> Any:
    """A match in which seat 0 is hombre and so many tricks of a deal have been played."""
    match = dealt(columns(rows), readings, **setting)
    contracted(match, contract)
    stand(match)
    play(match, rows[:tricks])
    return match


def figures(match: Any) -> tuple[Any, Any, Any, Any]:
    """Result, vole, worth and the symbolic result as C, D and single points."""
    score = match.score()
    symbol = score["symbol"]
    return (
        score["result"],
        score["vole"],
        score["worth"],
        symbol and (symbol["c"], symbol["d"], symbol["extra"]),
    )


def offered(match: Any, seat: int, name: str) -> list[Any]:
    """The listed values of one act that a seat may choose."""
    return list(match.legal(seat).get(name, []))


def cards_in(value: object) -> Iterator[str]:
    """Every card that stands anywhere in a view."""
    if isinstance(value, str):
        yield from [value] if value in PACK else []
    elif isinstance(value, dict):
        for item in value.values():
            yield from cards_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from cards_in(item)


# ------------------------------------------------------------------ the table


def test_readings_put_the_default_first() -> None:
    """Six passages have readings; the union's figures and free spades under demande are among the defaults."""
    assert DEFAULTS == {
        "contract_points": "union-table",
        "demande_spades": "allowed",
        "score_contract": "as-chosen",
        "late_fifth_trick": "no-engagement",
        "grand_tourne_bid_without_aces": "illegal",
        "open_nolo_exposure": "before-first-lead",
    }


@pytest.mark.parametrize(
    ("edition", "readings", "setup"),
    [
        ("hombre@1665", {}, "3"),
        (EDITION, {"pool": "yes"}, "3"),
        (EDITION, {"score_contract": "as-played"}, "3"),
        (EDITION, {}, "5"),
    ],
)
def test_unknown_editions_readings_and_setups_are_refused(edition: str, readings: dict[str, str], setup: str) -> None:
    """Only what the game has can be chosen."""
    with pytest.raises(ValueError, match="no such"):
        ORACLE.Match(edition, readings, setup=setup)


def test_queen_sits_at_the_right_and_jack_at_the_left_of_the_king() -> None:
    """With the king at seat 1 the queen belongs to seat 2 and the jack to seat 0; the king deals (omb.seat.01)."""
    match = ORACLE.Match(EDITION, {})
    assert len(offered(match, 1, "draw")) == 12
    assert match.act(1, {"draw": "KD"})
    assert offered(match, 1, "draw") == []
    assert offered(match, 2, "draw") == ["QS", "QH", "QD", "QC"]
    assert not match.act(0, {"draw": "QH"})
    assert match.act(0, {"draw": "JH"})
    assert match.view(2)["drawn"] == ["JH", "KD", None]
    assert match.act(2, {"draw": "QD"})
    assert (match.view(0)["phase"], match.view(0)["dealer"], match.view(0)["drawn"]) == ("deal", 1, [None] * 3)


@pytest.mark.parametrize("card", ["AS", "7H", "2C"])
def test_nothing_but_court_cards_is_drawn(card: str) -> None:
    """Three seats draw from a king, a queen and a jack (omb.seat.01)."""
    assert not ORACLE.Match(EDITION, {}).act(0, {"draw": card})


def test_a_fourth_player_draws_an_ace_and_sits_opposite_the_king() -> None:
    """The text says nothing of drawing with four; the remaining place is opposite the first dealer."""
    match = ORACLE.Match(EDITION, {}, setup="4")
    assert match.act(3, {"draw": "AH"})
    assert [offered(match, seat, "draw")[0] for seat in (0, 1, 2)] == ["JS", "KS", "QS"]
    for seat, card in ((0, "JC"), (1, "KH"), (2, "QS")):
        assert match.act(seat, {"draw": card})
    assert (match.view(0)["dealer"], match.view(0)["out"]) == (1, 3)


def test_nine_cards_by_threes_from_the_dealers_right() -> None:
    """The first in hand gets cards 1-3, 10-12 and 19-21; the last thirteen are the stock (omb.deal.02, .stock.01)."""
    match = open_match()
    assert match.act(2, {"deal": {"deck": PACK, "packets": [3, 3, 3]}})
    view = match.view(0)
    assert view["hand"] == ["AS", "KS", "QS", "2S", "AH", "KH", "3H", "2H", "AD"]
    assert match.view(1)["hand"] == ["JS", "7S", "6S", "QH", "JH", "7H", "KD", "QD", "JD"]
    assert match.view(2)["hand"] == ["5S", "4S", "3S", "6H", "5H", "4H", "7D", "6D", "5D"]
    assert (view["hands"], view["stock"], view["turn"]) == ([9, 9, 9], 13, 0)


@pytest.mark.parametrize("packets", [[9], [3, 3, 2], [True, 3, 3], [3, 3, 3, 3]])
def test_other_packets_are_refused(packets: list[int]) -> None:
    """Cards go by threes (omb.deal.02)."""
    assert not open_match().act(2, {"deal": {"deck": PACK, "packets": packets}})


@pytest.mark.parametrize("deck", [PACK[:39], [*PACK[:39], "AS"], [*PACK[:39], "TS"]])
def test_other_packs_are_refused(deck: list[str]) -> None:
    """Forty cards without tens, nines and eights (omb.equip.01)."""
    assert not open_match().act(2, {"deal": {"deck": deck, "packets": [3, 3, 3]}})


@pytest.mark.parametrize("value", [PACK, {"deck": PACK}, {"deck": PACK, "packets": [3, 3, 3], "seat": 0}])
def test_a_deal_names_pack_and_packets(value: object) -> None:
    """Neither may be missing, nothing else belongs to it."""
    assert not open_match().act(2, {"deal": value})


def test_a_match_begins_with_empty_accounts() -> None:
    """Unless a start says so, nothing is written and no deal is finished."""
    for setup in ("3", "4"):
        score = ORACLE.Match(EDITION, {}, setup=setup).score()
        assert (score["accounts"], score["deals"], score["over"]) == ([0] * int(setup), 0, False)


def test_cut_by_the_left_neighbour() -> None:
    """A cut of three puts the first packet under the rest; it is made once, by the dealer's left (omb.deal.01)."""
    match = open_match()
    assert match.legal(1) == {"cut": {"min": 1, "max": 39}}
    assert not match.act(0, {"cut": 3})
    assert not match.act(1, {"cut": 40})
    assert match.act(1, {"cut": 3})
    assert not match.act(1, {"cut": 3})
    assert match.act(2, {"deal": {"deck": PACK, "packets": [3, 3, 3]}})
    assert match.view(0)["hand"][:3] == ["JS", "7S", "6S"]


def test_only_the_dealer_deals() -> None:
    """The deal belongs to one seat (omb.dealer.01)."""
    assert not open_match().act(0, {"deal": {"deck": PACK, "packets": [3, 3, 3]}})


# ---------------------------------------------------------------- the auction


def test_everything_goes_to_the_right() -> None:
    """Dealer 0: seats 1, 2, 0 are dealt to, speak and play, in this order (omb.amb.01)."""
    match = dealt(PLAIN, dealer=0)
    assert turn(match) == 1
    bids(match, "sans-prendre-a-pique pass pass")
    assert [call["seat"] for call in match.view(0)["calls"]] == [1, 2, 0]
    assert turn(match) == 2
    stand(match)
    assert match.view(0)["leader"] == 1
    do(match, {"play": "KH"})
    assert turn(match) == 2


def test_first_example_of_the_auction() -> None:
    """A passes, B demande, C nolo, B equals with tourné, C passes: B plays tourné (omb.ex.01)."""
    match = dealt(PLAIN)
    bids(match, "pass demande nolo-en-demande tourne pass")
    view = match.view(0)
    assert (view["man"], view["bid"], view["contract"], view["phase"]) == (1, "tourne", "tourne", "turn")
    assert [call["seat"] for call in view["calls"]] == [0, 1, 2, 1, 2]


def test_second_example_of_the_auction_is_an_erratum() -> None:
    """After A's tourné C may not answer nolo en demande, for he only equals (omb.ex.02, omb.amb.03)."""
    match = dealt(PLAIN)
    bids(match, "demande demande-a-pique tourne pass")
    assert turn(match) == 2
    assert not match.act(2, {"bid": "nolo-en-demande"})
    assert "nolo-en-demande" not in offered(match, 2, "bid")
    assert match.view(0)["man"] is None


def test_second_example_with_another_second_call_of_a() -> None:
    """Had A equalled with demande à pique, C's nolo would have been a raise (omb.clm.09)."""
    match = dealt(PLAIN)
    bids(match, "demande demande-a-pique demande-a-pique pass nolo-en-demande pass")
    assert (match.view(0)["man"], match.view(0)["bid"]) == (2, "nolo-en-demande")


def test_third_example_of_the_auction() -> None:
    """A demande, B tourné, A passes, C pur nolo, B equals with sans prendre à pique, C passes: B (omb.ex.03)."""
    match = dealt(PLAIN)
    bids(match, "demande tourne pass pur-nolo sans-prendre-a-pique pass")
    view = match.view(0)
    assert (view["man"], view["contract"], view["trump"]) == (1, "sans-prendre-a-pique", "S")


def test_fourth_example_of_the_auction() -> None:
    """A demande, two passes: A is hombre and still chooses (omb.ex.04)."""
    match = dealt(PLAIN)
    bids(match, "demande pass pass")
    view = match.view(0)
    assert (view["man"], view["bid"], view["contract"], view["phase"]) == (0, "demande", None, "choose")


def test_two_settle_it_before_the_third_speaks() -> None:
    """As long as the first two raise each other, the dealer waits (omb.bid.04)."""
    match = dealt(PLAIN)
    bids(match, "demande tourne tourne")
    assert turn(match) == 1
    assert not match.act(2, {"bid": "nolo-ouvert"})


def test_a_pass_is_final() -> None:
    """Who has passed does not come back (omb.bid.03)."""
    match = dealt(PLAIN)
    bids(match, "pass demande tourne")
    assert not match.act(0, {"bid": "nolo-ouvert"})
    bids(match, "tourne")
    assert turn(match) == 2


def test_the_survivor_has_primacy_over_the_dealer() -> None:
    """B, who beat A, may equal the dealer's call (omb.bid.07)."""
    match = dealt(PLAIN)
    bids(match, "demande demande-a-pique pass tourne")
    assert turn(match) == 1
    assert offered(match, 1, "bid")[:2] == ["tourne", "nolo-en-demande"]


def test_who_outbids_nobody_any_more_may_not_raise_himself() -> None:
    """After A's demande and two passes the auction is over (omb.bid.04)."""
    match = dealt(PLAIN)
    bids(match, "demande pass pass")
    assert not match.act(0, {"bid": "tourne"})


@pytest.mark.parametrize("first", ASCENDING)
def test_the_later_speaker_has_to_go_higher(first: str) -> None:
    """B may call what stands above A's contract, and not its equal (omb.bid.07, .08, omb.con.13, .14, .19 to .21)."""
    match = dealt(swapped() if first == "grand-tourne" else PLAIN)
    bids(match, first)
    equal = next((couple for couple in EQUALS if first in couple), {first})
    higher = [contract for contract in ASCENDING[ASCENDING.index(first) + 1 :] if contract not in equal]
    assert offered(match, 1, "bid") == [*higher, "pass"]


@pytest.mark.parametrize("second", [contract for contract in ASCENDING[1:] if contract != "grand-tourne"])
def test_the_earlier_speaker_may_equal(second: str) -> None:
    """A may answer with the same contract or its equal, or raise (omb.bid.07, .08, omb.amb.23)."""
    match = dealt(PLAIN)
    bids(match, f"demande {second}")
    equal = next((couple for couple in EQUALS if second in couple), {second})
    open_now = {contract for contract in ASCENDING[ASCENDING.index(second) :] if contract != "grand-tourne"} | equal
    assert set(offered(match, 0, "bid")) == open_now | {"pass"}


def swapped() -> tuple[str, str, str]:
    """The plain deal with both black aces at seat 0."""
    return (PLAIN[1], PLAIN[0], PLAIN[2])


def test_third_player_calls_anything_after_two_passes() -> None:
    """With nobody to outbid the dealer takes any contract, jumps included, or passes (omb.bid.05, omb.amb.22)."""
    match = dealt(PLAIN)
    bids(match, "pass pass")
    assert offered(match, 2, "bid") == [*(c for c in ASCENDING if c != "grand-tourne"), "pass"]
    bids(match, "demande")
    assert (match.view(0)["man"], match.view(0)["phase"]) == (2, "choose")


def test_three_passes_count_as_a_deal() -> None:
    """Nobody plays or scores, the first in hand deals, and one deal fewer is left (omb.bid.06, omb.amb.29)."""
    match = dealt(PLAIN, accounts=(3, -1, 2))
    bids(match, "pass pass pass")
    assert figures(match) == ("passed-out", None, 0, None)
    assert match.legal(1) == {"next": [True]}
    assert match.act(1, NEXT)
    view = match.view(0)
    assert (view["deals"], view["dealer"], view["accounts"], view["calls"]) == (1, 0, [3, -1, 2], [])


@pytest.mark.parametrize("reading", ORACLE.READINGS[EDITION]["grand_tourne_bid_without_aces"])
def test_grand_tourne_without_both_aces(reading: str) -> None:
    """As a bluff grand tourné may be called under one reading only, and be outbid (omb.amb.18)."""
    allowed = reading == "allowed-as-bid"
    match = dealt(PLAIN, {"grand_tourne_bid_without_aces": reading})
    assert ("grand-tourne" in offered(match, 0, "bid")) == allowed
    assert match.act(0, {"bid": "grand-tourne"}) == allowed
    if allowed:
        bids(match, "sans-prendre pass pass")
        assert match.view(0)["man"] == 1


def test_grand_tourne_won_without_both_aces_is_remise() -> None:
    """A choice where the text is open: the contract cannot be played and costs its column C (omb.amb.18)."""
    match = dealt(PLAIN, {"grand_tourne_bid_without_aces": "allowed-as-bid"})
    bids(match, "grand-tourne pass pass")
    assert figures(match) == ("remise", None, -3, (-1, 0, 0))
    assert match.view(0)["won"] == [0, 0, 0]


def test_one_ace_is_not_enough_for_grand_tourne() -> None:
    """Espadille without baste does not do (omb.con.11)."""
    match = dealt((PLAIN[0].replace("5S", "AC"), PLAIN[1].replace("AC", "5S"), PLAIN[2]))
    assert "grand-tourne" not in offered(match, 0, "bid")
    bids(match, "pass")
    assert "grand-tourne" not in offered(match, 1, "bid")


# ------------------------------------------------------------- the contracts


def test_demande_leaves_four_contracts() -> None:
    """Any contract with discard but grand tourné, even with both aces (omb.con.02, omb.amb.07)."""
    match = dealt(swapped())
    bids(match, "demande pass pass")
    assert match.legal(0) == {"choose": ["demande", "demande-a-pique", "tourne", "nolo-en-demande"]}
    assert not match.act(0, {"choose": "grand-tourne"})
    assert not match.act(1, {"choose": "demande"})


def test_sans_prendre_leaves_two_contracts() -> None:
    """Sans prendre or sans prendre à pique, never a nolo (omb.con.15, omb.amb.07)."""
    match = dealt(PLAIN)
    bids(match, "sans-prendre pass pass")
    assert match.legal(0) == {"choose": ["sans-prendre", "sans-prendre-a-pique"]}


@pytest.mark.parametrize(
    ("bid", "phase"),
    [
        ("demande-a-pique", "discard"),
        ("tourne", "turn"),
        ("nolo-en-demande", "discard"),
        ("grand-tourne", "show"),
        ("sans-prendre-a-pique", "discard"),
        ("pur-nolo", "play"),
        ("nolo-ouvert", "play"),
    ],
)
def test_other_contracts_are_played_as_called(bid: str, phase: str) -> None:
    """Only demande and sans prendre leave a choice (omb.amb.07)."""
    match = dealt(swapped())
    bids(match, f"{bid} pass pass")
    assert (match.view(0)["contract"], match.view(0)["phase"]) == (bid, phase)


@pytest.mark.parametrize("reading", ORACLE.READINGS[EDITION]["demande_spades"])
def test_spades_under_demande(reading: str) -> None:
    """Spades may be named, may make it demande à pique, or may not be named (omb.amb.04)."""
    match = dealt(PLAIN, {"demande_spades": reading})
    bids(match, "demande pass pass")
    do(match, {"choose": "demande"})
    suits = offered(match, 0, "declare")
    if reading == "forbidden":
        assert suits == ["H", "D", "C"]
        assert not match.act(0, {"declare": "S"})
        return
    assert suits == ["S", "H", "D", "C"]
    do(match, {"declare": "S"})
    contract = "demande" if reading == "allowed" else "demande-a-pique"
    assert (match.view(1)["trump"], match.view(1)["contract"]) == ("S", contract)


@pytest.mark.parametrize("reading", ORACLE.READINGS[EDITION]["demande_spades"])
def test_another_suit_under_demande_stays_demande(reading: str) -> None:
    """Naming hearts changes nothing about the contract (omb.con.03)."""
    match = dealt(PLAIN, {"demande_spades": reading})
    contracted(match, "demande", "H")
    assert (match.view(1)["trump"], match.view(1)["contract"]) == ("H", "demande")


@pytest.mark.parametrize("reading", ORACLE.READINGS[EDITION]["demande_spades"])
def test_sans_prendre_is_never_in_spades(reading: str) -> None:
    """Who keeps sans prendre names another suit, however demande is read (omb.con.15)."""
    match = dealt(PLAIN, {"demande_spades": reading})
    bids(match, "sans-prendre pass pass")
    do(match, {"choose": "sans-prendre"})
    assert offered(match, 0, "declare") == ["H", "D", "C"]
    assert not match.act(0, {"declare": "S"})


def test_a_pique_contracts_have_spades_for_trump() -> None:
    """No suit is named in the contracts in spades (omb.con.06, .16)."""
    for contract in ("demande-a-pique", "sans-prendre-a-pique"):
        match = dealt(PLAIN)
        contracted(match, contract)
        assert match.view(2)["trump"] == "S"


@pytest.mark.parametrize("contract", ["nolo-en-demande", "pur-nolo", "nolo-ouvert"])
def test_nolo_has_no_trump(contract: str) -> None:
    """Without trump everybody's cards keep to their suits (omb.con.09, .17, .18)."""
    match = dealt(PLAIN)
    contracted(match, contract)
    assert match.view(1)["trump"] is None


@pytest.mark.parametrize(("card", "trump"), [("4D", "D"), ("AS", "S"), ("AC", "C")])
def test_turned_card_makes_trump(card: str, trump: str) -> None:
    """The suit of the turned card, of a black ace too, is trump; all see it (omb.con.07, omb.amb.17)."""
    hands = ("KS QS JS 7S 6S 5S KD QD JD", "KH QH JH AH 4H 3H 2H 7D 6D", PLAIN[2])
    match = dealt(hands, stock=card)
    contracted(match, "tourne")
    assert match.view(1)["turnup"] is None
    do(match, TURN)
    assert [match.view(seat)["trump"] for seat in range(3)] == [trump] * 3
    assert match.view(2)["turnup"] == {"card": card, "exposed": True}
    assert match.view(2)["stock"] == 13


def test_two_discards_bring_the_turned_card_and_one_more() -> None:
    """The turned card counts within the two that have to go (omb.con.08, omb.amb.16)."""
    match = dealt(PLAIN, stock="4D 2C 3C")
    contracted(match, "tourne")
    do(match, TURN)
    assert match.legal(0)["discard"] == {"from": PLAIN[0].split(), "min": 2, "max": 9}
    assert not match.act(0, {"discard": ["KD"]})
    do(match, {"discard": ["KD", "QD"]})
    view = match.view(0)
    assert view["hand"] == ["KS", "QS", "JS", "7S", "6S", "5S", "JD", "4D", "2C"]
    assert (view["turnup"], view["stock"]) == ({"card": "4D", "exposed": False}, 11)


def test_grand_tourne_shows_both_aces_first() -> None:
    """The stock is turned after espadille and baste have been shown to all (omb.con.11, omb.amb.18)."""
    match = dealt(swapped(), stock="4D 2C 3C")
    bids(match, "grand-tourne pass pass")
    assert not match.act(0, TURN)
    assert match.legal(0) == {"show": ["AS", "AC"]}
    assert not match.act(0, {"show": "KH"})
    do(match, {"show": "AC"})
    assert match.view(1)["shown"] == ["AC"]
    assert not match.act(0, {"show": "AC"})
    assert not match.act(0, TURN)
    do(match, {"show": "AS"})
    assert match.view(2)["shown"] == ["AS", "AC"]
    do(match, TURN)
    assert match.view(2)["trump"] == "D"
    assert match.legal(0)["discard"]["min"] == 2


def test_shown_aces_may_be_discarded() -> None:
    """A choice where the text is silent: any two cards or more go (omb.amb.31)."""
    match = dealt(swapped(), stock="4D 2C 3C")
    bids(match, "grand-tourne pass pass")
    do(match, {"show": "AS"}, {"show": "AC"}, TURN, {"discard": ["AS", "AC"]})
    assert "AS" not in match.view(0)["hand"]


@pytest.mark.parametrize("contract", ["demande", "demande-a-pique", "nolo-en-demande"])
def test_the_hombre_discards_one_to_nine(contract: str) -> None:
    """He has to discard, all his cards if he likes, and draws as many (omb.con.03, .06, .09)."""
    match = dealt(PLAIN)
    contracted(match, contract, "D")
    assert match.legal(0)["discard"] == {"from": PLAIN[0].split(), "min": 1, "max": 9}
    assert not match.act(0, {"discard": []})
    assert not match.act(0, {"discard": ["AH"]})
    assert not match.act(0, {"discard": ["KS", "KS"]})
    assert not match.act(1, {"discard": []})
    do(match, {"discard": PLAIN[0].split()})
    assert set(match.view(0)["hand"]).isdisjoint(PLAIN[0].split())
    assert (match.view(1)["discards"], match.view(1)["stock"], match.view(1)["hands"]) == ([9, None, None], 4, [9] * 3)


def test_the_right_neighbour_discards_before_the_last() -> None:
    """With seat 1 hombre, seat 2 draws from the top before seat 0, each with its number public (omb.con.04, .05)."""
    match = dealt(PLAIN, stock="7D 6D 5D 4D 3D 2D 4C 3C 2C 4S 3S 2S AD")
    bids(match, "pass demande pass")
    do(match, {"choose": "demande"}, {"declare": "H"}, {"discard": ["AH"]})
    assert turn(match) == 2
    do(match, {"discard": ["KC", "QC"]})
    assert turn(match) == 0
    do(match, {"discard": ["KS", "QS", "JS"]})
    assert {"6D", "5D"} <= set(match.view(2)["hand"])
    assert {"4D", "3D", "2D"} <= set(match.view(0)["hand"])
    assert (match.view(1)["discards"], match.view(1)["stock"]) == ([3, 1, 2], 7)


def test_four_cards_left_go_to_the_right_neighbour() -> None:
    """He may take all four, and the last player is left out (omb.amb.14)."""
    match = dealt(PLAIN)
    contracted(match, "demande", "H")
    do(match, {"discard": PLAIN[0].split()})
    assert match.legal(1)["discard"] == {"from": PLAIN[1].split(), "min": 0, "max": 4} | {
        "from": match.view(1)["hand"],
    }
    do(match, {"discard": match.view(1)["hand"][:4]})
    view = match.view(2)
    assert (view["phase"], view["discards"], view["stock"]) == ("play", [9, 4, None], 0)


def test_the_last_player_has_what_remains() -> None:
    """One card left in the stock lets the last player change one, or none (omb.con.04, omb.amb.14)."""
    match = dealt(PLAIN)
    contracted(match, "demande", "H")
    do(match, {"discard": PLAIN[0].split()}, {"discard": ["AS", "AC", "KH"]})
    assert (match.legal(2)["discard"]["min"], match.legal(2)["discard"]["max"]) == (0, 1)
    do(match, {"discard": []})
    assert match.view(0)["discards"] == [9, 3, 0]


def test_the_hombre_keeps_his_cards_under_sans_prendre() -> None:
    """The other two share thirteen cards: nine and four (omb.con.15, omb.amb.14)."""
    match = dealt(PLAIN)
    contracted(match, "sans-prendre", "H")
    assert turn(match) == 1
    assert match.legal(1)["discard"]["max"] == 9
    do(match, {"discard": match.view(1)["hand"]})
    assert match.legal(2)["discard"]["max"] == 4
    do(match, {"discard": []})
    assert (match.view(0)["phase"], match.view(0)["discards"]) == ("play", [None, 9, 0])


def test_the_others_keep_their_cards_in_a_nolo_with_discard() -> None:
    """Play begins right after the hombre's draw (omb.con.09)."""
    match = dealt(PLAIN)
    contracted(match, "nolo-en-demande")
    do(match, {"discard": ["KS"]})
    assert (match.view(0)["phase"], match.view(0)["discards"]) == ("play", [1, None, None])
    assert not match.act(1, {"discard": []})


def test_discards_and_stock_are_secret() -> None:
    """What lies in the stock or was thrown away stands in no view, not in that of the player himself (omb.amb.15)."""
    match = dealt(PLAIN)
    contracted(match, "demande", "H")
    do(match, {"discard": ["KS", "QS"]}, {"discard": ["2H"]}, {"discard": []})
    hidden = {"KS", "QS", "2H"} | set(match.stock)
    assert all(hidden.isdisjoint(cards_in(match.view(seat))) for seat in range(3))


@pytest.mark.parametrize(
    ("reading", "before", "after_card", "after_trick"),
    [
        ("before-first-lead", True, True, True),
        ("after-first-card", False, True, True),
        ("after-first-trick", False, False, True),
    ],
)
def test_open_nolo_exposes_the_hand(reading: str, before: bool, after_card: bool, after_trick: bool) -> None:
    """Before the lead, after its first card, or after the first trick, and what is left of it (omb.amb.19)."""
    match = played(NO_TRICK, {"open_nolo_exposure": reading}, "nolo-ouvert", tricks=0)
    hand = match.view(0)["hand"]
    assert match.view(1)["open"] == (hand if before else None)
    do(match, {"play": "7H"})
    assert match.view(1)["open"] == (match.view(0)["hand"] if after_card else None)
    do(match, {"play": "KH"}, {"play": "QH"})
    assert match.view(2)["open"] == (match.view(0)["hand"] if after_trick else None)


def test_open_nolo_waits_for_the_first_card_whoever_plays_it() -> None:
    """With the dealer as hombre the lead of another exposes his hand (omb.amb.19)."""
    match = dealt(PLAIN, {"open_nolo_exposure": "after-first-card"})
    bids(match, "pass pass nolo-ouvert")
    assert match.view(0)["open"] is None
    do(match, {"play": "KS"})
    assert match.view(0)["open"] == match.view(2)["hand"]


def test_pure_nolo_exposes_nothing() -> None:
    """Only the open nolo is played with a hand on the table (omb.con.17, .18)."""
    match = played(NO_TRICK, contract="pur-nolo", tricks=1)
    assert match.view(1)["open"] is None


# -------------------------------------------------------------------- orders


def first_trick(trump: str | None, lead: str, held: str, second: str = "") -> set[str] | str:
    """What the next player may lay on these cards, holding these and plain cards besides; `any` if everything."""
    table = [lead, *second.split()]
    asked = len(table)
    spoken = {card[1] for card in [*table, *held.split()]}
    idle = [suit for suit in "DCHS" if suit != trump and suit not in spoken]
    fill = [card for suit in idle for card in PACK if card[1] == suit and card not in ("AS", "AC")]
    hands = [[card] for card in table] + [[] for _ in range(3 - asked)]
    hands[asked] = held.split()
    hands[asked] += fill[: 9 - len(hands[asked])]
    rest = [card for card in reversed(PACK) if all(card not in hand for hand in hands)]
    if second and trump is not None:
        rest.sort(key=lambda card: card[1] in (trump, lead[1]) or card in ("AS", "AC"))
    for hand in reversed(hands):
        while len(hand) < 9:
            hand.append(rest.pop(0))
    match = dealt([" ".join(hand) for hand in hands])
    if trump is None:
        contracted(match, "pur-nolo")
    elif trump == "S":
        contracted(match, "sans-prendre-a-pique")
    else:
        contracted(match, "sans-prendre", trump)
    stand(match)
    for card in table:
        do(match, {"play": card})
    allowed = set(offered(match, asked, "play"))
    return "any" if allowed == set(hands[asked]) else allowed


def cards(text: str) -> set[str]:
    """A set of cards."""
    return set(text.split())


@pytest.mark.parametrize(
    ("lead", "held", "allowed"),
    [
        ("3H", "5H", "5H"),
        ("3H", "5H AS", "5H AS"),
        ("3H", "5H 7H AC", "5H 7H AC"),
        ("3H", "AH", "AH"),
        ("AH", "KH AC", "KH AC"),
        ("3H", "AS", "any"),
        ("3H", "7H", "any"),
        ("3H", "AC", "any"),
        ("3H", "AS 7H AC", "any"),
        ("3H", "", "any"),
        ("AC", "AS", "any"),
        ("AC", "7H", "any"),
        ("AC", "AS 7H", "any"),
        ("AC", "4H AS", "4H AS"),
        ("AS", "7H", "7H"),
        ("AS", "AC", "AC"),
        ("AS", "7H AC", "7H AC"),
        ("AS", "4H 7H AC", "4H 7H AC"),
        ("AS", "4H AC", "4H AC"),
        ("AS", "", "any"),
        ("7H", "AS", "any"),
        ("7H", "AC", "AC"),
        ("7H", "AS AC", "AS AC"),
        ("7H", "4H AC", "4H AC"),
    ],
)
def test_matadors_on_a_trump_lead(lead: str, held: str, allowed: str) -> None:
    """A matador is forced by a stronger one led if no other trump is held (omb.mat.*, omb.clm.11, omb.amb.24)."""
    assert first_trick("H", lead, held) == ("any" if allowed == "any" else cards(allowed))


@pytest.mark.parametrize(
    ("lead", "held", "allowed"),
    [("2S", "AS AC", "AS AC"), ("2S", "AS", "any"), ("KS", "2S", "any"), ("AS", "2S", "2S"), ("3S", "KS", "KS")],
)
def test_matadors_with_a_black_trump(lead: str, held: str, allowed: str) -> None:
    """The two of spades is manille; led against the aces and plain cards alone it takes one of them (omb.ex.05)."""
    assert first_trick("S", lead, held) == ("any" if allowed == "any" else cards(allowed))


@pytest.mark.parametrize(
    ("lead", "second", "held"), [("3H", "AS", "7H AC"), ("AC", "AS", "7H"), ("KD", "7H", "AC"), ("KD", "AS", "7H AC")]
)
def test_a_matador_of_the_second_player_forces_nobody(lead: str, second: str, held: str) -> None:
    """Only the card led forces (omb.mat.06, omb.amb.25)."""
    plain = ["6C", "5C", "4C", "3C", "2C", "KS", "QS", "JS"]
    assert first_trick("H", lead, " ".join([held, *plain[: 9 - len(held.split())]]), second) == "any"


@pytest.mark.parametrize(
    ("trump", "lead", "held", "allowed"),
    [
        ("H", "KD", "QD 2D AS", "QD 2D"),
        ("H", "KD", "AH 3H AS 2S", "any"),
        ("H", "KC", "AC 3H", "any"),
        ("H", "KC", "AC 2C 3H", "2C"),
        ("H", "KS", "AS 3H 2C", "any"),
        ("D", "KH", "AH 2H 7D", "AH 2H"),
        (None, "KS", "AS 7H", "AS"),
        (None, "KC", "AC 2C 7H", "AC 2C"),
        (None, "AS", "3S AC", "3S"),
        (None, "7H", "AS AC", "any"),
    ],
)
def test_following_a_plain_suit(trump: str | None, lead: str, held: str, allowed: str) -> None:
    """Suit is followed, nobody has to ruff; black aces follow in nolo alone (omb.play.*, omb.amb.26, .27)."""
    assert first_trick(trump, lead, held) == ("any" if allowed == "any" else cards(allowed))


def test_nobody_has_to_play_higher() -> None:
    """Holding king and four of trump, the queen led may be answered with either (omb.play.03)."""
    assert first_trick("H", "QH", "KH 4H") == {"KH", "4H"}


@pytest.mark.parametrize(("suit", "written"), [("H", RED_TRUMPS), ("S", BLACK_TRUMPS)])
def test_trumps_from_the_top(suit: str, written: str) -> None:
    """Twelve red trumps and eleven black ones, each taken by the one before it (omb.ex.07, omb.clm.02)."""
    order = written.split()
    for high, low in pairwise(order):
        match = dealt(pair(high, low, suit))
        contracted(match, "sans-prendre" if suit != "S" else "sans-prendre-a-pique", suit)
        stand(match)
        do(match, {"play": low}, {"play": high}, {"play": match.view(2)["hand"][0]})
        assert match.view(0)["won"] == [0, 1, 0], (high, low)
    assert len(order) == (12 if suit == "H" else 11)


@pytest.mark.parametrize(
    ("contract", "trump", "order"),
    [
        ("sans-prendre", "C", "KH QH JH AH 2H 3H 4H 5H 6H 7H"),
        ("sans-prendre", "H", "KS QS JS 7S 6S 5S 4S 3S 2S"),
        ("pur-nolo", None, "KD QD JD AD 2D 3D 4D 5D 6D 7D"),
        ("pur-nolo", None, "KC QC JC 7C 6C 5C 4C 3C 2C AC"),
    ],
)
def test_plain_cards_from_the_top(contract: str, trump: str | None, order: str) -> None:
    """Red small cards run upside down, the red ace follows the jack, black aces are last (omb.rank.01, .02, .10)."""
    suit = order.split()
    for high, low in pairwise(suit):
        match = dealt(pair(high, low, trump))
        contracted(match, contract, trump)
        stand(match)
        do(match, {"play": low}, {"play": high}, {"play": match.view(2)["hand"][0]})
        assert match.view(0)["won"] == [0, 1, 0], (high, low)


def pair(high: str, low: str, trump: str | None) -> tuple[str, str, str]:
    """Hands in which seat 0 holds one card, seat 1 the other, and seat 2 none that could take or ruff them."""
    suit = next(card[1] for card in (low, high) if trump is None or card not in ("AS", "AC"))
    idle = [card for card in PACK if card not in (high, low, "AS", "AC") and card[1] != suit]
    idle.sort(key=lambda card: card[1] == trump)
    return (" ".join([low, *idle[9:17]]), " ".join([high, *idle[17:25]]), " ".join(idle[:9]))


def test_a_ruff_takes_the_trick() -> None:
    """The lowest trump beats the king led (omb.trick.01)."""
    match = played(LATE_FIFTH, tricks=2)
    assert match.view(0)["won"] == [1, 1, 0]
    assert match.view(0)["leader"] == 0


def test_a_card_of_another_suit_takes_nothing() -> None:
    """A discarded king does not win (omb.trick.01)."""
    match = played(FIVE_FOUR_NONE, tricks=4)
    assert match.view(0)["won"] == [0, 4, 0]


def test_the_winner_of_a_trick_leads() -> None:
    """Seat 1 takes the first trick and leads to the second (omb.trick.02)."""
    match = played(FIVE_FOUR_NONE, tricks=1)
    assert (match.view(0)["leader"], turn(match)) == (1, 1)
    assert not match.act(0, {"play": "4D"})


@pytest.mark.parametrize("calls", ["pass pur-nolo pass", "pass pass nolo-ouvert", "pass pass sans-prendre-a-pique"])
def test_the_first_in_hand_leads_whoever_is_hombre(calls: str) -> None:
    """The dealer's right neighbour leads in every contract (omb.amb.21)."""
    match = dealt(PLAIN)
    bids(match, calls)
    stand(match)
    assert (match.view(0)["leader"], turn(match)) == (0, 0)


def test_tricks_are_shown_on_turn_only() -> None:
    """Who is to play may look through all tricks, the others may not (omb.look.01)."""
    match = played(FOUR_THREE_TWO, tricks=2)
    assert match.view(0)["tricks"] == [
        {"seat": 0, "cards": ["KH", "7H", "6H"]},
        {"seat": 0, "cards": ["QH", "5H", "4H"]},
    ]
    assert "tricks" not in match.view(1)
    do(match, {"play": "JH"})
    assert "tricks" in match.view(1)
    assert "tricks" not in match.view(0)


# -------------------------------------------------------------------- results


@pytest.mark.parametrize(
    ("rows", "won", "found"),
    [
        (FOUR_THREE_TWO, [4, 3, 2], ("won", None, 4, (1, 0, 0))),
        (FOUR_FOUR_ONE, [4, 4, 1], ("remise", None, -4, (-1, 0, 0))),
        (THREE_EACH, [3, 3, 3], ("remise", None, -4, (-1, 0, 0))),
        (FOUR_FIVE_NONE, [4, 5, 0], ("codille", None, -5, (0, -1, 0))),
        (FIVE_FOUR_NONE, [5, 4, 0], ("won", None, 4, (1, 0, 0))),
    ],
)
def test_most_tricks_win(rows: Sequence[str], won: list[int], found: tuple[Any, ...]) -> None:
    """Strictly most, as many as the better opponent, or fewer: won, remise, codille (omb.ex.06, omb.amb.10)."""
    match = played(rows)
    assert match.view(0)["won"] == won
    assert figures(match) == found


def test_codille_by_the_third_player() -> None:
    """An opponent needs more than the hombre alone, the two do not add (omb.res.03, omb.role.02)."""
    match = dealt(columns(FOUR_FIVE_NONE))
    bids(match, "pass pass sans-prendre-a-pique")
    stand(match)
    play(match, FOUR_FIVE_NONE)
    assert figures(match) == ("codille", None, -5, (0, -1, 0))
    assert match.score()["points"] == [0, 0, -5]


def test_four_tricks_are_played_to_the_end() -> None:
    """After eight tricks 4-3-1 is still open (omb.amb.10)."""
    match = played(FOUR_THREE_TWO, tricks=8)
    assert match.view(0)["won"] == [4, 3, 1]
    assert (match.view(0)["phase"], match.score()["result"]) == ("play", None)


def test_five_straight_tricks_do_not_end_the_deal() -> None:
    """A program that stops by itself takes the vole away (omb.amb.08, omb.amb.09)."""
    match = played(ALL_NINE, tricks=5)
    assert match.view(0)["phase"] == "play"
    assert set(match.legal(0)) == {"play", "rest"}
    assert "rest" not in match.legal(1)
    assert not match.act(1, REST)


def test_resting_after_five_tricks_wins() -> None:
    """Whoever has five may leave it at that (omb.vole.01)."""
    match = played(ALL_NINE, tricks=5)
    assert match.act(0, REST)
    assert figures(match) == ("won", None, 4, (1, 0, 0))
    assert match.view(0)["won"] == [5, 0, 0]


def test_resting_needs_five_tricks() -> None:
    """With four the deal goes on (omb.vole.01)."""
    assert not played(ALL_NINE, tricks=4).act(0, REST)


@pytest.mark.parametrize("reading", ORACLE.READINGS[EDITION]["late_fifth_trick"])
def test_a_sixth_card_engages(reading: str) -> None:
    """The lead to trick 6 after five straight ones goes for the vole and cannot be taken back (omb.vole.02)."""
    match = played(ALL_NINE, {"late_fifth_trick": reading}, tricks=5)
    assert not match.view(1)["vole"]
    do(match, {"play": "JS"})
    assert match.view(1)["vole"]
    assert not match.act(0, REST)
    do(match, {"play": "2D"}, {"play": "3D"})
    assert not match.act(0, REST)


def test_nine_tricks_bring_one_point_more() -> None:
    """The vole made (omb.vole.03)."""
    assert figures(played(ALL_NINE)) == ("won", "made", 5, (1, 0, 1))


def test_a_missed_vole_costs_one_point() -> None:
    """The win stays, less one point (omb.vole.03, omb.amb.11)."""
    assert figures(played(EIGHT)) == ("won", "missed", 3, (1, 0, -1))


def test_a_missed_vole_in_demande_is_worth_nothing() -> None:
    """One point won and one lost: 0 in the union's figures (omb.amb.11)."""
    hands = columns(EIGHT)
    match = dealt([hands[0].replace("KH", "3H"), *hands[1:]], stock="KH")
    contracted(match, "demande-a-pique")
    do(match, {"discard": ["3H"]})
    stand(match)
    play(match, EIGHT)
    assert figures(match) == ("won", "missed", 0, (1, 0, -1))


@pytest.mark.parametrize(
    ("reading", "found"),
    [("no-engagement", ("won", None, 4, (1, 0, 0))), ("engages", ("won", "missed", 3, (1, 0, -1)))],
)
def test_a_late_fifth_trick(reading: str, found: tuple[Any, ...]) -> None:
    """After a lost trick playing on engages under one reading only (omb.amb.08)."""
    match = played(LATE_FIFTH, {"late_fifth_trick": reading}, tricks=6)
    assert match.view(0)["won"] == [5, 1, 0]
    do(match, {"play": "QS"})
    assert match.view(0)["vole"] == (reading == "engages")
    do(match, {"play": "2D"}, {"play": "3D"})
    play(match, LATE_FIFTH[7:])
    assert match.view(0)["won"] == [8, 1, 0]
    assert figures(match) == found


@pytest.mark.parametrize("reading", ORACLE.READINGS[EDITION]["late_fifth_trick"])
def test_resting_after_a_late_fifth_trick(reading: str) -> None:
    """A choice where the text is open: he may stop before he plays on, and loses nothing (omb.amb.08)."""
    match = played(LATE_FIFTH, {"late_fifth_trick": reading}, tricks=6)
    assert match.act(0, REST)
    assert figures(match) == ("won", None, 4, (1, 0, 0))


@pytest.mark.parametrize("reading", ORACLE.READINGS[EDITION]["late_fifth_trick"])
def test_a_fifth_trick_that_is_the_ninth_engages_to_nothing(reading: str) -> None:
    """There is no card left to play (omb.amb.08)."""
    assert figures(played(FIVE_FOUR_NONE, {"late_fifth_trick": reading})) == ("won", None, 4, (1, 0, 0))


@pytest.mark.parametrize(
    ("contract", "rows", "found"),
    [
        ("pur-nolo", NO_TRICK, ("won", None, 4, (1, 0, 0))),
        ("pur-nolo", ONE_TRICK, ("remise", None, -4, (-1, 0, 0))),
        ("nolo-ouvert", NO_TRICK, ("won", None, 6, (1, 0, 0))),
        ("nolo-ouvert", ONE_TRICK, ("remise", None, -6, (-1, 0, 0))),
    ],
)
def test_a_nolo_counts_the_hombres_tricks(contract: str, rows: Sequence[str], found: tuple[Any, ...]) -> None:
    """None wins, one is remise (omb.con.10)."""
    assert figures(played(rows, contract=contract)) == found


@pytest.mark.parametrize(("contract", "points"), [("pur-nolo", -5), ("nolo-ouvert", -7)])
def test_the_second_trick_of_a_nolo_is_codille_at_once(contract: str, points: int) -> None:
    """Two tricks taken, the nolo is lost (omb.con.10, omb.amb.20)."""
    match = played(TWO_TRICKS, contract=contract, tricks=2)
    assert figures(match) == ("codille", None, points, (0, -1, 0))
    assert match.view(0)["phase"] == "result"


def test_a_trick_of_an_opponent_does_not_lose_a_nolo() -> None:
    """The others' tricks are as they should be (omb.con.10)."""
    match = played(NO_TRICK, contract="pur-nolo", tricks=8)
    assert match.view(0)["won"] == [0, 8, 0]
    assert match.score()["result"] is None


def test_nolo_with_discard_after_one_card() -> None:
    """Played with one card changed, nine tricks lost: won, two points (omb.con.09, .10)."""
    hands = columns(NO_TRICK)
    match = dealt([hands[0].replace("5D", "3C"), *hands[1:]], stock="5D")
    contracted(match, "nolo-en-demande")
    do(match, {"discard": ["3C"]})
    play(match, NO_TRICK)
    assert figures(match) == ("won", None, 2, (1, 0, 0))


# ------------------------------------------------------------------ surrender


def test_surrender_right_after_the_draw() -> None:
    """While the others still discard the hombre may give up: remise (omb.con.12, omb.amb.12)."""
    match = dealt(PLAIN)
    contracted(match, "demande", "H")
    assert not match.act(0, SURRENDER)
    do(match, {"discard": ["KD"]})
    assert match.act(0, SURRENDER)
    assert figures(match) == ("surrendered", None, -1, (-1, 0, 0))


@pytest.mark.parametrize("phase", ["bid", "choose", "declare"])
def test_surrender_before_discarding_is_refused(phase: str) -> None:
    """It comes after discard and draw (omb.con.22)."""
    match = dealt(PLAIN)
    if phase != "bid":
        bids(match, "demande pass pass")
    if phase == "declare":
        do(match, {"choose": "demande"})
    assert match.view(0)["phase"] == phase
    assert not match.act(0, SURRENDER)


def test_surrender_on_the_turn_to_play_after_the_others_led() -> None:
    """Last to play to the first trick, he may still give up before his card, not after it (omb.amb.12)."""
    match = dealt(PLAIN)
    bids(match, "pass pass demande-a-pique")
    do(match, {"discard": ["7H"]}, {"discard": []}, {"discard": []})
    do(match, {"play": "KD"}, {"play": "KH"})
    assert turn(match) == 2
    assert set(match.legal(2)) == {"play", "surrender"}
    assert not match.act(0, SURRENDER)
    assert match.act(2, SURRENDER)
    assert figures(match) == ("surrendered", None, -1, (-1, 0, 0))


def test_surrender_off_turn_before_the_first_card() -> None:
    """A choice where the text is open: any moment between draw and first card will do (omb.amb.12)."""
    match = dealt(PLAIN)
    bids(match, "pass pass demande-a-pique")
    do(match, {"discard": ["7H"]}, {"discard": []}, {"discard": []}, {"play": "KD"})
    assert turn(match) == 1
    assert match.act(2, SURRENDER)


def test_surrender_after_the_first_card_is_refused() -> None:
    """His first card binds him (omb.con.12)."""
    match = dealt(PLAIN)
    contracted(match, "demande", "H")
    do(match, {"discard": ["KD"]}, {"discard": []}, {"discard": []}, {"play": "KS"})
    assert not match.act(0, SURRENDER)


@pytest.mark.parametrize("contract", ["nolo-en-demande", "sans-prendre-a-pique", "pur-nolo", "nolo-ouvert"])
def test_some_contracts_cannot_be_surrendered(contract: str) -> None:
    """Contracts without discard and the nolos have to be played (omb.con.12, omb.amb.13)."""
    match = dealt(PLAIN)
    contracted(match, contract)
    assert not match.act(0, SURRENDER)
    while match.view(0)["phase"] == "discard":
        do(match, {"discard": [match.view(turn(match))["hand"][0]]})
    assert match.view(0)["phase"] == "play"
    assert not match.act(0, SURRENDER)


@pytest.mark.parametrize("contract", ["tourne", "grand-tourne"])
def test_tourne_can_be_surrendered(contract: str) -> None:
    """Both turning contracts discard and can be given up for their column C (omb.con.12)."""
    match = dealt(swapped(), stock="4D")
    bids(match, f"{contract} pass pass")
    if contract == "grand-tourne":
        do(match, {"show": "AS"}, {"show": "AC"})
    do(match, TURN, {"discard": ["2H", "3H"]})
    assert match.act(0, SURRENDER)
    assert figures(match)[2] == -POINTS[contract][0]


# --------------------------------------------------------------------- points


def judged(contract: str, *won: int) -> Any:
    """A match in which seat 0 is hombre and the tricks have fallen like this."""
    match = dealt(swapped(), stock="4D")
    contracted(match, contract, "H")
    if contract == "grand-tourne":
        do(match, {"show": "AS"}, {"show": "AC"})
    if match.view(0)["phase"] == "turn":
        do(match, TURN)
    while match.view(0)["phase"] == "discard":
        offer = match.legal(turn(match))["discard"]
        do(match, {"discard": offer["from"][: offer["min"]]})
    assert match.view(0)["phase"] == "play"
    match.finished = [(seat, ["", "", ""]) for seat, number in enumerate(won) for _ in range(number)]
    match.judge_trick()
    return match


@pytest.mark.parametrize("contract", ASCENDING)
def test_points_of_every_contract(contract: str) -> None:
    """Column C won or lost, column D lost, in the figures of the union (omb.res.*, omb.con.10, omb.clm.14)."""
    c, d = POINTS[contract]
    splits = [(0, 5, 4), (1, 4, 4), (2, 4, 3)] if "nolo" in contract else [(4, 3, 2), (4, 1, 4), (2, 3, 4)]
    assert [figures(judged(contract, *won)) for won in splits] == [
        ("won", None, c, (1, 0, 0)),
        ("remise", None, -c, (-1, 0, 0)),
        ("codille", None, -d, (0, -1, 0)),
    ]


def test_only_the_hombres_account_moves() -> None:
    """His points are added to what stands written (omb.score.01)."""
    match = played(FOUR_THREE_TWO, accounts=(7, -2, 5))
    score = match.score()
    assert (score["before"], score["accounts"], score["points"]) == ([7, -2, 5], [11, -2, 5], [4, 0, 0])
    assert match.act(2, NEXT)
    assert match.view(1)["accounts"] == [11, -2, 5]
    after = match.score()
    assert (after["before"], after["accounts"], after["points"]) == ([11, -2, 5], [11, -2, 5], [0, 0, 0])
    assert (after["result"], after["symbol"], after["worth"], after["deals"]) == (None, None, 0, 1)


def test_without_figures_the_symbol_remains() -> None:
    """The source's own table is lost: read so, accounts stand still and C, D and 1 tell the result (omb.amb.02)."""
    match = played(ALL_NINE, {"contract_points": "symbolic-only"}, accounts=(7, -2, 5))
    assert figures(match) == ("won", "made", 0, (1, 0, 1))
    assert match.act(0, NEXT)
    assert match.view(0)["accounts"] == [7, -2, 5]


@pytest.mark.parametrize(
    ("reading", "contract", "worth"), [("as-chosen", "sans-prendre-a-pique", 4), ("as-bid", "sans-prendre", 3)]
)
def test_spades_chosen_after_sans_prendre(reading: str, contract: str, worth: int) -> None:
    """Scored as chosen or as bid (omb.amb.05)."""
    match = dealt(columns(FOUR_THREE_TWO), {"score_contract": reading})
    bids(match, "sans-prendre pass pass")
    do(match, {"choose": "sans-prendre-a-pique"}, {"discard": []}, {"discard": []})
    play(match, FOUR_THREE_TWO)
    assert (match.score()["contract"], match.score()["worth"]) == (contract, worth)


@pytest.mark.parametrize(("reading", "worth"), [("as-chosen", -2), ("as-bid", -1)])
def test_tourne_chosen_after_demande(reading: str, worth: int) -> None:
    """Scored as chosen or as bid, when it is given up too (omb.amb.06)."""
    match = dealt(PLAIN, {"score_contract": reading}, stock="4D 2C 3C")
    bids(match, "demande pass pass")
    do(match, {"choose": "tourne"}, TURN, {"discard": ["KD", "QD"]})
    assert match.act(0, SURRENDER)
    assert match.score()["worth"] == worth


@pytest.mark.parametrize(
    ("spades", "score", "contract"),
    [
        ("allowed", "as-chosen", "demande"),
        ("becomes-demande-a-pique", "as-chosen", "demande-a-pique"),
        ("becomes-demande-a-pique", "as-bid", "demande"),
    ],
)
def test_spades_named_after_demande_are_scored(spades: str, score: str, contract: str) -> None:
    """A demande that became demande à pique counts as such unless the bid counts (omb.amb.04, .06)."""
    match = dealt(PLAIN, {"demande_spades": spades, "score_contract": score})
    contracted(match, "demande", "S")
    do(match, {"discard": ["KD"]})
    assert match.act(0, SURRENDER)
    assert match.score()["contract"] == contract


# -------------------------------------------------------- deals and the match


def test_the_first_in_hand_deals_next() -> None:
    """Nobody deals twice running (omb.dealer.02)."""
    match = played(FOUR_THREE_TWO)
    assert match.act(0, NEXT)
    assert (match.view(0)["dealer"], match.view(0)["phase"], match.view(0)["hands"]) == (0, "deal", [0, 0, 0])


@pytest.mark.parametrize(("setup", "last", "dealer"), [("3", 29, 2), ("4", 39, 3)])
def test_the_match_ends_after_thirty_or_forty_deals(setup: str, last: int, dealer: int) -> None:
    """A passed-out deal may be the last (omb.match.01, omb.four.04, omb.bid.06)."""
    for deals, over in ((last - 1, False), (last, True)):
        match = open_match(setup=setup, dealer=dealer, deals=deals)
        assert match.act(dealer, {"deal": {"deck": PACK, "packets": [3, 3, 3]}})
        bids(match, "pass pass pass")
        assert not match.over
        assert match.act(0, NEXT)
        assert (match.over, match.score()["over"], match.score()["deals"]) == (over, over, deals + 1)
        assert match.view(0)["phase"] == ("over" if over else "deal")
        assert all(match.legal(seat) == {} for seat in range(int(setup))) == over


@pytest.mark.parametrize(
    ("dealer", "out", "order"), [(0, 2, [1, 3, 0]), (1, 3, [2, 0, 1]), (2, 0, [3, 1, 2]), (3, 1, [0, 2, 3])]
)
def test_with_four_the_seat_opposite_the_dealer_sits_out(dealer: int, out: int, order: list[int]) -> None:
    """Three are dealt to and speak; the one who sits out has no cards and no say (omb.four.01, .05)."""
    match = open_match(setup="4", dealer=dealer)
    assert match.act(dealer, {"deal": {"deck": PACK, "packets": [3, 3, 3]}})
    assert match.view(out)["out"] == out
    assert (match.view(out)["hand"], match.view(out)["hands"][out]) == ([], 0)
    assert match.legal(out) == {}
    assert match.view(order[0])["hand"][:3] == ["AS", "KS", "QS"]
    bids(match, "pass pass pass")
    assert [call["seat"] for call in match.view(0)["calls"]] == order
    assert match.act(out, NEXT)
    assert match.view(0)["dealer"] == order[0]


def test_with_four_right_means_the_next_who_plays() -> None:
    """Dealer 0, hombre 1: seat 3 discards next, then seat 0, and the trick goes round 1, 3, 0 (omb.four.05)."""
    match = open_match(setup="4", dealer=0)
    assert match.act(0, {"deal": {"deck": PACK, "packets": [3, 3, 3]}})
    bids(match, "demande pass pass")
    do(match, {"choose": "demande"}, {"declare": "C"}, {"discard": ["2S"]})
    assert turn(match) == 3
    do(match, {"discard": []})
    assert turn(match) == 0
    assert not match.act(2, {"discard": []})
    do(match, {"discard": []}, {"play": "KS"})
    assert turn(match) == 3
    do(match, {"play": "JS"}, {"play": "5S"})
    assert match.view(2)["won"] == [0, 1, 0, 0]


def test_with_four_the_left_neighbour_cuts() -> None:
    """The dealer's left neighbour always plays (omb.deal.01, omb.four.01)."""
    match = open_match(setup="4", dealer=0)
    assert [seat for seat in range(4) if "cut" in match.legal(seat)] == [3]


def test_thirty_active_deals_each_of_four() -> None:
    """In forty passed-out deals everybody sits out ten times (omb.clm.04, omb.four.04)."""
    match = open_match(setup="4", dealer=0)
    out = []
    while not match.over:
        view = match.view(0)
        out.append(view["out"])
        assert match.act(view["dealer"], {"deal": {"deck": PACK, "packets": [3, 3, 3]}})
        bids(match, "pass pass pass")
        assert match.act(3, NEXT)
    assert [out.count(seat) for seat in range(4)] == [10] * 4


def test_every_split_of_nine_tricks_has_one_result() -> None:
    """Thirty splits: ten are won, two are remise, eighteen are codille (omb.clm.06)."""
    found = dict.fromkeys(("won", "remise", "codille"), 0)
    for mine, right in product(range(10), range(10)):
        left = 9 - mine - right
        if 0 <= left <= right:
            found[judged("sans-prendre-a-pique", mine, right, left).score()["result"]] += 1
            assert judged("sans-prendre-a-pique", mine, left, right).score()["result"] == result_of(mine, right, left)
    assert found == {"won": 10, "remise": 2, "codille": 18}


def result_of(mine: int, best: int, least: int) -> str:
    """The result by the lists of the text."""
    if mine >= 5 or (mine, best, least) == (4, 3, 2):
        return "won"
    return "remise" if (mine, best, least) in {(4, 4, 1), (3, 3, 3)} else "codille"


def test_refused_act_changes_nothing() -> None:
    """A revoke is refused and the table stays as it was."""
    match = played(FOUR_THREE_TWO, tricks=0)
    do(match, {"play": "KH"})
    before = [match.view(seat) for seat in range(3)]
    for act in (
        {"play": "KD"},
        {"play": "7C"},
        {"play": "XX"},
        {"bid": "pass"},
        {"next": True},
        {"play": "7H", "x": 1},
    ):
        assert not match.act(1, act)
    assert not match.act(3, {"play": "7H"})
    assert [match.view(seat) for seat in range(3)] == before


# ----------------------------------------------------------------- properties


def random_act(match: Any, dice: random.Random) -> tuple[int, dict[str, object]]:
    """Some act that is open to some seat; every other pack gives the first in hand the best hearts."""
    people = len(match.view(0)["hands"])
    choices = [(seat, name, offer) for seat in range(people) for name, offer in match.legal(seat).items()]
    early = [choice for choice in choices if choice[1] in ("surrender", "rest")]
    later = [choice for choice in choices if choice not in early]
    seat, name, offer = dice.choice(early if early and dice.random() < 0.1 else later)
    if name == "deal":
        deck = dice.sample(PACK, 40)
        if dice.random() < 0.5:
            for at, card in zip((0, 1, 2, 9, 10, 11, 18, 19, 20), RED_TRUMPS.split(), strict=False):
                other = deck.index(card)
                deck[at], deck[other] = deck[other], deck[at]
        return seat, {name: {"deck": deck, "packets": [3, 3, 3]}}
    if name == "cut":
        return seat, {name: dice.randint(1, 39)}
    if name == "discard":
        return seat, {name: dice.sample(offer["from"], dice.randint(offer["min"], offer["max"]))}
    if name == "bid":
        return seat, {name: dice.choice([*offer, "pass", "pass", "pass"])}
    if name == "declare" and "H" in offer:
        return seat, {name: "H"}
    return seat, {name: dice.choice(offer)}


def check_invariants(match: Any) -> None:
    """Nothing is lost, nothing leaks, and a hand has nine cards when play begins (H.6)."""
    view = match.view(0)
    people = len(view["hands"])
    zones = [*match.stock, *(card for hand in match.hands for card in hand), *(card for _, card in match.table)]
    zones += [card for _, trick in match.finished for card in trick]
    if view["phase"] not in ("draw", "deal", "over"):
        gone = sum(number or 0 for number in view["discards"])
        assert len(zones) == len(set(zones)) == 40 - gone
        away = set(PACK) - set(zones)
        for seat in range(people):
            seen = match.view(seat)
            public = {
                card for key in ("turnup", "shown", "open", "trick", "tricks") for card in cards_in(seen.get(key))
            }
            seen_cards = set(cards_in(seen)) - public
            assert seen_cards <= set(match.hands[seat])
            assert away.isdisjoint(seen_cards)
    if view["phase"] == "play":
        laid = {seat for seat, _ in match.table}
        done = sum(view["won"])
        active = [seat for seat in range(people) if seat != view["out"]]
        assert all(view["hands"][seat] == 9 - done - (seat in laid) for seat in active)
        assert match.legal(view["turn"])["play"]
    score = match.score()
    assert (score["result"] is not None) == (view["phase"] == "result")
    assert all(change == 0 for seat, change in enumerate(score["points"]) if seat != score["man"])
    if score["result"] not in (None, "passed-out"):
        assert sum(map(abs, score["symbol"].values())) in (1, 2)
        assert (score["symbol"]["extra"] == 0) == (score["vole"] is None)
        assert not score["vole"] or score["result"] == "won"


def log_of_random_match(seed: int, setup: str) -> tuple[dict[str, str], list[tuple[int, dict[str, object]]], Any]:
    """Plays six deals at random under random readings and keeps what was done."""
    dice = random.Random(seed)
    readings = {key: dice.choice(values) for key, values in ORACLE.READINGS[EDITION].items()}
    match = ORACLE.Match(EDITION, readings, setup=setup)
    log = []
    while match.score()["deals"] < 6:
        seat, act = random_act(match, dice)
        assert match.act(seat, act), act
        log.append((seat, act))
        check_invariants(match)
    return readings, log, match


@pytest.mark.parametrize("setup", ["3", "4"])
def test_random_matches_keep_the_invariants(setup: str) -> None:
    """Cards are conserved and hidden, every deal has one result, and only the hombre's account moves (H.6)."""
    done = set()
    for seed in range(40):
        _, log, match = log_of_random_match(seed, setup)
        assert match.score()["deals"] == 6
        done |= {name for _, act in log for name in act}
    assert done == {name for names in ORACLE.OFFERS.values() for name in names}


@pytest.mark.parametrize("seed", range(4))
def test_replaying_gives_the_same_observations(seed: int) -> None:
    """The same acts lead to the same views and scores (H.6)."""
    readings, log, match = log_of_random_match(seed, "3")
    again = ORACLE.Match(EDITION, readings)
    assert all(again.act(seat, act) for seat, act in log)
    assert [again.view(seat) for seat in range(3)] == [match.view(seat) for seat in range(3)]
    assert again.score() == match.score()


def test_views_and_scores_are_plain_json() -> None:
    """What goes over the wire survives it."""
    match = played(FOUR_THREE_TWO, tricks=3)
    for value in (match.view(0), match.score(), match.legal(0)):
        assert json.loads(json.dumps(value)) == value
