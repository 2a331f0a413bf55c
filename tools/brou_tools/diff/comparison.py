"""Two rule bases side by side: the same cards, the same acts, and the answers that differ.

The clauses of two games that correspond, and the names that differ, are data. Within one game no such data is needed:
the rows are the readings and the records that differ. The example of a row is the smallest scenario of the corpus with
another answer under the other rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from brou import (
    BrouError,
    Choice,
    Impossible,
    Json,
    Malformed,
    Node,
    Project,
    begin,
    catalogue,
    choose,
    root,
    shape_faults,
)
from brou.games import has_file, read_file
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import machine, spell
from brou_tools.diff.changes import changes, find_example
from brou_tools.diff.rows import DifferenceExample, DifferenceRow
from brou_tools.questions.differing import compare_answers


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rule bases, the names that differ in the second, and the rows."""

    choices: tuple[Choice, Choice]
    #: As they were asked for.
    asked: tuple[str, str]
    names: Mapping[str, str]
    #: By act, what is called otherwise among its values.
    acts: Mapping[str, Mapping[str, str]]
    rows: tuple[DifferenceRow, ...]

    @property
    def within(self) -> bool:
        """Say whether both are rules of one game."""
        return self.choices[0].game == self.choices[1].game


def comparison(one: str, two: str, project: Project) -> Comparison:
    """Return the rows that compare two rule bases; raise `Impossible` for two games that nobody has compared."""
    first, second = choose(one, project), choose(two, project)
    if first.game == second.game:
        return Comparison((first, second), (one, two), {}, {}, tuple(changes(first, second)))
    known: list[str] = []
    for node in maps(project):
        pair = tuple(node.string(key) for key in ("old", "new"))
        known.append(" with ".join(pair))
        if sorted(pair) == sorted(f"{choice.game}@{choice.edition}" for choice in (first, second)):
            turned = pair[0] != f"{first.game}@{first.edition}"
            names = _names(node.get("names"), turned=turned)
            acts = {act: _names(item, turned=turned) for act, item in _fields(node, "acts").items()}
            rows = tuple(_row(id_, item, turned=turned) for id_, item in node.fields["rows"].fields.items())
            return Comparison((first, second), (one, two), names, acts, rows)
    pair = (f"{first.game}@{first.edition}", f"{second.game}@{second.edition}")
    can = "; ".join(known)
    raise Impossible(f"{pair[0]} and {pair[1]} cannot be compared: take two rule bases of one game, or {can}")


def maps(project: Project) -> Iterator[Node]:
    """Yield the files that map one game to another; raise `Malformed` where one is wrong."""
    for game in catalogue(project):
        name = f"games/{game}/differences.yaml"
        if not has_file(project.data, name):
            continue
        node = read_file(project.data, name)
        faults = list(shape_faults(node, root() / "schemas" / "differences.schema.json"))
        if faults:
            raise Malformed(faults)
        yield node


def _names(node: Node | None, *, turned: bool) -> dict[str, str]:
    """Return the names that differ in the second rules, by those in the first."""
    pairs = [] if node is None else [(key, item.text) for key, item in node.fields.items()]
    return {there: here for here, there in pairs} if turned else dict(pairs)


def _row(id_: str, node: Node, *, turned: bool) -> DifferenceRow:
    old, new = (_texts(node, key) for key in ("old", "new"))
    return DifferenceRow(
        id_,
        _list_texts(node, "topic"),
        (new, old) if turned else (old, new),
        _texts(node, "verbs"),
        _texts(node, "keys"),
        node.string("proved"),
        _list_texts(node, "states"),
        node.string("scenario"),
        node.string("step"),
        node.string("open"),
        _texts(node, "alike"),
        node.string("agree"),
        _list_texts(node, "note"),
    )


def _texts(node: Node, key: str) -> tuple[str, ...]:
    member = node.get(key)
    return () if member is None else tuple(item.text for item in member.items)


def _list_texts(node: Node, key: str) -> dict[str, str]:
    return {lang: item.text for lang, item in _fields(node, key).items()}


def _fields(node: Node, key: str) -> Mapping[str, Node]:
    member = node.get(key)
    return {} if member is None else member.fields


# Examples ----------------------------------------------------------------------------------------------------------


def example(found: Comparison, row: DifferenceRow) -> DifferenceExample | None:
    """Return the smallest scenario that shows the difference of a row; None if there is none, or the row is alike."""
    if found.within:
        return find_example(found.choices, row)
    if (row.proved or row.open or row.alike or row.agree or row.note) and not row.scenario:
        return None
    examples = [one for scenario in _candidates(found, row) if (one := _example(found, row, scenario))]
    return min(examples, key=lambda one: (not one.step.named, one.number, one.scenario.id)) if examples else None


def _candidates(found: Comparison, row: DifferenceRow) -> Iterator[Scenario]:
    for choice, clauses in zip(found.choices, row.clauses, strict=True):
        for scenario in corpus.scenarios(choice.game, choice.project):
            if row.scenario:
                if scenario.id == row.scenario:
                    yield scenario
            elif set(clauses) & set(scenario.clauses) and not (scenario.editions or scenario.premise):
                yield scenario


def answer_alike(found: Comparison, id_: str) -> bool:
    """Say whether both rule bases answer each step of a scenario alike."""
    scenario = next(
        one for choice in found.choices for one in corpus.scenarios(choice.game, choice.project) if one.id == id_
    )
    one, two = (_tale(found, scenario, choice) for choice in found.choices)
    if one is None or two is None:
        return False
    return all(compare_answers(here, {kind: _translate_names(found, value) for kind, value in there.items()}) is None
               for here, there in zip(one, two, strict=True))  # fmt: skip


def _translate_names(found: Comparison, value: Json) -> Json:
    """Return a part of an answer of the second rules with the names of the first."""
    return _home(found, value) if isinstance(value, dict) else value


def _example(found: Comparison, row: DifferenceRow, scenario: Scenario) -> DifferenceExample | None:
    tales = [_tale(found, scenario, choice) for choice in found.choices]
    if tales[0] is None or tales[1] is None:
        return None
    steps = scenario.steps(machine(found.choices[0]).game.seats)
    for number, (step, one, two) in enumerate(zip(steps, tales[0], tales[1], strict=True)):
        if "err" in one or "err" in two:
            return None
        answers = compare_answers(one, {kind: _translate_names(found, value) for kind, value in two.items()}, row.keys)
        if answers is not None and (not row.step or row.step == step.id):
            fits = not row.verbs or step.verb in row.verbs
            return DifferenceExample(scenario, step, number, answers, found.choices) if fits else None
    return None


def _home(found: Comparison, answer: Mapping[str, Json]) -> dict[str, Json]:
    """Return an answer of the second rules with the names of the first."""
    names = {there: here for here, there in found.names.items()}
    return {names.get(key, key): value for key, value in answer.items()}


def _tale(found: Comparison, scenario: Scenario, choice: Choice) -> Sequence[Mapping[str, Json]] | None:
    """Return the answers of a rule base to a scenario, which may be one of the other game."""
    own = next(known for known in found.choices if known.game == scenario.game)
    player = machine(choice)
    try:
        script = spell(scenario, own)
        start: dict[str, Json] = {**scenario.deal, **scenario.before} if scenario.deal else {}
        if choice != own:
            start = {_find_name(found, choice, key): value for key, value in start.items()}
        state = begin(player, start if choice != own else script.start)
    except BrouError:
        return None
    answers = []
    for step in script.steps:
        try:
            message = step.message if choice == own else _translate_step(found, choice, step.message)
            answer, state = take(player, state, message)
        except BrouError as error:
            answer = {"err": str(error)}
        answers.append(answer)
    return answers


def _find_name(found: Comparison, choice: Choice, name: str) -> str:
    """Return the name in a rule base of something that the other calls otherwise."""
    if choice == found.choices[1]:
        return found.names.get(name, name)
    return next((here for here, there in found.names.items() if there == name), name)


def _translate_step(found: Comparison, choice: Choice, message: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return a step as a rule base would put it that calls some values otherwise."""
    act = message.get("act")
    if not isinstance(act, Mapping):
        return message
    ((name, value),) = act.items()
    words = found.acts.get(name, {})
    if choice == found.choices[0]:
        words = {there: here for here, there in words.items()}
    return {**message, "act": {name: words.get(value, value)}} if isinstance(value, str) else message
