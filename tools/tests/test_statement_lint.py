"""Statements that say less than they seem to are refused, and no statement of ours is one."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from brou import catalogue, house, open_project, root
from brou_tools.cli import main
from brou_tools.smt.linting import find_idle_citations, find_weakness
from brou_tools.smt.obligations import Obligation, obligations

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

GAME = "brouc"


def said(id_: str, show: str) -> Obligation:
    """Return a statement of the game that shows something else."""
    one = next(one for one in obligations(GAME, house()).obligations if one.id == id_)
    fields = dict(one.node.fields)
    fields["show"] = replace(fields["show"], value=show)
    return replace(one, node=replace(one.node, value=fields))


def reason(one: Obligation) -> str:
    """Return why a statement says less than it seems to; nothing if it does not."""
    found = find_weakness(GAME, house(), one)
    return "" if found is None else found.reason


@pytest.fixture(name="copied")
def _copied(tmp_path: Path) -> Path:
    """Return a folder of data with one game in it."""
    shutil.copytree(root() / "games" / GAME, tmp_path / "games" / GAME)
    return tmp_path


def change(folder: Path, file: str, was: str, now: str) -> None:
    """Write something else at the one place of a chapter where something stands."""
    path = folder / "games" / GAME / file
    text = path.read_text("utf-8")
    assert text.count(was) == 1
    path.write_text(text.replace(was, now), "utf-8")


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(catalogue()))
def test_every_statement_rests_on_the_clauses_that_it_cites(game: str) -> None:
    """Of each clause that has rules a statement about it needs one at least."""
    assert [fault.what for fault in find_idle_citations(game, house())] == []


@pytest.mark.slow
def test_a_clause_that_a_statement_does_not_rest_on_is_refused(
    copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is said of the deal holds whatever a cape is worth; `brou check` says where."""
    change(copied, "20-deal.yaml", "[trump.01, deal.03]", "[trump.01, deal.03, cape.01]")

    (fault,) = find_idle_citations(GAME, open_project(copied))

    assert fault.what.startswith("brouc.deal.last-card cites brouc.cape.01 and rests on none of its rules")
    assert fault.place.file == f"games/{GAME}/20-deal.yaml"
    assert main(["check", str(copied)]) == 1
    assert fault.what in capsys.readouterr().out


@pytest.mark.parametrize("show", ["x >= target", "target - 2 < x", "not x < target or rounded(x) == 0", "1 + 1 == 2"])
def test_what_follows_from_what_is_supposed_is_refused(show: str) -> None:
    """The statement supposes that the total is at the target, so it holds whatever the rules make of it."""
    assert reason(said("brouc.round.lost", show)).startswith("it follows from what it supposes, whatever the rules are")


@pytest.mark.parametrize("show", ["rounded(x) == target - 1", "x >= 301", "rounded(x) >= rounding_unit"])
def test_what_the_rules_are_needed_for_is_not_refused(show: str) -> None:
    """A function, and a number of the rules, might be anything."""
    assert reason(said("brouc.round.lost", show)) == ""


def test_what_is_supposed_before_an_act_need_not_hold_after_it() -> None:
    """The next to the right does not lead before the card is played; that it is so afterwards has to be shown."""
    assert reason(said("brouc.play.laid", "next(turn) != leader")) == ""


@pytest.mark.slow
def test_an_escape_that_holds_in_every_case_is_refused() -> None:
    """No trick but the last ends a deal in which nobody has called, so what comes behind `or` says nothing."""
    escaping = "now == n0 + 1 and (result == None or leader == dealer)"

    assert reason(said("brouc.trick.next-lead", escaping)).startswith("`result == None` holds in every case")


def test_an_escape_that_is_needed_is_not_refused() -> None:
    """Neither side of the `or` holds in every case."""
    assert reason(said("brouc.round.lost", "rounded(x) == target - 1 and (x == target or x > 301)")) == ""


@pytest.mark.slow
def test_a_run_of_proofs_tells_such_a_statement(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not proved, and the run says why and where it stands."""
    change(copied, "50-count.yaml", "show: rounded(x) == target - 1", "show: x >= target")

    assert main(["prove", GAME, "--only", "brouc.round.lost", "--afresh", "--data", str(copied)]) == 1
    out = capsys.readouterr().out
    assert "brouc.round.lost is unknown, not proved" in out
    assert "it follows from what it supposes, whatever the rules are" in out
    assert f"games/{GAME}/50-count.yaml" in out
