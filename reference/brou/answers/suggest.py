"""Suggests corrections for a record that the rules reject: single changes with which the deal goes through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from brou.answers.replay import RecordReplay, Stuck
from brou.answers.short_entry import Entering, Item, RefusedAct, Unenterable
from brou.dataclass import dataclass, replace
from brou.errors import BrouError, Crash
from brou.games.catalogue import Choice, rules
from brou.games.folder import Folder
from brou.games.readings import Touched, find_other_answers
from brou.games.record import Dealt, GameRecord
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.builtins.range import MOST_VALUES
from brou.language.codec import Json, outside, writer
from brou.language.syntax import Check, Entry, Parameter
from brou.language.types import Int, Value, finite
from brou.reasons.reason import Unlike
from brou.reasons.settlement import Slip

#: How many possibilities are named.
_NAMED = 4


def other_readings(record: GameRecord, choice: Choice, touched: Touched, folder: Folder = None) -> Iterator[Slip]:
    """Yield the open readings under which a record that cannot be goes through to its end."""

    def goes(other: Choice) -> bool:
        try:
            for _ in RecordReplay(record, Machine(rules(other, folder))).happenings():
                pass
        except (Stuck, Crash):
            return False
        return True

    for other in find_other_answers(choice, touched, False, goes, folder):  # noqa: FBT003 - the answer as it is
        yield Slip(reading=(other.key, other.value))


def alternatives(record: GameRecord, choice: Choice, stuck: Stuck, folder: Folder = None) -> list[Slip]:
    """Return the nearest corrections with which the deal goes through."""
    machine = Machine(rules(choice, folder))
    if isinstance(stuck.cause, RefusedAct) and stuck.state is not None:
        return list(islice(_acts(machine, stuck.state, stuck.cause), _NAMED))
    deal = stuck.deal
    if deal is None or deal.short is None:
        return []
    before = _before(record, machine, deal)
    if before is None:
        return []
    trial = _Trial(machine, before, deal)
    if isinstance(stuck.cause, Unlike):
        return list(islice(trial.fitting(_all(machine, deal)), _NAMED))
    if isinstance(stuck.cause, Unenterable) and stuck.cause.item is not None:
        return list(islice(trial.fitting(_vary_blamed(machine, deal, stuck.cause, stuck.cause.item)), _NAMED))
    return []


# Acts ---------------------------------------------------------------------------


def _acts(machine: Machine, state: State, cause: RefusedAct) -> Iterator[Slip]:
    """Yield the same act by other seats, then other acts of the same seat, the most similar first."""
    name = next(iter(cause.act))
    for seat in range(machine.game.seats):
        if seat != cause.seat and not isinstance(machine.act(state, seat, cause.act), Refusal):
            yield Slip(act=(seat, cause.act))
    offered = machine.legal(state, cause.seat).get(name)
    values = offered if isinstance(offered, list) else []
    for value in sorted(values, key=lambda value: -_alike(value, cause.act[name])):
        yield Slip(act=(cause.seat, {name: value}))


def _alike(one: Json, two: Json) -> int:
    """Return in how many places two values are the same."""
    if isinstance(one, dict) and isinstance(two, dict):
        return sum(one.get(key) == item for key, item in two.items())
    return sum(a == b for a, b in zip(str(one), str(two), strict=False))


# Entries --------------------------------------------------------------------------


def _before(record: GameRecord, machine: Machine, deal: Dealt) -> State | None:
    """Return where the game stood before a deal was entered."""
    try:
        return RecordReplay(record, machine).upto(deal)
    except (Stuck, BrouError):
        return None


@dataclass(slots=True)
class _Trial:
    """Tries a deal with other entries."""

    machine: Machine
    before: State
    deal: Dealt
    entering: Entering

    def __init__(self, machine: Machine, before: State, deal: Dealt) -> None:
        self.machine, self.before, self.deal = machine, before, deal
        self.entering = Entering(machine)

    def fitting(self, slips: Iterator[Slip]) -> Iterator[Slip]:
        """Yield the slips with which the whole deal goes through and comes to what the sheet says."""
        seen: list[Slip] = []
        for slip in slips:
            if slip not in seen and self._goes(slip):
                seen.append(slip)
                yield slip

    def _goes(self, slip: Slip) -> bool:
        short = {**(self.deal.short or {}), outside(slip.entry): slip.value}
        if slip.value is None:
            del short[outside(slip.entry)]
        trial = replace(self.deal, id="0", opening=(), deal={}, short=short)
        settling = RecordReplay(GameRecord("", "", (), {}, (trial,), trial.place), self.machine)
        settling.state = self.before
        try:
            for _ in settling.replay_deal(trial):
                pass
        except (Stuck, Unenterable, Crash):
            return False
        return True


def _vary_blamed(machine: Machine, deal: Dealt, error: Unenterable, item: Item) -> Iterator[Slip]:
    """Yield other values of the entry that fails and of the one that it blames, the likelier first."""
    own = item.entry
    name = error.cause.blames if isinstance(error.cause, Check) and error.cause.blames else own.id
    entry, short = machine.game.summary[name], deal.short or {}
    if outside(name) not in short:
        yield from (replace(slip, missing=True) for slip in islice(_fresh(machine, entry), 1))
        return
    value = short[outside(name)]
    if entry.many and entry is own and isinstance(value, list):
        number = value.index(item.value)
        yield Slip(name, [*value[:number], *value[number + 1 :]] or None)
        for other in _others(machine, entry, value[number]):
            yield Slip(name, [*value[:number], other, *value[number + 1 :]])
    yield from _vary(machine, entry, value)


def _all(machine: Machine, deal: Dealt) -> Iterator[Slip]:
    """Yield other values of every entry that the deal has."""
    for name, entry in machine.game.summary.items():
        if outside(name) in (deal.short or {}):
            value = (deal.short or {})[outside(name)]
            yield from _vary(machine, entry, value)
            yield from _shift_between(entry, value)


def _fresh(machine: Machine, entry: Entry) -> Iterator[Slip]:
    """Yield every value of an entry that was not given."""
    for value in _values(machine, entry.parameters[0]) if len(entry.parameters) == 1 else ():
        yield Slip(entry.id, value)


def _vary(machine: Machine, entry: Entry, value: Json) -> Iterator[Slip]:
    """Yield an entry with one thing in it changed: a member, a parameter, or the order; then without a member."""
    if isinstance(value, list):
        if entry.each and len(value) > 1:
            yield Slip(entry.id, value[::-1])
        for number, one in enumerate(value):
            for other in _others(machine, entry, one):
                yield Slip(entry.id, [*value[:number], other, *value[number + 1 :]])
        if entry.many:
            for number in range(len(value)):
                yield Slip(entry.id, [*value[:number], *value[number + 1 :]] or None)
        return
    for other in _others(machine, entry, value):
        yield Slip(entry.id, other)
    if not entry.each:
        yield Slip(entry.id)


def _others(machine: Machine, entry: Entry, value: Json) -> Iterator[Json]:
    """Yield a value with one parameter changed, numbers from the nearest on."""
    if len(entry.parameters) == 1:
        yield from _near(_values(machine, entry.parameters[0]), value)
        return
    given = value if isinstance(value, dict) else {}
    for parameter in entry.parameters:
        name = outside(parameter.id)
        for other in _near(_values(machine, parameter), given.get(name)):
            yield {**given, name: other}


def _shift_between(entry: Entry, value: Json) -> Iterator[Slip]:
    """Yield numbers of the same sum divided differently between two, the nearest first."""
    if (
        not entry.each
        or not isinstance(value, list)
        or len(value) != 2
        or not isinstance(entry.parameters[0].type, Int)
    ):
        return
    one, two = value
    if not isinstance(one, int) or not isinstance(two, int):
        return
    for by in range(1, one + two + 1):
        for signed in (by, -by):
            if one + signed >= 0 and two - signed >= 0:
                yield Slip(entry.id, [one + signed, two - signed])


def _values(machine: Machine, parameter: Parameter) -> list[Json]:
    """Return the values that a parameter can have by its type, of very many the first."""
    write = writer(parameter.type, machine.game.deck)
    type_ = parameter.type
    members: Sequence[Value] = range(type_.low, type_.high + 1) if isinstance(type_, Int) else finite(type_) or ()
    return [write(member) for member in members[:MOST_VALUES]]


def _near(values: Sequence[Json], value: Json) -> Iterator[Json]:
    """Yield all other values, numbers in the order of their distance."""
    rest = [one for one in values if one != value]
    if isinstance(value, int) and not isinstance(value, bool):
        rest.sort(key=lambda one: abs(one - value) if isinstance(one, int) else 0)
    yield from rest
