"""What every reader of rules needs: the file, what the game is made of, the faults found, and small readings."""

from __future__ import annotations

from collections.abc import Iterable

from brou.dataclass import dataclass, replace
from brou.errors import Fault, Invalid, Place
from brou.language.declarations import Faults, Material, read_type
from brou.language.effects import Target
from brou.language.expression import parse
from brou.language.node import Node
from brou.language.scope import Scope
from brou.language.tree import Expression, find_variable
from brou.language.types import BOOL, UNBOUNDED, Type, element_of


@dataclass(frozen=True, slots=True)
class Context:
    """A rules file while it is read."""

    rules: Node
    material: Material
    faults: Faults

    def section(self, name: str) -> dict[str, Node]:
        """Return the members of a section of the file, none if it is absent."""
        return fields(self.rules, name)

    def type(self, node: Node) -> Type:
        """Read a type as rule files write it."""
        return read_type(node, self.material.world.types, self._read_bound, self.faults)

    def _read_bound(self, text: str, place: Place) -> int:
        value = self.material.params[text].value if text in self.material.params else text
        try:
            number = None if isinstance(value, tuple) else int(value)
        except ValueError:
            number = None
        if number is None:
            self.faults.add(place, f"{text!r} is no number", "bounds are numbers or names of numbers in params")
            return 0
        if abs(number) > UNBOUNDED:  # itself it is a bound: that of what nothing is known of
            self.faults.add(place, f"the number {number}", f"numbers of rules lie within {UNBOUNDED}")
        return number

    def condition(self, node: Node, scope: Scope) -> Expression:
        """Read an expression that is true or false."""
        expression = parse(node, scope)
        if expression.type != BOOL:
            raise Invalid([Fault(node.place, f"a condition is needed, this is {expression.type}")])
        return expression

    def promises(self, node: Node, scope: Scope) -> tuple[tuple[Expression, ...], Scope]:
        """Read what a record requires, and the scope in which it holds."""
        requires: list[Expression] = []
        for condition in list_nodes(node.get("require")):
            requires.append(self.condition(condition, scope))
            scope = scope.knowing(requires[-1])
        return tuple(requires), scope

    def ranging(self, name: str, node: Node, scope: Scope) -> tuple[Expression, Scope]:
        """Read what a name ranges over; answer it with the scope in which the name is bound."""
        domain = parse(node, scope)
        element = element_of(domain.type, self.material.world.types["card"])
        if element is None:
            raise Invalid([Fault(node.place, f"`{node.text}` is {domain.type}, nothing to range over")])
        return domain, self.bind(name, element, scope, node.place)

    def bind(self, name: str, type_: Type, scope: Scope, place: Place) -> Scope:
        """Return the scope with a local more; a name that means something already is a fault."""
        material = self.material
        if (name == "me" and name in scope.locals) or name in (*material.state, *material.constants, *material.params):
            self.faults.add(place, f"the local name {name!r} hides a name of the game", "choose another")
        return scope.bind(name, type_)

    def target(self, node: Node, scope: Scope) -> Target:
        """Read the target of an effect: a variable of the state, or an element of one; it may be None again."""
        expression = parse(node, scope)
        found = find_variable(expression)
        if found is None:
            raise Invalid([Fault(node.place, f"`{node.text}` cannot be written", "write to a variable of the state")])
        variable, steps = found
        whole = steps[-1].whole.element if steps else self.material.state[variable.name].type
        return Target(replace(expression, type=whole), variable.name, steps)


def fields(node: Node, key: str) -> dict[str, Node]:
    """Return the members of a mapping inside a mapping, none if it is absent."""
    member = node.get(key)
    return {} if member is None else member.fields


def list_nodes(node: Node | None) -> tuple[Node, ...]:
    """Return the members of a list; a single value counts as a list of one."""
    if node is None or node.value is None:
        return ()
    return node.items if isinstance(node.value, tuple) else (node,)


def distinct(ids: Iterable[tuple[str, Place]], kind: str, faults: Faults) -> None:
    """Note every id that two neighbours have."""
    seen: set[str] = set()
    for id_, place in ids:
        if id_ in seen:
            faults.add(place, f"a second {kind} {id_!r}", f"give each {kind} an `id:` of its own")
        seen.add(id_)
