"""Patches: ids are addressed, never positions, and what does not exist is named."""

from __future__ import annotations

from typing import Any

import pytest

from brou import Invalid
from brou.language.node import Plain
from brou.language.patch import apply_patches, find_id, read_patches
from brou.language.source import parse_yaml

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
    return apply_patches(
        parse_yaml(RULES, "rules.yaml"), read_patches(parse_yaml(f"[{', '.join(changes)}]", "patch.yaml"))
    ).plain()


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
    node = parse_yaml(RULES, "rules.yaml")
    apply_patches(node, read_patches(parse_yaml("[{at: params/three/value, value: 4}]", "patch.yaml")))

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
    assert id_ not in [find_id(parse_yaml(str(effect).replace("None", "null"), "x")) for effect in left]


def test_address_through_effects() -> None:
    """An address goes through loops and cases by their ids."""
    made = changed(
        "{at: phases/end/do/for-p/do/reset-deal/reset, value: trick}",
        "{at: phases/end/do/cases/cases/one/when, value: v}",
    )

    assert at(made, "phases", "end", "do", 5, "do", 0, "reset") == "trick"
    assert at(made, "phases", "end", "do", 7, "cases", 0, "when") == "v"
