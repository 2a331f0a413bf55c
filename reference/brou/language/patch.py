"""Patches: the only way to vary rules. They address ids, never positions.

A path such as `tables/play_ok/rows/over/when` goes through keys of mappings
and ids of list members. `value` replaces, `remove` takes away, `before` and
`after` put new members beside the one named, `add` puts new keys into a mapping, and `order` lists the members of a
list anew, by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn

from brou.dataclass import dataclass, replace
from brou.errors import Fault, Invalid
from brou.language.node import Node
from brou.language.recent import Recent


@dataclass(frozen=True, slots=True)
class Patch:
    """One change of a rules file."""

    at: tuple[str, ...]
    node: Node

    @property
    def path(self) -> str:
        """Return the path as it is written."""
        return "/".join(self.at)


def read_patches(node: Node | None) -> tuple[Patch, ...]:
    """Read a list of patches."""
    return tuple(Patch(tuple(item.string("at").split("/")), item) for item in (node.items if node else ()))


def apply_patches(rules: Node, changes: Iterable[Patch]) -> Node:
    """Return the rules with all changes made, in their order; a change that was made before gives the same nodes."""
    for change in changes:
        rules = _patch_node(rules, change, change.at)
    return rules


def find_id(node: Node) -> str:
    """Return the id of a list member: its own, or for an effect its form and its variable."""
    if not isinstance(node.value, dict):
        return node.text
    fields = node.fields
    if "id" in fields:
        return fields["id"].text
    for form in ("set", "add"):
        if form in fields:
            return f"{form}-{_variable(fields[form])}"
    for form in ("move", "draw"):
        if form in fields and "from" in fields and "to" in fields:
            return f"{form}-{_variable(fields['from'])}-{_variable(fields['to'])}"
    for form in ("let", "for", "reset"):
        if form in fields:
            return f"{form}-{fields[form].text}"
    return next((form for form in ("if", "cases", "goto") if form in fields), "")


def _variable(node: Node) -> str:
    return node.text.split("[")[0].strip()


#: What became lately of a node by a patch.
_LATELY: Recent[Node] = Recent(maxsize=2048)


def _patch_node(node: Node, change: Patch, path: Sequence[str]) -> Node:
    """Return a node with a patch made in it, which goes so far on from there."""
    found = _LATELY.find(len(path), node, change)
    return found or _LATELY.keep(_change(node, change, path), len(path), node, change)


def _change(node: Node, change: Patch, path: Sequence[str]) -> Node:
    step, rest = path[0], path[1:]
    if isinstance(node.value, tuple):
        index = next((number for number, item in enumerate(node.value) if find_id(item) == step), None)
        if index is None:
            _missing(change, step, [find_id(item) for item in node.value])
        items = node.value
        made = _patch_member(items[index], change, rest)
        return replace(node, value=(*items[:index], *made, *items[index + 1 :]))
    if not isinstance(node.value, dict) or (step not in node.value and (rest or "value" not in change.node.fields)):
        _missing(change, step, list(node.value) if isinstance(node.value, dict) else [])
    members = dict(node.value)
    if rest:
        members[step] = _patch_node(members[step], change, rest)
        return replace(node, value=members)
    fields = change.node.fields
    if "value" in fields:
        members[step] = fields["value"]
    elif "add" in fields:
        members[step] = _grown(members[step], fields["add"])
    elif "order" in fields:
        members[step] = _put_in_order(members[step], change, fields["order"])
    elif "remove" in fields:
        del members[step]
    else:
        _unsaid(change, "value, add, order or remove")
    return replace(node, value=members)


def _patch_member(item: Node, change: Patch, rest: Sequence[str]) -> tuple[Node, ...]:
    """Return the nodes that take the place of a list member."""
    if rest:
        return (_patch_node(item, change, rest),)
    fields = change.node.fields
    if "value" in fields:
        return (fields["value"],)
    if "before" in fields:
        return (*fields["before"].items, item)
    if "after" in fields:
        return (item, *fields["after"].items)
    if "add" in fields:
        return (_grown(item, fields["add"]),)
    if "remove" not in fields:
        _unsaid(change, "value, before, after, add or remove")
    return ()


def _grown(node: Node, more: Node) -> Node:
    """Return a mapping with new keys."""
    return replace(node, value={**node.fields, **more.fields})


def _put_in_order(node: Node, change: Patch, order: Node) -> Node:
    """Return a list with its members in another order; each has to be named once."""
    by_id = {find_id(item): item for item in node.items}
    wanted = [item.text for item in order.items]
    if sorted(wanted) != sorted(by_id) or len(by_id) < len(node.items):
        _missing(change, ", ".join(wanted), list(by_id))
    return replace(node, value=tuple(by_id[name] for name in wanted))


def _unsaid(change: Patch, verbs: str) -> NoReturn:
    raise Invalid(
        [Fault(change.node.place, f"the patch of {change.path} says nothing that can be done there", f"write {verbs}")]
    )


def _missing(change: Patch, step: str, known: Sequence[str]) -> NoReturn:
    hint = f"there: {', '.join(known)}" if known else "nothing has an id there"
    raise Invalid([Fault(change.node.place, f"the patch address {change.path} names nothing at {step!r}", hint)])
