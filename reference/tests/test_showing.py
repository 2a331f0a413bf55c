"""What is asked of compiled rules: score, view and invariants are the interpreter's, in whatever state."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from birds import ASKED, DO, EXPRESSIONS, RULED, TYPED, Tiny, world
from brou import BadAct, Crash, Machine, State, catalogue, rules
from brou.chance import Chance
from brou.compiler.compiled import Compiled
from brou.compiler.lower import lower, lower_shown, lower_whole
from brou.compiler.lowered import Shown, every_shown
from brou.compiler.playing import step
from brou.compiler.showing import shown_source
from brou.errors import Unusable
from brou.games.catalogue import spread
from brou.language.syntax import Game
from brou.language.types import Array, Bool, Cards, Int, Named, Option, Pile, Type


def drawn(type_: Type, game: Game, chance: Chance) -> Any:
    """Return a value of a type, drawn by chance."""
    match type_:
        case Option(inner):
            return drawn(inner, game, chance) if chance.below(3) else None
        case Array(Named() | Int() as index, element):
            count = len(index.members) if isinstance(index, Named) else index.high - index.low + 1
            return tuple(drawn(element, game, chance) for _ in range(count))
        case Bool():
            return bool(chance.below(2))
        case Int(low, high):
            return max(low, min(high, chance.below(50) * chance.pick([1, 10, -1, -10])))
        case Named(members=members):
            return chance.pick(members)
        case Cards():
            return frozenset(chance.shuffle(game.deck.cards)[: chance.below(len(game.deck.cards) + 1)])
        case Pile():
            return tuple(chance.shuffle(game.deck.cards)[: chance.below(len(game.deck.cards) + 1)])
    raise AssertionError(type_)


def scattered(game: Game, seed: int) -> State:
    """Return a state with values of the right types, whatever may be said against it."""
    chance = Chance(seed)
    values = tuple(drawn(variable.type, game, chance) for variable in game.state.values())
    return State(chance.pick(list(game.phases)), values)


def shown(engine: Machine | Compiled, state: Any) -> list[str]:
    """Return as JSON all that may be asked of a state, or that it crashes."""
    seats = range(engine.game.seats)
    questions: list[Callable[[], Any]] = [lambda: engine.score(state), lambda: engine.find_broken_invariants(state)]
    questions += [lambda seat=seat: engine.view(state, seat) for seat in seats]  # type: ignore[misc]  # no type in a default
    return [answered(question) for question in questions]


def answered(question: Callable[[], Any]) -> str:
    """Return an answer as JSON, or that there is none."""
    try:
        return json.dumps(question())
    except Crash:
        return "crashed"


def states(machine: Machine, compiled: Compiled, count: int) -> Iterator[State]:
    """Yield the states in which a match begins, and random ones."""
    yield machine.begin()
    yield compiled.decode_state(compiled.module["fresh"]())
    yield from (scattered(machine.game, seed) for seed in range(count))


def compare(game: Game, count: int = 6) -> set[str]:
    """Compare what both engines show in random states; return all the answers."""
    machine, compiled = Machine(game), Compiled(game, keep=False)
    found: set[str] = set()
    for state in states(machine, compiled, count):
        ours = shown(machine, state)
        assert shown(compiled, compiled.encode_state(state)) == ours
        found.update(ours)
    return found


# Made-up games --------------------------------------------------------------------------------------------------------


def test_every_value_is_shown_alike(tiny: Tiny) -> None:
    """A value of any type is the same JSON from both engines, in the view and, where it asks for no seat, the score."""
    texts = {f"x{number}": text for number, text in enumerate(EXPRESSIONS.strip().splitlines())}
    more = {"rows": "depth", "owners": "owner", "lists": "plans", "sets": "[nest[me], pack]", "gone": "lost"}
    more |= {
        "pile": "heap if flag else cut(heap, 1)",
        "list": "[1, 2] if flag else [3]",
        "set": "lost if flag else pack",
    }
    more |= {
        "row": "depth[1] if flag else depth[2]",
        "whole": "depth if flag else depth",
        "opt": "late if flag else None",
    }
    more |= {"late": "late", "heaps": "heaps", "nothing": "None", "moods": "[feel, calm]", "yes": "truths"}
    plain = {name: text for name, text in more.items() if "me" not in text}

    found = compare(world(tiny, DO, view={**texts, **more}, score=plain), 12)

    assert "crashed" not in found
    assert len(found) > 12


#: Things that are shown, each with what both engines show of it at the beginning.
SHAPES: dict[str, tuple[Any, Any]] = {
    "record": ({"a": "tally", "b": {"c": "boss", "d": "[1]"}}, {"a": 4, "b": {"c": 3, "d": [1]}}),
    "there": ({"when": "boss != None", "show": "next(boss)"}, 0),
    "null": ({"when": "boss == None", "show": "1"}, None),
    "wrapped": ({"show": {"show": "tally"}}, 4),
    "each": ({"each": "p", "in": "players", "when": "p != me", "show": "p"}, [1, 2, 3]),
    "nulls": ({"each": "p", "in": "[0, 1]", "show": {"when": "p == 1", "show": {"p": "p"}}}, [None, {"p": 1}]),
    "cards": ({"each": "c", "in": "nest[me]", "show": "c"}, ["HM", "WR", "OR"]),
    "lists": (
        {"each": "n", "in": "lap", "show": {"each": "m", "in": "[1, 2]", "show": "n * m"}},
        [[1, 2], [2, 4], [3, 6]],
    ),
    "flat": (
        {"each": "n", "in": "lap", "flat": True, "show": {"each": "m", "in": "[1, 2]", "show": "n * m"}},
        [1, 2, 2, 4, 3, 6],
    ),
    "run": ({"each": "n", "in": "lap", "flat": True, "show": "[n, now]"}, [1, 1, 2, 1, 3, 1]),
    "deep": (
        {
            "each": "n", "in": "lap", "flat": True,
            "show": {"each": "m", "in": "lap", "flat": True, "when": "m < n", "show": "[n, m]"},
        },
        [2, 1, 3, 1, 3, 2],
    ),
    "element": ({"each": "n", "in": "lap", "show": {"seen": "n != 2", "show": "n"}}, [1, 3]),
    "field": ({"a": "1", "b": {"seen": "flag == False", "show": "2"}}, {"a": 1}),
    "inside": (
        {"each": "n", "in": "lap", "when": "n > 1", "show": {"a": "n", "b": {"seen": "n > 2", "show": "n"}}},
        [{"a": 2}, {"a": 3, "b": 3}],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_shown_alike(tiny: Tiny, name: str) -> None:
    """Records, options, lists and what is left out are shown as written down, and alike by both engines."""
    said, expected = SHAPES[name]
    game = world(tiny, DO, view={"it": said})
    compiled = Compiled(game, keep=False)

    assert compiled.view(compiled.begin(), 0)["it"] == expected
    compare(game)


@pytest.mark.parametrize("name", ["code", "score", "view", "invariants", "suit_names"])
def test_names_of_types_are_no_names_of_tables(tiny: Tiny, name: str) -> None:
    """Whatever a rules file calls a type, cards and keys are still found."""
    state = {"round": {"it": {"type": name}, "nest": {"type": "cards[player]", "zone": True}}}
    shows = {"it": "it", "pack": "pack", "suit": "first(suit(c) for c in pack)"}
    game = tiny(types={name: {"values": ["one_way", "two_ways"]}}, state=state, params={}, view=shows, score=shows)
    compiled = Compiled(game, keep=False)

    assert compiled.view(compiled.begin(), 0)["it"] == "one-way"
    compare(game)


def test_what_is_not_seen_has_no_key(tiny: Tiny) -> None:
    """A key that is withheld is not there, of the score and of the view, and the others keep their order."""
    said = {"z": "1", "gone": {"seen": "tally > 4", "show": "2"}, "a": {"seen": "tally == 4", "show": "3"}}
    game = world(tiny, DO, view=said, score=said)
    compiled = Compiled(game, keep=False)

    assert list(compiled.score(compiled.begin())) == ["z", "a"]
    assert list(compiled.view(compiled.begin(), 1)) == ["phase", "z", "a"]
    compare(game)


#: Names that generated code has for itself.
TAKEN = ["s", "shown", "shown_1", "shown_2", "item", "card", "at_1", "kept_", "it_1", "holds_it", "view_it", "lambda"]


@pytest.mark.parametrize("name", TAKEN)
def test_names_of_rules_are_no_names_of_what_shows(tiny: Tiny, name: str) -> None:
    """Whatever a rules file calls what it ranges over, generated code keeps its own names apart."""
    values = {"a": f"{name}", "b": f"len(nest[{name}]) + len(nest[{name}]) * tally", "c": f"depth[now][{name}]"}
    said = {"each": name, "in": "players", "show": {**values, "d": "depth", "e": "late", "f": "lost"}}
    try:
        game = world(tiny, DO, view={"it": said}, invariants={"it": f"all({name} != boss for {name} in players)"})
    except Unusable:
        assert name in ("card", "lambda")
        return

    assert len(compare(game)) > 3


@st.composite
def shows(draw: st.DrawFn, depth: int) -> Any:
    """Return something to be shown that is made of generated expressions, so deep at most."""
    form = draw(st.sampled_from(["value", "record", "when", "each", "flat", "seen"] if depth else ["value"]))
    if form == "value":
        return draw(TYPED[draw(st.sampled_from(list(TYPED)))])
    if form == "record":
        return {name: draw(shows(depth - 1)) for name in "ab"}
    inner = {"show": draw(shows(depth - 1))}
    if form in ("when", "seen"):
        return {form: draw(TYPED["bool"]), **inner}
    if form == "flat":
        inner = {"flat": True, "show": {"each": "d", "in": draw(TYPED["cards"]), **inner}}
    condition = {"when": draw(TYPED["bool"])} if draw(st.booleans()) else {}
    return {"each": "c", "in": draw(TYPED["cards"]), **condition, **inner}


@pytest.mark.slow
@given(said=shows(3))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_anything_is_shown_alike(tiny: Tiny, said: Any) -> None:
    """Whatever can be shown of a seat and a state both engines show alike, crashes included."""
    compare_shown(tiny, said)


@pytest.mark.thorough
@given(said=shows(3))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_much_is_shown_alike(tiny: Tiny, said: Any) -> None:
    """So it is with much more that can be shown."""
    compare_shown(tiny, said)


def compare_shown(tiny: Tiny, said: Any) -> None:
    """Compare what both engines show."""
    over = {"each": "c", "in": "pack", "show": said}
    try:
        game = world(tiny, DO, functions=ASKED, tables=RULED, view={"it": over})
    except Unusable:
        assume(condition=False)
        return
    compare(game, 2)


ZONES = {
    "set": "cards",
    "sets": "cards[player]",
    "card": "card?",
    "cards": "card?[lap][player]",
    "pile": "pile",
    "piles": "pile[team]",
}


@pytest.mark.parametrize("zone", ZONES)
def test_cards_are_lost_alike(tiny: Tiny, zone: str) -> None:
    """A pack that does not lie whole in its zones is seen by both engines, whatever holds the cards."""
    parts: dict[str, Any] = {"rest": {"type": "cards", "zone": True}, "it": {"type": ZONES[zone], "zone": True}}
    game = tiny(state={"round": {**parts, "tally": {"type": "int 0..9"}}})
    machine, compiled = Machine(game), Compiled(game, keep=False)
    pack = frozenset(game.deck.cards)
    broken: list[list[str]] = []
    for seed in range(40):
        state = scattered(game, seed)
        lying = [code for code in game.deck.cards if code in str(state.values[1])]
        for rest in (state.values[0], pack - set(lying), frozenset()):
            at = State(state.phase, (rest, *state.values[1:]))
            broken.append(machine.find_broken_invariants(at))
            assert compiled.find_broken_invariants(compiled.encode_state(at)) == broken[-1]

    assert [] in broken
    assert ["conservation"] in broken


def test_nothing_is_conserved_without_zones(tiny: Tiny) -> None:
    """Rules whose cards lie nowhere have the invariants that they name, those that fail in their order."""
    invariants = {"b": "tally > 1", "a": "tally > 0", "c": "tally == 0"}
    game = tiny(state={"round": {"tally": {"type": "int 0..9"}}}, invariants=invariants)
    compiled = Compiled(game, keep=False)

    assert (
        compiled.find_broken_invariants(compiled.begin())
        == Machine(game).find_broken_invariants(Machine(game).begin())
        == ["b", "a"]
    )


# The games ------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue())
def test_games_are_shown_alike(name: str) -> None:
    """In random states, most of which no match comes to, both engines show the same of every edition and set-up."""
    for choice in spread(name):
        assert len(compare(rules(choice), 15)) > 20


@pytest.mark.parametrize("name", catalogue())
def test_matches_are_shown_alike(name: str) -> None:
    """So they do in the states of a match."""
    game = rules(name)
    machine, compiled, chance = Machine(game), Compiled(game), Chance(8)
    state = compiled.begin()
    for _ in range(60):
        assert shown(compiled, state) == shown(machine, compiled.decode_state(state))
        if step(compiled, state, chance) is None:
            break


def test_some_keys_are_asked_for_alone() -> None:
    """A view with some keys only has these, and the phase, in the order of the whole view."""
    game = rules(catalogue()[0])
    machine, compiled = Machine(game), Compiled(game)
    only = [show.id for show in game.view][3:0:-1]
    found = compiled.view(compiled.begin(), 1, only=only)

    assert list(found) == ["phase", *reversed(only)]
    assert found == machine.view(machine.begin(), 1, only)


@pytest.mark.parametrize("seat", [-1, 4])
def test_no_other_seats_see_anything(tiny: Tiny, seat: int) -> None:
    """A seat that there is not is the same error to both engines."""
    game = tiny(view={"it": "len(nest[me])"})
    machine, compiled = Machine(game), Compiled(game, keep=False)
    for view in (partial(machine.view, machine.begin()), partial(compiled.view, compiled.begin())):
        with pytest.raises(BadAct, match=f"there is no seat {seat}; seats are 0 to 3"):
            view(seat)


def test_what_is_shown_is_nobody_elses(tiny: Tiny) -> None:
    """Whoever changes what was shown changes no state."""
    game = tiny(view={"it": "total"}, score={"it": "total"})
    compiled = Compiled(game, keep=False)
    state = compiled.begin()
    for found in (compiled.view(state, 0)["it"], compiled.score(state)["it"]):
        assert isinstance(found, list)
        found.append(7)

    assert compiled.score(state) == {"it": [0, 0]}
    assert compiled.view(state, 0)["it"] == [0, 0]


def test_what_only_plays_has_no_code_for_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code for score, view and invariants is made when one of them is asked for, and once."""
    made: list[str] = []

    def written(game: Game) -> str:
        made.append(game.id)
        return shown_source(game)

    monkeypatch.setattr("brou.compiler.showing.shown_source", written)
    compiled = Compiled(rules(catalogue()[0]), keep=False)
    state = compiled.begin()
    compiled.offers(state)
    assert made == []
    compiled.score(state)
    compiled.view(state, 0)
    compiled.find_broken_invariants(state)

    assert made == [compiled.game.id]


@pytest.mark.parametrize("name", catalogue())
def test_a_whole_program_is_what_is_played_and_what_is_asked(name: str) -> None:
    """What is played and what is asked are lowered together as they are apart."""
    game = rules(name)
    whole, played, asked = lower_whole(game), lower(game), lower_shown(game)

    assert list(whole.acts) == list(played.acts)
    assert list(whole.stages) == list(played.stages)
    assert not (played.score or played.view or played.invariants or asked.acts or asked.stages)
    for section in ("score", "view"):
        names = [key.name for key in getattr(whole, section)]
        assert names == [key.name for key in getattr(asked, section)] == [show.id for show in getattr(game, section)]
    assert [one.name for one in whole.invariants] == [*game.invariants, "conservation"]
    assert set(whole.routines) == {*played.routines, *asked.routines}


def test_generated_code_names_what_it_shows() -> None:
    """The module that shows has a function for each key, with its clause."""
    game = rules(catalogue()[0])
    written = shown_source(game)

    for show in game.view:
        assert f"def view_{show.id}(s, me, shown)" in written
        assert f"[{show.clause}]" in written
    assert max(map(len, written.splitlines())) < 1000


def test_the_page_has_every_form_of_what_is_shown(tiny: Tiny) -> None:
    """The page of the lowered form has all forms that games and made-up rules show things in, and no other."""
    page = (Path(__file__).parents[2] / "docs" / "lowered.md").read_text(encoding="utf-8")
    rows = page[page.index("| shown |") :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    told = {row.split("|")[1].strip(): set(re.findall(r"`(\w+)`", row.split("|")[2])) for row in rows}
    games = [rules(name) for name in catalogue()]
    games += [world(tiny, DO, view={"it": said}) for said, _ in SHAPES.values()]
    programs = [lower_shown(game) for game in games]
    found = [shown for program in programs for shown in every_shown((*program.score, *program.view))]

    assert told == {f"`{shown.form}`": {field.name for field in fields(shown)} for shown in found}
    assert len(told) == len(get_args(Shown))
