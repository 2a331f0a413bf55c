"""The rules are sound, and play as the oracle does that was written before them."""

import os
from pathlib import Path
from random import Random

import pytest
from brou import Machine, rules
from brou.check import check

from oracle import Deal, deal_out
from playing import choose, stack
from write_played import write_all

HOME = Path(__file__).parents[1]
READINGS = [
    {},
    {"last_excuse": "with-the-trick", "half_points": "down"},
    {"last_excuse": "stays"},
]
DEALS = int(os.environ.get("DEALS", "2"))


def name(seats, readings):
    """Return what Brou calls these rules."""
    chosen = ",".join(f"{key}={value}" for key, value in readings.items())
    return f"tarot:{seats}" + (f"[{chosen}]" if chosen else "")


def test_nothing_is_wrong_with_the_rules():
    """`brou check` says where and what, if this fails."""
    assert check(HOME) == []


def test_the_played_scenarios_are_those_of_the_oracle():
    """What is committed is what the oracle comes to today."""
    assert (HOME / "scenarios" / "tarot" / "played.yaml").read_text(encoding="utf-8") == write_all()


@pytest.mark.parametrize("readings", READINGS, ids=str)
@pytest.mark.parametrize("seats", [4, 3])
def test_rules_and_oracle_play_alike(seats, readings):
    """In random deals both allow the same acts at every step, and come to the same result."""
    machine = Machine(rules(name(seats, readings), HOME))
    for seed in range(DEALS):
        chance = Random(f"{seats} {seed}")
        state = machine.begin()
        deck = stack(chance, seats, 0)
        state = machine.act(state, 0, {"deal": {"deck": deck, "packets": [3 if seats == 4 else 4] * 6}})
        oracle = Deal(seats, 0, *deal_out(deck, seats, 0), **readings)
        while oracle.phase != "over":
            wanted = [{act: values for act, values in oracle.legal(seat).items() if values} for seat in range(seats)]
            assert [normal(machine.legal(state, seat)) for seat in range(seats)] == [normal(one) for one in wanted]
            turn = oracle.turn
            act, value = choose(chance, oracle, turn, seed % 2)
            oracle.do(turn, act, value)
            state = machine.act(state, turn, {act: value})
        if oracle.taker is None:
            state = machine.act(state, 0, {"next": True})
            assert machine.score(state) == {"points": [0] * seats}
            continue
        score = machine.score(state)
        own, oudlers = oracle.taken()
        assert (score["halves"], score["oudlers"], score["gains"]) == (own, oudlers, oracle.result())
        state = machine.act(state, 0, {"next": True})
        assert machine.score(state)["points"] == oracle.result()


def normal(acts):
    """Return legal acts whatever their order."""
    return {act: sorted(values, key=str) for act, values in acts.items()}
