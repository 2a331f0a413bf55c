"""Every duty that a refused act breaks, by hand: what a program may say that looks at them in another order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from brou import BadAct, Machine, Refusal, State, rules
from brou.interpreter.dealing import begin

Tiny = Callable[..., Any]
Play = Sequence[tuple[int, Mapping[str, Any]]]

ROWS = [
    {"id": "late", "when": "now > 2", "then": "False", "clause": "b.late", "code": "window_closed"},
    {"id": "light", "when": "weight(c) < 0", "then": "False", "clause": "b.light"},
    {"id": "moss", "when": "suit(c) == moss", "then": "True"},
    {"id": "wild", "when": "feel == wild", "then": "False", "clause": "b.wild", "code": "must_beat"},
    {"id": "dull", "when": "weight(c) < 4", "then": "False", "clause": "b.dull", "code": "too_low"},
    {"id": "other", "else": "False", "clause": "b.other", "code": "must_follow"},
]
STATE = {
    "match": {"boss": {"type": "player", "init": 1}, "now": {"type": "lap"}, "feel": {"type": "mood"}},
    "round": {"nest": {"type": "cards[player]", "zone": True}},
}
NEST = {"set": "nest[boss]", "to": "{card(hawk, moss), card(owl, moss), card(wren, rust)}"}


def birds(tiny: Tiny, *opening: Mapping[str, Any], legal: str = "may(bird) and now != 2", **more: Any) -> Machine:
    """Return a game in which seat 1 lets birds of its nest fly, after some effects."""
    return Machine(
        tiny(
            state=STATE,
            tables={"may": {"args": {"c": "card"}, "type": "bool", "policy": "first", "rows": ROWS}},
            actions={
                "fly": {
                    "clause": "b.fly",
                    "by": {"who": "[boss]", "clause": "b.turn", "code": "not_your_turn"},
                    "params": {"bird": {"in": "nest[me]", "clause": "b.own", "code": "not_in_hand"}},
                    "legal": legal,
                    "do": [],
                },
                "rest": {"by": {"who": "[boss]"}, "legal": "True", "do": []},
            },
            phases={
                "opening": {"do": [NEST, *opening, {"goto": "perch"}]},
                "perch": {"actions": ["fly"]},
                "night": {"actions": ["rest"]},
            },
            **more,
        )
    )


def broken(machine: Machine, seat: int, act: Mapping[str, Any], state: State | None = None) -> list[str]:
    """Return the codes of all duties that an act breaks."""
    return [refusal.code for refusal in machine.refusals(state or machine.begin(), seat, act)]


THREE, TWO = ({"set": "now", "to": str(number)} for number in (3, 2))
WILD = {"set": "feel", "to": "wild"}


@pytest.mark.parametrize(
    ("opening", "seat", "card", "codes"),
    [
        ([], 1, "HM", []),
        ([], 1, "OM", ["condition_not_met"]),
        ([THREE], 1, "OM", ["window_closed", "condition_not_met"]),
        ([THREE], 1, "HM", ["window_closed"]),
        ([TWO], 1, "OM", ["condition_not_met", "condition_not_met"]),
        ([], 1, "HR", ["not_in_hand", "must_follow"]),
        ([], 0, "HM", ["not_your_turn", "not_in_hand"]),
        ([THREE], 0, "OM", ["not_your_turn", "not_in_hand", "window_closed", "condition_not_met"]),
        ([], 0, "XX", ["no_such_card"]),
    ],
)
def test_all_duties(tiny: Tiny, opening: Sequence[Mapping[str, Any]], seat: int, card: str, codes: list[str]) -> None:
    """A refusal is of the seat, of each parameter, of each part of the condition and of each row that forbids."""
    assert codes == broken(birds(tiny, *opening), seat, {"fly": card})


def test_rest_of_a_situation(tiny: Tiny) -> None:
    """A row that forbids whatever is left of its situation ends the duties: those behind it are of other situations."""
    assert [broken(birds(tiny, *opening), 1, {"fly": "WR"}) for opening in ([WILD], [])] == [["must_beat"], ["too_low"]]


def test_else_is_for_what_no_row_forbids(tiny: Tiny) -> None:
    """`else` forbids only where no other row does."""
    assert broken(birds(tiny, THREE), 1, {"fly": "HR"}) == ["not_in_hand", "window_closed"]


@pytest.mark.parametrize("attempt", [{"fly": card} for card in ("HM", "OM", "WR", "HR", "XX")] + [{"sing": True}])
@pytest.mark.parametrize("seat", [0, 1])
def test_first_is_what_the_act_gives(tiny: Tiny, seat: int, attempt: Mapping[str, Any]) -> None:
    """The first duty is the one that `act` names; there is none if the act is allowed."""
    machine = birds(tiny)
    outcome = machine.act(machine.begin(), seat, attempt)

    assert machine.refusals(machine.begin(), seat, attempt)[:1] == ((outcome,) if isinstance(outcome, Refusal) else ())


def test_what_cannot_be_asked_is_no_duty(tiny: Tiny) -> None:
    """A condition that has no value for a card which is not in the hand is no reason beside the hand."""
    held = "any(c in nest[p] for p in players)"
    fits = {"args": {"c": "card"}, "type": "bool", "is": "False", "clause": "b.fits", "require": held}
    machine = birds(tiny, legal="fits(bird)", functions={"fits": fits})

    assert [broken(machine, 1, {"fly": card}) for card in ("HR", "HM")] == [["not_in_hand"], ["condition_not_met"]]


def test_closed_window(tiny: Tiny) -> None:
    """An act outside its phases breaks that, and the turn if it is another's; nothing is said of its parameters."""
    machine = birds(tiny)

    assert broken(machine, 1, {"rest": True}) == ["window_closed"]
    assert broken(machine, 0, {"rest": True}) == ["window_closed", "not_your_turn"]


def test_no_act(tiny: Tiny) -> None:
    """What has not the form of an act is an error here as well."""
    machine = birds(tiny)

    with pytest.raises(BadAct):
        machine.refusals(machine.begin(), 1, {"fly": "HM", "rest": True})


# The games, from their texts ------------------------------------------------------------------------------------------


def reached(name: str, start: Mapping[str, Any], *acts: tuple[int, Mapping[str, Any]]) -> tuple[Machine, State]:
    """Return a game after some acts."""
    machine = Machine(rules(name))
    state = begin(machine, start)
    for seat, act in acts:
        after = machine.act(state, seat, act)
        assert isinstance(after, State)
        state = after
    return machine, state


RUFFED = {
    "dealer": 3,
    "hands": {
        "0": ["7H", "8H", "KD", "QD", "JD", "TD", "KC", "QC"],
        "1": ["TS", "9S", "8S", "AD", "9D", "8D", "7D", "JC"],
        "2": ["AS", "7S", "AH", "KH", "AC", "TC", "9C", "8C"],
        "3": ["QS", "KS", "JS", "TH", "QH", "JH", "9H", "7C"],
    },
    "turnup": "QS",
}


@pytest.mark.parametrize(
    ("seat", "card", "codes"),
    [
        (2, "AH", []),
        (2, "AC", ["must_follow"]),
        (2, "AS", ["must_follow"]),
        (2, "7S", ["must_follow", "must_beat"]),
        (2, "9S", ["not_in_hand", "must_follow", "must_beat"]),
        (2, "TH", ["not_in_hand"]),
        (3, "9H", ["not_your_turn"]),
        (3, "7C", ["not_your_turn", "must_follow"]),
    ],
)
def test_brouc(seat: int, card: str, codes: list[str]) -> None:
    """Hearts are led and ruffed with the ten: a low trump of who has hearts neither follows nor beats."""
    machine, state = reached("brouc", RUFFED, (0, {"play": "7H"}), (1, {"play": "TS"}))

    assert codes == broken(machine, seat, {"play": card}, state)


@pytest.mark.parametrize(("seat", "codes"), [(2, ["window_closed"]), (1, ["window_closed", "not_your_role"])])
def test_cutting_too_late(seat: int, codes: list[str]) -> None:
    """Who sits before the dealer cuts; once play is on nobody does, and another seat has two things against it."""
    machine, state = reached("brouc", RUFFED)

    assert codes == broken(machine, seat, {"cut": 7}, state)


FOLLOWING = {
    "dealer": 3,
    "hands": {
        "0": ["AS", "QS", "9S", "KD", "8C"],
        "1": ["KS", "8S", "JH", "AD", "QC"],
        "2": ["TS", "9H", "TD", "AC", "JC"],
        "3": ["QH", "7H", "9D", "8D", "KC"],
    },
    "stock": ["8H"],
}


@pytest.mark.parametrize(
    ("card", "codes"),
    [("KS", []), ("AD", ["must_follow"]), ("JH", ["must_follow"]), ("9H", ["not_in_hand", "must_follow"])],
)
def test_homme_d_auvergne(card: str, codes: list[str]) -> None:
    """Who has the suit led must follow it; the duty to trump is only theirs who have none of it."""
    acts: list[tuple[int, dict[str, Any]]] = [(0, {"turn": True}), (0, {"say": "play"}), (0, {"play": "AS"})]
    machine, state = reached("homme-d-auvergne@1665:4", FOLLOWING, *acts)

    assert codes == broken(machine, 1, {"play": card}, state)


AUCTION = {
    "dealer": 0,
    "hands": {
        "0": ["5S", "2S", "QH", "5H", "AD", "3D", "2D", "6C", "2C"],
        "1": ["AS", "KS", "KH", "JH", "6H", "QD", "QC", "5C", "3C"],
        "2": ["3S", "7H", "3H", "JD", "6D", "4D", "AC", "JC", "4C"],
    },
}


def test_bid_too_low_and_without_the_aces() -> None:
    """A grand tourné wants both black aces, and is below a sans prendre as well."""
    acts = [(1, {"bid": "sans-prendre"})]
    machine, state = reached("hombre[grand_tourne_bid_without_aces=illegal]", AUCTION, *acts)

    assert broken(machine, 2, {"bid": "grand-tourne"}, state) == ["condition_not_met", "too_low"]


def test_plain_suit_led_says_nothing_of_matadors() -> None:
    """A trump on a plain lead that one can follow breaks the duty to follow alone, not those of a trump lead."""
    acts: list[tuple[int, dict[str, Any]]] = [(1, {"bid": "sans-prendre"}), (2, {"bid": "pass"}), (0, {"bid": "pass"})]
    acts += [
        (1, {"choose": "sans-prendre"}),
        (1, {"declare": "H"}),
        (2, {"discard": ["4C"]}),
        (0, {"discard": ["2C"]}),
        (1, {"play": "KS"}),
    ]
    machine, state = reached("hombre", AUCTION, *acts)

    assert [r.clause for r in machine.refusals(state, 2, {"play": "7H"})] == ["omb.play.01"]
