"""What has happened on the way to a state: every figure that was written, by which effect, when and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from brou.interpreter.evaluate import Evaluator
from brou.language.effects import Add, Assign, Case, Cases, Draw, Effect, For, Goto, Let, Move, Reset, walk_effects
from brou.language.operations import place_of
from brou.language.syntax import Game, Row, Table
from brou.language.types import Array, Locals, Type, Value, Values, as_row, finite
from brou.words.moment import Meant, Moment


@dataclass(frozen=True, slots=True)
class Reason:
    """A case that was taken: the branches that were tried, and where they were judged."""

    effect: Cases
    case: Case
    moment: Moment


@dataclass(frozen=True, slots=True)
class Write:
    """One write of a variable, or of an element of it, before it has happened."""

    variable: str
    #: The positions that lead to the element.
    path: tuple[int, ...]
    #: The members of the index types at these positions.
    keys: tuple[Value, ...]
    effect: Assign | Add | Reset
    moment: Moment
    reasons: tuple[Reason, ...]
    #: The step of the course that it belongs to.
    step: str
    #: Its number among all writes.
    number: int


@dataclass(slots=True)
class History:
    """A watch that keeps what is written, and which records of the rules had a part in it."""

    game: Game
    step: str = ""
    #: What stands before the name of a step, such as the deal that it belongs to.
    prefix: str = ""
    writes: list[Write] = field(default_factory=list)
    touched: set[tuple[str, str]] = field(default_factory=set)
    _plain: Evaluator = field(init=False)
    _owners: Mapping[int, tuple[str, str]] = field(init=False)
    _firsts: frozenset[int] = field(init=False)
    _inside: dict[int, tuple[Reason, ...]] = field(default_factory=dict)
    #: What `let` has put down in the body that is being carried out, with its place among the locals.
    _meant: dict[str, tuple[int, Meant]] = field(default_factory=dict)
    _following: tuple[Reason, ...] = ()

    def __post_init__(self) -> None:
        self._plain = Evaluator(self.game)
        bodies = [
            *((("actions", name), action.do) for name, action in self.game.actions.items()),
            *((("phases", name), phase.do) for name, phase in self.game.phases.items()),
            *((("summary", name), entry.do) for name, entry in self.game.summary.items()),
            *((("summary", name), entry.then) for name, entry in self.game.summary.items()),
        ]
        self._firsts = frozenset(id(body[0]) for _, body in bodies if body)
        self._owners = {id(effect): owner for owner, body in bodies for effect in walk_effects(body)}

    def begin(self, step: str) -> None:
        """Say that another step of the course begins."""
        self.step = f"{self.prefix}{step}" if step else ""
        self._inside, self._meant, self._following = {}, {}, ()

    # What the evaluator tells -----------------------------------------------------

    def row(self, table: Table, row: Row, *, fired: bool, values: Values, locals_: Locals) -> None:  # noqa: ARG002 - a watch is told more
        """Keep that a table was asked."""
        self.touched.add(("tables", table.id))

    def read(self, param: str) -> None:
        """Keep that a number of the rules was read."""
        self.touched.add(("params", param))

    def called(self, function: str) -> None:
        """Keep that a function was applied."""
        self.touched.add(("functions", function))

    def wrote(self, variable: str, effect: Effect) -> None:
        """Keep nothing: what is written is seen before it happens."""

    def doing(self, effect: Effect, env: Mapping[str, int], values: Values, locals_: Sequence[Value]) -> None:
        """Keep an effect that writes, with the cases that have led to it."""
        self.touched.add(self._owners[id(effect)])
        if id(effect) in self._firsts:
            self._meant = {}
        meanings = {name: meant for name, (slot, meant) in self._meant.items() if env.get(name) == slot}
        moment = Moment(values, env, tuple(locals_), meanings)
        reasons = self._inside.get(id(effect), self._following)
        match effect:
            case Let():
                self._meant[effect.name] = (max(env.values(), default=-1) + 1, (effect.value, moment))
            case Cases():
                self._branch(effect, moment, reasons)
            case For():
                self._inside |= {id(inner): reasons for inner in effect.body}
            case Goto():
                self._following = reasons
            case Assign() | Add():
                self.writes.append(self._write(effect, moment, reasons))
            case Reset():
                self.writes += self._reset(effect, moment)
            case Move() | Draw():
                pass
            case _:
                assert_never(effect)

    def _branch(self, effect: Cases, moment: Moment, reasons: tuple[Reason, ...]) -> None:
        for case in effect.cases:
            taken = case.when is None or self._plain.expression(case.when, moment.env)(
                moment.values, list(moment.locals)
            )
            if taken:
                because = (*reasons, Reason(effect, case, moment))
                self._inside |= {id(inner): because for inner in case.body}
                return

    def _write(self, effect: Assign | Add, moment: Moment, reasons: tuple[Reason, ...]) -> Write:
        keys: list[Value] = []
        path: list[int] = []
        for step in effect.target.steps:
            keys.append(self._plain.expression(step.key, moment.env)(moment.values, list(moment.locals)))
            path.append(place_of(step.whole.index, keys[-1]))
        return Write(
            effect.target.variable, tuple(path), tuple(keys), effect, moment, reasons, self.step, len(self.writes)
        )

    def _reset(self, effect: Reset, moment: Moment) -> Iterator[Write]:
        """Yield the writes of a reset, a whole variable each."""
        scopes = self.game.scopes[self.game.scopes.index(effect.scope) :]
        for name, variable in self.game.state.items():
            if variable.scope in scopes:
                yield Write(name, (), (), effect, moment, (), self.step, len(self.writes))

    # What can be asked ------------------------------------------------------------

    def since(self, variable: str, path: tuple[int, ...], before: int) -> list[Write]:
        """Return the writes that a figure is made of: from the last that put it down anew, what was added since.

        Only those before a number count.
        """
        found: list[Write] = []
        for write in reversed(self.writes[:before]):
            if write.variable != variable or path[: len(write.path)] != write.path:
                continue
            found.insert(0, write)
            if not isinstance(write.effect, Add):
                break
        return found


def keys(type_: Type) -> Iterator[tuple[tuple[int, ...], tuple[Value, ...]]]:
    """Yield path and keys of every element of an array, of a plain variable the empty ones."""
    if not isinstance(type_, Array):
        yield (), ()
        return
    for position, key in enumerate(finite(type_.index) or ()):
        for path, rest in keys(type_.element):
            yield (position, *path), (key, *rest)


def element(value: Value, path: Sequence[int]) -> Value:
    """Return the element of an array at a path."""
    for position in path:
        value = as_row(value)[position]
    return value
