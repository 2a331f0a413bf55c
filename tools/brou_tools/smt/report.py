"""The results of the proofs of some games: the document of `brou prove --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.shapes import ABSENT, Absent, Limit, shape

_Count: TypeAlias = Annotated[int, Limit(minimum=0)]


@shape(closed=True)
class ProvedObligation:
    """The result of one obligation under one choice of rules."""

    id: Annotated[str, "the obligation"]
    kind: Annotated[str, "its kind"]
    edition: Annotated[str, "the rules: edition, set-up, and readings that differ from the edition's own"]
    clauses: Annotated[tuple[str, ...], "the clauses that it is about"]
    status: Annotated[str, Limit(enum=("proved", "refuted", "unknown")), "what the solver says"]
    expect: Annotated[str, Limit(enum=("proved", "refuted")), "the expected result"]
    seconds: Annotated[float, Limit(minimum=0), "how many seconds it took"]
    steps: Annotated[_Count, "the solver's steps for its longest question"]
    witness: Annotated[
        Mapping[str, object] | str | None,
        "a position that shows it, or the id of a scenario that does; null if there is neither",
    ]
    equal: Annotated[_Count, "how many other choices of readings leave the rules it depends on unchanged"]
    reason: Annotated[str, "why there is no result"] | Absent = ABSENT
    agreed: Annotated[_Count, "on how many questions a second solver agrees"] | Absent = ABSENT
    unsure: Annotated[_Count, "on how many questions one of two solvers has no answer"] | Absent = ABSENT
    known: Annotated[bool, "whether an earlier run proved it and nothing it rests on has changed"] | Absent = ABSENT


@shape(closed=True)
class ProvedGame:
    """The results of the obligations of a game."""

    game: Annotated[str, "the game"]
    proved: Annotated[_Count, "how many obligations have the expected result"]
    failed: Annotated[tuple[str, ...], "the ids of the others"]
    slow: Annotated[tuple[str, ...], "the ids of those that run only on request"]
    positions: Annotated[
        Mapping[str, str],
        "for each kind of position, whether every act keeps it, it is part of one that is kept, or it is assumed",
    ]
    obligations: Annotated[tuple[ProvedObligation, ...], "one entry per obligation and choice of rules"]


@shape(name="proofs", closed=True)
class ProofsReport:
    """The results of the proofs of some games (brou prove --json)."""

    format: Literal["brou-proofs/1"] = "brou-proofs/1"
    games: Annotated[tuple[ProvedGame, ...], "one entry per game"]
