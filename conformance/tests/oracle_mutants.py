"""Changes of an oracle, each of one comparison, constant, condition, sum, statement or branch.

Libraries that change programs were tried first: one starts the tests again for each change, which takes hours here, the
other wants a package where the oracles are single files, loaded by their paths.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, ModuleType

_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
#: What a statement of these kinds does is left out; of a declaration there would be nothing left to run.
_LEFT_OUT = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Return)


@dataclass(frozen=True)
class Mutant:
    """A change of one node, with the way to carry it out in the tree and back."""

    line: int
    column: int
    what: str
    tree: ast.Module
    change: Callable[[], Callable[[], None]]

    @property
    def name(self) -> str:
        """Return what is changed and where; no other change of the file has the name."""
        return f"{self.line}:{self.column} {self.what}"

    def compile(self) -> CodeType:
        """Return the code of the changed oracle; the tree is as before afterwards."""
        with self._changed():
            return compile(ast.fix_missing_locations(self.tree), "mutant", "exec")

    def load(self, name: str) -> ModuleType:
        """Return the changed oracle, executed, which is found under the name from now on."""
        module = sys.modules[name] = ModuleType(name)
        exec(self.compile(), module.__dict__)  # noqa: S102 - a changed oracle is what is asked for
        return module

    @contextmanager
    def _changed(self) -> Iterator[None]:
        undo = self.change()
        try:
            yield
        finally:
            undo()


def list_mutants(source: str) -> Iterator[Mutant]:
    """Yield every change of a module, in the order of its text."""
    tree = ast.parse(source)
    passed_over = set(_list_passed_over(tree))
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            for place, node in enumerate(value) if isinstance(value, list) else ((None, value),):
                if isinstance(node, ast.AST) and node not in passed_over:
                    for what, new in _replace(node):
                        placed = node.target if isinstance(node, ast.comprehension) else node
                        assert isinstance(placed, ast.expr | ast.stmt)
                        yield Mutant(placed.lineno, placed.col_offset, what, tree, _swap(parent, field, place, new))


def _list_passed_over(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what no test could tell: annotations, docstrings, messages of errors, decorators."""
    for node in ast.walk(tree):
        hidden: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef):
            hidden = [node.returns, *node.decorator_list]
        elif isinstance(node, ast.ClassDef):
            hidden = list(node.decorator_list)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            hidden = [node.annotation]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            hidden = [node]
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            hidden = list(node.exc.args)
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            hidden = [node]
        for one in hidden:
            yield from ast.walk(one) if one is not None else ()


def _replace(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield what may stand instead of a node, with what is told of it."""
    text = ast.unparse(node) if isinstance(node, ast.expr) else ""
    for new in _replace_expression(node) if isinstance(node, ast.expr) else ():
        yield f"{text} -> {ast.unparse(new)}", new
    if isinstance(node, _LEFT_OUT) and not _names_something(node):
        yield f"{ast.unparse(node)} -> pass", ast.copy_location(ast.Pass(), node)
    if isinstance(node, ast.AugAssign) and type(node.op) in _COUNTED:
        new_statement = ast.copy_location(ast.AugAssign(node.target, _COUNTED[type(node.op)](), node.value), node)
        yield f"{ast.unparse(node)} -> {ast.unparse(new_statement)}", new_statement
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.comprehension):
        yield from _decide(node)


def _names_something(node: ast.stmt) -> bool:
    """Say whether a statement gives a name to a value, without which nothing would run."""
    return isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) for target in node.targets)


def _replace_expression(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, ops, comparators):
            for place, op in enumerate(ops):
                for other in _COMPARED[type(op)]:
                    yield ast.Compare(left, [*ops[:place], other(), *ops[place + 1 :]], comparators)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for place in range(len(values)):
                rest = [*values[:place], *values[place + 1 :]]
                yield ast.BoolOp(op, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.BinOp(left, op, right) if type(op) in _COUNTED and not isinstance(left, ast.JoinedStr):
            yield ast.BinOp(left, _COUNTED[type(op)](), right)
        case ast.Constant(value):
            yield from map(ast.Constant, _replace_value(value))


def _replace_value(value: object) -> Iterator[bool | int | str]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case str():
            yield f"{value}~"


def _decide(node: ast.If | ast.While | ast.IfExp | ast.comprehension) -> Iterator[tuple[str, ast.AST]]:
    """Yield a branch that is always or never taken, and a comprehension that leaves out a condition."""
    if isinstance(node, ast.comprehension):
        for place, condition in enumerate(node.ifs):
            rest = [*node.ifs[:place], *node.ifs[place + 1 :]]
            yield (
                f"if {ast.unparse(condition)} left out",
                ast.comprehension(node.target, node.iter, rest, node.is_async),
            )
        return
    for value in (False,) if isinstance(node, ast.While) else (True, False):
        fixed = {**dict(ast.iter_fields(node)), "test": ast.Constant(value)}
        yield f"if {ast.unparse(node.test)} -> {value}", ast.copy_location(type(node)(**fixed), node)


def _swap(parent: ast.AST, field: str, place: int | None, new: ast.AST) -> Callable[[], Callable[[], None]]:
    """Return what puts a node into its place and returns what takes it out again."""

    def change() -> Callable[[], None]:
        holder = getattr(parent, field)
        if place is None:
            setattr(parent, field, new)
            return lambda: setattr(parent, field, holder)
        old = holder[place]
        holder[place] = new
        return lambda: holder.__setitem__(place, old)

    return change
