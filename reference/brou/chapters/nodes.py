"""Nodes of the first notation, built of plain values and of what the chapters have at a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from brou.errors import Place
from brou.language.node import Node

#: What nodes are built of; a node keeps its place, all else stands where its record stands.
Built: TypeAlias = "Node | str | int | bool | None | Sequence[Built] | Mapping[str, Built]"


def build(value: Built, place: Place) -> Node:
    """Return a value as a node that stands at a place; members of mappings that are None are left out."""
    if isinstance(value, Node):
        return value
    if isinstance(value, Mapping):
        return Node({str(key): build(member, place) for key, member in value.items() if member is not None}, place)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return Node(tuple(build(member, place) for member in value), place)
    return Node(str(value) if isinstance(value, str) else value, place)
