"""A small made-up game that tests build their worlds from, and random play."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from brou import Machine, Refusal, State
from brou.chance import Chance
from brou.errors import Fault, Unusable
from brou.language.load import load_rules
from brou.language.source import parse_yaml
from brou.language.syntax import Game

Rules = dict[str, Any]


def _rules() -> Rules:
    """Return rules in which four seats in two pairs hold birds of two colours; every section may be replaced."""
    return {
        "format": "brou/1",
        "game": "birds",
        "seating": {"seats": 4, "teams": [[0, 2], [1, 3]], "clause": "b.seats"},
        "deck": {
            "suits": {"M": "moss", "R": "rust"},
            "ranks": {"H": "hawk", "W": "wren", "O": "owl"},
            "clause": "b.deck",
        },
        "attributes": {
            "weight": {"by": "rank", "values": {"H": 5, "W": 2, "O": -1}, "clause": "b.weight"},
            "shade": {"by": "suit", "values": {"M": {"H W O": 1}, "R": {"H W": 2, "O": 3}}, "clause": "b.shade"},
        },
        "params": {
            "three": {"value": 3, "clause": "b.three"},
            "steps": {"value": [1, 2, 3], "clause": "b.steps"},
            "plans": {"value": [[1, 2], [3]], "clause": "b.plans"},
        },
        "types": {
            "mood": {"values": ["calm", "wild"], "clause": "b.mood"},
            "lap": {"from": 1, "to": "three", "clause": "b.lap"},
        },
        "state": {
            "match": {"total": {"type": "int -99..99[team]"}, "boss": {"type": "player?"}},
            "round": {
                "nest": {"type": "cards[player]", "zone": True},
                "heap": {"type": "pile", "zone": True},
                "seen": {"type": "card?"},
                "flown": {"type": "card?[lap]"},
                "tally": {"type": "int 0..9"},
                "now": {"type": "lap"},
                "feel": {"type": "mood"},
                "wish": {"type": "mood?"},
                "flag": {"type": "bool"},
            },
        },
        "functions": {},
        "tables": {},
        "actions": {"stay": {"by": {"who": "players"}, "legal": "True", "do": [], "clause": "b.stay"}},
        "phases": {"perch": {"actions": ["stay"], "clause": "b.perch"}, "night": {"final": True, "clause": "b.night"}},
        "view": {},
        "score": {},
        "invariants": {},
    }


def _laid_out(sections: Mapping[str, Any]) -> Rules:
    """Return the rules with sections replaced; records without a clause get one."""
    rules = {**_rules(), **sections}
    for section in ("params", "functions", "tables", "actions", "phases"):
        rules[section] = {name: {"clause": f"b.{name}", **record} for name, record in rules[section].items()}
    return rules


@pytest.fixture
def rules() -> Callable[..., Rules]:
    """Return the rules of the made-up game as plain data, with sections replaced."""
    return lambda **sections: _laid_out(sections)


def _game(**sections: Any) -> Game:
    return load_rules(parse_yaml(json.dumps(_laid_out(sections), indent=1), "birds.yaml"))


@pytest.fixture
def tiny() -> Callable[..., Game]:
    """Return the made-up game, typed, with sections replaced."""
    return _game


@pytest.fixture
def value() -> Callable[..., Any]:
    """Return the value of an expression in the made-up game, after some opening effects."""

    def evaluate(text: str, do: list[Any] | None = None, **sections: Any) -> Any:
        perch = _rules()["phases"]
        phases = {"opening": {"do": [*do, {"goto": "perch"}]}, **perch} if do else perch
        machine = Machine(_game(**{"phases": phases, "score": {"it": text}, **sections}))
        return machine.score(machine.begin())["it"]

    return evaluate


@pytest.fixture
def faults() -> Callable[..., list[str]]:
    """Return what is wrong with the made-up game once sections are replaced: what and what instead, without places."""

    def found(**sections: Any) -> list[str]:
        try:
            _game(**sections)
        except Unusable as error:
            return [_said(fault) for fault in error.faults]
        return []

    return found


def _said(fault: Fault) -> str:
    return f"{fault.what}; {fault.instead}" if fault.instead else fault.what


@pytest.fixture
def refused(faults: Callable[..., list[str]]) -> Callable[..., str]:
    """Return what is wrong with one expression, "" if nothing is."""
    return lambda text, **sections: "\n".join(faults(score={"it": text}, **sections))


#: How often each kind of act is tried in random play, so that deals are played out and still everything happens.
_EAGER = {"play": 40, "declare": 12, "announce": 6, "answer": 20, "next": 8, "deal": 20, "draw": 5, "lot": 5, "mark": 3}


def _options(machine: Machine, state: State, chance: Chance) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the acts open to all seats, described ones filled at random, eager ones several times."""
    for seat in range(machine.game.seats):
        for name, offered in machine.legal(state, seat).items():
            choices = offered if isinstance(offered, list) else [_filled(offered, chance)]
            for choice in choices:
                yield from [(seat, {name: choice})] * _EAGER.get(name, 1)


def _filled(offered: Any, chance: Chance) -> Any:
    """Return one of the values that a description stands for."""
    if not isinstance(offered, dict):
        return chance.pick(offered) if isinstance(offered, list) else offered
    if set(offered) == {"order"}:
        return chance.shuffle(offered["order"])
    if set(offered) == {"from", "min", "max"}:
        size = offered["min"] + chance.below(offered["max"] - offered["min"] + 1)
        return chance.shuffle(offered["from"])[:size]
    if set(offered) == {"min", "max"}:
        return offered["min"] + chance.below(offered["max"] - offered["min"] + 1)
    return {key: _filled(part, chance) for key, part in offered.items()}


@pytest.fixture(scope="session")
def played() -> Callable[..., Iterator[tuple[State, int, dict[str, Any], State]]]:
    """Return random play: yield state, seat, act and the state after it, until nobody can act or acts run out."""

    def play(machine: Machine, seed: int, acts: int, state: State | None = None) -> Iterator[Any]:
        chance = Chance(seed)
        state = machine.begin() if state is None else state
        for _ in range(acts):
            options = list(_options(machine, state, chance))
            if not options:
                return
            seat, act = chance.pick(options)
            if "claim" in act and chance.below(8):
                continue
            after = machine.act(state, seat, act)
            assert not isinstance(after, Refusal), (seat, act, after)
            yield state, seat, act, after
            state = after

    return play


@pytest.fixture
def schema_keys() -> Callable[[object], set[str]]:
    """Return what lists the keys of all objects that a JSON Schema describes."""

    def collect(part: object) -> set[str]:
        if isinstance(part, dict):
            properties = part.get("properties")
            own = properties if isinstance(properties, dict) else ()
            return {*own, *(key for inner in part.values() for key in collect(inner))}
        return {key for inner in part for key in collect(inner)} if isinstance(part, list) else set()

    return collect
