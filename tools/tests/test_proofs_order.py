"""Rows of a table in order: none of a game depends on it, and rows that stand in each other's way are found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import pytest

from brou import Choice, book, catalogue, choose, house, rules
from brou.games.catalogue import patch_rules
from brou.games.readings import vary_one_reading
from brou.language.load import load_rules
from brou.language.node import Node
from brou.language.patch import apply_patches, read_patches
from brou.language.source import parse_yaml
from brou.language.syntax import Game
from brou_tools.smt.asking import PROVED, REFUTED, UNKNOWN, Asking, SolverOptions
from brou_tools.smt.ground import ProofContext
from brou_tools.smt.obligations import Obligation, obligations
from brou_tools.smt.prover import prove_obligation
from brou_tools.smt.slices import slice_of
from brou_tools.smt.solve import LIMIT

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

#: A game, and the id of an obligation about playing a card in it.
GAME, PLAY = "homme-d-auvergne", "auv.tables.order-of-play"
STATED = "{given: {p: player, c: card}, where: [p == turn, 'c in hand[turn]'], pairs: {may_play: []}}"
#: The same duties as rows of which the first that holds decides, where following comes before trumping.
ROWS = """
- at: tables/may_play/rows
  value:
  - {id: lead, when: "empty(table)", then: "True", clause: auv.lead.01}
  - {id: follow, when: "suit(c) == led", then: "True", clause: auv.play.01}
  - {id: revoke, when: "can_follow(p)", then: "False", clause: auv.play.01}
  - {id: trump, when: "suit(c) == trump", then: "True", clause: auv.play.03}
  - {id: withheld, when: "not empty(trumps(p))", then: "False", clause: auv.play.02}
  - {id: discard, else: "True", clause: auv.play.04}
"""
TABLE, UPPER, LOWER = "may_play", "revoke", "trump"
PAIRS = [["lead", "withheld"], ["follow", "revoke"], ["follow", "withheld"], [UPPER, LOWER], ["trump", "withheld"]]


def of_play() -> Obligation:
    """Return an obligation about the order of the duties of playing a card, which chapters do not have."""
    known = obligations(GAME, house())
    return replace(
        known.obligations[0],
        id=PLAY,
        kind="order_matters",
        expect=PROVED,
        slow=False,
        node=parse_yaml(STATED, "stated.yaml"),
        position=known.positions["trick"],
        acts=(),
        editions=(),
        setups=(),
        readings="default",
        fixed={},
        unless={},
    )


def saying(one: Obligation, table: str, pairs: Sequence[Sequence[str]]) -> Obligation:
    """Return an obligation that names other pairs of one table."""
    place = one.place
    rows = Node(tuple(Node(tuple(Node(name, place) for name in pair), place) for pair in pairs), place)
    return replace(one, node=replace(one.node, value={**one.node.fields, "pairs": Node({table: rows}, place)}))


@lru_cache(maxsize=4)
def prover(choice: Choice) -> Asking:
    """Return the prover of a rule base, which makes its formulas once."""
    return Asking(choice, SolverOptions(LIMIT))


def ordered(choice: Choice) -> Game:
    """Return the rules of a choice with the rows in order."""
    changes = read_patches(parse_yaml(ROWS, "rows.yaml"))
    return load_rules(apply_patches(patch_rules(choice), changes), book(choice.game).codes)


def prover_of(game: Game) -> Asking:
    """Return a prover of other rules than the data has."""
    return Asking(choose(GAME), SolverOptions(LIMIT), make=lambda choice: ProofContext.around(choice, game))


@pytest.fixture(scope="module")
def in_order() -> Asking:
    """Return the prover of the rules with the rows in order."""
    return prover_of(ordered(choose(GAME)))


def swapped(game: Game) -> Game:
    """Return rules in which two rows have changed places."""
    table = game.tables[TABLE]
    names = [row.id for row in table.rows]
    upper, lower = names.index(UPPER), names.index(LOWER)
    rows = list(table.rows)
    rows[upper], rows[lower] = rows[lower], rows[upper]
    return replace(game, tables={**game.tables, TABLE: replace(table, rows=tuple(rows))})


@pytest.mark.parametrize("game", catalogue())
def test_no_row_of_a_game_depends_on_its_order(game: str) -> None:
    """Where the first row that holds decides, all of them forbid, but for the last one, which has the rest."""
    first = choose(game)
    editions = (f"{game}@{edition}:{setup}" for edition, one in book(game).editions.items() for setup in one.setups)
    for choice in (*map(choose, editions), *(varied for _, varied in vary_one_reading(first))):
        for name, table in patch_rules(choice).fields["tables"].fields.items():
            rows = table.fields["rows"].items
            said = {row.string("then") for row in rows if row.get("else") is None}
            assert table.string("policy") != "first" or said <= {"False"}, (choice.full, name)


@pytest.mark.parametrize("game", catalogue())
def test_no_game_says_anything_of_the_order_of_rows(game: str) -> None:
    """There is nothing to say, so nobody has to read it."""
    assert "order_matters" not in {one.kind for one in obligations(game, house()).obligations}


def test_duties_side_by_side_have_no_order() -> None:
    """The prover finds no two of them that stand in each other's way."""
    assert prove_obligation(prover(choose(GAME)), of_play()).status == PROVED


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(("rows", "status"), [(PAIRS, PROVED), ([], REFUTED)])
def test_the_same_duties_in_rows_depend_on_their_order(
    in_order: Asking, rows: Sequence[Sequence[str]], status: str
) -> None:
    """Rows that allow and rows that refuse overlap, where duties side by side do not."""
    assert prove_obligation(in_order, saying(of_play(), TABLE, rows)).status == status


def test_an_overlap_that_is_not_named_is_found(in_order: Asking) -> None:
    """Where a pair is left out, the prover names it and shows a position that the interpreter has seen."""
    fewer = [pair for pair in PAIRS if pair != [UPPER, LOWER]]
    found = prove_obligation(in_order, saying(of_play(), TABLE, fewer))

    assert (found.status, found.reason) == (REFUTED, f"the order of {TABLE}/{UPPER} and {TABLE}/{LOWER} matters")
    assert found.witness
    assert found.witness["rules"].startswith(GAME)


@pytest.mark.parametrize(
    "pair", [["lead", "follow"], ["lead", "revoke"], ["follow", "no_such_row"], ["trump", "revoke"]]
)
def test_a_pair_that_does_not_matter_is_no_pair(in_order: Asking, pair: list[str]) -> None:
    """Rows that agree, exclude each other, are unknown or stand the other way round do not count as a pair."""
    found = prove_obligation(in_order, saying(of_play(), TABLE, [*PAIRS, pair]))
    upper, lower = pair

    assert found.status == REFUTED
    assert found.reason == f"the order of {TABLE}/{upper} and {TABLE}/{lower} does not matter"


def test_rows_that_change_places_are_noticed() -> None:
    """Rules in which trumping comes before following no longer have the pairs that are frozen."""
    changed = swapped(ordered(choose(GAME)))

    assert prove_obligation(prover_of(changed), saying(of_play(), TABLE, PAIRS)).status == REFUTED


def test_a_table_that_is_not_there_is_no_proof() -> None:
    """What is said of a table that the rules do not have counts as unknown."""
    found = prove_obligation(prover(choose(GAME)), saying(of_play(), "no_such_table", []))

    assert (found.status, found.reason) == (UNKNOWN, "there is no table no_such_table")


def test_what_it_rests_on_is_its_tables() -> None:
    """Readings that change a table, or what its rows ask, are asked again."""
    found = slice_of(rules(choose(GAME)), of_play())

    assert {TABLE, "can_follow", "trumps"} <= found
