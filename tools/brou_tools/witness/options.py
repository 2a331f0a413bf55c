"""The options of `brou witness`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_arguments, take_flag
from brou_tools.options.vocabulary import check_told, take_json, take_language, take_schema


class WitnessOptions(CommandOptions):
    """Options of `brou witness`."""

    description: ClassVar[str] = "Show the smallest situation in which two readings of a text differ."
    example: ClassVar[str] = """
$ brou witness brouc.amb.11
brouc.amb.11
  When does a card form or extend the trump marriage...
...
What may seat 1 do?
...
"""

    ambiguities: tuple[str, ...] = take_arguments("AMBIGUITY", "ids of open passages, or games; all if none")
    search: bool = take_flag("look for smaller ones and draft them; 1 if there are any")
    write: bool = take_flag("find and write the cases of whole games in which readings differ")
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Refuse two things at once, and a document of either."""
        done = {"--search": self.search, "--write": self.write}
        check_told("witness", done, json=self.json, schema=self.schema)
