"""Short entries of a deal, and phrases: two sections of a rules file over the typed game."""

from __future__ import annotations

import re

from brou.errors import Fault, Invalid
from brou.language.context import Context, distinct, fields, list_nodes
from brou.language.expression import parse
from brou.language.node import Node
from brou.language.phases import PhaseReader
from brou.language.scope import Scope
from brou.language.syntax import Action, Argument, Check, Deed, Entry, Parameter, Phrase
from brou.language.tree import Expression, uses_local
from brou.language.types import BOOL, fits, fits_bounds

#: A name in braces inside a text.
SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class Summaries:
    """Reads entries and phrases; the course knows the actions and phases that they lead to."""

    def __init__(self, context: Context, course: PhaseReader, scope: Scope) -> None:
        self.context = context
        self.course = course
        self.scope = scope
        self.actions: dict[str, Action] = {}

    def phrase(self, name: str, node: Node) -> Phrase:
        """Read the texts of an expression; only a condition can have a text for its failure."""
        arguments = tuple(Argument(id_, self.context.type(type_)) for id_, type_ in fields(node, "args").items())
        scope = self.scope
        for argument in arguments:
            scope = self.context.bind(argument.name, argument.type, scope, node.place)
        body = parse(node.fields["is"], scope)
        if body.type != BOOL and node.get("deny") is not None:
            self.context.faults.add(node.place, f"{name} is {body.type}, which cannot fail", "leave `deny` out")
        unused = [argument.name for argument in arguments if not uses_local(body, argument.name)]
        if unused:
            what = f"{name} does not speak of {', '.join(unused)}"
            self.context.faults.add(node.place, what, "leave out arguments that its expression does not use")
        known = {*self.context.material.params, *self.context.material.attributes, *(a.name for a in arguments)}
        for text in (text for key in ("say", "deny") for text in fields(node, key).values()):
            for slot in sorted(set(SLOT.findall(text.text)) - known):
                instead = f"there are {', '.join(sorted(known))}"
                self.context.faults.add(text.place, f"{{{slot}}} is no argument, parameter or attribute", instead)
        return Phrase(name, arguments, body, words(node, "say"), words(node, "deny"), node.place)

    def entry(self, name: str, node: Node) -> Entry:
        """Read one entry: its domain, its checks, its effects and its acts."""
        clause = node.string("clause")
        each, domain, scope = "", None, self.scope
        if node.get("each") is not None:
            each = node.fields["each"].text
            domain, scope = self.context.ranging(each, node.fields["in"], scope)
        parameters: list[Parameter] = []
        for id_, item in fields(node, "params").items():
            parameter = self.course.parameter(id_, item, scope, clause)
            parameters.append(parameter)
            scope = self.context.bind(id_, parameter.type, scope, item.place)
        checks: list[Check] = []
        for item in list_nodes(node.get("refuse")):
            check = self._check(item, scope, clause)
            checks.append(check)
            scope = scope.knowing(check.when, holds=False)
        distinct([(check.id, check.place) for check in checks], "check", self.context.faults)
        do, left = self.course.effects(node.fields["do"], scope, clause) if node.get("do") else ((), False)
        acts = tuple(self._deed(item, scope) for item in list_nodes(node.get("acts")))
        # What the acts have changed nobody knows; nothing is proved any more.
        after = Scope(scope.names, scope.locals)
        then, gone = self.course.effects(node.fields["then"], after, clause) if node.get("then") else ((), False)
        settles = node.string("settles") == "true"
        if settles and not (left or gone or acts):
            what = f"{name} settles a deal and leads nowhere"
            self.context.faults.add(node.place, what, "end its effects with `goto:`, or let an act end the deal")
        many = node.string("many") == "true"
        say = words(node, "say")
        return Entry(
            name, each, domain, many, settles, tuple(parameters), tuple(checks), do, acts, then, clause, say, node.place
        )

    def _check(self, node: Node, scope: Scope, clause: str) -> Check:
        when = self.context.condition(node.fields["when"], scope)
        blames = node.string("blames")
        entries = self.context.section("summary")
        if blames and blames not in entries:
            known = ", ".join(entries)
            self.context.faults.add(node.fields["blames"].place, f"unknown entry {blames!r}", f"there are {known}")
        cited, code = node.string("clause", clause), node.string("code")
        return Check(node.string("id"), when, cited, code, words(node, "say"), blames, node.place)

    def _deed(self, node: Node, scope: Scope) -> Deed:
        """Read an act that belongs to an entry; its parameters are those of the action."""
        name = node.fields["act"].text
        if name not in self.actions:
            known = ", ".join(self.actions)
            raise Invalid([Fault(node.fields["act"].place, f"unknown action {name!r}", f"actions are {known}")])
        when = None if node.get("when") is None else self.context.condition(node.fields["when"], scope)
        if when is not None:
            scope = scope.knowing(when)
        given = fields(node, "with")
        wanted = {parameter.id: parameter for parameter in self.actions[name].parameters}
        if set(given) != set(wanted):
            what = f"{name} takes {', '.join(wanted) or 'nothing'}, not {', '.join(given) or 'nothing'}"
            raise Invalid([Fault(node.place, what)])
        by = self.course.who(node.fields["by"], scope)
        return Deed(
            name, by, {id_: _read_given(item, wanted[id_], scope) for id_, item in given.items()}, when, node.place
        )


def words(node: Node, key: str) -> dict[str, str]:
    """Return a text by language, nothing if it is absent."""
    return {language: text.text for language, text in fields(node, key).items()}


def _read_given(node: Node, parameter: Parameter, scope: Scope) -> Expression:
    value = parse(node, scope)
    if not (fits(value.type, parameter.type) and fits_bounds(value.type, parameter.type)):
        raise Invalid([Fault(node.place, f"`{node.text}` is {value.type} where {parameter.type} is needed")])
    return value
