"""Positions of card play as one seat sees them: what they settle is what holds, in every game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from brou import BadAct, Machine, State, catalogue
from brou.games.catalogue import spread, with_readings
from brou.interpreter.dealing import begin
from brou.interpreter.sight import find_sight
from brou.language.codec import outside
from brou.language.skills import PLAY
from brou_conformance.messages import ABILITIES
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.scenarios.corpus import applying, scenarios
from brou_conformance.scenarios.script import machine, spell

#: What a seat knows of card play if it knows no more than it must.
FEW = ("seat", "hand", "trick", "trump", "leader")
#: One scenario of so many is looked at, and so many of their positions.
SCENARIOS, POSITIONS = 11, 3


def acts_of(player: Machine) -> set[str]:
    """Return the acts that play a card."""
    return {name for name, action in player.game.actions.items() if action.skill == PLAY}


def course(game: str, every: int, *, everywhere: bool) -> Iterator[tuple[Machine, State, int]]:
    """Yield the states of scenarios in which a seat is to play, with it; everywhere, or of one set-up."""
    for number, choice in enumerate(spread(game)):
        found: list[tuple[Machine, State, int]] = []
        for one in applying(scenarios(game), choice.edition, choice.setup, first=not number)[::every]:
            script = spell(one, with_readings(choice, one.premise))
            player = machine(script.choice)
            found += states(player, begin(player, script.start), [step.message for step in script.steps])
        yield from found
        if found and not everywhere:
            return


def states(player: Machine, state: State, steps: list[Mapping[str, Any]]) -> Iterator[tuple[Machine, State, int]]:
    """Yield the states of a script in which a seat is to play a card."""
    for step in steps:
        act, seat = step.get("act"), step.get("by")
        if not isinstance(act, dict) or not isinstance(seat, int):
            continue
        if acts_of(player) & {*player.game.phases[state.phase].actions} and player.view(state, 0).get("turn") == seat:
            yield player, state, seat
        try:
            after = player.act(state, seat, act)
        except BadAct:
            continue
        state = after if isinstance(after, State) else state


def compare(game: str, every: int, positions: int, *, everywhere: bool = False) -> tuple[int, int, int]:
    """Compare what positions settle with what holds; return how many there are, and how many settle card play.

    The second number is of the whole view of the seat, the third of few keys.
    """
    counted = [0, 0, 0]
    found = list(course(game, every, everywhere=everywhere))
    for player, state, seat in found[:: max(1, len(found) // positions)]:
        counted[0] += 1
        whole = {"seat": seat, **player.view(state, seat)}
        legal = player.legal(state, seat)
        for number, position in enumerate((whole, {key: whole[key] for key in FEW if key in whole}), 1):
            sight = find_sight(player, position, seat)
            assert sight.legal == {name: offer for name, offer in legal.items() if name not in sight.unsettled}
            counted[number] += not {outside(name) for name in acts_of(player)} & {*sight.unsettled}
    return counted[0], counted[1], counted[2]


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_what_is_settled_holds(game: str) -> None:
    """What a position settles is what the rules say of the whole state, and every view settles card play."""
    asked, by_view, by_few = compare(game, SCENARIOS, POSITIONS)

    assert asked > 0
    assert by_view == by_few == asked


@pytest.mark.thorough
@pytest.mark.parametrize("game", catalogue())
def test_what_is_settled_holds_everywhere(game: str) -> None:
    """The same of many more positions of the corpus."""
    asked, by_view, by_few = compare(game, 3, 200, everywhere=True)

    assert by_view == by_few == asked > 0


# On the wire ----------------------------------------------------------------------------------------------------------

AUVERGNE = {"op": "run", "id": 1, "game": "homme-d-auvergne", "edition": "1665", "setup": "4"}
SEEN = {
    "seat": 1,
    "trump": "H",
    "man": 0,
    "leader": 0,
    "trick": [{"seat": 0, "card": "AS"}],
    "hand": ["KS", "8S", "KH", "AD", "QC"],
    "turned": [{"seat": 0, "card": "8H"}],
}


def results(position: Mapping[str, Any], *steps: Mapping[str, Any]) -> Any:
    """Return what the engine answers to steps in a position."""
    reply = ReferenceEngine(choices(["homme-d-auvergne"])).answer(
        {**AUVERGNE, "start": {"position": position}, "steps": list(steps)}
    )
    assert reply["ok"]
    return reply["results"]


def test_the_engine_takes_positions() -> None:
    """The engine says that it takes positions, answers what they settle and names what the rest hangs on."""
    assert "position" in ABILITIES
    assert results(SEEN, {"legal": 1}) == [{"legal": {"play": ["KS", "8S"]}, "open": {"show": ["called"]}}]


def test_acts_in_a_position() -> None:
    """An act is taken, refused with its reason, or skipped as open; after one that is taken the position is over."""
    steps = [{"by": 1, "act": act} for act in ({"play": "AD"}, {"show": "KH"}, {"play": 7}, {"play": "KS"})]
    refused, opened, bad, taken, after = results(SEEN, *steps, {"legal": 2})

    assert (refused, taken) == ({"no": "must_follow"}, {"ok": True})
    assert opened == {"skip": "it hangs on called, and the position does not tell"}
    assert bad == {"no": "no_such_card"}
    assert "an act has been done since" in after["skip"]


def test_other_questions_in_a_position() -> None:
    """A position is asked for acts alone, of seats that are there."""
    seen, score, nobody = results(SEEN, {"view": 1}, {"score": True}, {"legal": 4})

    assert "skip" in seen
    assert "skip" in score
    assert "there is no seat 4" in nobody["err"]


def test_position_of_no_game() -> None:
    """A position that no game comes to is skipped, and told by the key that does not fit."""
    found = results({**SEEN, "trick": [{"seat": 0, "card": "KS"}]}, {"legal": 1})

    assert "trick" in found[0]["skip"] or "hand" in found[0]["skip"]
