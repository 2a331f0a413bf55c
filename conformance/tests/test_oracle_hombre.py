"""What the second witness for Danish L'Hombre holds, worked out by hand from the census of rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from oracle_loader import load

ORACLE = load("hombre")
EDITION = "hombre@danish"
PACK = [rank + suit for suit in "SHDC" for rank in "AKQJ765432"]
RED_TRUMPS = "AS 7H AC AH KH QH JH 2H 3H 4H 5H 6H"
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
POINTS = dict(zip(ASCENDING, [(1, 2), (1, 2), (2, 3), (2, 3), (3, 4), (3, 4), (4, 5), (4, 5), (6, 7)], strict=True))
DEFAULTS = {key: values[0] for key, values in ORACLE.READINGS[EDITION].items()}

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


# ---------------------------------------------------------------- the auction


def test_second_example_with_another_second_call_of_a() -> None:
    """Had A equalled with demande à pique, C's nolo would have been a raise (omb.clm.09)."""
    match = dealt(PLAIN)
    bids(match, "demande demande-a-pique demande-a-pique pass nolo-en-demande pass")
    assert (match.view(0)["man"], match.view(0)["bid"]) == (2, "nolo-en-demande")


def swapped() -> tuple[str, str, str]:
    """The plain deal with both black aces at seat 0."""
    return (PLAIN[1], PLAIN[0], PLAIN[2])


# ------------------------------------------------------------- the contracts


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
def test_another_suit_under_demande_stays_demande(reading: str) -> None:
    """Naming hearts changes nothing about the contract (omb.con.03)."""
    match = dealt(PLAIN, {"demande_spades": reading})
    contracted(match, "demande", "H")
    assert (match.view(1)["trump"], match.view(1)["contract"]) == ("H", "demande")


# -------------------------------------------------------------------- orders


def cards(text: str) -> set[str]:
    """A set of cards."""
    return set(text.split())


def test_a_card_of_another_suit_takes_nothing() -> None:
    """A discarded king does not win (omb.trick.01)."""
    match = played(FIVE_FOUR_NONE, tricks=4)
    assert match.view(0)["won"] == [0, 4, 0]


# -------------------------------------------------------------------- results


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


def test_surrender_after_the_first_card_is_refused() -> None:
    """His first card binds him (omb.con.12)."""
    match = dealt(PLAIN)
    contracted(match, "demande", "H")
    do(match, {"discard": ["KD"]}, {"discard": []}, {"discard": []}, {"play": "KS"})
    assert not match.act(0, SURRENDER)


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


# -------------------------------------------------------- deals and the match


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


@pytest.mark.sampled(2)
@pytest.mark.slow
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
