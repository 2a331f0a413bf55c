"""Faults of seats: turned the other way, counted from one, the dealer for the leader, the hand of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from brou_conformance.metamorphic.renaming import canonical
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.smoke.facts import TAKEN, Fact, Facts
from brou_conformance.smoke.findings import AdapterCheck, ProtocolPassage
from brou_conformance.smoke.probes import Probe, dealer_key
from brou_conformance.smoke.suspects import (
    DEALER,
    HAND,
    LEADER,
    TURN,
    Claims,
    ExaminedSetup,
    Suspect,
    ask_under,
    claim_hands,
    dealt_hands,
    new_names,
    retell,
    team_of,
    teams_under,
    told_names,
    until_act,
)
from brou_conformance.smoke.translatable import say


def list_mirrored(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs whose table goes the other way round."""
    count = table.game.seats
    if count <= 2:
        return
    seats = [-seat % count for seat in range(count)]
    names = new_names(table, seats=seats, teams=teams_under(table.game, seats))
    cause = say("wrong_way_round", count=count)
    for by_pack in (False, True):
        yield Suspect(AdapterCheck.SEATS, cause, ProtocolPassage.SEATS, ask_under(table, names, names, by_pack=by_pack))

    def claim_mirrored(probe: Probe, facts: Facts) -> Claims:
        return _claim_after_first(probe, facts, lambda seat: (seat - 1) % count)

    yield Suspect(AdapterCheck.SEATS, say("passes_left"), ProtocolPassage.SEATS, claim_mirrored)


def list_told(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs that tell seats under other numbers."""
    count = table.game.seats
    shifted = [(by, tuple(seat + by for seat in range(count))) for by in (1,)]
    for _, seats in shifted:
        cause = say("told_from_one")
        yield Suspect(
            AdapterCheck.SEATS,
            cause,
            ProtocolPassage.SEATS,
            retell(table, told_names(table, seats=seats)),
            by_name=True,
        )
    for by in range(1, count):
        seats = tuple((seat + by) % count for seat in range(count))
        yield Suspect(
            AdapterCheck.SEATS,
            _one_way(by, count),
            ProtocolPassage.SEATS,
            retell(table, told_names(table, seats=seats)),
            by_name=True,
        )
    if count > 2:
        seats = tuple(-seat % count for seat in range(count))
        cause = say("turned_one_way")
        yield Suspect(
            AdapterCheck.SEATS,
            cause,
            ProtocolPassage.SEATS,
            retell(table, told_names(table, seats=seats)),
            by_name=True,
        )
    teams = team_of(table.game)
    if len(table.game.teams) < count:
        cause = say("team_for_seat")
        yield Suspect(
            AdapterCheck.TEAMS,
            cause,
            ProtocolPassage.SEATS,
            retell(table, told_names(table, seats=teams)),
            by_name=True,
        )


def list_heard(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs that take every seat for another one, and tell seats as they know them."""
    count = table.game.seats
    for by in range(1, count):
        seats = [(seat - by) % count for seat in range(count)]
        for teams in dict.fromkeys([table.same.teams, teams_under(table.game, seats)]):
            names = new_names(table, seats=seats, teams=teams)
            for by_pack in (False, True):
                claim = ask_under(table, names, table.same, by_pack=by_pack)
                yield Suspect(AdapterCheck.SEATS, _one_way(-by % count, count), ProtocolPassage.SEATS, claim)


def _one_way(by: int, count: int) -> str:
    """Return the sentence on seats that come back as others, so many places further round the table."""
    less = by == count - 1
    back = "s - 1" if less else f"s + {by}"
    return say("comes_back_counted" if by in (1, count - 1) else "comes_back", back=back)


def list_hands(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs that show, or deal, the hand of another seat."""
    count = table.game.seats
    for by in range(1, count):
        cause = say("other_hand", by=by)
        for seen in (False, True):
            yield _other_hand(cause, _further(by, count), seen=seen)
    for fixed in range(count):
        cause = say("hand_of_one", seat=fixed)
        yield _other_hand(cause, _always(fixed), seen=True)
    cause = say("hand_on_turn")
    yield _other_hand(cause, lambda seat, first: first, seen=True)  # noqa: ARG005 - whoever looks
    cause = say("hands_in_order_of_play")
    yield _other_hand(cause, lambda seat, first: (seat - first) % count)
    if count > 2:
        cause = say("hands_wrong_way")
        yield _other_hand(cause, lambda seat, first: -seat % count)  # noqa: ARG005 - whoever is first


def _always(fixed: int) -> Callable[[int, int], int]:
    return lambda seat, first: fixed  # noqa: ARG005 - whoever looks


def _further(by: int, count: int) -> Callable[[int, int], int]:
    return lambda seat, first: (seat + by) % count  # noqa: ARG005 - whoever is first


def _other_hand(cause: str, of: Callable[[int, int], int], *, seen: bool = False) -> Suspect:
    """Return a program that shows, and plays unless it is only `seen` so, the hand of another seat."""

    def claim(probe: Probe, facts: Facts) -> Claims:
        hands = dealt_hands(probe, facts)
        claims = claim_hands(probe, facts, {seat: hands.get(of(seat, _first(facts)), "") for seat in hands})
        return [{HAND: one[HAND]} if seen and HAND in one else {} if seen else one for one in claims]

    return Suspect(AdapterCheck.SEATS, cause, ProtocolPassage.SEATS, claim)


def _first(facts: Facts) -> int:
    """Return the seat on turn first, as far as the facts show it; 0 otherwise."""
    turn = next((fact[TURN] for fact in facts if TURN in fact), "0")
    return int(turn) if str(turn).isdecimal() else 0


def list_first(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs that let another seat begin."""
    count = table.game.seats
    for by in range(1, count):
        cause = say("other_begins", by=by)
        if by == count - 1:
            cause = say("dealer_begins", key=dealer_key(table.game))

        def claim_moved(probe: Probe, facts: Facts, by: int = by, *, dealer: bool = False) -> Claims:
            names = (TURN, LEADER, *((DEALER,) if dealer else ()))
            return _claim_first(probe, facts, names, lambda seat: (seat + by) % count)

        def misheard(probe: Probe, facts: Facts, by: int = by) -> Claims:
            return claim_moved(probe, facts, by, dealer=True)

        yield Suspect(AdapterCheck.SEATS, cause, ProtocolPassage.SEATS, claim_moved)
        cause = say("other_dealer", by=by)
        yield Suspect(AdapterCheck.SEATS, cause, ProtocolPassage.SEATS, misheard)


def _claim_first(probe: Probe, facts: Facts, names: Sequence[str], seat: Callable[[int], int]) -> Claims:
    """Return the claim that other seats stand under some names up to the first act, which is then refused."""
    end = until_act(probe)
    claims: list[dict[str, Fact]] = [{} for _ in facts]
    if not probe.dealt:
        return claims
    for number, fact in enumerate(facts[:end]):
        claims[number] = {name: str(seat(int(fact[name]))) for name in names if str(fact.get(name)).isdecimal()}
        if PLAY in fact:
            claims[number][PLAY] = canonical([])
    if end < len(facts):
        claims[end] = {TAKEN: False}
    return claims


def _claim_after_first(probe: Probe, facts: Facts, following: Callable[[int], int]) -> Claims:
    """Return the claim that the turn goes on otherwise after the first card, all before it being right."""
    claims: list[dict[str, Fact]] = [{} for _ in facts]
    cards = [number for number, step in enumerate(probe.steps) if PLAY in step.get("act", {})]
    if len(cards) < 2:
        return claims
    first, second = cards[:2]
    claims[: first + 1] = [dict(fact) for fact in facts[: first + 1]]
    leader = probe.steps[first]["by"]
    for number in range(first + 1, second):
        if TURN in facts[number]:
            claims[number] = {**facts[number], TURN: str(following(leader))}
    claims[second] = {TAKEN: False}
    return claims
