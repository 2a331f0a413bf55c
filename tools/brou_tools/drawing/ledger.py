"""Scores as kept at the table: a slate with its strokes, tokens and larger pieces of each player, calls in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brou_tools.drawing.cards import word
from brou_tools.drawing.svg import Element, Picture, box, group, line, shape

_INK, _PALE, _PAPER = "#1c1a17", "#6f6a61", "#fffdf8"
_FIVE = 5
#: Measures of a slate: a column, a line of it, its head, where strokes begin under the last figure.
_COLUMN, _LINE, _HEAD, _FOOT = 64.0, 17.0, 22.0, 24.0
#: Letters of the house drawing: how high a line of them is where it is written small or large.
_SMALL, _LARGE = 0.62, 0.86
#: Tokens: how far apart, and how many stand in one row.
_STEP, _ROW = 9.0, 10
#: The ring around the number of a seat.
_RING = 8.0


@dataclass(frozen=True, slots=True)
class Column:
    """One side of a slate: its owner, its figures from the first to the one that stands, its strokes."""

    name: str
    figures: tuple[int, ...]
    marks: int = 0

    @property
    def words(self) -> str:
        """Return the column in words: the figure that stands, and the strokes."""
        strokes = f", {'|' * self.marks}" if self.marks else ""
        return f"{self.name}: {self.figures[-1] if self.figures else 0}{strokes}"


def slate(columns: Sequence[Column], words: str = "") -> Picture:
    """Return a slate as a club keeps it: figures struck out when the next is written, strokes in fives below."""
    longest = max((len(column.figures) for column in columns), default=1)
    width, foot = _COLUMN * len(columns), _HEAD + _LINE * max(longest, 1)
    strokes = any(column.marks for column in columns)
    height = foot + (_FOOT if strokes else 8)
    elements: list[Element] = [
        box(0.8, 0.8, width - 1.6, height - 1.6, fill=_PAPER, stroke=_INK, rx=5, **{"stroke-width": 1.6}),
        line(f"M6 {_HEAD - 3} H{width - 6}", _INK, 0.8),
    ]
    for number, column in enumerate(columns):
        left = number * _COLUMN
        if number:
            elements.append(line(f"M{left} 6 V{height - 6}", _INK, 0.8))
        elements.append(_centre_text(column.name, left + _COLUMN / 2, 6, _SMALL))
        elements += _figures(column, left)
        elements += _strokes(column.marks, left + 9, foot + 3)
    if strokes:
        elements.append(line(f"M6 {foot - 1.5} H{width - 6}", _PALE, 0.5))
    return Picture(width, height, tuple(elements), words or "; ".join(column.words for column in columns))


def _figures(column: Column, left: float) -> list[Element]:
    found = []
    for number, figure in enumerate(column.figures):
        top = _HEAD + number * _LINE
        found.append(_centre_text(str(figure), left + _COLUMN / 2, top, _LARGE))
        if number < len(column.figures) - 1:
            wide = word(str(figure)).width * _LARGE / 2 + 3
            middle = left + _COLUMN / 2
            found.append(line(f"M{middle - wide} {top + 9.5} L{middle + wide} {top + 3.5}", _INK, 1))
    return found


def _strokes(count: int, left: float, top: float) -> list[Element]:
    """Return strokes as they are counted: four upright, the fifth across them."""
    found = []
    for number in range(count):
        bundle, place = divmod(number, _FIVE)
        start = left + bundle * 26
        if place < _FIVE - 1:
            found.append(line(f"M{start + place * 4.6} {top} l-0.8 13", _INK, 1.7))
        else:
            found.append(line(f"M{start - 3.4} {top + 10.5} L{start + 17} {top + 2.5}", _INK, 1.7))
    return found


def _centre_text(text: str, middle: float, top: float, scale: float) -> Element:
    letters = word(text, _INK, 1.5)
    return letters.place(middle - letters.width * scale / 2, top, scale)


@dataclass(frozen=True, slots=True)
class Purse:
    """The tokens before one player, or in the pot: a sum, which may be a debt."""

    name: str
    sum: int


def tokens(purses: Sequence[Purse], unit: int = 0, words: str = "") -> Picture:
    """Return a picture of each player's tokens: larger pieces worth `unit` each, tokens, the sum; a debt is hollow."""
    lines = [_purse(purse, unit) for purse in purses]
    names = max([word(purse.name).width * _SMALL for purse in purses] + [_RING * 2]) + 8
    sums = max(word(str(purse.sum)).width * _LARGE for purse in purses) + 8
    wide = max(width for _, width, _ in lines)
    elements, top = [], 4.0
    for purse, (drawn, _, high) in zip(purses, lines, strict=True):
        middle = top + high / 2
        elements.append(_owner(purse.name, middle))
        figure = word(str(purse.sum), _INK, 1.5)
        elements.append(figure.place(names + sums - 6 - figure.width * _LARGE, middle - 6, _LARGE))
        elements.append(group(drawn, f"translate({names + sums + 2:.2f} {top:.2f})"))
        top += high + 5
    told = words or "; ".join(f"{purse.name}: {purse.sum}" for purse in purses)
    return Picture(names + sums + wide + 6, top, tuple(elements), told)


def _owner(name: str, middle: float) -> Element:
    """Return whose purse it is: the number of a seat in a ring, anything else in letters."""
    if name.isdecimal() and len(name) == 1:
        return group([_seat(int(name), _RING + 3)], f"translate(0 {middle - _RING - 1:.2f})")
    return word(name, _INK, 1.5).place(4, middle - 4.4, _SMALL)


def _purse(purse: Purse, unit: int) -> tuple[list[Element], float, float]:
    """Return the pieces of one purse with the width and height that they take."""
    large, small = divmod(abs(purse.sum), unit) if unit else (0, abs(purse.sum))
    hollow = purse.sum < 0
    drawn = [_piece(number * (_STEP + 6), hollow=hollow) for number in range(large)]
    start = large * (_STEP + 6) + (3 if large else 0)
    rows = max(1, -(-small // _ROW))
    for number in range(small):
        row, place = divmod(number, _ROW)
        drawn.append(_token(start + place * _STEP + 4.4, 7 + row * _STEP, hollow=hollow))
    return drawn, start + min(small, _ROW) * _STEP, 14 + (rows - 1) * _STEP


def _piece(left: float, *, hollow: bool) -> Element:
    fill = _PAPER if hollow else "#d9d2c3"
    return box(left, 2.5, _STEP + 3.6, 9, fill=fill, stroke=_INK, rx=1.5, **{"stroke-width": 0.9})


def _token(x: float, y: float, *, hollow: bool) -> Element:
    fill = _PAPER if hollow else _PALE
    return Element("circle", {"cx": x, "cy": y, "r": 3.7, "fill": fill, "stroke": _INK, "stroke-width": 0.9})


def auction(calls: Sequence[tuple[int, str]], seats: int, words: str = "") -> Picture:
    """Return calls in a grid: a column for each seat, a line for each time round, from the first caller on."""
    first = calls[0][0] if calls else 0
    wide = max([word(text).width * _SMALL for _, text in calls] + [30]) + 10
    grid: list[tuple[int, int, str]] = []
    row, last = 0, -1
    for seat, text in calls:
        column = (seat - first) % seats
        row += column <= last
        last = column
        grid.append((row, column, text))
    height = _HEAD + (row + 1) * _LINE
    elements: list[Element] = [line(f"M2 {_HEAD - 4} H{wide * seats - 2}", _INK, 0.9)]
    for column in range(seats):
        elements.append(_seat((first + column) % seats, (column + 0.5) * wide))
        if column:
            elements.append(line(f"M{column * wide:.2f} 2 V{height - 2}", _PALE, 0.5))
    elements += [
        _centre_text(text, (column + 0.5) * wide, _HEAD + row * _LINE + 2, _SMALL) for row, column, text in grid
    ]
    told = words or "; ".join(f"{seat}: {text}" for seat, text in calls)
    return Picture(wide * seats, height, tuple(elements), told)


def _seat(seat: int, middle: float) -> Element:
    ring = shape("M0 -8 A8 8 0 1 1 -0.01 -8 Z", _INK, hollow=True, pen=0.9)
    figure = word(str(seat), _INK, 1.5)
    return group([ring, figure.place(-figure.width * 0.3, -4.2, 0.6)], f"translate({middle:.2f} {_RING + 1})")
