"""The options of `brou draw` and its commands."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import (
    CommandOptions,
    take_argument,
    take_arguments,
    take_flag,
    take_option,
)
from brou_tools.options.values import read_millimetres, read_name, read_seats, read_seed


class DrawingOptions(CommandOptions):
    """How anything is drawn."""

    lang: str | None = take_option(str, "LANG", "indices of en, fr or de, or of the project; else the locale's")
    one_colour: bool = take_flag("for printing in black")
    width: float | None = take_option(read_millimetres, "MM", "width of it all; else a card has 30 mm")
    output: str | None = take_option(read_name, "FILE", "write to a file", "-o", "--output")


class CardOptions(DrawingOptions):
    """One card."""

    description: ClassVar[str] = "Draw one card as SVG."
    example: ClassVar[str] = """
$ brou draw card AS
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88" ...
"""
    about: ClassVar[str] = "one card: brou draw card AS"

    card: str = take_argument("CARD")


class BackOptions(DrawingOptions):
    """The back of a card."""

    description: ClassVar[str] = "Draw the back of a card as SVG."
    example: ClassVar[str] = """
$ brou draw back
<svg xmlns="http://www.w3.org/2000/svg" ...
"""
    about: ClassVar[str] = "the back of a card"


class HandOptions(DrawingOptions):
    """Cards side by side."""

    description: ClassVar[str] = "Draw cards side by side as SVG."
    example: ClassVar[str] = """
$ brou draw hand AS KS 7D --mark AS
<svg xmlns="http://www.w3.org/2000/svg" ...
"""
    about: ClassVar[str] = "cards side by side: brou draw hand AS KS 7D --mark AS"

    cards: tuple[str, ...] = take_arguments("CARD", some=True)
    mark: str | None = take_option(str, "'CARD ...'", "raise these and let the others fade")


class TrickOptions(DrawingOptions):
    """Cards on the table."""

    description: ClassVar[str] = "Draw the cards of a trick round the table as SVG."
    example: ClassVar[str] = """
$ brou draw trick 0:9S 1:AS 2:KS 3:7H --winner 1
<svg xmlns="http://www.w3.org/2000/svg" ...
"""
    about: ClassVar[str] = "cards on the table: brou draw trick 0:9S 1:AS 2:KS 3:7H --winner 1"

    cards: tuple[str, ...] = take_arguments("SEAT:CARD", some=True)
    seats: int = take_option(read_seats, "N", "at a table of so many", default=0)
    winner: int | None = take_option(int, "SEAT", "")


class SlateOptions(DrawingOptions):
    """Figures on a slate."""

    description: ClassVar[str] = "Draw the figures and strokes on a slate as SVG."
    example: ClassVar[str] = """
$ brou draw slate '0 2:0,23:3' '1 3:0,-4,15:7'
<svg xmlns="http://www.w3.org/2000/svg" ...
"""
    about: ClassVar[str] = "figures on a slate: brou draw slate '0 2:0,23:3' '1 3:0,-4,15:7'"

    columns: tuple[str, ...] = take_arguments("NAME:FIGURES[:STROKES]", some=True)


class TokensOptions(DrawingOptions):
    """Options of `brou draw tokens`."""

    description: ClassVar[str] = "Draw the tokens before players and in the pot as SVG."
    example: ClassVar[str] = """
$ brou draw tokens 0:127 1:-3 POT:60 --unit 20
<svg xmlns="http://www.w3.org/2000/svg" ...
"""
    about: ClassVar[str] = "what lies before players: brou draw tokens 0:127 1:-3 POT:60 --unit 20"

    purses: tuple[str, ...] = take_arguments("NAME:SUM", some=True)
    unit: int = take_option(read_seed, "N", "what a larger piece is worth", default=0)


class AuctionOptions(DrawingOptions):
    """Calls in turn."""

    description: ClassVar[str] = "Draw the calls of an auction in turn as SVG."
    example: ClassVar[str] = """
$ brou draw auction 1:pass 2:demande 0:pass
<svg xmlns="http://www.w3.org/2000/svg" ...
"""
    about: ClassVar[str] = "calls in turn: brou draw auction 1:pass 2:demande 0:pass"

    calls: tuple[str, ...] = take_arguments("SEAT:CALL", some=True)
    seats: int = take_option(read_seats, "N", "at a table of so many", default=0)


COMMANDS = {
    "card": CardOptions,
    "back": BackOptions,
    "hand": HandOptions,
    "trick": TrickOptions,
    "slate": SlateOptions,
    "tokens": TokensOptions,
    "auction": AuctionOptions,
}
