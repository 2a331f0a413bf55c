"""The tables of an engine: its names, sizes and the places of its variables, from which wrappers are made."""

from __future__ import annotations

from collections.abc import Sequence

from brou.compiler.lower_shows import find_members
from brou.compiler.lowered import CoreAct, Program, Routine, Value
from brou.language.codec import Json, outside
from brou.language.syntax import Action, Game
from brou.native.batch import Fact
from brou.native.c_facts import FactWriter
from brou.native.c_header import Label, Sizes
from brou.native.c_types import StateLayout, as_number, as_values, stored_type

FORMAT = "brou-engine/1"


class TableWriter:
    """Writes the tables of one engine."""

    def __init__(self, game: Game, program: Program, layout: StateLayout) -> None:
        self.game = game
        self.program = program
        self.layout = layout

    def write(
        self,
        label: Label,
        sizes: Sizes,
        questions: Sequence[Routine],
        figures: Sequence[str],
        facts: FactWriter,
    ) -> dict[str, Json]:
        """Return the tables; questions, figures and facts are numbered in their order."""
        program = self.program
        return {
            "format": FORMAT,
            "rules": label.rules,
            "readings": label.readings,
            "hash": label.hash,
            "seats": program.seats,
            "cards": [*program.cards],
            "members": {name: [outside(one) for one in members] for name, members in program.members.items()},
            "phases": [outside(name) for name in program.stages],
            "acts": [
                {
                    "name": outside(act.name),
                    "described": act.described,
                    "values": [*describe_values(act, self.game.actions[act.name])],
                }
                for act in program.acts.values()
            ],
            "start": self._describe_start(),
            "questions": [
                {"name": routine.name, "given": [name for name, _ in routine.arguments]} for routine in questions
            ],
            "figures": [*figures],
            "facts": [_describe_fact(one) for one in facts.facts],
            "numbers": [_describe_fact(one) for one in facts.numbers],
            "invariants": [one.name for one in program.invariants],
            "sizes": {
                "values": sizes.values,
                "passed": sizes.passed,
                "offers": sizes.offers,
                "figures": sizes.figures,
                "facts": sizes.facts,
                "numbers": sizes.numbers,
            },
            "state": {"size": self.layout.size, "cells": self._describe_cells()},
        }

    def _describe_start(self) -> Json:
        """Return the keys that a start may have: the variables that it gives, and those of the deal."""
        start = self.game.start
        deal = self.game.actions.get(start.deal) if start.deal else None
        values = [outside(parameter.id) for parameter in deal.parameters] if deal else []
        return {"given": [*start.given], "deal": outside(start.deal) if deal else None, "values": [*values]}

    def _describe_cells(self) -> list[Json]:
        return [
            {
                "name": one.cell.name,
                "scope": one.cell.scope,
                "offset": one.offset,
                "size": one.size,
                "type": stored_type(one.cell.kind.element if one.cell.kind.form == "array" else one.cell.kind),
                "form": one.cell.kind.form,
                "shape": [*one.cell.kind.shape],
            }
            for one in self.layout.fields.values()
        ]


def _describe_fact(fact: Fact) -> dict[str, Json]:
    return {"part": fact.part, "what": fact.what, "share": fact.share, "per": fact.per}


def describe_values(act: CoreAct, action: Action) -> list[dict[str, Json]]:
    """Return the values of an act as the tables have them: each with its name, its form, its kind and its type."""
    values = []
    for item, parameter in zip(act.choosing, action.parameters, strict=True):
        value: dict[str, Json] = {"name": outside(item.name), "form": item.form, "kind": item.kind.form}
        value["members"] = find_members(parameter.type)
        if item.kind.form == "list" and item.domain is not None:
            value["lists"] = _write_lists(item.domain.value)
        values.append(value)
    return values


def _write_lists(value: Value) -> list[Json]:
    """Return lists of numbers as JSON."""
    return [[as_number(one) for one in as_values(each)] for each in as_values(value)]
