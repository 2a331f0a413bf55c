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
    against: str | None = take_option(str, "COMMIT", "how many times as fast random play is as in that commit")
