"""Expressions with one small thing other than it is, as programmers get it wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, count

from brou.dataclass import replace
from brou.language import tree
from brou.language.tree import Expression, map_parts, parts
from brou.language.types import BOOL, Int

_TRUE, _FALSE = tree.Literal(BOOL, True), tree.Literal(BOOL, False)  # noqa: FBT003 - values of the language
_TURNED: Mapping[tree.Comparison, tuple[tree.Comparison, ...]] = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==",),
}
_OTHER_WAY = {
    "next": "previous",
    "previous": "next",
    "top": "bottom",
    "bottom": "top",
    "seats": "backwards",
    "backwards": "seats",
}
#: Of a sum of more terms no several are dropped at once.
_TERMS = 5
_QUANTIFIERS: Mapping[tree.Quantifier, tree.Quantifier] = {"any": "all", "all": "any"}


def edit_condition(condition: Expression) -> Iterator[tuple[str, Expression]]:
    """Yield a condition as its contrary, always and never, and with one thing changed in it, each with its operator."""
    for operator, made in (("negate", _deny(condition)), ("always", _TRUE), ("never", _FALSE)):
        if made != condition:
            yield operator, made
    yield from edit_expression(condition)


def _deny(condition: Expression) -> Expression:
    return condition.condition if isinstance(condition, tree.Not) else tree.Not(BOOL, condition, place=condition.place)


def edit_expression(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """Yield an expression with one thing changed in it, at every place, each once, with the operator."""
    seen = {expression}
    for operator, made in _edits(expression):
        if made not in seen:
            seen.add(made)
            yield operator, made


def _edits(expression: Expression) -> Iterator[tuple[str, Expression]]:
    yield from _edit_here(expression)
    # Where nothing is filtered, the filter is the literal `True`, which nobody has written.
    unsaid = {1} if isinstance(expression, tree.Ranging) and tree.is_true(expression.condition) else set[int]()
    for number, part in enumerate(parts(expression)):
        for operator, made in _edits(part) if number not in unsaid else ():
            yield operator, replace_part(expression, number, made)


def replace_part(expression: Expression, number: int, made: Expression) -> Expression:
    """Return an expression with another one in the place of one of its parts."""
    numbers = count()
    return map_parts(expression, lambda part: made if next(numbers) == number else part)


def _edit_here(expression: Expression) -> Iterator[tuple[str, Expression]]:  # noqa: C901, PLR0912 - one form a case
    """Yield what the operators make of the outermost operation of an expression."""
    match expression:
        case tree.And() | tree.Or():
            for number, dropped in enumerate(expression.conditions):
                rest = (*expression.conditions[:number], *expression.conditions[number + 1 :])
                yield "drop-part", rest[0] if len(rest) == 1 else replace(expression, conditions=rest)
                yield "negate", replace_part(expression, number, _deny(dropped))
            other = tree.Or if isinstance(expression, tree.And) else tree.And
            yield "connective", other(expression.type, expression.conditions, place=expression.place)
        case tree.Not():
            yield "negate", expression.condition
        case tree.Compare():
            for operator in _TURNED.get(expression.operator, ()):
                yield "comparison", replace(expression, operator=operator)
            if expression.operator == "in":
                yield "negate", _deny(expression)
        case tree.If():
            yield "drop-part", expression.then
            yield "drop-part", expression.other
            yield "negate", replace(expression, test=_deny(expression.test))
        case tree.Arithmetic():
            yield from _edit_arithmetic(expression)
        case tree.Literal(value=bool(value)):
            yield "negate", _FALSE if value else _TRUE
        case tree.Literal(value=int(value), type=Int()):
            for number in dict.fromkeys((value + 1, value - 1, 2 * value, 0)):
                if number != value:
                    yield "number", replace(expression, value=number, name=str(number))
        case tree.BuiltinCall(name=name, arguments=arguments) if name in _OTHER_WAY:
            yield "direction", replace(expression, name=_OTHER_WAY[name])
            if arguments and arguments[0].type == expression.type:
                yield "drop-part", arguments[0]
        case tree.BuiltinCall(name="other", arguments=(argument,)) if argument.type == expression.type:
            yield "side", argument
        case tree.BuiltinCall(name="team"):
            yield "side", tree.BuiltinCall(expression.type, "other", (expression,), place=expression.place)
        case tree.Quantified() | tree.Extreme():
            if not tree.is_true(expression.condition):
                yield "drop-part", replace(expression, condition=_TRUE)
            if isinstance(expression, tree.Extreme):
                turned: tree.Bound = "min" if expression.quantifier == "max" else "max"
                yield "quantifier", replace(expression, quantifier=turned)
            elif expression.quantifier in _QUANTIFIERS:
                yield "quantifier", replace(expression, quantifier=_QUANTIFIERS[expression.quantifier])
        case tree.Comprehension():
            if not tree.is_true(expression.condition):
                yield "drop-part", replace(expression, condition=_TRUE)
        case _:
            return


def _edit_arithmetic(expression: tree.Arithmetic) -> Iterator[tuple[str, Expression]]:
    if expression.operator in ("+", "-", "*", "//", "|"):
        yield "drop-part", expression.left
    if expression.operator in ("+", "*", "|", "&"):
        yield "drop-part", expression.right
    if expression.operator == "-" and isinstance(expression.type, Int):
        yield "number", replace(expression, operator="+")
    for made in _drop_terms(expression) if isinstance(expression.type, Int) else ():
        yield "terms", made


def _drop_terms(total: tree.Arithmetic) -> Iterator[Expression]:
    """Yield a sum of some terms without several of them; the first stays unless it is added as the others are."""
    terms = list(_list_terms(total))
    for left in range(1, len(terms) - 1) if len(terms) <= _TERMS else ():
        for kept in combinations(terms, left):
            if kept[0][0] == "+":
                made = kept[0][1]
                for operator, term in kept[1:]:
                    made = tree.Arithmetic(total.type, operator, made, term, place=total.place)
                yield made


def _list_terms(total: Expression, operator: tree.Operator = "+") -> Iterator[tuple[tree.Operator, Expression]]:
    """Yield the terms of a sum, each with the sign that it has."""
    if isinstance(total, tree.Arithmetic) and total.operator in ("+", "-") and operator == "+":
        yield from _list_terms(total.left)
        yield from _list_terms(total.right, total.operator)
    else:
        yield operator, total
