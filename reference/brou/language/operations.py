"""What operators and quantifiers compute, once their operands are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from brou.errors import Crash
from brou.language.types import UNBOUNDED, Type, finite, open_ended

Value: TypeAlias = Any
Values: TypeAlias = Sequence[Value]
Meaning: TypeAlias = Callable[[Values, list[Value]], Value]


def replaced(array: Any, path: Sequence[int], value: Value) -> Any:
    """Return an array with one element changed."""
    here = path[0]
    element = value if len(path) == 1 else replaced(array[here], path[1:], value)
    return (*array[:here], element, *array[here + 1 :])


def bounded(type_: Type, meaning: Meaning) -> Meaning:
    """Return what computes a number of a type; beyond what any type allows it is a crash.

    So numbers cannot grow without end, and bounds that the loader follows no further hold in play.
    """
    if not open_ended(type_):
        return meaning

    def checked(s: Values, e: list[Value]) -> Value:
        number = meaning(s, e)
        if abs(number) > UNBOUNDED:
            raise Crash(f"a number beyond {UNBOUNDED}: {number}")
        return number

    return checked


def position_of(index: Type) -> int | Mapping[str | int, int]:
    """Return how an index becomes a position: by subtraction, or by a table."""
    members = finite(index) or ()
    if members and isinstance(members[0], int):
        return members[0]
    return {member: number for number, member in enumerate(members)}


def placed(locals_: list[Value], slot: int) -> list[Value]:
    """Return a frame of one's own with room for one local more."""
    return [*locals_[:slot], *[None] * (slot + 1 - len(locals_[:slot]))]


def picked(pick: Callable[..., Value], values: list[Value], default: Meaning, s: Values, e: list[Value]) -> Value:
    """Return the least or greatest of some values, or the default where there are none."""
    return pick(values) if values else default(s, e)


COMPARE: Mapping[str, Callable[[Meaning, Meaning], Meaning]] = {
    "==": lambda one, two: lambda s, e: one(s, e) == two(s, e),
    "!=": lambda one, two: lambda s, e: one(s, e) != two(s, e),
    "<": lambda one, two: lambda s, e: one(s, e) < two(s, e),
    "<=": lambda one, two: lambda s, e: one(s, e) <= two(s, e),
    ">": lambda one, two: lambda s, e: one(s, e) > two(s, e),
    ">=": lambda one, two: lambda s, e: one(s, e) >= two(s, e),
    "in": lambda one, two: lambda s, e: one(s, e) in two(s, e),
}

ARITHMETIC: Mapping[str, Callable[[Meaning, Meaning], Meaning]] = {
    "+": lambda one, two: lambda s, e: one(s, e) + two(s, e),
    "-": lambda one, two: lambda s, e: one(s, e) - two(s, e),
    "*": lambda one, two: lambda s, e: one(s, e) * two(s, e),
    "//": lambda one, two: lambda s, e: one(s, e) // two(s, e),
    "&": lambda one, two: lambda s, e: one(s, e) & two(s, e),
    "|": lambda one, two: lambda s, e: one(s, e) | two(s, e),
}

QUANTIFIERS: Mapping[str, Callable[[Meaning, Any], Meaning]] = {
    "any": lambda body, chosen: lambda s, e: any(body(s, f) for f in chosen(s, e)),
    "all": lambda body, chosen: lambda s, e: all(body(s, f) for f in chosen(s, e)),
    "sum": lambda body, chosen: lambda s, e: sum(body(s, f) for f in chosen(s, e)),
    "count": lambda body, chosen: lambda s, e: sum(1 for f in chosen(s, e) if body(s, f)),
    "first": lambda body, chosen: lambda s, e: next((body(s, f) for f in chosen(s, e)), None),
}
