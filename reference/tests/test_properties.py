"""What holds in every match of the Brou games, whoever plays: the invariants that the census derives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brou import Machine, Refusal, State, book, catalogue, rules

Played = Callable[..., Iterator[tuple[State, int, dict[str, Any], State]]]

#: The games of the Brou family, known by what they keep: marriages announced and tricks laid.
BROU = [f"{game}@{edition}" for game in catalogue() if "brou" in game for edition in book(game).editions]
BROUC = [name for name in BROU if name.startswith("brouc@")]
OLD = [name for name in BROU if not name.startswith("brouc@")]

SEEDS = st.integers(0, 2**32)
SLATES = st.lists(st.integers(-14, 30).map(lambda n: 10 * n), min_size=2, max_size=2)
HIGH = st.lists(st.integers(19, 30).map(lambda n: 10 * n), min_size=2, max_size=2)
MARRIAGE = {("simple", False): 20, ("grand", False): 30, ("simple", True): 40, ("grand", True): 60}

few = settings(max_examples=10, deadline=None)


@lru_cache
def machine(name: str) -> Machine:
    """Return the machine of an edition."""
    return Machine(rules(name))


class Look:
    """The variables of a state by name."""

    def __init__(self, name: str, state: State) -> None:
        self.machine, self.state = machine(name), state

    def __getattr__(self, variable: str) -> Any:
        return self.machine.get(self.state, variable)


def steps(
    played: Played, name: str, seed: int, accounts: list[int], acts: int = 120
) -> Iterator[tuple[Look, int, dict[str, Any], Look]]:
    """Yield the steps of random play from given accounts."""
    begun = machine(name).start({"dealer": seed % 4, "accounts": accounts})
    for before, seat, act, after in played(machine(name), seed, acts, begun):
        yield Look(name, before), seat, act, Look(name, after)


def cards_in(value: Any) -> list[str]:
    """Return the cards inside a set, a pile, a card or an array of them."""
    if isinstance(value, str):
        return [value]
    return [card for item in value or () for card in cards_in(item)]


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROU)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_cards_are_conserved(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """From the deal on every card is in one hand, in the stock or in a trick, once; and no invariant breaks."""
    for _, _, _, after in steps(played, name, seed, accounts):
        cards = cards_in([after.hand, after.stock, after.laid])
        assert sorted(cards) in ([], sorted(after.machine.game.deck.cards))
        assert after.machine.find_broken_invariants(after.state) == []


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROU)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_card_points(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """The card points of a full deal make 120, rounded 120 or 130, and nobody has 1 or 119."""
    for _, _, _, after in steps(played, name, seed, accounts):
        if after.done == 8 and after.result in ("deal", "vole", "cape", "partie"):
            assert sum(after.points) == 120
            assert sum((points + 5) // 10 * 10 for points in after.points) in (120, 130)
            assert {1, 119}.isdisjoint(after.points)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROU)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_one_marriage_a_suit(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """A suit has at most one marriage in a deal, in a hand or on the table."""
    for _, _, _, after in steps(played, name, seed, accounts):
        for place, suit in enumerate("SHDC"):
            told = sum(kinds[place] is not None for kinds in after.announced)
            tabled = sum(
                {f"K{suit}", f"Q{suit}"} <= set(laid)
                for laid, taker in zip(after.laid, after.taker, strict=True)
                if taker is not None
            )
            assert told + tabled <= 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", BROU)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_announced_from_the_hand(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """Who announces has the cards and a trick of the own side; with one card left nobody can."""
    for before, seat, act, _ in steps(played, name, seed, accounts):
        if announced := act.get("announce"):
            wanted = "KQJ" if announced["kind"] == "grand" else "KQ"
            assert {rank + announced["suit"] for rank in wanted} <= before.hand[seat]
            assert before.won[seat % 2] > 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", OLD)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_announcing_ends_with_trick_six(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """In the game of 1802 nobody announces after the sixth trick, nor inside a trick."""
    for before, _, act, _ in steps(played, name, seed, accounts):
        if "announce" in act:
            assert 1 <= before.done <= 6
            assert all(card is None for card in before.laid[before.now - 1])


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROU)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_somebody_can_act(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """Until the match is over somebody can act, and then nobody can."""
    for _, _, _, after in steps(played, name, seed, accounts, 200):
        open_to_somebody = any(after.machine.legal(after.state, seat) for seat in range(4))
        assert open_to_somebody != after.machine.over(after.state)


def announced_value(look: Look) -> int:
    """Return what all announced marriages of a deal are worth."""
    kinds = [
        (suit, kind) for hand in look.announced for suit, kind in zip("SHDC", hand, strict=True) if kind is not None
    ]
    return sum(MARRIAGE[kind, suit == look.trump] for suit, kind in kinds)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", OLD)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_table_marriages_cancel_in_1802(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """What table marriages give one side they take from the other; only announced ones add to the sum."""
    for _, _, _, after in steps(played, name, seed, accounts):
        assert sum(after.gains) + sum(after.losses) == announced_value(after)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROUC)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_table_marriages_cancel_in_brouc(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """The accounts run ahead of the slate by card points, carry and announced marriages: the table adds nothing."""
    for _, _, _, after in steps(played, name, seed, accounts):
        live: Any = after.machine.score(after.state)["accounts"]
        rest = sum(live) - sum(after.before) - sum(after.points) - sum(after.carry)
        assert rest == announced_value(after)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", BROU)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_accounts_are_tens(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """Between deals the accounts are multiples of ten."""
    for _, _, _, after in steps(played, name, seed, accounts):
        if after.state.phase == "deal":
            assert [account % 10 for account in after.before] == [0, 0]


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROU)
@given(seed=SEEDS, accounts=SLATES)
@few
def test_legal_cards(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """Whoever is to play can; follows suit if possible; and if not, may discard any plain card held."""
    for before, _, _, _ in steps(played, name, seed, accounts):
        if before.state.phase != "play":
            continue
        turn, hand = before.turn, before.hand[before.turn]
        offered_cards: Any = before.machine.legal(before.state, turn)["play"]
        legal = set(offered_cards)
        lead = before.laid[before.now - 1][before.leader]
        following = {card for card in hand if lead is not None and card[1] == lead[1]}
        assert legal
        assert legal <= (following or hand)
        if lead is not None and not following:
            assert {card for card in hand if card[1] != before.trump} <= legal


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", OLD)
@given(seed=SEEDS, accounts=HIGH)
@settings(max_examples=15, deadline=None)
def test_commitment_in_1802(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """A deal with a commitment gives one side 4, 5 or 7 parties and ends the partie."""
    for before, _, act, after in steps(played, name, seed, accounts, 60):
        if "next" in act and before.call is not None:
            gained = sorted(new - old for old, new in zip(before.parties, after.parties, strict=True))
            assert gained in ([0, 4], [0, 5], [0, 7])
            assert after.before == (0, 0)


@pytest.mark.parametrize("name", BROUC)
@given(seed=SEEDS, accounts=HIGH)
@settings(max_examples=15, deadline=None)
def test_commitment_in_brouc(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """A deal with a call that was not ended by a claim gives one side 3 or 4 coches and ends the partie."""
    for before, _, act, after in steps(played, name, seed, accounts, 60):
        if "next" in act and before.call is not None and not before.result.startswith("claim"):
            gained = sorted(new - old for old, new in zip(before.coches, after.coches, strict=True))
            assert gained in ([0, 3], [0, 4])
            assert (after.before, after.carry) == ((0, 0), (0, 0))


def observed(name: str, state: State) -> list[Any]:
    """Return all that can be observed of a state."""
    made = machine(name)
    return [made.score(state), *(answer(state, seat) for seat in range(4) for answer in (made.view, made.legal))]


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROU)
@given(seed=SEEDS)
@few
def test_replay(played: Played, name: str, seed: int) -> None:
    """The same acts on another machine, from the first state on, give the same observations."""
    other = Machine(rules(name))
    state = other.begin()
    for _, seat, act, after in played(machine(name), seed, 60):
        following = other.act(state, seat, act)
        assert isinstance(following, State)
        assert [*map(str, observed(name, after))] == [*map(str, observed(name, following))]
        state = following


def attempts(name: str) -> Iterator[dict[str, Any]]:
    """Yield acts of every kind that one could try, most of them out of place."""
    cards = machine(name).game.deck.cards
    yield from ({"play": card} for card in cards)
    yield from ({"announce": {"suit": suit, "kind": kind}} for suit in "SHDC" for kind in ("simple", "grand"))
    yield from ({"declare": what} for what in ("vole", "cape-dehors", "pas-dedouble"))
    yield from ({act: True} for act in ("claim", "stop", "next"))
    yield from ({act: number} for act in ("mark", "unmark", "cut") for number in range(9))
    yield from ({"answer": yes} for yes in (True, False))
    yield {"deal": {"deck": list(cards), "packets": [3, 3, 2]}}


def offered(legal: dict[str, Any], act: dict[str, Any]) -> bool:
    """Say whether an act is among what is legal."""
    name, value = next(iter(act.items()))
    found = legal.get(name)
    if isinstance(found, dict) and "min" in found:
        return bool(found["min"] <= value <= found["max"])
    if isinstance(found, dict):
        return bool(value["packets"] in found["packets"])
    return found is True or (isinstance(found, list) and value in found)


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", BROU)
@given(seed=SEEDS, accounts=SLATES)
@settings(max_examples=3, deadline=None)
def test_offered_is_accepted(played: Played, name: str, seed: int, accounts: list[int]) -> None:
    """Just what is offered is accepted, and an attempt that is refused changes nothing."""
    for number, (before, _, _, _) in enumerate(steps(played, name, seed, accounts, 60)):
        seat, state, before_it = number % 4, before.state, observed(name, before.state) if number % 8 == 0 else None
        legal = before.machine.legal(state, seat)
        for act in attempts(name):
            assert offered(legal, act) == (not isinstance(before.machine.act(state, seat, act), Refusal)), act
        assert before_it in (None, observed(name, state))


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROU)
def test_random_play_reaches_everything(played: Played, name: str) -> None:
    """Random play from high accounts reaches all that the tests above speak of."""
    acts = {next(iter(act)) for seed in range(30) for _, _, act, _ in steps(played, name, seed, [200, 290], 60)}

    assert {"declare", "announce", "claim", "play", "next"} <= acts
