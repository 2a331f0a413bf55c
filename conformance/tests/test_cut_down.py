"""Programs that know a part of a game: each follows its edition as far as it goes, and that is counted."""

from __future__ import annotations

import pytest
from parts import PARTS, POSITIONS, cut, examine, positions, programs, told

from brou import book, catalogue

GAMES = list(catalogue())
#: Games in which acts that a program of cards does not know come before the first card of every deal.
BIDDING = ("hombre", "homme-d-auvergne")
KNOWN = [
    (game, part) for game in GAMES for part in PARTS if not (game in BIDDING and "play" in (PARTS[part].acts or ()))
]


@pytest.mark.sampled(7)
@pytest.mark.slow
@pytest.mark.parametrize(("game", "part"), KNOWN)
def test_a_program_of_a_part_follows_as_far_as_it_goes(game: str, part: str) -> None:
    """It is asked for its part in each edition, nothing it answers is wrong, and the verdict says that it follows."""
    name, opener = next(iter(programs(game)))
    marks = list(examine(game, name, part, cut(opener, PARTS[part])))

    assert [one.edition for one in marks] == list(book(game).editions)
    assert all(one.full for one in marks), "\n".join(map(told, marks))


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("game", BIDDING)
def test_cards_behind_bids_cannot_be_asked_of_whole_deals(game: str) -> None:
    """Where bids come first, a program of cards that takes no position is asked for cards that come too early alone."""
    name, opener = next(iter(programs(game)))
    marks = list(examine(game, name, "cards", cut(opener, PARTS["cards"])))

    assert not any(one.wrong.total() for one in marks)
    assert all(100 * one.asked.total() < one.steps.total() for one in marks)


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_cards_alone_are_asked_position_by_position(game: str) -> None:
    """A program that knows cards alone follows in every game, and is asked nearly all cards that are played."""
    marks = list(examine(game, "cards alone", POSITIONS, positions(game)))

    assert all(one.full for one in marks), "\n".join(map(told, marks))
    assert all(10 * one.asked["act play"] > 9 * one.steps["act play"] for one in marks)
