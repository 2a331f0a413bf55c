"""How scores are kept, in pictures: a slate with its strokes, tokens before each player, calls in their order."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from brou_tools.cli import main
from brou_tools.drawing.cards import word
from brou_tools.drawing.ledger import Column, Purse, auction, slate, tokens
from brou_tools.drawing.svg import Picture

SVG = "{http://www.w3.org/2000/svg}"


def elements(picture: Picture, name: str) -> list[ET.Element]:
    """Return the elements of a name in a picture."""
    return list(ET.fromstring(picture.svg(40)).iter(f"{SVG}{name}"))  # noqa: S314 - our own


def pens(picture: Picture, pen: str) -> int:
    """Return how many lines are drawn with a pen of this width."""
    return sum(path.get("stroke-width") == pen for path in elements(picture, "path"))


@pytest.mark.parametrize("marks", [0, 1, 4, 5, 7, 12])
def test_a_slate_has_a_stroke_for_every_mark(marks: int) -> None:
    """Four upright and the fifth across them, none where there is nothing."""
    assert pens(slate([Column("A", (3,), marks)]), "1.7") == marks


def test_only_the_last_figure_of_a_slate_stands() -> None:
    """All before it are struck out."""
    assert pens(slate([Column("A", (0, 7, 15)), Column("B", (4,))]), "1") == 2


def test_a_slate_says_what_stands_on_it() -> None:
    """The last figures and the strokes of every column."""
    assert slate([Column("A", (0, 23), 3), Column("B", (-4,))]).words == "A: 23, |||; B: -4"


@pytest.mark.parametrize(("total", "large", "small"), [(0, 0, 0), (19, 0, 19), (20, 1, 0), (127, 6, 7)])
def test_tokens_make_up_the_sum(total: int, large: int, small: int) -> None:
    """Larger pieces as far as they go, then tokens one by one."""
    picture = tokens([Purse("A", total)], 20)

    assert len(elements(picture, "rect")) == large
    assert len(elements(picture, "circle")) == small
    assert picture.words == f"A: {total}"


def test_a_debt_is_hollow() -> None:
    """Tokens that are owed are no tokens that are held."""
    held, owed = (elements(tokens([Purse("A", amount)]), "circle") for amount in (2, -2))
    assert len(held) == len(owed) == 2
    assert {item.get("fill") for item in held}.isdisjoint(item.get("fill") for item in owed)


def test_calls_stand_in_the_column_of_their_seat() -> None:
    """A new line begins when the turn comes round; what is in no font is drawn, accents too."""
    once = auction([(1, "a"), (2, "b"), (0, "é")], 3)
    twice = auction([(1, "a"), (2, "b"), (0, "é"), (2, "b")], 3)

    assert twice.height > once.height
    assert once.words == "1: a; 2: b; 0: é"
    assert not elements(once, "text")


@pytest.mark.parametrize("letters", ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789-", "ÀÉÊËÇ"])
def test_every_letter_can_be_drawn(letters: str) -> None:
    """Capital letters, digits and the marks of our three languages."""
    assert all(len(word(letter).elements) == 1 + (not letter.isascii()) for letter in letters)


def test_the_command_draws_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Each in one line of a shell."""
    assert main(["draw", "slate", "0 2:0,23:3", "1 3:0,-4:7"]) == 0
    assert main(["draw", "tokens", "0:127", "POT:60", "--unit", "20"]) == 0
    assert main(["draw", "auction", "1:pass", "2:demande", "--seats", "3"]) == 0
    assert capsys.readouterr().out.count("<svg ") == 3


@pytest.mark.parametrize("arguments", [["slate", "A"], ["tokens", "A:x"], ["auction", "pass"]])
def test_what_is_of_no_form_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With the form that is wanted."""
    assert main(["draw", *arguments]) == 2
    assert "unknown" in capsys.readouterr().err
