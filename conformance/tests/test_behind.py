"""Faults behind faults: a share of the pairs, and what the pairs are."""

from __future__ import annotations

from collections import Counter

import pytest
from behind import FAULTS, Pair, examine, pairs, told

from brou import catalogue
from brou.language.source import read

PAIRS = list(pairs())
#: How many pairs there are, and of how many one is tried here.
FORTY, SHARE = 40, 20


# Three programs are judged by all scenarios for each pair, which takes nine seconds; it guards that ways round a fault
# lead to the next one, which the tests of rounds guard by scenarios of their own.
@pytest.mark.thorough
@pytest.mark.parametrize("pair", PAIRS[::SHARE], ids=str)
def test_a_fault_behind_another_is_found_or_told_to_be_behind(pair: Pair) -> None:
    """Some step fails by the second fault, or all that would show it are counted as behind and none of them passes."""
    found = examine(pair)

    assert found.well, told(found)


def test_there_are_forty_pairs_of_all_kinds() -> None:
    """As many of each game, and every kind of first fault in at least three games but for bids and turns."""
    kinds = Counter(kind for kind, _ in {(pair.first.kind, pair.rules) for pair in PAIRS})
    usual = ["refuses a legal card", "takes an illegal card", "wrong dealer", "wrong trump", "wrong winner"]

    assert len({str(pair) for pair in PAIRS}) == FORTY
    assert set(Counter(pair.rules.split("@")[0] for pair in PAIRS).items()) == {(game, 8) for game in catalogue()}
    assert [kind for kind in usual if kinds[kind] < 3] == []


def test_every_fault_is_in_a_pair() -> None:
    """No fault stands in the list for nothing."""
    used = {(pair.rules, fault.id) for pair in PAIRS for fault in (pair.first, pair.second)}
    listed = {
        (node.string("rules"), name)
        for node in read(FAULTS, FAULTS.name).items
        for part in ("first", "second")
        for name in node.fields[part].fields
    }

    assert listed == used
