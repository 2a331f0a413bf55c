"""The quick choice: the fewest scenarios, in order, that notice the mutants that all of an edition notice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from brou import (
    Folder,
    Malformed,
    keep_until_changed,
    root,
    shape_faults,
)
from brou.games import has_file, locate, read_file
from brou.shapes import Limit, read, shape


@shape(name="case", closed=True)
class QuickCase:
    """A scenario of the choice, with the mutants that it is needed for."""

    id: Annotated[str, "the scenario"]
    notices: Annotated[tuple[str, ...], "the mutants that it notices and that at most one scenario above it notices"]


@shape(name="unseen", closed=True)
class UnseenMutants:
    """How well the choice does on mutants that were not used to make it."""

    noticed: Annotated[int, Limit(minimum=0), "how many of them all scenarios of the edition together notice"]
    reached: Annotated[int, Limit(minimum=0), "how many of them the chosen scenarios notice"]

    @property
    def share(self) -> float:
        """Return what part of them the chosen scenarios notice; all of none."""
        return self.reached / self.noticed if self.noticed else 1


@shape(name="edition", closed=True)
class QuickEdition:
    """The choice for an edition under its own readings."""

    mutants: Annotated[int, Limit(minimum=0), "how many of the mutants used to make it load and differ from the rules"]
    noticed: Annotated[int, Limit(minimum=0), "how many of them all scenarios of the edition together notice"]
    least: Annotated[int, Limit(minimum=0), "a proved bound: fewer scenarios cannot notice as many"]
    unseen: UnseenMutants
    cases: Annotated[tuple[QuickCase, ...], "the scenarios, in the order in which they are asked"]

    @property
    def reached(self) -> int:
        """Return how many mutants the chosen scenarios notice."""
        return len({mutant for one in self.cases for mutant in one.notices})


@shape(name="quick", closed=True)
class QuickChoice:
    """The scenarios that `brou verify --quick` asks, edition by edition."""

    format: Literal["brou-quick/1"] = "brou-quick/1"
    game: Annotated[str, Limit(pattern="^[a-z][a-z0-9-]*$"), "the game"]
    seed: Annotated[int, Limit(minimum=0), "the seed with which mutants are drawn"]
    drawn: Annotated[
        int,
        Limit(minimum=1),
        "how many mutants of each edition were used to make it, at most; a third as many measure it",
    ]
    editions: Annotated[Mapping[str, QuickEdition], "the choice for each edition"]


@keep_until_changed(maxsize=32)
def read_quick(game: str, data: Folder = None) -> QuickChoice | None:
    """Return the choice for a game, None where none was made; raise `Malformed` with every fault of its file."""
    folder, name = locate(data), f"games/{game}/quick.yaml"
    if not has_file(folder, name):
        return None
    node = read_file(folder, name)
    if faults := list(shape_faults(node, root() / "schemas" / "quick.schema.json")):
        raise Malformed(faults)
    return read(QuickChoice, node.plain())


@keep_until_changed(maxsize=64)
def rank_quick(game: str, edition: str, data: Folder = None) -> Mapping[str, int] | None:
    """Return the chosen scenarios of an edition with their places in the order, None where no choice was made."""
    known = read_quick(game, data)
    found = None if known is None else known.editions.get(edition)
    return None if found is None else {one.id: place for place, one in enumerate(found.cases)}
