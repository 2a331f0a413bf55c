"""What holds in every match of Danish L'Hombre, whoever plays: the invariants that the census derives."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brou import Machine, Refusal, State, book, choose, rules
from brou.chance import Chance
from brou.games.catalogue import with_readings
from brou.language.tree import Literal

GAME = "hombre"
DATA = book(GAME)
NAMES = [f"{GAME}@{edition}:{setup}" for edition, data in DATA.editions.items() for setup in data.setups]
KEYS = {key: list(reading.values) for key, reading in DATA.readings.items()}
SEEDS = st.integers(0, 2**32)
READINGS = st.fixed_dictionaries({key: st.sampled_from(values) for key, values in KEYS.items()})

NOLOS = ("nolo_en_demande", "pur_nolo", "nolo_ouvert")
WITH_EXCHANGE = ("demande", "demande_a_pique", "tourne", "nolo_en_demande", "grand_tourne")
CONTRACTS = [*WITH_EXCHANGE, "sans_prendre", "sans_prendre_a_pique", "pur_nolo", "nolo_ouvert"]
HEIGHT = dict(zip(CONTRACTS, (0, 1, 2, 2, 3, 4, 5, 5, 6), strict=True))
CARD = re.compile(r'"([AKQJ765432][SHDC])"')
HAND = TRICKS = 9
TALON = 13

few = settings(max_examples=6, deadline=None)

pytestmark = pytest.mark.slow


@lru_cache
def machine(name: str, *given: tuple[str, str]) -> Machine:
    """Return the machine of a set-up under some readings."""
    return Machine(rules(with_readings(choose(name), dict(given))))


class Look:
    """A state by the names of its variables."""

    def __init__(self, player: Machine, state: State) -> None:
        self.machine, self.state = player, state

    def __getattr__(self, variable: str) -> Any:
        return self.machine.get(self.state, variable)

    @property
    def phase(self) -> str:
        """Return the phase."""
        return self.state.phase

    @property
    def seats(self) -> range:
        """Return all seats."""
        return range(self.machine.game.seats)

    @property
    def active(self) -> list[int]:
        """Return the seats that take part in the deal."""
        out = self.view(0)["out"]
        return [seat for seat in self.seats if seat != out]

    @property
    def made(self) -> int:
        """Return how many tricks the hombre has."""
        return int(self.made_tricks[self.man])

    def view(self, seat: int) -> dict[str, Any]:
        """Return what a seat sees."""
        return dict(self.machine.view(self.state, seat))

    def score(self) -> dict[str, Any]:
        """Return what the score shows."""
        return dict(self.machine.score(self.state))

    def legal(self, seat: int) -> dict[str, Any]:
        """Return what a seat may do."""
        return dict(self.machine.legal(self.state, seat))


def filled(choices: Any, chance: Chance) -> Any:
    """Return one of the values that are listed or described."""
    if isinstance(choices, list):
        return chance.pick(choices)
    if "order" in choices:
        return chance.shuffle(choices["order"])
    if "from" in choices:
        size = choices["min"] + chance.below(choices["max"] - choices["min"] + 1)
        return chance.shuffle(choices["from"])[:size]
    if "min" in choices:
        return choices["min"] + chance.below(choices["max"] - choices["min"] + 1)
    return {key: filled(part, chance) for key, part in choices.items()}


def act_of(look: Look, chance: Chance) -> tuple[int, dict[str, Any]]:
    """Return an act to go on with: low bids and passes rather than high bids, cards rather than giving up."""
    pool = []
    for seat in look.seats:
        for name, choices in look.legal(seat).items():
            if name in ("surrender", "rest", "cut") and chance.below(8):
                continue
            values = [filled(choices[:2] + choices[-1:] if name == "bid" else choices, chance) for _ in range(2)]
            pool += [(seat, {name: value}) for value in values]
    return chance.pick(pool) if pool else act_of(look, chance)


def steps(
    name: str, seed: int, readings: dict[str, str], acts: int = 90
) -> Iterator[tuple[Look, int, dict[str, Any], Look]]:
    """Yield the steps of random play from the dealing on."""
    player, chance = machine(name, *readings.items()), Chance(seed)
    start = {"dealer": seed % player.game.seats, "accounts": [seed % 7 - 3] * player.game.seats}
    before = Look(player, player.start(start))
    for _ in range(acts):
        seat, act = act_of(before, chance)
        outcome = player.act(before.state, seat, act)
        assert not isinstance(outcome, Refusal), (seat, act, outcome)
        after = Look(player, outcome)
        yield before, seat, act, after
        if player.over(outcome):
            return
        before = after


def zones(look: Look) -> list[str]:
    """Return every card that lies somewhere."""
    laid = [card for row in look.laid for card in row if card is not None]
    return [*look.stock, *laid, *(card for zone in (look.hand, look.away) for held in zone for card in held)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_nothing_is_lost(name: str, seed: int, readings: dict[str, str]) -> None:
    """Every card lies in one place, and no invariant of the rules breaks."""
    for _, _, _, after in steps(name, seed, readings):
        assert sorted(zones(after)) in ([], sorted(after.machine.game.deck.cards))
        assert after.machine.find_broken_invariants(after.state) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_somebody_can_act(name: str, seed: int, readings: dict[str, str]) -> None:
    """Until the match is over somebody can act, and whoever is on turn can."""
    for _, _, _, after in steps(name, seed, readings):
        able = [seat for seat in after.seats if after.legal(seat)]
        assert bool(able) != after.machine.over(after.state)
        assert after.turn is None or after.turn in able


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_hands_return_to_nine(name: str, seed: int, readings: dict[str, str]) -> None:
    """Whoever has exchanged holds nine cards again, and the talon is less by what was put away."""
    for _, _, act, after in steps(name, seed, readings):
        if "discard" in act:
            assert {len(after.hand[seat]) for seat in after.active} == {HAND}
            assert len(after.stock) == TALON - sum(map(len, after.away))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_whoever_is_out_has_nothing(name: str, seed: int, readings: dict[str, str]) -> None:
    """The one who sits out holds no card, makes no trick and can only have the result written."""
    for _, _, _, after in steps(name, seed, readings):
        for seat in set(after.seats) - set(after.active):
            assert (after.hand[seat], after.made_tricks[seat]) == (frozenset(), 0)
            assert set(after.legal(seat)) <= {"next", "deal", "cut"} - ({"deal", "cut"} if after.said else set())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_one_result(name: str, seed: int, readings: dict[str, str]) -> None:
    """A deal that was played is won, remise or codille, as the tricks are shared; or it was given up or ended early."""
    for before, _, act, after in steps(name, seed, readings):
        if after.phase != "result" or before.phase == "result" or after.man is None:
            continue
        best = max(made for seat, made in enumerate(after.made_tricks) if seat != after.man)
        if "surrender" in act:
            expected = "surrendered"
        elif "rest" in act:
            expected = "won"
        elif after.contract in NOLOS:
            expected = ["won", "remise", "codille"][after.made]
        elif "play" in act:
            expected = "won" if after.made > best else "remise" if after.made == best else "codille"
        else:
            expected = "remise"
        assert after.result == expected


def test_results_share_out_every_deal() -> None:
    """Of all ways to share nine tricks each has one result: ten are won, two remise, eighteen codille."""
    player = machine(NAMES[0])
    empty, body = player.start({}), player.game.tables["outcome_of"]
    rows = [(row.then, player.evaluator.expression(row.when, {"x": 0, "y": 1})) for row in body.rows if row.when]
    found = {"won": 0, "remise": 0, "codille": 0}
    for mine, one in product(range(TRICKS + 1), repeat=2):
        other = TRICKS - mine - one
        if one < other or other < 0:
            continue
        fired = [then for then, when in rows if when(empty.values, [mine, max(one, other)])]
        assert len(fired) == 1
        assert isinstance(fired[0], Literal)
        found[str(fired[0].value)] += 1
    assert found == {"won": 10, "remise": 2, "codille": 18}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_only_the_hombre_scores(name: str, seed: int, readings: dict[str, str]) -> None:
    """No account moves but the hombre's, and that only when the deal is written down."""
    for before, _, act, after in steps(name, seed, readings):
        moved = [seat for seat in after.seats if before.before[seat] != after.before[seat]]
        assert not moved or ("next" in act and moved == [before.man])
        points = after.score()["points"]
        assert [seat for seat in after.seats if points[seat]] in ([], [after.man])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_bids_rise(name: str, seed: int, readings: dict[str, str]) -> None:
    """No bid is lower than the one before it, an equal one comes from the earlier seat, and a pass is final."""
    for before, seat, act, after in steps(name, seed, readings):
        if "bid" not in act:
            continue
        called = act["bid"].replace("-", "_")
        assert not before.passed[seat]
        if called == "pass" or before.standing is None:
            continue
        rise = HEIGHT[called] - HEIGHT[before.standing]
        place = [(one - before.dealer - 1) % len(before.seats) for one in (seat, before.bidder)]
        assert rise > 0 or (rise == 0 and place[0] < place[1])
        assert after.said == before.said + 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_the_vole(name: str, seed: int, readings: dict[str, str]) -> None:
    """Only a hombre with five tricks who leads on can have undertaken it, never in a nolo, and then cannot stop."""
    for before, seat, act, after in steps(name, seed, readings):
        if after.engaged and not before.engaged:
            assert ("play" in act, seat, before.leader, before.made) == (True, before.man, before.man, 5)
            assert before.contract not in NOLOS
            assert before.done == 5 or readings["late_fifth_trick"] == "engages"
        if after.engaged and after.phase == "play":
            assert "rest" not in after.legal(after.man)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_giving_up(name: str, seed: int, readings: dict[str, str]) -> None:
    """The hombre can give up from drawing until a card is played, in contracts with exchange that are no nolo."""
    for _, _, _, after in steps(name, seed, readings):
        can = [seat for seat in after.seats if "surrender" in after.legal(seat)]
        first = after.phase in ("discard", "play") and not after.done and after.laid[0][after.man] is None
        may = after.contract in WITH_EXCHANGE and after.contract not in NOLOS
        open_ = first and may and after.discarded[after.man] is not None
        assert can == ([after.man] if open_ else [])


# What is seen -----------------------------------------------------------------


def public(look: Look, seat: int) -> set[str]:
    """Return the cards that a seat may know of from the table: its own, those laid now, turned, shown or laid open."""
    known = {*look.hand[seat], *(card for card in look.drawn if card), *look.shown}
    if look.phase == "play":
        known |= {card for card in look.laid[look.done] if card is not None} if look.done < TRICKS else set()
        known |= {card for row in look.laid for card in row if card is not None} if look.turn == seat else set()
    if look.turnup is not None:
        known.add(look.turnup)
    if look.contract == "nolo_ouvert":
        known |= look.hand[look.man]
    return known


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_no_view_names_a_hidden_card(name: str, seed: int, readings: dict[str, str]) -> None:
    """No view and no score names a card of another hand, of the talon or put away, nor past tricks off turn."""
    for _, _, _, after in steps(name, seed, readings):
        for seat in after.seats:
            assert set(CARD.findall(json.dumps(after.view(seat)))) <= public(after, seat)
        assert CARD.findall(json.dumps(after.score())) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@given(seed=SEEDS, readings=READINGS)
@few
def test_hidden_cards_make_no_difference(name: str, seed: int, readings: dict[str, str]) -> None:
    """With all that a seat cannot see dealt otherwise, it sees the same, and so does whoever sits out."""
    chance = Chance(seed)
    for _, _, _, after in steps(name, seed, readings):
        for seat in after.seats:
            assert Look(after.machine, otherwise(after, seat, chance)).view(seat) == after.view(seat)


def otherwise(look: Look, seat: int, chance: Chance) -> State:
    """Return the state with the cards that are hidden from a seat put into another order."""
    open_ = look.view(seat)["open"]
    others = [p for p in look.seats if p != seat and not (open_ is not None and p == look.man)]
    kept = public(look, seat) if look.turnup in look.stock else public(look, seat) - {look.turnup}
    piles = [list(look.stock), *(list(look.hand[p]) for p in others), *(list(held) for held in look.away)]
    loose = iter(chance.shuffle([card for pile in piles for card in pile if card not in kept]))
    mixed = [[card if card in kept else next(loose) for card in pile] for pile in piles]
    hands = list(look.hand)
    for place, p in enumerate(others, 1):
        hands[p] = frozenset(mixed[place])
    away = tuple(frozenset(pile) for pile in mixed[1 + len(others) :])
    changed = {"stock": tuple(mixed[0]), "hand": tuple(hands), "away": away}
    slots = look.machine.slots
    values = list(look.state.values)
    for variable, value in changed.items():
        values[slots[variable]] = value
    return State(look.phase, tuple(values))


# So many matches under other readings take six seconds; it guards that the tests above are not idle.
@pytest.mark.thorough
def test_random_play_gets_everywhere() -> None:
    """The play that these tests watch has every act and every result in it, so that none of them is idle."""
    acts: set[str] = set()
    results: set[Any] = set()
    contracts: set[Any] = set()
    for seed in range(120):
        readings = {key: values[seed % len(values)] for key, values in KEYS.items()}
        for _, _, act, after in steps(NAMES[seed % len(NAMES)], seed, readings):
            acts |= set(act)
            results.add(after.result)
            contracts.add(after.contract)

    assert {*machine(NAMES[0]).game.actions} - acts == {"draw"}
    assert results >= {"won", "remise", "codille", "surrendered", "passed_out"}
    assert contracts >= set(CONTRACTS)
