"""Entering a deal in short: the entries of a rules file carried out on a state, or the first that cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brou.answers.history import History
from brou.dataclass import dataclass
from brou.errors import BrouError
from brou.interpreter.change import Change
from brou.interpreter.domains import Domain, domain_of
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.codec import Json, NoSuchValue, outside, read, writer
from brou.language.operations import Meaning, MeaningOf
from brou.language.syntax import Check, Deed, Entry, Parameter
from brou.language.types import Locals, Value, as_number, list_values
from brou.on_demand import OnDemand


@dataclass(frozen=True, slots=True)
class Item:
    """One value of an entry, with the name of its step."""

    step: str
    entry: Entry
    #: What it belongs to where an entry has a value for each of several.
    each: Value
    #: The value as it is written.
    value: Json


@dataclass(frozen=True, slots=True)
class RefusedAct:
    """An act that belongs to an entry and that the rules refuse, with the state in which they do."""

    seat: int
    act: Mapping[str, Json]
    refusal: Refusal
    state: State


class Unenterable(BrouError):
    """An entry that cannot be, and why: a check that fails, an act that is refused, a value that there is not.

    Without a cause there is more than one entry that ends the deal, and without an item there is none.
    """

    def __init__(
        self,
        item: Item | None,
        cause: Check | RefusedAct | Parameter | None = None,
        state: State | None = None,
        locals_: Sequence[Value] = (),
    ) -> None:
        self.item, self.cause, self.state, self.locals = item, cause, state, tuple(locals_)
        super().__init__(item.step if item else "")


@dataclass(frozen=True, slots=True)
class _EntryParameter:
    record: Parameter
    domain: Domain


@dataclass(frozen=True, slots=True)
class _PreparedDeed:
    record: Deed
    by: MeaningOf[tuple[Value, ...]]
    given: Mapping[str, Meaning]
    when: Meaning | None


@dataclass(frozen=True, slots=True)
class _PreparedEntry:
    record: Entry
    parameters: tuple[_EntryParameter, ...]
    checks: tuple[tuple[Check, Meaning], ...]
    do: Change
    deeds: tuple[_PreparedDeed, ...]
    then: Change


class Entering:
    """Carries out the entries of one game; built once, used for any number of deals."""

    def __init__(self, machine: Machine, history: History | None = None) -> None:
        self.machine = machine
        self.game = machine.game
        self.history = history
        self.entries = OnDemand(self.game.summary, self._prepare)

    def names(self, entry: Entry) -> list[str]:
        """Return the locals of an entry: its `each` variable if it has one, then its parameters."""
        return [*([entry.each] if entry.each else []), *(parameter.id for parameter in entry.parameters)]

    def _prepare(self, name: str) -> _PreparedEntry:
        entry = self.game.summary[name]
        evaluator, changer = self.machine.evaluator, self.machine.changer
        env = evaluator.frame(self.names(entry))
        return _PreparedEntry(
            entry,
            tuple(_EntryParameter(item, domain_of(evaluator, item, env)) for item in entry.parameters),
            tuple((check, evaluator.expression(check.when, env)) for check in entry.checks),
            changer.effects(entry.do, env),
            tuple(
                _PreparedDeed(
                    deed,
                    evaluator.row(deed.by, env),
                    {name: evaluator.expression(value, env) for name, value in deed.given.items()},
                    None if deed.when is None else evaluator.expression(deed.when, env),
                )
                for deed in entry.acts
            ),
            changer.effects(entry.then, env),
        )

    def items(self, short: Mapping[str, Json]) -> list[Item]:
        """Return the items to carry out in the order of the rules; the entry that ends the deal comes last."""
        ends = [name for name, entry in self.game.summary.items() if entry.settles]
        given = [name for name in ends if outside(name) in short]
        last = given or [name for name in ends if not self.game.summary[name].parameters][-1:]
        found: list[Item] = []
        for name, entry in self.game.summary.items():
            if outside(name) in short or name in last:
                found += self._spread(entry, short.get(outside(name), True))
        if len(given) > 1:
            raise Unenterable(next(item for item in found if item.entry.id == given[1]))
        if not last:
            raise Unenterable(None)
        return sorted(found, key=lambda item: item.entry.settles)

    def _spread(self, entry: Entry, value: Json) -> Iterator[Item]:
        name = outside(entry.id)
        if entry.domain is not None:
            members = list_values(entry.domain.type)
            values = value if isinstance(value, list) else [value]
            if len(values) != len(members):
                raise Unenterable(Item(name, entry, None, value), entry.parameters[0])
            for number, (member, one) in enumerate(zip(members, values, strict=True), 1):
                yield Item(f"{name}.{number}", entry, member, one)
        elif entry.many:
            for number, one in enumerate(value if isinstance(value, list) else [value], 1):
                yield Item(f"{name}.{number}", entry, None, one)
        else:
            yield Item(name, entry, None, value)

    def enter(self, state: State, item: Item) -> State:
        """Return the state after an entry, or raise `Unenterable`."""
        entry = self.entries[item.entry.id]
        self._begin(item)
        locals_ = self._locals(entry, item, state)
        for check, fails in entry.checks:
            if fails(state.values, list(locals_)):
                raise Unenterable(item, check, state, locals_)
        state = self.machine.run_effects(state, entry.do, list(locals_))
        for deed in entry.deeds:
            if deed.when is None or deed.when(state.values, list(locals_)):
                self._begin(item)
                state = self._perform(deed, state, item, locals_)
        self._begin(item)
        return self.machine.run_effects(state, entry.then, list(locals_))

    def _begin(self, item: Item) -> None:
        if self.history is not None:
            self.history.begin(item.step)
            self.history.touched.add(("summary", item.entry.id))

    def _locals(self, entry: _PreparedEntry, item: Item, state: State) -> Locals:
        locals_: Locals = [item.each] if entry.record.each else []
        names = [outside(parameter.record.id) for parameter in entry.parameters]
        given = item.value if len(names) > 1 and isinstance(item.value, dict) else dict.fromkeys(names, item.value)
        for name, parameter in zip(names, entry.parameters, strict=True):
            try:
                value = read(parameter.record.type, given.get(name), self.game.deck)
            except NoSuchValue:
                raise Unenterable(item, parameter.record, state, locals_) from None
            if not parameter.domain.has(state.values, list(locals_), value):
                raise Unenterable(item, parameter.record, state, locals_)
            locals_.append(value)
        return locals_

    def _perform(self, deed: _PreparedDeed, state: State, item: Item, locals_: Sequence[Value]) -> State:
        seat = as_number(deed.by(state.values, list(locals_))[0])
        values = {name: meaning(state.values, list(locals_)) for name, meaning in deed.given.items()}
        parameters = self.game.actions[deed.record.action].parameters
        written = {outside(one.id): writer(one.type, self.game.deck)(values[one.id]) for one in parameters}
        value: Json = True if not written else written if len(written) > 1 else next(iter(written.values()))
        act = {outside(deed.record.action): value}
        after = self.machine.act(state, seat, act)
        if isinstance(after, Refusal):
            raise Unenterable(item, RefusedAct(seat, act, after, state), state, locals_)
        return after
