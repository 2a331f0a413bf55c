"""The page on generated rules: its examples load, refuse and play as it says, and it has the whole notation."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from brou import Machine, State
from brou.chance import Chance
from brou.check import file_faults, find_schemas
from brou.errors import Place
from brou.language.load import load_rules
from brou.language.node import Node
from brou.language.patch import Patch, apply_patches, find_id
from brou.language.schema import find_kind, shape_faults
from brou.language.source import parse_yaml

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
DUET = next(block for block in BLOCKS if block.startswith("format: brou/1\n"))
#: What stands in backticks outside of fenced blocks.
NAMED = set(re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```$", "", PAGE, flags=re.DOTALL | re.MULTILINE)))
#: The modules whose messages an author of rules meets, and which argument of a call is the message.
READERS = (
    *(f"language/{name}" for name in ("source", "schema", "declarations", "expression", "context", "cost")),
    *(
        "language/load",
        "language/phases",
        "language/patch",
        "language/short_entry",
        "interpreter/evaluate",
        "words/translation",
        "words/reviews",
    ),
)
RAISERS = {"fail": 0, "Crash": 0, "Fault": 1, "add": 1, "_refuse": 1}
HERE = Place("<test>", 1, 1)


def schema(kind: str) -> Any:
    """Return the JSON Schema of a kind of data file."""
    return json.loads((find_schemas() / f"{kind}.schema.json").read_text(encoding="utf-8"))


def table(header: str) -> list[list[str]]:
    """Return the rows of the table of the page whose header begins so."""
    lines = takewhile(lambda line: line.startswith("|"), PAGE[PAGE.index(header) :].split("\n")[2:])
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def bare(cell: str) -> str:
    """Return what stands in the backticks that enclose a cell."""
    return cell.removeprefix("`").removesuffix("`")


def duet() -> Node:
    """Return the whole game of the page."""
    return parse_yaml(DUET, "rules.md")


def merged(one: Node, two: Node) -> Node:
    """Return a file with the members of another added, mappings inside mappings joined."""
    if not (isinstance(one.value, dict) and isinstance(two.value, dict)):
        return two
    both = {key: merged(one.value[key], item) if key in one.value else item for key, item in two.value.items()}
    return Node({**one.value, **both}, one.place)


def acts(offered: Mapping[str, Any], chance: Chance) -> Iterator[dict[str, Any]]:
    """Yield every act that is listed, and one act of each description."""
    for name, choices in offered.items():
        if isinstance(choices, list):
            yield from ({name: choice} for choice in choices)
        elif "order" in choices:
            yield {name: chance.shuffle(choices["order"])}
        else:
            most = min(choices["max"], len(choices["from"]))
            size = choices["min"] + chance.below(most - choices["min"] + 1)
            yield {name: chance.shuffle(choices["from"])[:size]}


def played(rules: Node, seed: int) -> dict[str, Any]:
    """Play a match at random, somebody able to act and every invariant true throughout, and return its score."""
    machine, chance = Machine(load_rules(rules)), Chance(seed)
    state = machine.begin()
    while not machine.over(state):
        offers = [(seat, act) for seat in range(machine.game.seats) for act in acts(machine.legal(state, seat), chance)]
        seat, act = chance.pick(offers)
        after = machine.act(state, seat, act)
        assert isinstance(after, State), (seat, act, after)
        assert machine.find_broken_invariants(after) == []
        state = after
    return machine.score(state)


@pytest.mark.parametrize("seed", range(20))
def test_the_whole_game_plays_to_its_end(seed: int) -> None:
    """A match of the whole game ends as soon as its winner has won three deals."""
    score = played(duet(), seed)

    assert score["points"][score["winner"]] == max(score["points"]) == 3


def test_the_whole_game_is_short_and_without_fault(tmp_path: Path) -> None:
    """The whole game has at most 120 lines, and a check of it as a file finds nothing."""
    (tmp_path / "duet.yaml").write_text(DUET, encoding="utf-8")

    assert list(file_faults(tmp_path / "duet.yaml")) == []
    assert len(DUET.splitlines()) <= 120


def test_every_effect_has_a_row() -> None:
    """Every form of effect has a row, and no row is of another form."""
    titles = [form["title"] for form in schema("rules")["$defs"]["effect"]["oneOf"]]

    assert [row[0].split("**")[1] for row in table("| effect |")] == titles


@pytest.mark.parametrize("row", table("| effect |"), ids=lambda row: bare(row[1]))
def test_effects_load_under_their_ids(row: list[str]) -> None:
    """The example of an effect has the id that the page names, and can stand in an action of the whole game."""
    effect = parse_yaml(bare(row[2]), "<test>")
    do = Patch(("actions", "play", "do"), Node({"value": Node((effect,), HERE)}, HERE))

    assert find_id(effect) == bare(row[1])
    assert load_rules(apply_patches(duet(), [do])).actions["play"].do[0].id == bare(row[1])


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: re.sub(r"\W+", "-", block[:20]))
def test_blocks_fit(block: str) -> None:
    """Every block is a data file of the right shape, or a part of one that fits into the whole game."""
    node = parse_yaml(block, "<test>")
    if node.get("format") is None:
        node = merged(duet(), node)
        load_rules(node)

    assert list(shape_faults(node, find_schemas() / f"{find_kind(node)}.schema.json")) == []


@pytest.mark.parametrize("kind", ["rules", "glossary", "reviewed"])
def test_every_key_is_named(kind: str, schema_keys: Callable[[object], set[str]]) -> None:
    """Every key that a data file may have is somewhere on the page."""
    assert [key for key in sorted(schema_keys(schema(kind))) if not re.search(rf"\b{key}\b", PAGE)] == []


def messages() -> Iterator[str]:
    """Yield every message about rules and from crashes, with … for what is filled in."""
    for name in READERS:
        module = ast.parse((ROOT / "reference" / "brou" / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(module):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                yield from texts(node.args[RAISERS[called] :][:1] if called in RAISERS else [])


def texts(arguments: list[ast.expr]) -> Iterator[str]:
    """Yield arguments that are text."""
    for argument in arguments:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value
        elif isinstance(argument, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in argument.values)


@pytest.mark.parametrize("message", sorted(set(messages())))
def test_every_message_is_explained(message: str) -> None:
    """Every message that an author of rules may meet is named on the page, without backticks and place."""
    said = message.replace("`", "")

    assert {said, said.removeprefix("…: ")} & NAMED
