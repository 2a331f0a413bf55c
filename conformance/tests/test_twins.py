"""A game in both notations is one game: a share of what `twins.py` compares, and that it sees differences."""

from __future__ import annotations

import pytest

from brou import Machine, catalogue, choose, rules
from twins import SECOND, Disagreement, Twins, compare, control, counts, play, replay, scripts

BASES = [f"{game}@{edition}" for game in catalogue(SECOND) for edition in ("2022", "club-2026")]

#: One scenario in so many is replayed.
SHARE = 40


@pytest.mark.parametrize("name", BASES)
def test_both_notations_play_alike(name: str) -> None:
    """Phases, variables, offers, views, scores and refusals are the same in random play."""
    choice = choose(name)
    twins = Twins.of(choice, choice, (None, SECOND))
    play(twins, 7, 12)
    assert twins.tally["refusals with several duties"] and not twins.tally["refusals with other sets of codes"]


@pytest.mark.parametrize("name", BASES)
def test_both_notations_answer_scenarios_alike(name: str) -> None:
    """So they do in the scenarios of the corpus."""
    choice = choose(name)
    twins = Twins.of(choice, choice, (None, SECOND))
    for script in list(scripts(choice))[::SHARE]:
        replay(twins, script)
    assert twins.tally["scenarios"]


@pytest.mark.parametrize("name", BASES)
def test_both_notations_count_alike(name: str) -> None:
    """As many sequences of acts lead on from a position."""
    one, two = (counts(Machine(rules(name, folder)), 2, 14, 2) for folder in (None, SECOND))
    assert one == two
    assert one[-1] > one[0] > 1


@pytest.mark.parametrize("reading", ["marking=explicit-any", "cape_carry=void"])
def test_another_reading_is_told_from_the_first(reading: str) -> None:
    """The comparison is no empty one: rules with another reading part from those without it in some scenario."""
    base, other = choose(BASES[0]), choose(f"{BASES[0]}[{reading}]")
    twins = Twins.of(base, other, (None, SECOND))
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
    """By a scenario or by random play."""
    assert all(control(game, 100).values())
