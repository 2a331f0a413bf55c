"""Games in the first form, with a file each for rules, clauses, open questions and editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from brou import Invalid, Malformed, book, choose, rules
from brou.check import check


def third(folder: Path, **files: str) -> Path:
    """Write a game of somebody else's, and return the folder of its data."""
    place = folder / "games" / "birds"
    place.mkdir(parents=True)
    for name, text in {"rules": BIRDS, "editions": EDITIONS, "ambiguities": OPEN, **files}.items():
        (place / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


BIRDS = """
format: brou/1
game: birds
seating: {seats: 2, clause: b.s}
deck: {suits: {M: moss}, ranks: {H: hawk, O: owl}, clause: b.d}
params: {goal: {value: 5, clause: b.g}}
state: {match: {now: {type: int 0..9}}}
functions: {best: {type: int, is: goal, clause: b.b}}
actions: {stay: {by: {who: players}, legal: "True", do: [], clause: b.a}}
phases: {perch: {actions: [stay], clause: b.p}}
"""
EDITIONS = """
format: brou-editions/1
game: birds
editions:
  "1":
    title: {en: One}
    readings: {rule: plain, goal: 5, mood: calm}
    setups: {"2": {}, "1": {}}
  "2": {title: {en: Two}, readings: {rule: plain}, setups: {"2": {}}}
"""
OPEN = """
format: brou-ambiguities/1
game: birds
ambiguities:
  b.amb.1:
    treatment: VAR
    key: rule
    readings: {plain: {patch: []}, double: {patch: [{at: functions/best/is, value: goal + goal}]}}
  b.amb.2: {treatment: VAR, key: goal, number: {from: 1, to: 9, at: params/goal/value}}
  b.amb.3:
    treatment: VAR
    key: mood
    readings: {calm: {patch: []}, wild: {patch: [{at: params/goal/value, value: 9}]}}
exclusions:
- {together: {rule: [double], mood: [wild]}, because: nobody is both}
"""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{mood: [tame], setup: ['1']}", "an exclusion of mood=tame, which is not there"),
        ("{mood: [wild], setup: ['9']}", "an exclusion of setup=9, which is not there"),
        ("{mood: [wild], colour: [red]}", "an exclusion of colour=red, which is not there"),
        ("{mood: [calm], setup: ['1']}", "birds@1:1 is impossible by its own readings"),
    ],
)
def test_wrong_exclusion(tmp_path: Path, line: str, message: str) -> None:
    """An exclusion names readings, values and set-ups that are there, and leaves every edition possible."""
    third(tmp_path, ambiguities=f"{OPEN}- {{together: {line}, because: so it is}}\n")

    assert message in [fault.what for fault in check(tmp_path)]


def test_unknown_clause(tmp_path: Path) -> None:
    """What the rules cite has to be written, where there are clauses."""
    text = "anchors: [], status: editor, kind: P, testable: play, text: {en: So it is.}"
    known = "".join(f"  b.{name}: {{{text}}}\n" for name in "sdgbap")
    lone = BIRDS.replace("is: goal, clause: b.b", "is: goal, clause: b.lone")
    third(tmp_path, rules=lone, clauses=f"format: brou-clauses/1\ngame: birds\nclauses:\n{known}")

    assert {fault.what for fault in check(tmp_path)} == {"unknown clause 'b.lone'"}


def test_game_without_editions(tmp_path: Path) -> None:
    """A game that names no edition has one of them and one set-up."""
    (third(tmp_path) / "games" / "birds" / "editions.yaml").unlink()

    assert str(choose("birds", tmp_path)) == "birds@1:1"


def test_unknown_reading_of_an_edition(tmp_path: Path) -> None:
    """An edition that chooses a reading nobody declared is a fault of its file."""
    editions = EDITIONS.replace("mood: calm", "colour: red")

    with pytest.raises(Invalid, match=r"editions\.yaml:\d+:\d+: unknown reading 'colour'"):
        book("birds", third(tmp_path, editions=editions))


def test_shape_is_checked(tmp_path: Path) -> None:
    """A file of the wrong shape is refused before its meaning is looked at."""
    with pytest.raises(Malformed, match=r"games/birds/rules\.yaml:2:1: .*phases"):
        book("birds", third(tmp_path, rules=BIRDS.replace("phases:", "faces:")))


def test_patched_rules_are_checked_again(tmp_path: Path) -> None:
    """A reading whose patch gives rules of another shape or type is refused when it is chosen."""
    for value, error in (("{type: int}", Malformed), ("goal + moss", Invalid)):
        folder = tmp_path / error.__name__
        where = "functions/best" if error is Malformed else "functions/best/is"
        third(folder, ambiguities=OPEN.replace("functions/best/is, value: goal + goal", f"{where}, value: {value}"))

        assert rules("birds", folder).seats == 2
        with pytest.raises(error):
            rules("birds[rule=double]", folder)
