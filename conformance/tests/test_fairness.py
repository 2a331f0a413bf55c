"""Faultless programs under readings drawn at random: a share of `make fairness`, and that it would see a fault."""

from __future__ import annotations

from dataclasses import replace

import pytest
from behind import Faulty, pairs
from fairness import PROGRAMS, SHARES, Draw, draw, examine, told

from brou import book, catalogue
from brou_conformance.programs.in_process import Inside
from brou_conformance.verdicts.verdict import EditionVerdict

#: Draws of all games, programs and shares.
SHARE = range(0, 90, 8)


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("number", SHARE)
def test_a_faultless_program_is_not_accused(number: int) -> None:
    """It follows, and all that is said of its readings is so, whatever it reads otherwise and declares."""
    found = examine(draw(1, number))

    assert found.fair, told(found)


def test_draws_are_of_all_kinds() -> None:
    """Within ninety draws each program plays each of its games and declares all, half and none of its readings."""
    drawn = [draw(1, number) for number in range(90)]
    games = {game for game in catalogue() for edition in book(game).editions}

    assert {(one.program, one.share) for one in drawn} == {(a, b) for a in PROGRAMS for b in SHARES}
    assert {one.played[0].game for one in drawn if one.program == "interpreter"} == games


def test_a_draw_is_the_same_each_time() -> None:
    """Seed and number say everything of a draw."""
    assert [draw(7, number) for number in range(12)] == [draw(7, number) for number in range(12)]


def test_a_share_of_readings_is_declared() -> None:
    """Who declares half declares half of the readings, rounded down."""
    drawn = [draw(3, number) for number in range(9)]

    assert [len(one.declared) for one in drawn] == [
        {"all": len(one.readings), "half": len(one.readings) // 2, "none": 0}[one.share] for one in drawn
    ]


def brouc(**readings: str) -> Draw:
    """Return the interpreter at Brouc, as the edition has it, declaring all readings, some of them untruly."""
    for number in range(90):
        made = draw(1, number)
        if (made.program, made.share, made.edition) == ("interpreter", "all", "brouc@2022"):
            played = tuple(replace(choice, readings=tuple(sorted(made.own.items()))) for choice in made.played)
            return replace(made, played=played, readings={**made.own, **readings})
    raise AssertionError("no such draw")


@pytest.mark.slow
def test_who_is_judged_under_readings_not_followed_is_accused() -> None:
    """An accusation that the interpreter meets under one choice and not under the other is laid to the runner."""
    found = examine(brouc(exception_scope="any-trump-play"), explains=False)

    assert found.verdict == EditionVerdict.DEVIATES
    assert {fault for fault, *_ in found.accusations} == {"runner"}


@pytest.mark.slow
def test_a_fault_of_the_program_is_laid_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """An accusation that the interpreter does not meet is laid to the program."""
    fault = next(pair.first for pair in pairs() if pair.rules == "brouc@2022")
    monkeypatch.setattr("fairness.interpreter", lambda played: lambda: Inside(Faulty(played, [fault]).answer))
    found = examine(brouc(), explains=False)

    assert found.verdict == EditionVerdict.DEVIATES
    assert {fault for fault, *_ in found.accusations} == {"program"}
