"""Damaged data: whatever a rules file says, it is refused or played, and nothing but our own errors comes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brou import BrouError, Machine, Malformed, State, book, catalogue
from brou.games.folder import root
from brou.language.export import export
from brou.language.load import load
from brou.language.node import Plain
from brou.language.schema import shape_faults
from brou.language.source import parse
from brou.language.syntax import Game

Played = Callable[..., Iterator[tuple[State, int, dict[str, Any], State]]]

#: The games of the first notation.
GAMES = [game for game in catalogue() if book(game).maker is None]
SCALARS = st.one_of(
    st.sampled_from(
        [
            "None", "True", "False", "0", "1", "-1", "me", "players", "teams", "pack", "turn", "dealer", "trump",
            "hand", "hand[me]", "now", "now + 1", "leader", "tricks", "strength", "kind", "round", "before", "[]",
            "taker[now]", "range(1, 3)", "subsets(pack, 1, 2)", "orders(pack)", "int", "card?", "player", "pile",
            "bool[player]", "cards", "numbers", "first", "unique", "deal", "play", "next", "done",
        ]
    ),
    st.integers(-2, 12),
    st.sampled_from([10**6, 10**17, -(10**9)]),
    st.booleans(),
    st.none(),
    st.text(max_size=6),
)  # fmt: skip
checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
damage = settings(deadline=None, suppress_health_check=checks, max_examples=15)
#: Each seed has files of its own.
seeds = pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (2, 3, 4))])


@lru_cache
def text_of(game: str) -> str:
    """Return the rules file of a game as it is written."""
    return (root() / "games" / game / "rules.yaml").read_text(encoding="utf-8")


@lru_cache
def plain_of(game: str) -> str:
    """Return the rules file of a game as JSON."""
    return json.dumps(parse(text_of(game), "rules.yaml").plain())


def loaded(text: str | bytes) -> Game:
    """Load a rules file as it would be in a folder of games."""
    node = parse(text, "rules.yaml")
    faults = list(shape_faults(node, root() / "schemas" / "rules.schema.json"))
    if faults:
        raise Malformed(faults)
    return load(node)


def survive(played: Played, text: str | bytes, seed: int) -> None:
    """Load a file and play ten acts of it; our own errors are the only ones allowed."""
    try:
        game = loaded(text)
        json.dumps(export(game))
        machine = Machine(game)
        for _, seat, _, after in played(machine, seed, 10):
            json.dumps([machine.view(after, seat), machine.score(after), machine.find_broken_invariants(after)])
    except BrouError as error:
        said = str(error)
    else:
        said = "played"
    assert said


def paths(plain: Plain, *before: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every value inside another."""
    members = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, item in members:
        yield (*before, key)
        yield from paths(item, *before, key)


def damaged(plain: Any, path: tuple[str | int, ...], how: str, scalar: Any) -> None:
    """Damage one place of a file: leave it out, change it, double it, or change its key."""
    last: Any = path[-1]
    for step in path[:-1]:
        plain = plain[step]
    if how == "drop":
        del plain[last]
    elif how == "swap":
        plain[last] = scalar
    elif isinstance(plain, list):
        plain.insert(int(last), plain[last])
    else:
        plain[str(scalar)] = plain[last]


@pytest.mark.slow
@seeds
@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
@damage
def test_damaged_structure(played: Played, game: str, seed: int, data: st.DataObject) -> None:
    """A file with values dropped, swapped, doubled or under another key is refused or played."""
    plain = json.loads(plain_of(game))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(paths(plain))))
        damaged(plain, path, data.draw(st.sampled_from(["drop", "swap", "double"])), data.draw(SCALARS))
    survive(played, json.dumps(plain), seed)


@pytest.mark.slow
@seeds
@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
@damage
def test_moved_values(played: Played, game: str, seed: int, data: st.DataObject) -> None:
    """A file in which one value stands in the place of another is refused or played."""
    plain = json.loads(plain_of(game))
    every = list(paths(plain))
    source, target = data.draw(st.sampled_from(every)), data.draw(st.sampled_from(every))
    moved = plain
    for step in source:
        moved = moved[step]
    damaged(plain, target, "swap", json.loads(json.dumps(moved)))
    survive(played, json.dumps(plain), seed)


@pytest.mark.slow
@seeds
@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
@damage
def test_damaged_expression(played: Played, game: str, seed: int, data: st.DataObject) -> None:
    """A file in which a word, a number or a sign of an expression is another is refused or played."""
    text = text_of(game)
    words = [
        "and",
        "or",
        "not ",
        "==",
        "!=",
        "<",
        "+",
        "-",
        "1",
        "0",
        "7",
        "me",
        "now",
        "team",
        "next",
        "(",
        ")",
        "None",
        "p",
        "turn",
    ]
    for _ in range(data.draw(st.integers(1, 4))):
        there = [word for word in words if word in text]
        word, other = data.draw(st.sampled_from(there)), data.draw(st.sampled_from(words))
        places = [at for at in range(len(text)) if text.startswith(word, at)]
        at = data.draw(st.sampled_from(places))
        text = text[:at] + other + text[at + len(word) :]
    survive(played, text, seed)


@pytest.mark.slow
@seeds
@pytest.mark.parametrize("game", GAMES)
@given(at=st.integers(0, 10**5), length=st.integers(0, 60), new=st.binary(max_size=8), twice=st.booleans())
@damage
def test_damaged_bytes(played: Played, game: str, seed: int, *, at: int, length: int, new: bytes, twice: bool) -> None:
    """A file with bytes replaced, lost or doubled is refused or played."""
    raw = text_of(game).encode()
    at %= len(raw)
    piece = raw[at : at + length]
    survive(played, raw[:at] + (piece * 2 if twice else new) + raw[at + length :], seed)


@given(raw=st.one_of(st.binary(max_size=200), st.text(max_size=200)))
@settings(damage, max_examples=200)
def test_anything(played: Played, raw: str | bytes) -> None:
    """What is no rules file at all is refused."""
    survive(played, raw, 5)
