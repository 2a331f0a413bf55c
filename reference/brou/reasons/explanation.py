"""Explanations: an act with the rows that judge it, a sight with its condition, and what other readings change."""

from __future__ import annotations

from typing import TypeAlias

from brou.dataclass import dataclass, field
from brou.games.catalogue import Choice
from brou.language.codec import Json
from brou.reasons.reason import Act, Figure, FixedReason, Reason, TypedValue, each_once, join_reasons


@dataclass(frozen=True, slots=True)
class Question:
    """A question to explain: an act, a seat's legal acts or view, the score, or the taker of the last trick."""

    kind: str
    seat: int = 0
    act: Act | None = None
    #: Keys of a view that are asked for beside those that the rules have.
    keys: tuple[str, ...] = ()

    def plain(self) -> dict[str, Json]:
        """Return the question as the protocol writes it."""
        if self.kind == "act":
            return {"by": self.seat, "act": dict(self.act or {})}
        return {self.kind: self.seat if self.kind in ("legal", "view") else True}


# Acts --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RowReason:
    """A row of a table and why it fires, or is passed over; of a duty, the exceptions that fail, or that lift it."""

    row: str
    because: Reason
    clause: str = ""
    #: Whether its condition holds.
    holds: bool = False
    #: The clause of each exception, and why it does not apply.
    failing: tuple[tuple[str, Reason], ...] = ()
    #: The clause of each exception that would apply, that of the exception that lifts it in turn, and why this applies.
    undone: tuple[tuple[str, str, Reason], ...] = ()
    #: The clause of each exception but for which the duty would bind, and why it applies.
    lifting: tuple[tuple[str, Reason], ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a table decides: the rows that were passed over, then the one that fired.

    Where every row forbids, the last one for everything else aside, each is a duty by itself: no order decides which
    of them bind, and those behind the one that fired are judged too.
    """

    table: str
    skipped: tuple[RowReason, ...]
    fired: RowReason
    #: The duties behind the one that fired; nothing of a table whose order decides.
    others: tuple[RowReason, ...] = ()
    forbids: bool = False

    @property
    def rows(self) -> tuple[RowReason, ...]:
        """Return all rows that were judged, in their order."""
        return (*self.skipped, self.fired, *self.others)

    @property
    def because(self) -> Reason:
        """Return why the row decides; of the row for everything else, what the rows above it lack."""
        if self.fired.because is FixedReason.ELSE and (lifted := [row for row in self.skipped if row.lifting]):
            return join_reasons(because for row in lifted for _, because in row.lifting)
        if self.fired.because is FixedReason.ELSE and self.skipped:
            return join_reasons(row.because for row in self.skipped)
        return self.fired.because

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return what the decision rests on: the clause of the row, or exceptions with the duties that they lift."""
        lifted = [row for row in self.skipped if row.lifting] if self.fired.because is FixedReason.ELSE else []
        cited = [clause for row in lifted for clause in (*(clause for clause, _ in row.lifting), row.clause)]
        return each_once(cited or [self.fired.clause])


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure that an act changes at once, with its value before."""

    figure: Figure
    before: TypedValue


@dataclass(frozen=True, slots=True)
class Judgement:
    """An act, and why it is allowed or refused; `described` where only the form of the act is known."""

    seat: int
    act: Act
    #: The code of the refusal; nothing where the act is allowed.
    code: str
    because: Reason | None
    clauses: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    changes: tuple[FigureChange, ...] = ()
    described: bool = False

    @property
    def allowed(self) -> bool:
        """Say whether the act is allowed."""
        return not self.code


# Sight -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Labelled:
    """A member of a record, with its name."""

    name: str
    display: Display


@dataclass(frozen=True, slots=True)
class DisplayRow:
    """The members of an array or a record, one beside the other."""

    parts: tuple[Display, ...]


@dataclass(frozen=True, slots=True)
class DisplayList:
    """The displays of several things."""

    parts: tuple[Display, ...]


#: What is shown, in the order in which it is read.
Display: TypeAlias = TypedValue | Labelled | DisplayRow | DisplayList


@dataclass(frozen=True, slots=True)
class ViewEntry:
    """A key of the view, and why the seat sees it or does not."""

    name: str
    level: str
    because: Reason
    clause: str = ""
    #: What is shown, and as JSON; nothing where it is not seen.
    display: Display | None = None
    value: Json = None

    @property
    def seen(self) -> bool:
        """Say whether the seat sees it."""
        return self.display is not None


# Readings ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an act is allowed, and the code where it is not; of a form of acts no code is known."""

    act: Act = field(compare=False)
    allowed: bool
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Visible:
    """What a seat sees under a key."""

    value: Json


@dataclass(frozen=True, slots=True)
class Worth:
    """What a figure comes to; how large it could be is no part of that."""

    value: Json
    shown: TypedValue = field(compare=False)


#: What is answered to a part of a question.
Answer: TypeAlias = Verdict | Visible | Worth


@dataclass(frozen=True, slots=True)
class AlternativeReading:
    """Another reading, the open passage that it interprets, and the answer under it, if any."""

    key: str
    value: str
    ambiguity: str
    then: Answer | None


@dataclass(frozen=True, slots=True)
class Unreached:
    """A reading under which play would not get this far, and the step with another result."""

    key: str
    value: str
    step: str


Found: TypeAlias = Judgement | Figure | ViewEntry


@dataclass(frozen=True, slots=True)
class Explained:
    """One thing explained, and the readings under which it would be another."""

    found: Found
    readings: tuple[AlternativeReading, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that there is to say to a question at the end of a route."""

    choice: Choice
    question: Question
    entries: tuple[Explained, ...]
    unreached: tuple[Unreached, ...]


def displays_nothing(display: Display) -> bool:
    """Say whether nothing is shown, not even a nought."""
    match display:
        case TypedValue(value=value):
            return value is None or value in (frozenset(), ())
        case Labelled():
            return False
        case DisplayRow(parts) | DisplayList(parts):
            return (isinstance(display, DisplayList) and not parts) or (len(parts) == 1 and displays_nothing(parts[0]))
