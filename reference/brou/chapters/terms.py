"""Expressions before they are typed: their free names, substitution, and conditions made of others.

Nothing here knows the meaning of a name; a text that is no expression is left for the loader to refuse.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations

from brou.language.advice import parse_text

_COMPREHENSIONS = (ast.GeneratorExp, ast.SetComp, ast.ListComp)

#: How many levels a tree may have: more than the loader permits and conditions made of others need, and few enough for
#: whoever goes through it level by level.
_MOST_LEVELS = 100


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> ast.expr | None:
    """Return the tree of an expression, or None where it is none or too deep; it is shared, not to be changed."""
    try:
        tree = parse_text(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if len(text) > _MOST_LEVELS and _is_deep(tree) else tree


def _is_deep(tree: ast.AST) -> bool:
    """Say whether a tree has more than `_MOST_LEVELS` levels; every level but one takes a character at least."""
    level = [tree]
    for _ in range(_MOST_LEVELS):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return bool(level)


@lru_cache(maxsize=4096)
def free_names(text: str) -> frozenset[str]:
    """Return the names that an expression uses and does not bind itself."""
    tree = parse_expression(text)
    return frozenset() if tree is None else frozenset(_free(tree, frozenset()))


def _free(tree: ast.AST, bound: frozenset[str]) -> Iterable[str]:
    if isinstance(tree, ast.Name):
        if tree.id not in bound:
            yield tree.id
        return
    if isinstance(tree, _COMPREHENSIONS):
        inside = bound | _find_bound(tree)
        for generator in tree.generators:
            yield from _free(generator.iter, bound)
            for condition in generator.ifs:
                yield from _free(condition, inside)
        yield from _free(tree.elt, inside)
        return
    if isinstance(tree, ast.Lambda):
        bound |= {argument.arg for argument in tree.args.args}
    for child in ast.iter_child_nodes(tree):
        yield from _free(child, bound)


def _find_bound(tree: ast.GeneratorExp | ast.SetComp | ast.ListComp) -> set[str]:
    return {one.target.id for one in tree.generators if isinstance(one.target, ast.Name)}


def replace_names(text: str, instead: Mapping[str, str]) -> str:
    """Return an expression with other expressions substituted for some of its free names.

    A name that the expression binds itself is renamed where it would capture a name of the substitute.
    """
    asked = [(name, instead[name]) for name in sorted(free_names(text) & instead.keys()) if instead[name] != name]
    return _replace(str(text), tuple(asked)) if asked else str(text)


@lru_cache(maxsize=4096)
def _replace(text: str, instead: tuple[tuple[str, str], ...]) -> str:
    trees = {name: found for name, other in instead if (found := parse_expression(other)) is not None}
    return ast.unparse(_Replacing(trees).visit(ast.parse(text.strip(), mode="eval")))


class _Replacing(ast.NodeTransformer):
    """Puts trees in the places of names."""

    def __init__(self, trees: Mapping[str, ast.expr]) -> None:
        self.trees = trees

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.trees.get(node.id, node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._within(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._within(node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._within(node)

    def _within(self, node: ast.GeneratorExp | ast.SetComp | ast.ListComp) -> ast.AST:
        for generator in node.generators:
            generator.iter = self.visit(generator.iter)
        inside = {name: tree for name, tree in self.trees.items() if name not in _find_bound(node)}
        caught = _find_bound(node) & {name for tree in inside.values() for name in _free(tree, frozenset())}
        fresh = {name: ast.Name(f"{name}_", ast.Load()) for name in caught}
        deeper = _Replacing({**inside, **fresh})
        for generator in node.generators:
            generator.target = deeper.visit(generator.target)
            generator.ifs = [deeper.visit(condition) for condition in generator.ifs]
        node.elt = deeper.visit(node.elt)
        return node


def negate(text: str) -> str:
    """Return the negation of a condition."""
    return _tidy(f"not ({text})")


def conjoin(conditions: Iterable[str]) -> str:
    """Return the condition that all of some hold; of none it is `True`."""
    return _join("and", [text for text in conditions if text != "True"]) or "True"


def disjoin(conditions: Iterable[str]) -> str:
    """Return the condition that at least one of some holds; of none it is `False`."""
    return _join("or", conditions) or "False"


def total(terms: Iterable[str]) -> str:
    """Return the sum of some terms; of none it is `0`."""
    return _join("+", terms) or "0"


def _join(operator: str, texts: Iterable[str]) -> str:
    found = list(texts)
    return str(found[0]) if len(found) == 1 else _tidy(f" {operator} ".join(f"({text})" for text in found))


@lru_cache(maxsize=4096)
def _tidy(text: str) -> str:
    """Return an expression without brackets that it does not need."""
    tree = parse_expression(text)
    return text if tree is None else ast.unparse(_flat(tree))


def _flat(tree: ast.expr) -> ast.expr:
    """Return a tree without `and` directly in `and`, `or` directly in `or`, or `not not`.

    A part that is repeated stands once, where it came first.
    """
    if isinstance(tree, ast.BoolOp):
        values: dict[str, ast.expr] = {}
        for value in map(_flat, tree.values):
            inner = value.values if isinstance(value, ast.BoolOp) and type(value.op) is type(tree.op) else [value]
            for one in inner:
                values.setdefault(ast.dump(one), one)
        found = list(values.values())
        return ast.BoolOp(tree.op, found) if len(found) > 1 else found[0]
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        inside = tree.operand
        return _flat(inside.operand) if isinstance(inside, ast.UnaryOp) and isinstance(inside.op, ast.Not) else tree
    return tree


def call(name: str, arguments: Iterable[str]) -> str:
    """Return a call; without arguments a name alone."""
    given = ", ".join(arguments)
    return f"{name}({given})" if given else name


@lru_cache(maxsize=4096)
def read_call(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the name and the arguments of a call, or of a name alone; None where it is neither."""
    tree = parse_expression(text)
    if isinstance(tree, ast.Name):
        return tree.id, ()
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)) or tree.keywords:
        return None
    return tree.func.id, tuple(map(ast.unparse, tree.args))


def merge(conditions: Iterable[str]) -> list[str]:
    """Return conditions, no more than are given, of which at least one holds exactly where at least one of those does.

    Two that differ in one part only, which is negated in one of them, become one without that part.
    """
    found = [(text, {ast.dump(part): part for part in _conjuncts(text)}) for text in conditions]
    for (number, (_, one)), (other, (_, two)) in combinations(enumerate(found), 2):
        common = {part: tree for part, tree in one.items() if part in two}
        own, theirs = ([tree for part, tree in parts.items() if part not in common] for parts in (one, two))
        if common and len(own) == len(theirs) == 1 and negate(ast.unparse(own[0])) == ast.unparse(theirs[0]):
            text = conjoin(map(ast.unparse, common.values()))
            rest = [text_ for place, (text_, _) in enumerate(found) if place not in (number, other)]
            return merge([*rest, text])
    return [text for text, _ in found]


def imply(one: str, two: str) -> bool:
    """Say whether a condition plainly implies another: it has every part of it."""
    parts = {ast.dump(part) for part in _conjuncts(one)}
    return all(ast.dump(part) in parts for part in _conjuncts(two))


def _conjuncts(text: str) -> list[ast.expr]:
    tree = parse_expression(text)
    if tree is None:
        return []
    return list(tree.values) if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]


def slug(label: str) -> str:
    """Return a label as a name of the language."""
    return re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")
