"""The damages to the rules of each clause, with the statements that should notice them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from brou import Project, book, choose, keep_until_changed, patch_rules
from brou.games import Mutant, list_mutants
from brou_conformance.scenarios.corpus import clauses
from brou_tools.smt.known_proofs import write_statement
from brou_tools.smt.obligations import Obligation, obligations

#: What a damage may be seen in: who may do what, what it brings, and who deals. What is only shown is not proved.
_SEEN_IN = ("play", "score", "table")
#: So much of a hash is kept.
_SHORT = 16


@dataclass(frozen=True, slots=True)
class ClauseDamages:
    """The damages to the rules of a clause, and the statements that should notice them."""

    clause: str
    mutants: tuple[Mutant, ...]
    statements: tuple[Obligation, ...]

    @property
    def hash(self) -> str:
        """Return the hash of both, as they are written."""
        told = [f"{one.id} {one.patch.node.plain()}" for one in self.mutants]
        told += [part for one in self.statements for part in (one.id, *write_statement(one))]
        return hashlib.sha256("\0".join(told).encode()).hexdigest()[:_SHORT]


def list_damages(game: str, project: Project) -> Iterator[ClauseDamages]:
    """Yield the damages of each testable clause about acts, scores or the table, in the order of the text."""
    found = _group_mutants(game, project)
    stated = [one for one in obligations(game, project).obligations if not one.slow]
    for id_, node in clauses(game, project).items():
        if node.string("testable") in _SEEN_IN:
            citing = tuple(one for one in stated if id_ in one.clauses)
            yield ClauseDamages(id_, tuple(found.get(id_, ())), citing)


@keep_until_changed(maxsize=8)
def _group_mutants(game: str, project: Project) -> Mapping[str, Iterable[Mutant]]:
    """Return the mutants of all editions and set-ups by the clause of the rule that each damages, every one once."""
    found: dict[str, dict[tuple[str, str], Mutant]] = {}
    for edition, record in book(game, project).editions.items():
        for setup in record.setups:
            for one in list_mutants(patch_rules(choose(f"{game}@{edition}:{setup}", project))):
                found.setdefault(one.clause, {}).setdefault((one.id, str(one.patch.node.plain())), one)
    return {clause: tuple(every.values()) for clause, every in found.items()}
