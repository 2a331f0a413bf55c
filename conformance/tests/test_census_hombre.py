"""The corpus of Danish L'Hombre against the census of its text: every example and settled passage has its scenarios."""

from __future__ import annotations

from itertools import chain

import pytest

from brou import book
from brou_conformance.scenarios.corpus import clauses, refusing, scenarios
from brou_conformance.scenarios.coverage import coverage

GAME = "hombre"

EXAMPLES = {
    "ex.01": ["auction.example-one"],
    "ex.02": ["auction.example-two-is-in-error", "auction.example-two-mended"],
    "ex.03": ["auction.example-three"],
    "ex.04": ["auction.example-four"],
    "ex.05": ["following.manille-against-two-espadille-played", "following.manille-against-two-baste-played"],
    "ex.06": [
        *("result.five-tricks", "result.four-three-two", "result.four-four-one", "result.three-three-three"),
        "result.four-five",
    ],
    "ex.07": [
        *("rank.red-trumps-in-turn", "rank.red-trumps-between"),
        *("rank.black-trumps-in-turn", "rank.black-trumps-between"),
    ],
}

#: What a matador that is led forces, by the card led and the matadors that a hand has as its only trumps.
FORCING = {
    "common": ["following.common-trump-led-matador-kept", "following.lone-matador-may-still-be-played"],
    "espadille": ["following.espadille-forces-the-manille", "following.espadille-forces-one-of-two"],
    "manille": ["following.manille-forces-baste", "following.manille-against-two-espadille-played"],
    "baste": ["following.baste-forces-nothing", "following.baste-against-both"],
    "second player": ["following.matador-of-the-second-player", "following.manille-led-espadille-added"],
}

#: The nine contracts, each with the scenarios of its points.
CONTRACTS = {
    name: [f"{'nolo' if 'nolo' in name else 'result'}.{name}-{result}" for result in ("won", "codille")]
    for name in (
        *("demande", "demande-a-pique", "tourne", "nolo-en-demande", "grand-tourne"),
        *("sans-prendre", "sans-prendre-a-pique", "pur-nolo", "nolo-ouvert"),
    )
}

BY_ID = {one.id.removeprefix("omb."): one for one in scenarios(GAME)}
REGISTER = {id_: node for id_, node in clauses(GAME).items() if node.get("treatment") is not None}


@pytest.mark.parametrize("group", [EXAMPLES, FORCING, CONTRACTS], ids=["examples", "forcing", "contracts"])
def test_what_is_listed_is_there(group: dict[str, list[str]]) -> None:
    """Every worked example, every case of forcing and every contract has the scenarios that are named for it."""
    assert set(chain.from_iterable(group.values())) <= set(BY_ID)


def test_the_faulty_example_is_refused() -> None:
    """The second example of an auction breaks the rule, and its scenario refuses the call as the example has it."""
    faulty = BY_ID["auction.example-two-is-in-error"]

    assert refusing(faulty)
    assert "omb.amb.03" in faulty.clauses


@pytest.mark.parametrize("id_", [id_ for id_, node in REGISTER.items() if node.string("treatment") == "FIX"])
def test_settled_passages(id_: str) -> None:
    """Whatever the text settles is tested strictly: some scenario cites it and holds for every program."""
    levels = {one.level for one in BY_ID.values() if id_ in one.clauses}

    assert levels & {"must", "reading"}


def test_every_reading_is_told_apart() -> None:
    """Every open reading has a scenario in which its values part, and every cell that a clause needs is filled."""
    found = coverage(GAME)

    assert [question.key for question in found.questions] == list(book(GAME).editions["danish"].readings)
    assert found.complete


def test_what_is_left_open_binds_nobody() -> None:
    """A scenario that speaks only for open passages is of the open level."""
    left = {id_ for id_, node in REGISTER.items() if node.string("treatment") == "OPEN"}

    assert [one.id for one in BY_ID.values() if set(one.clauses) <= left and one.level != "open"] == []
