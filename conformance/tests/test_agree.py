"""The interpreter against the oracles: a share of what `make agree` plays."""

from __future__ import annotations

import pytest
from agree import stretch

from brou import book, catalogue

EDITIONS = [f"{game}@{edition}" for game in catalogue() for edition in book(game).editions]


# Fifty deals of each edition, of which `make agree` plays thousands. The ordinary run has the matches that the tests of
# the oracles put to both.
@pytest.mark.thorough
@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("part", [0, 1])
def test_interpreter_and_oracle_tell_the_same_story(name: str, part: int) -> None:
    """Random matches in all set-ups under random readings give the same legal acts, views and scores in both."""
    deals, _, tally = stretch(name, first=(part + 7) << 40, matches=5, deals=50)

    assert deals >= 50
    assert tally["play accepted"] > 200
    assert tally["play refused"] > 20
