"""The options of `brou bench`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_option
from brou_tools.options.vocabulary import take_games, take_json


class BenchOptions(CommandOptions):
    """Options of `brou bench`."""

    description: ClassVar[str] = (
        "Measure speed. Each figure is a ratio or a difference within one run, so that machines can be compared."
    )
    example: ClassVar[str] = """
$ brou bench brouc
brouc               ... target ...
...
"""

    games: tuple[str, ...] = take_games()
    json: bool = take_json()
    growth: str | None = take_option(
        str,
        "FOLDER",
        "measure instead how time and memory grow with deals, cases, readings and mutants, and make a page of it",
    )
    largest: int = take_option(int, "N", "the largest number of deals of --growth (100,000)", default=100_000)
    against: str | None = take_option(str, "COMMIT", "compare the speed of random play with that commit")
