"""Every line of the rules has a clause that says it: state, values, rows, steps, acts, phases, views and scores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from brou import Choice, Node, book, catalogue, choose, patch_rules, spread
from brou.games.data import read_section
from brou.games.folder import root

EVERY = [str(choice) for game in catalogue() for choice in spread(game)]
FIRST = [str(choose(f"{game}@{edition}")) for game in catalogue() for edition in book(game).editions]
#: The sections whose records cite a clause of their own.
CITING = ("functions", "types", "tables", "actions", "phases", "params", "attributes", "view", "score")


def known(choice: Choice) -> set[str]:
    """Return the ids that may be cited: clauses and open passages."""
    found = (read_section(choice.game, section, root()).fields for section in ("clauses", "ambiguities"))
    return {id_ for section in found for id_ in section}


def steps(node: Node | None, clause: str, at: str) -> Iterator[tuple[str, str]]:
    """Yields each step below a node, where it stands, with the clause that it cites or that what holds it cites."""
    for number, step in enumerate(() if node is None else node.items, 1):
        own = step.string("clause") or clause
        yield f"{at}/{number}", own
        for key in ("do", "else"):
            yield from steps(step.get(key), own, f"{at}/{number}/{key}")


def cited(rules: Node) -> Iterator[tuple[str, str]]:
    """Yields each line of generated rules with the clause that it cites."""
    for section in CITING:
        for name, record in rules.fields[section].fields.items():
            clause = record.string("clause")
            yield f"{section}/{name}", clause
            rows = record.get("rows")
            yield from (
                (f"{section}/{name}/{row.string('id')}", row.string("clause") or clause)
                for row in (() if rows is None else rows.items)
            )
            yield from steps(record.get("do"), clause, f"{section}/{name}/do")
    for scope, variables in rules.fields["state"].fields.items():
        for name, record in variables.fields.items():
            yield f"state/{scope}/{name}", record.string("clause")


@pytest.mark.parametrize("name", EVERY)
def test_every_line_cites_a_clause(name: str) -> None:
    """One of the game, or an open passage of it; modules of the prelude cite that of their slot."""
    choice = choose(name)
    found = list(cited(patch_rules(choice)))
    assert len(found) > len(CITING)
    assert [at for at, clause in found if clause not in known(choice)] == []


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_what_a_reading_changes_cites_a_clause(game: str) -> None:
    """Each record that some value of some question puts into the rules has one; a row may have that of its table."""
    data = book(game)
    known_ = known(choose(game))
    changed = [
        (f"{key}={value}: {change.path}", change.node.fields["value"])
        for key, reading in data.readings.items()
        for value, changes in reading.values.items()
        for change in changes
        if "value" in change.node.fields and change.path.partition("/")[0] in CITING
    ]
    assert changed
    cited_ = [(at, record.string("clause")) for at, record in changed]
    assert [at for at, clause in cited_ if clause not in known_ and not (clause == "" and "/rows/" in at)] == []


@pytest.mark.parametrize("name", FIRST)
def test_state_and_score_are_among_the_lines(name: str) -> None:
    """Each variable, of a module too, and each key of the score is looked at."""
    made = patch_rules(choose(name))
    found = dict(cited(made))
    variables = {f"state/{scope}/{name}" for scope, kept in made.fields["state"].fields.items() for name in kept.fields}
    assert variables | {f"score/{key}" for key in made.fields["score"].fields} <= found.keys()


def test_a_line_without_a_clause_is_found() -> None:
    """The walk goes into steps within steps, and takes the clause of what holds a step for one that has none."""
    rules = patch_rules(choose(FIRST[0]))
    play = rules.fields["actions"].fields["play"]
    bare = Node({key: part for key, part in play.fields.items() if key != "clause"}, play.place)
    actions = Node({"play": bare}, play.place)
    empty = {key: Node({}, play.place) for key in (*CITING, "state")}
    found = dict(cited(Node({**empty, "actions": actions}, play.place)))
    assert found["actions/play"] == ""
    assert any("/do/" in at for at in found)
