"""Diagnosis: of the clauses that failing cases cite, the one is named first that they are about."""

from __future__ import annotations

from collections.abc import Sequence

from brou import choose
from brou.errors import NOWHERE
from brou_conformance.judging.case import Case
from brou_conformance.judging.diagnosis import Citations, blame_clauses
from brou_conformance.judging.judge import Status, StepJudgement
from brou_conformance.judging.outcome import CaseOutcome
from brou_conformance.scenarios.corpus import games
from brou_conformance.scenarios.scenario import Scenario, ScriptStep
from brou_conformance.scenarios.script import Script

ABOUT, WAY = True, False


def case(id_: str, clauses: Sequence[str], *steps: tuple[bool, Status]) -> Case:
    """Return a case that cites some clauses, with its steps: whether the case is about each, and its status."""
    choice = choose(games()[0])
    lines = tuple(
        ScriptStep(f"s{number}", "act", {}, NOWHERE, named=named) for number, (named, _) in enumerate(steps, start=1)
    )
    scenario = Scenario(choice.game, id_, id_, dict.fromkeys(clauses, ()), "must", "text", "it is so", lines, NOWHERE)
    judgements = [StepJudgement(line, status, {}, None) for line, (_, status) in zip(lines, steps, strict=True)]
    return Case(Script(scenario, choice, lines, {}), tuple(judgements))


def named(failing: Sequence[Case], passing: Sequence[Case] = ()) -> list[str]:
    """Return the clauses that are blamed, the most suspect first."""
    cited = Citations.none()
    for one in passing:
        cited.add(one.scenario.clauses)
    outcomes = [CaseOutcome.of(number, one) for number, one in enumerate(failing)]
    return [blame.clause for blame in blame_clauses(outcomes, cited)]


FAILS, PASSES = (ABOUT, Status.FAIL), (ABOUT, Status.PASS)


def test_what_cases_cite_first_counts_more() -> None:
    """Of two clauses that the same failing cases cite, that is named which they cite first."""
    failing = [case("one", ["z.first", "a.beside"], FAILS), case("two", ["z.first", "a.beside"], FAILS)]

    assert named(failing) == ["z.first"]


def test_a_case_that_breaks_on_the_way_does_not_count_beside_others() -> None:
    """Where some case fails in what it is about, the cases that fail before they come to that are set aside."""
    way = [case(f"way {n}", ["a.elsewhere"], (WAY, Status.FAIL), (ABOUT, Status.BLOCKED)) for n in range(3)]

    assert named([*way, case("about", ["b.meant"], PASSES, FAILS)]) == ["b.meant"]


def test_cases_that_break_on_the_way_count_where_no_other_fails() -> None:
    """What all of them cite is then the best guess."""
    assert named([case("way", ["a.elsewhere"], (WAY, Status.FAIL), (ABOUT, Status.BLOCKED))]) == ["a.elsewhere"]


def test_a_clause_of_which_much_passes_is_suspected_less() -> None:
    """Of two clauses that a failing case cites, that is named of which nothing passes, be it cited behind the other."""
    failing = [case("fails", ["a.sound", "b.broken"], FAILS)]
    passing = [case(f"passes {number}", ["a.sound"], PASSES) for number in range(5)]

    assert (named(failing), named(failing, passing)) == (["a.sound"], ["b.broken"])
