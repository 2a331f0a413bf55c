"""Why: every row judged on the way to a verdict, with clause and place, and who wrote each variable last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brou.errors import Place
from brou.interpreter.evaluate import Evaluator
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.effects import Effect
from brou.language.show import show
from brou.language.syntax import Game, Row, Table
from brou.language.tree import And, Expression
from brou.language.types import Locals, Value, Values


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: a row fired or was passed over, a parameter was read, a variable was written."""

    kind: str
    id: str
    clause: str
    place: Place
    why: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.id} [{self.clause}] {self.place}" + (f": {self.why}" if self.why else "")


@dataclass(slots=True)
class Trace:
    """A watch that keeps what it sees; `writers` names the last effect that wrote each variable."""

    game: Game
    events: list[Event] = field(default_factory=list)
    writers: dict[str, Event] = field(default_factory=dict)
    plain: Evaluator = field(init=False)

    def __post_init__(self) -> None:
        self.plain = Evaluator(self.game)

    def row(self, table: Table, row: Row, *, fired: bool, values: Values, locals_: Locals) -> None:
        """Keep a row that was judged, and which part of its condition failed."""
        why = "" if fired or row.when is None else self._reason(table, row.when, values, locals_)
        self.events.append(Event("fired" if fired else "skipped", f"{table.id}/{row.id}", row.clause, row.place, why))

    def wrote(self, variable: str, effect: Effect) -> None:
        """Keep which effect wrote a variable."""
        event = Event("wrote", f"{variable} by {effect.id}", effect.clause, effect.place)
        self.events.append(event)
        self.writers[variable] = event

    def read(self, param: str) -> None:
        """Keep that a parameter was read."""
        record = self.game.params[param]
        self.events.append(Event("read", param, record.clause, record.place, str(record.value)))

    def called(self, function: str) -> None:
        """Keep nothing of calls: what they decide is seen in rows."""

    def doing(self, effect: Effect, env: Mapping[str, int], values: Values, locals_: Sequence[Value]) -> None:
        """Keep nothing of an effect before it writes."""

    def _reason(self, table: Table, when: Expression, values: Values, locals_: Locals) -> str:
        env = self.plain.frame([argument.name for argument in table.arguments])
        return f"{show(self._failing(when, env, values, locals_))} does not hold"

    def _failing(self, when: Expression, env: Mapping[str, int], values: Values, locals_: Locals) -> Expression:
        """Return the first conjunct that fails."""
        if not isinstance(when, And):
            return when
        for part in when.conditions:
            if not self.plain.expression(part, env)(values, locals_):
                return self._failing(part, env, values, locals_)
        return when


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an act, and every event on the way."""

    outcome: State | Refusal
    events: tuple[Event, ...]

    @property
    def accepted(self) -> bool:
        """Say whether the act was accepted."""
        return isinstance(self.outcome, State)


class Tracing:
    """A machine that tells why; slower than `Machine`, with the same answers."""

    def __init__(self, game: Game) -> None:
        self.trace = Trace(game)
        self.machine = Machine(game, self.trace)

    def act(self, state: State, seat: int, act: Mapping[str, object]) -> Verdict:
        """Apply an act and tell every row, parameter and write on the way."""
        before = len(self.trace.events)
        outcome = self.machine.act(state, seat, act)
        return Verdict(outcome, tuple(self.trace.events[before:]))

    def writer(self, variable: str) -> Event | None:
        """Return the last write of a variable, or None while it has its first value."""
        return self.trace.writers.get(variable)
