"""The options of `brou show`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_arguments, take_flag
from brou_tools.options.vocabulary import check_named, take_json, take_language, take_schema, take_sources


class ShowOptions(CommandOptions):
    """Options of `brou show`."""

    description: ClassVar[str] = (
        "Show a clause: its text, its source, and the rules, scenarios and proofs that rest on it; "
        "or show when an act is refused."
    )
    example: ClassVar[str] = """
$ brou show brouc.over.05
brouc.over.05
...
  A player who can neither follow suit nor beat the trumps in the trick, ...
...
"""

    clauses: tuple[str, ...] = take_arguments("CLAUSE", "ids of clauses or open passages, topics, or acts")
    chapters: bool = take_flag("show clauses as written, or when acts are refused: of an act, or of all of a game")
    sources: str | None = take_sources()
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Ask for a clause."""
        check_named("show", self.clauses, schema=self.schema)
