"""The options of `brou prove`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_flag, take_option, take_options
from brou_tools.options.values import read_name
from brou_tools.options.vocabulary import take_games, take_json, take_schema


class ProveOptions(CommandOptions):
    """Options of `brou prove`."""

    description: ClassVar[str] = (
        "Prove stated properties of the rules in every position. The exit code is 1 if one does not hold. "
        "Needs brou[prove]."
    )
    example: ClassVar[str] = """
$ brou prove brouc --only brouc.round.lost
brouc: 1 of 1 obligations hold
...
"""

    games: tuple[str, ...] = take_games()
    only: tuple[str, ...] = take_options(str, "ID", "only this obligation")
    slow: bool = take_flag("the slow ones too")
    smtlib: str | None = take_option(read_name, "DIR", "write every question down as SMT-LIB")
    second: bool = take_flag("let a second solver (cvc5) say the same, if it is there")
    afresh: bool = take_flag("ask again also what an earlier run proved and nothing has touched since")
    json: bool = take_json()
    schema: bool = take_schema()
