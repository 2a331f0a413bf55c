"""Whether statements bite: damage to the rules of a clause turns a statement that cites it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from brou import Project, catalogue, house, root, rules
from brou_tools.cli import main
from brou_tools.mutate import command
from brou_tools.mutate.bites import bite, find_stale
from brou_tools.questions.bite_scores import BiteScores, ClauseBite, read_bites
from brou_tools.smt.biting import notice_for_clause
from brou_tools.smt.damages import list_damages
from brou_tools.smt.obligations import obligations

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

GAMES = sorted(catalogue())


def known(game: str) -> BiteScores:
    """Return the bites that are written down for a game."""
    found = read_bites(game, house())
    assert found is not None
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_bites_or_says_why_not(game: str) -> None:
    """Damage to the rules of a clause is noticed by a statement that cites it, or there is a reason."""
    assert known(game).toothless == ()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_down_is_of_these_rules(game: str) -> None:
    """Neither the rules of a clause nor its statements have changed; `brou mutate --clauses --write` asks again."""
    assert find_stale(game, house(), known(game)) == []
    assert list(known(game).clauses) == [one.clause for one in list_damages(game, house())]


@pytest.mark.parametrize("game", GAMES)
def test_a_reason_goes_with_a_clause_that_does_not_bite(game: str) -> None:
    """A reason for a clause that bites, or that has no rules, would be idle."""
    found = known(game)

    assert {id_ for id_ in found.exempt if found.clauses[id_].bites or not found.clauses[id_].damages} == set()


@pytest.mark.parametrize("game", GAMES)
def test_what_notices_a_damage_cites_the_clause(game: str) -> None:
    """The damage is one of the clause, and the statement one that cites it."""
    cited = {one.id: one.clauses for one in obligations(game, house()).obligations}
    damages = {one.clause: {mutant.id for mutant in one.mutants} for one in list_damages(game, house())}
    for id_, one in known(game).clauses.items():
        if one.bites:
            assert id_ in cited[str(one.by)], id_
            assert one.mutant in damages[id_], id_


def test_a_damage_is_noticed_by_a_statement_that_cites_the_clause() -> None:
    """What a run finds is what is written down."""
    found = bite("brouc", house(), "brouc.cdd.01")

    assert found == known("brouc").clauses["brouc.cdd.01"]
    assert found.turned


def test_undamaged_rules_turn_no_statement() -> None:
    """A statement that fails of the rules as they are would bite for whatever it cites."""
    assert list(notice_for_clause("brouc", house(), "brouc.cdd.01", rules)) == []


@pytest.fixture(name="copied")
def _copied(tmp_path: Path) -> Path:
    """Return a folder of data with one game in it."""
    shutil.copytree(root() / "games" / "brouc", tmp_path / "games" / "brouc")
    return tmp_path


@pytest.mark.slow
def test_only_what_has_changed_is_asked_again(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clause whose hash is another is asked, and a reason that somebody wrote stays."""
    before = known("brouc")
    kept = copied / "games" / "brouc" / "bites.yaml"
    kept.write_text(kept.read_text("utf-8").replace(before.clauses["brouc.cdd.01"].of, "0" * 16), "utf-8")
    asked: list[str] = []

    def note(_game: str, _project: Project, clauses: Iterable[str], *_: object) -> Iterator[tuple[str, ClauseBite]]:
        asked.extend(clauses)
        return ((clause, before.clauses[clause]) for clause in asked)

    monkeypatch.setattr(command, "bite_all", note)

    assert main(["mutate", "brouc", "--clauses", "--write", "--data", str(copied)]) == 0
    assert asked == ["brouc.cdd.01"]
    assert kept.read_bytes() == (root() / "games" / "brouc" / "bites.yaml").read_bytes()


def test_a_clause_for_which_nothing_bites_is_a_finding() -> None:
    """Only a clause with rules can bite, and a reason lets one pass."""
    dull = ClauseBite(of="", statements=1, damages=3, tried=3)
    found = BiteScores(game="a-game", clauses={"a": dull, "b": replace(dull, damages=0)}, exempt={})

    assert found.toothless == ("a",)
    assert replace(found, exempt={"a": "no statement yet"}).toothless == ()
