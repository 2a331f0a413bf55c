"""A mapping makes each value at its first lookup, and a machine prepares the acts that somebody asks for."""

from __future__ import annotations

from functools import partial

import pytest

from brou import Machine, choose, rules
from brou.chapters.variants import Variants
from brou.games.folder import list_files, read_file, root
from brou.on_demand import OnDemand


def test_the_first_lookup_makes_a_value_and_the_next_ones_find_it() -> None:
    """Whoever looks one name up pays for that one, the first time only."""
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


def test_loading_a_game_makes_no_rules_of_its_readings() -> None:
    """What a reading changes is found for the values that are asked for, and for no others."""
    maker = Variants.read("brouc", partial(list_files, root()), partial(read_file, root()))
    changes = {key: values for key, _, values, number in maker.readings() if number is None}
    values, *others = changes.values()
    last = list(values)[-1]

    assert values[last]
    assert [value for value in values if values.is_made(value)] == [last]
    assert not any(other.is_made(value) for other in others for value in other)
