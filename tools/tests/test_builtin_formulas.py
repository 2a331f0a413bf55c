"""Every built-in function, as formula, gives what its examples say, of what is known and of what is found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from brou import rules
from brou.language.builtin import MADE_UP, Builtin, Described, Example, World
from brou.language.builtins import BUILTINS
from brou.language.syntax import Game
from brou.language.tree import BuiltinCall, LocalUse
from brou.language.types import NOTHING, Domain, Int, Numbers, Pile, Type, finite
from brou_tools.smt.formula import Forms, Truth
from brou_tools.smt.solve import IncrementalSolver
from brou_tools.smt.symbols import Listing, Stack, Symbol, Untranslatable, Values
from brou_tools.smt.translate import Translator
from brou_tools.smt.unknown import Model, Unknowns, make_symbol

#: So wide that the solver takes it for a number, and not for one of a few values.
WIDE = Int(-99, 99)


def cases(*kinds: str) -> list[Any]:
    """Return every example of every built-in that is no description, of each kind of what is unknown."""
    each: list[tuple[str, ...]] = [(kind,) for kind in kinds] or [()]
    return [
        pytest.param(builtin, example, *kind, id="-".join([name, str(number), *kind]))
        for name, builtin in BUILTINS.items()
        for number, example in enumerate(builtin.examples)
        for kind in each
        if not isinstance(builtin, Described)
    ]


def game_of(world: World) -> Game:
    """Return rules with the seats, the teams and the pack of a made-up game, in which nothing stands."""
    suits, ranks = ({str(code): str(code) for code in finite(world.types[name]) or ()} for name in ("suit", "rank"))
    game = rules("brouc")
    deck = replace(game.deck, suits=suits, ranks=ranks, cards=world.cards)
    nothing: dict[str, Any] = {key: {} for key in ("params", "attributes", "state", "functions", "tables")}
    return replace(game, seats=world.seats, teams=world.teams, deck=deck, types=world.types, **nothing)


class Case:
    """An example of a built-in, and what its formula is made of."""

    def __init__(self, builtin: Builtin, example: Example, *, wide: bool = False) -> None:
        self.builtin, self.example = builtin, example
        self.world: World = example.world or MADE_UP
        named = [self.world.types[one] if isinstance(one, str) else one for one in example.takes]
        self.types = tuple(widened(one) if wide else one for one in named)
        self.translator = Translator(game_of(self.world), Forms())
        self.symbols = self.translator.symbols
        self.unknowns = Unknowns(self.symbols)
        self.facts: list[Truth] = []

    def formula(self, parts: list[Symbol]) -> Symbol:
        """Return what the formula gives for some values."""
        locals_ = tuple(LocalUse(type_, f"a{place}") for place, type_ in enumerate(self.types))
        env = {one.name: part for one, part in zip(locals_, parts, strict=True)}
        return self.translator.expression(
            BuiltinCall(self.gives, self.builtin.name, locals_), Values(lambda _: None), env
        )

    @property
    def gives(self) -> Type:
        """Return the type of what it gives."""
        gives = self.builtin.signature(self.world, self.types)
        assert gives is not None
        return gives

    def unknown(self, name: str, type_: Type, value: Any, pile: Callable[[str, Any], Symbol]) -> Symbol:
        """Return a value that is not known, and note that it is a given one."""
        if type_ == NOTHING:
            return None
        if isinstance(type_, (Domain, Numbers)):
            return self._listing(name, WIDE if isinstance(type_, Numbers) else type_.element, value, pile)
        made = pile(name, value) if isinstance(type_, Pile) else self.unknowns.of(name, type_)
        self.facts.append(self.symbols.equal(made, make_symbol(type_, value, self.symbols)))
        return made

    def _listing(self, name: str, element: Type, values: Any, pile: Callable[[str, Any], Symbol]) -> Listing:
        """Return values of which it is not known that they are there, and one that is not."""
        there = [self.symbols.forms.truth(f"{name} has {place}") for place in range(len(values) + 1)]
        made = [self.unknown(f"{name}.{place}", element, value, pile) for place, value in enumerate(values)]
        self.facts += [*there[:-1], self.symbols.forms.no(there[-1])]
        return Listing((*zip(there[:-1], made, strict=True), (there[-1], self.unknowns.of(f"{name}.last", element))))

    def long_known(self, name: str, value: Any) -> Symbol:
        """Return an unknown pile of a known length."""
        card = self.world.types["card"]
        return Stack(tuple(self.unknowns.of(f"{name}.{place}", card) for place in range(len(value))))

    def long_unknown(self, name: str, _: Any) -> Symbol:
        """Return an unknown pile of any length."""
        return self.unknowns.pile(name)

    def found(self, pile: Callable[[str, Any], Symbol]) -> Any:
        """Return what the formula comes to once a solver has found out what was unknown."""
        given = zip(self.types, self.example.given, strict=True)
        parts = [self.unknown(f"a{place}", type_, value, pile) for place, (type_, value) in enumerate(given)]
        made = self.formula(parts)
        answer = IncrementalSolver().ask(self.unknowns.facts, self.facts)
        assert answer.status == "sat"
        return Model(self.symbols, answer.model).value(self.gives, made)


def widened(type_: Type) -> Type:
    """Return a type of numbers as one of many."""
    if isinstance(type_, Domain):
        return Domain(widened(type_.element), type_.size)
    return WIDE if isinstance(type_, Int) else type_


@pytest.mark.parametrize(("builtin", "example"), cases())
def test_of_what_is_known_the_formula_gives_what_an_example_says(builtin: Builtin, example: Example) -> None:
    """For values that are known the formula comes to the value that was worked out by hand, without a solver."""
    case = Case(builtin, example)
    given = zip(case.types, example.given, strict=True)
    made = case.formula([make_symbol(type_, value, case.symbols) for type_, value in given])

    assert Model(case.symbols, {}).value(case.gives, made) == example.gives


@pytest.mark.parametrize(("builtin", "example", "numbers"), cases("few", "many"))
def test_of_what_is_found_out_the_formula_gives_what_an_example_says(
    builtin: Builtin, example: Example, numbers: str
) -> None:
    """For unknowns that a constraint fixes the formula comes to it, numbers being one of a few or of many."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    case = Case(builtin, example, wide=numbers == "many")

    assert case.found(case.long_known) == example.gives


@pytest.mark.parametrize(
    ("builtin", "example"), [one for one in cases() if Pile() in one.values[1].takes and one.values[0].name != "cut"]
)
def test_how_long_a_pile_is_need_not_be_known(builtin: Builtin, example: Example) -> None:
    """The formula comes to it for a pile of which not even the length is known; only a cut needs that."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    case = Case(builtin, example)

    assert case.found(case.long_unknown) == example.gives


def test_a_pile_of_unknown_length_cannot_be_cut() -> None:
    """No formula is made for the cut of such a pile, and that is said."""
    case = Case(BUILTINS["cut"], BUILTINS["cut"].examples[0])

    with pytest.raises(Untranslatable, match="cutting a pile of unknown length"):
        case.found(case.long_unknown)
