"""Conditions as they are written: the parts that they are made of, and whether they can hold.

What a part means is not known here, only what two of them plainly say of each other.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import TypeAlias, TypeVar

from brou.chapters.terms import parse_expression, replace_names
from brou.dataclass import dataclass, field

_Key = TypeVar("_Key", bound=Hashable)

#: Yes, no, or whatever.
Answer: TypeAlias = bool | None
#: Tells a part of a condition by a key, and whether it is the part itself, not its contrary.
ReadPart: TypeAlias = Callable[[ast.expr], tuple[_Key, bool]]
#: A comparison by its operator and both sides, or a text alone.
_Part: TypeAlias = tuple[str, str, str]

#: So deep names are spelt out, and so many answers are tried; what is not decided then may hold.
_DEEPEST, _MOST = 8, 1000
_INTEGER = re.compile(r"-?[0-9]+\Z")
#: Calls that give numbers.
_COUNTING = {"len", "count", "sum", "abs", "least", "most"}


def list_parts(tree: ast.expr, read: ReadPart[_Key]) -> Iterator[_Key]:
    """Yield the parts that `and` and `or` join to a condition, each without the `not` before it."""
    match tree:
        case ast.BoolOp(values=values):
            for value in values:
                yield from list_parts(value, read)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from list_parts(operand, read)
        case ast.Constant():
            return
        case _:
            yield read(tree)[0]


def decide(tree: ast.expr, answers: Mapping[_Key, bool], read: ReadPart[_Key]) -> Answer:
    """Return whether a condition holds, given answers to its parts; None where they do not decide it."""
    match tree:
        case ast.BoolOp(op=operator, values=values):
            found = [decide(value, answers, read) for value in values]
            ends = isinstance(operator, ast.Or)
            return ends if ends in found else None if None in found else not ends
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inside = decide(operand, answers, read)
            return None if inside is None else not inside
        case ast.Constant(value=value):
            return bool(value)
        case _:
            key, itself = read(tree)
            answer = answers.get(key)
            return None if answer is None else answer == itself


@dataclass(frozen=True, slots=True)
class Conditions:
    """What conditions of a law plainly say of each other, named expressions spelt out.

    Of some constants no two mean the same; a named expression has letters and an expression. Each condition is spelt
    out and taken apart once, since the same few stand in many questions.
    """

    constants: frozenset[str]
    meanings: Mapping[str, tuple[tuple[str, ...], str]]
    _spelt: dict[str, ast.expr | None] = field(default_factory=dict, compare=False)
    _read: ReadPart[_Part] = field(default_factory=lambda: cache(_read_part), compare=False)

    def exclude(self, one: str, two: str) -> bool:
        """Say whether two conditions plainly cannot hold together."""
        return not self.can_hold(one, two)

    def can_hold(self, *conditions: str) -> bool:
        """Say whether some conditions may hold together; it is certain that they cannot where this is False.

        A text that is no expression may hold: the loader refuses it.
        """
        try:
            trees = [tree for text in conditions if (tree := self._spell_out(text)) is not None]
            if len(trees) < len(conditions):
                return True
            return _Search(ast.BoolOp(ast.And(), trees), self.constants, self._read).find()
        except RecursionError:  # names that stand for deep expressions, over and over
            return True

    def _spell_out(self, text: str) -> ast.expr | None:
        """Return a condition with names spelt out, or None where it is no expression."""
        if text not in self._spelt:
            tree = parse_expression(text)
            self._spelt[text] = None if tree is None else self._spell(tree, 0)
        return self._spelt[text]

    def _spell(self, tree: ast.expr, depth: int) -> ast.expr:
        """Return a condition made of others by `and`, `or` and `not` alone, names spelt out."""
        match tree:
            case ast.BoolOp(op=operator, values=values):
                return ast.BoolOp(operator, [self._spell(value, depth) for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ast.UnaryOp(ast.Not(), self._spell(operand, depth))
            case ast.IfExp(test=test, body=body, orelse=other):
                yes, no = ast.BoolOp(ast.And(), [test, body]), ast.BoolOp(ast.And(), [_deny(test), other])
                return self._spell(ast.BoolOp(ast.Or(), [yes, no]), depth)
            case ast.Compare(left=left, ops=operators, comparators=others) if len(operators) > 1:
                sides = pairwise([left, *others])
                linked: list[ast.expr] = [
                    ast.Compare(one, [sign], [two]) for sign, (one, two) in zip(operators, sides, strict=True)
                ]
                return ast.BoolOp(ast.And(), linked)
            case ast.Name(id=name):
                return self._expand(tree, name, [], depth)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._expand(tree, name, [ast.unparse(one) for one in arguments], depth)
            case _:
                return tree

    def _expand(self, tree: ast.expr, name: str, arguments: list[str], depth: int) -> ast.expr:
        """Return what a name stands for, if it is that of a named expression."""
        letters, expression = self.meanings.get(name, ((), ""))
        if not expression or len(letters) != len(arguments) or depth == _DEEPEST:
            return tree
        body = parse_expression(replace_names(expression, dict(zip(letters, arguments, strict=True))))
        return tree if body is None else self._spell(body, depth + 1)


class _Search:
    """Looks for answers under which a condition holds and that do not contradict each other."""

    def __init__(self, tree: ast.expr, constants: frozenset[str], read: ReadPart[_Part]) -> None:
        self.tree = tree
        self.constants = constants
        self.read = read
        self.parts = tuple(dict.fromkeys(list_parts(tree, self.read)))

    def find(self) -> bool:
        """Say whether there are such answers; True, too, where the search gives up."""
        waiting: list[Mapping[_Part, bool]] = [{}]
        for _ in range(_MOST):
            if not waiting:
                return False
            answers = waiting.pop()
            decided = decide(self.tree, answers, self.read)
            if decided:
                return True
            if decided is None:
                asked = next(part for part in self.parts if part not in answers)
                waiting += [{**answers, asked: one} for one in (False, True) if self._fit(asked, one, answers)]
        return bool(waiting)

    def _fit(self, part: _Part, answer: bool, answers: Mapping[_Part, bool]) -> bool:  # noqa: FBT001 - as answers are
        """Say whether one more answer agrees with the others as far as comparisons show."""
        one = part, answer
        clashing = any(_clash(one, two, self.constants) or _clash(two, one, self.constants) for two in answers.items())
        return not clashing and _fit_bounds({**answers, part: answer})


def _deny(tree: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), tree)


def _read_part(tree: ast.expr) -> tuple[_Part, bool]:
    """Return a part of a condition in one spelling, and False where that spelling is its negation.

    Comparisons are spelt with `==`, `in` and `<`, those of what need not be numbers with `<=`, too.
    """
    if not isinstance(tree, ast.Compare):
        return ("", ast.unparse(tree), ""), True
    left, right = ast.unparse(tree.left), ast.unparse(tree.comparators[0])
    counted = _is_number(tree.left) or _is_number(tree.comparators[0])
    match tree.ops[0]:
        case ast.Eq() | ast.NotEq() as sign:
            one, two = sorted((left, right), key=lambda side: (_INTEGER.match(side) is not None, side))
            return ("==", one, two), isinstance(sign, ast.Eq)
        case ast.In() | ast.NotIn() as sign:
            return ("in", left, right), isinstance(sign, ast.In)
        case ast.Lt():
            return ("<", left, right), True
        case ast.Gt():
            return ("<", right, left), True
        case ast.LtE():
            return (("<", right, left), False) if counted else (("<=", left, right), True)
        case _:
            return (("<", left, right), False) if counted else (("<=", right, left), True)


def _is_number(tree: ast.expr) -> bool:
    """Say whether an expression is plainly a number: of sets of cards `a < b` is not the contrary of `b <= a`."""
    match tree:
        case ast.Constant(value=int()) | ast.UnaryOp(op=ast.USub()):
            return True
        case ast.BinOp(op=ast.Add() | ast.Mult() | ast.FloorDiv()):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _COUNTING
        case _:
            return False


def _clash(one: tuple[_Part, bool], two: tuple[_Part, bool], constants: frozenset[str]) -> bool:
    """Say whether two answered comparisons cannot both be so, the first being true."""
    ((sign, a, b), holds), ((other, c, d), answer) = one, two
    if not holds:
        return False
    same, turned = (a, b) == (c, d), (a, b) == (d, c)
    if sign == other == "==" and answer:
        return any(x == y and _differ(v, w, constants) for x, v in ((a, b), (b, a)) for y, w in ((c, d), (d, c)))
    match sign, other:
        case "<", "<" | "<=":
            return (turned and answer) or (same and other == "<=" and not answer)
        case "==", "<":
            return (same or turned) and answer
        case "==", "<=":
            return (same or turned) and not answer
        case _:
            return False


def _differ(one: str, two: str, constants: frozenset[str]) -> bool:
    """Say whether two expressions are constants, and not the same."""
    return one != two and all(side in constants or side == "None" or _INTEGER.match(side) for side in (one, two))


def _fit_bounds(answers: Mapping[_Part, bool]) -> bool:
    """Say whether each expression that is compared with numbers has room between them."""
    bounds: dict[str, tuple[float, float]] = {}
    holes: set[tuple[str, float]] = set()
    for (sign, one, two), answer in answers.items():
        if sign == "==" and not answer and _INTEGER.match(two):
            holes.add((one, int(two)))
        for term, low, high in _list_bounds(sign, one, two, answer=answer):
            below, above = bounds.get(term, (float("-inf"), float("inf")))
            bounds[term] = max(low, below), min(high, above)
    return all(low <= high and not (low == high and (term, low) in holes) for term, (low, high) in bounds.items())


def _list_bounds(sign: str, one: str, two: str, *, answer: bool) -> Iterator[tuple[str, float, float]]:
    """Yield the bounds that a comparison with a number gives an expression."""
    if sign == "==" and answer and _INTEGER.match(two):
        yield one, int(two), int(two)
    if sign != "<":
        return
    if _INTEGER.match(two):
        yield (one, float("-inf"), int(two) - 1) if answer else (one, int(two), float("inf"))
    if _INTEGER.match(one):
        yield (two, int(one) + 1, float("inf")) if answer else (two, float("-inf"), int(one))
