"""The options of `brou rulebook`."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from brou_tools.options.declare import (
    CommandOptions,
    take_arguments,
    take_choice,
    take_flag,
    take_option,
    take_optional_choice,
)
from brou_tools.options.values import read_name
from brou_tools.options.vocabulary import LANGUAGES, take_agreement, take_language

#: Who a book is for.
Audience: TypeAlias = Literal["players", "arbiters", "table"]


class RulebookOptions(CommandOptions):
    """Options of `brou rulebook`."""

    description: ClassVar[str] = "Make a book of the rules, to print (PDF) or to read on a screen (HTML)."
    example: ClassVar[str] = """
$ brou rulebook brouc --lang en --format html -o brouc.html
brouc.html
"""

    games: tuple[str, ...] = take_arguments("GAME", "only these games, GAME or GAME@EDITION")
    edition: str | None = take_option(str, "EDITION", "of this edition, or `all`; else the first of each game")
    lang: str | None = take_language(
        f"{LANGUAGES}, or one of the project; several with commas, or `all`; else that of the locale"
    )
    format: Literal["pdf", "html"] = take_choice(("pdf", "html"), "pdf (the default) or html")
    paper: Literal["a5", "a4"] = take_choice(("a5", "a4"), "the size of a page in print (a5)")
    audience: Audience | None = take_optional_choice(
        ("players", "arbiters", "table"),
        "for players, to learn the game from (the default where there are texts for it); for arbiters, with every"
        " question and its readings; for the table, to tick what is agreed",
        "--for",
    )
    agreement: str | None = take_agreement()
    annotated: bool = take_flag("print the rule data beside each rule and reading")
    date: str | None = take_option(str, "YYYY-MM-DD", "the date to print in it; without it there is none")
    output: str | None = take_option(
        read_name, "FILE", "the file for one book, the folder for several", "-o", "--output"
    )
