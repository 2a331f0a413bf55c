"""Every built-in function gives what its examples say, to the interpreter and compiled; a wrong module is refused."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from brou import Machine
from brou.compiler.compiled import Compiled
from brou.compiler.compiled_values import lowering, raising
from brou.errors import NOWHERE, WrongBuiltin
from brou.language.builtin import MADE_UP, Builtin, Described, Example, Registry, Use, World
from brou.language.builtins import BUILTINS
from brou.language.load import load_rules
from brou.language.making import Core, Meaning, Part
from brou.language.source import parse_yaml
from brou.language.syntax import Argument, Function, Game
from brou.language.tree import BuiltinCall, Expression, ListOf, Literal, LocalUse
from brou.language.types import (
    BOOL,
    CARDS,
    NOTHING,
    NUMBERS,
    PILE,
    Array,
    Cards,
    Domain,
    Int,
    Named,
    Numbers,
    Option,
    Orders,
    Pile,
    Type,
    finite,
)


def cases(*, described: bool = True) -> list[Any]:
    """Return every example of every built-in."""
    return [
        pytest.param(builtin, example, id=f"{name}-{number}")
        for name, builtin in BUILTINS.items()
        for number, example in enumerate(builtin.examples)
        if described or not isinstance(builtin, Described)
    ]


def world_of(example: Example) -> World:
    """Return the game that an example is about."""
    return example.world or MADE_UP


def types_of(example: Example) -> tuple[Type, ...]:
    """Return the types of the arguments of an example."""
    return tuple(world_of(example).types[one] if isinstance(one, str) else one for one in example.takes)


def codes(type_: Type) -> list[str]:
    """Return the codes of the suits or of the ranks."""
    return list(map(str, finite(type_) or ()))


def game_of(world: World) -> Game:
    """Return rules with the seats, the teams and the pack of a made-up game, in which nothing happens."""
    suits, ranks = ({code: code.lower() for code in codes(world.types[name])} for name in ("suit", "rank"))
    rules = {
        "format": "brou/1",
        "game": "made_up",
        "seating": {"seats": world.seats, "teams": world.teams, "clause": "m.seats"},
        "deck": {
            "suits": suits,
            "ranks": ranks,
            "without": [rank + suit for suit in suits for rank in ranks if rank + suit not in world.cards],
            "clause": "m.deck",
        },
        "state": {"match": {"held": {"type": "cards"}}},
        "actions": {"stay": {"by": {"who": "players"}, "legal": "True", "do": [], "clause": "m.stay"}},
        "phases": {"perch": {"actions": ["stay"], "clause": "m.perch"}},
    }
    return load_rules(parse_yaml(json.dumps(rules), "made_up.yaml"))


def calling(builtin: Builtin, example: Example, arguments: tuple[Expression, ...]) -> Game:
    """Return rules with a function `it` of the arguments of an example, which calls the built-in."""
    game, types = game_of(world_of(example)), types_of(example)
    gives = builtin.signature(world_of(example), [one.type for one in arguments])
    assert gives is not None
    taken = tuple(Argument(f"a{place}", type_) for place, type_ in enumerate(types))
    it = Function("it", taken, gives, BuiltinCall(gives, builtin.name, arguments), (), "m.it", {}, False, NOWHERE)
    return replace(game, functions={"it": it})


def locals_of(example: Example) -> tuple[Expression, ...]:
    """Return the arguments of the function `it`."""
    return tuple(LocalUse(type_, f"a{place}") for place, type_ in enumerate(types_of(example)))


def written(type_: Type, value: Any) -> Expression:
    """Return a value as it can be written in rules."""
    match type_:
        case Domain(element):
            return ListOf(type_, tuple(written(element, one) for one in value))
        case Int():
            return Literal(Int(value, value), value)
    return Literal(type_, value)


def compiled(game: Game, example: Example) -> Any:
    """Return what the function `it` gives for the arguments of an example in generated Python."""
    engine, it = Compiled(game, keep=False, asked=["it"]), game.functions["it"]
    given = [lowering(type_, game.deck)(value) for type_, value in zip(types_of(example), example.given, strict=True)]
    return raising(it.type, game.deck)(engine.ask("it")(engine.begin(), *given))


# Examples -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("builtin", BUILTINS.values(), ids=BUILTINS)
def test_every_built_in_has_examples(builtin: Builtin) -> None:
    """A built-in has two examples at least, of different values, and says of one which boundary it is of."""
    assert len({(example.takes, example.given, id(example.world)) for example in builtin.examples}) >= 2
    assert any(example.edge for example in builtin.examples)


@pytest.mark.parametrize(("builtin", "example"), cases())
def test_the_meaning_gives_what_an_example_says(builtin: Builtin, example: Example) -> None:
    """The plain meaning gives the value that was worked out by hand, and of its type too."""
    found = builtin.meaning(world_of(example))(*example.given)

    assert (type(found), found) == (type(example.gives), example.gives)


@pytest.mark.parametrize(("builtin", "example"), cases(described=False))
def test_what_an_example_gives_is_of_the_type_that_is_told(builtin: Builtin, example: Example) -> None:
    """The signature takes the types of the example, and the value lies within the type that it gives."""
    gives = builtin.signature(world_of(example), types_of(example))

    assert gives is not None
    assert lies_in(gives, example.gives)


def lies_in(type_: Type, value: Any) -> bool:
    """Say whether a value is one of a type."""
    match type_:
        case Option(inner):
            return value is None or lies_in(inner, value)
        case Int(low, high):
            return type(value) is int and low <= value <= high
        case Named(members=members):
            return value in members
        case Domain(element, size):
            return isinstance(value, tuple) and len(value) <= size and all(lies_in(element, one) for one in value)
        case Cards():
            return isinstance(value, frozenset)
        case Pile():
            return isinstance(value, tuple)
    return isinstance(value, bool)


@pytest.mark.parametrize(("builtin", "example"), cases(described=False))
def test_the_interpreter_gives_what_an_example_says(builtin: Builtin, example: Example) -> None:
    """Called in rules, the built-in gives the same."""
    machine = Machine(calling(builtin, example, locals_of(example)))
    it = machine.evaluator.find_callable("it")

    assert it(machine.begin().values, list(example.given)) == example.gives


@pytest.mark.parametrize(("builtin", "example"), cases(described=False))
def test_compiled_code_gives_what_an_example_says(builtin: Builtin, example: Example) -> None:
    """The core form, as generated Python, gives the same for arguments that are not known when it is generated."""
    assert compiled(calling(builtin, example, locals_of(example)), example) == example.gives


@pytest.mark.parametrize(("builtin", "example"), cases(described=False))
def test_what_is_known_is_compiled_to_what_an_example_says(builtin: Builtin, example: Example) -> None:
    """The core form gives the same for values that stand in the rules; piles and lists of the data cannot."""
    types = types_of(example)
    arguments = tuple(
        local if isinstance(type_, (Pile, Numbers)) else written(type_, value)
        for local, type_, value in zip(locals_of(example), types, example.given, strict=True)
    )

    assert compiled(calling(builtin, example, arguments), example) == example.gives


def form(type_: Type) -> Any:
    """Return the form of a type: numbers of any bounds are of one, and so are lists of anything."""
    match type_:
        case Option(inner):
            return "option", form(inner)
        case Named(name):
            return name
    return type(type_)


#: Types of every form, and those that may be None.
PRESENT = [*MADE_UP.types.values(), CARDS, BOOL, Int(0, 3)]
LISTS = [Domain(MADE_UP.types[name], 2) for name in ("player", "card")]
TYPES = [
    *PRESENT,
    *map(Option, PRESENT),
    *LISTS,
    PILE,
    NUMBERS,
    NOTHING,
    Orders(),
    Array(MADE_UP.types["player"], BOOL),
]


@pytest.mark.parametrize("builtin", BUILTINS.values(), ids=BUILTINS)
def test_another_number_of_arguments_is_refused(builtin: Builtin) -> None:
    """No built-in takes fewer arguments than it has, or more."""
    types = types_of(builtin.examples[0])

    assert all(builtin.signature(MADE_UP, few) is None for few in (types[:-1], [*types, types[-1]]))


@pytest.mark.parametrize("builtin", BUILTINS.values(), ids=BUILTINS)
def test_other_types_are_refused(builtin: Builtin) -> None:
    """In each place a type is taken only if some example has one of its form there; `suit?` is another than `suit`."""
    every = [types_of(example) for example in builtin.examples]
    for place in range(len(every[0])):
        forms = {form(types[place]) for types in every}
        tried = [[*every[0][:place], one, *every[0][place + 1 :]] for one in TYPES if form(one) not in forms]
        assert [types for types in tried if builtin.signature(MADE_UP, types) is not None] == []


@pytest.mark.parametrize(
    ("domain", "described"),
    [("orders(cards)", {"order": ["WM", "ER"]}), ("subsets(cards, 1, 2)", {"from": ["WM", "ER"], "min": 1, "max": 2})],
)
def test_what_is_described_is_offered_by_both_engines(tiny: Any, domain: str, described: Any) -> None:
    """A domain that is described and never listed is offered alike by the interpreter and by compiled code."""
    few = {"type": "cards", "is": "{card(wren, moss), card(eagle, rust)}"}
    ask = {
        "by": {"who": "players"},
        "params": {"it": {"in": domain.replace("cards", "few")}},
        "legal": "True",
        "do": [],
    }
    deck = {"suits": {"M": "moss", "R": "rust"}, "ranks": {"E": "eagle", "W": "wren"}}
    sections = {"attributes": {}, "functions": {"few": few}, "actions": {"ask": ask}}
    machine = Machine(tiny(deck=deck, phases={"perch": {"actions": ["ask"]}}, **sections))
    engine = Compiled(machine.game, keep=False)

    assert machine.legal(machine.begin(), 0) == engine.legal(engine.begin(), 0) == {"ask": described}


# Modules --------------------------------------------------------------------------------------------------------------

#: A built-in as a newcomer writes it, in a module of its own.
WHOLE = """
from brou.language.builtin import Example, Tabled, fitting


class Opposite(Tabled):
    form = "opposite(player)"
    says = "the seat over there"
    shown = "opposite(me)"
    of = "player"
    examples = (Example(("player",), (0,), 2), Example(("player",), (3,), 1, edge="the last seat"))

    def signature(self, world, types):
        return fitting(world, types, "player", gives="player")

    def meaning(self, world):
        return lambda seat: (seat + world.seats // 2) % world.seats


BUILTIN = Opposite()
"""


def package(folder: Path, name: str, text: str) -> dict[str, Builtin]:
    """Return the built-ins of a package with one module."""
    home = folder / "newcomers"
    home.mkdir()
    (home / "__init__.py").write_text("", encoding="utf-8")
    (home / f"{name}.py").write_text(dedent(text), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        try:
            return dict(Registry("newcomers", [str(home)]))
        finally:
            for loaded in [one for one in sys.modules if one.partition(".")[0] == "newcomers"]:
                del sys.modules[loaded]


def test_a_module_is_all_that_a_built_in_needs(tmp_path: Path) -> None:
    """A built-in is known as soon as its module lies in the package."""
    found = package(tmp_path, "opposite", WHOLE)

    assert [found["opposite"].meaning(MADE_UP)(seat) for seat in range(4)] == [2, 3, 0, 1]


@pytest.mark.parametrize(
    ("gone", "name"),
    [
        ("def meaning", "meaning"),
        ("def signature", "signature"),
        ('says = "the seat over there"', "says"),
        ("examples = (", "examples"),
        ('of = "player"', "of"),
    ],
)
def test_what_is_left_out_is_named_at_once(tmp_path: Path, gone: str, name: str) -> None:
    """A built-in that lacks anything is refused when it is imported, and what it lacks is named."""
    with pytest.raises(TypeError, match=rf"abstract class Opposite .*\b{name}\b"):
        package(tmp_path, "opposite", WHOLE.replace(gone, gone.replace(name, f"no_{name}", 1)))


@pytest.mark.parametrize(
    ("module", "text", "said"),
    [
        ("across", WHOLE, "newcomers.across holds opposite; it is to hold one built-in, 'across'"),
        ("opposite", WHOLE.replace("BUILTIN = ", ""), None),
        ("opposite", f"{WHOLE}\nTWICE = Opposite()\n", "newcomers.opposite holds opposite, opposite"),
    ],
)
def test_a_module_holds_one_built_in_of_its_name(tmp_path: Path, module: str, text: str, said: str | None) -> None:
    """A module without a built-in, with two, or with one of another name is refused."""
    with pytest.raises(TypeError, match=said or "newcomers.opposite holds none"):
        package(tmp_path, module, text)


class Lost(Builtin):
    """The cards of a suit, from a table that may not be there."""

    form = "lost(suit)"
    says = "the cards of a suit"
    shown = "lost(hearts)"
    examples = (Example(("suit",), ("M",), frozenset({"EM", "WM", "OM"})),)

    def __init__(self, core: Callable[[Core[Any], Any], Any]) -> None:
        self._core = core

    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return that it takes a suit and gives cards."""
        return CARDS if list(types) == [world.types["suit"]] else None

    def meaning(self, world: World) -> Meaning:
        """Return what it computes."""
        return lambda suit: frozenset(card for card in world.cards if card[1] == suit)

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:  # noqa: ARG002 - one signature for all
        """Return what the test gives it to be compiled to."""
        found: Part = self._core(make, parts[0])
        return found


@pytest.mark.parametrize(
    ("core", "said"),
    [
        (
            lambda make, suit: make.lookup(CARDS, "suits", suit),
            r"'lost' .* unknown table of places \(`lookup`\) 'suits'; known: suit_set, rank_set, card, .*next",
        ),
        (
            lambda make, suit: make.trait(CARDS, "suit_set", suit),
            r"'lost' .* unknown table of cards \(`trait`\) 'suit_set'; known: suit, rank",
        ),
        (lambda make, suit: make.of_suit(suit), "'lost' .* AttributeError: .* 'of_suit'"),
    ],
)
def test_a_core_form_that_cannot_be_made_names_its_built_in(
    core: Callable[[Core[Any], Any], Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes wrong in it is told with the name of the built-in, and with the tables that there are."""
    lost = Lost(core)
    monkeypatch.setitem(BUILTINS, "lost", lost)
    example = lost.examples[0]

    with pytest.raises(WrongBuiltin, match=said):
        compiled(calling(lost, example, locals_of(example)), example)
