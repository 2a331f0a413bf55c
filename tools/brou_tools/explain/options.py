"""The options of `brou explain`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_option, take_subject
from brou_tools.options.vocabulary import check_named, take_agreement, take_json, take_language, take_schema


class ExplainOptions(CommandOptions):
    """Options of `brou explain`."""

    description: ClassVar[str] = (
        "Explain why an act is allowed or refused, why a figure is what it is, or why a player sees something."
    )
    example: ClassVar[str] = """
$ brou explain brouc.over.lower-trump-refused#seven
brouc@2022:4  brouc.over.lower-trump-refused#seven
...
Seat 1 plays 7♠: ...
...
"""

    subject: str = take_subject("WHAT", "SCENARIO[#STEP], POSITION.yaml, or RECORD.yaml#DEAL.MOMENT")
    rules: str | None = take_option(str, "NAME", "rules to go by: GAME[@EDITION][:SETUP][[READING=VALUE,...]]")
    agreement: str | None = take_agreement()
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Ask for something to explain, and for one set of rules."""
        check_named("explain", self.subject, schema=self.schema)
        if self.rules and self.agreement:
            raise UsageError("--rules and --agreement both say what is played: leave one out")
