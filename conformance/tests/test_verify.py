"""Verdicts: what a program's answers mean together, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brou import Unknown, book
from brou_conformance.fitting.search import FailureExplanation
from brou_conformance.judging.case import Case
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message, encode, fault
from brou_conformance.reports.badge import badge
from brou_conformance.reports.document import document
from brou_conformance.reports.text import tell_report
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import Report, RunObserver, verify

Changed = Callable[..., Session]
Corpus = Callable[..., Path]

FINE = "  steps:\n  - {by: 0, act: {play: AS}}\n  - {id: turn, view: 1, expect: {turn: 1}}"
CLAIM = "{yes: ok, no: {no: window_closed}, after-first-trick: {no: window_closed}}"
READS = f"  steps:\n  - {{id: claim, by: 0, act: {{claim: true}}, readings: {{claim_between_deals: {CLAIM}}}}}"
BEFORE = "  deal: {dealer: 3}\n"
NAME = "brouc@2022"


def honest(request: Message, reply: Message) -> Message:
    """Return the reply of a program that declares no readings and follows none that are asked for."""
    if request["op"] != "hello":
        return reply
    return {**reply, "readings": {}, "can": [ability for ability in reply["can"] if ability != "readings"]}


def answering(**results: Message) -> Callable[[Message, Message], Message]:
    """Return a program that answers some kinds of step always alike."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return honest(request, reply)
        kinds = [next(key for key in ("act", "legal", "winner", "view", "score") if key in s) for s in request["steps"]]
        return {**reply, "results": [results.get(k, r) for k, r in zip(kinds, reply["results"], strict=True)]}

    return change


def declaring(**said: Any) -> Callable[[Message, Message], Message]:
    """Return a program that says something else of itself."""
    return lambda request, reply: {**honest(request, reply), **(said if request["op"] == "hello" else {})}


def judged(session: Session, corpus: Path, *, explains: bool = True, **selection: Any) -> Report:
    """Return the report on a program; to explain failures takes seconds where it is not what is asked."""
    with session:
        return verify(session, Selection(corpus=corpus, **selection), explains=explains)


class Collector(RunObserver):
    """Keeps every case."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def on_case(self, case: Case) -> None:
        """Keep it."""
        self.cases.append(case)


def statuses(run: EditionRun) -> list[str]:
    """Return the statuses of all steps that do not pass."""
    return [found.status for case in run.cases for found in case.findings]


def test_a_program_that_answers_as_expected_conforms(changed: Changed, corpus: Corpus) -> None:
    """Every case passes and every case found is accounted for."""
    (run,) = judged(changed(honest, NAME), corpus(FINE, FINE)).runs

    assert (run.verdict, run.discovered, run.counts["pass"]) == (EditionVerdict.FOLLOWS, 2, 2)


@pytest.mark.slow
def test_a_program_that_answers_otherwise_deviates(changed: Changed, corpus: Corpus) -> None:
    """The clause that the failing case cites is blamed, with the step that fails."""
    (run,) = judged(changed(answering(view={"view": {"turn": 3}}), NAME), corpus(FINE), explains=False).runs

    assert run.verdict is EditionVerdict.DEVIATES
    assert [(blame.clause, blame.cases[0].step) for blame in run.blamed] == [("brouc.play.02", "test.n1#turn")]


@pytest.mark.slow
def test_the_verdict_does_not_rest_on_what_explains_it(changed: Changed, corpus: Corpus) -> None:
    """Who wants no explanation is judged alike, and none is looked for."""
    wrong, folder = answering(view={"view": {"turn": 3}}), corpus(FINE)
    whole, bare = (
        verify(changed(wrong, NAME), Selection(corpus=folder), explains=explains).runs[0] for explains in (True, False)
    )

    assert (bare.verdict, statuses(bare)) == (whole.verdict, statuses(whole))
    assert bare.verdict is EditionVerdict.DEVIATES
    assert bare.explanation == FailureExplanation() != whole.explanation


@pytest.mark.slow
def test_what_is_refused_wrongly_blocks_and_fails(changed: Changed, corpus: Corpus) -> None:
    """A case counts by its worst step; what could not be reached behind it is no failure of its own."""
    (run,) = judged(changed(answering(act={"no": True}), NAME), corpus(FINE), explains=False).runs

    assert statuses(run) == ["fail", "behind"]
    assert run.counts["fail"] == 1


@pytest.mark.parametrize("result", [{"skip": "not here"}, {"err": "bug"}, {"view": {}}])
def test_a_program_that_cannot_be_judged_does_not_conform(changed: Changed, corpus: Corpus, result: Message) -> None:
    """Neither skipping nor crashing passes."""
    change = answering(act=result, view=result if "view" not in result else {"ok": True})
    (run,) = judged(changed(change, NAME), corpus(FINE)).runs

    assert run.verdict is EditionVerdict.ADAPTER


def test_what_is_unsupported_is_counted(changed: Changed, corpus: Corpus) -> None:
    """A program that takes no deals is asked nothing and passes nothing."""
    (run,) = judged(changed(declaring(can=["match"]), NAME), corpus(FINE)).runs

    assert (run.verdict, run.counts["unsupported"]) == (EditionVerdict.ADAPTER, 1)


def test_another_reading_throughout_conforms_and_is_told(changed: Changed, corpus: Corpus) -> None:
    """A program that declares no reading may follow any, as long as it is one."""
    report = judged(changed(honest, f"{NAME}[claim_between_deals=no]"), corpus(READS, READS, deal=BEFORE))

    assert (report.runs[0].verdict, report.runs[0].counts["pass"]) == (EditionVerdict.FOLLOWS_READINGS, 2)
    assert report.runs[0].inferred["claim_between_deals"].values == ("no", "after-first-trick")
    assert "claim_between_deals=no|after-first-trick" in tell_report(report)


@pytest.mark.slow
def test_mixed_readings_deviate(changed: Changed, corpus: Corpus) -> None:
    """A program that answers now so and now so follows no reading."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return honest(request, reply)
        (step,) = request["steps"]
        return {**reply, "results": [{"ok": True} if step["by"] == 0 else {"no": "window_closed"}]}

    asked = (READS, READS.replace("by: 0", "by: 2"))
    (run,) = judged(changed(change, NAME), corpus(*asked, deal=BEFORE), explains=False).runs

    assert run.verdict is EditionVerdict.DEVIATES
    assert run.contradicted == {"claim_between_deals"}


@pytest.mark.slow
def test_a_declared_reading_is_held_to(changed: Changed, corpus: Corpus) -> None:
    """Who declares a reading and plays another deviates."""
    change = declaring(readings={NAME: {"claim_between_deals": "yes"}}, can=["deal", "match", "codes", "offturn"])
    program = changed(change, f"{NAME}[claim_between_deals=no]")
    report = judged(program, corpus(READS, deal=BEFORE), explains=False)

    assert report.runs[0].verdict is EditionVerdict.DEVIATES
    assert "It declares claim_between_deals=yes, and plays" in tell_report(report)


def test_a_declared_reading_decides_what_is_expected(changed: Changed, corpus: Corpus) -> None:
    """Who declares another reading and follows it passes."""
    change = declaring(readings={NAME: {"claim_between_deals": "no"}}, can=["deal", "match", "codes", "offturn"])
    (run,) = judged(changed(change, f"{NAME}[claim_between_deals=no]"), corpus(READS, deal=BEFORE)).runs

    assert (run.verdict, run.counts["pass"]) == (EditionVerdict.FOLLOWS, 1)


PREMISED = f"  readings: {{claim_between_deals: no}}\n{FINE}"


def test_other_premises_are_left_out_and_counted(changed: Changed, corpus: Corpus) -> None:
    """A scenario of another reading says nothing of a program that does not follow it."""
    report = judged(changed(honest, NAME), corpus(FINE, PREMISED))

    assert (report.runs[0].discovered, report.runs[0].left_out) == (1, 1)
    assert "Left out, because they are about other readings: 1 scenario." in tell_report(report)


def test_what_is_for_other_readings_is_counted(changed: Changed, corpus: Corpus) -> None:
    """Expectations under readings that a program does not play are told with one that has some of them."""
    report = judged(changed(honest, NAME), corpus(READS, deal=BEFORE))

    told = " ".join(tell_report(report).split())
    assert "Not asked, because they are for other readings: 2 expectations (claim_between_deals=no, claim_" in told
    assert "For some of them: brou serve 'brouc@2022[claim_between_deals=no]'" in told
    others = ("claim_between_deals=no", "claim_between_deals=after-first-trick")
    assert document(report)["runs"][0]["elsewhere"] == dict.fromkeys(others, 1)


def test_where_all_scenarios_are_about_other_readings_that_is_told(changed: Changed, corpus: Corpus) -> None:
    """It is not said that there is no scenario."""
    told = tell_report(judged(changed(honest, NAME), corpus(PREMISED)))

    assert "Nothing was asked: all its scenarios are about readings that it does not play." in told
    assert "There is no scenario" not in told


def test_a_wrong_expectation_under_a_declared_reading_is_judged(changed: Changed, corpus: Corpus) -> None:
    """A scenario says something of a reading that it names, though the rules themselves answer otherwise."""
    wrong = READS.replace("no: {no: window_closed}, after", "no: ok, after")
    change = declaring(readings={NAME: {"claim_between_deals": "no"}}, can=["deal", "match", "codes", "offturn"])
    (run,) = judged(changed(change, f"{NAME}[claim_between_deals=no]"), corpus(wrong, deal=BEFORE)).runs

    assert (run.discovered, run.left_out, run.counts["fail"]) == (1, 0, 1)


def test_declared_readings_that_are_not_those_of_the_edition_are_named(changed: Changed, corpus: Corpus) -> None:
    """Who follows the edition but for what it declares is not said to follow it without more."""
    change = declaring(readings={NAME: {"claim_between_deals": "no"}}, can=["deal", "match", "codes", "offturn"])
    report = judged(changed(change, f"{NAME}[claim_between_deals=no]"), corpus(READS, deal=BEFORE))

    told = " ".join(tell_report(report).split())
    assert "follows the edition, except for readings that it declares: claim_between_deals=no." in told
    assert badge(report)["message"] == "follows declared readings 1/1"


def test_readings_that_are_agreed_on_are_not_said_to_be_declared(changed: Changed, corpus: Corpus) -> None:
    """A program that declares nothing is judged by them, and the verdict says whose they are."""
    change = declaring(readings={}, can=["deal", "match", "codes", "offturn"])
    session, agreed = changed(change, f"{NAME}[claim_between_deals=no]"), (("claim_between_deals", "no"),)
    report = judged(session, corpus(READS, deal=BEFORE), agreed=agreed)

    told = " ".join(tell_report(report).split())
    assert "follows the edition, with the readings that are agreed on: claim_between_deals=no." in told
    assert badge(report)["message"] == "follows agreed readings 1/1"


def test_who_follows_requests_is_asked_every_premise(reference: Callable[..., Session], corpus: Corpus) -> None:
    """No reading is another one to a program that follows any."""
    (run,) = judged(reference(NAME), corpus(FINE, PREMISED)).runs

    assert (run.verdict, run.discovered, run.left_out) == (EditionVerdict.FOLLOWS, 2, 0)


@pytest.mark.parametrize(
    ("readings", "told"),
    [
        ({"marking": "loud"}, "its readings cannot be followed: unknown value of marking 'loud'"),
        ({"claim_counts_open_trick": "yes", "claim_window": "between-tricks"}, "is impossible"),
    ],
)
def test_impossible_declarations_are_not_judged(changed: Changed, corpus: Corpus, readings: Any, told: str) -> None:
    """A program that says what cannot be is told so."""
    report = judged(changed(declaring(readings={NAME: readings}, can=["deal"]), NAME), corpus(FINE))

    assert report.runs[0].verdict is EditionVerdict.ADAPTER
    assert told in tell_report(report)


def test_unknown_declarations_are_noted(changed: Changed, corpus: Corpus) -> None:
    """What we do not know is said, and does not keep us from judging the rest."""
    plays = [{"game": game, "editions": ["2022"], "setups": ["4"]} for game in ("tarock", "brouc")]
    change = declaring(plays=plays, readings={NAME: {"no_such": "x"}})
    report = judged(changed(change, NAME), corpus(FINE))

    assert report.runs[0].verdict is EditionVerdict.FOLLOWS
    assert report.notes == ("it plays tarock, which we do not know",)
    assert "it declares no_such, which brouc@2022 does not leave open" in tell_report(report)


def test_an_edition_without_scenarios_is_not_judged(changed: Changed, corpus: Corpus) -> None:
    """Nothing conforms by never having been asked."""
    report = judged(changed(honest, NAME), corpus(f"  edition: club-2026\n{FINE}"))

    assert report.runs[0].verdict is EditionVerdict.ADAPTER
    assert "There is no scenario for it: nothing was asked." in tell_report(report)


@pytest.mark.parametrize("result", [{"ok": True}, {"no": True}, {"view": {}}, {"winner": None}])
def test_a_position_is_answered_by_legal_choices_alone(changed: Changed, corpus: Corpus, result: Message) -> None:
    """A result of another kind passes for nothing, though it be the one that is hoped for."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] == "run":
            return {**reply, "results": [result for _ in request["steps"]]}
        return cards_only(seen)(request, reply)

    (run,) = judged(changed(change, NAME), corpus(LEGAL)).runs

    assert (run.verdict, run.counts["protocol"]) == (EditionVerdict.ADAPTER, 1)


def test_a_result_of_another_kind_breaks_the_protocol(changed: Changed, corpus: Corpus) -> None:
    """Legal choices are no answer to an act."""
    folder = corpus("  steps:\n  - {by: 0, act: {claim: true}, expect: no}")
    (run,) = judged(changed(answering(act={"legal": {}}), NAME), folder).runs

    assert run.counts["protocol"] == 1


def test_a_scenario_that_cannot_be_dealt_is_our_fault(changed: Changed, corpus: Corpus) -> None:
    """Cases found and not judged are a fault of the suite, told with their place."""
    deal = "  deal: {dealer: 3, hands: {0: [AS], 1: [AH], 2: [AD], 3: [AC]}, turnup: AC}\n"
    report = judged(changed(honest, NAME), corpus(FINE, deal=deal))

    assert report.runs[0].verdict is EditionVerdict.SUITE
    assert "brouc/some.yaml:1:3: test.n1: the hands: seat 0 has 1 cards; 8 are dealt to it" in tell_report(report)


def test_a_selection_narrows(changed: Changed, corpus: Corpus) -> None:
    """One edition, and of it one scenario."""
    folder = corpus(FINE, FINE)
    (run,) = judged(changed(honest, "brouc"), folder, edition="2022", text="n2").runs

    assert [case.id for case in run.cases] == ["test.n2"]


@pytest.mark.parametrize(
    ("selection", "told"),
    [
        ({"game": "tarock"}, "unknown game 'tarock'; known: brouc, "),
        ({"game": "homme-de-brou"}, "unknown declaration of the program 'homme-de-brou'; known: brouc@2022:4"),
        ({"edition": "1802"}, "unknown declaration of the program '1802'; known: brouc@2022:4"),
        ({"text": "no such"}, "unknown scenario 'no such'; known: test.n1"),
    ],
)
def test_a_selection_of_nothing_is_refused(changed: Changed, corpus: Corpus, selection: Any, told: str) -> None:
    """A name that selects nothing is answered with what there is."""
    with pytest.raises(Unknown, match=told.replace("?", r"\?")):
        judged(changed(honest, NAME), corpus(FINE), **selection)


@pytest.mark.slow
def test_the_smallest_case_is_told(changed: Changed, corpus: Corpus) -> None:
    """People read what happened, what the program said and what the rules say."""
    long = '  steps:\n  - {play: ["0: AS AH AD"]}\n  - {id: late, view: 3, expect: {turn: 3}}'
    told = tell_report(judged(changed(answering(view={"view": {"turn": 2}}), NAME), corpus(long, FINE)))

    assert told.startswith("brouc@2022: brou ")
    assert "deviates from the edition.\n" in told
    assert "  2 cases: 2 fail.\n" in told
    assert "brouc.play.02: 2 of 2 cases fail" in told
    assert "case: test.n2#turn (brouc/some.yaml:" in told
    assert "0: AS\n      what does seat 1 see?\n        the program: turn 2\n        the rules:   turn 1" in told


@pytest.mark.slow
@pytest.mark.parametrize("view", [{"view": {"turn": 1}}, {"view": {"turn": 3}}, {"err": "\x1b[2J"}])
def test_the_report_has_the_shape_of_its_schema(changed: Changed, corpus: Corpus, view: Message) -> None:
    """What programs read is fixed, whatever the verdict."""
    report = document(judged(changed(answering(view=view), NAME), corpus(FINE, PREMISED)))

    assert fault("report", report) is None
    counts = report["runs"][0]["cases"]
    assert sum(counts.values()) == 2 * counts["discovered"]


def test_a_watch_is_told_case_by_case(changed: Changed, corpus: Corpus) -> None:
    """Somebody who waits is told what is planned, each case, each edition and the end."""
    told: list[Any] = []

    class Witness(RunObserver):
        def on_begin(self, greeting: Message) -> None:
            told.append(greeting["engine"]["name"])

        def on_plan(self, name: str, total: int) -> None:
            told.append((name, total))

        def on_case(self, case: Case) -> None:
            told.append(case.name)

        def on_edition_end(self, run: EditionRun) -> None:
            told.append(run.verdict)

        def on_finish(self, report: Report) -> None:
            told.append(len(report.runs))

    with changed(honest, NAME) as session:
        verify(session, Selection(corpus=corpus(FINE, FINE)), Witness())

    cases = [f"{NAME}:4 test.n1", f"{NAME}:4 test.n2"]
    assert told == ["brou", (NAME, 2), *cases, EditionVerdict.FOLLOWS, 1]


def test_several_sessions_share_the_work(changed: Changed, corpus: Corpus) -> None:
    """The cases stand in the order of the corpus, whoever judged them."""
    folder = corpus(*[FINE] * 5)
    with changed(honest, NAME) as session, changed(honest, NAME) as helper:
        (run,) = verify(session, Selection(corpus=folder), helpers=[helper]).runs

    assert [case.id for case in run.cases] == [f"test.n{number}" for number in range(1, 6)]
    assert run.verdict is EditionVerdict.FOLLOWS


def test_a_copy_that_says_something_else_of_itself_gets_no_work(changed: Changed, corpus: Corpus) -> None:
    """Only copies of one program are judged as one."""
    other = declaring(engine={"name": "another"})
    with changed(honest, NAME) as session, changed(other, NAME) as helper:
        (run,) = verify(session, Selection(corpus=corpus(FINE, FINE)), helpers=[helper]).runs

    assert run.counts["pass"] == 2


def test_an_answer_that_changes_is_no_answer(changed: Changed, corpus: Corpus) -> None:
    """What fails is asked once more; a program that then says something else is not judged by either."""
    views = iter([{"view": {"turn": 3}}, {"view": {"turn": 2}}])

    def change(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return honest(request, reply)
        return {**reply, "results": [reply["results"][0], next(views)]}

    (run,) = judged(changed(change, NAME), corpus(FINE)).runs

    assert (run.verdict, run.counts["protocol"]) == (EditionVerdict.ADAPTER, 1)
    (case,) = run.cases
    assert [found.said for found in case.findings] == ["asked once more, it answers otherwise"]


def test_earlier_answers_are_judged_without_asking(changed: Changed, corpus: Corpus) -> None:
    """What is known already is not asked again, and comes to the same."""
    folder = corpus(FINE, FINE)
    seen = Collector()
    with changed(honest, NAME) as session:
        verify(session, Selection(corpus=folder), seen)
    earlier = {case.key: dict(zip(map(encode, case.requests), case.replies, strict=True)) for case in seen.cases}
    with changed(answering(act={"err": "asked"}), NAME) as session:
        (run,) = verify(session, Selection(corpus=folder), earlier=earlier).runs

    assert (run.counts["pass"], run.tally.kept) == (2, 2)


@pytest.mark.slow
def test_known_failures_are_no_surprise(changed: Changed, corpus: Corpus) -> None:
    """A program that fails just what is known deviates as known; a known failure that passes is a surprise."""
    folder = corpus(FINE, "  steps:\n  - {id: turn, view: 1, expect: {turn: 2}}")
    known = frozenset({"test.n2"})
    (as_known,) = judged(changed(honest, NAME), folder, known_failing=known, explains=False).runs
    (stale,) = judged(changed(honest, NAME), corpus(FINE, FINE), known_failing=known).runs

    assert (as_known.verdict, as_known.as_known) == (EditionVerdict.DEVIATES, True)
    assert stale.surprising == ("test.n2",)


LEGAL = (
    "  steps:\n  - {by: 0, act: {play: AS}}\n  - {id: what, legal: 1, expect: {play: [AH, KH, QH, JH, TH, 9H, 8H, 7H]}}"
)


def seen(request: Message) -> list[str]:
    """Return the hand in a position."""
    hand: list[str] = request["start"]["position"]["hand"]
    return hand


def cards_only(legal: Callable[[Message], list[str]]) -> Callable[[Message, Message], Message]:
    """Return a program that knows nothing but which cards may be played in a position."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] == "run":
            return {"id": request["id"], "ok": True, "results": [{"legal": {"play": legal(request)}}]}
        return declaring(can=["position"], acts=["play"])(request, reply)

    return change


def test_a_program_that_knows_positions_is_asked_each_apart(changed: Changed, corpus: Corpus) -> None:
    """Cards that are played and what may be played are both judged by one question."""
    (run,) = judged(changed(cards_only(seen), NAME), corpus(LEGAL)).runs

    assert (run.counts["pass"], run.counts["fail"]) == (1, 0)
    assert run.verdict is EditionVerdict.FOLLOWS


@pytest.mark.slow
def test_a_card_that_a_position_does_not_allow_is_refused(changed: Changed, corpus: Corpus) -> None:
    """One wrong answer spoils no other."""
    wrong = changed(cards_only(lambda request: seen(request)[1:]), NAME)
    (run,) = judged(wrong, corpus(LEGAL), explains=False).runs

    assert statuses(run) == ["fail", "fail"]
    assert next(found.said for case in run.cases for found in case.findings) == "refused"


def test_what_a_position_does_not_show_is_not_asked(changed: Changed, corpus: Corpus) -> None:
    """Claims, views and seats that are not to play are unsupported, and told so."""
    steps = ["{by: 1, act: {play: AH}, expect: no}", "{view: 0, expect: {turn: 0}}", "{by: 2, act: {claim: true}}"]
    folder = corpus("  steps:" + "".join(f"\n  - {step}" for step in steps))
    report = judged(changed(cards_only(seen), NAME), folder)

    whys = [found.said for case in report.runs[0].cases for found in case.findings]
    assert whys == ["it does not offer offturn", "it does not offer view", "it does not offer claim"]
    assert "Not asked: " in tell_report(report)


def test_only_the_acts_that_a_program_knows_are_compared(changed: Changed, corpus: Corpus) -> None:
    """A program without claims is not blamed for leaving them out of what may be done."""
    legal = "{play: [AS, KS, QS, JS, TS, 9S, 8S, 7S], claim: [true]}"
    change = declaring(can=["deal"], acts=["play"])
    (run,) = judged(changed(change, NAME), corpus(f"  steps:\n  - {{legal: 0, expect: {legal}}}")).runs

    assert run.counts["pass"] == 1


@pytest.mark.slow
def test_a_program_that_can_say_why_is_asked(changed: Changed, corpus: Corpus) -> None:
    """Its own reason stands beside the answer that fails."""

    def change(request: Message, reply: Message) -> Message:
        if request["op"] == "why":
            assert request["steps"] == [{"by": 0, "act": {"play": "AS"}}]
            return {"id": request["id"], "ok": True, "why": "the ace is taboo"}
        able = declaring(can=["deal", "offturn", "why"])
        return able(request, {**reply, "results": [{"no": True}]} if request["op"] == "run" else reply)

    report = judged(changed(change, NAME), corpus("  steps:\n  - {by: 0, act: {play: AS}}"), explains=False)

    assert "the program: refused, as 'the ace is taboo'" in tell_report(report)


# All scenarios of a game in all its set-ups; it guards that a reading is left aside where it means nothing.
@pytest.mark.thorough
def test_a_reading_that_some_setups_know(reference: Changed) -> None:
    """A program may follow what means nothing in its other set-ups; there it is judged without it."""
    seen = Collector()
    with reference("brusquembille@1718[partners_stake=each-team,tie_n=carry]") as session:
        (run,) = verify(session, Selection("brusquembille"), seen).runs

    assert run.verdict is EditionVerdict.FOLLOWS
    assert (run.readings["partners_stake"], run.readings["tie_n"]) == ("each-team", "carry")
    assert {case.setup for case in run.cases} == set(book("brusquembille").editions["1718"].setups)
    asked = [request for case in seen.cases if case.script.choice.setup == "2" for request in case.requests]
    assert {request["readings"]["tie_n"] for request in asked} == {"equal-shares"}
