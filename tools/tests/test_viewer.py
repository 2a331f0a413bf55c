"""A scenario card by card: what is legal is marked, what is not says why, and the page needs nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from brou import Words, house, rules
from brou_conformance.scenarios.script import spell
from brou_tools.cli import main
from brou_tools.situation.examples import choose_rules, find_scenario
from brou_tools.viewer.scenes import Scene, list_scenes

#: Seat 1 has ruffed with the ace; seat 2 holds four lower trumps and four clubs.
SCENARIO = "brouc.over.four-trumps-and-four-clubs"


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    """Return the scenes of a scenario."""
    one = find_scenario("brouc", house(), SCENARIO)
    choice = choose_rules(one, None, house())
    return list(list_scenes(spell(one, choice), Words(rules(choice), "en", choice.project)))


def find(scenes: list[Scene], step: str) -> Scene:
    """Return the scene of a step."""
    return next(one for one in scenes if one.step == step)


def test_what_may_be_played_is_told_of_each_card(scenes: list[Scene]) -> None:
    """Who can neither follow nor overruff discards: clubs are legal, lower trumps are not."""
    scene = find(scenes, "choice")

    assert scene.legal == frozenset({"AC", "9C", "8C", "7C"})
    assert {one.card for one in scene.hand if one.allowed is False} == {"TS", "9S", "8S", "7S"}


def test_cards_refused_alike_are_told_together_with_reason_and_clause(scenes: list[Scene]) -> None:
    """The four trumps have one reason, which names its clause."""
    ((cards, why, clause),) = find(scenes, "choice").refused

    assert set(cards) == {"TS", "9S", "8S", "7S"}
    assert why
    assert clause == "brouc.over.05"


def test_the_trick_lies_as_it_was_played(scenes: list[Scene]) -> None:
    """In the order of play, with who played each card."""
    scene = find(scenes, "choice")

    assert [(one.card, one.by) for one in scene.trick] == [("7D", "seat 0"), ("AS", "seat 1")]
    assert [value for _, value in scene.trump] == ["spades"]


def test_a_page_of_a_scenario_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Title, steps and clauses are there in the language that was asked for, under a strict policy."""
    made = tmp_path / "page.html"

    assert main(["corpus", "show", SCENARIO, "--lang", "fr", "--html", str(made)]) == 0
    page = made.read_text(encoding="utf-8")
    assert capsys.readouterr().out == f"{made}: {SCENARIO}, by brouc@2022:4\n"
    assert '<html lang="fr">' in page
    assert "default-src &#39;none&#39;" in page
    assert 'id="choice"' in page
    assert 'href="#clause-brouc.over.05"' in page
    assert "Pourquoi pas les autres" in page


def test_a_page_and_a_document_exclude_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is asked for by itself, and rules are named only where something is played."""
    for words in (["--json", "--html", str(tmp_path / "x.html")], ["--rules", "brouc"]):
        with pytest.raises(SystemExit) as ended:
            main(["corpus", "show", SCENARIO, *words])
        assert ended.value.code == 2
    assert "leave out" in capsys.readouterr().err
