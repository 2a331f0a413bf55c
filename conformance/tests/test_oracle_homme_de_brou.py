"""What the witness for the 1802 game must do, worked out by hand from the text of the rules."""

import random
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import pytest

from oracle_loader import load

EDITION = "homme-de-brou@1802"
SUITS = "SHDC"
brou: Any = load("homme_de_brou")


def row(ranks: str, suit: str) -> str:
    """Write four cards of one suit, one for each seat from 0 to 3."""
    return " ".join(rank + suit for rank in ranks)


def columns(rows: Sequence[str]) -> list[str]:
    """Turn eight tricks, written by seat, into the four hands that play them."""
    return [" ".join(trick.split()[seat] for trick in rows) for seat in range(4)]


def begin(
    hands: Sequence[str],
    *,
    turnup: str,
    dealer: int = 3,
    accounts: Sequence[int] = (0, 0),
    parties: Sequence[int] = (0, 0),
    **readings: str | int,
) -> Any:
    """Start a match with these hands dealt, in packets of three, three and two."""
    match = brou.Match(EDITION, readings, dealer=dealer, accounts=accounts, parties=parties)
    deal(match, hands, turnup)
    return match


def deal(match: Any, hands: Sequence[str], turnup: str) -> None:
    """Have the dealer of the moment give out these hands."""
    dealer = match.view(0)["dealer"]
    left = [hand.split() for hand in hands]
    left[dealer].remove(turnup)
    left[dealer].append(turnup)
    deck: list[str] = []
    for size in (3, 3, 2):
        for step in (1, 2, 3, 4):
            seat = (dealer + step) % 4
            deck += left[seat][:size]
            left[seat] = left[seat][size:]
    assert match.act(dealer, {"deal": {"deck": deck, "packets": [3, 3, 2]}})


def play(match: Any, tricks: Iterable[str]) -> None:
    """Play tricks written by seat, whoever leads."""
    for trick in tricks:
        for _ in range(4):
            seat = match.view(0)["turn"]
            assert match.act(seat, {"play": trick.split()[seat]})


def result(match: Any) -> tuple[str, int | None, int]:
    """Give kind, winner and worth of the result that waits to be written."""
    score = match.score()
    return score["result"], score["winner"], score["worth"]


def announce(match: Any, seat: int, suit: str, kind: str) -> bool:
    """Announce a marriage and tell whether it was accepted."""
    accepted: bool = match.act(seat, {"announce": {"suit": suit, "kind": kind}})
    return accepted


PARTED = {
    27: ("AKTJ", "Q987"),
    25: ("AKT9", "QJ87"),
    17: ("AKJ9", "TQ87"),
    15: ("AK98", "TQJ7"),
    26: ("AQTJ", "K987"),
    24: ("AQT9", "KJ87"),
    16: ("AQJ9", "TK87"),
    14: ("AQ98", "TKJ7"),
}


def taken_by(team: int, ranks: str, suit: str) -> str:
    """Write a trick of one suit whose first rank, the highest, is held by seat 0 or seat 1."""
    return row(ranks if team == 0 else ranks[1] + ranks[0] + ranks[2:], suit)


def tricks_worth(total: int) -> list[str]:
    """Lay out eight tricks without a marriage in which team 0 takes exactly this many card points."""
    shares = {0: (17, 1, 1), 30: (17, 0, 0)}
    for value in PARTED:
        shares[value] = (value, 0, 1)
        shares[30 - value] = (value, 1, 0)
    for choice in product(sorted(shares), repeat=4):
        if sum(choice) == total:
            tricks = []
            for suit, share in zip(SUITS, choice, strict=True):
                value, first, second = shares[share]
                tricks += [taken_by(first, PARTED[value][0], suit), taken_by(second, PARTED[value][1], suit)]
            return tricks
    raise ValueError(total)


def played_out(total: int, **settings: Any) -> Any:
    """Play a whole deal in which team 0 takes this many card points and nobody speaks."""
    tricks = tricks_worth(total)
    match = begin(columns(tricks), turnup=tricks[-1].split()[3], **settings)
    play(match, tricks)
    return match


VOLE = [row(ranks, suit) for ranks in ("AKJ9", "TQ87") for suit in SUITS]
WON = [row(ranks, suit) for suit in "SHD" for ranks in ("AKJ9", "TQ87")] + [row("AKJ9", "C")]
LOST = row("7TQ8", "C")
FIRST_SIMPLE = [row("AKQ9", "S"), *(row("AKJ9", s) for s in "HDC"), row("TJ87", "S"), *(row("TQ87", s) for s in "HDC")]
TRUMPS_LOST = [
    row("AKJ9", "H"),
    "9S AS KS QS",
    "TS 8S JS 7S",
    row("TQ87", "H"),
    row("AKJ9", "D"),
    row("TQ87", "D"),
    row("AKJ9", "C"),
    row("TQ87", "C"),
]
BOTH_PASS = [
    taken_by(1, "AKJ9", "D"),
    taken_by(1, "TQ87", "D"),
    taken_by(1, "QJ87", "S"),
    taken_by(0, "AKT9", "S"),
    taken_by(0, "AKJ9", "H"),
    taken_by(0, "TQ87", "H"),
    taken_by(1, "TQ87", "C"),
    taken_by(1, "AKJ9", "C"),
]


@pytest.mark.parametrize(("others", "worth"), [(150, 4), (140, 5), (0, 5), (-10, 7)])
def test_a_declared_vole_pays_vole_and_partie(others: int, worth: int) -> None:
    """Three parties and those for 301, and the partie ends (brou.ex.11)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(200, others))
    play(match, VOLE[:1])
    assert match.act(0, {"declare": "vole"})
    assert match.view(1)["call"] == {"team": 0, "kind": "declared"}
    play(match, VOLE[1:])
    assert result(match) == ("partie-et-vole-made", 0, worth)
    assert match.act(1, {"next": True})
    assert (match.view(0)["parties"], match.view(0)["accounts"]) == ([worth, 0], [0, 0])


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_stop_that_is_accepted_ends_the_partie(number: int) -> None:
    """Before trick 2, 3 or 4 the others of a team with 301 may ask and the accounts decide (brou.ex.13)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(290, 160))
    play(match, VOLE[: number - 1])
    assert match.act(3, {"stop": True})
    assert match.view(0)["phase"] == "stop"
    assert [match.legal(seat) for seat in range(4)] == [{"answer": [True, False]}, {}, {"answer": [True, False]}, {}]
    assert match.act(2, {"answer": True})
    assert result(match) == ("stop", 0, 1)


@pytest.mark.parametrize("number", [2, 3, 4])
@pytest.mark.parametrize(
    ("tricks", "expected"), [(VOLE, ("partie-et-vole-made", 0, 4)), ([*WON, LOST], ("partie-et-vole-failed", 1, 4))]
)
def test_a_stop_that_is_refused_binds_to_the_vole(
    number: int, tricks: list[str], expected: tuple[str, int, int]
) -> None:
    """A refusal has the consequences of a declaration, won or lost (brou.ex.13)."""
    match = begin(columns(tricks), turnup="9S", accounts=(290, 160))
    play(match, tricks[: number - 1])
    assert match.act(1, {"stop": True})
    assert match.act(0, {"answer": False})
    assert match.view(3)["call"] == {"team": 0, "kind": "forced"}
    assert all("claim" not in match.legal(seat) and "stop" not in match.legal(seat) for seat in range(4))
    play(match, tricks[number - 1 :])
    assert result(match) == expected


@pytest.mark.parametrize(
    ("packets", "hands"),
    [
        (
            [3, 3, 2],
            [
                "AS KS QS TH 9H 8H AC KC",
                "JS TS 9S 7H AD KD QC JC",
                "8S 7S AH QD JD TD TC 9C",
                "KH QH JH 9D 8D 7D 8C 7C",
            ],
        ),
        (
            [2, 3, 3],
            [
                "AS KS AH KH QH TD 9D 8D",
                "QS JS JH TH 9H 7D AC KC",
                "TS 9S 8H 7H AD QC JC TC",
                "8S 7S KD QD JD 9C 8C 7C",
            ],
        ),
        (
            [3, 2, 3],
            [
                "AS KS QS TH 9H TD 9D 8D",
                "JS TS 9S 8H 7H 7D AC KC",
                "8S 7S AH AD KD QC JC TC",
                "KH QH JH QD JD 9C 8C 7C",
            ],
        ),
    ],
)
def test_packets_fix_the_hands(packets: list[int], hands: list[str]) -> None:
    """From one deck each of the three patterns gives its own hands; the last card is turned (brou.ex.14)."""
    match = brou.Match(EDITION, {}, dealer=3)
    deck = [rank + suit for suit in SUITS for rank in "AKQJT987"]
    assert match.act(3, {"deal": {"deck": deck, "packets": packets}})
    assert [match.view(seat)["hand"] for seat in range(4)] == [hand.split() for hand in hands]
    assert match.view(0)["turnup"] == {"card": "7C", "exposed": True}
    assert (match.view(0)["trump"], match.view(0)["turn"]) == ("C", 0)


@pytest.mark.parametrize("packets", [[4, 4], [1, 3, 4], [2, 2, 4], [3, 3, 3], []])
def test_other_packets_are_refused(packets: list[int]) -> None:
    """Only the three written patterns may be dealt (brou.amb.35)."""
    match = brou.Match(EDITION, {}, dealer=3)
    deck = [rank + suit for suit in SUITS for rank in "AKQJT987"]
    assert not match.act(3, {"deal": {"deck": deck, "packets": packets}})
    assert match.view(0)["phase"] == "deal"


@pytest.mark.parametrize(
    ("reading", "expected"),
    [("first-to-reach", ("partie", 0, 1)), ("higher-total", ("partie", 1, 1)), ("play-on", ("deal", None, 0))],
)
def test_both_teams_past_300(reading: str, expected: tuple[str, int | None, int]) -> None:
    """From 250 each, 305 reached in trick 6 meets 315 reached in trick 8 (brou.amb.02)."""
    match = begin(columns(BOTH_PASS), turnup="7H", accounts=(250, 250), both_over=reading)
    play(match, BOTH_PASS)
    assert match.score()["accounts"] == [305, 315]
    assert result(match) == expected
    assert match.act(0, {"next": True})
    assert match.view(0)["accounts"] == ([310, 320] if expected[1] is None else [0, 0])


@pytest.mark.parametrize(("dealer", "turnup", "winner"), [(2, "8S", 1), (3, "7H", 0)])
def test_both_teams_past_300_leader_side(dealer: int, turnup: str, winner: int) -> None:
    """The side that led the deal wins, whoever came first or higher (brou.amb.02, leader-side)."""
    match = begin(columns(BOTH_PASS), turnup=turnup, dealer=dealer, accounts=(250, 250), both_over="leader-side")
    play(match, BOTH_PASS)
    assert result(match) == ("partie", winner, 1)


def test_equal_totals_past_300_play_on() -> None:
    """Under higher-total 310 to 310 decides nothing (brou.amb.02)."""
    match = played_out(60, accounts=(250, 250), both_over="higher-total")
    assert result(match) == ("deal", None, 0)
    assert match.act(0, {"next": True})
    assert match.view(0)["accounts"] == [310, 310]


def test_falling_below_301_loses_the_first_place() -> None:
    """A team at 307 that falls to 227 and comes back to 312 is second to one that passed meanwhile (brou.amb.02)."""
    match = begin(columns(TRUMPS_LOST), turnup="7S", accounts=(290, 250))
    play(match, TRUMPS_LOST)
    assert match.score()["accounts"] == [312, 348]
    assert result(match) == ("partie", 1, 1)


def test_points_of_the_running_trick_do_not_count() -> None:
    """At 300 with the ace on the table winning, the claim is wrong (brou.amb.07)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(300, 0))
    assert match.act(0, {"play": "AS"})
    assert match.act(2, {"claim": True})
    assert result(match) == ("claim-wrong", 1, 1)


def test_exactly_301_is_enough() -> None:
    """With 290 and an ace taken a claim is right and a request to stop is founded (brou.game.01, brou.stop.01)."""
    tricks = [row("A987", "S"), row("TQKJ", "S"), *(row(ranks, s) for ranks in ("AKJ9", "TQ87") for s in "HDC")]
    for wrong in ("illegal", "concession"):
        match = begin(columns(tricks), turnup="7C", accounts=(290, 160), stop_wrong=wrong)
        play(match, tricks[:1])
        assert match.score()["accounts"] == [301, 160]
        assert match.act(1, {"stop": True})
        assert match.view(0)["phase"] == "stop"
    match = begin(columns(tricks), turnup="7C", accounts=(290, 160))
    play(match, tricks[:1])
    assert match.act(2, {"claim": True})
    assert result(match) == ("claim-right", 0, 1)


@pytest.mark.parametrize(("reading", "accepted"), [("at-once", True), ("next-trick", False)])
def test_the_turned_queen_after_the_first_trick(reading: str, accepted: bool) -> None:
    """The dealer with the king announces after trick 1, or only after trick 2 (brou.amb.15)."""
    hands = [
        "7H 8H AS TS AD KD TC 7C",
        "AH TH JS 9S TD QD AC 8C",
        "9H JH 8S 7S JD 9D KC 9C",
        "KH QH KS QS 8D 7D QC JC",
    ]
    match = begin(hands, turnup="QS", turnup_announceable=reading)
    play(match, ["7H AH 9H KH"])
    assert announce(match, 3, "S", "simple") is accepted
    play(match, ["8H TH JH QH"])
    assert announce(match, 3, "S", "simple") is not accepted
    assert match.view(0)["accounts"] == [0, 40]


@pytest.mark.parametrize(("reading", "worth"), [("count", 7), ("void", 5)])
def test_marriages_of_a_declared_vole(reading: str, worth: int) -> None:
    """Opponents at 20 who lost 40 in the deal stand at -20, or still at 20 (brou.amb.23)."""
    match = begin(
        columns(FIRST_SIMPLE), turnup="7C", accounts=(200, 20), pv_threshold_base="start-of-deal", pv_marriages=reading
    )
    play(match, FIRST_SIMPLE[:1])
    assert match.act(0, {"declare": "vole"})
    play(match, FIRST_SIMPLE[1:])
    assert result(match) == ("partie-et-vole-made", 0, worth)


@pytest.mark.parametrize(("reading", "phase", "dealer"), [("right", "deal", 0), ("redraw-each-partie", "draw", None)])
def test_the_dealer_after_a_partie(reading: str, phase: str, dealer: int | None) -> None:
    """The deal passes to the right, or is drawn for again (brou.amb.33)."""
    match = played_out(72, accounts=(230, 160), dealer_rotation=reading)
    assert match.act(0, {"next": True})
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == (phase, dealer)


def test_the_dealer_inside_a_partie_rotates_in_every_reading() -> None:
    """Between the deals of one partie nobody draws again (brou.amb.33, redraw-each-partie)."""
    match = played_out(60, dealer_rotation="redraw-each-partie")
    assert match.act(0, {"next": True})
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("deal", 0)


@pytest.mark.parametrize(("reading", "over"), [("immediately", True), ("end-of-partie", False)])
def test_a_vole_that_reaches_the_target_inside_a_partie(reading: str, over: bool) -> None:
    """Eight of ten parties and a vole end the match at once, or only with the partie (brou.amb.37)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(120, 90), parties=(8, 7), match_parties=10, match_end=reading)
    play(match, VOLE)
    assert match.act(0, {"next": True})
    assert match.over is over
    assert match.view(0)["parties"] == [11, 7]
    assert match.view(0)["accounts"] == [120, 90]


@pytest.mark.parametrize(("others", "winner"), [(11, 1), (10, None), (9, 0)])
def test_both_teams_at_the_target_when_the_partie_ends(others: int, winner: int | None) -> None:
    """More parties win the match, equal parties play on (brou.amb.37, end-of-partie)."""
    match = played_out(72, accounts=(230, 160), parties=(9, others), match_parties=10, match_end="end-of-partie")
    assert match.act(0, {"next": True})
    assert match.score()["over"] == winner
    assert match.over is (winner is not None)


def test_the_lowest_card_drawn_deals() -> None:
    """In Piquet order the ten is below the jack (brou.dealer.01, brou.dealer.02)."""
    match = brou.Match(EDITION, {})
    for seat, card in ((2, "AS"), (0, "JD"), (3, "QC")):
        assert match.act(seat, {"draw": card})
    assert not match.act(2, {"draw": "7S"})
    assert not match.act(1, {"draw": "AS"})
    assert len(match.legal(1)["draw"]) == 29
    assert match.act(1, {"draw": "TH"})
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("deal", 1)


def test_a_tie_for_the_lowest_is_drawn_again() -> None:
    """Only those tied draw, from the whole pack (brou.amb.34)."""
    match = brou.Match(EDITION, {})
    for seat, card in enumerate(("7H", "AS", "7C", "KS")):
        assert match.act(seat, {"draw": card})
    assert [len(match.legal(seat).get("draw", [])) for seat in range(4)] == [32, 0, 32, 0]
    assert match.act(2, {"draw": "7H"})
    assert match.act(0, {"draw": "8H"})
    assert match.view(0)["dealer"] == 2


MALFORMED: list[tuple[int, dict[str, Any]]] = [
    (0, {}),
    (4, {"claim": True}),
    (0, {"claim": 1}),
    (0, {"claim": True, "play": "AS"}),
    (0, {"play": ["AS"]}),
    (0, {"play": "KS"}),
    (1, {"play": "KS"}),
    (0, {"declare": "partie"}),
    (0, {"announce": "S"}),
    (0, {"announce": {"suit": "S"}}),
    (0, {"next": True}),
    (0, {"answer": True}),
    (0, {"cut": 3}),
]


@pytest.mark.parametrize(("seat", "act"), MALFORMED)
def test_a_refused_act_changes_nothing(seat: int, act: dict[str, Any]) -> None:
    """Acts that are malformed or out of place leave every view and the score as they were (brou.amb.42)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(200, 0), pv_before_first="yes")
    before = [match.view(one) for one in range(4)], match.score()
    assert not match.act(seat, act)
    assert ([match.view(one) for one in range(4)], match.score()) == before


def test_a_deck_that_is_no_pack_is_refused() -> None:
    """A card too many, a card twice, a stranger or somebody else's hand do not deal (brou.equip.02)."""
    deck = [rank + suit for suit in SUITS for rank in "AKQJT987"]
    match = brou.Match(EDITION, {}, dealer=3)
    for wrong in ([*deck, "AS"], [*deck[:31], "AS"], [*deck[:31], "6C"], deck[:31], "AS"):
        assert not match.act(3, {"deal": {"deck": wrong, "packets": [3, 3, 2]}})
    assert not match.act(0, {"deal": {"deck": deck, "packets": [3, 3, 2]}})
    assert not match.act(3, {"deal": {"deck": deck}})
    assert not match.act(3, {"deal": deck})
    assert match.act(3, {"deal": {"deck": deck, "packets": [3, 3, 2]}})


@pytest.mark.parametrize(
    "readings",
    [
        {"pv_marriages": "void"},
        {"both_over": "unheard"},
        {"unheard": "yes"},
        {"match_parties": 0},
        {"match_parties": True},
        {"match_parties": 100},
        {"match_parties": "12"},
    ],
)
def test_impossible_readings_are_refused(readings: dict[str, str | int]) -> None:
    """Void marriages need the threshold at the start of the deal; unknown readings are not guessed (brou.amb.21)."""
    with pytest.raises(ValueError, match=r"reading|void"):
        brou.Match(EDITION, readings)


def test_other_editions_and_carries_are_refused() -> None:
    """Only the edition of 1802 is played, and it knows no carry."""
    with pytest.raises(ValueError, match="edition"):
        brou.Match("homme-de-brou@1900", {})
    with pytest.raises(ValueError, match="carry"):
        brou.Match(EDITION, {}, dealer=0, carry=(40, 0))


def random_match(chance: random.Random) -> Any:
    """Start a match under a possible choice of readings."""
    readings = {key: chance.choice(values) for key, values in brou.READINGS[EDITION].items()}
    if readings["pv_threshold_base"] == "account-with-marriages":
        readings["pv_marriages"] = "count"
    return brou.Match(EDITION, {**readings, "match_parties": chance.choice([1, 4, 12])})


def random_act(match: Any, chance: random.Random) -> tuple[int, str, Any]:
    """Choose any act that is legal now, words that end a partie less often than others."""
    offers = []
    for seat in range(4):
        for name, values in match.legal(seat).items():
            offers += [(seat, name, values)] * (1 if name in ("claim", "stop") else 12)
    seat, name, values = chance.choice(offers)
    if name == "cut":
        return seat, name, chance.randint(values["min"], values["max"])
    if name == "deal":
        deck = list(values["deck"]["order"])
        chance.shuffle(deck)
        return seat, name, {"deck": deck, "packets": chance.choice(values["packets"])}
    return seat, name, chance.choice(values)


@pytest.mark.parametrize("block", range(4))
def test_random_matches_keep_the_invariants(block: int) -> None:
    """Fifty matches a block conserve cards and points and write whole tens, until they end or 400 deals are played."""
    chance = random.Random(1802 + block)
    pack = {rank + suit for suit in SUITS for rank in "AKQJT987"}
    for _ in range(50):
        match = random_match(chance)
        played: list[str] = []
        deals = 0
        while not match.over and deals < 400:
            seat, name, value = random_act(match, chance)
            before = match.score()
            assert match.act(seat, {name: value})
            score = match.score()
            phase = match.view(0)["phase"]
            if name == "deal":
                deals, played = deals + 1, []
            elif name == "play":
                played.append(value)
            elif name == "next":
                assert all(account % 10 == 0 for account in score["accounts"])
                assert score["points"] == [0, 0]
                assert sum(score["parties"]) == sum(before["parties"]) + before["worth"]
            if phase in ("play", "stop", "result"):
                held = [card for one in range(4) for card in match.view(one)["hand"]]
                assert len(held) + len(played) == 32
                assert set(held) | set(played) == pack
            if phase == "result":
                full = sum(match.view(0)["won"]) == 8
                committed = score["result"].startswith("partie-et-vole")
                assert not full or committed or sum(score["points"]) == 120
                assert not committed or score["worth"] in (4, 5, 7)
        assert match.over or deals == 400
