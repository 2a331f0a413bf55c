"""How far a long run has come: a line on a terminal that is drawn anew, and elsewhere a line now and then."""

from __future__ import annotations

import re
from io import StringIO
from types import SimpleNamespace

import pytest

from brou_tools.terminal.progress import ProgressLine


class Terminal(StringIO):
    """What a person looks at."""

    def isatty(self) -> bool:
        """Be one."""
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return the standard error as a terminal of forty columns."""
    shown = Terminal()
    monkeypatch.setattr("brou_tools.terminal.progress.sys", SimpleNamespace(stderr=shown))
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    return shown


def test_a_long_run_is_told_in_one_line(terminal: Terminal) -> None:
    """What is done, how much of it, and in the end nothing."""
    line = ProgressLine(patience=0)
    line.show("x@1: [cases]", 3, 10)
    told = re.sub(r"\x1b\[[0-9;]*[mK]", "", terminal.getvalue())
    assert re.fullmatch(r"\rx@1: \S* *[━╸╺]+ *3 of 10 *", told)
    assert len(told) <= len("\r") + 40

    line.clear()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_line_is_not_drawn_more_often_than_the_eye_follows(terminal: Terminal) -> None:
    """Thousands of cases a second cost no thousands of lines."""
    line = ProgressLine(patience=0)
    line.show("cases", 1, 2)
    before = terminal.getvalue()
    line.show("cases", 2, 2)

    assert before
    assert terminal.getvalue() == before


def test_a_short_run_is_not_told(terminal: Terminal) -> None:
    """Nor is a line cleared that never was."""
    line = ProgressLine()
    line.show("cases", 1, 2)
    line.clear()

    assert terminal.getvalue() == ""


def test_nothing_is_told_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is read there is no person."""
    line = ProgressLine(patience=0)
    line.show("cases", 1, 2)
    line.clear()

    assert capsys.readouterr() == ("", "")


def test_without_a_terminal_a_line_stands_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After half a minute and then never sooner, even where the work began late; with the rate and the time left."""
    now = [100.0]
    monkeypatch.setattr("brou_tools.terminal.progress.time", SimpleNamespace(monotonic=lambda: now[0]))
    line = ProgressLine()
    for second in range(25, 100):
        now[0] = 100.0 + second
        line.show("matches", 10 * (second - 25), 7_500)

    assert capsys.readouterr().err.splitlines() == [
        "matches 50 of 7500, 10/s, 12 min 25 s left",
        "matches 350 of 7500, 10/s, 11 min 55 s left",
        "matches 650 of 7500, 10/s, 11 min 25 s left",
    ]
