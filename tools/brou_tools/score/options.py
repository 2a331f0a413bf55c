"""The options of `brou score`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_option, take_subject
from brou_tools.options.vocabulary import check_named, take_json, take_language, take_schema


class ScoreOptions(CommandOptions):
    """Options of `brou score`."""

    description: ClassVar[str] = (
        "Settle a game from its record, deal by deal. The exit code is 1 if something in the record cannot be."
    )
    example: ClassVar[str] = """
$ brou score brouc.yaml
brouc@2022:4  Second table, after supper
...
  accounts                                  Anna and Claire   Beat and Denis
  before                                                 80               60
...
"""

    record: str = take_subject("RECORD.yaml", "the record (brou-record/1)")
    rules: str | None = take_option(str, "NAME", "rules to go by, instead of those that the record names")
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Ask for a record."""
        check_named("score", self.record, schema=self.schema)
