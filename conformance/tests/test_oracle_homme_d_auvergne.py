"""What the second witness for Homme d'Auvergne holds, worked out by hand from the census of rules."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from oracle_loader import load

ORACLE = load("homme_d_auvergne")
RESTORED = "homme-d-auvergne@1665"
LATER = "homme-d-auvergne@1718"
LAST = "homme-d-auvergne@1725"
TABLES = [(edition, setup) for edition, setups in ORACLE.SETUPS.items() for setup in setups]
RESULTS = {"won-more", "won-first", "lost", "void", "king", "capture"}

# Seat 0 holds the four kings; nobody else holds a club.
FOUR_KINGS = ("KS KH KD KC QC", "AS QS JS TS 8S", "AH QH JH TH 8H", "AD QD JD TD 8D")
# The king of hearts falls to a trump of seat 1 when seat 0 leads it.
RIVALS = ("KH QH 8S 7D 8D", "AS KS QS 9D TD", "JH AH TH QD JD", "8H 7H AD KD TS")
RIVALS_PLAY = ("KH QS JH 8H", "AS TH TS 8S", "KS AH 7H 7D", "TD QD KD 8D", "AD QH 9D JD")
# Seat 1 makes three tricks as the man before the king of hearts falls, in the fourth or in the last trick.
RIVALS_LAST = ("8S QS TH TS", "AS JH 7H 7D", "KS AH 8H 8D", "9D JD KD QH", "AD KH TD QD")
# Two kings fall in the first trick, the second one a discard.

# Deals by the seats that win their five tricks, trump spades, seat 0 on lead.


def pack_of(count: int, edition: str = RESTORED) -> list[str]:
    """The pack for so many players, in canonical order."""
    ranks = "AKQJT987" if count > 3 or edition == LAST else "AKQJT98"
    return [rank + suit for suit in "SHDC" for rank in ranks]


def open_match(count: int = 4, *, edition: str = RESTORED, dealer: int | None = None, **wanted: Any) -> Any:
    """A match in front of a deal, of the last seat if no dealer is named; other words are accounts and readings."""
    accounts = wanted.pop("accounts", None)
    given = count - 1 if dealer is None else dealer
    return ORACLE.Match(edition, wanted, setup=str(count), dealer=given, accounts=accounts)


def order_of(match: Any) -> list[int]:
    """The seats from the dealer's right on."""
    count = len(match.view(0)["hands"])
    return [(match.view(0)["dealer"] + step) % count for step in range(1, count + 1)]


def give(match: Any, hands: Sequence[str], stock: str = "9S", packets: Sequence[int] = (3, 2)) -> None:
    """Deals these hands by seats; the stock begins with these cards."""
    dealer, deck = match.view(0)["dealer"], []
    first, _ = packets
    for part in (slice(0, first), slice(first, 5)):
        for seat in order_of(match):
            deck += hands[seat].split()[part]
    deck += stock.split()
    deck += [card for card in pack_of(len(hands), match.edition) if card not in deck]
    assert match.act(dealer, {"deal": {"deck": deck, "packets": list(packets)}})


def sweep(owner: int, count: int = 4, edition: str = RESTORED) -> list[str]:
    """Hands in which one seat has the five highest spades, and so every trick with spades trump.

    The king of hearts and three nines stay in the stock.
    """
    rest = [card for card in pack_of(count, edition) if card[1] != "S" and card not in ("KH", "9H", "9D", "9C")]
    hands = [" ".join(rest[5 * place : 5 * place + 5]) for place in range(count - 1)]
    return [*hands[:owner], "KS QS JS AS TS", *hands[owner:]]


def answer(match: Any, *words: str | bool) -> None:
    """The seats whose turn it is answer one after the other: truth values to offers, the rest are words."""
    for word in words:
        act = {"turn": word} if isinstance(word, bool) else {"say": word}
        assert match.act(match.view(0)["turn"], act), word


def show(match: Any, seat: int, king: str) -> None:
    """The seat shows a king."""
    assert match.act(seat, {"show": king})


def play(match: Any, *tricks: str) -> None:
    """Plays the cards one after the other, each by the seat whose turn it is."""
    for trick in tricks:
        for card in trick.split():
            assert match.act(match.view(0)["turn"], {"play": card}), card


def play_out(match: Any) -> None:
    """Plays the first card that is open until the deal has ended."""
    while match.view(0)["phase"] == "play":
        seat = match.view(0)["turn"]
        assert match.act(seat, {"play": match.legal(seat)["play"][0]})


def dealt(hands: Sequence[str], stock: str = "9S", **wanted: Any) -> Any:
    """A match with these hands dealt."""
    match = open_match(len(hands), **wanted)
    give(match, hands, stock)
    return match


def name_man(match: Any, man: int) -> None:
    """The seats before the man pass and he plays."""
    while match.view(0)["turn"] != man:
        answer(match, "pass")
    answer(match, "play")


def with_man(hands: Sequence[str], man: int, **wanted: Any) -> Any:
    """A match in which nine of spades was turned at once and this seat is the man."""
    match = dealt(hands, **wanted)
    answer(match, True)
    name_man(match, man)
    return match


def hearts_then_spades(man: int, *, counted: bool = True, **wanted: Any) -> Any:
    """Rivals after hearts was turned and passed, the king of hearts counted or not, and spades accepted."""
    match = dealt(RIVALS, "9H 9S", **wanted)
    answer(match, True)
    if counted:
        show(match, 0, "KH")
    answer(match, "pass", "pass", "pass", "pass", True)
    name_man(match, man)
    return match


def settled(match: Any) -> tuple[Any, Any, Any]:
    """Result, accounts and winners of the partie."""
    score = match.score()
    return score["result"], score["accounts"], score["over"]


def may_show(match: Any, seat: int, king: str) -> bool:
    """Whether the seat could show this king now, asked both ways."""
    accepted = bool(copy.deepcopy(match).act(seat, {"show": king}))
    assert accepted == (king in match.legal(seat).get("show", []))
    return accepted


def next_deal(match: Any) -> None:
    """The deal is written and the next one may begin."""
    assert match.act(0, {"next": True})


def man_wins(man: int, takers: Sequence[int], seats: int) -> bool:
    """The condition as it is written: more tricks than each other player, or as many of them earlier."""
    mine = [number for number, taker in enumerate(takers) if taker == man]
    if not mine:
        return False
    for other in range(seats):
        theirs = [number for number, taker in enumerate(takers) if taker == other]
        if other != man and (len(theirs) > len(mine) or (len(theirs) == len(mine) and theirs[-1] < mine[-1])):
            return False
    return True


def test_readings_put_the_default_first() -> None:
    """The defaults are those that the census recommends, in every edition."""
    for edition in ORACLE.SETUPS:
        assert {key: values[0] for key, values in ORACLE.READINGS[edition].items()} == {
            "draw_order": "game-order",
            "show_before_call": "until-own-call",
            "capture_end": "at-once",
            "simultaneous_target": "all-win",
            "debt": "negative-integer",
        }


@pytest.mark.parametrize("readings", [{"target": 0}, {"target": 100}, {"target": "5"}, {"debt": "none"}, {"end": "x"}])
def test_unknown_readings_are_refused(readings: dict[str, Any]) -> None:
    """A value that is no reading, and a key that is none, cannot be chosen."""
    with pytest.raises(ValueError, match=r".+"):
        open_match(**readings)


@pytest.mark.parametrize("accounts", [(5, 0, 0, 0), (0, 0, 0), ()])
def test_impossible_accounts_are_refused(accounts: tuple[int, ...]) -> None:
    """A partie that is won already, or accounts for other seats, are nothing to begin with."""
    with pytest.raises(ValueError, match="accounts"):
        open_match(accounts=accounts)


def test_a_single_debt_has_one_point() -> None:
    """Nobody can begin two points below nothing when there is one debt only (auv.amb.14)."""
    with pytest.raises(ValueError, match="accounts"):
        open_match(accounts=(-2, 0, 0, 0), debt="single")


@pytest.mark.parametrize(("reading", "dealer"), [("game-order", 1), ("piquet-order", 0)])
def test_the_highest_card_drawn_deals(reading: str, dealer: int) -> None:
    """The king deals in the order of the game, the ace in that of Piquet (auv.dealer.01, auv.amb.01)."""
    match = ORACLE.Match(RESTORED, {"draw_order": reading}, setup="2")
    assert match.act(1, {"draw": "KH"})
    assert not match.act(1, {"draw": "QH"})
    assert not match.act(0, {"draw": "KH"})
    assert match.act(0, {"draw": "AS"})
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("deal", dealer)


def test_a_drawn_tie_is_drawn_again() -> None:
    """Those who share the highest card draw again from the whole pack, the others do not (auv.amb.02)."""
    match = ORACLE.Match(RESTORED, {}, setup="4")
    for seat, card in enumerate(("KS", "KH", "AS", "7S")):
        assert match.act(seat, {"draw": card})
    assert (match.view(0)["phase"], match.view(0)["dealer"]) == ("draw", None)
    assert not match.act(2, {"draw": "KD"})
    assert match.act(0, {"draw": "7S"})
    assert match.act(1, {"draw": "8S"})
    assert match.view(0)["dealer"] == 1


def test_no_seven_is_drawn_without_sevens() -> None:
    """Three players draw from their own pack (auv.equip.02)."""
    match = ORACLE.Match(RESTORED, {}, setup="3")
    assert not match.act(0, {"draw": "7S"})


@pytest.mark.parametrize(
    ("packets", "first", "last"),
    [
        ([3, 2], ["AS", "KS", "QS", "TH", "9H"], ["KH", "QH", "JH", "QD", "JD"]),
        ([2, 3], ["AS", "KS", "AH", "KH", "QH"], ["8S", "7S", "KD", "QD", "JD"]),
    ],
)
def test_packets(packets: list[int], first: list[str], last: list[str]) -> None:
    """Five cards come as three and two or two and three, to the dealer's right first (auv.deal.02)."""
    match = open_match()
    assert match.act(3, {"deal": {"deck": pack_of(4), "packets": packets}})
    assert (match.view(0)["hand"], match.view(3)["hand"]) == (first, last)
    answer(match, True)
    assert match.view(0)["turnup"] == {"card": "TD", "exposed": True}


@pytest.mark.parametrize("packets", [[5], [1, 4], [4, 1], [2, 2, 1], [True, 4], [3.0, 2.0]])
def test_other_packets_are_refused(packets: list[Any]) -> None:
    """Nothing but three and two or two and three is dealt (auv.deal.02)."""
    assert not open_match().act(3, {"deal": {"deck": pack_of(4), "packets": packets}})


def test_only_the_dealer_deals_a_whole_pack() -> None:
    """The deal is the dealer's, with every card once."""
    match, deck = open_match(3), pack_of(3)
    assert not match.act(0, {"deal": {"deck": deck, "packets": [3, 2]}})
    assert not match.act(2, {"deal": {"deck": pack_of(4), "packets": [3, 2]}})
    assert not match.act(2, {"deal": {"deck": [*deck[1:], deck[1]], "packets": [3, 2]}})
    assert match.act(2, {"deal": {"deck": deck, "packets": [3, 2]}})


def test_a_turned_king_ends_the_partie() -> None:
    """The fifth point by a king turned is won without play (auv.ex.07, auv.adv.02, auv.amb.11)."""
    match = dealt(sweep(0), "KH", accounts=(4, 4, 0, 0))
    answer(match, False, True)
    assert settled(match) == ("king", [4, 5, 0, 0], [1])
    assert match.score()["winners"] == []
    next_deal(match)
    assert match.over
    assert all(match.legal(seat) == {} for seat in range(4))


def test_a_shown_king_ends_the_partie() -> None:
    """At four a king shown wins at once, before it could be lost again (auv.amb.11)."""
    match = hearts_then_spades(1, counted=False, accounts=(0, 4, 0, 0))
    assert match.score()["over"] == []
    match = dealt(RIVALS, "9H", accounts=(4, 0, 0, 0))
    answer(match, True)
    show(match, 0, "KH")
    assert settled(match) == ("king", [5, 0, 0, 0], [0])
    assert match.legal(1) == {"next": [True]}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_exactly_one_seat_would_have_won(seats: int) -> None:
    """In every sequence of winners one seat satisfies the man's condition, each equally often (auv.clm.04 to .07)."""
    tally: Counter[int] = Counter()
    for takers in itertools.product(range(seats), repeat=5):
        fulfilled = [seat for seat in range(seats) if man_wins(seat, takers, seats)]
        assert fulfilled == [ORACLE.winning_seat(takers)]
        tally.update(fulfilled)
    assert tally == dict.fromkeys(range(seats), seats**4)


def test_a_capture_ends_the_partie_at_once() -> None:
    """The captor at four has won when the trick is complete, and no more cards are played (auv.amb.12)."""
    match = hearts_then_spades(2, accounts=(0, 4, 0, 0))
    play(match, RIVALS_PLAY[0])
    assert settled(match) == ("capture", [0, 5, 0, 0], [1])
    assert (match.view(1)["hands"], match.view(1)["turn"], match.view(1)["man"]) == ([4, 4, 4, 4], None, 2)
    next_deal(match)
    assert match.over


@pytest.mark.parametrize(
    ("reading", "end"),
    [("at-once", ("capture", [0, 4, 5, 0], [2])), ("end-of-deal", ("won-more", [0, 5, 5, 0], [1, 2]))],
)
def test_a_capture_in_the_last_trick(reading: str, end: tuple[Any, ...]) -> None:
    """A capture comes before the man's point, or together with it (auv.amb.12)."""
    match = hearts_then_spades(1, accounts=(0, 4, 4, 0), capture_end=reading)
    play(match, *RIVALS_LAST)
    assert settled(match) == end


@pytest.mark.parametrize(
    ("reading", "dealer", "winners"),
    [
        ("all-win", 3, [1, 2]),
        ("higher-score", 3, []),
        ("playing-order", 3, [1]),
        ("playing-order", 1, [2]),
        ("play-on", 3, []),
    ],
)
def test_several_reach_the_target_together(reading: str, dealer: int, winners: list[int]) -> None:
    """Two opponents at four gain a point each when the man loses (auv.amb.13, auv.clm.11)."""
    match = open_match(accounts=(0, 4, 4, 0), dealer=dealer, simultaneous_target=reading)
    give(match, sweep(1))
    answer(match, True)
    name_man(match, 0)
    play_out(match)
    assert settled(match) == ("lost", [-1, 5, 5, 1], winners)


@pytest.mark.parametrize(
    ("reading", "winners"), [("all-win", [1, 3]), ("higher-score", [1]), ("playing-order", [1]), ("play-on", [])]
)
def test_one_passes_the_target_further_than_another(reading: str, winners: list[int]) -> None:
    """Six and five together: the higher wins, unless all do or nobody does (auv.amb.13)."""
    match = hearts_then_spades(2, accounts=(0, 4, 0, 4), capture_end="end-of-deal", simultaneous_target=reading)
    play(match, *RIVALS_PLAY)
    assert settled(match) == ("lost", [1, 6, -1, 5], winners)


@pytest.mark.parametrize(("reading", "winners"), [("higher-score", [2]), ("play-on", [])])
def test_a_king_after_a_tie_at_the_target(reading: str, winners: list[int]) -> None:
    """A later point makes six to five, which only the higher score turns into a victory (auv.amb.13)."""
    match = open_match(accounts=(0, 4, 4, 0), simultaneous_target=reading)
    give(match, sweep(1))
    answer(match, True, "play")
    play_out(match)
    next_deal(match)
    give(match, sweep(2))
    answer(match, True, "pass")
    show(match, 2, "KS")
    assert match.score()["over"] == winners


def test_a_tie_at_the_target_is_broken_by_a_loss() -> None:
    """Who falls below the target leaves the other alone there (auv.amb.13)."""
    match = open_match(accounts=(0, 4, 4, 0), simultaneous_target="play-on")
    give(match, sweep(1))
    answer(match, True, "play")
    play_out(match)
    next_deal(match)
    give(match, sweep(2))
    answer(match, True, "play")
    play_out(match)
    assert settled(match) == ("lost", [0, 4, 6, 2], [2])


@pytest.mark.parametrize(("edition", "target"), [(RESTORED, 5), (LATER, 7), (LAST, 7)])
def test_the_points_of_a_partie(edition: str, target: int) -> None:
    """Five points in 1665, seven since 1718 (auv.game.01, auv.hist.01)."""
    match = dealt(sweep(0), edition=edition, accounts=(target - 2, 0, 0, target - 1))
    answer(match, True)
    name_man(match, 0)
    play_out(match)
    assert settled(match) == ("won-more", [target - 1, 0, 0, target - 1], [])
    next_deal(match)
    give(match, sweep(0))
    answer(match, True)
    name_man(match, 0)
    play_out(match)
    assert settled(match) == ("won-more", [target, 0, 0, target - 1], [0])
    assert match.score()["winners"] == [0]
    next_deal(match)
    assert (match.over, match.view(0)["phase"]) == (True, "over")


@pytest.mark.parametrize("target", [1, 2, 12])
def test_the_points_of_a_partie_can_be_agreed(target: int) -> None:
    """More or fewer points may be played (auv.game.01)."""
    match = with_man(sweep(0), 0, target=target, accounts=(target - 1, 0, 0, 0))
    play_out(match)
    assert match.score()["over"] == [0]


def test_nothing_of_a_deal_is_left_after_it() -> None:
    """Between deals the table is empty; in the result it still lies open to view."""
    match = hearts_then_spades(1)
    play(match, *RIVALS_PLAY)
    view = match.view(0)
    assert (view["phase"], view["turn"], view["leader"], view["trump"], view["man"]) == ("result", None, None, "S", 1)
    assert (len(view["turned"]), len(view["shown"]), sum(view["won"])) == (2, 1, 5)
    next_deal(match)
    view, score = match.view(0), match.score()
    assert [view[key] for key in ("turn", "leader", "man", "trump", "turnup")] == [None] * 5
    assert [view[key] for key in ("turned", "shown", "hand", "trick", "takers")] == [[]] * 5
    assert (view["hands"], view["won"], view["stock"]) == ([0] * 4, [0] * 4, 0)
    assert (score["result"], score["winners"], score["points"]) == (None, [], [0] * 4)


@pytest.mark.parametrize("edition", [LATER, LAST])
def test_other_kings_count_with_the_king_of_the_suit(edition: str) -> None:
    """Since 1718 the king of the suit brings one point and every other king of the hand one more (0.6.25)."""
    match = dealt(FOUR_KINGS, "9H 9D", edition=edition)
    answer(match, True)
    assert match.legal(0)["show"] == ["KH"]
    show(match, 0, "KH")
    assert match.view(1)["accounts"] == [4, 0, 0, 0]
    assert [entry["card"] for entry in match.view(1)["shown"]] == ["KS", "KH", "KD", "KC"]
    answer(match, "pass", "pass", "pass", "pass", True)
    assert not may_show(match, 0, "KD")


@pytest.mark.parametrize(
    "act",
    [{}, {"turn": 1}, {"turn": "yes"}, {"turn": True, "show": "KS"}, {"say": "play"}, {"next": True}, {"claim": True}],
)
def test_an_act_that_is_none(act: dict[str, object]) -> None:
    """What the phase does not offer, or is not of the form, is refused and changes nothing."""
    match = dealt(sweep(0))
    before = json.dumps([match.view(seat) for seat in range(4)])
    assert not match.act(0, act)
    assert json.dumps([match.view(seat) for seat in range(4)]) == before


def candidates(match: Any, dice: random.Random) -> list[tuple[int, dict[str, Any]]]:
    """Every act that is open now, a deal with a random pack; turning and playing weigh more than declining."""
    found: list[tuple[int, dict[str, Any]]] = []
    for seat in range(match.count):
        for name, choices in match.legal(seat).items():
            if name == "cut":
                found.append((seat, {"cut": dice.randint(choices["min"], choices["max"])}))
            elif name == "deal":
                deck = choices["deck"]["order"]
                deal = {"deck": dice.sample(deck, len(deck)), "packets": dice.choice(choices["packets"])}
                found.append((seat, {"deal": deal}))
            else:
                found += [(seat, {name: value}) for value in choices]
    heavy = [entry for entry in found if entry[1] in ({"turn": True}, {"say": "play"}) or "show" in entry[1]]
    return found + heavy * 2


def check_secrets(match: Any, seat: int) -> None:
    """No seat is told a card of another hand or of the stock, unless it was shown."""
    public = {entry["card"] for entry in match.view(seat)["shown"]}
    told = json.dumps(match.view(seat))
    hidden = [card for other in range(match.count) if other != seat for card in match.view(other)["hand"]]
    for card in [*hidden, *match.stock]:
        assert card in public or f'"{card}"' not in told


def check_cards(match: Any, played: Sequence[str]) -> None:
    """Every card of the pack is in one place (H.6.1)."""
    held = [card for seat in range(match.count) for card in match.view(seat)["hand"]]
    turned = [entry["card"] for entry in match.view(0)["turned"]]
    assert sorted([*held, *played, *turned, *match.stock]) == sorted(match.pack)


def check_points(match: Any) -> None:
    """Points for kings are one for each suit at most, and none without a king turned or shown (H.6.8)."""
    view, points = match.view(0), match.score()["points"]
    suits = {entry["card"][1] for entry in view["turned"]}
    kings = [entry["card"] for entry in [*view["turned"], *view["shown"]] if entry["card"][0] == "K"]
    assert sum(points) == len(kings) == len(set(kings)) <= 4
    if match.edition == RESTORED:
        assert {king[1] for king in kings} <= suits


def check_result(match: Any) -> None:
    """The result follows from the tricks, and accounts from the result (auv.win.*, auv.score.*)."""
    view, score = match.view(0), match.score()
    if score["result"] not in ("won-more", "won-first", "lost"):
        assert score["winners"] == []
        assert score["accounts"] == [b + p for b, p in zip(score["before"], score["points"], strict=True)]
        return
    won = man_wins(view["man"], view["takers"], match.count)
    mine, others = view["won"][view["man"]], [view["won"][s] for s in range(match.count) if s != view["man"]]
    assert score["result"] == ("lost" if not won else "won-more" if mine > max(others) else "won-first")
    for seat in range(match.count):
        change = int(seat in score["winners"]) - int(seat == view["man"] and not won)
        unfloored = score["before"][seat] + score["points"][seat] + change
        assert score["accounts"][seat] == (max(unfloored, -1) if match.pick["debt"] == "single" else unfloored)
    assert sum(view["won"]) == 5


@pytest.mark.parametrize("seed", range(60))
def test_random_play(seed: int) -> None:
    """A partie of random acts under random readings keeps its invariants, and told again it is the same (H.6.10)."""
    dice = random.Random(seed)
    edition, setup = dice.choice(TABLES)
    readings = {key: dice.choice(values) for key, values in ORACLE.READINGS[edition].items()}
    match = ORACLE.Match(edition, readings, setup=setup)
    told: list[tuple[int, dict[str, Any], str]] = []
    played: list[str] = []
    while not match.over and len(told) < 3000:
        seat, act = dice.choice(candidates(match, dice))
        assert match.act(seat, act)
        told.append((seat, act, json.dumps([match.view(seat), match.score()])))
        if "deal" in act:
            played = []
        elif "play" in act:
            played.append(str(act["play"]))
        if match.phase in ("offer", "speak", "play", "result"):
            check_cards(match, played)
            check_points(match)
            check_secrets(match, seat)
        if match.phase == "result":
            assert match.score()["result"] in RESULTS
            check_result(match)
    again = ORACLE.Match(edition, readings, setup=setup)
    for seat, act, seen in told:
        assert again.act(seat, act)
        assert json.dumps([again.view(seat), again.score()]) == seen
    assert match.over
    assert match.score()["over"]


@pytest.mark.parametrize("seed", range(20))
def test_refused_acts_change_nothing(seed: int) -> None:
    """What is not offered is refused, and afterwards everything is as before."""
    dice = random.Random(seed)
    edition, setup = dice.choice(TABLES)
    match = ORACLE.Match(edition, {}, setup=setup)
    names: list[dict[str, Any]] = [{"turn": True}, {"turn": False}, {"say": "play"}, {"say": "pass"}, {"next": True}]
    names += [{verb: card} for verb in ("show", "play", "draw") for card in (*match.pack, "7X")]
    for _ in range(120):
        if match.over:
            break
        for seat in range(match.count):
            open_acts = [{name: value} for name, values in match.legal(seat).items() for value in values]
            before = json.dumps([[match.view(s), match.legal(s)] for s in range(match.count)])
            for act in dice.sample(names, 12):
                assert act in open_acts or not match.act(seat, act)
            assert json.dumps([[match.view(s), match.legal(s)] for s in range(match.count)]) == before
        seat, act = dice.choice(candidates(match, dice))
        assert match.act(seat, act)
