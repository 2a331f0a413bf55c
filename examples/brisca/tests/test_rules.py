"""Las reglas están bien, y juegan como el oráculo, que se escribió antes."""

import os
from pathlib import Path
from random import Random

import pytest
from brou import Machine, rules
from brou.check import check

from oracle import Deal
from playing import play_deal, shuffle
from write_played import write_all

HOME = Path(__file__).parents[1]
DEALS = int(os.environ.get("DEALS", "4"))


def test_nothing_is_wrong_with_the_rules():
    """`brou check` dice dónde y qué, si esto falla."""
    assert check(HOME) == []


def test_the_played_scenarios_are_those_of_the_oracle():
    """Lo que está en el fichero es lo que hoy cuenta el oráculo."""
    assert (HOME / "scenarios" / "brisca" / "played.yaml").read_text(encoding="utf-8") == write_all()


@pytest.mark.parametrize("final", ["libre", "asistir"])
def test_rules_and_oracle_play_alike(final):
    """Jugando al azar, los dos permiten lo mismo a cada paso y cuentan lo mismo."""
    machine = Machine(rules(f"brisca[final={final}]", HOME))
    chance, games, state = Random(final), [0, 0], machine.begin()
    for number in range(DEALS):
        dealer, deck = number % 2, shuffle(chance)
        state = machine.act(state, dealer, {"deal": {"deck": deck, "packets": [1, 1, 1]}})
        oracle = Deal(deck, dealer, final)
        for seat, card in play_deal(chance, oracle):
            assert machine.view(state, seat)["turn"] == seat
            assert sorted(machine.legal(state, seat)["play"]) == sorted(oracle.legal())
            assert machine.legal(state, 1 - seat) == {}
            state = machine.act(state, seat, {"play": card})
        assert machine.score(state)["made"] == oracle.made
        assert sum(oracle.made) == 120
        games = [one + won for one, won in zip(games, oracle.result())]
        state = machine.act(state, 0, {"next": True})
        assert machine.score(state)["games"] == games
        if machine.view(state, 0)["phase"] == "over":
            state, games = machine.start({"dealer": (number + 1) % 2}), [0, 0]
