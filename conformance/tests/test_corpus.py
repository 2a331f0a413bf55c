"""The corpus: its shape, what it cites, and two independent witnesses that agree with every expectation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from brou import book, catalogue
from brou_conformance.corpus import applying, check, corpus_root, games, scenarios
from brou_conformance.report import summary
from brou_conformance.scenario import Step
from brou_conformance.session import Session
from brou_conformance.verdict import Verdict
from brou_conformance.verify import Selection, verify

EDITIONS = [f"{game}@{edition}" for game in catalogue() for edition in book(game).editions]


def verdict_of(session: Session, name: str) -> str:
    """Return the report on a witness, empty if it conforms."""
    game, _, edition = name.partition("@")
    with session:
        report = verify(session, Selection(game, edition))
    (run,) = report.runs
    return "" if run.verdict is Verdict.CONFORMS else summary(report)


@pytest.mark.parametrize("name", EDITIONS)
def test_the_interpreter_agrees_with_every_scenario(name: str, reference: Callable[..., Session]) -> None:
    """What was expected from the text is what the rules as data say."""
    assert verdict_of(reference(name), name) == ""


@pytest.mark.parametrize("name", EDITIONS)
def test_the_oracle_agrees_with_every_scenario(name: str, witness: Callable[[str], Session]) -> None:
    """What was expected from the text is what a second witness, written from the text alone, says."""
    assert verdict_of(witness(name), name) == ""


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
    refusing = [one for one in found if any(isinstance(line, Step) and refuses(line) for line in one.lines)]

    assert len(refusing) * 6 >= len(found) > 0


def refuses(step: Step) -> bool:
    """Say whether a step expects a refusal or an act that is not open, under some reading at least."""
    patterns = [*step.values.values(), *([step.expected] if step.expected else [])]
    return any(p.key == "no" or (p.key == "legal" and [] in p.value.values()) for p in patterns)


def test_files_are_folders_of_their_game() -> None:
    """Nothing lies beside the folders of the games."""
    assert [path.name for path in Path(corpus_root()).iterdir() if not path.is_dir()] == []
