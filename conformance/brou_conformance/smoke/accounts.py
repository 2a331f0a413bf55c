"""Faults of accounts: under other teams or seats, or in other units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from brou import Json
from brou.language.types import Array, Int, Named, Option, Type
from brou_conformance.metamorphic.renaming import Renaming
from brou_conformance.smoke.facts import Fact, Facts, read_facts
from brou_conformance.smoke.findings import AdapterCheck, ProtocolPassage
from brou_conformance.smoke.probes import Probe
from brou_conformance.smoke.suspects import (
    Claims,
    ExaminedSetup,
    Suspect,
    ask_under,
    new_names,
    retell,
    team_of,
    told_names,
)
from brou_conformance.smoke.translatable import join, say


def list_teams(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs that number teams otherwise, or their accounts."""
    game = table.game
    count = len(game.teams)
    own = count == game.seats
    orders = (
        [order for order in permutations(range(count)) if order != tuple(range(count))]
        if count <= 3
        else _list_turns(count)
    )
    for order in orders:
        told = say("players_told" if own else "teams_told", order=_tell_order(order))
        names = new_names(table, teams=order, seats=order if own else ())
        if not own:
            both = say("teams_numbered", order=_tell_order(order))
            yield Suspect(AdapterCheck.TEAMS, both, ProtocolPassage.BEFORE, ask_under(table, names, names))
        retold = retell(table, _places(table, order))
        yield Suspect(AdapterCheck.TEAMS, told, ProtocolPassage.BEFORE, retold, by_name=True)
        if not own:
            heard = say("teams_heard", order=_tell_order(order))
            yield Suspect(AdapterCheck.TEAMS, heard, ProtocolPassage.BEFORE, ask_under(table, names, table.same))
    yield Suspect(
        AdapterCheck.TEAMS,
        say("own_first"),
        ProtocolPassage.BEFORE,
        _own_first(table),
        by_name=True,
    )
    if not own:
        spread = told_names(table, spread=team_of(game))
        yield Suspect(
            AdapterCheck.TEAMS, say("seat_by_seat"), ProtocolPassage.BEFORE, retell(table, spread), by_name=True
        )


def _list_turns(count: int) -> list[tuple[int, ...]]:
    """Return the turns of a table and its reflection."""
    turns = [tuple((place + by) % count for place in range(count)) for by in range(1, count)]
    return [*turns, tuple(reversed(range(count))), tuple(-place % count for place in range(count))]


def _tell_order(order: Sequence[int]) -> str:
    return join(" ", (say("as_other", old=old, new=new) for old, new in enumerate(order) if old != new))


@dataclass(frozen=True, slots=True)
class _Places(Renaming):
    """Names under which only the places of lists are changed."""

    def of(self, value: Json, type_: Type | None) -> Json:
        match type_:
            case Array(index, element) if isinstance(value, list) and isinstance(element, (Int, Option)):
                return self.place_items(value, tuple(range(len(value))), index)
        return value

    def place_items(self, items: list[Json], members: Sequence[str | int], index: Type) -> list[Json]:
        if not isinstance(index, Named) or index.name not in ("team", "player") or len(items) != len(members):
            return items
        order = self.teams if index.name == "team" else self.seats
        if len(order) != len(items):
            return items
        moved = dict(zip(order, items, strict=True))
        return [moved[place] for place in range(len(items))]


def _places(table: ExaminedSetup, order: Sequence[int]) -> Renaming:
    same = table.same
    seats = tuple(order) if len(order) == table.game.seats else same.seats
    return _Places(seats, tuple(order), same.words)


def _own_first(table: ExaminedSetup) -> Callable[[Probe, Facts], Claims]:
    game = table.game
    count, teams = len(game.teams), team_of(table.game)

    def claim(probe: Probe, facts: Facts) -> Claims:
        claims: list[dict[str, Fact]] = [dict(fact) for fact in facts]
        for number, step in enumerate(probe.steps):
            if "view" in step:
                order = tuple((team - teams[step["view"]]) % count for team in range(count))
                claims[number] = read_facts(game, [probe.truth[number]], _places(table, order))[0]
        return claims

    return claim


_TEN, _HUNDRED = 10, 100
#: What becomes of numbers, each by its sentence.
_UNITS: tuple[tuple[str, Callable[[int], Json]], ...] = (
    ("tenfold", lambda number: number * _TEN),
    ("tenth", lambda number: number // _TEN),
    ("hundredfold", lambda number: number * _HUNDRED),
    ("doubled", lambda number: number * 2),
    ("halved", lambda number: number // 2),
    ("negated", lambda number: -number),
    ("without_sign", abs),
    ("down_to_tens", lambda number: number // _TEN * _TEN),
    ("to_tens", lambda number: (number + _TEN // 2) // _TEN * _TEN),
    ("as_text", str),
    ("not_taken_over", lambda number: 0),  # noqa: ARG005 - whatever is written
)


def list_units(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs that count in other units."""
    for how, number in _UNITS:
        cause = say("numbers_are", how=say(how))
        yield Suspect(
            AdapterCheck.UNITS,
            cause,
            ProtocolPassage.BEFORE,
            retell(table, told_names(table, numbers=number)),
            by_name=True,
        )
