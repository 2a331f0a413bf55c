"""Python objects judged in this process: what they raise, return or never return is theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from brou import Unknown
from brou_conformance.programs.child import Failure
from brou_conformance.programs.in_process import Inside, opener
from brou_conformance.programs.session import Hello, Limits, Session

CLASS = """
import time

class Player:
    def hello(self):
        plays = [{{"game": "brouc", "editions": ["2022"], "setups": ["4"]}}]
        return {{"protocol": 1, "engine": {{"name": "object"}}, "plays": plays, "can": ["deal"]}}

    def run(self, request):
        {does}

class Unwilling:
    def __init__(self):
        raise OSError("no table")

number = 7
"""
RUN = {"game": "brouc", "edition": "2022", "setup": "4", "steps": [{"legal": 0}]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder where modules can be written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def answered(folder: Path, does: str) -> object:
    """Return the answer of an object to a script."""
    module = f"player_{abs(hash(does))}"
    (folder / f"{module}.py").write_text(CLASS.format(does=does), encoding="utf-8")
    with Session(opener(f"{module}:Player"), Limits(request=0.3)) as session:
        assert isinstance(session.hello(), Hello)
        return session.run(RUN)[0]


def test_an_object_is_asked_like_a_program(folder: Path) -> None:
    """What it returns are the results."""
    assert answered(folder, 'return [{"legal": {}} for step in request["steps"]]') == {"legal": {}}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("does", "status", "why"),
    [
        ("raise ValueError('lost')", "crash", "it raised ValueError; its last words: ValueError: lost"),
        ("while True: pass", "timeout", "no answer within 0.3 s"),
        ("time.sleep(600)", "timeout", "no answer within 0.3 s"),
        ("return object()", "protocol", "its answer to run is no JSON object"),
        ("return 7", "protocol", "results: 7 is not of type"),
        ("return []", "protocol", "0 results for 1 steps"),
    ],
)
def test_what_goes_wrong_in_an_object_is_its_own(folder: Path, does: str, status: str, why: str) -> None:
    """It ends in the status that a program's mishap has."""
    answer = answered(folder, does)

    assert (getattr(answer, "status", None), why in getattr(answer, "why", "")) == (status, True)


def test_an_object_that_cannot_be_made_is_told(folder: Path) -> None:
    """The program cannot be used, and says why."""
    (folder / "unwilling.py").write_text(CLASS.format(does="pass"), encoding="utf-8")
    opened = opener("unwilling:Unwilling")()

    assert isinstance(opened, Failure)
    assert opened.what == "unwilling:Unwilling cannot be made: OSError: no table"


@pytest.mark.parametrize("name", ["nowhere:Player", "named:Nobody", "named", "named:number", ":Player"])
def test_a_name_that_names_no_class_is_refused(folder: Path, name: str) -> None:
    """Before anything is asked."""
    (folder / "named.py").write_text(CLASS.format(does="pass"), encoding="utf-8")

    with pytest.raises(Unknown, match="unknown Python class"):
        opener(name)


def test_requests_are_answered_in_their_order() -> None:
    """Several may be under way."""
    player = Inside(lambda message: message)
    player.send({"id": 1})
    player.send({"id": 2})

    assert [player.receive(1), player.receive(1)] == [{"id": 1}, {"id": 2}]
