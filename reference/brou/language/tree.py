"""The tree of the language: one frozen class for each form of expression, and no others. Effects are beside it.

Whoever goes over a tree matches its classes and ends with `assert_never`, so that a type checker names every place that
lacks a new form. Whoever only looks for something uses `walk`, whoever rewrites `map_parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, TypeAlias, assert_never
from typing import Literal as OneOf

from brou.dataclass import dataclass, field, replace
from brou.errors import NOWHERE, Place
from brou.language.types import Array, Type, Value

__all__ = [
    "And",
    "Arithmetic",
    "AttributeOf",
    "Best",
    "BuiltinCall",
    "Call",
    "Compare",
    "Comprehension",
    "DomainUse",
    "Extreme",
    "If",
    "Index",
    "ListOf",
    "Literal",
    "LocalUse",
    "Not",
    "Or",
    "ParamUse",
    "Quantified",
    "SetOf",
    "VariableUse",
    "find_variable",
    "is_true",
    "parts",
    "uses_local",
    "walk",
]

Comparison: TypeAlias = OneOf["==", "!=", "<", "<=", ">", ">=", "in"]
Operator: TypeAlias = OneOf["+", "-", "*", "//", "&", "|"]
Quantifier: TypeAlias = OneOf["any", "all", "sum", "count", "first"]
Bound: TypeAlias = OneOf["min", "max"]


@dataclass(frozen=True, slots=True)
class _ExpressionBase:
    """What all expressions have: a type, a place in a file, and the word for their form in exported rules."""

    op: ClassVar[str]
    type: Type
    place: Place = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Literal(_ExpressionBase):
    """A value; `name` if the data give it one."""

    op: ClassVar[str] = "literal"
    value: Value
    name: str = ""


@dataclass(frozen=True, slots=True)
class LocalUse(_ExpressionBase):
    """An argument, a parameter, or a name that a quantifier, a loop or a `let` binds."""

    op: ClassVar[str] = "local"
    name: str


@dataclass(frozen=True, slots=True)
class VariableUse(_ExpressionBase):
    """A variable of the state."""

    op: ClassVar[str] = "state"
    name: str


@dataclass(frozen=True, slots=True)
class ParamUse(_ExpressionBase):
    """A number of the rules, or a list of numbers, with its value."""

    op: ClassVar[str] = "param"
    name: str
    value: int | tuple[int, ...] | tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class DomainUse(_ExpressionBase):
    """All values of a type, in order: `players`, `suits`, ..."""

    op: ClassVar[str] = "builtin"
    name: str


@dataclass(frozen=True, slots=True)
class AttributeOf(_ExpressionBase):
    """A number that a card carries."""

    op: ClassVar[str] = "builtin"
    name: str
    card: Expression


@dataclass(frozen=True, slots=True)
class BuiltinCall(_ExpressionBase):
    """A built-in function of some arguments."""

    op: ClassVar[str] = "builtin"
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Call(_ExpressionBase):
    """A function or a decision table of the game, with its arguments."""

    op: ClassVar[str] = "call"
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Index(_ExpressionBase):
    """An element of an array."""

    op: ClassVar[str] = "index"
    array: Expression
    key: Expression

    @property
    def whole(self) -> Array:
        """Return the type of the array; a `TypeError` where it is no array, which the loader rules out."""
        if not isinstance(self.array.type, Array):
            raise TypeError(f"{self.array.type} has no elements")
        return self.array.type


@dataclass(frozen=True, slots=True)
class If(_ExpressionBase):
    """The one value where a condition holds, the other elsewhere."""

    op: ClassVar[str] = "if"
    test: Expression
    then: Expression
    other: Expression


@dataclass(frozen=True, slots=True)
class And(_ExpressionBase):
    """All conditions hold; a later one is evaluated only where the earlier ones hold."""

    op: ClassVar[str] = "and"
    conditions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or(_ExpressionBase):
    """Any condition holds; a later one is evaluated only where the earlier ones fail."""

    op: ClassVar[str] = "or"
    conditions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Not(_ExpressionBase):
    """A condition fails."""

    op: ClassVar[str] = "not"
    condition: Expression


@dataclass(frozen=True, slots=True)
class Compare(_ExpressionBase):
    """Two values compare; `in`: the second holds the first."""

    op: ClassVar[str] = "compare"
    operator: Comparison
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic(_ExpressionBase):
    """An operation on two numbers or two sets of cards."""

    op: ClassVar[str] = "arithmetic"
    operator: Operator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class SetOf(_ExpressionBase):
    """The set of some values."""

    op: ClassVar[str] = "set"
    members: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ListOf(_ExpressionBase):
    """The list of some values."""

    op: ClassVar[str] = "list"
    members: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Quantified(_ExpressionBase):
    """A quantifier over the members of a domain that meet a condition, applied to a body."""

    op: ClassVar[str] = "each"
    quantifier: Quantifier
    bound: str
    domain: Expression
    condition: Expression
    body: Expression


@dataclass(frozen=True, slots=True)
class Extreme(_ExpressionBase):
    """The least or greatest value of a body over the members of a domain that meet a condition, or a default."""

    op: ClassVar[str] = "each"
    quantifier: Bound
    bound: str
    domain: Expression
    condition: Expression
    body: Expression
    default: Expression


@dataclass(frozen=True, slots=True)
class Comprehension(_ExpressionBase):
    """The set of the values of a body over the members of a domain that meet a condition."""

    op: ClassVar[str] = "each"
    bound: str
    domain: Expression
    condition: Expression
    body: Expression


@dataclass(frozen=True, slots=True)
class Best(_ExpressionBase):
    """The first member of a domain with the greatest key; None where the domain is empty."""

    op: ClassVar[str] = "best"
    bound: str
    domain: Expression
    key: Expression


Expression: TypeAlias = (
    Literal
    | LocalUse
    | VariableUse
    | ParamUse
    | DomainUse
    | AttributeOf
    | BuiltinCall
    | Call
    | Index
    | If
    | And
    | Or
    | Not
    | Compare
    | Arithmetic
    | SetOf
    | ListOf
    | Quantified
    | Extreme
    | Comprehension
    | Best
)
#: Forms that name something of the game, or a local.
Naming: TypeAlias = Literal | LocalUse | VariableUse | ParamUse | DomainUse | AttributeOf | BuiltinCall | Call
#: Forms that bind a name over the members of a domain.
Ranging: TypeAlias = Quantified | Extreme | Comprehension


def parts(expression: Expression) -> tuple[Expression, ...]:  # noqa: C901, PLR0912 - one form a case
    """Return the operands of an expression, in the order in which exported rules have them."""
    match expression:
        case Literal() | LocalUse() | VariableUse() | ParamUse() | DomainUse():
            return ()
        case AttributeOf():
            return (expression.card,)
        case BuiltinCall() | Call():
            return expression.arguments
        case Index():
            return expression.array, expression.key
        case If():
            return expression.test, expression.then, expression.other
        case And() | Or():
            return expression.conditions
        case Not():
            return (expression.condition,)
        case Compare() | Arithmetic():
            return expression.left, expression.right
        case SetOf() | ListOf():
            return expression.members
        case Quantified() | Comprehension():
            return expression.domain, expression.condition, expression.body
        case Extreme():
            return expression.domain, expression.condition, expression.body, expression.default
        case Best():
            return expression.domain, expression.key
        case _:
            assert_never(expression)


def head(expression: Expression) -> tuple[object, ...]:
    """Return what an expression is apart from operands, type and place: equal for two of the same form."""
    match expression:
        case Literal() | ParamUse():
            return expression.op, expression.name, expression.value
        case LocalUse() | VariableUse() | DomainUse() | AttributeOf() | BuiltinCall() | Call():
            return expression.op, expression.name
        case Compare() | Arithmetic():
            return expression.op, expression.operator
        case Quantified() | Extreme():
            return expression.op, expression.quantifier, expression.bound
        case Comprehension() | Best():
            return type(expression).__name__, expression.bound
        case Index() | If() | And() | Or() | Not() | SetOf() | ListOf():
            return (expression.op,)
        case _:
            assert_never(expression)


def map_parts(  # noqa: C901, PLR0912 - one form a case
    expression: Expression, change: Callable[[Expression], Expression]
) -> Expression:
    """Return an expression with each operand changed; the order in which they are changed is that of `parts`."""
    match expression:
        case Literal() | LocalUse() | VariableUse() | ParamUse() | DomainUse():
            return expression
        case AttributeOf():
            return replace(expression, card=change(expression.card))
        case BuiltinCall() | Call():
            return replace(expression, arguments=tuple(map(change, expression.arguments)))
        case Index():
            return replace(expression, array=change(expression.array), key=change(expression.key))
        case If():
            test, then, other = map(change, parts(expression))
            return replace(expression, test=test, then=then, other=other)
        case And() | Or():
            return replace(expression, conditions=tuple(map(change, expression.conditions)))
        case Not():
            return replace(expression, condition=change(expression.condition))
        case Compare() | Arithmetic():
            return replace(expression, left=change(expression.left), right=change(expression.right))
        case SetOf() | ListOf():
            return replace(expression, members=tuple(map(change, expression.members)))
        case Quantified() | Comprehension():
            domain, condition, body = map(change, parts(expression))
            return replace(expression, domain=domain, condition=condition, body=body)
        case Extreme():
            domain, condition, body, default = map(change, parts(expression))
            return replace(expression, domain=domain, condition=condition, body=body, default=default)
        case Best():
            return replace(expression, domain=change(expression.domain), key=change(expression.key))
        case _:
            assert_never(expression)


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all that it is made of, each before its operands."""
    waiting = [expression]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(parts(one)))


def uses_local(expression: Expression, *names: str) -> bool:
    """Say whether an expression uses one of some locals."""
    return any(isinstance(one, LocalUse) and one.name in names for one in walk(expression))


def is_true(expression: Expression) -> bool:
    """Say whether an expression is the literal `True`."""
    return isinstance(expression, Literal) and expression.value is True


def find_variable(target: Expression) -> tuple[VariableUse, tuple[Index, ...]] | None:
    """Return the variable that a target is, or an element of, and the steps to it, the outermost array first.

    None where it is no variable: an element of what a function gives, say.
    """
    steps: list[Index] = []
    while isinstance(target, Index):
        steps.insert(0, target)
        target = target.array
    return (target, tuple(steps)) if isinstance(target, VariableUse) else None
