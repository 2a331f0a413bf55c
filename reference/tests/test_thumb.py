"""Players by rule of thumb: the same few lines win in every game, and see no more than a seat does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import pytest

from brou import Json, Machine, Refusal, State, catalogue, rules
from brou.chance import Chance
from brou.games.catalogue import spread
from brou.interpreter.acts import fill_act
from brou.interpreter.dealing import begin, list_hands, spread_pack
from brou.interpreter.thumb import PIPS, ThumbPlayer
from brou.language.codec import outside
from brou.language.types import as_row

#: How many deals each side plays by rule of thumb against players at random.
DEALS = 50
RULES = "brouc@2022"


def list_acts(machine: Machine, state: State, seat: int, chance: Chance) -> Iterator[dict[str, Json]]:
    """Yield the acts of a seat; of those that are described one, drawn."""
    actions = {outside(action.id): action for action in machine.game.actions.values()}
    for name, values in machine.legal(state, seat).items():
        listed = values if isinstance(values, list) else [fill_act(actions[name], values, chance)]
        yield from ({name: value} for value in listed)


def play(machine: Machine, seed: int, by_thumb: Collection[int]) -> State:
    """Return the end of a deal that some seats play by rule of thumb, and all others at random, silently."""
    chance, game = Chance(seed), machine.game
    dealer: dict[str, Json] = {"dealer": chance.below(game.seats)}
    found = spread_pack(machine, machine.start(dealer))
    state = begin(machine, {**dealer, found.order: [*chance.shuffle(found.cards)], **found.parameters})
    player = ThumbPlayer(machine, chance)
    while any(held for _, held in list_hands(machine, state)) and not machine.over(state):
        offers = {seat: acts for seat in range(game.seats) if (acts := [*list_acts(machine, state, seat, chance)])}
        seat = next((one for one, acts in offers.items() if any("play" in act for act in acts)), next(iter(offers)))
        plain = [act for act in offers[seat] if "play" in act] or offers[seat]
        act = player.choose(state, seat, offers[seat]) if seat in by_thumb else chance.pick(plain)
        after = machine.act(state, seat, act)
        assert not isinstance(after, Refusal)
        state = after
    return state


def list_takings(machine: Machine, state: State) -> list[int]:
    """Return what the cards of a deal brought each side: points, or where cards count nothing tricks."""
    if PIPS in machine.game.attributes:
        points = machine.score(state)["points"]
        assert isinstance(points, list)
        return [one for one in points if isinstance(one, int)]
    takers = as_row(machine.get(state, "taker"))
    return [sum(taker in team for taker in takers) for team in machine.game.teams]


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_a_rule_of_thumb_takes_more_than_chance(game: str) -> None:
    """Over a hundred deals, half of them for either side, the rule of thumb has more than its share by a twentieth."""
    machine = Machine(rules(spread(game)[0]))
    mine = whole = 0
    for seed in range(DEALS):
        for side in (0, 1):
            takings = list_takings(machine, play(machine, seed, machine.game.teams[side]))
            mine, whole = mine + takings[side], whole + sum(takings)

    assert mine * len(machine.game.teams) > 1.05 * whole


def carry_out(machine: Machine, state: State, seat: int, act: dict[str, Json]) -> State:
    """Return the state after an act."""
    after = machine.act(state, seat, act)
    assert isinstance(after, State)
    return after


#: Hands of eight; the dealer's ace of clubs is turned up.
HANDS = {
    "0": ["AH", "7S", "8S", "9S", "7D", "8D", "9D", "7C"],
    "1": ["KH", "7H", "JS", "QS", "TD", "JD", "QD", "8C"],
    "2": ["TH", "8H", "JH", "KS", "AS", "TS", "9C", "TC"],
    "3": ["QH", "9H", "KD", "AD", "JC", "QC", "KC", "AC"],
}


def write_hands(hands: Mapping[str, Sequence[str]]) -> Json:
    """Return hands as a start has them."""
    return {seat: [*cards] for seat, cards in hands.items()}


def begin_hearts() -> tuple[Machine, State]:
    """Return the first trick of a deal to which the ace of hearts was led; clubs are trumps."""
    machine = Machine(rules(RULES))
    state = begin(machine, {"dealer": 3, "hands": write_hands(HANDS), "turnup": "AC"})
    return machine, carry_out(machine, state, 0, {"play": "AH"})


def choose(machine: Machine, state: State, seat: int) -> dict[str, Json]:
    """Return what a player by rule of thumb does, who may do anything that is open."""
    return ThumbPlayer(machine, Chance(1)).choose(state, seat, [*list_acts(machine, state, seat, Chance(1))])


def test_who_cannot_win_throws_what_counts_and_ranks_least() -> None:
    """Below the ace of hearts lie the king and the seven."""
    machine, state = begin_hearts()

    assert choose(machine, state, 1) == {"play": "7H"}


def test_what_the_others_hold_changes_no_choice() -> None:
    """The same hand and trick before other hands lead to the same card."""
    machine, state = begin_hearts()
    others = {**HANDS, "2": [*HANDS["3"][1:], "TH"], "3": [*HANDS["2"][1:], "QH"]}
    other = begin(machine, {"dealer": 3, "hands": write_hands(others), "turnup": "TC"})
    assert choose(machine, state, 1) == choose(machine, carry_out(machine, other, 0, {"play": "AH"}), 1)
