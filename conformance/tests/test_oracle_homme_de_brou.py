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
FOUR_GRAND = [
    *(row("AKQJ", suit) for suit in SUITS),
    *(row("T789", suit) for suit in "SHD"),
    row("7T89", "C"),
]
HOLDING = [
    "AH KS QS JS KD QD JD 7C",
    "TH 7H AS AD AC 7S 7D 8C",
    "9H KH TS TD KC JC 8S 8D",
    "8H QH JH 9D QC TC 9C 9S",
]
HOLDING_FIRST = "AH TH 9H 8H"
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


@pytest.mark.parametrize("total", [50, 51, 52, 53, 54])
def test_final_units_up_to_four_are_dropped(total: int) -> None:
    """Card points 50 to 54 are written as 50 (brou.ex.01)."""
    match = played_out(total)
    assert result(match) == ("deal", None, 0)
    assert match.score()["points"] == [total, 120 - total]
    assert match.act(2, {"next": True})
    assert match.view(0)["accounts"] == [50, 70]


@pytest.mark.parametrize(("total", "others"), [(55, 70), (56, 60), (57, 60), (58, 60), (59, 60)])
def test_final_units_from_five_give_a_ten(total: int, others: int) -> None:
    """Card points 55 to 59 are written as 60 (brou.ex.02)."""
    match = played_out(total)
    assert match.act(0, {"next": True})
    assert match.score()["before"] == [60, others]


def test_a_deal_split_at_five_writes_130() -> None:
    """Totals of 65 and 55 become 70 and 60 (brou.ex.03)."""
    match = played_out(65)
    assert match.act(0, {"next": True})
    assert sum(match.view(0)["accounts"]) == 130


@pytest.mark.parametrize(("total", "others"), [(65, 60), (66, 50), (67, 50), (68, 50), (69, 50), (70, 50)])
def test_rounding_up_to_300_does_not_win(total: int, others: int) -> None:
    """An account of 230 with 65 to 70 card points stands at 300 and the partie goes on (brou.ex.04)."""
    match = played_out(total, accounts=(230, 0))
    assert result(match) == ("deal", None, 0)
    assert match.act(1, {"next": True})
    assert match.view(0)["accounts"] == [300, others]
    assert match.view(0)["phase"] == "deal"


@pytest.mark.parametrize("total", [71, 72, 73, 74, 75, 90])
def test_an_unrounded_301_wins(total: int) -> None:
    """An account of 230 with 71 or more card points wins the partie (brou.ex.05)."""
    match = played_out(total, accounts=(230, 0))
    assert match.score()["accounts"] == [230 + total, 120 - total]
    assert result(match) == ("partie", 0, 2)


def test_rounding_trap_is_won() -> None:
    """An account of 230 with 72 card points wins although rounding would leave it at 300 (V5)."""
    match = played_out(72, accounts=(230, 160))
    assert result(match) == ("partie", 0, 1)
    assert match.act(3, {"next": True})
    assert match.view(0)["parties"] == [1, 0]
    assert match.view(0)["accounts"] == [0, 0]
    assert match.view(0)["dealer"] == 0


@pytest.mark.parametrize(
    ("others", "total", "worth"), [(100, 70, 1), (100, 71, 2), (-50, 70, 2), (-50, 71, 4), (-200, 71, 4)]
)
def test_worth_changes_at_150_and_at_0(others: int, total: int, worth: int) -> None:
    """Losers at 150 pay one partie, at 149 and at 0 two, at -1 four (brou.ex.06, brou.amb.43)."""
    assert result(played_out(total, accounts=(240, others))) == ("partie", 0, worth)


@pytest.mark.parametrize(
    ("suit", "kind", "value"), [("S", "simple", 40), ("S", "grand", 60), ("D", "simple", 20), ("D", "grand", 30)]
)
def test_announced_marriages_pay_only_their_owner(suit: str, kind: str, value: int) -> None:
    """Ten a card, twenty in trump, nothing is taken from the others (brou.ex.07)."""
    match = begin(HOLDING, turnup="9S")
    play(match, [HOLDING_FIRST])
    assert announce(match, 0, suit, kind)
    assert match.view(1)["accounts"] == [value, 0]
    assert match.view(1)["announced"] == [{"seat": 0, "suit": suit, "kind": kind}]


@pytest.mark.parametrize(
    ("first", "second", "turnup", "value"),
    [("AKQ9", "TJ87", "7S", 80), ("AKQ9", "TJ87", "7C", 40), ("AKQJ", "T987", "7S", 120), ("AKQJ", "T987", "7C", 60)],
)
def test_marriages_on_the_table_pay_twice_and_cost_as_much(first: str, second: str, turnup: str, value: int) -> None:
    """Twenty a card, forty in trump, for the taker and against the others, counted once (brou.ex.07, brou.amb.16)."""
    tricks = [row(first, "S"), row(second, "S"), *(row(ranks, s) for ranks in ("AKJ9", "TQ87") for s in "HDC")]
    match = begin(columns(tricks), turnup=turnup)
    play(match, tricks[:1])
    assert match.view(2)["accounts"] == [value, -value]


@pytest.mark.parametrize(("first", "second", "kind"), [("AKQ9", "TJ87", "simple"), ("AKQJ", "T987", "grand")])
def test_marker_tells_the_kind(first: str, second: str, kind: str) -> None:
    """A marriage on the table leaves a public marker of its trick, suit and kind (brou.ex.08)."""
    tricks = [row(first, "S"), row(second, "S"), *(row(ranks, s) for ranks in ("AKJ9", "TQ87") for s in "HDC")]
    match = begin(columns(tricks), turnup="7C")
    play(match, tricks[:1])
    assert match.view(3)["markers"] == [{"trick": 1, "suit": "S", "kind": kind, "team": 0}]


@pytest.mark.parametrize("accounts", [(0, 0), (130, 90), (280, -40)])
def test_a_vole_pays_three_and_restores_the_accounts(accounts: tuple[int, int]) -> None:
    """All points of the deal are void, marriages too, and the partie goes on (brou.ex.09, brou.amb.19)."""
    match = begin(columns(FIRST_SIMPLE), turnup="7C", accounts=accounts)
    play(match, FIRST_SIMPLE)
    assert result(match) == ("vole", 0, 3)
    assert match.score()["accounts"] == [accounts[0] + 160, accounts[1] - 40]
    assert match.act(0, {"next": True})
    assert match.view(0)["accounts"] == list(accounts)
    assert match.view(0)["parties"] == [3, 0]
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("deal", 0)


def test_declaring_needs_190() -> None:
    """With 190 the declaration is open, with 180 it is refused (brou.ex.10)."""
    for start, accepted in ((190, True), (180, False)):
        match = begin(columns(VOLE), turnup="7C", accounts=(start, 0))
        play(match, VOLE[:1])
        assert ("declare" in match.legal(0)) is accepted
        assert match.act(0, {"declare": "vole"}) is accepted


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


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7, 8])
@pytest.mark.parametrize(("others", "worth"), [(150, 4), (140, 5), (-10, 7)])
def test_a_failed_declaration_pays_the_others(number: int, others: int, worth: int) -> None:
    """The first trick lost ends the partie; the winners' own account fixes the worth (brou.ex.12, brou.amb.31)."""
    tricks = [*WON[: number - 1], LOST, *WON[number - 1 :]]
    match = begin(columns(tricks), turnup="9S", accounts=(200, others))
    play(match, tricks[:1])
    assert match.act(0, {"declare": "vole"})
    play(match, tricks[1:number])
    assert result(match) == ("partie-et-vole-failed", 1, worth)
    assert match.view(0)["won"] == [number - 1, 1]
    assert match.score()["points"][1] == 0
    assert match.view(0)["hands"] == [8 - number] * 4


def test_the_trick_that_breaks_the_vole_books_nothing() -> None:
    """A marriage on that trick does not lift its winners' account (brou.pv.12, brou.amb.32)."""
    tricks = [row("AJ98", "C"), row("7KQT", "C"), *(row(ranks, s) for ranks in ("AKJ9", "TQ87") for s in "SHD")]
    match = begin(columns(tricks), turnup="9S", accounts=(200, -10))
    play(match, tricks[:1])
    assert match.act(0, {"declare": "vole"})
    play(match, tricks[1:2])
    assert result(match) == ("partie-et-vole-failed", 1, 7)
    assert (match.view(0)["accounts"], match.view(0)["markers"]) == ([200, -10], [])
    assert match.view(0)["keeper"] == [0, 3]


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


@pytest.mark.parametrize("target", [10, 12, 14])
def test_the_match_ends_at_the_agreed_number(target: int) -> None:
    """The first team with 10, 12 or 14 parties, as agreed, wins the match (brou.ex.15)."""
    for start, over in ((target - 2, False), (target - 1, True)):
        match = played_out(72, accounts=(230, 160), parties=(start, target - 1), match_parties=target)
        assert not match.over
        assert match.act(0, {"next": True})
        assert match.over is over
        assert match.score()["over"] == (0 if over else None)


def test_a_match_that_is_over_takes_no_act() -> None:
    """After the end there is nothing left to do, and nothing left to see of the deal."""
    match = played_out(72, accounts=(230, 160), parties=(11, 0))
    assert match.act(0, {"next": True})
    assert [match.legal(seat) for seat in range(4)] == [{}] * 4
    assert (match.view(0)["phase"], match.view(0)["hands"], match.view(0)["trump"]) == ("over", [0, 0, 0, 0], None)


def test_four_grand_marriages_on_the_table() -> None:
    """The first four tricks make 140, 220, 300 and 380 against -120, -180, -240 and -300 (V1)."""
    match = begin(columns(FOUR_GRAND), turnup="9S")
    for trick, accounts in zip(FOUR_GRAND, ([140, -120], [220, -180], [300, -240], [380, -300]), strict=False):
        play(match, [trick])
        assert match.score()["accounts"] == accounts
    play(match, FOUR_GRAND[4:])
    assert match.score()["accounts"] == [410, -290]
    assert result(match) == ("partie", 0, 4)


@pytest.mark.parametrize(("count", "expected"), [(3, ("claim-wrong", 1, 2)), (4, ("claim-right", 0, 4))])
def test_a_claim_is_wrong_at_300_and_right_after(count: int, expected: tuple[str, int, int]) -> None:
    """After three of the four tricks the claim fails by one point, after the fourth it wins four (V1)."""
    match = begin(columns(FOUR_GRAND), turnup="9S")
    play(match, FOUR_GRAND[:count])
    assert match.act(2, {"claim": True})
    assert result(match) == expected


def test_all_points_without_the_vole() -> None:
    """All 120 points and four grand marriages make 420 to -300, one worthless trick prevents the vole (V2)."""
    tricks = [*(row("AKQJ", suit) for suit in SUITS), "TS 7S TC 9S", "TH 7H 8H 9H", "TD 7D 8D 9D", "7C 8S 8C 9C"]
    match = begin(columns(tricks), turnup="9S")
    play(match, tricks)
    assert match.score()["points"] == [120, 0]
    assert match.score()["accounts"] == [420, -300]
    assert result(match) == ("partie", 0, 4)


def test_two_marriages_in_one_trick_both_count() -> None:
    """King and queen led and followed, another king and queen discarded: 40 and 40 (V3, brou.amb.17, brou.amb.18)."""
    hands = [
        "KH AH TH JH 7S 7D 7C 8C",
        "KC AC AS QS TS AD QD TD",
        "QH 9H 8H 7H 8S 8D 9C TC",
        "QC JC KS JS 9S KD JD 9D",
    ]
    match = begin(hands, turnup="9S")
    play(match, ["KH KC QH QC"])
    assert match.view(0)["accounts"] == [80, -80]
    assert [marker["suit"] for marker in match.view(0)["markers"]] == ["H", "C"]


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


LOSERS_NINE = [
    taken_by(0, "AKT9", "S"),
    taken_by(1, "QJ87", "S"),
    taken_by(1, "K987", "H"),
    taken_by(0, "AQTJ", "H"),
    *(row(ranks, suit) for ranks in ("AKJ9", "TQ87") for suit in "DC"),
]
LOSERS_THIRTY_FIVE = [
    taken_by(0, "AKT9", "S"),
    taken_by(1, "QJ87", "S"),
    taken_by(1, "AKJ9", "D"),
    taken_by(1, "TQ87", "D"),
    *(row(ranks, suit) for ranks in ("AKJ9", "TQ87") for suit in "HC"),
]


@pytest.mark.parametrize(("reading", "worth"), [("raw", 2), ("rounded", 1), ("sheet", 2)])
def test_losers_with_140_and_nine_points(reading: str, worth: int) -> None:
    """A claim finds them at 149 raw, at 150 rounded, at 140 on the sheet (brou.amb.03)."""
    match = begin(columns(LOSERS_NINE), turnup="7C", accounts=(290, 140), loser_account=reading)
    play(match, LOSERS_NINE[:3])
    assert match.act(0, {"claim": True})
    assert result(match) == ("claim-right", 0, worth)


@pytest.mark.parametrize(("reading", "worth"), [("raw", 1), ("rounded", 1), ("sheet", 2)])
def test_losers_with_140_and_thirty_five_points(reading: str, worth: int) -> None:
    """A claim finds them at 175 raw but at 140 on the sheet (brou.amb.03, sheet)."""
    match = begin(columns(LOSERS_THIRTY_FIVE), turnup="7C", accounts=(290, 140), loser_account=reading)
    play(match, LOSERS_THIRTY_FIVE[:4])
    assert match.act(2, {"claim": True})
    assert result(match) == ("claim-right", 0, worth)


@pytest.mark.parametrize(("reading", "worth"), [("raw", 2), ("rounded", 1), ("sheet", 2)])
def test_loser_account_holds_at_the_end_of_a_deal_too(reading: str, worth: int) -> None:
    """Losers at 100 with 49 card points stand at 149, rounded at 150 (brou.amb.03)."""
    assert result(played_out(71, accounts=(240, 100), loser_account=reading)) == ("partie", 0, worth)


@pytest.mark.parametrize(("reading", "worth"), [("full-deal", 1), ("frozen", 2)])
def test_losers_account_after_a_silent_301(reading: str, worth: int) -> None:
    """The others stood at 145 when 301 was passed and at 158 at the end (brou.amb.04)."""
    tricks = [
        taken_by(1, "AK98", "C"),
        taken_by(0, "AKJ9", "S"),
        taken_by(0, "TQJ7", "C"),
        taken_by(0, "AKJ9", "D"),
        taken_by(1, "TQ87", "S"),
        taken_by(0, "TQ87", "D"),
        taken_by(0, "AKJ9", "H"),
        taken_by(0, "TQ87", "H"),
    ]
    match = begin(columns(tricks), turnup="7H", accounts=(260, 130), loser_account_unclaimed=reading)
    play(match, tricks)
    assert match.score()["accounts"][1] == 158
    assert result(match) == ("partie", 0, worth)


@pytest.mark.parametrize(("reading", "worth"), [("gains-only", 2), ("whole-deal", 1)])
def test_a_wrong_claim_after_a_loss_on_the_table(reading: str, worth: int) -> None:
    """Claimants at 160 who lost 40 in the deal stand at 120 or at 160 (brou.amb.05)."""
    match = begin(columns(FIRST_SIMPLE), turnup="7C", accounts=(100, 160), wrong_claim_erasure=reading)
    play(match, FIRST_SIMPLE[:1])
    assert match.act(1, {"claim": True})
    assert result(match) == ("claim-wrong", 0, worth)


@pytest.mark.parametrize("reading", ["gains-only", "whole-deal"])
def test_a_wrong_claim_loses_the_announced_points(reading: str) -> None:
    """Claimants at 120 who announced 40 stand at 120, not at 160 (brou.amb.05)."""
    match = begin(HOLDING, turnup="9S", accounts=(120, 0), wrong_claim_erasure=reading)
    play(match, [HOLDING_FIRST])
    assert announce(match, 0, "S", "simple")
    assert match.act(0, {"claim": True})
    assert result(match) == ("claim-wrong", 1, 2)


@pytest.mark.parametrize(("accounts", "worth"), [((230, 120), 1), ((120, 230), 2), ((-20, 230), 4), ((150, -50), 1)])
def test_a_wrong_claim_is_paid_by_the_claimants_account(accounts: tuple[int, int], worth: int) -> None:
    """Their own account, not the winners', makes it single, double or quadruple (brou.amb.46)."""
    match = begin(columns(VOLE), turnup="7C", accounts=accounts)
    assert match.act(2, {"claim": True})
    assert result(match) == ("claim-wrong", 1, worth)


def test_a_right_claim_beats_an_older_silent_301() -> None:
    """Only the claimants' total is verified, although the others passed 301 before (brou.amb.06)."""
    tricks = [taken_by(1, "AKJ9", "D"), taken_by(1, "TQ87", "D"), *WON[:4], row("AKJ9", "C"), row("TQ87", "C")]
    match = begin(columns(tricks), turnup="7C", accounts=(290, 290))
    play(match, tricks[:3])
    assert match.score()["accounts"] == [307, 320]
    assert match.act(0, {"claim": True})
    assert result(match) == ("claim-right", 0, 1)


def test_a_claim_inside_a_trick_counts_completed_tricks() -> None:
    """At 307 the claim is right although the trick on the table will cost 80 (brou.amb.07, any-time)."""
    match = begin(columns(TRUMPS_LOST), turnup="7S", accounts=(290, 160))
    play(match, TRUMPS_LOST[:1])
    for seat, card in ((0, "9S"), (1, "AS"), (2, "KS")):
        assert match.act(seat, {"play": card})
    assert match.legal(0) == {"claim": [True]}
    assert match.act(0, {"claim": True})
    assert result(match) == ("claim-right", 0, 1)
    assert (match.view(0)["trick"], match.view(0)["turn"]) == ([], None)


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


def test_claims_between_tricks_only() -> None:
    """Inside the trick nobody may claim; after it the account has fallen to 227 (brou.amb.07, between-tricks)."""
    match = begin(columns(TRUMPS_LOST), turnup="7S", accounts=(290, 160), claim_window="between-tricks")
    play(match, TRUMPS_LOST[:1])
    assert all("claim" in match.legal(seat) for seat in range(4))
    for seat, card in ((0, "9S"), (1, "AS"), (2, "KS")):
        assert match.act(seat, {"play": card})
        assert all("claim" not in match.legal(one) for one in range(4))
        assert not match.act(0, {"claim": True})
    assert match.act(3, {"play": "QS"})
    assert match.act(0, {"claim": True})
    assert result(match) == ("claim-wrong", 1, 1)


def test_claims_on_turn_only() -> None:
    """Only the player who is to play may claim, also inside a trick (brou.amb.07, own-turn)."""
    match = begin(columns(TRUMPS_LOST), turnup="7S", accounts=(290, 160), claim_window="own-turn")
    play(match, TRUMPS_LOST[:1])
    assert ["claim" in match.legal(seat) for seat in range(4)] == [True, False, False, False]
    assert match.act(0, {"play": "9S"})
    assert match.act(1, {"play": "AS"})
    assert ["claim" in match.legal(seat) for seat in range(4)] == [False, False, True, False]
    assert not match.act(0, {"claim": True})
    assert match.act(2, {"claim": True})
    assert result(match) == ("claim-right", 0, 1)


def test_a_marriage_in_hand_does_not_support_a_claim() -> None:
    """At 291 with 20 not announced the claim is wrong, after announcing it is right (brou.amb.09, brou.amb.40)."""
    for spoken, kind in ((False, "claim-wrong"), (True, "claim-right")):
        match = begin(HOLDING, turnup="9S", accounts=(270, 0))
        play(match, [HOLDING_FIRST])
        assert not spoken or announce(match, 0, "D", "simple")
        assert match.act(0, {"claim": True})
        assert match.score()["result"] == kind


def test_no_claim_outside_the_deal() -> None:
    """Before the dealing and after trick 8 nobody may claim (brou.claim.08)."""
    match = brou.Match(EDITION, {}, dealer=3, accounts=(310, 0))
    assert not match.act(0, {"claim": True})
    match = played_out(60)
    assert all(match.legal(seat) == {"next": [True]} for seat in range(4))
    assert not match.act(0, {"claim": True})


def test_a_team_with_every_trick_may_claim() -> None:
    """Six tricks of six do not prevent an ordinary claim, and no vole is paid (brou.amb.20)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(250, 160))
    play(match, VOLE[:6])
    assert match.act(0, {"claim": True})
    assert result(match) == ("claim-right", 0, 1)


def test_announcing_ends_with_the_next_lead() -> None:
    """The window opens with an own trick, for both partners, and closes with the next lead (brou.amb.10)."""
    match = begin(HOLDING, turnup="9S")
    assert all("announce" not in match.legal(seat) for seat in range(4))
    play(match, [HOLDING_FIRST])
    assert match.legal(0)["announce"] == [{"suit": suit, "kind": kind} for suit in "SD" for kind in ("simple", "grand")]
    assert "announce" not in match.legal(3)
    assert match.act(0, {"play": "7C"})
    assert all("announce" not in match.legal(seat) for seat in range(4))
    assert not announce(match, 0, "D", "grand")


@pytest.mark.parametrize(
    ("reading", "inside", "after_loss"),
    [("after-own-trick", False, False), ("until-next-trick-complete", True, False), ("any-time", True, True)],
)
def test_announcing_windows(reading: str, inside: bool, after_loss: bool) -> None:
    """A team that won trick 1 and lost trick 2 may announce inside it, after it, or not at all (brou.amb.10)."""
    match = begin(HOLDING, turnup="9S", announce_window=reading)
    play(match, [HOLDING_FIRST])
    assert match.act(0, {"play": "7C"})
    assert match.act(1, {"play": "AC"})
    assert ("announce" in match.legal(0)) is inside
    assert match.act(2, {"play": "JC"})
    assert match.act(3, {"play": "9C"})
    assert match.view(0)["won"] == [1, 1]
    assert ("announce" in match.legal(0)) is after_loss
    assert match.act(1, {"play": "AD"})
    assert ("announce" in match.legal(0)) is after_loss
    assert announce(match, 0, "S", "grand") is after_loss


@pytest.mark.parametrize("reading", ["after-own-trick", "until-next-trick-complete", "any-time"])
def test_no_reading_lets_a_team_without_a_trick_announce(reading: str) -> None:
    """Before its first trick a team may never announce (brou.ann.01)."""
    match = begin(columns(VOLE), turnup="7C", announce_window=reading)
    play(match, VOLE[:3])
    assert "announce" not in match.legal(1)
    assert not announce(match, 1, "S", "simple")


def test_a_marriage_may_wait_for_a_later_trick() -> None:
    """A marriage not announced after the first trick may be announced after another (brou.amb.11)."""
    hands = [
        "AH TH KD QD 7S 8S TC AC",
        "7H JH AD 7D KS QS QC KC",
        "8H QH JD 8D 9S TS 8C JC",
        "9H KH TD 9D AS JS 7C 9C",
    ]
    match = begin(hands, turnup="7C")
    play(match, ["AH 7H 8H 9H", "AC QC 8C 7C"])
    assert announce(match, 0, "D", "simple")
    assert match.view(0)["accounts"] == [20, 0]


@pytest.mark.parametrize(("reading", "total"), [("once-per-suit", 20), ("difference", 30)])
def test_a_simple_marriage_made_grand(reading: str, total: int) -> None:
    """The grand marriage is barred, or pays only what is missing (brou.amb.13)."""
    match = begin(HOLDING, turnup="9S", extend_announced=reading)
    play(match, [HOLDING_FIRST])
    assert announce(match, 0, "D", "simple")
    assert not announce(match, 0, "D", "simple")
    assert announce(match, 0, "D", "grand") is (total == 30)
    assert match.view(0)["accounts"] == [total, 0]
    assert match.view(0)["announced"] == [{"seat": 0, "suit": "D", "kind": "grand" if total == 30 else "simple"}]


def test_a_trump_marriage_made_grand_pays_twenty() -> None:
    """In trump 40 announced first become 60 (brou.amb.13, difference)."""
    match = begin(HOLDING, turnup="9S", extend_announced="difference")
    play(match, [HOLDING_FIRST])
    assert announce(match, 0, "S", "simple")
    assert announce(match, 0, "S", "grand")
    assert match.view(0)["accounts"] == [60, 0]
    assert not announce(match, 0, "S", "simple")


@pytest.mark.parametrize(("reading", "accepted"), [("allowed", True), ("forbidden", False)])
def test_the_simple_part_of_a_grand_marriage(reading: str, accepted: bool) -> None:
    """A holder of king, queen and jack may keep the jack secret, or may not (brou.amb.14)."""
    match = begin(HOLDING, turnup="9S", announce_simple_with_jack=reading)
    play(match, [HOLDING_FIRST])
    assert ({"suit": "D", "kind": "simple"} in match.legal(0)["announce"]) is accepted
    assert {"suit": "D", "kind": "grand"} in match.legal(0)["announce"]
    assert announce(match, 0, "D", "simple") is accepted


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


@pytest.mark.parametrize(("reading", "accepted"), [("account-with-marriages", True), ("start-of-deal", False)])
def test_the_190_with_or_without_marriages(reading: str, accepted: bool) -> None:
    """Starting from 150 with 40 announced the declaration is open, or not (brou.amb.21)."""
    match = begin(HOLDING, turnup="9S", accounts=(150, 0), pv_threshold_base=reading)
    play(match, [HOLDING_FIRST])
    assert "declare" not in match.legal(0)
    assert announce(match, 0, "S", "simple")
    assert match.act(0, {"declare": "vole"}) is accepted


def test_announcing_stays_open_after_a_declaration() -> None:
    """The announcing window is not closed by the declaration (brou.amb.40)."""
    match = begin(HOLDING, turnup="9S", accounts=(190, 0))
    play(match, [HOLDING_FIRST])
    assert match.act(0, {"declare": "vole"})
    assert announce(match, 0, "D", "grand")
    assert match.view(0)["accounts"] == [220, 0]


@pytest.mark.parametrize(
    ("tricks", "expected"),
    [
        ([row("AKJ9", "H"), row("AKQ9", "S")], ("partie-et-vole-made", 0, 5)),
        ([row("AKJ9", "H"), row("AKJ9", "S")], ("partie-et-vole-failed", 1, 5)),
    ],
)
def test_declaring_below_190_judged_at_the_end(tricks: list[str], expected: tuple[str, int, int]) -> None:
    """From 150 all tricks succeed with 80 taken on the table, and fail at 270 without (brou.amb.22)."""
    last = row("TJ87" if tricks[1] == row("AKQ9", "S") else "TQ87", "S")
    tricks = [*tricks, row("TQ87", "H"), *(row(ranks, s) for ranks in ("AKJ9", "TQ87") for s in "DC"), last]
    match = begin(columns(tricks), turnup="7S", accounts=(150, 80), pv_below_threshold="judged-at-end")
    play(match, tricks[:1])
    assert match.act(0, {"declare": "vole"})
    play(match, tricks[1:])
    assert match.view(0)["won"] == [8, 0]
    assert result(match) == expected


@pytest.mark.parametrize(("others", "worth"), [(150, 4), (40, 5), (-10, 7)])
def test_declaring_below_190_loses_at_once(others: int, worth: int) -> None:
    """With 180 the declaration is accepted and has failed (brou.amb.22, lost)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(180, others), pv_below_threshold="lost")
    play(match, VOLE[:1])
    assert match.act(0, {"declare": "vole"})
    assert result(match) == ("partie-et-vole-failed", 1, worth)


def test_declaring_with_190_is_not_lost() -> None:
    """At 190 the reading `lost` has no effect (brou.amb.22)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(190, 0), pv_below_threshold="lost")
    play(match, VOLE[:1])
    assert match.act(0, {"declare": "vole"})
    assert match.view(0)["phase"] == "play"


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


@pytest.mark.parametrize(("reading", "accepted"), [("no", False), ("yes", True)])
def test_declaring_before_the_first_trick(reading: str, accepted: bool) -> None:
    """The player on lead with 190 may declare before leading, or may not (brou.amb.24)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(190, 190), pv_before_first=reading)
    assert not match.act(1, {"declare": "vole"})
    assert not match.act(2, {"declare": "vole"})
    assert match.act(0, {"declare": "vole"}) is accepted


@pytest.mark.parametrize(("reading", "accepted"), [("leader", False), ("any-member", True)])
def test_the_partner_of_the_leader_declares(reading: str, accepted: bool) -> None:
    """Either partner may speak, or only the player on lead (brou.amb.25)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(190, 0), pv_speaker=reading)
    play(match, VOLE[:1])
    assert match.act(2, {"declare": "vole"}) is accepted
    assert match.act(0, {"declare": "vole"}) is not accepted


def test_declaring_ends_with_the_fifth_lead() -> None:
    """After four tricks it is open, after the fifth lead it is not (brou.pv.02, brou.pv.13)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(190, 0))
    play(match, VOLE[:4])
    assert match.legal(0)["declare"] == ["vole"]
    assert match.act(0, {"play": VOLE[4].split()[0]})
    assert all("declare" not in match.legal(seat) for seat in range(4))
    for seat in (1, 2, 3):
        assert match.act(seat, {"play": VOLE[4].split()[seat]})
    assert not match.act(0, {"declare": "vole"})


def test_declaring_needs_every_trick() -> None:
    """A team that has lost a trick cannot declare, even on lead with 190 (brou.pv.03)."""
    tricks = [LOST, *WON]
    match = begin(columns(tricks), turnup="9S", accounts=(200, 0))
    play(match, tricks[:2])
    assert match.view(0)["leader"] == 0
    assert "declare" not in match.legal(0)


def test_no_claim_after_a_declaration() -> None:
    """Bound to the vole, the declarers may not take 301 early (brou.amb.30)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(300, 0))
    play(match, VOLE[:1])
    assert match.act(0, {"declare": "vole"})
    assert all("claim" not in match.legal(seat) for seat in range(4))
    assert not match.act(0, {"claim": True})


@pytest.mark.parametrize(("reading", "accepted"), [("until-fifth-begun", True), ("tricks-2-3-4", False)])
def test_asking_before_the_fifth_trick(reading: str, accepted: bool) -> None:
    """After four tricks the request is still open, or no longer (brou.amb.26)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(290, 0), stop_window=reading)
    play(match, VOLE[:3])
    assert "stop" in match.legal(1)
    play(match, VOLE[3:4])
    assert ("stop" in match.legal(1)) is accepted
    assert match.act(1, {"stop": True}) is accepted


def test_asking_ends_with_the_fifth_lead() -> None:
    """No request inside a trick, before the first, or after the fifth is begun (brou.stop.04)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(310, 0))
    assert not match.act(1, {"stop": True})
    play(match, VOLE[:1])
    assert match.act(0, {"play": VOLE[1].split()[0]})
    assert not match.act(1, {"stop": True})
    for seat in (1, 2, 3):
        assert match.act(seat, {"play": VOLE[1].split()[seat]})
    play(match, VOLE[2:5])
    assert not match.act(1, {"stop": True})


@pytest.mark.parametrize("reading", ["yes", "no"])
def test_asking_a_team_that_lost_a_trick(reading: str) -> None:
    """Leaders with 301 and three of four tricks cannot be asked, or can only accept (brou.amb.27)."""
    tricks = [WON[0], LOST, *WON[1:]]
    match = begin(columns(tricks), turnup="9S", accounts=(290, 60), stop_requires_all_tricks=reading)
    play(match, tricks[:4])
    assert match.act(1, {"stop": True}) is (reading == "no")
    if reading == "no":
        assert match.legal(2) == {"answer": [True]}
        assert not match.act(0, {"answer": False})
        assert match.act(0, {"answer": True})
        assert result(match) == ("stop", 0, 2)


@pytest.mark.parametrize("reading", ["illegal", "concession", "void-check"])
def test_asking_a_team_without_301(reading: str) -> None:
    """At 297 the request is refused, ends the partie, or changes nothing (brou.amb.28)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(280, 160), stop_wrong=reading)
    play(match, VOLE[:1])
    assert match.score()["accounts"] == [297, 160]
    before = [match.view(seat) for seat in range(4)]
    assert match.act(3, {"stop": True}) is (reading != "illegal")
    if reading == "concession":
        assert result(match) == ("stop", 0, 1)
    else:
        assert [match.view(seat) for seat in range(4)] == before


@pytest.mark.parametrize(("others", "worth"), [(160, 1), (140, 2), (-10, 4)])
def test_a_concession_is_paid_by_the_account_of_those_who_ask(others: int, worth: int) -> None:
    """Conceding at 297 ends the partie as an accepted request does (brou.amb.28, concession)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(280, others), stop_wrong="concession")
    play(match, VOLE[:1])
    assert match.act(1, {"stop": True})
    assert result(match) == ("stop", 0, worth)


@pytest.mark.parametrize("reading", ["concession", "void-check"])
def test_a_founded_request_waits_for_its_answer_in_every_reading(reading: str) -> None:
    """Against a team that has 301 the request is the ordinary one (brou.amb.28)."""
    match = begin(columns(VOLE), turnup="7C", accounts=(290, 160), stop_wrong=reading)
    play(match, VOLE[:1])
    assert match.act(3, {"stop": True})
    assert match.legal(0) == {"answer": [True, False]}


@pytest.mark.parametrize(("reading", "worth"), [("raw", 2), ("rounded", 1), ("sheet", 2)])
def test_an_accepted_request_counts_the_losers_as_the_reading_says(reading: str, worth: int) -> None:
    """Askers at 140 with nine card points stand at 149, 150 or 140 (brou.stop.02, brou.amb.03)."""
    match = begin(
        columns(LOSERS_NINE), turnup="7C", accounts=(290, 140), loser_account=reading, stop_requires_all_tricks="no"
    )
    play(match, LOSERS_NINE[:3])
    assert match.act(3, {"stop": True})
    assert match.act(0, {"answer": True})
    assert result(match) == ("stop", 0, worth)


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


def test_the_left_neighbour_cuts_once() -> None:
    """The cards above the cut go under the rest before dealing (brou.deal.02)."""
    match = brou.Match(EDITION, {}, dealer=3)
    assert match.legal(2) == {"cut": {"min": 1, "max": 31}}
    assert not match.act(0, {"cut": 5})
    assert not match.act(2, {"cut": 32})
    assert match.act(2, {"cut": 1})
    assert not match.act(2, {"cut": 1})
    deck = [rank + suit for suit in SUITS for rank in "AKQJT987"]
    assert match.act(3, {"deal": {"deck": deck, "packets": [3, 3, 2]}})
    assert match.view(0)["turnup"]["card"] == "AS"
    assert match.view(0)["hand"] == ["KS", "QS", "JS", "9H", "8H", "7H", "KC", "QC"]


def test_the_only_trump_of_the_dealer_must_follow_from_the_table() -> None:
    """The turn-up belongs to the dealer's hand while it lies open (brou.amb.44, brou.trump.04)."""
    hands = [
        "AS KS JS 7H 8H 7D 8D 7C",
        "QS TS 9H TH 9D TD 8C 9C",
        "8S 7S JH QH JD QD TC JC",
        "9S KH AH KD AD QC KC AC",
    ]
    match = begin(hands, turnup="9S")
    for seat, card in ((0, "AS"), (1, "TS"), (2, "7S")):
        assert match.act(seat, {"play": card})
        assert match.view(0)["turnup"] == {"card": "9S", "exposed": True}
    assert match.legal(3)["play"] == ["9S"]
    assert match.act(3, {"play": "9S"})
    assert match.view(0)["turnup"] == {"card": "9S", "exposed": False}


def test_the_turn_up_is_covered_after_the_first_trick() -> None:
    """A turn-up that was not played goes into the dealer's hand with the end of trick 1 (brou.trump.03)."""
    match = begin(columns(VOLE), turnup="7C")
    play(match, VOLE[:1])
    assert match.view(2)["turnup"] == {"card": "7C", "exposed": False}
    assert "7C" in match.view(3)["hand"]


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


def test_a_void_player_may_play_anything() -> None:
    """Without the suit led there is no duty to trump; with it only that suit is open (brou.play.02)."""
    hands = [
        "AD KS JS 7H 8H 7S 8S 7C",
        "QS TS 9H TH 9S AS 8C 9C",
        "8D 7D JH QH JD QD TC JC",
        "9D KH AH KD TD QC KC AC",
    ]
    match = begin(hands, turnup="AC")
    assert match.act(0, {"play": "AD"})
    assert match.legal(1)["play"] == ["AS", "QS", "TS", "9S", "TH", "9H", "9C", "8C"]
    assert match.legal(2) == {"claim": [True]}
    assert match.act(1, {"play": "8C"})
    assert match.legal(2)["play"] == ["QD", "JD", "8D", "7D"]
    assert not match.act(2, {"play": "JH"})
    assert match.act(2, {"play": "7D"})
    assert match.act(3, {"play": "9D"})
    assert match.view(1)["leader"] == 1


def test_past_tricks_are_shown_only_on_turn() -> None:
    """The player on turn sees the last trick and the tricks of his team, nobody else does (brou.look.01 to 03)."""
    tricks = [WON[0], LOST, *WON[1:]]
    match = begin(columns(tricks), turnup="9S")
    assert "last" not in match.view(0)
    play(match, tricks[:2])
    assert match.view(1)["last"] == [
        {"seat": 0, "card": "7C"},
        {"seat": 1, "card": "TC"},
        {"seat": 2, "card": "QC"},
        {"seat": 3, "card": "8C"},
    ]
    assert match.view(1)["own"] == [["7C", "TC", "QC", "8C"]]
    assert all("last" not in match.view(seat) and "own" not in match.view(seat) for seat in (0, 2, 3))
    assert match.view(0)["keeper"] == [0, 1]


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
