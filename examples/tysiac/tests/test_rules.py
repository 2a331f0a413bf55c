"""The rules are sound, and play as the oracle does that was written before them."""

import os
from pathlib import Path
from random import Random

import pytest
from brou import Machine, rules
from brou.check import check

from oracle import Deal, deal_out
from playing import choose, shuffle, to_wire
from write_played import write_all

HOME = Path(__file__).parents[1]
READINGS = [
    {},
    {"beating": "free", "rounding": 5},
    {"void": "free", "barrel": "open"},
]
DEALS = int(os.environ.get("DEALS", "4"))


def test_nothing_is_wrong_with_the_rules():
    """`brou check` says where and what, if this fails."""
    assert check(HOME) == []


def test_the_played_scenarios_are_those_of_the_oracle():
    """What is committed is what the oracle comes to today."""
    assert (HOME / "scenarios" / "tysiac" / "played.yaml").read_text(encoding="utf-8") == write_all()


def normal(acts):
    """Return legal acts whatever their order, without those that have nothing to choose."""
    return {act: sorted(values, key=str) for act, values in acts.items() if values}


@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_rules_and_oracle_play_alike(readings):
    """In random matches both allow the same acts at every step, and come to the same results."""
    chosen = ",".join(f"{key}={value}" for key, value in readings.items())
    machine = Machine(rules(f"tysiac[{chosen}]" if chosen else "tysiac", HOME))
    chance, totals, dealer = Random(str(readings)), [0, 850, 0], 0
    state = machine.start({"dealer": 0, "totals": totals})
    for _ in range(DEALS):
        deck = shuffle(chance)
        state = machine.act(state, dealer, {"deal": {"deck": deck, "packets": [1] * 7}})
        oracle = Deal(dealer, *deal_out(deck, dealer), totals, **readings)
        while oracle.phase != "over":
            wanted = [
                {act: [to_wire(act, value) for value in values] for act, values in oracle.legal(seat).items()}
                for seat in range(3)
            ]
            assert [normal(machine.legal(state, seat)) for seat in range(3)] == [normal(one) for one in wanted]
            turn = oracle.turn
            act, value = choose(chance, oracle)
            oracle.do(turn, act, value)
            state = machine.act(state, turn, {act: to_wire(act, value)})
        score = machine.score(state)
        assert score["counted"] == [own + melds for own, melds in zip(oracle.cards, oracle.melds)]
        assert score["gains"] == oracle.result()
        state = machine.act(state, 0, {"next": True})
        totals = [total + gain for total, gain in zip(totals, oracle.result())]
        dealer = (dealer + 1) % 3
        assert machine.score(state)["totals"] == totals
        assert (machine.view(state, 0)["phase"] == "over") == (max(totals) >= 1000)
        if max(totals) >= 1000:
            totals, dealer = [0, 0, 850], 1
            state = machine.start({"dealer": 1, "totals": totals})
