"""The lowered form as one JSON document (`brou-core/1`): steps, entries of score and view, and the whole.

`docs/lowered.md` says what each operation means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.core_terms import CoreValue, KindRecord, Position, TermRecord
from brou.shapes import ABSENT, Absent, Defined, Limit, shape

_Name: TypeAlias = Annotated[str, Limit(min_length=1)]
_Says: TypeAlias = Annotated[str, "id and clause, for people"]
_Rows: TypeAlias = Annotated[tuple[_Name, ...], "the rows of the tables that decide, each with its clause, for people"]
_Sha256: TypeAlias = Annotated[str, Limit(pattern="^[0-9a-f]{64}$")]

# Steps ---------------------------------------------------------------------------------


@shape(closed=True)
class PutStep:
    """A variable becomes a value."""

    op: Literal["put"] = "put"
    variable: Annotated[_Name, "the variable"]
    index: Annotated[Position | None, "the place in the array; null for the whole variable"]
    value: Annotated[Position, "the value"]
    says: _Says


@shape(closed=True)
class LetStep:
    """A local becomes a value."""

    op: Literal["let"] = "let"
    name: Annotated[_Name, "the local"]
    value: Annotated[Position, "the value"]
    says: _Says


@shape(closed=True)
class DemandStep:
    """A crash, unless a condition holds."""

    op: Literal["demand"] = "demand"
    name: Annotated[_Name, "what the crash says"]
    value: Annotated[Position, "the condition"]
    says: _Says


@shape(closed=True)
class LoopStep:
    """Steps for each value of a list or a set."""

    op: Literal["loop"] = "loop"
    name: Annotated[_Name, "the local"]
    value: Annotated[Position, "its values"]
    body: Annotated[tuple[StepRecord, ...], "the steps"]
    says: _Says


@shape(closed=True)
class CaseRecord:
    """Steps with their condition."""

    when: Annotated[Position | None, "the condition; null for one that always holds"]
    do: Annotated[tuple[StepRecord, ...], "the steps"]


@shape(closed=True)
class CasesStep:
    """The steps of the first case that holds."""

    op: Literal["cases"] = "cases"
    cases: Annotated[tuple[CaseRecord, ...], "the cases"]
    says: _Says


@shape(closed=True)
class ResetStep:
    """The variables of a scope, and of those inside it, get their first values."""

    op: Literal["reset"] = "reset"
    name: Annotated[_Name, "the scope"]
    says: _Says


@shape(closed=True)
class GotoStep:
    """The phase changes; the steps after it are not done."""

    op: Literal["goto"] = "goto"
    name: Annotated[_Name, "the stage"]
    says: _Says


StepRecord: TypeAlias = Annotated[
    PutStep | LetStep | DemandStep | LoopStep | CasesStep | ResetStep | GotoStep, Defined("step")
]

# Score and view ------------------------------------------------------------------------


@shape(closed=True)
class ShownKeyRecord:
    """What a score or a view shows at one key, with its label."""

    name: Annotated[_Name, "the key"]
    shown: Annotated[ShownForm, "its entry"]
    says: Annotated[str, "the label that the rules give it"]


_Keys: TypeAlias = Annotated[tuple[ShownKeyRecord, ...], Defined("keys")]


@shape(closed=True)
class ShownValueRecord:
    """A term as JSON."""

    form: Literal["value"] = "value"
    value: Annotated[Position, "the term"]
    kind: Annotated[Position, "its kind, which decides how it is written"]
    members: Annotated[str, "the list of members with the names of its values; empty if they have none"]


@shape(closed=True)
class ShownObjectRecord:
    """An object."""

    form: Literal["record"] = "record"
    keys: Annotated[_Keys, "its keys, in their order"]


@shape(closed=True)
class ShownConditionRecord:
    """An entry, or null (optional) or nothing at all (withheld) where a condition fails."""

    form: Literal["optional", "withheld"]
    condition: Annotated[Position, "the condition"]
    inner: Annotated[ShownForm, "the entry"]


@shape(closed=True)
class ShownListRecord:
    """An entry for each value of a domain that meets a condition."""

    form: Literal["list"] = "list"
    local: Annotated[_Name, "the local"]
    domain: Annotated[Position, "its values"]
    condition: Annotated[Position, "the condition"]
    inner: Annotated[ShownForm, "the entry"]
    flat: Annotated[bool, "whether inner lists are joined into one"]


ShownForm: TypeAlias = Annotated[
    ShownValueRecord | ShownObjectRecord | ShownConditionRecord | ShownListRecord, Defined("shown")
]

# The whole -----------------------------------------------------------------------------


@shape(closed=True)
class ConstantRecord:
    """A table of the rules."""

    name: Annotated[_Name, "its name"]
    kind: Annotated[Position, "the kind of its values"]
    by_card: Annotated[bool, "whether it has a value for each card, or else for each place of an index"]
    values: Annotated[tuple[CoreValue, ...], "its values"]


@shape(closed=True)
class CellRecord:
    """A variable of the state."""

    name: Annotated[_Name, "its name"]
    kind: Annotated[Position, "its kind"]
    scope: Annotated[_Name, "its scope"]
    first: Annotated[CoreValue, "its first value"]


@shape(closed=True)
class ArgumentRecord:
    """An argument of a routine."""

    name: Annotated[_Name, "its name"]
    kind: Annotated[Position, "its kind"]


@shape(closed=True)
class RoutineRecord:
    """A function or table of the rules: it reads the state and writes nothing."""

    name: Annotated[_Name, "its name"]
    arguments: Annotated[tuple[ArgumentRecord, ...], "its arguments"]
    kind: Annotated[Position, "the kind of its value"]
    body: Annotated[Position, "its value"]
    says: _Says
    rows: _Rows


@shape(name="choosing", closed=True)
class ParameterRecord:
    """A parameter of an act."""

    name: Annotated[_Name, "its name"]
    kind: Annotated[Position, "its kind"]
    form: Annotated[Literal["listed", "orders", "subsets", "range"], "how its values are given"]
    domain: Annotated[Position | None, "the values, or the set that is ordered or chosen from; null for a range"]
    bounds: Annotated[tuple[Position, ...], Limit(max_items=2), "the least and greatest size of a subset, or number"]


@shape(name="level", closed=True)
class LevelRecord:
    """One of the nested loops that find the choices offered."""

    local: Annotated[str, "its local; empty for the first level"]
    kind: Annotated[Position | None, "the kind of the local; null for the first level"]
    domain: Annotated[Position | None, "the values of the local; null for the first level"]
    guards: Annotated[tuple[Position, ...], "the conditions that hold inside"]


@shape(closed=True)
class ActRecord:
    """An act of a player."""

    name: Annotated[_Name, "its name"]
    described: Annotated[bool, "whether it is offered by a description of its values, not value by value"]
    by: Annotated[Position, "whether the local `me` may take it"]
    choosing: Annotated[tuple[ParameterRecord, ...], "its parameters"]
    legal: Annotated[Position, "whether it is legal for `me` with all values"]
    offers: Annotated[tuple[LevelRecord, ...], Limit(min_items=2), "nested loops that find all choices offered"]
    do: Annotated[tuple[StepRecord, ...], "its steps"]
    says: _Says
    rows: _Rows


@shape(closed=True)
class StageRecord:
    """A phase: automatic, a decision between acts, or the end."""

    name: Annotated[_Name, "its name"]
    do: Annotated[tuple[StepRecord, ...], "its steps, where it is automatic"]
    acts: Annotated[tuple[_Name, ...], "the acts that it offers"]
    final: Annotated[bool, "whether it is the end"]
    says: _Says


@shape(closed=True)
class InvariantRecord:
    """A condition that holds in every state of a match."""

    name: Annotated[_Name, "its name"]
    holds: Annotated[Position, "the condition"]


@shape(closed=True)
class QuestionsRecord:
    """The queries on a state: score, view and invariants."""

    score: Annotated[_Keys, "the keys of the score"]
    view: Annotated[_Keys, "the keys of the view of the seat that is the local `me`"]
    invariants: Annotated[tuple[InvariantRecord, ...], "conditions that hold in every state of a match"]


@shape(closed=True)
class CoreDocument:
    """A rule base in the lowered form (brou export --core)."""

    format: Literal["brou-core/1"] = "brou-core/1"
    rules: Annotated[_Name, "the name of the rule base"]
    readings: Annotated[Mapping[str, str], "the readings that it plays by"]
    hash: Annotated[_Sha256, "the hash of the typed rules, as `brou export` without `--core` gives it"]
    core: Annotated[_Sha256, "the SHA-256 of all that follows, as canonical JSON"]
    game: Annotated[_Name, "the game"]
    seats: Annotated[int, Limit(minimum=1), "how many seats it has"]
    cards: Annotated[tuple[_Name, ...], Limit(unique_items=True), "the codes of the cards in the order of the pack"]
    words: Annotated[int, Limit(minimum=1), "how many words of 64 bits a set takes"]
    scopes: Annotated[tuple[_Name, ...], "the scopes of variables, from the outside in"]
    members: Annotated[Mapping[str, tuple[_Name, ...]], "names by place, for people"]
    kinds: Annotated[tuple[KindRecord, ...], Limit(unique_items=True), "the kinds of values"]
    constants: Annotated[tuple[ConstantRecord, ...], "tables that never change"]
    cells: Annotated[tuple[CellRecord, ...], "the variables of the state"]
    terms: Annotated[tuple[TermRecord, ...], Limit(unique_items=True), "every term once, its parts before it"]
    routines: Annotated[tuple[RoutineRecord, ...], "functions and tables, each before those that call it"]
    acts: Annotated[tuple[ActRecord, ...], "what players may do"]
    stages: Annotated[tuple[StageRecord, ...], Limit(min_items=1), "the phases"]
    begin: Annotated[_Name, "the name of the first stage"]
    questions: Annotated[QuestionsRecord, "what may be asked of a state; an engine that only plays may ignore it"] | (
        Absent
    ) = ABSENT
