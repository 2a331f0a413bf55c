"""Settlements: what a recorded game comes to, deal by deal, or the first thing in it that cannot be."""

from __future__ import annotations

from collections.abc import Mapping

from brou.dataclass import dataclass
from brou.games.catalogue import Choice
from brou.language.codec import Json
from brou.language.types import Value
from brou.reasons.explanation import Decision
from brou.reasons.reason import Act, Figure, FigureTerm, Happened, Name, Reason, TypedValue


@dataclass(frozen=True, slots=True)
class Slip:
    """A possible correction: another value of an entry, none at all, another act, or another reading."""

    entry: str = ""
    value: Json = None
    missing: bool = False
    act: tuple[int, Act] | None = None
    reading: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A figure of the score that a step has changed, and if it is a number, by how much."""

    figure: str
    of: tuple[TypedValue, ...]
    by: int | None
    shown: TypedValue


@dataclass(frozen=True, slots=True)
class Line:
    """An entry, or an act that changes a figure."""

    step: str
    happened: Happened | None
    #: Whom an entry is for.
    each: Value
    changes: tuple[Moved, ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """An addition to the sums of a sheet: a figure and its parts for each column."""

    name: Name | None
    values: tuple[int, ...]
    parts: tuple[FigureTerm | None, ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Sums on the sheet, a column for each owner; `struck` where they have begun anew."""

    variable: str
    #: The key of the score under which they stand.
    name: str
    of: tuple[tuple[TypedValue, ...], ...]
    before: tuple[int, ...]
    rows: tuple[SheetRow, ...]
    struck: bool
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal as far as it was recorded: its entries, the score at the count, and the sums written down."""

    id: str
    lines: tuple[Line, ...] = ()
    count: Mapping[str, Json] | None = None
    result: tuple[Figure, ...] = ()
    slate: tuple[Sheet, ...] = ()
    written: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class RecordFault:
    """The first impossible step of a record: its place, the objection of the rules, and suggested corrections."""

    deal: str
    step: str
    #: What was recorded there; None where it is a figure of the sheet, or nothing has happened yet.
    happened: Happened | None
    because: Reason
    code: str = ""
    clauses: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    #: The entry to blame, empty where the end of the deal is; None where no entry is.
    entry: str | None = None
    meant: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """Everything that a record comes to under a choice of rules."""

    choice: Choice
    title: str
    players: tuple[str, ...]
    deals: tuple[Deal, ...]
    standing: Mapping[str, Json] | None
    fault: RecordFault | None

    @property
    def complete(self) -> bool:
        """Say whether every deal was written down."""
        return self.fault is None and bool(self.deals) and self.deals[-1].written is not None
