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
from brou_tools.smt import asking
from brou_tools.smt.operations import SymbolicOperations
from brou_tools.smt.running import Runner
from brou_tools.smt.symbols import Symbols

CHOICES = [choice for game in catalogue() for choice in spread(game)]


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
