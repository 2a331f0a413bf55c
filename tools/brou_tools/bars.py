"""A drawing of shares with their intervals: bars in a plain SVG, made by hand so that nothing is needed for it."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from brou_tools.figures import Figure

_WIDTH, _LEFT, _RIGHT = 880, 330, 130
_LINE, _BAR, _HEAD = 20, 11, 34
_THICK = 2
_BACKGROUND = "#ffffff"
_INK, _FILL, _WHISKER, _RULE = "#1c1c1c", "#8fb3d9", "#24425f", "#c8c8c8"
_FONT = "font-family:sans-serif;font-size:12px"
_QUARTERS = 4


def drawn(found: Sequence[tuple[str, Sequence[Figure]]]) -> str:
    """Return one SVG with the shares of each rule base, bars from nothing to all, the interval as a line on each."""
    shares = [(name, [one for one in figures if one.share]) for name, figures in found]
    height = sum(_HEAD + _LINE * (len(rows) + 1) for _, rows in shares) + _LINE
    size = {"width": str(_WIDTH), "height": str(height), "viewBox": f"0 0 {_WIDTH} {height}"}
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "style": _FONT, **size})
    ET.SubElement(root, "title").text = ", ".join(name for name, _ in shares)
    ET.SubElement(root, "rect", {"width": str(_WIDTH), "height": str(height), "fill": _BACKGROUND})
    top = _LINE
    for name, rows in shares:
        top = _block(root, name, rows, top)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _block(root: ET.Element, name: str, rows: Sequence[Figure], top: int) -> int:
    """Draw one rule base below a height and return the height below it."""
    _text(root, name, 2 * _BAR, top, font_weight="bold")
    first = top + _HEAD
    last = first + _LINE * len(rows)
    for quarter in range(_QUARTERS + 1):
        place = _place(quarter / _QUARTERS)
        line = {"x1": place, "x2": place, "y1": str(first - _BAR), "y2": str(last - _BAR), "stroke": _RULE}
        ET.SubElement(root, "line", line)
        _text(root, f"{quarter / _QUARTERS:.0%}", float(place), first - _BAR - 2, text_anchor="middle")
    for number, one in enumerate(rows):
        _row(root, one, first + _LINE * number)
    return last + _LINE


def _row(root: ET.Element, one: Figure, top: int) -> None:
    middle = top + _BAR / 2
    _text(root, f"{one.part}: {one.what}", _LEFT - _BAR, top + _BAR - 1, text_anchor="end")
    bar = {"x": str(_LEFT), "y": str(top), "width": f"{_wide(one.value):.2f}", "height": str(_BAR), "fill": _FILL}
    ET.SubElement(root, "rect", bar)
    whisker = {"x1": _place(one.low), "x2": _place(one.high), "y1": str(middle), "y2": str(middle), "stroke": _WHISKER}
    ET.SubElement(root, "line", {**whisker, "stroke-width": str(_THICK)})
    _text(root, f"{one.value:.2%}", _WIDTH - _RIGHT + _BAR, top + _BAR - 1)


def _wide(share: float) -> float:
    return share * (_WIDTH - _LEFT - _RIGHT)


def _place(share: float) -> str:
    return f"{_LEFT + _wide(share):.2f}"


def _text(root: ET.Element, text: str, left: float, base: float, **style: str) -> None:
    """Write a text, in the style that SVG calls by these names."""
    said = {name.replace("_", "-"): value for name, value in style.items()}
    ET.SubElement(root, "text", {"x": f"{left:g}", "y": f"{base:g}", "fill": _INK, **said}).text = text
