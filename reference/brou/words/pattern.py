"""Which expression a phrase speaks of: patterns with arguments that stand for anything, matched against trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from brou.language.scope import bare
from brou.language.syntax import Expression
from brou.language.types import Int, Type, inner

#: Comparisons of numbers as one of two, their sides changed or not, and whether it says the opposite.
_ORDERED: Mapping[str, tuple[bool, bool]] = {"<": (False, True), "<=": (True, False), ">": (True, True)}
_LEAST = ">="


def plain(condition: Expression) -> tuple[Expression, bool]:
    """Return a condition without negation, and whether it is the opposite of what was given."""
    if condition.op == "not":
        inner, opposite = plain(condition.parts[0])
        return inner, not opposite
    if condition.op != "compare":
        return condition, False
    if condition.name == "!=":
        return replace(condition, name="=="), True
    if condition.name in _ORDERED and all(isinstance(part.type, Int) for part in condition.parts):
        swapped, opposite = _ORDERED[condition.name]
        one, two = condition.parts
        return replace(condition, name=_LEAST, parts=(two, one) if swapped else (one, two)), opposite
    return condition, False


def matched(pattern: Expression, arguments: Mapping[str, Type], found: Expression) -> dict[str, Expression] | None:
    """Return what each argument of a pattern stands for in an expression, or None if it is of another form."""
    sides = [pattern]
    if pattern.op == "compare" and pattern.name == "==":
        sides.append(replace(pattern, parts=pattern.parts[::-1]))
    for side in sides:
        bound: dict[str, Expression] = {}
        if _matched(side, arguments, found, bound):
            return bound
    return None


def _matched(
    pattern: Expression, arguments: Mapping[str, Type], found: Expression, bound: dict[str, Expression]
) -> bool:
    if pattern.op == "local" and pattern.name in arguments:
        known = bound.setdefault(pattern.name, found)
        return _alike(arguments[pattern.name], found.type) and bare(known) == bare(found)
    same = (pattern.op, pattern.name, pattern.bound, pattern.value) == (found.op, found.name, found.bound, found.value)
    if not same or len(pattern.parts) != len(found.parts):
        return False
    inside = {name: type_ for name, type_ in arguments.items() if name != pattern.bound}
    return all(_matched(one, inside, two, bound) for one, two in zip(pattern.parts, found.parts, strict=True))


def _alike(wanted: Type, found: Type) -> bool:
    """Say whether an argument may stand for something of a type, absent or not, of whatever bounds."""
    wanted, found = inner(wanted), inner(found)
    return wanted == found or (isinstance(wanted, Int) and isinstance(found, Int))
