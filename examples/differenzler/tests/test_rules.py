"""The rules are sound, and play as the oracle does that was written before them."""

import os
from pathlib import Path
from random import Random

import pytest
from brou import Machine, rules
from brou.check import check

from oracle import Deal, deal_out
from playing import play_deal, shuffle
from write_played import write_all

HOME = Path(__file__).parents[1]
READINGS = [{}, {"undertrump": "allowed"}]
DEALS = int(os.environ.get("DEALS", "4"))


def test_nothing_is_wrong_with_the_rules():
    """`brou check` says where and what, if this fails."""
    assert check(HOME) == []


def test_the_played_scenarios_are_those_of_the_oracle():
    """What is committed is what the oracle comes to today."""
    assert (HOME / "scenarios" / "differenzler" / "played.yaml").read_text(encoding="utf-8") == write_all()


def compare(machine, state, oracle):
    """Hold what each seat may do against the oracle; the points to announce are described by their bounds."""
    for seat in range(oracle.seats):
        legal, wanted = machine.legal(state, seat), oracle.legal(seat)
        assert sorted(legal.get("play", [])) == sorted(wanted.get("play", []))
        said = wanted.get("announce")
        assert legal.get("announce") == (None if said is None else {"min": said[0], "max": said[-1]})


@pytest.mark.parametrize("readings", READINGS, ids=str)
@pytest.mark.parametrize("seats", [4, 3])
def test_rules_and_oracle_play_alike(seats, readings):
    """In random deals both allow the same acts at every step, and come to the same results."""
    chosen = ",".join(f"{key}={value}" for key, value in readings.items())
    machine = Machine(rules(f"differenzler:{seats}" + (f"[{chosen}]" if chosen else ""), HOME))
    chance, points, state = Random(f"{seats} {chosen}"), [0] * seats, machine.begin()
    for number in range(DEALS):
        dealer, deck = number % seats, shuffle(chance)
        state = machine.act(state, dealer, {"deal": {"deck": deck, "packets": [3] * (12 // seats)}})
        oracle = Deal(seats, dealer, deal_out(deck, seats, dealer), deck[-1], **readings)
        for seat, act, value in play_deal(chance, oracle):
            compare(machine, state, oracle)
            state = machine.act(state, seat, {act: value})
        score = machine.score(state)
        assert (score["made"], score["differences"]) == (oracle.made, oracle.result())
        assert sum(oracle.made) == 157
        points = [total + gain for total, gain in zip(points, oracle.result())]
        state = machine.act(state, 0, {"next": True})
        assert machine.score(state)["points"] == points
        if machine.view(state, 0)["phase"] == "over":
            state, points = machine.start({"dealer": (number + 1) % seats}), [0] * seats
