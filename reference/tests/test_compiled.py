"""The compiled engine: what expressions and effects mean is what they mean to the interpreter, every answer too."""

from __future__ import annotations

import json
import marshal
import os
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from brou import BadAct, Crash, Impossible, Machine, Refusal, State, book, cache, catalogue, choose, key, rules
from brou.chance import Chance
from brou.compiler.compiled import Compiled, source
from brou.compiler.compiled_values import lowering, raising
from brou.compiler.core import written
from brou.compiler.lower import lower
from brou.compiler.lowered import Program
from brou.compiler.playing import drawn, step
from brou.errors import Unusable
from brou.interpreter.digest import digest
from brou.language.source import parse
from brou.language.syntax import Game
from core_player import Broken, Engine

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


def of_file(game: Game, asked: Sequence[str] = ()) -> Engine:
    """Return the engine that knows nothing but the file of the lowered form."""
    return Engine(json.dumps(written(lower(game, asked))))


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
        assert compiled.raised(compiled.begin()) == at
        ours = machine.evaluator._callable("it")(at.values, [0])  # noqa: SLF001 - a function, asked as rules ask it
        found = compiled.ask("it")(compiled.lowered(at), 0)
        engine, up = of_file(game, ["it"]), raising(game.functions["it"].type, game.deck)
        return ours, up(found), up(engine.call("it", engine.begin(), [0]))

    return asked


@pytest.mark.parametrize("text", EXPRESSIONS.strip().splitlines())
def test_an_expression_means_the_same_to_all(all_three: Callable[[str], tuple[Any, Any, Any]], text: str) -> None:
    """Generated code, and whoever reads the file, gives what the interpreter gives."""
    ours, theirs, read = all_three(text)

    assert theirs == read == ours
    assert type(theirs) is type(ours)


# Any expression -------------------------------------------------------------------------------------------------------

#: What generated expressions are made of, by the type that they should have; some will turn out to have none.
LEAVES = {
    "bool": ["flag", "True", "feel == calm", "boss != None", "seen != None"],
    "int": [
        "tally",
        "three",
        "0",
        "2",
        "999999999",
        "len(nest[me])",
        "-1",
        "weight(c)",
        "shade(c)",
        "now",
        "sum(n for n in steps)",
    ],
    "int?": ["late", "None", "tally"],
    "cards": ["nest[me]", "pack", "pack - pack", "{c}", "nest[next(me)]", "cards(heap)"],
    "cards?": ["lost", "None", "nest[me]"],
    "card?": ["seen", "top(heap)", "bottom(cut(heap, tally))", "None", "c", "flown[now]"],
    "player?": ["boss", "me", "next(me)", "None", "previous(me)", "owner[c]"],
    "mood?": ["feel", "wish", "None"],
    "suit": ["moss", "rust", "suit(c)"],
}
#: How they grow: a form, and the types of what stands in it.
GROWN = {
    "bool": """
        ({} and {}): bool bool; ({} or {}): bool bool; not {}: bool; {} < {}: int int; {} == {}: int int
        {} == {}: card? card?; {} <= {}: cards cards; {} < {}: cards cards; {} == {}: cards cards
        {} != {}: cards cards; {} in {}: card? cards; {} not in {}: card? cards; {} == {}: player? player?
        {} in [{}, {}]: player? player? player?; {} in [{}, {}]: int int int; empty({}): cards
        ({} if {} else {}): bool bool bool; {} != {}: suit suit; {} == {}: mood? mood?
        {} == None: cards?; {} == None: int?; {} != None: card?; {} == {}: int? int?; {} == {}: cards? cards
        any({} for c in {}): bool cards; all({} for c in {} if {}): bool cards bool; any({} for me in players): bool
        ({0} != None and team({0}) == team(me)): player?; allowed({}, {}): card? cards; allowed({}, {}): card? cards
        any({} for me in seats(me) if {}): bool bool; {} in {{me for me in players if {}}}: player? bool
    """,
    "int": """
        ({} + {}): int int; ({} - {}): int int; ({} * {}): int int; {} // three: int
        least({}, {}): int int; most({}, {}): int int; ({} if {} else {}): int bool int; abs({}): int
        count({} for c in {}): bool cards; sum({} for c in {} if {}): int cards bool; len({}): cards
        max(({} for c in {}), default={}): int cards int; min(({} for c in {} if {}), default={}): int cards bool int
        sum({} for me in players if {}): int bool; otherwise({}, {}): int? int; only({}): int; worth({}, {}): int card?
        (len({0}) if {0} != None else {1}): cards? int; len({{ {} for c in {} }}): int cards
        count({} for me in members(team(me))): bool; len({{n for n in range(1, 4) if {}}}): bool
    """,
    "int?": """
        ({} if {} else {}): int? bool int?; first({} for c in {} if {}): int cards bool
        first({} for me in players if {}): int bool
    """,
    "cards": """
        ({} & {}): cards cards; ({} | {}): cards cards; ({} - {}): cards cards; {{c for c in {} if {}}}: cards bool
        ({} if {} else {}): cards bool cards; nest[otherwise({}, me)]: player?; otherwise({}, {}): cards? cards
        held({}, {}): cards card?; held({}, {}): cards card?
        {{ {} for c in {} if {} }}: card cards bool; ({{ {0} }} if {0} != None else {1}): card? cards
    """,
    "cards?": """
        ({} if {} else {}): cards? bool cards?; first({} for me in players if {}): cards bool
        first({} for c in {} if {}): cards cards bool
    """,
    "card?": """
        max({}, key=lambda c: {}): cards int; first(c for c in {} if {}): cards bool; max({}, key=weight): cards
        ({} if {} else {}): card? bool card?; otherwise({}, {}): card? card?
        first({} for me in players if {}): card? bool
    """,
    "player?": """
        first(me for me in players if {}): bool; ({} if {} else {}): player? bool player?
        next(otherwise({}, me)): player?; max(players, key=lambda me: {}): int
    """,
    "mood?": "({} if {} else {}): mood? bool mood?; otherwise({}, {}): mood? mood?",
    "suit": "(suit({0}) if {0} != None else {1}): card? suit",
}
ASKED: dict[str, Any] = {
    "held": {
        "args": {"s": "cards", "d": "card?"},
        "type": "cards",
        "is": "s - {d} if d != None and not empty(s) else s",
    },
    "worth": {
        "args": {"n": "int", "d": "card?"},
        "type": "int",
        "is": "weight(d) + n if d != None else sum(weight(c) for c in pack if weight(c) > n)",
    },
}
RULED: dict[str, Any] = {
    "allowed": {
        "args": {"d": "card?", "s": "cards"},
        "type": "bool",
        "policy": "first",
        "rows": [
            {"id": "none", "when": "d == None", "then": "flag"},
            {"id": "alike", "when": "d != None and any(suit(e) == suit(d) for e in s)", "then": "d in s"},
            {"id": "rest", "else": "empty(s)"},
        ],
    },
    "only": {
        "args": {"n": "int"},
        "type": "int",
        "policy": "unique",
        "rows": [{"id": "low", "when": "n < 3", "then": "n"}, {"id": "some", "when": "n > 1", "then": "tally"}],
    },
}


def expressions(kind: str, depth: int) -> st.SearchStrategy[str]:
    """Return expressions that should have a type, so deep at most."""
    if kind == "card":
        return st.just("c")
    leaves = st.sampled_from(LEAVES[kind])
    if not depth:
        return leaves
    forms = [one.strip().rpartition(":") for line in GROWN[kind].splitlines() for one in line.split(";") if one.strip()]
    grown = [
        st.tuples(*(expressions(part, depth - 1) for part in parts.split())).map(
            lambda filling, form=form: form.format(*filling)  # type: ignore[misc]  # mypy sees no type in a default
        )
        for form, _, parts in forms
    ]
    return st.one_of(leaves, *grown)


TYPED = {kind: expressions(kind, 2) for kind in ("bool", "int", "cards", "card?", "cards?", "int?", "player?", "mood?")}


@given(data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_expression_means_the_same_to_all(tiny: Tiny, data: st.DataObject) -> None:
    """Whatever can be said of a card, a seat and a state is the same to all engines, crashes included."""
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
        at = compiled.raised(there)
        for seat in (0, 3):
            for place, card in enumerate(game.deck.cards):
                ours = asked(lambda: machine.evaluator._callable("it")(at.values, [seat, card]))  # noqa: SLF001, B023
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


@pytest.mark.parametrize("program", [node.plain() for node in parse(PROGRAMS, "programs.yaml").items], ids=str)
def test_effects_mean_the_same_to_both(tiny: Tiny, program: dict[str, Any]) -> None:
    """Effects come to the same state, or to the same crash."""
    first = [{"let": "p", "be": "otherwise(boss, otherwise(first(q for q in players), owner[card(owl, moss)]))"}]
    inside = {"id": "all", "if": "p != None", "then": program["do"]}
    game = world(tiny, [*first, inside], functions=FUNCTIONS, tables=TABLES)
    compiled = Compiled(game, keep=False)
    ours, theirs = begun(Machine(game)), begun(compiled)
    read = asked(of_file(game).begin)

    assert (theirs if isinstance(theirs, str) else compiled.raised(theirs)) == ours
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


class Spring:
    """What springs as soon as it is unpacked."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (Path(os.environ["BROU_CACHE"], "sprung"), "sprung")


def spoilt(data: bytes, other: bytes) -> list[bytes]:
    """Return an entry of the cache damaged, cut, empty, exchanged for another one, and made by somebody else."""
    turned = bytearray(data)
    turned[len(data) // 2] ^= 1
    strange = marshal.dumps(compile("STAGES = OFFERS = MAY = DO = {}", "<strange>", "exec"))
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
        assert fresh.raised(Compiled(game).begin()) == fresh.raised(fresh.begin())
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

    assert compiled.raised(at) == machine.begin()
    ours = machine.evaluator._callable("it")(machine.begin().values, [0])  # noqa: SLF001 - asked as rules ask it
    assert compiled.ask("it")(at, 0) == ours


@pytest.mark.slow
def test_all_editions_have_code() -> None:
    """There is code for the rules of every edition and set-up."""
    for game in catalogue():
        for edition, entry in book(game).editions.items():
            for setup in entry.setups:
                assert "def fresh" in source(rules(f"{game}@{edition}:{setup}"))


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
    programs: Any = parse(PROGRAMS, "programs.yaml").plain()
    for program in programs:
        effects = [{"let": "p", "be": "first(q for q in players)"}, {"if": "p != None", "then": program["do"]}]
        yield lower(world(tiny, effects, functions=FUNCTIONS, tables=TABLES))


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
