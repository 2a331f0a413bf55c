"""The file of the lowered form: valid, always the same bytes, and enough to play by for whoever has nothing else."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, assert_never

import pytest

import core_player
from brou import Choice, Impossible, Machine, book, catalogue, choose, rules
from brou.chance import Chance
from brou.compiler.compiled import Compiled
from brou.compiler.compiled_values import raising
from brou.compiler.core_file import write_core
from brou.compiler.lower import lower_whole
from brou.compiler.lowered import (
    CoreAct,
    Program,
    Routine,
    ShownList,
    Stage,
    Step,
    Term,
    every_part,
    every_shown,
    every_step,
    shown_terms,
)
from brou.compiler.playing import step
from brou.core_document import CoreDocument
from brou.core_terms import NumberKind, PlainKind
from brou.games.catalogue import spread, with_readings
from brou.games.folder import root
from brou.language.export import identity
from brou.language.schema import validator
from brou.shapes import read, write_object
from core_player import Engine, Wrong

GAMES = catalogue()
EDITIONS = [choice for game in GAMES for choice in spread(game)]
FIRST = [choose(game) for game in GAMES]
PAGE = (Path(__file__).parents[2] / "docs" / "lowered.md").read_text(encoding="utf-8")


def read_otherwise() -> Iterator[Choice]:
    """Yield the first edition of each game with other readings, a few of them, one at a time."""
    for choice in FIRST:
        usual = dict(choice.readings)
        others = [
            (key, value)
            for key, reading in book(choice.game).readings.items()
            for value in reading.values
            if key in usual and value != usual[key]
        ]
        for key, value in others[:: max(1, len(others) // 3)][:3]:
            with suppress(Impossible):
                yield with_readings(choice, {key: value})


OTHERS = list(read_otherwise())


def told(choice: Choice) -> str:
    """Return a rule base as tests are called: its readings only where they are not those of its edition."""
    usual = dict(choose(str(choice)).readings)
    return str(choice) + "".join(f"[{key}={value}]" for key, value in choice.readings if usual[key] != value)


@cache
def text(choice: Choice) -> str:
    """Return the file of a rule base."""
    return json.dumps(write_core(str(choice), dict(choice.readings), rules(choice)))


def document(choice: Choice) -> dict[str, Any]:
    """Return the file of a rule base, read as others read it."""
    found: dict[str, Any] = json.loads(text(choice))
    return found


# The file -------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("choice", EDITIONS + OTHERS, ids=told)
def test_the_file_is_valid(choice: Choice) -> None:
    """The file of every edition and set-up, and of other readings, is valid by the published schema."""
    found = validator(root() / "schemas" / "core.schema.json").iter_errors(document(choice))

    assert [error.message for error in found] == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.pop("words"),
        lambda file: file.update(format="brou-core/2"),
        lambda file: file["cards"].append(file["cards"][0]),
        lambda file: next(one for one in file["kinds"] if one["form"] == "number").pop("low"),
        lambda file: next(one for one in file["kinds"] if one["form"] == "pile").pop("most"),
        lambda file: next(one for one in file["kinds"] if one["form"] == "list").update(low=1),
        lambda file: next(one for one in file["terms"] if one["op"] == "lookup").pop("absent"),
        lambda file: next(one for one in file["terms"] if one["op"] == "+")["parts"].pop(),
        lambda file: next(one for one in file["terms"] if one["op"] == "const").pop("value"),
        lambda file: file["terms"].append({"op": "guess", "kind": 0}),
        lambda file: file["terms"].append(file["terms"][0]),
        lambda file: file["stages"][0]["do"].append({"op": "put", "value": 0, "says": ""}),
        lambda file: file["acts"][0].pop("by"),
    ],
)
def test_the_schema_tells_what_is_no_file(damage: Callable[[dict[str, Any]], object]) -> None:
    """A file that lacks something, has it twice or has what no form has is not valid."""
    check = validator(root() / "schemas" / "core.schema.json")
    file = document(FIRST[0])
    assert check.is_valid(file)

    damage(file)

    assert not check.is_valid(file)


@pytest.mark.parametrize("choice", FIRST, ids=str)
def test_the_file_is_read_as_its_shapes_state_it(choice: Choice) -> None:
    """Each kind, term and step is read as the class of its form, and nothing is lost on the way."""
    file = document(choice)
    found = read(CoreDocument, file)

    assert write_object(found) == file
    assert {type(one) for one in found.kinds} > {NumberKind, PlainKind}


def test_an_engine_that_only_plays_needs_no_questions() -> None:
    """A file without score, view and invariants is valid and can be played."""
    file = document(FIRST[0])
    del file["questions"]

    assert validator(root() / "schemas" / "core.schema.json").is_valid(file)
    assert Engine(json.dumps(file)).begin().phase


@pytest.mark.parametrize("choice", FIRST, ids=str)
def test_hashes_can_be_verified(choice: Choice) -> None:
    """One hash is that of the typed rules, the other that of the canonical JSON of all that follows."""
    file = document(choice)
    keys = list(file)
    body = {key: file[key] for key in keys[keys.index("core") + 1 :]}
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))

    assert file["hash"] == identity(rules(choice))
    assert file["core"] == sha256(canonical.encode()).hexdigest()


@pytest.mark.slow
def test_the_same_rules_give_the_same_bytes() -> None:
    """Whatever order sets have in a process, the file has one of its own."""
    name = str(FIRST[-1])
    code = "import json, sys; from brou import rules; from brou.compiler.core_file import write_core;"
    code += "print(json.dumps(write_core(sys.argv[1], {}, rules(sys.argv[1]))))"
    made = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, name], capture_output=True, check=True, env=environment
        )
        made.append(done.stdout)

    assert made[0] == made[1]
    assert json.loads(made[0])["rules"] == name


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("choice", EDITIONS + OTHERS, ids=told)
def test_operands_come_first(choice: Choice) -> None:
    """Parts stand before terms, elements before kinds, routines before those that call them."""
    file = document(choice)
    for place, term in enumerate(file["terms"]):
        assert all(part < place for part in term.get("parts", []))
    for place, kind in enumerate(file["kinds"]):
        assert kind.get("element", -1) < place
    known: set[str] = set()
    for routine in file["routines"]:
        assert called(file["terms"], routine["body"]) <= known
        known.add(routine["name"])


def called(terms: Sequence[dict[str, Any]], body: int) -> set[str]:
    """Return the routines that a term calls."""
    waiting, seen, found = [body], set[int](), set[str]()
    while waiting:
        place = waiting.pop()
        if place not in seen:
            seen.add(place)
            waiting += terms[place].get("parts", [])
            found |= {terms[place]["name"]} if terms[place]["op"] == "call" else set()
    return found


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("choice", EDITIONS + OTHERS, ids=told)
def test_words_of_32_bits_hold_all_numbers(choice: Choice) -> None:
    """No number takes more, but for what a term that crashes beyond what numbers may be is made of."""
    file = document(choice)
    checked = {term["parts"][0] for term in file["terms"] if term["op"] == "bounded"}
    for place, term in enumerate(file["terms"]):
        kind = file["kinds"][term["kind"]]
        if kind["form"] == "number":
            assert kind["low"] <= kind["high"]
            most = max(abs(kind["low"]), abs(kind["high"]))
            assert most < 1 << (63 if place in checked else 31)


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("choice", EDITIONS + OTHERS, ids=told)
def test_lists_and_piles_have_bounds(choice: Choice) -> None:
    """No list has room for more than is ever in it could be: a pile for the pack, a list for what the data has."""
    file = document(choice)
    longest = max(len(file["cards"]), 30)
    for kind in file["kinds"]:
        if kind["form"] == "pile":
            assert kind["most"] == len(file["cards"])
        if kind["form"] == "list":
            assert 0 <= kind["most"] <= longest


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("choice", EDITIONS + OTHERS, ids=told)
def test_only_sets_by_suit_or_rank_are_asked_for_nothing(choice: Choice) -> None:
    """Wherever a place may be -1, the table has an entry behind its last one, which is the empty set."""
    file = document(choice)
    tables = {constant["name"]: constant for constant in file["constants"]}
    asked = {term["name"] for term in file["terms"] if term["op"] == "lookup" and term["absent"]}

    assert asked <= {"suit_set", "rank_set"}
    assert all(tables[name]["values"][-1] == ["0x0"] for name in asked)


# Names ----------------------------------------------------------------------------------------------------------------


def bindings(unit: Routine | CoreAct | Stage) -> tuple[list[Term], list[Step], set[str]]:
    """Return the terms and the steps that bind names in a routine, an act or a stage, and its arguments."""
    roots, steps, given = list[Term](), list[Step](), set[str]()
    match unit:
        case Routine():
            roots, given = [unit.body], {name for name, _ in unit.arguments}
        case CoreAct():
            steps, roots = list(every_step([unit], [])), list(unit.terms)
            given = {"me", *(item.name for item in unit.choosing)}
        case Stage():
            steps = list(every_step([], [unit]))
        case _:
            assert_never(unit)
    roots += [term for one in steps for term in one.terms]
    terms = [term for term in every_part(roots) if term.bound]
    return terms, [one for one in steps if one.op in ("let", "loop")], given


def units(program: Program) -> Iterator[Routine | CoreAct | Stage]:
    """Yield whatever has names of its own."""
    yield from program.routines.values()
    yield from program.acts.values()
    yield from program.stages.values()


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("choice", EDITIONS + OTHERS, ids=told)
def test_every_name_is_bound_once(choice: Choice) -> None:
    """In one routine, act or stage each name is an argument, or bound by one step, or by one operation."""
    program = lower_whole(rules(choice))
    for unit in units(program):
        terms, steps, given = bindings(unit)
        assert twice(terms, [*(one.name for one in steps), *given]) == {}
    for keys in (program.score, program.view):
        shown = list(every_shown(keys))
        terms = [term for one in shown for term in every_part(shown_terms(one)) if term.bound]
        assert twice(terms, ["me", *(one.local for one in shown if isinstance(one, ShownList))]) == {}


def twice(terms: Sequence[Term], others: Sequence[str]) -> dict[str, int]:
    """Return the names that several different operations bind, or an operation and something else."""
    bound = {(term.bound, term.op, term.name, term.parts) for term in terms}
    times = Counter([*(name for name, *_ in bound), *others])
    return {name: count for name, count in times.items() if count > 1}


# Playing --------------------------------------------------------------------------------------------------------------


def test_the_player_knows_nothing_but_the_file() -> None:
    """It imports nothing of this project."""
    tree = ast.parse(Path(core_player.__file__).read_text(encoding="utf-8"))
    plain = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    parts = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]

    assert set(plain) == {"json"}
    assert set(parts) <= {"__future__", "collections.abc", "dataclasses", "itertools", "typing"}


def agree(choice: Choice, seed: int, decisions: int) -> int:
    """Play matches by the file and by generated code, decision by decision; return how many acts were made."""
    game = rules(choice)
    compiled, engine = Compiled(game), Engine(text(choice))
    ups = [raising(variable.type, game.deck) for variable in game.state.values()]
    chance, theirs, made = Chance(seed), core_player.Chance(seed), 0
    ours, read = compiled.begin(), engine.begin()
    for _ in range(decisions):
        there = compiled.decode_state(ours)
        assert read.phase == there.phase
        assert tuple(up(value) for up, value in zip(ups, read.cells.values(), strict=True)) == there.values
        chosen, found = step(compiled, ours, chance), engine.step(read, theirs)
        if chosen is None or found is None:
            assert (chosen, found) == (None, None)
            ours, read = compiled.begin(), engine.begin()
            continue
        read, act = found
        assert act == chosen
        made += 1
    return made


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("choice", FIRST, ids=str)
def test_the_file_is_enough_to_play(choice: Choice) -> None:
    """Whoever has the file alone plays the random matches of each game by the same acts through the same states."""
    assert agree(choice, 1, 600) > 400


@pytest.mark.sampled(10)
@pytest.mark.slow
@pytest.mark.parametrize("choice", [*(one for one in EDITIONS if one not in FIRST), *OTHERS], ids=told)
def test_every_file_is_enough_to_play(choice: Choice) -> None:
    """So it is with all editions and set-ups, and with other readings."""
    assert agree(choice, 5, 80) > 50


def test_a_bound_that_does_not_hold_is_found() -> None:
    """The player that reads the file tells a value that is not of the kind of its term."""
    file = document(FIRST[0])
    for kind in file["kinds"]:
        if kind["form"] == "number" and kind["low"] < kind["high"]:
            kind["high"] = kind["low"]
    engine, chance = Engine(json.dumps(file)), core_player.Chance(1)

    def play() -> None:
        state = engine.begin()
        while found := engine.step(state, chance):
            state = found[0]

    with pytest.raises(Wrong, match="which is no"):
        play()


@pytest.mark.parametrize("choice", FIRST, ids=str)
def test_the_file_is_enough_to_ask(choice: Choice) -> None:
    """Whoever has the file alone gives the score and the views of the interpreter, keys in their order."""
    game = rules(choice)
    machine, compiled, engine = Machine(game), Compiled(game), Engine(text(choice))
    chance, theirs = Chance(3), core_player.Chance(3)
    ours, read = compiled.begin(), engine.begin()
    for number in range(150):
        if number % 5 == 0:
            at = compiled.decode_state(ours)
            views = [(machine.view(at, seat), engine.view(read, seat)) for seat in range(game.seats)]
            for expected, found in ((machine.score(at), engine.score(read)), *views):
                assert json.dumps(found) == json.dumps(expected)
            assert engine.find_broken_invariants(read) == []
        after = engine.step(read, theirs)
        if step(compiled, ours, chance) is None or after is None:
            return
        read = after[0]


# The page -------------------------------------------------------------------------------------------------------------


def test_the_schema_has_the_operations_of_the_page() -> None:
    """The operations, forms of steps and forms of kinds that a file may have are those of the page."""
    definitions = json.loads((root() / "schemas" / "core.schema.json").read_bytes())["$defs"]

    def column(heading: str) -> set[str]:
        rows = PAGE[PAGE.index(heading) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
        return {word for row in rows for word in re.findall(r"`([^`]+)`", row.split("|")[1])}

    def list_values(name: str, key: str) -> set[str]:
        found = set[str]()
        for one in definitions[name]["anyOf"]:
            member = definitions[one["$ref"].rpartition("/")[2]]["properties"][key]
            found |= {member["const"]} if "const" in member else set(member["enum"])
        return found

    assert list_values("term", "op") == column("| operation |")
    assert list_values("step", "op") == column("| step |")
    assert list_values("kind", "form") == column("| kind |") | {"none"}
    assert list_values("shown", "form") == column("| shown |")
