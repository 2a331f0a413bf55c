"""How often readings part: matches played at random under the readings of an edition, each other reading beside them.

At each decision every act that is offered is as likely as any other, but acts without a parameter are drawn only one
time in so many as long as others are offered, so that deals are played out. A reading parts from the edition's in the
first deal in which it offers somebody other acts or shows another score; it is then no longer followed in that match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from brou import Choice, Refusal, book, choose, rules
from brou.chance import Chance
from brou.codec import outside
from brou.compiled import Compiled
from brou_tools.fitting import fitted
from brou_tools.register import path_of

_BARE = 48
SEED = 20260101
#: Acts of one match at most.
_ACTS = 4000


@dataclass(slots=True)
class _Other:
    """Another value of a reading while a match is played."""

    key: str
    engine: Compiled
    state: Any = None


@dataclass(slots=True)
class _Tally:
    """Deals in which a reading was followed, and those in which it parted."""

    deals: int = 0
    parted: int = 0


def count(game: str, deals: int) -> str:
    """Write down how often the readings of a game part in so many deals; return what was done."""
    found = {edition: _counted(choose(f"{game}@{edition}"), deals) for edition in book(game).editions}
    keys = [key for key in book(game).readings if any(key in tallies for tallies in found.values())]
    lines = ["# Written by `brou ambiguities --count`: in how many random deals the readings of a question part.\n"]
    lines += [f"format: brou-frequencies/1\ngame: {game}\nseed: {SEED}\nfrequencies:\n"]
    for key in keys:
        lines.append(f"  {key}:\n")
        for edition, tallies in found.items():
            if key in tallies:
                tally = tallies[key]
                lines.append(f'    "{edition}": {{deals: {tally.deals}, parted: {tally.parted}}}\n')
    path_of(game, "frequencies").write_text("".join(lines), encoding="utf-8")
    return f"{game}: {len(keys)} questions in {deals} deals of {len(found)} edition(s)"


def _counted(plain: Choice, deals: int) -> dict[str, _Tally]:
    """Play matches of an edition until so many deals were begun."""
    data = book(plain.game)
    engine = Compiled(rules(plain))
    others: list[_Other] = []
    for key, chosen in data.editions[plain.edition].readings.items():
        for value in data.readings[key].values:
            choice = fitted(plain, [{key: value}]) if value != chosen else None
            if choice is not None:
                others.append(_Other(key, Compiled(rules(choice[0]))))
    tallies = {other.key: _Tally() for other in others}
    played, seed = 0, SEED
    while played < deals:
        played += _match(engine, others, tallies, Chance(seed), deals - played)
        seed += 1
    return tallies


def _match(engine: Compiled, others: list[_Other], tallies: dict[str, _Tally], chance: Chance, most: int) -> int:
    """Play a match, and each other reading along as long as it answers the same; return how many deals it had."""
    state, deal = engine.begin(), outside(engine.game.start.deal)
    for other in others:
        other.state = other.engine.begin()
    alive, begun = list(others), 0
    for tally in tallies.values():
        tally.deals += 1
    for _ in range(_ACTS):
        if engine.over(state):
            break
        seat, act = _drawn(engine, state, chance)
        if deal in act:
            if begun == most:
                break
            for key in {other.key for other in alive} if begun else ():
                tallies[key].deals += 1
            begun += 1
        state = engine.act(state, seat, act)
        alive = list(_followed(engine, state, alive, tallies, seat, act))
    return begun


def _followed(  # noqa: PLR0913, PLR0917 - what goes on at every table at once
    engine: Compiled, state: Any, alive: list[_Other], tallies: dict[str, _Tally], seat: int, act: dict[str, Any]
) -> Iterator[_Other]:
    """Yield the readings that still answer the same; a question parts when the first of its values does."""
    seats = range(engine.game.seats)
    offered = [engine.legal(state, one) for one in seats]
    score = engine.machine.score(engine.raised(state))
    gone: set[str] = set()
    kept: list[_Other] = []
    for other in alive:
        other.state = other.engine.act(other.state, seat, act)
        same = not isinstance(other.state, Refusal) and all(
            other.engine.legal(other.state, one) == offered[one] for one in seats
        )
        if same and other.engine.machine.score(other.engine.raised(other.state)) == score:
            kept.append(other)
        else:
            gone.add(other.key)
    for key in gone:
        tallies[key].parted += 1
    yield from (other for other in kept if other.key not in gone)


def _drawn(engine: Compiled, state: Any, chance: Chance) -> tuple[int, dict[str, Any]]:
    """Return a random act and who makes it."""
    rich: list[tuple[int, str, Any]] = []
    bare: list[tuple[int, str, Any]] = []
    for seat in range(engine.game.seats):
        for name, offer in engine.legal(state, seat).items():
            action = engine.game.actions[name.replace("-", "_")]
            values: list[Any] = offer if isinstance(offer, list) and not _described(action) else [offer]
            (rich if action.parameters else bare).extend((seat, name, value) for value in values)
    pool = bare if bare and (not rich or not chance.below(_BARE)) else rich
    seat, name, value = chance.pick(pool)
    action = engine.game.actions[name.replace("-", "_")]
    return seat, {name: _filled(action, value, chance) if _described(action) else value}


def _described(action: Any) -> bool:
    return any(parameter.described for parameter in action.parameters)


def _filled(action: Any, offer: Any, chance: Chance) -> Any:
    if len(action.parameters) == 1:
        return _one(offer, chance)
    return {outside(parameter.id): _one(offer[outside(parameter.id)], chance) for parameter in action.parameters}


def _one(offer: Any, chance: Chance) -> Any:
    """Return one of the values that a description stands for."""
    if isinstance(offer, list):
        return chance.pick(offer)
    if "order" in offer:
        return chance.shuffled(offer["order"])
    if "from" in offer:
        size = offer["min"] + chance.below(min(offer["max"], len(offer["from"])) - offer["min"] + 1)
        return chance.shuffled(offer["from"])[:size]
    return offer["min"] + chance.below(offer["max"] - offer["min"] + 1)
