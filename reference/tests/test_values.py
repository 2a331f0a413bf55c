"""Values: what a game's variables hold, and that what rules promise of it is asked before it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from birds import Tiny, world
from brou import Crash, Machine
from brou.compiler.compiled_values import as_code, as_codes
from brou.interpreter.evaluate import Evaluator
from brou.language.builtin import MADE_UP
from brou.language.codec import writer
from brou.language.operations import MeaningOf
from brou.language.syntax import Deck
from brou.language.tree import Expression, Literal
from brou.language.types import CARDS, PILE, Int, Value, as_cards, as_name, as_number, as_row, cards_of

Kind = Callable[[Evaluator], Callable[[Expression, Mapping[str, int]], MeaningOf[Any]]]

DECK = Deck({}, {}, MADE_UP.cards)


@pytest.mark.parametrize(
    ("narrowed", "fitting", "others"),
    [
        (as_number, 3, [None, "EM", frozenset(), ()]),
        (as_name, "EM", [None, 3, frozenset(), ()]),
        (as_cards, frozenset({"EM"}), [None, 3, "EM", ("EM",)]),
        (as_row, ("EM", "WM"), [None, 3, "EM", frozenset()]),
    ],
    ids=["number", "name", "cards", "row"],
)
def test_a_value_is_what_was_promised(narrowed: Callable[[Value], Value], fitting: Value, others: list[Value]) -> None:
    """A value of the kind that rules promise stays as it is; any other is a crash."""
    assert narrowed(fitting) == fitting
    for other in others:
        with pytest.raises(Crash):
            narrowed(other)


def test_a_word_is_one_or_several() -> None:
    """What compiled rules keep is one word where one was promised, and several where several were."""
    assert (as_code(5), as_codes((1, 2))) == (5, (1, 2))
    for broken in (lambda: as_code((5,)), lambda: as_code(None), lambda: as_codes(5), lambda: as_codes(None)):
        with pytest.raises(Crash):
            broken()


def test_cards_of_a_zone() -> None:
    """The cards of a zone are found however they lie: alone, in a set, in a pile, or in an array with gaps."""
    assert list(cards_of("EM")) == ["EM"]
    assert list(cards_of(None)) == []
    assert sorted(cards_of((frozenset({"EM", "WM"}), ("OM",), None, "ER"))) == ["EM", "ER", "OM", "WM"]


@pytest.mark.parametrize("value", [3, "EM", None], ids=str)
def test_what_is_no_set_or_pile_is_not_written(value: Value) -> None:
    """Nothing is written in place of cards that are not there."""
    for type_ in (CARDS, PILE):
        with pytest.raises(Crash):
            writer(type_, DECK)(value)


@pytest.mark.parametrize(
    ("kind", "fitting"),
    [
        (lambda evaluator: evaluator.number, Literal(Int(3, 3), 3)),
        (lambda evaluator: evaluator.cards, Literal(CARDS, frozenset({"HM"}))),
        (lambda evaluator: evaluator.pile, Literal(PILE, ("HM",))),
        (lambda evaluator: evaluator.row, Literal(PILE, ("HM",))),
    ],
    ids=["number", "cards", "pile", "row"],
)
def test_a_meaning_is_asked_for_its_type(tiny: Tiny, kind: Kind, fitting: Literal) -> None:
    """The type of an expression says once what its meaning gives; one of another type has no such meaning."""
    machine = Machine(world(tiny, []))
    asked = kind(machine.evaluator)

    assert asked(fitting, {})(machine.begin().values, []) == fitting.value
    for other in (Literal(Int(3, 3), 3), Literal(CARDS, frozenset({"HM"})), Literal(PILE, ("HM",))):
        if other.type != fitting.type:
            with pytest.raises(TypeError, match="wanted"):
                asked(other, {})
