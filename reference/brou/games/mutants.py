"""Mutants: rules that are wrong in one small thing, each a patch drawn from a closed list of operators.

They tell what a suite of scenarios would notice, which clause best explains
what a wrong program answers, and whether two engines agree on more than the
rules that people wrote.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from brou.chance import Chance
from brou.dataclass import dataclass
from brou.errors import Fault, Malformed
from brou.games.catalogue import Choice, book, patch_rules
from brou.games.folder import Folder, root
from brou.language.load import load_rules
from brou.language.node import Node
from brou.language.patch import Patch, apply_patches, find_id
from brou.language.schema import shape_faults
from brou.language.syntax import Game
from brou.language.types import Bool

#: The closed list, each with what it does.
MUTANT_OPERATORS = {
    "drop-row": "a row of a table, a case, or a key of view or score is gone",
    "negate": "a condition is its contrary",
    "drop-conjunct": "one side of an `and` or `or`, or a filter of a quantifier, is gone",
    "swap-comparison": "a comparison is its neighbour: < and <=, > and >=, == and !=, in and not in",
    "off-by-one": "a number is one more or one less",
    "flip-verdict": "True is False, or False is True",
    "swap-neighbours": "two neighbouring rows or cases have changed places",
    "drop-effect": "an effect is gone",
    "legal-always": "an action is always legal",
    "other-direction": "next is previous, or previous next",
    "other-team": "a team is the other one",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong rule base; `clause` is the clause of the rule that it damages, its own or the inherited one."""

    id: str
    operator: str
    clause: str
    patch: Patch

    @property
    def address(self) -> str:
        """Return the address of the changed node, as patches write it."""
        return self.patch.path


def list_mutants(rules: Node) -> list[Mutant]:
    """Return all mutants of a rules file, in the order of the file; their ids are stable and differ."""
    found: list[Mutant] = []
    seen: dict[str, int] = {}
    for operator, at, clause, change in _Walk(rules).changes():
        name = f"{operator}:{'/'.join(at)}"
        seen[name] = seen.get(name, 0) + 1
        node = Node({"at": Node("/".join(at), rules.place), **change}, rules.place)
        found.append(Mutant(f"{name}#{seen[name]}", operator, clause, Patch(at, node)))
    return found


def load_mutant(choice: Choice, mutant: Mutant, folder: Folder = None) -> Game:
    """Return the rule base of a choice with one mutant in it; raise `Unusable` where that is no valid one."""
    made = apply_patches(patch_rules(choice, folder), [mutant.patch])
    if faults := list(_find_misshapen(made)):
        raise Malformed(faults)
    return load_rules(made, book(choice.game, folder or choice.project).codes)


def _find_misshapen(rules: Node) -> Iterator[Fault]:
    return shape_faults(rules, root() / "schemas" / "rules.schema.json")


def sample_mutants(found: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return at most so many mutants, drawn by chance, every operator in its turn as long as it has any left."""
    chance = Chance(seed)
    waiting = {operator: chance.shuffle([m for m in found if m.operator == operator]) for operator in MUTANT_OPERATORS}
    drawn: list[Mutant] = []
    while len(drawn) < count and any(waiting.values()):
        drawn += [mutants_left.pop() for mutants_left in waiting.values() if mutants_left]
    return drawn[:count]


# The file -------------------------------------------------------------------------------------------------------------

#: An operator, an address, the clause there, and what a patch says beside its address.
_Change = tuple[str, tuple[str, ...], str, dict[str, Node]]
_Item = TypeVar("_Item")


class _Walk:
    """Goes through a rules file; each method yields the changes of one kind of record."""

    def __init__(self, rules: Node) -> None:
        self.rules = rules
        functions = rules.fields["functions"].fields.items() if "functions" in rules.fields else ()
        self.conditions = {name for name, node in functions if node.string("type") == "bool"}
        if any("type" not in node.fields for _, node in functions):
            # Functions of chapters do not declare their types, so the loaded rules are asked.
            typed = load_rules(rules).functions.values()
            self.conditions |= {function.id for function in typed if isinstance(function.type, Bool)}
        self.gone = {"remove": Node(value=True, place=rules.place)}

    def changes(self) -> Iterator[_Change]:
        yield from self._numbers()
        for name, node in self._section("functions"):
            at, clause = ("functions", name), node.string("clause")
            if name in self.conditions:
                yield self._negate(node.fields["is"], (*at, "is"), clause)
            yield from self._expression(node.fields["is"], (*at, "is"), clause)
        for name, node in self._section("tables"):
            yield from self._table(node, ("tables", name))
        for name, node in self._section("actions"):
            yield from self._action(node, ("actions", name))
        for name, node in self._section("phases"):
            yield from self._effects(node.get("do"), ("phases", name, "do"), node.string("clause"))
        for section in ("view", "score"):
            for name, node in self._section(section):
                yield "drop-row", (section, name), _clause(node, ""), self.gone
                yield from self._mutate_show(node, (section, name), "")

    def _section(self, name: str) -> Iterable[tuple[str, Node]]:
        node = self.rules.get(name)
        return () if node is None else node.fields.items()

    def _numbers(self) -> Iterator[_Change]:
        """Yield the numbers outside expressions: of seats, attributes, params, types, first values."""
        seating = self.rules.fields["seating"]
        yield from self._count(seating.fields["seats"], ("seating", "seats"), seating.string("clause"))
        for name, node in self._section("attributes"):
            for keys, number in _leaves(node.fields["values"]):
                yield from self._count(number, ("attributes", name, "values", *keys), node.string("clause"))
        for name, node in self._section("params"):
            yield from self._count(node.fields["value"], ("params", name, "value"), node.string("clause"))
        for name, node in self._section("types"):
            for end in ("from", "to"):
                if end in node.fields:
                    yield from self._count(node.fields[end], ("types", name, end), node.string("clause"))
        for scope, variables in self._section("state"):
            for name, node in variables.fields.items():
                if "init" in node.fields:
                    yield from self._count(node.fields["init"], ("state", scope, name, "init"), node.string("clause"))

    def _count(self, node: Node, at: tuple[str, ...], clause: str) -> Iterator[_Change]:
        """Yield a number, or each number of a list, one more and one less; the name of a param is no number."""
        for value in _shift(node):
            yield "off-by-one", at, clause, {"value": value}

    def _table(self, node: Node, at: tuple[str, ...]) -> Iterator[_Change]:
        clause, rows = node.string("clause"), node.fields["rows"]
        for row in rows.items:
            here, own = (*at, "rows", row.string("id")), row.string("clause", clause)
            yield "drop-row", here, own, self.gone
            for key in ("when", "then", "else"):
                if key in row.fields:
                    yield from self._condition(row.fields[key], (*here, key), own, negated=key == "when")
        if node.string("policy") == "first":
            yield from self._swap_neighbours(rows, (*at, "rows"), clause)

    def _swap_neighbours(self, rows: Node, at: tuple[str, ...], clause: str) -> Iterator[_Change]:
        """Yield the list with two neighbours changed round, where that makes a difference; the last may be `else`."""
        for number, (one, two) in enumerate(zip(rows.items, rows.items[1:], strict=False)):
            if "when" in two.fields and _outcome(one) != _outcome(two):
                order = [*rows.items[:number], two, one, *rows.items[number + 2 :]]
                yield "swap-neighbours", at, two.string("clause", clause), {"value": Node(tuple(order), rows.place)}

    def _action(self, node: Node, at: tuple[str, ...]) -> Iterator[_Change]:
        clause, by = node.string("clause"), node.fields["by"]
        yield from self._expression(by.fields["who"], (*at, "by", "who"), by.string("clause", clause))
        params = node.get("params")
        for name, item in params.fields.items() if params else ():
            yield from self._expression(item.fields["in"], (*at, "params", name, "in"), item.string("clause", clause))
        legal = node.fields["legal"]
        if _text(legal) != "True":
            yield "legal-always", (*at, "legal"), clause, {"value": Node(value=True, place=legal.place)}
        yield from self._expression(legal, (*at, "legal"), clause)
        yield from self._effects(node.fields["do"], (*at, "do"), clause)

    def _effects(self, effects: Node | None, at: tuple[str, ...], clause: str) -> Iterator[_Change]:
        for node in effects.items if effects else ():
            here, own = (*at, find_id(node)), node.string("clause", clause)
            yield "drop-effect", here, own, self.gone
            for key in ("set", "add", "move", "draw", "to", "from", "by", "be", "in"):
                if key in node.fields:
                    yield from self._expression(node.fields[key], (*here, key), own)
            if "if" in node.fields:
                yield from self._condition(node.fields["if"], (*here, "if"), own)
            for key in ("do", "then", "else"):
                yield from self._effects(node.get(key), (*here, key), own)
            if "cases" in node.fields:
                yield from self._cases(node.fields["cases"], (*here, "cases"), own)

    def _cases(self, cases: Node, at: tuple[str, ...], clause: str) -> Iterator[_Change]:
        for case in cases.items:
            here, own = (*at, case.string("id")), case.string("clause", clause)
            yield "drop-row", here, own, self.gone
            if "when" in case.fields:
                yield from self._condition(case.fields["when"], (*here, "when"), own)
            yield from self._effects(case.fields["do"], (*here, "do"), own)
        yield from self._swap_neighbours(cases, at, clause)

    def _mutate_show(self, node: Node, at: tuple[str, ...], clause: str) -> Iterator[_Change]:
        if not isinstance(node.value, dict):
            yield from self._expression(node, at, clause)
            return
        clause = _clause(node, clause)
        if "show" not in node.fields:
            for key, field in node.fields.items():
                yield from self._mutate_show(field, (*at, key), clause)
            return
        for key in ("when", "seen"):
            if key in node.fields:
                yield from self._condition(node.fields[key], (*at, key), clause)
        if "in" in node.fields:
            yield from self._expression(node.fields["in"], (*at, "in"), clause)
        yield from self._mutate_show(node.fields["show"], (*at, "show"), clause)

    def _condition(self, node: Node, at: tuple[str, ...], clause: str, *, negated: bool = True) -> Iterator[_Change]:
        if negated:
            yield self._negate(node, at, clause)
        yield from self._expression(node, at, clause)

    def _negate(self, node: Node, at: tuple[str, ...], clause: str) -> _Change:
        return "negate", at, clause, {"value": Node(f"not ({_text(node)})", node.place)}

    def _expression(self, node: Node, at: tuple[str, ...], clause: str) -> Iterator[_Change]:
        for operator, tree in _edits(ast.parse(_text(node).strip(), mode="eval").body):
            yield operator, at, clause, {"value": Node(ast.unparse(tree), node.place)}


def _clause(node: Node, otherwise: str) -> str:
    """Return the clause of a show, which may be an expression alone or a record without one."""
    own = node.value.get("clause") if isinstance(node.value, dict) and "show" in node.value else None
    return otherwise if own is None else own.text


def _outcome(row: Node) -> object:
    """Return what a row or a case comes to."""
    return next(node.plain() for key, node in row.fields.items() if key in ("then", "do", "else"))


def _text(node: Node) -> str:
    """Return an expression as it is parsed."""
    return str(node.value)


def _leaves(node: Node) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Yield the leaves of nested mappings, with the keys that lead there."""
    for key, item in node.fields.items():
        if isinstance(item.value, dict):
            yield from (((key, *keys), leaf) for keys, leaf in _leaves(item))
        else:
            yield (key,), item


def _shift(node: Node) -> Iterator[Node]:
    """Yield a number one more and one less; of a list, the whole list with one of its numbers shifted."""
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        yield from (Node(node.value + step, node.place) for step in (1, -1))
    elif isinstance(node.value, tuple):
        for number, item in enumerate(node.value):
            for value in _shift(item):
                yield Node(_with(node.value, number, value), node.place)


def _with(items: Sequence[_Item], number: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:number], item, *items[number + 1 :])


# Expressions ----------------------------------------------------------------------------------------------------------

_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_TURNED = {"next": "previous", "previous": "next"}


def _edits(tree: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the expression with one thing changed in it, by every operator and at every place."""
    yield from _edits_here(tree)
    for field, part in ast.iter_fields(tree):
        for operator, changed in _edits_within(part):
            yield operator, _replace_field(tree, field, changed)


def _edits_within(part: object) -> Iterator[tuple[str, object]]:
    if isinstance(part, ast.expr):
        yield from _edits(part)
    elif isinstance(part, (ast.comprehension, ast.keyword)):
        if isinstance(part, ast.comprehension):
            for number in range(len(part.ifs)):
                yield "drop-conjunct", _replace_field(part, "ifs", part.ifs[:number] + part.ifs[number + 1 :])
        for field, inner in ast.iter_fields(part):
            for operator, changed in _edits_within(inner):
                yield operator, _replace_field(part, field, changed)
    elif isinstance(part, list):
        for number, item in enumerate(part):
            for operator, changed in _edits_within(item):
                yield operator, [*_with(part, number, changed)]


_Tree = TypeVar("_Tree", bound=ast.AST)


def _replace_field(tree: _Tree, field: str, part: object) -> _Tree:
    made = copy.copy(tree)
    setattr(made, field, part)
    return made


def _edits_here(tree: ast.expr) -> Iterator[tuple[str, ast.expr]]:  # noqa: C901 - one flat match, a case a form
    """Yield what the operators make of the outermost operation of an expression."""
    match tree:
        case ast.BoolOp(values=values):
            for number in range(len(values)):
                rest = values[:number] + values[number + 1 :]
                yield "drop-conjunct", rest[0] if len(rest) == 1 else _replace_field(tree, "values", rest)
        case ast.Compare(ops=ops):
            for number, op in enumerate(ops):
                if type(op) in _SWAPPED:
                    yield "swap-comparison", _replace_field(tree, "ops", [*_with(ops, number, _SWAPPED[type(op)]())])
        case ast.IfExp(test=test):
            yield "negate", _replace_field(tree, "test", ast.UnaryOp(ast.Not(), test))
        case ast.Constant(value=bool(value)):
            yield "flip-verdict", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield from (("off-by-one", ast.Constant(value + step)) for step in (1, -1))
        case ast.Call(func=ast.Name(id=("next" | "previous") as name)):
            yield "other-direction", _replace_field(tree, "func", ast.Name(_TURNED[name]))
        case ast.Call(func=ast.Name(id="team")):
            yield "other-team", ast.Call(ast.Name("other"), [tree], [])
        case ast.Call(func=ast.Name(id="other"), args=[argument]):
            yield "other-team", argument
