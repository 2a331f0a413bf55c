"""What the second witness for Brusquembille holds, worked out by hand from the census of rules."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from oracle_loader import load

ORACLE = load("brusquembille")
EDITION = "brusquembille@1718"
FULL = [rank + suit for suit in "SHDC" for rank in "AKQJT987"]
WITHOUT_BLACK = [card for card in FULL if card not in ("7S", "7C")]
WITHOUT_RED = [card for card in FULL if card not in ("7H", "7D")]
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
SEATS = {"2": 2, "3": 3, "4": 4, "4-partners": 4, "5": 5}
SEATS |= {f"{name}-points": seats for name, seats in SEATS.items()}
READINGS = ORACLE.READINGS[EDITION]

Tricks = Sequence[tuple[int, str]]
NEXT: dict[str, object] = {"next": True}


@dataclass(frozen=True)
class Coup:
    """Tricks, each with its leader and the cards in the order of play, and the deck with which they can be played."""

    tricks: Tricks
    deck: Sequence[str]

    def swapped(self, *pairs: tuple[str, str]) -> Coup:
        """The same coup with cards changing places."""
        other = {card: mate for one, two in pairs for card, mate in ((one, two), (two, one))}
        tricks = [(leader, " ".join(other.get(card, card) for card in trick.split())) for leader, trick in self.tricks]
        return Coup(tricks, [other.get(card, card) for card in self.deck])

    def turned(self, steps: int) -> Coup:
        """The same coup, each player so many seats further to the right."""
        players = len(self.tricks[0][1].split())
        return Coup([((leader + steps) % players, trick) for leader, trick in self.tricks], self.deck)


def coup(*tricks: tuple[int, str]) -> Coup:
    """The tricks with a deck that gives each seat its cards in the order in which it plays them."""
    players = len(tricks[0][1].split())
    waiting: list[list[str]] = [[] for _ in range(players)]
    for leader, trick in tricks:
        for step, card in enumerate(trick.split()):
            waiting[(leader + step) % players].append(card)
    first = tricks[0][0]
    dealt = [waiting[(first + step) % players].pop(0) for _ in range(3) for step in range(players)]
    winners = [leader for leader, _ in tricks[1:-2]]
    stock = [waiting[(winner + step) % players].pop(0) for winner in winners for step in range(players)]
    return Coup(tricks, [*dealt, stock[-1], *stock[:-1]])


#: Forty card points for each of three players: a leader, and the cards in the order of play.
THREE_TIMES_FORTY_TRICKS = (
    (0, "QS JS JD"),
    (2, "AC 9H QC"),
    (2, "8S 9C QH"),
    (2, "JH 7H TS"),
    (2, "KH 8D TD"),
    (1, "KD TH TC"),
    (1, "KC 9D 9S"),
    (2, "JC 8C 7D"),
    (1, "QD AS AD"),
    (0, "AH 8H KS"),
)
THREE_TIMES_FORTY_DECK = [
    *("QS", "QC", "JD", "7H", "TD", "AC", "8C", "JS", "8S"),
    "7D",
    *("AS", "9H", "QH", "KH", "9C", "TS", "JH", "AH", "KC", "TH", "8D", "KD", "8H", "JC", "TC", "QD", "9D"),
    *("9S", "KS", "AD"),
]
THREE_TIMES_FORTY = Coup(THREE_TIMES_FORTY_TRICKS, THREE_TIMES_FORTY_DECK)
#: Ace, ten, king, queen and jack of one suit for each of four players.
FOUR_TIMES_THIRTY = coup(
    (0, "AH TH KH QH"),
    (0, "JH 9H 8H 7H"),
    (0, "TD AD KD QD"),
    (1, "JD 9D 8D 7D"),
    (1, "TC AC KC QC"),
    (2, "JC 9C 8C 7C"),
    (2, "TS AS KS QS"),
    (3, "JS 9S 8S 7S"),
)
#: 36, 36, 36 and 12 points, trump spades.
THREE_OF_FOUR = coup(
    (0, "AS AH TC KC"),
    (0, "KD AD TD AC"),
    (1, "KH TS TH KS"),
    (2, "QS QH JH 9H"),
    (2, "7H JS QD QC"),
    (3, "9S 8H JD JC"),
    (3, "8S 9D 8D 7D"),
    (3, "9C 8C 7C 7S"),
)
#: Forty points for three of five players, nothing for the two others, trump spades.
THREE_OF_FIVE = coup(
    (0, "AH AD AC 9H 8H"),
    (0, "KH QH 7H 9D 8D"),
    (0, "KC TC TD TH KD"),
    (1, "9S JC 9C 8C 7D"),
    (1, "JH AS QD QC JD"),
    (2, "TS KS QS JS 8S"),
)


def deck_with(hands: Sequence[str], turnup: str, *, pack: Sequence[str] = WITHOUT_BLACK) -> list[str]:
    """A deck that begins with these hands, the first one dealt first; the rest of the pack fills up."""
    held = [hand.split() for hand in hands]
    rest = [card for card in pack if card != turnup and not any(card in hand for hand in held)]
    for hand in held:
        while len(hand) < 3:
            hand.append(rest.pop())
    return [hand[place] for place in range(3) for hand in held] + [turnup, *rest]


def open_match(setup: str = "3", readings: dict[str, str | int] | None = None, **setting: Any) -> Any:
    """A match in front of a deal, of the last seat unless another dealer is named."""
    return ORACLE.Match(EDITION, readings or {}, setup=setup, **{"dealer": SEATS[setup] - 1, **setting})


def give(match: Any, deck: Sequence[str]) -> None:
    """Deals the deck."""
    assert match.act(match.view(0)["dealer"], {"deal": {"deck": list(deck), "packets": [1, 1, 1]}})


def play(match: Any, *tricks: str) -> None:
    """Plays the cards one after the other, each by the seat whose turn it is."""
    for trick in tricks:
        for card in trick.split():
            assert match.act(match.view(0)["turn"], {"play": card}), card


def dealt(deck: Sequence[str], setup: str = "3", readings: dict[str, str | int] | None = None, **setting: Any) -> Any:
    """A match with this deck dealt."""
    match = open_match(setup, readings, **setting)
    give(match, deck)
    return match


def played(whole: Coup, setup: str = "3", readings: dict[str, str | int] | None = None, **setting: Any) -> Any:
    """A match after all tricks of a coup, in front of its result."""
    dealer = (whole.tricks[0][0] - 1) % SEATS[setup]
    match = dealt(whole.deck, setup, readings, **{"dealer": dealer, **setting})
    for leader, trick in whole.tricks:
        assert match.view(0)["turn"] == leader
        play(match, trick)
    return match


def random_coup(match: Any, chance: random.Random) -> list[str]:
    """Deals any pack and plays any cards; the cards in the order of play."""
    dealer = match.view(0)["dealer"]
    deck = list(match.legal(dealer)["deal"]["deck"]["order"])
    chance.shuffle(deck)
    give(match, deck)
    cards = []
    while match.view(0)["phase"] == "play":
        seat = match.view(0)["turn"]
        cards.append(chance.choice(match.legal(seat)["play"]))
        assert match.act(seat, {"play": cards[-1]})
    return cards


def first_trick(trick: str, turnup: str, setup: str = "3", readings: dict[str, str | int] | None = None) -> list[int]:
    """What the first trick has changed in the accounts of the sides, its stakes aside."""
    cards = trick.split()
    pack = WITHOUT_BLACK if len(cards) in (3, 5) else FULL
    match = dealt(deck_with(cards, turnup, pack=pack), setup, readings)
    staked = match.view(0)["accounts"]
    play(match, trick)
    return [now - then for now, then in zip(match.view(0)["accounts"], staked, strict=True)]


def profiles() -> Iterable[Any]:
    """Every set-up with every choice of the readings that mean something in it."""
    for setup in SEATS:
        open_to = {key: values for key, values in READINGS.items() if takes(setup, {key: values[1]})}
        for values in product(*open_to.values()):
            yield pytest.param(setup, dict(zip(open_to, values, strict=True)), id="-".join((setup, *values)))


def takes(setup: str, readings: dict[str, str | int]) -> bool:
    """Whether the set-up can be played with these readings."""
    try:
        open_match(setup, readings)
    except ValueError:
        return False
    return True


# Readings and set-ups -------------------------------------------------------------------------------------------------


def test_readings_put_the_default_first() -> None:
    """The first value of each reading is the one that holds when nothing is said."""
    assert {key: values[0] for key, values in READINGS.items()} == {
        "removed_sevens": "black",
        "tie_n": "equal-shares",
        "tour_length": "one-deal-per-dealer",
        "partners_stake": "each-player",
        "points_end": "highest-at-coup-end",
    }


@pytest.mark.parametrize(
    ("reading", "setups"),
    [
        ("removed_sevens", {"3", "5", "3-points", "5-points"}),
        ("tie_n", {"3", "4", "5"}),
        ("tour_length", {"2", "3", "4", "4-partners", "5"}),
        ("partners_stake", {"4-partners"}),
        ("points_end", {"2-points", "3-points", "4-points", "4-partners-points", "5-points"}),
    ],
)
def test_a_reading_is_open_where_it_means_something(reading: str, setups: set[str]) -> None:
    """Elsewhere only the default is accepted (census 0.6 items 2 and 11)."""
    for value in READINGS[reading][1:]:
        assert {setup for setup in SEATS if takes(setup, {reading: value})} == setups
    assert all(takes(setup, {reading: READINGS[reading][0]}) for setup in SEATS)


@pytest.mark.parametrize(
    "readings",
    [{"tie_n": "thirds"}, {"tours": 0}, {"tours": 100}, {"tours": "2"}, {"points_target": True}, {"vole": "yes"}],
)
def test_unknown_readings_are_refused(readings: dict[str, str | int]) -> None:
    """A value that is not in the register, and a number out of its range, cannot be chosen."""
    with pytest.raises(ValueError, match=r".+"):
        open_match("3", readings)


@pytest.mark.parametrize(
    "setting",
    [
        {"setup": "4-partners", "dealer": 0},
        {"setup": "3", "gains": [0, 0]},
        {"setup": "3", "gains": [20, 0, 0]},
        {"setup": "3", "gains": [20, 0, 0], "pot": -20},
        {"setup": "3", "coups": 6},
        {"setup": "3-points", "pot": 20},
        {"setup": "6"},
    ],
)
def test_impossible_starts_are_refused(setting: dict[str, Any]) -> None:
    """A start has a dealer who may deal, money that sums to zero, and a coup left to play."""
    with pytest.raises(ValueError, match=r".+"):
        ORACLE.Match(EDITION, {}, **{"dealer": 1, **setting})


def test_another_edition_is_not_known() -> None:
    """The text of 1718 is the only edition."""
    with pytest.raises(ValueError, match="1719"):
        ORACLE.Match("brusquembille@1719", {})


# The draw -------------------------------------------------------------------------------------------------------------


def test_the_highest_card_in_piquet_order_deals_first() -> None:
    """King, queen and jack are above the ten here, unlike in tricks (brus.dealer.01)."""
    match = ORACLE.Match(EDITION, {})

    for seat, card in ((2, "TS"), (0, "JD"), (1, "9H")):
        assert match.view(0)["phase"] == "draw"
        assert match.act(seat, {"draw": card})

    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("deal", 0)


@pytest.mark.parametrize(("higher", "lower"), list(zip("AKQJT98", "KQJT987", strict=True)))
def test_each_step_of_the_order_of_the_draw(higher: str, lower: str) -> None:
    """Ace, king, queen, jack, ten, nine, eight, seven (brus.dealer.01)."""
    match = ORACLE.Match(EDITION, {}, setup="2")

    assert match.act(0, {"draw": lower + "H"})
    assert match.act(1, {"draw": higher + "D"})

    assert match.view(0)["dealer"] == 1


def test_equally_high_draw_again_among_themselves() -> None:
    """Those tied draw once more from the whole pack, the others not (brus.amb.03, chosen)."""
    match = ORACLE.Match(EDITION, {})
    for seat, card in ((0, "AS"), (1, "KH"), (2, "AD")):
        assert match.act(seat, {"draw": card})

    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("draw", None)
    assert not match.act(1, {"draw": "AC"})
    assert match.act(0, {"draw": "8S"})
    assert match.act(2, {"draw": "AS"})

    assert match.view(0)["dealer"] == 2


def test_a_seat_draws_once_and_a_card_nobody_has() -> None:
    """No second draw, no card twice, no card that is out of the pack."""
    match = ORACLE.Match(EDITION, {})
    assert match.act(0, {"draw": "8S"})

    assert not match.act(0, {"draw": "AS"})
    assert not match.act(1, {"draw": "8S"})
    assert not match.act(1, {"draw": "7S"})
    assert match.legal(0) == {}
    assert match.legal(1) == {"draw": [card for card in WITHOUT_BLACK if card != "8S"]}


def test_of_partners_the_rightmost_of_each_side_draw() -> None:
    """Seats 1 and 3 draw for the sides 0, 1 and 2, 3 (brus.four.04, brus.amb.18)."""
    match = ORACLE.Match(EDITION, {}, setup="4-partners")

    assert [bool(match.legal(seat)) for seat in range(4)] == [False, True, False, True]
    assert not match.act(0, {"draw": "AS"})
    assert match.act(3, {"draw": "TS"})
    assert match.act(1, {"draw": "JS"})

    assert match.view(0)["dealer"] == 1


# The deal -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "stock", "pack"), [("2", 26, 32), ("3", 21, 30), ("4", 20, 32), ("4-partners", 20, 32), ("5", 15, 30)]
)
@pytest.mark.parametrize("mode", ["", "-points"])
def test_pack_and_stock_of_each_set_up(setup: str, stock: int, pack: int, mode: str) -> None:
    """The stock has 26, 21, 20 or 15 cards, the turn-up among them (brus.stock.01, two.01, four.01, five.01)."""
    match = open_match(setup + mode)
    dealer = match.view(0)["dealer"]
    cards = match.legal(dealer)["deal"]["deck"]["order"]
    give(match, cards)

    assert (len(cards), match.view(0)["stock"]) == (pack, stock)
    assert match.view(0)["hands"] == [3] * SEATS[setup]


@pytest.mark.parametrize("setup", ["3", "5", "3-points", "5-points"])
@pytest.mark.parametrize(("colour", "pack"), [("black", WITHOUT_BLACK), ("red", WITHOUT_RED)])
def test_two_sevens_of_one_colour_are_out(setup: str, colour: str, pack: list[str]) -> None:
    """With three and with five players (brus.equip.02, brus.five.01, brus.amb.04)."""
    match = open_match(setup, {"removed_sevens": colour})
    dealer = match.view(0)["dealer"]

    assert match.legal(dealer)["deal"] == {"deck": {"order": pack}, "packets": [[1, 1, 1]]}
    assert not match.act(dealer, {"deal": {"deck": FULL, "packets": [1, 1, 1]}})


def test_single_cards_from_the_right_then_the_turn_up() -> None:
    """Three rounds of one card; the next card makes trump (brus.deal.02, brus.trump.01, brus.turn.01)."""
    match = dealt(THREE_TIMES_FORTY_DECK)

    assert [match.view(seat)["hand"] for seat in range(3)] == [
        ["QS", "7H", "8C"],
        ["JS", "TD", "QC"],
        ["8S", "JD", "AC"],
    ]
    assert (match.view(0)["trump"], match.view(0)["turnup"]) == ("D", {"card": "7D", "exposed": True})


def test_the_right_of_the_dealer_begins() -> None:
    """He is dealt to first and leads (brus.lead.01)."""
    match = dealt(THREE_TIMES_FORTY_DECK, dealer=0)

    assert (match.view(0)["turn"], match.view(0)["leader"]) == (1, 1)
    assert match.view(1)["hand"] == ["QS", "7H", "8C"]


def test_the_left_neighbour_may_cut_once() -> None:
    """The top cards go under the rest; the deck is told as it was before (brus.deal.01)."""
    match = open_match(dealer=1)
    assert match.legal(0) == {"cut": {"min": 1, "max": 29}}
    for seat, depth in ((1, 5), (2, 5), (0, 0), (0, 30), (0, True), (0, "5")):
        assert not match.act(seat, {"cut": depth})

    assert match.act(0, {"cut": 29})
    assert not match.act(0, {"cut": 5})
    assert match.legal(0) == {}
    give(match, [*THREE_TIMES_FORTY_DECK[1:], THREE_TIMES_FORTY_DECK[0]])

    assert match.view(2)["hand"] == ["QS", "7H", "8C"]


def test_a_cut_holds_for_one_deal() -> None:
    """The next deal begins with the pack as it is told."""
    match = open_match(dealer=1)
    assert match.act(0, {"cut": 7})
    random_coup(match, random.Random(1))
    assert match.act(0, NEXT)

    give(match, THREE_TIMES_FORTY_DECK)

    assert match.view(0)["hand"] == ["QS", "7H", "8C"]


@pytest.mark.parametrize(
    "value",
    [
        {"deck": THREE_TIMES_FORTY_DECK, "packets": [3]},
        {"deck": THREE_TIMES_FORTY_DECK, "packets": [1, 2]},
        {"deck": THREE_TIMES_FORTY_DECK},
        {"deck": THREE_TIMES_FORTY_DECK[:-1], "packets": [1, 1, 1]},
        {"deck": [*THREE_TIMES_FORTY_DECK[:-1], "QS"], "packets": [1, 1, 1]},
        {"deck": [*THREE_TIMES_FORTY_DECK[:-1], "7S"], "packets": [1, 1, 1]},
        THREE_TIMES_FORTY_DECK,
    ],
)
def test_other_deals_are_refused(value: object) -> None:
    """A deal names every card once and gives them singly."""
    match = open_match()

    assert not match.act(2, {"deal": value})
    assert match.view(0)["phase"] == "deal"


def test_only_the_dealer_deals() -> None:
    """The others have to wait."""
    match = open_match(dealer=1)
    deal = {"deal": {"deck": THREE_TIMES_FORTY_DECK, "packets": [1, 1, 1]}}

    assert not match.act(0, deal)
    assert not match.act(2, deal)
    assert match.act(1, deal)
    assert not match.act(1, deal)


@pytest.mark.parametrize("setup", ["2", "3", "4", "5"])
def test_the_deal_passes_to_the_right(setup: str) -> None:
    """The new dealer is on the right of the old one (brus.dealer.02)."""
    match = open_match(setup, dealer=0)
    dealers = []
    for _ in range(SEATS[setup]):
        dealers.append(match.view(0)["dealer"])
        random_coup(match, random.Random(1))
        assert match.act(0, NEXT)

    assert dealers == list(range(SEATS[setup]))
    assert match.view(0)["dealer"] == 0


def test_of_partners_the_rightmost_of_the_other_side_deals_next() -> None:
    """Seats 1 and 3 alternate (brus.four.05, brus.amb.05)."""
    match = open_match("4-partners", {"tours": 2}, dealer=1)
    dealers = []
    for _ in range(3):
        dealers.append(match.view(0)["dealer"])
        random_coup(match, random.Random(1))
        assert match.act(0, NEXT)

    assert dealers == [1, 3, 1]


@pytest.mark.parametrize(("dealer", "order"), [(1, [2, 3, 0, 1]), (3, [0, 1, 2, 3])])
def test_in_the_first_trick_both_of_one_side_play_before_the_others(dealer: int, order: list[int]) -> None:
    """Both players of the side that did not deal begin (brus.four.06, brus.ex.05)."""
    match = dealt(FULL, "4-partners", dealer=dealer)
    seats = []
    for _ in range(4):
        seats.append(match.view(0)["turn"])
        assert match.act(seats[-1], {"play": match.view(seats[-1])["hand"][0]})

    assert seats == order


# Tricks ---------------------------------------------------------------------------------------------------------------


def test_any_card_may_be_played() -> None:
    """No duty to follow, to trump or to beat (brus.play.01)."""
    match = dealt(deck_with(["AH", "KH AD 9C", "7H JD 8C"], "7D"))
    play(match, "AH")

    assert match.legal(1) == {"play": ["KH", "AD", "9C"]}
    play(match, "AD")
    assert match.legal(2) == {"play": ["7H", "JD", "8C"]}


def test_only_the_player_on_turn_plays_a_card_of_his_hand() -> None:
    """Other seats, other cards and cards out of the pack are refused."""
    match = dealt(THREE_TIMES_FORTY_DECK)

    assert not match.act(1, {"play": "JS"})
    assert not match.act(0, {"play": "JS"})
    assert not match.act(0, {"play": "7S"})
    assert not match.act(0, {"play": ["QS"]})
    assert not match.act(0, {"play": "QS", "next": True})
    assert not match.act(0, {"exchange": "QS"})
    assert not match.act(0, {})
    assert (match.legal(1), match.legal(2)) == ({}, {})
    assert match.legal(0) == {"play": ["QS", "7H", "8C"]}


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("KH TH 9H", 1),
        ("TH AH KH", 1),
        ("QH JH KH", 2),
        ("JH QH 9H", 1),
        ("9H JH 8H", 1),
        ("8H 9H 7H", 1),
        ("7H 8H AS", 1),
        ("7H AS AC", 0),
        ("AH 7D TH", 1),
        ("AH 7D 8D", 2),
        ("AH TD KD", 1),
        ("7D AS AH", 0),
        ("9D KD JD", 1),
    ],
)
def test_the_highest_trump_or_else_the_highest_of_the_suit_led(trick: str, winner: int) -> None:
    """Ace, ten, king, queen, jack, nine, eight, seven; diamonds are trump (brus.rank.01, brus.trick.01)."""
    match = dealt(deck_with(trick.split(), "QD"))
    play(match, trick)

    assert (match.view(0)["leader"], match.view(0)["turn"]) == (winner, winner)
    assert match.view(0)["won"] == [int(seat == winner) for seat in range(3)]


def test_an_eight_is_the_lowest_where_the_seven_is_out() -> None:
    """A nine beats it, and the order is the same else (brus.rank.01)."""
    match = dealt(deck_with(["8S", "9S", "7H"], "QD"))
    play(match, "8S 9S 7H")

    assert match.view(0)["turn"] == 1


def test_winner_then_right_then_last_draw() -> None:
    """The order is compulsory, so nobody is asked (brus.draw.01, brus.draw.02)."""
    match = dealt(THREE_TIMES_FORTY_DECK)
    play(match, "QS JS JD")

    assert [match.view(seat)["hand"] for seat in range(3)] == [
        ["9H", "7H", "8C"],
        ["QH", "TD", "QC"],
        ["AS", "8S", "AC"],
    ]
    assert match.view(0)["stock"] == 18


@pytest.mark.parametrize("setup", SEATS)
def test_the_turn_up_is_drawn_last_by_the_left_of_the_winner(setup: str) -> None:
    """When as many cards as players are left (brus.draw.03, brus.adv.02, brus.clm.05, brus.clm.06)."""
    match = open_match(setup)
    chance = random.Random(3)
    dealer = match.view(0)["dealer"]
    deck = list(match.legal(dealer)["deal"]["deck"]["order"])
    chance.shuffle(deck)
    give(match, deck)
    while match.view(0)["stock"]:
        assert match.view(0)["turnup"] == {"card": deck[3 * SEATS[setup]], "exposed": True}
        seat = match.view(0)["turn"]
        assert match.act(seat, {"play": chance.choice(match.legal(seat)["play"])})

    left_of_winner = (match.view(0)["turn"] - 1) % SEATS[setup]
    assert deck[3 * SEATS[setup]] in match.view(left_of_winner)["hand"]
    assert match.view(0)["turnup"] == {"card": deck[3 * SEATS[setup]], "exposed": False}
    assert match.view(0)["hands"] == [3] * SEATS[setup]


@pytest.mark.parametrize(("setup", "tricks"), [("2", 16), ("3", 10), ("4", 8), ("4-partners", 8), ("5", 6)])
def test_tricks_of_a_coup(setup: str, tricks: int) -> None:
    """All cards are played, the last three tricks without a stock (brus.end.01, brus.clm.04)."""
    match = open_match(setup)
    cards = random_coup(match, random.Random(5))

    assert sum(match.view(0)["won"]) == tricks
    assert len(set(cards)) == len(cards) == tricks * SEATS[setup]
    assert sum(match.score()["points"]) == 120


# Brusquembilles -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "changes"),
    [
        ("AH TH 9C", [5, -4, -1]),
        ("AH AC TC", [7, -5, -2]),
        ("AH 7D 9C", [-4, 2, 2]),
        ("AH 9H 9C", [4, -2, -2]),
        ("TH 9H 9C", [2, -1, -1]),
        ("TH AH 9C", [-4, 5, -1]),
        ("KH QH JH", [0, 0, 0]),
        ("9H TS TC", [2, -1, -1]),
    ],
)
def test_each_ace_and_ten_is_settled_with_all_others(trick: str, changes: list[int]) -> None:
    """Two tokens an ace, one a ten, each card by itself (brus.ex.04, brus.brusq.01 to .03, brus.amb.08, .09)."""
    assert first_trick(trick, "QD") == changes


@pytest.mark.parametrize(
    ("setup", "trick", "changes"),
    [
        ("4", "AH 7D 9C 8C", [-6, 2, 2, 2]),
        ("4", "AH TH 9C 8C", [7, -5, -1, -1]),
        ("5", "AH 7D 9C 8C 9S", [-8, 2, 2, 2, 2]),
        ("5", "TH 9H 9C 8C 9S", [4, -1, -1, -1, -1]),
    ],
)
def test_four_and_five_players_pay_each_of_all_the_others(setup: str, trick: str, changes: list[int]) -> None:
    """As three do (brus.pay.02, brus.five.01, brus.amb.07)."""
    assert first_trick(trick, "QD", setup) == changes


@pytest.mark.parametrize(
    ("setup", "trick"),
    [
        ("2", "AH TH"),
        ("4-partners", "AH TH 9C 8C"),
        ("2-points", "AH TH"),
        ("3-points", "AH TH 9C"),
        ("4-points", "AH TH 9C 8C"),
        ("4-partners-points", "AH 7D 9C 8C"),
        ("5-points", "AH TH 9C 8C 9S"),
    ],
)
def test_where_brusquembilles_are_not_paid(setup: str, trick: str) -> None:
    """Two players, partners and every game for points (brus.pay.01, brus.pts.01, brus.amb.19)."""
    assert set(first_trick(trick, "QD", setup)) == {0}


def test_payments_are_made_after_each_trick() -> None:
    """The accounts move with the trick, not with the coup (brus.amb.13)."""
    match = dealt(THREE_TIMES_FORTY_DECK)
    before = match.score()["gains"]
    changes = []
    for _, trick in THREE_TIMES_FORTY_TRICKS[:5]:
        play(match, trick)
        changes.append([now - then for now, then in zip(match.score()["gains"], before, strict=True)])

    assert changes == [
        [0, 0, 0],
        [-2, -2, 4],
        [-2, -2, 4],
        [-1, -4, 5],
        [-2, -2, 4],
    ]


# Stakes and pot -------------------------------------------------------------------------------------------------------


def test_the_cave_of_two_tours() -> None:
    """Six fiches and twenty tokens are 140 (brus.cave.01, brus.ex.01)."""
    assert open_match("3", {"tours": 2}).view(0)["accounts"] == [140, 140, 140]
    assert ORACLE.Match(EDITION, {"tours": 2}).view(0)["accounts"] == [140, 140, 140]


def test_everybody_stakes_a_fiche() -> None:
    """Three fiches lie in the pot as soon as the cards are dealt (brus.stake.01)."""
    match = open_match()
    assert (match.view(0)["accounts"], match.view(0)["pot"]) == ([140, 140, 140], 0)
    give(match, THREE_TIMES_FORTY_DECK)

    assert (match.view(0)["accounts"], match.view(0)["pot"]) == ([120, 120, 120], 60)
    assert match.score()["before"] == [140, 140, 140]


@pytest.mark.parametrize(
    ("setup", "readings", "stakes", "pot"),
    [
        ("2", {}, [-20, -20], 40),
        ("4", {}, [-20, -20, -20, -20], 80),
        ("4-partners", {"partners_stake": "each-player"}, [-40, -40], 80),
        ("4-partners", {"partners_stake": "each-team"}, [-20, -20], 40),
        ("5", {}, [-20, -20, -20, -20, -20], 100),
        ("5-points", {}, [0, 0, 0, 0, 0], 0),
    ],
)
def test_stakes_of_each_set_up(setup: str, readings: dict[str, str | int], stakes: list[int], pot: int) -> None:
    """Each player a fiche, or each team one (brus.stake.01, brus.amb.10)."""
    match = open_match(setup, readings)
    dealer = match.view(0)["dealer"]
    give(match, match.legal(dealer)["deal"]["deck"]["order"])

    assert (match.score()["gains"], match.view(0)["pot"]) == (stakes, pot)


def test_most_points_take_the_pot() -> None:
    """Forty-four against forty and thirty-six (brus.count.01, brus.win.01)."""
    match = played(THREE_TIMES_FORTY.swapped(("KS", "8C")))
    score = match.score()

    assert score["points"] == [36, 44, 40]
    assert (score["result"], score["winners"], score["worth"], score["pot"]) == ("won", [1], 60, 0)
    assert score["gains"] == [-20 + 7, -20 - 2 + 60, -20 - 5]
    assert score["accounts"] == match.view(0)["accounts"] == [127, 178, 115]


def test_two_tied_for_most_share_the_pot() -> None:
    """Thirty tokens each with three players (brus.win.02, brus.ex.03)."""
    match = played(THREE_TIMES_FORTY.swapped(("AS", "TS"), ("AH", "TH")))
    score = match.score()

    assert score["points"] == [38, 41, 41]
    assert (score["result"], score["winners"], score["worth"], score["pot"]) == ("shared", [1, 2], 30, 0)


@pytest.mark.parametrize("reading", ["equal-shares", "carry", "replay"])
def test_a_tie_of_two_is_shared_in_every_reading(reading: str) -> None:
    """The text settles it, whatever is done with more (brus.win.02)."""
    match = played(THREE_TIMES_FORTY.swapped(("AS", "TS"), ("AH", "TH")), "3", {"tie_n": reading})

    assert (match.score()["result"], match.score()["worth"]) == ("shared", 30)


@pytest.mark.parametrize(
    ("reading", "result", "worth", "gains", "pot"),
    [
        ("equal-shares", "shared", 20, [7, -2, -5], 0),
        ("carry", "carried", 0, [-13, -22, -25], 60),
        ("replay", "replayed", 0, [-13, -22, -25], 60),
    ],
)
def test_three_times_forty(reading: str, result: str, worth: int, gains: list[int], pot: int) -> None:
    """Each his fiche back, or the pot stays (brus.amb.01, brus.clm.11)."""
    match = played(THREE_TIMES_FORTY, "3", {"tie_n": reading})
    score = match.score()

    assert score["points"] == [40, 40, 40]
    assert (score["result"], score["winners"], score["worth"]) == (result, [0, 1, 2], worth)
    assert (score["gains"], score["pot"]) == (gains, pot)


@pytest.mark.parametrize(
    ("reading", "dealer", "coups", "pot"), [("equal-shares", 0, 1, 60), ("carry", 0, 1, 120), ("replay", 2, 0, 60)]
)
def test_the_coup_after_a_tie_of_three(reading: str, dealer: int, coups: int, pot: int) -> None:
    """A carried pot waits for the next coup's stakes; a replayed coup has its own pot and dealer (brus.amb.01)."""
    match = played(THREE_TIMES_FORTY, "3", {"tie_n": reading})
    assert match.act(1, NEXT)
    assert (match.view(0)["dealer"], match.view(0)["coups"]) == (dealer, coups)

    give(match, THREE_TIMES_FORTY_DECK)

    assert match.view(0)["pot"] == pot


def test_a_replayed_coup_can_be_won_and_stakes_begin_again() -> None:
    """The pot of the tie goes to the winner of the replay; the coup after it has stakes (brus.amb.01)."""
    again = THREE_TIMES_FORTY.swapped(("KS", "8C"))
    match = played(THREE_TIMES_FORTY, "3", {"tie_n": "replay"})
    assert match.act(0, NEXT)
    give(match, again.deck)
    play(match, *(trick for _, trick in again.tricks))
    assert match.score()["before"] == [127, 118, 115]
    assert match.score()["gains"] == [-13 + 7, -22 - 2 + 60, -25 - 5]

    assert match.act(0, NEXT)
    give(match, THREE_TIMES_FORTY_DECK)

    assert (match.view(0)["coups"], match.view(0)["dealer"], match.view(0)["pot"]) == (1, 0, 60)


def test_a_carried_pot_can_be_won() -> None:
    """The winner of the next coup takes both stakes (brus.amb.01)."""
    match = played(
        THREE_TIMES_FORTY.swapped(("KS", "8C")), "3", {"tie_n": "carry"}, gains=[-20, -20, -20], pot=60, coups=1
    )

    assert (match.score()["worth"], match.score()["pot"]) == (120, 0)


def test_a_pot_carried_to_the_end_stays() -> None:
    """Nobody gets what the last coup left undecided (census 0.6 item 7, chosen)."""
    match = played(THREE_TIMES_FORTY, "3", {"tie_n": "carry", "tours": 1}, coups=2)
    assert match.act(0, NEXT)

    assert match.over
    assert (match.view(0)["pot"], match.score()["gains"]) == (60, [-13, -22, -25])


def test_a_replayed_last_coup_does_not_end_the_partie() -> None:
    """It has not been counted yet (brus.amb.01)."""
    match = played(THREE_TIMES_FORTY, "3", {"tie_n": "replay", "tours": 1}, coups=2)
    assert match.act(0, NEXT)

    assert (match.view(0)["phase"], match.view(0)["coups"]) == ("deal", 2)


def test_four_times_thirty() -> None:
    """Twenty each, nothing left (brus.amb.02)."""
    score = played(FOUR_TIMES_THIRTY, "4").score()

    assert score["points"] == [30, 30, 30, 30]
    assert (score["result"], score["winners"], score["worth"], score["pot"]) == ("shared", [0, 1, 2, 3], 20, 0)


@pytest.mark.parametrize(("reading", "worth", "pot"), [("equal-shares", 26, 2), ("carry", 0, 80), ("replay", 0, 80)])
def test_three_of_four_tied(reading: str, worth: int, pot: int) -> None:
    """Eighty does not divide by three: the remainder stays in the pot (brus.amb.02, chosen)."""
    score = played(THREE_OF_FOUR, "4", {"tie_n": reading}).score()

    assert score["points"] == [36, 36, 36, 12]
    assert (score["winners"], score["worth"], score["pot"]) == ([0, 1, 2], worth, pot)
    assert sum(score["gains"]) == -pot


def test_three_of_five_tied() -> None:
    """Thirty-three each and one token for the next coup (brus.amb.02, chosen)."""
    match = played(THREE_OF_FIVE, "5")
    assert match.score()["points"] == [40, 40, 40, 0, 0]
    assert (match.score()["worth"], match.score()["pot"]) == (33, 1)
    assert match.act(4, NEXT)

    give(match, WITHOUT_BLACK)

    assert match.view(0)["pot"] == 101


@pytest.mark.parametrize(("reading", "share"), [("each-player", 40), ("each-team", 20)])
def test_sixty_all_between_partners(reading: str, share: int) -> None:
    """Points of partners are added, and each side has its stake back (brus.four.07, brus.amb.11, brus.amb.10)."""
    score = played(FOUR_TIMES_THIRTY, "4-partners", {"partners_stake": reading}).score()

    assert score["points"] == [60, 60]
    assert (score["result"], score["winners"], score["worth"]) == ("shared", [0, 1], share)
    assert (score["gains"], score["pot"]) == ([0, 0], 0)


@pytest.mark.parametrize(("reading", "gains"), [("each-player", [40, -40]), ("each-team", [20, -20])])
def test_sixty_one_between_partners(reading: str, gains: list[int]) -> None:
    """The winning team takes all stakes (brus.win.01, brus.amb.10)."""
    plan = FOUR_TIMES_THIRTY.swapped(("QD", "KC"))
    score = played(plan, "4-partners", {"partners_stake": reading}).score()

    assert score["points"] == [61, 59]
    assert (score["result"], score["winners"], score["gains"]) == ("won", [0], gains)


@pytest.mark.parametrize(("setup", "share"), [("2", 20), ("3", 30), ("4", 40), ("5", 50)])
def test_half_the_pot_for_each_of_two(setup: str, share: int) -> None:
    """Whatever the number of players, two that are tied for most halve the pot (brus.win.02, brus.amb.11)."""
    chance = random.Random(11)
    while True:
        match = open_match(setup)
        random_coup(match, chance)
        score = match.score()
        if len(score["winners"]) == 2:
            break

    assert score["points"][score["winners"][0]] == score["points"][score["winners"][1]] == max(score["points"])
    assert (score["result"], score["worth"], score["pot"]) == ("shared", share, 0)


def test_sixty_one_wins_between_two() -> None:
    """More than half of the hundred and twenty (brus.ex.06, brus.clm.01)."""
    chance = random.Random(12)
    match = open_match("2", {"tours": 99})
    seen = set()
    while 61 not in seen:
        random_coup(match, chance)
        score = match.score()
        seen |= set(score["points"])
        better = [seat for seat in (0, 1) if score["points"][seat] >= 61]
        assert score["winners"] == (better or [0, 1])
        assert score["worth"] == 40 // len(score["winners"])
        assert match.act(0, NEXT)


# The end of a partie --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "reading", "tours", "coups"),
    [
        ("3", "one-deal-per-dealer", 2, 6),
        ("3", "one-deal-per-player", 2, 6),
        ("3", "three", 2, 6),
        ("2", "one-deal-per-dealer", 3, 6),
        ("2", "one-deal-per-player", 3, 6),
        ("2", "three", 3, 9),
        ("4", "one-deal-per-dealer", 1, 4),
        ("4", "three", 1, 3),
        ("4-partners", "one-deal-per-dealer", 1, 2),
        ("4-partners", "one-deal-per-player", 1, 4),
        ("4-partners", "three", 1, 3),
        ("5", "one-deal-per-dealer", 1, 5),
        ("5", "three", 1, 3),
    ],
)
def test_coups_of_a_partie(setup: str, reading: str, tours: int, coups: int) -> None:
    """The tours agreed, each as long as the reading has it (brus.tour.01, brus.tour.02, brus.amb.06)."""
    match = open_match(setup, {"tour_length": reading, "tours": tours})
    chance = random.Random(2)
    caves = match.view(0)["accounts"]
    for number in range(coups):
        assert match.view(0)["coups"] == number
        random_coup(match, chance)
        assert match.view(0)["coups"] == number
        assert match.act(0, NEXT)

    assert match.over
    assert match.view(0)["coups"] == coups
    assert caves == [len(side) * (20 * coups + 20) for side in ORACLE.SETUPS[setup].sides]


def test_two_tours_unless_said_otherwise() -> None:
    """The number of the text's own example stands for the number agreed (brus.ex.01)."""
    match = open_match("3", coups=5)
    random_coup(match, random.Random(1))
    assert match.act(0, NEXT)

    assert match.over


def test_the_result_is_what_is_held_above_the_cave() -> None:
    """Gains are ranked, highest first (brus.end.02, brus.end.03)."""
    match = played(THREE_TIMES_FORTY.swapped(("KS", "8C")), "3", {"tours": 1}, coups=2)
    assert (match.score()["ranking"], match.score()["over"]) == ([], None)
    assert match.act(2, NEXT)
    score = match.score()

    assert score["accounts"] == [80 - 13, 80 + 38, 80 - 25]
    assert score["gains"] == [-13, 38, -25]
    assert (score["ranking"], score["over"]) == ([2, 1, 3], 1)
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("over", 0)
    assert [match.legal(seat) for seat in range(3)] == [{}, {}, {}]
    assert not match.act(0, NEXT)


@pytest.mark.parametrize(
    ("gains", "ranking", "winner"),
    [([20, 0, -20], [1, 2, 3], 0), ([-3, 6, -3], [1, 1, 3], None), ([-7, -16, 23], [2, 3, 1], 2)],
)
def test_equal_gains_share_a_rank(gains: list[int], ranking: list[int], winner: int | None) -> None:
    """Whoever has more stands before (brus.amb.20, chosen)."""
    match = played(THREE_TIMES_FORTY, "3", {"tours": 1}, coups=2, gains=gains)
    assert match.act(0, NEXT)

    assert match.score()["gains"] == [gains[0] + 7, gains[1] - 2, gains[2] - 5]
    assert (match.score()["ranking"], match.score()["over"]) == (ranking, winner)


def test_sixty_all_ends_without_a_winner() -> None:
    """Partners who gained nothing share the first rank."""
    match = played(FOUR_TIMES_THIRTY, "4-partners", {"tours": 1}, coups=1)
    assert match.act(0, NEXT)

    assert (match.score()["ranking"], match.score()["over"]) == ([1, 1], None)


def test_an_account_may_fall_below_nothing() -> None:
    """A debt is written down (brus.amb.12, chosen)."""
    match = dealt(THREE_TIMES_FORTY_DECK, gains=[-130, 130, 0])

    assert match.view(0)["accounts"] == [-10, 250, 120]


# The game for points --------------------------------------------------------------------------------------------------


def test_points_are_added_coup_by_coup() -> None:
    """No stake, no payment, no rounding, no bonus (brus.pts.01, brus.pts.02, brus.amb.15)."""
    plan = THREE_TIMES_FORTY.swapped(("KS", "8C"))
    match = played(plan, "3-points", gains=[100, 51, 3], coups=4)
    score = match.score()

    assert (score["result"], score["winners"], score["worth"], score["pot"]) == ("counted", [1], 0, 0)
    assert (score["before"], score["points"], score["accounts"]) == ([100, 51, 3], [36, 44, 40], [136, 95, 43])
    assert match.act(0, NEXT)
    assert (match.view(0)["phase"], match.view(0)["coups"], match.view(0)["dealer"]) == ("deal", 5, 0)


def test_totals_do_not_move_before_the_coup_is_counted() -> None:
    """Card points of tricks are counted when all cards are played (brus.count.01, brus.pts.02)."""
    match = dealt(THREE_TIMES_FORTY_DECK, "3-points", gains=[1, 2, 3])
    play(match, *(trick for _, trick in THREE_TIMES_FORTY_TRICKS[:9]))

    assert match.score()["points"] == [25, 40, 40]
    assert match.score()["accounts"] == match.view(0)["accounts"] == [1, 2, 3]


def test_partners_add_their_points() -> None:
    """The side has what both have won (brus.four.07)."""
    assert played(FOUR_TIMES_THIRTY, "4-partners-points").score()["accounts"] == [60, 60]


@pytest.mark.parametrize(
    ("gains", "reading", "target", "winner"),
    [
        ([261, 265, 100], "highest-at-coup-end", 300, 1),
        ([261, 265, 100], "counting-order", 300, 0),
        ([259, 265, 280], "highest-at-coup-end", 300, 2),
        ([259, 265, 280], "counting-order", 300, 1),
        ([260, 100, 100], "highest-at-coup-end", 300, 0),
        ([260, 100, 100], "counting-order", 300, 0),
        ([259, 100, 100], "highest-at-coup-end", 300, None),
        ([259, 100, 100], "counting-order", 300, None),
        ([265, 265, 100], "highest-at-coup-end", 300, None),
        ([265, 265, 100], "counting-order", 300, 0),
        ([100, 265, 265], "highest-at-coup-end", 300, None),
        ([459, 260, 300], "highest-at-coup-end", 500, None),
        ([460, 260, 300], "highest-at-coup-end", 500, 0),
    ],
)
def test_the_points_agreed_end_the_partie(gains: list[int], reading: str, target: int, winner: int | None) -> None:
    """The highest after a whole coup, or the first to count, from the right of the dealer (brus.amb.14)."""
    match = played(THREE_TIMES_FORTY, "3-points", {"points_end": reading, "points_target": target}, gains=gains)
    assert not match.over
    assert match.act(0, NEXT)

    assert match.over == (winner is not None)
    assert (match.score()["over"], match.score()["ranking"]) == (winner, [])


def test_the_counting_begins_at_the_right_of_the_dealer() -> None:
    """With another dealer another player counts first (brus.amb.14, chosen)."""
    match = played(THREE_TIMES_FORTY.turned(1), "3-points", {"points_end": "counting-order"}, gains=[265, 261, 100])
    assert match.view(0)["dealer"] == 0
    assert match.act(0, NEXT)

    assert match.score()["over"] == 1


def test_the_side_of_the_first_to_lead_counts_first() -> None:
    """With partners the order goes by sides (brus.amb.14, chosen)."""
    readings: dict[str, str | int] = {"points_end": "counting-order"}
    first = played(FOUR_TIMES_THIRTY, "4-partners-points", readings, gains=[240, 250])
    second = played(FOUR_TIMES_THIRTY.turned(2), "4-partners-points", readings, gains=[250, 240])
    for match, winner in ((first, 0), (second, 1)):
        assert match.act(0, NEXT)
        assert match.score()["over"] == winner


def test_three_hundred_points_unless_said_otherwise() -> None:
    """The first number the text names (brus.pts.01)."""
    match = played(THREE_TIMES_FORTY, "3-points", gains=[260, 0, 0])
    assert match.act(0, NEXT)

    assert match.score()["over"] == 0


# What is seen ---------------------------------------------------------------------------------------------------------


def test_a_view_of_a_running_trick() -> None:
    """Own cards, what lies on the table, and counts (brus.amb.17, census H.3)."""
    match = dealt(THREE_TIMES_FORTY_DECK)
    play(match, "QS JS JD", "AC")

    assert match.view(1) == {
        "phase": "play",
        "dealer": 2,
        "turn": 0,
        "leader": 2,
        "trump": "D",
        "turnup": {"card": "7D", "exposed": True},
        "hand": ["QH", "TD", "QC"],
        "hands": [3, 3, 2],
        "trick": [{"seat": 2, "card": "AC"}],
        "won": [0, 0, 1],
        "stock": 18,
        "accounts": [120, 120, 120],
        "pot": 60,
        "coups": 0,
    }


def test_partners_see_each_others_cards_and_nobody_elses() -> None:
    """A permission the text gives (brus.four.03)."""
    match = dealt(deck_with(["AS KS QS", "AH KH QH", "AD KD QD", "AC KC QC"], "7D", pack=FULL), "4-partners")

    assert match.view(0)["partners"] == [{"seat": 1, "hand": ["AH", "KH", "QH"]}]
    assert match.view(1)["partners"] == [{"seat": 0, "hand": ["AS", "KS", "QS"]}]
    assert match.view(3)["partners"] == [{"seat": 2, "hand": ["AD", "KD", "QD"]}]


@pytest.mark.parametrize("setup", ["2", "3", "4", "5", "4-points"])
def test_single_players_have_no_partner(setup: str) -> None:
    """The key is not there."""
    assert "partners" not in open_match(setup).view(0)


def test_nothing_is_left_between_two_coups() -> None:
    """Cards and tricks of the last coup are gone; in the result they are told still."""
    match = played(THREE_TIMES_FORTY)
    told = match.view(1)
    assert (told["phase"], told["turn"], told["leader"], told["trump"]) == ("result", None, None, "D")
    assert (told["won"], told["hands"], told["stock"], told["trick"]) == ([2, 3, 5], [0, 0, 0], 0, [])
    assert told["turnup"] == {"card": "7D", "exposed": False}
    assert [match.legal(seat) for seat in range(3)] == [{"next": [True]}] * 3
    assert not match.act(0, {"next": 1})
    assert match.act(0, NEXT)
    told = match.view(1)

    assert (told["phase"], told["turn"], told["leader"], told["trump"], told["turnup"]) == ("deal", *[None] * 4)
    assert (told["won"], told["hands"], told["hand"], told["coups"]) == ([0, 0, 0], [0, 0, 0], [], 1)
    score = match.score()
    assert (score["result"], score["winners"], score["worth"], score["points"]) == (None, [], 0, [0, 0, 0])
    assert score["before"] == score["accounts"] == [147, 138, 135]


# Properties -----------------------------------------------------------------------------------------------------------


def cards_in(told: Any) -> Iterable[str]:
    """Every card that is named anywhere in what is told."""
    if isinstance(told, dict):
        told = list(told.values())
    if isinstance(told, list):
        for item in told:
            yield from cards_in(item)
    elif told in FULL:
        yield told


def check_table(match: Any, setup: str, pack: Sequence[str]) -> None:
    """What holds at every moment of a coup."""
    views = [match.view(seat) for seat in range(SEATS[setup])]
    told = views[0]
    hands = [card for view in views for card in view["hand"]]
    lying = [item["card"] for item in told["trick"]]
    assert len({*hands, *lying}) == len(hands) + len(lying)
    assert len(hands) + len(lying) + told["stock"] + SEATS[setup] * sum(told["won"]) == len(pack)
    if not setup.endswith("points"):
        assert sum(match.score()["gains"]) + told["pot"] == 0
    for seat, view in enumerate(views):
        own = {*view["hand"], *(card for mate in view.get("partners", []) for card in mate["hand"])}
        assert {*cards_in(view)} <= {*own, *lying, told["turnup"]["card"]}
        assert match.legal(seat) == ({"play": view["hand"]} if seat == view["turn"] else {})


@pytest.mark.parametrize(("setup", "readings"), list(profiles()))
def test_cards_and_tokens_are_conserved(setup: str, readings: dict[str, str | int]) -> None:
    """At every moment: cards in their places, tokens summing to zero with the pot, nothing seen that is hidden."""
    chance = random.Random(f"{setup}{readings}")
    match = open_match(setup, {**readings, "tours": 2, "points_target": 200})
    while not match.over:
        dealer = match.view(0)["dealer"]
        pack = list(match.legal(dealer)["deal"]["deck"]["order"])
        deck = chance.sample(pack, len(pack))
        give(match, deck)
        staked = match.score()["gains"]
        while match.view(0)["phase"] == "play":
            check_table(match, setup, pack)
            seat = match.view(0)["turn"]
            assert match.act(seat, {"play": chance.choice(match.legal(seat)["play"])})
        score = match.score()
        assert sum(score["points"]) == 120
        assert score["winners"] == [s for s, points in enumerate(score["points"]) if points == max(score["points"])]
        if not setup.endswith("points"):
            changes = [
                now - then - score["worth"] * (side in score["winners"])
                for side, (now, then) in enumerate(zip(score["gains"], staked, strict=True))
            ]
            most, least = {"3": (24, -22), "4": (36, -32), "5": (42, -39)}.get(setup, (0, 0))
            assert sum(changes) == 0
            assert least <= min(changes) <= max(changes) <= most
        assert match.act(chance.randrange(SEATS[setup]), NEXT)


def test_the_same_acts_give_the_same_match() -> None:
    """Nothing is left to chance within (census H.6.10)."""
    first, second = played(THREE_TIMES_FORTY), played(THREE_TIMES_FORTY)

    assert [first.view(seat) for seat in range(3)] == [second.view(seat) for seat in range(3)]
    assert first.score() == second.score()
