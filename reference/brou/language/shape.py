"""Shape: a data file against the JSON Schema of its kind, every fault with the place it stands at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from brou.errors import MOST_FAULTS, Fault, Malformed
from brou.language.node import Node, Plain
from brou.language.recent import Recent
from brou.written import read_named

#: Every kind of data file by its `format`; the schema of a kind bears its name.
KINDS = {
    "brou/1": "rules",
    "brou-lib/1": "lib",
    "brou-clauses/1": "clauses",
    "brou-ambiguities/1": "ambiguities",
    "brou-editions/1": "editions",
    "brou-sources/1": "sources",
    "brou-glossary/1": "glossary",
    "brou-reviewed/1": "reviewed",
    "brou-book/1": "book",
    "brou-conduct/1": "conduct",
    "brou-obligations/1": "obligations",
    "brou-witnesses/1": "witnesses",
    "brou-frequencies/1": "frequencies",
    "brou-mutants/1": "mutants",
    "brou-differences/1": "differences",
    "brou-cards/1": "cards",
    "brou-record/1": "record",
    "brou-position/1": "position",
}


def kind_of(node: Node) -> str:
    """Return which kind of data file this is, by its `format`."""
    written = node.string("format") if isinstance(node.value, dict) else ""
    if written not in KINDS:
        instead = f"write `format:` with one of {', '.join(KINDS)}"
        raise Malformed([Fault(node.place, f"no data file of a known format ({written or 'none given'})", instead)])
    return KINDS[written]


@lru_cache(maxsize=16)
def validator(path: Path) -> Any:
    """Return the compiled schema of a file."""
    import jsonschema_rs  # noqa: PLC0415 - only where shapes are checked

    return jsonschema_rs.validator_for(json.loads(read_named(path)))


def shape_faults(node: Node, schema: Path) -> Iterator[Fault]:
    """Yield what differs from a schema, innermost faults of alternatives first."""
    found = (fault for error in validator(schema).iter_errors(_plain(node, 2)) for fault in _told(node, error))
    yield from islice(found, MOST_FAULTS)


#: What records of files were lately without places.
_LATELY: Recent[Plain] = Recent(maxsize=2048)


def _plain(node: Node, levels: int) -> Plain:
    """Return a file without places; mappings so many levels deep are made once, and nobody may change them."""
    if not isinstance(node.value, dict):
        return node.plain()
    if levels:
        return {key: _plain(member, levels - 1) for key, member in node.value.items()}
    return _LATELY.find("", node) or _LATELY.keep(node.plain(), "", node)


def _told(node: Node, error: Any) -> Iterator[Fault]:
    path = list(error.instance_path)
    message, hint = error.message, ""
    kind = type(error.kind).__name__
    branches = getattr(error.kind, "context", None)
    if branches:
        best = _likeliest(_at(node, path), branches)
        if best:
            for inner in best:
                yield from _told(node, inner)
            return
    if "AdditionalProperties" in kind:
        unknown = list(error.kind.unexpected)
        target = _at(node, path)
        for key in unknown:
            child = target.fields.get(key, target) if isinstance(target.value, dict) else target
            yield Fault(child.place, f"unknown key {key!r}", "leave it out, or see the schema of this kind of file")
        return
    if len(message) > 200:
        message = f"{message[:160]} ..."
    yield Fault(_at(node, path).place, message, hint)


def _likeliest(node: Node, branches: Sequence[Sequence[Any]]) -> Sequence[Any] | None:
    """Of several alternatives, return the faults of the one that was probably meant: the fewest and deepest."""
    told = [list(branch) for branch in branches if branch]
    if not told:
        return None
    return min(told, key=lambda errors: (len(errors), -max(len(list(e.instance_path)) for e in errors)))


def _at(node: Node, path: Sequence[str | int]) -> Node:
    for step in path:
        members = node.value
        if isinstance(members, dict):
            node = members.get(str(step), node)
        elif isinstance(members, tuple) and isinstance(step, int):
            node = members[step]
    return node
