"""The corpus of Brusquembille against the census of its text: every example and settled passage has its scenarios."""

from __future__ import annotations

import pytest

from brou import book
from brou_conformance.scenarios.corpus import clauses, refusing, scenarios
from brou_conformance.scenarios.coverage import coverage

GAME = "brusquembille"
SETUPS = set(book(GAME).editions["1718"].setups)

EXAMPLES = {
    "ex.01": ["cave.two-rounds"],
    "ex.02": ["deal.three-each-one-by-one", "deal.talon-of-two", "deal.talon-of-four", "deal.talon-of-five"],
    "ex.03": ["count.two-share"],
    "ex.04": ["brusq.ace-takes-a-ten", "brusq.two-aces-and-a-ten", "brusq.ace-ruffed"],
    "ex.05": ["partners.first-trick"],
    "ex.06": ["count.sixty-one"],
    "deal worked out in the census": ["tie.three-at-forty"],
}

#: Statements of the text about numbers of cards and whom the turn-up falls to, by number of players.
TURNUP = {
    "2": "talon.turn-up-of-two",
    "3": "talon.turn-up-last",
    "4": "talon.turn-up-of-four",
    "5": "talon.turn-up-of-five",
}

BY_ID = {one.id.removeprefix("brus."): one for one in scenarios(GAME)}
REGISTER = {id_: node for id_, node in clauses(GAME).items() if node.get("treatment") is not None}


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_worked_example_is_there(example: str) -> None:
    """Whatever the text works out is played by a scenario."""
    assert set(EXAMPLES[example]) <= set(BY_ID)


@pytest.mark.parametrize("players", TURNUP)
def test_the_turn_up_falls_to_the_left_of_the_winner(players: str) -> None:
    """What is said of the last card drawn is shown for every number of players."""
    one = BY_ID[TURNUP[players]]

    assert players in one.setups
    assert "brus.adv.02" in one.clauses
    assert refusing(one)


@pytest.mark.parametrize("id_", [id_ for id_, node in REGISTER.items() if node.string("treatment") == "FIX"])
def test_settled_passages(id_: str) -> None:
    """Whatever the text settles is tested strictly: some scenario cites it and holds for every program."""
    levels = {one.level for one in BY_ID.values() if id_ in one.clauses}

    assert levels & {"must", "reading"}


def test_every_reading_is_told_apart() -> None:
    """Every open reading has a scenario in which its values part, and every cell that a clause needs is filled."""
    found = coverage(GAME)

    assert {question.key for question in found.questions} == set(book(GAME).editions["1718"].readings)
    assert found.complete


def test_what_is_left_open_binds_nobody() -> None:
    """A scenario that speaks only for open passages is of the open level."""
    left = {id_ for id_, node in REGISTER.items() if node.string("treatment") == "OPEN"}

    assert [one.id for one in BY_ID.values() if set(one.clauses) <= left and one.level != "open"] == []


def test_every_setup_is_played() -> None:
    """No number of players and no way of scoring passes by never being asked."""
    assert {setup for one in BY_ID.values() for setup in one.setups or ("3",)} == SETUPS


@pytest.mark.parametrize("setup", sorted(SETUPS))
def test_every_setup_refuses_something(setup: str) -> None:
    """In each set-up some act has to be refused."""
    assert any(refusing(one) for one in BY_ID.values() if setup in (one.setups or ("3",)))
