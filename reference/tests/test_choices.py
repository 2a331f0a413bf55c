"""Choices: how rules are named, what a name leaves open, and which readings cannot stand together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from brou import Impossible, Invalid, Malformed, Unknown, book, choose, rules
from brou.check import check
from brou.games.catalogue import spread, with_readings

FRAME = """
format: brou-game/2
game: birds
title: Birds
source: nowhere
names: {p: player}
scopes: [match]
course: {perch: perch.01}
start: {phase: perch, deal: stay, given: {}}
editions:
  "1": {title: One, setups: ["2", "1"], readings: {rule: plain, goal: 5, mood: calm}}
  "2": {title: Two, setups: "2", readings: {rule: plain}}
exclusions:
- {together: {rule: double, mood: wild}, because: nobody is both}
"""
CLAUSES = """
format: brou-chapter/2
game: birds
chapter: birds
title: Birds
clauses:
- clause: seats.01
  from: []
  status: editor
  text: One or two birds sit there.
  seats: {"2": 2, "1": 1}
  pack: {cards: french, ranks: A K}
- clause: perch.01
  from: []
  status: editor
  text: A bird stays.
  keeps: {match: {now: int 0..9}}
  act: stay(p)
  in: perch
  do: []
- clause: goal.01
  from: []
  status: editor
  text: The goal is {goal}.
  numbers: {goal: 5}
  means: {best: goal}
  open:
  - id: amb.01
    key: rule
    ask: Which one is the best?
    readings:
      plain: {why: It is the goal.}
      double: {why: It is more., means: {best: goal + goal}}
  - id: amb.02
    key: goal
    ask: What is the goal?
    number: {of: goal, from: 1, to: 9}
  - id: amb.03
    key: mood
    ask: In what mood are they?
    readings:
      calm: {why: They stay.}
      wild: {why: They want more., numbers: {goal: 9}}
- clause: goal.02
  from: []
  status: editor
  only: {edition: "2"}
  text: The goal is {goal} here.
  numbers: {goal: 6}
"""
#: A reading that means nothing where one bird sits alone.
ALONE = CLAUSES.replace("    key: mood\n", '    key: mood\n    only: {setup: "2"}\n    because: a lone bird is calm\n')


def third(folder: Path, clauses: str = CLAUSES, frame: str = FRAME) -> Path:
    """Write a game of somebody else's, and return the folder of its data."""
    place = folder / "games" / "birds"
    place.mkdir(parents=True)
    (place / "game.yaml").write_text(frame.lstrip(), encoding="utf-8")
    (place / "10-birds.yaml").write_text(clauses.lstrip(), encoding="utf-8")
    return folder


def test_bare_name(tmp_path: Path) -> None:
    """A bare name means the first edition and its first set-up."""
    assert choose("birds", third(tmp_path)) == choose("birds@1:2[rule=plain,goal=5]", tmp_path)


def test_what_differs_in_an_edition(tmp_path: Path) -> None:
    """Editions, set-ups and readings have seats and numbers of their own."""
    third(tmp_path)
    games = [rules(name, tmp_path) for name in ("birds", "birds@2", "birds:1", "birds[goal=7]")]

    assert [(game.seats, game.params["goal"].value) for game in games] == [(2, 5), (2, 6), (1, 5), (2, 7)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("crows", "unknown game 'crows'; known: birds"),
        ("birds@3", "unknown edition of birds '3'; known: 1, 2"),
        ("birds:9", "unknown set-up of birds@1 '9'; known: 2, 1"),
        ("birds[colour=red]", "unknown reading of birds@1 'colour'; known: rule, goal, mood"),
        ("birds@2[goal=5]", "unknown reading of birds@2 'goal'; known: rule"),
        ("birds[rule=triple]", "unknown value of rule 'triple'; known: plain, double"),
        ("birds[goal=10]", "unknown value of goal '10'; known: 1 to 9"),
        ("birds[goal=x]", "unknown value of goal 'x'; known: 1 to 9"),
        ("birds[rule]", "unknown form of a reading 'rule'; known: reading=value"),
        ("", "unknown form of a name ''; known: game@edition:setup[reading=value,...]"),
        ("birds[", "unknown form of a name 'birds['; known: game@edition:setup[reading=value,...]"),
        ("birds@1@1", "unknown edition of birds '1@1'; known: 1, 2"),
    ],
)
def test_unknown(tmp_path: Path, name: str, message: str) -> None:
    """A name that names nothing is told with all that is known in its place."""
    with pytest.raises(Unknown) as caught:
        choose(name, third(tmp_path))

    assert str(caught.value) == message


def test_of_many_names_those_are_told_that_are_like_it() -> None:
    """A name misspelt, a part of names, or neither: never all of a thousand, but how they are listed."""
    many = [f"house.{number:03}" for number in range(1000)]
    told = {name: str(Unknown("clause", name, many, "list all")) for name in ("huose.123", "99", "zzz")}

    assert told["huose.123"].startswith("unknown clause 'huose.123'; did you mean 'house.123' or ")
    assert told["99"].startswith("unknown clause '99'; did you mean 'house.099' or 'house.199' or 'house.299'? ")
    assert told["zzz"] == (
        "unknown clause 'zzz'; 1000 are known (see `list all`), such as 'house.000', 'house.001', 'house.002'"
    )


def test_exclusion(tmp_path: Path) -> None:
    """Two readings that cannot stand together are refused with the reason."""
    with pytest.raises(Impossible, match="birds@1: rule=double with mood=wild is impossible: nobody is both"):
        choose("birds[rule=double,mood=wild]", third(tmp_path))


def test_a_reading_is_named_once(tmp_path: Path) -> None:
    """Of two values neither is taken for the one that was meant."""
    with pytest.raises(Impossible, match="names a reading twice"):
        choose("birds[rule=double,rule=plain]", third(tmp_path))


def test_a_name_that_is_nearly_known_is_offered(tmp_path: Path) -> None:
    """Misspelt, or in other letter case."""
    with pytest.raises(Unknown, match=r"did you mean 'rule'\?"):
        choose("birds[Rulle=double]", third(tmp_path))


def test_exclusion_in_a_setup(tmp_path: Path) -> None:
    """A reading that means nothing in a set-up is refused there, and nowhere else."""
    third(tmp_path, ALONE)

    assert choose("birds:2[mood=wild]", tmp_path).setup == "2"
    with pytest.raises(Impossible, match="birds@1:1: mood=wild is impossible: a lone bird is calm"):
        choose("birds:1[mood=wild]", tmp_path)


def test_fitting(tmp_path: Path) -> None:
    """Readings chosen for all set-ups are, where one of them means nothing, the edition's own."""
    third(tmp_path, ALONE)
    wild = choose("birds:2[mood=wild,goal=7]", tmp_path)

    assert with_readings(wild, {}, tmp_path, fitting=True) == wild
    assert with_readings(replace(wild, setup="1"), {}, tmp_path, fitting=True) == choose("birds:1[goal=7]", tmp_path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("birds", ["birds@1:2", "birds@1:1", "birds@2:2"]),
        ("birds@1", ["birds@1:2", "birds@1:1"]),
        ("birds:1", ["birds@1:1"]),
        ("birds@1[mood=wild]", ["birds@1:2[mood=wild]", "birds@1:1"]),
        ("birds[goal=7]", ["birds@1:2[goal=7]", "birds@1:1[goal=7]"]),
        ("birds:2[mood=wild]", ["birds@1:2[mood=wild]"]),
    ],
)
def test_spread(tmp_path: Path, name: str, expected: list[str]) -> None:
    """A name stands for all that it leaves open, with its readings wherever they mean something."""
    third(tmp_path, ALONE)

    assert list(spread(name, tmp_path)) == [choose(one, tmp_path) for one in expected]


def test_spread_of_an_impossible_name(tmp_path: Path) -> None:
    """A set-up that is named is given what is asked for, or nothing."""
    with pytest.raises(Impossible, match="a lone bird is calm"):
        spread("birds:1[mood=wild]", third(tmp_path, ALONE))


@pytest.mark.parametrize(
    ("together", "message"),
    [
        ("{mood: tame, rule: double}", "mood has no value 'tame'"),
        ('{mood: wild, setup: "9"}', "setup has no value '9'"),
        ("{mood: wild, colour: red}", "unknown reading 'colour'"),
        ('{mood: calm, setup: "1"}', "birds@1:1 is impossible by its own readings"),
    ],
)
def test_wrong_exclusion(tmp_path: Path, together: str, message: str) -> None:
    """An exclusion names readings, values and set-ups that are there, and leaves every edition possible."""
    third(tmp_path, frame=f"{FRAME}- {{together: {together}, because: so it is}}\n")

    assert message in [fault.what for fault in check(tmp_path)]


def test_unknown_reading_of_an_edition(tmp_path: Path) -> None:
    """An edition that chooses a reading nobody declared is a fault of its file."""
    frame = FRAME.replace("mood: calm", "colour: red")

    with pytest.raises(Invalid, match=r"game\.yaml:\d+:\d+: unknown reading 'colour'"):
        book("birds", third(tmp_path, frame=frame))


def test_shape_is_checked(tmp_path: Path) -> None:
    """A file of the wrong shape is refused before its meaning is looked at."""
    with pytest.raises(Malformed, match=r"games/birds/game\.yaml:\d+:\d+: unknown key 'curse'"):
        book("birds", third(tmp_path, frame=FRAME.replace("course:", "curse:")))


def test_the_rules_of_a_reading_are_typed(tmp_path: Path) -> None:
    """A reading that gives rules of another type is refused when it is chosen."""
    third(tmp_path, CLAUSES.replace("best: goal + goal", "best: goal + spades"))

    assert rules("birds", tmp_path).seats == 2
    with pytest.raises(Invalid):
        rules("birds[rule=double]", tmp_path)
