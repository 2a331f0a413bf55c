"""Settlements: what a recorded game comes to, deal by deal, or the first thing in it that cannot be."""

from __future__ import annotations

from collections.abc import Mapping

from brou.dataclass import dataclass
from brou.language.codec import Json
from brou.language.types import Value
from brou.reasons.explanation import Decision
from brou.reasons.reason import Act, Figure, Happened, Name, Reason, Shown, Term
from brou.shelf.library import Choice


@dataclass(frozen=True, slots=True)
class Slip:
    """One thing that could have been meant: another value of an entry, none at all, another act, another reading."""

    entry: str = ""
    value: Json = None
    missing: bool = False
    act: tuple[int, Act] | None = None
    reading: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A figure of the score that a step has changed, and if it is a number, by how much."""

    figure: str
    of: tuple[Shown, ...]
    by: int | None
    shown: Shown


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
    """What was added to the sums of a sheet: a figure and what it was made of for each column."""

    name: Name | None
    values: tuple[int, ...]
    parts: tuple[Term | None, ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Sums as they stand on the sheet, a column for each who has one; `struck` where they have begun anew."""

    variable: str
    #: The key of the score under which they stand.
    name: str
    of: tuple[tuple[Shown, ...], ...]
    before: tuple[int, ...]
    rows: tuple[SheetRow, ...]
    struck: bool
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal as far as it was recorded: its entries, the score when it was counted, what was written down."""

    id: str
    lines: tuple[Line, ...] = ()
    count: Mapping[str, Json] | None = None
    result: tuple[Figure, ...] = ()
    slate: tuple[Sheet, ...] = ()
    written: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that cannot be: where, what, why, and what could have been meant."""

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
    fault: Fault | None

    @property
    def complete(self) -> bool:
        """Say whether every deal was written down."""
        return self.fault is None and bool(self.deals) and self.deals[-1].written is not None
