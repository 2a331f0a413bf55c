"""The lowered form as one JSON document, from which an engine can be made in any language without this package.

Terms and kinds are lists in which operands and elements come first; whatever
else speaks of one names it by its place. `docs/lowered.md` is the reference.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, assert_never

from brou.compiler import lowered
from brou.compiler.lower import lower_whole
from brou.language.export import identity
from brou.language.syntax import Game

#: One record of the document.
Record: TypeAlias = dict[str, Any]

#: How many cards a word of a set holds.
WORD = 64


def core(name: str, readings: Mapping[str, str], game: Game) -> Record:
    """Return the whole document of a rule base: its name, the hashes of its rules and its core, and the core."""
    body = encode_program(lower_whole(game))
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    made = hashlib.sha256(text.encode("ascii")).hexdigest()
    head = {"format": lowered.FORMAT, "rules": name, "readings": dict(readings), "hash": identity(game), "core": made}
    return {**head, **body}


def encode_program(program: lowered.Program) -> Record:
    """Return a program as JSON."""
    return _CoreWriter(program).document()


def words(cards: int) -> int:
    """Return how many words hold every card of a pack and the bit behind the last, which says that there is no set."""
    return cards // WORD + 1


class _UniqueRecords:
    """Records in the order in which they were first met, each once."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self._places: dict[str, int] = {}

    def place(self, record: Record) -> int:
        """Return the place of a record; one that is new comes last."""
        text = json.dumps(record)
        if text not in self._places:
            self._places[text] = len(self.records)
            self.records.append(record)
        return self._places[text]


class _CoreWriter:
    """Writes one program; kinds and terms are listed as they are met, those that they are made of before them."""

    def __init__(self, program: lowered.Program) -> None:
        self.program = program
        self._words = words(len(program.cards))
        self._kinds: dict[lowered.Kind, int] = {}
        self._kind_records = _UniqueRecords()
        self._terms: dict[lowered.Term, int] = {}
        self._term_records = _UniqueRecords()

    def document(self) -> Record:
        """Return the document without its head."""
        program = self.program
        constants = [
            {
                "name": constant.name,
                "kind": self._kind(constant.kind),
                "by_card": constant.by_card,
                "values": [self._value(constant.kind, value) for value in constant.values],
            }
            for constant in program.constants.values()
        ]
        cells = [
            {
                "name": cell.name,
                "kind": self._kind(cell.kind),
                "scope": cell.scope,
                "first": self._value(cell.kind, cell.default),
            }
            for cell in program.cells.values()
        ]
        routines = [self._routine(routine) for routine in program.routines.values()]
        acts = [self._act(act) for act in program.acts.values()]
        stages = [self._stage(stage) for stage in program.stages.values()]
        questions = {
            "score": self._keys(program.score),
            "view": self._keys(program.view),
            "invariants": [{"name": one.name, "holds": self._term(one.holds)} for one in program.invariants],
        }
        return {
            "game": program.game,
            "seats": program.seats,
            "cards": list(program.cards),
            "words": self._words,
            "scopes": list(program.scopes),
            "members": {name: list(members) for name, members in program.members.items()},
            "kinds": self._kind_records.records,
            "constants": constants,
            "cells": cells,
            "terms": self._term_records.records,
            "routines": routines,
            "acts": acts,
            "stages": stages,
            "begin": next(iter(program.stages)),
            "questions": questions,
        }

    # Kinds and values ---------------------------------------------------------

    def _kind(self, kind: lowered.Kind) -> int:
        """Return the place of a kind in the list of kinds."""
        if kind not in self._kinds:
            self._kinds[kind] = self._kind_records.place(self._bounds(kind))
        return self._kinds[kind]

    def _bounds(self, kind: lowered.Kind) -> Record:
        """Return the record of a kind, with the bounds that its form has."""
        record: Record = {"form": kind.form, "optional": kind.optional}
        if kind.form in ("number", "index"):
            record |= {"low": kind.low, "high": kind.high}
        if kind.element is not None:
            record["element"] = self._kind(kind.element)
        if kind.form == "array":
            record["shape"] = list(kind.shape)
        if kind.form in ("list", "pile"):
            record["most"] = kind.most
        return record

    def _value(self, kind: lowered.Kind, value: lowered.Value) -> object:
        """Return the JSON of a value; a card or a set of cards is split into hexadecimal words."""
        if kind.form in ("set", "card") and isinstance(value, int):
            return [hex(value >> WORD * place & (1 << WORD) - 1) for place in range(self._words)]
        if isinstance(value, tuple):
            element = kind.element or lowered.Kind("card")  # piles are of cards
            return [self._value(element, one) for one in value]
        return value

    # Terms --------------------------------------------------------------------

    def _term(self, term: lowered.Term) -> int:
        """Return the place of a term in the list of terms."""
        if term not in self._terms:
            self._terms[term] = self._term_records.place(self._operation(term, self._all(term.parts)))
        return self._terms[term]

    def _all(self, terms: Iterable[lowered.Term]) -> list[int]:
        return [self._term(term) for term in terms]

    def _maybe(self, term: lowered.Term | None) -> int | None:
        return None if term is None else self._term(term)

    def _operation(self, term: lowered.Term, parts: Sequence[int]) -> Record:
        """Return the record of a term; keys that say nothing are left out."""
        record: Record = {"op": term.op, "kind": self._kind(term.kind)}
        if parts:
            record["parts"] = parts
        if term.name:
            record["name"] = term.name
        if term.bound:
            record["bound"] = term.bound
        if term.op == "const":
            record["value"] = self._value(term.kind, term.value)
        if term.op == "lookup":
            record["absent"] = may_be_absent(term.parts[0].kind)
        if not term.total:
            record["crashes"] = True
        if term.needs:
            record["guarded"] = True
        return record

    # Records ------------------------------------------------------------------

    def _routine(self, routine: lowered.Routine) -> Record:
        return {
            "name": routine.name,
            "arguments": [{"name": name, "kind": self._kind(kind)} for name, kind in routine.arguments],
            "kind": self._kind(routine.kind),
            "body": self._term(routine.body),
            "says": routine.says,
            "rows": list(routine.rows),
        }

    def _act(self, act: lowered.CoreAct) -> Record:
        return {
            "name": act.name,
            "described": act.described,
            "by": self._term(act.by),
            "choosing": [self._choosing(item) for item in act.choosing],
            "legal": self._term(act.legal),
            "offers": [self._level(level) for level in act.offers],
            "do": self._steps(act.do),
            "says": act.says,
            "rows": list(act.rows),
        }

    def _choosing(self, item: lowered.ActParameter) -> Record:
        return {
            "name": item.name,
            "kind": self._kind(item.kind),
            "form": item.form,
            "domain": self._maybe(item.domain),
            "bounds": self._all(item.bounds),
        }

    def _level(self, level: lowered.LoopLevel) -> Record:
        return {
            "local": level.local,
            "kind": None if level.kind is None else self._kind(level.kind),
            "domain": self._maybe(level.domain),
            "guards": self._all(level.guards),
        }

    def _stage(self, stage: lowered.Stage) -> Record:
        return {
            "name": stage.name,
            "do": self._steps(stage.do),
            "acts": list(stage.acts),
            "final": stage.final,
            "says": stage.says,
        }

    def _steps(self, steps: Sequence[lowered.Step]) -> list[Record]:
        return [self._step(step) for step in steps]

    def _step(self, step: lowered.Step) -> Record:
        record: Record = {"op": step.op}
        if step.name:
            record["name"] = step.name
        if step.op == "put":
            record |= {"variable": step.variable, "index": self._maybe(step.index)}
        if step.value is not None:
            record["value"] = self._term(step.value)
        if step.op == "loop":
            record["body"] = self._steps(step.body)
        if step.op == "cases":
            record["cases"] = [{"when": self._maybe(test), "do": self._steps(body)} for test, body in step.cases]
        return record | {"says": step.says}

    # What is shown ------------------------------------------------------------

    def _keys(self, keys: Sequence[lowered.ShownKey]) -> list[Record]:
        return [{"name": key.name, "shown": self._encode_shown(key.shown), "says": key.says} for key in keys]

    def _encode_shown(self, shown: lowered.Shown) -> Record:
        """Return the record of one part of the score or the view."""
        record: Record = {"form": shown.form}
        match shown:
            case lowered.ShownValue():
                value = {"value": self._term(shown.value), "kind": self._kind(shown.kind)}
                return record | value | {"members": shown.members}
            case lowered.ShownRecord():
                return record | {"keys": self._keys(shown.keys)}
            case lowered.ShownOptional() | lowered.Withheld():
                return record | {"condition": self._term(shown.condition), "inner": self._encode_shown(shown.inner)}
            case lowered.ShownList():
                domain, condition = self._term(shown.domain), self._term(shown.condition)
                inside = {"condition": condition, "inner": self._encode_shown(shown.inner), "flat": shown.flat}
                return record | {"local": shown.local, "domain": domain} | inside
            case _:
                assert_never(shown)


def may_be_absent(place: lowered.Kind) -> bool:
    """Say whether the index of a table lookup may be -1, the code of an absent value."""
    return place.optional or place.low < 0
