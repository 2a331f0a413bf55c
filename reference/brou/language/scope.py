"""What a name in an expression can mean, and what is known not to be None where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from brou.errors import Place
from brou.language.primitives import World
from brou.language.syntax import Argument, Expression
from brou.language.types import NOTHING, Option, Type


@dataclass(frozen=True, slots=True)
class Signature:
    """What a caller must know of a function or table."""

    arguments: tuple[Argument, ...]
    type: Type


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


@dataclass(frozen=True, slots=True)
class Scope:
    """The locals in sight and what is known not to be None."""

    names: Names
    locals: Mapping[str, Type] = field(default_factory=dict)
    present: frozenset[Expression] = frozenset()

    def bind(self, name: str, type_: Type) -> Scope:
        """Return the scope with one local more; what was known of another local of this name is gone."""
        kept = frozenset(fact for fact in self.present if not _mentions_local(fact, name))
        return replace(self, locals={**self.locals, name: type_}, present=kept)

    def knowing(self, condition: Expression, *, holds: bool = True) -> Scope:
        """Return the scope where a condition is known to hold, or known to fail."""
        return replace(self, present=self.present | implied(condition, holds=holds))

    def forgetting(self, variable: str) -> Scope:
        """Return the scope after a state variable was written: what was known of it is gone."""
        kept = frozenset(fact for fact in self.present if not _mentions(fact, variable))
        return replace(self, present=kept)


def _mentions(expression: Expression, variable: str) -> bool:
    here = expression.op == "call" or (expression.op == "state" and expression.name == variable)
    return here or any(_mentions(part, variable) for part in expression.parts)


def _mentions_local(expression: Expression, name: str) -> bool:
    here = expression.op == "local" and expression.name == name
    return here or any(_mentions_local(part, name) for part in expression.parts)


def implied(condition: Expression, *, holds: bool) -> frozenset[Expression]:
    """Return the expressions that cannot be None if the condition holds (or fails)."""
    if condition.op == "not":
        return implied(condition.parts[0], holds=not holds)
    if condition.op in ("and", "or"):
        sides = [implied(part, holds=holds) for part in condition.parts]
        every = (condition.op == "and") == holds
        return frozenset().union(*sides) if every else frozenset.intersection(*sides)
    if condition.op == "compare" and condition.name in ("==", "!="):
        one, two = condition.parts
        for side, against in ((one, two), (two, one)):
            if against.type == NOTHING and (condition.name == "!=") == holds:
                return frozenset([bare(side)])
            if isinstance(side.type, Option) and not isinstance(against.type, Option) and against.type != NOTHING:
                return frozenset([bare(side)]) if (condition.name == "==") == holds else frozenset()
    return frozenset()


def bare(expression: Expression) -> Expression:
    """Return the expression as if it were an option still, so that facts compare whatever was narrowed before."""
    return replace(expression, type=NOTHING, parts=tuple(bare(part) for part in expression.parts))
