"""Reasons: why a condition holds or fails, and what a number is made of.

A reason holds what every sentence about it needs: values with their types, and the names of records of the rules.
Which words stand for them is the business of `brou.words`, which asks the rules nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TypeAlias

from brou.dataclass import dataclass
from brou.language.codec import Json, writer
from brou.language.syntax import Deck, Game
from brou.language.tree import Expression
from brou.language.types import Named, Option, Type, Value

#: The sums that a comparison compares: of each the parts.
Sums: TypeAlias = tuple[tuple[int, ...], ...]
#: An act as it goes over the wire: its name with what is chosen in it.
Act: TypeAlias = Mapping[str, Json]
#: An element of the state: the variable, and the positions that lead to it.
Spot: TypeAlias = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value of the rules with the type by which it is read."""

    type: Type
    value: Value

    @property
    def empty(self) -> bool:
        """Say whether the value is empty, as before anything is written."""
        return self.value is None or (not isinstance(self.type, Named) and not self.value)


def encode_value(shown: TypedValue, deck: Deck) -> Json:
    """Return a value, or that there is none, as JSON."""
    plain: Json = writer(Option(shown.type), deck)(shown.value)
    return plain


@dataclass(frozen=True, slots=True)
class TextId:
    """Where a text of the rules is: the section, the record, and `say` or `deny`."""

    section: str
    record: str
    key: str


def reason_texts(game: Game) -> Mapping[TextId, Mapping[str, str]]:
    """Return the texts of the rules that tell conditions and figures, by language."""
    found = {TextId("functions", name, "say"): function.say for name, function in game.functions.items()}
    found |= {TextId("phrases", one.id, "say"): one.say for one in game.phrases}
    found |= {TextId("phrases", one.id, "deny"): one.deny for one in game.phrases}
    for entry in game.summary.values():
        found |= {TextId("checks", f"{entry.id}/{check.id}", "say"): check.say for check in entry.checks}
    return found


# Conditions ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FilledText:
    """The rules have a text for it; what fills the places of the text, and the numbers that are compared.

    A condition for whose opposite alone there is a text is `denied`.
    """

    text: TextId
    fills: tuple[tuple[str, TypedValue], ...] = ()
    denied: bool = False
    compared: Sums = ()


@dataclass(frozen=True, slots=True)
class Unworded:
    """The rules have no text for an expression; of a condition, whether it holds."""

    expression: Expression
    holds: bool = True
    compared: Sums = ()


@dataclass(frozen=True, slots=True)
class Every:
    """All parts are so."""

    parts: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One part at least is so."""

    parts: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """A yes or no, given in an act by a seat, or by whoever acts."""

    action: str
    given: bool
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class OneOf:
    """The value in question is one of these."""

    values: tuple[TypedValue, ...]


class FixedReason(Enum):
    """Reasons with nothing to fill in; the values are the names of their frames in the glossary."""

    ELSE = "else"
    ALWAYS = "always"
    NEVER = "never"
    ALWAYS_SEEN = "always_seen"
    IN_NO_VIEW = "in_no_view"
    NO_ENDING = "no_ending"
    TWO_ENDINGS = "two_endings"


# What stands before any condition --------------------------------------------------


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The phase does not offer the act; which phases do."""

    phase: str
    offering: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Theirs:
    """The act is for these seats alone, or for nobody."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Among:
    """A parameter has one of these values."""

    values: tuple[TypedValue, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """A parameter has a value of this type."""

    type: Type


@dataclass(frozen=True, slots=True)
class Coded:
    """The code of the refusal says it all."""

    code: str


@dataclass(frozen=True, slots=True)
class Unlike:
    """A figure on the sheet that is not what the rules come to."""

    name: str
    written: Json
    found: Json


@dataclass(frozen=True, slots=True)
class NotOver:
    """The deal is still in this phase, or in none."""

    phase: str


@dataclass(frozen=True, slots=True)
class Failed:
    """An error says what cannot be."""

    error: Exception


Reason: TypeAlias = (
    FilledText
    | Unworded
    | Every
    | Either
    | GivenAnswer
    | OneOf
    | FixedReason
    | Elsewhere
    | Theirs
    | Among
    | Within
    | Coded
    | Unlike
    | NotOver
    | Failed
)


def join_reasons(reasons: Iterable[Reason]) -> Reason:
    """Return several reasons as one, each once, those that are together already one by one."""
    found = list(reasons)
    parts = tuple(dict.fromkeys(part for one in found for part in (one.parts if isinstance(one, Every) else (one,))))
    return parts[0] if len(parts) == 1 else Every(parts)


def if_any(reasons: Iterable[Reason | None]) -> Reason | None:
    """Return several reasons as one, None where there is none."""
    found = [reason for reason in reasons if reason is not None]
    return join_reasons(found) if found else None


# Figures -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Field:
    """A variable, or a key of the score or the view, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Product:
    """Two factors, where nothing names what they come to."""

    factors: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Negative:
    """As much as something has a name for, but less than nothing."""

    name: Name


#: What a number is called.
Name: TypeAlias = FilledText | Unworded | Field | Product | TypedValue | Negative


@dataclass(frozen=True, slots=True)
class FigureTerm:
    """A part of a sum: its value, its name, and the clauses that it rests on, the most telling first."""

    value: int
    name: Name | None
    clauses: tuple[str, ...] = ()
    #: Why it is so much, where a table of the rules has decided.
    because: Reason | None = None
    #: Where it is kept.
    kept: Spot | None = None
    #: What it was made from, where it is no sum itself.
    parts: tuple[FigureTerm, ...] = ()
    #: Who wrote it, once that has been looked up.
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """A write that a figure comes from: when, by which effect, what, and why; without an effect it was given."""

    variable: str
    step: str
    happened: Happened | None
    effect: str
    adds: bool
    shown: TypedValue
    because: Reason | None = None
    clauses: tuple[str, ...] = ()
    terms: tuple[FigureTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or another value of the score: its terms, and the writes that it comes from."""

    name: str
    #: The seat, team, suit or whatever it belongs to.
    of: tuple[TypedValue, ...]
    shown: TypedValue
    terms: tuple[FigureTerm, ...] = ()
    origins: tuple[Origin, ...] = ()
    clauses: tuple[str, ...] = ()


def collect_clauses(parts: Iterable[FigureTerm | Origin]) -> Iterator[str]:
    """Yield the clauses of terms and writes, and of what these are made of."""
    for one in parts:
        yield from one.clauses
        yield from collect_clauses((*one.parts, *one.origins) if isinstance(one, FigureTerm) else one.terms)


def each_once(clauses: Iterable[str]) -> tuple[str, ...]:
    """Return the clauses that are named, each once."""
    return tuple(dict.fromkeys(clause for clause in clauses if clause))


# What happens ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Acted:
    """An act of a seat."""

    seat: int
    act: Act


@dataclass(frozen=True, slots=True)
class Noted:
    """An entry of the short form, by its name alone."""

    entry: str


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry of the short form: the owner, if it has one, and the written value."""

    entry: str
    each: Value
    value: Json


class RoutineStep(Enum):
    """A step that nobody chooses: the deal, the writing down, and the sums on the sheet."""

    DEALT = "deal"
    WRITTEN = "written"
    SHEET = "sheet"


#: What a step of a route is.
Happened: TypeAlias = Acted | Noted | Entered | RoutineStep
