"""Dealing: hands and pack are two ways to say the same, in any game that deals."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from brou import Impossible, Machine, State, book, catalogue, rules
from brou.chance import Chance
from brou.interpreter.dealing import begin, complete, dealt, parts, spread_pack
from brou.language.codec import Json
from brou.language.syntax import Game

GAMES = [
    f"{game}@{edition}:{setup}"
    for game in catalogue()
    for edition, data in book(game).editions.items()
    for setup in data.setups
]


@pytest.fixture(params=GAMES)
def machine(request: pytest.FixtureRequest) -> Machine:
    """Return the interpreter of every edition and set-up."""
    return Machine(rules(request.param))


@pytest.fixture
def brouc() -> tuple[Machine, State]:
    """Return a game that deals the whole pack, with seat 3 to deal."""
    machine = Machine(rules("brouc"))
    return machine, machine.start({"dealer": 3})


def dealers(machine: Machine) -> list[int]:
    """Return the seats that may deal."""
    found = []
    for seat in range(machine.game.seats):
        with suppress(Impossible):
            machine.start({"dealer": seat})
            found.append(seat)
    return found


def dealing(hands: dict[str, list[str]], turnup: str | None = None) -> dict[str, Json]:
    """Return a deal given by hands."""
    deal: dict[str, Json] = {"hands": {seat: [*hand] for seat, hand in hands.items()}}
    return deal if turnup is None else {**deal, "turnup": turnup}


def seen(machine: Machine, state: State) -> tuple[dict[str, list[str]], set[str | None]]:
    """Return the hands, and what lies turned up in the eyes of the seats."""
    views: list[Any] = [machine.view(state, seat) for seat in range(machine.game.seats)]
    turned = {(view.get("turnup") or {"card": None})["card"] for view in views}
    return {str(seat): view["hand"] for seat, view in enumerate(views)}, turned


@pytest.mark.parametrize("number", range(4))
def test_any_hands_can_be_dealt(machine: Machine, number: int) -> None:
    """The pack that is found deals every seat its hand, turns the wanted card up and leaves the stock in its order."""
    chance = Chance(number)
    state = machine.start({"dealer": dealers(machine)[number % len(dealers(machine))]})
    found = spread_pack(machine, state)
    pack = chance.shuffle(machine.game.deck.cards)
    hands = {str(seat): chance.shuffle(hand) for seat, hand in found.hands(pack).items()}
    turnup = None if found.turnup is None else pack[found.turnup]
    deal = dealing(hands, turnup)
    deal["stock"] = [*found.stock(pack)]
    shown, turned = seen(machine, dealt(machine, state, deal))
    whole = complete(machine, state, deal)

    held = {seat: sorted(hand) for seat, hand in shown.items() if hand}
    assert held == {seat: sorted(hand) for seat, hand in hands.items()}
    assert turned == {turnup}
    assert whole.get("stock", []) == found.stock(pack)
    assert whole["deck"] == [*found.deck({int(s): h for s, h in hands.items()}, turnup, found.stock(pack))]


def test_the_pack_and_the_hands_say_the_same(machine: Machine) -> None:
    """A deal given by its pack is completed to the hands that it deals, and back."""
    state = machine.start({"dealer": dealers(machine)[0]})
    pack = Chance(9).shuffle(machine.game.deck.cards)
    whole = complete(machine, state, {"deck": [*pack]})

    told = {key: value for key, value in whole.items() if key in ("hands", "turnup", "stock")}
    assert {key: complete(machine, state, told)[key] for key in told} == told
    assert dealt(machine, state, whole) == dealt(machine, state, {"deck": [*pack]})


def test_every_way_to_deal_is_followed() -> None:
    """Parameters of the deal change where the places of the pack go."""
    machine = Machine(rules("homme-de-brou"))
    state = machine.start({"dealer": 3})
    spreads = [spread_pack(machine, state, {"packets": [*packets]}).seats for packets in ((3, 3, 2), (2, 3, 3))]

    assert [seats[:4] for seats in spreads] == [(0, 0, 0, 1), (0, 0, 1, 1)]


def test_a_start_is_what_stands_before_and_the_deal(brouc: tuple[Machine, State]) -> None:
    """The keys of the deal are told from those that the rules file lets one give."""
    machine, _ = brouc
    given, deal = parts(machine, {"dealer": 3, "accounts": [1, 2], "turnup": "AS", "packets": [1, 3, 4]})

    assert (list(given), list(deal)) == (["dealer", "accounts"], ["turnup", "packets"])


def test_a_start_of_nothing_begins_the_match(brouc: tuple[Machine, State]) -> None:
    """Without a dealer a play begins where matches begin, with one before his deal."""
    machine, _ = brouc

    assert begin(machine, {}) == machine.begin()
    assert begin(machine, {"dealer": 3}) == machine.start({"dealer": 3})


WHOLE = {"0": list("AKQJT987"), "1": list("AKQJT987"), "2": list("AKQJT987"), "3": list("AKQJT987")}
SUITED = {seat: [rank + suit for rank in ranks] for (seat, ranks), suit in zip(WHOLE.items(), "SHDC", strict=True)}

PACK = [card for hand in SUITED.values() for card in hand]


@pytest.mark.parametrize(
    ("deal", "told"),
    [
        ({}, "a deal is given by its hands or by its deck"),
        ({"hands": SUITED}, "the turn-up is missing"),
        ({"hands": SUITED, "turnup": "AS"}, "the turn-up AS is not where this deal turns it up: it goes to seat 3"),
        ({"hands": {**SUITED, "0": SUITED["1"]}, "turnup": "AC"}, "AH is dealt twice"),
        ({"hands": {**SUITED, "0": ["1S"]}, "turnup": "AC"}, "there is no card '1S' in this pack"),
        ({"hands": {**SUITED, "0": []}, "turnup": "AC"}, "seat 0 has 0 cards; 8 are dealt to it"),
        ({"hands": {**SUITED, "4": []}, "turnup": "AC"}, "nothing is dealt to seat 4; there are 0, 1, 2, 3"),
        ({"hands": {"me": []}, "turnup": "AC"}, "the hands are written as {seat: [cards]}"),
        ({"hands": {"0": "AS"}, "turnup": "AC"}, "the cards of a hand and of the stock are written as a list"),
        ({"hands": SUITED, "turnup": "AC", "stock": ["AS"]}, "the stock: each of its cards lies there once"),
        ({"deck": ["AS"]}, "the deck is no order of the pack: it has 1 of its cards"),
        ({"deck": PACK, "packets": [8]}, "the deal is refused: bad_amount"),
        ({"deck": PACK, "hands": SUITED}, "the hands and the deck are two different deals"),
    ],
)
def test_a_deal_that_cannot_be_is_told_why(brouc: tuple[Machine, State], deal: Any, told: str) -> None:
    """A message says what is wrong with the cards, and where they would go."""
    with pytest.raises(Impossible, match=re.escape(told)):
        dealt(*brouc, deal)


def test_nobody_deals_out_of_time(brouc: tuple[Machine, State]) -> None:
    """Where the deal is not open, the dealer is asked for."""
    machine, _ = brouc

    with pytest.raises(Impossible, match="nobody may deal in the phase lot: name the dealer"):
        dealt(machine, machine.begin(), {"hands": {}})


DEALING = {
    "stock": {"type": "pile", "zone": True},
    "nest": {"type": "cards[player]", "zone": True},
    "seen": {"type": "card?"},
}


@pytest.fixture
def birds(tiny: Callable[..., Game]) -> Callable[..., Machine]:
    """Return a made-up game that deals a card to each of four seats from a pack of six, by some further effects."""

    def built(*effects: dict[str, Any], **view: Any) -> Machine:
        deal = {
            "by": {"who": "{p for p in players if p == first(q for q in players)}"},
            "params": {"deck": {"in": "orders(pack)"}},
            "legal": "True",
            "do": [
                {"set": "stock", "to": "deck"},
                {"for": "p", "in": "players", "do": [{"draw": 1, "from": "stock", "to": "nest[p]"}]},
                *effects,
                {"goto": "night"},
            ],
        }
        return Machine(
            tiny(
                state={"round": DEALING},
                actions={"deal": deal},
                phases={"perch": {"actions": ["deal"]}, "night": {"final": True}},
                start={"phase": "perch", "deal": "deal", "given": {}},
                view=view,
            )
        )

    return built


ONE_EACH = {"0": ["WR"], "1": ["OM"], "2": ["HM"], "3": ["OR"]}


def test_a_deal_may_leave_cards_over(birds: Callable[..., Machine]) -> None:
    """What goes to no hand is the rest of the pack in canonical order."""
    machine = birds()

    assert complete(machine, machine.begin(), dealing(ONE_EACH))["deck"] == ["WR", "OM", "HM", "OR", "WM", "HR"]


def test_the_rest_may_lie_in_a_given_order(birds: Callable[..., Machine]) -> None:
    """The stock is given from its top; what is not given follows in canonical order."""
    machine = birds()
    stocks: list[Json] = [["HR", "WM"], ["HR"]]
    found = [complete(machine, machine.begin(), {**dealing(ONE_EACH), "stock": stock}) for stock in stocks]

    assert [one["deck"] for one in found] == [["WR", "OM", "HM", "OR", "HR", "WM"]] * 2
    assert [one["stock"] for one in found] == [["HR", "WM"]] * 2


def test_a_card_may_be_turned_up_from_the_rest(birds: Callable[..., Machine]) -> None:
    """The turn-up may lie in nobody's hand."""
    machine = birds({"set": "seen", "to": "bottom(stock)"}, turnup={"show": "seen", "level": "must"})
    whole = complete(machine, machine.begin(), dealing(ONE_EACH, "WM"))

    assert whole["deck"] == ["WR", "OM", "HM", "OR", "HR", "WM"]


def test_a_turn_up_that_is_dealt_away_is_refused(birds: Callable[..., Machine]) -> None:
    """A card in a hand cannot lie on the table as well."""
    machine = birds({"set": "seen", "to": "bottom(stock)"}, turnup={"show": "seen", "level": "must"})

    with pytest.raises(Impossible, match="not where this deal turns it up: it goes to nobody"):
        dealt(machine, machine.begin(), dealing(ONE_EACH, "WR"))


def test_a_deal_without_a_turn_up_takes_none(birds: Callable[..., Machine]) -> None:
    """A card cannot be turned up where the game turns none."""
    machine = birds()

    with pytest.raises(Impossible, match="this deal turns no card up"):
        dealt(machine, machine.begin(), dealing(ONE_EACH, "WR"))
