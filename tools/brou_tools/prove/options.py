"""The options of `brou prove`."""

from __future__ import annotations

from brou_tools.options.declare import CommandOptions, take_flag, take_option, take_options
from brou_tools.options.values import read_name
from brou_tools.options.vocabulary import take_games, take_json, take_schema


class ProveOptions(CommandOptions):
    """Options of `brou prove`."""

    games: tuple[str, ...] = take_games()
    only: tuple[str, ...] = take_options(str, "ID", "only this obligation")
    slow: bool = take_flag("the slow ones too")
    smtlib: str | None = take_option(read_name, "DIR", "write every question down as SMT-LIB")
    second: bool = take_flag("let a second solver (cvc5) say the same, if it is there")
    afresh: bool = take_flag("ask again also what an earlier run proved and nothing has touched since")
    json: bool = take_json()
    schema: bool = take_schema()
