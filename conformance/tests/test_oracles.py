"""The oracles: what the texts expect of them, scenario by scenario, and that they play as the interpreter does."""

from __future__ import annotations

import pytest
from oracle_cases import MATCHES, list_asked, list_played

from brou import catalogue


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_an_oracle_agrees_with_every_scenario_under_each_reading(game: str) -> None:
    """What was expected from the text is what the oracle says, with every value of each reading that a step names."""
    asked = list(list_asked(game))

    assert asked
    assert [fault for one in asked if (fault := one.find_fault())] == []


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("matches", [MATCHES // 5, pytest.param(MATCHES, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("game", catalogue())
def test_an_oracle_plays_as_the_interpreter_does(game: str, matches: int) -> None:
    """Some matches of every set-up give the same legal acts, views and scores in both."""
    played = list(list_played(game, matches))

    assert played
    assert [fault for one in played if (fault := one.find_fault())] == []
