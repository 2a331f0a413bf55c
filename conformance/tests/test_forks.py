"""Forks: what a program was found to play, written down, read again, and judged by."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

import pytest

from brou import BrouError, choose
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.reports.forking import write_forks
from brou_conformance.verdicts.fork import Fork, read_forks
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import Report, verify

ROOM = Path(__file__).resolve().parents[1]
ANIMAL, TWIN = "zoo/brouc/eighteen_is_enough.py", "adapters/python/adapter.py"


@lru_cache(maxsize=4)
def judged(program: str, forks: tuple[Fork, ...] = ()) -> Report:
    """Return what is found of a program by the scenarios of calls, by the text or by forks."""
    with Session(lambda: Child.start([sys.executable, str(ROOM / program)])) as session:
        return verify(session, Selection("brouc", "2022", text="brouc.cd", forks=forks))


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Fork, ...]:
    """Return the fork of the program with one wrong number, written and read again."""
    path = tmp_path_factory.mktemp("fork") / "fork.yaml"
    path.write_text(write_forks(judged(ANIMAL)), encoding="utf-8")
    return read_forks(path)


@pytest.mark.slow
def test_a_program_conforms_to_its_own_fork(forks: tuple[Fork, ...]) -> None:
    """What its changes explain as a whole passes to the last case."""
    assert judged(ANIMAL).runs[0].explanation.is_whole
    run = judged(ANIMAL, forks).runs[0]

    assert (run.verdict, run.failing) == (EditionVerdict.FOLLOWS, ())
    assert run.notes == ("judged by a fork of the edition, which changes brouc.cd.01",)


def test_a_right_program_breaks_the_fork_where_the_change_shows(forks: tuple[Fork, ...]) -> None:
    """Those cases fail that the change explains, and no others."""
    found = judged(TWIN, forks).runs[0]

    assert {case.id for case in found.failing} == {case.id for case in judged(ANIMAL).runs[0].failing}
    assert found.explanation.roots == ()


def test_a_fork_says_what_it_is(forks: tuple[Fork, ...]) -> None:
    """It names the edition and each change with its clause, in words and as a patch."""
    (fork,) = forks
    (change,) = fork.changes

    assert fork.choice == choose("brouc@2022")
    assert {key: node.plain() for key, node in change.fields.items()} == {
        "clause": "brouc.cd.01",
        "says": "180 points instead of 190 points",
        "at": "params/call_from/value",
        "setups": ["4"],
        "value": 180,
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- {rules: brouc@2023, changes: []}", "edition of brouc"),
        ("- {rules: 'brouc@2022[nothing=else]', changes: []}", "nothing"),
        ("- {rules: brouc@2022, changes: [{at: params/nowhere/value, value: 1}]}", "names nothing at 'nowhere'"),
        ("- {rules: brouc@2022, changes: [{at: params/call_from/value}]}", "says nothing that can be done"),
        ("- {rules: brouc@2022, changes: [{at: params/call_from/value, value: none}]}", "is not of type"),
        ("- {rules: brouc@2022, changes: []}\n- {rules: brouc, changes: []}", "is here twice"),
        ("- {rules: brouc@2022}", "changes"),
    ],
)
def test_a_fork_that_cannot_be_used_is_told(tmp_path: Path, text: str, said: str) -> None:
    """What it names has to be there, and each change has to say something that can be loaded."""
    path = tmp_path / "fork.yaml"
    path.write_text(f"format: brou-fork/1\neditions:\n{text}\n", encoding="utf-8")

    with pytest.raises(BrouError) as error:
        read_forks(path)
    assert said in str(error.value)
