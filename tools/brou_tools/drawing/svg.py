"""Scalable pictures as data: a tree of elements with a size, joined and written without any font or file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

_NAMESPACE = "http://www.w3.org/2000/svg"


@dataclass(frozen=True, slots=True)
class Element:
    """One element with its attributes, its children and its text."""

    name: str
    attributes: Mapping[str, str | float]
    inside: tuple[Element, ...] = ()
    text: str = ""

    def to_xml(self) -> str:
        """Return the element as XML."""
        attributes = "".join(f" {key}={quoteattr(number(value))}" for key, value in self.attributes.items())
        body = escape(self.text) + "".join(element.to_xml() for element in self.inside)
        return f"<{self.name}{attributes}>{body}</{self.name}>" if body else f"<{self.name}{attributes}/>"


@dataclass(frozen=True, slots=True)
class Picture:
    """Something drawn in a box, and the same in words."""

    width: float
    height: float
    elements: tuple[Element, ...] = field(repr=False)
    words: str

    def place(self, x: float, y: float, scale: float = 1) -> Element:
        """Return the picture as one element of a larger one."""
        return group(self.elements, f"translate({number(x)} {number(y)}) scale({number(scale)})")

    def svg(self, width_mm: float) -> str:
        """Return a file of a width in millimetres; its title describes the picture for those who cannot see it."""
        size = (f"{number(width_mm)}mm", f"{number(width_mm * self.height / self.width)}mm")
        more = {"aria-label": self.words}
        return document(self.words, self.elements, (self.width, self.height), size, **more)


def document(
    title: str,
    elements: Sequence[Element],
    box: tuple[float, float],
    size: tuple[str | float, str | float] | None = None,
    **more: str,
) -> str:
    """Return a file that shows elements in a box, as large as the box in pixels unless it says otherwise."""
    width, height = size or box
    shown = {"xmlns": _NAMESPACE, "viewBox": f"0 0 {number(box[0])} {number(box[1])}", "width": width, "height": height}
    inside = (Element("title", {}, text=title), *elements)
    return Element("svg", {**shown, "role": "img", **more}, inside).to_xml() + "\n"


def group(elements: Sequence[Element], transform: str) -> Element:
    """Return elements moved together."""
    return Element("g", {"transform": transform}, tuple(elements))


def line(path: str, colour: str, pen: float, **more: str | float) -> Element:
    """Return a path drawn with a round pen."""
    drawn: dict[str, str | float] = {"d": path, "fill": "none", "stroke": colour, "stroke-width": pen}
    return Element("path", {**drawn, "stroke-linecap": "round", "stroke-linejoin": "round", **more})


def shape(path: str, colour: str, *, hollow: bool = False, pen: float = 0.7) -> Element:
    """Return a filled path, or its outline."""
    if hollow:
        return Element("path", {"d": path, "fill": "none", "stroke": colour, "stroke-width": pen})
    return Element("path", {"d": path, "fill": colour})


def box(x: float, y: float, width: float, height: float, **more: str | float) -> Element:
    """Return a rectangle."""
    return Element("rect", {"x": x, "y": y, "width": width, "height": height, **more})


def number(value: str | float) -> str:
    """Return a number as short as it can be written; a text is left as it is."""
    if isinstance(value, str):
        return value
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"
