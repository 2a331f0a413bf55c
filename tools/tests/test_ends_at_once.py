"""A game whose deal ends behind the last card, without an act: how deals are counted and its last trick is drawn."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from brou import choose, open_project
from brou_conformance.scenarios import corpus
from brou_tools.matches.plan import MatchPlan, NativePlayer, open_player, play_seeds
from brou_tools.new.skeleton import list_skeleton_files
from brou_tools.simulate.figures import figures
from brou_tools.situation.examples import Laid, course

RULES = "games/duet/10-rules.yaml"
#: The end of a deal in the game of `brou new`, and one that waits for no act.
WAITING = """  act: next(p)
  in: result
  do:
  - for: q in players
    do: [{add: {"points[q]": "tricks[q]"}}]
  - set: {dealer: next(dealer)}
  - reset: deal
  - when: any(points[q] >= target for q in players)
    clause: end.02
    do: [{go: over}]
  - go: deal
"""
AT_ONCE = """  rules:
  - rule: end.01/write
    phase: result
    do:
    - let: {made: "sum(tricks[q] for q in players)"}
    - for: q in players
      do: [{add: {"points[q]": "tricks[q] if made > 0 else 0"}}]
    - set: {dealer: next(dealer)}
    - reset: deal
    - when: any(points[q] >= target for q in players)
      clause: end.02
      do: [{go: over}]
    - go: deal
"""
WHOLE = """\
- id: duet.deal.whole
  title: A whole deal
  clauses: {duet.trick.01: [permits]}
  level: must
  origin: hand
  because: >-
    Five tricks go to the player with all spades, and are written down behind the last card.
  setup: ["2"]
  deal:
    dealer: 0
    hands: {"0": [AS, KS, QS, JS, TS], "1": [9S, AH, KH, QH, JH]}
    turnup: 9C
  steps:
  - play:
    - "1: 9S TS"
    - "0: AS AH"
    - "0: KS KH"
    - "0: QS QH"
    - "0: JS JH"
  - {score: true, expect: {points: [5, 0]}}
"""


@pytest.fixture
def duet(tmp_path: Path) -> Path:
    """Return a project with the game."""
    for path, text in list_skeleton_files("duet").items():
        if path.startswith("games/"):
            assert WAITING in text or path != RULES
            changed = text.replace("  result: end.01\n", "").replace(WAITING, AT_ONCE)
            shown = changed.replace("{points: points}\n", "{points: points, won: tricks}\n")
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(shown, encoding="utf-8")
    (tmp_path / "scenarios" / "duet").mkdir(parents=True)
    (tmp_path / "scenarios" / "duet" / "whole.yaml").write_text(WHOLE, encoding="utf-8")
    (tmp_path / "brou.toml").touch()
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("native", [False, True], ids=["python", "c"])
def test_a_deal_that_ends_without_an_act_counts_once(native: bool, duet: Path) -> None:
    """It has as many cards as were dealt, and what is told of its end is what stood behind the last of them."""
    if native and shutil.which("gcc") is None:
        pytest.skip("no C compiler")
    plan = MatchPlan(choose("duet:3", duet))

    tally = play_seeds(plan, range(8), native=native)
    found = {(one.part, one.what): one.value for one in figures(tally)}

    assert isinstance(open_player(plan, native=native), NativePlayer) is native
    assert found["acts a deal", "deal"] == 1
    assert found["acts a deal", "play"] == 15
    assert sum(found["score", f"won {seat}"] for seat in range(3)) == pytest.approx(5)
    assert tally.deals == found["match", "deals played"] * tally.matches
    assert {what for part, what in found if part == "acts"} <= {"cut", "deal", "play"}


def test_the_last_trick_of_such_a_deal_is_drawn_with_its_winner(duet: Path) -> None:
    """Though nothing lies any more when it is complete."""
    (one,) = corpus.scenarios("duet", open_project(duet))
    whole = course(one, choose("duet:2", duet))
    laid = [event for event in whole.events if isinstance(event, Laid)]

    assert whole.player.view(whole.last, 0)["trick"] == []
    assert [(trick.winner, trick.number) for trick in laid] == [(0, number) for number in range(1, 6)]
