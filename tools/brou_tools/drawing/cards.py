"""Cards: faces with the indices of a language, backs, hands and tricks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, pi, sin
from unicodedata import combining, name, normalize

from brou import Node, glossary, read, root
from brou.words import Glossary
from brou_tools.drawing.svg import Element, Picture, box, group, line, shape

_LETTER = (10, 14)
_SUIT = 10
_INK, _RED, _PAPER, _EDGE = "#1c1a17", "#b3261e", "#fffdf8", "#8a8378"


@dataclass(frozen=True, slots=True)
class Style:
    """How cards are drawn: in which language, and in one colour or two."""

    lang: str = "en"
    colours: bool = True
    #: The words for cards, those of a pack if it has letters of its own.
    words: Glossary = field(default_factory=glossary)


_USUAL = Style()


@lru_cache(maxsize=1)
def _drawing() -> Node:
    return read(root() / "cards.yaml", "cards.yaml")


def _number(*path: str) -> float:
    node = _drawing()
    for step in path:
        node = node.fields[step]
    return float(node.text)


def size() -> tuple[float, float]:
    """Return width and height of a card."""
    return _number("card", "width"), _number("card", "height")


def list_cards() -> tuple[str, ...]:
    """Return every card that can be drawn."""
    drawing = _drawing().fields
    ranks = [*drawing["courts"].fields, *drawing["pips"].fields]
    return tuple(rank + suit for suit in drawing["suits"].fields for rank in ranks)


def face(card: str, style: Style = _USUAL) -> Picture:
    """Return the face of a card."""
    rank, suit = card[0], card[1:]
    half = [*_corner(rank, suit, style)]
    body: list[Element] = []
    drawn = _drawing().fields
    if not style.words.has_figure(rank):
        half += _plain(rank, suit, style)
    elif rank in drawn["courts"].fields:
        half += _court(rank, suit, style)
    elif rank in drawn["pips"].fields:
        body = list(_pips(rank, suit, style))
    else:
        half += _plain(rank, suit, style)
    width, height = size()
    turned = group(half, f"rotate(180 {width / 2} {height / 2})")
    return Picture(width, height, (_sheet(), *body, *half, turned), style.words.card(card, style.lang))


def back() -> Picture:
    """Return the back of a card: a lozenge pattern in one colour."""
    width, height = size()
    crosses = [f"M{x} 4 L{x + 20} {height - 4} M{x + 20} 4 L{x} {height - 4}" for x in range(4, int(width) - 20, 5)]
    lines = [line(cross, _EDGE, 0.5) for cross in crosses]
    frame = box(4, 4, width - 8, height - 8, fill="none", stroke=_EDGE, rx=2)
    return Picture(width, height, (_sheet(), *lines, frame), "")


def _sheet() -> Element:
    width, height = size()
    edge: dict[str, str | float] = {
        "fill": _PAPER,
        "stroke": _EDGE,
        "stroke-width": 0.6,
        "rx": _number("card", "radius"),
    }
    return box(0.3, 0.3, width - 0.6, height - 0.6, **edge)


def _has_shape(suit: str, style: Style) -> bool:
    """Say whether the sign of a suit is drawn; a project may give a sign of its own to a suit that nobody has drawn."""
    return style.words.has_sign(suit) and suit in _drawing().fields["suits"].fields


def _colour(suit: str, style: Style) -> tuple[str, bool]:
    """Return the ink of a suit, and whether it is drawn hollow."""
    if not _has_shape(suit, style):
        return _INK, False
    hollow = _drawing().fields["suits"].fields[suit].fields["hollow"].value is True
    return (_RED if hollow and style.colours else _INK), hollow and not style.colours


def suit_mark(suit: str, style: Style = _USUAL) -> Picture:
    """Return the sign of a suit in its box."""
    ink, hollow = _colour(suit, style)
    if not _has_shape(suit, style):
        return _letter_mark(suit, style)
    path = _drawing().fields["suits"].fields[suit].string("shape")
    return Picture(_SUIT, _SUIT, (shape(path, ink, hollow=hollow),), style.words.suit(suit, style.lang))


def _letter_mark(suit: str, style: Style) -> Picture:
    """Return the sign of a suit that nobody has drawn: its letter in a ring."""
    middle, turn = _SUIT / 2, _SUIT / 2 - 0.5
    ring = line(f"M0.5 {middle} a{turn} {turn} 0 1 0 {2 * turn} 0 a{turn} {turn} 0 1 0 {-2 * turn} 0", _INK, 0.7)
    scale = _SUIT * 0.5 / _LETTER[1]
    letter = word(suit, _INK, 2.2)
    placed = f"translate({middle - letter.width * scale / 2:.2f} {_SUIT * 0.25}) scale({scale:.3f})"
    return Picture(_SUIT, _SUIT, (ring, group(letter.elements, placed)), style.words.suit(suit, style.lang))


def _corner(rank: str, suit: str, style: Style) -> list[Element]:
    """Return index and suit as drawn in the upper left corner."""
    place = ("card", "index")
    x, y, height, mark = (_number(*place, key) for key in ("x", "y", "height", "suit"))
    ink, _ = _colour(suit, style)
    letters = word(style.words.index(rank, style.lang), ink)
    scale = height / _LETTER[1]
    narrow = scale if len(letters.words) == 1 else scale * 0.62
    wide = letters.width * narrow
    below = suit_mark(suit, style)
    middle = x + mark / 2
    squeezed = f"translate({middle - wide / 2:.2f} {y}) scale({narrow:.3f} {scale:.3f})"
    return [group(letters.elements, squeezed), below.place(middle - mark / 2, y + height + 2, mark / _SUIT)]


def word(text: str, ink: str = _INK, pen: float = 1.7) -> Picture:
    """Return letters, all of them capital, and digits in a row."""
    known, accents = (_drawing().fields[name].fields for name in ("letters", "accents"))
    step, drawn, number = _LETTER[0] + 0.4, list[Element](), -1
    for letter in normalize("NFD", text.upper()):
        accent = name(letter, "").removeprefix("COMBINING ").removesuffix(" ACCENT").lower()
        path = accents.get(accent) if combining(letter) else known.get(letter)
        number += not combining(letter)
        if path is not None:
            drawn.append(group([line(path.text, ink, pen)], f"translate({max(number, 0) * step} 0)"))
    return Picture(step * max(number, 0) + _LETTER[0], _LETTER[1], tuple(drawn), text)


def _pips(rank: str, suit: str, style: Style) -> list[Element]:
    width, height = size()
    left, top, wide, high = 0.2 * width, 0.1 * height, 0.6 * width, 0.8 * height
    found = []
    for item in _drawing().fields["pips"].fields[rank].items:
        x, y, *percent = (float(part.text) for part in item.items)
        scale = 1.05 * (percent[0] / 100 if percent else 1)
        mark = suit_mark(suit, style)
        placed = mark.place(-_SUIT / 2 * scale, -_SUIT / 2 * scale, scale)
        turn = f"translate({left + wide * x / 100:.2f} {top + high * y / 100:.2f})" + (" rotate(180)" if y > 50 else "")
        found.append(group([placed], turn))
    return found


def _plain(rank: str, suit: str, style: Style) -> list[Element]:
    """Return the upper half of a card that nobody has drawn: its index large, and the suit below."""
    width, height = size()
    ink, _ = _colour(suit, style)
    letters = word(style.words.index(rank, style.lang), ink)
    scale = height * 0.2 / _LETTER[1]
    placed = f"translate({width / 2 - letters.width * scale / 2:.2f} {height * 0.1}) scale({scale:.3f})"
    return [group(letters.elements, placed), suit_mark(suit, style).place(width / 2 - 6, height * 0.34, 1.2)]


def _court(rank: str, suit: str, style: Style) -> list[Element]:
    """Return the upper half of a court card: a frame, an ornament, the index large, and the suit."""
    width, height = size()
    ink, _ = _colour(suit, style)
    frame = line(f"M{width * 0.22} {height / 2} V{height * 0.1} H{width * 0.78} V{height / 2}", ink, 0.6)
    ornament = line(_drawing().fields["courts"].fields[rank].text, ink, 0.62)
    mark = suit_mark(suit, style)
    across = line(f"M{width * 0.22} {height / 2} H{width * 0.78}", ink, 0.4, **{"stroke-dasharray": "0.1 1.6"})
    return [
        frame,
        group([ornament], f"translate({width / 2 - 10.5} {height * 0.125}) scale(2.1)"),
        mark.place(width / 2 - 6, height * 0.362, 1.2),
        across,
    ]


# Several cards -----------------------------------------------------------------


def hand(cards: Sequence[str], style: Style = _USUAL, *, marked: Mapping[str, bool] | None = None) -> Picture:
    """Return cards side by side, each covering a part of the one before; marked ones are raised, others faded."""
    width, height = size()
    step, lift = width * 0.42, 7.0
    elements = []
    for number, card in enumerate(cards):
        chosen = marked is None or marked.get(card, False)
        down = lift if not chosen or marked is None else 0
        elements.append(face(card, style).place(number * step, down))
        if not chosen:
            veil: dict[str, str | float] = {"fill": _PAPER, "fill-opacity": 0.68, "rx": _number("card", "radius")}
            elements.append(box(number * step + 0.6, down + 0.6, width - 1.2, height - 1.2, **veil))
    names = ", ".join(style.words.short(card, style.lang) for card in cards)
    return Picture(max(width, step * (len(cards) - 1) + width), height + lift, tuple(elements), names)


def trick(
    cards: Sequence[tuple[int, str]], seats: int, style: Style = _USUAL, *, winner: int | None = None, me: int = 0
) -> Picture:
    """Return cards on the table as they lie before their players, numbered in order of play.

    The seat `me` sits below; the next seat sits at the right of it. The card of the winner has a bold edge.
    """
    width, height = size()
    wide, high = width * (1.06 if seats <= 4 else 1.35), height * (0.56 if seats <= 4 else 0.95)
    across, down = 2 * wide + width + 4, 2 * high + height + 4
    elements = []
    for order, (seat, card) in enumerate(cards, 1):
        angle = 2 * pi * ((seat - me) % seats) / seats
        x, y = across / 2 + wide * sin(angle), down / 2 + high * cos(angle)
        corner = (x - width / 2, y - height / 2)
        elements.append(face(card, style).place(*corner))
        if seat == winner:
            edge: dict[str, str | float] = {
                "fill": "none",
                "stroke": _INK,
                "stroke-width": 2.2,
                "rx": _number("card", "radius"),
            }
            elements.append(box(corner[0] - 1, corner[1] - 1, width + 2, height + 2, **edge))
        elements.append(_order(order, x, y))
    names = ", ".join(f"{seat}: {style.words.short(card, style.lang)}" for seat, card in cards)
    won = f"; {winner}" if winner is not None else ""
    return Picture(across, down, tuple(elements), names + won)


def _order(order: int, x: float, y: float) -> Element:
    """Return the number of a card in the order of play, in a disc on its middle."""
    disc = Element("circle", {"cx": 0, "cy": 0, "r": 6.2, "fill": _PAPER, "stroke": _INK, "stroke-width": 0.7})
    figure = word(str(order), pen=1.5)
    return group([disc, figure.place(-figure.width * 0.28, -3.9, 0.56)], f"translate({x:.2f} {y:.2f})")
