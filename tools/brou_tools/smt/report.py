"""What came of the proofs of some games: the document of `brou prove --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.shapes import ABSENT, Absent, Limit, shape

_Count: TypeAlias = Annotated[int, Limit(minimum=0)]


@shape(closed=True)
class ProvedObligation:
    """What came of one obligation under one choice of rules."""

    id: Annotated[str, "the obligation"]
    kind: Annotated[str, "what kind it is of"]
    edition: Annotated[str, "the rules: edition, set-up, readings that are not those of the edition"]
    clauses: Annotated[tuple[str, ...], "the clauses that it is about"]
    status: Annotated[str, Limit(enum=("proved", "refuted", "unknown")), "what the solver says"]
    expect: Annotated[str, Limit(enum=("proved", "refuted")), "the expected result"]
    seconds: Annotated[float, Limit(minimum=0), "how long it took"]
    steps: Annotated[_Count, "of the solver, for the question that took most"]
    witness: Annotated[
        Mapping[str, object] | str | None, "a position that shows it, or the id of a scenario that does; null for none"
    ]
    equal: Annotated[_Count, "other readings that do not change the rules it depends on"]
    reason: Annotated[str, "why nothing can be said"] | Absent = ABSENT
    agreed: Annotated[_Count, "on how many questions a second solver agrees"] | Absent = ABSENT
    unsure: Annotated[_Count, "of how many questions one of two solvers does not know the answer"] | Absent = ABSENT
    known: Annotated[bool, "proved by an earlier run, and nothing has changed that it rests on"] | Absent = ABSENT


@shape(closed=True)
class ProvedGame:
    """What came of the obligations of a game."""

    game: Annotated[str, "the game"]
    proved: Annotated[_Count, "obligations that came out as expected"]
    failed: Annotated[tuple[str, ...], "ids of the others"]
    slow: Annotated[tuple[str, ...], "ids of those that are asked only on request"]
    positions: Annotated[
        Mapping[str, str], "kinds of positions: kept by every act as this run shows, part of one that is, or assumed"
    ]
    obligations: Annotated[tuple[ProvedObligation, ...], "an obligation under a choice of rules each"]


@shape(name="proofs", closed=True)
class ProofsReport:
    """What came of the proofs of some games (brou prove --json)."""

    format: Literal["brou-proofs/1"] = "brou-proofs/1"
    games: Annotated[tuple[ProvedGame, ...], "a game each"]
