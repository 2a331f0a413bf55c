"""`brou mutate --quick`: the fewest cases are chosen, and what stands there is still so."""

from __future__ import annotations

import pytest

from brou import Machine, book, catalogue, choose, patch_rules
from brou.games.mutants import list_mutants, load_mutant
from brou_conformance.scenarios.quick import read_quick
from brou_tools.mutate import quick
from brou_tools.mutate.fates import passes
from brou_tools.mutate.quick import NoticedMutant, choose_cases, draw_apart, notice

EDITIONS = [(game, edition) for game in catalogue() for edition in book(game).editions]


def found(*noticed: str) -> list[NoticedMutant]:
    """Return mutants, each with the cases that notice it, a letter a case."""
    return [NoticedMutant(f"m{number}", other=True, cases=tuple(cases)) for number, cases in enumerate(noticed)]


def test_greed_alone_does_not_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    """`c` notices most, and yet the other two notice everything without it."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    monkeypatch.setattr(quick, "_DEPTH", 1)
    choice = choose_cases(found("ac", "ac", "a", "bc", "bc", "b"))

    assert [one.id for one in choice.cases] == ["a", "b"]
    assert choice.least == 2


def test_what_no_case_notices_is_not_aimed_at() -> None:
    """A mutant that nothing notices, and one that is no other rule base, are counted as such."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    choice = choose_cases([*found("a", ""), NoticedMutant("same", other=False)])

    assert (choice.mutants, choice.noticed, choice.reached) == (2, 1, 1)


def test_each_mutant_is_noticed_twice_where_two_cases_do() -> None:
    """One case would do for both; what it alone notices needs no second, and `d` adds nothing that is needed."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    choice = choose_cases(found("abd", "ab", "b"))

    assert {one.id for one in choice.cases} == {"a", "b"}
    assert (choice.least, choice.reached) == (2, 3)


def test_a_choice_is_measured_by_other_mutants() -> None:
    """Of three that it was not made by two are noticed at all, and one of them by the chosen case."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    choice = choose_cases(found("a"), found("ab", "b", ""))

    assert (choice.unseen.noticed, choice.unseen.reached) == (2, 1)


def test_what_measures_a_choice_is_not_what_it_is_made_by() -> None:
    """The same draw parts into the same two, of which one has a third of the other."""
    first = choose("brusquembille@1718")
    made_by, unseen = draw_apart(first, 30, 7)

    assert (len(made_by), len(unseen)) == (30, 10)
    assert {one.id for one in made_by}.isdisjoint(one.id for one in unseen)
    assert [one.id for one in draw_apart(first, 30, 7)[1]] == [one.id for one in unseen]


#: Mutants of all kinds of records: of an act of the start, a phase, a table, a function, a view and a number.
EVERYWHERE = (
    "drop-effect:actions/deal/do",
    "drop-effect:phases/trick_end",
    "negate:tables/",
    "negate:functions/",
    "drop-row:view/",
    "off-by-one:attributes/",
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", EVERYWHERE)
def test_what_is_left_out_of_a_course_changes_nothing(kind: str) -> None:
    """A mutant is noticed by the same scenarios whether only the steps that it touches are played, or all of them."""
    first = choose("brusquembille@1718")
    named = [one for one in list_mutants(patch_rules(first)) if one.id.startswith(kind)]
    mutant, seen = next((one, tried.cases) for one in named if (tried := notice(first, one)).other)
    player = Machine(load_mutant(first, mutant))
    asked = [one for one in quick.list_scripts(first) if one.choice == first]

    assert [one.scenario.id for one in asked if passes(player, one, whole=False) == (one.scenario.id in seen)] == []


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_the_choice_that_stands_there_is_current(game: str, edition: str) -> None:
    """Of the mutants that a case is there for the first still is one of the rules, and the case notices it.

    If not, `brou mutate GAME --quick -n 225 --write` chooses anew.
    """
    known = read_quick(game)
    assert known is not None
    named = {one.id: one for one in list_mutants(patch_rules(choose(f"{game}@{edition}")))}

    for case in known.editions[edition].cases[:3]:
        seen = notice(choose(f"{game}@{edition}"), named[case.notices[0]], [case.id])
        assert seen.cases == (case.id,)


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_the_measure_that_stands_there_is_current(game: str, edition: str) -> None:
    """Of the mutants that the choice was not made by, it notices as many as its file says."""
    known = read_quick(game)
    assert known is not None
    chosen, first = known.editions[edition], choose(f"{game}@{edition}")
    ids = {one.id for one in chosen.cases}
    noticed = [set(notice(first, one).cases) for one in draw_apart(first, known.drawn, known.seed)[1]]

    assert sum(bool(cases) for cases in noticed) == chosen.unseen.noticed
    assert sum(not cases.isdisjoint(ids) for cases in noticed) == chosen.unseen.reached
