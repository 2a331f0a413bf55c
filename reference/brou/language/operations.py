"""What operators and quantifiers compute, once their operands are known.

The loader has checked the types of all operands: the meaning of an expression of a type gives values of that type and
no others. Here alone the type of an expression becomes the type of what its meaning gives.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeGuard, TypeVar

from brou.errors import Crash
from brou.language.tree import Comparison
from brou.language.types import (
    UNBOUNDED,
    Array,
    Cards,
    Domain,
    Int,
    Locals,
    Named,
    Numbers,
    Orders,
    Pile,
    Subsets,
    Type,
    Value,
    Values,
    as_name,
    as_number,
    finite,
    open_ended,
)

Given = TypeVar("Given")
Ordered = TypeVar("Ordered", int, frozenset[str])
#: What an expression means: a function of the values of a state and of the locals where it stands.
MeaningOf: TypeAlias = Callable[[Values, Locals], Given]
Meaning: TypeAlias = MeaningOf[Value]
#: The locals for each member that a quantifier chooses, from the values of a state and the locals around it.
Frames: TypeAlias = MeaningOf[Iterator[Locals]]


# What a meaning gives -------------------------------------------------------------------------------------------------


def gives_number(meaning: Meaning, type_: Type) -> TypeGuard[MeaningOf[int]]:
    """Say whether a meaning of a type gives numbers, seats or teams."""
    return isinstance(type_, Int) or (isinstance(type_, Named) and all(isinstance(one, int) for one in type_.members))


def gives_name(meaning: Meaning, type_: Type) -> TypeGuard[MeaningOf[str]]:
    """Say whether a meaning of a type gives cards, suits, ranks or other names."""
    return isinstance(type_, Named) and all(isinstance(one, str) for one in type_.members)


def gives_cards(meaning: Meaning, type_: Type) -> TypeGuard[MeaningOf[frozenset[str]]]:
    """Say whether a meaning of a type gives sets of cards; those describe all their orders, too."""
    return isinstance(type_, (Cards, Orders))


def gives_pile(meaning: Meaning, type_: Type) -> TypeGuard[MeaningOf[tuple[str, ...]]]:
    """Say whether a meaning of a type gives cards in order."""
    return isinstance(type_, Pile)


def gives_row(meaning: Meaning, type_: Type) -> TypeGuard[MeaningOf[tuple[Value, ...]]]:
    """Say whether a meaning of a type gives values in order."""
    return isinstance(type_, (Array, Domain, Numbers, Pile))


def gives_subsets(meaning: Meaning, type_: Type) -> TypeGuard[MeaningOf[tuple[frozenset[str], int, int]]]:
    """Say whether a meaning of a type gives cards, and how few and how many of them may be chosen."""
    return isinstance(type_, Subsets)


# What is computed -----------------------------------------------------------------------------------------------------


def replace_element(array: Value, path: Sequence[int], value: Value) -> Value:
    """Return an array with one element changed."""
    if not path:
        return value
    if not isinstance(array, tuple):
        raise Crash(f"an element of what is no array: {array!r}")
    here = path[0]
    return (*array[:here], replace_element(array[here], path[1:], value), *array[here + 1 :])


def check_bounds(type_: Type, meaning: MeaningOf[int]) -> MeaningOf[int]:
    """Return what computes a number of a type; beyond what any type allows it is a crash.

    So numbers cannot grow without end, and bounds that the loader follows no further hold in play.
    """
    if not open_ended(type_):
        return meaning

    def compute_checked(s: Values, e: Locals) -> int:
        number = meaning(s, e)
        if abs(number) > UNBOUNDED:
            raise Crash(f"a number beyond {UNBOUNDED}: {number}")
        return number

    return compute_checked


def position_of(index: Type) -> int | Mapping[str | int, int]:
    """Return how an index becomes a position: by subtraction, or by a table."""
    members = finite(index) or ()
    if members and isinstance(members[0], int):
        return members[0]
    return {member: number for number, member in enumerate(members)}


def place_of(index: Type, key: Value) -> int:
    """Return the place of an element in an array."""
    at = position_of(index)
    return as_number(key) - at if isinstance(at, int) else at[as_name(key)]


def make_frame(locals_: Locals, slot: int) -> Locals:
    """Return a frame of one's own with room for one local more."""
    return [*locals_[:slot], *[None] * (slot + 1 - len(locals_[:slot]))]


def equal(one: Meaning, two: Meaning) -> MeaningOf[bool]:
    """Return whether two values are the same."""
    return lambda s, e: one(s, e) == two(s, e)


def unequal(one: Meaning, two: Meaning) -> MeaningOf[bool]:
    """Return whether two values differ."""
    return lambda s, e: one(s, e) != two(s, e)


def among(one: Meaning, two: MeaningOf[Collection[Value]]) -> MeaningOf[bool]:
    """Return whether a value is one of several."""
    return lambda s, e: one(s, e) in two(s, e)


def compare_order(operator: Comparison, one: MeaningOf[Ordered], two: MeaningOf[Ordered]) -> MeaningOf[bool]:
    """Return how two numbers compare, or whether one set of cards is a part of another."""
    match operator:
        case "<":
            return lambda s, e: one(s, e) < two(s, e)
        case "<=":
            return lambda s, e: one(s, e) <= two(s, e)
        case ">":
            return lambda s, e: one(s, e) > two(s, e)
        case ">=":
            return lambda s, e: one(s, e) >= two(s, e)
    raise Crash(f"{operator} is no order")


#: What operators compute of two numbers.
ARITHMETIC: Mapping[str, Callable[[MeaningOf[int], MeaningOf[int]], MeaningOf[int]]] = {
    "+": lambda one, two: lambda s, e: one(s, e) + two(s, e),
    "-": lambda one, two: lambda s, e: one(s, e) - two(s, e),
    "*": lambda one, two: lambda s, e: one(s, e) * two(s, e),
    "//": lambda one, two: lambda s, e: one(s, e) // two(s, e),
}

_CardsOf: TypeAlias = MeaningOf[frozenset[str]]
#: What operators compute of two sets of cards.
COMBINED: Mapping[str, Callable[[_CardsOf, _CardsOf], _CardsOf]] = {
    "-": lambda one, two: lambda s, e: one(s, e) - two(s, e),
    "&": lambda one, two: lambda s, e: one(s, e) & two(s, e),
    "|": lambda one, two: lambda s, e: one(s, e) | two(s, e),
}

#: What quantifiers compute of a condition or of any value; `sum_members` and `Extreme` take numbers.
QUANTIFIERS: Mapping[str, Callable[[Meaning, Frames], Meaning]] = {
    "any": lambda body, chosen: lambda s, e: any(body(s, f) for f in chosen(s, e)),
    "all": lambda body, chosen: lambda s, e: all(body(s, f) for f in chosen(s, e)),
    "first": lambda body, chosen: lambda s, e: next((body(s, f) for f in chosen(s, e)), None),
}


def count_members(body: Meaning, chosen: Frames) -> MeaningOf[int]:
    """Return of how many members a condition holds."""
    return lambda s, e: sum(1 for f in chosen(s, e) if body(s, f))


def sum_members(body: MeaningOf[int], chosen: Frames) -> MeaningOf[int]:
    """Return the sum of the numbers of all members."""
    return lambda s, e: sum(body(s, f) for f in chosen(s, e))


def extreme(pick: Callable[[list[int]], int], body: MeaningOf[int], chosen: Frames, default: Meaning) -> Meaning:
    """Return the least or greatest number of all members, or the default where there are none."""

    def meaning(s: Values, e: Locals) -> Value:
        values = [body(s, f) for f in chosen(s, e)]
        return pick(values) if values else default(s, e)

    return meaning
