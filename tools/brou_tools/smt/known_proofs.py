"""The proofs of earlier runs, which stand until something changes that they rest on.

A proof rests on the records of its slice, on what all records rest on, on the statement with its positions, on the
budget, on the solver and on this code. All of that goes into its name, so that an edit elsewhere leaves it standing.
Only plain proofs stay: the interpreter plays a counterexample or a witness each time that somebody sees it, and a
statement about two rule bases rests on more than a slice of one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib.metadata import version

from brou import Game, Node
from brou.cache import recall, store
from brou.language import write_part
from brou_tools.smt.asking import PROVED, ObligationResult
from brou_tools.smt.obligations import Obligation, Where
from brou_tools.smt.slices import list_foundation, list_records, slice_of

#: So many proofs of a game are kept; the games of the house have some hundreds each.
_MOST = 8192
#: Kinds of statements that compare rules with others.
COMPARING = ("refines", "separates")


class KnownProofs:
    """The proofs of one game that earlier runs found: the steps of each, by its name."""

    def __init__(self, game: str) -> None:
        self._about = (game, version("z3-solver"))
        found = recall("proofs", self._about)
        self._steps: dict[str, int] = dict(found) if isinstance(found, dict) else {}

    def steps(self, name: str) -> int | None:
        """Return the most steps that a question of a proof took, or None for a proof that no earlier run found."""
        return self._steps.get(name)

    def add(self, found: Mapping[str, int]) -> None:
        """Keep proofs for later runs, beside what other runs have stored meanwhile."""
        if found:
            latest = recall("proofs", self._about)
            every = {**(latest if isinstance(latest, dict) else {}), **found}
            store("proofs", self._about, dict(list(every.items())[-_MOST:]))


def is_plain(one: Obligation, result: ObligationResult) -> bool:
    """Say whether a result is a proof that a later run may take over."""
    return result.status == PROVED and result.witness is None and not result.vain and one.kind not in COMPARING


def name_proof(game: Game, one: Obligation, limit: int) -> str:
    """Return the name of a proof about rules: the same only where all is the same that it rests on."""
    parts = [str(limit), write_part(list_foundation(game)), *write_statement(one), *_write_slice(game, one)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _write_slice(game: Game, one: Obligation) -> Iterable[str]:
    """Yield the records of a slice as they are hashed, and which are exceptions, of which a statement may ask."""
    for name, records in sorted(list_records(game, slice_of(game, one)).items()):
        yield name
        yield from map(write_part, records)
        yield str(name in game.functions and game.functions[name].exception)


def write_statement(one: Obligation) -> Iterable[str]:
    """Yield all that a statement says, its positions included."""
    yield from (one.kind, one.expect, _write_node(one.node), _write_position(one.position))
    for act, where in one.acts:
        yield from (act, _write_position(where))


def _write_position(where: Where | None) -> str:
    if where is None:
        return "anywhere"
    named = [{name: _write_node(node) for name, node in given.items()} for given in (where.longest, where.fixed)]
    conditions = [_write_node(one) for one in where.where]
    return repr((where.phase, where.untouched, where.whole_pack, conditions, named))


def _write_node(node: Node) -> str:
    """Return a node without its places."""
    if isinstance(node.value, dict):
        return repr({name: _write_node(inner) for name, inner in node.fields.items()})
    return repr([_write_node(inner) for inner in node.items]) if isinstance(node.value, tuple) else repr(node.value)
