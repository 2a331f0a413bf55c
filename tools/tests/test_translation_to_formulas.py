"""Formulas mean what the interpreter does: of a state that is known they come to the same values, act by act."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from brou import Crash, Machine, State, catalogue, rules
from brou.chance import Chance
from brou.compiler.playing import drawn
from brou.errors import TooCostly
from brou.language.syntax import Function, Game, Table
from brou.language.types import Bool, Int, Option, Type, finite
from brou.shelf.library import spread
from brou_tools.smt import formula
from brou_tools.smt.formula import Forms, value_of
from brou_tools.smt.running import STAYS, Runner
from brou_tools.smt.symbols import Symbols, Values
from brou_tools.smt.translate import Translator
from brou_tools.smt.unknown import Model, Unknowns, known, plainly

CHOICES = [choice for game in catalogue() for choice in spread(game)]
ACTS = 60


def some(type_: Type, game: Game, chance: random.Random) -> Any:
    """Return some value of a type."""
    if isinstance(type_, Option):
        return None if chance.random() < 0.2 else some(type_.inner, game, chance)
    if isinstance(type_, Bool):
        return chance.random() < 0.5
    members = finite(type_)
    if members:
        return chance.choice(members)
    if isinstance(type_, Int):
        return chance.randint(max(type_.low, -400), min(type_.high, 400))
    return frozenset(chance.sample(game.deck.cards, 5))


def placed(game: Game, state: State) -> tuple[Translator, Values]:
    """Return a translator of the rules and the state as it reckons with it."""
    translator = Translator(game, Forms())
    made = plainly(game, translator.symbols, dict(zip(game.state, state.values, strict=True)))
    kept: dict[str, Any] = {}

    def read(name: str) -> Any:
        if name not in kept:
            kept[name] = made(name)
        return kept[name]

    return translator, Values(read)


def asked(machine: Machine, name: str, state: State, arguments: list[Any]) -> Any:
    """Return what the interpreter says that a function gives, or the crash."""
    try:
        return machine.evaluator._callable(name)(state.values, list(arguments))  # noqa: SLF001 - nothing else asks by name
    except Exception as error:  # noqa: BLE001 - arguments drawn at random may be none that a caller would give
        return type(error)


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_functions_and_acts_come_to_what_the_interpreter_says(choice: Any) -> None:
    """In a random match every function, every table and every act gives the same in both."""
    game = rules(choice)
    machine, chance, luck = Machine(game), Chance(7), random.Random(1)
    state, compared = machine.begin(), 0
    for _ in range(ACTS):
        move = drawn(machine, state, chance)
        if move is None:
            break
        translator, values = placed(game, state)
        model = Model(translator.symbols, {})
        records: list[Function | Table] = [*game.functions.values(), *game.tables.values()]
        for record in records:
            arguments = [some(argument.type, game, luck) for argument in record.arguments]
            expected = asked(machine, record.id, state, arguments)
            if isinstance(expected, type) and expected is not Crash:
                continue
            given = [known(a.type, x, translator.symbols) for a, x in zip(record.arguments, arguments, strict=True)]
            with translator.noting() as noted:
                found = translator.call(record.id, given, values)
            crashed = any(crash.when is True for crash in noted)
            assert crashed == (expected is Crash), (record.id, arguments)
            assert crashed or model.value(record.type, found) == expected, (record.id, arguments)
            compared += 1
        state = acted(machine, state, move, translator, values)
    assert compared > 300


def acted(machine: Machine, state: State, move: tuple[int, Mapping[str, Any]], t: Translator, values: Values) -> State:
    """Make a move with both, and return the state after it, which has to be the same."""
    game, (seat, act) = machine.game, move
    action, locals_ = machine.meant(seat, act)
    parameters = zip(action.parameters, locals_[1:], strict=True)
    env = {"me": seat, **{p.id: known(p.type, value, t.symbols) for p, value in parameters}}
    with t.noting() as noted:
        run = Runner(t).act(action, values, env)
    after = machine.act(state, seat, act)
    assert isinstance(after, State)
    assert [crash for crash in noted if crash.when is True] == []
    model = Model(t.symbols, {})
    ours = {name: model.value(game.state[name].type, run.values[name]) for name in game.state}
    assert ours == dict(zip(game.state, after.values, strict=True))
    (phase,) = [name for name, when in run.gone.items() if when is True]
    assert after.phase == (phase if phase != STAYS else state.phase)
    return after


def test_an_unknown_value_takes_every_value_of_its_type() -> None:
    """Whatever the solver may say, exactly one member of a type is meant."""
    symbols = Symbols(Forms(), ["AS", "KS"])
    unknowns = Unknowns(symbols)
    number = unknowns.of("n", Int(1, 3))
    truths = dict(symbols.options(number))

    assert list(truths) == [1, 2, 3]
    assert [Model(symbols, {f"n={n}": 1}).value(Int(1, 3), number) for n in truths] == [1, 2, 3]
    assert value_of(unknowns.facts, {"n=1": 1, "n=2": 1}) == [0]


def test_what_is_equal_is_one_formula() -> None:
    """Two ways to the same statement end in one object, and a contradiction is seen at once."""
    forms = Forms()
    a, b = forms.truth("a"), forms.truth("b")

    assert forms.both(a, b) is forms.both(b, a)
    assert forms.both(a, forms.no(a)) is False
    assert forms.linear([(1, a), (1, forms.no(a))]) == 1


def test_formulas_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that would make formulas without end are given up in words, before memory is."""
    monkeypatch.setattr(formula, "_MOST", 3)
    forms = Forms()
    for name in "abc":
        forms.truth(name)

    assert forms.truth("a").name == "a"
    with pytest.raises(TooCostly, match="more than 3 formulas for one game"):
        forms.truth("d")
