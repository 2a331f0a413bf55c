"""The shape of conditions: their parts, the values that they compare with, and the exceptions that they rule out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brou.language import tree
from brou.language.syntax import Function
from brou.reasons.pattern import plain
from brou.reasons.reason import OneOf, TypedValue


def match_named_values(condition: tree.Expression) -> OneOf | None:
    """Return the values with names that a condition compares an argument with, None if it does something else."""
    if not isinstance(condition, tree.Compare) or condition.operator not in ("==", "in"):
        return None
    listed: Sequence[tree.Expression] = (condition.right,)
    if isinstance(condition.right, (tree.ListOf, tree.SetOf)):
        listed = condition.right.members
    values = [one for one in listed if isinstance(one, tree.Literal) and one.name]
    if not isinstance(condition.left, (tree.LocalUse, tree.VariableUse)) or len(values) != len(listed):
        return None
    return OneOf(tuple(TypedValue(one.type, one.value) for one in values))


def rules_out(part: tree.Expression, case: Sequence[tree.Expression]) -> bool:
    """Say whether a part of a condition is the contrary of several things that a case asks for."""
    denied = part.condition if isinstance(part, tree.Not) else None
    return isinstance(denied, tree.And) and all(one in case for one in denied.conditions)


def list_parts(condition: tree.Expression) -> tuple[tree.Expression, ...]:
    """Return the conditions that must all hold for one to hold."""
    return condition.conditions if isinstance(condition, tree.And) else (condition,)


def find_exception(part: tree.Expression, functions: Mapping[str, Function]) -> tree.Call | None:
    """Return the exception of a duty that a part of its condition rules out, or None."""
    denied, is_denied = plain(part)
    if not is_denied or not isinstance(denied, tree.Call) or denied.name not in functions:
        return None
    return denied if functions[denied.name].exception else None
