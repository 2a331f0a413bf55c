"""Nodes of made rules, built of plain values and of what the chapters have at a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from brou.errors import NOWHERE, Place
from brou.language.node import Node

#: What nodes are built of; a node keeps its place, all else stands where its record stands.
Built: TypeAlias = "Node | str | int | bool | None | Sequence[Built] | Mapping[str, Built]"


def build(value: Built, place: Place) -> Node:
    """Return a value as a node that stands at a place; members of mappings that are None are left out.

    A mapping stands where the first of its members stands that comes from a file: so a row of a table that is made of a
    clause has the place of the condition in that clause.
    """
    if isinstance(value, Node):
        return value
    if isinstance(value, Mapping):
        own = (member.place for member in value.values() if isinstance(member, Node) and member.place != NOWHERE)
        stands = next(own, place)
        return Node({str(key): build(member, stands) for key, member in value.items() if member is not None}, stands)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return Node(tuple(build(member, place) for member in value), place)
    return Node(str(value) if isinstance(value, str) else value, place)
