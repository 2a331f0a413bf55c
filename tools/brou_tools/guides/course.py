"""The course of a deal as the rules have it: where the pack goes, and which phases lead to which."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from brou import STOCK, Game, Machine, Phase, parts
from brou.interpreter import spread_pack
from brou.language.effects import gotos
from brou_tools.questions.parting import DEALER


def dealt(machine: Machine, start: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return where the deal of a start puts the pack, runs of cards together; seats count from the dealer."""
    given, deal = parts(machine, start)
    found = spread_pack(machine, machine.start(given), deal)
    seats = machine.game.seats
    places = [STOCK if seat is None else f"dealer+{(seat - start[DEALER]) % seats}" for seat in found.seats]
    if found.turnup is not None:
        places[found.turnup] += " (turned up)"
    return tuple((name, len(list(run))) for name, run in groupby(places))


def find_reached(game: Game, act: str) -> set[str]:
    """Return the phases of decisions that an act can lead to, through automatic ones."""
    found: set[str] = set()
    waiting = [*gotos(game.actions[act].do)]
    while waiting:
        phase: Phase = game.phases[waiting.pop()]
        if phase.id not in found:
            found.add(phase.id)
            waiting += gotos(phase.do)
    return {one for one in found if not game.phases[one].do}


def find_leads(game: Game) -> set[tuple[str, str]]:
    """Return the pairs of phases of decisions of which the first lists an act that can lead to the second."""
    return {
        (phase.id, led)
        for phase in game.phases.values()
        if not phase.do
        for act in phase.actions
        for led in find_reached(game, act)
    }


def behind(game: Game, start: str) -> set[str]:
    """Return the phases that play can reach from one, itself aside where nothing leads back to it."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for act in game.phases[waiting.pop()].actions:
            new = find_reached(game, act) - found
            found |= new
            waiting += new
    return found - {start}
