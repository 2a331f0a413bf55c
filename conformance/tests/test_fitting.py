"""Fitting: the changes of the rules that explain what a program answers, and what is told of them."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path

import pytest

from brou import BrouError, Machine, changes, choose, rules
from brou_conformance.fitting.behaviour import Direction
from brou_conformance.fitting.comparison import is_answered_alike, is_ruled_out
from brou_conformance.fitting.search import WORK, FailureExplanation, RootSearch
from brou_conformance.fitting.slices import Course, VariedGround
from brou_conformance.judging.answered import AnsweredScript
from brou_conformance.judging.diagnosis import Citations, blame_clauses
from brou_conformance.judging.judge import Criteria, Status
from brou_conformance.judging.outcome import CaseOutcome
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.changed_rules import contradicts_itself, tell_change
from brou_conformance.reports.document import describe_run
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.summary import Summary
from brou_conformance.reports.text import tell_run
from brou_conformance.scenarios.corpus import applying, scenarios
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.script import Script, spell
from brou_conformance.verdicts import verify
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict

ROOM = Path(__file__).resolve().parents[1]
NODE = shutil.which("node")


@lru_cache(maxsize=4)
def judged(program: str, game: str, text: str = "") -> EditionRun:
    """Return what is found of a program of the zoo, by the scenarios with some words."""
    starter = sys.executable if program.endswith(".py") else NODE or ""
    with Session(lambda: Child.start([starter, str(ROOM / "zoo" / program)])) as session:
        return verify.verify(session, Selection(game, text=text)).runs[0]


def eighteen() -> EditionRun:
    """Return a program that has one number other than it is."""
    return judged("brouc/eighteen_is_enough.py", "brouc", "brouc.cd")


@pytest.mark.slow
def test_a_wrong_number_is_found() -> None:
    """The number is named, with its clause, and all failures come from it."""
    found = eighteen().explanation
    (root,) = found.roots

    assert (root.clause, root.change.before, root.change.after) == ("brouc.cd.01", "190", "180")
    assert (found.is_whole, found.unexplained, root.contradicts, found.trace) == (True, (), 0, "")
    assert set(root.explains) == {case.number for case in eighteen().failing}


# The search over all scenarios of a game takes seven seconds; it guards changes of an order, of which there are few.
@pytest.mark.thorough
def test_a_wrong_order_is_found() -> None:
    """One rank that stands elsewhere explains everything."""
    found = judged("brouc/ten_below_king.py", "brouc").explanation
    (root,) = found.roots

    assert found.is_whole
    assert (root.clause, root.change.after) == ("brouc.rank.01", "T 4, K 7, Q 6, J 5")


@pytest.mark.parametrize(
    ("lang", "sentence", "before", "after"),
    [
        ("en", "It plays brouc@2022, but 180 points instead of 190 points (brouc.cd.01).", "190 points", "180 points"),
        ("fr", "Il joue brouc@2022, mais 180 points au lieu de 190 points (brouc.cd.01).", "190", "180"),
        ("de", "Es spielt brouc@2022, aber 180 Punkten statt 190 Punkten (brouc.cd.01).", "190 Punkten", "180 Punkten"),
    ],
)
def test_the_report_opens_with_it(lang: str, sentence: str, before: str, after: str) -> None:
    """The second line says in the reader's language what is played; both texts follow, with a case, and no suspect."""
    lines = tell_run(Summary(eighteen()), Teller(Sentences(lang))).splitlines()
    told = " ".join(" ".join(lines).split())

    assert " ".join(" ".join(lines[1:3]).split()).startswith(sentence)
    assert before in told.partition(sentence)[2]
    assert after in told.partition(sentence)[2]
    assert "brou explain brouc.part.a-call-from-eighteen#call" in told
    assert told.count("brouc.cd.01") == 2


# The search takes eight seconds; what is told of such a change is guarded by the next test, without a program.
@pytest.mark.thorough
def test_a_duty_that_is_not_held_is_told_by_its_text() -> None:
    """Of a rule that is gone no conditions are told, but that the program does not hold to it."""
    run = judged("brouc/underruff.py", "brouc", "brouc.over")
    told = " ".join(tell_run(Summary(run), Teller()).split())

    assert "It plays brouc@2022, but “A player who can neither follow suit nor beat" in told
    assert "The program does not hold to it." in told


def test_a_duty_with_a_condition_and_its_opposite_does_not_bind() -> None:
    """Where a change adds the opposite of what a rule asks, the report says that the rule is not held to."""
    choice = choose("brouc")
    found = next(
        one
        for one in changes(rules(choice))
        if one.clause == "brouc.over.05" and one.becomes is not None and contradicts_itself(one.becomes)
    )
    told = tell_change(choice, found, Sentences())

    assert told.is_lifted
    assert told.brief.endswith("does not bind")


@pytest.mark.parametrize(
    ("plain", "left", "beside", "others_left", "is_taken"),
    [(1, 0, 1, 0, True), (2, 0, 1, 0, False), (0, 3, 1, 0, False), (1, 1, 1, 0, False), (1, 0, 0, 1, False)],
)
def test_readings_that_spare_no_change_are_not_told(
    plain: int, left: int, beside: int, others_left: int, *, is_taken: bool
) -> None:
    """Changes alone are told if they leave no more cases over, and are fewer than others and one reading together."""
    (root,) = eighteen().explanation.roots
    alone, others = (
        FailureExplanation((root,) * roots, tuple(range(cases)))
        for roots, cases in ((plain, left), (beside, others_left))
    )

    assert verify.has_simpler_changes(alone, others, readings=1) is is_taken


# The search takes nine seconds; it guards changes that put another name of the game into a condition.
@pytest.mark.thorough
def test_a_name_in_the_wrong_place_is_found_with_the_clause_that_cases_cite() -> None:
    """An exception from two rows explains everything; these rows are of another clause than its cases."""
    found = judged("brouc/partner_is_spared.py", "brouc", "brouc.over").explanation
    (root,) = found.roots

    assert found.is_whole
    assert (root.clause, root.change.operator) == ("brouc.over.06", "every-row")
    assert root.change.clause != root.clause
    assert "team(winning) == team(p)" in root.change.after


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["brouc@2022", "homme-de-brou@1802", "hombre@danish"])
def test_no_change_is_told_by_the_same_words_twice(name: str) -> None:
    """Where words cannot tell a condition from another one, both stand as the rules write them."""
    choice = choose(name)
    told = [tell_change(choice, one, Sentences()) for one in islice(changes(rules(choice)), 0, None, 16)]

    assert len(told) > 200
    assert [one.brief for one in told if one.before == one.after] == []


def test_the_document_has_the_roots() -> None:
    """Everything that the text says is there for programs as well."""
    (root,) = describe_run(eighteen()).roots or ()

    assert (root.clause, root.change.at, root.change.after) == ("brouc.cd.01", "params/call_from/value", "180")
    assert root.smallest in root.explains
    assert root.explains == root.alone
    assert (root.brief, root.command) == ("180 points instead of 190 points", f"brou explain {root.smallest}")
    assert root.said != root.wanted
    assert len(root.explains) == len(eighteen().failing)


def test_a_fault_of_the_search_leaves_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict and the clauses are those of citations alone, and the trace is told as a fault of our own."""

    def break_down(_: object) -> FailureExplanation:
        raise RuntimeError("the search is lost")

    monkeypatch.setattr(RootSearch, "explain", break_down)
    with Session(lambda: Child.start([sys.executable, str(ROOM / "zoo" / "brouc/eighteen_is_enough.py")])) as session:
        run = verify.verify(session, Selection("brouc", text="brouc.cd")).runs[0]
    told = tell_run(Summary(run), Teller())

    assert (run.verdict, run.blamed[0].clause) == (EditionVerdict.DEVIATES, "brouc.cd.01")
    assert "the verdict does not depend on it" in " ".join(told.split())
    assert "our own fault: RuntimeError: the search is lost" in told


@pytest.mark.slow
def test_a_search_without_work_tells_that_it_was_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget is one of steps: without any, nothing is found or claimed, and behaviour is all that is told."""
    monkeypatch.setattr("brou_conformance.fitting.search.WORK", 0)
    with Session(lambda: Child.start([sys.executable, str(ROOM / "zoo" / "brouc/eighteen_is_enough.py")])) as session:
        run = verify.verify(session, Selection("brouc", text="brouc.cd")).runs[0]
    found, told = run.explanation, " ".join(tell_run(Summary(run), Teller()).split())

    assert (found.roots, found.is_whole, found.is_cut_short) == ((), False, True)
    assert WORK > 0
    assert {one.what for one in found.behaviours} == {"declare"}
    assert {one.direction for one in found.behaviours} <= {Direction.TAKES, Direction.OFFERS}
    assert {number for one in found.behaviours for number in one.cases} == {case.number for case in run.failing}
    assert "No change of the rules that was tried explains it. What the program does otherwise: " in told
    assert Summary(run).behaviours[0].shown.step in told


def outcome(number: int, *clauses: str) -> CaseOutcome:
    """Return a failing case that cites some clauses."""
    none = frozenset[str]()
    return CaseOutcome(
        number, "4", f"case-{number}", Status.FAIL, clauses, "s", 0, 1, named=True, fails=True, strays=none
    )


def test_fit_has_a_voice_where_many_cases_fail() -> None:
    """A change that explains everything outweighs citations of a fault that breaks most, and of no other."""
    many = [outcome(number, "g.one.01", "g.two.01") for number in range(60)]
    few = many[:2]
    fits = {"g.two.01": 1.0}

    assert blame_clauses(many, Citations.none())[0].clause == "g.one.01"
    assert blame_clauses(many, Citations.none(), fits)[0].clause == "g.two.01"
    assert blame_clauses(few, Citations.none(), fits)[0].clause == "g.one.01"


def test_a_poor_fit_has_no_voice() -> None:
    """A change that explains less than half of the failures does not turn citations round."""
    many = [outcome(number, "g.one.01", "g.two.01") for number in range(60)]

    assert blame_clauses(many, Citations.none(), {"g.two.01": 0.4})[0].clause == "g.one.01"


def find_list(ground: VariedGround) -> tuple[Script, Course, int]:
    """Return a script of the corpus with its course, and the number of a step that asks for the cards to be played."""
    choice = ground.choice
    for one in applying(scenarios(choice.game), choice.edition, choice.setup, first=True):
        script = spell(one, choice)
        for number, step in enumerate(script.steps):
            cards = [pattern.members.get("play") for pattern in step.patterns]
            if step.verb == "legal" and any(isinstance(listed, list) and len(listed) > 1 for listed in cards):
                course = ground.follow(script)
                assert course is not None
                return script, course, number
    raise AssertionError("no script asks for the cards that may be played")


@pytest.mark.slow
def test_one_disputed_act_rules_out_changes_that_list_other_cards() -> None:
    """A disputed act rules out almost all changes that list other cards, and none that lists the same."""
    ground = VariedGround(choose("brouc"), Criteria({}, codes=False))
    script, course, number = find_list(ground)
    players = [ground.rules.vary([change]) for change in islice(changes(ground.rules.game), 0, None, 5)]

    def list_acts(player: Machine) -> Message:
        with suppress(BrouError):
            return take(player, course.states[number], script.steps[number].message)[0]
        return course.told[number]

    otherwise = next(
        said for said in map(list_acts, players) if said["legal"]["play"] != course.told[number]["legal"]["play"]
    )
    answers = [*course.told[:number], otherwise, *course.told[number + 1 :]]
    found = ground.slice(AnsweredScript(script, answers, frozenset()))
    assert found is not None
    assert [*found.disputed] == [number]
    ruled_out = [is_ruled_out(player, found, number, course.states[number]) for player in players]
    alike = [is_answered_alike(player, found, number, course.states[number], ground.terms) for player in players]

    assert not any(out and fits for out, fits in zip(ruled_out, alike, strict=True))
    assert any(alike)
    assert ruled_out.count(False) < alike.count(True) + len(players) // 100
