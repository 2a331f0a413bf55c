"""`brou draw`: cards, hands and tricks as SVG."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from brou import Unknown
from brou.text import language
from brou_tools.drawing.cards import Style, back, face, hand, known, trick
from brou_tools.drawing.svg import Picture
from brou_tools.exits import Exit

_PLAYED = re.compile(r"(\d):(\w\w)")
#: How wide one card is printed, in millimetres, if nothing else is asked for.
_CARD = 30.0


def run(options: argparse.Namespace) -> int:
    """Draw what is asked for."""
    style = Style(language(options.lang, os.environ), colours=not options.one_colour)
    picture = _pictured(options, style)
    card = face(known()[0], style)
    text = picture.svg(options.width or _CARD * picture.width / card.width)
    if options.output:
        Path(options.output).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return Exit.FINE


def _pictured(options: argparse.Namespace, style: Style) -> Picture:
    match options.what:
        case "card":
            return face(_card(options.card), style)
        case "back":
            return back()
        case "hand":
            marked = {_card(card): True for card in options.mark.split()} if options.mark else None
            return hand([_card(card) for card in options.cards], style, marked=marked)
    played = [_played(text) for text in options.cards]
    seats = max(options.seats, *(seat + 1 for seat, _ in played))
    return trick(played, seats, style, winner=options.winner)


def _card(text: str) -> str:
    if text not in known():
        raise Unknown("card", text, ["a rank and a suit, such as those of " + " ".join(known()[:3])])
    return text


def _played(text: str) -> tuple[int, str]:
    match = _PLAYED.fullmatch(text)
    if match is None:
        raise Unknown("card of a trick", text, [f"SEAT:CARD, such as 0:{known()[0]}"])
    return int(match[1]), _card(match[2])
