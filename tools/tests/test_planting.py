"""Damage planted in the text of chapters: which statement is refuted then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from planting import PlantedDamage, judge, read_table

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

SEATS = PlantedDamage(
    name="five-at-a-table-of-four",
    game="homme-d-auvergne",
    clause="auv.equip.01",
    says="Five play where four should.",
    file="games/homme-d-auvergne/10-players.yaml",
    old='seats: {"4": 4, "5": 5}\n  pack',
    new='seats: {"4": 5, "5": 5}\n  pack',
    by="auv.seats.four",
)


@pytest.mark.slow
def test_damage_to_the_number_of_seats_is_noticed() -> None:
    """A statement counts the seats of the damaged rules and not those of the sound ones."""
    assert judge(SEATS) == (True, "refuted: auv.seats.four, which cites the clause")


def test_a_text_that_changes_no_rule_is_no_damage() -> None:
    """What says the same is not taken for noticed."""
    assert judge(replace(SEATS, new='seats: {"5": 5, "4": 4}\n  pack')) == (False, "the same rules")


def test_a_text_that_is_not_there_is_said() -> None:
    """A table of damages may be older than the rules."""
    noticed, told = judge(replace(SEATS, old="no such text"))

    assert not noticed
    assert told.endswith("has the old text 0 times, not once")


def test_a_table_is_read(tmp_path: Path) -> None:
    """Each damage has a name; what notices it need not be known."""
    table = tmp_path / "table.yaml"
    table.write_text("a: {game: g, clause: g.c, says: s, file: f, old: x, new: y}\n", encoding="utf-8")

    assert read_table(table) == [PlantedDamage("a", "g", "g.c", "s", "f", "x", "y", "")]
