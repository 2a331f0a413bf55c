"""The options of `brou dispute`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_argument, take_option
from brou_tools.options.values import read_name
from brou_tools.options.vocabulary import take_scenarios, take_sources


class DisputeOptions(CommandOptions):
    """Options of `brou dispute`."""

    description: ClassVar[str] = "Draft an objection to a case or a clause, with the evidence on both sides."
    example: ClassVar[str] = """
$ brou dispute brouc.over.05
# Dispute: brouc.over.05
...
- see also: `brou show brouc.over.05`
...
"""

    subject: str = take_argument("CASE|CLAUSE", "the id of a scenario, of one of its steps, or of a clause")
    output: str | None = take_option(read_name, "FILE", "write to a file", "-o", "--output")
    rules: str | None = take_option(str, "RULES", "GAME[@EDITION][:SETUP][[READING=VALUE,...]]")
    scenarios: str | None = take_scenarios()
    sources: str | None = take_sources()
