"""`brou draw`: cards, hands, tricks, and the ways to keep scores, as SVG."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from brou import Impossible, Unknown, catalogue, choose, glossary, rules
from brou.atomic import put
from brou.language import find_face
from brou.words import Glossary, find_user_language
from brou_tools.draw.options import (
    AuctionOptions,
    CardOptions,
    DrawingOptions,
    HandOptions,
    SlateOptions,
    TokensOptions,
    TrickOptions,
)
from brou_tools.drawing.cards import Style, back, face, hand, list_cards, trick
from brou_tools.drawing.ledger import Column, Purse, auction, slate, tokens
from brou_tools.drawing.svg import Picture
from brou_tools.terminal.closing import conclude
from brou_tools.terminal.exits import Exit

_PLAYED = re.compile(r"(\d):(\w\w)")
_COLUMN = re.compile(r"([^:]*):(-?\d+(?:,-?\d+)*)(?::(\d{1,2}))?")
_PURSE = re.compile(r"([^:]+):(-?\d{1,4})")
_CALL = re.compile(r"(\d):(.+)")
#: How wide one card is printed, in millimetres, if nothing else is asked for.
_CARD = 30.0


def run(options: DrawingOptions) -> int:
    """Draw the picture that the options name."""
    pack = _choose_pack(options)
    style = Style(find_user_language(options.lang, os.environ, options.project), not options.one_colour, pack.words)
    picture = _draw_picture(options, style, pack.cards)
    card = face(pack.cards[0], style)
    text = picture.svg(options.width or _CARD * picture.width / card.width)
    conclude(f"drew {options.output or 'a picture'}")
    if options.output:
        put(Path(options.output), text)
    else:
        sys.stdout.write(text)
    return Exit.FINE


class _DrawnPack(NamedTuple):
    """The cards that can be drawn, and the words for them."""

    cards: Sequence[str]
    words: Glossary


def _choose_pack(options: DrawingOptions) -> _DrawnPack:
    """Return the pack of the first game of the project that has the named cards, each as often as it is named.

    For Brou itself it is all cards that are drawn.
    """
    project = options.project
    if project.is_house:
        return _DrawnPack(list_cards(), glossary())
    decks = [rules(choose(game, project)).deck for game in catalogue(project)]
    packs = [_DrawnPack(deck.cards, glossary(project).of_pack(deck.suits, deck.ranks)) for deck in decks]
    named = Counter(map(find_face, _list_named(options)))
    return next(
        (pack for pack in packs if named <= Counter(map(find_face, pack.cards))),
        next(iter(packs), _DrawnPack(list_cards(), glossary())),
    )


def _list_named(options: DrawingOptions) -> Sequence[str]:
    match options:
        case CardOptions():
            return [options.card]
        case HandOptions():
            return options.cards
        case TrickOptions():
            return [text.partition(":")[2] for text in options.cards]
    return ()


def _draw_picture(options: DrawingOptions, style: Style, known: Sequence[str]) -> Picture:
    match options:
        case CardOptions():
            return face(_card(options.card, known), style)
        case HandOptions():
            held = [_card(card, known) for card in options.cards]
            _check_copies(held, known)
            marked = {_parse_mark(card, held, known): True for card in options.mark.split()} if options.mark else None
            return hand(held, style, marked=marked)
        case TrickOptions():
            return _trick(options, style, known)
        case SlateOptions():
            return slate([_column(text) for text in options.columns])
        case TokensOptions():
            found = [_match_form(_PURSE, text, "purse", "NAME:SUM, such as 0:12") for text in options.purses]
            return tokens([Purse(match[1], int(match[2])) for match in found], max(options.unit, 0))
        case AuctionOptions():
            calls = [_match_form(_CALL, text, "call", "SEAT:CALL, such as 1:pass") for text in options.calls]
            told = [(int(match[1]), match[2]) for match in calls]
            return auction(told, max([options.seats, *(seat + 1 for seat, _ in told)]))
    return back()


def _check_copies(named: Sequence[str], known: Sequence[str]) -> None:
    """Refuse cards that are named more often than the pack has them."""
    pack = Counter(map(find_face, known))
    for card, number in Counter(map(find_face, named)).items():
        if number > pack[card]:
            has = "once" if pack[card] == 1 else f"{pack[card]} times"
            raise Impossible(f"{card} is named {number} times, and the pack has it {has}: leave one out")


def _trick(options: TrickOptions, style: Style, known: Sequence[str]) -> Picture:
    played = [_parse_play(text, known) for text in options.cards]
    _check_copies([card for _, card in played], known)
    laid = [seat for seat, _ in played]
    twice = next((seat for seat in laid if laid.count(seat) > 1), None)
    if twice is not None:
        raise Impossible(f"seat {twice} plays more than one card to the trick: name each seat once")
    if options.winner is not None and options.winner not in laid:
        raise Unknown("winner of the trick", str(options.winner), map(str, laid))
    seats = max([options.seats, *(seat + 1 for seat in laid)])
    return trick(played, seats, style, winner=options.winner)


def _column(text: str) -> Column:
    match = _match_form(_COLUMN, text, "column of a slate", "NAME:FIGURES[:STROKES], such as 'A:0,23:2'")
    return Column(match[1], tuple(map(int, match[2].split(","))), int(match[3] or 0))


def _match_form(form: re.Pattern[str], text: str, what: str, instead: str) -> re.Match[str]:
    match = form.fullmatch(text)
    if match is None:
        raise Unknown(what, text, [instead])
    return match


def _card(text: str, known: Sequence[str]) -> str:
    if text not in known:
        raise Unknown("card", text, ["a rank and a suit, such as those of " + " ".join(known[:3])])
    return text


def _parse_mark(text: str, held: Sequence[str], known: Sequence[str]) -> str:
    if _card(text, known) not in held:
        raise Unknown("card of the hand", text, held)
    return text


def _parse_play(text: str, known: Sequence[str]) -> tuple[int, str]:
    match = _PLAYED.fullmatch(text)
    if match is None:
        raise Unknown("card of a trick", text, [f"SEAT:CARD, such as 0:{known[0]}"])
    return int(match[1]), _card(match[2], known)
