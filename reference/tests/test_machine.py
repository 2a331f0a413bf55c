"""Playing: acts and refusals, crashes of broken promises, described parameters, views, starts, conservation."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from brou import BadAct, Crash, Impossible, Machine, Refusal, State
from brou.language.load import load_rules
from brou.language.source import parse_yaml
from brou.language.types import as_row

Tiny = Callable[..., Any]

STATE = {
    "match": {
        "boss": {"type": "player", "init": 1},
        "total": {"type": "int -9..9[team]"},
        "count": {"type": "int 0..3"},
    },
    "round": {
        "nest": {"type": "cards[player]", "zone": True},
        "heap": {"type": "pile", "zone": True},
        "seen": {"type": "card?"},
        "wish": {"type": "mood?"},
        "now": {"type": "lap"},
    },
}


def act(do: list[Any] | None = None, legal: str = "True", who: str = "players", **more: Any) -> dict[str, Any]:
    """Return an action of a rules file."""
    return {"by": {"who": who}, "legal": legal, "do": do or [], **more}


def playing(
    tiny: Tiny, do: list[Any] | None = None, opening: list[Any] | None = None, **sections: Any
) -> tuple[Machine, State]:
    """Return a machine with one action `do` (unless others are given) and its first state."""
    actions = sections.pop("actions", {"do": act(do)})
    phases = {"perch": {"actions": list(actions)}, "night": {"final": True}}
    if opening:
        phases = {"opening": {"do": [*opening, {"goto": "perch"}]}, **phases}
    machine = Machine(tiny(**{"state": STATE, "actions": actions, "phases": phases, **sections}))
    return machine, machine.begin()


def after(tiny: Tiny, do: list[Any], opening: list[Any] | None = None, *, variable: str) -> Any:
    """Return a variable after the effects of one act."""
    machine, state = playing(tiny, do, opening)
    following = machine.act(state, 0, {"do": True})
    assert isinstance(following, State)
    return machine.get(following, variable)


# Effects --------------------------------------------------------------------------------------------------------------

FILLED = [{"set": "nest[boss]", "to": "{c for c in pack if suit(c) == moss}"}]
HEAPED = [*FILLED, {"move": "nest[boss]", "from": "nest[boss]", "to": "heap"}]


def test_set(tiny: Tiny) -> None:
    """`set` gives a variable a value."""
    assert after(tiny, [{"set": "now", "to": "3"}], variable="now") == 3


def test_a_function_follows_the_effects_of_one_act(tiny: Tiny) -> None:
    """A function without arguments is evaluated anew after each effect, whatever it gave before the act."""
    now = {"type": "lap", "is": "now"}
    do = [{"set": "count", "to": "1 if later() == 3 else 0"}, {"set": "now", "to": "3"}]
    do += [{"id": "again", "set": "count", "to": "count + (2 if later() == 3 else 0)"}]
    machine, state = playing(tiny, do, functions={"later": now}, actions={"do": act(do, "later() != 3")})
    assert machine.refusal(state, 0, {"do": True}) is None
    following = machine.act(state, 0, {"do": True})

    assert isinstance(following, State)
    assert machine.get(following, "count") == 2
    assert isinstance(machine.act(following, 0, {"do": True}), Refusal)
    assert machine.refusal(state, 0, {"do": True}) is None


def test_set_an_element(tiny: Tiny) -> None:
    """`set` of an element leaves the others."""
    assert after(tiny, [{"set": "total[team(boss)]", "to": "-4"}], variable="total") == (0, -4)


def test_set_an_element_of_an_element(tiny: Tiny) -> None:
    """`set` reaches into arrays of arrays, whatever they are indexed by."""
    state = {"match": {"grid": {"type": "int 0..9[lap][suit]"}, "boss": {"type": "player", "init": 1}}}
    machine, first = playing(tiny, [{"set": "grid[2][rust]", "to": "7"}], state=state)
    following = machine.act(first, 0, {"do": True})

    assert isinstance(following, State)
    assert machine.get(following, "grid") == ((0, 0), (0, 7), (0, 0))


def test_add(tiny: Tiny) -> None:
    """`add` adds to a number, negative ones too."""
    do = [{"add": "total[team(boss)]", "by": "5"}, {"id": "back", "add": "total[team(boss)]", "by": "-7"}]

    assert after(tiny, do, variable="total") == (0, -2)


def test_let(tiny: Tiny) -> None:
    """`let` names a value for the effects behind it, and keeps it when its origin changes."""
    do = [{"let": "x", "be": "now"}, {"set": "now", "to": "3"}, {"set": "count", "to": "x + 1"}]

    assert after(tiny, do, variable="count") == 2


def test_let_in_a_branch(tiny: Tiny) -> None:
    """A `let` in a branch does not disturb one behind it."""
    branch = {"if": "now == 1", "then": [{"let": "y", "be": "9"}]}
    do = [{"let": "x", "be": "1"}, branch, {"let": "z", "be": "2"}, {"set": "count", "to": "least(x + z, 3)"}]

    assert after(tiny, do, variable="count") == 3


def test_move(tiny: Tiny) -> None:
    """`move` takes cards out of one set and puts them into another."""
    do = [{"move": "{card(owl, moss)}", "from": "nest[boss]", "to": "nest[next(boss)]"}]

    assert after(tiny, do, FILLED, variable="nest") == (
        frozenset(), frozenset({"HM", "WM"}), frozenset({"OM"}), frozenset(),
    )  # fmt: skip


def test_move_to_a_pile(tiny: Tiny) -> None:
    """`move` lays cards on top of a pile in the order of the pack."""
    do = [
        {"set": "nest[boss]", "to": "{card(owl, rust), card(hawk, rust)}"},
        {"move": "nest[boss]", "from": "nest[boss]", "to": "heap"},
    ]

    assert after(tiny, do, HEAPED, variable="heap") == ("HR", "OR", "HM", "WM", "OM")


def test_move_of_what_is_not_there(tiny: Tiny) -> None:
    """A card that is moved from where it is not is a crash."""
    with pytest.raises(Crash, match="cards are moved from where they are not"):
        after(tiny, [{"move": "{card(owl, rust)}", "from": "nest[boss]", "to": "nest[boss]"}], variable="nest")


def test_draw(tiny: Tiny) -> None:
    """`draw` takes cards from the top of a pile."""
    do = [{"draw": "2", "from": "heap", "to": "nest[boss]"}]

    assert after(tiny, do, HEAPED, variable="nest")[1] == {"HM", "WM"}
    assert after(tiny, do, HEAPED, variable="heap") == ("OM",)


def test_draw_too_many(tiny: Tiny) -> None:
    """Drawing more cards than there are is a crash."""
    with pytest.raises(Crash, match="4 cards are drawn from 3"):
        after(tiny, [{"draw": "4", "from": "heap", "to": "nest[boss]"}], HEAPED, variable="nest")


def test_for(tiny: Tiny) -> None:
    """`for` goes through its values in order, and through a set of cards in the order of the pack."""
    do = [
        {
            "for": "c",
            "in": "pack",
            "do": [{"if": "seen == None or suit(c) == rust", "then": [{"set": "seen", "to": "c"}]}],
        }
    ]

    assert after(tiny, do, variable="seen") == "OR"


def test_for_sees_its_own_writes(tiny: Tiny) -> None:
    """What a loop wrote is there on its next round."""
    do = [{"for": "p", "in": "players", "do": [{"if": "count < 3", "then": [{"add": "count", "by": "1"}]}]}]

    assert after(tiny, do, variable="count") == 3


def test_cases(tiny: Tiny) -> None:
    """The first case that holds is carried out, and no other."""
    cases = [
        {"id": "no", "when": "now > 1", "do": [{"set": "count", "to": "1"}]},
        {"id": "yes", "when": "now == 1", "do": [{"set": "count", "to": "2"}]},
        {"id": "rest", "else": True, "do": [{"set": "count", "to": "3"}]},
    ]

    assert after(tiny, [{"cases": cases}], variable="count") == 2


def test_reset(tiny: Tiny) -> None:
    """`reset` sets a scope and the scopes inside it back to their first values, and no outer one."""
    do = [{"set": "now", "to": "3"}, {"set": "count", "to": "2"}, {"reset": "round"}]

    assert after(tiny, do, variable="now") == 1
    assert after(tiny, do, variable="count") == 2
    assert after(tiny, [*do[:2], {"reset": "match"}], variable="now") == 1


def test_goto(tiny: Tiny) -> None:
    """`goto` ends the effects, and automatic phases run on until a decision or the end."""
    actions = {"do": act([{"if": "now == 1", "then": [{"goto": "dusk"}]}, {"set": "count", "to": "3"}])}
    phases = {
        "perch": {"actions": ["do"]},
        "dusk": {"do": [{"add": "count", "by": "1"}, {"goto": "night"}]},
        "night": {"final": True},
    }
    machine, state = playing(tiny, actions=actions, phases=phases)
    following = machine.act(state, 0, {"do": True})

    assert isinstance(following, State)
    assert (following.phase, machine.get(following, "count"), machine.over(following)) == ("night", 1, True)


def test_state_is_untouched(tiny: Tiny) -> None:
    """An act leaves the state it starts from as it was."""
    machine, state = playing(tiny, [{"set": "now", "to": "3"}])
    machine.act(state, 0, {"do": True})

    assert (state, machine.get(state, "now")) == (machine.begin(), 1)


# Broken promises ------------------------------------------------------------------------------------------------------


def test_bounds_of_a_variable(tiny: Tiny) -> None:
    """A number outside the bounds of its variable is a crash that names both."""
    with pytest.raises(Crash, match=r"count is int 0\.\.3 and would become 4"):
        after(tiny, [{"set": "count", "to": "len(pack) - len(pack) + 4"}], variable="count")


def test_bounds_of_an_element(tiny: Tiny) -> None:
    """The bounds hold for the elements of an array too."""
    with pytest.raises(Crash, match=r"total is int -9\.\.9 and would become -10"):
        after(tiny, [{"add": "total[team(boss)]", "by": "-10"}], variable="total")


def test_bounds_of_an_option(tiny: Tiny) -> None:
    """The bounds hold for a number that may be absent too."""
    state = {"match": {"n": {"type": "lap?"}, "boss": {"type": "player", "init": 1}}}
    machine, first = playing(tiny, [{"set": "n", "to": "len(pack)"}], state=state)

    with pytest.raises(Crash, match="would become 6"):
        machine.act(first, 0, {"do": True})


@pytest.mark.parametrize("record", ["function", "table", "action", "phase"])
def test_require(tiny: Tiny, record: str) -> None:
    """What a record requires is asked when it is used, and a failure is a crash that names the record."""
    promise: Any = {"require": "now > 1"}
    functions = {"fn": {"type": "int", "is": "1", **(promise if record == "function" else {})}}
    rows = [{"id": "only", "when": "now > 0", "then": "1"}]
    tables = {"tb": {"type": "int", "policy": "unique", "rows": rows, **(promise if record == "table" else {})}}
    do = [{"set": "count", "to": "fn + tb"}, {"goto": "dusk"}]
    actions = {"do": act(do, **(promise if record == "action" else {}))}
    dusk = {"do": [{"goto": "night"}], **(promise if record == "phase" else {})}
    phases = {"perch": {"actions": ["do"]}, "dusk": dusk, "night": {"final": True}}
    machine, state = playing(tiny, actions=actions, phases=phases, functions=functions, tables=tables)

    with pytest.raises(Crash, match={"function": "fn", "table": "tb", "action": "do", "phase": "dusk"}[record]):
        machine.act(state, 0, {"do": True})


@pytest.mark.parametrize(
    ("first", "second", "found"), [("now > 1", "now > 2", "no row"), ("now > 0", "now == 1", "a, b")]
)
def test_unique(tiny: Tiny, first: str, second: str, found: str) -> None:
    """A `unique` table of which no row fires, or more than one, is a crash that names them."""
    rows = [{"id": "a", "when": first, "then": "1"}, {"id": "b", "when": second, "then": "2"}]
    machine, state = playing(tiny, tables={"t": {"type": "int", "policy": "unique", "rows": rows}}, score={"it": "t"})

    with pytest.raises(Crash, match=f"of t exactly one row fires, here {found}"):
        machine.score(state)


# Acts and refusals ----------------------------------------------------------------------------------------------------

ROWS = [
    {"id": "late", "when": "now > 2", "then": "False", "clause": "b.late", "code": "window_closed"},
    {"id": "light", "when": "weight(c) < 0", "then": "False", "clause": "b.light"},
    {"id": "moss", "when": "suit(c) == moss", "then": "True"},
    {"id": "other", "else": "False", "clause": "b.other", "code": "must_follow"},
]
FLYING: dict[str, Any] = {
    "tables": {"may": {"args": {"c": "card"}, "type": "bool", "policy": "first", "rows": ROWS}},
    "actions": {
        "fly": {
            "clause": "b.fly",
            "by": {"who": "[boss]", "clause": "b.turn", "code": "not_your_turn"},
            "params": {"bird": {"in": "nest[me]", "clause": "b.own", "code": "not_in_hand"}},
            "legal": "may(bird) and now != 2",
            "do": [{"set": "nest[me]", "to": "nest[me] - {bird}"}, {"set": "seen", "to": "bird"}],
        },
        "rest": act(legal="now == 2", code="already_done"),
    },
    "opening": [{"set": "nest[boss]", "to": "{card(hawk, moss), card(owl, moss), card(wren, rust)}"}],
}


def test_accepted_act(tiny: Tiny) -> None:
    """An act that is allowed gives the next state."""
    machine, state = playing(tiny, **FLYING)
    following = machine.act(state, 1, {"fly": "HM"})

    assert isinstance(following, State)
    assert machine.get(following, "seen") == "HM"
    assert as_row(machine.get(following, "nest"))[1] == frozenset({"OM", "WR"})


@pytest.mark.parametrize(
    ("seat", "attempt", "expected"),
    [
        (0, {"fly": "HM"}, ("not_your_turn", "b.turn", "by")),
        (7, {"fly": "HM"}, ("not_your_turn", "b.turn", "by")),
        (1, {"fly": "HR"}, ("not_in_hand", "b.own", "bird")),
        (1, {"fly": "XX"}, ("no_such_card", "b.own", "bird")),
        (1, {"fly": None}, ("no_such_card", "b.own", "bird")),
        (1, {"fly": ["HM"]}, ("no_such_card", "b.own", "bird")),
        (1, {"fly": "OM"}, ("condition_not_met", "b.light", "may/light")),
        (1, {"fly": "WR"}, ("must_follow", "b.other", "may/other")),
        (1, {"rest": True}, ("already_done", "b.rest", "")),
        (1, {"sing": True}, ("not_available", "", "")),
    ],
)
def test_refusal(tiny: Tiny, seat: int, attempt: dict[str, Any], expected: tuple[str, str, str]) -> None:
    """A refusal has a code, the clause, and the row, parameter or domain that decided."""
    machine, state = playing(tiny, **FLYING)
    refusal = machine.act(state, seat, attempt)

    assert isinstance(refusal, Refusal)
    assert expected == (refusal.code, refusal.clause, refusal.row)


@pytest.mark.parametrize(
    ("given", "code"), [(0, "bad_amount"), (4, "bad_amount"), ("2", "not_available"), (True, "not_available")]
)
def test_number_out_of_range(tiny: Tiny, given: object, code: str) -> None:
    """A number outside its range is refused with the code of the parameter, what is no number without."""
    sing = act(params={"times": {"in": "range(1, three)", "code": "bad_amount"}})
    machine, state = playing(tiny, actions={"sing": sing})
    refusal = machine.act(state, 1, {"sing": given})

    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.row) == (code, "times")


def test_refusal_has_a_place(tiny: Tiny) -> None:
    """A refusal names the place of its row in the rules file."""
    machine, state = playing(tiny, **FLYING)
    refusal = machine.act(state, 1, {"fly": "OM"})

    assert isinstance(refusal, Refusal)
    assert refusal.place == machine.game.tables["may"].rows[1].place


def test_first_failing_part_is_the_reason(tiny: Tiny) -> None:
    """Of a condition with `and` the first part that fails is the reason."""
    opening = [*FLYING["opening"], {"set": "now", "to": "2"}]
    machine, state = playing(tiny, **{**FLYING, "opening": opening})
    refusals = [machine.act(state, 1, {"fly": card}) for card in ("OM", "HM")]

    assert [("b.light", "may/light"), ("b.fly", "")] == [(r.clause, r.row) for r in refusals if isinstance(r, Refusal)]


def test_code_of_the_clause(rules: Callable[..., Any]) -> None:
    """A row without a code has the code that the data gives its clause."""
    phases = {"opening": {"do": [*FLYING["opening"], {"goto": "perch"}]}, "perch": {"actions": ["fly"]}}
    text = rules(state=STATE, phases=phases, tables=FLYING["tables"], actions=FLYING["actions"])
    machine = Machine(load_rules(parse_yaml(json.dumps(text), "birds.yaml"), {"b.light": "too_low"}))
    refusal = machine.act(machine.begin(), 1, {"fly": "OM"})

    assert isinstance(refusal, Refusal)
    assert refusal.code == "too_low"


def test_wrong_phase(tiny: Tiny) -> None:
    """An act of another phase is refused because its window is closed."""
    actions = {"go": act([{"goto": "night"}]), "rest": act()}
    phases = {"perch": {"actions": ["go"]}, "night": {"final": True}}
    machine, state = playing(tiny, actions=actions, phases=phases)
    ended = machine.act(state, 0, {"go": True})
    assert isinstance(ended, State)
    refusals = [machine.act(state, 0, {"rest": True}), machine.act(ended, 0, {"go": True})]

    assert ["window_closed", "window_closed"] == [r.code for r in refusals if isinstance(r, Refusal)]


@pytest.mark.parametrize(
    "attempt", [{}, {"fly": "HM", "rest": True}, {"rest": 1}, {"rest": False}, {1: 2}, "rest", None, ["rest"]]
)
def test_no_act(tiny: Tiny, attempt: Any) -> None:
    """What has not even the form of an act is an error, not a refusal."""
    machine, state = playing(tiny, **FLYING)

    with pytest.raises(BadAct):
        machine.act(state, 1, attempt)


def test_refused_act_changes_nothing(tiny: Tiny) -> None:
    """After a refusal the same acts are open as before."""
    machine, state = playing(tiny, **FLYING)
    before = [machine.legal(state, seat) for seat in range(4)]
    machine.act(state, 1, {"fly": "OM"})

    assert before == [machine.legal(state, seat) for seat in range(4)]


def test_legal(tiny: Tiny) -> None:
    """Every seat is offered just the acts that would be accepted."""
    machine, state = playing(tiny, **FLYING)

    assert [{}, {"fly": ["HM"]}, {}, {}] == [machine.legal(state, seat) for seat in range(4)]


def test_legal_order(tiny: Tiny) -> None:
    """Acts are listed in the order of the file, their values in the order of the pack or of the data."""
    actions = {
        "b": act(params={"who": {"in": "seats(me)"}, "mood": {"in": "mood"}}),
        "a": act(params={"it": {"in": "pack"}}),
    }
    machine, state = playing(tiny, actions=actions)
    legal: Any = machine.legal(state, 3)

    assert ["b", "a"] == list(legal)
    assert [{"who": 3, "mood": "calm"}, {"who": 3, "mood": "wild"}, {"who": 0, "mood": "calm"}] == legal["b"][:3]
    assert ["HM", "WM", "OM", "HR", "WR", "OR"] == legal["a"]


def test_parameter_after_parameter(tiny: Tiny) -> None:
    """The domain of a parameter may depend on the seat and on earlier parameters."""
    actions = {"do": act(params={"a": {"in": "[next(me)]"}, "b": {"in": "[next(a)]"}})}
    machine, state = playing(tiny, actions=actions)

    assert machine.legal(state, 1) == {"do": [{"a": 2, "b": 3}]}


def test_names_with_hyphens(tiny: Tiny) -> None:
    """Names have hyphens outside the data: actions, parameters and values, offered and accepted alike."""
    types = {"mood": {"values": ["very_calm", "wild"]}, "lap": {"from": 1, "to": 3}}
    params = {"how_much": {"in": "mood"}, "by_whom": {"in": "[me]"}}
    machine, state = playing(tiny, types=types, actions={"fly_off": act(params=params)})
    offered = machine.legal(state, 0)

    assert {"fly-off": [{"how-much": "very-calm", "by-whom": 0}, {"how-much": "wild", "by-whom": 0}]} == offered
    assert isinstance(machine.act(state, 0, {"fly-off": {"how-much": "very-calm", "by-whom": 0}}), State)
    with pytest.raises(BadAct):
        machine.act(state, 0, {"fly-off": {"how_much": "wild", "by_whom": 0}})


@pytest.mark.parametrize("value", [{}, {"a": 1}, 3, None, [1, 2]])
def test_missing_parameters(tiny: Tiny, value: Any) -> None:
    """An act of several parameters names them all."""
    actions = {"do": act(params={"a": {"in": "lap"}, "b": {"in": "lap"}})}
    machine, state = playing(tiny, actions=actions)

    with pytest.raises(BadAct):
        machine.act(state, 1, {"do": value})


@pytest.mark.parametrize(
    ("domain", "good", "bad"),
    [
        ("lap", [1, 3], [0, 4, "1", True, 1.0, None]),
        ("players", [0, 3], [4, -1, False, "0"]),
        ("truths", [True, False], [0, 1, "true", None]),
        ("suits", ["M", "R"], ["moss", "X", 0, None]),
        ("ranks", ["H"], ["hawk", "HM"]),
        ("mood", ["calm"], ["Calm", 0, None]),
        ("plans", [[1, 2], [3]], [[2, 1], [], [1, 2, 3], [True, 2], 3, None]),
    ],
)
def test_values(tiny: Tiny, domain: str, good: list[Any], bad: list[Any]) -> None:
    """Just the values of a domain are accepted, each in its one form."""
    machine, state = playing(tiny, actions={"do": act(params={"it": {"in": domain}})})

    assert [] == [value for value in good if not isinstance(machine.act(state, 0, {"do": value}), State)]
    assert [] == [value for value in bad if not isinstance(machine.act(state, 0, {"do": value}), Refusal)]


# Described parameters -------------------------------------------------------------------------------------------------


def test_range(tiny: Tiny) -> None:
    """A range of numbers is described by its ends, both of them included."""
    machine, state = playing(tiny, actions={"do": act(params={"n": {"in": "range(now, 5)", "code": "bad_amount"}})})

    assert machine.legal(state, 0) == {"do": {"min": 1, "max": 5}}
    assert [False, True, True, False] == [isinstance(machine.act(state, 0, {"do": n}), State) for n in (0, 1, 5, 6)]


@pytest.mark.parametrize(
    ("cards", "fits"),
    [([], False), (["HM"], False), (["HM", "WM"], True), (["HM", "WM", "OM"], True), (["HM", "WM", "OM", "HR"], False)],
)
def test_subsets(tiny: Tiny, cards: list[str], fits: bool) -> None:
    """A set of cards is described by its least and greatest size, and taken within both of them alone."""
    machine, state = playing(tiny, actions={"do": act(params={"it": {"in": "subsets(pack, 2, 3)"}})})

    assert machine.legal(state, 0) == {"do": {"from": ["HM", "WM", "OM", "HR", "WR", "OR"], "min": 2, "max": 3}}
    assert isinstance(machine.act(state, 0, {"do": cards}), State) == fits


@pytest.mark.parametrize("domain", ["[1, 2]", "range(now, 2)"])
def test_an_act_is_offered_to_those_alone_who_may_make_it(tiny: Tiny, domain: str) -> None:
    """Whoever an act does not belong to is offered nothing, be its values listed or described."""
    machine, state = playing(tiny, actions={"do": act(who="boss", params={"n": {"in": domain}})})

    assert [bool(machine.legal(state, seat)) for seat in range(4)] == [False, True, False, False]
    assert isinstance(machine.act(state, 0, {"do": 1}), Refusal)


@pytest.mark.parametrize(
    "domain", ["range(now, 0)", "subsets(nest[me], 1, 2)", "subsets(pack, 3, 2)", "subsets(pack, 7, 9)"]
)
def test_nothing_to_describe(tiny: Tiny, domain: str) -> None:
    """An act without any possible value is not offered."""
    machine, state = playing(tiny, actions={"do": act(params={"it": {"in": domain}})})

    assert machine.legal(state, 0) == {}


def test_described_with_others(tiny: Tiny) -> None:
    """An action with a described parameter describes the others by their values."""
    params = {"deck": {"in": "orders(pack)"}, "plan": {"in": "plans"}}
    machine, state = playing(tiny, actions={"do": act(params=params)})
    order = ["HM", "WM", "OM", "HR", "WR", "OR"]

    assert machine.legal(state, 0) == {"do": {"deck": {"order": order}, "plan": [[1, 2], [3]]}}
    assert isinstance(machine.act(state, 0, {"do": {"deck": order[::-1], "plan": [3]}}), State)
    assert isinstance(machine.act(state, 0, {"do": {"deck": order[::-1], "plan": [2]}}), Refusal)


@pytest.mark.parametrize(
    "deck", [["HM"] * 6, ["HM", "WM", "OM", "HR", "WR"], ["HM", "WM", "OM", "HR", "WR", "XX"], "HM", [1] * 6, None]
)
def test_no_deck(tiny: Tiny, deck: Any) -> None:
    """A list that doubles a card, lacks one or holds another is no order of the pack."""
    machine, state = playing(tiny, actions={"do": act(params={"it": {"in": "orders(pack)"}})})

    assert isinstance(machine.act(state, 0, {"do": deck}), Refusal)


# Views and scores -----------------------------------------------------------------------------------------------------


def seen(tiny: Tiny, seat: int = 0, **view: Any) -> dict[str, Any]:
    """Return what a seat sees, the phase left out; seat 1 holds the moss birds."""
    machine, state = playing(tiny, opening=FILLED, view=view)
    found = machine.view(state, seat)
    assert found.pop("phase") == "perch"
    return found


def test_view_of_oneself(tiny: Tiny) -> None:
    """A view may depend on who looks."""
    assert [{"mine": []}, {"mine": ["HM", "WM", "OM"]}] == [seen(tiny, seat, mine="nest[me]") for seat in (0, 1)]


def test_view_of_nobody(tiny: Tiny) -> None:
    """There are only views of the seats there are."""
    machine, state = playing(tiny)

    for seat in (-1, 4):
        with pytest.raises(BadAct):
            machine.view(state, seat)


def test_view_seen(tiny: Tiny) -> None:
    """`seen` leaves the whole key out for those who do not see it."""
    secret = {"seen": "me == boss", "show": "now"}

    assert [{}, {"it": 1}] == [seen(tiny, seat, it=secret) for seat in (0, 1)]


def test_view_seen_inside(tiny: Tiny) -> None:
    """`seen` leaves a key out inside a record and an element out inside a list."""
    secret = {"seen": "me == boss", "show": "now"}
    each = {"each": "p", "in": "players", "show": {"seen": "p == me", "show": "p"}}

    assert seen(tiny, it={"open": "now", "hidden": secret}, those=each) == {"it": {"open": 1}, "those": [0]}


def test_view_when(tiny: Tiny) -> None:
    """`when` gives None where it fails."""
    assert seen(tiny, no={"when": "now > 1", "show": "now"}, yes={"when": "now > 0", "show": "now"}) == {
        "no": None,
        "yes": 1,
    }


def test_view_each(tiny: Tiny) -> None:
    """`each` gives a list, without the elements for which `when` fails."""
    view = {"each": "p", "in": "seats(boss)", "when": "p != me", "show": {"seat": "p", "count": "len(nest[p])"}}

    assert seen(tiny, it=view) == {"it": [{"seat": 1, "count": 3}, {"seat": 2, "count": 0}, {"seat": 3, "count": 0}]}


def test_view_nested(tiny: Tiny) -> None:
    """Lists nest, and `flat` runs the inner ones together."""
    inner = {"each": "c", "in": "nest[p]", "when": "rank(c) != wren", "show": "c"}
    view = {"each": "p", "in": "players", "show": inner}

    assert seen(tiny, it=view) == {"it": [[], ["HM", "OM"], [], []]}
    assert seen(tiny, it={**view, "flat": True}) == {"it": ["HM", "OM"]}


def test_view_of_cards(tiny: Tiny) -> None:
    """Sets of cards are shown in the order of the pack, arrays in the order of their index."""
    assert seen(tiny, it="nest")["it"] == [[], ["HM", "WM", "OM"], [], []]


def test_score(tiny: Tiny) -> None:
    """A score shows the same to everybody, with names in their outer form."""
    types = {"mood": {"values": ["very_calm"]}, "lap": {"from": 1, "to": 3}}
    state = {"match": {"feel": {"type": "mood"}, "total": {"type": "int 0..9[team]"}}}
    score = {
        "feel": "feel",
        "sums": {"each": "t", "in": "teams", "show": "total[t] + 1"},
        "gone": {"seen": "False", "show": "1"},
    }
    machine, first = playing(tiny, types=types, state=state, score=score)

    assert machine.score(first) == {"feel": "very-calm", "sums": [1, 1]}


# Starts ---------------------------------------------------------------------------------------------------------------

START = {"phase": "perch", "deal": "do", "given": {"leader": "boss", "sums": "total", "wish": "wish", "held": "nest"}}


def test_start(tiny: Tiny) -> None:
    """A match may start elsewhere, with the variables that the data lets one give, under their outer names."""
    machine, _ = playing(tiny, start=START, opening=[{"set": "now", "to": "3"}])
    held = [["HM"], [], ["WM", "OM", "HR"], ["OR", "WR"]]
    state = machine.start({"leader": 2, "sums": [5, -5], "wish": "wild", "held": held})

    assert [2, (5, -5), "wild", 1] == [machine.get(state, name) for name in ("boss", "total", "wish", "now")]
    assert machine.get(state, "nest") == tuple(map(frozenset, held))


@pytest.mark.parametrize(
    "given",
    [
        {"boss": 1}, {"leader": 4}, {"leader": None}, {"leader": "0"}, {"sums": [1]}, {"sums": [1, 2, 3]}, {"sums": 5},
        {"sums": [10, 0]}, {"sums": [True, 0]}, {"sums": [1.0, 0]}, {"wish": "angry"},
        {"held": [["HM"], ["HM", "HM"], [], []]},
        {"held": [["XX"], [], [], []]}, {"held": {}},
    ],
)  # fmt: skip
def test_bad_start(tiny: Tiny, given: dict[str, Any]) -> None:
    """A start with an unknown name or an impossible value is refused."""
    machine, _ = playing(tiny, start=START)

    with pytest.raises(Impossible):
        machine.start(given)


def test_start_against_an_invariant(tiny: Tiny) -> None:
    """A start that the rules never come to is refused, and told by what it breaks."""
    level = "all(total[t] == total[other(t)] for t in teams)"
    machine, _ = playing(tiny, start=START, invariants={"level": level, "calm": "wish == None"})

    assert machine.get(machine.start({"sums": [3, 3]}), "total") == (3, 3)
    with pytest.raises(Impossible, match=r"no game comes to this start, for it breaks level\Z"):
        machine.start({"sums": [3, 4]})
    with pytest.raises(Impossible, match=r"for it breaks conservation\Z"):
        machine.start({"held": [["HM"], [], [], []]})


def test_no_start(tiny: Tiny) -> None:
    """Rules that name no start begin at their first phase only."""
    machine, _ = playing(tiny)

    with pytest.raises(Impossible):
        machine.start({})


# Conservation and invariants ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opening", "broken"),
    [
        ([], []),
        ([{"set": "nest[boss]", "to": "pack"}], []),
        ([{"set": "nest[boss]", "to": "pack - {card(owl, moss)}"}], ["conservation"]),
        (
            [
                {"set": "nest[boss]", "to": "pack"},
                {"id": "twice", "set": "nest[next(boss)]", "to": "{card(owl, moss)}"},
            ],
            ["conservation"],
        ),
        (
            [
                {"set": "nest[boss]", "to": "pack - {card(owl, moss)}"},
                {"id": "instead", "set": "nest[next(boss)]", "to": "{card(hawk, moss)}"},
            ],
            ["conservation"],
        ),
        ([{"set": "now", "to": "3"}], ["low"]),
    ],
)
def test_broken(tiny: Tiny, opening: list[Any], broken: list[str]) -> None:
    """Broken are the invariants that fail, and conservation if a card is lost or doubled once cards are out."""
    machine, state = playing(tiny, opening=opening, invariants={"low": "now < 3"})

    assert broken == machine.find_broken_invariants(state)
