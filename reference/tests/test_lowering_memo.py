"""What is taken from the memo is what lowering from scratch gives, term for term and name for name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from brou import catalogue, choose
from brou.compiler.core_file import encode_program
from brou.compiler.lower import lower, lower_whole
from brou.compiler.memo import LoweringMemo
from brou.errors import Unusable
from brou.games.catalogue import patch_rules
from brou.games.mutants import list_mutants, sample_mutants
from brou.language.load import load_rules
from brou.language.node import Node
from brou.language.patch import Patch, apply_patches
from brou.language.source import parse_yaml

Birds = Callable[..., Node]

FUNCTIONS = {
    "inner": {"type": "int 0..100", "is": "tally + 1"},
    "outer": {"type": "int", "is": "sum(inner * n for n in range(1, 3) if flag) + inner * inner + span"},
    "best": {"type": "int", "is": "sum(weight(c) for c in pack if weight(c) > 2)"},
    "row": {"args": {"many": "numbers"}, "type": "int", "is": "max((n for n in many), default=0)"},
}
PARAMS = {
    "three": {"value": 3, "clause": "b.three"},
    "steps": {"value": [1, 2, 3], "clause": "b.steps"},
    "plans": {"value": [[1, 2], [3]], "clause": "b.plans"},
    "span": {"value": 3, "clause": "b.span"},
}
SHOWN = {"one": "outer", "two": "best", "three": "row(steps)"}


@pytest.fixture
def birds(rules: Callable[..., Any]) -> Birds:
    """Return the made-up game as nodes, with sections replaced."""
    return lambda **sections: parse_yaml(json.dumps(rules(**sections), indent=1), "birds.yaml")


def compared(found: Iterable[Node]) -> list[object]:
    """Lower rules one after the other with one memo, each from scratch too; return what they are lowered to."""
    memo, lowered = LoweringMemo(), list[object]()
    for game in map(load_rules, found):
        asked = [name for name in FUNCTIONS if name in game.functions]
        lowered.append(encode_program(lower_whole(game, asked, memo)))
        assert lowered[-1] == encode_program(lower_whole(game, asked, LoweringMemo()))
    return lowered


def usable(game: str, count: int, seed: int) -> Iterator[Node]:
    """Yield the rules of a game and some mutants of it, those that are refused aside."""
    rules = patch_rules(choose(game))
    yield rules
    for one in sample_mutants(list_mutants(rules), count, seed):
        node = apply_patches(rules, [one.patch])
        with suppress(Unusable):
            load_rules(node)
            yield node


def changed(rules: Node, *at: str, to: str | int) -> Node:
    """Return rules with one value changed; every other record is the same node."""
    return apply_patches(rules, [Patch(at, Node({"value": Node(to, rules.place)}, rules.place))])


def test_same_objects(birds: Birds) -> None:
    """What does not depend on what a patch touches is the very same object; what depends on it is made anew."""
    rules, memo = birds(functions=FUNCTIONS, score=SHOWN, params=PARAMS), LoweringMemo()
    other = changed(rules, "functions", "inner", "is", to="tally + 2")
    before, after = (lower(load_rules(node), list(FUNCTIONS), memo) for node in (rules, other))

    assert before.routines["best"] is after.routines["best"]
    assert before.acts["stay"] is after.acts["stay"]
    assert before.routines["inner"] is not after.routines["inner"]
    assert before.routines["outer"] is not after.routines["outer"]


@pytest.mark.parametrize(
    ("at", "to"),
    [
        (("functions", "inner", "is"), "tally * 3"),
        (("functions", "inner", "is"), "100 // most(1, tally)"),
        (("attributes", "weight", "values", "W"), 3),
        (("params", "span", "value"), 4),
    ],
)
def test_dependence(birds: Birds, at: tuple[str, ...], to: str | int) -> None:
    """A record is lowered anew where a function that it calls, numbers of cards or a parameter are others."""
    rules = birds(functions=FUNCTIONS, score=SHOWN, params=PARAMS)
    one, two, three = compared([rules, changed(rules, *at, to=to), rules])
    assert one == three != two


def test_lists_of_numbers(birds: Birds) -> None:
    """What goes through any list of numbers is lowered anew where there is another list in the data."""
    rules = birds(functions=FUNCTIONS, score=SHOWN, params=PARAMS)
    node = parse_yaml(json.dumps({"value": [1, 2, 400], "clause": "b.far"}), "birds.yaml")
    params = Node({**rules.fields["params"].fields, "far": node}, rules.place)
    one, two = compared([rules, Node({**rules.fields, "params": params}, rules.place)])
    assert one != two


def test_crashes(birds: Birds) -> None:
    """A call of what can crash is none of what cannot, although both are called alike."""
    long = " + ".join(["n * n", *["tally * n"] * 7])
    rows = [
        {"id": "low", "when": "tally < 4", "then": long},
        {"id": "high", "when": "tally >= 4", "then": f"{long} + 1"},
    ]
    kind = {"args": {"n": "int 0..9"}, "type": "int", "policy": "unique", "rows": rows}
    functions = {"user": {"type": "bool", "is": "any(kind(n) > 7 for n in [1, 2, 5]) and flag"}}
    rules = birds(tables={"kind": kind}, functions=functions, score={"it": "user"})
    gap = changed(rules, "tables", "kind", "rows", "low", "when", to="tally < 3")
    one, two, three = compared([rules, gap, rules])
    assert one == three != two


def test_bounded_memory(birds: Birds) -> None:
    """Games of another kind stand on other ground, and a ground that is full is left."""
    rules, memo = birds(functions=FUNCTIONS, params=PARAMS), LoweringMemo()
    game = load_rules(rules)
    ground = memo.ground(game)
    assert memo.ground(load_rules(changed(rules, "functions", "inner", "is", to="1"))) is ground
    lower(game, (), memo)
    assert memo.ground(load_rules(birds(state={"seen": {"flag": {"type": "bool"}}}))) is not ground
    (term,) = list(ground.terms.values())[:1]
    ground.terms.update(dict.fromkeys(range(50_001), term))
    assert memo.ground(game) is not ground


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_mutants(game: str) -> None:
    """Mutants are lowered to the same from the memo and from scratch; many more of them are thorough."""
    assert len(compared(usable(game, 4, 3))) > 1


@pytest.mark.thorough
@pytest.mark.parametrize("game", catalogue())
def test_many_mutants(game: str) -> None:
    """So are hundreds of them, whatever was lowered before."""
    assert len(compared(usable(game, 300, 4))) > 1
