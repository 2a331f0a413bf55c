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


def test_of_partners_the_rightmost_of_the_other_side_deals_next() -> None:
    """Seats 1 and 3 alternate (brus.four.05, brus.amb.05)."""
    match = open_match("4-partners", {"tours": 2}, dealer=1)
    dealers = []
    for _ in range(3):
        dealers.append(match.view(0)["dealer"])
        random_coup(match, random.Random(1))
        assert match.act(0, NEXT)

    assert dealers == [1, 3, 1]


# Tricks ---------------------------------------------------------------------------------------------------------------


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


# Stakes and pot -------------------------------------------------------------------------------------------------------


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
    ("reading", "dealer", "coups", "pot"), [("equal-shares", 0, 1, 60), ("carry", 0, 1, 120), ("replay", 2, 0, 60)]
)
def test_the_coup_after_a_tie_of_three(reading: str, dealer: int, coups: int, pot: int) -> None:
    """A carried pot waits for the next coup's stakes; a replayed coup has its own pot and dealer (brus.amb.01)."""
    match = played(THREE_TIMES_FORTY, "3", {"tie_n": reading})
    assert match.act(1, NEXT)
    assert (match.view(0)["dealer"], match.view(0)["coups"]) == (dealer, coups)

    give(match, THREE_TIMES_FORTY_DECK)

    assert match.view(0)["pot"] == pot


def test_a_replayed_last_coup_does_not_end_the_partie() -> None:
    """It has not been counted yet (brus.amb.01)."""
    match = played(THREE_TIMES_FORTY, "3", {"tie_n": "replay", "tours": 1}, coups=2)
    assert match.act(0, NEXT)

    assert (match.view(0)["phase"], match.view(0)["coups"]) == ("deal", 2)


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


def test_an_account_may_fall_below_nothing() -> None:
    """A debt is written down (brus.amb.12, chosen)."""
    match = dealt(THREE_TIMES_FORTY_DECK, gains=[-130, 130, 0])

    assert match.view(0)["accounts"] == [-10, 250, 120]


# The game for points --------------------------------------------------------------------------------------------------


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


def test_the_side_of_the_first_to_lead_counts_first() -> None:
    """With partners the order goes by sides (brus.amb.14, chosen)."""
    readings: dict[str, str | int] = {"points_end": "counting-order"}
    first = played(FOUR_TIMES_THIRTY, "4-partners-points", readings, gains=[240, 250])
    second = played(FOUR_TIMES_THIRTY.turned(2), "4-partners-points", readings, gains=[250, 240])
    for match, winner in ((first, 0), (second, 1)):
        assert match.act(0, NEXT)
        assert match.score()["over"] == winner


# What is seen ---------------------------------------------------------------------------------------------------------


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
