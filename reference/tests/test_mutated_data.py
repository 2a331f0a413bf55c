"""Damaged data: whatever chapters say, or rules made of them, is refused with our own errors, or played."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brou import BrouError, Machine, Malformed, State, catalogue
from brou.chapters.variants import Variants
from brou.errors import NOWHERE, Unusable
from brou.games.catalogue import SECTIONS
from brou.games.folder import list_files, read_file, root
from brou.language.export import export_rules
from brou.language.load import load_rules
from brou.language.node import Node, Plain
from brou.language.schema import shape_faults
from brou.language.source import parse_yaml
from brou.language.syntax import Game

Played: TypeAlias = Callable[..., Iterator[tuple[State, int, dict[str, Any], State]]]
#: What values of rules are swapped for, in generated rules and in chapters.
SCALARS = st.one_of(
    st.sampled_from(
        [
            "None", "True", "False", "0", "1", "-1", "me", "p", "players", "teams", "pack", "turn", "dealer", "trump",
            "hand", "hand[me]", "hand[p]", "now", "now + 1", "leader", "tricks", "strength", "kind", "round", "before",
            "[]", "taker[now]", "range(1, 3)", "subsets(pack, 1, 2)", "orders(pack)", "int", "card?", "card or None",
            "player", "pile", "bool[player]", "cards", "numbers", "first", "unique", "deal", "play", "next", "done",
            "1..3", "int 0..9, first 1", "int 0..10000000000", "play(p, c)", "play(c, c)", "next(p)", "taken(w)", "4",
            "over.01", "play.01", "tricks.play", "tricks.play/lead", "t in teams", "p in players, q", "french", "A K Q",
        ]
    ),
    st.integers(-2, 12),
    st.sampled_from([10**6, 10**17, -(10**9)]),
    st.booleans(),
    st.none(),
    st.text(max_size=6),
)  # fmt: skip
WORDS = (
    "and", "or", "not ", "==", "!=", "<", "+", "-", "1", "0", "7", "me", "now", "team", "next", "(", ")", "None", "p",
    "c", "turn", "[", "]", ",", "/", ".", " in ", " for ", "if ", "else ",
)  # fmt: skip
#: Keys of chapters behind which prose stands: what is wrong there is not a rule.
PROSE = {"text", "title", "note", "ask", "why", "because", "says", "texts", "from"}
checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
damage = partial(settings, deadline=None, suppress_health_check=checks)
games = pytest.mark.parametrize("game", catalogue())
#: Every seed damages something else, plays other set-ups, and plays otherwise; all but the first are for the long run.
seeds = pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 26))])


# Files ----------------------------------------------------------------------------------------------------------------


@lru_cache
def read_text(path: str) -> str:
    """Return a data file as it is written."""
    return (root() / path).read_text(encoding="utf-8")


@lru_cache
def list_chapters(game: str) -> tuple[str, ...]:
    """Return the files that a game in chapters is read from: frame, chapters, score sheet, words, and the prelude."""
    own = [f"games/{game}/{name}" for name in ("game.yaml", "[0-9][0-9]-*.yaml", "sheet.yaml", "words.*.yaml")]
    return tuple(path for pattern in (*own, "prelude/*.yaml") for path in list_files(root(), pattern))


@lru_cache
def write_plain(path: str) -> str:
    """Return what a data file says as JSON."""
    return json.dumps(parse_yaml(read_text(path), path).plain())


#: Keys of generated rules that no rules file has; they are not damaged.
MADE = ("chapters",)


@lru_cache
def make_rules(game: str) -> Node:
    """Return the rules that the chapters of a game make under its first edition and set-up."""
    found = Variants.read(game, partial(list_files, root()), partial(read_file, root()))
    edition, (chosen, setups) = next(iter(found.editions().items()))
    return found.write_rules(edition, setups[0], chosen)


@lru_cache
def write_made(game: str) -> str:
    """Return the rules that the chapters of a game make as JSON, without what no rules file has."""
    return json.dumps({key: node.plain() for key, node in make_rules(game).fields.items() if key not in MADE})


def list_paths(plain: Plain, *before: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every value inside another."""
    members = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, item in members:
        yield (*before, key)
        yield from list_paths(item, *before, key)


def find(plain: Any, path: tuple[str | int, ...]) -> Any:
    """Return the value at a path."""
    for step in path:
        plain = plain[step]
    return plain


# Damage ---------------------------------------------------------------------------------------------------------------


def swap_values(plain: Any, data: st.DataObject) -> str:
    """Return a file as JSON, some places of it left out, swapped for a scalar, doubled, or put under another key."""
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(list_paths(plain))))
        owner, last, scalar = find(plain, path[:-1]), path[-1], data.draw(SCALARS)
        match data.draw(st.sampled_from(["drop", "swap", "double"])):
            case "drop":
                del owner[last]
            case "swap":
                owner[last] = scalar
            case _ if isinstance(owner, list):
                owner.insert(int(last), owner[int(last)])
            case _:
                owner[str(scalar)] = owner[last]
    return json.dumps(plain)


def move_value(plain: Any, data: st.DataObject) -> str:
    """Return a file as JSON in which one value stands in the place of another."""
    every = list(list_paths(plain))
    source, target = data.draw(st.sampled_from(every)), data.draw(st.sampled_from(every))
    moved = json.loads(json.dumps(find(plain, source)))
    find(plain, target[:-1])[target[-1]] = moved
    return json.dumps(plain)


def mend_words(plain: Any, data: st.DataObject) -> str:
    """Return a file as JSON in which words, numbers or signs of some values that are no prose are others."""
    places = [path for path in list_paths(plain) if isinstance(find(plain, path), str) and PROSE.isdisjoint(path)]
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(places))
        text = find(plain, path)
        pieces = [piece.span() for piece in re.finditer(r"\w+|[^\w\s]+|\s+", text)] or [(0, 0)]
        start, end = data.draw(st.sampled_from(pieces))
        find(plain, path[:-1])[path[-1]] = text[:start] + data.draw(st.sampled_from(WORDS)) + text[end:]
    return json.dumps(plain)


def change_bytes(text: str, data: st.DataObject) -> bytes:
    """Return a file in which some bytes are replaced, lost or doubled."""
    raw = text.encode()
    at, length = data.draw(st.integers(0, len(raw) - 1)), data.draw(st.integers(0, 60))
    piece = raw[at : at + length]
    new = data.draw(st.one_of(st.binary(max_size=8), st.sampled_from([piece * 2, *(word.encode() for word in WORDS)])))
    return raw[:at] + new + raw[at + length :]


STRUCTURED = [swap_values, move_value, mend_words]


# What becomes of it ---------------------------------------------------------------------------------------------------


def load_made(game: str, text: str | bytes) -> Game:
    """Load generated rules of a game with another text, if that has the shape of a rules file."""
    node = parse_yaml(text, "rules.yaml")
    faults = list(shape_faults(node, root() / "schemas" / "rules.schema.json"))
    if faults:
        raise Malformed(faults)
    made = make_rules(game).fields
    return load_rules(Node({**node.fields, **{key: made[key] for key in MADE}}, node.place))


def load_chapters(game: str, path: str, text: str | bytes, seed: int = 0) -> Game:
    """Load rules of a game in chapters of which one file has another text.

    The seed picks edition and set-up. Under all but the first, what stands beside the rules is made too.
    """
    found = Variants.read(
        game,
        partial(list_files, root()),
        lambda name: parse_yaml(text, name) if name == path else read_file(root(), name),
    )
    choices = [(edition, setup, chosen) for edition, (chosen, setups) in found.editions().items() for setup in setups]
    edition, setup, chosen = choices[seed % len(choices)]
    made = found.write_rules(edition, setup, chosen)
    list(found.exclusions())
    list(found.find_outdated())
    if seed > 1:
        for section in SECTIONS:
            found.write_section(section)
    return load_rules(made, found.codes())


def is_played(read: Callable[[], Game], played: Played, seed: int) -> bool:
    """Say whether rules are played, ten acts of them, and not refused with an error of ours that says why and where."""
    try:
        game = read()
        json.dumps(export_rules(game))
        machine = Machine(game)
        for _, seat, _, after in played(machine, seed, 10):
            json.dumps([machine.view(after, seat), machine.score(after), machine.find_broken_invariants(after)])
    except BrouError as error:
        refusal = error
    else:
        return True
    assert str(refusal)
    if isinstance(refusal, Unusable):
        assert NOWHERE not in [fault.place for fault in refusal.faults]
    return False


# Chapters -------------------------------------------------------------------------------------------------------------


@games
def test_undamaged_chapters_are_played(played: Played, game: str) -> None:
    """What is damaged below is played as long as it is not."""
    path = list_chapters(game)[1]
    assert is_played(lambda: load_chapters(game, path, write_plain(path)), played, 1)


@pytest.mark.slow
@games
@seeds
@given(data=st.data())
@damage(max_examples=3)
def test_damaged_structure_of_chapters(played: Played, game: str, seed: int, data: st.DataObject) -> None:
    """Chapters with values left out, swapped, doubled or moved, or other words in them, are refused or played."""
    path = data.draw(st.sampled_from(list_chapters(game)))
    text = data.draw(st.sampled_from(STRUCTURED))(json.loads(write_plain(path)), data)
    is_played(lambda: load_chapters(game, path, text, seed), played, seed)


@pytest.mark.slow
@games
@seeds
@given(data=st.data())
@damage(max_examples=2)
def test_damaged_bytes_of_chapters(played: Played, game: str, seed: int, data: st.DataObject) -> None:
    """Chapters with bytes replaced, lost or doubled are refused or played."""
    path = data.draw(st.sampled_from(list_chapters(game)))
    text = change_bytes(read_text(path), data)
    is_played(lambda: load_chapters(game, path, text, seed), played, seed)


# Rules that chapters make ---------------------------------------------------------------------------------------------


@games
def test_undamaged_rules_are_played(played: Played, game: str) -> None:
    """What is damaged below is played as long as it is not."""
    assert is_played(lambda: load_made(game, write_made(game)), played, 1)


@games
@seeds
@given(data=st.data())
@damage(max_examples=5)
def test_damaged_structure_of_rules(played: Played, game: str, seed: int, data: st.DataObject) -> None:
    """Generated rules with values left out, swapped, doubled or moved, or other words, are refused or played."""
    text = data.draw(st.sampled_from(STRUCTURED))(json.loads(write_made(game)), data)
    is_played(lambda: load_made(game, text), played, seed)


@games
@seeds
@given(data=st.data())
@damage(max_examples=5)
def test_damaged_bytes_of_rules(played: Played, game: str, seed: int, data: st.DataObject) -> None:
    """Generated rules with bytes replaced, lost or doubled are refused or played."""
    text = change_bytes(write_made(game), data)
    is_played(lambda: load_made(game, text), played, seed)


@pytest.mark.parametrize(
    "read", [partial(load_made, "brouc"), partial(load_chapters, "brouc", "games/brouc/30-play.yaml")]
)
@given(raw=st.one_of(st.binary(max_size=200), st.text(max_size=200)))
@damage(max_examples=100)
def test_anything(read: Callable[[str | bytes], Game], played: Played, raw: str | bytes) -> None:
    """What is no file of rules or of chapters at all is refused."""
    assert not is_played(lambda: read(raw), played, 5)
