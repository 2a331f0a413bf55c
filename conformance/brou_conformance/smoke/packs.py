"""Faults of dealing: a program that deals the pack itself, in another order than the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from brou import STOCK, hands_of, outside
from brou_conformance.metamorphic.renaming import canonical
from brou_conformance.smoke.facts import Facts
from brou_conformance.smoke.findings import AdapterCheck, ProtocolPassage
from brou_conformance.smoke.probes import Probe, Start, dealer_key
from brou_conformance.smoke.suspects import (
    Claims,
    ExaminedSetup,
    Suspect,
    claim_hands,
)
from brou_conformance.smoke.translatable import join, say


def list_dealing(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs that deal the pack themselves, in another order."""
    orders = ((False, ""), (True, "last_card_first"))
    ways = (
        ("told", ""),
        ("one", "one_by_one"),
        ("whole", "each_at_once"),
    )
    firsts = (
        (1, 1, ""),
        (0, 1, "dealer_first"),
        (-1, -1, "other_way_round"),
        (0, -1, "other_way_dealer"),
    )
    for turned, order in orders:
        for way, packets in ways:
            for first, by, seats in firsts:
                wrong = [say(sentence) for sentence in (order, packets, seats) if sentence]
                if not wrong:
                    continue
                cause = say("dealt_so", wrong=join("; ", wrong, is_capital=True))
                claim = _dealt_so(table, _Way(turned, way, first, by))
                yield Suspect(
                    AdapterCheck.DEALING, cause, ProtocolPassage.FIRST_CARD if turned else ProtocolPassage.START, claim
                )
    for fixed in range(table.game.seats):
        cause = say("whoever_deals", seat=fixed)
        claim = _dealt_so(table, _Way(turned=False, packets="told", first=fixed, by=1, whoever=True))
        yield Suspect(AdapterCheck.DEALING, cause, ProtocolPassage.START, claim)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a pack is dealt: from which end, in which packets, to whom first, and in which direction."""

    turned: bool
    packets: str
    #: Counted from the dealer on.
    first: int
    by: int
    #: Whether the first is a seat, whoever deals.
    whoever: bool = False


def _dealt_so(table: ExaminedSetup, way: _Way) -> Callable[[Probe, Facts], Claims]:
    """Return the claims of a program that deals the pack in some way."""

    def claim(probe: Probe, facts: Facts) -> Claims:
        hands = _deal_otherwise(table, probe, way)
        return claim_hands(probe, facts, {seat: canonical(sorted(hand)) for seat, hand in hands.items()})

    return claim


def _deal_otherwise(table: ExaminedSetup, probe: Probe, way: _Way) -> dict[int, list[str]]:
    """Return the hands that a pack gives if it is dealt in another order."""
    hands, dealer = hands_of(probe.start), probe.start.get(dealer_key(table.game))
    lists = [value for key, value in probe.start.items() if isinstance(value, list) and key != STOCK]
    deck = next((one for one in lists if len(one) == len(table.game.deck.cards) and isinstance(one[0], str)), None)
    told = [value for key, value in _parameters(table, probe).items() if isinstance(value, list) and value is not deck]
    if not hands or deck is None or not isinstance(dealer, int) or not told:
        return {}
    sizes = {seat: len(hand) for seat, hand in hands.items()}
    count = table.game.seats
    first = way.first if way.whoever else dealer + way.first
    round_ = [(first + way.by * number) % count for number in range(count)]
    round_ = [seat for seat in round_ if sizes.get(seat)]
    most = max(sizes.values())
    packets = {"told": told[0], "one": [1] * most, "whole": [most]}[way.packets]
    cards = iter(deck[::-1] if way.turned else deck)
    dealt: dict[int, list[str]] = {seat: [] for seat in sizes}
    for packet in packets:
        for seat in round_:
            dealt[seat] += islice(cards, min(packet, sizes[seat] - len(dealt[seat])))
    return dealt


def _parameters(table: ExaminedSetup, probe: Probe) -> Start:
    """Return the parameters of the dealing act that a start gives beside the hands."""
    action = table.game.actions[table.game.start.deal]
    names = [outside(one.id) for one in action.parameters]
    return {name: probe.start[name] for name in names if name in probe.start}
