"""The interpreter against the oracles: a fast share of what `make agree` plays."""

from __future__ import annotations

import pytest
from agree import stretch

EDITIONS = ["homme-de-brou@1802", "brouc@2022", "brouc@club-2026"]


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("part", range(2))
def test_interpreter_and_oracle_tell_the_same_story(name: str, part: int) -> None:
    """Random matches with random readings give the same legal acts, views, scores and results in both."""
    deals, _, tally = stretch(name, first=(part + 7) << 40, matches=5, deals=50)

    assert deals >= 50
    assert tally["play accepted"] > 500
    assert tally["play refused"] > 50
