"""Questions split what is left, answers leave what they must, and of simulated tables nothing wrong is found."""

from __future__ import annotations

from itertools import product
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import Sitting, sit

from brou import choose
from brou.errors import NOWHERE, Impossible
from brou_conformance.questioning.courses import Interpreter, ScenarioCourse, set_out, tell
from brou_conformance.questioning.interview import Interview, moved_starts
from brou_conformance.questioning.knowledge import KeyGroup, ReadingSpace, begin
from brou_conformance.questioning.optimum import best, by_halves, least_questions
from brou_conformance.questioning.outcomes import ALLOWED, FORBIDDEN, Vocabulary, fits, outcome_of, read_outcome
from brou_conformance.questioning.splitting import entropy, split
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Pattern, Scenario, ScriptStep

DOMAINS = {"a": ("1", "2", "3"), "b": ("x", "y"), "c": ("p", "q")}


def plain_knowledge() -> ReadingSpace:
    """Return three independent keys."""
    groups = [KeyGroup((key,), frozenset((value,) for value in values)) for key, values in DOMAINS.items()]
    return ReadingSpace(tuple(groups), DOMAINS)


def scenario(game: str, name: str) -> Scenario:
    """Return a scenario by its id."""
    return next(one for one in corpus.scenarios(game) if one.id == name)


# What is known -------------------------------------------------------------------------------------------------------


@given(st.sets(st.sampled_from(sorted(product(*DOMAINS.values()))), min_size=1))
def test_knowledge_keeps_the_rows_that_hold_and_no_other(rows: set[tuple[str, ...]]) -> None:
    """What is left after narrowing are the rows that were kept, however they are split into groups."""
    found = plain_knowledge().keep(tuple(DOMAINS), rows.__contains__)

    assert set(found.weigh(tuple(DOMAINS))) == rows
    assert found.count(tuple(DOMAINS)) == len(rows)
    assert found.bits == pytest.approx(log2(len(rows)))


def test_independent_keys_are_kept_apart() -> None:
    """A row that fixes one of two keys leaves them in groups of their own."""
    found = plain_knowledge().keep(("a", "b"), lambda row: row[1] == "y")

    assert all(len(group.keys) == 1 for group in found.groups)
    assert (found.find_settled("b"), found.list_left("a")) == ("y", ("1", "2", "3"))


def test_no_reading_left_is_refused() -> None:
    """Knowledge of nothing cannot be."""
    with pytest.raises(Impossible):
        plain_knowledge().keep(("a",), lambda _: False)


def test_excluded_readings_are_no_choice() -> None:
    """Two values that the rules exclude together are in no row, and what means nothing in a set-up is not left."""
    known = begin(choose("brouc"), {})
    rows = known.weigh(("claim_window", "claim_counts_open_trick"))

    assert ("between-tricks", "yes") not in rows
    assert len(rows) == 3
    assert begin(choose("brusquembille@1718:3"), {}).find_settled("partners_stake") == "each-player"


def test_a_reading_that_is_given_is_known() -> None:
    """What is named beforehand is settled, and asks no question."""
    known = begin(choose("hombre"), {"demande_spades": "forbidden"})

    assert known.find_settled("demande_spades") == "forbidden"
    assert "demande_spades" not in known.open


# What an answer agrees with ------------------------------------------------------------------------------------------

SCORE = ScriptStep("s", "score", {"score": True}, NOWHERE, Pattern("score", {"points": 3, "over": False}))
VIEW = ScriptStep("s", "view", {"view": 1}, NOWHERE, Pattern("view", {"phase": "play"}, ("trump",)))
LEGAL = ScriptStep("s", "legal", {"legal": 1}, NOWHERE, Pattern("legal", {"play": ["AS"], "claim": [True]}))
ACT = ScriptStep("s", "act", {"by": 0, "act": {"claim": True}}, NOWHERE, Pattern("ok", value=True))


def test_refusals_are_one_whatever_duty_they_name() -> None:
    """Which of several duties a refusal names tells nothing of a reading."""
    assert outcome_of(ACT, {"no": "window_closed"}) == outcome_of(ACT, {"no": True}) == FORBIDDEN
    assert outcome_of(ACT, {"ok": True}) == ALLOWED


def test_an_answer_is_compared_in_what_the_scenario_names() -> None:
    """A key that nobody asked for is not looked at."""
    outcome = outcome_of(SCORE, {"score": {"points": 3, "over": False, "worth": 1}})

    assert set(read_outcome(outcome)) == {"points", "over"}
    assert fits(SCORE, {"score": {"points": 3, "over": False, "worth": 9}}, outcome, Vocabulary())


def test_a_key_that_a_program_lacks_decides_nothing() -> None:
    """What is absent and has never been shown is left out of the comparison; alone, it decides nothing at all."""
    outcome = outcome_of(SCORE, {"score": {"points": 3, "over": False}})

    assert fits(SCORE, {"score": {"over": False}}, outcome, Vocabulary()) is True
    assert fits(SCORE, {"score": {"others": 1}}, outcome, Vocabulary()) is None
    assert fits(SCORE, {"score": {"over": False}}, outcome, Vocabulary(frozenset({"points"}))) is False


def test_what_a_view_hides_counts_once_the_program_has_shown_it() -> None:
    """A key that is hidden under one reading decides only if the program knows the key."""
    hidden = outcome_of(VIEW, {"view": {"phase": "play", "trump": None}})
    knowing = Vocabulary().learn(VIEW, {"view": {"phase": "play", "trump": "S"}})

    assert fits(VIEW, {"view": {"phase": "play", "trump": "S"}}, hidden, knowing) is False
    assert fits(VIEW, {"view": {"phase": "play"}}, hidden, knowing) is True
    assert fits(VIEW, {"view": {"others": 1}}, hidden, Vocabulary()) is None


def test_an_act_that_a_program_lacks_decides_nothing() -> None:
    """Without the act in its list a program that has never offered it may not know it."""
    outcome = outcome_of(LEGAL, {"legal": {"play": ["AS"], "claim": [True]}})

    assert fits(LEGAL, {"legal": {"play": ["AS"]}}, outcome, Vocabulary(frozenset({"play"}))) is True
    assert fits(LEGAL, {"legal": {"play": ["AS"]}}, outcome, Vocabulary(frozenset({"play", "claim"}))) is False
    assert fits(ACT, {"skip": "no claims"}, ALLOWED, Vocabulary()) is None


# Questions -----------------------------------------------------------------------------------------------------------


def course(game: str, name: str, *, rules: str = "") -> tuple[ScenarioCourse, Interpreter, ReadingSpace]:
    """Return a scenario as a course with who answers it, and nothing known."""
    plain = choose(rules or game)
    found = set_out(scenario(game, name), plain)
    assert found is not None
    return found, Interpreter(plain), begin(plain, {})


def test_a_question_hangs_on_two_keys_at_once_where_it_does() -> None:
    """A step that two readings answer together has a class for each way they can answer."""
    found, interpreter, known = course("hombre", "omb.part.a-tourne-given-up-at-once")
    question = split(found, len(found.steps) - 1, known, interpreter)

    assert question is not None
    assert set(question.keys) >= {"score_contract"}
    assert all(
        tell(found, question.number, interpreter.choice(dict(zip(question.keys, row, strict=True)))).outcomes[-1]
        == outcome
        for row, outcome in question.outcomes.items()
    )


def test_nothing_parts_what_is_known() -> None:
    """Where all keys of a course are known there is no question."""
    found, interpreter, _ = course("hombre", "omb.part.a-tourne-given-up-at-once")
    known = begin(interpreter.plain, dict(interpreter.plain.readings))

    assert split(found, len(found.steps) - 1, known, interpreter) is None


def test_a_number_that_is_known_moves_the_start_of_what_turns_on_it() -> None:
    """A reading that shows only close to the target is found at a table with another target, too."""
    plain = choose("homme-d-auvergne@1665:4")
    given = {key: value for key, value in plain.readings if key not in ("simultaneous_target", "target")}
    interview = Interview.begin(plain, begin(plain, {**given, "target": "43"}))
    question = interview.next()

    assert question is not None
    assert question.keys == ("simultaneous_target",)


def test_a_scenario_of_another_set_up_serves_where_it_can_be_begun() -> None:
    """What is written for one edition parts the readings of another in which its deal is a deal."""
    plain = choose("homme-d-auvergne@1718:4")
    given = {key: value for key, value in plain.readings if key != "draw_order"}

    assert Interview.begin(plain, begin(plain, given)).next() is not None


def test_a_number_falls_into_blocks() -> None:
    """A target parts the values up to a figure from those above it, without each of them being asked."""
    found, interpreter, known = course("brouc", "brouc.match.fifth-tick", rules="brouc@2022")
    given = {key: value for key, value in interpreter.plain.readings if key != "match_ticks"}
    question = split(found, len(found.steps) - 1, begin(interpreter.plain, given), interpreter)

    assert question is not None
    assert question.keys == ("match_ticks",)
    assert max(question.weights.values()) < len(known.list_left("match_ticks"))
    assert question.outcome(("5",)) != question.outcome(("6",))
    assert question.outcome(("6",)) == question.outcome(("99",))


def test_starts_are_moved_to_where_a_number_is_looked_for() -> None:
    """The figures that stand before a scenario are raised one by one, and all together."""
    one = scenario("brouc", "brouc.match.fifth-tick")
    figures = [moved.before["coches"] for moved in moved_starts(one, 10)]

    assert [3, 14] in figures
    assert [13, 14] in figures
    assert figures[0] == [3, 4]


# The optimum ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "least"), [(2, (1.0, 1)), (3, (5 / 3, 2)), (4, (2.0, 2)), (99, (6.707, 7))])
def test_halves_find_one_of_many(size: int, least: tuple[float, int]) -> None:
    """One of four takes two questions; one of three takes two in two cases of three."""
    average, worst = by_halves(size)

    assert (average, worst) == pytest.approx(least, abs=0.001)


def test_the_best_order_is_found() -> None:
    """Three values, of which each question tells one from the others, take five thirds on average."""
    group = KeyGroup(("a",), frozenset((value,) for value in "123"))
    questions = [{row: ((), row == (value,)) for row in group.rows} for value in "123"]

    assert least_questions(group, questions) == pytest.approx((5 / 3, 2))
    assert least_questions(group, questions[:1]) == (1.0, 1)
    assert least_questions(group, [{row: ((), row) for row in group.rows}]) == (1.0, 1)


def test_a_question_behind_another_is_asked_after_it() -> None:
    """What is refused under one value cannot be followed by a question under all of them."""
    group = KeyGroup(("a",), frozenset((value,) for value in "123"))
    first = {row: ((), row == ("1",)) for row in group.rows}
    behind = {row: (row == ("1",), row) for row in group.rows}

    assert least_questions(group, [behind]) == (0.0, 0)
    assert least_questions(group, [first, behind]) == pytest.approx((5 / 3, 2))


def test_entropy_of_equal_halves_is_one_bit() -> None:
    """What is split evenly tells most."""
    assert entropy([2, 2]) == 1.0
    assert entropy([4]) == 0.0
    assert entropy([1, 3]) < 1.0


# Whole interviews ----------------------------------------------------------------------------------------------------

QUICK = ("hombre@danish:3",)
WHOLE = (
    "hombre@danish:4",
    "homme-d-auvergne@1725:4",
    "brouc@2022:4",
    "brouc@club-2026:4",
    "homme-de-brou@1802:4",
    "brusquembille@1718:3",
    "homme-d-auvergne@1665:4",
)


def check(sitting: Sitting) -> None:
    """See that nothing wrong was found, that everything else is open, and that few questions were asked."""
    assert sitting.wrong == {}
    assert all(asked.fits for asked in sitting.interview.asked)
    assert sitting.interview.find_doubtful() == frozenset()
    assert sitting.questions <= sitting.optimum.worst + len(sitting.interview.known.open)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_table_is_found_out(name: str) -> None:
    """Each reading that was found is that of the table."""
    check(sit(name, 1))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*QUICK, *WHOLE])
def test_any_table_is_found_out(name: str, seed: int) -> None:
    """In five games each reading that was found is that of the table, with at most the questions of the worst case."""
    check(sit(name, seed + 2))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["homme-d-auvergne@1665:4", "brouc@2022:4"])
def test_numbers_are_found_by_halves(name: str) -> None:
    """Who names no number is asked situations that part it, and nothing wrong is found."""
    sitting = sit(name, 1, outright=False)

    assert sitting.wrong == {}
    assert all(asked.fits for asked in sitting.interview.asked)


def test_no_answer_forces_a_reading() -> None:
    """An answer that fits nothing that is left changes nothing, and one that everything fits neither."""
    plain = choose("hombre@danish:3")
    interview = Interview.begin(plain, begin(plain, {}))
    before = interview.known
    first = interview.next()
    assert first is not None
    asked = interview.hear(first, [], "something else")
    again = interview.next()
    assert again is not None
    unknown = interview.hear(again, again.weights, "we do not know")

    assert (asked.fits, asked.decides) == (False, False)
    assert (unknown.fits, unknown.decides) == (True, False)
    assert interview.known == before
    assert again.name != first.name


def test_the_optimum_counts_what_was_found_alone() -> None:
    """A reading that no question tells apart is no part of the bound."""
    plain = choose("hombre@danish:3")
    known = begin(plain, {})
    whole = best(known, corpus.scenarios("hombre"), known.open, {})
    part = best(known, corpus.scenarios("hombre"), known.open[:1], {})

    assert whole.exact
    assert 0 < part.average < whole.average <= whole.worst
    assert best(known, corpus.scenarios("hombre"), [], {}).average == 0
