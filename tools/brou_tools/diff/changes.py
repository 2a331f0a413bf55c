"""Two rule bases of one game: the readings that differ, and the records that an edition or a set-up changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from brou import (
    BrouError,
    Choice,
    Machine,
    Node,
    Unknown,
    begin,
    book,
    keep_until_changed,
    patch_rules,
    with_readings,
)
from brou.language import find_id, load_rules
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import machine, spell
from brou_tools.diff.rows import DifferenceExample, DifferenceRow
from brou_tools.questions.compatible import fit_readings
from brou_tools.questions.differing import compare_answers
from brou_tools.questions.register import entries, witnesses

#: The kinds of records that values are: what is a function here may be a table there.
_VALUES = ("functions", "tables")
_NOWHERE: tuple[str, Node | None] = ("", None)


def changes(first: Choice, second: Choice) -> Iterator[DifferenceRow]:
    """Yield the differences: readings in the order of the register, then records in the order of the rules."""
    here, there = dict(first.readings), dict(second.readings)
    for entry in entries(first.game, first.project):
        key = entry.key or ""
        values = here.get(key, ""), there.get(key, "")
        if key and values[0] != values[1]:
            clauses = (entry.clauses, entry.clauses)
            yield DifferenceRow(entry.id, entry.question or {}, clauses, key=key, values=values)
    shared = {key: value for key, value in here.items() if key in there}
    one, two = (_records(_bare(choice, shared)) for choice in (first, second))
    for record in dict.fromkeys([*one, *two]):
        (mine_at, mine), (yours_at, yours) = one.get(record, _NOWHERE), two.get(record, _NOWHERE)
        if mine is None or yours is None or mine.plain() != yours.plain():
            address = mine_at or yours_at
            yield DifferenceRow(address, {}, (tuple(_list_cited(mine)), tuple(_list_cited(yours))), record=address)


def _bare(choice: Choice, shared: Mapping[str, str]) -> Node:
    """Return the rules file of an edition and a set-up without any reading; of chapters, under the readings shared."""
    data = book(choice.game, choice.project)
    if data.maker is not None:
        return data.maker.write_rules(choice.edition, choice.setup, {**dict(choice.readings), **shared})
    return data.rules


def _records(rules: Node) -> Mapping[tuple[str, str], tuple[str, Node]]:
    """Return the records with their addresses, by kind and name; a value is of one kind, a function or a table."""
    return {
        (_VALUES[0] if kind in _VALUES else kind, name): (f"{kind}/{name}" if name else kind, node)
        for kind in rules.fields
        for name, node in _members(rules.get(kind)).items()
    }


def _members(node: Node | None) -> Mapping[str, Node]:
    """Return the records of a part of the rules; a part without records is one itself."""
    if node is None:
        return {}
    if isinstance(node.value, dict) and "clause" not in node.value:
        return node.fields
    if isinstance(node.value, tuple):
        return {find_id(item): item for item in node.items}
    return {"": node}


def _list_cited(node: Node | None) -> Iterator[str]:
    """Yield the clauses that a record rests on, each once."""
    found = [] if node is None else list(_clauses(node))
    yield from dict.fromkeys(found)


def _clauses(node: Node) -> Iterator[str]:
    if isinstance(node.value, dict):
        for key, item in node.fields.items():
            if key == "clause":
                yield item.text
            else:
                yield from _clauses(item)
    elif isinstance(node.value, tuple):
        for item in node.items:
            yield from _clauses(item)


# Examples ----------------------------------------------------------------------------------------------------------


def find_example(choices: tuple[Choice, Choice], row: DifferenceRow) -> DifferenceExample | None:
    """Return the smallest scenario that shows a row: under the one reading alone, or under the rules as they are."""
    found = (_example(one, pair, row) for one in _candidates(choices[0], row) for pair in _pairs(choices, one, row))
    examples = [one for one in found if one is not None]
    return min(examples, key=lambda one: (one.step.reading != row.key, one.number, one.scenario.id), default=None)


def _candidates(choice: Choice, row: DifferenceRow) -> Sequence[Scenario]:
    """Return the scenarios that name a reading or distinguish its values, else those for the clauses of a row."""
    every = corpus.scenarios(choice.game, choice.project)
    if row.key:
        parting = {one.scenario for one in witnesses(choice.game, choice.project) if one.ambiguity == row.id}
        return [one for one in every if one.id in parting or row.key in one.keys]
    wanted = {clause for side in row.clauses for clause in side}
    return [one for one in every if wanted & set(one.clauses)]


def _pairs(choices: tuple[Choice, Choice], one: Scenario, row: DifferenceRow) -> Iterator[tuple[Choice, Choice]]:
    """Yield the rules to play a scenario under: the two as they are, or such as differ in the one reading alone."""
    if not row.key:
        yield from _settings(choices, one)
    elif all(row.values):
        for choice in choices:
            with suppress(Unknown):
                pair = fit_readings(choice, [{**one.premise, row.key: value} for value in row.values])
                if pair is not None:
                    yield pair[0], pair[1]
                    return


def _settings(choices: tuple[Choice, Choice], one: Scenario) -> Iterator[tuple[Choice, Choice]]:
    """Yield the two rule bases under the premise of a scenario, in its set-up if both have one in common."""
    first, second = choices
    setup = one.setups[0] if one.setups and first.setup == second.setup else ""
    with suppress(BrouError):
        yield _set(first, setup, one.premise), _set(second, setup, one.premise)


def _set(choice: Choice, setup: str, premise: Mapping[str, str]) -> Choice:
    if setup and setup not in book(choice.game, choice.project).editions[choice.edition].setups:
        raise Unknown("set-up", setup, ())
    return with_readings(replace(choice, setup=setup or choice.setup), premise)


@keep_until_changed(maxsize=64)
def _build_mixed(choices: tuple[Choice, Choice], record: str) -> Machine:
    """Return an interpreter of the first rules with one record of the second; raise the fault if those are no rules."""
    kind, _, name = record.partition("/")
    first, second = (patch_rules(choice) for choice in choices)
    made = dict(first.fields)
    for part in _VALUES if kind in _VALUES else (kind,):
        mine, yours = first.get(part), second.get(part)
        if name and mine is not None and yours is not None and isinstance(mine.value, dict):
            members = {key: item for key, item in {**mine.fields, name: yours.get(name)}.items() if item is not None}
            made[part] = replace(mine, value=members)
        elif yours is not None:
            made[part] = yours
        elif part == kind:
            raise Unknown("part of the rules", kind, ())
    return Machine(load_rules(replace(first, value=made), book(choices[0].game, choices[0].project).codes))


def _example(one: Scenario, choices: tuple[Choice, Choice], row: DifferenceRow) -> DifferenceExample | None:
    try:
        players = [machine(choices[0]), _build_mixed(choices, row.record) if row.record else machine(choices[1])]
        script = spell(one, choices[0])
        states = [begin(player, script.start) for player in players]
        for number, step in enumerate(script.steps):
            told = [take(player, state, step.message) for player, state in zip(players, states, strict=True)]
            answers = compare_answers(told[0][0], told[1][0])
            if answers is not None:
                return DifferenceExample(one, step, number, answers, choices)
            states = [state for _, state in told]
    except BrouError:
        return None
    return None
