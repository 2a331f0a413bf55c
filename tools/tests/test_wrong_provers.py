"""The prover is under test itself: small obligations whose status is known, and wrong provers that get one wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from provers.asked import GAMES, Told, ask, forget, housed
from provers.replaying import Shown, written
from provers.right import RIGHT
from provers.wrong import WRONG, Wrong

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

each = pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
asked = pytest.mark.parametrize("what", RIGHT)
#: Kinds that are refuted because there is nothing, so that there is nothing to show.
NOTHING_TO_SHOW = {"reachable", "separates", "maximum", "dead_rows"}

#: It is proved by an example; where that is not found there is nothing to show.
NO_EXAMPLE = "open.apart"
#: It is about two states, of which the prover shows one.
HALF_SHOWN = "apart.alike"


@pytest.fixture(name="house", autouse=True, scope="module")
def _house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the small games be those of the house while these tests run."""
    forget()
    with housed(tmp_path_factory.mktemp("house")):
        yield
    forget()


def shown(what: str, told: Told) -> Iterator[tuple[str, Shown]]:
    """Yield the status and what is shown for it wherever an obligation is proved by an example, or refuted."""
    data = written(what.partition(".")[0])
    one = data["obligations"][what]
    for answer in told.document["obligations"]:
        if answer["witness"] is not None or (answer["status"] == "refuted" and one["kind"] not in NOTHING_TO_SHOW):
            yield answer["status"], Shown(one, data.get("positions", {}), answer["edition"], answer["witness"])


# The prover -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@asked
def test_the_prover_says_what_is_right(what: str) -> None:
    """Each small obligation is proved, refuted, unknown or vacuous, as it is, and each position stands as it does."""
    assert ask(what).status == RIGHT[what]


@pytest.mark.slow
@pytest.mark.parametrize(
    "what", [what for what, right in RIGHT.items() if right in ("proved", "refuted") and what != HALF_SHOWN]
)
def test_the_interpreter_sees_what_the_prover_shows(what: str) -> None:
    """Set down in the position, or at the start, it sees what refutes the obligation, or what is an example of it."""
    assert [status for status, one in shown(what, ask(what)) if not one.confirmed()] == []


# The zoo --------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.slow
@each
def test_a_wrong_prover_is_found_out(wrong: Wrong) -> None:
    """The small obligation named for it comes out otherwise than is right, as is told of it."""
    assert wrong.says != RIGHT[wrong.shown_by]
    with wrong.at_work():
        assert ask(wrong.shown_by).status == wrong.says


@pytest.mark.parametrize(
    "wrong",
    [one for one in WRONG if (one.says, RIGHT[one.shown_by]) == ("refuted", "proved") and one.shown_by != NO_EXAMPLE],
    ids=lambda wrong: wrong.name,
)
def test_the_interpreter_does_not_see_what_a_wrong_prover_shows(wrong: Wrong) -> None:
    """Where something is refuted that is so, replaying what is shown for it finds the prover out as well."""
    with wrong.at_work():
        told = ask(wrong.shown_by)

    assert [one.confirmed() for status, one in shown(wrong.shown_by, told) if status == "refuted"] == [False]


def test_a_wrong_prover_leaves_nothing_behind() -> None:
    """When the last of them has gone, the prover says again what is right."""
    for wrong in WRONG[:2]:
        with wrong.at_work():
            ask(wrong.shown_by)

        assert ask(wrong.shown_by).status == RIGHT[wrong.shown_by]


# The list -------------------------------------------------------------------------------------------------------------


def test_every_obligation_has_a_status_that_is_right() -> None:
    """None stands in a file of the small games, and nowhere else, without being asked."""
    every = {id_ for folder in GAMES.iterdir() for id_ in written(folder.name)["obligations"]}

    assert {what for what in RIGHT if not what.startswith("position ")} == every


def test_every_obligation_finds_a_wrong_prover_out() -> None:
    """Each does so itself, or is about a position whose standing does, or one that leads there."""
    positions = {what for what in RIGHT if what.startswith("position ")}
    about = {id_ for id_, one in written("kept")["obligations"].items() if one["expect"] == "proved"}

    assert set(RIGHT) - {wrong.shown_by for wrong in WRONG} <= {*about, "kept.low"}
    assert positions <= {wrong.shown_by for wrong in WRONG}


def test_no_two_wrong_provers_are_one() -> None:
    """Each has a name and a change of its own."""
    assert len({wrong.name for wrong in WRONG}) == len({wrong.changes for wrong in WRONG}) == len(WRONG)
