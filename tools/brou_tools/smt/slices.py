"""Slices: the records of a rule base that a statement rests on.

A statement need not be proved again under a reading that changes none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from brou import Action, Expression, Game, Phase, Table
from brou.check import record_clauses
from brou.language import find_names
from brou.language.effects import Cases, Effect, gotos, operand, targets, walk_effects
from brou.language.reach import of_callable, of_offer
from brou_tools.smt.keeping import ways_into
from brou_tools.smt.obligations import Obligation, Where

_WORD = re.compile(r"[a-z_][a-z0-9_]*")
_SECTIONS = ("functions", "tables", "actions", "phases", "params", "attributes", "state")


def differing(one: Game, two: Game) -> frozenset[str] | None:
    """Return the names of the records in which two rule bases differ; None if parts differ that all records rest on."""
    if list_foundation(one) != list_foundation(two):
        return None
    found: set[str] = set()
    for section in _SECTIONS:
        here, there = getattr(one, section), getattr(two, section)
        found |= {_name_record(section, name) for name in {**here, **there} if here.get(name) != there.get(name)}
    return frozenset(found)


def list_records(game: Game, names: frozenset[str]) -> dict[str, list[object]]:
    """Return the records of some names; a state variable may be called like a type, a parameter like an attribute."""
    found: dict[str, list[object]] = {}
    for section in _SECTIONS:
        for name, record in getattr(game, section).items():
            if (called := _name_record(section, name)) in names:
                found.setdefault(called, []).append(record)
    return found


def group_by_clause(game: Game) -> dict[str, frozenset[str]]:
    """Return by clause the names of the records that cite it, in any part of theirs."""
    found: dict[str, set[str]] = {}
    for section in _SECTIONS:
        for name, record in getattr(game, section).items():
            for clause, _ in record_clauses(record):
                found.setdefault(clause, set()).add(_name_record(section, name))
    return {clause: frozenset(named) for clause, named in found.items()}


def list_foundation(game: Game) -> tuple[Any, ...]:
    """Return the parts that all records rest on: seats, pack, types, and the phase in which a match begins."""
    return game.seats, game.teams, game.deck, dict(game.types), tuple(game.scopes), next(iter(game.phases))


def slice_of(game: Game, one: Obligation) -> frozenset[str]:
    """Return the names of the records that a statement rests on, directly or through others.

    Under other rules there may be more: they may have a further table, a zone, or a way into a phase.
    """
    waiting = list(_list_words(one))
    if any(where.whole_pack for where in _positions(one)):
        waiting += [name for name, variable in game.state.items() if variable.zone]
    waiting += [name for name, table in game.tables.items() if _all_tables(one) and _is_asked(one, table)]
    for act, _ in one.acts:
        waiting += (
            _list_offer_names(game.actions[act])
            if one.kind == "never_empty" and act in game.actions
            else [_name_record("actions", act)]
        )
    if one.kind == "invariant" and one.position is not None:
        waiting += [_name_record("actions", action.id) for _, action in ways_into(game, one.position, {})]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _used(game, name)
    return frozenset(found)


def _name_record(section: str, name: str) -> str:
    """Return the name of a record; acts and phases may be called like something else."""
    return f"{section}/{name}" if section in ("actions", "phases") else name


def _all_tables(one: Obligation) -> bool:
    return one.kind in ("unique", "gap_free", "dead_rows") and one.node.get("tables") is None


def _is_asked(one: Obligation, table: Table) -> bool:
    return one.kind == "dead_rows" or table.policy == "unique"


def _list_words(one: Obligation) -> Iterator[str]:
    """Yield every word of the expressions of a statement and of the positions that it is about."""
    nodes = [*one.texts("where"), *one.texts("tables"), *one.texts("apart")]
    nodes += [node for key in ("given", "let", "map") for node in one.get_named(key).values()]
    nodes += [node for key in ("show", "of", "value", "less", "there", "among") if (node := one.node.get(key))]
    nodes += [said for node in one.get_named("cases").values() for said in node.items]
    for where in _positions(one):
        nodes += where.where
        yield from where.untouched
    yield from one.get_named("pairs")
    for node in nodes:
        yield from _WORD.findall(node.text)


def _positions(one: Obligation) -> list[Where]:
    """Return the kinds of positions that a statement is about."""
    return [where for where in (one.position, *(where for _, where in one.acts)) if where is not None]


def _used(game: Game, name: str) -> Iterator[str]:
    section, _, own = name.rpartition("/")
    if section == "actions" and own in game.actions:
        yield from _of_action(game.actions[own])
    elif section == "phases" and own in game.phases:
        yield from _of_phase(game.phases[own])
    elif name in game.functions or name in game.tables:
        for expression in of_callable(game.functions.get(name) or game.tables[name]):
            yield from find_names(expression)


def _list_offer_names(action: Action) -> Iterator[str]:
    """Yield the names that decide whether an action can be made, without those of its effects."""
    for expression in of_offer(action):
        yield from find_names(expression)


def _of_action(action: Action) -> Iterator[str]:
    yield from _list_offer_names(action)
    for expression in action.requires:
        yield from find_names(expression)
    yield from _of_effects(action.do)


def _of_phase(phase: Phase) -> Iterator[str]:
    for expression in phase.requires:
        yield from find_names(expression)
    yield from _of_effects(phase.do)


def _of_effects(body: tuple[Effect, ...]) -> Iterator[str]:
    """Yield the names that some effects rest on, with the phases that they lead to."""
    for effect in walk_effects(body):
        for expression in _of_effect(effect):
            yield from find_names(expression)
    yield from (f"phases/{name}" for name in gotos(body))


def _of_effect(effect: Effect) -> Iterator[Expression]:
    """Yield the expressions of an effect, those of the effects inside it apart."""
    yield from (target.expression for target in targets(effect))
    if (taken := operand(effect)) is not None:
        yield taken
    if isinstance(effect, Cases):
        yield from (case.when for case in effect.cases if case.when is not None)
