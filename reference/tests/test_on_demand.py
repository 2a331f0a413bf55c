"""Tests of what is made when it is first asked for."""

from __future__ import annotations

import pytest

from brou import Machine, choose, rules
from brou.interpreter.on_demand import OnDemand


def test_a_value_is_made_when_it_is_first_asked_for_and_once() -> None:
    """Whoever asks for one name pays for that one, the first time only."""
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name.upper()

    found = OnDemand(["one", "two"], make)
    assert [found["two"], found["two"], found.get("two")] == ["TWO"] * 3
    assert made == ["two"]


def test_the_names_are_known_before_anything_is_made() -> None:
    """Counting, looking for a name and going through the names make nothing, and no other name is there."""
    found: OnDemand[int] = OnDemand(["one", "two"], int)
    assert ("one" in found, "three" in found, len(found), list(found)) == (True, False, 2, ["one", "two"])
    with pytest.raises(KeyError, match="three"):
        _ = found["three"]


def test_a_machine_prepares_the_acts_of_the_phase_and_no_others() -> None:
    """Whoever tries hundreds of rule bases on a few acts does not pay for the others."""
    machine = Machine(rules(choose("brouc")))
    state = machine.begin()
    machine.legal(state, 0)
    prepared = {name for name in machine.game.actions if machine.actions.is_made(name)}
    assert prepared == set(machine.game.phases[state.phase].actions)
    assert prepared < machine.game.actions.keys()
