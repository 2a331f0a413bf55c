"""Which clauses statements bite for: the data file beside the rules, and whether it is of these rules.

A clause bites if a damage to its rules turns a statement that cites it. Each entry bears the hash of the damages and
the statements that it was found by, so that a later run knows whether it is still of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou import Project
from brou.shapes import ABSENT, Absent, Limit, read, shape
from brou_tools.questions.register import read_shaped

_Count: TypeAlias = Annotated[int, Limit(minimum=0)]


@shape(closed=True)
class ClauseBite:
    """The mutants of one clause's rules, and the statement that notices one of them."""

    of: Annotated[str, "the hash of the mutants and of the statements that cite the clause"]
    statements: Annotated[_Count, "how many statements cite it, not counting slow ones"]
    damages: Annotated[_Count, "how many mutants of its rules there are, in any edition and set-up"]
    tried: Annotated[_Count, "how many of them were tried until a statement noticed one; all if none did"]
    mutant: Annotated[str, "the mutant that a statement notices"] | Absent = ABSENT
    by: Annotated[str, "the statement that notices it"] | Absent = ABSENT
    turned: (
        Annotated[bool, "whether the result of the statement changes; false if it can no longer be stated"] | Absent
    ) = ABSENT

    @property
    def bites(self) -> bool:
        """Say whether a damage turns a statement that cites the clause."""
        return bool(self.by)


@shape(name="bites", closed=True)
class BiteScores:
    """For each clause of a game, whether a statement notices a mutant of its rules."""

    format: Literal["brou-bites/1"] = "brou-bites/1"
    game: Annotated[str, Limit(pattern="^[a-z][a-z0-9-]*$"), "the game"]
    clauses: Annotated[
        Mapping[str, ClauseBite], "the testable clauses, except those that are only about what players see"
    ]
    exempt: Annotated[Mapping[str, str], "the clauses without such a mutant, each with the reason; written by hand"]

    @property
    def toothless(self) -> tuple[str, ...]:
        """Return the clauses with rules for which nothing bites, and no reason is given."""
        return tuple(
            id_ for id_, one in self.clauses.items() if one.damages and not one.bites and id_ not in self.exempt
        )


def read_bites(game: str, project: Project) -> BiteScores | None:
    """Read which clauses bite from the data of a game, None without a file; raise `Malformed` for a wrong one."""
    node = read_shaped(game, project, "bites")
    return None if node is None else read(BiteScores, node.plain())
