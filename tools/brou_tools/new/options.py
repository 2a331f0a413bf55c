"""The options of `brou new`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_argument, take_option
from brou_tools.options.values import read_name


class NewOptions(CommandOptions):
    """Options of `brou new`."""

    description: ClassVar[str] = (
        "Write a project with a small trick game for two to four that runs at once: rules with a question, "
        "three scenarios, a program with its adapter, a test and a job for GitHub. Nothing is overwritten."
    )
    example: ClassVar[str] = """
$ brou new tressette
tressette: a game for two to four that runs. Edit these, in this order:
  games/tressette/10-rules.yaml ...
...
  brou check --watch
...
"""

    game: str = take_argument("GAME", "the name of the game: small letters, digits and hyphens, a letter first")
    data: str | None = take_option(read_name, "FOLDER", "where to write the project (a folder of that name)", "--data")
