"""What a data file says, every value with its place."""

from __future__ import annotations

from typing import TypeAlias

from brou.dataclass import dataclass
from brou.errors import Fault, Malformed, Place

Scalar: TypeAlias = str | int | bool | None
Plain: TypeAlias = "Scalar | list[Plain] | dict[str, Plain]"


class PlacedFields(dict[str, "Node"]):
    """The members of a mapping as a file has them, with line and column of each key; it is equal to any dict of these.

    Places are made of these when a message asks: a file has thousands of keys, and hardly any is ever told.
    """

    __slots__ = ("starts",)

    def __init__(self) -> None:
        super().__init__()
        self.starts: dict[str, tuple[int, int]] = {}


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a YAML file with its place: a scalar, a tuple of nodes, or a dict of nodes by key."""

    value: Scalar | tuple[Node, ...] | dict[str, Node]
    place: Place

    def plain(self) -> Plain:
        """Return the value without places."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, tuple):
            return [node.plain() for node in self.value]
        return self.value

    @property
    def fields(self) -> dict[str, Node]:
        """Return the members of a mapping; an absent (null) mapping has none."""
        if self.value is None:
            return {}
        if not isinstance(self.value, dict):
            raise Malformed([Fault(self.place, "a mapping is needed here", "write `key: value` pairs")])
        return self.value

    def find_key(self, key: str) -> Place:
        """Return the place of a key of a mapping: that of its value if no file has it, else that of the mapping."""
        members = self.value
        if isinstance(members, PlacedFields) and key in members.starts:
            return Place(self.place.file, *members.starts[key])
        return members[key].place if isinstance(members, dict) and key in members else self.place

    @property
    def items(self) -> tuple[Node, ...]:
        """Return the members of a list; an absent (null) list has none."""
        if self.value is None:
            return ()
        if not isinstance(self.value, tuple):
            raise Malformed([Fault(self.place, "a list is needed here", "write `- item` lines or [a, b]")])
        return self.value

    @property
    def text(self) -> str:
        """Return a scalar as it would be written."""
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return str(self.value)

    def get(self, key: str) -> Node | None:
        """Return the member of a mapping, or None."""
        return self.fields.get(key)

    def string(self, key: str, default: str = "") -> str:
        """Return a member's text, or the default where it is absent."""
        node = self.get(key)
        return default if node is None or node.value is None else node.text


def make_node(plain: Plain, place: Place) -> Node:
    """Return a value as a node, with one place for all its parts."""
    if isinstance(plain, dict):
        return Node({key: make_node(member, place) for key, member in plain.items()}, place)
    if isinstance(plain, list):
        return Node(tuple(make_node(member, place) for member in plain), place)
    return Node(plain, place)
