"""`brou mutate --quick`: the fewest cases are chosen, and what stands there is still so."""

from __future__ import annotations

import pytest

from brou import book, catalogue, choose, patch_rules
from brou.games.mutants import mutants
from brou_conformance.scenarios.quick import read_quick
from brou_tools.cli import main
from brou_tools.mutate.quick import NoticedMutant, choose_cases, notice

EDITIONS = [(game, edition) for game in catalogue() for edition in book(game).editions]


def found(*noticed: str) -> list[NoticedMutant]:
    """Return mutants, each with the cases that notice it, a letter a case."""
    return [NoticedMutant(f"m{number}", other=True, cases=tuple(cases)) for number, cases in enumerate(noticed)]


def test_greed_alone_does_not_choose() -> None:
    """`c` notices most, and yet the other two notice everything without it."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    choice = choose_cases(found("ac", "ac", "a", "bc", "bc", "b"))

    assert [one.id for one in choice.cases] == ["a", "b"]
    assert choice.least == 2


def test_what_no_case_notices_is_not_aimed_at() -> None:
    """A mutant that nothing notices, and one that is no other rule base, are counted as such."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    choice = choose_cases([*found("a", ""), NoticedMutant("same", other=False)])

    assert (choice.mutants, choice.noticed, choice.reached) == (2, 1, 1)


def test_nine_in_ten_are_enough() -> None:
    """The last of ten costs no case of its own."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    choice = choose_cases(found(*["a"] * 9, "b"))

    assert [one.id for one in choice.cases] == ["a"]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_the_choice_that_stands_there_is_current(game: str, edition: str) -> None:
    """Of the mutants that a case is there for the first still is one of the rules, and the case notices it.

    If not, `brou mutate GAME --quick -n 60 --write` chooses anew.
    """
    known = read_quick(game)
    assert known is not None
    named = {one.id: one for one in mutants(patch_rules(choose(f"{game}@{edition}")))}

    for case in known.editions[edition].cases[:3]:
        seen = notice(choose(f"{game}@{edition}"), named[case.notices[0]], [case.id])
        assert seen.cases == (case.id,)


@pytest.mark.thorough
@pytest.mark.parametrize("game", catalogue())
def test_the_choice_notices_nine_in_ten_of_its_draw(game: str) -> None:
    """All mutants that it was chosen by are tried anew."""
    known = read_quick(game)
    assert known is not None
    assert main(["mutate", game, "--quick", "-n", str(known.drawn), "--seed", str(known.seed)]) == 0
