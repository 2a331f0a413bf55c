"""What is taken from the memo is what typing from scratch gives: equal games, equal faults, equal places."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest

from brou import Choice, Impossible, catalogue, choose
from brou.chance import Chance
from brou.errors import Unusable
from brou.games.catalogue import book, patch_rules, spread, with_readings
from brou.games.folder import root
from brou.games.mutants import list_mutants, sample_mutants
from brou.language.load import load_rules
from brou.language.memo import TypingMemo
from brou.language.node import Node, Scalar
from brou.language.patch import Patch, apply_patches
from brou.language.recent import Recent
from brou.language.schema import shape_faults
from brou.language.source import parse_yaml

Birds = Callable[..., Node]

GAMES = list(catalogue())
#: How many rules of a kind are compared here; hundreds are before something is called done.
SOME = 16
SCALARS: list[Scalar] = [
    "None", "True", "False", "0", "-1", "me", "players", "pack", "turn", "dealer", "trump", "hand", "hand[me]",
    "leader", "round", "range(1, 3)", "int", "int 0..4", "card?", "player", "pile", "bool[player]", "cards", "first",
    "deal", "play", "it", "p", 0, 1, 7, 10**6, True, None,
]  # fmt: skip


def told(rules: Node, memo: TypingMemo) -> tuple[str, object]:
    """Return all that loading comes to: a game with every place in it, or what it raises."""
    try:
        return "game", repr(load_rules(rules, {}, memo))
    except Unusable as error:
        return type(error).__name__, error.faults


def compared(found: list[Node]) -> set[str]:
    """Load rules one after the other with one memo, each from scratch too; return how the loadings ended."""
    memo = TypingMemo()
    ends: set[str] = set()
    for node in found:
        shared, alone = told(node, memo), told(node, TypingMemo())
        assert shared == alone == told(node, memo)
        ends.add(shared[0])
    return ends


def varied(game: str, most: int) -> Iterator[Choice]:
    """Yield rule bases of a game that differ from an edition's own in one reading or two of them."""
    for own in spread(game):
        others = [
            (key, value)
            for key, default in own.readings
            for value in book(game).readings[key].values
            if value != default
        ]
        pairs = [{one[0]: one[1], two[0]: two[1]} for one, two in combinations(others, 2) if one[0] != two[0]]
        chosen = Chance(1).shuffle(pairs)[:most]
        for given in [{}, *({key: value} for key, value in others), *chosen]:
            try:
                yield with_readings(own, given)
            except Impossible:
                continue


def places(node: Node, *before: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to every value inside another."""
    members = node.value.items() if isinstance(node.value, dict) else ()
    listed = enumerate(node.value) if isinstance(node.value, tuple) else ()
    for key, item in (*members, *listed):
        yield (*before, key)
        yield from places(item, *before, key)


def damaged(node: Node, way: tuple[str | int, ...], how: str, other: Node) -> Node:
    """Return a file with one value left out, changed for another, or standing twice; the rest are the same nodes."""
    key, rest = way[0], way[1:]
    if isinstance(node.value, dict):
        members = dict(node.value)
        if rest:
            members[str(key)] = damaged(members[str(key)], rest, how, other)
        elif how == "drop":
            del members[str(key)]
        else:
            members[str(key) if how == "swap" else other.text] = other if how == "swap" else members[str(key)]
        return Node(members, node.place)
    assert isinstance(node.value, tuple)
    number = int(key)
    item = node.value[number]
    made = {"drop": (), "swap": (other,), "double": (item, item)}[how]
    return Node(
        (*node.value[:number], *((damaged(item, rest, how, other),) if rest else made), *node.value[number + 1 :]),
        node.place,
    )


def damage(game: str, count: int, seed: int) -> list[Node]:
    """Return the rules of a game damaged in one place each, all of the right shape; the first are whole."""
    whole = book(game).rules
    chance, found = Chance(seed), [whole]
    ways = list(places(whole))
    schema = root() / "schemas" / "rules.schema.json"
    while len(found) < count:
        way = ways[chance.below(len(ways))]
        other = Node(SCALARS[chance.below(len(SCALARS))], whole.place)
        made = damaged(whole, way, ["drop", "swap", "double"][chance.below(3)], other)
        if not list(shape_faults(made, schema)):
            found.append(made)
    return found


def rewritten(rules: Node, *expressions: tuple[str, str]) -> Node:
    """Return a rules file in which functions have other bodies; every other record is the same node."""
    values = {("functions", name, "is"): Node(text, rules.place) for name, text in expressions}
    return apply_patches(rules, [Patch(at, Node({"value": value}, rules.place)) for at, value in values.items()])


@pytest.fixture
def birds(rules: Callable[..., Any]) -> Callable[..., Node]:
    """Return the made-up game as nodes, with sections replaced."""
    return lambda **sections: parse_yaml(json.dumps(rules(**sections), indent=1), "birds.yaml")


def test_same_objects(birds: Birds) -> None:
    """What a patch does not touch, and what calls it with the same signature, is the very same object."""
    functions = {
        "one": {"type": "bool", "is": "flag"},
        "two": {"type": "bool", "is": "one"},
        "five": {"type": "int", "is": "5"},
    }
    whole, memo = birds(functions=functions), TypingMemo()
    before, after = (
        load_rules(whole, {}, memo),
        load_rules(rewritten(whole, ("one", "not flag"), ("five", "6")), {}, memo),
    )
    assert before.functions["two"] is after.functions["two"]
    assert before.actions["stay"] is after.actions["stay"]
    assert before.functions["one"] != after.functions["one"]
    assert str(after.functions["five"].type) == "int 6..6"


def test_signature(birds: Birds) -> None:
    """What calls a function is typed anew once the function gives another type."""
    functions = {"one": {"type": "int", "is": "1"}, "two": {"type": "int", "is": "one + 1"}}
    whole, memo = birds(functions=functions), TypingMemo()
    assert str(load_rules(whole, {}, memo).functions["two"].type) == "int 2..2"
    assert str(load_rules(rewritten(whole, ("one", "7")), {}, memo).functions["two"].type) == "int 8..8"
    wrong = [rewritten(whole, (name, text)) for name, text in (("one", "flag"), ("two", "two"), ("one", "two"))]
    assert compared([whole, *wrong, whole]) == {"game", "Invalid"}


@pytest.mark.parametrize("changed", ["it", "p", "three", "wild", "lap", "weight"])
def test_meaning(birds: Birds, changed: str) -> None:
    """A record is typed anew where a word means something else, one too that the loader itself puts there."""
    best = {"type": "card?", "is": "max(pack, key=weight)", "clause": "b.best"}
    lapped = {"args": {"n": "lap"}, "type": "int", "is": "n + three"}
    act = {"stay": {"by": {"who": "boss"}, "legal": "feel == wild", "do": [], "clause": "b.stay"}}
    whole = birds(functions={"best": best, "lapped": lapped}, actions=act)
    sections = {
        "it": ("state", {"seen": {"it": {"type": "bool"}}}),
        "p": ("state", {"seen": {"p": {"type": "bool"}}}),
        "three": ("params", {"three": {"value": 4, "clause": "b.three"}}),
        "wild": ("types", {"mood": {"values": ["calm", "tame"], "clause": "b.mood"}}),
        "lap": ("types", {"lap": {"from": 1, "to": 9, "clause": "b.lap"}}),
        "weight": ("attributes", {}),
    }
    section, members = sections[changed]
    added = parse_yaml(json.dumps(members), "birds.yaml")
    node = {**whole.fields[section].fields, **added.fields} if members else {}
    other = Node({**whole.fields, section: Node(node, whole.place)}, whole.place)
    memo = TypingMemo()
    before, after = told(whole, memo), told(other, memo)
    assert after == told(other, TypingMemo())
    assert before[0] == "game" and after != before


def test_faults_again(birds: Birds) -> None:
    """What is wrong with a record is told each time that it is loaded."""
    hiding = birds(functions={"one": {"args": {"flag": "bool"}, "type": "bool", "is": "flag"}})
    assert compared([hiding, hiding]) == {"Invalid"}


def test_depth(birds: Birds) -> None:
    """Calls that go too deep once a function at their end goes deeper are refused, and from the memo too."""
    functions = {f"f{n}": {"type": "bool", "is": f"not (not (not (not f{n - 1})))" if n else "flag"} for n in range(19)}
    whole = birds(functions=functions)
    deeper = rewritten(whole, ("f0", "not (" * 20 + "flag" + ")" * 20))
    assert compared([whole, deeper, whole]) == {"game", "Invalid"}
    assert "nested deeper than" in str(told(deeper, TypingMemo())[1])


def test_costs(birds: Birds) -> None:
    """What costs too much once a function that it calls costs more is refused, and from the memo too."""
    user = "any(" * 5 + "dear" + "".join(f" for {name} in players)" for name in "abcde")
    dear = "any(" * 6 + "a == f" + "".join(f" for {name} in pack)" for name in "abcdef")
    functions = {"dear": {"type": "bool", "is": "flag"}, "user": {"type": "bool", "is": user}}
    whole = birds(functions=functions)
    assert compared([whole, rewritten(whole, ("dear", dear)), whole]) == {"game", "Invalid"}


def test_written_out(birds: Birds) -> None:
    """Expressions that come to too much written out once one of them is longer are refused, and from the memo too."""
    functions = {f"f{n}": {"type": "int", "is": f"f{n - 1} + f{n - 1}" if n else "tally"} for n in range(13)}
    whole = birds(functions=functions)
    longer = rewritten(whole, ("f0", " + ".join(["tally"] * 9)))
    assert compared([whole, longer, whole]) == {"game", "Invalid"}


def test_bounded_memory() -> None:
    """Only so much is kept, what was asked for last; equal objects are not taken for each other."""
    kept: Recent[str] = Recent(maxsize=2)
    one, two, three, other = [1], [2], [3], [1]
    kept.keep("one", "", one)
    kept.keep("two", "", two)
    assert kept.find("", one) == "one"
    kept.keep("three", "", three)
    assert [kept.find("", item) for item in (one, two, three, other)] == ["one", None, "three", None]
    assert kept.find("label", one) is None


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_readings(game: str) -> None:
    """Rules under other readings, one by one and in pairs, are the same from the memo and from scratch."""
    found = Chance(1).shuffle(list(varied(game, 1)))[:SOME]
    assert compared([patch_rules(choice) for choice in found]) == {"game"}


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_mutants(game: str) -> None:
    """Mutants, those that are refused too, are the same from the memo and from scratch."""
    rules = patch_rules(choose(game))
    found = [apply_patches(rules, [one.patch]) for one in sample_mutants(list_mutants(rules), SOME, 3)]
    assert compared([rules, *found]) == {"game", "Invalid"}


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_damage(game: str) -> None:
    """Files damaged anywhere are the same from the memo and from scratch, fault by fault."""
    assert compared(damage(game, SOME, 5)) == {"game", "Invalid"}


def test_rules_that_say_no_longer_that_they_are_chapters_are_typed_again() -> None:
    """A row of a table by hand has a bound that rows of chapters have not."""
    memo, chapters = TypingMemo(), patch_rules(choose("brusquembille"))
    by_hand = Node({key: node for key, node in chapters.fields.items() if key != "chapters"}, chapters.place)

    assert told(chapters, memo)[0] == "game"
    assert told(by_hand, memo) == told(by_hand, TypingMemo())
    assert told(by_hand, memo)[0] == "Invalid"


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_everything(game: str) -> None:
    """So are many pairs of readings, and hundreds of mutants and of damaged files, whatever was loaded before."""
    rules = patch_rules(choose(game))
    found = [apply_patches(rules, [one.patch]) for one in sample_mutants(list_mutants(rules), 300, 4)]
    assert compared(Chance(1).shuffle([rules, *found, *damage(game, 300, 6)])) >= {"game", "Invalid"}
    assert compared([patch_rules(choice) for choice in varied(game, 60)]) == {"game"}
