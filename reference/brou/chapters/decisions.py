"""Decision tables: what the duties of an act and their exceptions amount to, condition by condition."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from brou.chapters.conditions import Answer, decide, list_parts
from brou.chapters.duties import BindingDuty, DutyTables
from brou.chapters.exemptions import Exemptions
from brou.chapters.law import Law
from brou.chapters.rules import ActRule, Exemption
from brou.chapters.scope import Letters
from brou.chapters.terms import slug
from brou.dataclass import dataclass
from brou.errors import Unknown


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """One line: an answer to each condition, and the duty or special case by which an act is then refused."""

    answers: tuple[Answer, ...]
    refused: BindingDuty


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """When one duty binds: its conditions, and the lines in which it does; in all other cases it does not.

    No two lines hold at once. A condition that makes no difference to a line has no answer there. That two conditions
    cannot both hold is not known here, so that a line may never come to pass.
    """

    duty: str
    conditions: tuple[str, ...]
    lines: tuple[DecisionLine, ...]


def tabulate(law: Law, act: str) -> tuple[ActRule, tuple[DecisionTable, ...]]:
    """Return an act with the decision table of each of its duties; raise `Unknown` where there is no such act."""
    exemptions = Exemptions(law)
    duties = DutyTables(law, Letters(law), exemptions)
    if act not in duties.acts:
        raise Unknown("act", act, duties.acts)
    spelt = {slug(one.label): exemptions.lifting(one) for one in law.of_kind(Exemption)}
    groups: dict[str, dict[BindingDuty, ast.expr]] = {}
    for one in duties.binding(duties.acts[act]):
        groups.setdefault(one.duty, {})[one] = _tree(one.when, spelt)
    return duties.acts[act], tuple(_table(duty, bound) for duty, bound in groups.items())


def _table(duty: str, bound: Mapping[BindingDuty, ast.expr]) -> DecisionTable:
    conditions = tuple(dict.fromkeys(name for tree in bound.values() for name in list_parts(tree, _plain)))
    return DecisionTable(duty, conditions, tuple(_lines(bound, conditions, {})))


def _tree(text: str, spelt: Mapping[str, str]) -> ast.expr:
    """Return the tree of a condition with the condition of each exemption in the place of its name."""
    found: ast.expr = _Spelling(spelt).visit(ast.parse(text, mode="eval").body)
    return found


class _Spelling(ast.NodeTransformer):
    """Puts the condition of an exemption in the place of its name; both have the letters of the act."""

    def __init__(self, spelt: Mapping[str, str]) -> None:
        self.spelt = spelt

    def visit_Name(self, node: ast.Name) -> ast.expr:
        text = self.spelt.get(node.id)
        return node if text is None else _tree(text, self.spelt)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return self.visit_Name(node.func) if isinstance(node.func, ast.Name) and node.func.id in self.spelt else node


def _plain(tree: ast.expr) -> tuple[str, bool]:
    """Return a condition, `!=` spelt as `==` and `not in` as `in`, and False where it was spelt so."""
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], (ast.NotEq, ast.NotIn)):
        operator = ast.Eq() if isinstance(tree.ops[0], ast.NotEq) else ast.In()
        return ast.unparse(ast.Compare(tree.left, [operator], tree.comparators)), False
    return ast.unparse(tree), True


def _lines(
    bound: Mapping[BindingDuty, ast.expr], conditions: Sequence[str], answers: Mapping[str, bool]
) -> Iterator[DecisionLine]:
    """Yield the lines below some answers; a condition whose answer makes no difference is not asked."""
    decided = {duty: decide(tree, answers, _plain) for duty, tree in bound.items()}
    if None not in decided.values():
        yield from (DecisionLine((None,) * len(conditions), duty) for duty, binds in decided.items() if binds)
        return
    at = next(number for number, name in enumerate(conditions) if name not in answers)
    yes, no = (list(_lines(bound, conditions, {**answers, conditions[at]: value})) for value in (True, False))
    if yes == no:
        yield from yes
        return
    for value, lines in ((True, yes), (False, no)):
        for line in lines:
            yield DecisionLine((*line.answers[:at], value, *line.answers[at + 1 :]), line.refused)
