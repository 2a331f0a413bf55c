"""What holds in every partie of Homme d'Auvergne, whoever plays: the invariants that the census derives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brou import Machine, State, book, choose, rules
from brou.games.catalogue import with_readings

Played = Callable[..., Iterator[tuple[State, int, dict[str, Any], State]]]

GAME = "homme-d-auvergne"
NAMES = [f"{GAME}@{edition}:{setup}" for edition, data in book(GAME).editions.items() for setup in data.setups]
RESTORED = [name for name in NAMES if "@1665" in name]
TRICKS = 5
SEEDS = st.integers(0, 2**32)
#: Far enough that hardly a partie ends while it is watched.
FAR = {"target": "99"}

few = settings(max_examples=6, deadline=None)

pytestmark = pytest.mark.slow


@lru_cache
def machine(name: str, *given: tuple[str, str]) -> Machine:
    """Return the machine of an edition and set-up under some readings."""
    return Machine(rules(with_readings(choose(name), dict(given))))


class Look:
    """The variables of a state by name."""

    def __init__(self, played: Machine, state: State) -> None:
        self.machine, self.state = played, state

    def __getattr__(self, variable: str) -> Any:
        return self.machine.get(self.state, variable)

    def score(self) -> dict[str, Any]:
        """Return what the score shows."""
        return dict(self.machine.score(self.state))


def steps(
    played: Played, name: str, seed: int, acts: int = 150, **readings: str
) -> Iterator[tuple[Look, int, dict[str, Any], Look]]:
    """Yield the steps of random play."""
    player = machine(name, *{**FAR, **readings}.items())
    begun = player.start({"dealer": seed % player.game.seats, "accounts": [0] * player.game.seats})
    for before, seat, act, after in played(player, seed, acts, begun):
        yield Look(player, before), seat, act, Look(player, after)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS)
@few
def test_nothing_is_lost(played: Played, name: str, seed: int) -> None:
    """Every card lies in one place, and no invariant of the rules breaks."""
    for _, _, _, after in steps(played, name, seed):
        assert after.machine.find_broken_invariants(after.state) == []


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, target=st.integers(1, 7))
@few
def test_somebody_can_act(played: Played, name: str, seed: int, target: int) -> None:
    """Until the partie is over somebody can act, and then nobody can."""
    for _, _, _, after in steps(played, name, seed, target=str(target)):
        seats = range(after.machine.game.seats)
        assert any(after.machine.legal(after.state, seat) for seat in seats) != after.machine.over(after.state)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_one_seat_wins_every_sequence(players: int) -> None:
    """Whoever wins the five tricks, exactly one of the seats would have won the deal as the man, and each as often."""
    player = machine(f"{GAME}@1665:{players}")
    slots, empty = player.slots, player.start({})
    won_by = dict.fromkeys(range(players), 0)
    for takers in product(range(players), repeat=TRICKS):
        values = list(empty.values)
        values[slots["won"]] = tuple(takers.count(seat) for seat in range(players))
        last = {seat: number for number, seat in enumerate(takers, 1)}
        values[slots["latest"]] = tuple(last.get(seat, 0) for seat in range(players))
        values[slots["done"]] = TRICKS
        ahead = [seat for seat in range(players) if _ahead(player, values, seat)]
        assert len(ahead) == 1
        won_by[ahead[0]] += 1
    assert len(set(won_by.values())) == 1


def _ahead(player: Machine, values: list[Any], seat: int) -> bool:
    """Say whether the rules find a seat to have won as the man."""
    body = player.game.functions["ahead"].body
    return bool(player.evaluator.expression(body, {"p": 0})(tuple(values), [seat]))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS)
@few
def test_kings_count_once_a_suit(played: Played, name: str, seed: int) -> None:
    """The points for kings of a deal are never more than one for each suit, and captures only move them."""
    for _, _, act, after in steps(played, name, seed):
        turned = [card for card in after.turned if card is not None]
        counted = sum(owner is not None for owner in after.counted)
        assert sum(after.kings) == counted + sum(card[0] == "K" for card in turned) <= len("SHDC")
        if "show" in act:
            assert max(after.kings) > 0


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", RESTORED)
@given(seed=SEEDS)
@few
def test_shown_kings_answer_a_turn_up(played: Played, name: str, seed: int) -> None:
    """A counted king is of a suit that was turned, and was in the hand of the seat that counted it."""
    for before, seat, act, after in steps(played, name, seed):
        if "show" in act:
            turned = [card for card in after.turned if card is not None]
            assert act["show"] in before.hand[seat]
            assert act["show"] == "K" + turned[-1][1]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS)
@few
def test_the_deal_moves_points(played: Played, name: str, seed: int) -> None:
    """A won deal gives the man a point; a lost one takes one from him and gives one to all others, later to one."""
    for _, _, _, after in steps(played, name, seed):
        others = after.machine.game.seats - 1
        match after.result:
            case "won_more" | "won_first":
                assert (after.coup[after.man], sum(after.coup)) == (1, 1)
            case "lost":
                assert after.coup[after.man] == -1
                assert sum(after.coup) == (others if name in RESTORED else 1) - 1
            case _:
                assert not any(after.coup)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS)
@few
def test_legal_cards(played: Played, name: str, seed: int) -> None:
    """Whoever is to play can: suit is followed, else a trump is played, else any card; none has to beat another."""
    for before, seat, act, _ in steps(played, name, seed):
        if "play" not in act:
            continue
        hand, lead = before.hand[seat], before.laid[before.now - 1][before.leader]
        following = {card for card in hand if lead is not None and card[1] == lead[1]}
        trumps = {card for card in hand if card[1] == before.trump}
        wanted = hand if lead is None else following or trumps or hand
        offered: Any = before.machine.legal(before.state, seat)["play"]
        assert set(offered) == wanted


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS)
@few
def test_hands_stay_at_five(played: Played, name: str, seed: int) -> None:
    """Turned cards go into no hand: every hand holds five cards less those that its player has played."""
    for _, _, _, after in steps(played, name, seed):
        if after.state.phase in ("offer", "speak", "play"):
            laid = [sum(trick[seat] is not None for trick in after.laid) for seat in range(after.machine.game.seats)]
            assert [len(hand) for hand in after.hand] == [TRICKS - number for number in laid]


@pytest.mark.sampled(6)
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, target=st.integers(1, 7), ends=st.sampled_from(["all-win", "play-on", "higher-score"]))
@few
def test_a_partie_ends_at_the_target(played: Played, name: str, seed: int, target: int, ends: str) -> None:
    """Whoever has won has the points, and without a further condition nobody who has them goes on playing."""
    for _, _, _, after in steps(played, name, seed, target=str(target), simultaneous_target=ends):
        accounts, over = after.score()["accounts"], after.score()["over"]
        assert all(accounts[seat] >= target for seat in over)
        if ends == "all-win" and after.state.phase in ("deal", "offer", "speak", "over"):
            assert over == [seat for seat, account in enumerate(accounts) if account >= target]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", RESTORED)
@given(seed=SEEDS)
@few
def test_a_single_debt_does_not_grow(played: Played, name: str, seed: int) -> None:
    """With a single debt nobody ever owes more than one point."""
    for _, _, _, after in steps(played, name, seed, debt="single"):
        assert min(after.score()["accounts"]) >= -1
