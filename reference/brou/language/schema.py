"""Shape: a data file against the JSON Schema of its kind, every fault with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

from brou.atomic import read_named
from brou.errors import MOST_FAULTS, Fault, Malformed, Place, nearest
from brou.language.node import Node, Plain
from brou.language.recent import Recent
from brou.validation import SchemaMismatch, Validator, compile_schema

#: How long a sentence about a fault may be, and how much of a longer one is shown.
_LONGEST, _SHOWN = 200, 160

#: Up to so many known keys are all named beside an unknown one; of more, so many at most that are like it.
_FEW, _NEAR = 8, 3

#: Every kind of data file by its `format`; the schema of a kind bears its name.
KINDS = {
    "brou/1": "rules",
    "brou-sources/1": "sources",
    "brou-errata/1": "errata",
    "brou-glossary/1": "glossary",
    "brou-language/1": "language",
    "brou-reviewed/1": "reviewed",
    "brou-book/1": "book",
    "brou-players/1": "players",
    "brou-conduct/1": "conduct",
    "brou-obligations/1": "obligations",
    "brou-witnesses/1": "witnesses",
    "brou-frequencies/1": "frequencies",
    "brou-mutants/1": "mutants",
    "brou-quick/1": "quick",
    "brou-bites/1": "bites",
    "brou-fork/1": "fork",
    "brou-differences/1": "differences",
    "brou-cards/1": "cards",
    "brou-record/1": "record",
    "brou-position/1": "position",
    "brou-agreement/1": "agreement",
}


#: The formats of files that are checked together with their folder: those of games in chapters.
_TOGETHER = frozenset(f"brou-{kind}/2" for kind in ("game", "chapter", "sheet", "prelude", "packs", "words"))


#: The formats of files that were kept beside rules before there were chapters.
_GIVEN_UP = frozenset(f"brou-{kind}/1" for kind in ("clauses", "ambiguities", "editions"))


def is_of_chapters(node: Node) -> bool:
    """Say whether a file is one of a game in chapters, or of what such games share, by its `format`."""
    return isinstance(node.value, dict) and node.string("format") in _TOGETHER


def find_kind(node: Node) -> str:
    """Return which kind of data file this is, by its `format`."""
    written = node.string("format") if isinstance(node.value, dict) else ""
    if is_of_chapters(node):
        instead = "run `brou check` on the folder that holds `games` and `prelude`"
        raise Malformed([Fault(node.place, f"a file of a game in chapters ({written}) means nothing alone", instead)])
    if written in _GIVEN_UP:
        what = f"a file of the old notation ({written}), which is read no more"
        raise Malformed([Fault(node.place, what, "write the game in chapters, as docs/language.md says")])
    if written not in KINDS:
        instead = f"write `format:` with one of {', '.join(KINDS)}"
        raise Malformed([Fault(node.place, f"no data file of a known format ({written or 'none given'})", instead)])
    return KINDS[written]


@lru_cache(maxsize=16)
def validator(path: Path) -> Validator:
    """Return the compiled schema of a file."""
    return compile_schema(json.loads(read_named(path)))


def shape_faults(node: Node, schema: Path) -> Iterator[Fault]:
    """Yield the differences from a schema, innermost faults of alternatives first."""
    errors = list(islice(validator(schema).iter_errors(_plain(node, 2)), MOST_FAULTS))
    found = (fault for error in _pair_misspelt(errors) for fault in _convert_error(node, error, schema.name))
    yield from islice(found, MOST_FAULTS)


def _pair_misspelt(errors: Sequence[SchemaMismatch]) -> list[SchemaMismatch]:
    """Return mismatches without those of keys that are missing only because they are misspelt."""
    misspelt = {(error.path, near) for error in errors for key in error.unknown for near in nearest(key, error.known)}
    return [error for error in errors if (error.path, error.missing) not in misspelt]


#: What records of files were lately without places.
_LATELY: Recent[Plain] = Recent(maxsize=2048)


def _plain(node: Node, levels: int) -> Plain:
    """Return a file without places; mappings so many levels deep are made once, and nobody may change them."""
    if not isinstance(node.value, dict):
        return node.plain()
    if levels:
        return {key: _plain(member, levels - 1) for key, member in node.value.items()}
    return _LATELY.find("", node) or _LATELY.keep(node.plain(), "", node)


def _convert_error(node: Node, error: SchemaMismatch, schema: str) -> Iterator[Fault]:
    if best := _likeliest(error.branches):
        for inner in best:
            yield from _convert_error(node, inner, schema)
        return
    target = _at(node, error.path)
    for key in error.unknown:
        instead = f"{_suggest_keys(key, error.known)}; see spec/schemas/{schema}"
        yield Fault(target.find_key(key), f"unknown key {key!r}", instead)
    for place, first in _find_doubled(target) if error.is_doubled else ():
        yield Fault(place, f"this is here already, in line {first.line}", "leave one of the two out")
    if error.missing:
        yield Fault(target.place, f"`{error.missing}` is missing", f"write it; see spec/schemas/{schema}")
    elif error.form:
        yield Fault(target.place, f"{error.text!r} is not of the form that is wanted", f"write {error.form}")
    elif not error.unknown and not error.is_doubled:
        message = error.message if len(error.message) <= _LONGEST else f"{error.message[:_SHOWN]} ..."
        yield Fault(target.place, message, "")


def _find_doubled(many: Node) -> Iterator[tuple[Place, Place]]:
    """Yield the place of each entry that a list has already, and the place of the first that is equal."""
    seen: dict[str, Place] = {}
    for entry in many.items:
        first = seen.setdefault(json.dumps(entry.plain(), sort_keys=True), entry.place)
        if first is not entry.place:
            yield entry.place, first


def _suggest_keys(key: str, known: Sequence[str]) -> str:
    """Return what else may be written for a key: one that is like it, else any known key if these are few."""
    if near := nearest(key, known, 1 if len(known) <= _FEW else _NEAR):
        return f"write {' or '.join(near)}"
    return f"leave it out, or write {' or '.join(known)}" if known and len(known) <= _FEW else "leave it out"


def _likeliest(branches: Sequence[Sequence[SchemaMismatch]]) -> Sequence[SchemaMismatch]:
    """Of several alternatives, return the faults of the one that was probably meant: the fewest and deepest."""
    failed = [_pair_misspelt(branch) for branch in branches if branch]
    return min(failed, key=lambda errors: (len(errors), -max(len(error.path) for error in errors)), default=())


def _at(node: Node, path: Sequence[str | int]) -> Node:
    for step in path:
        members = node.value
        if isinstance(members, dict):
            node = members.get(str(step), node)
        elif isinstance(members, tuple) and isinstance(step, int):
            node = members[step]
    return node
