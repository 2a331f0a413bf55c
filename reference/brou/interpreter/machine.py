"""The interpreter: State x Act -> State, with what every seat may do and see.

A state is immutable. An act that is refused leaves no trace but its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from brou.errors import BadAct, Crash, Impossible, Place
from brou.interpreter.evaluate import Change, Evaluator, Watch
from brou.language.codec import Json, NoSuchValue, outside, read, writer
from brou.language.cost import BUDGET
from brou.language.operations import Meaning, Values
from brou.language.syntax import Action, Expression, Game, Parameter, Row, Show, Table
from brou.language.types import CARDS, Int, Orders, Subsets


@dataclass(frozen=True, slots=True)
class State:
    """Where a match stands: the phase, and the value of every variable in the order of the rules file."""

    phase: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an act is refused: a code of the format, the clause, the row that decided and its place."""

    code: str
    clause: str
    row: str
    place: Place


@dataclass(frozen=True, slots=True)
class _Parameter:
    record: Parameter
    domain: Meaning
    described: bool


@dataclass(frozen=True, slots=True)
class _Action:
    record: Action
    by: Meaning
    parameters: tuple[_Parameter, ...]
    legal: Meaning
    promised: Meaning
    do: Change

    @property
    def described(self) -> bool:
        return any(parameter.described for parameter in self.parameters)


Render = Callable[[Values, list[Any]], Any]
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
_ABSENT = object()


def _question(answer: Callable[Concatenate[Machine, Asked], Answer]) -> Callable[Concatenate[Machine, Asked], Answer]:
    """Return a method of a machine as one that answers within the budget of one question, or raises `TooCostly`."""

    @wraps(answer)
    def metered(machine: Machine, /, *args: Asked.args, **named: Asked.kwargs) -> Answer:
        meter = machine.evaluator.meter
        before, meter.left = meter.left, BUDGET
        try:
            return answer(machine, *args, **named)
        finally:
            meter.left = before

    return metered


class Machine:
    """Plays one game: built once, then asked about any number of states."""

    def __init__(self, game: Game, watch: Watch | None = None) -> None:
        self.game = game
        self.evaluator = Evaluator(game, watch)
        self.slots = self.evaluator.slots
        self.actions = {name: self._built(action) for name, action in game.actions.items()}
        self.automatic = {
            name: (self.evaluator.promised(p, {}), self.evaluator.effects(p.do, {}))
            for name, p in game.phases.items()
            if p.do
        }
        self.deciding = {name: [self.actions[a] for a in p.actions] for name, p in game.phases.items()}
        me = self.evaluator.frame(["me"])
        self.views = [(show.id, self._shown(show, me)) for show in game.view]
        self.scores = [(show.id, self._shown(show, {})) for show in game.score]
        self.invariants = {name: self.evaluator.expression(e, {}) for name, e in game.invariants.items()}

    def _built(self, action: Action) -> _Action:
        env = self.evaluator.frame(["me", *(parameter.id for parameter in action.parameters)])
        parameters = tuple(
            _Parameter(p, self.evaluator.expression(p.domain, env), p.described) for p in action.parameters
        )
        return _Action(
            action,
            self.evaluator.expression(action.by, {}),
            parameters,
            self.evaluator.expression(action.legal, env),
            self.evaluator.promised(action, env),
            self.evaluator.effects(action.do, env),
        )

    # Beginning ----------------------------------------------------------------

    @_question
    def begin(self) -> State:
        """Return the state in which a match begins."""
        values = tuple(variable.default for variable in self.game.state.values())
        return self._settled(next(iter(self.game.phases)), list(values))

    @_question
    def start(self, given: Mapping[str, object]) -> State:
        """Return the state before a deal, with the variables that the rules file lets one give.

        Raise `Impossible` for others, for values that they do not have, and where an invariant is broken.
        """
        start = self.game.start
        if not start.phase:
            raise Impossible("these rules begin at their first phase only")
        values = [variable.default for variable in self.game.state.values()]
        for name, value in given.items():
            variable = start.given.get(name)
            if variable is None:
                raise Impossible(f"a start gives {', '.join(start.given)}, not {name!r}")
            try:
                read_value = read(self.game.state[variable].type, value, self.game.deck)
            except NoSuchValue as error:
                raise Impossible(f"the start's {name}: {error}") from error
            values[self.slots[variable]] = read_value
        state = self._settled(start.phase, values)
        if broken := self.broken(state):
            raise Impossible(f"no game comes to this start, for it breaks {', '.join(broken)}")
        return state

    def _settled(self, phase: str, values: list[Any]) -> State:
        """Run automatic phases until somebody must decide or the match is over."""
        while phase in self.automatic:
            promised, do = self.automatic[phase]
            promised(values, [])
            following = do(values, [])
            if following is None:
                raise Crash(f"the phase {phase} led nowhere")
            phase = following
        return State(phase, tuple(values))

    # Acting -------------------------------------------------------------------

    def over(self, state: State) -> bool:
        """Say whether the match has ended."""
        return self.game.phases[state.phase].final

    def get(self, state: State, variable: str) -> Any:
        """Return the value of a variable."""
        return state.values[self.slots[variable]]

    @_question
    def act(self, state: State, seat: int, act: Mapping[str, object]) -> State | Refusal:
        """Apply an act; answer the state after it, or why it is refused."""
        name, value = _single(act)
        action = self.actions.get(name.replace("-", "_"))
        if action is None:
            return Refusal("not_available", "", "", Place("<act>", 1, 1))
        values = self._arguments(action, seat, value)
        if isinstance(values, Refusal):
            return values
        refusal = self._refusal(action, state, values)
        if refusal is not None:
            return refusal
        action.promised(state.values, values)
        return self.carried(state, action.do, values)

    @_question
    def carried(self, state: State, do: Change, locals_: list[Any]) -> State:
        """Return the state after some effects and the automatic phases that they lead to."""
        after = list(state.values)
        phase = do(after, locals_)
        return self._settled(phase or state.phase, after)

    def meant(self, seat: int, act: Mapping[str, object]) -> tuple[Action, list[Any]]:
        """Return the action of an act, and its locals: the seat, then the parameters; raise `BadAct` if it has none."""
        name, value = _single(act)
        action = self.actions.get(name.replace("-", "_"))
        values = None if action is None else self._arguments(action, seat, value)
        if action is None or values is None or isinstance(values, Refusal):
            raise BadAct(f"{name} is no act of this game with such values")
        return action.record, values

    def _arguments(self, action: _Action, seat: int, value: object) -> list[Any] | Refusal:
        """Return the locals of an act: the seat, then its parameters."""
        wanted = action.parameters
        if len(wanted) == 1:
            given: Sequence[object] = [value]
        elif not wanted:
            if value is not True:
                raise BadAct(f"{action.record.id} takes no parameter: write true")
            given = []
        elif not isinstance(value, Mapping):
            raise BadAct(f"{action.record.id} takes {', '.join(outside(p.record.id) for p in wanted)}")
        else:
            names = [outside(p.record.id) for p in wanted]
            missing = [name for name in names if name not in value]
            if missing:
                raise BadAct(f"{action.record.id} lacks {', '.join(missing)}")
            given = [value[name] for name in names]
        locals_: list[Any] = [seat]
        for parameter, item in zip(wanted, given, strict=True):
            try:
                locals_.append(read(parameter.record.type, item, self.game.deck))
            except NoSuchValue:
                record = parameter.record
                return Refusal(_unreadable(record, item), record.clause, record.id, record.place)
        return locals_

    def _refusal(self, action: _Action, state: State, values: list[Any]) -> Refusal | None:
        record, s = action.record, state.values
        if action not in self.deciding[state.phase]:
            return Refusal("window_closed", record.clause, "", record.place)
        if values[0] not in action.by(s, []):
            return Refusal(record.by_code or "not_your_turn", record.by_clause, "by", record.place)
        for number, parameter in enumerate(action.parameters, 1):
            if not _holds(parameter, parameter.domain(s, values), values[number]):
                item = parameter.record
                return Refusal(item.code or "not_available", item.clause, item.id, item.place)
        if action.legal(s, values):
            return None
        return self._culprit(record, record.legal, s, values)

    def _culprit(self, action: Action, legal: Expression, s: Values, values: list[Any]) -> Refusal:
        """Find the row of the table that forbids, inside the condition that failed."""
        if legal.op == "and":
            env = self.evaluator.frame(["me", *(p.id for p in action.parameters)])
            failing = next(part for part in legal.parts if not self.evaluator.expression(part, env)(s, values))
            return self._culprit(action, failing, s, values)
        table = self.game.tables.get(legal.name) if legal.op == "call" else None
        if table is None:
            clause = self.game.functions[legal.name].clause if legal.op == "call" else action.clause
            code = action.code or self.game.codes.get(clause, "condition_not_met")
            return Refusal(code, clause, "", action.place)
        env = self.evaluator.frame(["me", *(p.id for p in action.parameters)])
        arguments = [self.evaluator.expression(part, env)(s, values) for part in legal.parts]
        row = self._firing(table, s, arguments)
        code = row.code or self.game.codes.get(row.clause, "condition_not_met")
        return Refusal(code, row.clause, f"{table.id}/{row.id}", row.place)

    def _firing(self, table: Table, s: Values, arguments: list[Any]) -> Row:
        env = self.evaluator.frame([argument.name for argument in table.arguments])
        for row in table.rows:
            if row.when is None or self.evaluator.expression(row.when, env)(s, arguments):
                return row
        raise Crash(f"{table.place}: no row of {table.id} fires")

    # What is open -------------------------------------------------------------

    def choices(self, state: State, seat: int) -> Iterator[tuple[_Action, list[list[Any]]]]:
        """Yield every action open to a seat with the parameter values that are accepted; described ones without."""
        s = state.values
        for action in self.deciding[state.phase]:
            if seat not in action.by(s, []):
                continue
            if action.described:
                if action.legal(s, [seat]) and all(_possible(p, p.domain(s, [seat])) for p in action.parameters):
                    yield action, []
                continue
            accepted = [values[1:] for values in self._tried(action, s, [seat]) if action.legal(s, values)]
            if accepted:
                yield action, accepted

    def imaginable(self, state: State, seat: int) -> Iterator[dict[str, Json]]:
        """Yield the acts that the phase lists for a seat with all values of their domains, accepted or not."""
        for action in self.deciding[state.phase]:
            if not action.described:
                for values in self._tried(action, state.values, [seat]):
                    yield {outside(action.record.id): self._written(action, values[1:])}

    def _tried(self, action: _Action, s: Values, locals_: list[Any]) -> Iterator[list[Any]]:
        number = len(locals_) - 1
        if number == len(action.parameters):
            yield locals_
            return
        parameter = action.parameters[number]
        values = self._in_order(parameter, parameter.domain(s, locals_))
        self.evaluator.meter.spend(len(values), parameter.record.place)
        for value in values:
            yield from self._tried(action, s, [*locals_, value])

    def _in_order(self, parameter: _Parameter, values: Any) -> Any:
        return self.evaluator.ordered(parameter.record.domain.type)(values)

    @_question
    def legal(self, state: State, seat: int) -> dict[str, Json]:
        """Return the acts that a seat may make: act name -> accepted values, or their description."""
        found: dict[str, Json] = {}
        for action, accepted in self.choices(state, seat):
            name = outside(action.record.id)
            if action.described:
                found[name] = self._described(action, state.values, seat)
            else:
                found[name] = [self._written(action, values) for values in accepted]
        return found

    def _written(self, action: _Action, values: Sequence[Any]) -> Json:
        parts = {
            outside(p.record.id): writer(p.record.type, self.game.deck)(value)
            for p, value in zip(action.parameters, values, strict=True)
        }
        if not parts:
            return True
        return next(iter(parts.values())) if len(parts) == 1 else parts

    def _described(self, action: _Action, s: Values, seat: int) -> Json:
        parts = {outside(p.record.id): self._description(p, p.domain(s, [seat])) for p in action.parameters}
        return next(iter(parts.values())) if len(parts) == 1 else parts

    def _description(self, parameter: _Parameter, domain: Any) -> Json:
        type_ = parameter.record.domain.type
        cards = writer(CARDS, self.game.deck)
        if isinstance(type_, Orders):
            return {"order": cards(domain)}
        if isinstance(type_, Subsets):
            return {"from": cards(domain[0]), "min": domain[1], "max": domain[2]}
        if parameter.described:
            return {"min": min(domain), "max": max(domain)}
        write = writer(parameter.record.type, self.game.deck)
        return [write(value) for value in domain]

    # What is seen -------------------------------------------------------------

    @_question
    def view(self, state: State, seat: int) -> dict[str, Json]:
        """Return what a seat sees, under the names that the data gives; an absent key is unknown to it."""
        if seat not in range(self.game.seats):
            raise BadAct(f"there is no seat {seat!r}; seats are 0 to {self.game.seats - 1}")
        return {
            "phase": outside(state.phase),
            **_present((name, render(state.values, [seat])) for name, render in self.views),
        }

    @_question
    def score(self, state: State) -> dict[str, Json]:
        """Return the accounts and results, the same for everybody."""
        return _present((name, render(state.values, [])) for name, render in self.scores)

    def _shown(self, show: Show, env: Mapping[str, int]) -> Render:
        seen = None if show.seen is None else self.evaluator.expression(show.seen, env)
        render = self._rendered(show, env)
        if seen is None:
            return render
        return lambda s, e: render(s, e) if seen(s, e) else _ABSENT

    def _rendered(self, show: Show, env: Mapping[str, int]) -> Render:
        if show.value is not None:
            value, write = self.evaluator.expression(show.value, env), writer(show.value.type, self.game.deck)
            return lambda s, e: write(value(s, e))
        if show.inner is None:
            fields = [(field.id, self._shown(field, env)) for field in show.fields]
            return lambda s, e: _present((name, render(s, e)) for name, render in fields)
        inside = {**env, show.each: max(env.values(), default=-1) + 1} if show.each else env
        when = None if show.when is None else self.evaluator.expression(show.when, inside)
        inner = self._shown(show.inner, inside)
        if show.domain is None:
            return lambda s, e: inner(s, e) if when is None or when(s, e) else None
        domain, order = self.evaluator.expression(show.domain, env), self.evaluator.ordered(show.domain.type)

        def each(s: Values, e: list[Any]) -> Any:
            frames = ([*e, value] for value in order(domain(s, e)))
            shown = [inner(s, frame) for frame in frames if when is None or when(s, frame)]
            shown = [item for item in shown if item is not _ABSENT]
            return [item for items in shown for item in items] if show.flat else shown

        return each

    @_question
    def broken(self, state: State) -> list[str]:
        """Return the invariants that do not hold, and `conservation` if a card is lost or doubled."""
        failing = [name for name, holds in self.invariants.items() if not holds(state.values, [])]
        cards = [card for name, v in self.game.state.items() if v.zone for card in _held(self.get(state, name))]
        if cards and sorted(cards) != sorted(self.game.deck.cards):
            failing.append("conservation")
        return failing


def _single(act: object) -> tuple[str, object]:
    if not isinstance(act, Mapping) or len(act) != 1 or not isinstance(name := next(iter(act)), str):
        raise BadAct('an act is an object with one key, such as {"play": card}')
    return name, act[name]


def _unreadable(parameter: Parameter, value: object) -> str:
    """Return the code of a refusal of what is no value of a parameter; a number is then one outside its range."""
    if str(parameter.type) in ("card", "cards", "pile"):
        return "no_such_card"
    number = isinstance(parameter.type, Int) and type(value) is int
    return (parameter.code if number else "") or "not_available"


def _possible(parameter: _Parameter, domain: Any) -> bool:
    """Say whether a described domain has any value."""
    type_ = parameter.record.domain.type
    if isinstance(type_, Subsets):
        cards, low, high = domain
        return bool(max(low, 0) <= min(high, len(cards)))
    return isinstance(type_, Orders) or bool(domain)


def _present(shown: Iterable[tuple[str, Any]]) -> dict[str, Json]:
    """Return what is shown, without what is not seen."""
    return {name: value for name, value in shown if value is not _ABSENT}


def _holds(parameter: _Parameter, domain: Any, value: Any) -> bool:
    type_ = parameter.record.domain.type
    if isinstance(type_, Orders):
        return len(value) == len(domain) and frozenset(value) == domain
    if isinstance(type_, Subsets):
        cards, low, high = domain
        return bool(value <= cards and low <= len(value) <= high)
    return bool(value in domain)


def _held(value: Any) -> Iterator[str]:
    """Yield the cards inside a zone: a set, a pile, a card, or an array of them."""
    if isinstance(value, str):
        yield value
    elif value is not None:
        for item in value:
            yield from _held(item)
