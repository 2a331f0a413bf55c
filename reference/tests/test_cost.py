"""What rules may cost: the bound, what it refuses with which words, and that no play takes more steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from brou import Choice, Crash, Machine, book, catalogue, choose, rules
from brou.compiler.compiled import Compiled
from brou.compiler.compiled_values import raising
from brou.compiler.lower import lower
from brou.errors import Impossible, Invalid, TooCostly
from brou.games.catalogue import spread
from brou.interpreter import machine as machines
from brou.language.budget import BUDGET
from brou.language.cost import WRITTEN, Costs
from brou.language.syntax import Game

Tiny = Callable[..., Game]
Faults = Callable[..., list[str]]

SIXTH = Path(__file__).parents[2] / "conformance" / "tests" / "sixth"

#: Six quantifiers in one another over a pack of 36 cards are two thousand million rounds.
NESTED = "any(" * 6 + "a == f" + "".join(f" for {name} in pack)" for name in "abcdef")
PACK = {
    "suits": {"M": "moss", "R": "rust", "S": "sand", "T": "teal"},
    "ranks": dict(zip("AKQJ98765", ["ace", "king", "queen", "jack", *(f"r{n}" for n in range(5, 10))], strict=True)),
    "clause": "b.deck",
}
LARGE: dict[str, Any] = {"deck": PACK, "attributes": {}}


def steps(game: Game) -> int:
    """Return the bound of the dearest question."""
    return max(one.steps for one in Costs(game).questions())


def refusal(tiny: Tiny, **sections: Any) -> str:
    """Return what is wrong with the made-up game once sections are replaced, with the places."""
    with pytest.raises(Invalid) as caught:
        tiny(**sections)
    return str(caught.value)


def doubling(count: int, type_: str = "bool", join: str = "{0} and {0}", first: str = "flag") -> dict[str, Any]:
    """Return functions of which each calls the one before twice."""
    return {
        f"f{n}": {"type": type_, "is": join.format(f"f{n - 1}") if n else first, "clause": "b.f"} for n in range(count)
    }


# What is refused ------------------------------------------------------------------------------------------------------


def test_calls_written_out(tiny: Tiny) -> None:
    """Functions that could be asked in time and come to too much written out are refused where the longest stands."""
    functions = doubling(17, "int", "{0} + {0}", "tally")
    said = refusal(tiny, functions=functions)

    assert "operations with all that it calls written out, and the whole file to" in said
    assert f"at most {WRITTEN}; call less" in said
    assert steps(tiny(functions=dict(list(functions.items())[:13]))) < BUDGET


@pytest.mark.parametrize("game", catalogue())
def test_published_games_are_short_written_out(game: str) -> None:
    """Each rule base comes to less than half of what is allowed."""
    for choice in spread(game):
        costs = Costs(rules(choice))
        assert sum(1 for _ in costs.questions()) > 0
        assert 0 < costs.written < WRITTEN // 2


def test_no_cases(tiny: Tiny) -> None:
    """An effect of no cases at all costs a step and does nothing."""
    phases = {"perch": {"actions": ["stay"]}, "night": {"final": True}}
    stay = {"by": {"who": "players"}, "legal": "True", "clause": "b.stay"}
    without = tiny(phases=phases, actions={"stay": {**stay, "do": []}})
    empty = tiny(phases=phases, actions={"stay": {**stay, "do": [{"cases": []}]}})
    assert steps(empty) == steps(without) + 1


def test_nested_quantifiers(tiny: Tiny) -> None:
    """Quantifiers nested too deep over a pack are refused where they stand, with what instead."""
    said = refusal(tiny, **LARGE, score={"it": NESTED})

    assert said.startswith("birds.yaml:")
    assert "this expression can take" in said and f"at most {BUDGET}" in said
    assert "nest fewer quantifiers" in said


def test_place_of_what_is_too_dear(tiny: Tiny) -> None:
    """The fault stands at the expression itself, and only there, whoever uses it."""
    functions = {"dear": {"type": "bool", "is": NESTED}, "user": {"type": "bool", "is": "dear or flag"}}
    said = refusal(tiny, **LARGE, functions=functions, score={"it": "user"})

    assert len(said.splitlines()) == 1


def test_chain_of_calls(tiny: Tiny) -> None:
    """Functions of which each calls the one before twice are refused once there are too many."""
    said = refusal(tiny, functions=doubling(28))

    assert "this expression can take" in said


def test_chain_of_calls_over_cards(tiny: Tiny) -> None:
    """A chain that might do alone is refused where it is asked for many cards and seats."""
    functions = {
        name: {**record, "args": {"c": "card"}, "is": record["is"].replace(" and", "(c) and") + "(c)"}
        for name, record in doubling(18, first="x").items()
    }
    functions["f0"]["is"] = "c in cards(heap)"
    play = {"by": {"who": "players"}, "params": {"what": {"in": "pack"}}, "legal": "f17(what)", "do": []}

    said = refusal(tiny, **LARGE, functions=functions, actions={"stay": play})

    assert "a decision in the phase perch can take" in said


def test_parameters_of_an_action(tiny: Tiny) -> None:
    """Values of several parameters are tried with each other, so their number is bounded too."""
    wide = {f"p{n}": {"in": "pack"} for n in range(5)}
    said = refusal(
        tiny, **LARGE, actions={"stay": {"by": {"who": "players"}, "params": wide, "legal": "flag", "do": []}}
    )

    assert "a decision in the phase perch can take" in said


def test_loops_of_effects(tiny: Tiny) -> None:
    """Loops of effects in one another are bounded, and the outermost that is too dear is named."""
    do: list[Any] = [{"set": "flag", "to": "not flag"}]
    for name in "abcdef":
        do = [{"for": name, "in": "pack", "do": do}]
    said = refusal(tiny, **LARGE, phases={"opening": {"do": [*do, {"goto": "night"}]}, "night": {"final": True}})

    assert "the effect for-" in said and "can take" in said


def test_ranges(tiny: Tiny) -> None:
    """Ranges of numbers in one another are bounded like cards."""
    said = refusal(tiny, score={"it": "count(any(n == m for n in range(1, 9999)) for m in range(1, 9999))"})

    assert "this expression can take" in said


def test_far_beyond(tiny: Tiny) -> None:
    """A cost that is beyond all bounds is told in short."""
    functions = {
        f"f{n}": {"type": "bool", "is": f"any({f'f{n - 1}' if n else 'flag'} for c in pack)"} for n in range(25)
    }
    said = refusal(tiny, **LARGE, functions=functions)

    assert "can take" in said
    assert all(len(line) < 400 for line in said.splitlines())


def test_range_of_unknown_numbers(faults: Faults) -> None:
    """A range whose bounds lie beyond what is known of numbers is refused, whatever its width seems to be."""
    big = "999999999"
    found = faults(score={"it": f"len(range({big} + {big}, {big} + {big} + {big}))"})

    assert [text.split(";")[0] for text in found] == [
        "range does not take (int 1000000000..1000000000, int 1000000000..1000000000)"
    ]


# What is not ----------------------------------------------------------------------------------------------------------


def readings(choice: Choice, folder: Path | None) -> Iterator[Choice]:
    """Yield a rule base with each reading changed in its turn."""
    data = book(choice.game, folder)
    for key, chosen in data.editions[choice.edition].readings.items():
        for value in data.readings[key].values:
            if value != chosen:
                with suppress(Impossible):
                    yield choose(f"{choice}[{key}={value}]", folder)


CHOICES = [
    (choice, folder) for folder in (None, SIXTH) for game in catalogue(folder) for choice in spread(game, folder)
]


def test_published_games_are_cheap() -> None:
    """Each published game and the sixth stay four times below what is refused."""
    assert 4 * max(steps(rules(choice, folder)) for choice, folder in CHOICES) < BUDGET


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize(("choice", "folder"), CHOICES, ids=str)
def test_readings_are_cheap(choice: Choice, folder: Path | None) -> None:
    """Each reading of each published game stays twice below what is refused."""
    assert [str(one) for one in readings(choice, folder) if 2 * steps(rules(one, folder)) >= BUDGET] == []


@pytest.mark.parametrize("game", [*catalogue(), "bower"])
def test_no_play_takes_more(game: str, played: Callable[..., Iterator[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted while a game is played stays within the bound of its dearest question."""
    folder = SIXTH if game == "bower" else None
    made = rules(game, folder)
    bound = steps(made)
    monkeypatch.setattr(machines, "BUDGET", bound)

    machine = Machine(made)
    acts = 0
    for state, seat, _, _ in played(machine, 5, 120):
        assert {*machine.view(state, seat), *machine.score(state)}
        assert machine.find_broken_invariants(state) == []
        acts += 1

    assert acts > 0


def test_a_value_that_is_named(tiny: Tiny) -> None:
    """Of values that are compared with one, one at most is gone on with."""
    one, all_ = (
        steps(tiny(**LARGE, score={"it": f"count(any(a == b for b in pack) for a in pack if {test})"}))
        for test in ("a == top(heap)", "a != top(heap)")
    )

    assert 5 * one < all_


# While playing --------------------------------------------------------------------------------------------------------


def test_backstop(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the bound of the loader ever be wrong, the interpreter stops and names the expression."""
    machine = Machine(tiny(score={"it": "count(weight(c) > 1 for c in pack)"}))
    state = machine.begin()
    assert machine.score(state) == {"it": 4}

    monkeypatch.setattr(machines, "BUDGET", 5)
    with pytest.raises(TooCostly, match=r"birds\.yaml:\d+:\d+: what is asked takes more than"):
        machine.score(state)


def test_backstop_counts_loops_and_values(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops of effects, the best of some values and values that are tried count as well."""
    loop = {"opening": {"do": [{"for": "c", "in": "pack", "do": []}, {"goto": "night"}]}, "night": {"final": True}}
    tried = {"stay": {"by": {"who": "players"}, "params": {"c": {"in": "pack"}}, "legal": "flag", "do": []}}
    best = Machine(tiny(score={"it": "max(pack, key=weight)"}))
    start, open_ = Machine(tiny(phases=loop)), Machine(tiny(actions=tried))
    state = open_.begin()

    monkeypatch.setattr(machines, "BUDGET", 5)
    with pytest.raises(TooCostly):
        start.begin()
    with pytest.raises(TooCostly):
        open_.legal(state, 0)
    with pytest.raises(TooCostly):
        best.score(best.begin())


def test_each_question_has_its_own_budget(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one question takes is not taken from the next."""
    machine = Machine(tiny(score={"it": "count(weight(c) > 1 for c in pack)"}))
    state = machine.begin()

    monkeypatch.setattr(machines, "BUDGET", 6)
    assert [machine.score(state) for _ in range(5)] == [{"it": 4}] * 5


@pytest.mark.parametrize("kind", ["draw", "move"])
@pytest.mark.parametrize("engine", [Machine, lambda game: Compiled(game, keep=False)])
def test_pile_grows_no_further_than_the_pack(tiny: Tiny, kind: str, engine: Callable[[Game], Any]) -> None:
    """A pile on which more cards are put than the pack has is a crash in both engines, so that no state grows."""
    state = {"round": {"heap": {"type": "pile"}, "other": {"type": "pile"}, "nest": {"type": "cards[player]"}}}
    fill = {"set": "nest[dealer]", "to": "pack", "id": "again"}
    heap = [fill, {"move": "pack", "from": "nest[dealer]", "to": "heap"}]
    more: list[Any] = {
        "move": [{**fill, "id": "more"}, {"id": "move", "move": "pack", "from": "nest[dealer]", "to": "heap"}],
        "draw": [{"set": "other", "to": "heap"}, {"draw": "1", "from": "other", "to": "heap"}],
    }[kind]
    state["match"] = {"dealer": {"type": "player", "init": 0}}  # type: ignore[dict-item]
    phases = {"opening": {"do": [*heap, *more, {"goto": "night"}]}, "night": {"final": True}}

    with pytest.raises(Crash, match="cards are put on"):
        engine(tiny(state=state, phases=phases)).begin()


# Numbers far apart ----------------------------------------------------------------------------------------------------

WIDE = {"weight": {"by": "rank", "values": {"H": 5, "W": 2, "O": -999999999}, "clause": "b.weight"}}


def test_numbers_far_apart_make_no_table(tiny: Tiny) -> None:
    """Of an attribute whose numbers lie far apart no table by number is made; another has one."""
    made = lower(tiny(attributes={**WIDE, "shade": {"by": "rank", "values": {"H W O": 1}, "clause": "b.shade"}}))

    assert "weight_from" not in made.constants
    assert len(made.constants["shade_from"].values) == 2


@pytest.mark.parametrize(
    "test", ["weight(c) > tally", "weight(c) <= weight(d)", "weight(c) > 2", "weight(c) != -999999999"]
)
def test_numbers_far_apart_compare_alike(tiny: Tiny, test: str) -> None:
    """Comparing numbers that lie far apart means the same to interpreter and generated code."""
    it = {"args": {"d": "card"}, "type": "cards", "is": f"{{c for c in pack if {test}}}"}
    game = tiny(attributes=WIDE, functions={"it": it}, phases={"perch": {"actions": ["stay"]}})
    machine, compiled = Machine(game), Compiled(game, keep=False, asked=["it"])
    state = machine.begin()
    up = raising(game.functions["it"].type, game.deck)

    for place, card in enumerate(game.deck.cards):
        ours = machine.evaluator.find_callable("it")(state.values, [card])
        assert up(compiled.ask("it")(compiled.begin(), 1 << place)) == ours


# What files may hold --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"params": {"big": {"value": 10**17}}}, "the number 100000000000000000; numbers of rules"),
        ({"attributes": {"weight": {"by": "rank", "values": {"H W O": -(10**17)}, "clause": "b"}}}, "the number -1"),
        ({"state": {"match": {"far": {"type": "int 0..1000000000000000000"}}}}, "the number 1000000000000000000"),
        ({"functions": {"f": {"args": {"a": "int 0..9999999999"}, "type": "bool", "is": "a == 0"}}}, "the number 999"),
        ({"state": {"match": {f"v{n}": {"type": "bool[lap]"} for n in range(999)}},
          "types": {"lap": {"from": 1, "to": 900}}}, "a state of 10800 places up to here; at most 10000"),
        ({"deck": {"suits": {c: f"s{c.lower()}" for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"},
                   "ranks": {c: f"r{c.lower()}" for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}, "clause": "b"},
          "attributes": {}}, "a pack of 1296 cards; at most 1000"),
    ],
)  # fmt: skip
def test_what_is_too_great(faults: Faults, sections: dict[str, Any], said: str) -> None:
    """Numbers, states and packs without measure are refused before anything is made of them."""
    assert any(text.startswith(said) for text in faults(**sections)), faults(**sections)


def test_many_faults(tiny: Tiny) -> None:
    """Of very many faults the first hundred are told, and that there may be more."""
    said = refusal(tiny, functions={f"f{n}": {"type": "bool", "is": f"nothing_{n}"} for n in range(900)})

    assert len(said.splitlines()) == 101
    assert "these are 100 faults, and there may be more; mend them first" in said


def test_facts_of_many_variables(faults: Faults) -> None:
    """What is known of one variable is forgotten when it is written, whatever is known of a thousand others."""
    names = [f"v{n}" for n in range(900)]
    state = {"match": {**{name: {"type": "player?"} for name in names}, "d": {"type": "player", "init": 0}}}
    known = [{"set": name, "to": "d"} for name in names]
    lost = [{"id": "lost", "set": "v7", "to": "None"}, {"id": "use", "set": "d", "to": "v7"}]
    kept = [{"id": "kept", "set": "d", "to": "v8"}]

    assert faults(state=state, phases={"a": {"do": [*known, *kept, {"goto": "n"}]}, "n": {"final": True}}) == []
    assert len(faults(state=state, phases={"a": {"do": [*known, *lost, {"goto": "n"}]}, "n": {"final": True}})) == 1


def test_code_that_nests_too_deep(tiny: Tiny) -> None:
    """Rules whose generated code would nest deeper than the host language allows are refused by that engine alone."""
    params = {f"p{n}": {"in": "[d]"} for n in range(25)}
    state = {"match": {"d": {"type": "player", "init": 0}}}
    game = tiny(state=state, actions={"stay": {"by": {"who": "players"}, "params": params, "legal": "True", "do": []}})

    assert Machine(game).begin().phase == "perch"
    engine = Compiled(game, keep=False)
    with pytest.raises(TooCostly, match="generated code of birds nests too deep"):
        engine.finder  # noqa: B018 - what finds the acts is written when it is first asked for
