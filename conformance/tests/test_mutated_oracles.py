"""Changed oracles: what is changed, who notices, and that the committed result is of the present oracles."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from mutate_oracles import FOLDER, RESULT, Bench, sum_source
from oracle_mutants import list_mutants

from brou import catalogue
from oracle_loader import load

SOURCE = """\
def height(card, trump):
    if card[1] == trump and card[0] != "7":
        return 10 + len(card)
    return 0
"""


def test_comparisons_constants_conditions_sums_and_statements_are_changed() -> None:
    """Each change is of one node, and the tree is as it was afterwards."""
    changes = list(list_mutants(SOURCE))
    told = " | ".join(one.what for one in changes)

    for expected in (
        "card[1] == trump -> card[1] != trump",
        "card[1] == trump and card[0] != '7' -> card[1] == trump or card[0] != '7'",
        "card[1] == trump and card[0] != '7' -> card[1] == trump",
        "if card[1] == trump and card[0] != '7' -> False",
        "10 + len(card) -> 10 - len(card)",
        "10 -> 11",
        "'7' -> '7~'",
        "return 0 -> pass",
    ):
        assert expected in told
    assert len({one.name for one in changes}) == len(changes)
    assert [vars(one.load("changed"))["height"]("8S", "S") for one in changes if one.what.endswith("-> 11")] == [13]
    assert vars(changes[0].load("changed")).keys() >= {"height"}


@dataclass(frozen=True)
class Expected:
    """A number that some oracle has, asked of whatever stands in its place."""

    hand: int

    def find_fault(self) -> str:
        """Return nothing if a hand has as many cards as expected."""
        found: int = load("brusquembille").HAND
        return "" if found == self.hand else str(found)


def test_a_change_is_noticed_by_whoever_expects_otherwise() -> None:
    """Who asks for the changed number notices it; nobody notices another; an oracle that does not load is noticed."""
    bench = Bench("brusquembille", [], [Expected(3)], tested=False)  # type: ignore[list-item]  # no match
    changes = list(list_mutants(bench.source))
    of_hands = next(one for one in changes if one.what == "3 -> 4")
    of_tokens = next(one for one in changes if one.what == "20 -> 21")
    of_cards = next(one for one in changes if one.what == "rank + suit -> rank - suit")

    assert [bench.find_noticer(one) for one in (of_hands, of_tokens, of_cards)] == ["matches", "", "crash"]


@pytest.mark.parametrize("game", catalogue())
def test_the_result_is_of_the_present_oracle(game: str) -> None:
    """It was written for this very text, and says how many changes nothing notices."""
    known = json.loads(RESULT.read_text(encoding="utf-8"))[game]
    source = (FOLDER / "oracles" / f"{game.replace('-', '_')}.py").read_text(encoding="utf-8")

    assert known["oracle"] == sum_source(source)
    assert known["mutants"] == len(list(list_mutants(source))[:: known["every"]])
    assert known["mutants"] == sum(known["noticed"].values()) + len(known["survivors"])
