"""The lowered form as one JSON document, from which an engine can be made in any language without this package.

Terms and kinds are lists in which operands and elements come first; whatever else speaks of one names it by its place.
`brou.core_document` states the shapes, `docs/lowered.md` is the reference.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Generic, TypeAlias, TypeVar, assert_never, cast, get_args

from brou import core_document as stated
from brou.compiler import lowered
from brou.compiler.lower import lower_whole
from brou.compiler.set_words import WORD, words
from brou.core_document import CoreDocument as CoreDocument  # noqa: PLC0414 - the document of this file, for others
from brou.core_document import ShownForm, StepRecord
from brou.core_terms import CoreValue, KindRecord, TermRecord
from brou.language.export import identity
from brou.language.syntax import Game
from brou.shapes import ABSENT, Absent, Json, explain_fields, find_shapes, write_object

#: A document as JSON.
Record: TypeAlias = dict[str, Json]

#: The keys that say of what a document is; its hash is that of all others.
_HEAD = ("format", "rules", "readings", "hash", "core")

_Made = TypeVar("_Made")
#: What makes a shape of its members, by the value of the key that tells the shapes of a union apart.
_Shapes: TypeAlias = Mapping[str, Callable[..., _Made]]


def write_core(name: str, readings: Mapping[str, str], game: Game) -> Record:
    """Return the whole document of a rule base: its name, the hashes of its rules and its core, and the core."""
    document = _CoreWriter(lower_whole(game)).write()
    text = json.dumps(_drop_head(document), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    made = hashlib.sha256(text.encode("ascii")).hexdigest()
    return write_object(replace(document, rules=name, readings=readings, hash=identity(game), core=made))


def encode_program(program: lowered.Program) -> Record:
    """Return a program as JSON: a document without its head."""
    return _drop_head(_CoreWriter(program).write())


def _drop_head(document: CoreDocument) -> Record:
    return {key: value for key, value in write_object(document).items() if key not in _HEAD}


# Shapes by what they state ------------------------------------------------------------


def _sort_shapes(key: str, union: object) -> _Shapes[object]:
    """Return the shapes of a union by the values that each allows under a key."""
    return {
        value: one
        for one in find_shapes(union)
        for field in explain_fields(one)
        if field.key == key
        for value in get_args(field.type_)
    }


_KINDS = cast("_Shapes[KindRecord]", _sort_shapes("form", KindRecord))
_TERMS = cast("_Shapes[TermRecord]", _sort_shapes("op", TermRecord))
_STEPS = cast("_Shapes[StepRecord]", _sort_shapes("op", StepRecord))


def _fill(make: Callable[..., _Made], members: Mapping[str, object]) -> _Made:
    """Return a shape with all members that are not absent; raise `TypeError` where it has others."""
    return make(**{key: member for key, member in members.items() if member is not ABSENT})


def _unless_empty(member: _Made) -> _Made | Absent:
    """Return a text or a tuple, or that it is absent if there is nothing in it."""
    return member or ABSENT


class _UniqueRecords(Generic[_Made]):
    """Records in the order in which they were first met, each once."""

    def __init__(self) -> None:
        self._places: dict[_Made, int] = {}

    def place(self, record: _Made) -> int:
        """Return the place of a record; one that is new comes last."""
        return self._places.setdefault(record, len(self._places))

    def list_records(self) -> tuple[_Made, ...]:
        """Return the records in their order."""
        return tuple(self._places)


class _CoreWriter:
    """Writes one program; kinds and terms are listed as they are met, those that they are made of before them."""

    def __init__(self, program: lowered.Program) -> None:
        self.program = program
        self._words = words(len(program.cards))
        self._kinds: dict[lowered.Kind, int] = {}
        self._kind_records: _UniqueRecords[KindRecord] = _UniqueRecords()
        self._terms: dict[lowered.Term, int] = {}
        self._term_records: _UniqueRecords[TermRecord] = _UniqueRecords()

    def write(self) -> CoreDocument:
        """Return the document with an empty head."""
        program = self.program
        constants = tuple(map(self._constant, program.constants.values()))
        cells = tuple(map(self._cell, program.cells.values()))
        routines = tuple(map(self._routine, program.routines.values()))
        acts = tuple(map(self._act, program.acts.values()))
        stages = tuple(map(self._stage, program.stages.values()))
        questions = stated.QuestionsRecord(
            score=self._keys(program.score),
            view=self._keys(program.view),
            invariants=tuple(
                stated.InvariantRecord(name=one.name, holds=self._term(one.holds)) for one in program.invariants
            ),
        )
        return CoreDocument(
            rules="",
            readings={},
            hash="",
            core="",
            game=program.game,
            seats=program.seats,
            cards=program.cards,
            words=self._words,
            scopes=program.scopes,
            members=program.members,
            kinds=self._kind_records.list_records(),
            constants=constants,
            cells=cells,
            terms=self._term_records.list_records(),
            routines=routines,
            acts=acts,
            stages=stages,
            begin=next(iter(program.stages)),
            questions=questions,
        )

    # Kinds and values ---------------------------------------------------------

    def _kind(self, kind: lowered.Kind) -> int:
        """Return the place of a kind in the list of kinds."""
        if kind not in self._kinds:
            self._kinds[kind] = self._kind_records.place(self._bounds(kind))
        return self._kinds[kind]

    def _bounds(self, kind: lowered.Kind) -> KindRecord:
        """Return the record of a kind, with the bounds that its form has."""
        bounded, holding = kind.form in ("number", "index"), kind.form in ("list", "pile")
        members = {
            "form": kind.form,
            "optional": kind.optional,
            "low": kind.low if bounded else ABSENT,
            "high": kind.high if bounded else ABSENT,
            "element": ABSENT if kind.element is None else self._kind(kind.element),
            "shape": kind.shape if kind.form == "array" else ABSENT,
            "most": kind.most if holding else ABSENT,
        }
        return _fill(_KINDS[kind.form], members)

    def _value(self, kind: lowered.Kind, value: lowered.Value) -> CoreValue:
        """Return a value; a card or a set of cards is split into hexadecimal words."""
        if kind.form in ("set", "card") and isinstance(value, int):
            return tuple(hex(value >> WORD * place & (1 << WORD) - 1) for place in range(self._words))
        if isinstance(value, tuple):
            element = kind.element or lowered.Kind("card")  # piles are of cards
            return tuple(self._value(element, one) for one in value)
        return value

    def _constant(self, constant: lowered.Constant) -> stated.ConstantRecord:
        values = tuple(self._value(constant.kind, value) for value in constant.values)
        return stated.ConstantRecord(
            name=constant.name, kind=self._kind(constant.kind), by_card=constant.by_card, values=values
        )

    def _cell(self, cell: lowered.Cell) -> stated.CellRecord:
        first = self._value(cell.kind, cell.default)
        return stated.CellRecord(name=cell.name, kind=self._kind(cell.kind), scope=cell.scope, first=first)

    # Terms --------------------------------------------------------------------

    def _term(self, term: lowered.Term) -> int:
        """Return the place of a term in the list of terms."""
        if term not in self._terms:
            self._terms[term] = self._term_records.place(self._operation(term, self._all(term.parts)))
        return self._terms[term]

    def _all(self, terms: Iterable[lowered.Term]) -> tuple[int, ...]:
        return tuple(map(self._term, terms))

    def _maybe(self, term: lowered.Term | None) -> int | None:
        return None if term is None else self._term(term)

    def _operation(self, term: lowered.Term, parts: tuple[int, ...]) -> TermRecord:
        """Return the record of a term; keys that say nothing are left out."""
        members = {
            "op": term.op,
            "kind": self._kind(term.kind),
            "parts": _unless_empty(parts),
            "name": _unless_empty(term.name),
            "bound": _unless_empty(term.bound),
            "value": self._value(term.kind, term.value) if term.op == "const" else ABSENT,
            "absent": lowered.may_be_absent(term.parts[0].kind) if term.op == "lookup" else ABSENT,
            "crashes": _unless_empty(not term.total),
            "guarded": _unless_empty(bool(term.needs)),
        }
        return _fill(_TERMS[term.op], members)

    # Records ------------------------------------------------------------------

    def _routine(self, routine: lowered.Routine) -> stated.RoutineRecord:
        return stated.RoutineRecord(
            name=routine.name,
            arguments=tuple(
                stated.ArgumentRecord(name=name, kind=self._kind(kind)) for name, kind in routine.arguments
            ),
            kind=self._kind(routine.kind),
            body=self._term(routine.body),
            says=routine.says,
            rows=routine.rows,
        )

    def _act(self, act: lowered.CoreAct) -> stated.ActRecord:
        return stated.ActRecord(
            name=act.name,
            described=act.described,
            by=self._term(act.by),
            choosing=tuple(map(self._parameter, act.choosing)),
            legal=self._term(act.legal),
            offers=tuple(map(self._level, act.offers)),
            do=self._steps(act.do),
            says=act.says,
            rows=act.rows,
        )

    def _parameter(self, item: lowered.ActParameter) -> stated.ParameterRecord:
        members = {
            "name": item.name,
            "kind": self._kind(item.kind),
            "form": item.form,
            "domain": self._maybe(item.domain),
            "bounds": self._all(item.bounds),
        }
        return _fill(stated.ParameterRecord, members)

    def _level(self, level: lowered.LoopLevel) -> stated.LevelRecord:
        return stated.LevelRecord(
            local=level.local,
            kind=None if level.kind is None else self._kind(level.kind),
            domain=self._maybe(level.domain),
            guards=self._all(level.guards),
        )

    def _stage(self, stage: lowered.Stage) -> stated.StageRecord:
        return stated.StageRecord(
            name=stage.name, do=self._steps(stage.do), acts=stage.acts, final=stage.final, says=stage.says
        )

    def _steps(self, steps: Sequence[lowered.Step]) -> tuple[StepRecord, ...]:
        return tuple(map(self._step, steps))

    def _step(self, step: lowered.Step) -> StepRecord:
        """Return the record of a step; keys that say nothing are left out, but for the index of a whole variable."""
        members = {
            "op": step.op,
            "name": _unless_empty(step.name),
            "variable": _unless_empty(step.variable),
            "index": self._maybe(step.index) if step.op == "put" else ABSENT,
            "value": ABSENT if step.value is None else self._term(step.value),
            "body": self._steps(step.body) if step.op == "loop" else ABSENT,
            "cases": tuple(map(self._case, step.cases)) if step.op == "cases" else ABSENT,
            "says": step.says,
        }
        return _fill(_STEPS[step.op], members)

    def _case(self, case: tuple[lowered.Term | None, tuple[lowered.Step, ...]]) -> stated.CaseRecord:
        test, body = case
        return stated.CaseRecord(when=self._maybe(test), do=self._steps(body))

    # What is shown ------------------------------------------------------------

    def _keys(self, keys: Sequence[lowered.ShownKey]) -> tuple[stated.ShownKeyRecord, ...]:
        return tuple(stated.ShownKeyRecord(name=key.name, shown=self._entry(key.shown), says=key.says) for key in keys)

    def _entry(self, shown: lowered.Shown) -> ShownForm:
        """Return the record of one part of the score or the view."""
        match shown:
            case lowered.ShownValue():
                value, kind = self._term(shown.value), self._kind(shown.kind)
                return stated.ShownValueRecord(value=value, kind=kind, members=shown.members)
            case lowered.ShownRecord():
                return stated.ShownObjectRecord(keys=self._keys(shown.keys))
            case lowered.ShownOptional():
                condition = self._term(shown.condition)
                return stated.ShownConditionRecord(form="optional", condition=condition, inner=self._entry(shown.inner))
            case lowered.Withheld():
                condition = self._term(shown.condition)
                return stated.ShownConditionRecord(form="withheld", condition=condition, inner=self._entry(shown.inner))
            case lowered.ShownList():
                domain, condition = self._term(shown.domain), self._term(shown.condition)
                inner = self._entry(shown.inner)
                return stated.ShownListRecord(
                    local=shown.local, domain=domain, condition=condition, inner=inner, flat=shown.flat
                )
            case _:
                assert_never(shown)
