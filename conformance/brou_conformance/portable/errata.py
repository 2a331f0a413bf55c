"""Errata: what ids have come to mean since the first index of meanings, when, why, and by which passage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

from brou import (
    Folder,
    Malformed,
    keep_until_changed,
    root,
    shape_faults,
)
from brou.games import has_file, locate, read_file
from brou.shapes import ABSENT, Absent, Limit, read, shape
from brou_conformance.portable.meanings import Meanings

_NAME = "errata.yaml"
_Day: TypeAlias = Annotated[str, Limit(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
_Hash: TypeAlias = Annotated[str, Limit(pattern="^[0-9a-f]{16}$")]
#: By id the hash of its new meaning; null where the id is gone.
_Ids: TypeAlias = Mapping[str, _Hash | None]


@shape(name="passage", closed=True)
class ErratumPassage:
    """A passage of a source."""

    source: Annotated[str, "the source, as sources.yaml names it"]
    at: Annotated[str, "the passage in it"]


@shape(closed=True)
class Erratum:
    """Ids that were added, changed or taken out for one reason."""

    since: Annotated[_Day, "the day from which the new meaning holds"]
    because: Annotated[str, Limit(min_length=1), "the reason"]
    passage: Annotated[ErratumPassage, "the passage because of which a clause was changed"] | Absent = ABSENT
    wording: (
        Annotated[Literal[True], "only the wording of clauses changed: they say the same, by the same passages"]
        | Absent
    ) = ABSENT
    instead: Annotated[Mapping[str, str], "for removed ids, the ids that replace them"] | Absent = ABSENT
    texts: (
        Annotated[_Ids, "for clauses and open questions, by id: the hash of the new meaning; null if removed"] | Absent
    ) = ABSENT
    readings: Annotated[_Ids, "the same for values of readings"] | Absent = ABSENT
    defaults: Annotated[_Ids, "the same for set-ups and readings of editions"] | Absent = ABSENT
    scenarios: Annotated[_Ids, "the same for scenarios"] | Absent = ABSENT

    @property
    def ids(self) -> dict[str, _Ids]:
        """Return the ids that it is about, by kind."""
        kinds = {
            "texts": self.texts,
            "readings": self.readings,
            "defaults": self.defaults,
            "scenarios": self.scenarios,
        }
        return {kind: ids for kind, ids in kinds.items() if not isinstance(ids, Absent)}


@shape(closed=True)
class Errata:
    """All errata, the oldest first."""

    format: Literal["brou-errata/1"] = "brou-errata/1"
    index: Annotated[_Day, "the day of the first index; ids that no entry names have meant the same since then"]
    entries: Annotated[tuple[Erratum, ...], "the entries"]

    def tell_history(self, id_: str) -> tuple[Erratum, ...]:
        """Return the entries about an id, the oldest first; one without any is as old as the first index."""
        return tuple(one for one in self.entries if any(id_ in ids for ids in one.ids.values()))


@keep_until_changed(maxsize=4)
def read_errata(data: Folder = None) -> Errata:
    """Return the errata of the house; raise `Malformed` with every fault of their file."""
    node = read_file(locate(data), _NAME)
    faults = list(shape_faults(node, root() / "schemas" / "errata.schema.json"))
    if faults:
        raise Malformed(faults)
    return read(Errata, node.plain())


def find_errata(data: Folder) -> Errata | None:
    """Return the errata of a project, None where it keeps none; raise `Malformed` as `read_errata` does."""
    return read_errata(data) if has_file(locate(data), _NAME) else None


def apply_errata(index: Meanings, errata: Errata) -> dict[str, dict[str, str]]:
    """Return the meanings that ids must have by an index and all entries since."""
    meant = {kind: dict(ids) for kind, ids in index.items()}
    for entry in errata.entries:
        for kind, ids in entry.ids.items():
            for id_, meaning in ids.items():
                if meaning is None:
                    meant[kind].pop(id_, None)
                else:
                    meant[kind][id_] = meaning
    return meant


def find_due(meant: Meanings, now: Meanings) -> Iterator[tuple[str, str, str | None]]:
    """Yield kind, id and present meaning of whatever lacks an entry; None for an id that is gone.

    New readings and scenarios may come without one; a new clause or open passage has an entry, which tells its age.
    """
    for kind, ids in now.items():
        old = meant.get(kind, {})
        for id_ in sorted({**old, **ids}):
            is_new = id_ not in old and kind != "texts"
            if ids.get(id_) != old.get(id_) and not is_new:
                yield kind, id_, ids.get(id_)
