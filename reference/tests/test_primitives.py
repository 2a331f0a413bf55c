"""Every operator and quantifier, with values worked out by hand; and what built-in functions are in whole games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from brou import Machine, State

Value = Callable[..., Any]

STATE = {
    "match": {
        "first_seat": {"type": "player", "init": 0},
        "last_seat": {"type": "player", "init": 3},
        "total": {"type": "int 0..99[team]"},
        "nest": {"type": "cards[player]"},
        "heap": {"type": "pile"},
        "bare": {"type": "pile"},
        "seen": {"type": "card?"},
        "flown": {"type": "card?[lap]"},
        "now": {"type": "lap"},
        "feel": {"type": "mood"},
        "flag": {"type": "bool"},
    }
}
#: After this the heap holds HM WM OM and nothing else is anywhere.
OPENING = [
    {"set": "nest[first_seat]", "to": "{c for c in pack if suit(c) == moss}"},
    {"move": "nest[first_seat]", "from": "nest[first_seat]", "to": "heap"},
]

#: The operators and forms of the language.
FORMS: list[tuple[str, Any]] = [
    ("1 + 2 * 3", 7),
    ("(1 + 2) * 3", 9),
    ("2 - 5", -3),
    ("-three", -3),
    ("7 // 2", 3),
    ("-7 // 2", -4),
    ("-1 // 10", -1),
    ("-10 // 10", -1),
    ("9 // three", 3),
    ("-9 // most(1, len(pack) - 4)", -5),
    ("1 < 2 < 3", True),
    ("1 < 3 < 3", False),
    ("1 <= 1 != 2 >= 2", True),
    ("3 > 3", False),
    ("2 in [1, 2]", True),
    ("2 not in [1, 2]", False),
    ("calm in [wild]", False),
    ("card(owl, moss) in cards(heap)", True),
    ("card(owl, rust) in cards(heap)", False),
    ("2 in steps", True),
    ("True and False", False),
    ("True and True and False", False),
    ("False or False", False),
    ("False or False or True", True),
    ("not False", True),
    ("1 if flag else 2", 2),
    ("1 if not flag else 2", 1),
    ("None", None),
    ("seen == None", True),
    ("top(heap) != None", True),
    ("{card(hawk, moss), card(hawk, moss)}", ["HM"]),
    ("{card(hawk, rust), card(hawk, moss)}", ["HM", "HR"]),
    ("cards(heap) & {card(owl, moss), card(owl, rust)}", ["OM"]),
    ("cards(heap) | {card(owl, moss), card(owl, rust)}", ["HM", "WM", "OM", "OR"]),
    ("cards(heap) - {card(owl, moss), card(owl, rust)}", ["HM", "WM"]),
    ("cards(heap) <= pack", True),
    ("cards(heap) < cards(heap)", False),
    ("cards(heap) <= cards(heap)", True),
    ("cards(heap) >= {card(owl, moss)}", True),
    ("pack > cards(heap)", True),
    ("pack == cards(heap)", False),
    ("[three, 1]", [3, 1]),
    ("{2, 1, 2}", [2, 1]),
    ("{suit(c) for c in pack}", ["M", "R"]),
    ("len({team(p) for p in players})", 2),
    ("weight(card(hawk, rust))", 5),
    ("weight(card(owl, moss))", -1),
    ("shade(card(owl, moss))", 1),
    ("shade(card(wren, rust))", 2),
    ("shade(card(owl, rust))", 3),
    ("players", [0, 1, 2, 3]),
    ("teams", [0, 1]),
    ("suits", ["M", "R"]),
    ("ranks", ["H", "W", "O"]),
    ("truths", [False, True]),
    ("mood", ["calm", "wild"]),
    ("lap", [1, 2, 3]),
    ("pack", ["HM", "WM", "OM", "HR", "WR", "OR"]),
    ("plans", [[1, 2], [3]]),
    ("feel", "calm"),
    ("now", 1),
    ("total", [0, 0]),
    ("total[team(first_seat)]", 0),
    ("flown[3]", None),
]

#: The quantifiers, each with a condition, without one, and over nothing.
QUANTIFIED: dict[str, list[tuple[str, Any]]] = {
    "any": [
        ("any(weight(c) < 0 for c in pack)", True),
        ("any(weight(c) < 0 for c in pack if rank(c) == hawk)", False),
        ("any(True for c in nest[first_seat])", False),
    ],
    "all": [
        ("all(weight(c) > 0 for c in pack)", False),
        ("all(weight(c) > 0 for c in pack if rank(c) != owl)", True),
        ("all(False for c in nest[first_seat])", True),
    ],
    "sum": [
        ("sum(weight(c) for c in pack)", 12),
        ("sum(weight(c) for c in pack if suit(c) == rust)", 6),
        ("sum(x for x in steps)", 6),
        ("sum(1 for c in nest[first_seat])", 0),
    ],
    "count": [
        ("count(weight(c) > 0 for c in pack)", 4),
        ("count(weight(c) > 0 for c in pack if suit(c) == moss)", 2),
        ("count(True for c in nest[first_seat])", 0),
    ],
    "first": [
        ("first(c for c in pack if suit(c) == rust)", "HR"),
        ("first(weight(c) for c in pack if rank(c) == owl)", -1),
        ("first(p for p in seats(last_seat) if p != last_seat)", 0),
        ("first(c for c in pack if weight(c) > 9)", None),
    ],
    "min": [
        ("min((weight(c) for c in pack), default=0)", -1),
        ("min((weight(c) for c in pack if rank(c) != owl), default=0)", 2),
        ("min((weight(c) for c in nest[first_seat]), default=7)", 7),
    ],
    "max": [
        ("max((weight(c) for c in pack), default=0)", 5),
        ("max((weight(c) for c in pack if rank(c) == owl), default=0)", -1),
        ("max((weight(c) for c in nest[first_seat]), default=7)", 7),
        ("max(pack, key=weight)", "HM"),
        ("max(pack, key=lambda c: shade(c) * 10 - weight(c))", "OR"),
        ("max(players, key=lambda p: len(nest[p]))", 0),
        ("max(nest[first_seat], key=weight)", None),
    ],
}


def listed(groups: dict[str, list[tuple[str, Any]]]) -> list[Any]:
    """Return all examples of a table, each with its own name."""
    return [
        pytest.param(text, result, id=f"{name}: {text}") for name, group in groups.items() for text, result in group
    ]


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_form(value: Value, text: str, expected: Any) -> None:
    """An operator, a literal or a name gives what was worked out by hand."""
    assert expected == value(text, OPENING, state=STATE)


@pytest.mark.parametrize(("text", "expected"), listed(QUANTIFIED))
def test_quantifier(value: Value, text: str, expected: Any) -> None:
    """A quantifier gives what was worked out by hand, with a condition, without one, and over nothing."""
    assert expected == value(text, OPENING, state=STATE)


def asked(tiny: Value, domain: str) -> tuple[Machine, State]:
    """Return a game in which seat 0 may choose from a domain."""
    ask = {"by": {"who": "[first_seat]"}, "params": {"it": {"in": domain}}, "legal": "True", "do": []}
    phases = {"opening": {"do": [*OPENING, {"goto": "perch"}]}, "perch": {"actions": ["ask"]}}
    machine = Machine(tiny(state=STATE, actions={"ask": ask}, phases=phases))
    return machine, machine.begin()


def test_orders(tiny: Value) -> None:
    """Every order of the cards may be chosen, and the cards are described, not every order."""
    machine, state = asked(tiny, "orders(cards(heap))")

    assert {"ask": {"order": ["HM", "WM", "OM"]}} == machine.legal(state, 0)
    assert isinstance(machine.act(state, 0, {"ask": ["OM", "HM", "WM"]}), State)


@pytest.mark.parametrize("cards", [["OM", "HM"], ["OM", "HM", "WR"], ["OM", "HM", "WM", "OR"], []])
def test_no_order(tiny: Value, cards: list[str]) -> None:
    """A list with a card too few, too many or another is no order of the cards."""
    machine, state = asked(tiny, "orders(cards(heap))")

    assert not isinstance(machine.act(state, 0, {"ask": cards}), State)


def test_subsets(tiny: Value) -> None:
    """Every subset within the bounds of size may be chosen, and the bounds are described."""
    machine, state = asked(tiny, "subsets(cards(heap), 1, 2)")

    assert {"ask": {"from": ["HM", "WM", "OM"], "min": 1, "max": 2}} == machine.legal(state, 0)
    assert isinstance(machine.act(state, 0, {"ask": ["OM"]}), State)
    assert isinstance(machine.act(state, 0, {"ask": ["OM", "HM"]}), State)


@pytest.mark.parametrize("cards", [[], ["HM", "WM", "OM"], ["HR"], ["HM", "HR"]])
def test_no_subset(tiny: Value, cards: list[str]) -> None:
    """Too few cards, too many, or one from elsewhere are no such subset."""
    machine, state = asked(tiny, "subsets(cards(heap), 1, 2)")

    assert not isinstance(machine.act(state, 0, {"ask": cards}), State)


def test_card_that_the_pack_lacks(value: Value) -> None:
    """In a pack with cards left out `card` may give None."""
    deck = {"suits": {"M": "moss", "R": "rust"}, "ranks": {"H": "hawk", "W": "wren", "O": "owl"}, "without": ["OR"]}

    assert value("card(owl, rust)", deck=deck) is None
    assert value("card(owl, moss)", deck=deck) == "OM"


def test_card_of_a_rank_that_is_gone(value: Value) -> None:
    """A rank left out in every suit still names cards, and `card` gives None for them."""
    deck = {
        "suits": {"M": "moss", "R": "rust"},
        "ranks": {"H": "hawk", "W": "wren", "O": "owl"},
        "without": ["OR", "OM"],
    }

    assert value("card(owl, rust) == None", deck=deck) is True


def test_other_of_three_teams(value: Value) -> None:
    """With more than two teams `other` is the next one, and the first follows the last."""
    seating = {"seats": 3}
    state = {"match": {"s": {"type": "player", "init": 2}}}

    assert value("other(team(s))", seating=seating, state=state) == 0


def test_short_circuit(value: Value) -> None:
    """`and`, `or` and `if` do not look at what does not matter: an unusable index is never reached."""
    functions = {"at": {"args": {"n": "lap"}, "type": "int", "require": "n > 1", "is": "n"}}

    assert value("now > 1 and at(now) == 2", functions=functions) is False
    assert value("now == 1 or at(now) == 2", functions=functions) is True
    assert value("at(now) if now > 1 else 9", functions=functions) == 9


def test_function_and_table(value: Value) -> None:
    """Functions and tables are called by name, with arguments or without."""
    functions = {
        "twice": {"args": {"n": "int"}, "type": "int", "is": "n + n"},
        "six": {"type": "int", "is": "twice(3)"},
    }
    rows = [{"id": "low", "when": "n < 10", "then": "1"}, {"id": "high", "when": "n >= 10", "then": "2"}]
    tables = {"size": {"args": {"n": "int"}, "type": "int", "policy": "unique", "rows": rows}}

    assert value("size(six) * 10 + size(twice(six))", functions=functions, tables=tables) == 12


@pytest.mark.parametrize(
    ("text", "expected"),
    [("feel == is_", True), ("feel != pass_ and wish == None", True), ("twice(from_) - from_", 3), ("else_", 3)],
)
def test_words_of_the_grammar(value: Value, text: str, expected: Any) -> None:
    """What is called like a word of the grammar has a `_` behind it where an expression names it."""
    types = {
        "mood": {"values": ["is", "pass"], "clause": "b.mood"},
        "lap": {"from": 1, "to": "three", "clause": "b.lap"},
    }
    functions = {
        "else": {"type": "int", "is": "from_"},
        "twice": {"args": {"for": "int"}, "type": "int", "is": "for_ + for_"},
    }

    assert (
        value(text, types=types, params={"from": {"value": 3}, "three": {"value": 3}}, functions=functions) == expected
    )


def test_locals_shadow(value: Value) -> None:
    """An inner quantifier may reuse a name, and the outer one is untouched behind it."""
    assert value("sum(sum(x for x in [10, 20]) + x for x in [1, 2])") == 63
