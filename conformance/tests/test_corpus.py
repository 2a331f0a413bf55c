"""The corpus: its shape, what it cites, and two independent witnesses that agree with every expectation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from brou import Choice, Impossible, book, catalogue, spread, with_readings
from brou.shapes import write
from brou_conformance.judging.judge import Criteria, Status, matches
from brou_conformance.programs.session import Session
from brou_conformance.protocol import fault
from brou_conformance.reports.text import tell_report
from brou_conformance.scenarios.corpus import (
    CorpusReport,
    applying,
    check,
    corpus_root,
    entry,
    games,
    refusing,
    scenarios,
)
from brou_conformance.scenarios.course import follow
from brou_conformance.scenarios.scenario import Scenario, ScriptStep
from brou_conformance.scenarios.script import machine, spell
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import verify

EDITIONS = [f"{game}@{edition}" for game in catalogue() for edition in book(game).editions]


def verdict_of(session: Session, name: str) -> str:
    """Return the report on a witness, empty if it conforms, and in what the text leaves open does as we do."""
    game, _, edition = name.partition("@")
    with session:
        report = verify(session, Selection(game, edition, whole=True))
    (run,) = report.runs
    apart = run.counts[Status.READING]
    return "" if run.verdict is EditionVerdict.FOLLOWS and not apart else tell_report(report)


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITIONS)
def test_the_interpreter_agrees_with_every_scenario(name: str, reference: Callable[..., Session]) -> None:
    """What was expected from the text is what the rules as data say."""
    assert verdict_of(reference(name), name) == ""


@pytest.mark.parametrize("name", EDITIONS)
def test_the_oracle_agrees_with_every_scenario(name: str, witness: Callable[[str], Session]) -> None:
    """What was expected from the text is what a second witness, written from the text alone, says."""
    assert verdict_of(witness(name), name) == ""


def list_varied(game: str) -> Iterator[tuple[Scenario, str, Choice]]:
    """Yield each scenario under each value of a reading that one of its steps names, and the reading."""
    for name in spread(game):
        first = name.setup == next(iter(book(game).editions[name.edition].setups))
        for one in applying(scenarios(game), name.edition, name.setup, first=first):
            steps = [step for step in one.lines if isinstance(step, ScriptStep)]
            for key, value in sorted({(step.reading, value) for step in steps for value in step.values}):
                with suppress(Impossible):  # readings that exclude each other, and set-ups in which it is no question
                    yield one, key, with_readings(name, {**one.premise, key: value})


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_the_interpreter_agrees_with_what_is_expected_under_each_value(game: str) -> None:
    """Under every value that a step names, other than the edition's too, the rules answer it as is expected there."""
    asked = 0
    for one, key, choice in list_varied(game):
        script = spell(one, choice)
        for moment in follow(script, machine(choice)):
            wanted = moment.step.choose_pattern(script.readings)
            if moment.step.reading == key and wanted is not None:
                asked += 1
                assert matches(moment.answer, wanted, Criteria(script.readings)), (one.id, moment.step.id, choice.full)
    assert asked


def test_the_corpus_has_no_faults() -> None:
    """Every file has the shape of scenarios, every id stands once, everything cited is there."""
    assert [str(fault) for fault in check()] == []


def test_every_game_has_scenarios() -> None:
    """No game passes by never being asked."""
    assert games() == catalogue()


@pytest.mark.parametrize("name", EDITIONS)
def test_one_in_six_refuses(name: str) -> None:
    """A corpus of happy cases would let a program pass that allows everything."""
    game, _, edition = name.partition("@")
    found = applying(scenarios(game), edition, next(iter(book(game).editions[edition].setups)), first=True)

    assert sum(map(refusing, found)) * 6 >= len(found) > 0


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("{by: 0, act: {play: 7S}, expect: no}", True),
        ("{by: 0, act: {play: 7S}, expect: {no: must_follow}}", True),
        ("{by: 0, act: {play: 7S}}", False),
        ("{by: 2, act: {claim: true}, readings: {claim_window: {any-time: ok, between-tricks: no}}}", True),
        ("{legal: 0, expect: {play: [AS, KS, QS, JS, TS, 9S, 8S, 7S], announce: []}}", True),
        ("{legal: 0, expect: {play: [AS, KS, QS, JS, TS, 9S, 8S, 7S]}}", False),
        ("{view: 0, expect: {announced: []}}", False),
    ],
)
def test_a_scenario_refuses_by_a_step(corpus: Callable[..., Path], step: str, *, expected: bool) -> None:
    """A refused act counts, under some reading at least, and an act without a choice; what is seen does not."""
    (one,) = scenarios("brouc", corpus(f"  steps:\n  - {step}"))

    assert (refusing(one), entry(one).refuses) == (expected, expected)


@pytest.mark.parametrize("game", games())
def test_entries_have_the_shape_of_their_schema(game: str) -> None:
    """What programs read of the corpus is what is promised to them."""
    assert fault("corpus", write(CorpusReport(scenarios=tuple(map(entry, scenarios(game)))))) is None


def test_files_are_folders_of_their_game() -> None:
    """Nothing lies beside the folders of the games."""
    assert [path.name for path in Path(corpus_root()).iterdir() if not path.is_dir()] == []
