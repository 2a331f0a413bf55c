"""Scenarios that are the same under other names of seats and suits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from brou_conformance.metamorphic.duplicates import twins
from brou_conformance.scenarios.corpus import games, scenarios

HANDS = """\
  deal:
    dealer: {dealer}
    hands:
      {0}: [AS, KS, QS, JS, TS, 9S, 8S, 7S]
      {1}: [AH, KH, QH, JH, TH, 9H, 8H, 7H]
      {2}: [AD, KD, QD, JD, TD, 9D, 8D, 7D]
      {3}: [AC, KC, QC, JC, TC, 9C, 8C, 7C]
    turnup: 7C
"""


def dealt(turn: int, suits: str = "SHDC") -> str:
    """Return the same deal with the table turned and the suits exchanged."""
    text = HANDS.format(*((seat + turn) % 4 for seat in range(4)), dealer=(3 + turn) % 4)
    return dyed(text, suits)


def dyed(text: str, suits: str) -> str:
    """Return a text with the suits of its cards exchanged."""
    return "".join(
        suits["SHDC".index(letter)] if letter in "SHDC" and before in "AKQJT987 :" else letter
        for before, letter in zip(" " + text, text, strict=False)
    )


def steps(turn: int, suits: str = "SHDC", act: str = "play: 9S") -> str:
    """Return two steps of the seat that leads and of the next, on a turned table with exchanged suits."""
    first, second = turn % 4, (turn + 1) % 4
    return dyed(f"  steps:\n  - {{by: {first}, act: {{{act}}}}}\n  - {{view: {second}, expect: {{trump: C}}}}", suits)


@pytest.fixture
def pair(corpus: Callable[..., Path]) -> Callable[[str, str], list[tuple[str, str]]]:
    """Return what tells whether two scenarios are twins."""

    def found(one: str, two: str) -> list[tuple[str, str]]:
        return list(twins(scenarios("brouc", corpus(one, two, deal=""))))

    return found


Pair = Callable[[str, str], list[tuple[str, str]]]
TWINS = [("test.n1", "test.n2")]


@pytest.mark.parametrize(("turn", "suits"), [(0, "SHDC"), (1, "SHDC"), (0, "HSDC"), (3, "CDHS")])
def test_other_names_make_no_other_scenario(pair: Pair, turn: int, suits: str) -> None:
    """A turned table with exchanged suits is the same table."""
    assert pair(dealt(0) + steps(0), dealt(turn, suits) + steps(turn, suits)) == TWINS


def test_another_card_makes_another_scenario(pair: Pair) -> None:
    """It is the cards that are exchanged, not their ranks."""
    assert pair(dealt(0) + steps(0), dealt(0) + steps(0, act="play: 8S")) == []


def test_another_deal_makes_another_scenario(pair: Pair) -> None:
    """What is held matters, even where it is not played."""
    other = dealt(0).replace("7S", "xx").replace("7H", "7S").replace("xx", "7H")

    assert pair(dealt(0) + steps(0), other + steps(0)) == []


def test_seats_are_not_exchanged_out_of_order(pair: Pair) -> None:
    """Who asks matters: the neighbour's view is not the partner's."""
    assert pair(dealt(0) + steps(0), dealt(0) + steps(0).replace("view: 1", "view: 2")) == []


@pytest.mark.parametrize(("accounts", "found"), [("[50, 100]", TWINS), ("[100, 50]", [])])
def test_accounts_go_with_the_seats(pair: Pair, accounts: str, found: list[tuple[str, str]]) -> None:
    """On a table turned by one the teams change places, and so do their accounts."""
    one = dealt(0) + "  before: {accounts: [100, 50]}\n" + steps(0)

    assert pair(one, dealt(1) + f"  before: {{accounts: {accounts}}}\n" + steps(1)) == found


@pytest.mark.parametrize(
    ("one", "two", "found"), [("lot: 2", "lot: 3", TWINS), ("lot: 2", "lot: 2", []), ("cut: 5", "cut: 5", TWINS)]
)
def test_seats_in_acts_are_turned(pair: Pair, one: str, two: str, found: list[tuple[str, str]]) -> None:
    """A lot names a seat, a cut a number of cards, which stays what it is."""
    assert pair(f"  steps:\n  - {{by: 0, act: {{{one}}}}}", f"  steps:\n  - {{by: 1, act: {{{two}}}}}") == found


@pytest.mark.parametrize(("suits", "found"), [("HSDC", TWINS), ("SHDC", [])])
def test_suits_in_acts_are_exchanged(pair: Pair, suits: str, found: list[tuple[str, str]]) -> None:
    """An announcement names a suit."""
    announced = steps(0, act="announce: {suit: S, kind: simple}")
    exchanged = steps(0, act="announce: {suit: H, kind: simple}")

    assert pair(dealt(0) + announced, dealt(0, suits) + exchanged) == found


@pytest.mark.parametrize("term", ["edition: '2022'", "readings: {marking: implicit}"])
def test_another_edition_or_premise_makes_another_scenario(pair: Pair, term: str) -> None:
    """What is held for one edition or reading is not said of another."""
    assert pair(f"  {term}\n{dealt(0)}{steps(0)}", dealt(0) + steps(0)) == []


def test_expectations_make_no_other_scenario(pair: Pair) -> None:
    """Two scenarios that ask the same must expect the same, so one of them is idle."""
    assert pair(dealt(0) + steps(0), dealt(0) + steps(0).replace("trump: C", "turn: 1")) == TWINS


@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_no_scenario_stands_twice(game: str) -> None:
    """The corpus says everything once, whatever the names."""
    assert list(twins(scenarios(game))) == []
