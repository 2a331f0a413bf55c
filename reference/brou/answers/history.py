"""The history of a state: every figure that was written on the way, by which effect, when and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias, assert_never

from brou.dataclass import dataclass, field
from brou.interpreter.evaluate import Observer
from brou.language.effects import Add, Assign, Branch, Cases, Draw, Effect, For, Goto, Let, Move, Reset, walk_effects
from brou.language.syntax import Game
from brou.language.types import Value, Values, as_row
from brou.reasons.moment import Meant, Moment

#: An effect that writes a figure.
Written: TypeAlias = Assign | Add | Reset


@dataclass(frozen=True, slots=True)
class Taken:
    """A case that was taken: the branches that were tried, and where they were judged."""

    effect: Cases
    case: Branch
    moment: Moment


@dataclass(frozen=True, slots=True)
class Write:
    """One write of a variable, or of an element of it, before it has happened."""

    variable: str
    #: The positions that lead to the element.
    path: tuple[int, ...]
    effect: Written
    moment: Moment
    reasons: tuple[Taken, ...]
    #: The step of the course that it belongs to.
    step: str
    #: Its number among all writes.
    number: int


@dataclass(slots=True)
class History(Observer):
    """An observer that logs writes, and the records of the rules that had a part in them."""

    game: Game
    step: str = ""
    #: What stands before the name of a step, such as the deal that it belongs to.
    prefix: str = ""
    writes: list[Write] = field(default_factory=list)
    touched: set[tuple[str, str]] = field(default_factory=set)
    _owners: Mapping[int, tuple[str, str]] = field(init=False)
    _firsts: frozenset[int] = field(init=False)
    _inside: dict[int, tuple[Taken, ...]] = field(default_factory=dict)
    #: What `let` has put down in the body that is being carried out, with its place among the locals.
    _meant: dict[str, tuple[int, Meant]] = field(default_factory=dict)
    _following: tuple[Taken, ...] = ()
    #: Where the effect stands that is being carried out, and the cases that have led to it.
    _moment: Moment = field(default=Moment(()))
    _reasons: tuple[Taken, ...] = ()

    def __post_init__(self) -> None:
        game = self.game
        bodies = [
            *((("actions", name), action.do) for name, action in game.actions.items()),
            *((("phases", name), phase.do) for name, phase in game.phases.items()),
            *((("summary", name), entry.do) for name, entry in game.summary.items()),
            *((("summary", name), entry.then) for name, entry in game.summary.items()),
        ]
        self._firsts = frozenset(id(body[0]) for _, body in bodies if body)
        self._owners = {id(effect): owner for owner, body in bodies for effect in walk_effects(body)}

    def begin(self, step: str) -> None:
        """Say that another step of the course begins."""
        self.step = f"{self.prefix}{step}" if step else ""
        self._inside, self._meant, self._following = {}, {}, ()

    @contextmanager
    def branch(self) -> Iterator[list[Write]]:
        """Yield a copy of the log that collects the writes of the block; afterwards the log is as it was."""
        kept, self.writes = self.writes, [*self.writes]
        self.begin("")
        try:
            yield self.writes
        finally:
            self.writes = kept

    @contextmanager
    def try_out(self) -> Iterator[None]:
        """Restore the log and the reasons of the next write after the block."""
        kept = self.writes, self._inside, self._meant, self._following, self._moment, self._reasons
        self.writes, self._inside, self._meant = [*self.writes], dict(self._inside), dict(self._meant)
        try:
            yield
        finally:
            self.writes, self._inside, self._meant, self._following, self._moment, self._reasons = kept

    # What the evaluator tells -----------------------------------------------------

    def note_lookup(self, section: str, name: str) -> None:
        """Note that a record of the rules was looked up."""
        self.touched.add((section, name))

    def note_effect(self, effect: Effect, env: Mapping[str, int], values: Values, locals_: Sequence[Value]) -> None:
        """Keep where an effect stands, and which cases have led to it."""
        self.touched.add(self._owners[id(effect)])
        if id(effect) in self._firsts:
            self._meant = {}
        meanings = {name: meant for name, (slot, meant) in self._meant.items() if env.get(name) == slot}
        self._moment = Moment(values, env, tuple(locals_), meanings)
        self._reasons = self._inside.get(id(effect), self._following)
        match effect:
            case Let():
                self._meant[effect.name] = (max(env.values(), default=-1) + 1, (effect.value, self._moment))
            case For():
                self._inside |= {id(inner): self._reasons for inner in effect.body}
            case Goto():
                self._following = self._reasons
            case Reset():
                self.writes += self._reset(effect)
            case Assign() | Add() | Cases() | Move() | Draw():
                pass
            case _:
                assert_never(effect)

    def note_case(self, effect: Cases, case: Branch) -> None:
        """Keep why the effects of a branch take place."""
        because = (*self._reasons, Taken(effect, case, self._moment))
        self._inside |= {id(inner): because for inner in case.body}

    def note_write(self, effect: Effect, path: Sequence[int]) -> None:
        """Log a write; moves of cards are not logged."""
        if isinstance(effect, (Assign, Add)):
            self.writes.append(self._write(effect.target.variable, tuple(path), effect, self._reasons))

    def _write(self, variable: str, path: tuple[int, ...], effect: Written, reasons: tuple[Taken, ...]) -> Write:
        return Write(variable, path, effect, self._moment, reasons, self.step, len(self.writes))

    def _reset(self, effect: Reset) -> Iterator[Write]:
        """Yield the writes of a reset, a whole variable each."""
        game = self.game
        scopes = game.scopes[game.scopes.index(effect.scope) :]
        for name, variable in game.state.items():
            if variable.scope in scopes:
                yield self._write(name, (), effect, ())


def since(writes: Sequence[Write], variable: str, path: tuple[int, ...]) -> list[Write]:
    """Return the writes that add up to a figure: its last assignment and every addition after it."""
    found: list[Write] = []
    for write in reversed(writes):
        if write.variable != variable or path[: len(write.path)] != write.path:
            continue
        found.insert(0, write)
        if not isinstance(write.effect, Add):
            break
    return found


def element(value: Value, path: Sequence[int]) -> Value:
    """Return the element of an array at a path."""
    for position in path:
        value = as_row(value)[position]
    return value
