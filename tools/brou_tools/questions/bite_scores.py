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
    """What came of the damages to the rules of one clause."""

    of: Annotated[str, "hash of the damages and of the statements that cite the clause"]
    statements: Annotated[_Count, "how many statements cite it, slow ones aside"]
    damages: Annotated[_Count, "how many damages there are to its rules, in any edition and set-up"]
    tried: Annotated[_Count, "how many of them were tried before one turned a statement, or all"]
    mutant: Annotated[str, "the damage that a statement notices"] | Absent = ABSENT
    by: Annotated[str, "the statement that notices it"] | Absent = ABSENT
    turned: Annotated[bool, "false where the statement can only no longer be stated"] | Absent = ABSENT

    @property
    def bites(self) -> bool:
        """Say whether a damage turns a statement that cites the clause."""
        return bool(self.by)


@shape(name="bites", closed=True)
class BiteScores:
    """Which clauses of a game statements bite for."""

    format: Literal["brou-bites/1"] = "brou-bites/1"
    game: Annotated[str, Limit(pattern="^[a-z][a-z0-9-]*$"), "the game"]
    clauses: Annotated[Mapping[str, ClauseBite], "each testable clause that is about more than what is shown"]
    exempt: Annotated[Mapping[str, str], "clauses for which nothing bites, each with the reason; kept by hand"]

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
