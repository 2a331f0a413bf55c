"""A game of a family that the house does not have, bidding by levels, stands on the prelude and a hundred lines."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brou import Machine, Refusal, State, rules
from brou.chance import Chance
from brou.check import check
from brou.compiler.compiled import Compiled
from brou.compiler.playing import draw_act


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder of data with the game; it has no prelude but that of the house."""
    made = tmp_path_factory.mktemp("levels")
    shutil.copytree(Path(__file__).parent / "levels", made / "games" / "levels")
    return made


def moves(machine: Machine, seed: int, most: int) -> Iterator[tuple[int, dict[str, Any], State]]:
    """Yields random acts with the state after each; whoever may pass mostly does."""
    chance, state = Chance(seed), machine.begin()
    for _ in range(most):
        passing = next((seat for seat in range(4) if "pass-bid" in machine.legal(state, seat)), None)
        chosen = (
            (passing, {"pass-bid": True})
            if passing is not None and chance.below(4)
            else draw_act(machine, state, chance)
        )
        if chosen is None:
            return
        after = machine.act(state, *chosen)
        assert isinstance(after, State)
        state = after
        yield *chosen, state


def test_the_game_stands_on_a_hundred_lines() -> None:
    """Its files have no more, beside the prelude and what only tells: texts, questions, places in the source."""
    files = (Path(__file__).parent / "levels").iterdir()
    told = re.compile(r" *(- )?((text|title|ask|why|from):|#)")
    lines = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    assert len([line for line in lines if not told.match(line)]) <= 100


def test_the_game_is_sound(folder: Path) -> None:
    """Nothing is wrong with its chapter or its readings; the passages that it names stand in no source."""
    assert [fault.what for fault in check(folder) if "passage" not in fault.what] == []


def test_no_card_is_lost(folder: Path) -> None:
    """Invariants of the prelude hold wherever random play leads, and deals are bid and played."""
    machine = Machine(rules("levels", folder))
    phases = set()
    for _, _, state in moves(machine, 3, 250):
        assert machine.find_broken_invariants(state) == []
        phases.add(state.phase)
    assert phases == {"deal", "bid", "play"}


def test_interpreter_and_generated_code_play_alike(folder: Path) -> None:
    """They offer the same and come to the same points."""
    game = rules("levels", folder)
    machine, engine = Machine(game), Compiled(game, keep=False)
    other = engine.encode_state(machine.begin())
    for seat, act, state in moves(machine, 5, 120):
        after = engine.act(other, seat, act)
        assert not isinstance(after, Refusal)
        other = after
        assert engine.decode_state(other) == state
        assert engine.legal(other, seat) == machine.legal(state, seat)


def test_a_bid_is_higher_than_the_last(folder: Path) -> None:
    """By its level, or by its suit."""
    machine = Machine(rules("levels", folder))
    state = next(state for _, act, state in moves(machine, 1, 500) if "bid" in act)
    seat = int(str(machine.get(state, "turn")))
    level, suit = machine.get(state, "bid_level"), machine.get(state, "trump")
    assert [one.clause for one in machine.refusals(state, seat, {"bid": {"level": level, "suit": suit}})] == [
        "levels.bid.02"
    ]
    assert len(machine.legal(state, seat)) == (1 if (level, suit) == (8, "S") else 2)


@pytest.mark.parametrize(("reading", "terms"), [("counted", {"won"}), ("ignored", set())])
def test_a_reading_adds_a_term_or_none(folder: Path, reading: str, terms: set[str]) -> None:
    """The gain speaks of tricks won only where they count."""
    game = rules(f"levels[overtricks={reading}]", folder)
    row = next(row for row in game.tables["gain"].rows if row.id == "end_01")
    added = [one.body for name, one in game.functions.items() if name in repr(row.then)]
    assert {name for name in ("won",) if name in repr(added)} == terms
