"""Expressions as text again, in the syntax of rule files."""

from __future__ import annotations

from collections.abc import Callable
from keyword import iskeyword

from brou.language.syntax import Expression

_LOOSE = {"or": 1, "if": 0, "and": 2, "not": 3, "compare": 4, "arithmetic": 5}


def show(expression: Expression) -> str:
    """Return an expression as a rule file would write it."""
    return _SHOWN[expression.op](expression)


def _part(part: Expression, within: Expression) -> str:
    text = show(part)
    return f"({text})" if _LOOSE.get(part.op, 9) <= _LOOSE.get(within.op, 0) else text


def _named(expression: Expression) -> str:
    return f"{expression.name}_" if iskeyword(expression.name) else expression.name


def _literal(expression: Expression) -> str:
    return _named(expression) or str(expression.value)


def _called(expression: Expression) -> str:
    arguments = f"({', '.join(map(show, expression.parts))})" if expression.parts else ""
    return f"{_named(expression)}{arguments}"


def _infix(expression: Expression) -> str:
    return f" {expression.name or expression.op} ".join(_part(part, expression) for part in expression.parts)


def _each(expression: Expression) -> str:
    domain, test, body = expression.parts[:3]
    condition = "" if test.op == "literal" else f" if {show(test)}"
    inside = f"{show(body)} for {expression.bound} in {show(domain)}{condition}"
    if expression.name == "set":
        return f"{{{inside}}}"
    if len(expression.parts) > 3:
        return f"{expression.name}(({inside}), default={show(expression.parts[3])})"
    return f"{expression.name}({inside})"


def _best(expression: Expression) -> str:
    domain, key = expression.parts
    return f"max({show(domain)}, key=lambda {expression.bound}: {show(key)})"


_SHOWN: dict[str, Callable[[Expression], str]] = {
    "literal": _literal,
    "local": _named,
    "state": _named,
    "param": _named,
    "index": lambda e: f"{show(e.parts[0])}[{show(e.parts[1])}]",
    "call": _called,
    "builtin": _called,
    "if": lambda e: f"{_part(e.parts[1], e)} if {show(e.parts[0])} else {_part(e.parts[2], e)}",
    "and": _infix,
    "or": _infix,
    "compare": _infix,
    "arithmetic": _infix,
    "not": lambda e: f"not {_part(e.parts[0], e)}",
    "set": lambda e: f"{{{', '.join(map(show, e.parts))}}}",
    "list": lambda e: f"[{', '.join(map(show, e.parts))}]",
    "each": _each,
    "best": _best,
}
