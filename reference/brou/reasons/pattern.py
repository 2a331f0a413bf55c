"""Which expression a phrase speaks of: patterns with arguments that stand for anything, matched against trees."""

from __future__ import annotations

from collections.abc import Mapping

from brou.dataclass import replace
from brou.language.scope import bare
from brou.language.tree import Best, Compare, Comprehension, Expression, Extreme, LocalUse, Not, Quantified, head, parts
from brou.language.types import Int, Type, inner

#: Comparisons of numbers as one of two, their sides changed or not, and whether it says the opposite.
_ORDERED: Mapping[str, tuple[bool, bool]] = {"<": (False, True), "<=": (True, False), ">": (True, True)}


def plain(condition: Expression) -> tuple[Expression, bool]:
    """Return a condition without negation, and whether it is the opposite of the given one."""
    if isinstance(condition, Not):
        affirmed, opposite = plain(condition.condition)
        return affirmed, not opposite
    if not isinstance(condition, Compare):
        return condition, False
    if condition.operator == "!=":
        return replace(condition, operator="=="), True
    one, two = condition.left, condition.right
    if condition.operator in _ORDERED and isinstance(one.type, Int) and isinstance(two.type, Int):
        swapped, opposite = _ORDERED[condition.operator]
        left, right = (two, one) if swapped else (one, two)
        return replace(condition, operator=">=", left=left, right=right), opposite
    return condition, False


def match_pattern(
    pattern: Expression, arguments: Mapping[str, Type], found: Expression
) -> dict[str, Expression] | None:
    """Return what each argument of a pattern stands for in an expression, or None if it is of another form."""
    sides = [pattern]
    if isinstance(pattern, Compare) and pattern.operator == "==":
        sides.append(replace(pattern, left=pattern.right, right=pattern.left))
    for side in sides:
        bound: dict[str, Expression] = {}
        if _match(side, arguments, found, bound):
            return bound
    return None


def _match(pattern: Expression, arguments: Mapping[str, Type], found: Expression, bound: dict[str, Expression]) -> bool:
    if isinstance(pattern, LocalUse) and pattern.name in arguments:
        known = bound.setdefault(pattern.name, found)
        return _alike(arguments[pattern.name], found.type) and bare(known) == bare(found)
    if head(pattern) != head(found) or len(parts(pattern)) != len(parts(found)):
        return False
    hidden = pattern.bound if isinstance(pattern, (Quantified, Extreme, Comprehension, Best)) else ""
    inside = {name: type_ for name, type_ in arguments.items() if name != hidden}
    return all(_match(one, inside, two, bound) for one, two in zip(parts(pattern), parts(found), strict=True))


def _alike(wanted: Type, found: Type) -> bool:
    """Say whether an argument may stand for something of a type, absent or not, of whatever bounds."""
    wanted, found = inner(wanted), inner(found)
    return wanted == found or (isinstance(wanted, Int) and isinstance(found, Int))
