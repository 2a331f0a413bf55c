"""Formulas are made once, take every value of a type, and are bounded; `test_formula_identity` says what they mean."""

from __future__ import annotations

import pytest

from brou.errors import TooCostly
from brou.language.types import Array, Int, Named, Option
from brou_tools.smt import formula
from brou_tools.smt.formula import Forms, Formula, value_of
from brou_tools.smt.prover import _check_members
from brou_tools.smt.symbols import Symbols, Untranslatable
from brou_tools.smt.unknown import Model, Unknowns


def test_an_unknown_value_takes_every_value_of_its_type() -> None:
    """Whatever the solver may say, exactly one member of a type is meant."""
    symbols = Symbols(Forms(), ["AS", "KS"])
    unknowns = Unknowns(symbols)
    number = unknowns.of("n", Int(1, 3))
    truths = dict(symbols.options(number))

    assert list(truths) == [1, 2, 3]
    assert [Model(symbols, {f"n={n}": 1}).value(Int(1, 3), number) for n in truths] == [1, 2, 3]
    assert value_of(unknowns.facts, {"n=1": 1, "n=2": 1}) == [0]


def test_what_is_equal_is_one_formula() -> None:
    """Two ways to the same statement end in one object, and a contradiction is seen at once."""
    forms = Forms()
    a, b = forms.truth("a"), forms.truth("b")

    assert forms.both(a, b) is forms.both(b, a)
    assert forms.both(a, forms.no(a)) is False
    assert forms.linear([(1, a), (1, forms.no(a))]) == 1


def test_places_of_other_members_are_not_compared() -> None:
    """What is kept as a place is no value of rules in which another member stands there."""
    suits, turned = Named("suit", ("M", "R")), Named("suit", ("R", "M"))

    _check_members(Option(suits), suits, "alike")
    with pytest.raises(Untranslatable, match="apart: suit and suit have other members"):
        _check_members(Array(Int(0, 1), suits), Array(Int(0, 1), turned), "apart")


def test_formulas_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that would make formulas without end are given up in words, before memory is."""
    monkeypatch.setattr(formula, "_MOST", 3)
    forms = Forms()
    for name in "abc":
        forms.truth(name)

    assert forms.truth("a").name == "a"
    with pytest.raises(TooCostly, match="more than 3 formulas for one game"):
        forms.truth("d")


def test_a_formula_is_written_without_what_its_parts_are_made_of() -> None:
    """Formulas share their parts, so that each names its own by number."""
    forms = Forms()
    a, b = forms.truth("a"), forms.truth("b")
    both = forms.both(a, b)

    assert isinstance(both, Formula)
    assert repr(a) == f"<{a.number}: a>"
    assert repr(both) == f"<{both.number}: and of {a.number}, {b.number}>"
