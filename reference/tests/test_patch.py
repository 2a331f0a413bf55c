"""Patches and choices: ids are addressed, never positions, and what does not exist is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brou import Impossible, Invalid, Malformed, Unknown, book, choose, rules
from brou.check import check
from brou.games.catalogue import spread, with_readings
from brou.language.node import Plain
from brou.language.patch import apply, find_id, overlapping, patches
from brou.language.source import parse

RULES = """
params: {three: {value: 3}}
tables:
  may:
    rows:
    - {id: low, when: a}
    - {id: rest, else: b}
phases:
  end:
    do:
    - {set: "seen[now]", to: x}
    - {add: total, by: 1}
    - {move: c, from: "nest[p]", to: heap}
    - {draw: 1, from: heap, to: "nest[q]"}
    - {let: y, be: 1}
    - {for: p, in: players, do: [{reset: deal}]}
    - {if: z, then: []}
    - cases: [{id: one, when: w, do: []}]
    - {goto: perch}
    - {id: own, set: seen, to: w}
"""


def changed(*changes: str) -> Plain:
    """Return the rules after some patches."""
    return apply(parse(RULES, "rules.yaml"), patches(parse(f"[{', '.join(changes)}]", "patch.yaml"))).plain()


def at(plain: Any, *path: str | int) -> Any:
    """Return what stands at a path."""
    for step in path:
        plain = plain[step]
    return plain


def test_value() -> None:
    """`value` replaces what stands at an address, and nothing else."""
    made = changed("{at: params/three/value, value: 4}")

    assert at(made, "params") == {"three": {"value": 4}}
    assert at(made, "tables") == at(changed(), "tables")


def test_value_of_a_row() -> None:
    """A row is addressed by its id, whole or by a key."""
    assert at(changed("{at: tables/may/rows/rest, value: {id: rest, else: c}}"), "tables", "may", "rows", 1) == {
        "id": "rest",
        "else": "c",
    }
    assert at(changed("{at: tables/may/rows/low/when, value: c}"), "tables", "may", "rows", 0) == {
        "id": "low",
        "when": "c",
    }


def test_new_key() -> None:
    """`value` may give a record a key that it had not."""
    assert (
        at(changed("{at: tables/may/rows/low/code, value: too_low}"), "tables", "may", "rows", 0, "code") == "too_low"
    )


@pytest.mark.parametrize(
    ("verb", "ids"), [("before", ["low", "new", "more", "rest"]), ("after", ["low", "rest", "new", "more"])]
)
def test_neighbours(verb: str, ids: list[str]) -> None:
    """`before` and `after` put members beside the one named, in their order."""
    rows = at(changed(f"{{at: tables/may/rows/rest, {verb}: [{{id: new}}, {{id: more}}]}}"), "tables", "may", "rows")

    assert [at(row, "id") for row in rows] == ids


def test_remove() -> None:
    """`remove` takes a member away, of a list or of a mapping."""
    made = changed("{at: tables/may/rows/low, remove: true}", "{at: params/three, remove: true}")

    assert (at(made, "tables", "may", "rows"), at(made, "params")) == ([{"id": "rest", "else": "b"}], {})


def test_add() -> None:
    """`add` puts keys into a record, in a mapping or in a list."""
    made = changed("{at: params, add: {four: {value: 4}}}", "{at: tables/may/rows/low, add: {code: too_low}}")

    assert at(made, "params") == {"three": {"value": 3}, "four": {"value": 4}}
    assert at(made, "tables", "may", "rows", 0) == {"id": "low", "when": "a", "code": "too_low"}


def test_order() -> None:
    """Patches are made one after the other; a later one may address what an earlier one put there."""
    made = changed("{at: tables/may/rows/low, after: [{id: new, when: x}]}", "{at: tables/may/rows/new/when, value: y}")

    assert at(made, "tables", "may", "rows", 1) == {"id": "new", "when": "y"}


def test_rules_are_untouched() -> None:
    """A patch gives new rules and leaves the old ones."""
    node = parse(RULES, "rules.yaml")
    apply(node, patches(parse("[{at: params/three/value, value: 4}]", "patch.yaml")))

    assert at(node.plain(), "params", "three", "value") == 3


@pytest.mark.parametrize(
    "change",
    ["{at: params/three}", "{at: params/three, before: []}", "{at: tables/may/rows/low}", "{at: params, after: []}"],
)
def test_patch_without_a_verb(change: str) -> None:
    """A patch that says nothing that can be done at its address takes nothing away: it is a fault."""
    with pytest.raises(Invalid, match="says nothing that can be done there"):
        changed(change)


@pytest.mark.parametrize(
    ("address", "step", "there"),
    [
        ("tables/must/rows/low", "must", "may"),
        ("tables/may/rows/0", "0", "low, rest"),
        ("tables/may/rows/high/when", "high", "low, rest"),
        ("params/three/value/more", "more", "nothing has an id there"),
        ("params/four/value", "four", "three"),
        ("nothing", "nothing", "params, tables, phases"),
        ("''", "''", "params"),
    ],
)
def test_unknown_address(address: str, step: str, there: str) -> None:
    """An address that names nothing is a fault: where it ends, and what is there instead."""
    with pytest.raises(Invalid) as caught:
        changed(f"{{at: {address}, remove: true}}")

    assert str(caught.value).startswith(
        f"patch.yaml:1:2: the patch address {address.strip(chr(39))} names nothing at '{step.strip(chr(39))}'; "
    )
    assert there in str(caught.value)


@pytest.mark.parametrize(
    "id_",
    ["set-seen", "add-total", "move-nest-heap", "draw-heap-nest", "let-y", "for-p", "if", "cases", "goto", "own"],
)
def test_derived_ids(id_: str) -> None:
    """An effect without an id is known by what it does and to which variable."""
    effects = at(changed(), "phases", "end", "do")
    left = at(changed(f"{{at: phases/end/do/{id_}, remove: true}}"), "phases", "end", "do")

    assert len(left) == len(effects) - 1
    assert id_ not in [find_id(parse(str(effect).replace("None", "null"), "x")) for effect in left]


def test_address_through_effects() -> None:
    """An address goes through loops and cases by their ids."""
    made = changed(
        "{at: phases/end/do/for-p/do/reset-deal/reset, value: trick}",
        "{at: phases/end/do/cases/cases/one/when, value: v}",
    )

    assert at(made, "phases", "end", "do", 5, "do", 0, "reset") == "trick"
    assert at(made, "phases", "end", "do", 7, "cases", 0, "when") == "v"


@pytest.mark.parametrize(
    ("one", "two", "address"),
    [("a/b", "a/c", None), ("a/b", "a/b", "a/b"), ("a", "a/b", "a/b"), ("a/b/c", "a/b", "a/b/c"), ("ab", "a", None)],
)
def test_overlapping(one: str, two: str, address: str | None) -> None:
    """Two patches overlap where one address lies within the other."""
    first, second = (patches(parse(f"[{{at: {path}, remove: true}}]", "x")) for path in (one, two))

    assert address == overlapping(first, second)


# Choices --------------------------------------------------------------------------------------------------------------


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
    setups: {"2": {}, "1": {patch: [{at: seating/seats, value: 1}]}}
  "2": {title: {en: Two}, readings: {rule: plain}, patch: [{at: params/goal/value, value: 6}], setups: {"2": {}}}
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


def test_bare_name(tmp_path: Path) -> None:
    """A bare name means the first edition and its first set-up."""
    assert choose("birds", third(tmp_path)) == choose("birds@1:2[rule=plain,goal=5]", tmp_path)


def test_edition_patch(tmp_path: Path) -> None:
    """An edition is a patch, a set-up another, a reading a third."""
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
    with pytest.raises(Unknown, match="perhaps 'rule' is meant"):
        choose("birds[Rulle=double]", third(tmp_path))


#: A reading that means nothing where one bird sits alone.
ALONE = OPEN + '- {together: {mood: [wild], setup: ["1"]}, because: a lone bird is calm}\n'


def test_exclusion_in_a_setup(tmp_path: Path) -> None:
    """A reading that means nothing in a set-up is refused there, and nowhere else."""
    third(tmp_path, ambiguities=ALONE)

    assert choose("birds:2[mood=wild]", tmp_path).setup == "2"
    with pytest.raises(Impossible, match="birds@1:1: mood=wild is impossible: a lone bird is calm"):
        choose("birds:1[mood=wild]", tmp_path)


def test_fitting(tmp_path: Path) -> None:
    """Readings chosen for all set-ups are, where one of them means nothing, the edition's own."""
    third(tmp_path, ambiguities=ALONE)
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
    third(tmp_path, ambiguities=ALONE)

    assert list(spread(name, tmp_path)) == [choose(one, tmp_path) for one in expected]


def test_spread_of_an_impossible_name(tmp_path: Path) -> None:
    """A set-up that is named is given what is asked for, or nothing."""
    with pytest.raises(Impossible, match="a lone bird is calm"):
        spread("birds:1[mood=wild]", third(tmp_path, ambiguities=ALONE))


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


def test_excluded_in_every_setup(tmp_path: Path) -> None:
    """Two readings that change one address may do so if no set-up lets them stand together."""
    same = OPEN.replace("params/goal/value, value: 9", "functions/best/is, value: goal")
    found: list[list[str]] = []
    for setups in ('["1"]', '["1", "2"]'):
        text = same.replace("{rule: [double], mood: [wild]}", f"{{mood: [wild], setup: {setups}}}")
        faults = check(third(tmp_path / str(len(found)), ambiguities=text))
        found.append([fault.what for fault in faults if "both change" in fault.what])

    assert found == [["rule=double and mood=wild both change functions/best/is"], []]


def test_clause_of_a_setup(tmp_path: Path) -> None:
    """What only a set-up cites has to be written as well."""
    text = "anchors: [], status: editor, kind: P, testable: play, text: {en: So it is.}"
    known = "".join(f"  b.{name}: {{{text}}}\n" for name in "sdgbap")
    alone = EDITIONS.replace("value: 1}]", "value: 1}, {at: functions/best/clause, value: b.lone}]")
    third(tmp_path, clauses=f"format: brou-clauses/1\ngame: birds\nclauses:\n{known}", editions=alone)

    assert [fault.what for fault in check(tmp_path)] == ["unknown clause 'b.lone'"]


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
    for value, error in (("{args: 1}", Malformed), ("goal + moss", Invalid)):
        folder = tmp_path / error.__name__
        where = "functions/best" if error is Malformed else "functions/best/is"
        third(folder, ambiguities=OPEN.replace("functions/best/is, value: goal + goal", f"{where}, value: {value}"))

        assert rules("birds", folder).seats == 2
        with pytest.raises(error):
            rules("birds[rule=double]", folder)
