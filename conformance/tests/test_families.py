"""Generated pairs: right programs answer them alike, and each inconsistency is found by its own kind of pair."""

from __future__ import annotations

import json
import runpy
import shutil
import sys
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from brou import choose
from brou_conformance.metamorphic.families import Leeway, MetamorphicTester
from brou_conformance.metamorphic.pairs import Family, Relation
from brou_conformance.metamorphic.renaming import AnswerReader, Renaming, dyes, turns
from brou_conformance.metamorphic.variants import VariantSource, variants
from brou_conformance.programs.child import Child, Failure
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.programs.identity import ProgramName
from brou_conformance.programs.in_process import Inside
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message, fault
from brou_conformance.reports.document import document
from brou_conformance.reports.record import read_record
from brou_conformance.reports.recorder import Recorder
from brou_conformance.reports.text import tell_report
from brou_conformance.scenarios.corpus import corpus_root, games
from brou_conformance.scenarios.script import Script, machine
from brou_conformance.verdicts.inquiry import Inquiry
from brou_conformance.verdicts.plan import Selection, plans
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import verify

Changed = Callable[..., Session]
Corpus = Callable[..., Path]
Change = Callable[[Message, Message], Message]
Opened = Callable[..., Session]

ADAPTERS = corpus_root().parent / "adapters"
NODE = shutil.which("node")
NAME = "brouc@2022"
GAMES = ["brouc", "homme-de-brou"]
#: Kinds that every program is asked that takes deals and can be asked anything out of turn.
USUAL = {Relation.HIDDEN, Relation.SEATS, Relation.SUITS, Relation.REFUSED}


def program(*command: str | None) -> Session:
    """Return a session with a program in a process of its own."""
    if None in command:
        pytest.skip("node is not installed")
    return Session(lambda: Child.start([word for word in command if word is not None]))


def spread(found: list[Script], count: int) -> list[Script]:
    """Return so many scripts from all over the corpus."""
    return found[:: max(1, len(found) // count)]


def asked(session: Session, game: str, count: int) -> dict[Relation, Family]:
    """Return what the variants of some scenarios of a game's first edition come to."""
    with session:
        hello = session.hello()
        assert isinstance(hello, Hello)
        plan = next(iter(plans(hello, Selection(game), [])))
        leeway = Leeway.of(plan.choice, plan.declared, {})
        return MetamorphicTester(session, hello, leeway, Inquiry.of).families(spread(list(plan.scripts()), count))


def consistent(found: Mapping[Relation, Family]) -> bool:
    """Say whether every usual kind was asked, and everything was answered alike."""
    told = {kind for kind, family in found.items() if family.pairs}
    return told >= USUAL and not any(family.differ or family.lost for family in found.values())


# Right programs ---------------------------------------------------------------

PROGRAMS: dict[str, Callable[[], Session]] = {
    "python": lambda: program(sys.executable, str(ADAPTERS / "python" / "adapter.py")),
    "javascript": lambda: program(NODE, str(ADAPTERS / "javascript" / "adapter.mjs")),
}
# A few scenarios have every kind of pair; all of them guard that nothing is taken for wrong in a rare one.
some_and_all = pytest.mark.parametrize("count", [6, pytest.param(10_000, marks=pytest.mark.thorough, id="all")])


# It takes positions as well, and looks for what they settle: each scenario takes it seconds. It guards that no pair of
# these games is made wrongly; of another game `test_every_game_has_variants_that_its_rules_answer_alike` asks a few.
@pytest.mark.thorough
@pytest.mark.parametrize("count", [2, pytest.param(10_000, id="all")])
@pytest.mark.parametrize("game", GAMES)
def test_the_reference_is_consistent(reference: Opened, game: str, count: int) -> None:
    """The interpreter answers every pair alike."""
    assert consistent(asked(reference(game), game, count))


@pytest.mark.slow
@some_and_all
@pytest.mark.parametrize("game", GAMES)
def test_the_oracles_are_consistent(witness: Opened, game: str, count: int) -> None:
    """So does what was written from the texts alone."""
    assert consistent(asked(witness(game), game, count))


@pytest.mark.sampled(2)
@pytest.mark.slow
@some_and_all
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_example_programs_are_consistent(name: str, game: str, count: int) -> None:
    """So do programs of others, whatever they declare."""
    assert consistent(asked(PROGRAMS[name](), game, count))


@pytest.mark.slow
def test_a_program_of_positions_is_asked_what_it_can() -> None:
    """Turned tables and exchanged suits are seen in positions, too; hidden cards are not there to be seen."""
    found = asked(program(sys.executable, str(ADAPTERS / "cards-only" / "adapter.py")), "brouc", 8)

    assert {kind for kind, family in found.items() if family.pairs} == {Relation.SEATS, Relation.SUITS}
    assert not any(family.differ for family in found.values())


# Wrong programs ---------------------------------------------------------------

#: Two tricks, so that somebody is out of clubs and somebody is asked something in the middle.
DEAL = """\
  deal:
    dealer: 3
    hands:
      0: [AS, KS, 9H, 8H, TD, 9D, KC, QC]
      1: [QS, JS, AH, KH, 8D, 7D, JC, TC]
      2: [TS, 9S, QH, JH, AD, KD, 9C, 8C]
      3: [8S, 7S, TH, 7H, QD, JD, AC, 7C]
    turnup: 7C
"""
LEADS = '  steps:\n  - {play: ["0: AS QS TS 8S"]}\n  - {legal: 0, expect: {play: [KS, 9H, 8H, TD, 9D, KC, QC]}}'
LED = '  steps:\n  - {play: ["0: AS QS TS 8S"]}\n  - {view: 1, expect: {turn: 0}}'
PLAYED = '  steps:\n  - {play: ["0: AS QS TS 8S", "0: 9H AH"]}\n  - {legal: 2, expect: {play: [QH, JH]}}'
SEEN = '  steps:\n  - {play: ["0: AS QS TS 8S", "0: 9H AH QH"]}\n  - {view: 3, expect: {turn: 3}}'
LEGAL, VIEW = "legal", "view"


def judged(session: Session, folder: Path, **selection: Any) -> EditionRun:
    """Return the verdict on a program with the variants of a small corpus."""
    with session:
        (run,) = verify(session, Selection(corpus=folder, families=True, **selection), explains=False).runs
    return run


def answering(change: Callable[[Message, Message, Any], Any]) -> Change:
    """Return a program whose answers to `legal` and `view` pass through a function of request, step and answer."""

    def changed(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return reply
        results = []
        for step, result in zip(request["steps"], reply["results"], strict=True):
            kind = next((kind for kind in (LEGAL, VIEW) if kind in result), "")
            results.append({kind: change(request, step, result[kind])} if kind else result)
        return {**reply, "results": results}

    return changed


def peeking(request: Message, step: Message, said: Any) -> Any:
    """Show a seat a card of the next one, under a name of the program's own."""
    if VIEW not in step or "hands" not in request["start"]:
        return said
    return {**said, "beside": request["start"]["hands"][str((step[VIEW] + 1) % 4)][-1]}


def faithful(request: Message, reply: Message) -> Message:
    """Return the reply as it is."""
    assert request["op"]
    return reply


def in_play(change: Change) -> Change:
    """Return a program that answers no positions: which cards these settle takes seconds, and is not what is asked."""

    def changed(request: Message, reply: Message) -> Message:
        said = change(request, reply)
        return {**said, "can": [one for one in said["can"] if one != "position"]} if request["op"] == "hello" else said

    return changed


def marked_cards(request: Message, step: Message, said: Any) -> Any:
    """Keep the queens of a seat in its hand if its neighbour was dealt an even number of high cards."""
    seat = step.get(LEGAL)
    if seat is None or "play" not in said:
        return said
    high = sum(card[0] in "AKQJ" for card in request["start"]["hands"][str((seat + 1) % 4)])
    return {**said, "play": [card for card in said["play"] if card[0] != "Q"]} if high % 2 == 0 else said


def no_hearts(request: Message, step: Message, said: Any) -> Any:
    """Leave hearts out of what may be played as long as there is something else."""
    assert request
    others = [card for card in said.get("play", []) if card[1] != "H"]
    return {**said, "play": others} if LEGAL in step and others else said


def first_seat(request: Message, step: Message, said: Any) -> Any:
    """Tell seat 0 of no leader."""
    assert request
    return {**said, "leader": None} if step.get(VIEW) == 0 else said


def shown_hand(request: Message, step: Message, said: Any) -> Any:
    """Show in a known field what does not belong there: the hand of the seat opposite beside one's own."""
    if VIEW not in step or "hands" not in request["start"]:
        return said
    return {**said, "hand": said["hand"] + request["start"]["hands"][str((step[VIEW] + 2) % 4)]}


def remembering(request: Message, reply: Message) -> Message:
    """Count what was refused as a turn: whoever asks after it sees the next seat to play."""
    refused, results = 0, []
    for result in reply.get("results", []):
        refused += "no" in result
        turned = refused and VIEW in result and result[VIEW].get("turn") is not None
        results.append({VIEW: {**result[VIEW], "turn": (result[VIEW]["turn"] + 1) % 4}} if turned else result)
    return {**reply, "results": results} if request["op"] == "run" else reply


@pytest.mark.parametrize(
    ("change", "kind", "first"),
    [
        (answering(peeking), Relation.HIDDEN, LED),
        (answering(shown_hand), Relation.HIDDEN, LED),
        (answering(marked_cards), Relation.HIDDEN, LEADS),
        (answering(no_hearts), Relation.SUITS, LED),
        (answering(first_seat), Relation.SEATS, LED),
        (remembering, Relation.REFUSED, LED),
    ],
    ids=["own-field", "known-field", "legal", "suit", "seat", "refusal"],
)
def test_an_inconsistency_is_found(
    changed: Changed, corpus: Corpus, change: Change, kind: Relation, first: str
) -> None:
    """A program that no scenario speaks against deviates all the same, and only the right kind of pair shows it."""
    # A program that is wrong in positions as well would be found by them, too.
    run = judged(changed(in_play(change), NAME), corpus(first, PLAYED, SEEN, deal=DEAL))
    differing = {kind for kind, family in run.families.items() if family.differ}

    assert run.counts["pass"] == 3
    assert (run.verdict, differing) == (EditionVerdict.DEVIATES, {kind})
    assert run.families[kind].differ <= run.families[kind].pairs
    assert run.families[kind].examples


@pytest.mark.slow
def test_the_smallest_pair_is_shown(changed: Changed, corpus: Corpus) -> None:
    """People read both deals, what was done and asked, and the two answers; two cards are enough to show a leak."""
    with changed(in_play(answering(peeking)), NAME) as session:
        report = verify(session, Selection(corpus=corpus(LED, SEEN, deal=DEAL), families=True))
    told = tell_report(report)
    (example, *_) = report.runs[0].families[Relation.HIDDEN].examples

    assert "  deals that a seat cannot tell apart: 4 of 4 pairs answered differently" in told
    assert (
        f"      seat {example.pair.seat} cannot tell these deals apart\n      dealer 3, turnup 7C\n      0: AS" in told
    )
    assert told.count("\n      or ") == 2
    assert f"      what does seat {example.pair.seat} see?\n        in the one deal: beside " in told
    assert "        in the other:    beside " in told
    assert example.pair.moved == 2


# Positions and refusals -------------------------------------------------------


Cards = Callable[[list[str], list[str], str], list[str]]


def positional(cards: Cards, readings: str = "", **declared: str) -> Session:
    """Return a program that plays by the reference, and answers positions by a function of hand, trick and trump."""
    engine = ReferenceEngine(choices([NAME + readings]))

    def answer(request: Message) -> Message:
        at = request.get("start", {}).get("position")
        if at is not None:
            legal = {"play": cards(at["hand"], [laid["card"] for laid in at["trick"]], at["trump"])}
            return {"id": request["id"], "ok": True, "results": [{"legal": legal}]}
        reply = engine.answer(request)
        if request["op"] != "hello":
            return reply
        said = {NAME: {**reply["readings"][NAME], **declared}}
        return {**reply, "readings": said, "can": ["deal", "match", "view", "offturn", "position"]}

    return Session(lambda: Inside(answer))


#: What a program must play by that knows only which cards may be played.
VALID = runpy.run_path(str(ADAPTERS / "cards-only" / "valid_cards.py"))["valid_cards"]


def test_positions_are_held_against_play(corpus: Corpus) -> None:
    """Who answers positions as he plays is consistent."""
    family = judged(positional(VALID), corpus(LED, PLAYED, SEEN, deal=DEAL)).families[Relation.POSITION]

    assert (family.pairs, family.differ, family.lost) == (3, 0, 0)


def test_other_cards_in_a_position_are_found(corpus: Corpus) -> None:
    """Who takes any card of the hand in a position and not in play deviates."""
    run = judged(positional(lambda hand, *_: hand), corpus(LED, PLAYED, SEEN, deal=DEAL))

    assert run.verdict is EditionVerdict.DEVIATES
    assert {kind for kind, family in run.families.items() if family.differ} == {Relation.POSITION}


@pytest.mark.slow
def test_a_card_that_is_not_held_must_be_refused(corpus: Corpus) -> None:
    """A program that lets anybody to play lay down any card is found by a card of somebody else."""

    def answer(request: Message) -> Message:
        reply = engine.answer(request)
        results = [
            {"ok": True} if result.get("no") in ("not_in_hand", "no_such_card") else result
            for result in reply.get("results", [])
        ]
        return {**reply, "results": results} if request["op"] == "run" else reply

    engine = ReferenceEngine(choices([NAME]))
    session = Session(lambda: Inside(lambda request: in_play(faithful)(request, answer(request))))
    run = judged(session, corpus(LED, PLAYED, SEEN, deal=DEAL))
    (example, *_) = run.families[Relation.REFUSED].examples

    assert run.verdict is EditionVerdict.DEVIATES
    assert (example.difference.wanted, example.difference.said) == ({"no": True}, {"ok": True})


# What is no inconsistency -----------------------------------------------------


def honest(request: Message, reply: Message) -> Message:
    """Return the reply of a program that declares no readings and follows none that are asked for."""
    if request["op"] != "hello":
        return reply
    return {**reply, "readings": {}, "can": [ability for ability in reply["can"] if ability != "readings"]}


#: All tricks of a deal in which both parties' card points end in five.
HALVES = """\
  edition: club-2026
  deal:
    dealer: 2
    hands:
      0: [JS, KH, QH, JH, 7H, JD, QC, JC]
      1: [AS, 8S, TH, 8D, 7D, 9C, 8C, 7C]
      2: [TS, 9S, AH, 9H, 8H, KD, TD, KC]
      3: [KS, QS, 7S, AD, QD, 9D, AC, TC]
    turnup: 9S
  steps:
  - play:
    - "3: AC QC 8C KC"
    - "3: 7S JS AS TS"
    - "1: 7D KD AD JD"
    - "3: 9D JC 8D TD"
    - "2: 8H KS QH TH"
    - "3: QD 7H 8S 9S"
    - "2: 9H QS KH 9C"
    - "3: TC JH 7C AH"
  - {by: 0, act: {next: true}}
"""


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("others", "differ"), [({}, True), ({"rounding_counterpart": ("complement",)}, False)], ids=["declared", "open"]
)
def test_what_a_reading_explains_is_not_held_against_a_program(
    changed: Changed, corpus: Corpus, others: Mapping[str, tuple[str, ...]], *, differ: bool
) -> None:
    """Rounding the points of one party only is not the same at a turned table, but some may read it so."""
    rules = choose("brouc@club-2026[rounding_counterpart=own]")
    with changed(in_play(honest), "brouc@club-2026[rounding_counterpart=complement]") as session:
        hello = session.hello()
        assert isinstance(hello, Hello)
        (plan,) = plans(hello, Selection(corpus=corpus(*[HALVES] * 4, deal="")), [])
        scripts = [Script(one.scenario, rules, one.steps, one.start) for one in plan.scripts()]
        found = MetamorphicTester(session, hello, Leeway({}, others), Inquiry.of).families(scripts)

    assert bool(found[Relation.SEATS].differ) is differ
    assert found[Relation.SEATS].lost == 0


#: The king of trumps is laid under the ten, which only those may do who think that the queen may still come.
WAITING = """\
  deal:
    dealer: 3
    hands:
      0: [AS, KS, 9H, 8H, TD, 9D, TC, 8C]
      1: [QS, JS, AH, KH, 8D, 7D, AC, KC]
      2: [TS, 9S, QH, JH, AD, KD, 9C, QC]
      3: [8S, 7S, TH, 7H, QD, JD, JC, 7C]
    turnup: 7C
  steps:
  - {play: ["0: AS QS TS 8S", "0: TC KC"]}
  - {view: 2, expect: {turn: 2}}
"""


@pytest.mark.parametrize(("declared", "differ"), [("potential", 0), ("complete-in-trick", 1)])
def test_what_a_position_cannot_tell_is_not_asked_of_it(corpus: Corpus, declared: str, *, differ: int) -> None:
    """Whether a card may still come depends on what has been played before, which a position does not show."""
    program = positional(VALID, "[marriage_exception=potential]", marriage_exception=declared)
    run = judged(program, corpus(WAITING, deal=""))

    assert run.families[Relation.POSITION].differ == differ


def test_readings_are_followed_as_they_are_found() -> None:
    """Pairs are made by the readings that a program's answers show, and judged by all that they leave open."""
    choice = choose(NAME)
    found = {"marking": frozenset({"explicit-any"}), "announce_window": frozenset({"any-time", "own-turn"})}
    declared = frozenset(dict(choice.readings)) - set(found)
    first, *others = Leeway.of(choice, declared, found).choices(choice)

    assert dict(first.readings)["marking"] == "explicit-any"
    assert [dict(other.readings)["announce_window"] for other in (first, *others)] == ["any-time", "own-turn"]


def test_readings_that_a_setup_does_not_know_are_left_aside() -> None:
    """What a program is found to follow at one table is no obstacle at another where it means nothing."""
    choice = choose("brusquembille:2")
    declared = frozenset(dict(choice.readings)) - {"tie_n"}
    first, *_ = Leeway.of(choice, declared, {"tie_n": frozenset({"carry"})}).choices(choice)

    assert first == choice


# Mishaps ----------------------------------------------------------------------


@pytest.mark.slow
def test_a_program_that_breaks_on_a_variant_is_not_judged_by_it(changed: Changed, corpus: Corpus) -> None:
    """A crash is no difference, and no pass either."""

    def change(request: Message, reply: Message) -> Message | Failure:
        broken = request.get("start", {}).get("dealer", 3) != 3
        return Failure("crash", "it ended") if broken else in_play(faithful)(request, reply)

    run = judged(changed(change, NAME), corpus(LED, SEEN, deal=DEAL))

    assert run.counts["pass"] == run.discovered
    assert run.families[Relation.SEATS] == Family(lost=2)
    assert run.verdict is EditionVerdict.ADAPTER
    assert run.families[Relation.SUITS] == Family(pairs=2)


@pytest.mark.slow
def test_a_program_that_cannot_make_up_its_mind_is_not_judged(changed: Changed, corpus: Corpus) -> None:
    """What differs is asked once more; where the answer is another one then, nothing is said of it."""
    numbers = count()

    def counting(request: Message, step: Message, said: Any) -> Any:
        assert request
        return {**said, "number": next(numbers)} if VIEW in step else said

    run = judged(changed(in_play(answering(counting)), NAME), corpus(LED, SEEN, deal=DEAL))

    assert run.families[Relation.HIDDEN] == Family(lost=4)
    assert run.verdict is EditionVerdict.ADAPTER


@pytest.mark.slow
def test_a_program_that_is_lost_is_not_asked_further(changed: Changed, corpus: Corpus) -> None:
    """Once it cannot be started any more, no more variants are made."""
    served = count()

    def change(request: Message, reply: Message) -> Message | Failure:
        return reply if request["op"] == "hello" or next(served) < 6 else Failure("crash", "it ended")

    session = changed(change, NAME)
    run = judged(session, corpus(*[LED] * 6, deal=DEAL))

    assert session.unusable is not None
    assert sum(family.pairs for family in run.families.values()) == 0


# What comes out ---------------------------------------------------------------


def test_families_are_asked_only_if_wanted(changed: Changed, corpus: Corpus) -> None:
    """Without them nothing is asked and nothing is told."""
    with changed(answering(peeking), NAME) as session:
        report = verify(session, Selection(corpus=corpus(LED, deal=DEAL)))

    assert report.runs[0].verdict is EditionVerdict.FOLLOWS
    assert "families" not in document(report)["runs"][0]
    assert "pairs" not in tell_report(report)


@pytest.mark.slow
def test_a_list_of_known_failures_says_nothing_of_pairs(changed: Changed, corpus: Corpus) -> None:
    """Who deviates as is known, and is inconsistent beside, does not deviate as is known."""
    wrong = "  steps:\n  - {view: 1, expect: {turn: 2}}"
    known = frozenset({"test.n2"})
    folder = corpus(LED, wrong, deal=DEAL)

    assert judged(changed(in_play(honest), NAME), folder, known_failing=known).as_known
    assert not judged(changed(in_play(answering(peeking)), NAME), folder, known_failing=known).as_known


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [honest, answering(peeking), answering(first_seat), answering(no_hearts), remembering]
)
def test_report_and_record_have_the_shape_of_their_schemas(
    changed: Changed, corpus: Corpus, tmp_path: Path, change: Change
) -> None:
    """Every kind has its numbers and examples; the record has a line for each."""
    recorder = Recorder(tmp_path / "record", ProgramName(command=("program",)))
    with changed(change, NAME) as session:
        report = verify(
            session, Selection(corpus=corpus(LED, deal=DEAL), families=True), recorder, keep=recorder.ledger
        )
        told = document(report)
    recorder.close()
    lines = [json.loads(line) for line in (tmp_path / "record").read_text(encoding="ascii").splitlines()]
    families = told["runs"][0]["families"]

    assert fault("report", told) is None
    assert {fault("record", line) for line in lines} == {None}
    assert [line["kind"] for line in lines] == ["begin", "case", *["family"] * len(Relation), "run", "end"]
    assert {line["family"]: line["differ"] for line in lines if line["kind"] == "family"} == {
        kind: family["differ"] for kind, family in families.items()
    }
    assert read_record(tmp_path / "record").complete


@pytest.mark.slow
def test_an_example_can_be_asked_again(changed: Changed, corpus: Corpus, reference: Opened) -> None:
    """What a report shows of a pair are two requests that any program can be sent."""
    with changed(answering(first_seat), NAME) as session:
        told = document(verify(session, Selection(corpus=corpus(LED, deal=DEAL), families=True)))
    (example,) = told["runs"][0]["families"]["seats"]["examples"]

    with reference(NAME) as session:
        assert isinstance(session.hello(), Hello)
        for request in (example["base"], example["variant"]):
            assert all(isinstance(result, dict) for result in session.run(request))
    assert example["step"] in example["variant"]["steps"]
    assert sorted(example["seats"]) == [0, 1, 2, 3]
    assert example["wanted"] != example["said"]


@pytest.mark.slow
def test_work_that_is_shared_comes_to_the_same(changed: Changed, corpus: Corpus) -> None:
    """However many copies of the program are asked."""
    folder = corpus(LED, PLAYED, SEEN, LED, SEEN, deal=DEAL)
    change = in_play(answering(peeking))
    (alone,) = [judged(changed(change, NAME), folder)]
    with changed(change, NAME) as session, changed(change, NAME) as helper:
        (shared,) = verify(session, Selection(corpus=folder, families=True), helpers=[helper]).runs

    assert {kind: (family.pairs, family.differ) for kind, family in shared.families.items()} == {
        kind: (family.pairs, family.differ) for kind, family in alone.families.items()
    }


# How pairs are made -----------------------------------------------------------


def grounds(session: Session, **selection: Any) -> list[VariantSource]:
    """Return what variants are made of, for every script of a selection."""
    with session:
        hello = session.hello()
        assert isinstance(hello, Hello)
        scripts = [script for plan in plans(hello, Selection(**selection), []) for script in plan.scripts()]
        return [VariantSource(script, script.choice, hello.can) for script in scripts]


def test_the_same_script_has_always_the_same_variants(reference: Opened, corpus: Corpus) -> None:
    """Chance has a fixed seed."""
    folder = corpus(LED, PLAYED, SEEN, deal=DEAL)
    once, again = ([list(variants(ground)) for ground in grounds(reference(NAME), corpus=folder)] for _ in range(2))

    assert once == again
    assert all(once)


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_every_game_has_variants_that_its_rules_answer_alike(reference: Opened, game: str) -> None:
    """With any number of seats, with partners or without, in every edition and set-up that has scenarios."""
    with reference(game) as session:
        hello = session.hello()
        assert isinstance(hello, Hello)
        for plan in plans(hello, Selection(game), []):
            scripts = list(plan.scripts())
            setups = {script.choice.setup for script in scripts}
            some = [s for setup in setups for s in spread([s for s in scripts if s.choice.setup == setup], 1)[:1]]
            found = MetamorphicTester(session, hello, Leeway({}, {}), Inquiry.of).families(some)
            assert found[Relation.HIDDEN].pairs > 0
            assert found[Relation.SEATS].pairs > 0
            assert found[Relation.REFUSED].pairs > 0
            assert not any(family.differ or family.lost for family in found.values())


def test_cards_that_a_partner_shows_stay_where_they_are(reference: Opened, corpus: Corpus) -> None:
    """What a seat sees of others' hands is not hidden; what lies in the stock is."""
    deck = list(machine(choose("brusquembille:4-partners")).game.deck.cards)
    text = f"  setup: 4-partners\n  deal: {{dealer: 1, deck: [{', '.join(deck)}]}}\n  steps:\n"
    folder = corpus(
        text + "  - {view: 0, expect: {turn: 2}}\n  - {legal: 3, expect: {play: []}}", game="brusquembille", deal=""
    )
    (ground,) = grounds(reference("brusquembille"), corpus=folder)
    hidden = [pair for pair in variants(ground) if pair.kind is Relation.HIDDEN]

    assert {pair.seat for pair in hidden} == {0, 3}
    for pair in hidden:
        one, two = pair.base.start, pair.other.start
        partner, others = ("1", ("2", "3")) if pair.seat == 0 else ("2", ("0", "1"))
        assert one["hands"][str(pair.seat)] == two["hands"][str(pair.seat)]
        assert one["hands"][partner] == two["hands"][partner]
        assert one["turnup"] == two["turnup"]
        assert any(one["hands"][other] != two["hands"][other] for other in others)
        assert one["stock"] != two["stock"]


def test_a_pack_that_is_dealt_in_the_course_of_a_script_is_changed_there(reference: Opened, corpus: Corpus) -> None:
    """The hidden cards are those of the last deal, wherever it stands; nothing before it is touched."""
    deck = machine(choose(NAME)).game.deck.cards
    dealt = f"{{by: 3, act: {{deal: {{deck: [{', '.join(deck)}], packets: [1, 3, 4]}}}}}}"
    steps = f"  steps:\n  - {dealt}\n  - {{by: 0, act: {{play: {deck[0]}}}}}\n  - {{view: 0, expect: {{turn: 1}}}}"
    (ground,) = grounds(reference(NAME), corpus=corpus(steps, deal="  deal: {dealer: 3}\n"))
    first, *_ = (pair for pair in variants(ground) if pair.kind is Relation.HIDDEN)
    packs: list[Any] = [script.steps[0].message["act"] for script in (first.base, first.other)]
    one, two = (pack["deal"]["deck"] for pack in packs)

    assert first.base.start == first.other.start == {"dealer": 3}
    assert one == list(deck)
    assert two != one
    assert sorted(two) == sorted(deck)


@pytest.mark.parametrize("can", [["deal"], ["deal", "view"], ["deal", "offturn"]], ids=", ".join)
def test_a_program_is_asked_for_hidden_cards_what_it_can(changed: Changed, corpus: Corpus, can: list[str]) -> None:
    """Without views it is asked for legal acts alone, and without `offturn` only for those of seats to play."""
    asked: list[Message] = []

    def change(request: Message, reply: Message) -> Message:
        asked.extend(request.get("steps", []))
        return {**reply, "readings": {}, "can": can} if request["op"] == "hello" else reply

    run = judged(changed(change, NAME), corpus(LED, PLAYED, SEEN, deal=DEAL))

    assert run.families[Relation.HIDDEN] == Family(pairs=6)
    assert run.families[Relation.REFUSED].pairs >= 3
    assert any("view" in step for step in asked) is ("view" in can)


@pytest.mark.slow
def test_no_request_tells_what_is_expected(changed: Changed, corpus: Corpus) -> None:
    """A variant is sent as any script is."""
    sent: list[Message] = []

    def change(request: Message, reply: Message) -> Message:
        sent.append(request)
        return honest(request, reply)

    judged(changed(change, NAME), corpus(LED, PLAYED, SEEN, deal=DEAL))
    runs = [request for request in sent if request["op"] == "run"]

    assert len(runs) > 3 * 5
    assert {key for request in runs for key in request} == {"op", "id", "game", "edition", "setup", "start", "steps"}
    assert {key for request in runs for step in request["steps"] for key in step} <= {
        "by", "act", "view", "legal", "winner", "score",
    }  # fmt: skip


# New names --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "seats", "suits"),
    [("brouc", 4, 24), ("brusquembille:4-partners", 2, 24), ("brusquembille:3", 3, 4), ("hombre", 3, 1)],
)
def test_names_that_leave_a_game_as_it_is(rules: str, seats: int, suits: int) -> None:
    """Tables turn as far as teams are carried to teams; suits that the rules name are not exchanged."""
    assert (len(turns(choose(rules))), len(dyes(choose(rules)))) == (seats, suits)


def turned() -> tuple[AnswerReader, Renaming]:
    """Return how answers are read in a game of four, and its table turned by one."""
    choice = choose(NAME)
    return AnswerReader(machine(choice).game, whole=False), turns(choice)[1]


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ({"winner": 3}, {"winner": 0}),
        ({"winner": None}, {"winner": None}),
        ({"ok": True}, {"ok": True}),
        ({"no": "must_beat"}, {"no": True}),
        ({"view": {"turn": 3, "trump": "S", "accounts": [10, 20]}}, {"turn": 0, "trump": "S", "accounts": [20, 10]}),
        ({"view": {"trick": [{"seat": 0, "card": "AS"}]}}, {"trick": [{"seat": 1, "card": "AS"}]}),
        ({"view": {"hands": [1, 2, 3, 4]}}, {"hands": [4, 1, 2, 3]}),
        ({"view": {"hand": ["KS", "AS"]}}, {"hand": ["AS", "KS"]}),
        ({"view": {"call": None, "of_its_own": 3}}, {}),
        ({"score": {"accounts": [10, 20], "winner": 0}}, {"accounts": [20, 10], "winner": 1}),
        ({"legal": {"lot": [0, 3], "claim": [True], "sing": [0]}}, {"lot": [0, 1], "claim": [True]}),
        ({"legal": {"play": [], "deal": {"deck": {"order": ["KS", "AS"]}, "packets": [[1, 3, 4]]}}},
         {"deal": {"deck": {"order": ["AS", "KS"]}, "packets": [[1, 3, 4]]}}),
        ({"view": {"turn": "nobody", "accounts": [10], "hands": 7, "trick": "none"}},
         {"turn": "nobody", "accounts": [10], "hands": 7, "trick": "none"}),
    ],
)  # fmt: skip
def test_answers_are_read_by_the_types_of_the_rules(answer: Message, read: Message) -> None:
    """Seats and teams have new names, what is theirs new places, and sets one order; nonsense stays what it is."""
    reader, names = turned()

    assert reader.read(answer, names) == read


def test_what_is_shown_suit_by_suit_has_no_order() -> None:
    """Under other names the same things are told in another order."""
    choice = choose(NAME)
    reader = AnswerReader(machine(choice).game, whole=False)
    names = next(names for names in dyes(choice) if names.suits == {"S": "H", "H": "S", "D": "D", "C": "C"})
    one = [{"seat": 1, "suit": "S", "kind": "simple"}, {"seat": 1, "suit": "H", "kind": "grand"}]
    two = [{"seat": 1, "suit": "S", "kind": "grand"}, {"seat": 1, "suit": "H", "kind": "simple"}]
    plain = dyes(choice)[0]

    assert reader.read({"view": {"announced": one}}, names) == reader.read({"view": {"announced": two}}, plain)
    assert reader.read({"view": {"announced": one}}, names) != reader.read({"view": {"announced": one}}, plain)
