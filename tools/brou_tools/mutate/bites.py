"""The bite score: of which clauses a damage to the rules turns a statement that cites the clause."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial

from brou import Project
from brou_tools.mutate.fates import MutatedRules
from brou_tools.questions.bite_scores import BiteScores, ClauseBite
from brou_tools.smt.damages import list_damages
from brou_tools.terminal.cluster import open_sharing


def bite_all(
    game: str, project: Project, clauses: Iterable[str], jobs: int = 1, scheduler: str | None = None
) -> Generator[tuple[str, ClauseBite]]:
    """Yield what came of the damages of each of some clauses, as soon as it is known."""
    with closing(open_sharing(jobs, scheduler)(partial(bite, game, project), clauses)) as done:
        yield from done


def bite(game: str, project: Project, clause: str) -> ClauseBite:
    """Damage the rules of a clause until this refutes a statement that cites it, and return the result.

    A damage after which a statement can no longer be stated counts where none refutes one.
    """
    from brou_tools.smt.biting import notice_for_clause  # noqa: PLC0415 - the solver is loaded only where it is asked

    known = next(one for one in list_damages(game, project) if one.clause == clause)
    tried = known.mutants if known.statements else ()
    found = ClauseBite(of=known.hash, statements=len(known.statements), damages=len(known.mutants), tried=len(tried))
    for number, mutant in enumerate(tried, 1):
        for notice in notice_for_clause(game, project, clause, MutatedRules(mutant)):
            if notice.turned or not found.by:
                found = replace(found, mutant=mutant.id, by=notice.obligation, turned=notice.turned)
            if notice.turned:
                return replace(found, tried=number)
    return found


def find_stale(game: str, project: Project, known: BiteScores | None) -> list[str]:
    """Return the clauses of which it is not known whether they bite, or was found by other rules or statements."""
    found = {} if known is None else known.clauses
    return [one.clause for one in list_damages(game, project) if _hash_of(found, one.clause) != one.hash]


def _hash_of(found: Mapping[str, ClauseBite], clause: str) -> str:
    return found[clause].of if clause in found else ""
