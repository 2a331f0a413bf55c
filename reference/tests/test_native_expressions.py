"""Whatever can be said in the rule language means in C and as data what the interpreter says, crashes included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from birds import ASKED, DO, EXPRESSIONS, RULED, TYPED, Tiny, world
from brou import Crash, Machine
from brou.compiler.compiled import Compiled
from brou.errors import Unusable
from brou.language.syntax import Game
from brou.native.batch import EngineWish
from brou.native.data_engine import DataEngine
from brou.native.data_machine import compile_machine
from brou.native.native import NativeEngine
from brou.native.shared_object import find_compiler

#: Undefined behaviour ends the process.
CHECKED = ("-O1", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
#: As many expressions stand in one engine.
MANY = 40

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


def answer(question: Callable[[], Any]) -> Any:
    """Return an answer, or that there is none."""
    try:
        return question()
    except Crash:
        return "crashed"


def compare(game: Game, names: list[str], given: list[tuple[int, ...]]) -> int:
    """Ask every function of two states in C, as data and in generated Python, the interpreter's like; count crashes."""
    native = NativeEngine(game, wish=EngineWish(tuple(names)), keep=False, flags=CHECKED)
    generated = Compiled(game, keep=False, asked=names)
    data = DataEngine(game, asked=names, run=compile_machine(1, CHECKED))
    asked = {one["name"]: len(one["given"]) for one in native.tables["questions"]}
    crashed = 0
    for state in (generated.begin(), generated.module["fresh"]()):
        there = native.encode_state(generated.decode_state(state))
        here = data.encode_state(generated.decode_state(state))
        for name, count in asked.items():
            form = native.game.functions[name].type
            for values in given:
                bits = (values[0], 1 << values[1])[:count]
                ours = answer(lambda: generated.ask(name)(state, *bits))  # noqa: B023 - called at once
                theirs = answer(lambda: native.ask(there, name, *values[:count]))  # noqa: B023 - likewise
                assert answer(lambda: data.ask(here, name, *values[:count])) == ours  # noqa: B023 - likewise
                if str(form).startswith("card") and not str(form).startswith("cards") and isinstance(ours, int):
                    ours = ours.bit_length() - 1
                assert theirs == ours, (game.functions[name], values)
                crashed += ours == "crashed"
    assert asked
    return crashed


@pytest.mark.slow
def test_every_kind_of_expression_means_the_same_in_c(tiny: Tiny) -> None:
    """Expressions written by hand, one for everything that there is to say, give what generated Python gives."""
    functions = {}
    for number, text in enumerate(EXPRESSIONS.strip().splitlines()):
        shown = world(tiny, DO, view={"it": text}).view[0].value
        kind = str(shown.type) if shown is not None else "None"
        if kind in ("bool", "int", "cards", "card", "card?", "cards?") or kind.startswith("int"):
            functions[f"it_{number}"] = {"args": {"me": "player"}, "type": kind, "is": text}
    game = world(tiny, DO, functions=functions)

    compare(game, list(functions), [(0, 0)])
    assert len(functions) > 100


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_expression_means_the_same_in_c(tiny: Tiny, data: st.DataObject) -> None:
    """So do expressions that are drawn, asked of cards, seats and two states."""
    compare_drawn(tiny, data, MANY // 2)


@pytest.mark.thorough
@given(data=st.data())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_many_expressions_mean_the_same_in_c(tiny: Tiny, data: st.DataObject) -> None:
    """So do many more of them."""
    compare_drawn(tiny, data, MANY)


def compare_drawn(tiny: Tiny, data: st.DataObject, many: int) -> None:
    """Compare so many expressions that are drawn."""
    functions: dict[str, Any] = {}
    for number in range(many):
        kind = data.draw(st.sampled_from(list(TYPED)))
        it = {"args": {"me": "player", "c": "card"}, "type": kind, "is": data.draw(TYPED[kind])}
        try:
            world(tiny, DO, functions={**ASKED, "it": it}, tables=RULED)
        except Unusable:
            continue
        functions[f"it_{number}"] = it
    game = world(tiny, DO, functions={**ASKED, **functions}, tables=RULED)

    compare(game, list(functions), [(seat, place) for seat in (0, 3) for place in range(len(game.deck.cards))])


@pytest.mark.slow
def test_names_of_rules_are_no_words_of_c(tiny: Tiny) -> None:
    """Variables, functions and acts may be called by words of C, or by what the engine calls its own."""
    text = {"args": {"me": "player"}, "type": "int", "is": "tally"}
    functions = dict.fromkeys(("int", "memcpy", "linux", "s", "state", "temp1", "brou_set", "unused"), text)
    game = world(tiny, DO, functions=functions)

    assert compare(game, list(functions), [(0, 0)]) == 0


@pytest.mark.slow
def test_a_question_that_crashes_is_told(tiny: Tiny) -> None:
    """A function that breaks a promise raises in Python what the interpreter raises."""
    it = {"args": {"me": "player"}, "type": "int", "is": "(tally + 99999) * 99999 * 99999"}
    game = world(tiny, DO, functions={"it": it})
    native = NativeEngine(game, wish=EngineWish(("it",)), keep=False, flags=CHECKED)
    state = native.encode_state(Machine(game).begin())

    with pytest.raises(Crash, match="broke a promise"):
        native.ask(state, "it", 0)
