"""The interpreter: State x Act -> State, with what every seat may do and see.

A state is immutable. An act that is refused leaves no trace but its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import cached_property, wraps
from typing import Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from brou.dataclass import dataclass
from brou.errors import BadAct, BrokenPromise, Impossible, Place
from brou.interpreter.acts import extract_values, single
from brou.interpreter.change import Change, Changer
from brou.interpreter.domains import Domain, domain_of, write_once
from brou.interpreter.evaluate import Evaluator, Observer
from brou.interpreter.refusing import UNASKABLE, Refusal, find_culprits
from brou.language.budget import BUDGET
from brou.language.codec import Json, NoSuchValue, outside, read, writer
from brou.language.operations import Meaning, MeaningOf
from brou.language.syntax import Action, Game, Parameter, Show
from brou.language.types import Int, Locals, Value, Values, cards_of
from brou.on_demand import OnDemand

__all__ = ["Machine", "Refusal", "State"]


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match: the phase, and the value of every variable in the order of the rules file."""

    phase: str
    values: Values


@dataclass(frozen=True, slots=True)
class _BoundParameter:
    record: Parameter
    domain: Domain


@dataclass(frozen=True, slots=True)
class BoundAction:
    record: Action
    by: MeaningOf[Collection[Value]]
    parameters: tuple[_BoundParameter, ...]
    legal: Meaning
    promised: Meaning
    do: Change

    @property
    def described(self) -> bool:
        return any(parameter.record.described for parameter in self.parameters)


class _Unseen(Enum):
    """What a view does not show."""

    ABSENT = "absent"


#: What a view or a score shows, or that it shows nothing.
_Shown: TypeAlias = "Json | _Unseen"
_Render: TypeAlias = MeaningOf[_Shown]
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
_ABSENT: Final = _Unseen.ABSENT
_UNKNOWN_ACT = Refusal("not_available", "", "", Place("<act>", 1, 1))


def _question(answer: Callable[Concatenate[Machine, Asked], Answer]) -> Callable[Concatenate[Machine, Asked], Answer]:
    """Return a method of a machine as one that answers within the budget of one question, or raises `TooCostly`."""

    @wraps(answer)
    def run_metered(machine: Machine, /, *args: Asked.args, **named: Asked.kwargs) -> Answer:
        meter = machine.evaluator.meter
        before, meter.left = meter.left, BUDGET
        try:
            return answer(machine, *args, **named)
        finally:
            meter.left = before

    return run_metered


class Machine:
    """Plays one game: built once, then asked about any number of states."""

    def __init__(self, game: Game, watch: Observer | None = None) -> None:
        self.game = game
        self.evaluator = Evaluator(game, watch)
        self.changer = Changer(self.evaluator)
        self.slots = self.evaluator.slots
        phases, shown, told = game.phases, {show.id: show for show in game.view}, {show.id: show for show in game.score}
        #: By phase: the checks and effects of an automatic one, and the actions that each offers.
        self.automatic = OnDemand([name for name, phase in phases.items() if phase.do], self._bind_phase)
        self.deciding = OnDemand(phases, lambda name: [self.actions[action] for action in phases[name].actions])
        #: The actions by name, ready to be evaluated.
        self.actions = OnDemand(game.actions, self._bind_action)
        #: Renderers of the view and of the score, by key.
        self.views = OnDemand(shown, lambda key: self._make_renderer(shown[key], self.evaluator.frame(["me"])))
        self.scores = OnDemand(told, lambda key: self._make_renderer(told[key], {}))

    @cached_property
    def invariants(self) -> Mapping[str, Meaning]:
        """Return the meanings of the invariants by name."""
        return {name: self.evaluator.expression(e, {}) for name, e in self.game.invariants.items()}

    def _bind_phase(self, name: str) -> tuple[Meaning, Change]:
        phase = self.game.phases[name]
        return self.evaluator.make_check(phase, {}), self.changer.effects(phase.do, {})

    def _bind_action(self, name: str) -> BoundAction:
        action = self.game.actions[name]
        env = self.evaluator.frame(["me", *(parameter.id for parameter in action.parameters)])
        parameters = tuple(_BoundParameter(p, domain_of(self.evaluator, p, env)) for p in action.parameters)
        return BoundAction(
            action,
            self.evaluator.collection(action.by, {}),
            parameters,
            self.evaluator.expression(action.legal, env),
            self.evaluator.make_check(action, env),
            self.changer.effects(action.do, env),
        )

    # Beginning ----------------------------------------------------------------

    @_question
    def begin(self) -> State:
        """Return the state in which a match begins."""
        values = tuple(variable.default for variable in self.game.state.values())
        return self._run_automatic_phases(next(iter(self.game.phases)), list(values))

    @_question
    def start(self, given: Mapping[str, object]) -> State:
        """Return the state before a deal, with the variables that the rules allow to be given.

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
        state = self._run_automatic_phases(start.phase, values)
        if broken := self.find_broken_invariants(state):
            raise Impossible(f"no game comes to this start, for it breaks {', '.join(broken)}")
        return state

    def _run_automatic_phases(self, phase: str, values: Locals) -> State:
        """Run automatic phases until somebody must decide or the match is over."""
        while phase in self.automatic:
            promised, do = self.automatic[phase]
            promised(values, [])
            following = do(values, [])
            if following is None:
                raise BrokenPromise(f"the phase {phase} led nowhere")
            phase = following
        return State(phase, tuple(values))

    # Acting -------------------------------------------------------------------

    def over(self, state: State) -> bool:
        """Say whether the match has ended."""
        return self.game.phases[state.phase].final

    def get(self, state: State, variable: str) -> Value:
        """Return the value of a variable."""
        return state.values[self.slots[variable]]

    @_question
    def act(self, state: State, seat: int, act: Mapping[str, object]) -> State | Refusal:
        """Apply an act; return the state after it, or the first of its `refusals`."""
        found = self._judge(state, seat, act)
        if isinstance(found, Refusal):
            return found
        action, values = found
        action.promised(state.values, values)
        return self.run_effects(state, action.do, values)

    @_question
    def refusal(self, state: State, seat: int, act: Mapping[str, object]) -> Refusal | None:
        """Return why an act is refused, or None if it is allowed, without applying it."""
        found = self._judge(state, seat, act)
        return found if isinstance(found, Refusal) else None

    def _judge(self, state: State, seat: int, act: Mapping[str, object]) -> Refusal | tuple[BoundAction, Locals]:
        """Return the first duty that an act breaks, or else its action and its locals."""
        name, value = single(act)
        action = self.actions.get(name)
        if action is None:
            return _UNKNOWN_ACT
        values = self._arguments(action, state, seat, value)
        if isinstance(values, tuple):
            return values[0]
        return next(self._find_refusals(action, state, values), None) or (action, values)

    @_question
    def refusals(self, state: State, seat: int, act: Mapping[str, object]) -> tuple[Refusal, ...]:
        """Return every duty that an act breaks, the one that `act` names first; none if it is allowed.

        A program that looks at its duties in another order may name any of them. They are: a seat that is not to act,
        each parameter outside its values, each part of `legal` that fails, and each row of its tables that forbids it,
        whatever other rows forbid. An act outside its phases breaks no other duty than that of its seat, and one with a
        value that does not exist none but that. Raise `BadAct` for an act that is not of the declared form.
        """
        name, value = single(act)
        action = self.actions.get(name)
        if action is None:
            return (_UNKNOWN_ACT,)
        values = self._arguments(action, state, seat, value)
        if isinstance(values, tuple):
            return values
        return tuple(dict.fromkeys(self._find_refusals(action, state, values)))

    @_question
    def run_effects(self, state: State, do: Change, locals_: Locals) -> State:
        """Return the state after some effects and the automatic phases that they lead to."""
        after = list(state.values)
        phase = do(after, locals_)
        return self._run_automatic_phases(phase or state.phase, after)

    def resolve(self, state: State, seat: int, act: Mapping[str, object]) -> tuple[Action, Locals]:
        """Return the action of an act and its locals: seat, then parameters; raise `BadAct` for a malformed act."""
        name, value = single(act)
        action = self.actions.get(name)
        values = None if action is None else self._arguments(action, state, seat, value)
        if action is None or values is None or isinstance(values, tuple):
            raise BadAct(f"{outside(name)} is no act of this game with such values")
        return action.record, values

    def _arguments(self, action: BoundAction, state: State, seat: int, value: object) -> Locals | tuple[Refusal, ...]:
        """Return the locals of an act: the seat, then its parameters; or why they are no values at all.

        A card that has copies means the first of them that the act may take.
        """
        locals_: Locals = [seat]
        refused: list[Refusal] = []
        for parameter, item in zip(action.parameters, extract_values(action.record, value), strict=True):
            try:
                locals_.append(read(parameter.record.type, item, self.game.deck))
            except NoSuchValue:
                record = parameter.record
                refused.append(Refusal(_unreadable(record, item), record.clause, record.id, record.place))
        if self.game.deck.copies > 1 and not refused and action.record.id in self.game.phases[state.phase].actions:
            for number, parameter in enumerate(action.parameters, 1):
                with suppress(*UNASKABLE):
                    here = locals_[:number]
                    locals_[number] = parameter.domain.pick(state.values, here, locals_[number], self.game.deck)
        return tuple(refused) or locals_

    def _find_refusals(self, action: BoundAction, state: State, values: Locals) -> Iterator[Refusal]:
        """Yield every duty that an act breaks, the one that decides first.

        What cannot be evaluated once a duty is broken (a card that is nowhere has no rank to compare) adds none.
        """
        record, s = action.record, state.values
        checks = [self._of_seat(action, s, values)]
        if record.id in self.game.phases[state.phase].actions:
            checks += [
                self._of_parameter(parameter, s, values, at) for at, parameter in enumerate(action.parameters, 1)
            ]
            checks.append(self._of_condition(action, s, values))
        else:
            closed = Refusal("window_closed", record.clause, "", record.place)
            checks.insert(0, iter([closed]))
        broken = False
        for check in checks:
            try:
                for refusal in check:
                    broken = True
                    yield refusal
            except UNASKABLE:
                if not broken:
                    raise

    def _of_seat(self, action: BoundAction, s: Values, values: Locals) -> Iterator[Refusal]:
        if values[0] not in action.by(s, []):
            record = action.record
            yield Refusal(record.by_code or "not_your_turn", record.by_clause, "by", record.place)

    def _of_parameter(self, parameter: _BoundParameter, s: Values, values: Locals, number: int) -> Iterator[Refusal]:
        if not parameter.domain.has(s, values, values[number]):
            item = parameter.record
            yield Refusal(item.code or "not_available", item.clause, item.id, item.place)

    def _of_condition(self, action: BoundAction, s: Values, values: Locals) -> Iterator[Refusal]:
        if not action.legal(s, values):
            yield from find_culprits(self.evaluator, action.record, action.record.legal, s, values)

    # What is open -------------------------------------------------------------

    def choices(self, state: State, seat: int) -> Iterator[tuple[BoundAction, list[Locals]]]:
        """Yield every action open to a seat with the parameter values that are accepted; described ones without."""
        for action in self.deciding[state.phase]:
            accepted = self._list_accepted(action, state.values, seat)
            if accepted is not None:
                yield action, accepted

    def _list_accepted(self, action: BoundAction, s: Values, seat: int) -> list[Locals] | None:
        """Return the parameter values of an action that are accepted of a seat; None if it is not open to it."""
        if seat not in action.by(s, []):
            return None
        if action.described:
            possible = action.legal(s, [seat]) and all(p.domain.has_any(s, [seat]) for p in action.parameters)
            return [] if possible else None
        return [values[1:] for values in self._try_values(action, s, [seat]) if action.legal(s, values)] or None

    def imaginable(self, state: State, seat: int) -> Iterator[dict[str, Json]]:
        """Yield the acts that the phase lists for a seat with all values of their domains, accepted or not."""
        for action in self.deciding[state.phase]:
            if not action.described:
                tried = self._try_values(action, state.values, [seat])
                for written in self._write_once(self._write_values(action, values[1:]) for values in tried):
                    yield {outside(action.record.id): written}

    def _try_values(self, action: BoundAction, s: Values, locals_: Locals) -> Iterator[Locals]:
        number = len(locals_) - 1
        if number == len(action.parameters):
            yield locals_
            return
        parameter = action.parameters[number]
        values = parameter.domain.list_values(s, locals_)
        self.evaluator.meter.spend(len(values), parameter.record.place)
        for value in values:
            yield from self._try_values(action, s, [*locals_, value])

    @_question
    def legal(self, state: State, seat: int) -> dict[str, Json]:
        """Return the acts that a seat may make: act name -> accepted values, or their description."""
        return {
            outside(action.record.id): self._offer(action, state.values, seat, accepted)
            for action, accepted in self.choices(state, seat)
        }

    @_question
    def offer(self, state: State, seat: int, name: str) -> Json:
        """Return the choices of a seat for one action, as in `legal`; None if the action is not open to it."""
        action = self.actions[name]
        accepted = self._list_accepted(action, state.values, seat)
        return None if accepted is None else self._offer(action, state.values, seat, accepted)

    def _offer(self, action: BoundAction, s: Values, seat: int, accepted: Iterable[Locals]) -> Json:
        if action.described:
            return self._describe(action, s, seat)
        return [*self._write_once(self._write_values(action, values) for values in accepted)]

    def _write_once(self, written: Iterator[Json]) -> Iterable[Json]:
        """Return some values as they are written; where there are copies of cards, those written alike once."""
        return written if self.game.deck.copies == 1 else write_once(written)

    def _write_values(self, action: BoundAction, values: Sequence[Value]) -> Json:
        parts = {
            outside(p.record.id): writer(p.record.type, self.game.deck)(value)
            for p, value in zip(action.parameters, values, strict=True)
        }
        if not parts:
            return True
        return next(iter(parts.values())) if len(parts) == 1 else parts

    def _describe(self, action: BoundAction, s: Values, seat: int) -> Json:
        parts = {outside(p.record.id): p.domain.description(s, [seat], self.game.deck) for p in action.parameters}
        return next(iter(parts.values())) if len(parts) == 1 else parts

    # What is seen -------------------------------------------------------------

    @_question
    def view(self, state: State, seat: int, only: Collection[str] | None = None) -> dict[str, Json]:
        """Return the view of a seat, by the names that the data gives; an absent key is unknown to it.

        With `only`, no more than the phase and these keys are computed.
        """
        self.game.check_seat(seat)
        return {
            "phase": outside(state.phase),
            **_present(
                (key, self.views[key](state.values, [seat])) for key in self.views if only is None or key in only
            ),
        }

    @_question
    def score(self, state: State) -> dict[str, Json]:
        """Return the accounts and results, which are the same for every seat."""
        return _present((key, render(state.values, [])) for key, render in self.scores.items())

    def _make_renderer(self, show: Show, env: Mapping[str, int]) -> _Render:
        seen = None if show.seen is None else self.evaluator.expression(show.seen, env)
        render = self._make_visible_renderer(show, env)
        if seen is None:
            return render
        return lambda s, e: render(s, e) if seen(s, e) else _ABSENT

    def _make_visible_renderer(self, show: Show, env: Mapping[str, int]) -> _Render:
        if show.value is not None:
            value, write = self.evaluator.expression(show.value, env), writer(show.value.type, self.game.deck)
            return lambda s, e: write(value(s, e))
        if show.inner is None:
            fields = [(field.id, self._make_renderer(field, env)) for field in show.fields]
            return lambda s, e: _present((name, render(s, e)) for name, render in fields)
        inside = {**env, show.each: max(env.values(), default=-1) + 1} if show.each else env
        when = None if show.when is None else self.evaluator.expression(show.when, inside)
        inner = self._make_renderer(show.inner, inside)
        if show.domain is None:
            return lambda s, e: inner(s, e) if when is None or when(s, e) else None
        members = self.evaluator.members(show.domain, env)

        def each(s: Values, e: Locals) -> Json:
            frames = ([*e, value] for value in members(s, e))
            found = [inner(s, frame) for frame in frames if when is None or when(s, frame)]
            shown = [item for item in found if item is not _ABSENT]
            return [item for items in shown if isinstance(items, list) for item in items] if show.flat else shown

        return each

    @_question
    def find_broken_invariants(self, state: State) -> list[str]:
        """Return the invariants that do not hold, and `conservation` if a card is lost or doubled."""
        failing = [name for name, holds in self.invariants.items() if not holds(state.values, [])]
        cards = [card for name, v in self.game.state.items() if v.zone for card in cards_of(self.get(state, name))]
        if cards and sorted(cards) != sorted(self.game.deck.cards):
            failing.append("conservation")
        return failing


def _unreadable(parameter: Parameter, value: object) -> str:
    """Return the refusal code of a value that the parameter cannot have; a number is then one outside its range."""
    if str(parameter.type) in ("card", "cards", "pile"):
        return "no_such_card"
    number = isinstance(parameter.type, Int) and type(value) is int
    return (parameter.code if number else "") or "not_available"


def _present(shown: Iterable[tuple[str, _Shown]]) -> dict[str, Json]:
    """Return the shown entries without those that are not seen."""
    return {name: value for name, value in shown if value is not _ABSENT}
