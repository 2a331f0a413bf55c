"""Cards round a table with the names of the players: hands as dealt, tricks, seats; small cards with large indices."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import copysign, cos, pi, sin

from brou_tools.drawing.cards import Style, back, face, size, suit_mark, word
from brou_tools.drawing.svg import Element, Picture, box, group

_INK, _RED, _PALE, _PAPER, _EDGE, _CLOTH, _FELT = (
    "#1c1a17",
    "#b3261e",
    "#6f6a61",
    "#fffdf8",
    "#8a8378",
    "#2f5d4a",
    "#e6eee8",
)
#: A small card: how wide and high it is, its corner, how much of a covered card is seen.
CARD_UNITS = 40.0
_WIDE, _HIGH, _CORNER, _STEP = CARD_UNITS, 56.0, 3.5, 0.6
#: Names: how high their letters are written small and large.
_NAME, _TITLE = 0.62, 0.8
_LETTER = 14.0
#: Between a card and the name beside it.
_GAP = 4.0


def draw_small_card(card: str, style: Style, *, pale: bool = False, won: bool = False) -> Picture:
    """Return a card that can be read at eight millimetres, index and suit large; a pale one may not be played."""
    rank, suit = card[0], card[1:]
    mark = suit_mark(suit, style)
    red = any(element.attributes.get("fill") == _RED for element in mark.elements)
    letters = word(style.words.index(rank, style.lang), _RED if red else _INK, 2.6)
    wide = min(1.15, 17 / letters.width)
    index = group(letters.elements, f"translate({10.5 - letters.width * wide / 2:.2f} 4) scale({wide:.3f} 1.15)")
    edge: dict[str, str | float] = (
        {"stroke": _CLOTH, "stroke-width": 3.4} if won else {"stroke": _EDGE, "stroke-width": 1}
    )
    parts = [
        box(0.5, 0.5, _WIDE - 1, _HIGH - 1, fill=_PAPER, rx=_CORNER, **edge),
        index,
        mark.place(4, 23, 1.3),
        mark.place(_WIDE - 22, _HIGH - 23, 1.9),
    ]
    if pale:
        parts.append(box(0.5, 0.5, _WIDE - 1, _HIGH - 1, fill=_PAPER, rx=_CORNER, **{"fill-opacity": 0.72}))
    return Picture(_WIDE, _HIGH, tuple(parts), style.words.card(card, style.lang))


def draw_small_hand(cards: Sequence[str], style: Style, pale: Collection[str] = ()) -> Picture:
    """Return small cards, each covering a part of the one before; pale ones may not be played."""
    elements = tuple(
        draw_small_card(card, style, pale=card in pale).place(number * _WIDE * _STEP, 0)
        for number, card in enumerate(cards)
    )
    names = ", ".join(style.words.short(card, style.lang) for card in cards)
    return Picture(_WIDE * (_STEP * (len(cards) - 1) + 1), _HIGH, elements, names)


def draw_order(cards: Sequence[str], below: Sequence[str], style: Style) -> Picture:
    """Return cards from the highest down, whole cards side by side, each over its words or figure."""
    step = _WIDE + 5
    scale = min([1.05, *(_WIDE / word(words, _INK, 1.6).width for words in below if words)])
    elements: list[Element] = []
    for number, (card, words) in enumerate(zip(cards, below, strict=True)):
        elements.append(draw_small_card(card, style).place(number * step, 0))
        if words:
            elements.append(_write(words, number * step + _WIDE / 2, _HIGH + 6, scale, _INK))
    told = (f"{style.words.rank(card[0], style.lang)} {one}".rstrip() for card, one in zip(cards, below, strict=True))
    if len({card[1:] for card in cards}) > 1:
        told = (f"{style.words.short(card, style.lang)} {one}".rstrip() for card, one in zip(cards, below, strict=True))
    return Picture(
        step * len(cards) - 5, _HIGH + (8 + _LETTER * scale if any(below) else 1), tuple(elements), ", ".join(told)
    )


def _draw_middle(turnup: str, style: Style) -> Picture:
    """Return the middle of the table: the card turned up, else the back of the stock."""
    if turnup:
        return draw_small_card(turnup, style)
    pack = back()
    return Picture(
        _WIDE, _HIGH, (group(pack.elements, f"scale({_WIDE / pack.width:.4f} {_HIGH / pack.height:.4f})"),), ""
    )


def draw_fan(cards: Sequence[str], style: Style) -> Picture:
    """Return cards held in a fan."""
    width, height = size()
    middle = (len(cards) - 1) / 2
    elements = []
    for number, card in enumerate(cards):
        turn = (number - middle) * 13
        left, top = width * (0.45 + number * 0.66), 12 + abs(number - middle) ** 2 * 7
        moved = f"translate({left:.2f} {top:.2f}) rotate({turn:.1f} {width / 2} {height})"
        elements.append(group(face(card, style).elements, moved))
    names = ", ".join(style.words.card(card, style.lang) for card in cards)
    return Picture(width * (1.9 + 0.66 * (len(cards) - 1)), height + 26, tuple(elements), names)


def _write(text: str, middle: float, top: float, scale: float, ink: str = _PALE) -> Element:
    letters = word(text, ink, 1.6)
    return letters.place(middle - letters.width * scale / 2, top, scale)


def draw_seated_trick(
    cards: Sequence[tuple[int, str]], names: Sequence[str], style: Style, winner: int | None = None
) -> Picture:
    """Return a trick on the table, each card before its player: seat 0 sits below, the next one at its right.

    A dot stands by the card that was led, a bold edge round the card that takes the trick.
    """
    across, down = _WIDE * 3.5, _HIGH * 2 + 34
    middle, centre = across / 2, down / 2
    elements: list[Element] = [
        box(_WIDE * 0.6, _HIGH * 0.55, across - _WIDE * 1.2, down - _HIGH * 1.1, fill=_FELT, rx=10)
    ]
    radii = (middle - _WIDE / 2 - 1, centre - _HIGH / 2 - 1)
    for order, (seat, card) in enumerate(cards):
        angle = 2 * pi * seat / len(names)
        x, y = middle + radii[0] * sin(angle), centre + radii[1] * cos(angle)
        drawn = draw_small_card(card, style, won=seat == winner)
        elements.append(drawn.place(x - _WIDE / 2, y - _HIGH / 2))
        if order == 0:
            dot = (x - (_WIDE / 2 + 6) * sin(angle), y - (_HIGH / 2 + 6) * cos(angle))
            elements.append(Element("circle", {"cx": dot[0], "cy": dot[1], "r": 3.4, "fill": _CLOTH}))
        elements.append(_name_card(names[seat], x, y, angle))
    told = ", ".join(f"{names[seat]}: {style.words.short(card, style.lang)}" for seat, card in cards)
    return Picture(across, down, tuple(elements), told if winner is None else f"{told}; {names[winner]}")


def _name_card(name: str, x: float, y: float, angle: float) -> Element:
    """Return a name beside a card: right of the cards above and below, under those at the sides."""
    letters = word(name, _PALE, 1.6)
    if abs(sin(angle)) < 0.5:
        at = y + (_HIGH / 2 - 12 if cos(angle) > 0 else 4 - _HIGH / 2)
        return letters.place(x + _WIDE / 2 + _GAP, at, _NAME)
    return _write(name, x, y + _HIGH / 2 + _GAP, min(_NAME, _WIDE * 1.3 / letters.width))


def draw_table(names: Sequence[str], roles: Mapping[int, str], turnup: str, style: Style) -> Picture:
    """Return the players round the table with what they do at the deal, and an arrow in the direction of play."""
    across, down = 250.0, 220.0
    elements: list[Element] = [
        box(62, 52, 126, 116, fill=_FELT, stroke=_CLOTH, rx=22, **{"stroke-width": 2.4}),
        _draw_middle(turnup, style).place(84, 82),
        Element(
            "path",
            {
                "d": "M148 132 C182 132 182 88 150 88 M157 82 L149 88 L157 94",
                "fill": "none",
                "stroke": _CLOTH,
                "stroke-width": 3,
                "stroke-linecap": "round",
            },
        ),
    ]
    for seat, name in enumerate(names):
        angle = 2 * pi * seat / len(names)
        side = copysign(1, sin(angle)) if abs(sin(angle)) > 0.5 else sin(angle)
        x, y = across / 2 + 92 * side, down / 2 + 84 * cos(angle)
        plate = word(name, _INK, 1.9)
        wide = max(plate.width * _TITLE + 14, 52)
        x = min(max(x, wide / 2 + 2), across - wide / 2 - 2)
        elements.append(box(x - wide / 2, y - 11, wide, 22, fill=_PAPER, stroke=_EDGE, rx=5))
        elements.append(plate.place(x - plate.width * _TITLE / 2, y - _LETTER * _TITLE / 2, _TITLE))
        if seat in roles:
            elements.append(_write(roles[seat], x, y + 15 if cos(angle) < 0.5 else y - 23, _NAME))
    told = ", ".join(f"{name}: {roles[seat]}" if seat in roles else name for seat, name in enumerate(names))
    return Picture(across, down, tuple(elements), told)


def draw_deal(hands: Mapping[int, Sequence[str]], names: Sequence[str], turnup: str, style: Style) -> Picture:
    """Return the hands round the table, each under its player's name, the card turned up or the stock in the middle."""
    drawn = {seat: draw_small_hand(cards, style) for seat, cards in hands.items()}
    wide = max(one.width for one in drawn.values())
    across, down = wide * 2 + 120, _HIGH * 3 + 76
    elements: list[Element] = [
        box(across / 2 - 52, down / 2 - 38, 104, 76, fill=_FELT, stroke=_CLOTH, rx=12, **{"stroke-width": 1.6}),
        _draw_middle(turnup, style).place(across / 2 - _WIDE / 2, down / 2 - _HIGH / 2),
    ]
    for seat, one in drawn.items():
        angle = 2 * pi * seat / len(names)
        x = across / 2 + (across - wide) / 2 * sin(angle)
        y = down / 2 + 8 + (down / 2 - _HIGH / 2 - 12) * cos(angle)
        elements.append(_write(names[seat], x, y - _HIGH / 2 - 13, _NAME, _INK))
        elements.append(one.place(x - one.width / 2, y - _HIGH / 2))
    told = "; ".join(f"{names[seat]}: {one.words}" for seat, one in sorted(drawn.items()))
    return Picture(across, down, tuple(elements), told)
