"""What the second witness for Brouc holds, worked out by hand from the census of rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from oracle_loader import load

ORACLE = load("brouc")
MODERN = "brouc@2022"
CLUB = "brouc@club-2026"
PACK = [rank + suit for suit in "SHDC" for rank in "AKQJT987"]
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}

SEVENTY_ONE = (
    "AH AD AC JH KC QC JC 7S",
    "7H 7D 7C 9H KH KS QS JS",
    "TH TD TC QH KD 9D 9C 8S",
    "8H 8D 8C QD JD AS TS 9S",
)
CAPE = (
    "AS AH AD AC TS TH TD TC",
    "8S KH KD KC 7S 7H 7D 7C",
    "KS QS QH QD QC 8H 8D 8C",
    "JS JH JD JC 9S 9H 9D 9C",
)
CAPE_PLAY = (
    "AH 7H 8H 9H",
    "TH KH QH JH",
    "AD 7D 8D 9D",
    "TD KD QD JD",
    "AC 7C 8C 9C",
    "TC KC QC JC",
    "AS 7S QS 9S",
    "TS 8S KS JS",
)


def deck_of(hands: Sequence[str], dealer: int) -> list[str]:
    """The deck that brings these hands in packets of 1, 3 and 4, with spades turned up."""
    held = [hand.split() for hand in hands]
    turnup = [card for card in held[dealer] if card[1] == "S"][-1]
    held[dealer].remove(turnup)
    held[dealer].append(turnup)
    deck = []
    for first, last in ((0, 1), (1, 4), (4, 8)):
        for step in range(1, 5):
            deck += held[(dealer + step) % 4][first:last]
    return deck


def open_match(readings: dict[str, str | int] | None = None, *, edition: str = MODERN, **setting: Any) -> Any:
    """A match in front of a deal of seat 3, unless another dealer is named."""
    return ORACLE.Match(edition, readings or {}, **{"dealer": 3, **setting})


def give(match: Any, hands: Sequence[str]) -> None:
    """Deals the hands."""
    dealer = match.view(0)["dealer"]
    assert match.act(dealer, {"deal": {"deck": deck_of(hands, dealer), "packets": [1, 3, 4]}})


def play(match: Any, *tricks: str) -> None:
    """Plays the cards one after the other, each by the seat whose turn it is."""
    for trick in tricks:
        for card in trick.split():
            assert match.act(match.view(0)["turn"], {"play": card}), card


def dealt(hands: Sequence[str], readings: dict[str, str | int] | None = None, **setting: Any) -> Any:
    """A match with these hands dealt."""
    match = open_match(readings, **setting)
    give(match, hands)
    return match


def offered(match: Any, seat: int, name: str) -> list[Any]:
    """The values of one act that the seat may choose."""
    return list(match.legal(seat).get(name, []))


def settled(match: Any, seat: int, act: dict[str, object]) -> tuple[Any, Any, Any]:
    """Result, winner and worth once the seat has done the act."""
    assert match.act(seat, act)
    score = match.score()
    return score["result"], score["winner"], score["worth"]


CLAIM: dict[str, object] = {"claim": True}
NEXT: dict[str, object] = {"next": True}


def test_readings_put_the_default_first() -> None:
    """The club edition differs from the page of 2022 in seven defaults that both know."""
    modern, club = ORACLE.READINGS[MODERN], ORACLE.READINGS[CLUB]
    assert {key: club[key][0] for key in modern if club[key][0] != modern[key][0]} == {
        "claim_counts_open_trick": "yes",
        "exception_scope": "any-trump-play",
        "cape_carry": "void",
        "marking": "explicit-any",
        "cape_announce_moment": "own-turn",
        "cape_announce_invalid": "lost",
    }
    assert (club["rounding_counterpart"][0], club["announced_debit"][0]) == ("complement", "no")


def test_club_readings_are_unknown_to_the_page_of_2022() -> None:
    """The debit of announced marriages belongs to the club edition alone."""
    with pytest.raises(ValueError, match="announced_debit"):
        open_match({"announced_debit": "yes"})


@pytest.mark.parametrize(
    "readings",
    [
        {"claim_counts_open_trick": "yes", "claim_window": "between-tricks"},
        {"cape_carry": "void", "cape_carry_on_second_cape": "lost"},
        {"cape_carry": "void", "carry_in_thresholds": "yes"},
        {"rounding_counterpart": "complement", "rounding_order": "sum-half-away", "claim_counts_open_trick": "no"},
    ],
)
def test_contradictory_readings_are_refused(readings: dict[str, str | int]) -> None:
    """Readings that leave each other without meaning cannot be chosen together."""
    with pytest.raises(ValueError, match=r".+"):
        open_match(readings, edition=CLUB)


def test_lot_names_the_first_dealer() -> None:
    """Any seat may state the outcome of the lot (brouc.dealer.01)."""
    match = ORACLE.Match(MODERN, {})
    assert match.act(2, {"lot": 1})
    assert match.view(0)["dealer"] == 1


def test_packets_of_one_three_four() -> None:
    """The first hand gets the cards 1, 5-7 and 17-20 of the deck, the dealer its last card (brouc.deal.02)."""
    match = open_match()
    assert match.act(3, {"deal": {"deck": PACK, "packets": [1, 3, 4]}})
    view = match.view(0)
    assert view["hand"] == ["AS", "TS", "9S", "8S", "AD", "KD", "QD", "JD"]
    assert view["turnup"] == {"card": "7C", "exposed": False}


@pytest.mark.parametrize("packets", [[3, 3, 2], [4, 3, 1], [True, 3, 4]])
def test_other_packets_are_refused(packets: list[int]) -> None:
    """Nothing but 1, 3, 4 is dealt (brouc.deal.02)."""
    assert not open_match().act(3, {"deal": {"deck": PACK, "packets": packets}})


def test_refused_act_changes_nothing() -> None:
    """A revoke is refused and the table stays as it was (brouc.amb.43)."""
    match = dealt(SEVENTY_ONE)
    play(match, "AH")
    before = [match.view(seat) for seat in range(4)]
    assert not match.act(1, {"play": "7D"})
    assert [match.view(seat) for seat in range(4)] == before


def test_carry_dies_with_the_partie() -> None:
    """A claim of the others ends the carry too (brouc.amb.28)."""
    match = open_match(accounts=(310, 0), carry=(0, 40))
    assert match.act(0, CLAIM)
    assert match.act(0, NEXT)
    assert match.view(0)["carry"] == [0, 0]


def test_second_call_is_refused() -> None:
    """One call closes the others in every reading (brouc.amb.48)."""
    match = dealt(CAPE, {"cape_announce_invalid": "lost"}, accounts=(190, 190))
    assert match.act(0, {"declare": "cape-dehors"})
    assert [offered(match, seat, "declare") for seat in range(4)] == [[], [], [], []]


def test_dehors_after_a_call_ends_the_partie() -> None:
    """The claim of the callers replaces their call (brouc.amb.33)."""
    match = dealt(CAPE, {"dehors_after_cape_announcement": "allowed"}, accounts=(250, 0))
    assert match.act(0, {"declare": "cape-dehors"})
    play(match, *CAPE_PLAY[:4])
    assert settled(match, 2, CLAIM) == ("claim-right", 0, 2)


def random_readings(dice: random.Random, edition: str) -> dict[str, str | int]:
    """Some choice of readings that can be made together."""
    while True:
        chosen = {key: dice.choice(values) for key, values in ORACLE.READINGS[edition].items()}
        try:
            ORACLE.Match(edition, chosen)
        except ValueError:
            continue
        return chosen


def candidates(match: Any, dice: random.Random) -> Iterator[tuple[int, dict[str, object], float]]:
    """Every act of every seat with the weight random play gives it."""
    weights = {"claim": 0.004, "declare": 0.01, "announce": 0.4, "mark": 0.5, "unmark": 0.1}
    for seat in range(4):
        for name, offer in match.legal(seat).items():
            values = offer
            if name == "cut":
                values = [dice.randint(offer["min"], offer["max"])]
            elif name == "deal":
                values = [{"deck": dice.sample(PACK, 32), "packets": offer["packets"][0]}]
            ahead = name == "claim" and match.score()["accounts"][seat % 2] > 300
            weight = 0.5 if ahead else weights.get(name, 1.0)
            for value in values:
                yield seat, {name: value}, weight / len(values)


def check_table(match: Any, played: list[str]) -> None:
    """Cards are conserved, some card is always open and none outside following suit (H.6.1, H.6.5)."""
    views = [match.view(seat) for seat in range(4)]
    assert sorted(played + [card for view in views for card in view["hand"]]) == sorted(PACK)
    turn = views[0]["turn"]
    hand, trick = views[turn]["hand"], views[turn]["trick"]
    following = {card for card in hand if trick and card[1] == trick[0]["card"][1]}
    cards = set(match.legal(turn)["play"])
    assert cards
    assert cards <= (following or set(hand))
    assert following or not trick or all(card in cards for card in hand if card[1] != views[0]["trump"])


def check_between(match: Any) -> None:
    """Slates are multiples of ten between deals (H.6.4)."""
    assert all(amount % 10 == 0 for amount in match.view(0)["accounts"] + match.view(0)["carry"])


@pytest.mark.parametrize("seed", range(200))
def test_random_play(seed: int) -> None:
    """A match of random acts under random readings keeps its invariants and ends or reaches 400 deals."""
    dice = random.Random(seed)
    edition = dice.choice([MODERN, CLUB])
    match = ORACLE.Match(edition, random_readings(dice, edition))
    deals = 0
    played: list[str] = []
    while not match.over and deals < 400:
        choices = list(candidates(match, dice))
        seat, act, _ = dice.choices(choices, [weight for _, _, weight in choices])[0]
        assert match.act(seat, act)
        view, score = match.view(seat), match.score()
        if "deal" in act:
            deals, played = deals + 1, []
        elif "play" in act:
            played.append(str(act["play"]))
        if view["phase"] == "play":
            check_table(match, played)
        elif view["phase"] == "deal":
            check_between(match)
        if view["phase"] == "count":
            assert sum(score["points"]) == 120 == sum(POINTS[card[0]] for card in played)
    assert deals == 400 or match.score()["over"] in (0, 1)
