"""The options of `brou diff`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_arguments
from brou_tools.options.vocabulary import take_json, take_language, take_schema


class DiffOptions(CommandOptions):
    """Options of `brou diff`."""

    description: ClassVar[str] = "Compare two rule bases, with an example of each difference."
    example: ClassVar[str] = """
$ brou diff brouc@2022 brouc@club-2026
brouc@2022 against brouc@club-2026
...
  - brouc@2022: exception_scope=forced-only. ...
...
"""

    editions: tuple[str, ...] = take_arguments("EDITION", "two of them: GAME[@EDITION][:SETUP][[READING=VALUE]]")
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()
