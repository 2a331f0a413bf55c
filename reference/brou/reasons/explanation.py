"""Explanations: an act with the rows that judge it, a sight with its condition, and what other readings change."""

from __future__ import annotations

from typing import TypeAlias

from brou.dataclass import dataclass, field
from brou.language.codec import Json
from brou.reasons.reason import Act, Figure, Known, Reason, Shown, every
from brou.shelf.library import Choice


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be explained: an act, what a seat may do or sees, the score, who took the last trick."""

    kind: str
    seat: int = 0
    act: Act | None = None
    #: Keys of a view that are asked for beside those that the rules have.
    keys: tuple[str, ...] = ()

    def plain(self) -> dict[str, Json]:
        """Return the question as it goes over the wire."""
        if self.kind == "act":
            return {"by": self.seat, "act": dict(self.act or {})}
        return {self.kind: self.seat if self.kind in ("legal", "view") else True}


# Acts --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judged:
    """A row of a table and why it fires, or is passed over."""

    row: str
    because: Reason


@dataclass(frozen=True, slots=True)
class Decision:
    """What a table decides: the rows that were passed over, then the one that fired."""

    table: str
    skipped: tuple[Judged, ...]
    fired: Judged

    @property
    def because(self) -> Reason:
        """Return why the row decides; of the row for everything else, what the rows above it lack."""
        if self.fired.because is Known.ELSE and self.skipped:
            return every(row.because for row in self.skipped)
        return self.fired.because


@dataclass(frozen=True, slots=True)
class Change:
    """A figure that an act changes at once, and what it was before."""

    figure: Figure
    before: Shown


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
    changes: tuple[Change, ...] = ()
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
class Row:
    """The members of an array or a record, one beside the other."""

    parts: tuple[Display, ...]


@dataclass(frozen=True, slots=True)
class Several:
    """What is shown of each of several things."""

    parts: tuple[Display, ...]


#: What is shown, in the order in which it is read.
Display: TypeAlias = Shown | Labelled | Row | Several


@dataclass(frozen=True, slots=True)
class Sight:
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
    shown: Shown = field(compare=False)


#: What is answered to a part of a question.
Answer: TypeAlias = Verdict | Visible | Worth


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Another reading, the open passage that it reads, and what is then answered, if anything."""

    key: str
    value: str
    ambiguity: str
    then: Answer | None


@dataclass(frozen=True, slots=True)
class Unreached:
    """A reading under which the play would not come to this, and the step that would end otherwise."""

    key: str
    value: str
    step: str


Found: TypeAlias = Judgement | Figure | Sight


@dataclass(frozen=True, slots=True)
class Explained:
    """One thing explained, and the readings under which it would be another."""

    found: Found
    readings: tuple[Otherwise, ...]


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
        case Shown(value=value):
            return value is None or value in (frozenset(), ())
        case Labelled():
            return False
        case Row(parts) | Several(parts):
            return (isinstance(display, Several) and not parts) or (len(parts) == 1 and displays_nothing(parts[0]))
