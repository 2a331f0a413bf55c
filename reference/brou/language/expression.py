"""Expressions: a part of Python's expression syntax, parsed with `ast`, typed by us, never evaluated raw."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache
from keyword import iskeyword
from typing import Literal as OneOf
from typing import NoReturn, assert_never, get_args

from brou.dataclass import replace
from brou.errors import Fault, Invalid, Place
from brou.language.advice import advise_name, ask_for_nearest, explain_syntax, list_members, parse_text
from brou.language.builtin import World
from brou.language.builtins import BUILTINS
from brou.language.node import Node
from brou.language.scope import Scope, Signature, bare
from brou.language.tree import (
    And,
    Arithmetic,
    AttributeOf,
    Best,
    Bound,
    BuiltinCall,
    Call,
    Compare,
    Comparison,
    Comprehension,
    DomainUse,
    Expression,
    Extreme,
    If,
    Index,
    ListOf,
    Literal,
    LocalUse,
    Not,
    Operator,
    Or,
    Quantified,
    Quantifier,
    SetOf,
    VariableUse,
)
from brou.language.types import (
    BOOL,
    CARDS,
    NOTHING,
    UNBOUNDED,
    Array,
    Cards,
    Domain,
    Int,
    Option,
    Orders,
    Subsets,
    Type,
    element_of,
    fits,
    fits_bounds,
    inner,
    join,
    within,
)

MAX_LENGTH = 600
MAX_DEPTH = 30

_COMPARISONS: Mapping[type[ast.cmpop], Comparison | OneOf["not in"]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_ARITHMETIC: Mapping[type[ast.operator], Operator] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.BitAnd: "&", ast.BitOr: "|",
}  # fmt: skip
QUANTIFIERS: Mapping[str, Quantifier | Bound] = {name: name for name in (*get_args(Quantifier), *get_args(Bound))}


def parse(node: Node, scope: Scope) -> Expression:
    """Type one expression of a data file, or raise all that is wrong with it."""
    return _ExpressionParser(node.place, scope.names.world.types["card"]).read(node, scope)


@lru_cache(maxsize=2048)
def _levels(text: str) -> int:
    """Return how many levels deeper than its top an expression goes."""
    return _depth(parse_text(text), 0)


def _depth(tree: ast.AST, depth: int) -> int:
    """Return the level of the deepest node of a tree; nodes below the permitted depth are not looked at."""
    if depth > MAX_DEPTH:
        return depth
    return max([depth, *(_depth(child, depth + 1) for child in ast.iter_child_nodes(tree))])


class _ExpressionParser:
    """Reads one expression; every fault names the place of the expression in its file."""

    def __init__(self, place: Place, card: Type) -> None:
        self.place = place
        self.card = card

    def fail(self, what: str, instead: str = "") -> NoReturn:
        raise Invalid([Fault(self.place, what, instead)])

    def read(self, node: Node, scope: Scope) -> Expression:
        if isinstance(node.value, (tuple, dict)):
            self.fail("an expression is needed here", "put it in quotes if it starts with [ or {")
        if node.value is None:
            self.fail("an expression is needed here", "write `None` for the absent value")
        text = "True" if node.value is True else "False" if node.value is False else node.text
        if len(text) > MAX_LENGTH:
            self.fail(f"an expression of {len(text)} characters", f"at most {MAX_LENGTH}; name a part as a function")
        if told := explain_syntax(text):
            self.fail(*told)
        tree = parse_text(text.strip())
        if len(text) > MAX_DEPTH and _levels(text.strip()) > MAX_DEPTH:  # a level takes a character at least
            self.fail(f"an expression nested deeper than {MAX_DEPTH}", "name a part as a function")
        return self.expression(tree, scope)

    def expression(self, tree: ast.expr, scope: Scope) -> Expression:
        """Type one node; one form a case."""
        match tree:
            case ast.Constant():
                return self._literal(tree.value)
            case ast.Name(id=name):
                return self._narrow(self._name(unescape(name), scope), scope)
            case ast.Subscript(value=array, slice=key):
                return self._narrow(self._index(array, key, scope), scope)
            case ast.BoolOp(op=op, values=values):
                return self._logic(And if isinstance(op, ast.And) else Or, values, scope)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Not(BOOL, self._bool(operand, scope), place=self.place)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._negative(self.expression(operand, scope))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                one, two = self.expression(left, scope), self.expression(right, scope)
                return self._arithmetic(_ARITHMETIC[type(op)], one, two)
            case ast.Compare(left=left, ops=ops, comparators=rest):
                return self._comparison([left, *rest], ops, scope)
            case ast.IfExp(test=test, body=then, orelse=other):
                return self._choice(test, then, other, scope)
            case ast.Set(elts=members):
                return self._members(SetOf, members, scope)
            case ast.List(elts=members) | ast.Tuple(elts=members):
                return self._members(ListOf, members, scope)
            case ast.SetComp(elt=element, generators=[generator]):
                return self._read_comprehension(element, generator, scope)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
                return self._call(unescape(name), arguments, keywords, scope)
        self.fail(f"`{ast.unparse(tree)[:80]}` is no form of this language", "see the language reference")

    def _literal(self, value: object) -> Literal:
        if value is None:
            return Literal(NOTHING, None, place=self.place)
        if isinstance(value, bool):
            return Literal(BOOL, value, place=self.place)
        if isinstance(value, int) and abs(value) < UNBOUNDED:
            return Literal(Int(value, value), value, place=self.place)
        instead = "whole numbers, True, False and None are the literals"
        if isinstance(value, str) and value.isidentifier():
            instead = f"write {value} without quotes; {instead}"
        self.fail(f"the literal {repr(value)[:40]}", instead)

    def _name(self, name: str, scope: Scope) -> Expression:
        names = scope.names
        if name in scope.locals:
            return LocalUse(scope.locals[name], name, place=self.place)
        if name in names.state:
            return VariableUse(names.state[name], name, place=self.place)
        if name in names.constants:
            return replace(names.constants[name], place=self.place)
        if name in names.params:
            return replace(names.params[name], place=self.place)
        if name in names.domains:
            return DomainUse(names.domains[name], name, place=self.place)
        signature = names.callable(name, self.place)
        if signature is None:
            self.fail(f"unknown name {name!r}", advise_name(name, names, scope.locals))
        if signature.arguments:
            self.fail(
                f"{name} needs {len(signature.arguments)} argument(s)",
                f"write {name}({_describe_signature(signature)})",
            )
        return Call(signature.type, name, (), place=self.place)

    def _narrow(self, expression: Expression, scope: Scope) -> Expression:
        # Compared without the type it has here: what was tested stands in the scope as it was before it was narrowed.
        if isinstance(expression.type, Option) and bare(expression) in scope.present:
            return replace(expression, type=expression.type.inner)
        return expression

    def _index(self, array: ast.expr, key: ast.expr, scope: Scope) -> Expression:
        base, index = self.expression(array, scope), self.expression(key, scope)
        if not isinstance(base.type, Array):
            self.fail(f"`{ast.unparse(array)}` is {base.type}, no array")
        self._needs(index, base.type.index, ast.unparse(key))
        if not within(index.type, base.type.index):
            self.fail(f"the index `{ast.unparse(key)}` is {index.type}, the array has {base.type.index}")
        return Index(base.type.element, base, index, place=self.place)

    def _element(self, type_: Type) -> Type | None:
        if isinstance(type_, (Orders, Subsets)):
            self.fail("orders and subsets are domains of parameters only")
        return element_of(type_, self.card)

    def _needs(self, have: Expression, want: Type, text: str) -> None:
        if fits(have.type, want):
            return
        if fits(inner(have.type), want) or have.type == NOTHING:
            self.fail(
                f"`{text}` may be None where {want} is needed",
                f"test `{text} != None` first, use otherwise({text}, ...), or add a `require:`",
            )
        self.fail(f"`{text}` is {have.type} where {want} is needed")

    def _bool(self, tree: ast.expr, scope: Scope) -> Expression:
        expression = self.expression(tree, scope)
        self._needs(expression, BOOL, ast.unparse(tree))
        return expression

    def _logic(self, form: type[And | Or], values: list[ast.expr], scope: Scope) -> Expression:
        conditions: list[Expression] = []
        for value in values:
            conditions.append(self._bool(value, scope))
            # A later condition is asked only if this one held, or in an `or` only if it failed; what that proves is
            # known there.
            scope = scope.knowing(conditions[-1], holds=form is And)
        return form(BOOL, tuple(conditions), place=self.place)

    def _negative(self, operand: Expression) -> Expression:
        if not isinstance(operand.type, Int):
            self.fail(f"minus before {operand.type}", "minus takes numbers")
        # Minus turns the range over: the greatest value gives the least.
        type_ = Int(-operand.type.high, -operand.type.low)
        if isinstance(operand, Literal) and isinstance(operand.value, int):
            return replace(operand, type=type_, value=-operand.value)
        zero = Literal(Int(0, 0), 0, place=self.place)
        return Arithmetic(type_, "-", zero, operand, place=self.place)

    def _arithmetic(self, op: Operator, one: Expression, two: Expression) -> Expression:
        if isinstance(one.type, Cards) and isinstance(two.type, Cards) and op in ("&", "|", "-"):
            return Arithmetic(CARDS, op, one, two, place=self.place)
        if not isinstance(one.type, Int) or not isinstance(two.type, Int) or op in ("&", "|"):
            hint = "test for None first" if isinstance(one.type, Option) or isinstance(two.type, Option) else ""
            self.fail(f"{one.type} {op} {two.type} has no meaning", hint)
        # With a positive divisor no division fails and the quotient lies between those of the bounds, so no promise is
        # needed when rules run.
        if op == "//" and two.type.low <= 0:
            self.fail("division by what may be below 1", "divide by a number, a parameter, or most(1, ...)")
        return Arithmetic(_reach(op, one.type, two.type), op, one, two, place=self.place)

    def _comparison(self, trees: list[ast.expr], ops: list[ast.cmpop], scope: Scope) -> Expression:
        parts: list[Expression] = []
        for left, op, right in zip(trees, ops, trees[1:], strict=False):
            if type(op) not in _COMPARISONS:
                self.fail(f"`{ast.unparse(op)}` is no comparison of this language", "write == or !=")
            parts.append(self._compare(left, _COMPARISONS[type(op)], right, scope))
        return parts[0] if len(parts) == 1 else And(BOOL, tuple(parts), place=self.place)

    def _compare(self, left: ast.expr, op: Comparison | OneOf["not in"], right: ast.expr, scope: Scope) -> Expression:
        one, two = self.expression(left, scope), self.expression(right, scope)
        text = f"{ast.unparse(left)} {op} {ast.unparse(right)}"[:80]
        if op == "in" or op == "not in":  # noqa: PLR1714 - what is neither is another comparison to the type checker
            found = self._membership(one, two, text)
            return found if op == "in" else Not(BOOL, found, place=self.place)
        if op in ("==", "!="):
            comparable = join(one.type, two.type) is not None and not isinstance(one.type, (Array, Domain))
        else:
            numbers = isinstance(one.type, Int) and isinstance(two.type, Int)
            comparable = numbers or (one.type == CARDS and two.type == CARDS and op in ("<", "<=", ">", ">="))
        if not comparable:
            maybe = isinstance(one.type, Option) or isinstance(two.type, Option)
            named = list_members(one.type, two.type, scope.names)
            instead = named or ("test for None first" if maybe else "")
            self.fail(f"`{text}` compares {one.type} with {two.type}", instead)
        return Compare(BOOL, op, one, two, place=self.place)

    def _membership(self, one: Expression, two: Expression, text: str) -> Expression:
        element = self._element(two.type)
        if element is None or join(one.type, element) is None:
            self.fail(f"`{text}`: {two.type} holds no {one.type}")
        return Compare(BOOL, "in", one, two, place=self.place)

    def _choice(self, test: ast.expr, then: ast.expr, other: ast.expr, scope: Scope) -> Expression:
        condition = self._bool(test, scope)
        # Only one branch is evaluated, so each is typed with what its own outcome proves, and None may be used in one
        # and not in the other.
        yes = self.expression(then, scope.knowing(condition))
        no = self.expression(other, scope.knowing(condition, holds=False))
        type_ = join(yes.type, no.type)
        if type_ is None:
            self.fail(f"one branch is {yes.type}, the other {no.type}")
        if isinstance(type_, (Orders, Subsets)):
            self.fail(f"a choice between {type_}", "choose between the cards inside: orders(one if ... else other)")
        return If(type_, condition, yes, no, place=self.place)

    def _members(self, form: type[SetOf | ListOf], trees: list[ast.expr], scope: Scope) -> Expression:
        parts = [self.expression(tree, scope) for tree in trees]
        type_: Type | None = parts[0].type if parts else NOTHING
        for part in parts:
            type_ = join(type_, part.type) if type_ else None
        if type_ is None:
            self.fail("the members are of different types")
        if form is SetOf and type_ == scope.names.world.types["card"]:
            return SetOf(CARDS, tuple(parts), place=self.place)
        if isinstance(type_, Option):
            self.fail("a member may be None", "test it first, or leave it out by a condition")
        return form(Domain(type_, len(parts)), tuple(parts), place=self.place)

    def _read_comprehension(self, element: ast.expr, generator: ast.comprehension, scope: Scope) -> Expression:
        bound, domain, condition, inside = self._read_generator(generator, scope)
        body = self.expression(element, inside)
        if isinstance(body.type, (Option, Array, Domain)) or body.type == CARDS:
            self.fail(
                f"`{ast.unparse(element)}` is {body.type}", "a set holds plain values; test for None in the condition"
            )
        type_ = CARDS if body.type == self.card else Domain(body.type, _size(domain.type, scope.names.world))
        return Comprehension(type_, bound, domain, condition, body, place=self.place)

    def _read_generator(self, generator: ast.comprehension, scope: Scope) -> tuple[str, Expression, Expression, Scope]:
        """Read what a quantifier ranges over: the name it binds, the domain, the condition, and the scope inside."""
        if not isinstance(generator.target, ast.Name) or generator.is_async:
            self.fail("a quantifier binds one name", "write `... for x in values`")
        domain = self.expression(generator.iter, scope)
        element = self._element(domain.type)
        if element is None:
            self.fail(f"`{ast.unparse(generator.iter)}` is {domain.type}, nothing to range over")
        name = generator.target.id
        inside = self._bind(name, element, scope)
        condition: Expression = self._literal(value=True)
        for test in generator.ifs:
            part = self._bool(test, inside)
            joined = And(BOOL, (condition, part), place=self.place)
            condition = part if isinstance(condition, Literal) else joined
            # The body is evaluated for members that pass, so a test of None in the condition serves the body as well.
            inside = inside.knowing(part)
        return name, domain, condition, inside

    def _bind(self, name: str, type_: Type, scope: Scope) -> Scope:
        names = scope.names
        if name in names.state or name in names.constants or name in names.params:
            self.fail(f"the local name {name!r} hides a name of the game", "choose another")
        return scope.bind(name, type_)

    def _call(self, name: str, args: list[ast.expr], keywords: list[ast.keyword], scope: Scope) -> Expression:
        quantifier = QUANTIFIERS.get(name)
        if quantifier is not None and args and isinstance(args[0], ast.GeneratorExp):
            return self._quantifier(quantifier, args, keywords, scope)
        if name == "max" and len(keywords) == 1 and keywords[0].arg == "key" and len(args) == 1:
            return self._best(args[0], keywords[0].value, scope)
        if keywords:
            self.fail(f"{name} takes no named arguments here")
        parts = [self.expression(argument, scope) for argument in args]
        names = scope.names
        if name in names.attributes:
            if [part.type for part in parts] != [names.world.types["card"]]:
                self.fail(f"{name} takes one card", f"write {name}(card)")
            return AttributeOf(names.attributes[name], name, parts[0], place=self.place)
        if name in BUILTINS:
            return self._builtin(name, parts, args, scope)
        signature = names.callable(name, self.place)
        if signature is None:
            self.fail(
                f"unknown function {name!r}", ask_for_nearest(name, [*BUILTINS, *names.attributes, *names.known()])
            )
        if len(parts) != len(signature.arguments):
            self.fail(
                f"{name} takes {len(signature.arguments)} argument(s), not {len(parts)}",
                f"{name}({_describe_signature(signature)})",
            )
        for part, argument, tree in zip(parts, signature.arguments, args, strict=True):
            self._needs(part, argument.type, ast.unparse(tree))
            if not fits_bounds(part.type, argument.type):
                self.fail(f"`{ast.unparse(tree)}` is {part.type}, {name} takes {argument.type}")
        return Call(signature.type, name, tuple(parts), place=self.place)

    def _builtin(self, name: str, parts: list[Expression], trees: list[ast.expr], scope: Scope) -> Expression:
        builtin, world = BUILTINS[name], scope.names.world
        type_ = builtin.signature(world, [part.type for part in parts])
        if name == "card" and world.has_copies:
            told = "compare them: any(rank(c) == ace and suit(c) == trump for c in hand[p])"
            self.fail("card(rank, suit) is one card, and there are several that nobody can tell apart", told)
        if type_ is None:
            maybe = [ast.unparse(t) for t, p in zip(trees, parts, strict=True) if isinstance(p.type, Option)]
            hint = (
                f"`{maybe[0]}` may be None: test it first"
                if maybe and name != "otherwise"
                else f"use it as {builtin.form}"
            )
            self.fail(f"{name} does not take ({', '.join(str(part.type) for part in parts)})", hint)
        return BuiltinCall(type_, name, tuple(parts), place=self.place)

    def _quantifier(
        self, name: Quantifier | Bound, args: list[ast.expr], keywords: list[ast.keyword], scope: Scope
    ) -> Expression:
        generator = args[0]
        if not isinstance(generator, ast.GeneratorExp) or len(generator.generators) != 1 or len(args) != 1:
            self.fail(f"{name} takes one `... for x in values`")
        bound, domain, condition, inside = self._read_generator(generator.generators[0], scope)
        body = self.expression(generator.elt, inside)
        if name == "first" and str(inner(body.type)) == "card":
            self._needs_one(domain.type, "first", scope)
        if name in ("any", "all", "count"):
            self._needs(body, BOOL, ast.unparse(generator.elt))
        elif name != "first" and not isinstance(body.type, Int):
            self.fail(f"{name} of {body.type}", f"{name} takes numbers")
        if keywords and (name not in ("min", "max") or keywords[0].arg != "default" or len(keywords) != 1):
            self.fail(f"{name} takes no named arguments but the default of min and max")
        if name == "min" or name == "max":  # noqa: PLR1714 - what is neither is a quantifier to the type checker
            if not keywords:
                self.fail(f"{name} without a default", f"write {name}((...), default=0)")
            default = self.expression(keywords[0].value, scope)
            type_ = join(body.type, default.type)
            if type_ is None:
                self.fail(f"the default of {name} is {default.type}, no number")
            return Extreme(type_, name, bound, domain, condition, body, default, place=self.place)
        size = _size(domain.type, scope.names.world)
        return Quantified(
            _type_quantifier(name, body.type, size), name, bound, domain, condition, body, place=self.place
        )

    def _needs_one(self, domain: Type, name: str, scope: Scope) -> None:
        """Refuse a choice of a card where it may be between copies of one card, for nobody can tell which."""
        if str(self._element(domain)) == "card" and scope.names.world.has_copies:
            told = "choose a player instead, as in max(seats(leader), key=height): of equal ones it is the first"
            self.fail(f"{name} chooses a card, and there are several that nobody can tell apart", told)

    def _best(self, values: ast.expr, key: ast.expr, scope: Scope) -> Expression:
        domain = self.expression(values, scope)
        element = self._element(domain.type)
        if element is None:
            self.fail(f"`{ast.unparse(values)}` is nothing to choose from")
        self._needs_one(domain.type, "max", scope)
        match key:
            case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=bound)]), body=body):
                pass
            case ast.Name(id=function):
                bound, body = "it", ast.Call(func=ast.Name(id=function), args=[ast.Name(id="it")], keywords=[])
            case _:
                self.fail("the key of max is a function of one argument", "write key=strength or key=lambda c: ...")
        rated = self.expression(body, self._bind(bound, element, scope))
        if not isinstance(rated.type, Int):
            self.fail(f"the key of max gives {rated.type}, no number")
        return Best(Option(element), bound, domain, rated, place=self.place)


def unescape(name: str) -> str:
    """Return the name that an expression writes: one that is a word of the grammar has a `_` behind it there."""
    return name[:-1] if name.endswith("_") and iskeyword(name[:-1]) else name


def _type_quantifier(quantifier: Quantifier, body: Type, size: int) -> Type:
    """Return what a quantifier gives over so many values of a body."""
    match quantifier:
        case "any" | "all":
            return BOOL
        case "count":
            return Int(0, size)
        case "first":
            return Option(inner(body))
        case "sum":
            low, high = (body.low, body.high) if isinstance(body, Int) else (-UNBOUNDED, UNBOUNDED)
            return Int(min(0, _scale(low, size)), max(0, _scale(high, size)))
        case _:
            assert_never(quantifier)


def _scale(bound: int, size: int) -> int:
    return _clamp(bound * size)


def _clamp(bound: int) -> int:
    """Return a bound; where it lies beyond all types, nothing is known of it."""
    return max(-UNBOUNDED, min(UNBOUNDED, bound))


def _reach(op: str, one: Int, two: Int) -> Int:
    """Return the numbers that an operation on two ranges can give."""
    if op == "+":
        low, high = one.low + two.low, one.high + two.high
    elif op == "-":
        low, high = one.low - two.high, one.high - two.low
    else:
        made = int.__floordiv__ if op == "//" else int.__mul__
        corners = [made(a, b) for a in (one.low, one.high) for b in (two.low, two.high)]
        low, high = min(corners), max(corners)
    return Int(_clamp(low), _clamp(high))


def _size(type_: Type, world: World) -> int:
    if isinstance(type_, Domain):
        return type_.size
    return len(world.cards) if isinstance(type_, Cards) else UNBOUNDED


def _describe_signature(signature: Signature) -> str:
    return ", ".join(f"{argument.name}: {argument.type}" for argument in signature.arguments)
