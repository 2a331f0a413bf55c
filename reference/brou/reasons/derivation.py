"""Derivations: explanations as JSON, without a word in them, from which any program can make sentences of its own.

A reason is a tree. Its leaves name texts of the rules with the values that fill them, or give an expression of the
rules that has no text. Clauses are given by their ids, values as they go over the wire.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, TypeAlias, assert_never

from brou.language.codec import Json
from brou.language.syntax import Deck
from brou.language.unparse import unparse_expression
from brou.reasons.explanation import Decision, FigureChange, Found, Judgement, RowReason, ViewEntry
from brou.reasons.reason import (
    Among,
    Coded,
    Either,
    Elsewhere,
    Every,
    Failed,
    Field,
    Figure,
    FigureTerm,
    FilledText,
    FixedReason,
    GivenAnswer,
    Name,
    Negative,
    NotOver,
    OneOf,
    Origin,
    Product,
    Reason,
    Sums,
    Theirs,
    TypedValue,
    Unlike,
    Unworded,
    Within,
    encode_value,
)
from brou.shapes import ABSENT, Absent, Defined, Limit, shape

_Compared: TypeAlias = Annotated[tuple[tuple[int, ...], ...], "the sums that are compared, each as a list of its terms"]
_Values: TypeAlias = tuple[object, ...]

# Reasons -----------------------------------------------------------------------------


@shape(closed=True)
class TextTree:
    """A reason for which the rules have a text."""

    text: Annotated[str, "the place of the text: SECTION/RECORD/say or /deny"]
    fills: Annotated[Mapping[str, object], "the values that replace the names in braces"] | Absent = ABSENT
    denied: Annotated[bool, "whether the opposite of the text holds"] | Absent = ABSENT
    compared: _Compared | Absent = ABSENT


@shape(closed=True)
class ExpressionTree:
    """A reason for which the rules have no text: an expression."""

    expression: Annotated[str, "the expression, as rule files write it"]
    holds: Annotated[bool, "for a condition, whether it holds"]
    compared: _Compared | Absent = ABSENT


@shape(closed=True)
class AllTree:
    """Several reasons, which all hold."""

    all: Annotated[tuple[ReasonTree, ...], "the reasons"]


@shape(closed=True)
class AnyTree:
    """Several reasons, of which at least one holds."""

    any: Annotated[tuple[ReasonTree, ...], "the reasons that hold"]


@shape(closed=True)
class AnswerTree:
    """A player answered yes or no in an act."""

    action: Annotated[str, "the act"]
    given: Annotated[bool, "the answer"]
    seat: Annotated[int | None, "the seat that gave it; null for the acting seat"]


@shape(closed=True)
class ValuesTree:
    """The value in question is one of these."""

    values: Annotated[_Values, "the values"]
    parameter: Annotated[bool, "whether the value is a parameter of the act"]


@shape(closed=True)
class SimpleTree:
    """A fixed reason, without values."""

    simply: Annotated[FixedReason, "the reason"]


@shape(closed=True)
class PhaseTree:
    """The phase does not offer the act."""

    phase: Annotated[str, "the phase"]
    offering: Annotated[tuple[str, ...], "the phases that offer it"]


@shape(closed=True)
class SeatsTree:
    """Only these seats may take the act."""

    seats: Annotated[tuple[int, ...], "the seats"]


@shape(closed=True)
class TypeTree:
    """A parameter must have a value of this type."""

    type: Annotated[str, "the type, as rule files write it"]


@shape(closed=True)
class CodeTree:
    """The code of the refusal is the whole reason."""

    code: Annotated[str, "the code"]


ReasonTree: TypeAlias = Annotated[
    TextTree
    | ExpressionTree
    | AllTree
    | AnyTree
    | AnswerTree
    | ValuesTree
    | SimpleTree
    | PhaseTree
    | SeatsTree
    | TypeTree
    | CodeTree,
    Defined("reason"),
]


@shape(closed=True)
class FieldName:
    """A variable, or a key of the score or the view."""

    field: Annotated[str, "its name"]


@shape(closed=True)
class ProductName:
    """A product without a name in the rules, by its factors."""

    factors: Annotated[tuple[int, int], "the factors"]


@shape(closed=True)
class ValueName:
    """A value of the rules."""

    value: Annotated[object, "the value"]


@shape(closed=True)
class NegativeName:
    """A number with its sign changed."""

    minus: Annotated[NumberName, "the number"]


NumberName: TypeAlias = Annotated[
    TextTree | ExpressionTree | FieldName | ProductName | ValueName | NegativeName, Defined("numberName")
]

# What is derived ---------------------------------------------------------------------

_Clauses: TypeAlias = Annotated[tuple[str, ...], "the clauses that say so, by id"]


@shape(closed=True)
class DecidedRow:
    """A row of a decision table that was evaluated."""

    row: Annotated[str, "its id"]
    because: Annotated[ReasonTree, "why it decides or does not"]


@shape(closed=True)
class DecisionTree:
    """The rows of a decision table, up to the one that decides."""

    table: Annotated[str, "its id"]
    rows: Annotated[tuple[DecidedRow, ...], Limit(min_items=1), "the rows in their order; the last one decides"]


@shape(closed=True)
class DerivedTerm:
    """A term of a sum."""

    value: Annotated[int, "what it adds"]
    name: Annotated[NumberName | None, "what it is"]
    clauses: _Clauses
    because: Annotated[ReasonTree, "why it has this value"] | Absent = ABSENT
    parts: Annotated[tuple[DerivedTerm, ...], "its own terms, if it is a sum"] | Absent = ABSENT
    writes: Annotated[tuple[DerivedWrite, ...], "how its variables were written"] | Absent = ABSENT


@shape(closed=True)
class DerivedWrite:
    """A value written to a variable that a figure depends on."""

    variable: Annotated[str, "the variable"]
    step: Annotated[str, "the step at which it was written; empty for the start"]
    effect: Annotated[str, "the effect of the rules that wrote it; empty if the value was given"]
    adds: Annotated[bool, "whether it was added to the old value"]
    value: Annotated[object, "the value"]
    clauses: _Clauses
    because: Annotated[ReasonTree, "why"] | Absent = ABSENT
    terms: Annotated[tuple[DerivedTerm, ...], "its terms, if it is a sum"] | Absent = ABSENT


@shape(closed=True)
class DerivedFigure:
    """A figure of the score, or who took the last trick."""

    figure: Annotated[str, "its key"]
    of: Annotated[_Values, "its owner: the values that index it, such as a seat; empty if it has none"]
    value: Annotated[object, "its value"]
    before: Annotated[object, "its value before the act"] | Absent = ABSENT
    clauses: _Clauses
    terms: Annotated[tuple[DerivedTerm, ...], "its terms, if it is a sum"] | Absent = ABSENT
    writes: Annotated[tuple[DerivedWrite, ...], "how it was written"] | Absent = ABSENT


@shape(closed=True)
class DerivedAct:
    """An act, and why it is allowed or refused."""

    by: Annotated[int, "the seat that takes it"]
    act: Annotated[
        Mapping[str, object],
        "the act; where the protocol describes its choices, or there are none, it stands for all of them",
    ]
    allowed: Annotated[bool, "whether it is allowed"]
    code: Annotated[str, "the code of the refusal"] | Absent = ABSENT
    clauses: _Clauses
    because: Annotated[ReasonTree, "why, in short"] | Absent = ABSENT
    tables: Annotated[tuple[DecisionTree, ...], "the decision tables that were consulted"] | Absent = ABSENT
    changes: Annotated[tuple[DerivedFigure, ...], "the figures that it changes at once"] | Absent = ABSENT


@shape(closed=True)
class DerivedSight:
    """A key of the view, and why the seat sees it or does not."""

    sight: Annotated[str, "the key"]
    seen: Annotated[bool, "whether the seat sees it"]
    value: Annotated[object, "the value in its view; null if there is none"]
    because: Annotated[ReasonTree, "why"]
    clauses: _Clauses


Derivation: TypeAlias = Annotated[DerivedAct | DerivedFigure | DerivedSight, Defined("derivation")]


def derive(found: Found, deck: Deck) -> DerivedAct | DerivedFigure | DerivedSight:
    """Return an explanation without words; raise `TypeError` for the reasons that only a settled record has."""
    encoder = _Encoder(deck)
    match found:
        case Judgement():
            return encoder.act(found)
        case Figure():
            return encoder.figure(found)
        case ViewEntry():
            return encoder.sight(found)
        case _:
            assert_never(found)


class _Encoder:
    """Encodes explanations of games that are played with one pack."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def act(self, found: Judgement) -> DerivedAct:
        return DerivedAct(
            by=found.seat,
            act=found.act,
            allowed=found.allowed,
            code=found.code or ABSENT,
            clauses=_clauses(found.clauses),
            because=ABSENT if found.because is None else self._reason(found.because),
            tables=tuple(map(self._decision, found.decisions)) or ABSENT,
            changes=tuple(map(self._change, found.changes)) or ABSENT,
        )

    def sight(self, found: ViewEntry) -> DerivedSight:
        return DerivedSight(
            sight=found.name,
            seen=found.seen,
            value=found.value,
            because=self._reason(found.because),
            clauses=_clauses([found.clause]),
        )

    def figure(self, found: Figure, before: object | Absent = ABSENT) -> DerivedFigure:
        return DerivedFigure(
            figure=found.name,
            of=tuple(map(self._value, found.of)),
            value=self._value(found.shown),
            before=before,
            clauses=_clauses(found.clauses),
            terms=tuple(map(self._term, found.terms)) or ABSENT,
            writes=tuple(map(self._write, found.origins)) or ABSENT,
        )

    def _change(self, one: FigureChange) -> DerivedFigure:
        return self.figure(one.figure, self._value(one.before))

    def _decision(self, one: Decision) -> DecisionTree:
        return DecisionTree(table=one.table, rows=tuple(map(self._row, (*one.skipped, one.fired))))

    def _row(self, one: RowReason) -> DecidedRow:
        return DecidedRow(row=one.row, because=self._reason(one.because))

    def _term(self, one: FigureTerm) -> DerivedTerm:
        return DerivedTerm(
            value=one.value,
            name=None if one.name is None else self._name(one.name),
            clauses=_clauses(one.clauses),
            because=ABSENT if one.because is None else self._reason(one.because),
            parts=tuple(map(self._term, one.parts)) or ABSENT,
            writes=tuple(map(self._write, one.origins)) or ABSENT,
        )

    def _write(self, one: Origin) -> DerivedWrite:
        return DerivedWrite(
            variable=one.variable,
            step=one.step,
            effect=one.effect,
            adds=one.adds,
            value=self._value(one.shown),
            clauses=_clauses(one.clauses),
            because=ABSENT if one.because is None else self._reason(one.because),
            terms=tuple(map(self._term, one.terms)) or ABSENT,
        )

    def _value(self, shown: TypedValue) -> Json:
        return encode_value(shown, self._deck)

    def _name(self, name: Name) -> NumberName:
        match name:
            case FilledText():
                return self._text(name)
            case Unworded():
                return _expression(name)
            case Field():
                return FieldName(field=name.name)
            case Product():
                return ProductName(factors=name.factors)
            case TypedValue():
                return ValueName(value=self._value(name))
            case Negative():
                return NegativeName(minus=self._name(name.name))
            case _:
                assert_never(name)

    def _text(self, found: FilledText) -> TextTree:
        where = found.text
        return TextTree(
            text=f"{where.section}/{where.record}/{where.key}",
            fills={name: self._value(value) for name, value in found.fills} or ABSENT,
            denied=found.denied or ABSENT,
            compared=_sums(found.compared),
        )

    def _reason(self, reason: Reason) -> ReasonTree:  # noqa: C901, PLR0912 - one kind a case
        match reason:
            case FilledText():
                return self._text(reason)
            case Unworded():
                return _expression(reason)
            case Every():
                return AllTree(all=tuple(map(self._reason, reason.parts)))
            case Either():
                return AnyTree(any=tuple(map(self._reason, reason.parts)))
            case GivenAnswer():
                return AnswerTree(action=reason.action, given=reason.given, seat=reason.seat)
            case OneOf() | Among():
                return ValuesTree(values=tuple(map(self._value, reason.values)), parameter=isinstance(reason, Among))
            case FixedReason():
                return SimpleTree(simply=reason)
            case Elsewhere():
                return PhaseTree(phase=reason.phase, offering=reason.offering)
            case Theirs():
                return SeatsTree(seats=reason.seats)
            case Within():
                return TypeTree(type=str(reason.type))
            case Coded():
                return CodeTree(code=reason.code)
            case Unlike() | NotOver() | Failed():
                raise TypeError(f"{type(reason).__name__} is the reason of a settled record")
            case _:
                assert_never(reason)


def _expression(found: Unworded) -> ExpressionTree:
    return ExpressionTree(
        expression=unparse_expression(found.expression), holds=found.holds, compared=_sums(found.compared)
    )


def _sums(compared: Sums) -> Sums | Absent:
    return compared or ABSENT


def _clauses(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id_ for id_ in ids if id_))
