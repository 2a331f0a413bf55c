"""What a seat may do as far as its view tells: what is settled, what is left open, and on what it hangs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brou import BadAct, Impossible, Machine, State, rules
from brou.interpreter.dealing import begin
from brou.interpreter.sight import OpenAnswer, SeatPosition, Sight, find_sight
from brou.language.codec import Json

Tiny = Callable[..., Any]

STATE = {
    "match": {"boss": {"type": "player?"}, "total": {"type": "int -9999..9999[team]"}},
    "round": {
        "nest": {"type": "cards[player]", "zone": True},
        "heap": {"type": "pile", "zone": True},
        "flown": {"type": "card?[lap][player]", "zone": True},
        "tally": {"type": "int 0..9"},
        "now": {"type": "lap"},
        "feel": {"type": "mood"},
        "wish": {"type": "mood?"},
        "flag": {"type": "bool"},
    },
}
LYING = {
    "each": "p",
    "in": "players",
    "when": "flown[now][p] != None",
    "show": {"seat": "p", "bird": "flown[now][p]"},
}


def sight(tiny: Tiny, legal: str, position: Mapping[str, Any], seat: int = 0, **view: Any) -> Sight:
    """Return what a seat sees of an act `go` that is legal under a condition, in a game with such a view."""
    actions = {"go": {"by": {"who": "players"}, "legal": legal, "do": [], "skill": "play"}}
    phases = {"perch": {"actions": ["go"]}, "night": {"final": True}}
    game = tiny(state=STATE, actions=actions, phases=phases, view=view)
    return find_sight(Machine(game), {"phase": "perch", **position}, seat)


OPEN, SHUT = Sight({"go": [True]}, {}), Sight({}, {})


@pytest.mark.parametrize(
    ("shown", "given", "legal", "expected"),
    [
        ("tally", 5, "tally > 3", OPEN),
        ("tally", 5, "tally > 5", SHUT),
        ("total", [3, -4], "total[team(me)] == 3", OPEN),
        ("nest[me]", ["OM"], "card(owl, moss) in nest[me]", OPEN),
        ("len(heap)", 2, "len(heap) == 2", OPEN),
        ("len(heap)", 0, "not empty(heap)", SHUT),
        ("tally if flag else None", 4, "flag and tally == 4", OPEN),
        ("tally if flag else None", None, "flag", SHUT),
        ("now == 2", True, "now == 2", OPEN),
        ("not flag or wish == None", False, "flag and wish != None", OPEN),
        ("flag and feel == wild", True, "flag and feel == wild", OPEN),
        ("boss", None, "boss == None", OPEN),
    ],
)
def test_view_is_read_back(tiny: Tiny, shown: str, given: Any, legal: str, expected: Sight) -> None:
    """What a view shows tells of the variables behind it: elements, numbers of cards, branches, conditions."""
    assert sight(tiny, legal, {"it": given}, it={"show": shown}) == expected


def test_function_is_read_back(tiny: Tiny) -> None:
    """A view that shows a call tells of what the function is about."""
    functions = {"count_of": {"args": {"t": "team"}, "type": "int", "is": "total[t]", "clause": "b.count"}}
    actions = {"go": {"by": {"who": "players"}, "legal": "total[team(me)] == 7", "do": []}}
    game = tiny(
        state=STATE,
        functions=functions,
        actions=actions,
        phases={"perch": {"actions": ["go"]}},
        view={"ours": {"show": "count_of(team(me))"}},
    )

    assert find_sight(Machine(game), {"phase": "perch", "ours": 7}, 2) == OPEN
    assert find_sight(Machine(game), {"phase": "perch", "ours": 8}, 2) == SHUT


def test_unknown_variable_is_open(tiny: Tiny) -> None:
    """An act whose answer another value of an unknown variable changes is open, and hangs on it."""
    assert sight(tiny, "tally > 3 or flag", {"it": False}, it={"show": "flag"}) == Sight({}, {"go": ("tally",)})


def test_unknown_variable_that_changes_nothing(tiny: Tiny) -> None:
    """What is the same whatever the unknown variables are is settled."""
    assert sight(tiny, "tally > 3 or flag", {"it": True}, it={"show": "flag"}) == OPEN
    assert sight(tiny, "tally < 12", {}) == OPEN


def test_too_much_to_try_is_open(tiny: Tiny) -> None:
    """A variable with too many values is not tried, and what asks for it is open."""
    assert sight(tiny, "total[team(me)] < 99999", {}).open == ("total",)
    assert sight(tiny, "empty(nest[me])", {}).open == ("nest",)


def test_list_of_what_lies(tiny: Tiny) -> None:
    """A list is read back in whichever lap it may be, and settles what is the same in all of them."""
    lying = [{"seat": 1, "bird": "HM"}, {"seat": 3, "bird": "OM"}]
    legal = "flown[now][next(me)] == card(hawk, moss) and flown[now][me] == None"

    assert sight(tiny, legal, {"lying": lying}, lying=LYING) == OPEN
    assert sight(tiny, f"{legal} and now == 2", {"lying": lying}, lying=LYING).open == ("now",)
    assert sight(tiny, legal, {"lying": []}, lying=LYING) == SHUT


def test_lists_run_together(tiny: Tiny) -> None:
    """A list of lists run together is read back as well."""
    shown = {"each": "r", "in": "lap", "flat": True, "show": {**LYING, "when": "flown[r][p] != None",
             "show": {"lap": "r", "seat": "p", "bird": "flown[r][p]"}}}  # fmt: skip
    lying = [{"lap": 1, "seat": 1, "bird": "HM"}, {"lap": 3, "seat": 0, "bird": "OM"}]
    legal = "flown[1][next(me)] == card(hawk, moss) and flown[2][me] == None and flown[3][me] == card(owl, moss)"

    assert sight(tiny, legal, {"lying": lying}, lying=shown) == OPEN


@pytest.mark.parametrize("given", ["OM", {"seat": 1}, [7], [{"seat": 1, "bird": "XX"}], [{"seat": 9, "bird": "OM"}]])
def test_position_of_no_game(tiny: Tiny, given: Any) -> None:
    """A position that no state shows is refused, and told by its key."""
    with pytest.raises(Impossible, match=r"lying|elements"):
        sight(tiny, "flown[now][me] == None", {"lying": given}, lying=LYING)


def test_card_lies_in_one_place(tiny: Tiny) -> None:
    """A card that is seen in two places is refused."""
    with pytest.raises(Impossible, match="lying"):
        sight(
            tiny,
            "flown[now][me] == None and not empty(nest[me])",
            {"hand": ["OM"], "lying": [{"seat": 1, "bird": "OM"}]},
            hand={"show": "nest[me]"},
            lying=LYING,
        )


# The games, from their texts ------------------------------------------------------------------------------------------

TRICK: dict[str, Json] = {"seat": 1, "trump": "H", "leader": 0, "trick": [{"seat": 0, "card": "AS"}]}
HAND: list[Json] = ["KS", "8S", "KH", "AD", "QC"]


def auvergne() -> Machine:
    """Return L'Homme d'Auvergne for four."""
    return Machine(rules("homme-d-auvergne@1665:4"))


def test_few_keys_settle_card_play() -> None:
    """Hand, trick, trump and who leads settle what may be played: spades are led, and spades are followed."""
    found = find_sight(auvergne(), {**TRICK, "hand": HAND}, 1)

    assert found.legal == {"play": ["KS", "8S"]}


def test_king_of_the_turn_up() -> None:
    """Whether the king of the suit turned up may still be shown hangs on who has spoken, which no view says."""
    found = find_sight(auvergne(), {**TRICK, "man": 0, "hand": HAND, "turned": [{"seat": 0, "card": "8H"}]}, 1)

    assert found.unsettled == {"show": ("called",)}


def test_unknown_trump_is_open() -> None:
    """Who has none of the suit led plays a trump; without the trump suit it is open what that is."""
    position = {key: value for key, value in TRICK.items() if key != "trump"}
    found = find_sight(auvergne(), {**position, "hand": ["KH", "AD", "QC"]}, 1)

    assert found.unsettled["play"] == ("trump",)


def test_turn_of_another() -> None:
    """Where it is another's turn the seat may not play, which is settled."""
    found = find_sight(auvergne(), {**TRICK, "hand": HAND, "turn": 2}, 1)

    assert "play" not in {**found.legal, **found.unsettled}


@pytest.mark.slow
@pytest.mark.parametrize("trump", [None, "H"])
@pytest.mark.parametrize("hand", [["7S"], ["JS", "7S", "5H", "5D", "JC"]])
def test_a_lead_in_whichever_round(hand: list[Json], trump: Json) -> None:
    """Whoever leads may lead any card, though the round is not told and any card may lie in each of the nine."""
    position: dict[str, Json] = {"hand": hand, "trick": [], "trump": trump, "leader": 2}
    found = find_sight(Machine(rules("hombre@danish:3")), position, 2, {"play"})

    assert found == Sight({"play": hand}, {})


def test_keys_that_the_view_has_not() -> None:
    """What is no key of the view is passed over."""
    assert find_sight(auvergne(), {**TRICK, "hand": HAND, "mood": "wild"}, 1).legal == {"play": ["KS", "8S"]}


@pytest.mark.parametrize("position", [{"phase": "dawn"}, {"phase": "judge"}, {"seat": 7}, {"seat": "1"}])
def test_no_such_position(position: dict[str, Any]) -> None:
    """A phase in which nobody decides and a seat that is not there are refused."""
    with pytest.raises(Impossible):
        find_sight(auvergne(), {**TRICK, "hand": HAND, **position}, 1)


def test_refusals_in_a_position() -> None:
    """An act is taken, refused with its reason, or left open with what it hangs on."""
    there = SeatPosition(auvergne(), {**TRICK, "hand": HAND}, 1)
    found = [there.refusals(1, {"play": card}) for card in ("KS", "AD", "TC")]

    assert [[r.code for r in one] for one in found if isinstance(one, tuple)] == [[], ["must_follow"], ["not_in_hand"]]
    assert isinstance(there.refusals(1, {"show": "KH"}), OpenAnswer)
    assert [r.code for r in _refused(there, {"sing": True})] == ["not_available"]
    with pytest.raises(BadAct):
        there.refusals(1, {})


def _refused(there: SeatPosition, act: dict[str, Any]) -> tuple[Any, ...]:
    found = there.refusals(1, act)
    assert isinstance(found, tuple)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("times", [8, pytest.param(24, marks=pytest.mark.thorough)])
def test_threads_do_not_disturb_each_other(times: int) -> None:
    """However many ask about positions of one game at a time, each is told what it is told alone."""
    machine = Machine(rules("homme-de-brou@1802"))
    hands = ["AS KS 9H 8H TD 9D KC QC", "QS JS AH KH 8D 7D JC TC", "TS 9S QH JH AD KD 9C 8C", "8S 7S TH 7H QD JD AC 7C"]
    dealt: dict[str, Json] = {str(seat): list(cards.split()) for seat, cards in enumerate(hands)}
    state = begin(machine, {"dealer": 3, "hands": dealt, "turnup": "7C"})
    for seat, card in enumerate(["AS", "QS", "TS", "8S"]):
        played = machine.act(state, seat, {"play": card})
        assert isinstance(played, State)
        state = played
    position = machine.view(state, 0)

    def asked(_: int) -> Sight:
        return find_sight(machine, position, 0, {"play"})

    alone, switching = asked(0), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            told = list(pool.map(asked, range(times)))
    finally:
        sys.setswitchinterval(switching)

    assert told == [alone] * len(told)
