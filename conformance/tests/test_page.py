"""Pages: as wide as their terminal, in colour on a terminal alone."""

from __future__ import annotations

import io

import pytest

from brou_conformance.reports.page import USUAL, Page


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin without what the surroundings say of terminals."""
    for name in ("COLUMNS", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)


def test_a_pipe_has_a_fixed_width_and_no_colour() -> None:
    """Whatever the terminal is behind it."""
    assert Page.of(io.StringIO()) == Page(USUAL, coloured=False)


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_columns_are_heeded(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe too, where somebody says so."""
    monkeypatch.setenv("COLUMNS", "97")

    assert Page.of(stream).width == 97


@pytest.mark.parametrize(("said", "width"), [("5", 40), ("9999", 110), ("many", USUAL), ("", USUAL), ("0", USUAL)])
def test_a_width_that_cannot_be_is_bounded(said: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are neither too short to hold a word nor too long to be read."""
    monkeypatch.setenv("COLUMNS", said)

    assert Page.of(io.StringIO()).width == width


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colour_is_for_terminals_that_want_it(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is colour, unless it is refused."""
    assert Page.of(Terminal()).coloured
    monkeypatch.setenv(variable, value)
    assert not Page.of(Terminal()).coloured


def test_lines_are_no_wider_than_the_page() -> None:
    """And what comes after the first hangs."""
    lines = list(Page(40).wrap("word " * 40, "  ", "      "))

    assert max(map(len, lines)) <= 40
    assert [line[:7] for line in lines[:2]] == ["  word ", "      w"]


def test_what_is_not_coloured_is_plain() -> None:
    """A style is nothing where there is no colour."""
    assert Page().paint("text", "bad") == "text"
    assert Page(coloured=True).paint("text", "bad") == "\033[31mtext\033[0m"
