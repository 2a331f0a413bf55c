"""Kinds, values and terms of the lowered form in its document (`brou-core/1`), operation by operation."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from brou.shapes import ABSENT, Absent, Defined, Limit, shape

_Count: TypeAlias = Annotated[int, Limit(minimum=0)]
_Name: TypeAlias = Annotated[str, Limit(min_length=1)]

Position: TypeAlias = Annotated[
    int, Limit(minimum=0), "the place of a term, or of a kind, in its list", Defined("place")
]
SetWord: TypeAlias = Annotated[str, Limit(pattern="^0x(0|[1-9a-f][0-9a-f]{0,15})$"), Defined("word")]
#: A value inside a list is again one of these.
CoreValue: TypeAlias = Annotated[
    int | bool | None | SetWord | tuple[Annotated[object, Defined("value")], ...],
    "a value; its kind says of which form",
    Defined("value"),
]

# Kinds ---------------------------------------------------------------------------------


@shape(closed=True)
class NumberKind:
    """A number, or the place of a member of a finite type, within bounds."""

    form: Literal["number", "index"]
    optional: Annotated[bool, "whether it may be absent"]
    low: Annotated[int, "the least"]
    high: Annotated[int, "the greatest"]


@shape(closed=True)
class PlainKind:
    """A truth value, a card, a set of cards, or nothing."""

    form: Literal["truth", "card", "set", "none"]
    optional: Annotated[bool, "whether it may be absent"]


@shape(closed=True)
class PileKind:
    """A pile of cards."""

    form: Literal["pile"] = "pile"
    optional: Annotated[bool, "whether it may be absent"]
    most: Annotated[_Count, "how many cards at most"]


@shape(closed=True)
class ListKind:
    """A list of elements of one kind."""

    form: Literal["list"] = "list"
    optional: Annotated[bool, "whether it may be absent"]
    element: Annotated[Position, "the kind of its elements"]
    most: Annotated[_Count, "how many elements at most"]


@shape(closed=True)
class ArrayKind:
    """An array of elements of one kind."""

    form: Literal["array"] = "array"
    optional: Annotated[bool, "whether it may be absent"]
    element: Annotated[Position, "the kind of its elements"]
    shape: Annotated[tuple[_Count, ...], "the number of elements in each dimension, the last one varying fastest"]


KindRecord: TypeAlias = Annotated[NumberKind | PlainKind | PileKind | ListKind | ArrayKind, Defined("kind")]

# Terms ---------------------------------------------------------------------------------

_Two: TypeAlias = tuple[Position, Position]
_OfNumbers: TypeAlias = Literal["+", "-", "*", "//", "min", "max"]
_OfSets: TypeAlias = Literal["union", "common", "without"]
_OfPiles: TypeAlias = Literal["cut", "take", "drop", "onto"]
_Bound: TypeAlias = Annotated[_Name, "the local that it binds"]


@shape(closed=True)
class _TermRecord:
    """A pure operation on terms."""

    op: str
    kind: Annotated[Position, "the kind of its value"]
    crashes: Annotated[Literal[True], "set if it may crash"] | Absent = ABSENT
    guarded: Annotated[Literal[True], "set if it needs a value that may be absent"] | Absent = ABSENT


@shape(closed=True)
class ConstTerm(_TermRecord):
    """A constant value."""

    op: Literal["const"] = "const"
    value: Annotated[CoreValue, "the value"]


@shape(closed=True)
class NamedTerm(_TermRecord):
    """A local or a variable."""

    op: Literal["local", "state"]
    name: Annotated[_Name, "its name"]


@shape(closed=True)
class CallTerm(_TermRecord):
    """A call of a routine."""

    op: Literal["call"] = "call"
    name: Annotated[_Name, "the routine"]
    parts: Annotated[tuple[Position, ...], Limit(min_items=1), "its arguments"] | Absent = ABSENT


@shape(closed=True)
class UnaryTerm(_TermRecord):
    """An operation on one term."""

    op: Literal[
        "not", "abs", "bounded", "some", "size", "lowest", "place", "length", "top", "bottom", "spread", "stack"
    ]
    parts: Annotated[tuple[Position], "the term"]


@shape(closed=True)
class BinaryTerm(_TermRecord):
    """An operation on two terms."""

    op: Literal[_OfNumbers, _OfSets, _OfPiles, "element", "part", "contains", "range"]
    parts: Annotated[_Two, "the terms"]


@shape(closed=True)
class CompareTerm(_TermRecord):
    """A comparison of two terms."""

    op: Literal["compare"] = "compare"
    name: Annotated[Literal["==", "!=", "<", "<=", ">", ">="], "the relation"]
    parts: Annotated[_Two, "the terms"]


@shape(closed=True)
class ChooseTerm(_TermRecord):
    """One of two terms, depending on a condition."""

    op: Literal["choose"] = "choose"
    parts: Annotated[tuple[Position, Position, Position], "condition, yes, no"]


@shape(closed=True)
class JunctionTerm(_TermRecord):
    """Truth values, evaluated from left to right, only as far as needed."""

    op: Literal["and", "or"]
    parts: Annotated[tuple[Position, ...], Limit(min_items=2), "the truth values"]


@shape(closed=True)
class UniqueTerm(_TermRecord):
    """The value of the one condition that holds."""

    op: Literal["unique"] = "unique"
    name: Annotated[_Name, "the table, which a crash names"]
    parts: Annotated[tuple[Position, ...], Limit(min_items=2), "condition, value, condition, value, ..."]


@shape(closed=True)
class LetTerm(_TermRecord):
    """A term in which a local stands for a value."""

    op: Literal["let"] = "let"
    bound: _Bound
    parts: Annotated[_Two, "value, body"]


@shape(closed=True)
class DemandTerm(_TermRecord):
    """A value, after a condition that must hold."""

    op: Literal["demand"] = "demand"
    name: Annotated[_Name, "what the crash says"]
    parts: Annotated[_Two, "condition, value"]


@shape(closed=True)
class TraitTerm(_TermRecord):
    """A constant by card: its entry for a card, its sum over a set, or the card of a set with the greatest entry."""

    op: Literal["trait", "total", "best"]
    name: Annotated[_Name, "the constant"]
    parts: Annotated[tuple[Position], "the term"]


@shape(closed=True)
class ExtremeTerm(_TermRecord):
    """The greatest or the least entry of a constant by card for the cards of a set."""

    op: Literal["peak", "floor"]
    name: Annotated[_Name, "the constant"]
    parts: Annotated[_Two, "set, default"]


@shape(closed=True)
class LookupTerm(_TermRecord):
    """An entry of a constant by place."""

    op: Literal["lookup"] = "lookup"
    name: Annotated[_Name, "the constant"]
    absent: Annotated[bool, "whether the place may be -1"]
    parts: Annotated[tuple[Position], "the term"]


@shape(closed=True)
class ListTerm(_TermRecord):
    """A list of terms."""

    op: Literal["list"] = "list"
    name: Annotated[Literal["once"], "without repetitions, each element at its first place"] | Absent = ABSENT
    parts: Annotated[tuple[Position, ...], Limit(min_items=1), "its elements"] | Absent = ABSENT


@shape(closed=True)
class LoopTerm(_TermRecord):
    """A quantifier over a list or a set."""

    op: Literal["loop"] = "loop"
    name: Annotated[
        Literal["any", "all", "sum", "count", "first", "min", "max", "gather", "union", "sift", "best"],
        "how the bodies are combined",
    ]
    bound: _Bound
    parts: Annotated[tuple[Position, ...], Limit(min_items=3, max_items=4), "domain, condition, body, default"]


TermRecord: TypeAlias = Annotated[
    ConstTerm
    | NamedTerm
    | CallTerm
    | UnaryTerm
    | BinaryTerm
    | CompareTerm
    | ChooseTerm
    | JunctionTerm
    | UniqueTerm
    | LetTerm
    | DemandTerm
    | TraitTerm
    | ExtremeTerm
    | LookupTerm
    | ListTerm
    | LoopTerm,
    Defined("term"),
]
