"""The compiled engine: what expressions and effects mean is what they mean to the interpreter, every answer too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from brou import BadAct, Crash, Impossible, Machine, Refusal, book, catalogue, choose, rules
from brou.chance import Chance
from brou.compiled import Compiled, source
from brou.compiled_values import lowering, raising
from brou.digest import digest
from brou.playing import drawn, step
from brou.source import parse
from brou.syntax import Game

Tiny = Callable[..., Game]

#: Effects that give every variable of the made-up game a value to ask for.
DO: list[dict[str, Any]] = [
    {"let": "f", "be": "first(p for p in players)"},
    {"let": "u", "be": "first(t for t in teams)"},
    {
        "id": "given",
        "if": "f != None and u != None",
        "then": [
            {"set": "nest[f]", "to": "{card(hawk, moss), card(owl, rust), card(wren, rust)}"},
            {"set": "nest[next(f)]", "to": "{card(wren, moss)}", "id": "next"},
            {"set": "total[u]", "to": -7},
            {"set": "boss", "to": "previous(f)"},
            {"set": "owner[card(owl, rust)]", "to": "next(f)"},
            {"set": "depth[now][f]", "to": 5},
        ],
    },
    {"set": "seen", "to": "card(owl, moss)"},
    {"set": "flown[now]", "to": "card(hawk, rust)"},
    {"set": "tally", "to": 4},
    {"set": "wish", "to": "wild"},
    {"set": "flag", "to": True},
]

EXPRESSIONS = """
7
-3
True
None
tally
boss
wish
seen
heap
nest
total
flown
now
flag
feel
tally + 2 * three - 1
tally // three
-tally // three
least(tally, three)
most(tally, three)
abs(-tally)
0 < tally <= 4
tally != three
flag == (feel == calm)
feel != wild
wish == wild
wish == None
boss == next(me)
boss != None and next(boss) == previous(boss)
boss == None or team(boss) == other(team(boss))
otherwise(boss, me)
otherwise(seen, card(wren, moss))
otherwise(wish, calm)
wild if wish == None else calm
None if flag else seen
nest[me] & pack
nest[me] | {card(owl, moss)}
pack - nest[me] - nest[next(me)]
nest[me] <= pack
pack < nest[me]
{card(hawk, moss)} < nest[me]
nest[me] >= {card(owl, rust)}
nest[me] > nest[me]
{seen} if seen != None else pack
len(nest[me])
empty(nest[previous(me)])
len(heap)
empty(heap)
top(heap)
bottom(heap)
cards(heap)
len(steps)
cut(heap, 2)
cut(heap, 0)
cut(heap, 99)
empty(plans)
len(players)
empty([])
len([calm, wild])
len(range(2, 4))
seen in pack
seen in nest[me]
boss in players
boss in [me]
tally in steps
tally in [3, 4]
feel in [wild]
now in lap
now in {n for n in lap if n > 1}
me in {p for p in players if empty(nest[p])}
wish in [calm]
me in [next(me), me]
seen not in pack
boss in {p for p in players if p != boss}
seen in {c for c in pack if c == seen}
any(c == seen for c in pack)
all(suit(c) == rust for c in nest[me])
count(weight(c) > 1 for c in pack)
sum(weight(c) for c in nest[me])
sum(weight(c) * shade(c) for c in pack if suit(c) == moss)
sum(2 for c in nest[me])
sum(n for n in steps)
sum(n for n in steps if n != tally)
sum(sum(n for n in plan) for plan in plans)
min((weight(c) for c in nest[me]), default=0)
max((weight(c) for c in pack if c in nest[boss]), default=9) if boss != None else 1
max((n for n in steps), default=0)
min((n for n in steps if n > tally), default=tally)
max((total[t] for t in teams), default=0)
first(c for c in pack if weight(c) < 0)
first(p for p in players if empty(nest[p]))
first(n for n in lap if n > now)
first(weight(c) for c in pack if suit(c) == rust)
first(t for t in teams if total[t] > 0)
first(nest[p] for p in players)
max(nest[me], key=weight)
max(pack, key=shade)
max(pack - pack, key=weight)
max(players, key=lambda p: len(nest[p]))
max(pack, key=lambda c: weight(c) + 9 if suit(c) == rust else weight(c))
max(pack, key=lambda c: -weight(c))
max(pack, key=lambda c: weight(c) + len(pack) if c in nest[me] else (shade(c) if suit(c) == moss else 0))
{c for c in pack if suit(c) == moss and weight(c) >= 2}
{c for c in pack if rank(c) in [hawk, owl] or c == seen}
{c for c in pack if not (suit(c) == rust or weight(c) == 2)}
{c for c in pack if shade(c) < tally and shade(c) != 1}
{c for c in pack if weight(c) <= tally and weight(c) > -tally}
{c for c in pack if tally > weight(c)}
{c for c in pack if flag}
{c for c in pack if {card(hawk, moss), card(owl, moss)} <= nest[me] | {c}}
{c for c in pack if pack <= nest[me] | {c}}
{c for c in pack if not {card(hawk, moss), card(owl, moss)} <= nest[me] | {c}}
{c for c in nest[me] if nest[me] <= {c}}
{c for c in pack if (weight(c) if suit(c) == moss else shade(c)) == 2}
{c for c in pack if seen != None and suit(c) == suit(seen)}
{c for c in pack if c == seen and seen != None and rank(c) == rank(seen)}
{c for c in pack if all(c != flown[n] for n in lap)}
{c for c in pack if count(suit(d) == suit(c) for d in nest[me]) > 1}
{c for c in pack if any(c in nest[p] for p in players)}
{flown[n] for n in lap if flown[n] != None}
{p for p in players if not empty(nest[p])}
{team(p) for p in players}
{card(rank(c), rust) for c in nest[me]}
{n - 1 for n in steps if n > 1}
sum(total[t] for t in teams if total[t] != 0)
count(flown[n] == None for n in lap)
all(flown[n] == None for n in lap)
any(empty(nest[q]) for q in seats(next(me)) if q != me)
sum(len(nest[q]) for q in members(team(me)))
count(f for f in truths)
sum(n for n in range(1, tally))
sum(len(nest[p]) for p in {q for q in players if q != me} if team(p) == team(me))
any(p == boss for p in {q for q in players if any(weight(c) > 4 for c in nest[q])})
tally * tally * tally
suit(seen) if seen != None else moss
owner[card(owl, rust)]
owner[card(wren, rust)] != None
depth[now][boss] if boss != None else 0
depth[now][next(me)]
any(owner[c] == boss for c in pack)
{c for c in pack if owner[c] != None and team(owner[c]) != team(me)}
sum(depth[n][me] for n in lap)
"""


STATE = {
    "match": {"total": {"type": "int -99..99[team]"}, "boss": {"type": "player?"}},
    "round": {
        "nest": {"type": "cards[player]", "zone": True},
        "heap": {"type": "pile", "zone": True},
        "heaps": {"type": "pile[team]"},
        "seen": {"type": "card?"},
        "flown": {"type": "card?[lap]"},
        "tally": {"type": "int 0..9"},
        "late": {"type": "int 2..5?"},
        "lost": {"type": "cards?"},
        "now": {"type": "lap"},
        "feel": {"type": "mood"},
        "wish": {"type": "mood?"},
        "flag": {"type": "bool"},
        "owner": {"type": "player?[card]"},
        "depth": {"type": "int 0..9[lap][player]", "init": 3},
    },
}
ACTIONS = {"shuffle": {"by": {"who": "players"}, "params": {"deck": {"in": "orders(pack)"}}, "legal": "True", "do": []}}


def world(tiny: Tiny, do: list[dict[str, Any]], **sections: Any) -> Game:
    """Return the made-up game with all kinds of variables, in which effects come before the first decision."""
    phases = {"opening": {"do": [*do, {"goto": "perch"}]}, "perch": {"actions": ["shuffle"]}}
    return tiny(**{"state": STATE, "actions": ACTIONS, "phases": phases, **sections})


@pytest.fixture
def both(tiny: Tiny) -> Callable[[str], tuple[Any, Any]]:
    """Return the value of an expression by the interpreter and by generated code, `me` being the first seat."""

    def asked(text: str) -> tuple[Any, Any]:
        shown = world(tiny, DO, view={"it": text}).view[0].value
        assert shown is not None
        kind, told = str(shown.type), text
        if kind.startswith("values"):
            kind, told = "int", f"10 * len({text}) + count(first(y for y in {text}) == x for x in {text})"
        declared = {"args": {"me": "player"}, "type": "card?" if kind == "None" else kind, "is": told}
        game = world(tiny, DO, functions={"it": declared})
        machine, compiled = Machine(game), Compiled(game, keep=False, asked=["it"])
        at = machine.begin()
        assert compiled.raised(compiled.begin()) == at
        ours = machine.evaluator._callable("it")(at.values, [0])  # noqa: SLF001 - a function, asked as rules ask it
        found = compiled.ask("it")(compiled.lowered(at), 0)
        return ours, raising(game.functions["it"].type, game.deck)(found)

    return asked


@pytest.mark.parametrize("text", EXPRESSIONS.strip().splitlines())
def test_an_expression_means_the_same_to_both(both: Callable[[str], tuple[Any, Any]], text: str) -> None:
    """Generated code gives what the interpreter gives."""
    ours, theirs = both(text)

    assert theirs == ours
    assert type(theirs) is type(ours)


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
- ends: product
  do:
  - {set: flag, to: tally * 99999 * 99999 * (tally + 99999) > 1 or (tally + 99999) * 99999 * 99999 > 1}
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
        words |= {"exactly one": "exactly one", "requires": "requires", "product": "product"}
        return next(word for said, word in words.items() if said in str(error))


@pytest.mark.parametrize("program", [node.plain() for node in parse(PROGRAMS, "programs.yaml").items], ids=str)
def test_effects_mean_the_same_to_both(tiny: Tiny, program: dict[str, Any]) -> None:
    """Effects come to the same state, or to the same crash."""
    first = [{"let": "p", "be": "otherwise(boss, otherwise(first(q for q in players), owner[card(owl, moss)]))"}]
    inside = {"id": "all", "if": "p != None", "then": program["do"]}
    game = world(tiny, [*first, inside], functions=FUNCTIONS, tables=TABLES)
    compiled = Compiled(game, keep=False)
    ours, theirs = begun(Machine(game)), begun(compiled)

    assert (theirs if isinstance(theirs, str) else compiled.raised(theirs)) == ours
    assert (ours if isinstance(ours, str) else "nowhere") == program["ends"]


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
    offered: Any = parse(OFFERED, "offered.yaml").plain()
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
        assert (theirs if isinstance(theirs, Refusal) else compiled.raised(theirs)) == ours


@pytest.mark.parametrize(
    "act", [{}, {"card": "HM", "some": []}, {"everybody": 1}, {"pair": "M"}, {"pair": {"s": "M"}}, []], ids=str
)
def test_what_is_no_act_is_an_error(offering: tuple[Machine, Compiled], act: Any) -> None:
    """An act not even of the declared form is the same error to both."""
    for engine in offering:
        with pytest.raises(BadAct):
            engine.act(engine.begin(), 0, act)


def test_an_act_leaves_the_state_before_it_alone(offering: tuple[Machine, Compiled]) -> None:
    """A state is a value: acting on it makes another."""
    _, compiled = offering
    state = compiled.begin()
    before = compiled.raised(state)
    after = compiled.act(state, 0, {"everybody": True})

    assert compiled.raised(state) == before
    assert compiled.get(after, "tally") == compiled.get(state, "tally") + 1


# Whole games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", catalogue())
def test_every_state_can_be_carried_over(name: str) -> None:
    """Raised and lowered again, a state of any game is itself."""
    game = rules(name)
    machine, compiled, chance = Machine(game), Compiled(game), Chance(5)
    state = compiled.begin()
    for _ in range(60):
        there = compiled.raised(state)
        assert compiled.raised(compiled.lowered(there)) == there
        assert [compiled.get(state, variable) for variable in game.state] == [machine.get(there, v) for v in game.state]
        if step(compiled, state, chance) is None:
            break


@pytest.mark.parametrize("name", catalogue())
def test_one_seed_is_one_match_with_both(name: str) -> None:
    """Random play with the interpreter and with generated code goes through the same states with the same offers."""
    game = rules(name)
    machine, compiled = Machine(game), Compiled(game)
    state, other, chance, theirs = machine.begin(), compiled.begin(), Chance(11), Chance(11)
    for _ in range(80):
        legal = [machine.legal(state, seat) for seat in range(game.seats)]
        offered = [compiled.legal(other, seat) for seat in range(game.seats)]
        assert digest(game, state, legal) == digest(game, compiled.raised(other), offered)
        chosen, made = drawn(machine, state, chance), step(compiled, other, theirs)
        if chosen is None or made is None:
            assert (chosen, made) == (None, None)
            return
        assert compiled.written(made[0], made[2]) == chosen[1]
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

    assert compiled.raised(compiled.start(given)) == machine.start(given)
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
    ours = compiled.machine.evaluator._callable(name)(state.values, [])  # noqa: SLF001 - asked as rules ask it

    assert raising(game.functions[name].type, game.deck)(compiled.ask(name)(compiled.begin())) == ours


def test_generated_code_can_be_read() -> None:
    """The module names its rules: every action and table with its clause, and all suits and cards are masks."""
    game = rules(catalogue()[0])
    written = source(game)

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


def test_all_editions_have_code() -> None:
    """There is code for the rules of every edition and set-up."""
    for game in catalogue():
        for edition, entry in book(game).editions.items():
            for setup in entry.setups:
                assert "def fresh" in source(rules(f"{game}@{edition}:{setup}"))
