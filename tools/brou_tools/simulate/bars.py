"""A drawing of shares with their intervals: bars in a plain SVG, made by hand so that nothing is needed for it."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from brou_tools.simulate.figures import TOLD, Figure

_SCALE, _RIGHT = 420, 130
#: How wide a letter is at most, taken over a whole name.
_LETTER = 7
_LINE, _BAR, _HEAD = 20, 11, 34
_THICK = 2
_BACKGROUND = "#ffffff"
_INK, _FILL, _WHISKER, _RULE = "#1c1c1c", "#8fb3d9", "#24425f", "#c8c8c8"
_FONT = "font-family:sans-serif;font-size:12px"
_QUARTERS = 4


def drawn(found: Sequence[tuple[str, Sequence[Figure]]]) -> str:
    """Return one SVG with the shares that are told first of each rule base, or with all where there are none.

    A share is a bar from nothing to all, its interval a line across the end.
    """
    shares = [(name, _drawable(figures)) for name, figures in found]
    left = _LETTER * max((len(_name(one)) for _, rows in shares for one in rows), default=0) + 2 * _BAR
    width = left + _SCALE + _RIGHT
    height = sum(_HEAD + _LINE * (len(rows) + 1) for _, rows in shares) + _LINE
    size = {"width": str(width), "height": str(height), "viewBox": f"0 0 {width} {height}"}
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "style": _FONT, **size})
    ET.SubElement(root, "title").text = ", ".join(name for name, _ in shares)
    ET.SubElement(root, "rect", {"width": str(width), "height": str(height), "fill": _BACKGROUND})
    top = _LINE
    for name, rows in shares:
        top = _block(root, name, rows, left, top)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _drawable(found: Sequence[Figure]) -> list[Figure]:
    shares = [one for one in found if one.share]
    return [one for one in shares if one.part == TOLD] or shares


def _name(one: Figure) -> str:
    return one.what if one.part == TOLD else f"{one.part}: {one.what}"


def _block(root: ET.Element, name: str, rows: Sequence[Figure], left: int, top: int) -> int:
    """Draw one rule base below a height and return the height below it."""
    _text(root, name, _BAR, top, font_weight="bold")
    first = top + _HEAD
    last = first + _LINE * len(rows)
    for quarter in range(_QUARTERS + 1):
        place = f"{left + _wide(quarter / _QUARTERS):.2f}"
        line = {"x1": place, "x2": place, "y1": str(first - _BAR), "y2": str(last - _BAR), "stroke": _RULE}
        ET.SubElement(root, "line", line)
        _text(root, f"{quarter / _QUARTERS:.0%}", float(place), first - _BAR - 2, text_anchor="middle")
    for number, one in enumerate(rows):
        _row(root, one, left, first + _LINE * number)
    return last + _LINE


def _row(root: ET.Element, one: Figure, left: int, top: int) -> None:
    middle = str(top + _BAR / 2)
    low, high = (f"{left + _wide(bound):.2f}" for bound in (one.low, one.high))
    _text(root, _name(one), left - _BAR, top + _BAR - 1, text_anchor="end")
    bar = {"x": str(left), "y": str(top), "width": f"{_wide(one.value):.2f}", "height": str(_BAR), "fill": _FILL}
    ET.SubElement(root, "rect", bar)
    whisker = {"x1": low, "x2": high, "y1": middle, "y2": middle, "stroke": _WHISKER, "stroke-width": str(_THICK)}
    ET.SubElement(root, "line", whisker)
    _text(root, f"{one.value:.2%} ({one.cases})", left + _SCALE + _BAR, top + _BAR - 1)


def _wide(share: float) -> float:
    return share * _SCALE


def _text(root: ET.Element, text: str, left: float, base: float, **style: str) -> None:
    """Write a text, in the style that SVG calls by these names."""
    said = {name.replace("_", "-"): value for name, value in style.items()}
    ET.SubElement(root, "text", {"x": f"{left:g}", "y": f"{base:g}", "fill": _INK, **said}).text = text
