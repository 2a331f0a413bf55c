"""Statements that say less than they seem to: their citations are idle, they suppose their own `show`, or escape.

A citation is idle if the statement rests on no rule of the clause, under any rules that it is about. A statement is
empty if its `where` implies it, whatever value the rules give to a name. It escapes if one side of an `or` holds in
every case, so that the other sides say nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from brou import Fault, Game, Node, Project, Unusable, book, rules
from brou.chapters import Variants
from brou_tools.smt.asking import PROVED, Asking, ObligationResult, SolverOptions, text_of, vain
from brou_tools.smt.obligations import Obligation, choices, obligations
from brou_tools.smt.prover import prove_obligation
from brou_tools.smt.slices import group_by_clause, slice_of
from brou_tools.smt.solve import z3

if TYPE_CHECKING:  # the solver's library has no types; its names say which of its things is meant
    from z3 import Context

#: Steps for one question about an escape; one that takes more is taken for none.
_LIMIT = 10_000_000


def find_idle_citations(game: str, project: Project) -> Iterator[Fault]:
    """Yield the statements of a game that cite a clause and rest on none of its rules."""
    always = _find_material(game, project)
    carried: dict[int, tuple[Game, Mapping[str, frozenset[str]]]] = {}
    for one in obligations(game, project).obligations:
        idle, borne = set(one.clauses) - always, set[str]()
        for choice, _ in choices(game, project, one):
            made = rules(choice)
            if id(made) not in carried:
                carried[id(made)] = made, group_by_clause(made)
            by_clause, rests = carried[id(made)][1], slice_of(made, one) | _list_bare(one)
            borne |= {clause for clause in idle if clause in by_clause}
            idle -= {clause for clause in idle if by_clause.get(clause, frozenset()) & rests}
            if not idle:
                break
        for clause in one.clauses:
            if clause in idle & borne:
                what = f"{one.id} cites {clause} and rests on none of its rules: it holds whatever they are"
                yield Fault(one.place, what, "say what follows from them, or cite the clauses that it rests on alone")


def _find_material(game: str, project: Project) -> frozenset[str]:
    """Return the clauses that state the pack or the seats, on which every statement rests."""
    maker = book(game, project).maker
    if not isinstance(maker, Variants):
        return frozenset()
    volume = maker.volume
    stating = (form for form in volume.clauses() if form.pack is not None or form.seats is not None)
    return frozenset(volume.frame.spell_id(form.clause) for form in stating)


def _list_bare(one: Obligation) -> frozenset[str]:
    """Return the acts of a statement, also where their effects do not matter, and the phase that it shows."""
    shown = [] if one.position is None or one.kind not in ("invariant", "reachable") else [one.position.phase]
    return frozenset([*(f"actions/{act}" for act, _ in one.acts), *(f"phases/{phase}" for phase in shown)])


def find_weakness(game: str, project: Project, one: Obligation) -> ObligationResult | None:
    """Return why a statement that is proved says nothing of the rules, or says less than it seems to; or None.

    Only claims that should be proved are looked at: a position shows any other statement.
    """
    if one.kind != "claim" or one.expect != PROVED:
        return None
    if _is_empty(one):
        return vain("it follows from what it supposes, whatever the rules are: suppose less, or show more")
    for side in _list_sides(one):
        if _holds_always(game, project, one, side):
            return vain(
                f"`{side}` holds in every case, so that the rest of the `or` says nothing: leave one of them out"
            )
    return None


# What it supposes -----------------------------------------------------------------------------------------------------


def _is_empty(one: Obligation) -> bool:
    """Say whether a statement follows from its own words alone.

    Before and after an act a part of an expression is the same only if it names nothing but given values.
    """
    known = {name: ast.parse(text_of(node), mode="eval").body for name, node in one.get_named("let").items()}
    fixed = {*one.get_named("given"), *known}
    context = z3().Context()
    before = _OpenWords(context, "", {} if one.acts else known, fixed)
    after = _OpenWords(context, "after ", {}, fixed) if one.acts else before
    supposed = [*one.texts("where"), *(() if one.position is None else one.position.where)]
    solver = z3().Solver(ctx=context)
    solver.set("rlimit", _LIMIT)
    solver.add([before.truth(_parse(node)) for node in supposed])
    if one.acts:
        solver.add([before.same(ast.Name(name), term) for name, term in known.items()])
    solver.add(z3().Not(after.truth(_parse(one.node.fields["show"]))))
    return bool(solver.check() == z3().unsat)


def _parse(node: Node) -> ast.expr:
    return ast.parse(text_of(node).strip(), mode="eval").body


class _OpenWords:
    """Expressions as formulas in which only logic, comparisons and sums mean something.

    Every other part is an unknown of its own, called by its text, so that what follows holds of any rules.
    """

    def __init__(self, context: Context, when: str, known: Mapping[str, ast.expr], fixed: set[str]) -> None:
        self._context, self._when, self._known, self._fixed = context, when, known, fixed

    def truth(self, tree: ast.expr) -> Any:  # noqa: ANN401 - z3 has no types; one flat match, a case a form
        """Return a condition as a formula."""
        z = z3()
        match tree:
            case ast.BoolOp(op=ast.And(), values=values):
                return z.And([self.truth(value) for value in values])
            case ast.BoolOp(values=values):
                return z.Or([self.truth(value) for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return z.Not(self.truth(operand))
            case ast.Constant(value=bool(value)):
                return z.BoolVal(value, self._context)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return z.If(self.truth(test), self.truth(body), self.truth(orelse))
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [left, *comparators]
                return z.And([self._compare(*part) for part in zip(ops, sides, sides[1:], strict=False)])
            case ast.Name(id=name) if name in self._known:
                return self.truth(self._known[name])
        return z.Bool(self._call(tree), self._context)

    def same(self, one: ast.expr, two: ast.expr) -> Any:  # noqa: ANN401
        """Return that two expressions have one value."""
        if any(isinstance(side, (ast.BoolOp, ast.Compare)) or _is_denial(side) for side in (one, two)):
            return self.truth(one) == self.truth(two)
        return self._number(one) == self._number(two)

    def _compare(self, op: ast.cmpop, one: ast.expr, two: ast.expr) -> Any:  # noqa: ANN401 - a case an operator
        match op:
            case ast.Eq():
                return self.same(one, two)
            case ast.NotEq():
                return z3().Not(self.same(one, two))
            case ast.Lt():
                return self._number(one) < self._number(two)
            case ast.LtE():
                return self._number(one) <= self._number(two)
            case ast.Gt():
                return self._number(one) > self._number(two)
            case ast.GtE():
                return self._number(one) >= self._number(two)
            case ast.NotIn():
                return z3().Not(self._compare(ast.In(), one, two))
        return z3().Bool(self._call(ast.Compare(one, [op], [two])), self._context)

    def _number(self, tree: ast.expr) -> Any:  # noqa: ANN401
        z = z3()
        match tree:
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                return z.IntVal(value, self._context)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._number(operand)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._number(left) + self._number(right)
            case ast.BinOp(left=left, op=ast.Sub(), right=right) if _is_number(left) or _is_number(right):
                return self._number(left) - self._number(right)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self._number(left) * self._number(right)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return z.If(self.truth(test), self._number(body), self._number(orelse))
            case ast.Name(id=name) if name in self._known:
                return self._number(self._known[name])
        return z.Int(self._call(tree), self._context)

    def _call(self, tree: ast.expr) -> str:
        """Return what a part is called: by its text, with names of expressions written out, and when it is read."""
        whole = ast.unparse(_WrittenOut(self._known).visit(ast.parse(ast.unparse(tree), mode="eval").body))
        names = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)}
        return whole if names <= self._fixed else self._when + whole


class _WrittenOut(ast.NodeTransformer):
    """Writes the expressions out that names stand for."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self._known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what a name stands for."""
        found = self._known.get(node.id)
        return node if found is None else ast.parse(ast.unparse(self.visit(found)), mode="eval").body


def _is_denial(tree: ast.expr) -> bool:
    return isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)


def _is_number(tree: ast.expr) -> bool:
    """Say whether an expression is a number by its form; of others a difference may be one of sets."""
    match tree:
        case ast.Constant() | ast.BinOp(op=ast.Mult() | ast.Add()):
            return True
        case ast.BinOp(op=ast.Sub(), left=left, right=right):
            return _is_number(left) or _is_number(right)
        case ast.Call(func=ast.Name(id="sum" | "len" | "count" | "max" | "min")):
            return True
    return False


# Escapes --------------------------------------------------------------------------------------------------------------


def _list_sides(one: Obligation) -> Iterator[str]:
    """Yield the sides of each `or` that a statement shows."""
    waiting = [_parse(one.node.fields["show"])]
    while waiting:
        tree = waiting.pop()
        if isinstance(tree, ast.BoolOp):
            if isinstance(tree.op, ast.And):
                waiting += tree.values
            else:
                yield from map(ast.unparse, tree.values)


def _holds_always(game: str, project: Project, one: Obligation, side: str) -> bool:
    """Say whether one side alone is proved under all rules that the statement is about."""
    show = replace(one.node.fields["show"], value=side)
    alone = replace(one, node=replace(one.node, value={**one.node.fields, "show": show}))
    try:
        return all(
            prove_obligation(Asking(choice, SolverOptions(_LIMIT)), alone).status == PROVED
            for choice, _ in choices(game, project, one)
        )
    except Unusable:  # it can only be said where the others fail, as of a value that may be absent
        return False
