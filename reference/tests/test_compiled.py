"""The compiled engine: what expressions and effects mean is what they mean to the interpreter, every answer too."""

from __future__ import annotations

import json
import marshal
import os
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from birds import ASKED, DO, EXPRESSIONS, RULED, TYPED, Tiny, world
from brou import (
    BadAct,
    Choice,
    Crash,
    Impossible,
    Machine,
    Refusal,
    State,
    cache,
    catalogue,
    choose,
    key,
    rules,
    spread,
)
from brou.chance import Chance
from brou.compiler.compiled import Compiled, write_source
from brou.compiler.compiled_values import lowering, raising
from brou.compiler.core_file import encode_program
from brou.compiler.lower import lower
from brou.compiler.lowered import Program
from brou.compiler.playing import draw_act, step
from brou.errors import Unusable
from brou.interpreter.digest import digest
from brou.language.source import parse_yaml
from brou.language.syntax import Game
from brou.language.types import as_number
from core_player import Broken, Engine


def of_file(game: Game, asked: Sequence[str] = ()) -> Engine:
    """Return the engine that knows nothing but the file of the lowered form."""
    return Engine(json.dumps(encode_program(lower(game, asked))))


@pytest.fixture
def all_three(tiny: Tiny) -> Callable[[str], tuple[Any, Any, Any]]:
    """Return the value of an expression by the interpreter, generated code and the file, `me` being the first seat."""

    def asked(text: str) -> tuple[Any, Any, Any]:
        shown = world(tiny, DO, view={"it": text}).view[0].value
        assert shown is not None
        kind, told = str(shown.type), text
        if kind.startswith("values"):
            kind, told = "int", f"10 * len({text}) + count(first(y for y in {text}) == x for x in {text})"
        declared = {"args": {"me": "player"}, "type": "card?" if kind == "None" else kind, "is": told}
        game = world(tiny, DO, functions={"it": declared})
        machine, compiled = Machine(game), Compiled(game, keep=False, asked=["it"])
        at = machine.begin()
        assert compiled.decode_state(compiled.begin()) == at
        ours = machine.evaluator.find_callable("it")(at.values, [0])
        found = compiled.ask("it")(compiled.encode_state(at), 0)
        engine, up = of_file(game, ["it"]), raising(game.functions["it"].type, game.deck)
        return ours, up(found), up(engine.call("it", engine.begin(), [0]))

    return asked


@pytest.mark.slow
@pytest.mark.parametrize("text", EXPRESSIONS.strip().splitlines())
def test_an_expression_means_the_same_to_all(all_three: Callable[[str], tuple[Any, Any, Any]], text: str) -> None:
    """Generated code, and whoever reads the file, gives what the interpreter gives."""
    ours, theirs, read = all_three(text)

    assert theirs == read == ours
    assert type(theirs) is type(ours)


# Any expression -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_expression_means_the_same_to_all(tiny: Tiny, data: st.DataObject) -> None:
    """Whatever can be said of a card, a seat and a state is the same to all engines, crashes included."""
    compare_drawn(tiny, data)


@pytest.mark.thorough
@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_many_expressions_mean_the_same_to_all(tiny: Tiny, data: st.DataObject) -> None:
    """So it is with many more expressions."""
    compare_drawn(tiny, data)


def compare_drawn(tiny: Tiny, data: st.DataObject) -> None:
    """Compare an expression that is drawn."""
    kind = data.draw(st.sampled_from(list(TYPED)))
    text = data.draw(TYPED[kind])
    it = {"args": {"me": "player", "c": "card"}, "type": kind, "is": text}
    try:
        game = world(tiny, DO, functions={**ASKED, "it": it}, tables=RULED)
    except Unusable:
        assume(condition=False)
        return
    machine, compiled = Machine(game), Compiled(game, keep=False, asked=["it"])
    raise_, engine = raising(game.functions["it"].type, game.deck), of_file(game, ["it"])
    for there, read in ((compiled.begin(), engine.begin()), (compiled.module["fresh"](), engine.fresh())):
        at = compiled.decode_state(there)
        for seat in (0, 3):
            for place, card in enumerate(game.deck.cards):
                ours = asked(lambda: machine.evaluator.find_callable("it")(at.values, [seat, card]))  # noqa: B023
                theirs = asked(lambda: raise_(compiled.ask("it")(there, seat, 1 << place)))  # noqa: B023
                told = asked(lambda: raise_(engine.call("it", read, [seat, 1 << place])))  # noqa: B023
                assert theirs == told == ours, text


def asked(question: Callable[[], Any]) -> Any:
    """Return an answer, or that there is none."""
    try:
        return question()
    except (Crash, Broken):
        return "crashed"


#: Effects, and how they end where they break a promise.
PROGRAMS = """
- ends: nowhere
  do:
  - {set: "nest[p]", to: pack}
- ends: nowhere
  do:
  - {set: "nest[p]", to: pack}
  - {move: "{card(owl, moss), card(hawk, rust)}", from: "nest[p]", to: heap}
- ends: nowhere
  do:
  - {set: "nest[p]", to: pack}
  - {move: "nest[p]", from: "nest[p]", to: "nest[next(p)]"}
- ends: nowhere
  do:
  - {set: "nest[p]", to: pack}
  - {move: "{card(owl, moss)}", from: "nest[p]", to: "nest[p]"}
- ends: moved
  do:
  - {move: "{card(owl, moss)}", from: "nest[p]", to: heap}
- ends: nowhere
  do:
  - {set: "nest[p]", to: pack}
  - {move: pack, from: "nest[p]", to: heap}
  - {draw: 2, from: heap, to: "nest[next(p)]"}
  - {draw: tally, from: heap, to: "heaps[team(p)]"}
- ends: drawn
  do:
  - {draw: 1, from: heap, to: "nest[p]"}
- ends: drawn
  do:
  - {draw: tally - 1, from: heap, to: "nest[p]"}
- ends: bounds
  do:
  - {add: tally, by: 10}
- ends: bounds
  do:
  - {set: late, to: tally + 1}
- ends: nowhere
  do:
  - {set: late, to: tally + 3}
  - {set: now, to: "least(now + 2, 3)"}
- ends: bounds
  do:
  - {add: "total[team(p)]", by: -100}
- ends: nowhere
  do:
  - {add: "total[team(p)]", by: -99}
  - {add: "depth[now][next(p)]", by: 2}
- ends: nowhere
  do:
  - {set: "depth[now][p]", to: 9}
  - {id: row, set: "depth[least(now + 1, 3)]", to: "depth[now]"}
  - {set: "depth[now][p]", to: 1, id: z}
- ends: nowhere
  do:
  - for: q
    in: seats(p)
    do:
    - {let: n, be: tally}
    - {add: tally, by: 1 if n < 3 else 0}
    - {set: "depth[now][q]", to: n}
- ends: nowhere
  do:
  - for: c
    in: pack
    do:
    - {if: weight(c) > 1, then: [{set: "owner[c]", to: p}, {set: heap, to: "cut(heap, 1)"}]}
- ends: nowhere
  do:
  - {for: q, in: "{q for q in players if empty(nest[q])}", do: [{set: "nest[next(q)]", to: pack}]}
- ends: nowhere
  do:
  - {for: n, in: steps, do: [{add: tally, by: n}]}
  - {for: plan, in: plans, do: [{add: tally, by: len(plan), id: x}]}
- ends: nowhere
  do:
  - cases:
    - {id: a, when: flag, do: []}
    - {id: b, when: tally == 0, do: [{set: feel, to: wild}]}
    - {id: c, else: true, do: []}
- ends: nowhere
  do:
  - {set: tally, to: 5}
  - {set: boss, to: p}
  - {reset: round}
- ends: nowhere
  do:
  - {set: tally, to: 5}
  - {set: boss, to: p}
  - {reset: match}
- ends: nowhere
  do:
  - {set: lost, to: pack - pack}
  - {if: lost != None and empty(lost), then: [{set: flag, to: true}]}
- ends: exactly one
  do:
  - {set: tally, to: gap(tally)}
- ends: exactly one
  do:
  - {set: tally, to: twice(tally)}
- ends: nowhere
  do:
  - {set: flag, to: flag and gap(tally) > 0}
  - {set: tally, to: 1 if True or twice(0) > 0 else 2}
- ends: requires
  do:
  - {set: tally, to: picky(late)}
- ends: nowhere
  do:
  - {set: late, to: 3}
  - {set: tally, to: picky(late)}
- ends: nowhere
  do:
  - {set: tally, to: "otherwise(late, 4)"}
  - {set: seen, to: top(heap)}
  - {set: boss, to: previous(p)}
- ends: beyond
  do:
  - {set: flag, to: tally * 99999 * 99999 * (tally + 99999) > 1 or (tally + 99999) * 99999 * 99999 > 1}
- ends: beyond
  do:
  - {set: tally, to: 9}
  - {set: flag, to: tally * 99999999 + tally * 99999999 <= 999999999 + 1}
- ends: beyond
  do:
  - {let: n, be: tally - 999999999}
  - {set: flag, to: n - 999999999 < 0}
- ends: beyond
  do:
  - {set: tally, to: 9}
  - {set: flag, to: sum(99999999 * tally for q in players) > 0}
- ends: beyond
  do:
  - {set: tally, to: 9}
  - {set: flag, to: "sum(weight(c) * 99999999 for c in pack if weight(c) > 0 and tally > 1) > 0"}
- ends: nowhere
  do:
  - {set: tally, to: 9}
  - {set: flag, to: "sum(99999999 * tally if q in [p, next(p)] else -99999999 * tally for q in players) == 0"}
"""
FUNCTIONS = {"picky": {"args": {"x": "int 2..5?"}, "type": "int", "require": "x != None", "is": "x + 1"}}
TABLES = {
    "gap": {
        "args": {"x": "int 0..9"},
        "type": "int",
        "policy": "unique",
        "rows": [{"id": "r", "when": "x > 0", "then": 1}],
    },
    "twice": {
        "args": {"x": "int 0..9"},
        "type": "int",
        "policy": "unique",
        "rows": [{"id": "r", "when": "x >= 0", "then": 1}, {"id": "t", "when": "x < 2", "then": 2}],
    },
}


def begun(engine: Machine | Compiled) -> Any:
    """Return where a match begins, or in a word what crashes."""
    try:
        return engine.begin()
    except Crash as error:
        words = {"moved from": "moved", "drawn from": "drawn", "drawn than": "drawn", "become": "bounds"}
        words |= {"exactly one": "exactly one", "requires": "requires", "beyond": "beyond"}
        return next(word for said, word in words.items() if said in str(error))


@pytest.mark.slow
@pytest.mark.parametrize("program", [node.plain() for node in parse_yaml(PROGRAMS, "programs.yaml").items], ids=str)
def test_effects_mean_the_same_to_both(tiny: Tiny, program: dict[str, Any]) -> None:
    """Effects come to the same state, or to the same crash."""
    first = [{"let": "p", "be": "otherwise(boss, otherwise(first(q for q in players), owner[card(owl, moss)]))"}]
    inside = {"id": "all", "if": "p != None", "then": program["do"]}
    game = world(tiny, [*first, inside], functions=FUNCTIONS, tables=TABLES)
    compiled = Compiled(game, keep=False)
    ours, theirs = begun(Machine(game)), begun(compiled)
    read = asked(of_file(game).begin)

    assert (theirs if isinstance(theirs, str) else compiled.decode_state(theirs)) == ours
    assert (ours if isinstance(ours, str) else "nowhere") == program["ends"]
    assert (read == "crashed") == isinstance(ours, str)
    assert isinstance(ours, str) or list(read.cells.values()) == kept(game, ours)


def kept(game: Game, state: State) -> list[Any]:
    """Return the values of a state of the interpreter as the lowered form keeps them."""
    return [lowering(v.type, game.deck)(value) for v, value in zip(game.state.values(), state.values, strict=True)]


# What is offered ------------------------------------------------------------------------------------------------------

OFFERED = """
everybody: {by: {who: players}, legal: true}
nobody: {by: {who: boss}, legal: true}
second: {by: {who: "{p for p in players if p == next(next(p)) or boss in [previous(p), p]}"}, legal: true}
card: {by: {who: players}, params: {c: {in: "nest[me]"}}, legal: "may_drop(me, c)"}
pair: {by: {who: players}, params: {s: {in: suits}, m: {in: mood}}, legal: s == moss or m == wild}
twocards:
  by: {who: players}
  params: {c: {in: "nest[me]"}, d: {in: "pack - nest[me]"}}
  legal: suit(c) == suit(d)
yesno: {by: {who: players}, params: {sure: {in: truths}}, legal: sure or flag}
number: {by: {who: players}, params: {n: {in: "{n for n in range(1, 4) if n > tally}"}}, legal: true}
span: {by: {who: players}, params: {n: {in: "range(1, 4)"}}, legal: flag}
nospan: {by: {who: players}, params: {n: {in: "range(3, tally)"}}, legal: true}
some: {by: {who: players}, params: {cs: {in: "subsets(nest[me], 1, 2)"}}, legal: true}
shuffle: {by: {who: players}, params: {deck: {in: orders(pack)}, plan: {in: plans}}, legal: true}
"""
ATTEMPTS: list[dict[str, Any]] = [
    {"everybody": True}, {"nobody": True}, {"second": True}, {"card": "HM"}, {"card": "OR"}, {"card": "WM"},
    {"card": "XX"},
    {"pair": {"s": "M", "m": "calm"}}, {"pair": {"s": "R", "m": "calm"}}, {"pair": {"s": "R", "m": "wild"}},
    {"twocards": {"c": "HM", "d": "OM"}}, {"twocards": {"c": "HM", "d": "OR"}}, {"yesno": True}, {"yesno": False},
    {"number": 1}, {"number": 5}, {"span": 1}, {"span": 5}, {"nospan": 1}, {"some": []}, {"some": ["HM"]},
    {"some": ["HM", "OR", "WR"]}, {"some": ["WM"]}, {"unknown": True}, {"yes-no": True}, {"card": 7},
    {"shuffle": {"deck": ["HM", "WM", "OM", "HR", "WR", "OR"], "plan": [3]}},
    {"shuffle": {"deck": ["HM", "WM", "OM", "HR", "WR"], "plan": [3]}},
    {"shuffle": {"deck": ["HM", "WM", "OM", "HR", "WR", "OR"], "plan": [2]}},
]  # fmt: skip


@pytest.fixture
def offering(tiny: Tiny) -> tuple[Machine, Compiled]:
    """Return both engines of a game in which many kinds of acts are offered."""
    rows = [
        {"id": "heavy", "when": "weight(c) > 4 and suit(c) == moss", "then": "True"},
        {"id": "seen", "when": "seen != None and suit(c) == suit(seen)", "then": "False"},
        {"id": "rest", "else": "tally < 9"},
    ]
    table = {"args": {"p": "player", "c": "card"}, "type": "bool", "policy": "first", "rows": rows}
    offered: Any = parse_yaml(OFFERED, "offered.yaml").plain()
    actions = {name: {"do": [], **action} for name, action in offered.items()}
    actions["everybody"]["do"] = [{"add": "tally", "by": 1}]
    phases = {
        "opening": {"do": [*DO, {"set": "tally", "to": 2, "id": "t"}, {"goto": "perch"}]},
        "perch": {"actions": list(actions)},
    }
    game = world(tiny, [], tables={"may_drop": table}, actions=actions, phases=phases)
    return Machine(game), Compiled(game, keep=False)


def test_the_same_is_offered(offering: tuple[Machine, Compiled]) -> None:
    """Both engines offer each seat the same, in the same order."""
    machine, compiled = offering
    state = machine.begin()
    for seat in range(machine.game.seats):
        ours, theirs = machine.legal(state, seat), compiled.legal(compiled.begin(), seat)
        assert theirs == ours
        assert list(theirs) == list(ours)
    assert {"card", "pair", "some", "shuffle", "span"} <= set(machine.legal(state, 0))


@pytest.mark.parametrize("act", ATTEMPTS, ids=str)
def test_the_same_is_accepted(offering: tuple[Machine, Compiled], act: dict[str, Any]) -> None:
    """Any act of any seat is accepted or refused by both, and refused for the same reason."""
    machine, compiled = offering
    for seat in range(machine.game.seats):
        ours = machine.act(machine.begin(), seat, act)
        theirs = compiled.act(compiled.begin(), seat, act)
        assert (theirs if isinstance(theirs, Refusal) else compiled.decode_state(theirs)) == ours


@pytest.mark.parametrize(
    "act", [{}, {"card": "HM", "some": []}, {"everybody": 1}, {"pair": "M"}, {"pair": {"s": "M"}}, []], ids=str
)
def test_what_is_no_act_is_an_error(offering: tuple[Machine, Compiled], act: Any) -> None:
    """An act not even of the declared form is the same error to both."""
    machine, compiled = offering
    for made in (partial(machine.act, machine.begin()), partial(compiled.act, compiled.begin())):
        with pytest.raises(BadAct):
            made(0, act)


def test_an_act_leaves_the_state_before_it_alone(offering: tuple[Machine, Compiled]) -> None:
    """A state is a value: acting on it makes another."""
    _, compiled = offering
    state = compiled.begin()
    before = compiled.decode_state(state)
    after = compiled.act(state, 0, {"everybody": True})

    assert compiled.decode_state(state) == before
    assert not isinstance(after, Refusal)
    assert compiled.get(after, "tally") == as_number(compiled.get(state, "tally")) + 1


# Whole games ----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue())
def test_every_state_can_be_carried_over(name: str) -> None:
    """Raised and lowered again, a state of any game is itself."""
    game = rules(name)
    machine, compiled, chance = Machine(game), Compiled(game), Chance(5)
    state = compiled.begin()
    for _ in range(60):
        there = compiled.decode_state(state)
        assert compiled.decode_state(compiled.encode_state(there)) == there
        assert [compiled.get(state, variable) for variable in game.state] == [machine.get(there, v) for v in game.state]
        if step(compiled, state, chance) is None:
            break


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue())
def test_one_seed_is_one_match_with_both(name: str) -> None:
    """Random play with the interpreter and with generated code goes through the same states with the same offers."""
    game = rules(name)
    machine, compiled = Machine(game), Compiled(game)
    state, other, chance, theirs = machine.begin(), compiled.begin(), Chance(11), Chance(11)
    for _ in range(80):
        legal = [machine.legal(state, seat) for seat in range(game.seats)]
        offered = [compiled.legal(other, seat) for seat in range(game.seats)]
        assert digest(game, state, legal) == digest(game, compiled.decode_state(other), offered)
        chosen, made = draw_act(machine, state, chance), step(compiled, other, theirs)
        if chosen is None or made is None:
            assert (chosen, made) == (None, None)
            return
        assert compiled.write_act(made[0], made[2]) == chosen[1]
        assert made[1] == chosen[0]
        after = machine.act(state, *chosen)
        assert not isinstance(after, Refusal)
        state = after


@pytest.mark.parametrize("name", [name for name in catalogue() if rules(name).start.phase])
def test_starts_are_the_same(name: str) -> None:
    """A match begins before a deal as with the interpreter, and is refused where that refuses."""
    game = rules(name)
    machine, compiled = Machine(game), Compiled(game)
    given = {"dealer": game.seats - 1}

    assert compiled.decode_state(compiled.start(given)) == machine.start(given)
    with pytest.raises(Impossible):
        compiled.start({"dealer": game.seats})


def test_a_match_ends_for_both() -> None:
    """Whether a match is over is the phase's affair."""
    game = rules(catalogue()[0])
    compiled = Compiled(game)
    state = compiled.begin()

    assert not compiled.over(state)
    state.PHASE = next(name for name, phase in game.phases.items() if phase.final)
    assert compiled.over(state)


def test_a_function_is_asked_from_outside() -> None:
    """A function that nothing in the rules calls is there if it is asked for."""
    choice = choose(catalogue()[0])
    game = rules(choice)
    name = next(name for name, function in game.functions.items() if not function.arguments and not function.requires)
    compiled = Compiled(game, asked=[name])
    state = Machine(game).begin()
    ours = compiled.machine.evaluator.find_callable(name)(state.values, [])

    assert raising(game.functions[name].type, game.deck)(compiled.ask(name)(compiled.begin())) == ours


def test_generated_code_can_be_read() -> None:
    """The module names its rules: every action and table with its clause, and all suits and cards are masks."""
    game = rules(catalogue()[0])
    written = write_source(game)

    for action in game.actions.values():
        assert f"def do_{action.id}(s, me" in written
        assert f"{action.id} [{action.clause}]" in written
    assert max(map(len, written.splitlines())) < 1000


@pytest.mark.parametrize("name", catalogue())
def test_values_go_there_and_back(name: str) -> None:
    """First values of all variables are the same raised and lowered."""
    game = rules(name)
    for variable in game.state.values():
        down, up = lowering(variable.type, game.deck), raising(variable.type, game.deck)
        assert up(down(variable.default)) == variable.default


class Spring:
    """What springs as soon as it is unpacked."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (Path(os.environ["BROU_CACHE"], "sprung"), "sprung")


def spoilt(data: bytes, other: bytes) -> list[bytes]:
    """Return an entry of the cache damaged, cut, empty, exchanged for another one, and made by somebody else."""
    turned = bytearray(data)
    turned[len(data) // 2] ^= 1
    strange = marshal.dumps(compile("STAGES = MAY = DO = {}", "<strange>", "exec"))
    return [bytes(turned), data[:-1], b"", other, pickle.dumps(strange), pickle.dumps(Spring())]


def test_a_spoilt_or_foreign_entry_is_never_run(tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not stand in the cache as it was kept, and under its own name, is neither unpacked nor run."""
    monkeypatch.setenv("BROU_CACHE", str(tmp_path))
    cache.place.cache_clear()
    monkeypatch.setattr("brou.key.own_key", lambda: bytes(key.SIZE))
    game, other = world(tiny, DO), world(tiny, [])
    Compiled(other)
    (foreign,) = tmp_path.iterdir()
    fresh = Compiled(game)
    (entry,) = set(tmp_path.iterdir()) - {foreign}
    sound = entry.read_bytes()
    for data in spoilt(sound, foreign.read_bytes()):
        entry.write_bytes(data)
        assert fresh.decode_state(Compiled(game).begin()) == fresh.decode_state(fresh.begin())
        assert entry.read_bytes() == sound
    assert set(tmp_path.iterdir()) == {entry, foreign}
    cache.place.cache_clear()


#: Names that generated code has for itself, or that Python has.
TAKEN = [
    "s",
    "out",
    "rule_big",
    "any_1",
    "any_2",
    "it_1",
    "fired",
    "reset_round",
    "len",
    "kept_",
    "lambda",
    "best",
    "new",
]
BIG = {
    "args": {"d": "card"},
    "type": "int",
    "is": " + ".join(
        f"sum(weight(e) for e in nest[p] if weight(e) > weight(d) - {n}) * len(nest[p])" for n in range(3)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_names_of_rules_are_no_names_of_the_generated_code(tiny: Tiny, name: str) -> None:
    """Whatever a rules file calls its locals, generated code keeps its own names apart."""
    few = "count(weight(f) > weight(e) for f in pack) > 1"
    high = f"any(weight(e) < big(d, me) for e in nest[me] if {few})"
    told = f"count(any(big(d, me) > big({name}, me) for d in nest[me] if {high}) for {name} in pack)"
    told += f" + only(min(({name} for {name} in [3, 4] if {name} > tally), default=3))"
    functions = {
        "big": {**BIG, "args": {"d": "card", "p": "player"}},
        "it": {"args": {"me": "player"}, "type": "int", "is": told},
    }
    effects = [
        *DO,
        {"let": name, "be": "tally"},
        {"reset": "round"},
        {"set": "tally", "to": f"{name} - 1", "id": "kept"},
    ]
    try:
        game = world(tiny, effects, functions=functions, tables=RULED)
    except Unusable:
        assert name == "lambda"
        return
    machine, compiled = Machine(game), Compiled(game, keep=False, asked=["it"])
    at = compiled.begin()

    assert compiled.decode_state(at) == machine.begin()
    ours = machine.evaluator.find_callable("it")(machine.begin().values, [0])
    assert compiled.ask("it")(at, 0) == ours


@pytest.mark.sampled(6)
@pytest.mark.slow
@pytest.mark.parametrize("choice", [choice for game in catalogue() for choice in spread(game)], ids=str)
def test_all_editions_have_code(choice: Choice) -> None:
    """There is code for the rules of every edition and set-up."""
    assert "def fresh" in write_source(rules(choice))


# The page -------------------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "lowered.md").read_text(encoding="utf-8")
QUANTIFIERS = [
    "any(any(weight(d) > weight(c) for d in nest[me]) for c in pack)",
    "all(any(weight(d) > weight(c) for d in nest[me]) for c in pack)",
    "count(any(weight(d) > weight(c) for d in nest[me]) for c in pack)",
    "min((len(nest[p]) for p in players if p != me), default=0)",
    "max((weight(c) * shade(c) for c in nest[me]), default=0)",
    "max(nest[me], key=lambda c: weight(c) * shade(c))",
    "only(tally)",
    "picky(late)",
    "len({next(me), otherwise(boss, me)})",
]


def page(heading: str) -> set[str]:
    """Return the words in the first column of the table of the page whose header begins so."""
    rows = PAGE[PAGE.index(heading) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row.split("|")[1])}


def made(tiny: Tiny) -> Iterator[Program]:
    """Yield programs in which everything is that the language can say."""
    picky = {"args": {"x": "int 2..5?"}, "type": "int", "require": "x != None", "is": "x + 1"}
    for text in [*EXPRESSIONS.strip().splitlines(), *QUANTIFIERS]:
        functions = {"picky": picky, **ASKED}
        kind = str(world(tiny, DO, view={"it": text}, functions=functions, tables=RULED).view[0].value.type)  # type: ignore[union-attr]
        told = f"len({text})" if kind.startswith("values") else text
        kind = {"None": "card?", "values": "int"}.get(kind.split(" ", maxsplit=1)[0], kind)
        it = {"args": {"me": "player"}, "type": kind, "is": told}
        yield lower(world(tiny, DO, functions={**functions, "it": it}, tables=RULED), ["it"])
    programs: Any = parse_yaml(PROGRAMS, "programs.yaml").plain()
    for program in programs:
        effects = [{"let": "p", "be": "first(q for q in players)"}, {"if": "p != None", "then": program["do"]}]
        yield lower(world(tiny, effects, functions=FUNCTIONS, tables=TABLES))


# All games are lowered for it, which takes seven seconds; it guards a page, and what a file may have is held against
# that page in the tests of the file of the lowered form.
@pytest.mark.thorough
def test_the_page_has_what_the_language_becomes_and_nothing_else(tiny: Tiny) -> None:
    """Every operation, quantifier, step and kind that rules can become is on the page of this form, and no other."""
    programs = [*made(tiny), *(lower(rules(name)) for name in catalogue())]
    terms = [term for program in programs for term in program.terms]
    steps = [step for program in programs for step in program.steps]
    loops = PAGE[PAGE.index("A `loop` goes") :].split("\n\n", maxsplit=1)[0]

    assert {term.op for term in terms} == page("| operation |")
    assert {term.name for term in terms if term.op == "loop"} == set(re.findall(r"`(\w+)`", loops)) - {"loop", "bound"}
    assert {step.op for step in steps} == page("| step |")
    assert {term.kind.form for term in terms} == page("| kind |")
