"""Two rule bases side by side: the same cards, the same acts, and where the answers part.

Which clauses stand against each other, and what is called otherwise, is data. The example of a row is the smallest
scenario of either game that speaks of one of its clauses and is answered otherwise under the other rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brou import BrouError, Choice, choose
from brou.dealing import begin
from brou.errors import Malformed, Unknown
from brou.library import catalogue, root
from brou.shape import shape_faults
from brou.source import Node, read
from brou_conformance import corpus
from brou_conformance.engine import taken
from brou_conformance.renaming import canonical
from brou_conformance.scenario import Scenario, Step
from brou_conformance.script import machine, spell


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that two rule bases settle each in its way, or alike."""

    id: str
    topic: str
    clauses: tuple[tuple[str, ...], tuple[str, ...]]
    verbs: tuple[str, ...]
    keys: tuple[str, ...]
    proved: str
    scenario: str
    open: str


@dataclass(frozen=True, slots=True)
class Example:
    """A scenario that the two rule bases answer differently, and the first step at which they do."""

    scenario: Scenario
    step: Step
    number: int
    answers: tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rule bases, what is called otherwise in the second, and the rows."""

    choices: tuple[Choice, Choice]
    names: Mapping[str, str]
    #: By act, what is called otherwise among its values.
    acts: Mapping[str, Mapping[str, str]]
    rows: tuple[Row, ...]


def comparison(one: str, two: str) -> Comparison:
    """Return the rows that compare two rule bases, whichever is named first; raise `Unknown` where nobody wrote any."""
    first, second = choose(one), choose(two)
    known: list[str] = []
    for game in catalogue():
        path = root() / "games" / game / "differences.yaml"
        if not path.exists():
            continue
        node = read(path, f"games/{game}/differences.yaml")
        faults = list(shape_faults(node, root() / "schemas" / "differences.schema.json"))
        if faults:
            raise Malformed(faults)
        pair = tuple(node.string(key) for key in ("old", "new"))
        known.append(" ".join(pair))
        if sorted(pair) == sorted(f"{choice.game}@{choice.edition}" for choice in (first, second)):
            turned = pair[0] != f"{first.game}@{first.edition}"
            names = _names(node.get("names"), turned=turned)
            acts = {act: _names(item, turned=turned) for act, item in _fields(node, "acts").items()}
            rows = tuple(_row(id_, item, turned=turned) for id_, item in node.fields["rows"].fields.items())
            return Comparison((first, second), names, acts, rows)
    raise Unknown("comparison", f"{one} {two}", known)


def _names(node: Node | None, *, turned: bool) -> dict[str, str]:
    """Return what is called otherwise by the second rules."""
    pairs = [] if node is None else [(key, item.text) for key, item in node.fields.items()]
    return {there: here for here, there in pairs} if turned else dict(pairs)


def _row(id_: str, node: Node, *, turned: bool) -> Row:
    old, new = (_texts(node, key) for key in ("old", "new"))
    clauses = (new, old) if turned else (old, new)
    return Row(
        id_, node.string("topic"), clauses, _texts(node, "verbs"), _texts(node, "keys"),
        node.string("proved"), node.string("scenario"), node.string("open"),
    )  # fmt: skip


def _texts(node: Node, key: str) -> tuple[str, ...]:
    member = node.get(key)
    return () if member is None else tuple(item.text for item in member.items)


def _fields(node: Node, key: str) -> Mapping[str, Node]:
    member = node.get(key)
    return {} if member is None else member.fields


def example(found: Comparison, row: Row) -> Example | None:
    """Return the smallest scenario that shows the difference of a row, or None; none is looked for of what is alike."""
    if (row.proved or row.open) and not row.scenario:
        return None
    examples = [one for scenario in _candidates(found, row) if (one := _example(found, row, scenario))]
    return min(examples, key=lambda one: (not one.step.named, one.number, one.scenario.id)) if examples else None


def _candidates(found: Comparison, row: Row) -> Iterator[Scenario]:
    for choice, clauses in zip(found.choices, row.clauses, strict=True):
        for scenario in corpus.scenarios(choice.game):
            if row.scenario:
                if scenario.id == row.scenario:
                    yield scenario
            elif set(clauses) & set(scenario.clauses) and not (scenario.editions or scenario.premise):
                yield scenario


def _example(found: Comparison, row: Row, scenario: Scenario) -> Example | None:
    tales = [_tale(found, scenario, choice) for choice in found.choices]
    if tales[0] is None or tales[1] is None:
        return None
    steps = scenario.steps(machine(found.choices[0]).game.seats)
    for number, (step, one, two) in enumerate(zip(steps, tales[0], tales[1], strict=True)):
        if "err" in one or "err" in two:
            return None
        answers = _parted(found, row, one, two)
        if answers is not None:
            fits = not row.verbs or step.verb in row.verbs
            return Example(scenario, step, number, answers) if fits else None
    return None


def _parted(found: Comparison, row: Row, one: Mapping[str, Any], two: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Return what two answers differ in, of what both rule bases have a name for; None if in nothing."""
    if set(one) != set(two):
        return one, two
    (kind,) = one
    if kind == "no":
        return None
    here, there = one[kind], two[kind]
    if not isinstance(here, Mapping) or not isinstance(there, Mapping):
        return None if canonical(here) == canonical(there) else (here, there)
    there = {_back(found, key): value for key, value in there.items()}
    shared = [key for key in {**here, **there} if key in row.keys]
    if not row.keys:
        shared = [key for key in {**here, **there} if (key in here and key in there) or kind == "legal"]
    parted = [key for key in shared if canonical(here.get(key)) != canonical(there.get(key))]
    if not parted:
        return None
    return tuple({key: side.get(key) for key in parted} for side in (here, there))  # type: ignore[return-value]  # two


def _back(found: Comparison, name: str) -> str:
    return next((here for here, there in found.names.items() if there == name), name)


def _tale(found: Comparison, scenario: Scenario, choice: Choice) -> Sequence[Mapping[str, Any]] | None:
    """Return what a rule base answers to a scenario, which may be one of the other game."""
    own = next(known for known in found.choices if known.game == scenario.game)
    player = machine(choice)
    try:
        script = spell(scenario, own)
        start: dict[str, Any] = {**scenario.deal, **scenario.before} if scenario.deal else {}
        if choice != own:
            start = {_called(found, choice, key): value for key, value in start.items()}
        state = begin(player, start if choice != own else script.start)
    except BrouError:
        return None
    answers = []
    for step in script.steps:
        try:
            message = step.message if choice == own else _translated(found, choice, step.message)
            answer, state = taken(player, state, message)
        except BrouError as error:
            answer = {"err": str(error)}
        answers.append(answer)
    return answers


def _called(found: Comparison, choice: Choice, name: str) -> str:
    """Return what a rule base calls something that the other has under another name."""
    if choice == found.choices[1]:
        return found.names.get(name, name)
    return _back(found, name)


def _translated(found: Comparison, choice: Choice, message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a step as a rule base would put it that calls some values otherwise."""
    act = message.get("act")
    if not isinstance(act, Mapping):
        return message
    ((name, value),) = act.items()
    words = found.acts.get(name, {})
    if choice == found.choices[0]:
        words = {there: here for here, there in words.items()}
    return {**message, "act": {name: words.get(value, value)}} if isinstance(value, str) else message
