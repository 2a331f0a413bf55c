"""A drawing of shares with their intervals: bars in a plain SVG, made by hand so that nothing is needed for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brou_tools.drawing.svg import Element, box, document
from brou_tools.simulate.figures import TOLD, Statistic

_SCALE, _RIGHT = 420, 130
#: How wide a letter is at most, taken over a whole name.
_LETTER = 7
_LINE, _BAR, _HEAD = 20, 11, 34
_THICK = 2
_BACKGROUND = "#ffffff"
_INK, _FILL, _WHISKER, _RULE = "#1c1c1c", "#8fb3d9", "#24425f", "#c8c8c8"
_FONT = "font-family:sans-serif;font-size:12px"
_QUARTERS = 4


def draw_shares(found: Sequence[tuple[str, Sequence[Statistic]]]) -> str:
    """Return one SVG with the headline shares of each rule base, or with all shares where there are none.

    A share is a bar from nothing to all, its interval a line across the end.
    """
    shares = [(name, _drawable(figures)) for name, figures in found]
    left = _LETTER * max((len(_name(one)) for _, rows in shares for one in rows), default=0) + 2 * _BAR
    width = left + _SCALE + _RIGHT
    height = sum(_HEAD + _LINE * (len(rows) + 1) for _, rows in shares) + _LINE
    title = ", ".join(name for name, _ in shares)
    elements = [box(0, 0, width, height, fill=_BACKGROUND)]
    top = _LINE
    for name, rows in shares:
        elements += _block(name, rows, left, top)
        top += _HEAD + _LINE * (len(rows) + 1)
    return document(title, elements, (width, height), style=_FONT)


def _drawable(found: Sequence[Statistic]) -> list[Statistic]:
    shares = [one for one in found if one.share]
    return [one for one in shares if one.part == TOLD] or shares


def _name(one: Statistic) -> str:
    return one.what if one.part == TOLD else f"{one.part}: {one.what}"


def _block(name: str, rows: Sequence[Statistic], left: int, top: int) -> Iterator[Element]:
    """Yield one rule base, drawn below a height."""
    yield _text(name, _BAR, top, **{"font-weight": "bold"})
    first = top + _HEAD
    last = first + _LINE * len(rows)
    for quarter in range(_QUARTERS + 1):
        place = left + quarter / _QUARTERS * _SCALE
        yield _line((place, first - _BAR), (place, last - _BAR), _RULE)
        yield _text(f"{quarter / _QUARTERS:.0%}", place, first - _BAR - 2, **{"text-anchor": "middle"})
    for number, one in enumerate(rows):
        yield from _row(one, left, first + _LINE * number)


def _row(one: Statistic, left: int, top: int) -> Iterator[Element]:
    middle = top + _BAR / 2
    low, high = (left + bound * _SCALE for bound in (one.low, one.high))
    yield _text(_name(one), left - _BAR, top + _BAR - 1, **{"text-anchor": "end"})
    yield box(left, top, one.value * _SCALE, _BAR, fill=_FILL)
    yield _line((low, middle), (high, middle), _WHISKER, **{"stroke-width": _THICK})
    yield _text(f"{one.value:.2%} ({one.cases})", left + _SCALE + _BAR, top + _BAR - 1)


def _line(start: tuple[float, float], end: tuple[float, float], colour: str, **more: float) -> Element:
    (x1, y1), (x2, y2) = start, end
    return Element("line", {"x1": x1, "x2": x2, "y1": y1, "y2": y2, "stroke": colour, **more})


def _text(text: str, left: float, base: float, **style: str) -> Element:
    return Element("text", {"x": left, "y": base, "fill": _INK, **style}, text=text)
