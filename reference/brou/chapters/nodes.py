"""Nodes of generated rules, built of plain values and of what the chapters have at a place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from brou.errors import NOWHERE, Place
from brou.language.node import Node

#: What nodes are built of; a node keeps its place, all else stands where its record stands.
Built: TypeAlias = "Node | str | int | bool | None | Sequence[Built] | Mapping[str, Built]"
#: The key under which a record cites its clause.
_CITATION = "clause"


def build(value: Built, place: Place, spell: Callable[[str], str] = str) -> Node:
    """Return a value as a node that stands at a place; members of mappings that are None are left out.

    A mapping stands where the first of its members stands that comes from a file: so a row of a table that is made of a
    clause has the place of the condition in that clause. `spell` gives the full name of each clause that is cited.
    """
    if isinstance(value, Node):
        return value
    if isinstance(value, str):
        return Node(str(value), place)
    if isinstance(value, Mapping):
        own = (member.place for member in value.values() if isinstance(member, Node) and member.place != NOWHERE)
        stands = next(own, place)
        return Node(
            {
                str(key): Node(spell(str(member)), stands)
                if key == _CITATION and member
                else build(member, stands, spell)
                for key, member in value.items()
                if member is not None
            },
            stands,
        )
    if isinstance(value, Sequence):
        return Node(tuple([build(member, place, spell) for member in value]), place)
    return Node(value, place)
