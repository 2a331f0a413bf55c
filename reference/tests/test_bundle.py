"""Bundles: what goes in comes out, nothing else does, and nothing but the standard library is needed."""

from __future__ import annotations

import hashlib
import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import brou
from brou import Choice, Malformed, book, catalogue, choose, rules
from brou.dataclass import fields, is_dataclass, replace
from brou.errors import Place
from brou.games.bundle import encode_bundle, open_bundle
from brou.games.bundling import write_bundle
from brou.games.catalogue import spread, with_readings
from brou.language.export import identity
from brou.language.packing import PackedTable, Packer
from brou.language.syntax import Game
from brou.language.tree import LocalUse
from brou.language.types import BOOL

EVERYTHING = [choice for game in catalogue() for choice in spread(game)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle of all games."""
    path = tmp_path_factory.mktemp("bundles") / "all.json"
    write_bundle(path)
    return path


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle of one edition, with all that differs in one reading."""
    path = tmp_path_factory.mktemp("bundles") / "one.json"
    write_bundle(path, ["brouc@2022"], varied=True)
    return path


def places(value: Any) -> Iterator[Place]:
    """Yield every place in a value, which equality does not look at."""
    if isinstance(value, Place):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from places(getattr(value, field.name))
    elif isinstance(value, dict):
        for name in value:
            yield from places(value[name])
    elif isinstance(value, tuple):
        for item in value:
            yield from places(item)


@pytest.mark.slow
@pytest.mark.parametrize("choice", EVERYTHING, ids=lambda choice: choice.full.partition("[")[0])
def test_rules_come_out_as_they_went_in(choice: Choice, whole: Path) -> None:
    """Equal rules, with the order of all their parts and every place."""
    ours, theirs = rules(choice), rules(choice, whole)

    assert theirs == ours
    assert [*theirs.functions, *theirs.state, *theirs.phases] == [*ours.functions, *ours.state, *ours.phases]
    assert list(places(theirs)) == list(places(ours))


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_data_files_come_out_as_they_went_in(game: str, whole: Path) -> None:
    """A book read from the bundle is the book that is read from the files, but for what makes further rules."""
    assert replace(book(game, whole), maker=None) == replace(book(game), maker=None)


def test_a_bundle_tells_its_games(whole: Path) -> None:
    """They are the games whose rules are in it."""
    assert catalogue(whole) == catalogue()


@pytest.mark.slow
def test_equal_values_are_one_object(one: Path) -> None:
    """Rules that differ in one reading share what they have in common."""
    bundle = open_bundle(one)
    assert bundle is not None
    first, second = (rules(name, one) for name in bundle.names[:2])

    assert first is not second
    assert first.types["card"] is second.types["card"]


@pytest.mark.slow
def test_a_bundle_is_the_same_each_time(one: Path, tmp_path: Path) -> None:
    """Its bytes hang on the data alone."""
    again = tmp_path / "again.json"
    write_bundle(again, ["brouc@2022"], varied=True)

    assert again.read_bytes() == one.read_bytes()


def test_readings_that_are_in_a_bundle_are_taken_from_it(one: Path) -> None:
    """One reading changed: the rules are there."""
    bundle = open_bundle(one)
    assert bundle is not None
    found = [name for name in bundle.names if name != choose("brouc@2022").full]
    assert found
    for name in found:
        assert rules(name, one) is bundle.rules(name)


def test_readings_that_are_not_in_a_bundle_are_typed(whole: Path) -> None:
    """Two readings changed: the rules are made of the data files in the bundle."""
    choice = choose("brouc@2022")
    data = book("brouc")
    changed = {key: next(v for v in data.readings[key].values if v != own) for key, own in choice.readings[:1]}
    other = with_readings(choice, changed)

    assert rules(other, whole) == rules(other)


# Nothing else -----------------------------------------------------------------


def body_of(path: Path) -> Any:
    """Return what the second line of a bundle says."""
    return json.loads(path.read_bytes().partition(b"\n")[2])


def rewritten(path: Path, body: Any) -> Path:
    """Return a bundle that says something, with its hash."""
    line = json.dumps(body).encode()
    head = {"format": "brou-bundle/1", "sha256": hashlib.sha256(line).hexdigest()}
    path.write_bytes(json.dumps(head).encode() + b"\n" + line)
    return path


def test_a_damaged_bundle_is_refused(one: Path, tmp_path: Path) -> None:
    """One byte is enough."""
    raw = bytearray(one.read_bytes())
    raw[-20] ^= 1
    damaged = tmp_path / "damaged.json"
    damaged.write_bytes(raw)

    with pytest.raises(Malformed, match="damaged"):
        rules("brouc@2022", damaged)


@pytest.mark.parametrize("raw", [b"", b"{}", b"[1]\n[2]", b"\xff\n\xff", b"format: brou/1\n", b"[" * 100_000])
def test_what_is_no_bundle_is_refused(raw: bytes, tmp_path: Path) -> None:
    """Whatever a file holds, the refusal names it."""
    path = tmp_path / "other.json"
    path.write_bytes(raw)

    with pytest.raises(Malformed, match=r"other\.json"):
        catalogue(path)


def test_a_bundle_of_other_classes_is_refused(one: Path, tmp_path: Path) -> None:
    """A class has another field: nothing is put where it does not belong."""
    body = body_of(one)
    body["table"]["classes"][0].append("more")

    with pytest.raises(Malformed, match="version"):
        catalogue(rewritten(tmp_path / "newer.json", body))


def test_a_circle_is_refused(one: Path, tmp_path: Path) -> None:
    """An entry may be made of earlier ones alone."""
    body = body_of(one)
    place = next(iter(body["rules"].values()))
    body["table"]["entries"][place][1] = place

    with pytest.raises(Malformed):
        rules("brouc@2022", rewritten(tmp_path / "circle.json", body))


def table_of(value: Any) -> tuple[PackedTable, int]:
    """Return a table with a value, as it is read."""
    packer = Packer()
    place = packer.add(value)
    return PackedTable(json.loads(json.dumps(packer.table()))), place


@pytest.mark.parametrize("name", ["x or __import__('os')", "a\nb", "f()", "a;b", "a=1", 7, None, Place("f()", 1, 1)])
def test_names_are_words(name: Any) -> None:
    """What would be code where code is generated from rules is nothing that a table can hold."""
    table, place = table_of(LocalUse(BOOL, name))

    with pytest.raises(ValueError, match="read"):
        table.get(place, LocalUse)


def test_fields_hold_values_of_their_types() -> None:
    """A text where an expression belongs is refused."""
    game = rules("brouc@2022")
    body, wrong = next(iter(game.functions.values())), cast("Any", "True")
    table, place = table_of(replace(body, body=wrong))

    with pytest.raises(ValueError, match="read"):
        table.get(place, type(body))


def test_keys_are_words_in_rules() -> None:
    """Variables of the state are named by keys."""
    game = rules("brouc@2022")
    name, variable = next(iter(game.state.items()))
    table, place = table_of(replace(game, state={f"{name} = exit()": variable}))

    with pytest.raises(ValueError, match="read"):
        table.get(place, Game)


def test_rules_that_are_typed_from_a_bundle_name_words_too(one: Path, tmp_path: Path) -> None:
    """No schema looks at the data files of a bundle; what is made of them is looked at instead."""
    body = body_of(one)
    body["rules"] = {}
    entries = body["table"]["entries"]
    assert "card_points" in entries or "trump" in entries
    entries[:] = ["trump or exit()" if entry == "trump" else entry for entry in entries]

    with pytest.raises(brou.BrouError):
        rules("brouc@2022", rewritten(tmp_path / "hostile.json", body))


def test_rules_of_a_bundle_are_the_same_rules(whole: Path) -> None:
    """They bear the same hash, under which generated code is kept."""
    assert identity(rules("brusquembille", whole)) == identity(rules("brusquembille"))


def test_rules_of_a_bundle_need_no_files(one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that loading asks for is in it."""
    monkeypatch.setattr("brou.language.source.parse_yaml", None)

    assert encode_bundle({"": rules("brouc@2022", one)}, {})


# The standard library alone ---------------------------------------------------

HERE = Path(__file__).parent
#: What a bare interpreter does: importing what reads files of data fails.
BARE = """
import json, pathlib, sys
sys.path[:0] = sys.argv[1:3]
sys.modules.update(dict.fromkeys(("jsonschema_rs", "msgspec", "yaml")))
import bundled
sys.stdout.reconfigure(encoding="utf-8")
print(json.dumps(bundled.answer(sys.argv[4], pathlib.Path(sys.argv[3])), ensure_ascii=False))
"""


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["brouc@2022", "brusquembille"])
def test_a_bare_interpreter_answers_as_the_desk_does(name: str, tmp_path: Path) -> None:
    """No YAML, no schemas, no packages at all: the same play, score, views and explanations in three languages."""
    path = tmp_path / "game.json"
    write_bundle(path, [name], varied=True)
    command = [sys.executable, "-I", "-S", "-c", BARE, str(Path(brou.__file__).parents[1]), str(HERE), str(path), name]
    done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8")
    assert not done.returncode, done.stderr

    said = json.loads(done.stdout)
    assert sum(turn[0] == "play" for turn in said if isinstance(turn, list)) > rules(name).seats
    assert said == runpy.run_path(str(HERE / "bundled.py"))["answer"](name, None)
