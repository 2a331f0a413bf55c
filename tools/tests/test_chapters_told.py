"""Games in chapters at the table and in the terminal: the same sheets, and rules shown as they are written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from brou import catalogue, choose, rules, spread
from brou.answers.settlement import settle_record
from brou.games.record import record
from brou.language.effects import targets, walk_effects
from brou.reasons.settlement import Settlement
from brou_tools.cli import main

WORKED: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "golden" / "worked.yaml").read_text("utf-8"))


def settle(folder: Path | None, path: Path, **members: Any) -> Settlement:
    """Returns what a record of some members comes to by the rules of a folder."""
    path.write_text(json.dumps({"format": "brou-record/1", **members}))
    choice = choose(members["rules"], folder)
    return settle_record(record(path, rules(choice, folder)), choice, folder)


def written(found: Settlement) -> list[Any]:
    """Returns the figures of a settlement, and where it stops."""
    figures = [(deal.id, deal.count, deal.written, [line.step for line in deal.lines]) for deal in found.deals]
    return [found.standing, figures, None if found.fault is None else found.fault.step]


def test_a_note_is_bound_by_the_duties_that_it_heeds(tmp_path: Path) -> None:
    """A marriage that is announced twice is refused by the clause of the act, or not where a reading allows it."""
    announced = [{"team": 0, "suit": "H", "kind": kind} for kind in ("simple", "grand")]
    deal = {"short": {"trump": "S", "announced": announced, "points": [60, 60]}}
    found = [
        settle(None, tmp_path / "record.yaml", rules=name, start={"dealer": 3}, deals=[deal]).fault
        for name in ("brouc@2022", "brouc@2022[extend_announced=difference]")
    ]
    assert found[0] is not None
    assert (found[0].step, found[0].clauses) == ("announced.2", ("brouc.amb.21",))
    assert found[1] is None


@pytest.mark.parametrize("name", [str(choice) for game in catalogue() for choice in spread(game)])
def test_a_score_sheet_lays_no_cards(name: str) -> None:
    """No entry writes where cards lie: what is noted of them is state, and the effects of the rules do the rest."""
    game = rules(name)
    places = {variable.id for variable in game.state.values() if variable.zone}
    written = {
        target.variable
        for entry in game.summary.values()
        for effect in walk_effects((*entry.do, *entry.then))
        for target in targets(effect)
    }
    assert places
    assert places & written == set()
    assert game.start.deal not in {deed.action for entry in game.summary.values() for deed in entry.acts}


def test_a_score_sheet_writes_what_clauses_read() -> None:
    """The control: sheets write variables, inside of steps too."""
    entries = rules("brouc").summary.values()
    written = {target.variable for one in entries for effect in walk_effects(one.do) for target in targets(effect)}
    assert {"met", "told", "won"} <= written


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("brouc.over.01", ["- clause: over.01", "over.02 is an exception of it", "over.05 is a special case of it"]),
        ("brouc.game.01", ["cape.03/usable adds a term to it"]),
        ("brouc.trick.02", ["- clause: trick.02"]),
        ("brouc.lead.01", ["tricks.play of the prelude", "  upon: dealt"]),
        ("brouc.play", ["refused by over.01 where one of these columns holds", "  case 5: over.05 (must_beat)"]),
        ("brouc@2022[announce_window=own-turn].announce", ["refused by amb.19 where one of these columns holds"]),
        ("brouc.mark", ["refused by amb.09 always", "  case 1: amb.09 (not_available)"]),
        ("brouc.lot", ["no duty binds it"]),
        ("brouc", ["play(p, c) of brouc@2022:4", "announce(p, s, k) of brouc@2022:4", "refused by amb.09 always"]),
        ("brouc@club-2026[exception_scope=forced-only]", ["play(p, c) of brouc@club-2026:4", "mark(p, r) of"]),
        ("omb.mat.05", ["omb.mat.05  games/hombre/30-play.yaml:", "mat.03/forced is an exception of it"]),
    ],
)
def test_rules_are_shown_as_they_are_written(name: str, lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A clause whole with what names it, or when the duties of an act bind."""
    assert main(["show", "--chapters", name]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert all(any(line.startswith(wanted) for line in shown) for wanted in lines), shown


def test_an_act_is_shown_by_its_name_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Without the option too; what is a topic as well is shown as both."""
    assert main(["show", "brouc.announce", "brouc@club-2026.play"]) == 0
    assert "refused by ann.02 where one of these columns holds" in capsys.readouterr().out
    assert main(["show", "brouc.play"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert "brouc.play.02" in shown
    assert "refused by over.01 where one of these columns holds" in shown


def test_the_page_shows_what_is_told_of_an_act(capsys: pytest.CaptureFixture[str]) -> None:
    """The table of the language page is told of the act that it names."""
    page = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
    shown = page.split("```text\n")[-1].split("```")[0]
    assert main(["show", "--chapters", "brouc@club-2026.play"]) == 0
    lines = iter(capsys.readouterr().out.splitlines())
    assert all(any(line.strip() == wanted.strip() for line in lines) for wanted in shown.splitlines())


def test_what_is_neither_clause_nor_act_is_told_with_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the acts, or the games in chapters."""
    assert main(["show", "--chapters", "brouc.plya"]) == 2
    assert main(["show", "--chapters", "whist.over.01"]) == 2
    assert main(["show", "brouc@2021.play"]) == 2
    told = capsys.readouterr().err
    assert "did you mean 'play'?" in told
    assert "unknown edition of brouc '2021'" in told
    assert "known: brouc" in told
