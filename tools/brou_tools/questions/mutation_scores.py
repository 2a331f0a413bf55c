"""Mutation scores of a game: the document of `brou mutate --json`, and of a data file beside the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeAlias

from brou import Project
from brou.shapes import Limit, read, shape, write_object
from brou_tools.questions.register import read_shaped

_Count: TypeAlias = Annotated[int, Limit(minimum=0)]


@shape(name="sums", closed=True, frozen=False)
class FateCounts:
    """How many mutants were tried, and how many scenarios and statements notice."""

    drawn: Annotated[_Count, "how many were tried"] = 0
    invalid: Annotated[_Count, "how many do not load"] = 0
    same: Annotated[_Count, "how many load as the same rules"] = 0
    scenarios: Annotated[_Count, "how many of the others at least one scenario notices"] = 0
    obligations: Annotated[_Count, "how many of the others at least one statement notices"] = 0
    alive: Annotated[_Count, "how many of the others nothing notices"] = 0

    @property
    def others(self) -> int:
        """Return how many were other rules, so that something could notice them."""
        return self.drawn - self.invalid - self.same

    def items(self) -> Iterable[tuple[str, int]]:
        """Return the counts with their names, in the order of the columns."""
        return ((name, count) for name, count in write_object(self).items() if isinstance(count, int))


@shape(name="mutants", closed=True)
class MutationScores:
    """Mutation scores of one game."""

    format: Literal["brou-mutants/1"] = "brou-mutants/1"
    game: Annotated[str, Limit(pattern="^[a-z][a-z0-9-]*$"), "the game"]
    seed: Annotated[int, Limit(minimum=0), "the seed with which mutants are drawn"]
    all: Annotated[FateCounts, "the sums over all mutants"]
    operators: Annotated[Mapping[str, FateCounts], "the sums by the kind of change"]
    sections: Annotated[Mapping[str, FateCounts], "the sums by the changed section of the rules"]
    alive: Annotated[tuple[str, ...], "the ids of the mutants that nothing notices"]


@shape(name="mutation")
class MutationReport:
    """Mutation scores of some games (brou mutate --json)."""

    format: Literal["brou-mutation/1"] = "brou-mutation/1"
    games: Annotated[tuple[MutationScores, ...], "one entry per game"]


def read_scores(game: str, project: Project) -> MutationScores | None:
    """Read the scores from the data of a game, None where there are none; raise `Malformed` for a wrong file."""
    node = read_shaped(game, project, "mutants")
    return None if node is None else read(MutationScores, node.plain())


def sum_counts(many: Iterable[Mapping[str, FateCounts]]) -> dict[str, FateCounts]:
    """Return the sums of several games, name by name."""
    sums: dict[str, FateCounts] = {}
    for one in many:
        for name, tally in one.items():
            whole = sums.setdefault(name, FateCounts())
            for key, count in tally.items():
                setattr(whole, key, getattr(whole, key) + count)
    return sums
