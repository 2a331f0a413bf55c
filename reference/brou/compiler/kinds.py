"""Kinds: the representation and the bounds of values in the lowered form."""

from __future__ import annotations

from functools import reduce

from brou.compiler.lowered import NO_INDEX, NO_NUMBER, Kind, Value
from brou.dataclass import replace
from brou.language.types import UNBOUNDED

TRUTH = Kind("truth")
CARD, SET = Kind("card"), Kind("set")
NUMBER = Kind("number", -UNBOUNDED, UNBOUNDED)


def absent(kind: Kind, cards: int) -> Value:
    """Return the code of an absent value: a number out of range, no bit for a card, one bit too many for a set."""
    match kind.form:
        case "number":
            return NO_NUMBER
        case "index" | "truth":
            return NO_INDEX
        case "card":
            return 0
        case "set":
            return 1 << cards
    return None


def number(low: int, high: int) -> Kind:
    """Return the kind of numbers within bounds."""
    return Kind("number", low, high)


def exact(kind: Kind, value: Value) -> Kind:
    """Return a kind with the bounds of one value: of the numbers in it, and of how many there are."""
    match kind.form, value:
        case "number", int() if not kind.optional:
            return number(int(value), int(value))
        case "list", tuple() if kind.element is not None:
            elements = [exact(kind.element, one) for one in value]
            return replace(kind, element=reduce(join_kinds, elements) if elements else kind.element, most=len(value))
    return kind


def join_kinds(one: Kind, two: Kind) -> Kind:
    """Return the least kind that covers two kinds; a card may be represented by the set that holds it."""
    if one == two:
        return one
    if "none" in (one.form, two.form):
        return replace(two if one.form == "none" else one, optional=True)
    optional = one.optional or two.optional
    if one.form != two.form:
        return replace(SET, optional=optional)
    element = join_kinds(one.element, two.element) if one.element and two.element else None
    return replace(
        one, low=min(one.low, two.low), high=max(one.high, two.high), element=element, optional=optional,
        most=max(one.most, two.most),
    )  # fmt: skip
