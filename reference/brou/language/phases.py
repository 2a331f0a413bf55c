"""The course of play: actions, phases and effects, read over typed functions and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from brou.dataclass import replace
from brou.errors import Fault, Invalid, Place
from brou.language.context import Context, distinct, fields, list_nodes
from brou.language.effects import (
    Add,
    Assign,
    Branch,
    Cases,
    Draw,
    Effect,
    For,
    Goto,
    Let,
    Move,
    Reset,
    Target,
    gotos,
    reset_scopes,
    targets,
    walk_effects,
)
from brou.language.expression import parse
from brou.language.node import Node
from brou.language.patch import find_id
from brou.language.scope import Scope
from brou.language.syntax import Action, Parameter, Phase
from brou.language.tree import Call, Compare, Expression, VariableUse, uses_local, walk
from brou.language.types import BOOL, CARDS, PILE, Domain, Int, Option, Orders, Subsets, Type, fits, inner, meet

#: What each effect begins with: its id, its clause and its place.
_Head: TypeAlias = tuple[str, str, Place]

_FORMS = ("set", "add", "let", "move", "draw", "for", "if", "cases", "reset", "goto")


class PhaseReader:
    """Reads actions and phases; the scope knows all names of the game."""

    def __init__(self, context: Context, scope: Scope) -> None:
        self.context = context
        self.faults = context.faults
        self.material = context.material
        self.scope = scope
        self.player = context.material.world.types["player"]
        self.phases = tuple(context.section("phases"))
        self.actions = tuple(context.section("actions"))

    def action(self, name: str, node: Node) -> Action:
        """Read one action."""
        clause = node.string("clause")
        by = node.fields["by"]
        who = self.who(by.fields["who"], self.scope)
        scope = self.scope.bind("me", self.player)
        parameters = []
        for id_, item in fields(node, "params").items():
            parameter = self.parameter(id_, item, scope, clause)
            parameters.append(parameter)
            scope = self.context.bind(id_, parameter.type, scope, item.place)
        legal = self.context.condition(node.fields["legal"], scope)
        self._check_described(node, parameters, legal)
        requires, scope = self.context.promises(node, scope)
        scope = scope.knowing(legal)
        if isinstance(legal, Call) and (duties := scope.names.callable(legal.name, node.place)) is not None:
            scope = scope.having(duties.find_present(legal.arguments))
        do, _ = self.effects(node.fields["do"], scope, clause)
        by_clause, by_code = by.string("clause", clause), by.string("code")
        code = node.string("code")
        return Action(
            name,
            who,
            by_clause,
            by_code,
            tuple(parameters),
            legal,
            requires,
            do,
            clause,
            code,
            node.place,
            node.string("skill"),
        )

    def who(self, node: Node, scope: Scope) -> Expression:
        """Read the seats that may act: seats, or one seat, which may be None and then is nobody."""
        who = parse(node, scope)
        if isinstance(who.type, Domain) and who.type.element == self.player:
            return who
        if fits(who.type, Option(self.player)):
            return parse(replace(node, value=f"{{p for p in players if p == ({node.text})}}"), scope)
        raise Invalid([Fault(node.place, f"`who` is {who.type}, not seats", "write players, turn, members(team), ...")])

    def _check_described(self, node: Node, parameters: list[Parameter], legal: Expression) -> None:
        """Note where an action that is described, not listed, asks for parameters before they are given."""
        ids = {parameter.id for parameter in parameters}
        asking = [legal, *(parameter.domain for parameter in parameters)]
        if any(parameter.described for parameter in parameters) and any(uses_local(part, *ids) for part in asking):
            what = "an action with orders, subsets or a range asks for its parameters before they are given"
            self.faults.add(node.place, what, "let each domain hold just what is allowed")

    def parameter(self, name: str, node: Node, scope: Scope, clause: str) -> Parameter:
        """Read a parameter and its domain."""
        domain = parse(node.fields["in"], scope)
        type_ = domain.type
        if isinstance(type_, Domain):
            element: Type = type_.element
        elif isinstance(type_, Orders):
            element = PILE
        elif isinstance(type_, Subsets):
            element = CARDS
        elif type_ == CARDS:
            element = self.material.world.types["card"]
        else:
            raise Invalid([Fault(node.place, f"a parameter cannot range over {type_}", "name a set of values")])
        return Parameter(name, element, domain, node.string("clause", clause), node.string("code"), node.place)

    def phase(self, name: str, node: Node) -> Phase:
        """Read one phase."""
        clause = node.string("clause")
        actions = tuple(item.text for item in list_nodes(node.get("actions")))
        for item in list_nodes(node.get("actions")):
            if item.text not in self.actions:
                self.faults.add(item.place, f"unknown action {item.text!r}", f"actions are {', '.join(self.actions)}")
        do: tuple[Effect, ...] = ()
        steps = node.get("do")
        requires, scope = self.context.promises(node, self.scope)
        if steps is not None:
            do, leaves = self.effects(steps, scope, clause)
            if not leaves:
                self.faults.add(
                    (steps.items or (node,))[-1].place,
                    f"the phase {name} can end nowhere",
                    "let every path end with `go:` and a phase",
                )
        final = node.string("final") == "true"
        if sum((bool(actions), bool(do), final)) != 1:
            self.faults.add(node.place, "a phase has either `actions`, or `do`, or `final: true`")
        return Phase(name, requires, do, actions, final, clause, node.place)

    def effects(self, node: Node, scope: Scope, clause: str) -> tuple[tuple[Effect, ...], bool]:
        """Read a list of effects; answer also whether every path through it ends in a `goto`."""
        effects: list[Effect] = []
        left = False
        for item in node.items:
            if left:
                self.faults.add(item.place, "nothing happens after a `goto`", "move it before, or leave it out")
                break
            with self.faults.collecting():
                effect, scope, left = self._effect(item, scope, item.string("clause", clause))
                effects.append(effect)
        distinct([(effect.id, effect.place) for effect in effects], "effect", self.faults)
        return tuple(effects), left

    def _effect(self, node: Node, scope: Scope, clause: str) -> tuple[Effect, Scope, bool]:  # noqa: C901 - one form a case
        """Read one effect; answer the scope behind it and whether it leaves the phase on every path."""
        form = next((key for key in _FORMS if key in node.fields), None)
        if form is None:
            raise Invalid([Fault(node.place, "an effect of unknown form", f"effects are {', '.join(_FORMS)}")])
        head, made = node.fields[form], (find_id(node), clause, node.place)
        match form:
            case "set":
                return *self._read_assignment(made, head, node, scope), False
            case "add":
                return *self._read_addition(made, head, node, scope), False
            case "let":
                value = parse(node.fields["be"], scope)
                let = Let(*made, head.text, value)
                return let, self.context.bind(head.text, value.type, scope, head.place), False
            case "move":
                return *self._read_move(made, head, node, scope), False
            case "draw":
                return *self._read_draw(made, head, node, scope), False
            case "for":
                return *self._read_loop(made, head, node, scope), False
            case "if" | "cases":
                return self._read_cases(made, node, scope)
            case "reset":
                return *self._reset(made, head, scope), False
            case _:
                if head.text not in self.phases:
                    self.faults.add(head.place, f"unknown phase {head.text!r}", f"phases are {', '.join(self.phases)}")
                return Goto(*made, head.text), scope, True

    def _read_assignment(self, made: _Head, head: Node, node: Node, scope: Scope) -> tuple[Effect, Scope]:
        target, value = self.context.target(head, scope), parse(node.fields["to"], scope)
        _check_kept(value, target, head, node)
        if isinstance(value.type, Int) and not meet(value.type, inner(target.type)):
            raise Invalid([Fault(node.place, f"{value.type} is never {inner(target.type)}, which {head.text} is")])
        after = scope.forgetting(target.variable)
        if not _uses(value, target.variable) and not _moves(target):
            after = after.knowing(Compare(BOOL, "==", target.expression, value))
        return Assign(*made, target, value), after

    def _read_addition(self, made: _Head, head: Node, node: Node, scope: Scope) -> tuple[Effect, Scope]:
        target, value = self.context.target(head, scope), parse(node.fields["by"], scope)
        if not (isinstance(target.type, Int) and isinstance(value.type, Int)):
            raise Invalid(
                [Fault(node.place, f"{value.type} cannot be added to {target.type}", "add numbers to numbers")]
            )
        _check_kept(value, target, head, node)
        return Add(*made, target, value), scope.forgetting(target.variable)

    def _read_move(self, made: _Head, head: Node, node: Node, scope: Scope) -> tuple[Effect, Scope]:
        cards = parse(head, scope)
        source, target = self.context.target(node.fields["from"], scope), self.context.target(node.fields["to"], scope)
        if cards.type != CARDS or source.type != CARDS or target.type not in (CARDS, PILE):
            what = f"move of {cards.type} from {source.type} to {target.type}"
            raise Invalid([Fault(node.place, what, "move: cards, from: cards, to: cards")])
        return Move(*made, cards, source, target), scope.forgetting(source.variable).forgetting(target.variable)

    def _read_draw(self, made: _Head, head: Node, node: Node, scope: Scope) -> tuple[Effect, Scope]:
        count = parse(head, scope)
        source, target = self.context.target(node.fields["from"], scope), self.context.target(node.fields["to"], scope)
        if not isinstance(count.type, Int) or source.type != PILE or target.type not in (CARDS, PILE):
            what = f"draw of {count.type} from {source.type} to {target.type}"
            raise Invalid([Fault(node.place, what, "draw: number, from: pile, to: cards")])
        return Draw(*made, count, source, target), scope.forgetting(source.variable).forgetting(target.variable)

    def _read_loop(self, made: _Head, head: Node, node: Node, scope: Scope) -> tuple[Effect, Scope]:
        domain, inside = self.context.ranging(head.text, node.fields["in"], scope)
        written = self._writes(node.fields["do"])
        for name in written:
            inside = inside.forgetting(name)
        _, clause, place = made
        body, left = self.effects(node.fields["do"], inside, clause)
        if left or gotos(body):
            self.faults.add(place, "a `goto` inside `for`", "decide after the loop")
        for name in written:
            scope = scope.forgetting(name)
        return For(*made, head.text, domain, body), scope

    def _read_cases(self, made: _Head, node: Node, scope: Scope) -> tuple[Effect, Scope, bool]:
        cases: list[Branch] = []
        remaining, lefts, closed = scope, [], False
        _, clause, _ = made
        for id_, item, condition, steps in _branches(node):
            when = self.context.condition(condition, remaining) if condition is not None else None
            inside = remaining if when is None else remaining.knowing(when)
            own = item.string("clause", clause) if "when" in item.fields or "else" in item.fields else clause
            body, left = self.effects(steps, inside, own)
            cases.append(Branch(id_, when, body, own, item.place))
            lefts.append(left)
            closed = closed or when is None
            if when is not None:
                remaining = remaining.knowing(when, holds=False)
        distinct([(case.id, case.place) for case in cases], "case", self.faults)
        for case in cases[:-1]:
            if case.when is None:
                self.faults.add(case.place, "cases after `else` never come to pass", "put `else: true` last")
        after = scope
        going = [case for case, left in zip(cases, lefts, strict=True) if not left]
        if not closed or not going:
            after = remaining if all(lefts) else scope
        for case in going:
            for name in self._written_names(case.body):
                after = after.forgetting(name)
        return Cases(*made, tuple(cases)), after, closed and all(lefts)

    def _reset(self, made: _Head, head: Node, scope: Scope) -> tuple[Effect, Scope]:
        scopes = self.material.scopes
        if head.text not in scopes:
            self.faults.add(head.place, f"unknown scope {head.text!r}", f"scopes are {', '.join(scopes)}")
        else:
            for name in self._within(head.text):
                scope = scope.forgetting(name)
        return Reset(*made, head.text), scope

    def _within(self, scope: str) -> set[str]:
        """Return the variables that the reset of a scope sets back: its own and those of the scopes inside it."""
        scopes = self.material.scopes
        inner = scopes[scopes.index(scope) :] if scope in scopes else ()
        return {name for name, variable in self.material.state.items() if variable.scope in inner}

    def _writes(self, node: Node) -> set[str]:
        """Return the variables that a list of effects may write, read off before it is typed."""
        found: set[str] = set()
        for item in node.items:
            for key in ("set", "add", "from", "to"):
                if key in item.fields and isinstance(item.fields[key].value, str):
                    found.add(item.fields[key].text.split("[")[0].strip())
            if "reset" in item.fields:
                found |= self._within(item.fields["reset"].text)
            for key in ("do", "then", "else"):
                if key in item.fields and isinstance(item.fields[key].value, tuple):
                    found |= self._writes(item.fields[key])
            if "cases" in item.fields:
                for case in item.fields["cases"].items:
                    found |= self._writes(case.fields["do"])
        return found

    def _written_names(self, body: Iterable[Effect]) -> set[str]:
        found = {target.variable for effect in walk_effects(body) for target in targets(effect)}
        return found.union(*(self._within(scope) for scope in reset_scopes(body)))

    def check_flow(self, phases: Mapping[str, Phase]) -> None:
        """Automatic phases never run in a circle, so that every act ends."""
        ahead = {
            name: {goto for goto in gotos(phase.do) if goto in phases and phases[goto].do}
            for name, phase in phases.items()
        }
        for name in [name for name in phases if name in _find_reachable(name, ahead)]:
            self.faults.add(
                phases[name].place, f"the automatic phase {name} can lead back to itself without a decision"
            )


def _check_kept(value: Expression, target: Target, head: Node, node: Node) -> None:
    """Raise `Invalid` unless a target can hold a value."""
    if not fits(value.type, target.type):
        hint = "test it for None first" if fits(value.type, Option(target.type)) else ""
        raise Invalid([Fault(node.place, f"{value.type} cannot be kept in {head.text}, which is {target.type}", hint)])


def _uses(expression: Expression, variable: str) -> bool:
    """Say whether a value may hang on a variable of the state; what a function hangs on is not looked into."""
    return any(
        isinstance(one, Call) or (isinstance(one, VariableUse) and one.name == variable) for one in walk(expression)
    )


def _moves(target: Target) -> bool:
    """Say whether a write to the target may change which element it names."""
    return any(_uses(step.key, target.variable) for step in target.steps)


def _branches(node: Node) -> Iterator[tuple[str, Node, Node | None, Node]]:
    """Yield id, node, condition and effects of every branch of an `if` or `cases`."""
    if "if" in node.fields:
        yield "then", node, node.fields["if"], node.fields["then"]
        otherwise = node.get("else")
        if otherwise is not None:
            yield "else", node, None, otherwise
        return
    for item in node.fields["cases"].items:
        yield item.string("id"), item, item.get("when"), item.fields["do"]


def _find_reachable(name: str, ahead: Mapping[str, set[str]]) -> set[str]:
    """Return the phases that one leads to, through others too."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = ahead[waiting.pop()] - found
        found |= new
        waiting += new
    return found
