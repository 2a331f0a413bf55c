"""A game in both notations is one game: a share of what `twins.py` compares, and that it sees differences."""

from __future__ import annotations

import pytest
from identity import scripts

from brou import Choice, Machine, catalogue, choose, rules
from twins import SECOND, Disagreement, Twins, choices, compare, control, counts, play, replay

BASES = [base for game in catalogue(SECOND) for base in choices(game)]

#: One scenario in so many is replayed.
SHARE = 40


@pytest.mark.parametrize("choice", BASES, ids=str)
def test_both_notations_play_alike(choice: Choice) -> None:
    """Phases, variables, offers, views, scores and refusals are the same in random play."""
    twins = Twins.of(choice, choice, (None, SECOND))
    play(twins, 7, 12)
    assert twins.tally["states"] and twins.tally["refusals"] and twins.tally["acts tried and allowed"]


@pytest.mark.parametrize("choice", BASES, ids=str)
def test_both_notations_answer_scenarios_alike(choice: Choice) -> None:
    """So they do in the scenarios of the corpus."""
    twins = Twins.of(choice, choice, (None, SECOND))
    some = scripts(choice)[::SHARE]
    for script in some:
        replay(twins, script)
    assert twins.tally["scenarios"] + twins.tally["scenarios that do not begin"] == len(some)


@pytest.mark.parametrize("choice", BASES, ids=str)
def test_both_notations_count_alike(choice: Choice) -> None:
    """As many sequences of acts lead on from a position."""
    one, two = counts([Machine(rules(choice, folder)) for folder in (None, SECOND)], 1, 4, 2)
    assert one == two
    assert one[-1] > 1


@pytest.mark.parametrize(
    ("game", "reading"),
    [
        ("brouc", "marking=explicit-any"),
        ("brouc", "cape_carry=void"),
        ("brusquembille", "tie_n=carry"),
        ("hombre", "late_fifth_trick=engages"),
        ("homme-d-auvergne:4", "simultaneous_target=play-on"),
        ("homme-de-brou", "loser_account_unclaimed=frozen"),
        ("homme-de-brou", "stop_wrong=concession"),
    ],
)
def test_another_reading_is_told_from_the_first(game: str, reading: str) -> None:
    """The comparison is no empty one: rules with another reading part from those without it in some scenario."""
    base, other = choose(game), choose(f"{game}[{reading}]")
    twins = Twins.of(base, other, (None, SECOND if base.game in catalogue(SECOND) else None))
    for script in scripts(base):
        try:
            replay(twins, script)
        except Disagreement:
            return
    pytest.fail(f"no scenario tells {reading}")


@pytest.mark.thorough
@pytest.mark.parametrize("game", catalogue(SECOND))
def test_both_notations_are_one_game(game: str) -> None:
    """Under every edition, set-up and single reading, in random play and in every scenario."""
    _, parted = compare(game, 40)
    assert not parted


@pytest.mark.thorough
@pytest.mark.parametrize("game", catalogue(SECOND))
def test_every_reading_is_told_from_its_edition(game: str) -> None:
    """By a scenario or by random play in one of its set-ups at least: some readings mean nothing for two players."""
    told: dict[str, str] = {}
    for one, by in control(game, 100).items():
        reading = one.partition(" ")[2]
        told[reading] = told.get(reading) or by
    assert all(told.values()), told
