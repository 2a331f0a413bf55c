"""The page of growth: its curves drawn from the points, and the same in a table."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence

from brou_tools.bench.growth import GrowthPoint
from brou_tools.drawing.svg import Element, box, document

#: The picture in pixels: its margins, a panel, and the space between the two.
_LEFT, _TOP, _WIDE, _HIGH, _GAP = 70, 40, 300, 200, 90
_DOT, _TICK, _BASE = 3, 5, 4
_INK, _RULE, _LINE, _PAPER = "#1c1c1c", "#d8d8d8", "#24425f", "#ffffff"
_FONT = "font-family:sans-serif;font-size:12px"
_SIDES = (("seconds of computing", "seconds"), ("megabytes at the peak", "megabytes"))


def draw_curve(name: str, points: Sequence[GrowthPoint]) -> str:
    """Return a picture of a curve: time and memory over the work, both scales growing by powers of ten."""
    width = _LEFT + 2 * _WIDE + _GAP + _LEFT // 2
    height = _TOP + _HIGH + _TOP
    elements = [box(0, 0, width, height, fill=_PAPER)]
    for side, (title, key) in enumerate(_SIDES):
        values = [getattr(point, key) for point in points]
        elements += _draw_panel(
            f"{title} over {name}", [point.size for point in points], values, _LEFT + side * (_WIDE + _GAP)
        )
    told = "; ".join(f"{one.size:,} {name}: {one.seconds:g} s, {one.megabytes:g} MB" for one in points)
    return document(f"Growth with {name}: {told}", elements, (width, height), style=_FONT)


def _draw_panel(title: str, sizes: Sequence[float], values: Sequence[float], left: int) -> Iterator[Element]:
    """Yield one panel, its left edge at a place."""
    across, up = _Scale.around(sizes), _Scale.around(values)
    base = _TOP + _HIGH
    yield _write(title, left, _TOP - 2 * _TICK)
    for power in across.powers():
        place = left + across.place(10.0**power) * _WIDE
        yield _rule(place, _TOP, place, base, _RULE)
        yield _write(_name_power(power), place, base + 3 * _TICK, "middle")
    for power in up.powers():
        place = base - up.place(10.0**power) * _HIGH
        yield _rule(left, place, left + _WIDE, place, _RULE)
        yield _write(_name_power(power), left - _TICK, place + _BASE, "end")
    spots = [(left + across.place(x) * _WIDE, base - up.place(y) * _HIGH) for x, y in zip(sizes, values, strict=True)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    yield Element("polyline", {"points": line, "fill": "none", "stroke": _LINE})
    for x, y in spots:
        yield Element("circle", {"cx": x, "cy": y, "r": _DOT, "fill": _LINE})


class _Scale:
    """A scale between two powers of ten."""

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    @classmethod
    def around(cls, values: Sequence[float]) -> _Scale:
        """Return the least scale that holds some values, all above nothing."""
        low = math.floor(math.log10(min(values)))
        return cls(low, max(low + 1, math.ceil(math.log10(max(values)))))

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 to 1."""
        return (math.log10(value) - self._low) / (self._high - self._low)

    def powers(self) -> range:
        """Return the powers of ten from end to end."""
        return range(self._low, self._high + 1)


def _name_power(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:g}"


def _rule(x1: float, y1: float, x2: float, y2: float, colour: str) -> Element:
    return Element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": colour})


def _write(text: str, left: float, base: float, anchor: str = "start") -> Element:
    return Element("text", {"x": left, "y": base, "fill": _INK, "text-anchor": anchor}, text=text)


def write_page(game: str, curves: Mapping[str, Sequence[GrowthPoint]]) -> str:
    """Return the page in Markdown, with its pictures beside it by name."""
    largest = max((one.size for one in curves.get("deals", ())), default=0)
    lines = [*_HEAD.format(game=game, largest=largest).splitlines(), ""]
    for name, points in curves.items():
        first, last = points[0], points[-1]
        more = max(1, last.size - first.size)
        share = (last.seconds - first.seconds) / more
        lines += [f"## {name.capitalize()}", "", _SAYS[name], "", f"![{name.capitalize()}](growth-{name}.svg)", ""]
        lines += [f"| {name} | seconds of computing | megabytes at the peak |", "|---:|---:|---:|"]
        lines += [f"| {one.size:,} | {one.seconds:,.2f} | {one.megabytes:,.1f} |" for one in points]
        lines += ["", f"Between the ends that is {_tell_share(share)} for each.", ""]
    return "\n".join(lines).rstrip() + "\n"


def _tell_share(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return "less than a microsecond"


_HEAD = """# How time and memory grow

`brou bench {game} --growth docs/growth --largest {largest}` measures this page, writes `growth.json`, and makes page
and pictures of that. Each point is one process, from its start to its end: the seconds that it computed, whatever else
the machine did, and the most memory that it held. Seconds are those of one machine; they show how time grows. A process
that begins by compiling its engine has that in its figures.
"""
_SAYS = {
    "deals": "`brou simulate` with everything that it tells, so many deals of one edition, on one processor.",
    "cases": "Scenarios put to the interpreter and judged, over and over.",
    "readings": "Rule bases with another reading: loaded, run [as data](../engines.md#rules-as-data), and compared "
    "with the rules over 2,000 random acts.",
    "mutants": "Rules with one fault: the same.",
}


def read_curves(text: str) -> tuple[str, dict[str, list[GrowthPoint]]]:
    """Return the game and the curves of a file that was written here."""
    document_ = json.loads(text)
    curves = {name: [GrowthPoint(*point) for point in points] for name, points in document_["curves"].items()}
    return document_["game"], curves


def write_files(game: str, curves: Mapping[str, Sequence[GrowthPoint]]) -> dict[str, str]:
    """Return the files of the page by name: the points, the page, a picture of each curve."""
    listed = {name: [[one.size, one.seconds, one.megabytes] for one in points] for name, points in curves.items()}
    rows = ",\n".join(f"    {json.dumps(name)}: {json.dumps(points)}" for name, points in listed.items())
    measured = f'{{\n  "format": "brou-growth/1",\n  "game": {json.dumps(game)},\n  "curves": {{\n{rows}\n  }}\n}}\n'
    pictures = {f"growth-{name}.svg": draw_curve(name, points) for name, points in curves.items()}
    return {"growth.json": measured, "index.md": write_page(game, curves), **pictures}
