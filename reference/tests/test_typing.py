"""Types: what a rules file may say, and the message where it may not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from brou import Invalid

Faults = Callable[..., list[str]]
Refused = Callable[..., str]

BOSS = (
    "`boss` may be None where player is needed; "
    "test `boss != None` first, use otherwise(boss, ...), or add a `require:`"
)


def effects(do: list[Any], phase: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return phases of which the first carries out some effects."""
    return {"opening": {**(phase or {}), "do": [*do, {"goto": "night"}]}, "night": {"final": True}}


def grows(index: str) -> dict[str, str]:
    """Return an effect that needs its index to be a player."""
    return {"set": f"nest[{index}]", "to": "pack"}


# Options and narrowing ------------------------------------------------------------------------------------------------


def test_option_is_no_value(refused: Refused) -> None:
    """A value that may be absent cannot stand where one is needed, and the message says what to do."""
    assert refused("nest[boss]") == BOSS


@pytest.mark.parametrize(
    "text",
    [
        "boss != None and empty(nest[boss])",
        "None != boss and flag and empty(nest[boss])",
        "boss == None or empty(nest[boss])",
        "not (boss == None) and empty(nest[boss])",
        "not (boss != None) or empty(nest[boss])",
        "not (boss != None and flag) or empty(nest[boss])",
        "not (boss == None or flag) and empty(nest[boss])",
        "empty(nest[boss]) if boss != None else flag",
        "flag if boss == None else empty(nest[boss])",
        "empty(nest[boss]) if flag and boss != None else flag",
        "any(empty(nest[boss]) for p in players if boss != None)",
        "any(boss == p and empty(nest[boss]) for p in players)",
        "boss != None and any(empty(nest[boss]) for p in players)",
        "flown[now] != None and weight(flown[now]) > 0",
        "all(weight(flown[n]) > 0 for n in lap if flown[n] != None)",
        "boss != None and seen != None and seen in nest[boss]",
        "empty(nest[otherwise(boss, next(otherwise(boss, next_seat)))])",
    ],
)
def test_narrowed(refused: Refused, text: str) -> None:
    """A test for None lets the value stand where it was tested, and only there."""
    functions = {"next_seat": {"type": "player", "is": "next(best_seat)"}}
    state = {"match": {"best_seat": {"type": "player", "init": 1}}}
    base = {"boss": {"type": "player?"}, "nest": {"type": "cards[player]"}, "flag": {"type": "bool"}}
    rest = {"seen": {"type": "card?"}, "flown": {"type": "card?[lap]"}, "now": {"type": "lap"}}

    assert refused(text, functions=functions, state={**state, "round": {**base, **rest}}) == ""


@pytest.mark.parametrize(
    "text",
    [
        "boss == None and empty(nest[boss])",
        "boss != None or empty(nest[boss])",
        "not (boss != None) and empty(nest[boss])",
        "not (boss != None or flag) or empty(nest[boss])",
        "(boss != None or flag) and empty(nest[boss])",
        "empty(nest[boss]) and boss != None",
        "flag if boss != None else empty(nest[boss])",
        "empty(nest[boss]) if boss == None else flag",
        "(boss != None and flag) or empty(nest[boss])",
        "empty(nest[boss]) if boss != None or flag else flag",
        "any(boss != p and empty(nest[boss]) for p in players)",
    ],
)
def test_not_narrowed(refused: Refused, text: str) -> None:
    """What was not tested on the way stays an option."""
    assert refused(text) == BOSS


def test_narrowing_is_for_one_element(refused: Refused) -> None:
    """A test of one element of an array says nothing of the others."""
    assert refused("flown[1] != None and weight(flown[2]) > 0").startswith("weight takes one card")


def test_inner_name_is_another(refused: Refused) -> None:
    """A test of an element says nothing where a quantifier binds the name of its index anew."""
    text = "all(flown[n] == None or any(weight(flown[n]) > 0 for n in lap) for n in lap)"

    assert refused(text) != ""


def test_let_again_is_another(faults: Faults) -> None:
    """A local that is bound anew is no longer what was tested."""
    do = [{"let": "x", "be": "boss"}, {"let": "x", "be": "x"}]
    inside = [{"id": "two", "let": "x", "be": "boss"}, grows("x")]
    branch = {"if": "x != None", "then": inside}

    assert faults(phases=effects([*do[:1], branch])) == [BOSS.replace("boss", "x")]


def test_narrowed_by_an_earlier_row(faults: Faults) -> None:
    """A row of a `first` table may rely on the failing of the rows before it."""
    rows = [
        {"id": "nobody", "when": "boss == None", "then": "False"},
        {"id": "poor", "when": "empty(nest[boss])", "then": "False"},
        {"id": "fine", "else": "len(nest[boss]) > 1"},
    ]

    assert faults(tables={"may": {"type": "bool", "policy": "first", "rows": rows}}) == []


def test_rows_of_a_unique_table_stand_alone(faults: Faults) -> None:
    """A row of a `unique` table may not rely on the failing of the rows before it."""
    rows = [
        {"id": "nobody", "when": "boss == None", "then": "1"},
        {"id": "poor", "when": "empty(nest[boss])", "then": "2"},
    ]

    assert faults(tables={"worth": {"type": "int", "policy": "unique", "rows": rows}}) == [BOSS]


def test_narrowed_by_the_row_itself(faults: Faults) -> None:
    """The verdict of a row may rely on its own condition."""
    rows = [
        {"id": "some", "when": "boss != None", "then": "len(nest[boss])"},
        {"id": "none", "when": "boss == None", "then": "0"},
    ]

    assert faults(tables={"worth": {"type": "int", "policy": "unique", "rows": rows}}) == []


def test_narrowed_by_require(faults: Faults) -> None:
    """What a function, an action or a phase requires may be relied on inside it."""
    functions = {"rich": {"type": "bool", "require": ["boss != None"], "is": "not empty(nest[boss])"}}
    stay = {"by": {"who": "players"}, "legal": "True", "require": "boss != None", "do": [grows("boss")]}
    phases = {"perch": {"actions": ["stay"]}, **effects([grows("boss")], {"require": "boss != None"})}

    assert faults(functions=functions, actions={"stay": stay}, phases=phases) == []


def test_legal_is_typed_before_require(faults: Faults) -> None:
    """The condition of an action is judged before what it requires, and may not rely on it."""
    stay = {"by": {"who": "players"}, "legal": "empty(nest[boss])", "require": "boss != None", "do": []}

    assert faults(actions={"stay": stay}) == [BOSS]


def test_narrowed_by_legal(faults: Faults) -> None:
    """The effects of an action may rely on its condition."""
    stay = {"by": {"who": "players"}, "legal": "boss == me", "do": [grows("boss")]}

    assert faults(actions={"stay": stay}) == []


def test_narrowed_by_set(faults: Faults) -> None:
    """A variable that was just given a value has one."""
    do = [{"for": "p", "in": "players", "do": [{"set": "boss", "to": "p"}, grows("boss")]}]

    assert faults(phases=effects(do)) == []


def test_set_to_none_is_none(faults: Faults) -> None:
    """A variable that was set to None is no longer narrowed."""
    do = [{"if": "boss != None", "then": [{"set": "boss", "to": "None"}, grows("boss")]}]

    assert faults(phases=effects(do)) == [BOSS]


def test_set_through_itself(faults: Faults) -> None:
    """An element written at a place that the array itself names may be another one afterwards."""
    state = {
        "match": {
            "after": {"type": "player?[player]"},
            "p": {"type": "player", "init": 0},
            "nest": {"type": "cards[player]"},
        }
    }
    here = "after[otherwise(after[p], p)]"

    assert faults(state=state, phases=effects([{"set": here, "to": "next(p)"}, grows(here)])) != []


@pytest.mark.parametrize(
    "write",
    [
        {"set": "flown[2]", "to": "None"},
        {"reset": "round"},
        {"reset": "match"},
        {"if": "flag", "then": [{"set": "flown[now]", "to": "None"}]},
        {"if": "flag", "then": [{"set": "now", "to": "2"}]},
        {"if": "flag", "then": [{"reset": "round"}]},
        {"if": "flag", "then": [{"if": "flag", "then": [{"reset": "match"}]}]},
        {"cases": [{"id": "a", "when": "flag", "do": []}, {"id": "b", "else": True, "do": [{"reset": "round"}]}]},
        {"for": "p", "in": "players", "do": [{"set": "flown[1]", "to": "None"}]},
        {"for": "p", "in": "players", "do": [{"reset": "round"}]},
    ],
)
def test_forgotten(faults: Faults, write: dict[str, Any]) -> None:
    """A write to a variable, or to the index of an element, ends what was known of it."""
    use = {"set": "flag", "to": "weight(flown[now]) > 0"}

    assert faults(phases=effects([{"if": "flown[now] != None", "then": [use]}])) == []
    assert faults(phases=effects([{"if": "flown[now] != None", "then": [write, {**use, "id": "use"}]}])) != []


def test_forgotten_on_the_second_round(faults: Faults) -> None:
    """What a loop writes behind a use is unknown when the use comes round again."""
    for write in ({"set": "boss", "to": "None"}, {"reset": "match"}, {"if": "flag", "then": [{"reset": "match"}]}):
        loop = {"for": "p", "in": "players", "do": [grows("boss"), write]}

        assert faults(phases=effects([{"if": "boss != None", "then": [loop]}])) == [BOSS]


def test_other_variables_stay_narrowed(faults: Faults) -> None:
    """A write to one variable, or the reset of an inner scope, leaves what is known of others."""
    do = [{"if": "boss != None", "then": [{"set": "seen", "to": "None"}, {"reset": "round"}, grows("boss")]}]

    assert faults(phases=effects(do)) == []


def test_narrowed_behind_a_leaving_branch(faults: Faults) -> None:
    """Behind a branch that leaves the phase its condition is known to have failed."""
    leave = {"if": "boss == None", "then": [{"goto": "night"}]}

    assert faults(phases=effects([leave, grows("boss")])) == []


def test_not_narrowed_behind_a_branch_that_goes_on(faults: Faults) -> None:
    """Behind a branch that goes on, its condition may have held."""
    stay = {"if": "boss == None", "then": [{"set": "flag", "to": "True"}]}

    assert faults(phases=effects([stay, grows("boss")])) == [BOSS]


def test_narrowing_of_a_call(faults: Faults) -> None:
    """A function without arguments that was tested may be used, until anything is written."""
    functions = {"chief": {"type": "player?", "is": "boss"}}
    test = {"if": "chief != None", "then": [grows("chief"), grows("chief") | {"id": "again"}]}

    assert faults(functions=functions, phases=effects([test])) == [BOSS.replace("boss", "chief")]


def test_show_is_narrowed_by_when(faults: Faults) -> None:
    """What a view shows may rely on its `when`, not on its `seen`."""
    assert faults(view={"it": {"when": "boss != None", "show": "len(nest[boss])"}}) == []
    assert faults(view={"it": {"when": "flag", "show": "len(nest[boss])"}}) == [BOSS]


# Index bounds and numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["flown[1]", "flown[now]", "flown[three]", "flown[least(now + 1, 3)]", "{n for n in lap if flown[n] == None}"],
)
def test_index_within_bounds(refused: Refused, text: str) -> None:
    """An index whose numbers are all numbers of the array may be used."""
    assert refused(text) == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("flown[0]", "0..0"),
        ("flown[4]", "4..4"),
        ("flown[now + 1]", "2..4"),
        ("flown[now - 1]", "0..2"),
        ("flown[tally]", "0..9"),
    ],
)
def test_index_out_of_bounds(refused: Refused, text: str, found: str) -> None:
    """An index that may lie outside is refused with its bounds and those of the array."""
    index = text[6:-1]

    assert refused(text) == f"the index `{index}` is int {found}, the array has int 1..3"


def test_list_in_the_data_has_no_bounds(refused: Refused) -> None:
    """The numbers of a list in the data may be negative, so they index nothing without a test."""
    assert refused("[flown[least(n, 3)] for n in steps]") != ""
    assert refused("any(flown[least(n, 3)] == None for n in steps)") != ""


def test_number_out_of_an_argument(faults: Faults) -> None:
    """A number that the argument does not have is refused, in an option too."""
    functions = {
        "at": {"args": {"n": "lap"}, "type": "card?", "is": "flown[n]"},
        "maybe": {"args": {"n": "lap?"}, "type": "bool", "is": "n == None"},
        "wrong": {"type": "card?", "is": "at(4)"},
        "worse": {"type": "bool", "is": "maybe(tally if flag else None)"},
    }

    assert faults(functions=functions) == [
        "`4` is int 4..4, at takes int 1..3",
        "`tally if flag else None` is int 0..9?, maybe takes int 1..3?",
    ]


def test_number_out_of_a_result(faults: Faults) -> None:
    """A function or table gives no number outside its declared type, in an option neither."""
    rows = [{"id": "a", "when": "flag", "then": "7"}, {"id": "b", "when": "not flag", "then": "1"}]
    functions = {"f": {"type": "int 0..8", "is": "tally"}, "g": {"type": "lap?", "is": "tally if flag else None"}}
    tables = {"t": {"type": "lap", "policy": "unique", "rows": rows}}

    assert [fault.split("; ")[0] for fault in faults(functions=functions, tables=tables)] == [
        "the function f is declared int 0..8 and can give int 0..9",
        "the function g is declared int 1..3? and can give int 0..9?",
        "the table t is declared int 1..3 and can give int 1..7",
    ]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("now + now", "int 2..6"),
        ("now - now", "int -2..2"),
        ("now * -2", "int -6..-2"),
        ("tally // 2", "int 0..4"),
        ("-now // 2", "int -2..-1"),
        ("(tally - 4) // now", "int -4..5"),
        ("least(now, tally)", "int 0..3"),
        ("most(now, tally)", "int 1..9"),
        ("abs(now - 2)", "int 0..1"),
        ("len(pack)", "int 0..6"),
        ("count(flag for p in players)", "int 0..4"),
        ("sum(now for p in players)", "int 0..12"),
        ("sum(weight(c) for c in pack)", "int -6..30"),
        ("max((now for p in players), default=-1)", "int -1..3"),
        ("now if flag else 7", "int 1..7"),
        ("weight(otherwise(seen, card(owl, moss)))", "int -1..5"),
    ],
)
def test_reach(tiny: Callable[..., Any], text: str, type_: str) -> None:
    """The numbers that an expression can give are known from those of its parts."""
    functions = {"f": {"type": "int", "is": text}}

    assert type_ == str(tiny(functions=functions).functions["f"].type)


# Type errors and hints ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 + flag", "int 1..1 + bool has no meaning"),
        ("boss + 1", "player? + int 1..1 has no meaning; test for None first"),
        ("1 & 2", "int 1..1 & int 2..2 has no meaning"),
        ("pack + pack", "cards + cards has no meaning"),
        ("1 // 0", "division by what may be below 1; divide by a number, a parameter, or most(1, ...)"),
        ("1 // -1", "division by what may be below 1; divide by a number, a parameter, or most(1, ...)"),
        ("1 // tally", "division by what may be below 1; divide by a number, a parameter, or most(1, ...)"),
        ("-flag", "minus before bool; minus takes numbers"),
        ("not 1", "`1` is int 1..1 where bool is needed"),
        ("1 and flag", "`1` is int 1..1 where bool is needed"),
        ("1 == flag", "`1 == flag` compares int 1..1 with bool"),
        ("boss < boss", "`boss < boss` compares player? with player?; test for None first"),
        ("moss == hawk", "`moss == hawk` compares suit with rank"),
        ("moss < rust", "`moss < rust` compares suit with suit"),
        ("nest == nest", "`nest == nest` compares cards[player] with cards[player]"),
        ("feel in pack", "`feel in pack`: cards holds no mood"),
        ("1 in 2", "`1 in 2`: int 2..2 holds no int 1..1"),
        ("1 if now else 2", "`now` is int 1..3 where bool is needed"),
        ("1 if flag else moss", "one branch is int 1..1, the other suit"),
        ("[1, moss]", "the members are of different types"),
        ("[boss]", "a member may be None; test it first, or leave it out by a condition"),
        ("{flown[n] for n in lap}", "`flown[n]` is card?; a set holds plain values; test for None in the condition"),
        ("now[1]", "`now` is int 1..3, no array"),
        ("nest[1]", "`1` is int 1..1 where player is needed"),
        ("any(flag for x in now)", "`now` is int 1..3, nothing to range over"),
        ("any(1 for x in lap)", "`1` is int 1..1 where bool is needed"),
        ("sum(flag for x in lap)", "sum of bool; sum takes numbers"),
        ("max((flag for x in lap), default=0)", "max of bool; max takes numbers"),
        ("max(x for x in lap)", "max without a default; write max((...), default=0)"),
        ("max((x for x in lap), default=flag)", "the default of max is bool, no number"),
        ("sum((x for x in lap), default=0)", "sum takes no named arguments but the default of min and max"),
        ("any(flag for now in lap)", "the local name 'now' hides a name of the game; choose another"),
        ("max(lap, key=1)", "the key of max is a function of one argument; write key=strength or key=lambda c: ..."),
        ("max(pack, key=suit)", "the key of max gives suit, no number"),
        ("max(now, key=abs)", "`now` is nothing to choose from"),
        ("weight(seen)", "weight takes one card; write weight(card)"),
        ("suit(seen)", "suit does not take (card?); `seen` may be None: test it first"),
        ("suit(1)", "suit does not take (int 1..1); use it as suit(card)"),
        ("len(now)", "len does not take (int 1..3); use it as len(cards, pile or values)"),
        ("len(pack=1)", "len takes no named arguments here"),
        ("any(flag for c in orders(pack))", "orders and subsets are domains of parameters only"),
        (
            "any(flag for c in (orders(pack) if flag else orders(pack)))",
            "a choice between orders; choose between the cards inside: orders(one if ... else other)",
        ),
        (
            "any(flag for c in otherwise(orders(pack), orders(pack)))",
            "otherwise does not take (orders, orders); use it as otherwise(value or None, value)",
        ),
        ("1.5", "the literal 1.5; whole numbers, True, False and None are the literals"),
        (
            "'moss'",
            "the literal 'moss'; write moss without quotes; whole numbers, True, False and None are the literals",
        ),
        ("9999999999", "the literal 9999999999; whole numbers, True, False and None are the literals"),
    ],
)
def test_type_error(refused: Refused, text: str, message: str) -> None:
    """A type error says what was found, and where one can guess, what to write instead."""
    assert message == refused(text)


@pytest.mark.parametrize(
    "text",
    [
        "now ** 2", "now % 2", "now / 2", "~now", "+now", "now << 1", "now ^ 1", "pack ^ pack",
        "now is 1", "now is not 1", "flown[1:2]", "[*pack]", "{**pack}", "{}", "{1: 2}", "lambda: 1", "lambda x: x",
        "[n for n in lap]", "(n for n in lap)", "{n for n in lap for m in lap}", "any(flag async for n in lap)",
        "any(a for a, b in lap)", "now.real", "pack.pop()", "nest()()", "f'{now}'", "(n := 1)", "...", "b'x'", "1j",
        "__import__", "weight(*pack)", "weight(**pack)", "await now", "yield now",
    ],
)  # fmt: skip
def test_no_form_of_the_language(refused: Refused, text: str) -> None:
    """Whatever else Python can say is refused."""
    assert refused(text) != ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "1 +",
        "now now",
        "1 = 2",
        "import os",
        "if",
        "a;b",
        "\x00",
        "\ud800",
        "1\n2",
        "1if flag else 2",
        "0777",
        "1_",
    ],
)
def test_no_expression(refused: Refused, text: str) -> None:
    """What is no expression at all is refused as such."""
    assert refused(text) != ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bos != None", "unknown name 'bos'; did you mean 'boss'?"),
        ("weigth(seen)", "unknown function 'weigth'; did you mean 'weight'?"),
        ("first_of(pack)", "unknown function 'first_of'"),
        ("zzz", "unknown name 'zzz'"),
        ("sz(1)", "sz takes 2 argument(s), not 1; sz(a: int, b: lap?)"),
        ("sz", "sz needs 2 argument(s); write sz(a: int, b: lap?)"),
        ("sz(flag, 1)", "`flag` is bool where int is needed"),
    ],
)
def test_names(refused: Refused, text: str, message: str) -> None:
    """An unknown name is told with the nearest known one, a wrong call with the form of the function."""
    functions = {"sz": {"args": {"a": "int", "b": "lap?"}, "type": "int", "is": "a"}}

    assert message.replace("lap?", "int 1..3?") == refused(text, functions=functions)


# Functions, tables, effects, phases -----------------------------------------------------------------------------------


def test_recursion(faults: Faults) -> None:
    """Functions that call each other in a circle are refused, and the circle is named."""
    functions = {name: {"type": "int", "is": f"{after} + 1"} for name, after in (("a", "b"), ("b", "c"), ("c", "a"))}

    assert "a calls itself: a -> b -> c -> a; nothing in a rules file is recursive" in faults(functions=functions)


def test_recursion_in_itself(faults: Faults) -> None:
    """A function that calls itself is refused."""
    functions = {"f": {"args": {"n": "int"}, "type": "int", "is": "0 if n == 0 else f(n - 1)"}}

    assert faults(functions=functions) == ["f calls itself: f -> f; nothing in a rules file is recursive"]


def test_long_chain_of_calls(faults: Faults) -> None:
    """A chain of calls longer than anybody can follow is refused, not followed until the stack ends."""
    functions = {f"f{n}": {"type": "int", "is": f"f{n + 1}"} for n in range(500)}

    assert faults(functions={**functions, "f500": {"type": "int", "is": "1"}}) != []


@pytest.mark.parametrize("order", [1, -1])
def test_deep_expressions_in_a_chain(faults: Faults, order: int) -> None:
    """Calls and expressions that nest deeper together than can be computed are refused, however they are ordered."""
    deep = {f"f{n}": {"type": "int", "is": "(" * 24 + f"f{n + 1}" + " + 1)" * 24} for n in range(25)}
    functions = dict(list({**deep, "f25": {"type": "int", "is": "1"}}.items())[::order])
    shallow = {f"f{n}": {"type": "int", "is": f"f{n + 1} + 1"} for n in range(25)}

    assert any("an expression nested deeper than 120, calls included" in fault for fault in faults(functions=functions))
    assert faults(functions={**shallow, "f25": {"type": "int", "is": "1"}}) == []


def test_declared_type(faults: Faults) -> None:
    """A function gives what it declares; an option must be declared as one."""
    functions = {"f": {"type": "player", "is": "boss"}, "g": {"type": "suit", "is": "1"}}

    assert faults(functions=functions) == [
        "the function f is declared player and gives player?; write the type with `?`",
        "the function g is declared suit and gives int 1..1",
    ]


def test_operators_in_a_cell(faults: Faults) -> None:
    """A cell with more than three operators is refused; calls inside it do not count."""
    rows = [{"id": "a", "when": "flag and now > 1 and tally > 1", "then": "True"}, {"id": "z", "else": "False"}]
    good = [{**rows[0], "when": "flag and now > 1"}, rows[1]]

    assert faults(tables={"t": {"type": "bool", "policy": "first", "rows": rows}}) == [
        "4 operators in one cell; name a part of it as a function"
    ]
    assert faults(tables={"t": {"type": "bool", "policy": "first", "rows": good}}) == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [{"id": "a", "when": "flag", "then": "True"}],
            "a `first` table ends with one `else` row; write `{id: ..., else: ...}` last",
        ),
        (
            [{"id": "a", "else": "True"}, {"id": "b", "else": "True"}],
            "a `first` table ends with one `else` row; write `{id: ..., else: ...}` last",
        ),
        ([{"id": "a", "when": "flag"}, {"id": "b", "else": "True"}], "a row with `when` needs `then`"),
        ([{"id": "a", "else": "1"}], "a `first` table decides yes or no; use `policy: unique` for values"),
        (
            [{"id": "a", "when": "flag", "then": "True"}, {"id": "a", "else": "False"}],
            "a second row 'a'; give each row an `id:` of its own",
        ),
        (
            [{"id": "a", "when": "now", "then": "True"}, {"id": "b", "else": "True"}],
            "a condition is needed, this is int 1..3",
        ),
        (
            [{"id": "a", "when": "flag", "then": "1"}, {"id": "b", "else": "True"}],
            "the row gives bool, the rows before it int 1..1",
        ),
    ],
)
def test_rows_of_a_first_table(faults: Faults, rows: list[Any], message: str) -> None:
    """A `first` table decides yes or no, its rows have ids, and its last row alone is an `else`."""
    assert message in faults(tables={"t": {"type": "bool", "policy": "first", "rows": rows}})


def test_unique_table_has_no_else(faults: Faults) -> None:
    """A `unique` table has no default."""
    rows = [{"id": "a", "when": "flag", "then": "1"}, {"id": "b", "else": "2"}]

    assert faults(tables={"t": {"type": "int", "policy": "unique", "rows": rows}}) == [
        "a row without `when` in a `unique` table; state its condition"
    ]


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ({"set": "now", "to": "flag"}, "bool cannot be kept in now, which is int 1..3"),
        ({"set": "feel", "to": "wish"}, "mood? cannot be kept in feel, which is mood; test it for None first"),
        ({"set": "three", "to": "1"}, "`three` cannot be written; write to a variable of the state"),
        ({"set": "len(pack)", "to": "1"}, "`len(pack)` cannot be written; write to a variable of the state"),
        ({"add": "feel", "by": "1"}, "int 1..1 cannot be added to mood; add numbers to numbers"),
        (
            {"move": "pack", "from": "heap", "to": "heap"},
            "move of cards from pile to pile; move: cards, from: cards, to: cards",
        ),
        (
            {"draw": "pack", "from": "heap", "to": "heap"},
            "draw of cards from pile to pile; draw: number, from: pile, to: cards",
        ),
        ({"for": "x", "in": "now", "do": []}, "`now` is int 1..3, nothing to range over"),
        ({"reset": "week"}, "unknown scope 'week'; scopes are match, round"),
        ({"goto": "noon"}, "unknown phase 'noon'; phases are opening, night"),
        ({"sing": 1}, "an effect of unknown form; effects are set, add, let, move, draw, for, if, cases, reset, goto"),
        ({"for": "p", "in": "players", "do": [{"goto": "night"}]}, "a `goto` inside `for`; decide after the loop"),
        (
            {"if": "flag", "then": [{"goto": "night"}], "else": [{"goto": "night"}]},
            "nothing happens after a `goto`; move it before, or leave it out",
        ),
    ],
)
def test_effect_error(faults: Faults, effect: dict[str, Any], message: str) -> None:
    """An effect that cannot be carried out is refused with its reason."""
    assert message in faults(phases=effects([effect]))


def test_effects_have_ids(faults: Faults) -> None:
    """Two effects of one list that write the same variable need ids of their own."""
    do = [{"set": "now", "to": "1"}, {"set": "now", "to": "2"}]

    assert faults(phases=effects(do)) == ["a second effect 'set-now'; give each effect an `id:` of its own"]
    assert faults(phases=effects([do[0], {"id": "late", **do[1]}])) == []


def test_automatic_phase_leaves(faults: Faults) -> None:
    """Every path through an automatic phase ends in a `goto`."""
    phases = {"opening": {"do": [{"if": "flag", "then": [{"goto": "night"}]}]}, "night": {"final": True}}

    assert faults(phases=phases) == ["the phase opening can end nowhere; let every path end with `go:` and a phase"]


def test_automatic_phases_in_a_circle(faults: Faults) -> None:
    """Automatic phases that lead back to themselves without a decision are refused."""
    phases = {name: {"do": [{"goto": after}]} for name, after in (("a", "b"), ("b", "c"), ("c", "b"))}

    assert faults(phases=phases) == [
        f"the automatic phase {name} can lead back to itself without a decision" for name in ("b", "c")
    ]


def test_circle_through_a_decision(faults: Faults) -> None:
    """Automatic phases may lead back to themselves through a decision."""
    stay = {"by": {"who": "players"}, "legal": "True", "do": [{"goto": "opening"}]}
    phases = {"opening": {"do": [{"goto": "perch"}]}, "perch": {"actions": ["stay"]}}

    assert faults(actions={"stay": stay}, phases=phases) == []


@pytest.mark.parametrize(
    "phase",
    [{}, {"final": True, "actions": ["stay"]}, {"do": [{"goto": "night"}], "actions": ["stay"]}, {"actions": []}],
)
def test_phase_is_one_thing(faults: Faults, phase: dict[str, Any]) -> None:
    """A phase is automatic, a decision or the end, and nothing else."""
    phases = {"opening": phase, "night": {"final": True}}

    assert faults(phases=phases) == ["a phase has either `actions`, or `do`, or `final: true`"]


def test_unknown_action(faults: Faults) -> None:
    """A phase offers declared actions."""
    assert faults(phases={"perch": {"actions": ["stay", "sing"]}}) == ["unknown action 'sing'; actions are stay"]


def test_who_acts(faults: Faults) -> None:
    """`who` names seats."""
    act = {"by": {"who": "teams"}, "legal": "True", "do": []}

    assert faults(actions={"stay": act}) == [
        "`who` is values of team, not seats; write players, turn, members(team), ..."
    ]


def test_described_parameters_are_not_asked_for(faults: Faults) -> None:
    """The condition of an action with a described parameter cannot ask for the parameters: they are not known yet."""
    act = {"by": {"who": "players"}, "params": {"n": {"in": "range(1, 3)"}}, "legal": "n > 1", "do": []}

    assert len(faults(actions={"stay": act})) == 1


def test_flat_needs_lists(faults: Faults) -> None:
    """`flat` runs lists together, so what it shows are lists."""
    inner = {"each": "n", "in": "lap", "show": "n"}

    assert faults(view={"it": {"each": "p", "in": "players", "flat": True, "show": inner}}) == []
    assert len(faults(view={"it": {"each": "p", "in": "players", "flat": True, "show": "p"}})) == 1
    assert len(faults(view={"it": {"each": "p", "in": "players", "flat": True, "show": {"seat": "p"}}})) == 1


def test_orders_are_not_shown(faults: Faults) -> None:
    """A view shows values, not every order of the cards."""
    assert len(faults(view={"it": "orders(pack)"})) == 1


# Material -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"state": {"match": {"x": {"type": "crow"}}}}, "unknown type 'crow'"),
        (
            {"state": {"match": {"x": {"type": "suit"}}}},
            "a variable of type suit needs a first value; write `init:` or make it suit?",
        ),
        ({"state": {"match": {"x": {"type": "int 0..9", "init": 10}}}}, "'10' is no int 0..9"),
        ({"state": {"match": {"x": {"type": "int 9..0"}}}}, "int 9..0"),
        (
            {"state": {"match": {"x": {"type": "int 0..ten"}}}},
            "'ten' is neither a number nor the name of a number in params",
        ),
        ({"state": {"match": {"x": {"type": "bool[card?]"}}}}, "'card?' cannot index an array"),
        ({"state": {"match": {"x": {"type": "bool"}}, "round": {"x": {"type": "bool"}}}}, "'x'"),
        (
            {"state": {"match": {"moss": {"type": "bool"}}}},
            "the name 'moss' means a variable already; rename one of them",
        ),
        ({"types": {"mood": {"values": ["moss"]}}}, "the name 'moss' means a suit already; rename one of them"),
        ({"types": {"card": {"values": ["x"]}}}, "the type 'card' exists already; choose another name"),
        ({"types": {"lap": {"from": 3, "to": 1}}}, "the type 'lap' has no values; `from` is at most `to`"),
        ({"types": {"lap": {"from": 1, "to": 99999}}}, "lap"),
        ({"params": {"moss": {"value": 1}}}, "'moss' is a suit already; rename one of them"),
        ({"seating": {"seats": 4, "teams": [[0, 1], [2]]}}, "the teams do not hold every seat once; seats are 0 to 3"),
        ({"seating": {"seats": 0}}, "seats"),
        ({"seating": {"seats": 100000}}, "seats"),
        ({"deck": {"suits": {}, "ranks": {}}}, "card"),
        (
            {"deck": {"suits": {"M": "moss"}, "ranks": {"H": "hawk"}, "without": ["HR"]}},
            "the pack has no card 'HR' to leave out",
        ),
        (
            {"attributes": {"weight": {"by": "rank", "values": {"H": 1}}}},
            "weight says nothing of WM; give every card a number",
        ),
        ({"start": {"phase": "dawn", "deal": "stay", "given": {}}}, "unknown phase 'dawn'"),
        ({"start": {"phase": "perch", "deal": "sing", "given": {}}}, "unknown action 'sing'"),
        (
            {"start": {"phase": "perch", "deal": "stay", "given": {"x": "zip"}}},
            "x would set 'zip', which is no variable",
        ),
    ],
)
def test_material_error(faults: Faults, sections: dict[str, Any], message: str) -> None:
    """What a game is made of is checked before its rules, and a name has one meaning."""
    assert any(message in fault for fault in faults(**sections))


@pytest.mark.parametrize("name", ["len", "sum", "weight", "pack", "players", "boss", "three", "mood"])
def test_function_hides_nothing(faults: Faults, name: str) -> None:
    """A function is not named like anything else that can be written in an expression."""
    assert faults(functions={name: {"type": "int", "is": "1"}}) != []


def test_function_and_table_of_one_name(faults: Faults) -> None:
    """A function and a table are not named alike."""
    rows = [{"id": "a", "else": "True"}]

    assert (
        faults(
            functions={"f": {"type": "int", "is": "1"}}, tables={"f": {"type": "bool", "policy": "first", "rows": rows}}
        )
        != []
    )


def test_arrays_are_bounded(faults: Faults) -> None:
    """An array that would fill the memory is refused."""
    types = {"lap": {"from": 1, "to": 900}}

    assert faults(types=types, state={"match": {"x": {"type": "bool[lap][lap][lap]"}}}) != []


def test_ranges_are_bounded(refused: Refused) -> None:
    """A range of numbers that would take for ever to go through is refused."""
    assert refused("sum(n for n in range(0, 999999999))") != ""


def test_every_rule_has_a_clause(tiny: Callable[..., Any]) -> None:
    """A record without a clause of its own is refused."""
    with pytest.raises(Invalid, match="bare has no clause; write `clause:` with the id of the clause it carries out"):
        tiny(functions={"bare": {"type": "int", "is": "1", "clause": None}})


def test_all_faults_together(faults: Faults) -> None:
    """All that is wrong with a file is told at once, in the order of the file."""
    found = faults(
        functions={"f": {"type": "int", "is": "flag"}, "g": {"type": "int", "is": "zip"}},
        actions={
            "stay": {"by": {"who": "players"}, "legal": "1", "do": [{"set": "now", "to": "flag"}, {"reset": "week"}]}
        },
        score={"it": "nest[boss]"},
    )

    assert len(found) == 4


def test_faults_have_places(tiny: Callable[..., Any]) -> None:
    """A fault names file, line and column of what is wrong."""
    with pytest.raises(Invalid) as caught:
        tiny(score={"it": "zip"})

    (fault,) = caught.value.faults
    assert str(fault) == f"birds.yaml:{fault.place.line}:{fault.place.column}: unknown name 'zip'"
    assert (fault.place.line > 100, fault.place.column) == (True, 9)
