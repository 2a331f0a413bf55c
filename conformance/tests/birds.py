"""The made-up game with all kinds of variables, and expressions that say of it whatever the language can."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import strategies as st

from brou.language.syntax import Game

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


@cache
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
