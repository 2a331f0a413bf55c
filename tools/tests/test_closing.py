"""What commands say beside their answers: closing lines, colours, signs of life, and how to have more or less of it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from io import StringIO
from types import SimpleNamespace

import pytest

from brou_conformance.reports.page import Page
from brou_tools.cli import help as help_pages
from brou_tools.cli import main
from brou_tools.terminal import closing
from brou_tools.terminal.closing import Loudness, conclude, count, open_command, show_end, write_time
from brou_tools.terminal.progress import ProgressLine

CLOSED = re.compile(r"brou draw: drew a picture in \d+\.\d s\n")


class Terminal(StringIO):
    """What a person looks at."""

    def isatty(self) -> bool:
        """Be one."""
        return True


def run_on_terminal(*arguments: str, **environment: str) -> str:
    """Return what a command shows on a terminal, where both its streams go."""
    master, slave = pty.openpty()
    command = [sys.executable, "-P", "-m", "brou_tools.cli", *arguments]
    bare = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "FORCE_COLOR"}}
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env={**bare, "TERM": "xterm", **environment}
    ):
        os.close(slave)
        shown = b""
        with suppress(OSError):  # what the other end of a terminal reads when nobody writes any more
            while more := os.read(master, 1 << 16):
                shown += more
    os.close(master)
    return shown.decode().replace("\r\n", "\n")


def test_a_pipe_has_no_closing_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Nor any colour."""
    main(["draw", "back"])
    shown = capsys.readouterr()

    assert (shown.err, "\033" in shown.out) == ("", False)


def test_a_closing_line_may_be_had_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """With --verbose, on the standard error, so that the document stays as it is."""
    main(["draw", "back"])
    document = capsys.readouterr().out
    main(["draw", "back", "--verbose"])
    shown = capsys.readouterr()

    assert shown.out == document
    assert CLOSED.fullmatch(shown.err)


@pytest.mark.parametrize(
    ("code", "loudness", "shown"),
    [
        (0, Loudness.USUAL, "\033[32mbrou x: did it in 0.0 s\033[0m\n"),
        (1, Loudness.VERBOSE, "\033[33mbrou x: did it in 0.0 s\033[0m\n"),
        (0, Loudness.QUIET, ""),
        (2, Loudness.VERBOSE, ""),
        (4, Loudness.VERBOSE, ""),
    ],
)
def test_the_closing_line_says_what_was_done(
    monkeypatch: pytest.MonkeyPatch, code: int, loudness: Loudness, shown: str
) -> None:
    """On a terminal, green or yellow by what came of it; a command that failed has said so already."""
    terminal = Terminal()
    monkeypatch.setattr(closing, "sys", SimpleNamespace(stderr=terminal))
    monkeypatch.setattr(closing, "time", SimpleNamespace(monotonic=lambda: 7.0))
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with open_command(loudness):
        conclude("did it")
        show_end("x", code, 7.0)

    assert terminal.getvalue() == shown


def test_what_one_command_did_is_not_said_of_the_next(capsys: pytest.CaptureFixture[str]) -> None:
    """Several may run in a process."""
    with open_command(Loudness.VERBOSE):
        conclude("did it")
    with open_command(Loudness.VERBOSE):
        show_end("x", 0, 0.0)

    assert capsys.readouterr().err.startswith("brou x: done in ")


@pytest.mark.parametrize(
    ("environment", "terminal", "coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colours_are_had_or_not_everywhere_alike(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], *, terminal: bool, coloured: bool
) -> None:
    """Help, messages and verdicts go by the same variables."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = Terminal() if terminal else StringIO()

    found = {closing.is_coloured(stream), help_pages.is_coloured(stream), Page.of(stream).coloured}
    assert found == {coloured}


def test_a_terminal_shows_colours_and_an_end() -> None:
    """Headings of help in bold, the closing line in green."""
    assert "\033[1moptions:\n\033[0m" in run_on_terminal("draw", "back", "--help")
    assert "\033[32mbrou draw: drew a picture in " in run_on_terminal("draw", "back")


def test_a_terminal_shows_no_colours_where_none_are_wanted() -> None:
    """By NO_COLOR, as by a pipe."""
    assert re.search(r"\x1b\[[\d;]*m", run_on_terminal("draw", "back", NO_COLOR="1")) is None


@pytest.mark.slow
def test_work_without_progress_shows_a_sign_of_life() -> None:
    """After two seconds, on a line that is empty when the answer comes."""
    script = (
        "import time; from brou_tools.terminal.closing import Loudness, open_command;"
        "from brou_tools.terminal.streams import name_streams; from brou_tools.terminal.ticker import show_life;"
        "name_streams()\nwith open_command(Loudness.USUAL), show_life('x'): time.sleep(2.5); print('answer')"
    )
    master, slave = pty.openpty()
    subprocess.run([sys.executable, "-P", "-c", script], stdout=slave, stderr=slave, check=True)
    os.close(slave)
    shown = os.read(master, 1 << 16).decode()
    os.close(master)

    assert re.fullmatch(r"(\r\x1b\[Kbrou x: working for \d\.\d s)+\r\x1b\[Kanswer\r\n", shown)


def test_quiet_and_verbose_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever gives both is asked which one."""
    with pytest.raises(SystemExit) as ending:
        main(["draw", "back", "-q", "-v"])

    assert ending.value.code == 2
    assert "--quiet and --verbose exclude each other: leave out one" in capsys.readouterr().err


@pytest.mark.parametrize(("loudness", "lines"), [(Loudness.QUIET, 0), (Loudness.USUAL, 0), (Loudness.VERBOSE, 1)])
def test_progress_in_a_log_is_had_at_once_if_wanted(
    capsys: pytest.CaptureFixture[str], loudness: Loudness, lines: int
) -> None:
    """Without --verbose there is none for half a minute, with --quiet none ever."""
    with open_command(loudness):
        line = ProgressLine(patience=0)
        line.show("cases", 1, 2)

    assert len(capsys.readouterr().err.splitlines()) == lines


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.04, "0.0 s"), (9.94, "9.9 s"), (10, "10 s"), (61, "1 min 1 s"), (7260, "2 h 1 min")]
)
def test_times_are_written_in_their_greatest_units(seconds: float, said: str) -> None:
    """Of two units there is none below."""
    assert write_time(seconds) == said


def test_numbers_have_their_nouns() -> None:
    """One is singular."""
    assert [count(1, "game"), count(1203, "case"), count(2, "entry", "entries")] == [
        "1 game",
        "1,203 cases",
        "2 entries",
    ]
