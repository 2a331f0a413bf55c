"""Mutants: rules wrong in one thing, each with its operator, its address and the clause that it damages."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from brou import catalogue, choose, rules
from brou.errors import Unusable
from brou.games.catalogue import patch_rules
from brou.games.mutants import MUTANT_OPERATORS, Mutant, list_mutants, load_mutant, sample_mutants
from brou.language.export import identity
from brou.language.node import Node
from brou.language.patch import apply_patches
from brou.language.source import parse_yaml

RULES = """
seating: {seats: 3, clause: b.seats}
attributes:
  weight: {by: rank, values: {H: 5, W O: 2}, clause: b.weight}
  shade: {by: suit, values: {M R: {H: 1}}, clause: b.shade}
params:
  three: {value: 3, clause: b.three}
  plans: {value: [[1, 2], [3]], clause: b.plans}
types: {lap: {from: 1, to: three, clause: b.lap}}
state: {round: {tally: {type: int 0..9, init: 4, clause: b.tally}, flag: {type: bool}}}
functions:
  heavy: {args: {c: card}, type: bool, is: weight(c) > 2 and c != seen, clause: b.heavy}
  shared: {type: int, is: "1 if flag else 2"}
tables:
  may:
    policy: first
    clause: b.may
    rows:
    - {id: low, when: "tally < 3", then: "True", clause: b.low}
    - {id: next, when: "all(x == y for x in laps if x in odd)", then: false}
    - {id: rest, else: "False"}
  value:
    policy: unique
    clause: b.value
    rows: [{id: one, when: "next(p) == q", then: team(p)}, {id: two, when: "previous(p) == q", then: other(t)}]
actions:
  play:
    clause: b.play
    by: {who: "{p for p in players if p == turn}", clause: b.turn}
    params: {c: {in: "hand[me]", clause: b.hand}}
    legal: may(me, c)
    do:
    - {set: "laid[me]", to: c}
    - id: end
      if: "full"
      clause: b.end
      then: [{add: tally, by: 1}, {goto: over}]
      else: [{set: turn, to: next(me), clause: b.next}]
  stay: {clause: b.stay, by: {who: players}, legal: "True", do: []}
phases:
  count:
    clause: b.count
    do:
    - cases: [{id: won, when: "tally >= 3", clause: b.won, do: [{goto: over}]}, {id: lost, when: flag, do: []}, {id: on, else: true, do: [{goto: play}]}]
view:
  hand: {show: "hand[me]", clause: b.view}
  trick: {each: p, in: players, when: "laid[p] != None", seen: not flag, show: {seat: p, card: "laid[p]"}}
score: {points: tally + 1}
"""  # noqa: E501 - a line of YAML


@pytest.fixture(scope="module")
def found() -> list[Mutant]:
    """Return the mutants of the small rules."""
    return list_mutants(parse_yaml(RULES, "rules.yaml"))


def value(mutant: Mutant) -> Any:
    """Return what a mutant puts in the place of something; a removal is nothing."""
    node = mutant.patch.node.get("value")
    return None if node is None else node.plain()


#: For each operator and address what it makes there, and the clause.
EXPECTED: list[tuple[str, str, list[Any], str]] = [
    ("off-by-one", "seating/seats", [4, 2], "b.seats"),
    ("off-by-one", "attributes/weight/values/W O", [3, 1], "b.weight"),
    ("off-by-one", "attributes/shade/values/M R/H", [2, 0], "b.shade"),
    ("off-by-one", "params/three/value", [4, 2], "b.three"),
    ("off-by-one", "params/plans/value", [[[2, 2], [3]], [[0, 2], [3]], [[1, 3], [3]],
                                          [[1, 1], [3]], [[1, 2], [4]], [[1, 2], [2]]], "b.plans"),
    ("off-by-one", "types/lap/from", [2, 0], "b.lap"),
    ("off-by-one", "types/lap/to", [], ""),
    ("off-by-one", "state/round/tally/init", [5, 3], "b.tally"),
    ("negate", "functions/heavy/is", ["not (weight(c) > 2 and c != seen)"], "b.heavy"),
    ("drop-conjunct", "functions/heavy/is", ["c != seen", "weight(c) > 2"], "b.heavy"),
    ("swap-comparison", "functions/heavy/is",
     ["weight(c) >= 2 and c != seen", "weight(c) > 2 and c == seen"], "b.heavy"),
    ("off-by-one", "functions/heavy/is", ["weight(c) > 3 and c != seen", "weight(c) > 1 and c != seen"], "b.heavy"),
    ("negate", "functions/shared/is", ["1 if not flag else 2"], ""),
    ("drop-row", "tables/may/rows/low", [None], "b.low"),
    ("negate", "tables/may/rows/low/when", ["not (tally < 3)"], "b.low"),
    ("flip-verdict", "tables/may/rows/low/then", ["False"], "b.low"),
    ("flip-verdict", "tables/may/rows/next/then", ["True"], "b.may"),
    ("flip-verdict", "tables/may/rows/rest/else", ["True"], "b.may"),
    ("negate", "tables/may/rows/rest/else", [], ""),
    ("drop-conjunct", "tables/may/rows/next/when", ["all((x == y for x in laps))"], "b.may"),
    ("swap-comparison", "tables/may/rows/next/when",
     ["all((x != y for x in laps if x in odd))", "all((x == y for x in laps if x not in odd))"], "b.may"),
    ("other-direction", "tables/value/rows/one/when", ["previous(p) == q"], "b.value"),
    ("other-direction", "tables/value/rows/two/when", ["next(p) == q"], "b.value"),
    ("other-team", "tables/value/rows/one/then", ["other(team(p))"], "b.value"),
    ("other-team", "tables/value/rows/two/then", ["t"], "b.value"),
    ("swap-neighbours", "tables/value/rows", [], ""),
    ("swap-comparison", "actions/play/by/who", ["{p for p in players if p != turn}"], "b.turn"),
    ("drop-conjunct", "actions/play/by/who", ["{p for p in players}"], "b.turn"),
    ("legal-always", "actions/play/legal", [True], "b.play"),
    ("legal-always", "actions/stay/legal", [], ""),
    ("flip-verdict", "actions/stay/legal", ["False"], "b.stay"),
    ("drop-effect", "actions/play/do/set-laid", [None], "b.play"),
    ("drop-effect", "actions/play/do/end", [None], "b.end"),
    ("drop-effect", "actions/play/do/end/then/add-tally", [None], "b.end"),
    ("off-by-one", "actions/play/do/end/then/add-tally/by", ["2", "0"], "b.end"),
    ("negate", "actions/play/do/end/if", ["not (full)"], "b.end"),
    ("other-direction", "actions/play/do/end/else/set-turn/to", ["previous(me)"], "b.next"),
    ("drop-row", "phases/count/do/cases/cases/won", [None], "b.won"),
    ("negate", "phases/count/do/cases/cases/lost/when", ["not (flag)"], "b.count"),
    ("swap-comparison", "phases/count/do/cases/cases/won/when", ["tally > 3"], "b.won"),
    ("drop-row", "view/hand", [None], "b.view"),
    ("drop-row", "view/trick", [None], ""),
    ("negate", "view/trick/when", ["not (laid[p] != None)"], ""),
    ("negate", "view/trick/seen", ["not (not flag)"], ""),
    ("off-by-one", "score/points", ["tally + 2", "tally + 0"], ""),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "address", "values", "clause"), EXPECTED)
def test_operators(found: list[Mutant], operator: str, address: str, values: list[Any], clause: str) -> None:
    """An operator makes at an address what it should, once each, with the clause that is there or inherited."""
    here = [mutant for mutant in found if mutant.operator == operator and mutant.address == address]

    assert [value(mutant) for mutant in here] == values
    assert {mutant.clause for mutant in here} == ({clause} if values else set())


def test_neighbours_change_places(found: list[Mutant]) -> None:
    """Rows and cases that come to different things change places; the last, which has no condition, stays last."""
    orders = {m.address: [row["id"] for row in value(m)] for m in found if m.operator == "swap-neighbours"}

    assert orders == {"tables/may/rows": ["next", "low", "rest"], "phases/count/do/cases/cases": ["lost", "won", "on"]}


def test_ids_are_stable_and_differ(found: list[Mutant]) -> None:
    """Every mutant has an id of its own, made of operator and address, the same at every reading."""
    assert len({mutant.id for mutant in found}) == len(found)
    assert all(mutant.id.startswith(f"{mutant.operator}:{mutant.address}#") for mutant in found)
    assert [mutant.id for mutant in list_mutants(parse_yaml(RULES, "other.yaml"))] == [mutant.id for mutant in found]


def test_the_list_of_operators_is_closed(found: list[Mutant]) -> None:
    """All operators of the list are at work, and no other."""
    assert {mutant.operator for mutant in found} == set(MUTANT_OPERATORS)


def test_each_changes_the_file(found: list[Mutant]) -> None:
    """Every mutant can be applied and makes another file."""
    rules_: Node = parse_yaml(RULES, "rules.yaml")
    for mutant in found:
        assert apply_patches(rules_, [mutant.patch]).plain() != rules_.plain(), mutant.id


def test_a_sample_takes_operators_in_turn(found: list[Mutant]) -> None:
    """A sample is drawn from all operators alike, without doubles, and only the seed decides it."""
    drawn = sample_mutants(found, 2 * len(MUTANT_OPERATORS), 7)

    assert drawn == sample_mutants(found, 2 * len(MUTANT_OPERATORS), 7)
    assert drawn != sample_mutants(found, 2 * len(MUTANT_OPERATORS), 8)
    assert len({mutant.id for mutant in drawn}) == len(drawn) == 2 * len(MUTANT_OPERATORS)
    assert min(Counter(mutant.operator for mutant in drawn).values()) >= 1
    assert sample_mutants(found, 10_000, 7) != found
    assert sorted(m.id for m in sample_mutants(found, 10_000, 7)) == sorted(m.id for m in found)


@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_mutants_of_games_are_other_rules_or_none(game: str) -> None:
    """A mutant of a game is a valid rule base with another identity, or refused as a data file would be."""
    choice = choose(game)
    own, valid = identity(rules(choice)), 0
    for mutant in sample_mutants(list_mutants(patch_rules(choice)), 22, 3):
        try:
            made = load_mutant(choice, mutant)
        except Unusable as error:
            assert error.faults  # noqa: PT017 - one that is refused says why
            continue
        assert identity(made) != own, mutant.id
        valid += 1

    assert valid > 10


@pytest.mark.parametrize("game", catalogue())
def test_clauses_of_mutants_are_those_of_the_game(game: str) -> None:
    """Whatever is damaged belongs to a clause, what games share and some keys of view and score excepted."""
    nameless = [m for m in list_mutants(patch_rules(choose(game))) if not m.clause]

    assert {mutant.address.split("/")[0] for mutant in nameless} <= {"functions", "types", "view", "score"}


def test_an_invalid_mutant_is_refused() -> None:
    """A table without its last row is no table, and a mutant that leaves one is unusable."""
    choice = choose(catalogue()[0])
    table = next(name for name, t in rules(choice).tables.items() if t.policy == "first")
    last = rules(choice).tables[table].rows[-1].id
    mutant = next(m for m in list_mutants(patch_rules(choice)) if m.id == f"drop-row:tables/{table}/rows/{last}#1")

    with pytest.raises(Unusable):
        load_mutant(choice, mutant)
