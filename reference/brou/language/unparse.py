"""Expressions as text again, in the syntax of rule files."""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword
from typing import assert_never

from brou.language import tree

#: How loosely a form binds what is in it; what is not here binds it like a name.
_LOOSE = {"if": 0, "or": 1, "and": 2, "not": 3, "compare": 4, "arithmetic": 5}


def unparse_expression(expression: tree.Expression) -> str:  # noqa: C901, PLR0912 - one form a case
    """Return an expression as a rule file would write it."""
    match expression:
        case tree.Literal():
            return _escape(expression.name) or str(expression.value)
        case tree.LocalUse() | tree.VariableUse() | tree.ParamUse() | tree.DomainUse():
            return _escape(expression.name)
        case tree.AttributeOf():
            return f"{_escape(expression.name)}({unparse_expression(expression.card)})"
        case tree.BuiltinCall() | tree.Call():
            arguments = f"({_join(expression.arguments)})" if expression.arguments else ""
            return f"{_escape(expression.name)}{arguments}"
        case tree.Index():
            return f"{unparse_expression(expression.array)}[{unparse_expression(expression.key)}]"
        case tree.If():
            then, other = _inside(expression.then, expression), _inside(expression.other, expression)
            return f"{then} if {unparse_expression(expression.test)} else {other}"
        case tree.And() | tree.Or():
            return f" {expression.op} ".join(_inside(one, expression) for one in expression.conditions)
        case tree.Not():
            return f"not {_inside(expression.condition, expression)}"
        case tree.Compare() | tree.Arithmetic():
            left, right = _inside(expression.left, expression), _inside(expression.right, expression)
            return f"{left} {expression.operator} {right}"
        case tree.SetOf():
            return f"{{{_join(expression.members)}}}"
        case tree.ListOf():
            return f"[{_join(expression.members)}]"
        case tree.Comprehension():
            return f"{{{_ranging(expression)}}}"
        case tree.Quantified():
            return f"{expression.quantifier}({_ranging(expression)})"
        case tree.Extreme():
            default = unparse_expression(expression.default)
            return f"{expression.quantifier}(({_ranging(expression)}), default={default})"
        case tree.Best():
            domain, key = unparse_expression(expression.domain), unparse_expression(expression.key)
            return f"max({domain}, key=lambda {expression.bound}: {key})"
        case _:
            assert_never(expression)


def _inside(part: tree.Expression, within: tree.Expression) -> str:
    text = unparse_expression(part)
    return f"({text})" if _LOOSE.get(part.op, 9) <= _LOOSE.get(within.op, 0) else text


def _escape(name: str) -> str:
    return f"{name}_" if iskeyword(name) else name


def _join(expressions: Sequence[tree.Expression]) -> str:
    return ", ".join(map(unparse_expression, expressions))


def _ranging(expression: tree.Ranging) -> str:
    body, domain = unparse_expression(expression.body), unparse_expression(expression.domain)
    always = isinstance(expression.condition, tree.Literal)
    condition = "" if always else f" if {unparse_expression(expression.condition)}"
    return f"{body} for {expression.bound} in {domain}{condition}"
