"""Cases: they exclude each other, are all there are, can each be, and are as is said of them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from brou import choose, house
from brou.language.node import Node
from brou_tools.smt.asking import PROVED, REFUTED, Asking, ObligationResult, SolverOptions
from brou_tools.smt.obligations import Obligation, obligations
from brou_tools.smt.prover import prove_obligation

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

LIMIT = 10_000_000
#: What the ids of a game begin with.
PREFIXES = {
    "brouc": "brouc",
    "homme-de-brou": "brou",
    "brusquembille": "brus",
    "homme-d-auvergne": "auv",
    "hombre": "omb",
}
#: It says that an account can sink below nought, not what becomes of one.
BEFORE = "brou.account.below-nought"


def claims(cases: dict[str, list[str]], **changes: str) -> Obligation:
    """Return what is proved of claims in Brouc, with other cases."""
    found = obligations("brouc", house()).obligations
    one = next(one for one in found if one.id == "brouc.account.claim")
    lists = {name: Node(tuple(Node(text, one.place) for text in said), one.place) for name, said in cases.items()}
    more = {key: Node((Node(text, one.place),), one.place) for key, text in changes.items()}
    return replace(one, node=replace(one.node, value={**one.node.fields, "cases": Node(lists, one.place), **more}))


def ask(cases: dict[str, list[str]], **changes: str) -> ObligationResult:
    """Return the result of other cases of claims in Brouc."""
    return prove_obligation(Asking(choose("brouc"), SolverOptions(LIMIT)), claims(cases, **changes))


def test_cases_that_are_all_there_are_are_proved() -> None:
    """A claim is right or wrong, and the winner is then this team or that."""
    found = ask({"right": ["result == claim_right", "winner == team(me)"], "wrong": ["result == claim_wrong"]})

    assert found.status == PROVED


@pytest.mark.parametrize(
    ("cases", "reason"),
    [
        ({"right": ["enough"], "any": ["result != None"]}, "not just one of the cases holds"),
        ({"right": ["enough"], "wrong": ["not enough and price == 2"]}, "not just one of the cases holds"),
        ({"right": ["result == claim_right"], "wrong": ["result == claim_wrong", "worth == 1"]}, "wrong"),
    ],
    ids=["both at once", "neither", "as it is not"],
)
def test_a_false_case_is_refuted(cases: dict[str, list[str]], reason: str) -> None:
    """The interpreter has seen a position against it."""
    found = ask(cases)

    assert (found.status, found.reason) == (REFUTED, reason)
    assert found.witness


def test_a_case_that_never_is_is_refuted() -> None:
    """A case that cannot be says nothing of play."""
    found = ask({"right": ["enough"], "wrong": ["not enough"], "deal": ["result == deal"]})

    assert (found.status, found.reason) == (REFUTED, "deal: it is never so")


@pytest.mark.slow
def test_a_name_taken_apart_is_asked_value_by_value() -> None:
    """What holds of one seat alone is refuted, though it is asked of each seat apart."""
    cases = {"right": ["enough", "me == first(p for p in players)"], "wrong": ["not enough"]}

    assert ask(cases, apart="me").status == REFUTED
    assert ask({"right": ["enough"], "wrong": ["not enough"]}, apart="me").status == PROVED


@pytest.mark.parametrize("game", PREFIXES)
def test_the_page_for_players_names_every_theorem_about_accounts(game: str) -> None:
    """What is proved of accounts and of permissions stands on the page, and nothing else is named there."""
    page = Path(__file__).parents[2].joinpath("docs", "accounts.md").read_text(encoding="utf-8")
    proved = {one.id for one in obligations(game, house()).obligations}
    named = {name for name in re.findall(r"`([a-z]+\.[a-z.-]+)`", page) if name.partition(".")[0] == PREFIXES[game]}

    assert named <= proved
    assert {id_ for id_ in proved if ".account." in id_ or id_.endswith(".allowed")} <= named | {BEFORE}


@pytest.mark.slow
def test_a_variable_taken_apart_is_asked_value_by_value() -> None:
    """What holds after one number of tricks alone is refuted."""
    cases = {"right": ["enough", "done == 0"], "wrong": ["not enough"]}

    assert ask(cases, apart="done").status == REFUTED
