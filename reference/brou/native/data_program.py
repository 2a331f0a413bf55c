"""The lowered form as whole numbers and constants, for the machine that runs it as data.

`machine.c` has the order of operations, of the head and of the fields of each record; both must agree.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from math import prod

from brou.compiler.kinds import absent
from brou.compiler.lowered import (
    ActParameter,
    CoreAct,
    Kind,
    LoopLevel,
    Program,
    Routine,
    Step,
    Term,
    Value,
    every_part,
)
from brou.compiler.set_words import WORD, words
from brou.dataclass import dataclass, replace
from brou.errors import TooCostly
from brou.language.copies import is_copy
from brou.native.c_acts import FORMS, list_rows
from brou.native.c_types import as_number, as_values

_FORMS = ("none", "number", "index", "truth", "card", "set", "pile", "list", "array")
_SETS = frozenset({"card", "set"})
_ROWS = frozenset({"pile", "list", "array"})
_OPERATIONS = (
    "const", "local", "state", "element", "part", "call", "let", "demand", "and", "or", "not", "choose", "unique",
    "compare", "contains", "+", "-", "*", "//", "min", "max", "abs", "bounded", "union", "common", "without",
    "some", "size", "lowest", "place", "trait", "lookup", "total", "peak", "floor", "best", "length", "list",
    "range", "top", "bottom", "cut", "spread", "stack", "take", "drop", "onto", "loop",
)  # fmt: skip
_QUANTIFIERS = ("any", "all", "sum", "count", "first", "min", "max", "gather", "union", "sift", "best")
_COMPARED = ("==", "!=", "<", "<=", ">", ">=")
_STEPS = ("put", "let", "demand", "loop", "cases", "reset", "goto")
_CARRYING = frozenset({"trait", "total", "peak", "floor", "best"})
#: A set has at most so many words; a value takes at least two, for the place and the length of a row.
_WORDS, _LEAST = 4, 2
#: What the machine has room for: values of an act, locals of one routine, and what is made on the way.
_VALUES, _OWN, _ARENA = 8, 96, 4096
#: The pack is numbered by bytes.
_CARDS = 255


@dataclass(frozen=True, slots=True)
class CellLayout:
    """Where a variable lies in the state: its first value, how many elements, values of each, and their form."""

    place: int
    count: int
    step: int
    form: str
    element: str


@dataclass(frozen=True, slots=True)
class DataProgram:
    """A program for the machine: its numbers, the room with its constants, and what of the state lies where."""

    code: ctypes.Array[ctypes.c_int32]
    room: ctypes.Array[ctypes.c_int64]
    words: int
    unit: int
    state: int
    cells: dict[str, CellLayout]
    #: The terms of the invariants, and the places of routines, by name.
    invariants: dict[str, int]
    routines: dict[str, int]


def encode_data(program: Program) -> DataProgram:
    """Return a program for the machine; raise `TooCostly` for rules that it cannot hold."""
    return _ProgramEncoder(program).write()


class _ProgramEncoder:
    """Writes one program."""

    def __init__(self, program: Program) -> None:
        _check(program)
        self.program = program
        self.words = words(len(program.cards))
        self.unit = max(self.words, _LEAST)
        self.values: list[tuple[int, ...]] = []
        self.parts: list[int] = []
        self.nodes: dict[Term, int] = {}
        self.records: list[tuple[int, ...]] = []
        self.steps_: list[tuple[int, ...]] = []
        self.slots: dict[str, int] = {}
        self.kept: dict[tuple[str, object], int] = {}
        self.names = {
            "routines": list(program.routines), "acts": list(program.acts), "stages": list(program.stages),
            "scopes": list(program.scopes), "cells": list(program.cells),
        }  # fmt: skip
        self.layouts: dict[str, CellLayout] = {}
        self.tables: dict[str, int] = {}

    def write(self) -> DataProgram:
        """Return the program."""
        program = self.program
        # The order counts: constants come first, then first values of the state, the state, the locals and the room for
        # what is made on the way. Every place is known when the code is written, for nothing moves afterwards.
        self.tables = {name: self._table(name) for name in program.constants}
        fresh = self._lay_out()
        size = len(fresh)
        routines = [self._routine(one) for one in program.routines.values()]
        parameters: list[tuple[int, ...]] = []
        levels: list[tuple[int, ...]] = []
        acts = [self._act(act, parameters, levels) for act in program.acts.values()]
        stages = [
            (
                int(stage.final),
                *self._run(stage.do),
                self._add(map(self.names["acts"].index, stage.acts)),
                len(stage.acts),
            )
            for stage in program.stages.values()
        ]
        invariants = {one.name: self.node(one.holds) for one in program.invariants}
        fresh_at = len(self.values)
        self.values += fresh
        state_at = len(self.values)
        locals_at = state_at + size
        arena_at = locals_at + len(self.slots)
        room = arena_at + _ARENA
        cells = [
            (state_at + one.place, _FORMS.index(one.form), one.count, one.step, _FORMS.index(one.element))
            for one in self.layouts.values()
        ]
        scopes = [
            # Variables lie in the order of their scopes, the outermost first, so a reset sets back everything from one
            # place to the end.
            min([one.place for name, one in self.layouts.items() if self._is_inside(name, scope)], default=size)
            for scope in program.scopes
        ]
        sizes = [
            len(program.cards),
            program.seats,
            fresh_at,
            state_at,
            size,
            locals_at,
            arena_at,
            room,
            len(program.acts),
        ]
        tables = [
            _flatten(self.records), self.parts, _flatten(cells), _flatten(routines), _flatten(acts),
            _flatten(parameters), _flatten(levels), _flatten(stages), _flatten(self.steps_), scopes,
        ]  # fmt: skip
        # The head has the sizes and where each table begins; the tables follow without gaps.
        code, at = list(sizes), len(sizes) + len(tables)
        for table in tables:
            code.append(at)
            at += len(table)
        for table in tables:
            code += table
        made = (ctypes.c_int64 * (room * self.unit))()
        flat = [word for value in self.values for word in value]
        for place, word in enumerate(flat):
            made[place] = word
        return DataProgram(
            (ctypes.c_int32 * len(code))(*code),
            made,
            self.words,
            self.unit,
            size,
            self.layouts,
            invariants,
            {name: place for place, name in enumerate(program.routines)},
        )

    # Values -------------------------------------------------------------------

    def _value(self, kind: Kind, value: Value) -> tuple[int, ...]:
        """Return one value in words; the elements of a row go before it."""
        if kind.form in _SETS or kind.form not in _ROWS:
            number = 0 if value is None else as_number(value)
            if kind.form not in _SETS:
                return (number, *[0] * (self.unit - 1)) if value is not None else self._row(0, -1)
            # A set of more cards than a word has bits takes several words, the lowest first.
            listed = [_sign(number >> WORD * place & (1 << WORD) - 1) for place in range(self.words)]
            return (*listed, *[0] * (self.unit - self.words))
        if value is None:
            return self._row(0, -1)
        element = kind.element or Kind("card")
        elements = [self._value(element, one) for one in as_values(value)]
        at = len(self.values)
        self.values += elements
        return self._row(at, len(elements))

    def _row(self, at: int, many: int) -> tuple[int, ...]:
        return (at, many, *[0] * (self.unit - _LEAST))

    def _const(self, kind: Kind, value: Value) -> int:
        """Return the place of a constant."""
        shape = (kind.form, kind.element.form if kind.element else "")
        key = (repr(shape), (type(value), value))
        if key not in self.kept:
            made = self._value(kind, value)
            self.kept[key] = len(self.values)
            self.values.append(made)
        return self.kept[key]

    def _table(self, name: str) -> int:
        """Return where a table begins; one of sets by place has the last in front, for a place that is absent."""
        constant = self.program.constants[name]
        values = list(constant.values)
        if self._is_shifted(name):
            values = [values[-1], *values]
        made = [self._value(constant.kind, value) for value in values]
        at = len(self.values)
        self.values += made
        return at

    def _is_shifted(self, name: str) -> bool:
        constant = self.program.constants[name]
        return constant.kind.form == "set" and not constant.by_card

    # The state ----------------------------------------------------------------

    def _lay_out(self) -> list[tuple[int, ...]]:
        """Return the first values of all variables, scope by scope; the phase comes first."""
        fresh = [self._row(0, 0)]
        ordered = sorted(self.program.cells.values(), key=lambda cell: self.program.scopes.index(cell.scope))
        places: dict[str, CellLayout] = {}
        for cell in ordered:
            kind = cell.kind
            element = kind.element if kind.form == "array" and kind.element else kind
            step = 1 + element.most if element.form in ("pile", "list") else 1
            count = prod(kind.shape) if kind.form == "array" else 1
            places[cell.name] = CellLayout(len(fresh), count, step, kind.form, element.form)
            values = as_values(cell.default) if kind.form == "array" else (cell.default,)
            for value in values:
                fresh += self._store(element, value)
        self.layouts = {name: places[name] for name in self.program.cells}
        return fresh

    def _store(self, kind: Kind, value: Value) -> list[tuple[int, ...]]:
        """Return the values in which a state keeps something: of a pile or a list its length and its elements."""
        if kind.form not in ("pile", "list"):
            return [self._value(kind, value)]
        element = kind.element or Kind("card")
        listed = () if value is None else as_values(value)
        there = [self._value(element, one) for one in listed]
        return [
            self._row(-1 if value is None else len(there), 0),
            *there,
            *[self._row(0, 0)] * (kind.most - len(there)),
        ]

    def _is_inside(self, name: str, scope: str) -> bool:
        scopes = self.program.scopes
        return scopes.index(self.program.cells[name].scope) >= scopes.index(scope)

    # Terms --------------------------------------------------------------------

    def slot(self, name: str) -> int:
        """Return where a local lies; those of one name share a place, which calls keep for their callers."""
        return self.slots.setdefault(name, len(self.slots))

    def _add(self, numbers: Iterable[int]) -> int:
        """Return where numbers lie behind each other."""
        listed = list(numbers)
        at = len(self.parts)
        self.parts += listed
        return at

    def node(self, term: Term) -> int:
        """Return the place of a term."""
        if term not in self.nodes:
            parts = self._parts(term)
            listed = [self.node(part) for part in parts]
            name, bound, more = self._write_fields(term, parts)
            record = (
                _OPERATIONS.index(term.op),
                _FORMS.index(term.kind.form),
                name,
                bound,
                self._add(listed),
                len(listed),
                more,
            )
            self.nodes[term] = len(self.records)
            self.records.append(record)
        return self.nodes[term]

    def _parts(self, term: Term) -> tuple[Term, ...]:
        """Return the parts of a term; a comparison with nothing compares with the absent value of the other part."""
        if term.op != "compare" or len({part.kind.form == "none" for part in term.parts}) == 1:
            return term.parts
        (kind,) = (part.kind for part in term.parts if part.kind.form != "none")
        nothing = Term("const", replace(kind, optional=True), value=absent(kind, len(self.program.cards)))
        return tuple(nothing if part.kind.form == "none" else part for part in term.parts)

    def _write_fields(self, term: Term, parts: Sequence[Term]) -> tuple[int, int, int]:  # noqa: C901, PLR0912 - a case each
        """Return what the record of a term says beside its parts: a name, a slot or a shift, a size."""
        match term.op:
            case "const":
                return self._const(term.kind, term.value), 0, 0
            case "local":
                return self.slot(term.name), 0, 0
            case "state":
                return self.names["cells"].index(term.name), 0, 0
            case "call":
                return self.names["routines"].index(term.name), 0, 0
            case "let":
                return 0, self.slot(term.bound), 0
            case "compare":
                return _COMPARED.index(term.name), 0, 0
            case "contains":
                element = parts[0].kind.element or Kind("none")
                return 0, 0, _FORMS.index(element.form)
            case "element":
                return 0, 0, self._step(parts[0])
            case "part":
                return self._step(parts[0]), 0, prod(term.kind.shape)
            case "list":
                _refuse_rows(parts)
                return int(term.name == "once"), 0, 0
            case "lookup":
                shift = int(self._is_shifted(term.name))
                return self.tables[term.name], shift, len(self.program.constants[term.name].values) + shift
            case "loop":
                if term.name == "gather":
                    _refuse_rows(parts[2:3])
                nothing = self._const(replace(term.kind, optional=True), absent(term.kind, len(self.program.cards)))
                return _QUANTIFIERS.index(term.name), self.slot(term.bound), nothing
        return self.tables[term.name] if term.op in _CARRYING else 0, 0, 0

    def _step(self, row: Term) -> int:
        """Return how many values an element of a row takes: more than one where a state has piles or lists in rows."""
        element = row.kind.element or Kind("none")
        if element.form not in ("pile", "list"):
            return 1
        if row.op == "part":
            return self._step(row.parts[0])
        if row.op != "state":
            raise TooCostly(f"the machine has no rows of piles or lists but variables, as {self.program.game} has")
        return self.layouts[row.name].step

    # Steps --------------------------------------------------------------------

    def _run(self, steps: Sequence[Step]) -> tuple[int, int]:
        """Return where the numbers of some steps lie, and how many there are."""
        listed = [self._number(step) for step in steps]
        self.parts.append(len(listed))
        return self._add(listed), len(listed)

    def _number(self, step: Step) -> int:
        """Return the number of a step."""
        name, first, many = 0, 0, 0
        match step.op:
            case "goto":
                name = self.names["stages"].index(step.name)
            case "reset":
                name = self.names["scopes"].index(step.name)
            case "let":
                name = self.slot(step.name)
            case "loop":
                name = self.slot(step.name)
                first, many = self._run(step.body)
            case "cases":
                listed = [(-1 if test is None else self.node(test), *self._run(body)) for test, body in step.cases]
                first, many = self._add(_flatten(listed)), len(listed)
        cell = self.names["cells"].index(step.variable) if step.op == "put" else 0
        if step.op == "put" and step.value is not None:
            self._check_put(step, step.value)
        index = -1 if step.index is None else self.node(step.index)
        value = -1 if step.value is None else self.node(step.value)
        self.steps_.append((_STEPS.index(step.op), name, cell, index, value, first, many))
        return len(self.steps_) - 1

    def _check_put(self, step: Step, value: Term) -> None:
        layout = self.layouts[step.variable]
        if value.kind.form == "array" and layout.step > 1:
            raise TooCostly(f"the machine writes no rows of piles or lists, as {step.variable} is")

    # Records ------------------------------------------------------------------

    def _routine(self, routine: Routine) -> tuple[int, ...]:
        arguments = [name for name, _ in routine.arguments]
        bound = {term.bound for term in every_part([routine.body]) if term.bound}
        own = [*arguments, *sorted(bound - set(arguments))]
        if len(own) > _OWN:
            raise TooCostly(f"the machine keeps {_OWN} locals of a routine, {routine.name} has {len(own)}")
        return self.node(routine.body), self._add(map(self.slot, own)), len(own)

    def _act(self, act: CoreAct, parameters: list[tuple[int, ...]], levels: list[tuple[int, ...]]) -> tuple[int, ...]:
        first, first_level = len(parameters), len(levels)
        parameters += [self._parameter(item) for item in act.choosing]
        levels += [self._level(level) for level in act.offers]
        return (
            self.node(act.by), self.node(act.legal), self.slot("me"), first, len(act.choosing), first_level,
            len(act.offers), self._run(act.do)[0], int(act.described),
        )  # fmt: skip

    def _parameter(self, item: ActParameter) -> tuple[int, ...]:
        kind = item.kind
        rows = self._const(Kind("list", element=kind), tuple(list_rows(item))) if kind.form == "list" else -1
        domain = -1 if item.domain is None else self.node(item.domain)
        low, high = (0, 1) if kind.form == "truth" else (kind.low, kind.high)
        return (
            self.slot(item.name), FORMS.index(item.form), _FORMS.index(kind.form), domain,
            self._add(map(self.node, item.bounds)), int(kind.optional), low, high, rows,
        )  # fmt: skip

    def _level(self, level: LoopLevel) -> tuple[int, ...]:
        local = self.slot(level.local) if level.domain is not None else 0
        domain = -1 if level.domain is None else self.node(level.domain)
        form = _FORMS.index(level.kind.form if level.kind else "none")
        return local, domain, form, self._add(map(self.node, level.guards)), len(level.guards)


def _flatten(records: Iterable[Iterable[int]]) -> list[int]:
    return [number for record in records for number in record]


def _sign(word: int) -> int:
    """Return a word of 64 bits as a number with a sign, which has the same bits."""
    return word - (1 << WORD) if word >> (WORD - 1) else word


def _refuse_rows(parts: Iterable[Term]) -> None:
    if any(part.kind.form in _ROWS for part in parts):
        raise TooCostly("the machine makes no lists of lists")


def _check(program: Program) -> None:
    """Raise `TooCostly` for rules that the machine cannot hold."""
    if len(program.cards) > _CARDS or words(len(program.cards)) > _WORDS:
        raise TooCostly(f"the machine has at most {_CARDS} cards, {program.game} has {len(program.cards)}")
    if any(map(is_copy, program.cards)):
        raise TooCostly(f"the machine tells copies of a card apart, {program.game} does not; take an engine in Python")
    for act in program.acts.values():
        if len(act.choosing) > _VALUES:
            raise TooCostly(f"the machine has acts of at most {_VALUES} values, {act.name} has {len(act.choosing)}")
    for cell in program.cells.values():
        if cell.kind.form == "array" and cell.kind.optional:
            raise TooCostly(f"{cell.name} is an array that may be absent; the machine has none of these")
        held = cell.kind.element if cell.kind.form == "array" else cell.kind
        if held is not None and held.element is not None and held.element.form in _ROWS:
            raise TooCostly(f"{cell.name} holds lists of lists; the machine has variables of lists alone")
