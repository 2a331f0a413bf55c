"""Interpreter and formulas: a fast share of what `make identity` compares, and that it would see a fault."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from formula_identity import Formulas, compare, played, shaken
from identity import Disagreement, damaged

from brou import Choice, catalogue, choose, rules
from brou.errors import Unusable
from brou.games.catalogue import spread
from brou.games.mutants import load_mutant
from brou.language.load import load_rules
from brou.language.source import parse_yaml
from brou_tools.smt import asking
from brou_tools.smt.operations import SymbolicOperations
from brou_tools.smt.running import Runner
from brou_tools.smt.symbols import Symbols

#: Tables of which no row fires where `n` is none of theirs: one for each form of value.
GAPS = """
format: brou/1
game: gaps
seating: {seats: 2, clause: z.rule}
deck: {suits: {M: moss, R: rust}, ranks: {H: hawk, W: wren, O: owl}, clause: z.rule}
state:
  match:
    n: {type: int 0..9}
    suited: {type: "suit?"}
    left: {type: cards, zone: true}
    right: {type: cards, zone: true}
    heap: {type: pile, zone: true}
tables:
  truth: {args: {c: card}, type: bool, policy: unique,
    rows: [{id: one, when: suit(c) == rust and suit(c) == moss, then: "True"}], clause: z.rule}
  number: {args: {c: card}, type: int 3..900, policy: unique,
    rows: [{id: one, when: suit(c) == rust, then: 800 - n}], clause: z.rule}
  height: {args: {c: card}, type: int 0..9, policy: unique,
    rows: [{id: one, when: suit(c) == rust, then: n}], clause: z.rule}
  colour: {args: {c: card}, type: suit, policy: unique,
    rows: [{id: one, when: rank(c) == hawk, then: suit(c)}], clause: z.rule}
  bird: {args: {c: card}, type: card, policy: unique,
    rows: [{id: one, when: n > 4 and suit(c) == rust, then: c}], clause: z.rule}
  flock: {args: {c: card}, type: cards, policy: unique,
    rows: [{id: one, when: suit(c) == rust, then: "left"}], clause: z.rule}
  none: {args: {c: card}, type: "card?", policy: unique,
    rows: [{id: one, when: suit(c) == rust, then: c}], clause: z.rule}
functions:
  highest: {type: "card?", is: "max(left | right, key=height)", clause: z.rule}
  farthest: {type: "card?", is: "max(left | right, key=number)", clause: z.rule}
  some: {type: bool, is: "any(truth(c) or height(c) > 4 for c in left)", clause: z.rule}
  every: {type: bool, is: "all(not truth(c) for c in left)", clause: z.rule}
  counted: {type: int 0..9, is: "count(truth(c) for c in left)", clause: z.rule}
  summed: {type: int 0..9999, is: "sum(number(c) if truth(c) else height(c) for c in right)", clause: z.rule}
  alike: {type: bool, is: "any(colour(c) == suited for c in right)", clause: z.rule}
  named: {type: suit, is: "suit(bird(card(hawk, moss)))", clause: z.rule}
  all_of: {type: cards, is: "flock(card(hawk, rust)) | flock(card(hawk, moss))", clause: z.rule}
  lone: {type: bool, is: "none(card(hawk, moss)) == None", clause: z.rule}
actions:
  stay: {by: {who: players}, legal: "True", do: [{set: n, to: "height(card(wren, moss))"}], clause: z.rule}
phases:
  open: {actions: [stay], clause: z.rule}
"""

CHOICES = [choice for game in catalogue() for choice in spread(game)]


@pytest.mark.sampled(16)
@pytest.mark.slow
@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_formulas_of_what_is_known_come_to_what_the_interpreter_says(choice: Choice) -> None:
    """In states of a match, and in states drawn at random, every function and act gives the same to both."""
    formulas, luck = Formulas(choice, rules(choice), str(choice)), random.Random(1)
    states = list(played(formulas.machine, 7, 60))[::6]
    formulas.all_same(states, luck)
    formulas.all_same((shaken(formulas.game, state, luck) for state in states), luck)

    assert formulas.tally["answers"] > 300
    assert formulas.tally["acts that are made"] > 20
    assert formulas.tally["acts that are not made"] > 20


@pytest.mark.thorough
@pytest.mark.parametrize("game", sorted(catalogue()))
def test_formulas_of_unknowns_come_to_what_the_interpreter_says(game: str) -> None:
    """So they do where a state is not known when they are made, and is only found to be that one."""
    formulas, luck = Formulas(choose(game), rules(game), game), random.Random(2)
    states = list(played(formulas.machine, 3, 12))
    formulas.all_same((states[1], shaken(formulas.game, states[-1], luck)), luck, unknown=True)

    assert formulas.tally["states of unknowns"] == 2
    assert not any("no formula" in what for what in formulas.tally)


@pytest.mark.thorough
@pytest.mark.parametrize("game", sorted(catalogue()))
def test_formulas_of_damaged_rules_are_damaged_alike(game: str) -> None:
    """Rules with something wrong in them are the same wrong rules to interpreter and formulas."""
    compared = 0
    for choice, mutant in damaged(game, 4, 9):
        try:
            changed = load_mutant(choice, mutant)
        except Unusable:
            continue
        compared += compare(Formulas(choice, changed, mutant.id), 1, 12, 4)["answers"]

    assert compared > 300


@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
def test_a_value_that_no_row_gives_crashes_alike(*, unknown: bool) -> None:
    """A value that no row of a table gives is a crash to both, whatever its form and wherever it is asked for."""
    formulas, luck = Formulas(choose("brouc"), load_rules(parse_yaml(GAPS, "gaps.yaml")), "gaps"), random.Random(1)
    begun = formulas.machine.begin()
    formulas.all_same((shaken(formulas.game, begun, luck) for _ in range(30)), luck, unknown=unknown)

    assert formulas.tally["crashes"] > 100
    assert formulas.tally["answers"] > 100
    assert not any("no formula" in what for what in formulas.tally)


def planted(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, wrong: Callable[..., Any]) -> Formulas:
    """Return the formulas of a game, one method of what makes them replaced by a wrong one."""
    right = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda self, *args, **named: wrong(right, self, *args, **named))
    return Formulas(choose("brouc"), rules("brouc"), "planted")


@pytest.mark.parametrize(
    ("owner", "name", "wrong"),
    [
        (Symbols, "compare_order", lambda right, self, order, one, two: right(self, order.strip("=") + "=", one, two)),
        (Symbols, "calculate", lambda right, self, name, one, two: right(self, name.replace("-", "+"), one, two)),
        (SymbolicOperations, "_combine_sets", lambda right, self, op, one, two: right(self, op, two, one)),
        (asking, "_lie_inside", lambda *_: True),
        (Runner, "settle", lambda _right, _self, run: run),
    ],
    ids=["or-equal", "minus-is-plus", "turned-round", "any-value", "nothing-follows"],
)
def test_a_wrong_translation_is_seen(
    monkeypatch: pytest.MonkeyPatch, owner: type, name: str, wrong: Callable[..., Any]
) -> None:
    """Formulas that mean something else are told from the interpreter, with what was asked."""
    formulas, luck = planted(monkeypatch, owner, name, wrong), random.Random(1)

    with pytest.raises(Disagreement, match=r"planted: .* interpreter .*, formulas "):
        formulas.all_same(played(formulas.machine, 1, 60), luck)
