"""The possible meanings of a name in an expression, and the expressions known not to be None there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from brou.dataclass import dataclass, field, replace
from brou.errors import Place
from brou.language.builtin import World
from brou.language.syntax import Argument
from brou.language.tree import And, Call, Compare, Expression, LocalUse, Not, Or, VariableUse, map_parts, walk
from brou.language.types import NOTHING, Option, Type


@dataclass(frozen=True, slots=True)
class Signature:
    """What a caller must know of a function or table; `present` is what cannot be None where it answers yes."""

    arguments: tuple[Argument, ...]
    type: Type
    present: frozenset[Expression] = frozenset()

    def find_present(self, given: Sequence[Expression]) -> frozenset[Expression]:
        """Return what cannot be None where a call with some arguments answers yes."""
        instead = {one.name: value for one, value in zip(self.arguments, given, strict=True)}

        def put(expression: Expression) -> Expression:
            if isinstance(expression, LocalUse):
                return instead.get(expression.name, expression)
            return map_parts(expression, put)

        return frozenset(bare(put(one)) for one in self.present)


@dataclass(frozen=True, slots=True)
class Names:
    """Everything a name in an expression can mean, locals apart."""

    world: World
    constants: Mapping[str, Expression]
    state: Mapping[str, Type]
    params: Mapping[str, Expression]
    attributes: Mapping[str, Type]
    domains: Mapping[str, Type]
    callable: Callable[[str, Place], Signature | None]
    known: Callable[[], Iterable[str]]


#: What a fact asks for: a variable of the state or a local by its name, or any function.
Topic: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Scope:
    """The locals in sight and the expressions known not to be None; `about` indexes these by their topics."""

    names: Names
    locals: Mapping[str, Type] = field(default_factory=dict)
    present: frozenset[Expression] = frozenset()
    about: Mapping[Topic, frozenset[Expression]] = field(default_factory=dict)

    def bind(self, name: str, type_: Type) -> Scope:
        """Return the scope with one local more; facts about another local of this name are dropped."""
        return replace(self._without(("local", name)), locals={**self.locals, name: type_})

    def knowing(self, condition: Expression, *, holds: bool = True) -> Scope:
        """Return the scope where a condition is known to hold, or known to fail."""
        return self.having(find_present(condition, holds=holds))

    def having(self, facts: frozenset[Expression]) -> Scope:
        """Return the scope where some expressions are known not to be None."""
        fresh = facts - self.present
        if not fresh:
            return self
        about = dict(self.about)
        for fact in fresh:
            for topic in set(_topics(fact)):
                about[topic] = about.get(topic, frozenset()) | {fact}
        return replace(self, present=self.present | fresh, about=about)

    def forgetting(self, variable: str) -> Scope:
        """Return the scope after a state variable was written: facts about it, and about any function, are dropped."""
        return self._without(("state", variable), ("call", ""))

    def _without(self, *topics: Topic) -> Scope:
        gone = frozenset[Expression]().union(*(self.about.get(topic, ()) for topic in topics))
        if not gone:
            return self
        touched = {topic for fact in gone for topic in _topics(fact)}
        about = {**self.about, **{topic: self.about[topic] - gone for topic in touched}}
        return replace(self, present=self.present - gone, about=about)


def _topics(expression: Expression) -> Iterator[Topic]:
    """Yield what an expression asks for."""
    for one in walk(expression):
        if isinstance(one, (LocalUse, VariableUse)):
            yield one.op, one.name
        elif isinstance(one, Call):
            yield "call", ""


def find_present(condition: Expression, *, holds: bool) -> frozenset[Expression]:
    """Return the expressions that cannot be None if the condition holds (or fails)."""
    match condition:
        case Not():
            return find_present(condition.condition, holds=not holds)
        case And() | Or():
            sides = [find_present(one, holds=holds) for one in condition.conditions]
            every = isinstance(condition, And) == holds
            return frozenset[Expression]().union(*sides) if every else frozenset.intersection(*sides)
        case Compare(operator=("==" | "!=") as operator, left=one, right=two):
            for side, against in ((one, two), (two, one)):
                if against.type == NOTHING and (operator == "!=") == holds:
                    return frozenset([bare(side)])
                if isinstance(side.type, Option) and not isinstance(against.type, Option) and against.type != NOTHING:
                    return frozenset([bare(side)]) if (operator == "==") == holds else frozenset()
    return frozenset()


def bare(expression: Expression) -> Expression:
    """Return the expression without its narrowed types, so that facts compare regardless of earlier narrowing."""
    return replace(map_parts(expression, bare), type=NOTHING)
