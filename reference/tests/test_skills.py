"""Skills: to which part of its game an act belongs, said by the rules or seen from their course."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from brou import Invalid, catalogue, rules
from brou.language.export import identity
from brou.language.syntax import Game

Tiny = Callable[..., Any]

STATE = {
    "match": {"boss": {"type": "player?"}},
    "round": {
        "nest": {"type": "cards[player]", "zone": True},
        "heap": {"type": "pile", "zone": True},
        "flown": {"type": "card?[player]", "zone": True},
        "away": {"type": "cards", "zone": True},
        "seen": {"type": "card?"},
    },
}
BIRD = {"bird": {"in": "nest[me]"}}
LAY = [
    {"set": "nest[me]", "to": "nest[me] - {bird}"},
    {"set": "flown[me]", "to": "bird"},
]
ORDER = {"order": {"in": "orders(pack)"}}
PHASES = {
    "seating": {"actions": ["sit"]},
    "roost": {"actions": ["shuffle", "strew", "call"]},
    "perch": {"actions": ["call"]},
    "flight": {"actions": ["fly", "sing", "call", "show"]},
    "dusk": {"do": [{"goto": "night"}]},
    "night": {"actions": ["next", "sing"]},
    "end": {"final": True},
}


def act(*do: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return an action of a rules file."""
    return {"by": {"who": "players"}, "legal": "True", "do": [*do], **more}


def birds(tiny: Tiny, **actions: Any) -> Game:
    """Return a game with deals, some of whose actions are given."""
    usual = {
        "sit": act({"goto": "roost"}),
        "shuffle": act(),
        "strew": act({"set": "heap", "to": "order"}, {"goto": "perch"}, params=ORDER),
        "call": act({"goto": "flight"}),
        "fly": act(*LAY, {"if": "empty(nest[me])", "then": [{"goto": "dusk"}]}, params=BIRD),
        "sing": act(),
        "show": act({"set": "seen", "to": "bird"}, params=BIRD),
        "next": act({"if": "boss == None", "then": [{"goto": "roost"}], "else": [{"goto": "end"}]}),
    }
    start = {"phase": "roost", "deal": "strew", "given": {"boss": "boss"}}
    game: Game = tiny(state=STATE, actions={**usual, **actions}, phases=PHASES, start=start)
    return game


def skills(game: Game) -> dict[str, str]:
    """Return the skill of each act."""
    return {name: action.skill for name, action in game.actions.items()}


def test_skills_from_the_course(tiny: Tiny) -> None:
    """What stands before the deal or leads to the next is `deal`, laying a card `play`, the rest `announce`."""
    assert skills(birds(tiny)) == {
        "sit": "deal",
        "shuffle": "deal",
        "strew": "deal",
        "call": "announce",
        "fly": "play",
        "sing": "announce",
        "show": "announce",
        "next": "deal",
    }


def test_skill_said(tiny: Tiny) -> None:
    """A skill that the rules say goes before what their course shows."""
    assert skills(birds(tiny, sing=act(skill="claim")))["sing"] == "claim"


def test_ending_a_deal_beside_play(tiny: Tiny) -> None:
    """What can end the deal beside card play may be a claim or a call that fails, so the rules have to say it."""
    with pytest.raises(Invalid, match="the skill of sing cannot be told from the rules; write `skill:`"):
        birds(tiny, sing=act({"goto": "dusk"}))

    assert skills(birds(tiny, sing=act({"goto": "dusk"}, skill="announce")))["sing"] == "announce"


def test_ending_a_deal_before_play(tiny: Tiny) -> None:
    """A bid may end a deal before a card is played, and is announced all the same."""
    phases = {**PHASES, "perch": {"actions": ["sing"]}, "flight": {"actions": ["fly", "show"]}}
    actions = {"sing": act({"goto": "dusk"})}
    game = birds(lambda **more: tiny(**{**more, "phases": phases}), **actions)

    assert skills(game)["sing"] == "announce"


def test_two_ways_to_lay_a_card(tiny: Tiny) -> None:
    """Of two acts that lay one card each has to say what it is."""
    with pytest.raises(Invalid, match="the skill of fly cannot be told") as raised:
        birds(tiny, show=act(*LAY, params=BIRD))

    assert "the skill of show cannot be told" in str(raised.value)
    told = skills(birds(tiny, show=act(*LAY, params=BIRD, skill="announce")))
    assert (told["fly"], told["show"]) == ("play", "announce")


def test_putting_a_card_away(tiny: Tiny) -> None:
    """A card that goes to others in a heap is not played."""
    away = act({"move": "{bird}", "from": "nest[me]", "to": "away"}, params=BIRD)

    assert skills(birds(tiny, show=away))["show"] == "announce"


def test_skills_are_not_part_of_the_identity(tiny: Tiny) -> None:
    """How answers are counted changes nothing of what is played, nor the name of the rules."""
    assert identity(birds(tiny)) == identity(birds(tiny, sing=act(skill="claim")))


def test_claims_of_the_games() -> None:
    """Claiming, giving up, taking the rest and asking for the end are claims; calls that may fail at once are not."""
    told = {game: {n for n, one in skills(rules(game)).items() if one == "claim"} for game in catalogue()}

    assert told == {
        "brouc": {"claim"},
        "brusquembille": set(),
        "hombre": {"surrender", "rest"},
        "homme-d-auvergne": set(),
        "homme-de-brou": {"claim", "stop", "answer"},
    }
